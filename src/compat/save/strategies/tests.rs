//! Table tests and properties of the plan: applying it to the stored list gives the wanted list.

use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use serde_json::{Value, json};

use super::{
    MAX_CHANGES, MAX_STRATEGIES, Position, Remaining, Strategy, StrategyChange, StrategyPlan, Unsaveable,
    plan,
};

fn list(strategies: Value) -> Vec<Strategy> {
    serde_json::from_value(strategies).unwrap()
}

fn plan_newer(current: &[Strategy], desired: &[Strategy]) -> StrategyPlan {
    plan(current, desired).unwrap()
}

/// The stored list after a save: the n-th new strategy has the id `new-n`.
fn apply(plan: &StrategyPlan, current: &[Strategy]) -> Vec<Strategy> {
    let mut stored = current.to_vec();
    let mut created = 0;
    for change in &plan.changes {
        match change {
            StrategyChange::Replace { id, body } => {
                let found = stored.iter_mut().find(|strategy| strategy["id"] == json!(id)).unwrap();
                // The server's own properties, such as `milestoneId`, stay.
                found.extend(body.clone());
            }
            StrategyChange::Create { body } => {
                let mut strategy = body.clone();
                strategy.insert("id".to_owned(), json!(format!("new-{created}")));
                stored.push(strategy);
                created += 1;
            }
            StrategyChange::Delete { id } => stored.retain(|strategy| strategy["id"] != json!(id)),
        }
        assert!(stored.len() <= MAX_STRATEGIES.max(current.len()), "too many strategies during the save");
    }
    let Some(order) = &plan.order else { return stored };
    let ids = order.iter().map(|position| match position {
        Position::Stored(id) => json!(id),
        Position::Created(index) => json!(format!("new-{index}")),
    });
    let ordered: Vec<Strategy> =
        ids.map(|id| stored.iter().find(|strategy| strategy["id"] == id).unwrap().clone()).collect();
    assert_eq!(ordered.len(), stored.len(), "the order contains every strategy once");
    ordered
}

fn ids(strategies: &[Strategy]) -> Vec<&str> {
    strategies.iter().map(|strategy| strategy["id"].as_str().unwrap()).collect()
}

/// The changes in short: `=id` replaces, `+` creates, `-id` deletes.
fn changes(plan: &StrategyPlan) -> Vec<String> {
    let short = |change: &StrategyChange| match change {
        StrategyChange::Replace { id, .. } => format!("={id}"),
        StrategyChange::Create { .. } => "+".to_owned(),
        StrategyChange::Delete { id } => format!("-{id}"),
    };
    plan.changes.iter().map(short).collect()
}

#[test]
fn one_changed_strategy_is_one_request_with_all_saved_properties() {
    let current = list(json!([
        { "id": "a", "name": "flexibleRollout", "title": "Beta", "disabled": true, "parameters": { "rollout": "50" },
          "constraints": [], "segments": [3], "variants": [{ "name": "blue" }], "sortOrder": 0, "milestoneId": "m" },
        { "id": "b", "name": "default", "title": null },
    ]));
    // The other properties are missing, because the client does not know them.
    let desired =
        list(json!([{ "id": "a", "parameters": { "rollout": "60" } }, { "id": "b", "name": "default" }]));
    let plan = plan_newer(&current, &desired);
    let [body] = list(json!([{
        "name": "flexibleRollout", "title": "Beta", "disabled": true, "parameters": { "rollout": "60" },
        "constraints": [], "segments": [3], "variants": [{ "name": "blue" }],
    }]))
    .try_into()
    .unwrap();
    assert_eq!(plan.changes, [StrategyChange::Replace { id: "a".to_owned(), body }]);
    assert_eq!(plan.order, None);
}

#[test]
fn missing_null_and_empty_properties_are_equal() {
    let stored = list(json!([{ "id": "a", "name": "default", "title": null, "disabled": false }]));
    for same in [
        json!({ "id": "a" }),
        json!({ "id": "a", "name": "default", "title": "", "parameters": {}, "variants": null }),
        json!({ "id": "a", "name": "default", "title": null, "disabled": null, "segments": [], "constraints": null }),
    ] {
        assert_eq!(plan_newer(&stored, &list(json!([same]))).changes, [], "{same}");
    }
}

#[test]
fn null_and_empty_values_clear_stored_ones() {
    let stored =
        list(json!([{ "id": "a", "name": "x", "title": "Beta", "segments": [1], "variants": [{}] }]));
    let body = |desired: Value| match plan_newer(&stored, &list(json!([desired]))).changes.remove(0) {
        StrategyChange::Replace { body, .. } => Value::Object(body),
        other => panic!("{other:?}"),
    };
    for (key, given, sent) in [
        ("title", json!(""), json!("")),
        ("title", json!(null), json!("")),
        ("segments", json!([]), json!([])),
        ("segments", json!(null), json!([])),
        ("variants", json!([]), json!([])),
    ] {
        let mut desired = json!({ "id": "a" });
        desired[key] = given;
        assert_eq!(body(desired)[key], sent, "{key}");
    }
    // Servers would replace a title that is null by an empty text.
    let untitled = list(json!([{ "id": "a", "name": "x", "title": null }]));
    let plan = plan_newer(&untitled, &list(json!([{ "id": "a", "title": null, "disabled": true }])));
    assert!(
        matches!(&plan.changes[..], [StrategyChange::Replace { body, .. }] if !body.contains_key("title"))
    );
}

#[test]
fn requests_are_ordered_so_that_the_toggle_stays_on() {
    let (on, off) = (
        |id| json!({ "id": id, "name": "x", "disabled": false }),
        |id| json!({ "id": id, "name": "x", "disabled": true }),
    );
    for (current, desired, expected, remaining, switches_off) in [
        (json!([on("a"), off("b")]), json!([off("a"), on("b")]), vec!["=b", "=a"], Remaining::Enabled, false),
        (json!([on("a")]), json!([off("a"), { "name": "x" }]), vec!["+", "=a"], Remaining::Enabled, false),
        (json!([on("a")]), json!([{ "name": "x" }]), vec!["+", "-a"], Remaining::Enabled, false),
        (json!([on("a")]), json!([]), vec!["-a"], Remaining::None, true),
        (json!([on("a")]), json!([off("a")]), vec!["=a"], Remaining::Disabled, true),
        (json!([on("a"), off("b")]), json!([off("b")]), vec!["-a"], Remaining::Disabled, true),
        (json!([off("a")]), json!([]), vec!["-a"], Remaining::None, false),
        (json!([]), json!([]), vec![], Remaining::None, false),
    ] {
        let plan = plan_newer(&list(current.clone()), &list(desired.clone()));
        assert_eq!(changes(&plan), expected, "{current} {desired}");
        assert_eq!((plan.remaining, plan.switches_off), (remaining, switches_off), "{current} {desired}");
    }
}

#[test]
fn new_strategies_get_the_position_of_the_editor() {
    let current = list(json!([{ "id": "a", "name": "x" }, { "id": "b", "name": "x" }]));
    for (desired, order) in [
        (json!([{ "id": "a" }, { "id": "b" }, { "name": "n" }]), None),
        (json!([{ "id": "b" }]), None),
        (json!([{ "id": "b" }, { "id": "a" }]), Some(vec!["b", "a"])),
        (
            json!([{ "name": "n" }, { "id": "a" }, { "name": "m" }, { "id": "b" }]),
            Some(vec!["new-0", "a", "new-1", "b"]),
        ),
        // The id belongs to a strategy that does not exist any more, or to another toggle.
        (json!([{ "id": "z", "name": "n" }, { "id": "a" }, { "id": "b" }]), Some(vec!["new-0", "a", "b"])),
    ] {
        let plan = plan(&current, &list(desired.clone())).unwrap();
        assert_eq!(plan.order.is_some(), order.is_some(), "{desired}");
        if let Some(order) = order {
            assert_eq!(ids(&apply(&plan, &current)), order);
        }
    }
}

#[test]
fn deletions_come_first_only_if_the_limit_requires_it() {
    let current: Vec<Strategy> =
        list((0..MAX_STRATEGIES).map(|id| json!({ "id": id.to_string(), "name": "x" })).collect());
    let mut desired = current[3..].to_vec();
    desired.extend(list(json!([{ "name": "new" }, { "name": "new" }])));
    let plan = plan_newer(&current, &desired);
    assert_eq!(changes(&plan), ["-0", "-1", "+", "+", "-2"]);
    assert_eq!(apply(&plan, &current).len(), MAX_STRATEGIES - 1);
}

#[test]
fn the_number_of_requests_is_limited() {
    let many = |count| list((0..count).map(|_| json!({ "name": "x" })).collect());
    assert!(plan(&[], &many(MAX_CHANGES)).is_ok());
    assert_eq!(plan(&[], &many(MAX_CHANGES + 1)), Err(Unsaveable::TooMany));
}

#[test]
fn the_same_id_twice_is_refused() {
    let current = list(json!([{ "id": "a", "name": "x" }]));
    let twice = list(json!([{ "id": "a" }, { "id": "a" }]));
    assert_eq!(plan(&current, &twice), Err(Unsaveable::DuplicateId("a".to_owned())));
}

/// Stored strategies, with properties that no save may lose.
fn stored() -> impl proptest::strategy::Strategy<Value = Vec<Strategy>> {
    let one = (any::<bool>(), 0..3_u8, proptest::option::of("[a-c]")).prop_map(|(disabled, rollout, title)| {
        json!({
            "name": "flexibleRollout", "disabled": disabled, "title": title, "parameters": { "rollout": rollout.to_string() },
            "constraints": [{ "contextName": "userId", "operator": "NUM_GT", "value": "1", "values": [] }],
            "segments": [rollout], "variants": [{ "name": "blue" }], "milestoneId": rollout,
        })
    });
    proptest::collection::vec(one, 0..6).prop_map(|mut strategies| {
        for (index, strategy) in strategies.iter_mut().enumerate() {
            strategy["id"] = json!(format!("id-{index}"));
        }
        list(strategies.into())
    })
}

proptest! {
    #[test]
    fn applying_the_plan_gives_the_desired_list(current in stored(), desired in stored(), order in any::<prop::sample::Index>()) {
        let mut desired = desired;
        if !desired.is_empty() {
            let middle = order.index(desired.len());
            desired.rotate_left(middle);
        }
        let plan = plan_newer(&current, &desired);
        let after = apply(&plan, &current);
        prop_assert_eq!(after.len(), desired.len());
        for (after, desired) in after.iter().zip(&desired) {
            for key in ["name", "disabled", "parameters", "constraints", "segments", "variants"] {
                prop_assert_eq!(&after[key], &desired[key]);
            }
            let stored = current.iter().find(|strategy| strategy["id"] == after["id"]);
            if let Some(stored) = stored {
                prop_assert_eq!(&after["milestoneId"], &stored["milestoneId"]);
            }
        }
        // The second save has nothing to do.
        let again = plan_newer(&after, &after);
        prop_assert_eq!((again.changes, again.order), (Vec::new(), None));
    }
}
