//! Selects the environment and the project of a request.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use moka::future::Cache;
use serde_json::json;

use super::failure::Failure;
use super::project_lists::read_projects;
use super::user_key::UserKey;
use super::{Call, encode};
use crate::config::DEFAULT_PROJECT;
use crate::console_api::NewerServer;
use crate::error::{ApiError, DomainError};
use crate::evaluation::{RawToggles, ToggleName};
use crate::middleware::ENVIRONMENT_HEADER;

/// Returns the environment that a request reads or changes: the operator's selection, else the selection of the
/// request, else the only one.
pub(super) fn environment<'a>(server: &'a NewerServer, headers: &'a HeaderMap) -> Result<&'a str, ApiError> {
    let requested = headers.get(ENVIRONMENT_HEADER).and_then(|value| value.to_str().ok());
    match (server.environment.as_deref().or(requested), server.environments.as_slice()) {
        (Some(name), offered) if offered.iter().any(|one| one.name == name) => Ok(name),
        (Some(name), offered) => {
            let message = format!("The flag service has no enabled environment {name:?}");
            let error = DomainError::new("unknown_environment", StatusCode::BAD_REQUEST, message);
            Err(error.with_field("environments", json!(offered)).into())
        }
        (None, [only]) => Ok(&only.name),
        (None, offered) => {
            let message = "Select an environment: the flag service has several. Send its name in the header Flagdeck-Environment, or set --upstream-environment";
            let error = DomainError::new("environment_required", StatusCode::PRECONDITION_REQUIRED, message);
            Err(error.with_field("environments", json!(offered)).into())
        }
    }
}

/// Returns the projects that the console shows.
#[must_use]
pub(super) fn projects(server: &NewerServer) -> Vec<&str> {
    match &server.project {
        Some(project) => vec![project],
        None => server.projects.iter().map(String::as_str).collect(),
    }
}

/// Maximum number of remembered toggles, and the time for which their projects are remembered.
const MAX_TOGGLES: (u64, Duration) = (10_000, Duration::from_mins(10));

/// The projects of toggles, as users have last seen them. The key contains the name of the toggle.
#[derive(Debug)]
pub(super) struct ToggleProjects(Cache<(UserKey, String), String>);

impl Default for ToggleProjects {
    fn default() -> Self {
        let (capacity, age) = MAX_TOGGLES;
        Self(Cache::builder().max_capacity(capacity).time_to_live(age).build())
    }
}

/// Runs a request for a toggle with the toggle's path, which contains its project.
///
/// The project is remembered. If the server does not know the toggle there, it may have moved: then the request runs once
/// more, with the path in its present project.
pub(super) async fn with_toggle_path<T>(
    call: &Call,
    name: &str,
    run: impl AsyncFn(&str) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let projects = projects(&call.server);
    if let [] | [_] = projects.as_slice() {
        return run(&toggle_path(projects.first().unwrap_or(&DEFAULT_PROJECT), name)).await;
    }
    let remembered = &call.caches.projects.0;
    let key = (call.user, name.to_owned());
    let Some(project) = remembered.get(&key).await else {
        return run(&toggle_path(&find_project(call, &projects, key).await?, name)).await;
    };
    match run(&toggle_path(&project, name)).await {
        Err(failure) if failure.has_status(404) => {
            remembered.invalidate(&key).await;
            let present = find_project(call, &projects, key).await?;
            if present == project { Err(failure) } else { run(&toggle_path(&present, name)).await }
        }
        result => result,
    }
}

fn toggle_path(project: &str, name: &str) -> String {
    format!("/projects/{}/features/{}", encode(project), encode(name))
}

/// Looks for the project of a toggle, and remembers it. Returns the first project for an unknown toggle, so that the
/// server responds that it does not exist.
async fn find_project(call: &Call, projects: &[&str], key: (UserKey, String)) -> Result<String, Failure> {
    for (project, list) in read_projects(call, projects.to_vec()).await? {
        let list: RawToggles<'_, ToggleName<'_>> = serde_json::from_slice(&list)
            .map_err(|error| Failure::unexpected("the list of toggles", &error.to_string()))?;
        if list.features.iter().any(|toggle| toggle.name == key.1) {
            call.caches.projects.0.insert(key, project.clone()).await;
            return Ok(project);
        }
    }
    Ok(projects.first().copied().unwrap_or(DEFAULT_PROJECT).to_owned())
}
