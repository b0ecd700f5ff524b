//! Verifies that the flag service accepts the credentials of a request, for work that Flagdeck does itself.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::time::Instant;

use super::caller::Caller;
use super::failure::Failure;
use super::profile::Profile;
use super::reply::Reply;
use super::user_key::UserKey;

/// Time for which a response of the flag service counts.
const FRESH: Duration = Duration::from_mins(1);
/// Time for which accepted credentials still count if the flag service does not respond.
const DURING_OUTAGE: Duration = Duration::from_hours(12);
/// Maximum number of remembered users.
const MAX_REMEMBERED: u64 = 1_000;

/// The users whose credentials the flag service has accepted.
#[derive(Debug)]
pub(super) struct Sessions(Cache<UserKey, Acceptance>);

/// The last time at which the flag service has accepted credentials.
#[derive(Debug, Clone)]
pub(super) struct Acceptance {
    at: Instant,
    /// False if the flag service requires no sign-in, so that it has verified nothing.
    pub(super) is_verified: bool,
    /// The user and when the flag service has described it; `None` if it has only accepted the credentials.
    profile: Option<(Instant, Arc<Profile>)>,
}

impl Acceptance {
    /// Returns the user, if the flag service has described it.
    pub(super) fn profile(&self) -> Option<&Arc<Profile>> {
        self.profile.as_ref().map(|(_, profile)| profile)
    }
}

impl Default for Sessions {
    fn default() -> Self {
        // The default policy can refuse a new entry: the user would have to sign in again during an outage.
        let cache = Cache::builder().max_capacity(MAX_REMEMBERED).eviction_policy(EvictionPolicy::lru());
        Self(cache.time_to_live(DURING_OUTAGE).build())
    }
}

impl Sessions {
    /// Returns true if the flag service accepts the credentials of the user, and false if it requires none. While it does
    /// not respond, credentials count that it has accepted before.
    ///
    /// # Errors
    /// The response of the flag service if the user must sign in; the failure if it does not respond.
    pub(super) async fn verify(&self, caller: &Caller, user: UserKey) -> Result<bool, Failure> {
        if let Some(acceptance) = self.find(user, FRESH).await {
            return Ok(acceptance.is_verified);
        }
        self.apply(user, caller.send(Method::GET, "/user", None).await).await
    }

    /// Does the same as [`Self::verify`], and returns what the flag service knows about the user: during an outage, from the
    /// last response before.
    ///
    /// # Errors
    /// Those of [`Self::verify`].
    pub(super) async fn verify_profile(&self, caller: &Caller, user: UserKey) -> Result<Acceptance, Failure> {
        if let Some(acceptance) = self.find(user, FRESH).await {
            let is_fresh = acceptance.profile.as_ref().is_some_and(|(at, _)| at.elapsed() < FRESH);
            if is_fresh || !acceptance.is_verified {
                return Ok(acceptance);
            }
        }
        let is_verified = self.apply(user, caller.send(Method::GET, "/user", None).await).await?;
        let found = self.find(user, DURING_OUTAGE).await;
        Ok(found.unwrap_or(Acceptance { at: Instant::now(), is_verified, profile: None }))
    }

    /// Remembers or forgets a user after the response of the flag service, and returns the result of [`Self::verify`].
    async fn apply(&self, user: UserKey, response: Result<Reply, Failure>) -> Result<bool, Failure> {
        let failure = match response {
            // Servers that require no sign-in have no user: old ones respond 404.
            Ok(reply) if reply.status.is_success() || reply.status == StatusCode::NOT_FOUND => {
                let is_verified = reply.status.is_success();
                let now = Instant::now();
                let profile = Profile::parse(&reply.body).filter(|_| is_verified);
                let profile = profile.map(|profile| (now, Arc::new(profile)));
                self.0.insert(user, Acceptance { at: now, is_verified, profile }).await;
                return Ok(is_verified);
            }
            Ok(reply) => Failure::Refused(Box::new(reply)),
            Err(failure) => failure,
        };
        if failure.has_status(401) || failure.has_status(403) {
            self.forget(user).await;
            return Err(failure);
        }
        self.find(user, DURING_OUTAGE).await.map(|acceptance| acceptance.is_verified).ok_or(failure)
    }

    async fn find(&self, user: UserKey, max_age: Duration) -> Option<Acceptance> {
        self.0.get(&user).await.filter(|acceptance| acceptance.at.elapsed() < max_age)
    }

    /// Remembers a user whose credentials the flag service has accepted.
    pub(super) async fn remember(&self, user: UserKey) {
        // An older description still counts during an outage.
        let profile = self.find(user, DURING_OUTAGE).await.and_then(|acceptance| acceptance.profile);
        self.0.insert(user, Acceptance { at: Instant::now(), is_verified: true, profile }).await;
    }

    /// Forgets a user whose session has ended.
    pub(super) async fn forget(&self, user: UserKey) {
        self.0.invalidate(&user).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{DURING_OUTAGE, FRESH, Failure, MAX_REMEMBERED, Reply, Sessions};
    use crate::compat::user_key::SignIns;

    #[tokio::test]
    async fn new_session_is_remembered_if_the_maximum_number_is_in_use() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        for number in 0..=MAX_REMEMBERED {
            let mut credentials = [0; 32];
            credentials[..8].copy_from_slice(&number.to_be_bytes());
            let user = sign_ins.key(credentials).await;
            sessions.remember(user).await;
            sessions.0.run_pending_tasks().await;
            for _ in 0..3 {
                assert!(sessions.find(user, FRESH).await.is_some(), "{number}");
            }
        }
        assert_eq!(sessions.0.entry_count(), MAX_REMEMBERED);
    }

    #[tokio::test]
    async fn refused_credentials_do_not_count_in_an_outage() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let user = sign_ins.key([0; 32]).await;
        let respond = async |status| sessions.apply(user, Ok(Reply::with_status(status))).await;
        let is_accepted_in_outage =
            async || sessions.apply(user, Err(Failure::unexpected("/user", "no response"))).await.is_ok();
        assert!(!is_accepted_in_outage().await);
        for refusal in [401, 403] {
            assert!(respond(200).await.unwrap());
            assert!(is_accepted_in_outage().await);
            // A server with a fault has refused no session.
            assert!(respond(503).await.unwrap());
            assert!(respond(refusal).await.is_err());
            assert!(!is_accepted_in_outage().await, "{refusal}");
        }
        assert!(!respond(404).await.unwrap(), "the server requires no sign-in");
    }

    #[tokio::test(start_paused = true)]
    async fn accepted_credentials_expire() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let (user, other) = (sign_ins.key([0; 32]).await, sign_ins.key([1; 32]).await);
        sessions.remember(user).await;
        let is_accepted = async |user, max_age| sessions.find(user, max_age).await.is_some();
        assert!(is_accepted(user, FRESH).await && !is_accepted(other, DURING_OUTAGE).await);
        tokio::time::advance(FRESH).await;
        assert!(!is_accepted(user, FRESH).await && is_accepted(user, DURING_OUTAGE).await);
        tokio::time::advance(DURING_OUTAGE).await;
        assert!(!is_accepted(user, DURING_OUTAGE).await);
    }
}
