//! An application that uses toggles, with its instances and everything it reported.

use serde::{Deserialize, Serialize};

use super::{StrategyDefinition, Toggle};

/// Response of `GET api/admin/metrics/applications/{appName}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// Name of the application.
    pub app_name: String,
    /// Time of the first report: RFC 3339, UTC.
    pub created_at: String,
    /// Free text.
    pub description: Option<String>,
    /// URL of the application or its description. Untrusted.
    pub url: Option<String>,
    /// Never set; other servers return it.
    pub color: Option<String>,
    /// Icon name.
    pub icon: Option<String>,
    /// Strategies that it implements.
    pub strategies: Vec<MaybeMissing<StrategyDefinition>>,
    /// Instances that reported recently.
    pub instances: Vec<Instance>,
    /// Toggles that it uses.
    pub seen_toggles: Vec<MaybeMissing<Toggle>>,
    /// Links for the old Unleash console.
    pub links: ApplicationLinks,
}

/// An item that an application named, which may not exist on this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "{T}OrMissing"))]
#[serde(untagged)]
pub enum MaybeMissing<T> {
    /// The item exists.
    Found(T),
    /// The item does not exist.
    Missing(MissingItem),
}

/// A reference to an item that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MissingItem {
    /// Name that the application sent.
    pub name: String,
    /// Always true.
    pub not_found: bool,
}

/// A running instance of an application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    /// Name of the application.
    pub app_name: String,
    /// Id that the instance chose.
    pub instance_id: String,
    /// Name and version of its client library.
    pub sdk_version: Option<String>,
    /// IP address of its last report.
    pub client_ip: String,
    /// API that it uses; null if it is not known.
    pub api: Option<ClientApi>,
    /// Time of the last report: RFC 3339, UTC.
    pub last_seen: String,
    /// Time of the first report: RFC 3339, UTC.
    pub created_at: String,
}

/// An API that applications use. OpenFeature clients are not recorded, because they send no reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClientApi {
    /// The API of servers, which read definitions.
    Server,
    /// The API of servers, with an event stream instead of polling.
    Streaming,
    /// The API of browsers and phones, which receive results.
    Browser,
}

/// Paths below the console's base path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApplicationLinks {
    /// Path of its page.
    #[serde(rename = "self")]
    pub page: String,
}

impl ClientApi {
    /// Returns the stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Streaming => "streaming",
            Self::Browser => "browser",
        }
    }

    /// Returns the API of an instance after a later report. Instances with a stream send their reports to the API of servers.
    #[must_use]
    pub fn followed_by(self, later: Self) -> Self {
        if (self, later) == (Self::Streaming, Self::Server) { self } else { later }
    }

    /// Returns the API with a stored name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Server, Self::Streaming, Self::Browser].into_iter().find(|api| api.as_str() == name)
    }
}

impl<T> MaybeMissing<T> {
    /// Returns the item, or a reference with its name if it does not exist.
    pub fn or_missing(found: Option<T>, name: String) -> Self {
        found.map_or(Self::Missing(MissingItem { name, not_found: true }), Self::Found)
    }
}

/// An application in the lists of `GET api/admin/metrics/seen-apps` (by toggle name) and `GET
/// api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeenApp {
    /// Name of the application.
    pub app_name: String,
    /// Time of the first report: RFC 3339, UTC.
    pub created_at: String,
    /// Time of the last report: RFC 3339, UTC.
    pub updated_at: String,
    /// Free text.
    pub description: Option<String>,
    /// Names of the strategies that it implements.
    pub strategies: Vec<String>,
    /// IP address of the first report.
    pub created_by: String,
    /// URL of the application or its description. Untrusted.
    pub url: Option<String>,
    /// Never set; other servers return it.
    pub color: Option<String>,
    /// Icon name.
    pub icon: Option<String>,
}

/// Response of `GET api/admin/metrics/applications`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApplicationsResponse {
    /// Applications, sorted by name.
    pub applications: Vec<SeenApp>,
}

/// An application in the response of `GET api/admin/metrics/seen-toggles`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationToggles {
    /// Name of the application.
    pub app_name: String,
    /// Names of the toggles that it evaluates, including names that do not exist.
    pub seen_toggles: Vec<String>,
    /// Number of its evaluations in the last days.
    pub metrics_count: u64,
}
