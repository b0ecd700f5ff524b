//! The OpenAPI document of the service. A test generates it from the declared endpoints, their response types (`model`)
//! and their request bodies (`bodies`), and checks that the committed file is up to date. The binary embeds the file.

pub(super) mod bodies;
#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod operation;
pub mod schema;
#[cfg(test)]
mod sdk;

use serde_json::{Map, Value, json};

use crate::error::ApiError;

const DOCUMENT: &str = include_str!("openapi/openapi.json");

/// Returns the document for a base path, which is empty or starts with a slash.
///
/// # Errors
/// [`ApiError::Internal`] if the embedded file is not JSON.
pub fn document(base_path: &str) -> Result<Map<String, Value>, ApiError> {
    let mut document: Map<String, Value> = serde_json::from_str(DOCUMENT).map_err(ApiError::internal)?;
    if !base_path.is_empty() {
        document.insert("servers".to_owned(), json!([{ "url": base_path }]));
    }
    Ok(document)
}
