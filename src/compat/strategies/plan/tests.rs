//! Table tests and properties of the plan: applying it to the stored list gives the wanted list.

use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use serde_json::{Value, json};

use super::{Call, Plan, Position, Strategy, plan};

const LIMIT: usize = 30;

fn list(strategies: Value) -> Vec<Strategy> {
    serde_json::from_value(strategies).unwrap()
}

/// The stored list after a save: `created` is the id that the server gives to the n-th new strategy.
fn apply(plan: &Plan, current: &[Strategy]) -> Vec<Strategy> {
    let mut stored = current.to_vec();
    let mut created = 0;
    for call in &plan.calls {
        match call {
            Call::Put { id, body } => {
                let found = stored.iter_mut().find(|strategy| strategy["id"] == json!(id)).unwrap();
                // The server's own properties, such as `milestoneId`, stay.
                found.extend(body.clone());
            }
            Call::Post { body } => {
                let mut strategy = body.clone();
                strategy.insert("id".to_owned(), json!(format!("new-{created}")));
                stored.push(strategy);
                created += 1;
            }
            Call::Delete { id } => stored.retain(|strategy| strategy["id"] != json!(id)),
        }
        assert!(stored.len() <= LIMIT.max(current.len()), "too many strategies during the save");
    }
    let ids = plan.order.iter().map(|position| match position {
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

#[test]
fn one_changed_strategy_is_one_request_with_all_saved_properties() {
    let base = list(json!([
        { "id": "a", "name": "flexibleRollout", "title": "Beta", "disabled": true, "parameters": { "rollout": "50" },
          "constraints": [], "segments": [3], "variants": [{ "name": "blue" }], "sortOrder": 0, "milestoneId": "m" },
        { "id": "b", "name": "default", "title": null },
    ]));
    let mut desired = base.clone();
    desired[0]["parameters"] = json!({ "rollout": "60" });
    let plan = plan(&base, &base, &desired, LIMIT).unwrap();
    let body = json!({
        "name": "flexibleRollout", "title": "Beta", "disabled": true, "parameters": { "rollout": "60" },
        "constraints": [], "segments": [3], "variants": [{ "name": "blue" }],
    });
    let Value::Object(body) = body else { unreachable!() };
    assert_eq!(plan.calls, [Call::Put { id: "a".to_owned(), body }]);
    assert_eq!(apply(&plan, &base)[0]["milestoneId"], json!("m"));
}

#[test]
fn missing_null_and_empty_properties_are_equal() {
    let base =
        list(json!([{ "id": "a", "name": "default", "title": null, "disabled": false, "segments": [] }]));
    let desired = list(json!([{ "id": "a", "name": "default", "parameters": {} }]));
    assert_eq!(plan(&base, &base, &desired, LIMIT).unwrap().calls, []);
}

#[test]
fn concurrent_changes_are_kept_or_conflict() {
    let base =
        list(json!([{ "id": "a", "name": "x" }, { "id": "b", "name": "x" }, { "id": "c", "name": "x" }]));
    let strategy = |id: &str, title: &str| json!({ "id": id, "name": "x", "title": title });
    let plain = |id: &str| json!({ "id": id, "name": "x" });
    for (current, desired, expected) in [
        // Another user changed another strategy.
        (
            json!([strategy("a", "theirs"), plain("b"), plain("c")]),
            json!([plain("a"), strategy("b", "mine"), plain("c")]),
            Ok(vec!["a", "b", "c"]),
        ),
        // Another user added a strategy, or removed one that this user did not change.
        (
            json!([plain("d"), plain("a"), plain("b"), plain("c")]),
            json!([strategy("a", "mine"), plain("b"), plain("c")]),
            Ok(vec!["d", "a", "b", "c"]),
        ),
        (
            json!([plain("a"), plain("c")]),
            json!([strategy("a", "mine"), plain("b"), plain("c")]),
            Ok(vec!["a", "c"]),
        ),
        // Both users removed the same strategy.
        (json!([plain("a"), plain("b")]), json!([plain("a"), plain("b")]), Ok(vec!["a", "b"])),
        // Another user moved a strategy; this user changed one, or moved another one.
        (
            json!([plain("c"), plain("a"), plain("b")]),
            json!([strategy("a", "mine"), plain("b"), plain("c")]),
            Ok(vec!["c", "a", "b"]),
        ),
        (
            json!([plain("c"), plain("a"), plain("b")]),
            json!([plain("b"), plain("a"), plain("c")]),
            Ok(vec!["b", "a", "c"]),
        ),
        // Both changed the same strategy; one changed and the other removed it.
        (
            json!([strategy("a", "theirs"), plain("b"), plain("c")]),
            json!([strategy("a", "mine"), plain("b"), plain("c")]),
            Err(vec!["a"]),
        ),
        (
            json!([plain("b"), plain("c")]),
            json!([strategy("a", "mine"), plain("b"), plain("c")]),
            Err(vec!["a"]),
        ),
        (
            json!([strategy("a", "theirs"), plain("b"), plain("c")]),
            json!([plain("b"), plain("c")]),
            Err(vec!["a"]),
        ),
    ] {
        let (current, desired) = (list(current), list(desired));
        let result = plan(&base, &current, &desired, LIMIT);
        match (&result, expected) {
            (Ok(saved), Ok(order)) => {
                assert_eq!(ids(&apply(saved, &current)), order, "{current:?} {desired:?}");
            }
            (Err(conflicts), Err(expected)) => assert_eq!(*conflicts, expected),
            _ => panic!("{result:?} for {current:?} and {desired:?}"),
        }
    }
}

#[test]
fn new_strategies_follow_their_predecessor() {
    let base = list(json!([{ "id": "a", "name": "x" }, { "id": "b", "name": "x" }]));
    let desired = list(
        json!([{ "name": "first" }, { "name": "second" }, { "id": "a", "name": "x" }, { "name": "third" }, { "id": "b", "name": "x" }]),
    );
    let plan = plan(&base, &base, &desired, LIMIT).unwrap();
    assert_eq!(ids(&apply(&plan, &base)), ["new-0", "new-1", "a", "new-2", "b"]);
}

#[test]
fn reports_that_no_enabled_strategy_remains() {
    let base = list(json!([{ "id": "a", "name": "x" }, { "id": "b", "name": "x", "disabled": true }]));
    for (desired, expected) in [
        (json!([{ "id": "b", "name": "x", "disabled": true }]), true),
        (
            json!([{ "id": "a", "name": "x", "disabled": true }, { "id": "b", "name": "x", "disabled": true }]),
            true,
        ),
        (json!([{ "name": "new" }]), false),
        (json!([{ "id": "b", "name": "x" }]), false),
    ] {
        assert_eq!(
            plan(&base, &base, &list(desired.clone()), LIMIT).unwrap().disables_toggle,
            expected,
            "{desired}"
        );
    }
}

#[test]
fn deletions_come_first_only_if_the_limit_requires_it() {
    let base: Vec<Strategy> =
        list((0..LIMIT).map(|id| json!({ "id": id.to_string(), "name": "x" })).collect());
    let mut desired = base[3..].to_vec();
    desired.extend(list(json!([{ "name": "new" }, { "name": "new" }])));
    let plan = plan(&base, &base, &desired, LIMIT).unwrap();
    let kinds: Vec<char> = plan
        .calls
        .iter()
        .map(|call| match call {
            Call::Put { .. } => 'u',
            Call::Post { .. } => 'c',
            Call::Delete { .. } => 'd',
        })
        .collect();
    assert_eq!(kinds, ['d', 'd', 'c', 'c', 'd']);
    assert_eq!(apply(&plan, &base).len(), LIMIT - 1);
}

/// A strategy with unknown properties, which no save may lose.
fn strategies() -> impl proptest::strategy::Strategy<Value = Vec<Strategy>> {
    let one = (any::<bool>(), 0..3_u8, proptest::option::of("[a-c]")).prop_map(|(disabled, rollout, title)| {
        let Value::Object(strategy) = json!({
            "name": "flexibleRollout", "disabled": disabled, "title": title, "parameters": { "rollout": rollout.to_string() },
            "constraints": [{ "contextName": "userId", "operator": "REGEX", "value": "a", "values": [] }],
            "segments": [rollout], "variants": [], "milestoneId": rollout,
        }) else {
            unreachable!()
        };
        strategy
    });
    proptest::collection::vec(one, 0..6).prop_map(|mut list| {
        for (index, strategy) in list.iter_mut().enumerate() {
            strategy.insert("id".to_owned(), json!(format!("id-{index}")));
        }
        list
    })
}

proptest! {
    #[test]
    fn applying_the_plan_gives_the_desired_list(base in strategies(), mut desired in strategies(), order in any::<u64>()) {
        if !desired.is_empty() {
            let middle = usize::try_from(order % 7).unwrap() % desired.len();
            desired.rotate_left(middle);
        }
        let plan = plan(&base, &base, &desired, LIMIT).unwrap();
        let after = apply(&plan, &base);
        prop_assert_eq!(after.len(), desired.len());
        for (after, desired) in after.iter().zip(&desired) {
            for key in ["name", "disabled", "parameters", "constraints", "segments"] {
                prop_assert_eq!(&after[key], &desired[key]);
            }
            let stored = base.iter().find(|strategy| strategy["id"] == after["id"]);
            if let Some(stored) = stored {
                prop_assert_eq!(&after["milestoneId"], &stored["milestoneId"]);
            }
        }
    }

    #[test]
    fn strategies_of_other_users_stay(base in strategies(), current in strategies(), desired in strategies()) {
        if let Ok(plan) = plan(&base, &current, &desired, LIMIT) {
            let after = apply(&plan, &current);
            for theirs in current.iter().filter(|theirs| base.iter().all(|strategy| strategy["id"] != theirs["id"])) {
                prop_assert!(after.contains(theirs));
            }
        }
    }
}
