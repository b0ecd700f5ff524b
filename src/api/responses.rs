//! The version of list envelopes, and error bodies.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of all envelopes.
pub const ENVELOPE_VERSION: u32 = 1;

/// Body of an error response. Each server sets some of the fields, some servers none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// Stable error code, set by Flagdeck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Request id for finding the request in logs, set by Flagdeck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Error class, such as `NameExistsError`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Error message on servers that use this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The missing permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<String>,
    /// Validation errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<ErrorDetail>>,
    /// Validation errors on servers that use this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<ErrorDetail>>,
}

/// A validation error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// Error message.
    pub message: String,
    /// Path of the invalid value: property names and list indexes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<Vec<super::PathStep>>"))]
    pub path: Option<Vec<Value>>,
}
