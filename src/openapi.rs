//! The OpenAPI document of the flag service and of the evaluation APIs. A test generates it from the declared endpoints, their
//! response types (`api`) and their request bodies (`bodies` of each noun), and checks that the committed file is up to date.
//! The binary embeds the file.

#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod sdk;

use actix_web::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};

use crate::error::ApiError;

/// Path of the document below the base path.
const PATH: &str = "/-/openapi.json";

const DOCUMENT: &str = include_str!("openapi/openapi.json");

/// Returns the document, with the base path of the request as its server URL.
///
/// # Errors
/// [`ApiError::Internal`] if the embedded document is not JSON.
pub(crate) async fn show(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let base_path = request.path().strip_suffix(PATH).unwrap_or_default();
    Ok(HttpResponse::Ok().json(document(base_path)?))
}

/// Returns the document for a base path, which is empty or starts with a slash.
fn document(base_path: &str) -> Result<Map<String, Value>, ApiError> {
    let mut document: Map<String, Value> = serde_json::from_str(DOCUMENT).map_err(ApiError::internal)?;
    if !base_path.is_empty() {
        document.insert("servers".to_owned(), json!([{ "url": base_path }]));
    }
    Ok(document)
}
