//! Cache of the tokens of SDKs, which every request of an SDK sends.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderMap;
use parking_lot::Mutex;
use tokio::time::timeout;

use super::last_uses::LastUses;
use super::token::{TokenHash, hash};
use crate::config::{TokenKind, TokenScope};
use crate::database::{Changes, Database};
use crate::error::{ApiError, StorageFault};
use crate::flags::events::{format_time, latest_after};
use crate::middleware::sdk_token::token_from_headers;

/// Maximum age of the cached tokens, unless changes are observed. Another process may add and remove tokens; those changes
/// apply within a second.
const CACHE_LIFETIME: Duration = Duration::from_millis(500);

/// Maximum time that a request waits for the read of another one.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The scopes of all tokens by the hash of the token.
pub type TokenScopes = Arc<HashMap<TokenHash, Arc<TokenScope>>>;

/// The scopes of all tokens, and the last uses of tokens.
#[derive(Debug)]
pub(super) struct TokenCache {
    scopes: Mutex<Option<CachedScopes>>,
    /// Held while the scopes are read, so that concurrent requests read them once.
    reading: tokio::sync::Mutex<()>,
    uses: Arc<LastUses>,
    /// True if requests without a token are refused also while no client tokens exist.
    requires_client_tokens: bool,
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
    pub(super) fn new(requires_client_tokens: bool) -> Self {
        Self {
            scopes: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
            uses: LastUses::new("tokens", |tx, hash, at| {
                tx.record_token_use(hash, &format_time(at), &latest_after(at))
            }),
            requires_client_tokens,
        }
    }

    /// Returns true if requests without a token are refused also while no client tokens exist.
    pub(super) fn requires_client_tokens(&self) -> bool {
        self.requires_client_tokens
    }

    /// Returns the scope of a token, and records its use; `None` if the token is unknown.
    pub(super) async fn find(
        &self,
        token: TokenHash,
        database: &Database,
    ) -> Result<Option<Arc<TokenScope>>, ApiError> {
        let scope = self.scopes(database).await?.get(&token).map(Arc::clone);
        if scope.is_some() {
            self.uses.record(token, database);
        }
        Ok(scope)
    }

    /// Returns true if a frontend token allows pages of this origin.
    pub(super) async fn allows_origin(&self, origin: &str, database: &Database) -> Result<bool, ApiError> {
        let scopes = self.scopes(database).await?;
        let mut frontend = scopes.values().filter(|scope| scope.kind == TokenKind::Frontend);
        Ok(frontend.any(|scope| scope.allows_origin(origin)))
    }

    /// Checks that the sender of a request may read definitions, and returns the scope of its token. Every request without a token is
    /// allowed if no client tokens exist, unless `require-client-tokens` is set.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`] if the token is missing or unknown, [`ApiError::FrontendToken`] for a frontend token,
    /// [`ApiError::Internal`] if the tokens cannot be read.
    pub(super) async fn check_client(
        &self,
        token: Option<TokenHash>,
        database: &Database,
    ) -> Result<Option<Arc<TokenScope>>, ApiError> {
        let found = match token {
            Some(token) => self.find(token, database).await?,
            None => None,
        };
        match found {
            Some(scope) if scope.kind == TokenKind::Client => Ok(Some(scope)),
            Some(_) => Err(ApiError::FrontendToken),
            None if self.requires_client_tokens => Err(ApiError::TokenNeeded),
            None => {
                let scopes = self.scopes(database).await?;
                let has_client_tokens = scopes.values().any(|scope| scope.kind == TokenKind::Client);
                if has_client_tokens { Err(ApiError::TokenNeeded) } else { Ok(None) }
            }
        }
    }

    /// Writes the last uses of tokens that are only in memory.
    pub(super) async fn write_uses(&self, database: &Database) -> Result<(), ApiError> {
        self.uses.write(database).await
    }

    /// Returns the scopes of all tokens.
    pub(super) async fn scopes(&self, database: &Database) -> Result<TokenScopes, ApiError> {
        if let Some(scopes) = self.usable_scopes(database.changes()) {
            return Ok(scopes);
        }
        match self.read_scopes(database).await {
            Err(ApiError::Storage(_))
                if database.is_shared()
                    && let Some(cached) = self.scopes.lock().clone() =>
            {
                Ok(cached.scopes)
            }
            result => result,
        }
    }

    /// Reads the scopes, or waits for a concurrent request that does.
    async fn read_scopes(&self, database: &Database) -> Result<TokenScopes, ApiError> {
        let reading = timeout(MAX_WAIT, self.reading.lock()).await;
        let _reading = reading.map_err(|_late| ApiError::Storage(StorageFault::Busy))?;
        if let Some(scopes) = self.usable_scopes(database.changes()) {
            return Ok(scopes);
        }
        // Taken before the read, so that the next request sees a token that is written during the read.
        let (read_at, commits) = (Instant::now(), database.changes().commits());
        let scopes = Arc::new(database.read(|tx| Ok(tx.list_token_scopes()?)).await?);
        *self.scopes.lock() = Some(CachedScopes { read_at, commits, scopes: Arc::clone(&scopes) });
        Ok(scopes)
    }

    fn usable_scopes(&self, changes: &Changes) -> Option<TokenScopes> {
        let now = Instant::now();
        self.scopes
            .lock()
            .as_ref()
            .filter(|cached| cached.is_usable(changes, now))
            .map(|cached| Arc::clone(&cached.scopes))
    }
}

/// Returns the hash of the token of a request.
pub(super) fn hash_from_headers(headers: &HeaderMap) -> Option<TokenHash> {
    token_from_headers(headers).map(hash)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::future::join_all;

    use super::TokenCache;
    use crate::config::DataLocation;
    use crate::database::{Database, Store};

    #[actix_web::test]
    async fn concurrent_requests_read_the_tokens_once() {
        let store = Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap();
        let database = Database::new(store).unwrap();
        let cache = TokenCache::new(false);
        // A request whose client disconnects during the read does not stop the others.
        let mut cancelled = Box::pin(cache.scopes(&database));
        assert!(futures_util::poll!(&mut cancelled).is_pending());
        let mut waiting = Box::pin(join_all((0..16).map(|_| cache.scopes(&database))));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        drop(cancelled);
        let read = waiting.await;
        let first = read[0].as_ref().unwrap();
        // Each read would create another copy.
        assert!(read.iter().all(|scopes| Arc::ptr_eq(scopes.as_ref().unwrap(), first)));
        // A request after a commit reads them again.
        database.write(|_| Ok(())).await.unwrap();
        assert!(!Arc::ptr_eq(&cache.scopes(&database).await.unwrap(), first));
    }
}
