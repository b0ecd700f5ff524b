//! A name for each request, by which its lines in logs and its failures are found again, here and at the upstream.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::HttpMessage as _;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use super::client::Client;
use crate::error::ApiError;

/// The header that carries it.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones of proxies are not taken over.
const LONGEST: usize = 64;

/// The name of one request.
#[derive(Debug, Clone)]
pub struct RequestId(pub HeaderValue);

tokio::task_local! {
    static CURRENT: HeaderValue;
}

/// The name of the request that is being answered.
#[must_use]
pub fn current() -> Option<String> {
    CURRENT.try_with(|id| id.to_str().ok().map(str::to_owned)).ok().flatten()
}

/// Takes over the name that a trusted proxy gave, else makes one up.
///
/// # Errors
/// None that are known.
pub(super) fn name(request: &ServiceRequest, client: &Client) -> Result<HeaderValue, ApiError> {
    let id = given(request.headers()).filter(|_| client.trusted).map_or_else(made_up, Ok)?;
    request.extensions_mut().insert(RequestId(id.clone()));
    Ok(id)
}

/// Answers a request under its name.
pub(super) fn within<T>(id: HeaderValue, answer: impl Future<Output = T>) -> impl Future<Output = T> {
    CURRENT.scope(id, answer)
}

fn given(headers: &HeaderMap) -> Option<HeaderValue> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    headers
        .get(HEADER)
        .filter(|id| (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(plain))
        .cloned()
}

/// Counted from somewhere, so that no two processes give the same names.
fn made_up() -> Result<HeaderValue, ApiError> {
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(())));
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    HeaderValue::try_from(format!("{number:016x}")).map_err(ApiError::internal)
}
