//! One toggle with its state in the selected environment.

mod state;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ETAG, EntityTag, TryIntoHeaderValue as _};
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::{Call, encode, json as json_response, scope};
use crate::error::ApiError;
use crate::negotiation::strong_entity_tag;

/// A toggle in the format of the console.
pub(super) type Toggle = Map<String, Value>;

/// The properties that the entity tag covers: those that a save can change.
const EDITABLE: [&str; 8] =
    ["description", "type", "stale", "impressionData", "enabled", "strategies", "variants", "dependencies"];

/// Responds with the toggle as it is stored now. The strong entity tag covers its editable properties, for `If-Match`.
/// There is no 304, because other parts of the response change without it.
pub(super) async fn respond(call: &Call, name: &str, status: StatusCode) -> Result<HttpResponse, Failure> {
    let (_, toggle) = fetch(call, name).await?;
    let mut response = json_response(status, serde_json::to_vec(&toggle).map_err(ApiError::internal)?);
    let tag = tag_of(&toggle)?.try_into_value().map_err(ApiError::internal)?;
    response.headers_mut().insert(ETAG, tag);
    Ok(response)
}

/// Reads a toggle. Returns its path on the server, and the toggle in the format of the console.
pub(super) async fn fetch(call: &Call, name: &str) -> Result<(String, Toggle), Failure> {
    let environment = call.environment()?;
    let read = async |path: &str| {
        let toggle: Toggle = call.caller.read(path).await?;
        Ok::<_, Failure>((path.to_owned(), toggle))
    };
    let (path, toggle) = scope::with_toggle_path(call, name, read).await?;
    let variants = variants_of(call, &path, environment, &toggle).await?;
    let converted = state::to_console_toggle(toggle, environment, variants).ok_or_else(|| {
        ApiError::NotFound(format!("The toggle {name:?} does not exist in the environment {environment:?}"))
    })?;
    Ok((path, converted))
}

/// Reads the variants in an environment if the toggle does not contain them (8.2).
async fn variants_of(
    call: &Call,
    path: &str,
    environment: &str,
    toggle: &Toggle,
) -> Result<Option<Vec<Value>>, Failure> {
    let is_included =
        |state: &Value| state.get("name") == Some(&json!(environment)) && state.get("variants").is_some();
    let states = toggle.get("environments").and_then(Value::as_array);
    if states.is_some_and(|states| states.iter().any(is_included)) {
        return Ok(None);
    }
    let path = format!("{path}/environments/{}/variants", encode(environment));
    match call.caller.read::<Toggle>(&path).await {
        Ok(mut response) => match response.remove("variants") {
            Some(Value::Array(variants)) => Ok(Some(variants)),
            _ => Ok(None),
        },
        Err(failure) if failure.has_status(404) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Returns the entity tag of the editable properties.
pub(super) fn tag_of(toggle: &Toggle) -> Result<EntityTag, ApiError> {
    let editable: Vec<_> = EDITABLE.iter().map(|key| toggle.get(*key)).collect();
    Ok(strong_entity_tag(&serde_json::to_vec(&editable).map_err(ApiError::internal)?))
}
