//! Compares the effects of generated changes with the audiences themselves: the results of both versions of a toggle for every
//! context of a small world, in each client library. An effect must never be contradicted by one of them.
//!
//! `FLAGDECK_AUDIENCE_CHANGES` is the number of changes (default 400).

use std::cell::RefCell;
use std::collections::BTreeMap;

use flagdeck::evaluation::effect::{ChangedToggles, Effect};
use flagdeck::evaluation::{
    Context, Definitions, Library, OLD_VARIANT_SEED, Outcome, Toggles, VARIANT_SEED, VariantChoice,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::oracle::number_from;

const NAME: &str = "t";
const TEXTS: [&str; 5] = ["", "gold", "goat", "Gold", "silver"];
const AGES: [&str; 6] = ["17", "18", "18.5", "21", "x", ""];
const ADDRESSES: [&str; 5] = ["", "10.1.2.3", "10.200.0.1", "11.0.0.1", "12.0.0.1"];
const VERSIONS: [&str; 5] = ["1.9.0", "1.10.0", "2.0.0-rc.1", "2.0.0", "2.0.0+5"];

/// Returns every context with these users and addresses, and one other field.
fn world() -> Vec<Context> {
    let users =
        ["", "ada", "grace", "7"].into_iter().map(ToOwned::to_owned).chain((1..9).map(|id| format!("u{id}")));
    let users: Vec<_> = users.map(Some).chain([None]).collect();
    let addresses = ADDRESSES.into_iter().map(Some).chain([None]);
    let fields = [("plan", &TEXTS[..]), ("age", &AGES[..]), ("version", &VERSIONS[..])];
    let others =
        fields.iter().flat_map(|(field, values)| values.iter().map(move |value| json!({ *field: value })));
    let others: Vec<_> =
        others.chain([json!({}), json!({ "plan": "gold", "age": "18", "version": "2.0.0" })]).collect();
    let mut all = Vec::new();
    for address in addresses {
        for user in &users {
            for properties in &others {
                let mut context = json!({ "properties": properties });
                if let Some(user) = user {
                    context["userId"] = user.as_str().into();
                }
                if let Some(address) = address {
                    context["remoteAddress"] = address.into();
                }
                all.push(serde_json::from_value(context).unwrap());
            }
        }
    }
    all
}

fn some(values: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    proptest::sample::subsequence(values, 0..=2.min(values.len()))
}

fn one(values: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(values)
}

fn constraint() -> impl Strategy<Value = Value> {
    let listed = (
        one(&["plan", "plan", "age", "version"]),
        one(&["IN", "NOT_IN"]),
        some(&["gold", "goat", "18", "2.0.0"]),
    );
    let text = (
        Just("plan"),
        one(&["STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS"]),
        some(&["go", "gold", "ol", "GO"]),
    );
    let network = (Just("remoteAddress"), Just("IN_CIDR"), some(&["10.0.0.0/8", "10.1.0.0/16", "11.0.0.1"]));
    let list = prop_oneof![listed, text, network].prop_map(
        |(field, operator, values)| json!({ "contextName": field, "operator": operator, "values": values }),
    );
    let number = (
        Just("age"),
        one(&["NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"]),
        one(&["17", "18", "18.0", "20"]),
    );
    let version = (
        Just("version"),
        one(&["SEMVER_EQ", "SEMVER_GT", "SEMVER_LT", "SEMVER_GTE", "SEMVER_LTE"]),
        one(&["1.9.0", "1.10.0", "2.0.0-rc.1", "2.0.0"]),
    );
    let single = prop_oneof![number, version].prop_map(
        |(field, operator, value)| json!({ "contextName": field, "operator": operator, "values": [], "value": value }),
    );
    let flags = (proptest::bool::weighted(0.25), proptest::bool::weighted(0.2));
    (prop_oneof![2 => list, 1 => single], flags).prop_map(|(mut constraint, (inverted, case_insensitive))| {
        constraint["inverted"] = inverted.into();
        constraint["caseInsensitive"] = case_insensitive.into();
        constraint
    })
}

fn rule() -> impl Strategy<Value = Value> {
    let list = |name: &'static str, parameter: &'static str, values| {
        proptest::option::weighted(0.9, one(values)).prop_map(move |list| {
            let parameters = list.map_or_else(|| json!({}), |list| json!({ parameter: list }));
            json!({ "name": name, "parameters": parameters })
        })
    };
    let users = list("userWithId", "userIds", &["", "ada", "grace", "ada,grace", "ada, 7", ",", "7,,ada"]);
    let addresses = list(
        "remoteAddress",
        "IPs",
        &["", "10.0.0.0/8", "10.1.2.3", "10.1.0.0/16,11.0.0.1", ",", "10.1.2.3,x"],
    );
    let rollout = (
        one(&["0", "30", "60", "100", "0x1e"]),
        one(&["userId", "userId", "default", "random", ""]),
        one(&["g", "g", "h"]),
    )
        .prop_map(|(rollout, stickiness, group)| {
            let parameters = json!({ "rollout": rollout, "stickiness": stickiness, "groupId": group });
            json!({ "name": "flexibleRollout", "parameters": parameters })
        });
    let old = (one(&["gradualRolloutUserId", "gradualRolloutRandom"]), one(&["0", "30", "100"])).prop_map(
        |(name, percentage)| json!({ "name": name, "parameters": { "percentage": percentage, "groupId": "g" } }),
    );
    prop_oneof![
        1 => Just(json!({ "name": "default", "parameters": {} })),
        3 => users,
        2 => addresses,
        4 => rollout,
        1 => old,
    ]
}

fn variants() -> impl Strategy<Value = Value> {
    let variant = |name: &str| json!([{ "name": name, "weight": 1000 }]);
    prop_oneof![6 => Just(json!([])), 1 => Just(variant("blue")), 1 => Just(variant("green"))]
}

fn strategy() -> impl Strategy<Value = Value> {
    (rule(), proptest::collection::vec(constraint(), 0..3), variants(), proptest::bool::weighted(0.1))
        .prop_map(|(mut strategy, constraints, variants, disabled)| {
            strategy["constraints"] = constraints.into();
            strategy["variants"] = variants;
            strategy["disabled"] = disabled.into();
            strategy
        })
}

fn toggle() -> impl Strategy<Value = Value> {
    (proptest::bool::weighted(0.9), proptest::collection::vec(strategy(), 0..4), variants()).prop_map(
        |(enabled, strategies, variants)| {
            json!({ "name": NAME, "enabled": enabled, "strategies": strategies, "variants": variants })
        },
    )
}

/// An edit of a toggle: its kind, the strategy that it changes, and the strategy from which it takes its values.
type Edit = (usize, prop::sample::Index, Value, Value);

fn edit() -> impl Strategy<Value = Edit> {
    (0..9_usize, any::<prop::sample::Index>(), strategy(), constraint())
}

fn apply(toggle: &mut Value, (kind, index, new, constraint): Edit) {
    if kind == 0 {
        toggle["enabled"] = (toggle["enabled"] == false).into();
        return;
    }
    if kind == 1 {
        toggle["variants"] = new["variants"].clone();
        return;
    }
    let strategies = toggle["strategies"].as_array_mut().unwrap();
    if kind == 2 || strategies.is_empty() {
        strategies.push(new);
        return;
    }
    let at = index.index(strategies.len());
    let constraints = strategies[at]["constraints"].as_array_mut().unwrap();
    match kind {
        3 => drop(strategies.remove(at)),
        4 => constraints.push(constraint),
        5 => drop(constraints.pop()),
        6 => {
            if let Some(changed) =
                constraints.iter_mut().find(|one| one["contextName"] == constraint["contextName"])
            {
                *changed = constraint;
            }
        }
        7 => strategies[at] = new,
        _ => {
            strategies[at]["name"] = new["name"].clone();
            strategies[at]["parameters"] = new["parameters"].clone();
        }
    }
}

/// The result for a context: the probability of the feature, and the variant if it is certain.
#[derive(Debug, PartialEq)]
struct Gift {
    probability: f64,
    variant: Option<String>,
}

/// Returns what a context gets in a library; `None` if its rules do not tell that.
fn gift(toggles: &Toggles, library: Library, context: &Context) -> Option<Gift> {
    let evaluation = toggles.evaluate_as(library, toggles.find(NAME).unwrap(), context);
    let probability = match evaluation.outcome {
        Outcome::On => 1.0,
        Outcome::Off => 0.0,
        Outcome::Random(probability) => probability,
        Outcome::Application => return None,
    };
    let variant = match evaluation.variant {
        VariantChoice::Certain(variant) if probability > 0.0 => Some(variant.name().to_owned()),
        _ => None,
    };
    Some(Gift { probability, variant })
}

/// Returns true if the second gift contains something that the first does not.
fn gains(before: &Gift, after: &Gift) -> bool {
    after.probability > before.probability + 1e-9
        || (after.probability > 0.0 && before.probability > 0.0 && before.variant != after.variant)
}

/// The toggle in each client library.
fn compile(definitions: &Definitions) -> [(Library, Toggles); 3] {
    Library::ALL.map(|library| {
        let seed = if library == Library::Node3 { OLD_VARIANT_SEED } else { VARIANT_SEED };
        (library, Toggles::compile(definitions, seed))
    })
}

/// Returns whether some context gains something by the change, and whether some context loses something.
fn compare(before: &Definitions, after: &Definitions, world: &[Context]) -> (bool, bool) {
    let (before, after) = (compile(before), compile(after));
    let (mut gained, mut lost) = (false, false);
    for ((library, before), (_, after)) in before.iter().zip(&after) {
        for context in world {
            let gifts = gift(before, *library, context).zip(gift(after, *library, context));
            gained |= gifts.as_ref().is_some_and(|(before, after)| gains(before, after));
            lost |= gifts.as_ref().is_some_and(|(before, after)| gains(after, before));
        }
    }
    (gained, lost)
}

#[test]
fn no_audience_contradicts_an_effect() {
    let world = world();
    let cases = u32::try_from(number_from("FLAGDECK_AUDIENCE_CHANGES", 400)).unwrap();
    // How often each effect had a gain and a loss.
    let counts: RefCell<BTreeMap<(Effect, bool, bool), u32>> = RefCell::default();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let mut runner = TestRunner::new(config);
    let result = runner.run(&(toggle(), proptest::collection::vec(edit(), 1..3)), |(before, edits)| {
        let mut after = before.clone();
        for edit in edits {
            apply(&mut after, edit);
        }
        let parse = |toggle: &Value| -> Definitions {
            serde_json::from_value(json!({ "features": [toggle], "segments": [] })).unwrap()
        };
        let sides = (parse(&before), parse(&after));
        let (gained, lost) = compare(&sides.0, &sides.1, &world);
        // The opposite of each change is a change, too.
        for (before, after, gained, lost) in
            [(&sides.0, &sides.1, gained, lost), (&sides.1, &sides.0, lost, gained)]
        {
            let effect = ChangedToggles::new(before, after).effect(NAME);
            *counts.borrow_mut().entry((effect, gained, lost)).or_default() += 1;
            let is_possible = match effect {
                Effect::Neither => !gained && !lost,
                Effect::Narrows => !gained,
                Effect::Widens => !lost,
                Effect::MayWiden | Effect::Changes => true,
            };
            prop_assert!(
                is_possible,
                "{effect:?}, but gained: {gained}, lost: {lost}\n{before:?}\n{after:?}"
            );
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("effects with whether some context gained and lost: {counts:?}");
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let count = |wanted: &dyn Fn(&(Effect, bool, bool)) -> bool| -> u32 {
        counts.iter().filter(|(key, _)| wanted(key)).map(|(_, count)| count).sum()
    };
    // "Some get it, others lose it" is no proof: different strategies can have equal variants.
    assert!(count(&|key| *key == (Effect::Changes, true, true)) > 0, "{counts:?}");
    // Effects that are never decided would contradict nothing.
    let undecided = count(&|(effect, ..)| *effect == Effect::MayWiden);
    let total = count(&|_| true);
    assert!(undecided * 3 <= total, "{undecided} of {total}");
}
