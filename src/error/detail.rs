//! The details of a failed validation.

use serde::Serialize;
use serde_json::Value;

/// A violated validation rule, in the format that consoles of this API read (`details[0].message`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// The field and the violation, as a sentence.
    pub message: String,
    /// Location of the value: property names and array indexes.
    pub path: Vec<Value>,
    /// Name of the rule, such as `string.max`.
    #[serde(rename = "type")]
    pub rule: String,
}
