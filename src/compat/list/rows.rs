//! Converts the toggle list of a project on a newer server into the list of the console. Pure.
//!
//! Newer servers list toggles without their strategies and with one state for each environment. The console shows the
//! state of one environment.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::strategy_index::StrategyIndex;

/// Version of the list envelope.
const VERSION: u32 = 1;

/// The list of a server.
#[derive(Deserialize)]
struct ServerList<'a> {
    #[serde(borrow)]
    features: Vec<ServerRow<'a>>,
}

/// A toggle in the list of a project, or in the archive.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerRow<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    description: Option<Cow<'a, str>>,
    /// Missing in the list of a project, present in the archive.
    #[serde(borrow, default)]
    project: Option<Cow<'a, str>>,
    stale: bool,
    #[serde(borrow)]
    created_at: Cow<'a, str>,
    /// Missing in the lists of 8.2, where each environment has its own.
    #[serde(borrow, default)]
    last_seen_at: Option<Cow<'a, str>>,
    #[serde(default)]
    impression_data: Option<bool>,
    #[serde(borrow, default)]
    environments: Vec<ServerState<'a>>,
    #[serde(borrow, default)]
    tags: Option<&'a RawValue>,
    /// Time of archiving; missing or null for active toggles.
    #[serde(borrow, default)]
    archived_at: Option<Cow<'a, str>>,
}

/// The state of a toggle in one environment.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerState<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    enabled: bool,
    #[serde(default)]
    has_strategies: Option<bool>,
    #[serde(borrow, default)]
    last_seen_at: Option<Cow<'a, str>>,
}

/// The list of the console.
#[derive(Serialize)]
struct ConsoleList<'a> {
    version: u32,
    /// Number of all toggles, if the list does not contain all.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    features: Vec<ConsoleRow<'a>>,
}

/// A toggle in the list of the console.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConsoleRow<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    description: Option<&'a str>,
    project: &'a str,
    enabled: bool,
    stale: bool,
    strategies: Strategies<'a>,
    /// False if the strategies are not known completely: there may be others, and properties may be missing.
    strategies_known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_strategies: Option<bool>,
    variants: [(); 0],
    created_at: &'a str,
    last_seen_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impression_data: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Strategies<'a> {
    Known(&'a RawValue),
    Unknown([(); 0]),
}

/// The toggles that a request selects. The default selects all.
#[derive(Debug, Default)]
pub(in crate::compat) struct Filter {
    /// Tags as `type:value`; a toggle needs one of them. Empty for all toggles.
    pub(in crate::compat) tags: Vec<String>,
    /// Start of the name.
    pub(in crate::compat) name_prefix: String,
    /// Ids of projects; a toggle belongs to one of them. Empty for all toggles.
    pub(in crate::compat) projects: Vec<String>,
}

/// Further sources of a list, besides the responses that list the toggles of each project.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::compat) struct Source<'a> {
    /// The strategies of the toggles, as far as they are known.
    pub(in crate::compat) strategies: Option<&'a StrategyIndex>,
    /// True if these strategies are complete.
    pub(in crate::compat) has_all_strategies: bool,
    /// Number of all toggles, if the lists do not contain all.
    pub(in crate::compat) total: Option<usize>,
}

/// A tag of a toggle.
#[derive(Deserialize)]
struct Tag {
    #[serde(rename = "type")]
    kind: String,
    value: String,
}

/// Converts the lists of projects into the list of the console with the states in `environment`, sorted by name. Each
/// list has the id of its project.
pub(in crate::compat) fn to_console_list(
    lists: &[(&str, Bytes)],
    environment: &str,
    filter: &Filter,
    source: Source<'_>,
) -> Result<Vec<u8>, serde_json::Error> {
    let lists: Vec<(&str, ServerList<'_>)> = lists
        .iter()
        .map(|(project, list)| Ok((*project, serde_json::from_slice(list)?)))
        .collect::<Result<_, serde_json::Error>>()?;
    let rows = lists.iter().flat_map(|(project, list)| list.features.iter().map(move |row| (*project, row)));
    let mut features: Vec<ConsoleRow<'_>> = rows
        .map(|(project, row)| {
            let strategies = source.strategies.and_then(|index| index.get(&row.name));
            let strategies = strategies.map(|strategies| (strategies, source.has_all_strategies));
            to_console_row(row, project, environment, strategies)
        })
        .filter(|row| filter.selects(row))
        .collect();
    features.sort_unstable_by_key(|row| row.name);
    serde_json::to_vec(&ConsoleList { version: VERSION, total: source.total, features })
}

impl Filter {
    /// Returns true if the toggles of a project can match.
    pub(super) fn includes_project(&self, project: &str) -> bool {
        self.projects.is_empty() || self.projects.iter().any(|id| id == project)
    }

    fn selects(&self, row: &ConsoleRow<'_>) -> bool {
        let tags = || {
            let tags = row.tags.map_or("[]", RawValue::get);
            serde_json::from_str::<Option<Vec<Tag>>>(tags).ok().flatten().unwrap_or_default()
        };
        let has_tag = || tags().iter().any(|tag| self.tags.contains(&format!("{}:{}", tag.kind, tag.value)));
        row.name.starts_with(&self.name_prefix)
            && self.includes_project(row.project)
            && (self.tags.is_empty() || has_tag())
    }
}

fn to_console_row<'a>(
    row: &'a ServerRow<'a>,
    project: &'a str,
    environment: &str,
    strategies: Option<(&'a RawValue, bool)>,
) -> ConsoleRow<'a> {
    // A project may not have the environment: the toggle is off there.
    let state = row.environments.iter().find(|state| state.name == environment);
    let last_seen_at = state.and_then(|state| state.last_seen_at.as_deref());
    ConsoleRow {
        name: &row.name,
        kind: &row.kind,
        description: row.description.as_deref(),
        project: row.project.as_deref().unwrap_or(project),
        // The search of 8.2 keeps the states, although an archived toggle is off everywhere.
        enabled: row.archived_at.is_none() && state.is_some_and(|state| state.enabled),
        stale: row.stale,
        strategies: strategies.map_or(Strategies::Unknown([]), |(known, _)| Strategies::Known(known)),
        strategies_known: strategies.is_some_and(|(_, is_complete)| is_complete),
        has_strategies: state.and_then(|state| state.has_strategies),
        variants: [],
        created_at: &row.created_at,
        last_seen_at: last_seen_at.or(row.last_seen_at.as_deref()),
        impression_data: row.impression_data,
        tags: row.tags,
    }
}
