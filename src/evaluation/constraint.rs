//! Constraints: conditions on a context field.

use std::cmp::Ordering;
use std::net::IpAddr;

use ipnet::IpNet;
use jiff::Timestamp;
use regex_lite::{Regex, RegexBuilder};

use super::reason::{ConstraintProblem, ConstraintReason};
use super::semantic_version::SemanticVersion;
use super::texts::{TextSet, Texts};
use super::{ConstraintDefinition, Context};

/// Maximum length of a regular expression in bytes.
pub(super) const MAX_PATTERN_LENGTH: usize = 1_000;
/// Limits of the memory of a compiled regular expression in bytes, of which the first sufficient one counts. A match takes
/// time in proportion to it.
const PATTERN_MEMORY: [usize; 3] = [1 << 10, 4 << 10, 16 << 10];

/// Cost of searching one text in another one, and of parsing a value, in comparisons.
const SEARCH_COST: usize = 16;
/// Memory of a regular expression that is matched with one byte in the time of a comparison.
const PATTERN_SPEED: usize = 64;
/// Maximum length in bytes of a text that is converted to lower case without allocating memory.
const MAX_COPIED_LENGTH: usize = 1_024;

/// A constraint in a form that is fast to evaluate.
#[derive(Debug)]
pub(super) struct Constraint {
    pub(super) field: Box<str>,
    pub(super) is_inverted: bool,
    pub(super) test: Test,
}

#[derive(Debug)]
pub(super) enum Test {
    In(TextSet),
    NotIn(TextSet),
    Text(Position, Texts),
    /// Values in lower case.
    TextWithoutCase(Position, Texts),
    Number(Comparison, f64),
    Time(Comparison, Timestamp),
    Version(Comparison, SemanticVersion<Box<str>>),
    Pattern(Box<Pattern>),
    Network(Box<[IpNet]>),
    Invalid(ConstraintProblem),
}

#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) regex: Regex,
    pub(super) ignores_case: bool,
    /// Cost of a match in comparisons for each byte of the text.
    cost: usize,
}

/// Position of a value in the text of the context field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Start,
    End,
    Anywhere,
}

/// Comparison of the context field with a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

impl Constraint {
    pub(super) fn compile(definition: &ConstraintDefinition) -> Self {
        let test = Test::compile(definition).unwrap_or_else(Test::Invalid);
        Self { field: definition.context_name.as_str().into(), is_inverted: definition.inverted, test }
    }

    /// Returns true if the context matches.
    pub(super) fn matches(&self, context: &Context) -> bool {
        if let Test::Invalid(ConstraintProblem::UnknownOperator) = self.test {
            return false;
        }
        self.test.holds(context.get(&self.field)) != self.is_inverted
    }

    /// Returns the maximum cost of [`Self::matches`] in comparisons.
    pub(super) fn cost(&self, context: &Context) -> usize {
        let test = match &self.test {
            Test::In(values) | Test::NotIn(values) => values.search_cost(),
            Test::Text(Position::Anywhere, values) | Test::TextWithoutCase(Position::Anywhere, values) => {
                SEARCH_COST.saturating_mul(values.len())
            }
            Test::Text(_, values) => values.len(),
            Test::TextWithoutCase(_, values) => SEARCH_COST.saturating_add(values.len()),
            Test::Number(..) | Test::Time(..) | Test::Version(..) => SEARCH_COST,
            Test::Pattern(pattern) => {
                let length = context.get(&self.field).map_or(0, str::len);
                pattern.cost.saturating_mul(length.saturating_add(1))
            }
            Test::Network(networks) => networks.len(),
            Test::Invalid(_) => 0,
        };
        test.saturating_add(1)
    }

    pub(super) fn explain(&self, context: &Context) -> ConstraintReason {
        let problem = if let Test::Invalid(problem) = self.test { Some(problem) } else { None };
        ConstraintReason {
            field: self.field.to_string(),
            value: context.get(&self.field).map(ToOwned::to_owned),
            matches: self.matches(context),
            problem,
        }
    }
}

impl ConstraintDefinition {
    /// Returns why the values of the constraint do not fit its operator.
    #[must_use]
    pub fn find_problem(&self) -> Option<ConstraintProblem> {
        Test::compile(self).err()
    }
}

impl Test {
    fn compile(definition: &ConstraintDefinition) -> Result<Self, ConstraintProblem> {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        let value = definition.value.as_deref().unwrap_or_default();
        let number = |comparison| parse_number(value).map(|number| Self::Number(comparison, number));
        let time = |comparison| parse_time(value).map(|time| Self::Time(comparison, time));
        let version = |comparison| parse_version(value).map(|version| Self::Version(comparison, version));
        match definition.operator.as_str() {
            "IN" => Ok(Self::In(definition.values.iter().collect())),
            "NOT_IN" => Ok(Self::NotIn(definition.values.iter().collect())),
            "STR_STARTS_WITH" => Ok(Self::text(Position::Start, definition)),
            "STR_ENDS_WITH" => Ok(Self::text(Position::End, definition)),
            "STR_CONTAINS" => Ok(Self::text(Position::Anywhere, definition)),
            "NUM_EQ" => number(Equal),
            "NUM_GT" => number(Greater),
            "NUM_GTE" => number(GreaterOrEqual),
            "NUM_LT" => number(Less),
            "NUM_LTE" => number(LessOrEqual),
            "DATE_AFTER" => time(Greater),
            "DATE_BEFORE" => time(Less),
            "SEMVER_EQ" => version(Equal),
            "SEMVER_GT" => version(Greater),
            "SEMVER_GTE" => version(GreaterOrEqual),
            "SEMVER_LT" => version(Less),
            "SEMVER_LTE" => version(LessOrEqual),
            "REGEX" => parse_pattern(value, definition.case_insensitive).map(Self::Pattern),
            "IN_CIDR" => parse_networks(definition.values.iter()).map(Self::Network),
            _ => Err(ConstraintProblem::UnknownOperator),
        }
    }

    fn text(position: Position, definition: &ConstraintDefinition) -> Self {
        let values = definition.values.iter();
        if definition.case_insensitive {
            return Self::TextWithoutCase(position, values.map(|value| value.to_lowercase()).collect());
        }
        Self::Text(position, values.collect())
    }

    fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return matches!(self, Self::NotIn(_)) };
        match self {
            Self::In(values) => values.contains(value),
            Self::NotIn(values) => !values.contains(value),
            Self::Text(position, values) => values.iter().any(|wanted| position.holds(value, wanted)),
            Self::TextWithoutCase(position, values) => holds_without_case(*position, value, values),
            Self::Number(comparison, number) => {
                let order = value.parse().ok().and_then(|value: f64| value.partial_cmp(number));
                order.is_some_and(|order| comparison.accepts(order))
            }
            Self::Time(comparison, time) => {
                value.parse().is_ok_and(|value: Timestamp| comparison.accepts(value.cmp(time)))
            }
            Self::Version(comparison, version) => SemanticVersion::parse(value)
                .is_some_and(|value| comparison.accepts(version.compare_to(value))),
            Self::Pattern(pattern) => pattern.regex.is_match(value),
            Self::Network(networks) => is_in_network(networks, value),
            Self::Invalid(_) => false,
        }
    }
}

impl Position {
    pub(super) fn holds(self, text: &str, wanted: &str) -> bool {
        match self {
            Self::Start => text.starts_with(wanted),
            Self::End => text.ends_with(wanted),
            Self::Anywhere => text.contains(wanted),
        }
    }
}

impl Comparison {
    pub(super) fn accepts(self, order: Ordering) -> bool {
        match self {
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Equal => order.is_eq(),
            Self::GreaterOrEqual => order.is_ge(),
            Self::Greater => order.is_gt(),
        }
    }
}

/// Compares a text with values in lower case. A short ASCII text is converted on the stack. The search in the converted
/// text takes linear time.
fn holds_without_case(position: Position, text: &str, values: &Texts) -> bool {
    let holds = |text: &str| values.iter().any(|wanted| position.holds(text, wanted));
    let mut buffer = [0_u8; MAX_COPIED_LENGTH];
    let copy = buffer.get_mut(..text.len()).filter(|_| text.is_ascii());
    let lower = copy.and_then(|copy| {
        copy.copy_from_slice(text.as_bytes());
        copy.make_ascii_lowercase();
        std::str::from_utf8(copy).ok()
    });
    lower.map_or_else(|| holds(&text.to_lowercase()), holds)
}

/// Returns true if one of the networks contains the address.
pub(super) fn is_in_network(networks: &[IpNet], address: &str) -> bool {
    address.parse().is_ok_and(|address: IpAddr| networks.iter().any(|network| network.contains(&address)))
}

/// Parses networks and single addresses. Invalid ones are ignored, unless all are.
pub(super) fn parse_networks<T: AsRef<str>>(
    values: impl Iterator<Item = T>,
) -> Result<Box<[IpNet]>, ConstraintProblem> {
    let parse = |value: T| {
        let value = value.as_ref().trim();
        value.parse().ok().or_else(|| value.parse::<IpAddr>().ok().map(IpNet::from))
    };
    let networks: Box<[_]> = values.filter_map(parse).collect();
    if networks.is_empty() { Err(ConstraintProblem::InvalidNetwork) } else { Ok(networks) }
}

fn parse_number(value: &str) -> Result<f64, ConstraintProblem> {
    let number = value.trim().parse().ok().filter(|number: &f64| !number.is_nan());
    number.ok_or(ConstraintProblem::InvalidNumber)
}

fn parse_time(value: &str) -> Result<Timestamp, ConstraintProblem> {
    value.trim().parse().ok().ok_or(ConstraintProblem::InvalidTime)
}

fn parse_version(value: &str) -> Result<SemanticVersion<Box<str>>, ConstraintProblem> {
    let version = SemanticVersion::parse(value).map(SemanticVersion::into_owned);
    version.ok_or(ConstraintProblem::InvalidVersion)
}

fn parse_pattern(pattern: &str, ignores_case: bool) -> Result<Box<Pattern>, ConstraintProblem> {
    if pattern.len() > MAX_PATTERN_LENGTH {
        return Err(ConstraintProblem::InvalidPattern);
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignores_case);
    let build = |memory: usize| {
        let regex = builder.size_limit(memory).build().ok()?;
        Some(Box::new(Pattern { regex, ignores_case, cost: memory / PATTERN_SPEED }))
    };
    PATTERN_MEMORY.into_iter().find_map(build).ok_or(ConstraintProblem::InvalidPattern)
}
