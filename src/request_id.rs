//! The id of a request in logs and errors, of this program and of the upstream. The middleware sets it; errors, logs and
//! the proxy read it.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use data_encoding::HEXLOWER;

/// Header with the request id.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ids of trusted proxies are not accepted. Characters.
const MAX_LENGTH: usize = 64;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// The id of a request, which is a valid header value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id of the request that this task handles; `None` outside the middleware.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Runs a future as part of the request with this id.
    pub fn scope<T>(self, request: impl Future<Output = T>) -> impl Future<Output = T> {
        CURRENT.scope(self, request)
    }

    /// Generates an id from a counter with a random start, so that ids of different processes differ. The start is 0
    /// if the system has no random numbers.
    pub(crate) fn generate() -> Result<Self, InvalidHeaderValue> {
        static NEXT: LazyLock<AtomicU64> =
            LazyLock::new(|| AtomicU64::new(getrandom::u64().unwrap_or_default()));
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut text = [0; 16];
        HEXLOWER.encode_mut(&number.to_be_bytes(), &mut text);
        HeaderValue::from_bytes(&text).map(Self)
    }

    /// Returns the id in the headers of a request; `None` if it is missing, too long or contains other characters than
    /// letters, digits, `-`, `.` and `_`.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
        headers
            .get(HEADER)
            .filter(|id| (1..=MAX_LENGTH).contains(&id.len()) && id.as_bytes().iter().all(is_allowed))
            .cloned()
            .map(Self)
    }

    /// Returns the id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Returns the id as a header value.
    #[must_use]
    pub fn as_header(&self) -> &HeaderValue {
        &self.0
    }
}
