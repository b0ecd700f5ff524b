//! Effects of changes: whether a change widens who gets a feature, narrows it, or changes it. A pure module.
//!
//! An audience is the set of contexts that get a feature, each with its variant and payload. Most pairs of rules cannot be compared
//! for all contexts, so this module looks for two proofs: that the audience after the change is within the one before it, and the
//! opposite. A change whose first proof fails counts as widening for programs ([`Effect::may_widen`]). For people, it *widens* only
//! with the second proof. Without both, it *changes* the audience, or *may widen* it if the rules cannot be compared at all
//! ([`ChangedToggles::is_undecided`]).
//!
//! The proof maps each strategy after the change to a strategy before it that matches in at least the same cases and returns
//! the same variants ([`Relation::maps_strategies`]). A strategy matches in fewer cases if its rule selects fewer users and if
//! each earlier constraint follows from a present one.
//!
//! The proof must hold in every client library. Libraries read unusual values in different ways, such as the percentage `0x64`
//! or a regular expression with Unicode classes: such a strategy may match anything, and the Python library may switch off the
//! whole toggle because of it. It is therefore only comparable to an identical strategy ([`Candidate::is_identical`]), and its
//! removal may widen.
//!
//! Tokens can be limited to projects, and clients to projects and tags. A toggle that gets a tag therefore widens; if it is moved to
//! another project, some clients get it and others lose it.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::constraint::{Comparison as Operator, Constraint, Test};
use super::library::{Library, Match};
use super::stickiness::Stickiness;
use super::strategy::{Rollout, Rule, Strategy};
use super::toggles::{Parent, Toggle};
use super::variants::Variants;
use super::{
    ConstraintDefinition, Context, Definitions, StrategyDefinition, ToggleDefinition, Toggles, VARIANT_SEED,
};

/// Maximum number of comparisons for one toggle. A toggle that needs more counts as widening.
const MAX_COMPARISONS: usize = 1_000_000;

/// The built-in strategy that selects hosts. Only the application knows its host.
const HOSTNAME_STRATEGY: &str = "applicationHostname";

/// The Python library takes numbers below this for equal if they differ by less than [`f64::EPSILON`].
const MAX_APPROXIMATE_NUMBER: f64 = 2.0;

/// Effect of a change on who gets the feature of a toggle. All except `neither` and `narrows` may give it to somebody for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// Every context gets the same as before.
    Neither,
    /// Some contexts may get the feature no longer, and no context gets anything new.
    Narrows,
    /// Some contexts may get the feature for the first time, and every other one gets the same as before.
    Widens,
    /// Cannot be decided: client libraries read the rules in different ways, or only the application knows whom they select.
    MayWiden,
    /// Some contexts may get the feature, or another variant, for the first time, and others no longer.
    Changes,
}

impl Effect {
    /// Returns true unless it is proved that no context gets anything new.
    #[must_use]
    pub fn may_widen(self) -> bool {
        !matches!(self, Self::Neither | Self::Narrows)
    }

    /// Returns the effect of two changes together.
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Narrows, Self::Widens) | (Self::Widens, Self::Narrows) => Self::Changes,
            _ => self.max(other),
        }
    }

    /// Returns the effect of a change that may give something new to some contexts, and may take something from some.
    fn from_gain_and_loss(gains: bool, loses: bool) -> Self {
        match (gains, loses) {
            (false, false) => Self::Neither,
            (false, true) => Self::Narrows,
            (true, false) => Self::Widens,
            (true, true) => Self::Changes,
        }
    }
}

/// The toggles and segments before and after a change.
#[derive(Debug)]
pub struct ChangedToggles {
    before: State,
    after: State,
    /// Names of the toggles that depend on each toggle, before or after the change.
    children: HashMap<String, Vec<String>>,
}

/// Toggles with their definitions.
#[derive(Debug)]
struct State {
    toggles: Toggles,
    definitions: Definitions,
    /// Index of the definition of each toggle.
    names: HashMap<String, usize>,
}

impl State {
    fn new(definitions: &Definitions) -> Self {
        let names = definitions.features.iter().enumerate();
        Self {
            toggles: Toggles::compile(definitions, VARIANT_SEED),
            definitions: definitions.clone(),
            names: names.map(|(index, toggle)| (toggle.name.clone(), index)).collect(),
        }
    }

    fn definition(&self, name: &str) -> Option<&ToggleDefinition> {
        self.definitions.features.get(*self.names.get(name)?)
    }

    /// Returns the definitions of the strategies of a toggle.
    fn strategies(&self, toggle: &Toggle) -> &[StrategyDefinition] {
        self.definition(&toggle.name).map(|toggle| toggle.strategies.as_slice()).unwrap_or_default()
    }

    /// Returns the strategies of a toggle that can match or that a library may refuse. There are none if it is off.
    fn active_strategies(&self, name: &str) -> Vec<Candidate<'_>> {
        let toggle = self.toggles.find(name).filter(|toggle| toggle.is_enabled);
        toggle.map(|toggle| candidates(self, toggle)).unwrap_or_default()
    }

    /// Returns true if the toggle may be on for a context.
    fn can_be_on(&self, name: &str) -> bool {
        self.active_strategies(name).iter().any(|candidate| candidate.can_match)
    }
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
        Self { before: State::new(before), after: State::new(after), children }
    }

    /// Returns the effect of the change on a toggle and on the toggles that depend on it.
    ///
    /// A toggle that does not exist is off. Changed parents and segments of the toggle count.
    #[must_use]
    pub fn effect(&self, name: &str) -> Effect {
        let children = self.children.get(name).into_iter().flatten().map(String::as_str);
        let effects = children
            .chain([name])
            .flat_map(|toggle| [self.own_effect(toggle), self.selection_effect(name, toggle)]);
        effects.fold(Effect::Neither, Effect::join)
    }

    /// Returns the effect on a toggle if clients that are limited to projects or tags get the toggle `name` for the first time, or
    /// no longer. The toggle is the same one, or depends on it.
    fn selection_effect(&self, name: &str, toggle: &str) -> Effect {
        let (Some(before), Some(after)) = (self.before.definition(name), self.after.definition(name)) else {
            return Effect::Neither;
        };
        let projects = before.project.as_ref().zip(after.project.as_ref());
        let is_moved = projects.is_some_and(|(before, after)| before != after);
        let list = |toggle: &ToggleDefinition| toggle.tags.as_ref()?.as_array().cloned();
        let (tags, new_tags) = list(before).zip(list(after)).unwrap_or_default();
        let is_tagged = new_tags.iter().any(|tag| !tags.contains(tag));
        let is_untagged = tags.iter().any(|tag| !new_tags.contains(tag));
        Effect::from_gain_and_loss(
            (is_moved || is_tagged) && self.after.can_be_on(toggle),
            (is_moved || is_untagged) && self.before.can_be_on(toggle),
        )
    }

    /// Returns the effect on the results of one toggle.
    fn own_effect(&self, name: &str) -> Effect {
        let is_within = |part: &State, whole: &State| {
            let Some(toggle) = part.toggles.find(name) else { return true };
            Relation::new(part, whole).contains(toggle, whole.toggles.find(name))
        };
        let gains = !is_within(&self.after, &self.before);
        let loses = !is_within(&self.before, &self.after);
        match Effect::from_gain_and_loss(gains, loses) {
            Effect::Changes if self.is_undecided(name) => Effect::MayWiden,
            effect => effect,
        }
    }

    /// Returns true if the strategies of a toggle before and after the change cannot be compared: client libraries read one of them
    /// in different ways, only the application evaluates it, or both have conditions of different kinds on the same context field.
    fn is_undecided(&self, name: &str) -> bool {
        let (before, after) = (self.before.active_strategies(name), self.after.active_strategies(name));
        let size = |all: &[Candidate<'_>]| all.iter().map(|one| one.constraints.len() + 1).sum::<usize>();
        if size(&before).saturating_mul(size(&after)) > MAX_COMPARISONS {
            return true;
        }
        let (before, after) = (changed_strategies(&before, &after), changed_strategies(&after, &before));
        before.iter().chain(&after).any(|one| !one.is_plain || one.is_custom())
            || before.iter().any(|one| after.iter().any(|other| one.has_unlike_condition(other)))
    }
}

/// The relation "whoever gets `part` gets the same from `whole`", between two states of toggles.
struct Relation<'t> {
    part: &'t State,
    whole: &'t State,
    comparisons_left: Cell<usize>,
}

/// A strategy that can match or that a library may refuse, with the constraints of its segments and the variants that apply
/// if it decides.
struct Candidate<'t> {
    rule: &'t Rule,
    /// `None` for a toggle without strategies.
    definition: Option<&'t StrategyDefinition>,
    constraints: Vec<(&'t Constraint, &'t ConstraintDefinition)>,
    /// Ids of segments that do not exist.
    missing_segments: Vec<&'t str>,
    can_match: bool,
    is_rule_plain: bool,
    /// Whether all libraries read the strategy equally.
    is_plain: bool,
    variants: &'t Variants,
    /// The variants of the toggle, which old libraries use instead.
    toggle_variants: &'t Variants,
}

impl Candidate<'_> {
    fn name(&self) -> &str {
        self.definition.map_or("default", |definition| &definition.name)
    }

    /// Returns true if both strategies have the same definition, so that each library decides equally.
    fn is_identical(&self, other: &Self) -> bool {
        let (constraints, others) = (self.constraints.iter(), other.constraints.iter());
        self.has_same_rule(other)
            && self.missing_segments == other.missing_segments
            && constraints.map(|(_, definition)| definition).eq(others.map(|(_, definition)| definition))
    }

    /// Returns true if only the application knows whom the rule selects.
    fn is_custom(&self) -> bool {
        matches!(self.rule, Rule::Application(_)) && self.name() != HOSTNAME_STRATEGY
    }

    /// Returns true if both have a constraint on the same context field, and these cannot be compared.
    fn has_unlike_condition(&self, other: &Self) -> bool {
        self.constraints.iter().any(|(one, definition)| {
            other.constraints.iter().any(|(other, wanted)| {
                one.field == other.field && definition != wanted && !is_like(one, other)
            })
        })
    }

    fn has_same_rule(&self, other: &Self) -> bool {
        let (Some(one), Some(other)) = (self.definition, other.definition) else { return false };
        one.name == other.name && one.parameters == other.parameters
    }

    fn has_same_variants(&self, other: &Self) -> bool {
        self.variants == other.variants && self.toggle_variants == other.toggle_variants
    }
}

impl<'t> Relation<'t> {
    fn new(part: &'t State, whole: &'t State) -> Self {
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
        let candidates = candidates(self.part, part);
        if !part.is_enabled || !candidates.iter().any(|candidate| candidate.can_match) {
            return true;
        }
        let Some(whole) = whole.filter(|whole| whole.is_enabled) else { return false };
        // Old libraries ignore parents. The others never return a toggle whose parent cannot be used.
        let has_unusable_parent =
            part.parents.iter().any(|parent| self.part.toggles.find_parent(parent).is_err());
        (has_unusable_parent || self.implies_parents(&part.parents, &whole.parents))
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
        let parents = (self.part.toggles.find_parent(part), self.whole.toggles.find_parent(whole));
        let (Ok(before), Ok(after)) = parents else { return false };
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
        if !part.is_enabled || !candidates.iter().any(|candidate| candidate.can_match) {
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
        // A library may refuse these, which switches off the toggle.
        let keeps_unusual = whole
            .iter()
            .filter(|candidate| !candidate.is_plain)
            .all(|unusual| part.iter().any(|candidate| self.count() && candidate.is_identical(unusual)));
        if !keeps_unusual {
            return false;
        }
        // The index in `whole` of each strategy of `part`.
        let mut chosen: Vec<usize> = Vec::new();
        part.iter().all(|candidate| {
            let fits = |(index, wanted): &(usize, &Candidate<'t>)| {
                (!wanted.rule.is_random(wanted.is_rule_plain) || !chosen.contains(index))
                    && (!compares_variants || candidate.has_same_variants(wanted))
                    && self.is_within(candidate, wanted)
                    && (!compares_variants || self.keeps_earlier(part, whole, &chosen, *index, wanted))
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
        index: usize,
        wanted: &Candidate<'t>,
    ) -> bool {
        whole.iter().take(index).enumerate().filter(|(_, earlier)| !earlier.has_same_variants(wanted)).all(
            |(position, earlier)| {
                let mapped = chosen.iter().zip(part).filter(|(target, _)| **target == position);
                mapped.into_iter().any(|(_, candidate)| self.reversed().is_within(earlier, candidate))
            },
        )
    }

    /// Returns true if `part` matches only where `whole` matches.
    fn is_within(&self, part: &Candidate<'_>, whole: &Candidate<'_>) -> bool {
        if !self.count() {
            return false;
        }
        !part.can_match
            || part.is_identical(whole)
            || (whole.can_match
                && whole.missing_segments.is_empty()
                && is_rule_within(part, whole)
                && whole.constraints.iter().all(|wanted| {
                    is_always(wanted.0)
                        || part
                            .constraints
                            .iter()
                            .any(|constraint| self.count() && self.implies(*constraint, *wanted))
                }))
    }

    /// Returns true if `part` matches only where `whole` matches.
    fn implies(
        &self,
        (part, part_definition): (&Constraint, &ConstraintDefinition),
        (whole, whole_definition): (&Constraint, &ConstraintDefinition),
    ) -> bool {
        if part_definition == whole_definition {
            return true;
        }
        if part.field != whole.field || !part.is_plain || !whole.is_plain {
            return false;
        }
        // An operator that a library does not know never matches there.
        if part.is_known_to_node3 && !whole.is_known_to_node3 {
            return false;
        }
        match (listed(part), listed(whole)) {
            (Some((values, true)), _) => values.iter().all(|value| {
                let context = Context::from_pairs([(&part.field, value)]);
                let matches = |library| whole.decide(&context, library) == Match::Yes;
                self.count() && matches(None) && Library::ALL.map(Some).into_iter().all(matches)
            }),
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
            (Test::Number(Operator::Equal, number), Test::Number(whole, wanted))
                if *whole != Operator::Equal
                    && number.abs() < MAX_APPROXIMATE_NUMBER
                    && (number - wanted).abs() <= 2.0 * f64::EPSILON =>
            {
                false
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

/// Returns the strategies of a toggle that can match or that a library may refuse. A toggle without strategies is on for every
/// context.
fn candidates<'t>(state: &'t State, toggle: &'t Toggle) -> Vec<Candidate<'t>> {
    if toggle.strategies.is_empty() {
        let everyone = Candidate {
            rule: &Rule::Always,
            definition: None,
            constraints: Vec::new(),
            missing_segments: Vec::new(),
            can_match: true,
            is_rule_plain: true,
            is_plain: true,
            variants: &toggle.variants,
            toggle_variants: &toggle.variants,
        };
        return vec![everyone];
    }
    let strategies = toggle.strategies.iter().zip(state.strategies(toggle)).enumerate();
    let enabled = strategies.filter(|(_, (strategy, _))| !strategy.is_disabled);
    let candidate = |(index, (strategy, definition)): (usize, (&'t Strategy, &'t StrategyDefinition))| {
        let mut constraints: Vec<_> = strategy.constraints.iter().zip(&definition.constraints).collect();
        let mut missing_segments = Vec::new();
        for link in &strategy.segments {
            let segment = link.find(&state.toggles.segments);
            let definition = link.index.and_then(|index| state.definitions.segments.get(index));
            match segment.zip(definition) {
                Some((segment, definition)) => {
                    constraints.extend(segment.constraints.iter().zip(&definition.constraints));
                }
                None => missing_segments.push(&*link.id),
            }
        }
        let is_plain = strategy.is_plain
            && missing_segments.is_empty()
            && constraints.iter().all(|(constraint, _)| constraint.is_plain);
        let can_match = (!strategy.is_plain || !strategy.rule.is_never(&strategy.name))
            && !constraints.iter().any(|(constraint, _)| is_never(constraint));
        (can_match || !is_plain).then(|| Candidate {
            rule: &strategy.rule,
            definition: Some(definition),
            constraints,
            missing_segments,
            can_match,
            is_rule_plain: strategy.is_plain,
            is_plain,
            variants: toggle.variants_of(Some(index)).0,
            toggle_variants: &toggle.variants,
        })
    };
    enabled.filter_map(candidate).collect()
}

/// Returns the strategies of `all` without those that `others` also contains.
fn changed_strategies<'c, 't>(all: &'c [Candidate<'t>], others: &[Candidate<'_>]) -> Vec<&'c Candidate<'t>> {
    all.iter().filter(|one| !others.iter().any(|other| one.is_identical(other))).collect()
}

impl Rule {
    /// Returns true if the rule of a strategy with this name selects no context. It must be plain.
    ///
    /// An empty list selects nobody, not even an empty address or host. An empty list of users is not plain: the Python library takes
    /// it for a list with an empty user id. `libraries.jsonl` contains what the libraries decide.
    fn is_never(&self, strategy: &str) -> bool {
        match self {
            Self::Users(users) => users.ids.is_empty(),
            Self::Networks(networks) => networks.is_empty(),
            Self::Rollout(rollout) => rollout.percentage <= 0.0,
            Self::InvalidPercentage(_) => true,
            Self::Application(parameters) => {
                let hosts = parameters.get("hostNames").map(String::as_str).unwrap_or_default();
                strategy == HOSTNAME_STRATEGY && hosts.split(',').all(str::is_empty)
            }
            Self::Always => false,
        }
    }

    /// Returns true if the result for a context can depend on chance.
    fn is_random(&self, is_plain: bool) -> bool {
        let is_certain = |rollout: &Rollout| is_plain && rollout.percentage >= 100.0;
        matches!(self, Self::Rollout(rollout) if !is_certain(rollout) && !rollout.needs_field())
    }

    /// Returns true if the rule selects everyone. It must be plain.
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
    if part.has_same_rule(whole) || (whole.is_rule_plain && whole.rule.is_for_everyone()) {
        return true;
    }
    if !part.is_rule_plain || !whole.is_rule_plain {
        return false;
    }
    match (part.rule, whole.rule) {
        (Rule::Users(part), Rule::Users(whole)) => part.ids.iter().all(|user| whole.ids.contains(user)),
        (Rule::Networks(part), Rule::Networks(whole)) => {
            part.iter().all(|network| whole.iter().any(|wanted| network.is_within(wanted)))
        }
        (Rule::Rollout(part), Rule::Rollout(whole)) => {
            part.stickiness == whole.stickiness
                && (whole.percentage >= 100.0
                    || (part.group == whole.group && part.percentage <= whole.percentage))
        }
        (Rule::Application(before), Rule::Application(after)) => {
            part.name() == whole.name() && are_parameters_within(part.name(), before, after)
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

    if strategy != HOSTNAME_STRATEGY {
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

/// Returns true if it can be decided which of the constraints on the same context field matches in more cases.
fn is_like(one: &Constraint, other: &Constraint) -> bool {
    let is_same_kind = match (&one.test, &other.test) {
        (Test::Text(one, _), Test::Text(other, _))
        | (Test::TextWithoutCase(one, _), Test::TextWithoutCase(other, _)) => one == other,
        (Test::Number(..), Test::Number(..))
        | (Test::Time(..), Test::Time(..))
        | (Test::Version(..), Test::Version(..))
        | (Test::Network(_), Test::Network(_)) => true,
        _ => false,
    };
    (listed(one).is_some() && listed(other).is_some())
        || (is_same_kind
            && one.is_inverted == other.is_inverted
            && one.is_known_to_node3 == other.is_known_to_node3)
}

/// Returns true if no context matches in any library.
fn is_never(constraint: &Constraint) -> bool {
    constraint.is_plain
        && listed(constraint).is_some_and(|(values, must_be_listed)| must_be_listed && values.is_empty())
}

/// Returns true if every context matches in every library.
fn is_always(constraint: &Constraint) -> bool {
    constraint.is_plain
        && listed(constraint).is_some_and(|(values, must_be_listed)| !must_be_listed && values.is_empty())
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
