//! Properties that each version of the server stores as given, or refuses, drops or changes. `storage.json` contains what the servers do;
//! `frontend/e2e/files-storage.spec.ts` compares it with them.

use std::collections::{BTreeMap, BTreeSet};

use flagdeck::api::{ItemList, PlannedServer};
use flagdeck::files::checks::PlanChecks;
use flagdeck::files::document::Document;
use flagdeck::files::plan::{Plan, ServerState};
use serde::Deserialize;
use serde_json::{Value, json};

const VERSIONS: [&str; 7] = ["3.10.1", "3.17.6", "4.2.2", "5.12.8", "6.10.1", "7.6.5", "8.2.0"];

/// Properties of a toggle.
#[derive(Deserialize)]
struct Case {
    name: String,
    state: Value,
    /// Versions that store them as given.
    stored: BTreeSet<String>,
    /// Those among them that get no such file, because the format does not contain the value, or an older server of the range does not
    /// store it.
    #[serde(default)]
    refused: BTreeSet<String>,
}

/// Returns the problems of a new toggle on a server with two other toggles and six segments.
fn find_problems(state: &Value, version: &str) -> Vec<String> {
    let file = json!({ "version": 1, "toggles": { "new": state } }).to_string();
    let document = match Document::parse(&file) {
        Ok(document) => document,
        Err(fault) => return vec![fault.to_string()],
    };
    let parent = |name: &str| {
        json!({
            "name": name, "type": "release", "project": "default", "enabled": true,
            "strategies": [{ "name": "default" }],
        })
    };
    let segments =
        (0..6).map(|number| json!({ "id": number + 1, "name": format!("s{number}"), "constraints": [] }));
    let server = ServerState {
        toggles: ["p1", "p2"].into_iter().map(|name| (name.to_owned(), parent(name))).collect(),
        segments: segments.map(|segment| serde_json::from_value(segment).unwrap()).collect(),
        ..ServerState::default()
    };
    let plan = Plan::new("server", &document, &server).unwrap();
    let names = |list: &[&str]| Some(list.iter().map(|&name| name.to_owned()).collect());
    let items = BTreeMap::from([
        (ItemList::Projects, if version.starts_with('3') { None } else { names(&["default"]) }),
        (ItemList::Strategies, names(&["default", "flexibleRollout", "userWithId"])),
        (ItemList::ContextFields, names(&["appName", "currentTime", "environment", "sessionId", "userId"])),
    ]);
    let server_kind = PlannedServer {
        is_embedded: false,
        has_environments: version > "4.3",
        version: Some(version.to_owned()),
    };
    let findings = PlanChecks::new(&plan, &server).run(Some(&server_kind), &items, "server", &[]);
    findings.problems.into_iter().map(|problem| problem.message).collect()
}

#[test]
fn files_are_refused_if_the_server_does_not_store_them_as_they_are() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("storage.json")).unwrap();
    let mut faults = Vec::new();
    for Case { name, state, stored, refused } in &cases {
        for version in VERSIONS {
            let is_accepted = stored.contains(version) && !refused.contains(version);
            let problems = find_problems(state, version);
            if problems.is_empty() != is_accepted {
                faults.push(format!("{version}, {name}: {problems:?}"));
            }
        }
    }
    assert_eq!(faults.join("\n"), "");
}
