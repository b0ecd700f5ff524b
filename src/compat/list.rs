//! The list of toggles.

pub(super) mod rows;
pub(super) mod strategy_cache;
pub(super) mod strategy_index;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use tokio::sync::Semaphore;

use self::rows::{Filter, Source};
use super::failure::Failure;
use super::{Call, encode, json, scope};
use crate::error::ApiError;

/// Limits the number of lists in memory: one of 10,000 toggles takes 6 MB, and its conversion as much again.
static CONVERTING: Semaphore = Semaphore::const_new(4);

/// Responds with the toggles of all projects and their states in the selected environment.
///
/// # Errors
/// Those of the requests.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?.to_owned();
    let project = call.query("project");
    let filter = Filter {
        tags: call.queries("tag"),
        name_prefix: call.query("namePrefix").unwrap_or_default(),
        project: project.clone(),
    };
    let permit = CONVERTING.acquire().await.map_err(ApiError::internal)?;
    let mut lists = Vec::new();
    for id in scope::projects(&call.server) {
        if project.as_deref().is_none_or(|project| project == id) {
            let path = format!("/projects/{}/features", encode(id));
            lists.push((id.to_owned(), call.caller.request(Method::GET, &path, None).await?.body));
        }
    }
    // The lists of 4.19 have no descriptions and tags; its list without a project has.
    let details = if call.server.strategy_titles {
        None
    } else {
        Some(call.caller.request(Method::GET, "/features", None).await?.body)
    };
    // A token reads only enabled strategies, without ids and titles: enough to search, and not to edit or to copy them.
    // Only now, because the result of another user may be used: this user may read the list.
    let has_all_strategies = call.query("strategies").as_deref() == Some("true");
    let strategies = if has_all_strategies {
        Some(strategy_cache::load(call, &environment).await?)
    } else {
        strategy_cache::load_with_token(call, &environment).await?
    };
    let convert = move || {
        // The permit belongs to the work, which continues after the client has disconnected.
        let _permit = permit;
        let lists: Vec<_> = lists.iter().map(|(id, list)| (id.as_str(), list.clone())).collect();
        let (details, strategies) = (details.as_deref(), strategies.as_deref());
        let source = Source { details, strategies, has_all_strategies, total: None };
        rows::to_console_list(&lists, &environment, &filter, source)
    };
    let list = web::block(convert).await.map_err(ApiError::internal)?;
    let list = list.map_err(|error| Failure::unexpected("the list of toggles", &error.to_string()))?;
    Ok(json(StatusCode::OK, list))
}
