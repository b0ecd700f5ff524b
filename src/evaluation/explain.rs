//! Explains results: evaluates every strategy and constraint, and collects the outcomes.

use std::collections::HashMap;

use super::constraint::Constraint;
use super::reason::{
    ConstraintReason, Decision, Explanation, ParentReason, SegmentReason, StrategyReason, VariantReason,
    VariantSelection,
};
use super::strategy::{Segment, SegmentLink, Strategy};
use super::toggles::{Parent, StrategiesOutcome, Toggle};
use super::{Context, Outcome, Run, Stopped, Toggles, Work};

/// Reasons of segments by index. Each segment is explained once.
type KnownSegments = HashMap<Option<usize>, Vec<ConstraintReason>>;

impl Toggles {
    /// Explains the result of [`Toggles::evaluate`].
    #[must_use]
    pub fn explain(&self, toggle: &Toggle, context: &Context) -> Explanation {
        self.explain_with(toggle, &mut Run::new(context, &mut Work::unlimited()))
    }

    /// Explains the result of [`Toggles::evaluate_in`].
    pub(crate) fn explain_in(&self, toggle: &Toggle, run: &mut Run<'_>) -> Result<Explanation, Stopped> {
        let explanation = self.explain_with(toggle, run);
        run.finish(explanation)
    }

    fn explain_with(&self, toggle: &Toggle, run: &mut Run<'_>) -> Explanation {
        let mut known = KnownSegments::new();
        let parents: Vec<_> =
            toggle.parents.iter().map(|parent| self.explain_parent(toggle, parent, run)).collect();
        let strategies = self.evaluate_strategies(toggle, &toggle.name, run);
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
                .map(|strategy| self.explain_strategy(strategy, &toggle.name, run, &mut known))
                .collect(),
            variant: if is_off { None } else { self.explain_variant(toggle, strategies, run) },
            differing: {
                let own = self.evaluate_with(toggle, run);
                self.find_differing(toggle, &own, run)
            },
            hold: None,
        }
    }

    fn explain_strategy(
        &self,
        strategy: &Strategy,
        toggle: &str,
        run: &mut Run<'_>,
        known: &mut KnownSegments,
    ) -> StrategyReason {
        let outcome = strategy.evaluate(toggle, &self.segments, run);
        StrategyReason {
            name: strategy.name.to_string(),
            result: outcome.into(),
            probability: outcome.probability(),
            disabled: strategy.is_disabled,
            rule: strategy.explain_rule(toggle, run.context),
            constraints: explain_constraints(&strategy.constraints, run),
            segments: strategy.segments.iter().map(|link| self.explain_segment(link, run, known)).collect(),
        }
    }

    fn explain_segment(
        &self,
        link: &SegmentLink,
        run: &mut Run<'_>,
        known: &mut KnownSegments,
    ) -> SegmentReason {
        let segment = link.find(&self.segments);
        let mut explain = |segment: &Segment| {
            let reasons = known.entry(link.index);
            reasons.or_insert_with(|| explain_constraints(&segment.constraints, run)).clone()
        };
        let constraints = segment.map(&mut explain).unwrap_or_default();
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
        run: &mut Run<'_>,
    ) -> (Outcome, ParentReason) {
        let outcome = self.evaluate_parent(child, condition, run);
        let parent = self.find_parent(condition);
        let result = parent.ok().map(|parent| self.evaluate_as_parent(child, parent, run));
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
        run: &mut Run<'_>,
    ) -> Option<VariantReason> {
        let (variants, of_strategy) = toggle.variants_of(strategies.deciding);
        let certain = !toggle.has_other_variants(strategies);
        let selection = variants.explain(run.context, self.variant_seed);
        let selection = selection.or((!certain).then_some(VariantSelection::None))?;
        Some(VariantReason { of_strategy, certain, selection })
    }
}

impl Explanation {
    /// Returns the explanation for a toggle that does not exist.
    #[must_use]
    pub fn of_unknown_toggle() -> Self {
        let (parents, strategies) = (Vec::new(), Vec::new());
        Self {
            decision: Decision::UnknownToggle,
            strategy: None,
            parents,
            strategies,
            variant: None,
            differing: Vec::new(),
            hold: None,
        }
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

/// Explains constraints. After a stop, the reasons of the rest are missing.
fn explain_constraints(constraints: &[Constraint], run: &mut Run<'_>) -> Vec<ConstraintReason> {
    let mut reasons = Vec::new();
    for constraint in constraints {
        if !run.add(constraint.cost(run.context)) {
            break;
        }
        reasons.push(constraint.explain(run.context));
    }
    reasons
}
