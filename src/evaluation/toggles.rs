//! All toggles of a server, in a form that is fast to evaluate.

use std::collections::{HashMap, HashSet};

use super::constraint::Constraint;
use super::library::Library;
use super::reason::ParentProblem;
use super::strategy::{Segment, Strategy};
use super::texts::TextSet;
use super::variants::{Variant, VariantChoice, Variants};
use super::{
    Context, Definitions, OLD_VARIANT_SEED, Outcome, ParentDefinition, Run, SegmentDefinition, Stopped,
    ToggleDefinition, Work,
};

/// Name of the variant of a toggle without variants in client libraries.
const NO_VARIANT: &str = "disabled";

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
    /// Whether the Python library refuses the strategies. They are then off.
    is_refused_by_python: bool,
}

/// A condition on a parent toggle.
#[derive(Debug)]
pub(super) struct Parent {
    pub(super) name: Box<str>,
    pub(super) expects_enabled: bool,
    /// Empty for any.
    pub(super) variants: TextSet,
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
        let toggle = Toggle::compile(definition, &self.segments, |id| self.segment_ids.get(id).copied());
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

    /// Returns the number of reasons in [`Self::explain`], which explain parents, strategies, constraints and segments.
    #[must_use]
    pub fn reason_count(&self, toggle: &Toggle) -> usize {
        let strategies = toggle.strategies.iter().map(|strategy| strategy.reason_count(&self.segments));
        strategies.fold(toggle.parents.len(), usize::saturating_add)
    }

    /// Evaluates a toggle of this list without a bound.
    #[must_use]
    pub fn evaluate<'t>(&'t self, toggle: &'t Toggle, context: &Context) -> Evaluation<'t> {
        self.evaluate_with(toggle, &mut Run::new(context, &mut Work::unlimited()))
    }

    /// Evaluates a toggle of this list with the rules of a library. What these do not tell is `Application`.
    #[must_use]
    pub fn evaluate_as<'t>(
        &'t self,
        library: Library,
        toggle: &'t Toggle,
        context: &Context,
    ) -> Evaluation<'t> {
        let mut work = Work::unlimited();
        self.evaluate_with(toggle, &mut Run::new(context, &mut work).with_library(library))
    }

    /// Returns the libraries that decide otherwise, or in a way that is not known.
    pub(super) fn find_differing(
        &self,
        toggle: &Toggle,
        own: &Evaluation<'_>,
        run: &mut Run<'_>,
    ) -> Vec<Library> {
        let mut differs = |library: &Library| {
            let other = self.evaluate_with(toggle, &mut run.with_library(*library));
            // Old libraries select other variants of all toggles.
            let is_other_variant = *library != Library::Node3
                && !matches!(other.outcome, Outcome::Off)
                && !matches!(other.variant, VariantChoice::Random(_))
                && !matches!(own.variant, VariantChoice::Random(_))
                && other.variant.certain().map(Variant::name) != own.variant.certain().map(Variant::name);
            std::mem::discriminant(&own.outcome) != std::mem::discriminant(&other.outcome) || is_other_variant
        };
        Library::ALL.into_iter().filter(|library| differs(library)).collect()
    }

    /// Evaluates a toggle of this list as part of a run.
    pub(crate) fn evaluate_in<'t>(
        &'t self,
        toggle: &'t Toggle,
        run: &mut Run<'_>,
    ) -> Result<Evaluation<'t>, Stopped> {
        let evaluation = self.evaluate_with(toggle, run);
        run.finish(evaluation)
    }

    pub(super) fn evaluate_with<'t>(&'t self, toggle: &'t Toggle, run: &mut Run<'_>) -> Evaluation<'t> {
        let (outcome, strategies) = self.evaluate_conditions(toggle, run);
        let variant = match outcome {
            Outcome::Off => VariantChoice::None,
            _ => self.choose_variant(toggle, strategies.deciding, run),
        };
        // The first strategy that matches selects the variants. It is not known.
        let is_unknown = run.library.is_some_and(|library| library != Library::Node3)
            && toggle.has_other_variants(strategies);
        let outcome = if is_unknown { outcome.and(Outcome::Application) } else { outcome };
        Evaluation { outcome, variant }
    }

    /// Evaluates the parents and the strategies of a toggle. Returns the outcome of the toggle, and the outcome of its
    /// strategies unless the toggle is off.
    pub(super) fn evaluate_conditions(
        &self,
        toggle: &Toggle,
        run: &mut Run<'_>,
    ) -> (Outcome, StrategiesOutcome) {
        let off = StrategiesOutcome { outcome: Outcome::Off, deciding: None, first: None };
        if !toggle.is_enabled {
            return (Outcome::Off, off);
        }
        let parents = self.evaluate_parents(toggle, run);
        if parents == Outcome::Off {
            return (Outcome::Off, off);
        }
        let strategies = self.evaluate_strategies(toggle, &toggle.name, run);
        (parents.and(strategies.outcome), strategies)
    }

    /// Evaluates the strategies in the name of the toggle `name`, which can be a child of this toggle.
    pub(super) fn evaluate_strategies(
        &self,
        toggle: &Toggle,
        name: &str,
        run: &mut Run<'_>,
    ) -> StrategiesOutcome {
        if run.library == Some(Library::Python) && toggle.is_refused_by_python {
            return StrategiesOutcome { outcome: Outcome::Off, deciding: None, first: None };
        }
        let mut total =
            StrategiesOutcome { outcome: toggle.strategies.is_empty().into(), deciding: None, first: None };
        for (index, strategy) in toggle.strategies.iter().enumerate() {
            let outcome = strategy.evaluate(name, &self.segments, run);
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
        run: &mut Run<'_>,
    ) -> VariantChoice<'t> {
        let (strategy, seed) = match run.library {
            Some(Library::Node3) => (None, OLD_VARIANT_SEED),
            _ => (strategy, self.variant_seed),
        };
        let variants = toggle.variants_of(strategy).0;
        run.add(variants.cost());
        variants.choose(run.context, seed, run.library)
    }

    pub(super) fn evaluate_parents(&self, toggle: &Toggle, run: &mut Run<'_>) -> Outcome {
        if run.library == Some(Library::Node3) {
            return Outcome::On;
        }
        let conditions = toggle.parents.iter().map(|parent| self.evaluate_parent(toggle, parent, run));
        conditions.fold(Outcome::On, Outcome::and)
    }

    /// Evaluates a condition on a parent. Parents have no parents, so that there is no recursion.
    pub(super) fn evaluate_parent(&self, child: &Toggle, condition: &Parent, run: &mut Run<'_>) -> Outcome {
        let (true, Ok(parent)) = (run.add(1), self.find_parent(condition)) else { return Outcome::Off };
        let strategies = self.evaluate_strategies(parent, &child.name, run);
        let Evaluation { outcome, variant } = self.complete_parent(parent, strategies, run);
        if !condition.variants.is_empty() {
            // The variant is that of a strategy only if the strategy matches.
            let is_variant_open = strategies.outcome == Outcome::Application
                && !condition.expects_enabled
                && parent.variants_of(strategies.deciding).1;
            // The Python library draws again for the variant.
            let is_random = matches!(strategies.outcome, Outcome::Random(_));
            let is_unknown = run.library.is_some() && (is_random || parent.has_other_variants(strategies));
            if is_variant_open || is_unknown {
                return Outcome::Application;
            }
        }
        let state = if condition.expects_enabled { outcome } else { outcome.negate() };
        let is_node = run.library == Some(Library::Node);
        match variant {
            _ if is_node && !condition.expects_enabled => state,
            VariantChoice::None if is_node && !condition.variants.is_empty() => {
                state.and(condition.variants.contains(NO_VARIANT).into())
            }
            variant => state.and(condition.accepts(variant)),
        }
    }

    /// Evaluates a toggle as the parent of another one, whose name is its default group.
    pub(super) fn evaluate_as_parent<'t>(
        &'t self,
        child: &Toggle,
        parent: &'t Toggle,
        run: &mut Run<'_>,
    ) -> Evaluation<'t> {
        let strategies = self.evaluate_strategies(parent, &child.name, run);
        self.complete_parent(parent, strategies, run)
    }

    /// Returns the evaluation of a parent whose strategies have this outcome.
    fn complete_parent<'t>(
        &self,
        parent: &'t Toggle,
        strategies: StrategiesOutcome,
        run: &mut Run<'_>,
    ) -> Evaluation<'t> {
        let outcome = Outcome::from(parent.is_enabled).and(strategies.outcome);
        Evaluation { outcome, variant: self.choose_variant(parent, strategies.deciding, run) }
    }

    pub(super) fn find_parent(&self, condition: &Parent) -> Result<&Toggle, ParentProblem> {
        let parent = self.find(&condition.name).ok_or(ParentProblem::Missing)?;
        if parent.parents.is_empty() { Ok(parent) } else { Err(ParentProblem::HasParents) }
    }
}

impl Toggle {
    fn compile(
        definition: &ToggleDefinition,
        segments: &[Segment],
        find_segment: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let name = definition.name.as_str();
        let strategies = definition.strategies.iter();
        let strategies: Box<[_]> =
            strategies.map(|strategy| Strategy::compile(strategy, name, &find_segment)).collect();
        Self {
            name: name.into(),
            is_enabled: definition.enabled,
            is_refused_by_python: strategies.iter().any(|strategy| strategy.is_refused_by_python(segments)),
            strategies,
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

    /// Returns true if a strategy that possibly matches has other variants than the deciding strategy.
    pub(super) fn has_other_variants(&self, strategies: StrategiesOutcome) -> bool {
        let StrategiesOutcome { first, deciding, .. } = strategies;
        let last = if strategies.outcome.is_on() { deciding } else { self.strategies.len().checked_sub(1) };
        let (Some(first), Some(last)) = (first, last) else { return false };
        first < last && (first..=last).any(|index| self.variants_of(Some(index)).1)
    }

    /// Returns the variants that apply if this strategy decides, and whether they belong to the strategy.
    pub(super) fn variants_of(&self, strategy: Option<usize>) -> (&Variants, bool) {
        let strategy = strategy.and_then(|index| self.strategies.get(index));
        match strategy.map(|strategy| &strategy.variants).filter(|variants| variants.has_shares()) {
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
        let constraints = definition.constraints.iter().map(Constraint::compile).collect();
        Self { name: definition.name.as_deref().map(Into::into), constraints }
    }
}
