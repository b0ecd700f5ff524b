//! A name for each request, by which its lines in logs and its failures are found again, here and at the upstream.

use std::fmt::Write as _;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use super::client::Client;
use super::with_headers;

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
    with_current(|id| (!id.is_empty()).then(|| id.to_owned()))
}

/// Does something with that name, which is empty where there is none.
pub fn with_current<T>(act: impl FnOnce(&str) -> T) -> T {
    let id = CURRENT.try_with(HeaderValue::clone).ok();
    act(id.as_ref().and_then(|id| id.to_str().ok()).unwrap_or_default())
}

/// Takes over the name that a trusted proxy gave, else makes one up, and tells it with the answer.
///
/// # Errors
/// Those of the handler, with the header.
pub async fn name(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let trusted = request.extensions().get::<Client>().is_some_and(|client| client.trusted);
    let id = given(request.headers()).filter(|_| trusted).map_or_else(made_up, Ok)?;
    request.extensions_mut().insert(RequestId(id.clone()));
    let tell = id.clone();
    CURRENT
        .scope(id, async {
            with_headers(next.call(request).await, |_, headers| drop(headers.insert(HEADER, tell)))
        })
        .await
}

fn given(headers: &HeaderMap) -> Option<HeaderValue> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    headers
        .get(HEADER)
        .filter(|id| (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(plain))
        .cloned()
}

fn made_up() -> Result<HeaderValue, Error> {
    let mut text = String::with_capacity(16);
    let number = getrandom::u64().map_err(crate::error::ApiError::internal)?;
    write!(text, "{number:016x}").map_err(crate::error::ApiError::internal)?;
    Ok(HeaderValue::try_from(text).map_err(crate::error::ApiError::internal)?)
}
