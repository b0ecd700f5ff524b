//! Results of toggles that replace those of a file (`override`). Pure.

use crate::api::{Strategy, ToggleDraft, Variant};
use crate::config::{OverrideResult, ToggleOverride};
use crate::flags::state::rules::Import;

/// Weight of a variant that everyone gets.
const WHOLE: u32 = 1000;

/// Applies overrides to the toggles of an import.
///
/// # Errors
/// A sentence about a toggle or a variant that the file does not contain.
pub(super) fn apply(import: &mut Import, overrides: &[ToggleOverride]) -> Result<(), String> {
    for ToggleOverride { toggle, result } in overrides {
        let mut features = import.features.iter_mut().flatten();
        let found = features.find(|item| item.value.draft.name == *toggle);
        let found = found.ok_or_else(|| format!("override: the file contains no toggle {toggle:?}"))?;
        set_result(&mut found.value.draft, result)?;
    }
    Ok(())
}

fn set_result(toggle: &mut ToggleDraft, result: &OverrideResult) -> Result<(), String> {
    if *result == OverrideResult::Off {
        toggle.enabled = false;
        return Ok(());
    }
    // The variants of a strategy replace those of the toggle.
    let of_strategies = toggle.strategies.iter_mut().filter_map(|strategy| strategy.variants.take());
    let of_strategies: Vec<_> = of_strategies.filter(|variants| !variants.is_empty()).collect();
    let mut variants = of_strategies.first().cloned().unwrap_or_default();
    if let OverrideResult::Variant(name) = result {
        let known = || of_strategies.iter().flatten().chain(&toggle.variants);
        let Some(variant) = known().find(|variant| variant.name == *name) else {
            let names: Vec<_> = known().map(|variant| variant.name.as_str()).collect();
            let remedy = if names.is_empty() {
                "it has none; use on or off".to_owned()
            } else {
                format!("use on, off or one of {}", names.join(", "))
            };
            return Err(format!("override: the toggle {} has no variant {name:?}: {remedy}", toggle.name));
        };
        variants = vec![Variant { weight: WHOLE, overrides: None, ..variant.clone() }];
        // For SDKs that do not know variants of strategies.
        toggle.variants.clone_from(&variants);
    }
    toggle.enabled = true;
    toggle.dependencies = None;
    toggle.strategies = vec![Strategy {
        id: None,
        name: "default".to_owned(),
        // SDKs choose variants of a strategy by this parameter, and some fail without it.
        parameters: Some([("groupId".to_owned(), toggle.name.clone())].into()),
        constraints: None,
        segments: None,
        variants: (!variants.is_empty()).then_some(variants),
        title: None,
        disabled: None,
    }];
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::apply;
    use crate::config::{OverrideResult, ToggleOverride};
    use crate::flags::state::rules::parse_import;

    fn variant(name: &str) -> Value {
        json!({ "name": name, "weight": 500, "weightType": "variable", "stickiness": "default", "overrides": [{ "contextName": "userId", "values": ["1"] }] })
    }

    /// Returns the toggle after an override.
    fn overridden(toggle: &Value, result: OverrideResult) -> Result<Value, String> {
        let state = json!({ "version": 1, "features": [toggle] });
        let mut import = parse_import(&state, None).unwrap();
        apply(&mut import, &[ToggleOverride { toggle: "checkout".to_owned(), result }])?;
        Ok(serde_json::to_value(&import.features.unwrap()[0].value.draft).unwrap())
    }

    fn toggle(variants: &[Value], of_strategy: &[Value]) -> Value {
        let strategy =
            json!({ "name": "userWithId", "parameters": { "userIds": "1" }, "variants": of_strategy });
        json!({
            "name": "checkout", "enabled": false, "strategies": [strategy], "variants": variants,
            "dependencies": [{ "feature": "shop" }],
        })
    }

    #[test]
    fn on_is_for_everyone_and_keeps_the_variants() {
        let found = overridden(&toggle(&[variant("red")], &[variant("blue")]), OverrideResult::On).unwrap();
        assert_eq!((&found["enabled"], &found["dependencies"]), (&json!(true), &Value::Null));
        assert_eq!(
            found["strategies"],
            json!([{ "name": "default", "parameters": { "groupId": "checkout" }, "variants": [variant("blue")] }])
        );
        assert_eq!(found["variants"], json!([variant("red")]));
    }

    #[test]
    fn variant_is_for_everyone() {
        for (toggle, name) in [
            (toggle(&[variant("red"), variant("green")], &[]), "green"),
            (toggle(&[variant("red")], &[variant("pink"), variant("blue")]), "blue"),
            (toggle(&[variant("red")], &[variant("blue")]), "red"),
        ] {
            let found = overridden(&toggle, OverrideResult::Variant(name.to_owned())).unwrap();
            let only =
                json!({ "name": name, "weight": 1000, "weightType": "variable", "stickiness": "default" });
            let strategy =
                json!({ "name": "default", "parameters": { "groupId": "checkout" }, "variants": [only] });
            assert_eq!(found["strategies"], json!([strategy]), "{name}");
            assert_eq!((&found["enabled"], &found["variants"]), (&json!(true), &json!([only])));
        }
    }

    #[test]
    fn off_changes_nothing_else() {
        let on = json!({ "name": "checkout", "enabled": true, "strategies": [{ "name": "default" }] });
        let found = overridden(&on, OverrideResult::Off).unwrap();
        assert_eq!(
            (&found["enabled"], &found["strategies"]),
            (&json!(false), &json!([{ "name": "default" }]))
        );
    }

    #[test]
    fn unknown_names_are_faults() {
        let absent = json!({ "name": "other", "strategies": [{ "name": "default" }] });
        assert_eq!(
            overridden(&absent, OverrideResult::On),
            Err("override: the file contains no toggle \"checkout\"".to_owned())
        );
        let blue = || OverrideResult::Variant("blue".to_owned());
        let fault = overridden(&toggle(&[variant("red")], &[variant("pink")]), blue()).unwrap_err();
        assert!(fault.ends_with("no variant \"blue\": use on, off or one of pink, red"), "{fault}");
        let fault = overridden(&toggle(&[], &[]), blue()).unwrap_err();
        assert!(fault.ends_with("it has none; use on or off"), "{fault}");
    }
}
