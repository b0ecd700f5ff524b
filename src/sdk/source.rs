//! The flag service behind the SDK APIs: the embedded one, or a replica of another one.

use std::sync::Arc;

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use parking_lot::{Mutex, RwLock};
use serde_json::Value;

use super::definitions::Definitions;
use crate::config::TokenScope;
use crate::error::ApiError;
use crate::hold::HeldToggles;
use crate::negotiation::CopyAge;

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

impl CurrentDefinitions {
    /// Returns the headers of responses: the age, and the number of held toggles that the caller can see. It learns no names,
    /// because tokens of browsers are public.
    pub(crate) fn headers(&self, scope: &TokenScope) -> Vec<(HeaderName, HeaderValue)> {
        let is_visible = |name: &&String| self.definitions.find(name, scope).is_some();
        let held = HeldToggles::count_header(self.held.names.iter().filter(is_visible).count());
        self.age.into_iter().flat_map(CopyAge::headers).chain(held).collect()
    }
}

/// A future result of a [`Source`].
pub type Reply<'s, T> = LocalBoxFuture<'s, Result<T, ApiError>>;

/// Definitions at the time of a request.
#[derive(Debug)]
pub struct CurrentDefinitions {
    /// The definitions.
    pub definitions: Arc<Definitions>,
    /// Age of a copy of another service's definitions; `None` if they are not a copy.
    pub age: Option<CopyAge>,
    /// Toggles that are held, of which the caller may see only some.
    pub held: Arc<HeldToggles>,
}

/// Provides definitions and tokens, and receives reports.
pub trait Source: Send + Sync {
    /// Returns the definitions with at least all toggles in the scope of a caller, including all changes of this service that
    /// completed before the call.
    fn current<'s>(&'s self, caller: &'s Caller) -> Reply<'s, CurrentDefinitions>;

    /// Identifies the definitions of all tokens: it changes with each of them.
    fn version(&self) -> Reply<'_, String>;

    /// Identifies the sender of a request; `None` if it sends no token and needs one. Fails with [`ApiError::TokenNeeded`]
    /// if the token is unknown.
    fn find_caller<'s>(&'s self, request: &'s HttpRequest) -> Reply<'s, Option<Caller>>;

    /// Returns the scope of the token of an open event stream; `None` if the token is not valid any more.
    fn find_scope(&self, token: Option<TokenId>) -> Reply<'_, Option<Arc<TokenScope>>>;

    /// Returns the ids of all tokens.
    fn tokens(&self) -> Reply<'_, Vec<TokenId>>;

    /// Returns true if a frontend token allows pages of this origin.
    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool>;

    /// Returns true if the service has frontend tokens. Without them, it does not serve the browser API.
    fn has_frontend_tokens(&self) -> bool;

    /// Registers an instance of an application. `address` is the address of the client.
    fn register<'s>(&'s self, caller: &'s Caller, registration: &'s Value, address: &'s str)
    -> Reply<'s, ()>;

    /// Counts a report. `address` is the address of the client.
    fn count<'s>(&'s self, caller: &'s Caller, report: &'s Value, address: &'s str) -> Reply<'s, ()>;
}

/// The definitions of the last bodies of a source.
#[derive(Debug, Default)]
pub struct CompiledCache {
    last: RwLock<Option<(Vec<Bytes>, Compiled)>>,
    /// Held while bodies are compiled, so that concurrent requests compile them once.
    compiling: Mutex<()>,
}

/// Definitions, or the fault of a body.
type Compiled = Result<Arc<Definitions>, String>;

impl CompiledCache {
    /// Returns the definitions in bodies. Bodies in the same memory as the last ones are not compiled again.
    pub(crate) async fn get(
        self: &Arc<Self>,
        bodies: Vec<Bytes>,
        compile: impl FnOnce() -> Result<Definitions, String> + Send + 'static,
    ) -> Compiled {
        if let Some(compiled) = self.find(&bodies) {
            return compiled;
        }
        let cache = Arc::clone(self);
        let compiled = web::block(move || cache.compile(bodies, compile)).await;
        compiled.map_err(|error| error.to_string())?
    }

    fn find(&self, bodies: &[Bytes]) -> Option<Compiled> {
        let last = self.last.read();
        // The cache keeps the memory of its bodies, so that no other body is at their place.
        let place = |body: &Bytes| body.as_ptr_range();
        let cached =
            last.as_ref().filter(|(cached, _)| cached.iter().map(place).eq(bodies.iter().map(place)));
        cached.map(|(_, compiled)| compiled.clone())
    }

    fn compile(&self, bodies: Vec<Bytes>, compile: impl FnOnce() -> Result<Definitions, String>) -> Compiled {
        let _compiling = self.compiling.lock();
        if let Some(compiled) = self.find(&bodies) {
            return compiled;
        }
        let compiled = compile().map(Arc::new);
        let entry = Some((bodies, compiled.clone()));
        *self.last.write() = entry;
        compiled
    }
}
