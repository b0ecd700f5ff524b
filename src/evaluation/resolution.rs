//! Resolves a toggle to on or off and to a variant, with the cause of both. Chance decides what no context decides.

use super::library::Match;
use super::strategy::Strategy;
use super::toggles::{StrategiesOutcome, Toggle};
use super::{Cause, Context, Outcome, Run, Stopped, Toggles, Variant, VariantChoice};

/// A result of a toggle for a context that is certain, because chance has decided.
#[derive(Debug, Clone, Copy)]
pub struct Resolution<'t> {
    /// Whether the toggle is on.
    pub is_on: bool,
    /// The variant, if the toggle is on and has variants.
    pub variant: Option<&'t Variant>,
    outcome: Outcome,
    strategies: StrategiesOutcome,
}

impl Resolution<'_> {
    /// Returns the cause of the selection of the variant.
    #[must_use]
    pub fn variant_cause(&self, toggle: &Toggle, context: &Context) -> Cause {
        let (variants, _) = toggle.variants_of(self.strategies.deciding);
        if variants.is_split(context) { Cause::Split } else { Cause::Targeting }
    }
}

impl Toggles {
    /// Resolves a toggle. `chance` returns a random number from 0 (included) to 1 (excluded). For exact results, strategies
    /// of applications must count as off: see [`Toggles::without_application_strategies`].
    pub(crate) fn resolve<'t>(
        &'t self,
        toggle: &'t Toggle,
        run: &mut Run<'_>,
        chance: fn() -> f64,
    ) -> Result<Resolution<'t>, Stopped> {
        let (outcome, strategies) = self.evaluate_conditions(toggle, run);
        let is_on = match outcome {
            Outcome::On => true,
            Outcome::Random(probability) => chance() < probability,
            Outcome::Off | Outcome::Application => false,
        };
        let mut choose = || match self.choose_variant(toggle, strategies.deciding, run) {
            VariantChoice::None => None,
            VariantChoice::Certain(variant) => Some(variant),
            VariantChoice::Random(variants) => variants.at_fraction(chance()),
        };
        let variant = if is_on { choose() } else { None };
        run.finish(Resolution { is_on, variant, outcome, strategies })
    }

    /// Returns the cause of the toggle being on or off, for its resolution in the same run.
    pub(crate) fn cause(
        &self,
        toggle: &Toggle,
        run: &mut Run<'_>,
        resolution: &Resolution<'_>,
    ) -> Result<Cause, Stopped> {
        let cause = match resolution.outcome {
            Outcome::Off | Outcome::Application => self.cause_of_off(toggle, run),
            Outcome::On => cause_of_on(toggle, resolution.strategies),
            Outcome::Random(_) => Cause::Split,
        };
        run.finish(cause)
    }

    fn cause_of_off(&self, toggle: &Toggle, run: &mut Run<'_>) -> Cause {
        let mut active = toggle.strategies.iter().filter(|strategy| !strategy.is_disabled).peekable();
        if !toggle.is_enabled || (active.peek().is_none() && !toggle.strategies.is_empty()) {
            return Cause::Disabled;
        }
        let least = if toggle.parents.is_empty() { Cause::Static } else { Cause::Targeting };
        if self.evaluate_parents(toggle, run) == Outcome::Off {
            return least;
        }
        let causes = active.map(|strategy| {
            // A strategy whose constraints do not match is off for every share.
            let is_targeted = strategy.match_constraints(&self.segments, run);
            if is_targeted == Match::Yes { strategy.cause() } else { Cause::Targeting }
        });
        causes.fold(least, Ord::max)
    }
}

fn cause_of_on(toggle: &Toggle, strategies: StrategiesOutcome) -> Cause {
    let deciding = strategies.deciding.and_then(|index| toggle.strategies.get(index));
    let cause = deciding.map_or(Cause::Static, Strategy::cause);
    if toggle.parents.is_empty() { cause } else { cause.max(Cause::Targeting) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::evaluation::{Context, Run, Toggles, VARIANT_SEED, Work};

    /// Each case: a random number, and the names of the toggles that are on, each with its variant.
    #[test]
    fn chance_decides_and_strategies_of_applications_are_off() {
        let (own, half) = (
            json!({ "name": "own" }),
            json!({
                "name": "gradualRolloutRandom", "parameters": { "percentage": "50" },
            }),
        );
        let variants = json!([{ "name": "a", "weight": 700 }, { "name": "b", "weight": 300 }]);
        let parent = json!([{ "feature": "own", "enabled": false }]);
        let definitions = json!({ "features": [
            { "name": "own", "enabled": true, "strategies": [own] },
            { "name": "child", "enabled": true, "strategies": [], "dependencies": parent },
            { "name": "half", "enabled": true, "strategies": [own, half], "variants": variants },
            { "name": "all", "enabled": true, "strategies": [], "variants": variants },
        ] });
        let definitions = serde_json::from_value(definitions).unwrap();
        let toggles = Toggles::compile(&definitions, VARIANT_SEED).without_application_strategies();
        let resolve = |chance: fn() -> f64| {
            let resolved = toggles.iter().map(|toggle| {
                let (context, mut work) = (Context::default(), Work::unlimited());
                let resolution = toggles.resolve(toggle, &mut Run::new(&context, &mut work), chance).unwrap();
                (toggle.name(), resolution.is_on, resolution.variant.map_or("", |variant| variant.name()))
            });
            resolved
                .filter(|(_, is_on, _)| *is_on)
                .map(|(name, _, variant)| (name, variant))
                .collect::<Vec<_>>()
        };
        assert_eq!(resolve(|| 0.0), [("child", ""), ("half", "a"), ("all", "a")]);
        assert_eq!(resolve(|| 0.49), [("child", ""), ("half", "a"), ("all", "a")]);
        assert_eq!(resolve(|| 0.5), [("child", ""), ("all", "a")]);
        assert_eq!(resolve(|| 0.71), [("child", ""), ("all", "b")]);
    }
}
