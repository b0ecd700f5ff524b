//! The order in which the changes of a plan are written, and the toggles that are off meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use flagdeck::files::document::Document;
use flagdeck::files::plan::{Plan, PlannedAction, ServerState};
use serde_json::{Value, json};

/// The states of a toggle before and after the plan; a toggle without the first one is new.
type Sides<'a> = (&'a str, Option<Value>, Value);

fn users(ids: &str) -> Value {
    json!([{ "name": "userWithId", "parameters": { "userIds": ids } }])
}

/// Returns a toggle that is on for these users, with a plain condition on this parent.
fn on(ids: &str, parent: Option<&str>) -> Value {
    let parents: Vec<Value> = parent.map(|name| json!({ "feature": name })).into_iter().collect();
    json!({ "enabled": true, "strategies": users(ids), "dependencies": parents })
}

fn with(mut toggle: Value, key: &str, value: Value) -> Value {
    toggle[key] = value;
    toggle
}

fn plan(toggles: &[Sides<'_>], archived: &[&str]) -> (Plan, ServerState) {
    let files: BTreeMap<_, _> = toggles.iter().map(|(name, _, after)| (*name, after)).collect();
    let document = Document::parse(&json!({ "version": 1, "toggles": files }).to_string()).unwrap();
    let stored = |(name, before, _): &Sides<'_>| {
        let mut toggle = before.clone()?;
        let defaults = json!({ "name": name, "type": "release", "project": "default", "variants": [] });
        toggle.as_object_mut()?.extend(defaults.as_object()?.clone());
        Some(((*name).to_owned(), toggle))
    };
    let server = ServerState {
        toggles: toggles.iter().filter_map(stored).collect(),
        archived: archived.iter().map(|&name| name.to_owned()).collect(),
        ..ServerState::default()
    };
    (Plan::new("server", &document, &server).unwrap(), server)
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.changes.iter().map(|change| change.name.as_str()).collect()
}

/// Returns the names of the changes in their order, and those of the toggles that are off meanwhile on servers that store a toggle with
/// one request.
fn order(toggles: &[Sides<'_>]) -> (Vec<String>, Vec<String>) {
    let (plan, server) = plan(toggles, &[]);
    let off = plan.find_off_meanwhile(&server, true);
    (names(&plan).into_iter().map(str::to_owned).collect(), off.into_iter().collect())
}

#[test]
fn changes_that_narrow_are_written_before_those_that_widen() {
    let changes = [
        ("a", Some(on("1", None)), on("1,2", None)),
        ("b", Some(on("1,2", None)), on("1", None)),
        ("c", Some(on("1", None)), with(on("1", None), "description", json!("x"))),
    ];
    assert_eq!(order(&changes), (vec!["c".into(), "b".into(), "a".into()], vec![]));
}

/// A child `a` and its parent `z`, with the name that is written first, and whether the child is off meanwhile. By their names and
/// effects alone, they would often have the other order.
#[test]
fn a_toggle_and_its_parent_have_an_order_in_which_others_never_get_the_toggle() {
    let child = |ids: &str| on(ids, Some("z"));
    let off = |toggle: Value| with(toggle, "enabled", json!(false));
    let inverted =
        |ids: &str| with(child(ids), "dependencies", json!([{ "feature": "z", "enabled": false }]));
    let of_variant =
        |ids: &str| with(child(ids), "dependencies", json!([{ "feature": "z", "variants": ["blue"] }]));
    let cases: [(&str, Sides<'_>, Sides<'_>, &str, bool); 12] = [
        (
            "a new parent exists before",
            ("a", Some(on("1", None)), child("1")),
            ("z", None, on("1", None)),
            "z",
            false,
        ),
        (
            "the child is on for user 2 only when the parent is not",
            ("a", Some(child("1")), child("1,2")),
            ("z", Some(on("1,2", None)), on("1", None)),
            "z",
            false,
        ),
        (
            "the child is off for user 2 before the parent is on for that user",
            ("a", Some(child("1,2")), child("1")),
            ("z", Some(on("1", None)), on("1,2", None)),
            "a",
            false,
        ),
        (
            "both get a user",
            ("a", Some(child("1")), child("1,2")),
            ("z", Some(on("1,2", None)), on("1,3", None)),
            "z",
            true,
        ),
        (
            "the parent is off before",
            ("a", Some(child("1")), child("2")),
            ("z", Some(off(on("1,2", None))), on("2", None)),
            "a",
            false,
        ),
        (
            "the child is switched on",
            ("a", Some(off(child("1"))), child("1")),
            ("z", Some(on("1", None)), on("2", None)),
            "z",
            false,
        ),
        (
            "the child is switched off",
            ("a", Some(child("1")), off(child("1"))),
            ("z", Some(on("2", None)), on("1", None)),
            "a",
            false,
        ),
        (
            "the parent must be off",
            ("a", Some(inverted("1")), inverted("2")),
            ("z", Some(on("1", None)), on("2", None)),
            "z",
            true,
        ),
        (
            "the condition is another one",
            ("a", Some(child("1")), inverted("1")),
            ("z", Some(on("2", None)), on("1", None)),
            "z",
            true,
        ),
        (
            "the parent has a variant",
            ("a", Some(of_variant("1")), of_variant("2")),
            ("z", Some(on("1", None)), on("2", None)),
            "z",
            true,
        ),
        (
            "the parent becomes a child, and has none before",
            ("a", Some(child("1")), on("1", None)),
            ("z", Some(on("1", None)), on("1", Some("y"))),
            "a",
            false,
        ),
        (
            "the parent is only described",
            ("a", Some(child("1")), child("2")),
            ("z", Some(on("1", None)), with(on("1", None), "description", json!("x"))),
            "z",
            false,
        ),
    ];
    for (title, child, parent, first, is_off) in cases {
        let grandparent = ("y", Some(on("1", None)), on("1", None));
        let (order, off) = order(&[child, parent, grandparent]);
        assert_eq!(order.first().map(String::as_str), Some(first), "{title}: {order:?}");
        assert_eq!(off, if is_off { vec!["a"] } else { vec![] }, "{title}");
    }
}

#[test]
fn a_toggle_is_off_while_several_requests_replace_its_parent_and_its_strategies() {
    let changes = [
        ("a", Some(on("1", Some("y"))), on("2", Some("z"))),
        ("y", Some(on("1", None)), on("1", None)),
        ("z", Some(on("2", None)), on("2", None)),
    ];
    let (plan, server) = plan(&changes, &[]);
    assert_eq!(plan.find_off_meanwhile(&server, true), BTreeSet::new());
    assert_eq!(plan.find_off_meanwhile(&server, false), BTreeSet::from(["a".to_owned()]));
}

#[test]
fn revived_parents_are_written_before_their_children_with_all_values_of_the_file() {
    let empty = json!({ "description": "", "variants": [], "tags": [], "dependencies": [], "stale": false });
    let changes = [("a", Some(on("1", None)), on("1", Some("z"))), ("z", None, empty.clone())];
    let (plan, _) = plan(&changes, &["z"]);
    assert_eq!(names(&plan), ["z", "a"]);
    let revived = &plan.changes[0];
    assert_eq!(revived.action, PlannedAction::Revive);
    // The stored state is not known: it may have other values, and may be on.
    assert_eq!(revived.state, with(empty, "enabled", json!(false)));
}
