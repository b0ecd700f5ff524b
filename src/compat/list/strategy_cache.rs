//! Loads the strategies of all toggles, which newer servers do not include in their lists.
//!
//! Strategies that were loaded on demand belong to the toggles that one user can see, and are used only for this user.
//! Strategies that were loaded with a client token contain all toggles; a list takes only the strategies of its own rows, which
//! are the toggles that the server has just shown to the user.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header::{ETAG, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web;
use moka::future::Cache;
use parking_lot::Mutex;
use serde_json::json;
use tokio::time::Instant;

use super::strategy_index::StrategyIndex;
use crate::compat::Call;
use crate::compat::failure::Failure;
use crate::compat::user_key::UserKey;
use crate::config::ClientToken;
use crate::error::ApiError;

/// Age up to which strategies that were loaded on demand are used. Loading them takes a server about a second.
const MAX_AGE: Duration = Duration::from_mins(1);
/// Maximum size of all strategies that were loaded on demand. Those of 2,000 toggles take about 2 MB.
const MAX_BYTES: u64 = 64 << 20;
/// Pause after a client token was refused.
const TOKEN_PAUSE: Duration = Duration::from_mins(1);

/// The strategies of all toggles.
#[derive(Debug)]
pub(in crate::compat) struct StrategyCache {
    on_demand: Cache<OnDemandKey, Arc<StrategyIndex>>,
    /// By environment. The configured tokens limit the number of entries.
    with_token: Mutex<HashMap<String, WithToken>>,
    /// Number of writes through this program. A write makes loaded strategies obsolete.
    writes: AtomicU64,
}

/// Identifies strategies: the user, the environment, and the number of writes before they were loaded.
type OnDemandKey = (UserKey, String, u64);

#[derive(Debug)]
enum WithToken {
    Loaded { tag: Option<HeaderValue>, index: Arc<StrategyIndex> },
    Refused(Instant),
}

impl Default for StrategyCache {
    fn default() -> Self {
        let size = |_: &OnDemandKey, index: &Arc<StrategyIndex>| index.size().try_into().unwrap_or(u32::MAX);
        let on_demand = Cache::builder().max_capacity(MAX_BYTES).weigher(size).time_to_live(MAX_AGE).build();
        Self { on_demand, with_token: Mutex::default(), writes: AtomicU64::new(0) }
    }
}

/// A running write; the loaded strategies are obsolete when it ends, also by cancellation.
#[derive(Debug)]
pub(in crate::compat) struct Write<'a>(&'a StrategyCache);

impl Drop for Write<'_> {
    fn drop(&mut self) {
        self.0.writes.fetch_add(1, Ordering::Relaxed);
    }
}

impl StrategyCache {
    /// Starts a write.
    pub(in crate::compat) fn start_write(&self) -> Write<'_> {
        Write(self)
    }
}

/// Loads the strategies on demand: the server evaluates all toggles and returns their strategies. Simultaneous requests of
/// the same user wait for the result of the first one.
pub(super) async fn load(call: &Call, environment: &str) -> Result<Arc<StrategyIndex>, Failure> {
    let cache = &call.caches.strategies;
    let projects = call.server.project.as_ref().map_or_else(|| json!("*"), |project| json!([project]));
    let body =
        json!({ "environment": environment, "projects": projects, "context": { "appName": "flagdeck" } });
    let load = async {
        let reply = call.caller.request(Method::POST, "/playground", Some(&body)).await?;
        parse(move || StrategyIndex::from_playground(&reply.body)).await.map(Arc::new)
    };
    let key = (call.user, environment.to_owned(), cache.writes.load(Ordering::Relaxed));
    let index = cache.on_demand.try_get_with(key, load).await;
    index.map_err(|failure: Arc<Failure>| Failure::clone(&failure))
}

/// Loads the strategies with the client token of the environment; `None` without a token, or if the server refuses it.
///
/// The server reports by an entity tag whether anything has changed, which takes it some milliseconds.
pub(super) async fn load_with_token(
    call: &Call,
    environment: &str,
) -> Result<Option<Arc<StrategyIndex>>, Failure> {
    let is_for = |token: &&ClientToken| token.environment.as_deref() == Some(environment);
    // Of several, one that reads all projects.
    let is_limited = |token: &&ClientToken| !token.value.as_bytes().starts_with(b"*:");
    let Some(token) = call.client_tokens.iter().filter(is_for).min_by_key(is_limited) else {
        return Ok(None);
    };
    let cache = &call.caches.strategies;
    let known = match cache.with_token.lock().get(environment) {
        Some(WithToken::Refused(at)) if at.elapsed() < TOKEN_PAUSE => return Ok(None),
        Some(WithToken::Loaded { tag, index }) => Some((tag.clone(), Arc::clone(index))),
        _ => None,
    };
    let tag = known.as_ref().and_then(|(tag, _)| tag.as_ref());
    // Requests do not wait for each other. If their responses arrive in another order, the next entity tag differs.
    let reply = call.caller.read_client_features(&token.value, tag).await?;
    if reply.status == StatusCode::NOT_MODIFIED
        && let Some((_, index)) = known
    {
        return Ok(Some(index));
    }
    let (status, tag) = (reply.status, reply.header(&ETAG).cloned());
    let name = environment.to_owned();
    let index = if status.is_success() {
        parse(move || StrategyIndex::from_client_features(&reply.body, &name)).await?.map(Arc::new)
    } else {
        None
    };
    let entry = if let Some(index) = &index {
        WithToken::Loaded { tag, index: Arc::clone(index) }
    } else {
        tracing::warn!(
            environment,
            status = status.as_u16(),
            "upstream-token: the flag service does not accept the token for this environment"
        );
        WithToken::Refused(Instant::now())
    };
    cache.with_token.lock().insert(environment.to_owned(), entry);
    Ok(index)
}

/// Parses a response of up to some megabytes on another thread.
async fn parse<T: Send + 'static>(
    parse: impl FnOnce() -> Result<T, serde_json::Error> + Send + 'static,
) -> Result<T, Failure> {
    let parsed = web::block(parse).await.map_err(ApiError::internal)?;
    parsed.map_err(|error| Failure::unexpected("the strategies", &error.to_string()))
}
