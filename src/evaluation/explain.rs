//! Explains results: evaluates every strategy and constraint, and collects the outcomes.

use super::constraint::Constraint;
use super::reason::{
    Decision, Explanation, ParentReason, SegmentReason, StrategyReason, VariantReason, VariantSelection,
};
use super::strategy::{SegmentLink, Strategy};
use super::toggles::{Parent, StrategiesOutcome, Toggle};
use super::{Context, Outcome, Toggles};

impl Toggles {
    /// Explains the result of [`Toggles::evaluate`].
    #[must_use]
    pub fn explain(&self, toggle: &Toggle, context: &Context) -> Explanation {
        let parents: Vec<_> =
            toggle.parents.iter().map(|parent| self.explain_parent(toggle, parent, context)).collect();
        let strategies = self.evaluate_strategies(toggle, &toggle.name, context);
        let are_satisfied = parents.iter().all(|(outcome, _)| *outcome != Outcome::Off);
        let decision = decide(toggle, are_satisfied, strategies.outcome);
        let is_off = !matches!(decision, Decision::StrategyMatches | Decision::NoStrategies);
        Explanation {
            decision,
            strategy: strategies.deciding.filter(|_| !is_off),
            parents: parents.into_iter().map(|(_, reason)| reason).collect(),
            strategies: toggle
                .strategies
                .iter()
                .map(|strategy| self.explain_strategy(strategy, &toggle.name, context))
                .collect(),
            variant: if is_off { None } else { self.explain_variant(toggle, strategies, context) },
        }
    }

    fn explain_strategy(&self, strategy: &Strategy, toggle: &str, context: &Context) -> StrategyReason {
        let outcome = strategy.evaluate(toggle, &self.segments, context);
        StrategyReason {
            name: strategy.name.to_string(),
            result: outcome.into(),
            probability: outcome.probability(),
            disabled: strategy.is_disabled,
            rule: strategy.explain_rule(toggle, context),
            constraints: explain_constraints(&strategy.constraints, context),
            segments: strategy.segments.iter().map(|link| self.explain_segment(link, context)).collect(),
        }
    }

    fn explain_segment(&self, link: &SegmentLink, context: &Context) -> SegmentReason {
        let segment = link.find(&self.segments);
        let constraints =
            segment.map(|segment| explain_constraints(&segment.constraints, context)).unwrap_or_default();
        SegmentReason {
            id: link.id.to_string(),
            name: segment.and_then(|segment| segment.name.as_deref()).map(ToOwned::to_owned),
            missing: segment.is_none(),
            matches: segment.is_some() && constraints.iter().all(|constraint| constraint.matches),
            constraints,
        }
    }

    fn explain_parent(
        &self,
        child: &Toggle,
        condition: &Parent,
        context: &Context,
    ) -> (Outcome, ParentReason) {
        let outcome = self.evaluate_parent(child, condition, context);
        let parent = self.find_parent(condition);
        let result = parent.ok().map(|parent| self.evaluate_as_parent(child, parent, context));
        let variant = result.and_then(|result| result.variant.certain());
        let reason = ParentReason {
            name: condition.name.to_string(),
            result: outcome.into(),
            probability: outcome.probability(),
            expects_enabled: condition.expects_enabled,
            parent_result: result.map(|result| result.outcome.into()),
            parent_variant: variant.map(|variant| variant.name().to_owned()),
            problem: parent.err(),
        };
        (outcome, reason)
    }

    fn explain_variant(
        &self,
        toggle: &Toggle,
        strategies: StrategiesOutcome,
        context: &Context,
    ) -> Option<VariantReason> {
        let (variants, of_strategy) = toggle.variants_of(strategies.deciding);
        let certain = !has_other_variants(toggle, strategies);
        let selection = variants.explain(context, self.variant_seed);
        let selection = selection.or((!certain).then_some(VariantSelection::None))?;
        Some(VariantReason { of_strategy, certain, selection })
    }
}

/// Returns true if a strategy that possibly matches has other variants than the deciding strategy.
fn has_other_variants(toggle: &Toggle, strategies: StrategiesOutcome) -> bool {
    let StrategiesOutcome { first, deciding, .. } = strategies;
    let last = if strategies.outcome.is_on() { deciding } else { toggle.strategies.len().checked_sub(1) };
    let (Some(first), Some(last)) = (first, last) else { return false };
    first < last && (first..=last).any(|index| toggle.variants_of(Some(index)).1)
}

impl Explanation {
    /// Returns the explanation for a toggle that does not exist.
    #[must_use]
    pub fn of_unknown_toggle() -> Self {
        let (parents, strategies) = (Vec::new(), Vec::new());
        Self { decision: Decision::UnknownToggle, strategy: None, parents, strategies, variant: None }
    }
}

fn decide(toggle: &Toggle, are_parents_satisfied: bool, strategies: Outcome) -> Decision {
    if !toggle.is_enabled {
        Decision::ToggleDisabled
    } else if !are_parents_satisfied {
        Decision::ParentNotSatisfied
    } else if toggle.strategies.is_empty() {
        Decision::NoStrategies
    } else if toggle.strategies.iter().all(|strategy| strategy.is_disabled) {
        Decision::AllStrategiesDisabled
    } else if strategies == Outcome::Off {
        Decision::NoStrategyMatches
    } else {
        Decision::StrategyMatches
    }
}

fn explain_constraints(
    constraints: &[Constraint],
    context: &Context,
) -> Vec<super::reason::ConstraintReason> {
    constraints.iter().map(|constraint| constraint.explain(context)).collect()
}
