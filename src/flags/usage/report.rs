//! What instances send, once the rules have read it.

use std::collections::BTreeMap;

use crate::flags::model::Counts;

/// The maximum number of strategies of an application.
pub const MAX_APPLICATION_STRATEGIES: usize = 200;

/// An instance of an application started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Free text.
    pub app_name: String,
    /// Tells the instances of an application apart.
    pub instance_id: String,
    /// Name and version of its client library.
    pub sdk_version: Option<String>,
    /// The names of the strategies that it implements.
    pub strategies: Vec<String>,
}

/// How often an instance asked for toggles since it last said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Free text.
    pub app_name: String,
    /// Tells the instances of an application apart.
    pub instance_id: String,
    /// By toggle name.
    pub toggles: BTreeMap<String, Counts>,
}
