//! Saves a toggle: one request of the console becomes several of the server.

mod copy;
mod plan;
mod run;
pub(super) mod strategies;

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::failure::{Failure, toggle_changed, unsupported};
use super::toggle::{self, Toggle};
use super::{Call, encode, scope};
use crate::compat::confirmation::Confirmation;
use crate::config::DEFAULT_PROJECT;
use crate::error::ApiError;
use crate::negotiation::{if_match, matches_strong_tag};

/// The properties with which a toggle is created. Servers ignore its state in the environments.
const CREATED: [&str; 5] = ["name", "type", "description", "impressionData", "stale"];

/// Saves a toggle, and responds with its new state.
pub(super) async fn update(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let desired = body(call)?;
    let _lock = call.locks.lock(name).await;
    let (path, current) = toggle::fetch(call, name).await?;
    check_unchanged(call, &current)?;
    let project = desired.get("project").filter(|project| !project.is_null());
    if project.is_some() && project != current.get("project") {
        let reason = "Moving toggles between projects requires Unleash Enterprise.";
        return Err(unsupported(reason).into());
    }
    let plan = plan::plan(&current, desired)?;
    plan.question.map_or(Ok(()), |question| call.confirm(question))?;
    run::run(call, name, &path, &plan.steps, 0).await?;
    toggle::respond(call, name, StatusCode::OK).await
}

/// Creates a toggle, and responds with its state. The query parameter `copyOf` names the toggle of which it is a copy.
pub(super) async fn create(call: &Call) -> Result<HttpResponse, Failure> {
    let desired = body(call)?;
    let Some(name) = desired.get("name").and_then(Value::as_str) else {
        return Err(ApiError::invalid("name", "\"name\" is required".to_owned()).into());
    };
    call.environment()?;
    let _lock = call.locks.lock(name).await;
    if let Some(source) = call.query("copyOf")
        && let Some(copied) = copy::copy(call, &source, name, desired).await?
    {
        return Ok(copied);
    }
    let mut created = desired.clone();
    created.insert("enabled".to_owned(), json!(false));
    for key in ["strategies", "variants", "dependencies"] {
        created.insert(key.to_owned(), json!([]));
    }
    let plan = plan::plan(&created, desired)?;
    plan.question.map_or(Ok(()), |question| call.confirm(question))?;
    // The server would refuse the variants only after it has created the toggle.
    let has_variants = plan.steps.iter().any(|step| matches!(step, plan::Step::Variants(_)));
    if has_variants {
        call.confirm(Confirmation::DeprecatedVariants)?;
    }
    created.retain(|key, value| CREATED.contains(&key.as_str()) && !value.is_null());
    let toggles = format!("/projects/{}/features", encode(&project_of(call, desired)?));
    call.caller.request(Method::POST, &toggles, Some(&Value::Object(created))).await?;
    let path = format!("{toggles}/{}", encode(name));
    run::run(call, name, &path, &plan.steps, 1).await?;
    toggle::respond(call, name, StatusCode::CREATED).await
}

/// Returns the toggle in the body of the request.
fn body(call: &Call) -> Result<&Toggle, ApiError> {
    call.body.as_object().ok_or_else(|| ApiError::BadBody("The request body is not a toggle".to_owned()))
}

/// Returns the project of a new toggle: the project in the request, or else the first one.
fn project_of(call: &Call, desired: &Toggle) -> Result<String, ApiError> {
    let offered = scope::projects(&call.server);
    match desired.get("project").and_then(Value::as_str) {
        None => Ok(offered.first().copied().unwrap_or(DEFAULT_PROJECT).to_owned()),
        Some(project) if offered.contains(&project) => Ok(project.to_owned()),
        Some(project) => Err(ApiError::invalid("project", format!("The project {project:?} does not exist"))),
    }
}

/// Checks the condition `If-Match`
/// ([RFC 9110, section 13.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1)).
fn check_unchanged(call: &Call, current: &Toggle) -> Result<(), ApiError> {
    let Some(condition) = if_match(&call.request) else { return Ok(()) };
    if matches_strong_tag(&condition, &toggle::tag_of(current)?) { Ok(()) } else { Err(toggle_changed()) }
}
