//! Dependencies of toggles on other toggles.

use serde::{Deserialize, Serialize};

/// A condition on another toggle, the parent. A toggle is off if one of its conditions does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dependency {
    /// Name of the parent, which has no dependencies itself.
    pub feature: String,
    /// Whether the parent must be on or off. Default: on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub enabled: Option<bool>,
    /// Variants of which the parent must have one. Default: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub variants: Option<Vec<String>>,
}
