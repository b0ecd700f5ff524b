//! Verifies that the flag service accepts the credentials of a request, for work that Flagdeck does itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::header::{CONTENT_LENGTH, HeaderMap};
use actix_web::http::{Method, StatusCode};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::caller::Caller;
use super::failure::Failure;

/// Time for which a response of the flag service counts.
const FRESH: Duration = Duration::from_mins(1);
/// Time for which accepted credentials still count if the flag service does not respond.
const DURING_OUTAGE: Duration = Duration::from_hours(12);
/// Maximum number of remembered credentials. Beyond it, the oldest one is forgotten.
const MAX_REMEMBERED: usize = 1_000;

/// The credentials that the flag service has accepted: the hash of the headers, and the time.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<CredentialHash, Instant>>);

type CredentialHash = [u8; 32];

impl Sessions {
    /// Succeeds if the flag service accepts the credentials of the user, or requires none. While it does not respond,
    /// credentials count that it has accepted before.
    ///
    /// # Errors
    /// The response of the flag service if the user must sign in; the failure if it does not respond.
    pub(super) async fn verify(&self, caller: &Caller) -> Result<(), Failure> {
        let credentials = hash(caller.headers());
        if self.is_accepted(&credentials, FRESH) {
            return Ok(());
        }
        let failure = match caller.send(Method::GET, "/user", None).await {
            // Servers that require no sign-in have no user: old ones respond 404.
            Ok(reply) if reply.status.is_success() || reply.status == StatusCode::NOT_FOUND => {
                self.remember(credentials);
                return Ok(());
            }
            Ok(reply) => Failure::Refused(Box::new(reply)),
            Err(failure) => failure,
        };
        if failure.has_status(401) || failure.has_status(403) {
            self.lock().remove(&credentials);
            return Err(failure);
        }
        if self.is_accepted(&credentials, DURING_OUTAGE) { Ok(()) } else { Err(failure) }
    }

    fn is_accepted(&self, credentials: &CredentialHash, max_age: Duration) -> bool {
        self.lock().get(credentials).is_some_and(|accepted| accepted.elapsed() < max_age)
    }

    fn remember(&self, credentials: CredentialHash) {
        let mut accepted = self.lock();
        accepted.insert(credentials, Instant::now());
        if accepted.len() > MAX_REMEMBERED {
            let oldest = accepted.iter().min_by_key(|(_, time)| **time).map(|(oldest, _)| *oldest);
            if let Some(oldest) = oldest {
                accepted.remove(&oldest);
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<CredentialHash, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hashes all headers, because a proxy in front of Flagdeck can authenticate users with any of them. Different headers of
/// the same user only cause another request to the flag service.
fn hash(headers: &HeaderMap) -> CredentialHash {
    let mut lines: Vec<_> = headers.iter().filter(|(name, _)| **name != CONTENT_LENGTH).collect();
    // Stable, so that the values of one name keep their order.
    lines.sort_by_key(|(name, _)| name.as_str());
    let mut hash = Sha256::new();
    for (name, value) in lines {
        for part in [name.as_str().as_bytes(), value.as_bytes()] {
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::http::header::{CONTENT_LENGTH, COOKIE, HeaderMap, HeaderValue};

    use super::{DURING_OUTAGE, FRESH, MAX_REMEMBERED, Sessions, hash};

    #[tokio::test(start_paused = true)]
    async fn accepted_credentials_expire() {
        let sessions = Sessions::default();
        sessions.remember([0; 32]);
        assert!(sessions.is_accepted(&[0; 32], FRESH) && !sessions.is_accepted(&[1; 32], DURING_OUTAGE));
        tokio::time::advance(FRESH).await;
        assert!(!sessions.is_accepted(&[0; 32], FRESH) && sessions.is_accepted(&[0; 32], DURING_OUTAGE));
        tokio::time::advance(DURING_OUTAGE).await;
        assert!(!sessions.is_accepted(&[0; 32], DURING_OUTAGE));
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_credentials_are_forgotten_first() {
        let sessions = Sessions::default();
        let credentials = |number: usize| {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&number.to_be_bytes());
            hash
        };
        for number in 0..=MAX_REMEMBERED {
            sessions.remember(credentials(number));
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert!(!sessions.is_accepted(&credentials(0), FRESH));
        assert!(sessions.is_accepted(&credentials(1), FRESH));
    }

    #[test]
    fn every_header_but_the_length_identifies_the_user() {
        let headers = |name, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, HeaderValue::from_static("s=1"));
            headers.insert(name, HeaderValue::from_static(value));
            hash(&headers)
        };
        assert_eq!(headers(CONTENT_LENGTH, "1"), headers(CONTENT_LENGTH, "2"));
        assert_ne!(headers(COOKIE, "s=2"), headers(COOKIE, "s=1"));
    }
}
