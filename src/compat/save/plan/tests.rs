//! Table tests of the order of requests, and of the questions.

use serde_json::{Value, json};

use super::{Remaining, SavePlan, Step, plan};
use crate::compat::confirmation::Confirmation;
use crate::error::ApiError;

/// A stored toggle that is on, with one strategy.
fn stored() -> Value {
    json!({
        "name": "search", "type": "release", "description": null, "stale": false, "impressionData": true,
        "enabled": true, "strategies": [{ "id": "a", "name": "default" }], "variants": [],
    })
}

fn with(changes: Value) -> Value {
    let Value::Object(changes) = changes else { unreachable!() };
    let mut toggle = stored();
    toggle.as_object_mut().unwrap().extend(changes);
    toggle
}

fn plan_values(current: &Value, desired: &Value) -> Result<SavePlan, ApiError> {
    plan(current.as_object().unwrap(), desired.as_object().unwrap())
}

fn kinds(plan: &SavePlan) -> String {
    let kind = |step: &Step| match step {
        Step::Metadata(_) => "metadata",
        Step::Strategy(_) => "strategy",
        Step::Order(_) => "order",
        Step::Variants(_) => "variants",
        Step::Tag(_) => "tag",
        Step::Parent(_) => "parent",
        Step::NoParent => "no parent",
        Step::On(Remaining::Disabled) => "on and enable",
        Step::On(Remaining::None | Remaining::Enabled) => "on",
        Step::Off => "off",
    };
    plan.steps.iter().map(kind).collect::<Vec<_>>().join(", ")
}

#[test]
fn metadata_is_one_request_with_the_changed_properties() {
    let desired = json!({ "description": "d", "type": "experiment", "stale": true, "impressionData": true });
    let plan = plan_values(&stored(), &desired).unwrap();
    let patch = json!([
        { "op": "replace", "path": "/description", "value": "d" },
        { "op": "test", "path": "/type", "value": "release" },
        { "op": "replace", "path": "/type", "value": "experiment" },
        { "op": "replace", "path": "/stale", "value": true },
    ]);
    assert_eq!(plan.steps, [Step::Metadata(patch)]);
}

#[test]
fn equal_and_missing_properties_are_not_sent() {
    for same in [
        stored(),
        json!({}),
        json!({ "description": "" }),
        json!({ "type": null, "enabled": null, "stale": null, "impressionData": null, "variants": null }),
        json!({ "createdAt": "2026-11-22T00:00:00Z", "unknown": 1 }),
    ] {
        assert_eq!(kinds(&plan_values(&stored(), &same).unwrap()), "", "{same}");
    }
    let described = with(json!({ "description": "d" }));
    let cleared = plan_values(&described, &json!({ "description": null })).unwrap();
    let patch = json!([
        { "op": "test", "path": "/description", "value": "d" },
        { "op": "replace", "path": "/description", "value": null },
    ]);
    assert_eq!(cleared.steps, [Step::Metadata(patch)]);
}

#[test]
fn the_toggle_is_on_only_with_complete_strategies() {
    let (off, blue) = (json!({ "enabled": false }), json!([{ "name": "blue" }]));
    let new = json!([{ "name": "first" }, { "id": "a" }]);
    for (current, desired, expected) in [
        (
            stored(),
            json!({ "enabled": false, "description": "d", "strategies": new, "variants": blue }),
            "variants, off, metadata, strategy, order",
        ),
        (
            with(off.clone()),
            json!({ "enabled": true, "description": "d", "strategies": new }),
            "metadata, strategy, order, on",
        ),
        // Servers can refuse the first variants. Later changes come after the strategies.
        (stored(), json!({ "variants": blue, "strategies": new }), "variants, strategy, order"),
        (
            with(json!({ "variants": blue })),
            json!({ "variants": [], "strategies": new }),
            "strategy, order, variants",
        ),
    ] {
        let plan = plan_values(&current, &desired).unwrap();
        assert_eq!((kinds(&plan).as_str(), plan.question), (expected, None), "{desired}");
    }
}

#[test]
fn the_user_is_asked_before_the_server_changes_more() {
    let disabled = json!([{ "id": "a", "name": "default", "disabled": true }]);
    let off = with(json!({ "enabled": false }));
    for (current, desired, steps, question) in [
        (stored(), json!({ "strategies": [] }), "strategy", Some(Confirmation::DisableToggle)),
        (stored(), json!({ "strategies": disabled }), "strategy", Some(Confirmation::DisableToggle)),
        (stored(), json!({ "strategies": [], "enabled": false }), "off, strategy", None),
        (off.clone(), json!({ "strategies": [] }), "strategy", None),
        (
            off.clone(),
            json!({ "strategies": [], "enabled": true }),
            "strategy, on",
            Some(Confirmation::AddRollout),
        ),
        (
            off.clone(),
            json!({ "strategies": disabled, "enabled": true }),
            "strategy, on and enable",
            Some(Confirmation::EnableStrategies),
        ),
        (off, json!({ "enabled": true }), "on", None),
        // The toggle is on without strategies already.
        (with(json!({ "strategies": [] })), json!({ "description": "d" }), "metadata", None),
    ] {
        let plan = plan_values(&current, &desired).unwrap();
        assert_eq!((kinds(&plan).as_str(), plan.question), (steps, question), "{desired}");
    }
}

#[test]
fn a_toggle_that_is_switched_off_during_the_save_is_switched_on_again() {
    let full: Vec<Value> =
        (0..30).map(|id| json!({ "id": id.to_string(), "name": "default", "disabled": id > 0 })).collect();
    let mut desired = full[1..].to_vec();
    desired.push(json!({ "name": "new" }));
    let plan = plan_values(&with(json!({ "strategies": full })), &json!({ "strategies": desired })).unwrap();
    assert_eq!((kinds(&plan).as_str(), plan.question), ("strategy, strategy, on", None));
}

#[test]
fn properties_of_another_format_are_refused() {
    assert!(matches!(plan_values(&stored(), &json!({ "enabled": "yes" })), Err(ApiError::Invalid(_))));
    for strategies in [json!(null), json!({}), json!([1])] {
        let result = plan_values(&stored(), &json!({ "strategies": strategies }));
        assert!(matches!(result, Err(ApiError::Invalid(_))), "{strategies}");
    }
}

#[test]
fn a_parent_is_set_before_and_removed_after_what_widens() {
    let parents = |parents: Value, changes: Value| {
        let mut toggle = with(changes);
        toggle["dependencies"] = parents;
        toggle
    };
    let (one, other) = (json!([{ "feature": "index" }]), json!([{ "feature": "index", "enabled": false }]));
    let strategies = json!({ "strategies": [{ "id": "a", "name": "default", "title": "Beta" }] });
    let off = json!({ "enabled": false });
    let is_off = |changes: &Value| {
        let mut changes = changes.clone();
        changes["enabled"] = json!(false);
        changes
    };
    for (current, desired, expected) in [
        (stored(), parents(one.clone(), strategies.clone()), "parent, strategy"),
        (parents(one.clone(), json!({})), parents(json!([]), strategies.clone()), "strategy, no parent"),
        (with(off.clone()), parents(one.clone(), strategies.clone()), "parent, strategy, on"),
        (
            parents(one.clone(), off.clone()),
            parents(json!([]), strategies.clone()),
            "strategy, no parent, on",
        ),
        (parents(one.clone(), json!({})), parents(other.clone(), json!({})), "parent"),
        (
            parents(one.clone(), json!({})),
            parents(other.clone(), strategies.clone()),
            "off, parent, strategy, on",
        ),
        (
            parents(one.clone(), json!({})),
            parents(other.clone(), is_off(&strategies)),
            "off, parent, strategy",
        ),
        (
            parents(json!([{ "feature": "index", "enabled": true, "variants": [] }]), json!({})),
            parents(one.clone(), json!({})),
            "",
        ),
        (parents(one, json!({})), stored(), ""),
    ] {
        assert_eq!(kinds(&plan_values(&current, &desired).unwrap()), expected, "{current} {desired}");
    }
    let two = json!([{ "feature": "index" }, { "feature": "cart" }]);
    assert_eq!(plan_values(&stored(), &parents(two, json!({}))).unwrap_err().code(), "unsupported_by_server");
}
