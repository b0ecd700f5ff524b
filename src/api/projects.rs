//! Projects.

use serde::{Deserialize, Serialize};

/// A project: a group of toggles. Servers may return more fields, which the console does not use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Id, which a toggle's `project` contains.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// Creation time: RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
}

/// Response of `GET api/admin/projects`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProjectsResponse {
    /// Version of the envelope.
    pub version: u32,
    /// All projects.
    pub projects: Vec<Project>,
}
