//! The list of toggles.

pub(super) mod rows;
pub(super) mod strategy_cache;
pub(super) mod strategy_index;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use moka::future::Cache;
use tokio::sync::Semaphore;

use self::rows::{Filter, Source};
use super::failure::Failure;
use super::project_lists::read_projects;
use super::{Call, json, scope};
use crate::console::evaluation::ClientId;
use crate::error::ApiError;

/// Maximum number of lists that are converted at the same time. This takes CPU and, for 10,000 toggles, 6 MB.
const MAX_CONVERTING: usize = 4;
/// Maximum number of lists that one user reads at the same time. A list of 10,000 toggles takes 6 MB. The limit is for each
/// user, so that requests that wait for the server do not block other users. Users whom the server does not describe share the
/// limit of their network.
const MAX_READING: usize = 2;
/// Maximum number of users whose number of lists is known, and the time without requests after which it is forgotten.
const MAX_USERS: (u64, Duration) = (1000, Duration::from_mins(10));

/// Limits the number of lists in memory.
#[derive(Debug)]
pub(super) struct ListLimits {
    converting: Arc<Semaphore>,
    reading: Cache<ClientId, Arc<Semaphore>>,
}

impl Default for ListLimits {
    fn default() -> Self {
        let (capacity, idle) = MAX_USERS;
        Self {
            converting: Arc::new(Semaphore::new(MAX_CONVERTING)),
            reading: Cache::builder().max_capacity(capacity).time_to_idle(idle).build(),
        }
    }
}

/// Responds with the toggles of all projects that the user can see, and their states in the selected environment.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, Failure> {
    call.caller.within_deadline(read_and_convert(call)).await
}

async fn read_and_convert(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?.to_owned();
    let filter = Filter {
        tags: call.queries("tag"),
        name_prefix: call.query("namePrefix").unwrap_or_default(),
        projects: call.queries("project"),
    };
    let limits = &call.caches.lists;
    let owner = call.caches.sessions.owner(&call.caller, call.user).await;
    let reading = limits.reading.get_with(owner, async { Arc::new(Semaphore::new(MAX_READING)) }).await;
    let reading = reading.acquire_owned().await.map_err(ApiError::internal)?;
    let projects = scope::projects(&call.server).into_iter();
    let projects = projects.filter(|id| filter.includes_project(id)).collect();
    let lists = read_projects(call, projects).await?;
    // A token reads only enabled strategies, without ids and titles: enough to search, and not to edit or to copy them.
    let has_all_strategies = call.query("strategies").as_deref() == Some("true");
    let strategies = if has_all_strategies {
        Some(strategy_cache::load(call, &environment).await?)
    } else {
        strategy_cache::load_with_token(call, &environment).await?
    };
    let converting = Arc::clone(&limits.converting).acquire_owned().await.map_err(ApiError::internal)?;
    let convert = move || {
        // The permits belong to the work, which continues after the client has disconnected.
        let _permits = (reading, converting);
        let lists: Vec<_> = lists.iter().map(|(id, list)| (id.as_str(), list.clone())).collect();
        let source = Source { strategies: strategies.as_deref(), has_all_strategies, total: None };
        rows::to_console_list(&lists, &environment, &filter, source)
    };
    let list = web::block(convert).await.map_err(ApiError::internal)?;
    let list = list.map_err(|error| Failure::unexpected("the list of toggles", &error.to_string()))?;
    Ok(json(StatusCode::OK, list))
}
