//! The flag service in the settings of the console.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::Method;
use tokio::time::{Instant, timeout_at};

use super::caller::Caller;
use super::detection::{Detection, FRESH, Fixed, Kind};
use super::failure::Failure;
use super::user_key::UserKey;
use crate::console_api::{Capabilities, FlagService, NewerServer};

/// Time for all requests. The first page waits for the settings, and must appear even if the server hangs.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the capabilities of the server if it accepts the credentials of this user, and the server if it has
/// environments.
pub(super) async fn detect(
    detection: &Detection,
    caller: &Caller,
    fixed: &Fixed,
) -> Option<(Capabilities, Option<Arc<NewerServer>>)> {
    let deadline = Instant::now() + TIMEOUT;
    let user = detection.user_of(caller).await;
    match detect_kind(detection, caller, user, fixed, deadline).await? {
        Kind::Newer(server) => {
            let service = FlagService::WithEnvironments { version: server.version.as_deref() };
            Some((Capabilities::new(service), Some(server)))
        }
        Kind::Older => {
            let version = detection.older_version(caller, user);
            let version = observe(detection, timeout_at(deadline, version).await.ok()?)?;
            let service = FlagService::WithoutEnvironments { version: version.as_deref() };
            Some((Capabilities::new(service), None))
        }
    }
}

/// Returns the kind of the server. A server with environments has accepted the credentials of this user.
///
/// If such a server is known, one request verifies the user. The rest is refreshed if it is not [`FRESH`].
async fn detect_kind(
    detection: &Detection,
    caller: &Caller,
    user: UserKey,
    fixed: &Fixed,
    deadline: Instant,
) -> Option<Kind> {
    let known = timeout_at(deadline, detection.last(caller, user)).await.ok()?;
    let is_fresh = known.as_ref().is_some_and(|(_, age)| *age < FRESH);
    let known = known.map(|(kind, _)| kind).filter(|kind| is_fresh || *kind != Kind::Older);
    if let Some(Kind::Newer(_)) = known {
        let verify = caller.request(Method::GET, "/environments", None);
        observe(detection, timeout_at(deadline, verify).await.ok()?)?;
    }
    if is_fresh {
        return known;
    }
    match timeout_at(deadline, detection.refresh(caller, fixed)).await {
        Ok(Ok(kind)) => Some(kind),
        // The user is verified, and the server is slow.
        Ok(Err(_)) | Err(_) => known,
    }
}

/// Returns the value of a successful request. A failure may indicate that the server is being replaced.
fn observe<T>(detection: &Detection, result: Result<T, Failure>) -> Option<T> {
    result.inspect_err(|failure| detection.observe(failure.status())).ok()
}
