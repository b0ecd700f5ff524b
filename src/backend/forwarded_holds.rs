//! Applies holds to the responses for SDKs that are otherwise forwarded. Nothing here runs while no toggle is held.
//!
//! | request | response while a toggle is held |
//! |---|---|
//! | results for browsers, `/api/frontend` and `/api/proxy` | the upstream's results without the held toggles, and those that depend on them |
//! | changes, `/api/client/delta` | all toggles of the replica's copy ([`Replica::changes`]) |
//! | toggles, single toggles and streams, with a path in another notation than the replica's routes | like theirs |
//!
//! # Entity tags
//!
//! The upstream never gets a condition, so that each of its responses has a body to edit, and its tag is replaced by a hash of the
//! edited body. A browser that knows a body by the upstream's tag therefore gets the edited one, and after the end of the hold
//! the upstream does not know the tag and sends its own body.
//!
//! # Bodies that cannot be edited
//!
//! A result that may contain a held toggle as on is replaced by an error: one in an unknown format or content coding, or one that
//! is too large. Browsers then keep their last results. Errors, redirects and bodies that cannot contain the name pass unchanged.

use std::rc::Rc;

use actix_web::body::{BoxBody, to_bytes_limited};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderName, HeaderValue, IF_MATCH,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, LAST_MODIFIED, RANGE,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _, web};
use percent_encoding::percent_decode_str;

use crate::api_path::ApiPath::{
    self, BrowserResults, OtherBrowserResults, SdkChanges, SdkStream, SdkToggle, SdkToggles,
};
use crate::error::{ApiError, DomainError};
use crate::hold::{HeldResults, HeldToggles, remove_results};
use crate::log_limit::LogLimit;
use crate::middleware::compress;
use crate::proxy::Proxy;
use crate::sdk::replica::{self, Replica};

/// Maximum size of results in bytes. Those of a thousand toggles with variants are below a megabyte.
const MAX_RESULTS: usize = 8 << 20;
/// Headers of requests that let a server respond without the whole body.
const CONDITIONS: [HeaderName; 6] =
    [IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_MATCH, IF_UNMODIFIED_SINCE, RANGE, IF_RANGE];
/// Headers that describe the body of the upstream, and not the edited one.
const BODY_HEADERS: [HeaderName; 8] = [
    CONTENT_LENGTH,
    CONTENT_ENCODING,
    ETAG,
    LAST_MODIFIED,
    HeaderName::from_static("content-digest"),
    HeaderName::from_static("repr-digest"),
    HeaderName::from_static("digest"),
    HeaderName::from_static("content-md5"),
];

/// Results for a browser cannot be edited.
static UNREADABLE: LogLimit = LogLimit::new();

/// The outcome of a request while a toggle is held.
pub(super) enum Handled {
    /// The response.
    Response(ServiceResponse),
    /// A request whose response contains no toggles for SDKs.
    Other(ServiceRequest),
}

/// Handles a request if its response can contain toggles for SDKs.
pub(super) async fn respond(proxy: &Rc<Proxy>, replica: &Replica, request: ServiceRequest) -> Handled {
    let path = proxy.path_below_base(request.uri());
    let Some(endpoint) = ApiPath::find_tolerant(request.method(), path) else {
        return Handled::Other(request);
    };
    let name = if endpoint == SdkToggle { toggle_in(path) } else { String::new() };
    let is_of_sdk = || replica::is_request_of_sdk(request.head());
    let is_handled = match endpoint {
        BrowserResults | OtherBrowserResults => true,
        SdkToggles | SdkStream | SdkChanges => is_of_sdk(),
        SdkToggle => is_of_sdk() && replica.is_held(&name),
        _ => false,
    };
    if !is_handled {
        return Handled::Other(request);
    }
    let (request, body) = request.into_parts();
    let response = match endpoint {
        SdkToggles => replica.features(&request).await,
        SdkToggle => replica.feature(&request, &name).await,
        SdkStream => replica.streaming(&request).await,
        SdkChanges => changes(proxy, replica, &request, body).await,
        _ => results(proxy, replica, &request, body).await,
    };
    let response = response.unwrap_or_else(|error| error.error_response());
    Handled::Response(ServiceResponse::new(request, response))
}

/// Returns the toggle that a path ends with.
fn toggle_in(path: &str) -> String {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    percent_decode_str(name).decode_utf8_lossy().into_owned()
}

/// Handles a poll for changes. An SDK that has no tag has just started: the upstream decides whether it offers them. Without its
/// decision, because it does not respond, the SDK gets the toggles.
async fn changes(
    proxy: &Proxy,
    replica: &Replica,
    request: &HttpRequest,
    body: Payload,
) -> Result<HttpResponse, ApiError> {
    if !request.headers().contains_key(IF_NONE_MATCH) {
        let first = proxy.forward(request, request.method(), request.headers(), body).await;
        if let Ok(response) = first
            && !response.status().is_success()
            && !response.status().is_server_error()
        {
            return Ok(response);
        }
    }
    replica.changes(request).await
}

/// Forwards a request for results, and removes the held toggles from the response.
async fn results(
    proxy: &Proxy,
    replica: &Replica,
    request: &HttpRequest,
    body: Payload,
) -> Result<HttpResponse, ApiError> {
    let mut headers = request.headers().clone();
    for name in CONDITIONS {
        headers.remove(name);
    }
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    // The tag in the response to HEAD depends on the body.
    let method = if *request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let response = proxy.forward(request, method, &headers, body).await?;
    let status = response.status();
    if status == StatusCode::NOT_MODIFIED {
        return Err(unreadable("304 to a request without a condition"));
    }
    if !status.is_success() {
        return Ok(response);
    }
    let is_plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if !response.headers().get_all(CONTENT_ENCODING).all(is_plain) {
        return Err(unreadable("a content coding that was not requested"));
    }
    let (mut response, body) = response.into_parts();
    let body = proxy.within_deadline(to_bytes_limited(body, MAX_RESULTS)).await?;
    let body = body
        .map_err(|_too_large| unreadable("too many bytes"))?
        .map_err(|_cause| unreadable("an incomplete body"))?;
    for name in BODY_HEADERS {
        response.headers_mut().remove(name);
    }
    // The holds count that are active now, and not those when the request was sent.
    let off = replica.toggles_off_for_browsers(request.headers()).await;
    let original = body.clone();
    let edited = web::block(move || remove_results(&original, &off)).await.map_err(ApiError::internal)?;
    let body = match edited {
        HeldResults::Unchanged => body,
        HeldResults::Changed(body, removed) => {
            if let Some((name, value)) = HeldToggles::count_header(removed) {
                response.headers_mut().insert(name, value);
            }
            body
        }
        HeldResults::Unreadable => return Err(unreadable("an unknown format")),
    };
    compress::encode(request, response.set_body(BoxBody::new(body))).await
}

fn unreadable(fault: &'static str) -> ApiError {
    if let Some(repeated) = UNREADABLE.record() {
        tracing::error!(fault, repeated, "held toggles cannot be removed from results for browsers");
    }
    let message = format!(
        "A toggle is held, and Flagdeck cannot remove it from the response of the flag service, which has {fault}. Release the hold, or set frontend-origin or frontend-tokens, so that Flagdeck itself evaluates toggles for browsers"
    );
    DomainError::new("held_results_unreadable", StatusCode::BAD_GATEWAY, message).into()
}
