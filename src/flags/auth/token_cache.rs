//! Cache of the tokens of SDKs, which every request of an SDK sends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderMap;

use super::token::{TokenHash, hash};
use super::token_uses::TokenUses;
use crate::config::{TokenKind, TokenScope};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::database::Changes;
use crate::middleware::sdk_token::token_from_headers;

/// Maximum age of the cached tokens, unless changes are observed. Another process may add and remove tokens; those changes
/// apply within a second.
const CACHE_LIFETIME: Duration = Duration::from_millis(500);

/// The scopes of all tokens by the hash of the token.
pub type TokenScopes = Arc<HashMap<TokenHash, Arc<TokenScope>>>;

/// The scopes of all tokens, and the last uses of tokens.
#[derive(Debug, Default)]
pub(super) struct TokenCache {
    scopes: Mutex<Option<CachedScopes>>,
    uses: Arc<TokenUses>,
}

/// The scopes of all tokens, with the time and the number of known commits before they were read.
#[derive(Debug, Clone)]
struct CachedScopes {
    read_at: Instant,
    commits: u64,
    scopes: TokenScopes,
}

impl CachedScopes {
    /// Returns true if the scopes can be used without reading them again: no commit is known since, and either other
    /// processes are observed or the scopes are recent. While the database does not respond, the last known ones are used.
    fn is_usable(&self, changes: &Changes, now: Instant) -> bool {
        let is_recent = changes.is_observed() || now.saturating_duration_since(self.read_at) < CACHE_LIFETIME;
        (self.commits >= changes.commits() && is_recent) || changes.is_unreachable()
    }
}

impl TokenCache {
    /// Returns the scope of a token, and records its use; `None` if the token is unknown.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the tokens cannot be read.
    pub(super) async fn find(
        &self,
        token: TokenHash,
        flags: &Flags,
    ) -> Result<Option<Arc<TokenScope>>, ApiError> {
        let scope = self.scopes(flags).await?.get(&token).map(Arc::clone);
        if scope.is_some() {
            self.uses.record(token, flags);
        }
        Ok(scope)
    }

    /// Returns true if a frontend token allows pages of this origin.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the tokens cannot be read.
    pub(super) async fn allows_origin(&self, origin: &str, flags: &Flags) -> Result<bool, ApiError> {
        let scopes = self.scopes(flags).await?;
        let mut frontend = scopes.values().filter(|scope| scope.kind == TokenKind::Frontend);
        Ok(frontend.any(|scope| scope.allows_origin(origin)))
    }

    /// Checks that the sender of a request may read definitions. Every request without a token is allowed if no client
    /// tokens exist.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`] if the token is missing or unknown, [`ApiError::FrontendToken`] for a frontend token,
    /// [`ApiError::Internal`] if the tokens cannot be read.
    pub(super) async fn check_client(&self, token: Option<TokenHash>, flags: &Flags) -> Result<(), ApiError> {
        let found = match token {
            Some(token) => self.find(token, flags).await?,
            None => None,
        };
        match found.map(|scope| scope.kind) {
            Some(TokenKind::Client) => Ok(()),
            Some(TokenKind::Frontend) => Err(ApiError::FrontendToken),
            None => {
                let scopes = self.scopes(flags).await?;
                let has_client_tokens = scopes.values().any(|scope| scope.kind == TokenKind::Client);
                if has_client_tokens { Err(ApiError::TokenNeeded) } else { Ok(()) }
            }
        }
    }

    /// Writes the last uses of tokens that are only in memory.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if they cannot be written.
    pub(super) async fn write_uses(&self, flags: &Flags) -> Result<(), ApiError> {
        self.uses.write(flags).await
    }

    /// Returns the scopes of all tokens.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the tokens cannot be read.
    pub(super) async fn scopes(&self, flags: &Flags) -> Result<TokenScopes, ApiError> {
        // Taken before the read, so that the next request sees a token that is written during the read.
        let (read_at, changes) = (Instant::now(), flags.changes());
        let commits = changes.commits();
        let cached = self.lock().clone();
        if let Some(cached) = &cached
            && cached.is_usable(changes, read_at)
        {
            return Ok(Arc::clone(&cached.scopes));
        }
        match (flags.read(|tx| Ok(tx.list_token_scopes()?)).await, cached) {
            (Ok(scopes), _) => {
                let scopes = Arc::new(scopes);
                *self.lock() = Some(CachedScopes { read_at, commits, scopes: Arc::clone(&scopes) });
                Ok(scopes)
            }
            (Err(ApiError::Storage(_)), Some(cached)) if flags.is_shared() => Ok(cached.scopes),
            (Err(error), _) => Err(error),
        }
    }

    /// A poisoned lock is safe to use: a panic cannot interrupt the replacement of the scopes.
    fn lock(&self) -> MutexGuard<'_, Option<CachedScopes>> {
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the hash of the token of a request.
pub(super) fn hash_from_headers(headers: &HeaderMap) -> Option<TokenHash> {
    token_from_headers(headers).map(hash)
}
