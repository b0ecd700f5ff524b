//! Event streams of server SDKs. A change arrives with the refresh of its cache entry, which an open stream causes like a
//! request in each interval.

use std::future::ready;
use std::ops::ControlFlow;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use futures_util::FutureExt as _;

use super::copy::ToggleCopy;
use super::entries::Entry;
use super::{Replica, Toggles};
use crate::error::ApiError;
use crate::event_stream::{Edition, ToggleChannel};
use crate::hold::{Holds, Served};

impl Replica {
    /// Handles a request of an SDK for an event stream. Until the entry has toggles, it responds like the list of toggles.
    pub(crate) async fn streaming(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let found = self.find_for_client(request, request.query_string()).await?;
        let Toggles { entry, list, token, .. } = match found {
            ControlFlow::Continue(toggles) => toggles,
            ControlFlow::Break(reply) => return Ok(reply.respond()),
        };
        let served = entry.serve_current(&self.0.holds).await.map(|(served, _)| served);
        let (channel, served) = match (&list, served) {
            (Some(list), Some(served)) => (&list.channel, entry.project_lists.select(list, &served).await),
            (_, served) => (entry.channel(), served),
        };
        let held = served.as_ref().map(|served| Arc::clone(&served.held));
        let edition = served.as_ref().map(edition);
        let subscription = edition.and_then(|edition| channel.subscribe(&edition));
        // Read again: streams that exist when the task of the entry ends are closed, and this one exists since then.
        let subscription = subscription.filter(|_| entry.state.borrow().is_active());
        let subscription = subscription.ok_or_else(|| self.unavailable(entry.state.borrow().fault()))?;
        // The upstream decides about the credential: its refusal ends the streams of the entry, or its answer about the token the stream.
        let replica = self.clone();
        let is_accepted = move || token.is_none_or(|token| replica.learned_token(&token).is_some());
        let check = Box::new(move || ready(is_accepted()).boxed_local());
        let mut response = self.0.streams.respond(subscription, check)?;
        if let Some((name, value)) = held.and_then(|held| held.header()) {
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }
}

/// Sends the changes of an entry to its streams, and ends them with the task of the entry.
pub(super) async fn publish(entry: &Entry, holds: &Holds, now: u64) {
    let lists: Vec<_> =
        entry.project_lists.list().into_iter().filter(|list| list.channel.is_in_use()).collect();
    let channel = entry.existing_channel();
    if channel.is_none() && lists.is_empty() {
        return;
    }
    if !entry.state.borrow().is_active() {
        channel.into_iter().chain(lists.iter().map(|list| &list.channel)).for_each(ToggleChannel::end);
        return;
    }
    let Some((served, _)) = entry.serve_current(holds).await else { return };
    if let Some(channel) = channel {
        publish_list(channel, &served);
    }
    for list in &lists {
        match entry.project_lists.select(list, &served).await {
            Some(selected) => publish_list(&list.channel, &selected),
            None => list.channel.end(),
        }
    }
    if entry.has_streams() {
        entry.touch(now);
    }
}

fn publish_list(channel: &ToggleChannel, served: &Served<Arc<ToggleCopy>>) {
    if let Err(fault) = channel.publish(&edition(served)) {
        tracing::warn!(%fault, "replica: the upstream sent no list of toggles, and the streams of a token end");
    }
}

/// Returns the list of toggles that SDKs get, with its number as the id of the event.
pub(super) fn edition(served: &Served<Arc<ToggleCopy>>) -> Edition {
    Edition { body: served.value.body.clone(), id: served.number.0, number: served.number }
}
