//! An application that reported, with all that is known about it.

use serde::{Deserialize, Serialize};

use super::{StrategyDefinition, Toggle};

/// The answer of `GET api/admin/metrics/applications/{appName}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// Free text.
    pub app_name: String,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// Free text.
    pub description: Option<String>,
    /// Where it runs or is described; not to be trusted.
    pub url: Option<String>,
    /// Never set; servers of this API have it.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
    /// Those that it implements.
    pub strategies: Vec<Known<StrategyDefinition>>,
    /// Those that were heard of lately.
    pub instances: Vec<Instance>,
    /// Those that it asked for.
    pub seen_toggles: Vec<Known<Toggle>>,
    /// Where the old console shows it.
    pub links: ApplicationLinks,
}

/// Something that an application named, which may not exist here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "{T}OrMissing"))]
#[serde(untagged)]
pub enum Known<T> {
    /// It exists.
    Found(T),
    /// It does not.
    Missing(Missing),
}

/// A name that nothing here has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Missing {
    /// As the application named it.
    pub name: String,
    /// Always true.
    pub not_found: bool,
}

/// A running copy of an application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    /// Free text.
    pub app_name: String,
    /// What it calls itself.
    pub instance_id: String,
    /// Name and version of its client library.
    pub sdk_version: Option<String>,
    /// Where its last report came from.
    pub client_ip: String,
    /// RFC 3339, UTC.
    pub last_seen: String,
    /// RFC 3339, UTC.
    pub created_at: String,
}

/// Addresses below the console's base path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ApplicationLinks {
    /// Its page.
    #[serde(rename = "self")]
    pub page: String,
}

impl<T> Known<T> {
    /// What was found under a name, or the name alone.
    pub fn or_missing(found: Option<T>, name: String) -> Self {
        found.map_or(Self::Missing(Missing { name, not_found: true }), Self::Found)
    }
}
