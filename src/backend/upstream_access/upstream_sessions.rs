//! Sessions of persons at an upstream whose sign-in asks for an email address only: the demo sign-in of 4.x to 8.x, and the unsecure
//! sign-in of 3.x.
//!
//! All browsers of a person share one session, because free servers end the oldest of more than five. Sessions are in memory: after a
//! restart, and on another instance, the next request of the person starts a new one.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::to_bytes_limited;
use actix_web::cookie::Cookie;
use actix_web::cookie::time::OffsetDateTime;
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use actix_web::http::{Method, StatusCode};
use bytes::Bytes;
use futures_util::FutureExt as _;
use moka::future::Cache;
use moka::ops::compute::Op;
use moka::policy::EvictionPolicy;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::api_path::USER_PATH;
use crate::compat::SessionRenewal;
use crate::error::{ApiError, DomainError};
use crate::middleware::client::Client;
use crate::proxy::Proxy;
use crate::upstream::outgoing_request::parse_retry_after;

/// Maximum number of sessions. The least recently used ones are forgotten.
const MAX_SESSIONS: u64 = 10_000;
/// Age at which a session is replaced. Those of servers last 48 hours.
const MAX_AGE: Duration = Duration::from_hours(24);
/// Time for the end of a session, for which a sign-out waits, and for its verification.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// Number of requests with a new session until the upstream must accept it, and the time between two of them.
const MAX_ATTEMPTS: u32 = 5;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum size of the response that describes the sign-in.
const MAX_CHALLENGE: usize = 64 << 10;
/// Maximum length of the cookies of a session.
const MAX_COOKIE: usize = 8 << 10;

/// The cookies of sessions at the upstream, by the email address of the person.
#[derive(Debug, Clone)]
pub(super) struct UpstreamSessions(Cache<String, HeaderValue>);

/// The session of one person.
#[derive(Debug)]
pub(super) struct PersonSession<'s> {
    sessions: &'s UpstreamSessions,
    email: &'s str,
}

/// The response of the upstream to a request without a session.
#[derive(Debug, Default, Deserialize)]
struct Challenge {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl Default for UpstreamSessions {
    fn default() -> Self {
        // The default policy can refuse a new entry: each request would sign in again.
        let cache = Cache::builder().max_capacity(MAX_SESSIONS).eviction_policy(EvictionPolicy::lru());
        Self(cache.time_to_live(MAX_AGE).build())
    }
}

impl UpstreamSessions {
    /// Returns the session of the person with this email address.
    pub(super) fn person<'s>(&'s self, email: &'s str) -> PersonSession<'s> {
        PersonSession { sessions: self, email }
    }
}

impl PersonSession<'_> {
    /// Returns the cookies of the session as a value of `Cookie`. Signs in if there is none. Simultaneous requests of the person wait
    /// for one sign-in; if the client of the request that signs in disconnects, the next one signs in. A failed sign-in is not
    /// remembered.
    pub(super) async fn cookie(&self, proxy: &Proxy, client: &Client) -> Result<HeaderValue, Arc<ApiError>> {
        let Self { sessions, email } = self;
        // Boxed, because otherwise this future would enlarge the future of every request.
        let sign_in = Box::pin(sign_in(proxy, client, email));
        sessions.0.try_get_with_by_ref(*email, sign_in).await
    }

    /// Returns what replaces the session while several requests are sent in it.
    pub(super) fn renewal(&self, proxy: &Rc<Proxy>, client: &Rc<Client>) -> SessionRenewal {
        let (sessions, email) = (self.sessions.clone(), self.email.to_owned());
        let (proxy, client) = (Rc::clone(proxy), Rc::clone(client));
        SessionRenewal::new(move |refused| {
            let (sessions, email) = (sessions.clone(), email.clone());
            let (proxy, client) = (Rc::clone(&proxy), Rc::clone(&client));
            let renew = async move {
                let person = sessions.person(&email);
                person.forget(&refused).await;
                person.cookie(&proxy, &client).await.ok()
            };
            renew.boxed_local()
        })
    }

    /// Forgets the session with these cookies, unless another request has replaced it.
    pub(super) async fn forget(&self, cookie: &HeaderValue) {
        let entry = self.sessions.0.entry_by_ref(self.email);
        entry
            .and_compute_with(async |entry| match entry {
                Some(entry) if entry.value() == cookie => Op::Remove,
                _ => Op::Nop,
            })
            .await;
    }

    /// Returns true unless the upstream refuses a session.
    pub(super) async fn is_accepted(&self, cookie: &HeaderValue, proxy: &Proxy, client: &Client) -> bool {
        let headers = headers_with(cookie);
        let request = proxy.send_for(client, &headers, &Method::GET, USER_PATH, Bytes::new());
        let response = timeout(END_TIMEOUT, request).await;
        !matches!(response, Ok(Ok(response)) if response.status() == StatusCode::UNAUTHORIZED)
    }

    /// Ends the session, also for other browsers of the person: their next request starts a new one.
    pub(super) async fn end(&self, proxy: &Proxy, client: &Client) {
        let Some(cookie) = self.sessions.0.remove(self.email).await else { return };
        let ended = timeout(END_TIMEOUT, proxy.send_sign_out(client, &headers_with(&cookie))).await;
        let fault = match ended {
            Ok(Ok(_)) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_elapsed) => "it did not respond in time".to_owned(),
        };
        tracing::warn!(fault, "the session at the flag service could not be ended; it expires there");
    }
}

fn headers_with(cookie: &HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(COOKIE, cookie.clone());
    headers
}

/// Signs a person in and returns the cookies of the session.
async fn sign_in(proxy: &Proxy, client: &Client, email: &str) -> Result<HeaderValue, ApiError> {
    let work = async {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let challenge = proxy.send_for(client, &headers, &Method::GET, USER_PATH, Bytes::new()).await?;
        let path = sign_in_path(challenge).await?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let body = json!({ "email": email }).to_string().into();
        let response = proxy.send_for(client, &headers, &Method::POST, path, body).await?;
        if !response.status().is_success() {
            return Err(refused_by_status(&response));
        }
        let cookie = session_cookies(response.headers());
        let cookie = cookie.ok_or_else(|| failed("its response contains no usable cookie"))?;
        wait_until_accepted(&cookie, proxy, client).await?;
        Ok(cookie)
    };
    let cookie = proxy.within_deadline(work).await??;
    tracing::info!(email, "signed in at the flag service");
    Ok(cookie)
}

/// Waits until the upstream accepts a new session: some versions store it after their response.
async fn wait_until_accepted(cookie: &HeaderValue, proxy: &Proxy, client: &Client) -> Result<(), ApiError> {
    let headers = headers_with(cookie);
    for attempt in 1.. {
        let response = proxy.send_for(client, &headers, &Method::GET, USER_PATH, Bytes::new()).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            break;
        }
        if attempt == MAX_ATTEMPTS {
            return Err(session_refused());
        }
        sleep(ATTEMPT_INTERVAL).await;
    }
    Ok(())
}

/// Creates the error for a session that the upstream does not accept although it has just started it.
pub(super) fn session_refused() -> ApiError {
    let message = "The flag service does not accept the session that it has just started. Ask your administrator to check its sign-in";
    DomainError::new("upstream_session", StatusCode::BAD_GATEWAY, message).into()
}

/// Returns the path of the sign-in that a server describes in its response to a request without a session.
async fn sign_in_path(response: HttpResponse) -> Result<&'static str, ApiError> {
    let status = response.status();
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(refused_by_status(&response));
    }
    let body = to_bytes_limited(response.into_body(), MAX_CHALLENGE).await.ok().and_then(Result::ok);
    let challenge = body.and_then(|body| serde_json::from_slice::<Challenge>(&body).ok()).unwrap_or_default();
    match (status, challenge.kind.as_deref()) {
        (StatusCode::UNAUTHORIZED, Some("demo")) => Ok("/auth/demo/login"),
        (StatusCode::UNAUTHORIZED, Some("unsecure")) => Ok("/api/admin/login"),
        _ => {
            let message = "The flag service does not use its demo sign-in, which upstream-sign-in = \"demo\" needs. Ask your \
                           administrator to start it with AUTH_TYPE=demo (4.x to 8.x) or AUTH_TYPE=unsecure (3.x)";
            Err(DomainError::new("upstream_sign_in_kind", StatusCode::BAD_GATEWAY, message).into())
        }
    }
}

/// Creates the error for a response with another status. An upstream that asks clients to wait also asks this client.
fn refused_by_status(response: &HttpResponse) -> ApiError {
    let status = response.status();
    let error = |passed_on| failed_with(passed_on, &format!("it responded with {status}"));
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            match parse_retry_after(response.headers()) {
                Some(delay) => error(status).retry_after(delay.as_secs()).into(),
                None => error(status).into(),
            }
        }
        _ => error(StatusCode::BAD_GATEWAY).into(),
    }
}

fn failed(reason: &str) -> ApiError {
    failed_with(StatusCode::BAD_GATEWAY, reason).into()
}

fn failed_with(status: StatusCode, reason: &str) -> DomainError {
    let message = format!(
        "Flagdeck could not sign you in at the flag service: {reason}. Try again; if this happens again, ask your administrator"
    );
    DomainError::new("upstream_sign_in", status, message)
}

/// Returns the cookies that a response sets, as a value of `Cookie`.
fn session_cookies(headers: &HeaderMap) -> Option<HeaderValue> {
    let mut pairs = Vec::new();
    for value in headers.get_all(SET_COOKIE) {
        let Ok(text) = value.to_str() else { continue };
        // Not the parsed value, because it has no quotation marks.
        let pair = text.split(';').next().unwrap_or_default().trim();
        let (Ok(cookie), Some((name, value))) = (Cookie::parse(text), pair.split_once('=')) else { continue };
        let is_expired = cookie.max_age().is_some_and(|age| !age.is_positive())
            || cookie.expires_datetime().is_some_and(|end| end <= OffsetDateTime::now_utc());
        let is_plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b",;\\".contains(&byte));
        if !is_expired && !name.is_empty() && !value.is_empty() && is_plain(pair) {
            pairs.push(pair);
        }
    }
    let cookies = Some(pairs.join("; ")).filter(|cookies| (1..=MAX_COOKIE).contains(&cookies.len()))?;
    let mut value = HeaderValue::try_from(cookies).ok()?;
    // `Debug` then hides it.
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderValue, SET_COOKIE};

    use super::{MAX_COOKIE, session_cookies};

    #[test]
    fn only_usable_cookies_are_kept() {
        let long = format!("s={}", "x".repeat(MAX_COOKIE));
        for (cookies, expected) in [
            (&["s=1; Path=/; HttpOnly"][..], Some("s=1")),
            (&["s=1; Path=/", "s.sig=a%3D; Path=/"], Some("s=1; s.sig=a%3D")),
            (&["s=\"1\""], Some("s=\"1\"")),
            (&["s=1; Max-Age=0"], None),
            (&["s=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], None),
            (&["s=", "=1", "s", ""], None),
            (&["s=a b"], None),
            (&["s=a,b"], None),
            (&[&long], None),
            (&[], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookie in cookies {
                headers.append(SET_COOKIE, HeaderValue::from_str(cookie).unwrap());
            }
            let found = session_cookies(&headers);
            assert_eq!(found.as_ref().map(|value| value.to_str().unwrap()), expected, "{cookies:?}");
            assert!(found.is_none_or(|value| value.is_sensitive()));
        }
    }
}
