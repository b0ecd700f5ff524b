//! The server in the settings of the console.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::Method;
use tokio::time::{Instant, timeout_at};

use super::caller::Caller;
use super::detection::{Detection, FRESH, Fixed, Kind};
use crate::console_api::NewerServer;

/// Time for all requests. The first page waits for the settings, and must appear even if the server hangs.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Returns the server if it accepts the credentials of this user, and has environments.
///
/// A known server needs one request, which verifies the user. The rest is refreshed if it is not [`FRESH`].
pub(super) async fn server(
    detection: &Detection,
    caller: &Caller,
    fixed: &Fixed,
) -> Option<Arc<NewerServer>> {
    let deadline = Instant::now() + TIMEOUT;
    let user = detection.user_of(caller).await;
    let known = match detection.last(user).await {
        Some((Kind::Older, age)) if age < FRESH => return None,
        Some((Kind::Newer(server), age)) => {
            let verify = caller.request(Method::GET, "/environments", None);
            match timeout_at(deadline, verify).await.ok()? {
                Ok(_) if age < FRESH => return Some(server),
                Ok(_) => Some(server),
                Err(failure) => {
                    detection.observe(failure.status());
                    return None;
                }
            }
        }
        _ => None,
    };
    match timeout_at(deadline, detection.refresh(caller, fixed)).await {
        Ok(Ok(Kind::Newer(server))) => Some(server),
        Ok(Ok(Kind::Older)) => None,
        // The user is verified, and the server is slow.
        Ok(Err(_)) | Err(_) => known,
    }
}
