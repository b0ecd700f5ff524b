//! Converts the counts of a newer server into the format of the console. Pure.

use std::borrow::Cow;

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

/// Returns the counts of used toggles in one environment from the pages of a search.
pub(super) fn of_pages(
    pages: &[impl AsRef<[u8]>],
    environment: &str,
) -> Result<HourlyCounts, serde_json::Error> {
    let mut all = HourlyCounts::new();
    for page in pages {
        let Page { features } = serde_json::from_slice(page.as_ref())?;
        for Toggle { name, environments } in features {
            let state = environments.iter().find(|state| state.name == environment);
            let counts = state.map(|state| Counts { yes: state.yes, no: state.no });
            all.extend(counts.filter(is_used).map(|counts| (name, counts)));
        }
    }
    Ok(all)
}

fn is_used(counts: &Counts) -> bool {
    counts.yes.saturating_add(counts.no) > 0
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
            ("development", json!({ "one": { "yes": 30, "no": 10 } })),
            ("production", json!({ "two": { "yes": 0, "no": 4 } })),
            ("staging", json!({})),
        ] {
            let counts = of_pages(&pages, environment).unwrap();
            assert_eq!(json!(counts), expected, "{environment}");
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
