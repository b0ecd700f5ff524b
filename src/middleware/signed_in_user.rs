//! The header `Flagdeck-User`: names the signed-in user in responses, and refuses changes that a page has made for another user.
//!
//! All tabs of a browser share its cookies. After another user has signed in in one tab, the other tabs still show the user
//! before, and send the changes of that user with the session of the next one. Therefore each response to a signed-in user names
//! the user. The console keeps the value of the response that has described the user whom it shows, and sends it with each
//! change. A change for another user gets the status 409 with the code `user_changed`, before anything is stored or forwarded.
//! Programs that do not send the header are not affected. Sign-ins and sign-outs are not compared: they are about the session of
//! the browser, whoever has it.
//!
//! **The value is a hash of what identifies the user**, and not of the session or its cookie:
//!
//! | users sign in | hash of |
//! |---|---|
//! | here, with a password or an email address | the name of the user, or the address |
//! | here, at an identity provider | issuer and subject |
//! | at a proxy (`journal-user-header`), and not here | the name in the header of the trusted proxy |
//! | at the upstream | the id, user name and email address that it describes (`GET /api/admin/user`) |
//!
//! A hash of cookies would be wrong in both directions. Servers keep the session when another user signs in with it, so that the
//! cookie stays the same. And load balancers and sign-ins in front of a server replace cookies with each response, so that no
//! two requests of a user would agree.
//!
//! The hash needs no key: it contains no credential, and the only reader of the response is the user. All instances compute the
//! same value, also after a restart. If the value of a user changes nevertheless, such as with another version of the upstream, the
//! console reads the user again, and repeats the change.
//!
//! **The upstream is asked before each change** that has the header, because sign-ins by a redirect or through another instance
//! do not pass this process in a way that it could recognise. If it does not respond, its last response for the same credentials
//! counts. Evaluations change nothing, and are not compared there. Other responses name the user whom the upstream has described
//! last for the credentials of the request; that is only a hint for the console to read the user.
//!
//! **Caches.** The value is never stored with a body: each response gets it from its own request, also a 304, so that no cache of
//! this program (toggle list, snapshots for SDKs, replica, responses of servers with environments) contains one. Responses of
//! paths without a session have none: pages, files, avatars, the OpenAPI document and everything for SDKs. Responses of an
//! upstream that shared caches may store have none either. The proxy neither forwards the header nor accepts it from the
//! upstream.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::{ResponseHead, ServiceRequest};
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage as _, HttpRequest};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

use crate::error::{ApiError, DomainError};

/// Name of the header of requests and responses.
const HEADER: HeaderName = HeaderName::from_static("flagdeck-user");

/// Number of bytes of the hash: enough to make collisions unlikely.
const LENGTH: usize = 16;

/// Hash of what identifies a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserHash(String);

/// The users of a request. One value is in the extensions of each request.
#[derive(Debug, Default)]
pub(super) struct RequestUser {
    /// The user whom a trusted proxy names.
    proxy_user: Option<UserHash>,
    /// The user whom the response names.
    signed_in: RefCell<Option<UserHash>>,
}

impl UserHash {
    /// Computes the hash. `kind` says what the parts are.
    pub(crate) fn new(kind: &str, parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in [&[kind][..], parts].concat() {
            // With the length, two sequences of parts never have the same bytes.
            hash.update(part.len().to_be_bytes());
            hash.update(part);
        }
        let hash = hash.finalize();
        Self(BASE64URL_NOPAD.encode(hash.get(..LENGTH).unwrap_or(&hash)))
    }
}

impl RequestUser {
    /// Adds the users to a request.
    pub(super) fn start(request: &ServiceRequest, proxy_user: Option<&str>) -> Rc<Self> {
        let proxy_user = proxy_user.map(|name| UserHash::new("proxy", &[name]));
        let user = Rc::new(Self { proxy_user, signed_in: RefCell::default() });
        request.extensions_mut().insert(Rc::clone(&user));
        user
    }

    /// Adds the header to the response.
    pub(super) fn add_header(&self, head: &mut ResponseHead) {
        let value = self.signed_in.borrow_mut().take().and_then(|user| HeaderValue::try_from(user.0).ok());
        if let Some(value) = value
            && head.status != StatusCode::UNAUTHORIZED
            && !is_shared(&head.headers)
        {
            head.headers.insert(HEADER, value);
        }
    }
}

/// Notes the user of a request for the response.
///
/// # Errors
/// Status 409 for a change that was meant for another user.
pub(crate) fn confirm(request: &HttpRequest, user: &UserHash) -> Result<(), ApiError> {
    note(request, user);
    if request.method().is_safe()
        || request.headers().get_all(HEADER).all(|value| value.as_bytes() == user.0.as_bytes())
    {
        return Ok(());
    }
    let message = "Another user has signed in in this browser, so that nothing was changed. Reload the page to continue as that user";
    Err(DomainError::new("user_changed", StatusCode::CONFLICT, message).into())
}

/// Does the same for the user whom a trusted proxy names, if there is no sign-in at this program.
///
/// # Errors
/// Those of [`confirm`].
pub(crate) fn confirm_proxy_user(request: &HttpRequest) -> Result<(), ApiError> {
    let users = request.extensions().get::<Rc<RequestUser>>().cloned();
    users.and_then(|users| users.proxy_user.clone()).map_or(Ok(()), |user| confirm(request, &user))
}

/// Returns true if a request names the user whom it is for.
pub(crate) fn is_for_one_user(request: &HttpRequest) -> bool {
    request.headers().contains_key(HEADER)
}

/// Notes the user of a request for the response.
pub(crate) fn note(request: &HttpRequest, user: &UserHash) {
    if let Some(users) = request.extensions().get::<Rc<RequestUser>>() {
        *users.signed_in.borrow_mut() = Some(user.clone());
    }
}

/// Returns true if caches may give a response to other users (RFC 9111, 5.2.2.9 and 5.2.2.10).
fn is_shared(headers: &HeaderMap) -> bool {
    let directives =
        headers.get_all(CACHE_CONTROL).flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let mut names =
        directives.map(|directive| directive.split(|byte| *byte == b'=').next().unwrap_or_default());
    names.any(|name| {
        let name = name.trim_ascii();
        name.eq_ignore_ascii_case(b"public") || name.eq_ignore_ascii_case(b"s-maxage")
    })
}
