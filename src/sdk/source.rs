//! The flag service behind the SDK APIs: the embedded one, or a replica of another one.

use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use actix_web::http::header::HeaderMap;
use actix_web::web;
use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;
use serde_json::Value;

use super::definitions::Definitions;
use crate::config::TokenScope;
use crate::error::ApiError;

/// The sender of a request, identified by its token.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The requests and toggles that the token allows.
    pub scope: Arc<TokenScope>,
    /// Id of the token, for its rate limit; `None` if the sender needs no token.
    pub token: Option<TokenId>,
}

/// Identifies a token without revealing it: its SHA-256 hash.
pub type TokenId = [u8; 32];

/// A future result of a [`Source`].
pub type Reply<'s, T> = LocalBoxFuture<'s, Result<T, ApiError>>;

/// Provides definitions and tokens, and receives reports.
pub trait Source: Send + Sync {
    /// Returns the definitions, including all changes that completed before the call.
    fn current(&self) -> Reply<'_, Arc<Definitions>>;

    /// Identifies the sender of a request; `None` if it sends no token and needs one. Fails with [`ApiError::TokenNeeded`]
    /// if the token is unknown.
    fn find_caller<'s>(&'s self, headers: &'s HeaderMap) -> Reply<'s, Option<Caller>>;

    /// Returns the scope of the token of an open event stream; `None` if the token is not valid any more. Sources without
    /// event streams need not implement this.
    fn find_scope(&self, _token: Option<TokenId>) -> Reply<'_, Option<Arc<TokenScope>>> {
        ready(Ok(None)).boxed_local()
    }

    /// Returns true if a frontend token allows pages of this origin.
    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool>;

    /// Registers an instance of an application. `address` is that of the client.
    fn register<'s>(&'s self, registration: &'s Value, address: &'s str) -> Reply<'s, ()>;

    /// Counts a report. `address` is that of the client.
    fn count<'s>(&'s self, report: &'s Value, address: &'s str) -> Reply<'s, ()>;
}

/// The compiled definitions of the last body of a source.
#[derive(Debug, Default)]
pub struct CompiledCache {
    last: RwLock<Option<(Bytes, Arc<Definitions>)>>,
    /// Held while a body is compiled, so that concurrent requests compile it once.
    compiling: Mutex<()>,
}

impl CompiledCache {
    /// Returns the definitions of a body. A body in the same memory as the last one is not compiled again.
    ///
    /// # Errors
    /// [`ApiError::Internal`] if the body is not valid.
    pub async fn get(self: &Arc<Self>, body: Bytes) -> Result<Arc<Definitions>, ApiError> {
        if let Some(definitions) = self.find(&body) {
            return Ok(definitions);
        }
        let cache = Arc::clone(self);
        web::block(move || cache.compile(body)).await.map_err(ApiError::internal)?
    }

    fn find(&self, body: &Bytes) -> Option<Arc<Definitions>> {
        let last = self.last.read().unwrap_or_else(PoisonError::into_inner);
        // The cache keeps the memory of its body, so that no other body is at its place.
        let cached = last.as_ref().filter(|(cached, _)| cached.as_ptr_range() == body.as_ptr_range());
        cached.map(|(_, definitions)| Arc::clone(definitions))
    }

    fn compile(&self, body: Bytes) -> Result<Arc<Definitions>, ApiError> {
        let _compiling = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definitions) = self.find(&body) {
            return Ok(definitions);
        }
        let definitions = Arc::new(Definitions::from_json(&body).map_err(ApiError::internal)?);
        let entry = Some((body, Arc::clone(&definitions)));
        *self.last.write().unwrap_or_else(PoisonError::into_inner) = entry;
        Ok(definitions)
    }
}
