//! Verifies that the flag service accepts the credentials of a request, for work that Flagdeck does itself.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::Instant;

use super::caller::Caller;
use super::failure::Failure;
use super::profile::Profile;
use super::reply::Reply;
use super::user_key::UserKey;
use crate::console::evaluation::ClientId;
use crate::error::{ApiError, DomainError};

/// Time for which a response of the flag service counts.
const FRESH: Duration = Duration::from_mins(1);
/// Time for which accepted credentials still count if the flag service does not respond.
const DURING_OUTAGE: Duration = Duration::from_hours(12);
/// Maximum number of remembered users.
const MAX_REMEMBERED: u64 = 1_000;

/// Maximum number of credentials that are remembered for one user, or for one network if the user is not known. Every header with
/// an unknown name makes other credentials.
const MAX_OF_OWNER: usize = 50;

/// The users whose credentials the flag service has accepted.
#[derive(Debug)]
pub(super) struct Sessions {
    accepted: Cache<UserKey, Acceptance>,
    /// The remembered credentials of each owner, the newest last.
    by_owner: Cache<ClientId, Arc<Mutex<VecDeque<UserKey>>>>,
}

/// The last time at which the flag service has accepted credentials.
#[derive(Debug, Clone)]
pub(super) struct Acceptance {
    at: Instant,
    /// The user, or the network of a user who is not known.
    owner: ClientId,
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

    /// Returns the user to whom limits apply, or the network of a user who is not known.
    pub(super) fn owner(&self) -> ClientId {
        self.owner
    }
}

impl Default for Sessions {
    fn default() -> Self {
        // The default policy can refuse a new entry: the user would have to sign in again during an outage.
        let cache = Cache::builder().max_capacity(MAX_REMEMBERED).eviction_policy(EvictionPolicy::lru());
        let owners = Cache::builder().max_capacity(MAX_REMEMBERED).eviction_policy(EvictionPolicy::lru());
        Self {
            accepted: cache.time_to_live(DURING_OUTAGE).build(),
            by_owner: owners.time_to_idle(DURING_OUTAGE).build(),
        }
    }
}

impl Sessions {
    /// Returns the acceptance of the user, whose `is_verified` is false if the flag service requires no sign-in. While it does not
    /// respond, the credentials and the user count that it has accepted and described before.
    ///
    /// # Errors
    /// The response of the flag service if the user must sign in; the failure if it does not respond.
    pub(super) async fn verify_profile(&self, caller: &Caller, user: UserKey) -> Result<Acceptance, Failure> {
        if let Some(acceptance) = self.find(user, FRESH).await {
            let is_fresh = acceptance.profile.as_ref().is_some_and(|(at, _)| at.elapsed() < FRESH);
            if is_fresh || !acceptance.is_verified {
                return Ok(acceptance);
            }
        }
        self.ask_profile(caller, user).await
    }

    /// Does the same as [`Self::verify_profile`], but always asks the flag service: what it has reported before counts only if it does
    /// not respond.
    ///
    /// # Errors
    /// Those of [`Self::verify_profile`].
    pub(super) async fn ask_profile(&self, caller: &Caller, user: UserKey) -> Result<Acceptance, Failure> {
        let is_verified = self.ask(caller, user).await?;
        let found = self.find(user, DURING_OUTAGE).await;
        let owner = ClientId::from_address(caller.address());
        Ok(found.unwrap_or(Acceptance { at: Instant::now(), owner, is_verified, profile: None }))
    }

    /// Returns the user to whom limits apply if the flag service describes it, or else the network of the client.
    pub(super) async fn owner(&self, caller: &Caller, user: UserKey) -> ClientId {
        if self.find(user, DURING_OUTAGE).await.is_none() {
            // The request that needs the limit reports a refusal itself.
            drop(self.ask(caller, user).await);
        }
        let acceptance = self.find(user, DURING_OUTAGE).await;
        acceptance.map_or_else(|| ClientId::from_address(caller.address()), |acceptance| acceptance.owner)
    }

    /// Asks the flag service for the user. Returns true if it accepts the credentials, and false if it requires none.
    async fn ask(&self, caller: &Caller, user: UserKey) -> Result<bool, Failure> {
        let response = match caller.send(Method::GET, "/user", None).await {
            Ok(reply)
                if reply.status == StatusCode::NOT_FOUND && !Box::pin(caller.needs_no_sign_in()).await =>
            {
                Err(Failure::unexpected("/user", "status 404, although the flag service requires a sign-in"))
            }
            response => response,
        };
        self.apply(user, caller.address(), response).await
    }

    /// Remembers or forgets a user after the response of the flag service. Returns true if it has accepted the credentials, and false
    /// if it requires none.
    pub(super) async fn apply(
        &self,
        user: UserKey,
        address: IpAddr,
        response: Result<Reply, Failure>,
    ) -> Result<bool, Failure> {
        let network = ClientId::from_address(address);
        let failure = match response {
            Ok(reply) if reply.status.is_success() && is_object(&reply.body) => {
                self.remember_profile(user, address, &reply.body).await;
                return Ok(true);
            }
            // `ask` has made sure that the server requires no sign-in. Old ones then have no user.
            Ok(reply) if reply.status == StatusCode::NOT_FOUND => {
                let now = Instant::now();
                let acceptance = Acceptance { at: now, owner: network, is_verified: false, profile: None };
                self.insert(user, acceptance).await;
                return Ok(false);
            }
            // Also a page or a redirect of a sign-in in front of the flag service.
            Ok(reply) => Failure::Refused(Box::new(reply)),
            Err(failure) => failure,
        };
        if failure.is_refusal() {
            self.forget(user).await;
            return Err(if failure.status().is_client_error() {
                failure
            } else {
                not_accepted(&failure).into()
            });
        }
        if !failure.is_outage() {
            return Err(failure);
        }
        self.find(user, DURING_OUTAGE).await.map(|acceptance| acceptance.is_verified).ok_or(failure)
    }

    /// Remembers what the flag service has reported about a user whose credentials it has accepted.
    pub(super) async fn remember_profile(&self, user: UserKey, address: IpAddr, body: &[u8]) {
        let at = Instant::now();
        let profile = Profile::parse(body).map(|profile| (at, Arc::new(profile)));
        let owner = profile
            .as_ref()
            .map_or(ClientId::from_address(address), |(_, profile)| ClientId::User(profile.identity()));
        self.insert(user, Acceptance { at, owner, is_verified: true, profile }).await;
    }

    /// Returns the user whom the flag service has described last for these credentials.
    pub(super) async fn last_profile(&self, user: UserKey) -> Option<Arc<Profile>> {
        self.find(user, DURING_OUTAGE).await?.profile().cloned()
    }

    async fn find(&self, user: UserKey, max_age: Duration) -> Option<Acceptance> {
        self.accepted.get(&user).await.filter(|acceptance| acceptance.at.elapsed() < max_age)
    }

    /// Remembers credentials. If their owner has too many, the oldest ones are forgotten, and not those of others.
    async fn insert(&self, user: UserKey, acceptance: Acceptance) {
        let owner = acceptance.owner;
        let credentials = self.by_owner.get_with(owner, async { Arc::default() }).await;
        let oldest = {
            // A list that is not complete only keeps more credentials.
            let mut credentials = credentials.lock();
            credentials.retain(|known| *known != user);
            credentials.push_back(user);
            if credentials.len() > MAX_OF_OWNER { credentials.pop_front() } else { None }
        };
        if let Some(oldest) = oldest
            && self.accepted.get(&oldest).await.is_some_and(|acceptance| acceptance.owner == owner)
        {
            self.accepted.invalidate(&oldest).await;
        }
        self.accepted.insert(user, acceptance).await;
    }

    /// Remembers a user whose credentials the flag service has accepted.
    pub(super) async fn remember(&self, user: UserKey, address: IpAddr) {
        // An older description still counts during an outage.
        let known = self.find(user, DURING_OUTAGE).await;
        let owner = known.as_ref().map_or_else(|| ClientId::from_address(address), Acceptance::owner);
        let profile = known.and_then(|acceptance| acceptance.profile);
        self.insert(user, Acceptance { at: Instant::now(), owner, is_verified: true, profile }).await;
    }

    /// Forgets a user whose session has ended.
    pub(super) async fn forget(&self, user: UserKey) {
        self.accepted.invalidate(&user).await;
    }
}

/// Returns true if a body is a JSON object, and no page.
pub(super) fn is_object(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|value| value.is_object())
}

/// Creates the error for a response that is neither a user nor an error of the flag service.
fn not_accepted(failure: &Failure) -> ApiError {
    let message = format!(
        "The flag service, or a sign-in in front of it, does not accept your session ({}). Sign in again",
        failure.status()
    );
    DomainError::new("session_not_accepted", StatusCode::FORBIDDEN, message).into()
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use bytes::Bytes;

    use super::{DURING_OUTAGE, FRESH, Failure, MAX_OF_OWNER, MAX_REMEMBERED, Reply, Sessions};
    use crate::compat::user_key::SignIns;

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[tokio::test]
    async fn new_session_is_remembered_if_the_maximum_number_is_in_use() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        for number in 0..=MAX_REMEMBERED {
            let mut credentials = [0; 32];
            credentials[..8].copy_from_slice(&number.to_be_bytes());
            let user = sign_ins.key(credentials).await;
            let network = IpAddr::from(u32::try_from(number).unwrap().to_be_bytes());
            sessions.remember(user, network).await;
            sessions.accepted.run_pending_tasks().await;
            for _ in 0..3 {
                assert!(sessions.find(user, FRESH).await.is_some(), "{number}");
            }
        }
        assert_eq!(sessions.accepted.entry_count(), MAX_REMEMBERED);
    }

    #[tokio::test]
    async fn user_with_many_credentials_forgets_only_own_ones() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let key = async |number: u16| {
            let mut credentials = [0; 32];
            credentials[..2].copy_from_slice(&number.to_be_bytes());
            sign_ins.key(credentials).await
        };
        let described = async |number, email: &str| {
            let body = format!(r#"{{"email":"{email}"}}"#).into();
            let reply = Reply { body, ..Reply::with_status(200) };
            assert!(sessions.apply(key(number).await, ADDRESS, Ok(reply)).await.unwrap());
        };
        described(0, "anna@example.com").await;
        sessions.remember(key(1).await, IpAddr::from([192, 0, 2, 9])).await;
        // The same user with a header that differs each time.
        for number in 2..=2_000 {
            if number % 2 == 0 {
                sessions.remember(key(number).await, ADDRESS).await;
            }
            described(number, "bert@example.com").await;
        }
        sessions.accepted.run_pending_tasks().await;
        for (number, is_kept) in [(0, true), (1, true), (2, false), (1_900, false), (2_000, true)] {
            let found = sessions.find(key(number).await, FRESH).await;
            assert_eq!(found.is_some(), is_kept, "{number}");
        }
        assert!(usize::try_from(sessions.accepted.entry_count()).unwrap() <= 2 * MAX_OF_OWNER + 2);
    }

    #[tokio::test]
    async fn refused_credentials_do_not_count_in_an_outage() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let user = sign_ins.key([0; 32]).await;
        let respond = async |status: u16, body: &'static [u8]| {
            let reply = Reply { body: Bytes::from_static(body), ..Reply::with_status(status) };
            sessions.apply(user, ADDRESS, Ok(reply)).await
        };
        let is_accepted_in_outage = async || {
            sessions.apply(user, ADDRESS, Err(Failure::unexpected("/user", "no response"))).await.is_ok()
        };
        assert!(!is_accepted_in_outage().await);
        // A sign-in in front of the server redirects, or shows its page.
        for (refusal, page) in [
            (401, &b"{}"[..]),
            (403, b"{}"),
            (400, b""),
            (302, b""),
            (307, b""),
            (410, b""),
            (200, b"<!doctype html>"),
            (204, b""),
        ] {
            assert!(respond(200, b"{}").await.unwrap());
            assert!(is_accepted_in_outage().await);
            // A server with a fault has refused no session.
            assert!(respond(503, b"").await.unwrap());
            // One that limits the number of requests responds, and has refused no session either.
            assert!(respond(429, b"").await.unwrap_err().has_status(429));
            assert!(is_accepted_in_outage().await);
            assert!(respond(refusal, page).await.unwrap_err().status().is_client_error());
            assert!(!is_accepted_in_outage().await, "{refusal}");
        }
        assert!(!respond(404, b"").await.unwrap(), "the server requires no sign-in");
    }

    #[tokio::test(start_paused = true)]
    async fn accepted_credentials_expire() {
        let (sessions, sign_ins) = (Sessions::default(), SignIns::default());
        let (user, other) = (sign_ins.key([0; 32]).await, sign_ins.key([1; 32]).await);
        sessions.remember(user, ADDRESS).await;
        let is_accepted = async |user, max_age| sessions.find(user, max_age).await.is_some();
        assert!(is_accepted(user, FRESH).await && !is_accepted(other, DURING_OUTAGE).await);
        tokio::time::advance(FRESH).await;
        assert!(!is_accepted(user, FRESH).await && is_accepted(user, DURING_OUTAGE).await);
        tokio::time::advance(DURING_OUTAGE).await;
        assert!(!is_accepted(user, DURING_OUTAGE).await);
    }
}
