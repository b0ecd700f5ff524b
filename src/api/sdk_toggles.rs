//! The toggles that SDKs get from this program.

use serde::Serialize;
use serde_json::value::RawValue;

/// Response of `GET /-/sdk-toggles`: the toggles that SDKs with tokens of an environment get from this program, without its holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SdkToggles {
    /// The environment of the tokens; null if their server has none.
    pub environment: Option<String>,
    /// All environments of tokens, sorted by name.
    pub environments: Vec<String>,
    /// Toggles as SDKs get them, sorted by name.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    pub features: Vec<Box<RawValue>>,
    /// Segments as SDKs get them.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    pub segments: Vec<Box<RawValue>>,
}
