//! Reasons of a result, as data. Users get texts that the console and `flagdeck why` write.

mod variant;

use serde::Serialize;

pub use self::variant::{VariantReason, VariantSelection, VariantShare};
use super::{Library, Outcome};

/// Result of a toggle, a strategy, or a condition on a parent toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum EvaluationResult {
    /// Off.
    Off,
    /// On.
    On,
    /// Decided by the application.
    Application,
    /// On with a probability.
    Random,
}

/// Explanation of the result of one toggle for one context.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Cause of the result.
    pub decision: Decision,
    /// Index of the strategy that decides, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<usize>,
    /// Conditions on parent toggles, in the order of the toggle.
    pub parents: Vec<ParentReason>,
    /// All strategies, in the order of the toggle, including those that did not decide.
    pub strategies: Vec<StrategyReason>,
    /// Selection of the variant; absent if no strategy that matches has variants, and for a toggle that is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<VariantReason>,
    /// Client libraries that decide otherwise, or in a way that is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub differing: Vec<Library>,
    /// The hold of the toggle, if the state is one that SDKs get: they get the toggle as off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<PastHold>,
}

/// A hold of a toggle, which may have ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PastHold {
    /// Name of the toggle.
    pub toggle: String,
    /// Environment of the tokens; null for all.
    pub environment: Option<String>,
    /// The person or program that held the toggle.
    pub person: String,
    /// The reason.
    pub reason: String,
    /// Start.
    pub start: String,
    /// End, which may be in the future.
    pub end: String,
}

/// Cause of the result of a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// There is no such toggle. Client libraries then return off.
    UnknownToggle,
    /// The toggle is switched off.
    ToggleDisabled,
    /// A condition on a parent toggle does not hold.
    ParentNotSatisfied,
    /// The toggle has no strategies, and is therefore on.
    NoStrategies,
    /// All strategies are disabled.
    AllStrategiesDisabled,
    /// A strategy matches, for certain or as the result describes.
    StrategyMatches,
    /// No strategy matches.
    NoStrategyMatches,
}

/// Outcome of a condition on a parent toggle.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ParentReason {
    /// Name of the parent.
    pub name: String,
    /// Whether the condition holds.
    pub result: EvaluationResult,
    /// Probability, if the result is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Whether the parent must be on.
    pub expects_enabled: bool,
    /// Result of the parent; absent if it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_result: Option<EvaluationResult>,
    /// Variant of the parent, if it is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_variant: Option<String>,
    /// Cause why the parent cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ParentProblem>,
}

/// Cause why a parent toggle cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ParentProblem {
    /// It does not exist.
    Missing,
    /// It has parents itself, which servers do not allow.
    HasParents,
}

/// Outcome of a strategy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StrategyReason {
    /// Name of the strategy.
    pub name: String,
    /// Result with constraints and segments.
    pub result: EvaluationResult,
    /// Probability, if the result is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// True if the strategy is disabled and therefore ignored.
    pub disabled: bool,
    /// Outcome of the strategy itself.
    pub rule: RuleReason,
    /// Outcome of every constraint, in the order of the strategy.
    pub constraints: Vec<ConstraintReason>,
    /// Outcome of every segment, in the order of the strategy.
    pub segments: Vec<SegmentReason>,
}

/// Outcome of a strategy without its constraints and segments.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "code", rename_all = "camelCase")]
pub enum RuleReason {
    /// `default` matches always.
    Always,
    /// The user is in the list.
    Listed {
        /// The user.
        value: String,
    },
    /// The user is absent or not in the list.
    NotListed {
        /// The user.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// The address is in one of the networks.
    InNetwork {
        /// The address.
        value: String,
    },
    /// The address is absent, invalid, or in none of the networks.
    NotInNetwork {
        /// The address.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// The hash of an id selects a bucket of 1 to 100. Buckets up to the percentage match.
    Bucket {
        /// Context field of the id.
        field: String,
        /// The id.
        value: String,
        /// Group, which is hashed with the id.
        group: String,
        /// Bucket of the id.
        bucket: u32,
        /// Percentage of the strategy.
        percentage: f64,
    },
    /// The context field that is hashed is absent.
    MissingField {
        /// Name of the context field.
        field: String,
        /// Percentage of the strategy.
        percentage: f64,
    },
    /// Random, with the probability of the percentage.
    Random {
        /// Percentage of the strategy.
        percentage: f64,
    },
    /// The percentage is absent or not a number. The strategy never matches.
    InvalidPercentage {
        /// The parameter.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// The strategy is `applicationHostname` or a custom one.
    Application,
}

/// Outcome of a constraint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConstraintReason {
    /// Name of the context field.
    pub field: String,
    /// Value of the context field; absent if the context has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// True if the constraint matches.
    pub matches: bool,
    /// Problem of the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ConstraintProblem>,
    /// Client libraries in which the constraint does not have this outcome, or whose outcome is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub differing: Vec<Library>,
}

/// Problem of the definition of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ConstraintProblem {
    /// The operator is unknown. The constraint never matches.
    UnknownOperator,
    /// The value is not a number.
    InvalidNumber,
    /// The value is not a time.
    InvalidTime,
    /// The value is not a semantic version.
    InvalidVersion,
    /// The pattern is invalid, not supported, or too large.
    InvalidPattern,
    /// None of the values is a network.
    InvalidNetwork,
}

/// Outcome of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SegmentReason {
    /// Id of the segment.
    pub id: String,
    /// Name of the segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if the segment does not exist. The strategy is then off.
    pub missing: bool,
    /// True if all constraints match.
    pub matches: bool,
    /// Outcome of every constraint.
    pub constraints: Vec<ConstraintReason>,
}

impl From<Outcome> for EvaluationResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Off => Self::Off,
            Outcome::On => Self::On,
            Outcome::Application => Self::Application,
            Outcome::Random(_) => Self::Random,
        }
    }
}

impl Outcome {
    /// Returns the probability of a random outcome.
    #[must_use]
    pub fn probability(self) -> Option<f64> {
        if let Self::Random(probability) = self { Some(probability) } else { None }
    }
}
