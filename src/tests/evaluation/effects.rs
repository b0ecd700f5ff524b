//! Compares the effects of random changes with results: a change that cannot widen turns no context on, and changes no
//! variant and no payload; one that widens turns no context off.
//!
//! `FLAGDECK_EFFECT_CHANGES` is the number of changes (default 300), `FLAGDECK_EFFECT_CONTEXTS` the number of contexts for each
//! (default 60), `FLAGDECK_EFFECT_SEED` the seed. 10,000 changes take about half a minute with `cargo test --release`.

use std::collections::BTreeMap;

use flagdeck::evaluation::effect::{ChangedToggles, Effect};
use flagdeck::evaluation::{Context, Definitions, Evaluation, Outcome, Toggles, VARIANT_SEED, VariantChoice};
use flagdeck::files::plan::words_of;
use serde::Deserialize;
use serde_json::{Value, json};

use super::generator::{Generator, TOGGLES, toggle_name};
use super::oracle::number_from;

/// Changes of each set of toggles.
const CHANGES: u64 = 10;

/// Changes that select fewer users, unless other strategies have other variants.
const NARROWINGS: usize = 12;

/// Returns the toggles after a change that selects fewer users; `None` if this kind of change is not possible.
fn narrow(generator: &mut Generator, definitions: &Value, kind: usize, name: &str) -> Option<Value> {
    let mut changed = definitions.clone();
    let index = changed["features"].as_array()?.iter().position(|toggle| toggle["name"] == *name)?;
    if kind == 0 {
        changed["features"].as_array_mut()?.remove(index);
        return Some(changed);
    }
    if kind == 1 {
        let constraint = generator.constraint();
        changed["segments"][generator.below(2)]["constraints"].as_array_mut()?.push(constraint);
        return Some(changed);
    }
    let toggle = &mut changed["features"][index];
    if kind == 2 {
        toggle["enabled"] = false.into();
        return Some(changed);
    }
    let strategies = toggle["strategies"].as_array_mut().unwrap();
    if strategies.is_empty() {
        strategies.push(generator.strategy());
        return Some(changed);
    }
    let position = generator.below(strategies.len());
    if kind == 3 {
        if strategies.len() == 1 {
            return None;
        }
        strategies.remove(position);
        return Some(changed);
    }
    let strategy = &mut strategies[position];
    match kind {
        4 => strategy["disabled"] = true.into(),
        5 => {
            let key =
                ["rollout", "percentage"].into_iter().find(|key| strategy["parameters"][key].is_string());
            let percentage: usize = strategy["parameters"][key?].as_str()?.parse().ok()?;
            strategy["parameters"][key?] = generator.below(percentage + 1).to_string().into();
        }
        6 => {
            let key = ["userIds", "IPs"].into_iter().find(|key| strategy["parameters"][key].is_string())?;
            let items: Vec<_> = strategy["parameters"][key].as_str()?.split(',').collect();
            let kept = 1 + generator.below(items.len());
            strategy["parameters"][key] = items[..kept].join(",").into();
        }
        7 => {
            let constraint = generator.constraint();
            strategy["constraints"].as_array_mut()?.push(constraint);
        }
        8 => {
            let segment = 1 + generator.below(2);
            strategy["segments"].as_array_mut()?.push(segment.into());
        }
        9 => toggle["dependencies"] = json!([{ "feature": toggle_name(generator.below(TOGGLES)) }]),
        _ => {
            let constraints = strategy["constraints"].as_array_mut()?;
            let count = constraints.len();
            let constraint = constraints.get_mut(generator.below(count.max(1)))?;
            tighten(generator, constraint)?;
        }
    }
    Some(changed)
}

/// Makes a constraint match fewer contexts.
fn tighten(generator: &mut Generator, constraint: &mut Value) -> Option<()> {
    let operator = constraint["operator"].as_str()?.to_owned();
    let is_inverted = constraint["inverted"] == true;
    let field = constraint["contextName"].as_str()?.to_owned();
    if matches!(operator.as_str(), "IN" | "NOT_IN") {
        let adds = (operator == "NOT_IN") != is_inverted;
        let values = constraint["values"].as_array_mut()?;
        if adds {
            values.push(generator.value_of(&field).into());
        } else {
            values.pop()?;
        }
    } else if matches!(operator.as_str(), "STR_STARTS_WITH" | "STR_ENDS_WITH" | "STR_CONTAINS") {
        let values = constraint["values"].as_array_mut()?;
        if is_inverted {
            values.push("gold".into());
        } else {
            values.pop()?;
        }
    } else if operator.starts_with("NUM_") && !operator.ends_with("EQ") {
        let number: f64 = constraint["value"].as_str()?.parse().ok()?;
        let rises = operator.starts_with("NUM_GT") != is_inverted;
        let number = if rises { number + 3.0 } else { number - 3.0 };
        constraint["value"] = number.to_string().into();
    } else {
        return None;
    }
    Some(())
}

/// Returns the toggles after any change of one toggle or segment.
fn change(generator: &mut Generator, definitions: &Value, index: usize) -> Value {
    let mut changed = definitions.clone();
    let toggle = &mut changed["features"][index];
    let count = toggle["strategies"].as_array().map_or(0, Vec::len);
    match generator.below(9) {
        0 => toggle["variants"] = generator.variants(true),
        1 => toggle["enabled"] = (generator.below(2) == 0).into(),
        2 => toggle["dependencies"] = json!([generator.dependency()]),
        3 => {
            let segment = generator.below(2);
            changed["segments"][segment]["constraints"] = generator.constraints();
        }
        4 => toggle["strategies"].as_array_mut().unwrap().push(generator.strategy()),
        5 if count > 1 => toggle["strategies"].as_array_mut().unwrap().swap(0, count - 1),
        6 if count > 0 => {
            toggle["strategies"][count - 1]["variants"] = generator.variants(false);
        }
        7 if count > 0 => {
            let copy = toggle["strategies"][0].clone();
            toggle["strategies"].as_array_mut().unwrap().push(copy);
        }
        _ if count > 0 => {
            let position = generator.below(count);
            let strategy = generator.strategy();
            let key = ["parameters", "constraints", "segments", "name"][generator.below(4)];
            toggle["strategies"][position][key] = strategy[key].clone();
        }
        _ => toggle["strategies"] = json!([generator.strategy()]),
    }
    changed
}

/// Returns true if the second result gives the context something that the first does not.
fn gains(before: Option<Evaluation<'_>>, after: Option<Evaluation<'_>>) -> bool {
    let Some(after) = after else { return false };
    let outcome = before.map_or(Outcome::Off, |before| before.outcome);
    match (outcome, after.outcome) {
        (Outcome::On, Outcome::On) => before.is_none_or(|before| !is_same(before.variant, after.variant)),
        (Outcome::Random(before), Outcome::Random(after)) => after > before + 1e-9,
        // `with_certain_results` decides the cases that do not become off.
        (_, Outcome::Off)
        | (
            Outcome::On | Outcome::Application | Outcome::Random(_),
            Outcome::Application | Outcome::Random(_),
        ) => false,
        _ => true,
    }
}

fn is_same(before: VariantChoice<'_>, after: VariantChoice<'_>) -> bool {
    match (before, after) {
        (VariantChoice::None, VariantChoice::None) => true,
        (VariantChoice::Certain(before), VariantChoice::Certain(after)) => {
            (before.name(), before.payload()) == (after.name(), after.payload())
        }
        (VariantChoice::Random(before), VariantChoice::Random(after)) => before == after,
        _ => false,
    }
}

/// Replaces strategies that the application or chance decides by constraints on fields of the context, so that each result is
/// certain.
fn with_certain_results(definitions: &Value) -> Value {
    let mut certain = definitions.clone();
    for toggle in certain["features"].as_array_mut().unwrap() {
        for strategy in toggle["strategies"].as_array_mut().unwrap() {
            match strategy["name"].as_str().unwrap() {
                "beta-group" => {
                    let field = format!("beta {}", strategy["parameters"]);
                    let constraint = json!({ "contextName": field, "operator": "NOT_IN", "values": ["no"] });
                    strategy["name"] = "default".into();
                    strategy["constraints"].as_array_mut().unwrap().push(constraint);
                }
                "gradualRolloutRandom" => {
                    // Other parameters are kept, because the variants of the strategy depend on them.
                    let percentage = strategy["parameters"]["percentage"].as_str();
                    let percentage: f64 = percentage.and_then(|text| text.parse().ok()).unwrap_or(0.0);
                    let value = (percentage * 10.0).to_string();
                    let constraint = json!({ "contextName": "draw", "operator": "NUM_LT", "value": value });
                    strategy["name"] = "default".into();
                    strategy["constraints"].as_array_mut().unwrap().push(constraint);
                }
                _ => {}
            }
        }
    }
    certain
}

fn compile(definitions: &Value) -> Toggles {
    Toggles::compile(&serde_json::from_value(definitions.clone()).unwrap(), VARIANT_SEED)
}

/// Returns the toggles that give a context something new, with both results.
fn find_gains(before: &Toggles, after: &Toggles, contexts: &[Context]) -> BTreeMap<String, String> {
    let gain = |name: String| {
        let toggles = (before.find(&name), after.find(&name));
        contexts.iter().find_map(|context| {
            let before = toggles.0.map(|toggle| before.evaluate(toggle, context));
            let after = toggles.1.map(|toggle| after.evaluate(toggle, context));
            gains(before, after).then(|| (name.clone(), format!("{before:?} and {after:?} for {context:?}")))
        })
    };
    (0..TOGGLES).map(toggle_name).filter_map(gain).collect()
}

/// A change with its effect. The tests of the console contain the same cases.
///
/// Each side is a toggle, the strategies of an enabled toggle, or null for a toggle that does not exist.
#[derive(Deserialize)]
struct Case {
    name: String,
    effect: Effect,
    before: Value,
    after: Value,
}

#[test]
fn changes_have_the_effects_that_the_console_shows() {
    let cases = include_str!("../../../frontend/src/domain/impact/effectCases.json");
    for Case { name, effect, before, after } in serde_json::from_str::<Vec<Case>>(cases).unwrap() {
        let constraints = json!([{ "contextName": "plan", "operator": "IN", "values": ["gold"] }]);
        let other = json!([{ "contextName": "region", "operator": "IN", "values": ["eu"] }]);
        let segments = json!([{ "id": 1, "constraints": constraints }, { "id": 2, "constraints": other }]);
        let [before, after] = [before, after].map(|side| {
            let mut toggle = match side {
                Value::Null => return Definitions::default(),
                Value::Array(_) => json!({ "enabled": true, "strategies": side }),
                toggle => toggle,
            };
            toggle["name"] = "shop.pay".into();
            serde_json::from_value(json!({ "features": [toggle], "segments": segments })).unwrap()
        });
        assert_eq!(ChangedToggles::new(&before, &after).effect("shop.pay"), effect, "{name}");
    }
}

#[test]
fn plans_have_the_words_of_the_console() {
    let words = include_str!("../../../frontend/src/domain/impact/effectWords.json");
    for (effect, words) in serde_json::from_str::<BTreeMap<Effect, String>>(words).unwrap() {
        assert_eq!(words_of(effect), words);
    }
}

#[test]
fn changes_that_cannot_widen_give_no_context_anything_new() {
    let (changes, seed) =
        (number_from("FLAGDECK_EFFECT_CHANGES", 300), number_from("FLAGDECK_EFFECT_SEED", 1));
    let contexts_per_change = number_from("FLAGDECK_EFFECT_CONTEXTS", 60);
    let (mut safe, mut narrowings, mut refused) = (0_u64, 0_u64, 0_u64);
    let mut by_kind = [(0_u64, 0_u64); NARROWINGS];
    for case in 0..changes.div_ceil(CHANGES) {
        let mut generator = Generator(seed.wrapping_add(case << 20));
        let definitions = generator.definitions();
        let contexts: Vec<Context> = (0..contexts_per_change)
            .map(|_| {
                let mut json = generator.context();
                json["properties"]["draw"] = generator.below(1000).to_string().into();
                let mut context: Context = serde_json::from_value(json).unwrap();
                context.set_default_time("2026-01-01T00:00:00Z");
                context
            })
            .collect();
        for _ in 0..CHANGES {
            let (kind, index) = (generator.below(NARROWINGS), generator.below(TOGGLES));
            let narrowed = match generator.below(3) {
                0 => None,
                _ => narrow(&mut generator, &definitions, kind, &toggle_name(index)),
            };
            let is_narrowing = narrowed.is_some();
            let result = narrowed.unwrap_or_else(|| change(&mut generator, &definitions, index));
            // The opposite of each change is a change, too.
            for (before, after) in [(&definitions, &result), (&result, &definitions)] {
                let parse = |json: &Value| serde_json::from_value::<Definitions>(json.clone()).unwrap();
                let comparison = ChangedToggles::new(&parse(before), &parse(after));
                let mut gaining = find_gains(&compile(before), &compile(after), &contexts);
                let certain = (with_certain_results(before), with_certain_results(after));
                gaining.extend(find_gains(&compile(&certain.0), &compile(&certain.1), &contexts));
                let mut losing = find_gains(&compile(after), &compile(before), &contexts);
                losing.extend(find_gains(&compile(&certain.1), &compile(&certain.0), &contexts));
                let effects = (0..TOGGLES).map(toggle_name).map(|name| (comparison.effect(&name), name));
                let effects: Vec<_> = effects.collect();
                for (effect, name) in &effects {
                    let gain = gaining.get(name).filter(|_| !effect.may_widen());
                    let seed = seed.wrapping_add(case << 20);
                    assert_eq!(gain, None, "{name} {effect:?}, seed {seed}\n{before:#}\n{after:#}");
                    safe += u64::from(!effect.may_widen());
                    let loss =
                        losing.get(name).filter(|_| matches!(effect, Effect::Widens | Effect::Neither));
                    assert_eq!(loss, None, "{name} {effect:?}, seed {seed}\n{before:#}\n{after:#}");
                }
                let is_true_narrowing = is_narrowing && after == &result && gaining.is_empty();
                if is_true_narrowing {
                    let is_refused = effects.iter().any(|(effect, _)| effect.may_widen());
                    narrowings += 1;
                    refused += u64::from(is_refused);
                    by_kind[kind].0 += 1;
                    by_kind[kind].1 += u64::from(is_refused);
                }
            }
        }
    }
    println!(
        "{changes} changes and their opposites for {contexts_per_change} contexts each, {safe} effects that cannot widen; {refused} of {narrowings} narrowings may widen: {by_kind:?}"
    );
    // Libraries read some of the generated values in different ways.
    assert!(refused * 4 <= narrowings, "{refused} of {narrowings}");
}
