//! Response types of the console's endpoints below `/-/`. Several modules return them.

use serde::{Deserialize, Serialize};

/// Response of `GET /-/settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    /// Backend of the API.
    pub mode: Mode,
    /// Host and port of the upstream flag service; null for the embedded one.
    pub upstream: Option<String>,
    /// Path below which the flag service is: the path of the upstream's URL, such as `/unleash`, or the base path of the
    /// embedded service. Addresses in its responses begin with it.
    pub mount_path: String,
    /// Version of Flagdeck.
    pub version: String,
    /// True if users can sign out.
    pub sign_out: bool,
    /// True if all changes are refused, whatever permissions the user has.
    pub read_only: bool,
    /// True if switching a toggle requires confirmation.
    pub confirm_writes: bool,
    /// Additional origins from which images of users are loaded.
    pub image_origins: Vec<String>,
    /// Name of this deployment; null if the operator has not set one.
    pub environment: Option<Environment>,
    /// The upstream, if it is a server with environments (Unleash 4.19 to 8.2); null for others, for the embedded
    /// service, and if the user cannot read its environments, for example before signing in.
    pub server: Option<NewerServer>,
    /// True if SDKs get toggles from the replica of this program.
    pub replica: bool,
    /// True if this program itself serves the browser API, with its own frontend tokens; false if it forwards the API.
    pub serves_browsers: bool,
    /// True if this program serves OpenFeature clients.
    pub serves_open_feature: bool,
    /// Database that several instances of this program share; null for a database of this instance alone.
    pub shared_database: Option<SharedDatabase>,
}

/// A database that several instances of this program share, and the instance that responds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SharedDatabase {
    /// Name of the database engine.
    pub engine: String,
    /// Random id of the instance, which its log contains at the start.
    pub instance: String,
}

/// Response of `GET /-/replica`: state of the copies that SDKs use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReplicaSummary {
    /// Number of copies in memory, one for each token and query.
    pub copies: u32,
    /// Number of instances of applications that have requested toggles in the last minutes.
    pub instances: u32,
    /// True if there are more instances than are counted.
    pub has_more_instances: bool,
    /// Time when the flag service has last confirmed the oldest copy; null without copies.
    pub confirmed_at: Option<String>,
    /// Seconds since then.
    pub age: u32,
    /// Time since which the flag service does not respond; null if it responds.
    pub failing_since: Option<String>,
}

/// Response of `DELETE /-/replica`, and of `DELETE /replica` of the listener for monitoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Purged {
    /// Number of removed copies.
    pub copies: u32,
}

/// A flag service with projects and environments (Unleash 4.19 to 8.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NewerServer {
    /// Version; null if the server does not report it.
    pub version: Option<String>,
    /// Environments that can be selected, in the server's order.
    pub environments: Vec<ServerEnvironment>,
    /// Environment that the operator has selected for all users; null if users select it.
    pub environment: Option<String>,
    /// Project that the operator has selected for all users; null for all projects.
    pub project: Option<String>,
    /// Ids of the projects.
    pub projects: Vec<String>,
    /// True if the server stores titles of strategies and can disable single strategies (from 5).
    pub strategy_titles: bool,
    /// True if a revived toggle is off in every environment (from 5). Otherwise it has its previous state.
    pub revive_stays_off: bool,
    /// Names of the environments whose usage of the last minute is known: SDKs report it through this process. It contains
    /// no other reports. The server counts the usage of the last hour.
    pub minute_counts: Vec<String>,
}

impl NewerServer {
    /// Returns the names of the environments as a list in a sentence.
    #[must_use]
    pub fn environment_names(&self) -> String {
        let names: Vec<_> = self.environments.iter().map(|environment| environment.name.as_str()).collect();
        names.join(", ")
    }

    /// Returns the first number of the version; 0 if it is unknown.
    #[must_use]
    pub fn major_version(&self) -> u32 {
        let version = self.version.as_deref().unwrap_or_default();
        version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default()
    }

    /// Returns a sentence for each setting that names a missing item.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(name) = &self.environment
            && self.environments.iter().all(|environment| environment.name != *name)
        {
            let offered = self.environment_names();
            faults.push(format!(
                "upstream-environment: the flag service has no enabled environment {name:?}; it has {offered}"
            ));
        }
        if let Some(id) = &self.project
            && !self.projects.contains(id)
        {
            let offered = self.projects.join(", ");
            faults
                .push(format!("upstream-project: the flag service has no project {id:?}; it has {offered}"));
        }
        faults
    }
}

/// An environment of a flag service, with its own state of each toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ServerEnvironment {
    /// The name.
    pub name: String,
    /// Type, such as `development` or `production`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Name and colours of a deployment. Colours are in CSS notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The name.
    pub label: String,
    /// Background colour.
    pub colour: String,
    /// Text colour that is readable on the background.
    pub text_colour: String,
}

/// Backend of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The embedded flag service.
    Embedded,
    /// An upstream flag service.
    Upstream,
}

/// Response of `POST /-/logout`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoggedOut {
    /// URL on another origin to which the flag service redirects after the sign-out.
    pub location: Option<String>,
}

/// Response of `POST /-/examples`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExamplesLoaded {
    /// Number of created toggles. Existing toggles are not changed.
    pub created: usize,
}
