//! Event streams of server SDKs. A change arrives with the refresh of its cache entry, which an open stream causes like a
//! request in each interval.

use std::future::ready;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use futures_util::FutureExt as _;

use super::Replica;
use super::copy::ToggleCopy;
use super::entries::Entry;
use super::entry_state::Answer;
use crate::error::ApiError;
use crate::event_stream::Edition;
use crate::hold::{Holds, Served};

impl Replica {
    /// Handles a request of an SDK for an event stream. Until the entry has toggles, it responds like the list of toggles.
    pub(crate) async fn streaming(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let (entry, answer) = self.find_for_client(request, request.query_string()).await?;
        match answer {
            Answer::Copy(..) => {}
            Answer::Reply(reply) => return Ok(reply.respond()),
            Answer::Unavailable(fault) => return Err(self.unavailable(fault)),
        }
        let channel = entry.channel();
        let served = entry.serve_current(&self.0.holds).await.map(|(served, _)| served);
        let held = served.as_ref().map(|served| Arc::clone(&served.held));
        let edition = served.as_ref().map(edition);
        let subscription = edition.and_then(|edition| channel.subscribe(&edition));
        // Read again: streams that exist when the task of the entry ends are closed, and this one exists since then.
        let subscription = subscription.filter(|_| entry.state.borrow().is_active());
        let subscription = subscription.ok_or_else(|| self.unavailable(entry.state.borrow().fault()))?;
        // The upstream decides about the credential, and its refusal ends the streams of the entry.
        let mut response = self.0.streams.respond(subscription, Box::new(|| ready(true).boxed_local()))?;
        if let Some((name, value)) = held.and_then(|held| held.header()) {
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }
}

/// Sends the changes of an entry to its streams, and ends them with the task of the entry.
pub(super) async fn publish(entry: &Entry, holds: &Holds, now: u64) {
    let Some(channel) = entry.existing_channel() else { return };
    if !entry.state.borrow().is_active() {
        return channel.end();
    }
    let Some((served, _)) = entry.serve_current(holds).await else { return };
    let edition = edition(&served);
    if let Err(fault) = channel.publish(&edition) {
        tracing::warn!(%fault, "replica: the upstream sent no list of toggles, and the streams of a token end");
    }
    if channel.is_in_use() {
        entry.touch(now);
    }
}

/// Returns the list of toggles that SDKs get, with its number as the id of the event.
pub(super) fn edition(served: &Served<Arc<ToggleCopy>>) -> Edition {
    Edition { body: served.value.body.clone(), id: served.number.0, number: served.number }
}
