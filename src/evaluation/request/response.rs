//! The response of `POST /-/evaluate`, and the evaluation of a population.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Detail;
use crate::evaluation::reason::{EvaluationResult, Explanation};
use crate::evaluation::{Context, Outcome, Run, Stopped, Toggle, Toggles, Variant, Work};

/// Response of `POST /-/evaluate`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvaluateResponse {
    /// The evaluated toggles, in the order of `names` or of `toggles`.
    pub toggles: Vec<ToggleResult>,
}

/// Results of one toggle for all contexts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToggleResult {
    /// Name of the toggle.
    pub name: String,
    /// Results with `toggles`.
    pub saved: PopulationResult,
    /// Results with the edited toggles of `compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<PopulationResult>,
    /// Differences between both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ResultChange>,
}

/// Results of one toggle for all contexts, on one side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PopulationResult {
    /// Number of contexts with each result.
    pub counts: ResultCounts,
    /// Number of contexts with each variant, unless it is random; sorted by name.
    pub variants: Vec<VariantCount>,
    /// Result of each context, in the order of the request; absent with `detail: "counts"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contexts: Option<Vec<ContextResult>>,
}

/// Number of contexts with each result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResultCounts {
    /// Off.
    pub off: u32,
    /// On.
    pub on: u32,
    /// Decided by the application.
    pub application: u32,
    /// On with a probability.
    pub random: u32,
}

/// Number of contexts with a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VariantCount {
    /// Name of the variant.
    pub name: String,
    /// Number of contexts.
    pub count: u32,
}

/// Result of one toggle for one context.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContextResult {
    /// The result.
    pub result: EvaluationResult,
    /// Probability, if the result is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Name of the variant, if it is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Reasons, with `detail: "reasons"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Explanation>,
}

/// Contexts whose result differs between `toggles` and `compare`: indexes into `contexts`, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ResultChange {
    /// On with the edits, and not before.
    pub turned_on: Vec<u32>,
    /// Off with the edits, and not before.
    pub turned_off: Vec<u32>,
    /// Another result that is neither on nor off, or another probability.
    pub less_certain: Vec<u32>,
    /// The same result with another variant.
    pub other_variant: Vec<u32>,
}

/// Result of one toggle for one context.
pub(super) struct Single<'t> {
    outcome: Outcome,
    variant: Option<&'t str>,
    reasons: Option<Box<Explanation>>,
}

impl<'t> Single<'t> {
    fn new(
        toggles: &'t Toggles,
        toggle: &'t Toggle,
        detail: Detail,
        run: &mut Run<'_>,
    ) -> Result<Self, Stopped> {
        let evaluation = toggles.evaluate_in(toggle, run)?;
        let reasons = match detail {
            Detail::Reasons => Some(Box::new(toggles.explain_in(toggle, run)?)),
            Detail::Counts | Detail::Results => None,
        };
        let variant = evaluation.variant.certain().map(Variant::name);
        Ok(Self { outcome: evaluation.outcome, variant, reasons })
    }

    /// Returns the result of a toggle that does not exist: off.
    fn of_unknown_toggle(detail: Detail) -> Self {
        let reasons = (detail == Detail::Reasons).then(|| Box::new(Explanation::of_unknown_toggle()));
        Self { outcome: Outcome::Off, variant: None, reasons }
    }
}

/// Evaluates the toggles with these names for every context. Returns the results of each toggle.
pub(super) fn evaluate<'t>(
    toggles: &'t Toggles,
    names: &[String],
    contexts: &[Context],
    detail: Detail,
    work: &mut Work,
) -> Result<Vec<Vec<Single<'t>>>, Stopped> {
    let mut results: Vec<_> = names.iter().map(|name| (toggles.find(name), Vec::new())).collect();
    for context in contexts {
        let mut run = Run::new(context, work);
        for (toggle, results) in &mut results {
            results.push(match *toggle {
                Some(toggle) => Single::new(toggles, toggle, detail, &mut run)?,
                None => Single::of_unknown_toggle(detail),
            });
        }
    }
    Ok(results.into_iter().map(|(_, results)| results).collect())
}

/// Builds the response for a toggle from the results of both sides.
pub(super) fn combine(
    name: &str,
    saved: Vec<Single<'_>>,
    edited: Option<Vec<Single<'_>>>,
    detail: Detail,
) -> ToggleResult {
    let change = edited.as_ref().map(|edited| compare(&saved, edited));
    ToggleResult {
        name: name.to_owned(),
        saved: summarize(saved, detail),
        edited: edited.map(|edited| summarize(edited, detail)),
        change,
    }
}

fn compare(saved: &[Single<'_>], edited: &[Single<'_>]) -> ResultChange {
    let mut change = ResultChange::default();
    for (index, (saved, edited)) in (0..).zip(saved.iter().zip(edited)) {
        if saved.outcome == edited.outcome {
            if saved.variant != edited.variant {
                change.other_variant.push(index);
            }
            continue;
        }
        match edited.outcome {
            Outcome::On => change.turned_on.push(index),
            Outcome::Off => change.turned_off.push(index),
            Outcome::Application | Outcome::Random(_) => change.less_certain.push(index),
        }
    }
    change
}

fn summarize(results: Vec<Single<'_>>, detail: Detail) -> PopulationResult {
    let (mut counts, mut variants) = (ResultCounts::default(), BTreeMap::<_, u32>::new());
    for Single { outcome, variant, .. } in &results {
        *match outcome {
            Outcome::Off => &mut counts.off,
            Outcome::On => &mut counts.on,
            Outcome::Application => &mut counts.application,
            Outcome::Random(_) => &mut counts.random,
        } += 1;
        if let Some(variant) = variant {
            *variants.entry((*variant).to_owned()).or_default() += 1;
        }
    }
    let variants = variants.into_iter().map(|(name, count)| VariantCount { name, count }).collect();
    let contexts = (detail != Detail::Counts).then(|| results.into_iter().map(Into::into).collect());
    PopulationResult { counts, variants, contexts }
}

impl From<Single<'_>> for ContextResult {
    fn from(Single { outcome, variant, reasons }: Single<'_>) -> Self {
        let variant = variant.map(ToOwned::to_owned);
        let reasons = reasons.map(|reasons| *reasons);
        Self { result: outcome.into(), probability: outcome.probability(), variant, reasons }
    }
}
