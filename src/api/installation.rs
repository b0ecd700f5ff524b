//! Name, version and appearance of a server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Name, version and appearance of a server. Servers return the fields that they know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UiConfig {
    /// Name of the product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A line below the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slogan: Option<String>,
    /// Name of the installation, such as `production`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Version of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Current and latest version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_info: Option<VersionInfo>,
    /// Links for the console to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<Link>>,
    /// Background colour of the console's header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_background: Option<String>,
}

/// The current and the latest version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionInfo {
    /// Current version.
    pub current: Versions,
    /// Latest version; empty if the server does not check for updates.
    pub latest: Versions,
    /// True if the current version is the latest. Missing if the server does not check for updates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_latest: Option<bool>,
    /// UUID of the installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<String>,
}

/// Version numbers by edition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// Open-source edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oss: Option<String>,
    /// Enterprise edition; empty on open-source servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enterprise: Option<String>,
}

/// A link for the console to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Text of the link.
    pub value: String,
    /// Icon name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub icon: Option<String>,
    /// URL. Untrusted.
    pub href: String,
    /// Tooltip.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(extend("x-may-be" = "null")))]
    pub title: Option<String>,
}

/// Response of `GET api/admin` and `GET api/client`: the resources of a part of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApiPartIndex {
    /// Version of the part, as in Unleash 3.
    pub version: u32,
    /// The resources by name.
    pub links: BTreeMap<&'static str, ApiLink>,
}

/// A resource of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApiLink {
    /// Path of the resource.
    pub uri: &'static str,
}
