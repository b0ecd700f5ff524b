//! Converts the counts of a newer server into the format of the console. Pure.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::HourlyCounts;
use crate::api::Counts;

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    features: Vec<Toggle<'a>>,
}

#[derive(Deserialize)]
struct Toggle<'a> {
    name: String,
    #[serde(borrow)]
    environments: Vec<Environment<'a>>,
}

/// The counts of the last hour in one environment.
#[derive(Deserialize)]
struct Environment<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(default)]
    yes: u64,
    #[serde(default)]
    no: u64,
}

/// Returns the counts in one environment from the pages of a search, also of unused toggles.
pub(super) fn of_pages(
    pages: &[impl AsRef<[u8]>],
    environment: &str,
) -> Result<HourlyCounts, serde_json::Error> {
    let mut all = HourlyCounts::new();
    for page in pages {
        let Page { features } = serde_json::from_slice(page.as_ref())?;
        for Toggle { name, environments } in features {
            let state = environments.iter().find(|state| state.name == environment);
            all.insert(name, state.map(|state| Counts { yes: state.yes, no: state.no }).unwrap_or_default());
        }
    }
    Ok(all)
}

/// The list of a project on 4.19.
#[derive(Deserialize)]
struct List {
    features: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    #[serde(default)]
    last_seen_at: Option<Timestamp>,
}

/// Returns the names of the toggles in a list that were used since `start`.
pub(super) fn seen_since(list: &[u8], start: Timestamp) -> Result<Vec<String>, serde_json::Error> {
    let List { features } = serde_json::from_slice(list)?;
    let is_seen = |row: &Row| row.last_seen_at.is_some_and(|time| time >= start);
    Ok(features.into_iter().filter(is_seen).map(|row| row.name).collect())
}

/// The counts of one toggle.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    last_hour_usage: Vec<EnvironmentUsage>,
}

/// The counts of one toggle in one environment and one hour.
#[derive(Deserialize)]
struct EnvironmentUsage {
    environment: String,
    yes: u64,
    no: u64,
}

/// Returns the counts of one toggle in one environment; `None` if there are none.
pub(super) fn of_toggle(usage: &[u8], environment: &str) -> Result<Option<Counts>, serde_json::Error> {
    let Usage { last_hour_usage } = serde_json::from_slice(usage)?;
    let selected = last_hour_usage.iter().filter(|usage| usage.environment == environment);
    let sum = |sum: Option<Counts>, usage: &EnvironmentUsage| {
        let Counts { yes, no } = sum.unwrap_or(Counts { yes: 0, no: 0 });
        Some(Counts { yes: yes.saturating_add(usage.yes), no: no.saturating_add(usage.no) })
    };
    Ok(selected.fold(None, sum))
}

/// Removes the counts of other environments from the history of a toggle.
pub(super) fn select_environment(history: &mut Value, environment: &str) {
    if let Some(data) = history.get_mut("data").and_then(Value::as_array_mut) {
        data.retain(|counts| counts.get("environment").is_none_or(|name| name == environment));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{of_pages, select_environment};

    fn toggle(name: &str, counts: [(&str, u64, u64); 2]) -> Value {
        let counts =
            counts.map(|(name, yes, no)| json!({ "name": name, "enabled": true, "yes": yes, "no": no }));
        json!({ "name": name, "type": "release", "environments": counts })
    }

    #[test]
    fn returns_the_counts_of_the_selected_environment() {
        let pages = [
            json!({ "total": 3, "features": [
                toggle("one", [("development", 30, 10), ("production", 0, 0)]),
                toggle("two", [("development", 0, 0), ("production", 0, 4)]),
            ] }),
            json!({ "total": 3, "features": [{ "name": "three", "environments": [{ "name": "development" }] }] }),
        ]
        .map(|page| page.to_string());
        for (environment, expected) in [
            ("development", [(30, 10), (0, 0), (0, 0)]),
            ("production", [(0, 0), (0, 0), (0, 4)]),
            ("staging", [(0, 0); 3]),
        ] {
            let counts = of_pages(&pages, environment).unwrap();
            let found: Vec<_> = counts.iter().map(|(name, one)| (name.as_str(), (one.yes, one.no))).collect();
            assert!(found.into_iter().eq(["one", "three", "two"].into_iter().zip(expected)), "{environment}");
        }
        assert!(of_pages(&["{}"], "development").is_err());
    }

    #[test]
    fn removes_other_environments_from_the_history() {
        let counts = |environment: &str| json!({ "featureName": "one", "environment": environment, "yes": 1, "no": 0 });
        let mut history = json!({ "version": 1, "data": [counts("development"), counts("production")] });
        select_environment(&mut history, "production");
        assert_eq!(history, json!({ "version": 1, "data": [counts("production")] }));
    }
}
