//! Compares the evaluation with `unleash-yggdrasil`, the engine of several client libraries, for generated toggles and
//! contexts.
//!
//! `FLAGDECK_ORACLE_PAIRS` is the number of pairs of toggle and context (default 5,000), `FLAGDECK_ORACLE_SEED` the seed.
//! One million pairs take about two minutes with `cargo test --release`.
//!
//! Not generated, because that engine switches the whole toggle off, fails, or differs on purpose (see
//! `src/evaluation.rs`): numbers, times and versions that are not valid in a constraint; empty lists of texts and networks;
//! unknown operators; segments that do not exist; percentages that are not whole numbers from 0 to 100;
//! `gradualRolloutUserId` without `groupId`; an empty stickiness; quotes and backslashes; weights with a sum of 0;
//! regular expressions with Unicode classes. Not compared: children of a parent with a random strategy.

use std::collections::HashMap;
use std::env;

use flagdeck::evaluation::reason::{EvaluationResult, Explanation, VariantSelection};
use flagdeck::evaluation::{
    Context, Evaluation, Library, Outcome, Toggle, Toggles, VARIANT_SEED, properties,
};
use serde_json::{Value, json};
use unleash_types::client_features::Context as OracleContext;
use unleash_yggdrasil::{EngineState, ExtendedVariantDef, UpdateMessage};

use super::generator::{Generator, TOGGLES, toggle_name};

/// Contexts for each set of toggles.
const CONTEXTS: usize = 20;
/// Names under which that engine asks for the results of custom strategies.
const CUSTOM: [&str; 3] = ["customStrategy1", "customStrategy2", "customStrategy3"];

struct Oracle(EngineState);

impl Oracle {
    fn new(definitions: &Value) -> Self {
        let engine = EngineState::default();
        let state = serde_json::from_value(definitions.clone()).unwrap();
        let warnings = engine.take_state(UpdateMessage::FullResponse(state));
        assert!(warnings.is_none(), "{warnings:?}\n{definitions:#}");
        Self(engine)
    }

    /// Evaluates a toggle. `custom` is the result of all custom strategies.
    fn evaluate(&self, name: &str, context: &OracleContext, custom: bool) -> (bool, ExtendedVariantDef) {
        let custom: HashMap<_, _> = CUSTOM.map(|name| (name.to_owned(), custom)).into();
        let resolved = self.0.resolve(name, context, &Some(custom)).unwrap();
        (resolved.enabled, resolved.variant)
    }
}

pub(super) fn number_from(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// Returns the disagreement of both results, if there is one.
fn disagreement(
    toggles: &Toggles,
    toggle: &Toggle,
    context: &Context,
    results: &[(bool, ExtendedVariantDef); 2],
) -> Option<String> {
    let Evaluation { outcome, variant } = toggles.evaluate_as(Library::Python, toggle, context);
    let explanation = toggles.explain(toggle, context);
    // That engine draws twice: once for the result of a parent, once for its variant.
    let is_random = |explanation: &Explanation| {
        explanation.strategies.iter().any(|strategy| strategy.result == EvaluationResult::Random)
    };
    let parents = explanation.parents.iter().filter_map(|parent| toggles.find(&parent.name));
    if parents.into_iter().any(|parent| is_random(&toggles.explain(parent, context))) {
        return None;
    }
    let has_problem = |explanation: &Explanation| {
        let strategies = explanation.strategies.iter();
        let segments = strategies.clone().flat_map(|strategy| &strategy.segments);
        let of_segments = segments.flat_map(|segment| &segment.constraints);
        strategies
            .flat_map(|strategy| &strategy.constraints)
            .chain(of_segments)
            .any(|one| one.problem.is_some())
    };
    let depends_on_more =
        !explanation.parents.is_empty() || is_random(&explanation) || has_problem(&explanation);
    let is_on = [results[0].0, results[1].0];
    let expected = match outcome {
        Outcome::On => [true, true],
        Outcome::Off => [false, false],
        Outcome::Application if !depends_on_more => [false, true],
        Outcome::Application | Outcome::Random(_) => return None,
    };
    if is_on != expected {
        return Some(format!("{outcome:?} and {is_on:?}"));
    }
    let reason = explanation.variant;
    let names = [&results[0].1, &results[1].1].map(|variant| variant.name.as_str());
    match variant.certain() {
        Some(variant) if outcome.is_on() && reason.as_ref().is_some_and(|reason| reason.certain) => {
            let payload = variant.payload().and_then(|payload| payload.value.as_deref());
            let other = results[0].1.payload.as_ref().map(|payload| payload.value.as_str());
            (names != [variant.name(); 2] || payload != other)
                .then(|| format!("{} and {names:?}", variant.name()))
        }
        None if reason.is_none_or(|reason| reason.certain && reason.selection == VariantSelection::None)
            && names != ["disabled"; 2] =>
        {
            Some(format!("no variant and {names:?}"))
        }
        _ => None,
    }
}

#[test]
fn generated_toggles_have_the_same_results() {
    let (pairs, seed) = (number_from("FLAGDECK_ORACLE_PAIRS", 5_000), number_from("FLAGDECK_ORACLE_SEED", 1));
    let mut counts = HashMap::<&str, u64>::new();
    let mut compared = 0;
    for case in 0.. {
        let mut generator = Generator(seed.wrapping_add(case));
        let definitions = generator.definitions();
        let oracle = Oracle::new(&definitions);
        let toggles = Toggles::compile(&serde_json::from_value(definitions.clone()).unwrap(), VARIANT_SEED);
        for _ in 0..CONTEXTS {
            let json = generator.context();
            let mut context: Context = serde_json::from_value(json.clone()).unwrap();
            context.set_default_time("2026-01-01T00:00:00Z");
            let oracle_context: OracleContext = serde_json::from_value(json.clone()).unwrap();
            properties::check_agreement(&toggles, &context);
            for index in 0..TOGGLES {
                let name = toggle_name(index);
                let toggle = toggles.find(&name).unwrap();
                let results = [false, true].map(|custom| oracle.evaluate(&name, &oracle_context, custom));
                let fault = disagreement(&toggles, toggle, &context, &results);
                assert_eq!(fault, None, "seed {}, {name}, {json}\n{definitions:#}", seed + case);
                let kind = match toggles.evaluate(toggle, &context).outcome {
                    Outcome::On => "on",
                    Outcome::Off => "off",
                    Outcome::Application => "application",
                    Outcome::Random(_) => "random",
                };
                *counts.entry(kind).or_default() += 1;
                compared += 1;
            }
        }
        if compared >= pairs {
            break;
        }
    }
    println!("{compared} pairs, 0 disagreements: {counts:?}");
    // The comparison is worth nothing if most toggles are off.
    assert!(counts["on"] * 4 > compared && counts["off"] * 5 > compared, "{counts:?}");
}

#[test]
fn random_results_have_the_same_distribution() {
    const DRAWS: u32 = 20_000;
    let rollout = |stickiness: &str| json!({ "name": "flexibleRollout", "parameters": { "rollout": "30", "stickiness": stickiness, "groupId": "g" } });
    let half = json!({ "name": "gradualRolloutRandom", "parameters": { "percentage": "50" } });
    let variants = json!([{ "name": "v0", "weight": 200 }, { "name": "v1", "weight": 800 }]);
    for strategies in
        [json!([rollout("random")]), json!([rollout("default")]), json!([half]), json!([half, half])]
    {
        let toggle = json!({ "name": "a", "enabled": true, "strategies": strategies, "variants": variants });
        let definitions = json!({ "version": 1, "features": [toggle] });
        let toggles = Toggles::compile(&serde_json::from_value(definitions.clone()).unwrap(), VARIANT_SEED);
        let evaluation = toggles.evaluate(toggles.find("a").unwrap(), &Context::default());
        let (oracle, context) = (Oracle::new(&definitions), OracleContext::default());
        let results: Vec<_> = (0..DRAWS).map(|_| oracle.evaluate("a", &context, false)).collect();
        let share = |count: usize| f64::from(u32::try_from(count).unwrap()) / f64::from(DRAWS);
        let on = share(results.iter().filter(|(is_on, _)| *is_on).count());
        let probability = evaluation.outcome.probability().unwrap();
        assert!((on - probability).abs() < 0.02, "{on} and {probability}: {strategies}");
        let v1 = share(results.iter().filter(|(_, variant)| variant.name == "v1").count());
        assert!((v1 - on * 0.8).abs() < 0.02, "{v1} and {}: {strategies}", on * 0.8);
    }
}
