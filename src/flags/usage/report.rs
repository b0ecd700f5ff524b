//! Validated reports of SDKs.

use std::collections::BTreeMap;

use crate::api::{ClientApi, Counts};

/// The maximum number of strategies of an application.
pub const MAX_APPLICATION_STRATEGIES: usize = 200;

/// The registration that an SDK sends when an instance of an application starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The name of the application: free text.
    pub app_name: String,
    /// The id of the instance, unique within the application.
    pub instance_id: String,
    /// The name and version of the SDK.
    pub sdk_version: Option<String>,
    /// The names of the strategies that it implements.
    pub strategies: Vec<String>,
    /// The API that received the registration.
    pub api: ClientApi,
}

/// The number of evaluations of toggles by an instance since its last report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageReport {
    /// The name of the application: free text.
    pub app_name: String,
    /// The id of the instance, unique within the application.
    pub instance_id: String,
    /// Counts by toggle name.
    pub toggles: BTreeMap<String, Counts>,
    /// The API that received the report.
    pub api: ClientApi,
}

/// Registrations and counts of several applications in one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BulkReport {
    /// Instances of applications.
    pub registrations: Vec<Registration>,
    /// Counts, one report for each application.
    pub reports: Vec<UsageReport>,
}
