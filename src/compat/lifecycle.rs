//! Marks toggles as stale, and archives them.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::json;

use super::failure::Failure;
use super::{Call, scope, toggle};
use crate::error::{ApiError, DomainError};

/// The toggles that depend on a toggle. Missing on servers without dependencies.
#[derive(Deserialize)]
struct Dependents {
    #[serde(default)]
    children: Vec<String>,
}

/// Marks a toggle as stale or as active, and responds with its new state.
pub(super) async fn set_stale(call: &Call, name: &str, is_stale: bool) -> Result<HttpResponse, Failure> {
    let _lock = call.locks.lock(name).await;
    let change = json!([{ "op": "replace", "path": "/stale", "value": is_stale }]);
    let set = async |path: &str| call.caller.request(Method::PATCH, path, Some(&change)).await;
    scope::with_toggle_path(call, name, set).await?;
    toggle::respond(call, name, StatusCode::OK).await
}

/// Archives a toggle. Fails if other toggles depend on it.
pub(super) async fn archive(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let _lock = call.locks.lock(name).await;
    let archive = async |path: &str| match call.caller.request(Method::DELETE, path, None).await {
        Err(failure) if failure.is_invalid_operation() => {
            let Dependents { children } = call.caller.read(path).await?;
            Err(if children.is_empty() {
                failure
            } else {
                let message = format!(
                    "Other toggles depend on this toggle: {}. Remove the dependencies first",
                    children.join(", ")
                );
                ApiError::from(DomainError::new("has_dependents", StatusCode::FORBIDDEN, message)).into()
            })
        }
        reply => reply,
    };
    Ok(scope::with_toggle_path(call, name, archive).await?.into_response())
}
