//! Verifies that the flag service accepts the credentials of a request, for work that Flagdeck does itself.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use moka::future::Cache;
use tokio::time::Instant;

use super::caller::Caller;
use super::failure::Failure;
use super::user_key::UserKey;

/// Time for which a response of the flag service counts.
const FRESH: Duration = Duration::from_mins(1);
/// Time for which accepted credentials still count if the flag service does not respond.
const DURING_OUTAGE: Duration = Duration::from_hours(12);
/// Maximum number of remembered users.
const MAX_REMEMBERED: u64 = 1_000;

/// The users whose credentials the flag service has accepted, and the time.
#[derive(Debug)]
pub(super) struct Sessions(Cache<UserKey, Instant>);

impl Default for Sessions {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_REMEMBERED).time_to_live(DURING_OUTAGE).build())
    }
}

impl Sessions {
    /// Succeeds if the flag service accepts the credentials of the user, or requires none. While it does not respond,
    /// credentials count that it has accepted before.
    ///
    /// # Errors
    /// The response of the flag service if the user must sign in; the failure if it does not respond.
    pub(super) async fn verify(&self, caller: &Caller, user: UserKey) -> Result<(), Failure> {
        if self.is_accepted(user, FRESH).await {
            return Ok(());
        }
        let failure = match caller.send(Method::GET, "/user", None).await {
            // Servers that require no sign-in have no user: old ones respond 404.
            Ok(reply) if reply.status.is_success() || reply.status == StatusCode::NOT_FOUND => {
                self.remember(user).await;
                return Ok(());
            }
            Ok(reply) => Failure::Refused(Box::new(reply)),
            Err(failure) => failure,
        };
        if failure.has_status(401) || failure.has_status(403) {
            self.0.invalidate(&user).await;
            return Err(failure);
        }
        if self.is_accepted(user, DURING_OUTAGE).await { Ok(()) } else { Err(failure) }
    }

    async fn is_accepted(&self, user: UserKey, max_age: Duration) -> bool {
        self.0.get(&user).await.is_some_and(|accepted| accepted.elapsed() < max_age)
    }

    /// Remembers a user whose credentials the flag service has accepted.
    pub(super) async fn remember(&self, user: UserKey) {
        self.0.insert(user, Instant::now()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{DURING_OUTAGE, FRESH, Sessions};
    use crate::compat::user_key::SignIns;

    #[tokio::test(start_paused = true)]
    async fn accepted_credentials_expire() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let (user, other) = (sign_ins.key([0; 32]).await, sign_ins.key([1; 32]).await);
        sessions.remember(user).await;
        assert!(sessions.is_accepted(user, FRESH).await && !sessions.is_accepted(other, DURING_OUTAGE).await);
        tokio::time::advance(FRESH).await;
        assert!(!sessions.is_accepted(user, FRESH).await && sessions.is_accepted(user, DURING_OUTAGE).await);
        tokio::time::advance(DURING_OUTAGE).await;
        assert!(!sessions.is_accepted(user, DURING_OUTAGE).await);
    }
}
