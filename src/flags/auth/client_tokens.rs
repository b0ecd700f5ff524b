//! The tokens of client libraries, kept at hand: they are shown with every call.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header::{AUTHORIZATION, HeaderMap};

use super::token::{TokenHash, hash};
use crate::error::ApiError;
use crate::flags::Flags;

/// How old what is at hand may be: another process adds and removes tokens, which is to hold within a second.
const FRESH: Duration = Duration::from_millis(500);

type Hashes = Arc<HashSet<TokenHash>>;

/// What was read last, and when.
#[derive(Debug, Default)]
pub(super) struct ClientTokens(Mutex<Option<(Instant, Hashes)>>);

impl ClientTokens {
    /// Lets those pass who show a token, and everybody where there is none.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`], and [`ApiError::Internal`] when the tokens cannot be read.
    pub(super) async fn check(&self, headers: &HeaderMap, flags: &Flags) -> Result<(), ApiError> {
        let known = self.known(flags).await?;
        if known.is_empty() || shown(headers).is_some_and(|token| known.contains(&hash(token))) {
            return Ok(());
        }
        Err(ApiError::TokenNeeded)
    }

    async fn known(&self, flags: &Flags) -> Result<Hashes, ApiError> {
        // Before it is read: what is written while it is read counts as not seen.
        let now = Instant::now();
        if let Some((read, hashes)) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner)
            && now.saturating_duration_since(*read) < FRESH
        {
            return Ok(Arc::clone(hashes));
        }
        let hashes = Arc::new(flags.read(|tx| Ok(tx.list_client_token_hashes()?)).await?);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&hashes)));
        Ok(hashes)
    }
}

/// What a call shows, as client libraries of this API write it (the token alone) or as others do (`Bearer`).
fn shown(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?.trim();
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Some(token.map_or(value, |(_, token)| token.trim_start()))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue};

    use super::shown;

    #[test]
    fn a_token_is_shown_alone_or_as_a_bearer_token() {
        for (value, token) in [
            ("abc", "abc"),
            (" abc ", "abc"),
            ("Bearer abc", "abc"),
            ("bearer  abc", "abc"),
            ("Basic abc", "Basic abc"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_static(value));
            assert_eq!(shown(&headers), Some(token), "{value}");
        }
        assert_eq!(shown(&HeaderMap::new()), None);
    }
}
