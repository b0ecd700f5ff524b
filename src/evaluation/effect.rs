//! Effects of changes: whether a change widens who gets a feature, narrows it, or neither. A pure module.
//!
//! A change *widens* if some context can get a feature, a variant or a payload that it did not get before. Most pairs of rules
//! cannot be compared for all contexts, so this module looks for a proof: a change that does not provably narrow widens.
//!
//! The proof maps each strategy after the change to a strategy before it that matches in at least the same cases and returns
//! the same variants ([`Relation::maps_strategies`]). A strategy matches in fewer cases if its rule selects fewer users and if
//! each earlier constraint follows from a present one. The same proof in the other direction shows that nothing changed.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::constraint::{Comparison as Operator, Constraint, Test};
use super::reason::ConstraintProblem;
use super::stickiness::Stickiness;
use super::strategy::{Rollout, Rule, Strategy};
use super::toggles::{Parent, Toggle};
use super::variants::Variants;
use super::{Context, Definitions, Toggles, VARIANT_SEED};

/// Maximum number of comparisons for one toggle. A toggle that needs more counts as widening.
const MAX_COMPARISONS: usize = 1_000_000;

/// Effect of a change on who gets the feature of a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// Every context gets the same as before.
    Neither,
    /// Some contexts may get the feature no longer, and no context gets anything new.
    Narrows,
    /// Some contexts may get the feature, or another variant, for the first time.
    Widens,
}

/// The toggles and segments before and after a change.
#[derive(Debug)]
pub struct ChangedToggles {
    before: Toggles,
    after: Toggles,
    /// Names of the toggles that depend on each toggle, before or after the change.
    children: HashMap<String, Vec<String>>,
}

impl ChangedToggles {
    /// Compiles the toggles before and after a change. Both must contain the parents and segments that toggles use.
    #[must_use]
    pub fn new(before: &Definitions, after: &Definitions) -> Self {
        let mut children: HashMap<String, Vec<String>> = HashMap::new();
        for toggle in before.features.iter().chain(&after.features) {
            for parent in &toggle.dependencies {
                let names = children.entry(parent.feature.clone()).or_default();
                if !names.contains(&toggle.name) {
                    names.push(toggle.name.clone());
                }
            }
        }
        let compile = |definitions| Toggles::compile(definitions, VARIANT_SEED);
        Self { before: compile(before), after: compile(after), children }
    }

    /// Returns the effect of the change on a toggle and on the toggles that depend on it.
    ///
    /// A toggle that does not exist is off. Changed parents and segments of the toggle count.
    #[must_use]
    pub fn effect(&self, name: &str) -> Effect {
        let children = self.children.get(name).into_iter().flatten();
        let effects = children.map(|child| self.own_effect(child));
        effects.fold(self.own_effect(name), Effect::max)
    }

    /// Returns the effect on the results of one toggle.
    fn own_effect(&self, name: &str) -> Effect {
        let is_within = |part: &Toggles, whole: &Toggles| {
            let Some(toggle) = part.find(name) else { return true };
            Relation::new(part, whole).contains(toggle, whole.find(name))
        };
        if !is_within(&self.after, &self.before) {
            Effect::Widens
        } else if is_within(&self.before, &self.after) {
            Effect::Neither
        } else {
            Effect::Narrows
        }
    }
}

/// The relation "whoever gets `part` gets the same from `whole`", between two states of toggles.
struct Relation<'t> {
    part: &'t Toggles,
    whole: &'t Toggles,
    comparisons_left: Cell<usize>,
}

/// A strategy that can match, with the constraints of its segments and the variants that apply if it decides.
struct Candidate<'t> {
    rule: &'t Rule,
    name: &'t str,
    constraints: Vec<&'t Constraint>,
    variants: &'t Variants,
}

impl<'t> Relation<'t> {
    fn new(part: &'t Toggles, whole: &'t Toggles) -> Self {
        Self { part, whole, comparisons_left: Cell::new(MAX_COMPARISONS) }
    }

    /// Returns the relation between the same states in the other direction.
    fn reversed(&self) -> Self {
        Self { part: self.whole, whole: self.part, comparisons_left: self.comparisons_left.clone() }
    }

    /// Counts a comparison. Returns false at the bound.
    fn count(&self) -> bool {
        let left = self.comparisons_left.get();
        self.comparisons_left.set(left.saturating_sub(1));
        left > 0
    }

    /// Returns true if each context that gets `part` gets the same from `whole`.
    fn contains(&self, part: &Toggle, whole: Option<&Toggle>) -> bool {
        if !part.is_enabled || part.parents.iter().any(|parent| self.part.find_parent(parent).is_err()) {
            return true;
        }
        let candidates = candidates(self.part, part);
        if candidates.is_empty() {
            return true;
        }
        let Some(whole) = whole.filter(|whole| whole.is_enabled) else { return false };
        self.implies_parents(&part.parents, &whole.parents)
            && self.maps_strategies(&candidates, &self::candidates(self.whole, whole), true)
    }

    /// Returns true if each condition on a parent in `whole` follows from another condition in `part`.
    fn implies_parents(&self, part: &[Parent], whole: &[Parent]) -> bool {
        let mut unused: Vec<_> = part.iter().collect();
        whole.iter().all(|wanted| {
            let found = unused.iter().position(|parent| self.implies_parent(parent, wanted));
            found.map(|index| unused.swap_remove(index)).is_some()
        })
    }

    fn implies_parent(&self, part: &Parent, whole: &Parent) -> bool {
        let allows_any = whole.variants.is_empty();
        let lists_fewer = allows_any
            || (!part.variants.is_empty() && part.variants.iter().all(|name| whole.variants.contains(name)));
        if !self.count()
            || part.name != whole.name
            || part.expects_enabled != whole.expects_enabled
            || !lists_fewer
        {
            return false;
        }
        let (Ok(before), Ok(after)) = (self.part.find_parent(part), self.whole.find_parent(whole)) else {
            return false;
        };
        match (whole.expects_enabled, allows_any) {
            (true, true) => self.contains_state(before, after, false),
            (false, true) => self.reversed().contains_state(after, before, false),
            (true, false) if !before.is_enabled => true,
            // Whether a random strategy or a certain one decides, changes the probability of a variant.
            (true, false) if has_own_variants(before) || has_own_variants(after) => {
                after.is_enabled && self.has_equal_strategies(before, after)
            }
            (true, false) => self.contains_state(before, after, true),
            // The variant of a parent that is off also counts.
            (false, false) => {
                before.is_enabled == after.is_enabled
                    && before.variants == after.variants
                    && self.has_equal_strategies(before, after)
            }
        }
    }

    /// Returns true if the strategies of both toggles match the same contexts and return the same variants.
    fn has_equal_strategies(&self, part: &Toggle, whole: &Toggle) -> bool {
        let (before, after) = (candidates(self.part, part), candidates(self.whole, whole));
        self.maps_strategies(&before, &after, true) && self.reversed().maps_strategies(&after, &before, true)
    }

    /// Compares toggles without their parents.
    fn contains_state(&self, part: &Toggle, whole: &Toggle, compares_variants: bool) -> bool {
        let candidates = candidates(self.part, part);
        if !part.is_enabled || candidates.is_empty() {
            return true;
        }
        whole.is_enabled
            && self.maps_strategies(&candidates, &self::candidates(self.whole, whole), compares_variants)
    }

    /// Returns true if each strategy of `part` selects users of a strategy of `whole`, which returns the same variants.
    ///
    /// Strategies that draw at random are used once: two draws of 50 % select more than one of them. An earlier strategy with
    /// other variants must still decide for its users.
    fn maps_strategies(
        &self,
        part: &[Candidate<'t>],
        whole: &[Candidate<'t>],
        compares_variants: bool,
    ) -> bool {
        // The index in `whole` of each strategy of `part`.
        let mut chosen: Vec<usize> = Vec::new();
        part.iter().all(|candidate| {
            let fits = |(index, wanted): &(usize, &Candidate<'t>)| {
                (!wanted.rule.is_random() || !chosen.contains(index))
                    && (!compares_variants || candidate.variants == wanted.variants)
                    && self.is_within(candidate, wanted)
                    && (!compares_variants || self.keeps_earlier(part, whole, &chosen, (*index, wanted)))
            };
            let fitting: Vec<_> = whole.iter().enumerate().filter(fits).collect();
            // An unchanged strategy leaves the others to the strategies that need them.
            let unchanged = fitting.iter().find(|(_, wanted)| self.reversed().is_within(wanted, candidate));
            let found = unchanged.or(fitting.first()).map(|(index, _)| *index);
            chosen.extend(found);
            found.is_some()
        })
    }

    /// Returns true if each strategy before `wanted` with other variants has an equal one among the mapped ones.
    fn keeps_earlier(
        &self,
        part: &[Candidate<'t>],
        whole: &[Candidate<'t>],
        chosen: &[usize],
        (index, wanted): (usize, &Candidate<'t>),
    ) -> bool {
        whole.iter().take(index).enumerate().filter(|(_, earlier)| earlier.variants != wanted.variants).all(
            |(position, earlier)| {
                let mapped = chosen.iter().zip(part).filter(|(target, _)| **target == position);
                mapped.into_iter().any(|(_, candidate)| self.reversed().is_within(earlier, candidate))
            },
        )
    }

    /// Returns true if `part` matches only where `whole` matches.
    fn is_within(&self, part: &Candidate<'_>, whole: &Candidate<'_>) -> bool {
        self.count()
            && is_rule_within(part, whole)
            && whole.constraints.iter().all(|wanted| {
                is_always(wanted)
                    || part
                        .constraints
                        .iter()
                        .any(|constraint| self.count() && self.implies(constraint, wanted))
            })
    }

    /// Returns true if `part` matches only where `whole` matches.
    fn implies(&self, part: &Constraint, whole: &Constraint) -> bool {
        if part.field != whole.field {
            return false;
        }
        match (listed(part), listed(whole)) {
            (Some((values, true)), _) => values
                .iter()
                .all(|value| self.count() && whole.matches(&Context::from_pairs([(&part.field, value)]))),
            (Some((part, false)), Some((whole, false))) => {
                whole.iter().all(|value| self.count() && part.contains(value))
            }
            _ if part.is_inverted != whole.is_inverted => false,
            _ if part.is_inverted => self.test_implies(&whole.test, &part.test),
            _ => self.test_implies(&part.test, &whole.test),
        }
    }

    /// Returns true if `part` holds only where `whole` holds.
    fn test_implies(&self, part: &Test, whole: &Test) -> bool {
        match (part, whole) {
            (Test::Text(part, texts), Test::Text(whole, wanted))
            | (Test::TextWithoutCase(part, texts), Test::TextWithoutCase(whole, wanted)) => {
                part == whole
                    && texts
                        .iter()
                        .all(|text| wanted.iter().any(|wanted| self.count() && whole.holds(text, wanted)))
            }
            (Test::Number(part, number), Test::Number(whole, wanted)) => {
                number.partial_cmp(wanted).is_some_and(|order| operator_implies(*part, *whole, order))
            }
            (Test::Time(part, time), Test::Time(whole, wanted)) => {
                operator_implies(*part, *whole, time.cmp(wanted))
            }
            (Test::Version(part, version), Test::Version(whole, wanted)) => {
                operator_implies(*part, *whole, wanted.compare_to(version.as_ref()))
            }
            (Test::Pattern(part), Test::Pattern(whole)) => {
                part.ignores_case == whole.ignores_case && part.regex.as_str() == whole.regex.as_str()
            }
            (Test::Network(part), Test::Network(whole)) => {
                part.iter().all(|network| whole.iter().any(|wanted| self.count() && wanted.contains(network)))
            }
            _ => false,
        }
    }
}

/// Returns true if a strategy of the toggle has variants of its own.
fn has_own_variants(toggle: &Toggle) -> bool {
    toggle.strategies.iter().any(|strategy| !strategy.variants.is_empty())
}

/// Returns the strategies of a toggle that can match. A toggle without strategies is on for every context.
fn candidates<'t>(toggles: &'t Toggles, toggle: &'t Toggle) -> Vec<Candidate<'t>> {
    if toggle.strategies.is_empty() {
        let everyone = Candidate {
            rule: &Rule::Always,
            name: "default",
            constraints: Vec::new(),
            variants: &toggle.variants,
        };
        return vec![everyone];
    }
    let enabled = toggle.strategies.iter().enumerate().filter(|(_, strategy)| !strategy.is_disabled);
    let candidate = |(index, strategy): (usize, &'t Strategy)| {
        let mut constraints: Vec<_> = strategy.constraints.iter().collect();
        for link in &strategy.segments {
            constraints.extend(&link.find(&toggles.segments)?.constraints);
        }
        let can_match =
            strategy.rule.can_match() && !constraints.iter().any(|constraint| is_never(constraint));
        can_match.then(|| Candidate {
            rule: &strategy.rule,
            name: &strategy.name,
            constraints,
            variants: toggle.variants_of(Some(index)).0,
        })
    };
    enabled.filter_map(candidate).collect()
}

impl Rule {
    /// Returns false if the rule selects no context.
    fn can_match(&self) -> bool {
        match self {
            Self::Users(users) => !users.is_empty(),
            Self::Networks(networks) => !networks.is_empty(),
            Self::Rollout(rollout) => rollout.percentage > 0.0,
            Self::InvalidPercentage(_) => false,
            Self::Always | Self::Application(_) => true,
        }
    }

    /// Returns true if the result for a context can depend on chance.
    fn is_random(&self) -> bool {
        matches!(self, Self::Rollout(rollout) if rollout.percentage < 100.0 && !rollout.needs_field())
    }

    /// Returns true if the rule selects everyone.
    fn is_for_everyone(&self) -> bool {
        match self {
            Self::Always => true,
            Self::Rollout(rollout) => rollout.percentage >= 100.0 && !rollout.needs_field(),
            _ => false,
        }
    }
}

impl Rollout {
    /// Returns true if contexts without the field of the stickiness are not selected.
    fn needs_field(&self) -> bool {
        matches!(self.stickiness, Stickiness::Field(_))
    }
}

/// Returns true if the rule of `part` selects only contexts that the rule of `whole` selects.
fn is_rule_within(part: &Candidate<'_>, whole: &Candidate<'_>) -> bool {
    if whole.rule.is_for_everyone() {
        return true;
    }
    match (part.rule, whole.rule) {
        (Rule::Users(part), Rule::Users(whole)) => part.iter().all(|user| whole.contains(user)),
        (Rule::Networks(part), Rule::Networks(whole)) => {
            part.iter().all(|network| whole.iter().any(|wanted| wanted.contains(network)))
        }
        (Rule::Rollout(part), Rule::Rollout(whole)) => {
            part.stickiness == whole.stickiness
                && (whole.percentage >= 100.0
                    || (part.group == whole.group && part.percentage <= whole.percentage))
        }
        (Rule::Application(before), Rule::Application(after)) => {
            part.name == whole.name && are_parameters_within(part.name, before, after)
        }
        _ => false,
    }
}

/// Compares the parameters of a strategy that only the application evaluates. The hosts of `applicationHostname` may be
/// fewer; nothing is known about other parameters.
fn are_parameters_within(
    strategy: &str,
    part: &BTreeMap<String, String>,
    whole: &BTreeMap<String, String>,
) -> bool {
    fn hosts(parameters: &BTreeMap<String, String>) -> impl Iterator<Item = &str> {
        let hosts = parameters.get("hostNames").map_or("", String::as_str).split(',');
        hosts.map(str::trim).filter(|host| !host.is_empty())
    }

    if strategy != "applicationHostname" {
        return part == whole;
    }
    hosts(part).all(|host| hosts(whole).any(|wanted| wanted == host))
}

/// Returns the values of a list, and whether the context field must be one of them or must not.
fn listed(constraint: &Constraint) -> Option<(&super::texts::TextSet, bool)> {
    match &constraint.test {
        Test::In(values) => Some((values, !constraint.is_inverted)),
        Test::NotIn(values) => Some((values, constraint.is_inverted)),
        _ => None,
    }
}

/// Returns true if no context matches.
fn is_never(constraint: &Constraint) -> bool {
    match &constraint.test {
        Test::Invalid(ConstraintProblem::UnknownOperator) => true,
        Test::Invalid(_) => !constraint.is_inverted,
        _ => listed(constraint).is_some_and(|(values, must_be_listed)| must_be_listed && values.is_empty()),
    }
}

/// Returns true if every context matches.
fn is_always(constraint: &Constraint) -> bool {
    match &constraint.test {
        Test::Invalid(ConstraintProblem::UnknownOperator) => false,
        Test::Invalid(_) => constraint.is_inverted,
        _ => listed(constraint).is_some_and(|(values, must_be_listed)| !must_be_listed && values.is_empty()),
    }
}

/// Returns true if every value that `part` accepts is one that `whole` accepts. `order` compares the value of `part` with the
/// value of `whole`.
fn operator_implies(part: Operator, whole: Operator, order: Ordering) -> bool {
    use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    match (part, whole) {
        (Equal, _) => whole.accepts(order),
        (LessOrEqual, Less) => order.is_lt(),
        (Less | LessOrEqual, Less | LessOrEqual) => order.is_le(),
        (GreaterOrEqual, Greater) => order.is_gt(),
        (Greater | GreaterOrEqual, Greater | GreaterOrEqual) => order.is_ge(),
        _ => false,
    }
}
