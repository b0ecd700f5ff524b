//! Cache of the tokens of client libraries, which every request of a library sends.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header::{AUTHORIZATION, HeaderMap};

use super::token::{TokenHash, hash};
use crate::error::ApiError;
use crate::flags::Flags;

/// Maximum age of the cached tokens. Another process may add and remove tokens; changes apply within a second.
const CACHE_LIFETIME: Duration = Duration::from_millis(500);

type Hashes = Arc<HashSet<TokenHash>>;

/// The hashes of all tokens and the time when they were read.
#[derive(Debug, Default)]
pub(super) struct ClientTokens(Mutex<Option<(Instant, Hashes)>>);

impl ClientTokens {
    /// Checks the token of a request. Every request is allowed if no tokens exist.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`] if the token is missing or unknown, [`ApiError::Internal`] if the tokens cannot be
    /// read.
    pub(super) async fn check(&self, headers: &HeaderMap, flags: &Flags) -> Result<(), ApiError> {
        let hashes = self.cached_hashes(flags).await?;
        if hashes.is_empty() || token_from_headers(headers).is_some_and(|token| hashes.contains(&hash(token)))
        {
            return Ok(());
        }
        Err(ApiError::TokenNeeded)
    }

    async fn cached_hashes(&self, flags: &Flags) -> Result<Hashes, ApiError> {
        // Taken before the read, so that a token written during the read is found within the cache lifetime.
        let now = Instant::now();
        if let Some((read, hashes)) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner)
            && now.saturating_duration_since(*read) < CACHE_LIFETIME
        {
            return Ok(Arc::clone(hashes));
        }
        let hashes = Arc::new(flags.read(|tx| Ok(tx.list_client_token_hashes()?)).await?);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&hashes)));
        Ok(hashes)
    }
}

/// Returns the token of a request: the whole `Authorization` value, as Unleash libraries send it, or a bearer token.
fn token_from_headers(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?.trim();
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Some(token.map_or(value, |(_, token)| token.trim_start()))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue};

    use super::token_from_headers;

    #[test]
    fn reads_plain_and_bearer_tokens() {
        for (value, token) in [
            ("abc", "abc"),
            (" abc ", "abc"),
            ("Bearer abc", "abc"),
            ("bearer  abc", "abc"),
            ("Basic abc", "Basic abc"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_static(value));
            assert_eq!(token_from_headers(&headers), Some(token), "{value}");
        }
        assert_eq!(token_from_headers(&HeaderMap::new()), None);
    }
}
