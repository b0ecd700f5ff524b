//! The requests that detect the kind of a flag service.

use std::sync::Arc;

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;

use super::{Facts, Fixed, Kind};
use crate::compat::caller::Caller;
use crate::compat::encode;
use crate::compat::failure::{Failure, unsupported_version};
use crate::console_api::{NewerServer, ServerEnvironment};

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

/// The settings of the server's own console.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct UiConfig {
    version: Option<String>,
    version_info: Value,
    flags: Value,
}

impl UiConfig {
    /// Returns the version of the running edition.
    fn into_version(self) -> Option<String> {
        let of_edition = |path| self.version_info.pointer(path).and_then(Value::as_str).map(str::to_owned);
        let editions = ["/current/enterprise", "/current/oss"].map(of_edition);
        editions.into_iter().chain([self.version]).flatten().find(|version| !version.is_empty())
    }

    /// Returns true for a server up to 4.2 that does not use environments. 4.2 has their endpoints, but a toggle has one
    /// state, as in the API of Unleash 3. The flag `E` switches environments on.
    fn hides_environments(&self) -> bool {
        let version = self.version.as_deref().unwrap_or_default();
        let is_old = ["4.0.", "4.1.", "4.2."].iter().any(|start| version.starts_with(start));
        is_old && self.flags.get("E") != Some(&Value::Bool(true))
    }
}

impl Facts {
    const OLDER: Self = Self { version: None, has_environments: false };
}

/// Detects the kind with the credentials of this caller, without the requests for known facts.
pub(in crate::compat) async fn detect(
    caller: &Caller,
    fixed: &Fixed,
    known: Option<Facts>,
) -> Result<(Facts, Kind), Failure> {
    let reply = caller.send(Method::GET, "/environments", None).await?;
    // Servers up to 4.1 respond with 404, or with their page.
    let environments: Environments = match serde_json::from_slice(&reply.body) {
        Ok(environments) if reply.status.is_success() => environments,
        _ if reply.status == 404 => return Ok((Facts::OLDER, Kind::Older)),
        // Or it is the page of a sign-in in front of the server, whose kind is unknown then.
        _ if reply.status.is_success() && reports_version(caller).await? => {
            return Ok((Facts::OLDER, Kind::Older));
        }
        _ => return Err(Failure::Refused(Box::new(reply))),
    };
    let projects: Projects = match caller.read("/projects").await {
        Err(failure) if failure.has_status(404) => return Ok((Facts::OLDER, Kind::Older)),
        projects => projects?,
    };
    let projects: Vec<String> = projects.projects.into_iter().map(|project| project.id).collect();
    let facts = match known {
        Some(facts) => facts,
        None => detect_facts(caller).await?,
    };
    if !facts.has_environments {
        return Ok((facts, Kind::Older));
    }
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
    let server = NewerServer {
        version: facts.version.clone(),
        environments: offered.map(|one| ServerEnvironment { name: one.name, kind: one.kind }).collect(),
        environment: fixed.environment.clone(),
        project: fixed.project.clone(),
        projects,
    };
    Ok((facts, Kind::Newer(Arc::new(server))))
}

/// Detects the facts of a server that has the endpoints of environments. A failure is no fact: all users would get the
/// wrong result.
async fn detect_facts(caller: &Caller) -> Result<Facts, Failure> {
    let config: UiConfig = match caller.read("/ui-config").await {
        Err(failure) if failure.is_not_visible() => UiConfig::default(),
        config => config?,
    };
    let has_environments = !config.hides_environments();
    let version = config.into_version();
    if has_environments && version.as_deref().is_some_and(|version| version.starts_with("4.")) {
        return Err(unsupported_version(&version.unwrap_or_default()).into());
    }
    Ok(Facts { version, has_environments })
}

/// Returns true if the server itself responds, and not a sign-in in front of it: the settings of its console have a version.
async fn reports_version(caller: &Caller) -> Result<bool, Failure> {
    let reply = caller.send(Method::GET, "/ui-config", None).await?;
    let config = serde_json::from_slice::<UiConfig>(&reply.body);
    Ok(reply.status.is_success() && config.is_ok_and(|config| config.into_version().is_some()))
}

/// Reads the version; `None` if the server does not report it.
pub(super) async fn read_version(caller: &Caller) -> Result<Option<String>, Failure> {
    match caller.read::<UiConfig>("/ui-config").await {
        Err(failure) if failure.has_status(404) => Ok(None),
        config => Ok(config?.into_version()),
    }
}

/// Returns the names of a project's environments; `None` if the server has no endpoint for them, or the user may not
/// read them.
async fn environments_of(caller: &Caller, project: &str) -> Result<Option<Vec<String>>, Failure> {
    let project = encode(project);
    // 8.2 has only the first path, 5.6 only the second.
    for path in [format!("/projects/{project}/overview"), format!("/projects/{project}")] {
        match caller.read::<ProjectDetails>(&path).await {
            Ok(details) => {
                let name = |one| match one {
                    ProjectEnvironment::Name(name) | ProjectEnvironment::Object { environment: name } => name,
                };
                return Ok(Some(details.environments.into_iter().map(name).collect()));
            }
            Err(failure) if failure.is_not_visible() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(None)
}
