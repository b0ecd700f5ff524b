//! Variants: selection of one of several values by weight.

use std::num::NonZeroU32;

use super::hash::{bucket, hash_cost};
use super::library::Library;
use super::reason::{VariantSelection, VariantShare};
use super::stickiness::Stickiness;
use super::texts::TextSet;
use super::{Context, PayloadDefinition, VariantDefinition};

/// The group of strategies without a group in the Node library: the text of a missing value in JavaScript.
const UNNAMED_GROUP: &str = "undefined";

/// The variants of a toggle or of a strategy.
#[derive(Debug, PartialEq, Eq)]
pub struct Variants {
    list: Box<[Variant]>,
    stickiness: Stickiness,
    /// The stickiness of the strategy, which the Python library uses instead.
    python_stickiness: Option<Stickiness>,
    group: Box<str>,
    /// Whether a strategy names the group. If not, the Node library uses another one.
    has_group: bool,
    /// Sum of the weights; `None` if it is 0.
    total: Option<NonZeroU32>,
    /// Maximum cost of a choice in comparisons.
    cost: usize,
}

/// A variant.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    name: Box<str>,
    weight: u32,
    payload: Option<PayloadDefinition>,
    overrides: Box<[Override]>,
}

#[derive(Debug, PartialEq, Eq)]
struct Override {
    field: Box<str>,
    values: TextSet,
}

/// The selected variant.
#[derive(Debug, Clone, Copy)]
pub enum VariantChoice<'t> {
    /// There are no variants, or the toggle is off.
    None,
    /// This variant.
    Certain(&'t Variant),
    /// One of these, by weight.
    Random(&'t Variants),
}

impl<'t> VariantChoice<'t> {
    /// Returns the variant, if there is one and it is certain.
    #[must_use]
    pub fn certain(self) -> Option<&'t Variant> {
        if let Self::Certain(variant) = self { Some(variant) } else { None }
    }
}

impl Variant {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the data for the application.
    #[must_use]
    pub fn payload(&self) -> Option<&PayloadDefinition> {
        self.payload.as_ref()
    }
}

impl Variants {
    fn compile(definitions: &[VariantDefinition], group: &str, stickiness: Stickiness) -> Self {
        let list: Box<[_]> = definitions.iter().map(Variant::compile).collect();
        let total = list.iter().fold(0_u32, |total, variant| total.saturating_add(variant.weight));
        let overrides = list.iter().flat_map(|variant| &variant.overrides);
        let overrides = overrides.map(|rule| rule.values.search_cost());
        let cost = overrides.chain([list.len(), hash_cost(group)]).fold(0, usize::saturating_add);
        Self {
            list,
            stickiness,
            python_stickiness: None,
            group: group.into(),
            has_group: true,
            total: NonZeroU32::new(total),
            cost,
        }
    }

    /// Compiles the variants of a toggle. The stickiness of the first one counts.
    pub(super) fn compile_for_toggle(definitions: &[VariantDefinition], toggle: &str) -> Self {
        let stickiness = definitions.first().and_then(|first| first.stickiness.as_deref());
        Self::compile(definitions, toggle, Stickiness::from_name(stickiness))
    }

    /// Compiles the variants of a strategy with these parameters. The stickiness of the first variant counts, else that of
    /// the strategy.
    pub(super) fn compile_for_strategy(
        definitions: &[VariantDefinition],
        toggle: &str,
        group: Option<&str>,
        stickiness: Option<&str>,
    ) -> Self {
        let first = definitions.first().and_then(|first| first.stickiness.as_deref());
        let own = first.filter(|name| !name.is_empty()).or(stickiness);
        let variants = Self::compile(definitions, group.unwrap_or(toggle), Stickiness::from_name(own));
        let python_stickiness = Some(Stickiness::from_name(stickiness));
        Self { python_stickiness, has_group: group.is_some(), ..variants }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the maximum cost of a choice in comparisons.
    pub(super) fn cost(&self) -> usize {
        self.cost
    }

    /// Returns true if a variant has a share.
    pub(super) fn has_shares(&self) -> bool {
        self.total.is_some()
    }

    pub(super) fn choose(&self, context: &Context, seed: u32, library: Option<Library>) -> VariantChoice<'_> {
        let Some(total) = self.total else { return VariantChoice::None };
        let ignores_overrides = library == Some(Library::Python) && self.python_stickiness.is_some();
        if !ignores_overrides && let Some((variant, _, _)) = self.find_override(context, library) {
            return VariantChoice::Certain(variant);
        }
        let python = self.python_stickiness.as_ref().filter(|_| library == Some(Library::Python));
        let is_unnamed = !self.has_group && library == Some(Library::Node);
        let group = if is_unnamed { UNNAMED_GROUP } else { &self.group };
        let chosen = match python.unwrap_or(&self.stickiness).variant_id(context, library) {
            Some((_, id)) => self.at(bucket(group, id, total, seed, library)),
            None => self.find_single(total),
        };
        chosen.map_or(VariantChoice::Random(self), VariantChoice::Certain)
    }

    /// Explains a choice that is not `None`.
    pub(super) fn explain(&self, context: &Context, seed: u32) -> Option<VariantSelection> {
        let total = self.total?;
        if let Some((_, field, value)) = self.find_override(context, None) {
            return Some(VariantSelection::Override { field: field.to_owned(), value: value.to_owned() });
        }
        Some(match self.stickiness.variant_id(context, None) {
            _ if self.find_single(total).is_some() => VariantSelection::Single,
            Some((field, id)) => VariantSelection::Bucket {
                field: field.to_owned(),
                value: id.to_owned(),
                group: self.group.to_string(),
                bucket: bucket(&self.group, id, total, seed, None),
                buckets: total.get(),
            },
            None => VariantSelection::Random { shares: self.shares() },
        })
    }

    /// Returns the probability that a random choice is one of the named variants.
    pub(super) fn probability_of(&self, names: &TextSet) -> f64 {
        let shares = self.list.iter().filter(|variant| names.contains(&variant.name));
        shares.map(|variant| self.share(variant)).sum()
    }

    /// Returns true if the choice for this context depends on a share.
    pub(super) fn is_split(&self, context: &Context) -> bool {
        let is_single = self.total.is_some_and(|total| self.find_single(total).is_some());
        !is_single && self.find_override(context, None).is_none()
    }

    /// Returns the variant at a position between 0 (included) and 1 (excluded) of all weights.
    pub(super) fn at_fraction(&self, fraction: f64) -> Option<&Variant> {
        let position = fraction * f64::from(self.total?.get());
        let mut end = 0.0;
        self.list.iter().find(|variant| {
            end += f64::from(variant.weight);
            end > position
        })
    }

    fn find_override<'v, 'c>(
        &'v self,
        context: &'c Context,
        library: Option<Library>,
    ) -> Option<(&'v Variant, &'v str, &'c str)> {
        let overrides =
            self.list.iter().flat_map(|variant| variant.overrides.iter().map(move |rule| (variant, rule)));
        overrides.into_iter().find_map(|(variant, rule)| {
            let value = context.get(&rule.field)?;
            let counts = library != Some(Library::Node3) || !value.is_empty();
            (counts && rule.values.contains(value)).then_some((variant, rule.field.as_ref(), value))
        })
    }

    /// Returns the variant to which a bucket belongs.
    fn at(&self, bucket: u32) -> Option<&Variant> {
        let mut end = 0_u32;
        self.list.iter().find(|variant| {
            end = end.saturating_add(variant.weight);
            end >= bucket
        })
    }

    fn find_single(&self, total: NonZeroU32) -> Option<&Variant> {
        self.list.iter().find(|variant| variant.weight == total.get())
    }

    fn shares(&self) -> Vec<VariantShare> {
        let share = |variant| VariantShare { name: variant_name(variant), probability: self.share(variant) };
        self.list.iter().map(share).collect()
    }

    fn share(&self, variant: &Variant) -> f64 {
        self.total.map_or(0.0, |total| f64::from(variant.weight) / f64::from(total.get()))
    }
}

fn variant_name(variant: &Variant) -> String {
    variant.name.to_string()
}

impl Variant {
    fn compile(definition: &VariantDefinition) -> Self {
        let overrides = definition.overrides.iter();
        Self {
            name: definition.name.as_str().into(),
            weight: whole_number(definition.weight),
            payload: definition.payload.clone(),
            overrides: overrides
                .map(|rule| Override {
                    field: rule.context_name.as_str().into(),
                    values: rule.values.iter().collect(),
                })
                .collect(),
        }
    }
}

/// Returns a weight as a whole number. Servers store whole numbers up to 1000, or up to 100,000 in old versions.
fn whole_number(weight: f64) -> u32 {
    format!("{:.0}", weight.clamp(0.0, 1_000_000.0)).parse().unwrap_or_default()
}
