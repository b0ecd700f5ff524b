//! Strategies: rules that decide for which contexts a toggle is on.

use std::collections::{BTreeMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};

use ipnet::IpNet;

use super::constraint::Constraint;
use super::hash::{bucket, hash_cost};
use super::library::{Library, Match};
use super::outcome::Cause;
use super::reason::RuleReason;
use super::stickiness::{Stickiness, is_refused_name};
use super::texts::TextSet;
use super::values::{is_space, parse_node_network, parse_number, parse_plain_network, parse_python_network};
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
    /// Whether all libraries read the rule equally.
    pub(super) is_plain: bool,
    /// Whether the Python library refuses toggles with this strategy, apart from its segments.
    is_refused_by_python: bool,
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
    Users(Users),
    Networks(Box<[Network]>),
    Rollout(Rollout),
    InvalidPercentage(Option<Box<str>>),
    /// The application decides by these parameters.
    Application(BTreeMap<String, String>),
}

/// A list of user ids.
#[derive(Debug)]
pub(super) struct Users {
    pub(super) ids: TextSet,
    /// The ids that the Python library reads, if they are others.
    python: Option<TextSet>,
}

/// An item of a list of networks.
#[derive(Debug)]
pub(super) struct Network {
    text: Box<str>,
    /// As the Node library reads it.
    pub(super) net: Option<IpNet>,
    /// As the Python library reads it.
    python: Option<IpNet>,
}

#[derive(Debug)]
pub(super) struct Rollout {
    pub(super) percentage: f64,
    pub(super) stickiness: Stickiness,
    /// Group of the hash; `None` for the name of the toggle.
    pub(super) group: Option<Box<str>>,
    /// As the Python library reads it; 0 if it never matches.
    python_percentage: u32,
    /// Whether the Python library draws one of 99 numbers for it.
    is_gradual_random: bool,
}

impl Strategy {
    pub(super) fn compile(
        definition: &StrategyDefinition,
        toggle: &str,
        find_segment: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let mut seen = HashSet::new();
        let segments = definition.segments.iter().filter(|id| seen.insert(id.as_str()));
        let parameter = |name: &str| definition.parameters.get(name).map(String::as_str);
        let rule = Rule::compile(definition);
        Self {
            name: definition.name.as_str().into(),
            is_disabled: definition.disabled,
            constraints: definition.constraints.iter().map(Constraint::compile).collect(),
            segments: segments
                .map(|id| SegmentLink { id: id.as_str().into(), index: find_segment(id) })
                .collect(),
            variants: Variants::compile_for_strategy(
                &definition.variants,
                toggle,
                parameter("groupId"),
                parameter("stickiness"),
            ),
            is_plain: rule.is_plain(definition),
            is_refused_by_python: rule.is_refused_by_python(definition),
            rule,
        }
    }

    /// Evaluates the strategy for a toggle of this name.
    pub(super) fn evaluate(&self, toggle: &str, segments: &[Segment], run: &mut Run<'_>) -> Outcome {
        // A disabled strategy is also work: a body can have 100,000 of them.
        if !run.add(1) || self.is_disabled {
            return Outcome::Off;
        }
        let matches = self.match_constraints(segments, run);
        if matches == Match::No || !run.add(self.rule.cost()) {
            return Outcome::Off;
        }
        let outcome = self.rule.evaluate(toggle, run.context, run.library);
        if matches == Match::Yes { outcome } else { outcome.and(Outcome::Application) }
    }

    /// Returns whether the constraints of the strategy and of its segments match.
    pub(super) fn match_constraints(&self, segments: &[Segment], run: &mut Run<'_>) -> Match {
        let mut all = run.match_all(&self.constraints);
        for link in &self.segments {
            if all == Match::No {
                break;
            }
            all = all.min(run.match_segment(segments, link.index));
        }
        all
    }

    /// Returns true if the Python library refuses toggles with this strategy.
    pub(super) fn is_refused_by_python(&self, segments: &[Segment]) -> bool {
        let is_refused = |constraint: &Constraint| constraint.is_refused_by_python();
        let is_refused_segment = |link: &SegmentLink| {
            link.find(segments).is_none_or(|segment| segment.constraints.iter().any(is_refused))
        };
        !self.is_disabled
            && (self.is_refused_by_python
                || self.constraints.iter().any(is_refused)
                || self.segments.iter().any(is_refused_segment))
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
        let percentage = parameter("percentage");
        // Without a group, the Python library never selects users for these.
        let python = if group.is_some() { percentage } else { None };
        match definition.name.as_str() {
            "default" => Self::Always,
            "userWithId" => Self::Users(Users::compile(parameter("userIds"))),
            "remoteAddress" => {
                let items =
                    parameter("IPs").filter(|list| !list.is_empty()).map(split_list).into_iter().flatten();
                Self::Networks(items.map(Network::compile).collect())
            }
            "gradualRolloutRandom" => match Self::rollout(percentage, percentage, Stickiness::Random, None) {
                Self::Rollout(rollout) => Self::Rollout(Rollout { is_gradual_random: true, ..rollout }),
                rule => rule,
            },
            "gradualRolloutUserId" => {
                Self::rollout(percentage, python, sticky("userId"), Some(group.unwrap_or_default()))
            }
            "gradualRolloutSessionId" => {
                Self::rollout(percentage, python, sticky("sessionId"), Some(group.unwrap_or_default()))
            }
            "flexibleRollout" => {
                let stickiness = Stickiness::from_name(parameter("stickiness"));
                Self::rollout(parameter("rollout"), parameter("rollout"), stickiness, group)
            }
            _ => Self::Application(definition.parameters.clone()),
        }
    }

    /// Returns true if all libraries read the parameters equally.
    fn is_plain(&self, definition: &StrategyDefinition) -> bool {
        let is_plain_name = |name: &Option<Box<str>>| !name.as_deref().is_some_and(is_refused_name);
        match self {
            Self::Always => true,
            Self::Users(users) => {
                users.python.is_none() && !users.ids.iter().any(|id| id.is_empty() || id.ends_with('\\'))
            }
            Self::Networks(networks) => networks.iter().all(Network::is_plain),
            Self::Rollout(rollout) => {
                let is_random = definition.name == "gradualRolloutRandom";
                let has_group = definition.name == "flexibleRollout"
                    || is_random
                    || definition.parameters.contains_key("groupId");
                let parameter = if definition.name == "flexibleRollout" { "rollout" } else { "percentage" };
                let percentage = definition.parameters.get(parameter);
                let is_number = percentage.is_some_and(|text| text.parse::<u64>().is_ok());
                is_number && rollout.is_plain() && has_group && is_plain_name(&rollout.group)
            }
            // An absent percentage is no number in any library.
            Self::InvalidPercentage(percentage) => percentage.is_none(),
            Self::Application(parameters) => {
                definition.name != "applicationHostname"
                    || !parameters.get("hostNames").is_some_and(|hosts| hosts.contains(['"', '\\']))
            }
        }
    }

    /// Returns true if the Python library refuses toggles with these parameters.
    fn is_refused_by_python(&self, definition: &StrategyDefinition) -> bool {
        let parameter = |name: &str| definition.parameters.get(name).map(String::as_str);
        let items = |name: &str| parameter(name).into_iter().flat_map(|list| list.split(',')).map(str::trim);
        match self {
            Self::Users(_) => items("userIds").any(|id| id.ends_with('\\')),
            Self::Networks(_) => items("IPs").any(is_refused_name),
            Self::Application(_) => {
                definition.name == "applicationHostname" && items("hostNames").any(is_refused_name)
            }
            // Rules name the group only if they have a percentage.
            Self::Rollout(rollout) if definition.name != "gradualRolloutRandom" => {
                let percentage = parameter("rollout").or(parameter("percentage"));
                let has_rule = percentage.is_some_and(|text| text.parse::<u64>().is_ok())
                    && (definition.name == "flexibleRollout" || parameter("groupId").is_some());
                let refused_group = rollout.group.as_deref().is_some_and(is_refused_name);
                let refused_field =
                    matches!(&rollout.stickiness, Stickiness::Field(field) if is_refused_name(field));
                has_rule && (rollout.python_percentage > 100 || refused_group || refused_field)
            }
            Self::Always | Self::InvalidPercentage(_) | Self::Rollout(_) => false,
        }
    }

    /// Returns the maximum cost of [`Self::evaluate`] in comparisons.
    fn cost(&self) -> usize {
        match self {
            Self::Users(users) => users.ids.search_cost(),
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

    fn rollout(
        percentage: Option<&str>,
        python: Option<&str>,
        stickiness: Stickiness,
        group: Option<Box<str>>,
    ) -> Self {
        let Some(number) = percentage.and_then(parse_number) else {
            return Self::InvalidPercentage(percentage.map(Into::into));
        };
        let python = python.and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
        let python_percentage = u32::try_from(python).unwrap_or(u32::MAX);
        Self::Rollout(Rollout {
            percentage: number,
            stickiness,
            group,
            python_percentage,
            is_gradual_random: false,
        })
    }

    fn evaluate(&self, toggle: &str, context: &Context, library: Option<Library>) -> Outcome {
        match self {
            Self::Always => Outcome::On,
            Self::Users(users) => {
                context.get("userId").is_some_and(|user| users.contains(user, library)).into()
            }
            Self::Networks(networks) => {
                let address = context.get("remoteAddress");
                let matches = networks.iter().map(|network| network.matches(address, library));
                match matches.max().unwrap_or(Match::No) {
                    Match::No => Outcome::Off,
                    Match::Unknown => Outcome::Application,
                    Match::Yes => Outcome::On,
                }
            }
            Self::Rollout(rollout) => rollout.evaluate(toggle, context, library),
            Self::InvalidPercentage(_) => Outcome::Off,
            Self::Application(_) => Outcome::Application,
        }
    }

    fn explain(&self, toggle: &str, context: &Context) -> RuleReason {
        let value = |field: &str| context.get(field).map(ToOwned::to_owned);
        let matches = self.evaluate(toggle, context, None).is_on();
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

impl Users {
    fn compile(ids: Option<&str>) -> Self {
        let python: TextSet = ids.into_iter().flat_map(|ids| ids.split(',')).map(str::trim).collect();
        let ids: TextSet = ids.filter(|ids| !ids.is_empty()).map(split_list).into_iter().flatten().collect();
        Self { python: (python != ids).then_some(python), ids }
    }

    fn contains(&self, user: &str, library: Option<Library>) -> bool {
        let python = self.python.as_ref().filter(|_| library == Some(Library::Python));
        python.unwrap_or(&self.ids).contains(user)
    }
}

impl Network {
    fn compile(text: &str) -> Self {
        let net = parse_node_network(text).ok().flatten();
        Self { text: text.into(), net, python: parse_python_network(text.trim()) }
    }

    /// Returns true if all libraries read the network equally.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.net, Some(IpNet::V4(_))) && parse_plain_network(&self.text).is_some()
    }

    /// Returns true if the other network contains this one, in all libraries. Both must be plain.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let (Some(net), Some(wanted)) = (self.net, other.net) else { return false };
        // The Node libraries compare single addresses as texts.
        wanted.contains(&net) && (other.text.contains('/') || self.text == other.text)
    }

    fn matches(&self, address: Option<&str>, library: Option<Library>) -> Match {
        let Some(address) = address else { return Match::No };
        let is_equal = *self.text == *address;
        let is_in_python = || {
            let address = address.parse::<IpAddr>().ok();
            address.zip(self.python).is_some_and(|(address, net)| net.contains(&address))
        };
        match library {
            Some(Library::Python) => is_in_python().into(),
            _ if is_equal => Match::Yes,
            None => (is_in_python() || self.contains_in_node(address)).into(),
            Some(Library::Node) => self.contains_in_node(address).into(),
            Some(Library::Node3) if !self.text.contains('/') => Match::No,
            Some(Library::Node3) if self.is_plain() && address.parse::<Ipv4Addr>().is_ok() => {
                self.contains_in_node(address).into()
            }
            Some(Library::Node3) => Match::Unknown,
        }
    }

    /// Returns true if the network contains the address in the Node library, which knows only IPv4 here.
    fn contains_in_node(&self, address: &str) -> bool {
        let (Some(net @ IpNet::V4(_)), Ok(Some(address @ IpNet::V4(_)))) =
            (self.net, parse_node_network(address))
        else {
            return false;
        };
        address.prefix_len() >= net.prefix_len() && net.contains(&address.addr())
    }
}

/// Splits a list at commas with white space around them, as the Node libraries do.
fn split_list(list: &str) -> impl Iterator<Item = &str> {
    let last_index = list.matches(',').count();
    list.split(',').enumerate().map(move |(index, item)| {
        let item = if index == 0 { item } else { item.trim_start_matches(is_space) };
        if index == last_index { item } else { item.trim_end_matches(is_space) }
    })
}

impl Rollout {
    fn evaluate(&self, toggle: &str, context: &Context, library: Option<Library>) -> Outcome {
        let percentage = match library {
            Some(Library::Python) => f64::from(self.python_percentage),
            _ => self.percentage,
        };
        match (self.stickiness.id(context, library), &self.stickiness) {
            (Some((_, id)), _) => {
                (percentage > 0.0 && f64::from(self.bucket(toggle, id, library)) <= percentage).into()
            }
            (None, Stickiness::Field(_)) => Outcome::Off,
            (None, Stickiness::Empty) if library == Some(Library::Python) => Outcome::Off,
            (None, _) if self.is_gradual_random && library == Some(Library::Python) => {
                Outcome::from_probability((percentage - 1.0) / 99.0)
            }
            (None, _) => Outcome::from_probability(percentage.floor() / 100.0),
        }
    }

    /// Returns true if all libraries read the percentage and the stickiness equally.
    fn is_plain(&self) -> bool {
        self.percentage.to_bits() == f64::from(self.python_percentage).to_bits()
            && self.python_percentage <= 100
            && self.stickiness.is_plain()
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

    fn bucket(&self, toggle: &str, id: &str, library: Option<Library>) -> u32 {
        let toggle = if matches!(library, Some(Library::Node | Library::Node3)) { "" } else { toggle };
        bucket(self.group(toggle), id, BUCKETS, ROLLOUT_SEED, library)
    }

    fn group<'r>(&'r self, toggle: &'r str) -> &'r str {
        self.group.as_deref().unwrap_or(toggle)
    }

    fn explain(&self, toggle: &str, context: &Context) -> RuleReason {
        let percentage = self.percentage;
        match (self.stickiness.id(context, None), &self.stickiness) {
            (Some((field, id)), _) => RuleReason::Bucket {
                field: field.to_owned(),
                value: id.to_owned(),
                group: self.group(toggle).to_owned(),
                bucket: self.bucket(toggle, id, None),
                percentage,
            },
            (None, Stickiness::Field(field)) => {
                RuleReason::MissingField { field: field.to_string(), percentage }
            }
            (None, _) => RuleReason::Random { percentage },
        }
    }
}
