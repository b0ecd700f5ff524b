//! Detects the kind of the flag service by requesting endpoints that only some versions have.
//!
//! Servers refuse all requests without credentials. Therefore requests of signed-in users detect the kind; the result
//! applies to all users and is refreshed after [`MAX_AGE`], after a failed request, and with each page load.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::http::Method;
use serde::Deserialize;
use tokio::time::Instant;

use super::caller::Caller;
use super::failure::Failure;
use crate::console_api::{NewerServer, ServerEnvironment};

/// Age after which the next request of a user detects the kind again.
const MAX_AGE: Duration = Duration::from_mins(5);

/// Kind of a flag service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A server up to 4.2, whose API is that of the console.
    Older,
    /// A server with projects and environments.
    Newer(Arc<NewerServer>),
}

/// The last detected kind, which all workers share.
#[derive(Debug, Default)]
pub(super) struct Detection {
    last: Mutex<Option<(Kind, Instant)>>,
    /// Held while a request detects the kind, so that others wait for its result.
    running: tokio::sync::Mutex<()>,
}

impl Detection {
    /// Returns the kind if it was detected recently.
    #[must_use]
    pub(super) fn recent(&self) -> Option<Kind> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|(_, at)| at.elapsed() < MAX_AGE).map(|(kind, _)| kind.clone())
    }

    /// Forgets the result, because a response indicates that the server has changed.
    pub(super) fn expire(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the kind, and detects it with requests of this user if necessary.
    ///
    /// # Errors
    /// If the server does not respond, or refuses the user's credentials.
    pub(super) async fn kind(&self, caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
        if let Some(kind) = self.recent() {
            return Ok(kind);
        }
        let _running = self.running.lock().await;
        match self.recent() {
            Some(kind) => Ok(kind),
            None => self.refresh(caller, fixed).await,
        }
    }

    /// Detects the kind with requests of this user.
    ///
    /// # Errors
    /// If the server does not respond, or refuses the user's credentials.
    pub(super) async fn refresh(&self, caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
        let kind = detect(caller, fixed).await?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((kind.clone(), Instant::now()));
        Ok(kind)
    }
}

/// The selection of the operator (`--upstream-environment`, `--upstream-project`).
#[derive(Debug, Clone, Default)]
pub(super) struct Fixed {
    /// Name of the environment.
    pub(super) environment: Option<String>,
    /// Id of the project.
    pub(super) project: Option<String>,
}

#[derive(Deserialize)]
struct Environments {
    environments: Vec<Environment>,
}

#[derive(Deserialize)]
struct Environment {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    enabled: bool,
}

#[derive(Deserialize)]
struct Projects {
    projects: Vec<Project>,
}

#[derive(Deserialize)]
struct Project {
    id: String,
}

/// The part of a project that lists its environments. Versions write them as names or as objects.
#[derive(Deserialize)]
struct ProjectDetails {
    environments: Vec<ProjectEnvironment>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ProjectEnvironment {
    Name(String),
    Object { environment: String },
}

/// The version, which servers report in different places.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UiConfig {
    version: Option<String>,
}

async fn detect(caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
    let reply = caller.send(Method::GET, "/environments", None).await?;
    // Servers up to 4.2 respond with 404, or with their page.
    let environments: Environments = match serde_json::from_slice(&reply.body) {
        Ok(environments) if reply.status.is_success() => environments,
        _ if reply.status == 404 || reply.status.is_success() => return Ok(Kind::Older),
        _ => return Err(Failure::Refused(Box::new(reply))),
    };
    let projects: Projects = match caller.read("/projects").await {
        Err(failure) if failure.has_status(404) => return Ok(Kind::Older),
        projects => projects?,
    };
    let projects: Vec<String> = projects.projects.into_iter().map(|project| project.id).collect();
    let version = caller.read("/ui-config").await.ok().and_then(|config: UiConfig| config.version);
    // 4.19 has neither titles of strategies nor segments, in its open-source edition.
    let has_segments = caller.send(Method::GET, "/segments", None).await?.status.is_success();
    let project = fixed.project.as_ref().or(projects.first());
    let of_project = match (project, projects.len()) {
        (Some(project), 1) => environments_of(caller, project).await?,
        (Some(project), _) if fixed.project.is_some() => environments_of(caller, project).await?,
        _ => None,
    };
    let is_offered = |environment: &Environment| {
        environment.enabled && of_project.as_ref().is_none_or(|names| names.contains(&environment.name))
    };
    let offered = environments.environments.into_iter().filter(is_offered);
    Ok(Kind::Newer(Arc::new(NewerServer {
        version,
        environments: offered.map(|one| ServerEnvironment { name: one.name, kind: one.kind }).collect(),
        environment: fixed.environment.clone(),
        project: fixed.project.clone(),
        projects,
        strategy_titles: has_segments,
        revive_stays_off: has_segments,
    })))
}

/// Returns the names of a project's environments; `None` if the server has no endpoint for them.
async fn environments_of(caller: &Caller, project: &str) -> Result<Option<Vec<String>>, Failure> {
    let project = super::encode(project);
    // 8.2 has only the first path, 4.19 only the second.
    for path in [format!("/projects/{project}/overview"), format!("/projects/{project}")] {
        match caller.read::<ProjectDetails>(&path).await {
            Ok(details) => {
                let name = |one| match one {
                    ProjectEnvironment::Name(name) | ProjectEnvironment::Object { environment: name } => name,
                };
                return Ok(Some(details.environments.into_iter().map(name).collect()));
            }
            Err(failure) if failure.has_status(404) => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(None)
}
