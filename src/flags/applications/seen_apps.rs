//! The applications of each toggle: the response of `GET /api/admin/metrics/seen-apps`.
//!
//! The response repeats each application for each toggle that it uses, so its size is limited.

use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

use crate::api::SeenApp;
use crate::database::Transaction;
use crate::error::ApiError;

/// The maximum size of the response in bytes: about 75,000 entries with short names.
pub(in crate::flags) const MAX_BYTES: usize = 16 << 20;

/// The use of a toggle by an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleUse {
    /// The reported name of the toggle.
    pub toggle: String,
    /// The name of the application.
    pub application: String,
    /// Whether a toggle has that name.
    pub exists: bool,
}

/// An application in JSON.
#[derive(Debug)]
struct Entry {
    full: Box<RawValue>,
    /// Without strategies, description and URL.
    short: Box<RawValue>,
}

type Response<'a> = BTreeMap<&'a str, Vec<&'a RawValue>>;

/// Returns the applications that use each toggle as a JSON object: toggle name to list of applications. If it is too
/// large, it has short entries; if it still is, entries are omitted, first for toggles that do not exist.
pub(crate) fn list_json(tx: &Transaction<'_>) -> Result<Vec<u8>, ApiError> {
    let applications = tx.list_applications(None)?;
    let entries =
        applications.into_iter().map(to_entry).collect::<Result<_, _>>().map_err(ApiError::internal)?;
    let uses = tx.list_toggle_uses()?;
    let response = build_response(&entries, &uses, MAX_BYTES);
    serde_json::to_vec(&response).map_err(ApiError::internal)
}

fn to_entry(application: SeenApp) -> Result<(String, Entry), serde_json::Error> {
    let full = to_raw_value(&application)?;
    let name = application.app_name.clone();
    let short = SeenApp { strategies: Vec::new(), description: None, url: None, ..application };
    Ok((name, Entry { full, short: to_raw_value(&short)? }))
}

/// Builds the response with at most `limit` bytes. `uses` must be sorted by toggle.
fn build_response<'a>(
    entries: &'a BTreeMap<String, Entry>,
    uses: &'a [ToggleUse],
    limit: usize,
) -> Response<'a> {
    let known = || uses.iter().filter_map(|used| Some((used, entries.get(&used.application)?)));
    let full = || known().map(|(used, entry)| (used.toggle.as_str(), &*entry.full));
    if full().map(|(toggle, json)| size(toggle, json)).sum::<usize>() <= limit {
        return collect(full());
    }
    // Ranked, so that each toggle keeps some of its applications.
    let mut ranked = Vec::new();
    let (mut rank, mut last) = (0_u32, "");
    for (used, entry) in known() {
        rank = if used.toggle == last { rank + 1 } else { 0 };
        last = &used.toggle;
        ranked.push((!used.exists, rank, last, &*entry.short));
    }
    ranked.sort_by_key(|(is_missing, rank, _, _)| (*is_missing, *rank));
    let mut left = limit;
    collect(ranked.into_iter().map_while(|(_, _, toggle, json)| {
        left = left.checked_sub(size(toggle, json))?;
        Some((toggle, json))
    }))
}

fn collect<'a>(entries: impl Iterator<Item = (&'a str, &'a RawValue)>) -> Response<'a> {
    let mut response = Response::new();
    for (toggle, json) in entries {
        response.entry(toggle).or_default().push(json);
    }
    response
}

/// Returns an upper bound of an entry's size in bytes: it counts the toggle name for each entry.
fn size(toggle: &str, json: &RawValue) -> usize {
    toggle.len() + json.get().len() + r#""":[],"#.len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{Entry, ToggleUse, build_response, to_entry};
    use crate::api::SeenApp;

    fn entries(names: &[&str]) -> BTreeMap<String, Entry> {
        let application = |name: &&str| SeenApp {
            app_name: (*name).to_owned(),
            created_at: "2026-01-01T00:00:00.000Z".to_owned(),
            updated_at: "2026-01-01T00:00:00.000Z".to_owned(),
            description: Some("d".repeat(100)),
            strategies: vec!["default".to_owned(); 100],
            created_by: "127.0.0.1".to_owned(),
            url: None,
            color: None,
            icon: None,
        };
        names.iter().map(|name| to_entry(application(name)).unwrap()).collect()
    }

    fn used(toggle: &str, application: &str, exists: bool) -> ToggleUse {
        ToggleUse { toggle: toggle.to_owned(), application: application.to_owned(), exists }
    }

    /// Returns the names of the applications by toggle, and whether the entries are short.
    fn summary(entries: &BTreeMap<String, Entry>, uses: &[ToggleUse], limit: usize) -> (Value, bool) {
        let response = serde_json::to_vec(&build_response(entries, uses, limit)).unwrap();
        assert!(response.len() <= limit + 2, "{} bytes", response.len());
        let response: BTreeMap<String, Vec<SeenApp>> = serde_json::from_slice(&response).unwrap();
        let is_short = response.values().flatten().all(|application| application.strategies.is_empty());
        let names = response.iter().map(|(toggle, applications)| {
            let names: Vec<_> = applications.iter().map(|application| &application.app_name).collect();
            (toggle.clone(), json!(names))
        });
        (names.collect(), is_short)
    }

    #[test]
    fn large_response_is_shortened() {
        let entries = entries(&["a", "b", "c"]);
        let uses = [
            used("missing", "a", false),
            used("one", "a", true),
            used("one", "b", true),
            used("one", "c", true),
            used("two", "c", true),
            used("two", "gone", true),
        ];
        let all = json!({ "missing": ["a"], "one": ["a", "b", "c"], "two": ["c"] });
        let (full, short) = (entries["a"].full.get().len() + 20, entries["a"].short.get().len() + 20);
        assert_eq!(summary(&entries, &uses, 5 * full), (all.clone(), false));
        assert_eq!(summary(&entries, &uses, 5 * full - 200), (all, true));
        // With one entry less, unknown toggles are omitted first, then the last applications of the largest list.
        let existing = json!({ "one": ["a", "b", "c"], "two": ["c"] });
        assert_eq!(summary(&entries, &uses, 4 * short), (existing, true));
        let each = json!({ "one": ["a", "b"], "two": ["c"] });
        assert_eq!(summary(&entries, &uses, 3 * short), (each, true));
        assert_eq!(summary(&entries, &uses, 2 * short).0, json!({ "one": ["a"], "two": ["c"] }));
        assert_eq!(summary(&entries, &uses, 0).0, json!({}));
    }
}
