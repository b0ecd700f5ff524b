//! The OpenAPI document of the service. A test writes it from the wire types (`model`), the bodies that calls take
//! (`bodies`) and the calls (`operations`), and proves that the committed one is what they say: the binary carries the
//! finished text and no generator.

#[cfg(test)]
mod bodies;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod operations;

use serde_json::{Map, Value, json};

use crate::error::ApiError;

const DOCUMENT: &str = include_str!("openapi/openapi.json");

/// The document of a service below this base path, which is empty or begins with a slash.
///
/// # Errors
/// [`ApiError::Internal`] if the embedded text were no JSON.
pub fn document(base_path: &str) -> Result<Map<String, Value>, ApiError> {
    let mut document: Map<String, Value> = serde_json::from_str(DOCUMENT).map_err(ApiError::internal)?;
    if !base_path.is_empty() {
        document.insert("servers".to_owned(), json!([{ "url": base_path }]));
    }
    Ok(document)
}
