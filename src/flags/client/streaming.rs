//! Event streams of server SDKs.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Data;
use futures_util::FutureExt as _;
use parking_lot::{Mutex, MutexGuard};

use super::Snapshots;
use crate::api::SegmentFormat;
use crate::database::Database;
use crate::error::{ApiError, DomainError};
use crate::event_stream::{Check, Edition, Streams, Subscription, ToggleChannel};
use crate::flags::auth::Access;
use crate::flags::auth::token::TokenHash;
use crate::flags::toggles::filter::ToggleFilter;
use crate::hold::{HeldToggles, Served};
use crate::number::{to_millis, to_u64};
use crate::sdk_instances::{InstanceCount, Instances};

/// Maximum number of different filters of open streams. Each filter needs memory for its toggles, and time for each change.
const MAX_STREAM_FILTERS: usize = 50;

/// The toggles that a stream receives, and their format.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct StreamSelection {
    /// Format that the SDK supports.
    pub(super) format: SegmentFormat,
    /// Filter of the request.
    pub(super) filter: ToggleFilter,
}

/// The open streams, and the instances of applications that poll instead.
#[derive(Debug)]
pub struct ClientStreams {
    streams: Streams,
    polling: Instances,
    start: Instant,
    /// Channels with at least one stream, and others until the next change or the next stream.
    channels: Mutex<HashMap<StreamSelection, Arc<ToggleChannel>>>,
}

impl ClientStreams {
    /// Creates the state without streams.
    #[must_use]
    pub fn new(streams: Streams) -> Self {
        Self { streams, polling: Instances::default(), start: Instant::now(), channels: Mutex::default() }
    }

    /// Records the instance of an application that has sent a poll with these headers.
    pub(super) fn record_poll(&self, headers: &HeaderMap) {
        self.polling.record_request(headers, self.now());
    }

    /// Returns the number of instances of applications: the polling ones, and one for each stream.
    pub(crate) fn instances(&self) -> InstanceCount {
        let streams: usize = self.channels_in_use().iter().map(|(_, channel)| channel.streams()).sum();
        let mut count = self.polling.count(self.now());
        count.number += to_u64(streams);
        count
    }

    /// Returns the milliseconds since the start.
    fn now(&self) -> u64 {
        to_millis(self.start.elapsed())
    }

    /// Sends the changes of the toggles to the open streams.
    pub(crate) async fn publish(&self, snapshots: &Snapshots) -> Result<(), ApiError> {
        for (selection, channel) in self.channels_in_use() {
            let (edition, _) = read_edition(&selection, snapshots).await?;
            channel.publish(&edition).map_err(ApiError::internal)?;
        }
        Ok(())
    }

    /// Opens a stream that begins with all toggles of a selection.
    ///
    /// # Errors
    /// At the limits of streams and of filters.
    pub(super) async fn open(
        &self,
        selection: StreamSelection,
        snapshots: &Snapshots,
        database: &Data<Database>,
        access: &Data<Access>,
        token: Option<TokenHash>,
    ) -> Result<HttpResponse, ApiError> {
        let (edition, held) = read_edition(&selection, snapshots).await?;
        let subscription = self.subscribe(selection, &edition)?;
        let (database, access) = (database.clone(), access.clone());
        let check: Check = Box::new(move || {
            let (database, access) = (database.clone(), access.clone());
            // While the tokens cannot be read, streams stay open.
            let is_valid = async move {
                let checked = access.check_client_token(token, &database).await;
                !matches!(checked, Err(ApiError::TokenNeeded | ApiError::FrontendToken))
            };
            is_valid.boxed_local()
        });
        let mut response = self.streams.respond(subscription, check)?;
        if let Some((name, value)) = held.header() {
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }

    /// Subscribes to the channel of a selection. The lock is held meanwhile, so that the channel is not removed as unused.
    fn subscribe(&self, selection: StreamSelection, edition: &Edition) -> Result<Subscription, ApiError> {
        let mut channels = self.lock_used();
        let filters = channels.keys().filter(|known| !known.filter.is_empty()).count();
        let is_new = !selection.filter.is_empty() && !channels.contains_key(&selection);
        if is_new && filters >= MAX_STREAM_FILTERS {
            let message = format!(
                "The open event streams have {MAX_STREAM_FILTERS} different filters, which is the maximum. Poll instead, or use the same filter for several applications"
            );
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(DomainError::new("too_many_stream_filters", status, message).into());
        }
        let subscription = channels.entry(selection).or_default().subscribe(edition);
        subscription.ok_or_else(|| ApiError::internal("the toggles cannot be read"))
    }

    /// Returns the channels that have streams.
    fn channels_in_use(&self) -> Vec<(StreamSelection, Arc<ToggleChannel>)> {
        let channels = self.lock_used();
        channels.iter().map(|(selection, channel)| (selection.clone(), Arc::clone(channel))).collect()
    }

    /// Locks the channels, and removes those without streams.
    fn lock_used(&self) -> MutexGuard<'_, HashMap<StreamSelection, Arc<ToggleChannel>>> {
        let mut channels = self.channels.lock();
        channels.retain(|_, channel| channel.streams() > 0);
        channels
    }
}

/// Reads the current toggles of a selection.
async fn read_edition(
    selection: &StreamSelection,
    snapshots: &Snapshots,
) -> Result<(Edition, Arc<HeldToggles>), ApiError> {
    let Served { value: snapshot, number, held } = snapshots.serve(selection.format).await?;
    let id = snapshot.event;
    Ok((Edition { id, number, body: snapshot.filter(selection.filter.clone()).await? }, held))
}
