//! Properties of the evaluation that hold for any input. The fuzz target calls them.

use super::reason::Decision;
use super::{Context, Definitions, Outcome, Toggles, VARIANT_SEED};

/// Checks that definitions and a context, separated by a line break, are evaluated without a panic, and that the
/// explanation agrees with the result.
///
/// # Panics
/// If it does not agree.
pub fn check_evaluation(input: &str) {
    let (definitions, context) = input.split_once('\n').unwrap_or((input, "{}"));
    let Ok(definitions) = serde_json::from_str::<Definitions>(definitions) else { return };
    let context: Context = serde_json::from_str(context).unwrap_or_default();
    check_agreement(&Toggles::compile(&definitions, VARIANT_SEED), &context);
}

/// Checks that the explanation of every toggle agrees with its result.
///
/// # Panics
/// If it does not agree.
pub fn check_agreement(toggles: &Toggles, context: &Context) {
    for toggle in toggles.iter() {
        let evaluation = toggles.evaluate(toggle, context);
        let explanation = toggles.explain(toggle, context);
        let is_off = !matches!(explanation.decision, Decision::StrategyMatches | Decision::NoStrategies);
        assert!((evaluation.outcome == Outcome::Off) == is_off, "{evaluation:?} {explanation:?}");
        assert!(explanation.strategy.is_none() || !is_off, "{explanation:?}");
        assert!(explanation.variant.is_some() || evaluation.variant.certain().is_none(), "{explanation:?}");
    }
}
