//! A sign-in that was started and has not ended. Its cookie contains a random number, from which `state`, `nonce` and the
//! PKCE verifier (RFC 7636) are derived: the server stores nothing, so that a restart or another instance can end the
//! sign-in. `state`, which is part of URLs, does not reveal the number.

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use data_encoding::BASE64URL_NOPAD;
use ring::hmac;
use sha2::{Digest as _, Sha256};

use super::refusal::{Refusal, Refused};
use crate::error::ApiError;

/// Time in which a sign-in must end, in seconds.
const MAX_AGE: i64 = 600;
/// Maximum number of sign-ins that one browser has started. The cookies of others are removed, so that abandoned sign-ins
/// do not fill the head of requests.
pub(super) const MAX_PENDING: usize = 8;
/// Maximum length of the path to which the browser returns.
const MAX_RETURN_PATH: usize = 1_000;
/// Start of the name of the cookie. The end is a part of the state.
const NAME: &str = "flagdeck-oidc-";
/// Length of that part.
const NAME_LENGTH: usize = 16;
/// Prefix of cookies that only this host can set, over https.
const HOST_PREFIX: &str = "__Host-";

/// A sign-in that was started.
pub(super) struct Pending {
    secret: [u8; 32],
    /// The path below the base path to which the browser returns; begins with one slash.
    pub(super) return_path: String,
    /// The provider must not ask the user.
    pub(super) is_silent: bool,
    /// The time of the start, in seconds since 1970.
    started_at: i64,
}

/// How the cookies of sign-ins are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct CookieScope<'s> {
    pub(super) base_path: &'s str,
    pub(super) is_https: bool,
}

impl CookieScope<'_> {
    /// Returns the cookie with this name. Over https, its name proves that this host has set it, and its path must be `/`.
    pub(super) fn cookie(self, name: &str, value: &str, seconds: i64) -> Cookie<'static> {
        let prefix = if self.is_https { HOST_PREFIX } else { "" };
        let path = if self.is_https || self.base_path.is_empty() { "/" } else { self.base_path };
        // The provider returns the browser from another site, for which SameSite must be Lax and not Strict.
        Cookie::build(format!("{prefix}{name}"), value.to_owned())
            .path(path.to_owned())
            .max_age(Duration::seconds(seconds))
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.is_https)
            .finish()
    }

    /// Returns the full name of a cookie.
    pub(super) fn name(self, name: &str) -> String {
        format!("{}{name}", if self.is_https { HOST_PREFIX } else { "" })
    }
}

impl Pending {
    /// Starts a sign-in.
    pub(super) fn new(return_path: &str, is_silent: bool, now: i64) -> Result<Self, ApiError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(ApiError::internal)?;
        Ok(Self {
            secret,
            return_path: check_return_path(return_path).to_owned(),
            is_silent,
            started_at: now,
        })
    }

    fn derive(&self, purpose: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.secret);
        BASE64URL_NOPAD.encode(hmac::sign(&key, purpose.as_bytes()).as_ref())
    }

    pub(super) fn state(&self) -> String {
        self.derive("state")
    }

    pub(super) fn nonce(&self) -> String {
        self.derive("nonce")
    }

    pub(super) fn verifier(&self) -> String {
        self.derive("verifier")
    }

    /// Returns the challenge of the verifier (S256).
    pub(super) fn challenge(&self) -> String {
        BASE64URL_NOPAD.encode(&Sha256::digest(self.verifier()))
    }

    pub(super) fn cookie(&self, scope: CookieScope<'_>) -> Cookie<'static> {
        let secret = BASE64URL_NOPAD.encode(&self.secret);
        let path = BASE64URL_NOPAD.encode(self.return_path.as_bytes());
        let value = format!("{secret}.{}.{}.{path}", self.started_at, u8::from(self.is_silent));
        scope.cookie(&cookie_name(&self.state()), &value, MAX_AGE)
    }

    /// Returns the sign-in of a state from the cookies of a request.
    pub(super) fn find(
        request: &HttpRequest,
        state: &str,
        scope: CookieScope<'_>,
        now: i64,
    ) -> Result<Self, Refused> {
        let cookie = request.cookie_raw(&scope.name(&cookie_name(state)));
        let unknown = || Refusal::StateUnknown.because("the request has no cookie for its state");
        let pending = cookie.and_then(|cookie| Self::parse(cookie.value())).ok_or_else(unknown)?;
        if pending.state() != state {
            return Err(Refusal::StateUnknown.because("the cookie belongs to another state"));
        }
        if !(0..=MAX_AGE).contains(&(now - pending.started_at)) {
            let age = now - pending.started_at;
            return Err(Refusal::StateExpired.because(format!("the sign-in was started {age} s ago")));
        }
        Ok(pending)
    }

    fn parse(value: &str) -> Option<Self> {
        let mut parts = value.split('.');
        let (secret, started_at, is_silent, path) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let secret = BASE64URL_NOPAD.decode(secret.as_bytes()).ok()?.try_into().ok()?;
        let path = String::from_utf8(BASE64URL_NOPAD.decode(path.as_bytes()).ok()?).ok()?;
        Some(Self {
            secret,
            return_path: check_return_path(&path).to_owned(),
            is_silent: is_silent == "1",
            started_at: started_at.parse().ok()?,
        })
    }
}

/// Returns the cookie that removes the cookie of a state.
pub(super) fn removal(state: &str, scope: CookieScope<'_>) -> Cookie<'static> {
    scope.cookie(&cookie_name(state), "", 0)
}

/// Returns cookies that remove the oldest sign-ins of the browser, of which `kept` remain.
pub(super) fn removals(request: &HttpRequest, scope: CookieScope<'_>, kept: usize) -> Vec<Cookie<'static>> {
    let prefix = scope.name(NAME);
    let Ok(cookies) = request.cookies() else { return Vec::new() };
    // Cookies are decoded: a site on another subdomain could set one whose name is not valid in a response.
    let is_own = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let names = cookies.iter().filter_map(|cookie| cookie.name().strip_prefix(&prefix)).filter(is_own);
    // Browsers send cookies with the same path in the order of their creation (RFC 6265, section 5.4).
    let names: Vec<_> = names.collect();
    let surplus = names.len().saturating_sub(kept);
    names.into_iter().take(surplus).map(|name| scope.cookie(&format!("{NAME}{name}"), "", 0)).collect()
}

/// Returns the name of the cookie of a state. The state of a request may be any text.
fn cookie_name(state: &str) -> String {
    let part: String = state.chars().filter(char::is_ascii_alphanumeric).take(NAME_LENGTH).collect();
    format!("{NAME}{part}")
}

/// Returns a path below the base path, or the start page. Two slashes at the start would name another host.
fn check_return_path(path: &str) -> &str {
    let is_path = path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= MAX_RETURN_PATH
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::{CookieScope, MAX_PENDING, Pending, check_return_path, removals};

    const SCOPE: CookieScope<'_> = CookieScope { base_path: "/flags", is_https: false };

    #[test]
    fn cookie_restores_the_sign_in_within_ten_minutes() {
        let pending = Pending::new("/features?x=1", true, 1_000).unwrap();
        let cookie = pending.cookie(SCOPE);
        assert!(!cookie.value().contains(&pending.state()) && !cookie.value().contains(&pending.verifier()));
        let request = TestRequest::get().cookie(cookie).to_http_request();
        let find = |state: &str, now| Pending::find(&request, state, SCOPE, now);
        let found = find(&pending.state(), 1_600).ok().unwrap();
        assert_eq!((found.nonce(), found.verifier()), (pending.nonce(), pending.verifier()));
        assert!(found.is_silent && found.return_path == "/features?x=1");
        for (state, now, code) in [
            (pending.state(), 1_601, "oidc_state_expired"),
            (pending.state(), 999, "oidc_state_expired"),
            (format!("{}x", pending.state()), 1_000, "oidc_state"),
            (Pending::new("/", false, 1_000).unwrap().state(), 1_000, "oidc_state"),
            (String::new(), 1_000, "oidc_state"),
        ] {
            assert_eq!(find(&state, now).err().map(|refused| refused.refusal.code()), Some(code), "{now}");
        }
    }

    #[test]
    fn cookie_is_limited_to_this_host() {
        let pending = Pending::new("/", false, 0).unwrap();
        let http = pending.cookie(SCOPE).to_string();
        assert!(http.starts_with("flagdeck-oidc-"), "{http}");
        assert!(http.ends_with("; HttpOnly; SameSite=Lax; Path=/flags; Max-Age=600"), "{http}");
        let https = pending.cookie(CookieScope { is_https: true, ..SCOPE }).to_string();
        assert!(https.starts_with("__Host-flagdeck-oidc-"), "{https}");
        assert!(https.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=600"), "{https}");
    }

    #[test]
    fn returns_only_to_paths_of_this_console() {
        for (path, is_kept) in [
            ("/features/a?b=c#d", true),
            ("/", true),
            ("//evil.example", false),
            ("/\\evil.example", false),
            ("https://evil.example", false),
            ("features", false),
            ("/a\nb", false),
            ("", false),
        ] {
            assert_eq!(check_return_path(path) == path, is_kept, "{path:?}");
        }
    }

    #[test]
    fn abandoned_sign_ins_are_removed() {
        let cookies: Vec<_> = (0..9).map(|number| format!("flagdeck-oidc-{number}=x")).collect();
        let foreign = "flagdeck-oidc-a%0D%0AX=x; ";
        let request = TestRequest::get().insert_header(("cookie", foreign.to_owned() + &cookies.join("; ")));
        let removals = removals(&request.to_http_request(), SCOPE, MAX_PENDING - 1);
        let names: Vec<_> = removals.iter().map(|cookie| cookie.name().to_owned()).collect();
        assert_eq!(names, ["flagdeck-oidc-0", "flagdeck-oidc-1"]);
    }
}
