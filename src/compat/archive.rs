//! The list of archived toggles.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};

use super::failure::Failure;
use super::list::rows::{Filter, Source, to_console_list};
use super::search::{self, Pages};
use super::{Call, json};
use crate::error::ApiError;

/// The newest toggles come first, because a search may not return all.
const NEWEST_ARCHIVED: &str = "archived=IS%3Atrue&sortBy=createdAt&sortOrder=desc";

/// Responds with the archived toggles of the selected project, or of all.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?.to_owned();
    let projects: Vec<_> = call.server.project.clone().into_iter().collect();
    let Pages { pages, total } = match call.caller.request(Method::GET, "/archive/features", None).await {
        // 8.2 has only the search. Never search on 5.12, which ignores `archived` and returns active toggles.
        Err(failure) if failure.has_status(404) => search::pages(call, NEWEST_ARCHIVED).await?,
        reply => Pages { pages: vec![reply?.body], total: None },
    };
    let convert = move || {
        let lists: Vec<_> = pages.into_iter().map(|list| ("default", list)).collect();
        let filter = Filter { projects, ..Filter::default() };
        to_console_list(&lists, &environment, &filter, Source { total, ..Source::default() })
    };
    let list = web::block(convert).await.map_err(ApiError::internal)?;
    let list = list.map_err(|error| Failure::unexpected("the archive", &error.to_string()))?;
    Ok(json(StatusCode::OK, list))
}
