//! Sends changes of the embedded flag service to the event streams of SDKs.

use std::time::Duration;

use actix_web::web::Data;
use tokio::time::{sleep, timeout};

use super::embedded_recorder::EmbeddedRecorder;
use crate::error::ApiError;
use crate::event_stream::Streams;
use crate::flags::Flags;
use crate::flags::auth::{Access, TokenScopes};
use crate::flags::client::ClientStreams;
use crate::sdk::SdkApi;

/// Interval in which changes that are not observed are found while streams are open.
const RECHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Minimum time between two events. Changes within it are sent together.
const PAUSE: Duration = Duration::from_millis(20);

/// The open streams, and the data that they depend on.
pub(super) struct EmbeddedStreams {
    pub(super) streams: Streams,
    pub(super) clients: Data<ClientStreams>,
    pub(super) sdk: Data<SdkApi>,
    pub(super) flags: Data<Flags>,
    pub(super) access: Data<Access>,
    pub(super) recorder: Option<EmbeddedRecorder>,
}

impl EmbeddedStreams {
    /// Sends and records changes until the future is dropped. Without streams and recorder, it reads nothing, unless the
    /// database is shared: then tokens and toggles must be in memory before the database fails.
    pub(super) async fn run(mut self) {
        let (mut tokens, mut is_failing) = (None, false);
        let mut holds = self.flags.snapshots.holds().changes();
        loop {
            if !self.flags.database.is_shared() && self.recorder.is_none() {
                self.streams.wait_until_open().await;
            }
            let recorded = match &mut self.recorder {
                Some(recorder) => recorder.record().await,
                None => Ok(()),
            };
            let result = self.publish(&mut tokens).await.and(recorded);
            if let Err(cause) = &result
                && !is_failing
            {
                tracing::warn!(%cause, "streams of SDKs and the flight recorder cannot be updated until the database can be read again");
            }
            is_failing = result.is_err();
            sleep(PAUSE).await;
            let change = async {
                tokio::select! {
                    () = self.flags.database.wait_for_change() => {}
                    Ok(()) = holds.changed() => {}
                }
            };
            drop(timeout(RECHECK_INTERVAL, change).await);
        }
    }

    async fn publish(&self, tokens: &mut Option<TokenScopes>) -> Result<(), ApiError> {
        // Before the changes, so that a revoked token does not receive them.
        let current = Some(self.access.token_scopes(&self.flags.database).await?);
        if *tokens != current {
            *tokens = current;
            self.streams.check_tokens();
        }
        if self.flags.database.is_shared() {
            self.flags.snapshots.prepare().await?;
        }
        self.clients.publish(&self.flags.snapshots).await?;
        self.sdk.publish().await
    }
}
