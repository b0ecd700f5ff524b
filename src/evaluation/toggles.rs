//! All toggles of a server, in a form that is fast to evaluate.

use std::collections::{HashMap, HashSet};

use super::constraint::Constraint;
use super::reason::ParentProblem;
use super::strategy::{Segment, Strategy};
use super::texts::TextSet;
use super::variants::{VariantChoice, Variants};
use super::{Context, Definitions, Outcome, ParentDefinition, SegmentDefinition, ToggleDefinition};

/// Toggles and the segments that they use.
#[derive(Debug)]
pub struct Toggles {
    list: Vec<Toggle>,
    names: HashMap<Box<str>, usize>,
    pub(super) segments: Box<[Segment]>,
    segment_ids: HashMap<Box<str>, usize>,
    pub(super) variant_seed: u32,
    /// Strategies that only an application can evaluate are off.
    skips_application_strategies: bool,
}

/// A toggle. [`Toggles::evaluate`] evaluates it.
#[derive(Debug)]
pub struct Toggle {
    pub(super) name: Box<str>,
    pub(super) is_enabled: bool,
    pub(super) strategies: Box<[Strategy]>,
    pub(super) variants: Variants,
    pub(super) parents: Box<[Parent]>,
}

/// A condition on a parent toggle.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) name: Box<str>,
    pub(super) expects_enabled: bool,
    /// Empty for any.
    variants: TextSet,
}

/// Result of a toggle for a context.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<'t> {
    /// Whether the toggle is on.
    pub outcome: Outcome,
    /// Variant for an application for which the toggle is on.
    pub variant: VariantChoice<'t>,
}

/// Result of the strategies of a toggle.
#[derive(Debug, Clone, Copy)]
pub(super) struct StrategiesOutcome {
    pub(super) outcome: Outcome,
    /// Index of the first strategy with this kind of outcome, unless it is off.
    pub(super) deciding: Option<usize>,
    /// Index of the first strategy that is not off.
    pub(super) first: Option<usize>,
}

impl Toggles {
    /// Compiles all toggles. If several have the same name, the last one counts.
    #[must_use]
    pub fn compile(definitions: &Definitions, variant_seed: u32) -> Self {
        let mut toggles = Self::with_segments(&definitions.segments, variant_seed);
        for definition in &definitions.features {
            toggles.add(definition);
        }
        toggles
    }

    /// Creates an empty list of toggles that can use these segments.
    #[must_use]
    pub fn with_segments(segments: &[SegmentDefinition], variant_seed: u32) -> Self {
        let ids = segments.iter().enumerate();
        Self {
            list: Vec::new(),
            names: HashMap::new(),
            segments: segments.iter().map(Segment::compile).collect(),
            segment_ids: ids
                .filter_map(|(index, segment)| Some((segment.id.as_deref()?.into(), index)))
                .collect(),
            variant_seed,
            skips_application_strategies: false,
        }
    }

    /// Treats strategies that only an application can evaluate as off, for results that no application completes.
    #[must_use]
    pub fn without_application_strategies(self) -> Self {
        Self { skips_application_strategies: true, ..self }
    }

    /// Compiles and adds a toggle. It replaces a toggle with the same name.
    pub fn add(&mut self, definition: &ToggleDefinition) {
        let toggle = Toggle::compile(definition, |id| self.segment_ids.get(id).copied());
        self.names.insert(toggle.name.clone(), self.list.len());
        self.list.push(toggle);
    }

    /// Returns the toggle with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Toggle> {
        self.list.get(*self.names.get(name)?)
    }

    /// Returns all toggles, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Toggle> {
        let is_current = |(index, toggle): &(usize, &Toggle)| self.names.get(&toggle.name) == Some(index);
        self.list.iter().enumerate().filter(is_current).map(|(_, toggle)| toggle)
    }

    /// Returns the number of regular expressions in a toggle and its segments. Evaluating one can be expensive.
    #[must_use]
    pub fn pattern_count(&self, toggle: &Toggle) -> usize {
        let count = |list: &[Constraint]| list.iter().filter(|constraint| constraint.is_pattern()).count();
        let of_segments = |strategy: &Strategy| -> usize {
            let segments = strategy.segments.iter().filter_map(|link| link.find(&self.segments));
            segments.map(|segment| count(&segment.constraints)).sum()
        };
        toggle.strategies.iter().map(|strategy| count(&strategy.constraints) + of_segments(strategy)).sum()
    }

    /// Returns the maximum cost of an evaluation in comparisons, including the parents of the toggle. It does not depend on
    /// the context, so that a caller can refuse or defer an expensive evaluation before it starts.
    #[must_use]
    pub fn cost(&self, toggle: &Toggle) -> usize {
        let parents = toggle.parents.iter().map(|parent| {
            self.find_parent(parent).map_or(0, |parent| self.own_cost(parent)).saturating_add(1)
        });
        parents.fold(self.own_cost(toggle), usize::saturating_add)
    }

    fn own_cost(&self, toggle: &Toggle) -> usize {
        let strategies = toggle.strategies.iter().map(|strategy| strategy.cost(&self.segments));
        strategies.chain([toggle.variants.cost()]).fold(1, usize::saturating_add)
    }

    /// Returns the number of reasons in [`Self::explain`]: those of parents, strategies, constraints and segments.
    #[must_use]
    pub fn reason_count(&self, toggle: &Toggle) -> usize {
        let strategies = toggle.strategies.iter().map(|strategy| strategy.reason_count(&self.segments));
        strategies.fold(toggle.parents.len(), usize::saturating_add)
    }

    /// Evaluates a toggle of this list.
    #[must_use]
    pub fn evaluate<'t>(&'t self, toggle: &'t Toggle, context: &Context) -> Evaluation<'t> {
        let (outcome, strategies) = self.evaluate_conditions(toggle, context);
        let variant = match outcome {
            Outcome::Off => VariantChoice::None,
            _ => self.choose_variant(toggle, strategies.deciding, context),
        };
        Evaluation { outcome, variant }
    }

    /// Evaluates the parents and the strategies of a toggle. Returns the outcome of the toggle, and that of its strategies
    /// unless the toggle is off.
    pub(super) fn evaluate_conditions(
        &self,
        toggle: &Toggle,
        context: &Context,
    ) -> (Outcome, StrategiesOutcome) {
        let off = StrategiesOutcome { outcome: Outcome::Off, deciding: None, first: None };
        if !toggle.is_enabled {
            return (Outcome::Off, off);
        }
        let parents = self.evaluate_parents(toggle, context);
        if parents == Outcome::Off {
            return (Outcome::Off, off);
        }
        let strategies = self.evaluate_strategies(toggle, &toggle.name, context);
        (parents.and(strategies.outcome), strategies)
    }

    /// Evaluates the strategies as those of the toggle `name`, which can be a child of this toggle.
    pub(super) fn evaluate_strategies(
        &self,
        toggle: &Toggle,
        name: &str,
        context: &Context,
    ) -> StrategiesOutcome {
        let mut total =
            StrategiesOutcome { outcome: toggle.strategies.is_empty().into(), deciding: None, first: None };
        for (index, strategy) in toggle.strategies.iter().enumerate() {
            let outcome = strategy.evaluate(name, &self.segments, context);
            let is_skipped = self.skips_application_strategies && outcome == Outcome::Application;
            if outcome == Outcome::Off || is_skipped {
                continue;
            }
            total.first = total.first.or(Some(index));
            let previous = total.outcome;
            total.outcome = previous.or(outcome);
            if std::mem::discriminant(&previous) != std::mem::discriminant(&total.outcome) {
                total.deciding = Some(index);
            }
            if total.outcome.is_on() {
                break;
            }
        }
        total
    }

    pub(super) fn choose_variant<'t>(
        &self,
        toggle: &'t Toggle,
        strategy: Option<usize>,
        context: &Context,
    ) -> VariantChoice<'t> {
        toggle.variants_of(strategy).0.choose(context, self.variant_seed)
    }

    pub(super) fn evaluate_parents(&self, toggle: &Toggle, context: &Context) -> Outcome {
        let conditions = toggle.parents.iter().map(|parent| self.evaluate_parent(toggle, parent, context));
        conditions.fold(Outcome::On, Outcome::and)
    }

    /// Evaluates a condition on a parent. Parents have no parents, so that there is no recursion.
    pub(super) fn evaluate_parent(&self, child: &Toggle, condition: &Parent, context: &Context) -> Outcome {
        let Ok(parent) = self.find_parent(condition) else { return Outcome::Off };
        let Evaluation { outcome, variant } = self.evaluate_as_parent(child, parent, context);
        let state = if condition.expects_enabled { outcome } else { outcome.negate() };
        state.and(condition.accepts(variant))
    }

    /// Evaluates a toggle as the parent of another one, whose name is its default group.
    pub(super) fn evaluate_as_parent<'t>(
        &'t self,
        child: &Toggle,
        parent: &'t Toggle,
        context: &Context,
    ) -> Evaluation<'t> {
        let strategies = self.evaluate_strategies(parent, &child.name, context);
        let outcome = Outcome::from(parent.is_enabled).and(strategies.outcome);
        Evaluation { outcome, variant: self.choose_variant(parent, strategies.deciding, context) }
    }

    pub(super) fn find_parent(&self, condition: &Parent) -> Result<&Toggle, ParentProblem> {
        let parent = self.find(&condition.name).ok_or(ParentProblem::Missing)?;
        if parent.parents.is_empty() { Ok(parent) } else { Err(ParentProblem::HasParents) }
    }
}

impl Toggle {
    fn compile(definition: &ToggleDefinition, find_segment: impl Fn(&str) -> Option<usize>) -> Self {
        let name = definition.name.as_str();
        let strategies = definition.strategies.iter();
        Self {
            name: name.into(),
            is_enabled: definition.enabled,
            strategies: strategies.map(|strategy| Strategy::compile(strategy, name, &find_segment)).collect(),
            variants: Variants::compile_for_toggle(&definition.variants, name),
            parents: Parent::compile_all(&definition.dependencies),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the toggle or one of its strategies has variants.
    #[must_use]
    pub fn has_variants(&self) -> bool {
        !self.variants.is_empty() || self.strategies.iter().any(|strategy| !strategy.variants.is_empty())
    }

    /// Returns the variants that apply if this strategy decides, and whether they belong to the strategy.
    pub(super) fn variants_of(&self, strategy: Option<usize>) -> (&Variants, bool) {
        let strategy = strategy.and_then(|index| self.strategies.get(index));
        match strategy.map(|strategy| &strategy.variants).filter(|variants| !variants.is_empty()) {
            Some(variants) => (variants, true),
            None => (&self.variants, false),
        }
    }
}

impl Parent {
    /// Compiles conditions. Servers repeat each one for every strategy of the toggle.
    fn compile_all(definitions: &[ParentDefinition]) -> Box<[Self]> {
        let mut seen = HashSet::new();
        definitions.iter().filter(|definition| seen.insert(*definition)).map(Self::compile).collect()
    }

    fn compile(definition: &ParentDefinition) -> Self {
        Self {
            name: definition.feature.as_str().into(),
            expects_enabled: definition.enabled.unwrap_or(true),
            variants: definition.variants.iter().collect(),
        }
    }

    /// Returns whether the variant of the parent is one of those that the condition lists.
    fn accepts(&self, variant: VariantChoice<'_>) -> Outcome {
        match variant {
            _ if self.variants.is_empty() => Outcome::On,
            VariantChoice::None => Outcome::On,
            VariantChoice::Certain(variant) => self.variants.contains(variant.name()).into(),
            VariantChoice::Random(variants) => {
                Outcome::from_probability(variants.probability_of(&self.variants))
            }
        }
    }
}

impl Segment {
    fn compile(definition: &SegmentDefinition) -> Self {
        let constraints: Box<[_]> = definition.constraints.iter().map(Constraint::compile).collect();
        let cost = constraints.iter().map(Constraint::cost).fold(0, usize::saturating_add);
        Self { name: definition.name.as_deref().map(Into::into), constraints, cost }
    }
}
