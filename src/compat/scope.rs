//! Selects the environment and the project of a request.

use actix_web::http::header::HeaderMap;

use super::caller::Caller;
use super::failure::Failure;
use crate::console_api::NewerServer;
use crate::error::ApiError;
use crate::middleware::ENVIRONMENT_HEADER;

/// Returns the environment that a request reads or changes: the operator's selection, else that of the request, else the
/// only one.
///
/// # Errors
/// [`ApiError::EnvironmentRequired`] if the request selects none of several; [`ApiError::UnknownEnvironment`] if the
/// server does not offer the selected one.
pub(super) fn environment<'a>(server: &'a NewerServer, headers: &'a HeaderMap) -> Result<&'a str, ApiError> {
    let requested = headers.get(ENVIRONMENT_HEADER).and_then(|value| value.to_str().ok());
    match (server.environment.as_deref().or(requested), server.environments.as_slice()) {
        (Some(name), offered) if offered.iter().any(|one| one.name == name) => Ok(name),
        (Some(name), offered) => {
            Err(ApiError::UnknownEnvironment { name: name.to_owned(), environments: offered.to_vec() })
        }
        (None, [only]) => Ok(&only.name),
        (None, offered) => Err(ApiError::EnvironmentRequired { environments: offered.to_vec() }),
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

/// The part of a project's list that finds a toggle.
#[derive(serde::Deserialize)]
struct Names {
    features: Vec<Name>,
}

#[derive(serde::Deserialize)]
struct Name {
    name: String,
}

/// Returns the path of a toggle: its project is part of every path.
///
/// # Errors
/// Those of the requests that look for the toggle, if there are several projects.
pub(super) async fn toggle_path(
    caller: &Caller,
    server: &NewerServer,
    name: &str,
) -> Result<String, Failure> {
    let projects = projects(server);
    let mut found = projects.first().copied().unwrap_or("default");
    if projects.len() > 1 {
        for project in projects {
            let list: Names = caller.read(&format!("/projects/{}/features", super::encode(project))).await?;
            if list.features.iter().any(|toggle| toggle.name == name) {
                found = project;
                break;
            }
        }
    }
    Ok(format!("/projects/{}/features/{}", super::encode(found), super::encode(name)))
}
