//! Generated files: the checks of `flagdeck plan` find a problem exactly if the embedded flag service refuses a write.

use actix_web::http::{Method, StatusCode};
use flagdeck::api::{NamedText, PlannedServer};
use flagdeck::files::checks::{Findings, Items, PlanChecks};
use flagdeck::files::document::Document;
use flagdeck::files::plan::{Plan, PlannedAction, ServerState, body_of};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// Number of files. Each creates a toggle, and about half of them then change it.
const FILES: usize = 400;

/// One of several values, of which the first are usual, and the others are rare.
fn mostly(usual: &[Value], rare: &[Value]) -> BoxedStrategy<Value> {
    prop_oneof![
        15 => proptest::sample::select(usual.to_vec()),
        1 => proptest::sample::select(rare.to_vec()),
    ]
    .boxed()
}

/// A property that may be absent.
fn maybe(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    prop_oneof![2 => Just(Value::Null), 1 => value].boxed()
}

/// An object without the properties that are null.
fn object(properties: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let (keys, values): (Vec<_>, Vec<_>) = properties.into_iter().unzip();
    let build = move |values: Vec<Value>| -> Value {
        let properties = keys.iter().zip(values).filter(|(_, value)| !value.is_null());
        properties.map(|(key, value)| ((*key).to_owned(), value)).collect::<serde_json::Map<_, _>>().into()
    };
    values.prop_map(build).boxed()
}

fn list(item: BoxedStrategy<Value>, max: usize) -> BoxedStrategy<Value> {
    proptest::collection::vec(item, 0..=max).prop_map(Value::Array).boxed()
}

fn constraint() -> BoxedStrategy<Value> {
    let lists = ["IN", "NOT_IN", "STR_CONTAINS", "IN_CIDR"].map(Value::from);
    let singles = ["NUM_GTE", "DATE_AFTER", "SEMVER_LT", "REGEX"].map(Value::from);
    let unknown = json!(["FUTURE", "NOT_INN", "not in", "", "A".repeat(51)]);
    let unknown = unknown.as_array().unwrap().clone();
    let name = mostly(&["userId", "plan"].map(Value::from), &["".into()]);
    let of_list = object(vec![
        ("contextName", name.clone()),
        ("operator", mostly(&lists, &unknown)),
        ("values", list(mostly(&["10.0.0.0/8", "::1"].map(Value::from), &["", "x"].map(Value::from)), 2)),
        ("caseInsensitive", maybe(Just(json!(true)))),
    ]);
    let values = ["5", "1.2.3", "2026-12-31T12:00:00Z"].map(Value::from);
    let invalid = json!(["", " ", "ten", "[a", "2026-12-31", "5".repeat(1001)]);
    let of_value = object(vec![
        ("contextName", name),
        ("operator", mostly(&singles, &unknown)),
        ("value", maybe(mostly(&values, invalid.as_array().unwrap()))),
        ("inverted", maybe(Just(json!(true)))),
    ]);
    // Half of the single values fit their operator.
    let fit = proptest::sample::select(vec![
        ("NUM_GTE", "5"),
        ("DATE_AFTER", "2026-12-31T12:00:00Z"),
        ("SEMVER_LT", "1.2.3"),
    ]);
    let fit = fit
        .prop_map(|(operator, value)| json!({ "contextName": "plan", "operator": operator, "value": value }));
    prop_oneof![8 => of_list, 1 => of_value, 8 => fit].boxed()
}

fn variant() -> BoxedStrategy<Value> {
    let overrides = object(vec![
        ("contextName", mostly(&["userId".into()], &["".into()])),
        ("values", list(mostly(&["1".into()], &["".into()]), 2)),
    ]);
    let names = ["blue", "green", "red", "spaced name"].map(Value::from);
    object(vec![
        ("name", mostly(&names, &["b".into(), "".into(), "n".repeat(101).into()])),
        ("weight", mostly(&[0, 500, 1000].map(Value::from), &[json!(1001)])),
        ("weightType", mostly(&["fix".into(), "variable".into()], &["fix".into()])),
        ("stickiness", maybe(mostly(&["default".into()], &["".into()]))),
        ("payload", maybe(Just(json!({ "type": "json", "value": "{" })))),
        ("overrides", maybe(list(overrides, 2))),
    ])
}

fn toggle() -> BoxedStrategy<Value> {
    let strategy = object(vec![
        ("name", mostly(&["default", "beta"].map(Value::from), &["", "x", "beta group"].map(Value::from))),
        ("title", maybe(mostly(&["For all".into()], &["t".repeat(1001).into()]))),
        ("parameters", maybe(Just(json!({ "rollout": "150", "": "" })))),
        ("constraints", maybe(list(constraint(), 2))),
        ("variants", maybe(list(variant(), 2))),
    ]);
    let tag = object(vec![
        ("type", mostly(&["simple", "team"].map(Value::from), &["", "t", "my team"].map(Value::from))),
        ("value", mostly(&["web", "a:b/c d"].map(Value::from), &["w".into(), "w".repeat(51).into()])),
    ]);
    let strategies = proptest::collection::vec(strategy, 0..3).prop_map(Value::Array);
    object(vec![
        ("description", maybe(Just(json!("text")))),
        ("type", maybe(mostly(&["experiment".into()], &["".into()]))),
        ("enabled", maybe(Just(json!(true)))),
        ("strategies", maybe(strategies)),
        ("variants", maybe(list(variant(), 3))),
        ("tags", maybe(list(tag, 2))),
    ])
}

/// Names that differ from those of other cases, if they are valid.
fn name(case: usize) -> BoxedStrategy<Value> {
    let usual = json!([format!("toggle-{case}"), format!("t.{case}"), format!("t({case})")]);
    let rare = json!(["t", "shop pay", "ü.toggle", "..", "a/b", "n".repeat(101)]);
    mostly(usual.as_array().unwrap(), rare.as_array().unwrap())
}

/// Makes the plan of a file, and returns the body and the tags that it writes, and the findings of the checks.
fn plan(text: &str, stored: Option<&Value>) -> (PlannedAction, Value, Vec<Value>, Findings) {
    let document = Document::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let name = document.toggles.keys().next().unwrap().clone();
    let toggles = stored.map(|stored| (name.clone(), stored.clone())).into_iter().collect();
    let server = ServerState { toggles, ..ServerState::default() };
    let plan = Plan::new("test", &document, &server).unwrap();
    let checks = PlanChecks::new(&plan, &server);
    let facts = PlannedServer { is_embedded: true, ..PlannedServer::default() };
    let file = NamedText { name: "a.yaml".to_owned(), text: text.to_owned() };
    let findings = checks.run(Some(&facts), &Items::new(), "test", &[file]);
    let Some(change) = plan.changes.first() else {
        return (PlannedAction::Change, Value::Null, Vec::new(), findings);
    };
    let tags = change.state["tags"].as_array().cloned().unwrap_or_default();
    (change.action, body_of(&name, &change.state), tags, findings)
}

/// Writes a toggle as `flagdeck apply` does. Returns the first refusal.
async fn write(app: &TestApp, action: PlannedAction, body: &Value, tags: &[Value]) -> Option<String> {
    let path = format!("/api/admin/features/{}", body["name"].as_str().unwrap());
    for tag in tags.iter().filter(|tag| tag["type"] != "simple") {
        let response =
            app.post("/api/admin/tag-types", &json!({ "name": tag["type"], "description": "" })).await;
        if response.status != StatusCode::CONFLICT && !response.status.is_success() {
            return Some(response.body);
        }
    }
    let (method, target) = match action {
        PlannedAction::Create => (Method::POST, "/api/admin/features"),
        _ => (Method::PUT, path.as_str()),
    };
    let json = [("content-type", "application/json")];
    let response = app.send(method, target, &json, &body.to_string()).await;
    if !response.status.is_success() {
        return Some(response.body);
    }
    for tag in tags {
        let response = app.post(&format!("{path}/tags"), tag).await;
        if response.status != StatusCode::CONFLICT && !response.status.is_success() {
            return Some(response.body);
        }
    }
    None
}

#[actix_web::test]
async fn checks_find_a_problem_exactly_if_a_write_is_refused() {
    let app = TestApp::embedded().await;
    let mut runner = TestRunner::deterministic();
    let (mut accepted, mut refused) = (0, 0);
    for case in 0..FILES {
        let name = name(case).new_tree(&mut runner).unwrap().current();
        let name = name.as_str().unwrap().to_owned();
        let mut stored = None;
        for _ in 0..2 {
            let toggle = toggle().new_tree(&mut runner).unwrap().current();
            let text = json!({ "version": 1, "toggles": { &name: toggle } }).to_string();
            let (action, body, tags, findings) = plan(&text, stored.as_ref());
            if body.is_null() {
                continue;
            }
            let refusal = write(&app, action, &body, &tags).await;
            let problems: Vec<_> = findings.problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems.is_empty(), refusal.is_none(), "{text}\n{problems:?}\n{refusal:?}");
            for problem in &problems {
                assert!(problem.starts_with("a.yaml, line 1, column "), "{problem}");
            }
            if refusal.is_some() {
                refused += 1;
                break;
            }
            accepted += 1;
            stored = Some(app.get(&format!("/api/admin/features/{name}")).await.json());
        }
    }
    assert!(accepted > FILES / 5 && refused > FILES / 5, "{accepted} accepted, {refused} refused");
}
