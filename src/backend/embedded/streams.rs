//! Sends changes of the embedded flag service to the event streams of SDKs.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::EmbeddedApi;
use crate::backend::sdk_parts::SdkParts;
use crate::error::ApiError;
use crate::flags::auth::TokenScopes;

/// Interval in which changes that are not observed are found while streams are open.
const RECHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Minimum time between two events. Changes within it are sent together.
const PAUSE: Duration = Duration::from_millis(20);

/// Sends and records changes until the future is dropped. Without streams and recorder, it reads nothing, unless the
/// database is shared: then tokens and toggles must be in memory before the database fails.
pub(super) async fn publish_changes(mut api: EmbeddedApi, sdk: SdkParts) {
    let (mut tokens, mut is_failing) = (None, false);
    let (mut holds, mut commits) = (sdk.holds.changes(), api.flags.database.changes().subscribe());
    loop {
        if !api.flags.database.is_shared() && api.recorder.is_none() {
            sdk.streams.wait_until_open().await;
        }
        let recorded = match &mut api.recorder {
            Some(recorder) => recorder.record().await,
            None => Ok(()),
        };
        let result = publish(&api, &sdk, &mut tokens).await.and(recorded);
        if let Err(cause) = &result
            && !is_failing
        {
            tracing::warn!(%cause, "streams of SDKs and the flight recorder cannot be updated until the database can be read again");
        }
        is_failing = result.is_err();
        sleep(PAUSE).await;
        let change = async {
            tokio::select! {
                Ok(()) = commits.changed() => {}
                Ok(()) = holds.changed() => {}
            }
        };
        drop(timeout(RECHECK_INTERVAL, change).await);
    }
}

async fn publish(
    api: &EmbeddedApi,
    sdk: &SdkParts,
    tokens: &mut Option<TokenScopes>,
) -> Result<(), ApiError> {
    let EmbeddedApi { flags, access, clients, .. } = api;
    // Before the changes, so that a revoked token does not receive them.
    let current = Some(access.token_scopes(&flags.database).await?);
    if *tokens != current {
        *tokens = current;
        sdk.streams.check_tokens();
    }
    if flags.database.is_shared() {
        flags.snapshots.prepare().await?;
    }
    clients.publish(&flags.snapshots).await?;
    sdk.publish().await
}
