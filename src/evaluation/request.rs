//! The format of `POST /-/evaluate`, and its limits.
//!
//! The request contains the toggles, because an upstream server keeps them and this program has no credential for it. The
//! embedded service uses its own toggles if the request contains none.
//!
//! | purpose | request | part of the response |
//! |---|---|---|
//! | reasons of one context | `names: [toggle]`, one context, `detail: "reasons"` | `toggles[0].saved.contexts[0].reasons` |
//! | effect of unsaved edits on a population | `names: [toggle]`, 10,000 contexts, `compare: [edited toggle]`, `detail: "counts"` | `toggles[0].saved.counts`, `.edited.counts`, `.change.turnedOn` and `.turnedOff` (indexes into `contexts`) |
//! | saved and unsaved reasons of one context | as above, with one context and `detail: "reasons"` | `toggles[0].saved.contexts[0]` and `.edited.contexts[0]` |
//! | all toggles for one context | all `toggles`, one context, `detail: "results"` | `toggles[i].saved.contexts[0]` |
//!
//! - A toggle that does not exist is off, as in client libraries, with the decision `unknownToggle`.
//! - `toggles` must contain the parents of the evaluated toggles, and `segments` the segments of their strategies. `names`
//!   selects the toggles to evaluate; by default, all.
//! - `compare` contains edited versions of toggles. All other toggles are the same on both sides.
//! - A context is an object as client libraries send it: `{"userId": "7", "properties": {"plan": "gold"}}`. Fields outside
//!   `properties` are equal to those inside. Without `currentTime`, the time of the server counts. An empty text is a
//!   value; omit the field if there is none.
//! - The lists of reasons have the order of the toggle: `reasons.strategies[i].constraints[j]` belongs to
//!   `strategies[i].constraints[j]`.
//! - A result is `off`, `on`, `application` (only the application can evaluate the strategy) or `random`, with
//!   `probability`. `variant` is the variant for an application that is on; it is absent without variants, and if it is
//!   random (`reasons.variant.selection.shares` has the probabilities).
//! - `at` evaluates the toggles of the flight recorder at a time; `recording` in the response describes them.
//! - `variantSeed: 0` selects variants as client libraries did before October 2023, such as `unleash-client` 3 and 4.
//!
//! Limits: the constants below. The time is the limit of the work: 10,000 contexts of a toggle with thousands of values
//! take less. A request above a limit fails with status 413, code `too_much_work`, and a message that
//! names the limit and the remedy.

mod response;

use std::collections::HashSet;
use std::time::Duration;

use serde::Deserialize;

pub use self::response::{
    ContextResult, EvaluateResponse, PopulationResult, ResultChange, ResultCounts, ToggleResult, VariantCount,
};
use super::definition::objects;
use super::{Context, SegmentDefinition, Stopped, ToggleDefinition, Toggles, VARIANT_SEED, Work};

/// Maximum time of the evaluation of a request, which the [`Work`] of the request must check.
pub const MAX_TIME: Duration = Duration::from_secs(5);
/// Maximum number of contexts.
pub const MAX_CONTEXTS: usize = 10_000;
/// Maximum number of toggles.
pub const MAX_TOGGLES: usize = 5_000;
/// Maximum number of evaluations: contexts × evaluated toggles, twice with `compare`.
pub const MAX_EVALUATIONS: usize = 200_000;
/// Maximum number of evaluations with reasons.
pub const MAX_EXPLANATIONS: usize = 5_000;
/// Maximum number of reasons in a response, for strategies, constraints and segments.
pub const MAX_REASONS: usize = 20_000;
/// Maximum number of regular expressions in all toggles and segments.
pub const MAX_PATTERNS: usize = 1_000;
/// Maximum length of a context value in bytes.
pub const MAX_VALUE_LENGTH: usize = 1_000;
/// Maximum length in bytes of a name: of a toggle, strategy, segment, variant, context field or group. Results repeat it.
pub const MAX_NAME_LENGTH: usize = 1_000;

/// Body of `POST /-/evaluate`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("required" = ["contexts"]), example = example()))]
#[serde(rename_all = "camelCase")]
pub struct EvaluateRequest {
    /// Toggles as servers send them. Default: those of the embedded service.
    #[serde(default, deserialize_with = "objects")]
    #[cfg_attr(test, schemars(length(max = MAX_TOGGLES)))]
    pub toggles: Option<Vec<ToggleDefinition>>,
    /// Names of the toggles to evaluate. Default: all.
    #[serde(default)]
    pub names: Option<Vec<String>>,
    /// Segments as servers send them.
    #[serde(default, deserialize_with = "objects")]
    #[cfg_attr(test, schemars(length(max = MAX_TOGGLES)))]
    pub segments: Option<Vec<SegmentDefinition>>,
    /// Contexts, at least one: fields by name, also in `properties`. Without `currentTime`, the current time.
    #[serde(default)]
    #[cfg_attr(
        test,
        schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>", length(min = 1, max = MAX_CONTEXTS))
    )]
    pub contexts: Vec<Context>,
    /// Edited versions of toggles, to compare with.
    #[serde(default, deserialize_with = "objects")]
    #[cfg_attr(test, schemars(length(max = MAX_TOGGLES)))]
    pub compare: Option<Vec<ToggleDefinition>>,
    /// Extent of the response.
    #[serde(default)]
    pub detail: Detail,
    /// Time of a recorded state in RFC 3339, whose toggles are evaluated: with the flight recorder, and without `toggles`. It is
    /// the default of `currentTime`.
    #[serde(default)]
    pub at: Option<String>,
    /// Identifier or name of the scope of a recorded state.
    #[serde(default)]
    pub scope: Option<String>,
    /// Environment of the scope of a recorded state.
    #[serde(default)]
    pub environment: Option<String>,
    /// Seed of the variant hash. Default: the seed of current client libraries. 0 for libraries from before October 2023.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(max = u32::MAX)))]
    pub variant_seed: Option<u32>,
}

/// Extent of the response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "camelCase")]
pub enum Detail {
    /// Counts, and with `compare` the indexes of contexts that change.
    Counts,
    /// Also the result of each context.
    #[default]
    Results,
    /// Also the reasons of each result.
    Reasons,
}

/// The reasons why a request is not evaluated. Each message names the cause and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The request contradicts itself.
    #[error("{0}")]
    Invalid(String),
    /// The request exceeds a limit.
    #[error("{0}")]
    TooMuchWork(String),
    /// The evaluation was stopped at its deadline, or because its client has disconnected.
    #[error(
        "The evaluation takes longer than {} s: send fewer contexts or names of toggles, or use fewer segments, constraints, values and patterns",
        MAX_TIME.as_secs()
    )]
    Stopped(#[from] Stopped),
}

impl EvaluateRequest {
    /// Evaluates the request. `now` is the default of `currentTime` (RFC 3339).
    ///
    /// # Errors
    /// See [`RequestError`].
    pub fn evaluate(mut self, now: &str, work: &mut Work) -> Result<EvaluateResponse, RequestError> {
        self.check_limits()?;
        for context in &mut self.contexts {
            context.set_default_time(now);
        }
        let saved = self.compile(None, work)?;
        let edits = self.compare.as_ref();
        let edited = edits.map(|edits| self.compile(Some(edits), work)).transpose()?;
        let names = self.evaluated_names(&saved);
        let sides = if edited.is_some() { 2 } else { 1 };
        let evaluations = names.len().saturating_mul(self.contexts.len()).saturating_mul(sides);
        self.check_evaluations(evaluations)?;
        self.check_reasons(&names, [Some(&saved), edited.as_ref()])?;
        let mut evaluate = |toggles| response::evaluate(toggles, &names, &self.contexts, self.detail, work);
        let saved = evaluate(&saved)?;
        let mut edited = edited.as_ref().map(evaluate).transpose()?.map(Vec::into_iter);
        let toggles = names.iter().zip(saved).map(|(name, saved)| {
            let edited = edited.as_mut().and_then(Iterator::next);
            response::combine(name, saved, edited, self.detail)
        });
        Ok(EvaluateResponse { toggles: toggles.collect() })
    }

    fn check_limits(&self) -> Result<(), RequestError> {
        let Some(toggles) = self.toggles.as_deref() else {
            let message = "toggles is missing; send the toggles that the flag service returned";
            return Err(RequestError::Invalid(message.to_owned()));
        };
        let edits = self.compare.as_deref().unwrap_or_default();
        let segments = self.segments.as_deref().unwrap_or_default();
        if self.contexts.is_empty() {
            return Err(RequestError::Invalid(
                "contexts is empty; send at least one context, such as {}".to_owned(),
            ));
        }
        limit("contexts", self.contexts.len(), MAX_CONTEXTS, "send fewer contexts at once")?;
        limit("toggles", toggles.len().max(edits.len()), MAX_TOGGLES, "send fewer toggles at once")?;
        let longest = self.contexts.iter().map(Context::longest_value).max().unwrap_or_default();
        limit("bytes in a context value", longest, MAX_VALUE_LENGTH, "shorten the value")?;
        let names = toggles.iter().chain(edits).flat_map(ToggleDefinition::names);
        let names = names.chain(segments.iter().flat_map(SegmentDefinition::names));
        let names = names.chain(self.names.iter().flatten().map(String::as_str));
        let longest = names.map(str::len).max().unwrap_or_default();
        limit("bytes in a name", longest, MAX_NAME_LENGTH, "shorten the name")?;
        let strategies = toggles.iter().chain(edits).flat_map(|toggle| &toggle.strategies);
        let constraints = strategies.flat_map(|strategy| &strategy.constraints);
        let constraints = constraints.chain(segments.iter().flat_map(|segment| &segment.constraints));
        let patterns = constraints.filter(|constraint| constraint.operator == "REGEX").count();
        limit("regular expressions", patterns, MAX_PATTERNS, "send fewer toggles at once")
    }

    fn check_evaluations(&self, evaluations: usize) -> Result<(), RequestError> {
        let remedy = "send fewer contexts, or fewer names of toggles";
        limit("evaluations (contexts × toggles)", evaluations, MAX_EVALUATIONS, remedy)?;
        if self.detail == Detail::Reasons {
            limit("evaluations with reasons", evaluations, MAX_EXPLANATIONS, "set detail to results")?;
        }
        Ok(())
    }

    /// Limits the size of the response. `sides` are the toggles with and without the edits.
    fn check_reasons(&self, names: &[String], sides: [Option<&Toggles>; 2]) -> Result<(), RequestError> {
        if self.detail != Detail::Reasons {
            return Ok(());
        }
        let counts = sides
            .into_iter()
            .flatten()
            .flat_map(|side| names.iter().filter_map(move |name| Some(side.reason_count(side.find(name)?))));
        let reasons = counts.fold(0, usize::saturating_add).saturating_mul(self.contexts.len());
        let remedy = "set detail to results, or send fewer contexts or names";
        limit("reasons", reasons, MAX_REASONS, remedy)
    }

    fn compile(
        &self,
        edits: Option<&Vec<ToggleDefinition>>,
        work: &mut Work,
    ) -> Result<Toggles, RequestError> {
        let segments = self.segments.as_deref().unwrap_or_default();
        let mut toggles = Toggles::with_segments(segments, self.variant_seed.unwrap_or(VARIANT_SEED));
        for definition in self.toggles.iter().chain(edits).flatten() {
            work.check()?;
            toggles.add(definition);
        }
        Ok(toggles)
    }

    /// Returns the names of the toggles to evaluate, without duplicates.
    fn evaluated_names(&self, toggles: &Toggles) -> Vec<String> {
        let Some(names) = &self.names else {
            return toggles.iter().map(|toggle| toggle.name().to_owned()).collect();
        };
        let mut seen = HashSet::new();
        names.iter().filter(|name| seen.insert(name.as_str())).cloned().collect()
    }
}

fn limit(what: &str, count: usize, max: usize, remedy: &str) -> Result<(), RequestError> {
    if count <= max {
        return Ok(());
    }
    Err(RequestError::TooMuchWork(format!("The request has {count} {what}; the maximum is {max}: {remedy}")))
}

#[cfg(test)]
fn example() -> serde_json::Value {
    serde_json::json!({
        "toggles": [{
            "name": "shop.pay", "enabled": true,
            "strategies": [{ "name": "userWithId", "parameters": { "userIds": "7,8" } }],
        }],
        "contexts": [{ "userId": "7" }],
        "detail": "reasons",
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use serde_json::json;

    use super::EvaluateRequest;
    use crate::evaluation::Work;

    #[test]
    fn toggles_share_the_results_of_segments() {
        let constraint = json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] });
        let strategy = json!({ "name": "default", "segments": [1] });
        let toggles = (0..1_000)
            .map(|name| json!({ "name": name.to_string(), "enabled": true, "strategies": [strategy] }));
        let request = json!({
            "toggles": toggles.collect::<Vec<_>>(), "contexts": [{ "plan": "gold" }],
            "segments": [{ "id": 1, "constraints": vec![constraint; 1_000] }],
        });
        let request: EvaluateRequest = serde_json::from_value(request).unwrap();
        let checks = Rc::new(Cell::new(0));
        let count = Rc::clone(&checks);
        let mut work = Work::until(move || {
            count.set(count.get() + 1);
            false
        });
        let response = request.evaluate("2026-11-02T10:00:00Z", &mut work).unwrap();
        assert_eq!(response.toggles[999].saved.counts.on, 1);
        // One for each compiled toggle. Without the results of the other toggles, there would be 300 more.
        assert!(checks.get() < 1_010, "{}", checks.get());
    }
}
