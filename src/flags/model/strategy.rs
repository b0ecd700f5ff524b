//! A strategy on a toggle, and the constraints that narrow it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One way to decide who gets a feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Strategy {
    /// Given by servers that number strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<String>,
    /// The name of a strategy definition; it may name one that the server does not have.
    pub name: String,
    /// What the definition asks for; values are text on the wire, also numbers and lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<std::collections::HashMap<String, String>>"))]
    pub parameters: Option<BTreeMap<String, String>>,
    /// All of them must hold before the strategy counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub constraints: Option<Vec<Constraint>>,
}

/// A condition on one context field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Constraint {
    /// The name of a context field.
    pub context_name: String,
    /// How the field's value is compared.
    pub operator: ConstraintOperator,
    /// What it is compared with. Servers accept constraints without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub values: Option<Vec<String>>,
}

/// How a constraint compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ConstraintOperator {
    /// The value is one of those listed.
    In,
    /// The value is none of those listed.
    NotIn,
}
