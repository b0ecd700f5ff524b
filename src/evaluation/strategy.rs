//! Strategies: rules that decide for which contexts a toggle is on.

use std::collections::{BTreeMap, HashSet};

use ipnet::IpNet;

use super::constraint::{Constraint, is_in_network, parse_networks};
use super::hash::{bucket, hash_cost};
use super::outcome::Cause;
use super::reason::RuleReason;
use super::stickiness::Stickiness;
use super::texts::TextSet;
use super::variants::Variants;
use super::{Context, Outcome, Run, StrategyDefinition};

/// Number of buckets of a rollout.
const BUCKETS: std::num::NonZeroU32 = std::num::NonZeroU32::new(100).unwrap();
/// Seed of the hash that selects the bucket of a rollout.
const ROLLOUT_SEED: u32 = 0;

/// A strategy in a form that is fast to evaluate.
#[derive(Debug)]
pub(super) struct Strategy {
    pub(super) name: Box<str>,
    pub(super) is_disabled: bool,
    pub(super) constraints: Box<[Constraint]>,
    pub(super) segments: Box<[SegmentLink]>,
    pub(super) variants: Variants,
    pub(super) rule: Rule,
}

/// A reference to a segment.
#[derive(Debug)]
pub(super) struct SegmentLink {
    pub(super) id: Box<str>,
    /// Index of the segment; `None` if it does not exist.
    pub(super) index: Option<usize>,
}

/// A segment in a form that is fast to evaluate.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) name: Option<Box<str>>,
    pub(super) constraints: Box<[Constraint]>,
}

#[derive(Debug)]
pub(super) enum Rule {
    Always,
    /// User ids.
    Users(TextSet),
    Networks(Box<[IpNet]>),
    Rollout(Rollout),
    InvalidPercentage(Option<Box<str>>),
    /// The application decides by these parameters.
    Application(BTreeMap<String, String>),
}

#[derive(Debug)]
pub(super) struct Rollout {
    pub(super) percentage: f64,
    pub(super) stickiness: Stickiness,
    /// Group of the hash; `None` for the name of the toggle.
    pub(super) group: Option<Box<str>>,
}

impl Strategy {
    pub(super) fn compile(
        definition: &StrategyDefinition,
        toggle: &str,
        find_segment: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut seen = HashSet::new();
        let segments = definition.segments.iter().filter(|id| seen.insert(id.as_str()));
        let group = definition.parameters.get("groupId").map_or(toggle, String::as_str);
        let stickiness = definition.parameters.get("stickiness").map(String::as_str);
        Self {
            name: definition.name.as_str().into(),
            is_disabled: definition.disabled,
            constraints: definition.constraints.iter().map(Constraint::compile).collect(),
            segments: segments
                .map(|id| SegmentLink { id: id.as_str().into(), index: find_segment(id) })
                .collect(),
            variants: Variants::compile(&definition.variants, group, Stickiness::from_name(stickiness)),
            rule: Rule::compile(definition),
        }
    }

    /// Evaluates the strategy for a toggle of this name.
    pub(super) fn evaluate(&self, toggle: &str, segments: &[Segment], run: &mut Run<'_>) -> Outcome {
        // A disabled strategy is also work: a body can have 100,000 of them.
        if !run.add(1)
            || self.is_disabled
            || !self.matches_constraints(segments, run)
            || !run.add(self.rule.cost())
        {
            return Outcome::Off;
        }
        self.rule.evaluate(toggle, run.context)
    }

    /// Returns true if the constraints of the strategy and of its segments match.
    pub(super) fn matches_constraints(&self, segments: &[Segment], run: &mut Run<'_>) -> bool {
        run.matches_all(&self.constraints)
            && self.segments.iter().all(|link| run.matches_segment(segments, link.index))
    }

    /// Returns the number of reasons in an explanation: the strategy, its constraints and its segments.
    pub(super) fn reason_count(&self, segments: &[Segment]) -> usize {
        let links = self.segments.iter();
        let segments = links
            .map(|link| link.find(segments).map_or(0, |segment| segment.constraints.len()).saturating_add(1));
        segments.chain([self.constraints.len()]).fold(1, usize::saturating_add)
    }

    /// Returns what the outcome depends on if the constraints match.
    pub(super) fn cause(&self) -> Cause {
        let is_targeted = !self.constraints.is_empty() || !self.segments.is_empty();
        self.rule.cause().max(if is_targeted { Cause::Targeting } else { Cause::Static })
    }

    pub(super) fn explain_rule(&self, toggle: &str, context: &Context) -> RuleReason {
        self.rule.explain(toggle, context)
    }
}

impl SegmentLink {
    pub(super) fn find<'s>(&self, segments: &'s [Segment]) -> Option<&'s Segment> {
        segments.get(self.index?)
    }
}

impl Rule {
    fn compile(definition: &StrategyDefinition) -> Self {
        let parameter = |name: &str| definition.parameters.get(name).map(String::as_str);
        let group = parameter("groupId").map(Into::into);
        let sticky = |field: &str| Stickiness::Field(field.into());
        match definition.name.as_str() {
            "default" => Self::Always,
            "userWithId" => {
                let users = parameter("userIds").into_iter().flat_map(|users| users.split(','));
                Self::Users(users.map(str::trim).collect())
            }
            "remoteAddress" => {
                let networks = parameter("IPs").into_iter().flat_map(|networks| networks.split(','));
                Self::Networks(parse_networks(networks).unwrap_or_default())
            }
            "gradualRolloutRandom" => Self::rollout(parameter("percentage"), Stickiness::Random, None),
            "gradualRolloutUserId" => {
                Self::rollout(parameter("percentage"), sticky("userId"), Some(group.unwrap_or_default()))
            }
            "gradualRolloutSessionId" => {
                Self::rollout(parameter("percentage"), sticky("sessionId"), Some(group.unwrap_or_default()))
            }
            "flexibleRollout" => {
                let stickiness = Stickiness::from_name(parameter("stickiness"));
                Self::rollout(parameter("rollout"), stickiness, group)
            }
            _ => Self::Application(definition.parameters.clone()),
        }
    }

    /// Returns the maximum cost of [`Self::evaluate`] in comparisons.
    fn cost(&self) -> usize {
        match self {
            Self::Users(users) => users.search_cost(),
            Self::Networks(networks) => networks.len().saturating_add(1),
            Self::Rollout(rollout) => hash_cost(rollout.group.as_deref().unwrap_or_default()),
            Self::Always | Self::InvalidPercentage(_) | Self::Application(_) => 1,
        }
    }

    fn cause(&self) -> Cause {
        match self {
            Self::Always | Self::InvalidPercentage(_) => Cause::Static,
            Self::Users(_) | Self::Networks(_) => Cause::Targeting,
            Self::Rollout(rollout) => rollout.cause(),
            Self::Application(_) => Cause::Application,
        }
    }

    fn rollout(percentage: Option<&str>, stickiness: Stickiness, group: Option<Box<str>>) -> Self {
        let number = percentage.and_then(|text| text.trim().parse().ok());
        match number.filter(|number: &f64| number.is_finite()) {
            Some(percentage) => Self::Rollout(Rollout { percentage, stickiness, group }),
            None => Self::InvalidPercentage(percentage.map(Into::into)),
        }
    }

    fn evaluate(&self, toggle: &str, context: &Context) -> Outcome {
        match self {
            Self::Always => Outcome::On,
            Self::Users(users) => context.get("userId").is_some_and(|user| users.contains(user)).into(),
            Self::Networks(networks) => {
                context.get("remoteAddress").is_some_and(|address| is_in_network(networks, address)).into()
            }
            Self::Rollout(rollout) => rollout.evaluate(toggle, context),
            Self::InvalidPercentage(_) => Outcome::Off,
            Self::Application(_) => Outcome::Application,
        }
    }

    fn explain(&self, toggle: &str, context: &Context) -> RuleReason {
        let value = |field: &str| context.get(field).map(ToOwned::to_owned);
        let matches = self.evaluate(toggle, context).is_on();
        match self {
            Self::Always => RuleReason::Always,
            Self::Users(_) => match value("userId") {
                Some(value) if matches => RuleReason::Listed { value },
                value => RuleReason::NotListed { value },
            },
            Self::Networks(_) => match value("remoteAddress") {
                Some(value) if matches => RuleReason::InNetwork { value },
                value => RuleReason::NotInNetwork { value },
            },
            Self::Rollout(rollout) => rollout.explain(toggle, context),
            Self::InvalidPercentage(value) => {
                RuleReason::InvalidPercentage { value: value.as_ref().map(ToString::to_string) }
            }
            Self::Application(_) => RuleReason::Application,
        }
    }
}

impl Rollout {
    fn evaluate(&self, toggle: &str, context: &Context) -> Outcome {
        match (self.stickiness.id(context), &self.stickiness) {
            (Some((_, id)), _) => (f64::from(self.bucket(toggle, id)) <= self.percentage).into(),
            (None, Stickiness::Field(_)) => Outcome::Off,
            (None, _) => Outcome::from_probability(self.percentage / 100.0),
        }
    }

    fn cause(&self) -> Cause {
        if self.percentage < 100.0 {
            Cause::Split
        } else if matches!(self.stickiness, Stickiness::Field(_)) {
            Cause::Targeting
        } else {
            Cause::Static
        }
    }

    fn bucket(&self, toggle: &str, id: &str) -> u32 {
        bucket(self.group(toggle), id, BUCKETS, ROLLOUT_SEED)
    }

    fn group<'r>(&'r self, toggle: &'r str) -> &'r str {
        self.group.as_deref().unwrap_or(toggle)
    }

    fn explain(&self, toggle: &str, context: &Context) -> RuleReason {
        let percentage = self.percentage;
        match (self.stickiness.id(context), &self.stickiness) {
            (Some((field, id)), _) => RuleReason::Bucket {
                field: field.to_owned(),
                value: id.to_owned(),
                group: self.group(toggle).to_owned(),
                bucket: self.bucket(toggle, id),
                percentage,
            },
            (None, Stickiness::Field(field)) => {
                RuleReason::MissingField { field: field.to_string(), percentage }
            }
            (None, _) => RuleReason::Random { percentage },
        }
    }
}
