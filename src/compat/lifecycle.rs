//! Marks toggles as stale, and archives them.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;

use super::failure::Failure;
use super::{Call, scope, toggle};
use crate::error::ApiError;

/// The toggles that depend on a toggle. Missing on servers without dependencies.
#[derive(Deserialize)]
struct Dependents {
    #[serde(default)]
    children: Vec<String>,
}

/// Marks a toggle as stale or as active, and responds with its new state.
///
/// # Errors
/// Those of the requests.
pub(super) async fn set_stale(call: &Call, name: &str, is_stale: bool) -> Result<HttpResponse, Failure> {
    let _lock = call.locks.lock(name).await;
    let path = scope::toggle_path(&call.caller, &call.server, name).await?;
    let change = json!([{ "op": "replace", "path": "/stale", "value": is_stale }]);
    call.caller.request(Method::PATCH, &path, Some(&change)).await?;
    toggle::respond(call, name, StatusCode::OK).await
}

/// Archives a toggle.
///
/// # Errors
/// [`ApiError::HasDependents`] if other toggles depend on it; those of the requests.
pub(super) async fn archive(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let _lock = call.locks.lock(name).await;
    let path = scope::toggle_path(&call.caller, &call.server, name).await?;
    match call.caller.request(Method::DELETE, &path, None).await {
        Ok(reply) => Ok(reply.into_response()),
        Err(failure) if failure.is_invalid_operation() => {
            let Dependents { children } = call.caller.read(&path).await?;
            Err(if children.is_empty() {
                failure
            } else {
                ApiError::HasDependents { dependents: children }.into()
            })
        }
        Err(failure) => Err(failure),
    }
}
