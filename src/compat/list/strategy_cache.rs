//! Loads the strategies of all toggles, which newer servers do not include in their lists. All users share the result.
//!
//! The result is used only for users whose own list request has just succeeded. Its key is the environment because an
//! open-source server shows all strategies to all users.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header::{ETAG, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::strategy_index::StrategyIndex;
use crate::compat::Call;
use crate::compat::failure::Failure;
use crate::error::ApiError;

/// Age up to which strategies that were loaded on demand are used. Loading them takes a server about a second.
const MAX_AGE: Duration = Duration::from_mins(1);
/// Pause after a client token was refused.
const TOKEN_PAUSE: Duration = Duration::from_mins(1);

/// The strategies of all toggles by environment.
#[derive(Debug, Default)]
pub(in crate::compat) struct StrategyCache {
    on_demand: Mutex<HashMap<String, OnDemand>>,
    with_token: Mutex<HashMap<String, WithToken>>,
    /// Number of writes through this program. A write makes loaded strategies obsolete.
    writes: AtomicU64,
}

#[derive(Debug)]
struct OnDemand {
    at: Instant,
    writes: u64,
    index: Arc<StrategyIndex>,
}

#[derive(Debug)]
enum WithToken {
    Loaded { tag: Option<HeaderValue>, index: Arc<StrategyIndex> },
    Refused(Instant),
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

/// Loads the strategies on demand: the server evaluates all toggles and returns their strategies.
///
/// # Errors
/// Those of the request.
pub(super) async fn load(call: &Call, environment: &str) -> Result<Arc<StrategyIndex>, Failure> {
    let cache = &call.caches.strategies;
    let mut entries = cache.on_demand.lock().await;
    let writes = cache.writes.load(Ordering::Relaxed);
    if let Some(entry) = entries.get(environment)
        && entry.at.elapsed() < MAX_AGE
        && entry.writes == writes
    {
        return Ok(Arc::clone(&entry.index));
    }
    let projects = call.server.project.as_ref().map_or_else(|| json!("*"), |project| json!([project]));
    let body =
        json!({ "environment": environment, "projects": projects, "context": { "appName": "flagdeck" } });
    let reply = call.caller.request(Method::POST, "/playground", Some(&body)).await?;
    let index = parse(move || StrategyIndex::from_playground(&reply.body)).await?;
    let index = Arc::new(index);
    entries.retain(|name, _| call.server.environments.iter().any(|one| one.name == *name));
    let entry = OnDemand { at: Instant::now(), writes, index: Arc::clone(&index) };
    entries.insert(environment.to_owned(), entry);
    Ok(index)
}

/// Loads the strategies with the client token of the environment; `None` without a token, or if the server refuses it.
///
/// The server reports by an entity tag whether anything has changed, which takes it some milliseconds.
///
/// # Errors
/// Those of the request.
pub(super) async fn load_with_token(
    call: &Call,
    environment: &str,
) -> Result<Option<Arc<StrategyIndex>>, Failure> {
    let Some(token) = call.client_tokens.iter().find(|token| token.environment == environment) else {
        return Ok(None);
    };
    let mut entries = call.caches.strategies.with_token.lock().await;
    let tag = match entries.get(environment) {
        Some(WithToken::Refused(at)) if at.elapsed() < TOKEN_PAUSE => return Ok(None),
        Some(WithToken::Loaded { tag, .. }) => tag.clone(),
        _ => None,
    };
    let reply = call.caller.read_client_features(&token.value, tag.as_ref()).await?;
    if reply.status == StatusCode::NOT_MODIFIED
        && let Some(WithToken::Loaded { index, .. }) = entries.get(environment)
    {
        return Ok(Some(Arc::clone(index)));
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
            "upstream-client-token: the flag service does not accept the token for this environment"
        );
        WithToken::Refused(Instant::now())
    };
    entries.insert(environment.to_owned(), entry);
    Ok(index)
}

/// Parses a response of up to some megabytes on another thread.
async fn parse<T: Send + 'static>(
    parse: impl FnOnce() -> Result<T, serde_json::Error> + Send + 'static,
) -> Result<T, Failure> {
    let parsed = web::block(parse).await.map_err(ApiError::internal)?;
    parsed.map_err(|error| Failure::unexpected("the strategies", &error.to_string()))
}
