//! Request ids: identify a request in logs and errors, of this program and of the upstream.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::HttpMessage as _;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::client::Client;
use crate::error::ApiError;

/// Header with the request id.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ids of trusted proxies are not accepted. Characters.
const MAX_LENGTH: usize = 64;

/// The id of a request.
#[derive(Debug, Clone)]
pub struct RequestId(pub HeaderValue);

tokio::task_local! {
    static CURRENT: HeaderValue;
}

/// Returns the id of the current request.
#[must_use]
pub fn current() -> Option<String> {
    CURRENT.try_with(|id| id.to_str().ok().map(str::to_owned)).ok().flatten()
}

/// Assigns the id of a trusted proxy to the request, or a new one.
///
/// # Errors
/// None in practice: new ids consist of hex digits.
pub(super) fn assign(request: &ServiceRequest, client: &Client) -> Result<HeaderValue, ApiError> {
    let id = received(request.headers()).filter(|_| client.is_trusted_proxy).map_or_else(generate, Ok)?;
    request.extensions_mut().insert(RequestId(id.clone()));
    Ok(id)
}

/// Runs a future as part of the request with this id.
pub(super) fn scope<T>(id: HeaderValue, request: impl Future<Output = T>) -> impl Future<Output = T> {
    CURRENT.scope(id, request)
}

fn received(headers: &HeaderMap) -> Option<HeaderValue> {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    headers
        .get(HEADER)
        .filter(|id| (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_allowed))
        .cloned()
}

/// Generates an id from a counter with a random start, so that ids of different processes differ. The start is 0 if the
/// system has no random numbers.
fn generate() -> Result<HeaderValue, ApiError> {
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(getrandom::u64().unwrap_or_default()));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    HeaderValue::try_from(format!("{number:016x}")).map_err(ApiError::internal)
}
