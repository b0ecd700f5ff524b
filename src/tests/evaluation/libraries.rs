//! Compares the evaluation, and the effects of changes, with what real client libraries have decided.
//!
//! `libraries.jsonl` contains generated toggles with odd values, and the verdicts of `unleash-client` 6 and 3 for Node and of
//! `UnleashClient` for Python. Record it again with
//!
//! ```sh
//! node frontend/e2e/sdk/verdicts.mjs 100 >src/tests/evaluation/libraries.jsonl
//! ```
//!
//! `FLAGDECK_LIBRARY_VERDICTS` names another file. `make sdk` records 100,000 evaluations and compares them.

use std::collections::BTreeMap;
use std::{env, fs};

use flagdeck::evaluation::effect::{ChangedToggles, Effect};
use flagdeck::evaluation::{
    Context, Definitions, Evaluation, Library, OLD_VARIANT_SEED, Outcome, Toggles, VARIANT_SEED,
    VariantChoice, properties,
};
use serde::Deserialize;
use serde_json::Value;

/// The judged toggle.
const NAME: &str = "t";

/// States of a toggle, contexts, and the verdicts of each library about each state and context.
#[derive(Deserialize)]
struct Group {
    states: Vec<Value>,
    contexts: Vec<Value>,
    verdicts: Vec<Vec<[Verdict; 3]>>,
}

/// Result of a library: whether the toggle is on, and its variant. `None` if it is random.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
struct Verdict {
    is_on: Option<bool>,
    /// Empty for none.
    variant: Option<String>,
}

impl From<String> for Verdict {
    fn from(text: String) -> Self {
        let (state, variant) = text.split_at(1);
        let is_on = match state {
            "+" => Some(true),
            "-" => Some(false),
            "?" => None,
            _ => panic!("unknown verdict {text}"),
        };
        Self { is_on, variant: (variant != "?").then(|| variant.to_owned()) }
    }
}

fn groups() -> Vec<Group> {
    let text = env::var("FLAGDECK_LIBRARY_VERDICTS").map_or_else(
        |_| include_str!("libraries.jsonl").to_owned(),
        |file| fs::read_to_string(file).unwrap(),
    );
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn compile(state: &Value, seed: u32) -> Toggles {
    Toggles::compile(&definitions(state), seed)
}

fn definitions(state: &Value) -> Definitions {
    serde_json::from_value(state.clone()).unwrap()
}

/// Returns the disagreement between the evaluation and a verdict, if there is one. Outcomes that the rules of the library do
/// not tell agree with every verdict.
fn disagreement(evaluation: &Evaluation<'_>, verdict: &Verdict) -> Option<String> {
    let is_on = match evaluation.outcome {
        Outcome::On => Some(true),
        Outcome::Off => Some(false),
        // A few draws do not always have both results.
        Outcome::Random(probability) => verdict.is_on.filter(|is_on| *is_on == (probability > 0.5)),
        Outcome::Application => return None,
    };
    if is_on != verdict.is_on {
        return Some(format!("{:?} and {verdict:?}", evaluation.outcome));
    }
    let variant = match evaluation.variant {
        VariantChoice::None => "",
        VariantChoice::Certain(variant) => variant.name(),
        VariantChoice::Random(_) => return None,
    };
    let found = verdict.variant.as_deref().filter(|_| is_on == Some(true))?;
    (variant != found).then(|| format!("variant {variant:?} and {verdict:?}"))
}

/// Returns true if the verdicts do not contradict each other.
fn are_equal(one: &Verdict, other: &Verdict) -> bool {
    one.is_on == other.is_on
        && one.variant.as_ref().zip(other.variant.as_ref()).is_none_or(|(one, other)| one == other)
}

#[test]
fn each_library_decides_as_the_evaluation_says() {
    let (mut failures, mut unknown, mut total) = (BTreeMap::<_, Vec<_>>::new(), 0, 0);
    for Group { states, contexts, verdicts } in groups() {
        for (state, verdicts) in states.iter().zip(&verdicts) {
            for (library, position) in Library::ALL.into_iter().zip(0..) {
                let seed = if library == Library::Node3 { OLD_VARIANT_SEED } else { VARIANT_SEED };
                let toggles = compile(state, seed);
                let toggle = toggles.find(NAME).unwrap();
                for (json, verdicts) in contexts.iter().zip(verdicts) {
                    let context: Context = serde_json::from_value(json.clone()).unwrap();
                    let verdict: &Verdict = &verdicts[position];
                    let evaluation = toggles.evaluate_as(library, toggle, &context);
                    total += 1;
                    unknown += u32::from(evaluation.outcome == Outcome::Application);
                    if let Some(fault) = disagreement(&evaluation, verdict) {
                        let fault = format!("{fault}: {json} {state}");
                        failures.entry(format!("{library:?}")).or_default().push(fault);
                    }
                }
            }
        }
    }
    println!("{total} verdicts, {unknown} that the rules do not tell");
    for (library, faults) in &failures {
        println!("{library}: {} disagreements\n{}", faults.len(), faults[..faults.len().min(12)].join("\n"));
    }
    assert!(failures.is_empty());
    assert!(unknown * 10 < total, "{unknown} of {total}");
}

#[test]
fn the_evaluation_decides_as_a_library_and_says_where_others_differ() {
    let (mut faults, mut marked, mut differing, mut mixed, mut total) = (Vec::new(), 0, 0, 0, 0);
    for Group { states, contexts, verdicts } in groups() {
        for (state, verdicts) in states.iter().zip(&verdicts) {
            let toggles = compile(state, VARIANT_SEED);
            let toggle = toggles.find(NAME).unwrap();
            for (json, [node, node3, python]) in contexts.iter().zip(verdicts) {
                let context: Context = serde_json::from_value(json.clone()).unwrap();
                properties::check_agreement(&toggles, &context);
                let evaluation = toggles.evaluate(toggle, &context);
                if evaluation.outcome == Outcome::Application {
                    continue;
                }
                let marks = toggles.explain(toggle, &context).differing;
                let differ = !are_equal(node, python) || node.is_on != node3.is_on;
                total += 1;
                differing += u32::from(differ);
                marked += u32::from(!marks.is_empty());
                for (library, verdict) in Library::ALL.into_iter().zip([node, node3, python]) {
                    // Variants of old libraries have another seed.
                    let verdict = if library == Library::Node3 {
                        Verdict { variant: None, ..verdict.clone() }
                    } else {
                        verdict.clone()
                    };
                    let is_marked = marks.contains(&library);
                    if let Some(fault) = disagreement(&evaluation, &verdict).filter(|_| !is_marked) {
                        faults.push(format!("{library:?} is not marked, {fault}: {json} {state}"));
                    }
                }
                let is_one = [node, node3, python].into_iter().any(|verdict| {
                    disagreement(&evaluation, &Verdict { variant: None, ..verdict.clone() }).is_none()
                });
                // Several odd values can lead to a result of no library. All of them are then marked.
                mixed += u32::from(!is_one);
                if !is_one && marks.len() < Library::ALL.len() {
                    faults
                        .push(format!("{:?} is no verdict of a library: {json} {state}", evaluation.outcome));
                }
            }
        }
    }
    println!("{total} evaluations: libraries differ in {differing}, marked are {marked}, mixed {mixed}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults[..faults.len().min(12)].join("\n"));
    assert!(mixed * 100 < total, "{mixed} results are those of no library");
    assert!(marked <= 2 * differing, "{marked} marks for {differing} differences");
}

/// Returns true if the second verdict gives something that the first does not.
fn gains(before: &Verdict, after: &Verdict) -> bool {
    match (before.is_on, after.is_on) {
        (_, Some(false)) => false,
        (Some(false), _) => true,
        (Some(true), Some(true)) => !are_equal(before, after),
        _ => false,
    }
}

/// Returns true if a toggle that was off in all recorded draws is not always off.
fn may_be_on_by_chance(state: &Value, library: Library, context: &Value) -> bool {
    let toggles = compile(state, VARIANT_SEED);
    let context: Context = serde_json::from_value(context.clone()).unwrap();
    let evaluation = toggles.evaluate_as(library, toggles.find(NAME).unwrap(), &context);
    matches!(evaluation.outcome, Outcome::Random(_) | Outcome::Application)
}

#[test]
fn no_library_turns_on_after_a_change_that_cannot_widen_or_off_after_one_that_widens() {
    let (mut faults, mut counts) = (Vec::new(), BTreeMap::<_, u32>::new());
    for Group { states, contexts, verdicts } in groups() {
        let definitions: Vec<_> = states.iter().map(definitions).collect();
        for (one, before) in definitions.iter().enumerate() {
            for (other, after) in definitions.iter().enumerate().filter(|(other, _)| *other != one) {
                let effect = ChangedToggles::new(before, after).effect(NAME);
                *counts.entry(effect).or_default() += 1;
                for (position, context) in contexts.iter().enumerate() {
                    let (before, after) = (&verdicts[one][position], &verdicts[other][position]);
                    for library in 0..3 {
                        let is_gain = !effect.may_widen() && gains(&before[library], &after[library]);
                        let is_loss = effect == Effect::Widens && gains(&after[library], &before[library]);
                        let is_by_chance = |state| may_be_on_by_chance(state, Library::ALL[library], context);
                        if (is_gain && !is_by_chance(&states[one]))
                            || (is_loss && !is_by_chance(&states[other]))
                        {
                            faults.push(format!(
                                "{effect:?}, {:?} gives {:?} instead of {:?} for {context}\n{}\n{}",
                                Library::ALL[library],
                                after[library],
                                before[library],
                                states[one],
                                states[other]
                            ));
                        }
                    }
                }
            }
        }
    }
    println!("effects: {counts:?}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults[..faults.len().min(8)].join("\n\n"));
    let narrowing = counts.get(&Effect::Narrows).copied().unwrap_or_default();
    let total: u32 = counts.values().sum();
    assert!(narrowing * 20 > total, "{counts:?}");
}
