//! Strategies of toggles and their constraints.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An activation strategy of a toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strategy {
    /// Id, on servers that number strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<String>,
    /// Name of a strategy definition, which may not exist on this server.
    pub name: String,
    /// Values of the definition's parameters. All values are strings, also numbers and lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<std::collections::HashMap<String, String>>"))]
    pub parameters: Option<BTreeMap<String, String>>,
    /// Constraints, which must all match.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub constraints: Option<Vec<Constraint>>,
}

/// A condition on a context field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Constraint {
    /// Name of a context field.
    pub context_name: String,
    /// Comparison operator.
    pub operator: ConstraintOperator,
    /// Values to compare with. Servers accept constraints without values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub values: Option<Vec<String>>,
}

/// Comparison operator of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ConstraintOperator {
    /// The field's value is in the list.
    In,
    /// The field's value is not in the list.
    NotIn,
}
