//! Constraints: conditions on a context field.

use std::cmp::Ordering;
use std::net::IpAddr;

use ipnet::IpNet;
use jiff::Timestamp;
use regex_lite::{Regex, RegexBuilder};

use super::context::CURRENT_TIME;
use super::library::{Library, Match};
use super::pattern::{Agreement, agreement};
use super::reason::{ConstraintProblem, ConstraintReason};
use super::semantic_version::SemanticVersion;
use super::stickiness::is_refused_name;
use super::texts::{TextSet, Texts};
use super::values::{
    Instant, is_leap_second, parse_node_network, parse_node_version, parse_number, parse_plain_network,
    parse_plain_number, parse_plain_time, parse_python_network, parse_python_version, parse_time, trim,
    trim_rule,
};
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
    /// The test of the Node libraries, and of this program.
    pub(super) test: Test,
    python: PythonTest,
    /// Whether `unleash-client` 3 for Node knows the operator. If not, it never matches.
    pub(super) is_known_to_node3: bool,
    /// Whether all libraries read the definition equally.
    pub(super) is_plain: bool,
}

/// The test of the Python library.
#[derive(Debug)]
enum PythonTest {
    /// That of the other libraries.
    Equal,
    Other(Test),
    /// Never matches, not even inverted.
    Never,
    /// The library refuses the whole toggle, which is then off.
    Refused,
}

#[derive(Debug)]
pub(super) enum Test {
    In(TextSet),
    NotIn(TextSet),
    Text(Position, Texts),
    /// Values in lower case.
    TextWithoutCase(Position, Texts),
    Number(Comparison, f64),
    Time(Comparison, Instant),
    Version(Comparison, SemanticVersion<Box<str>>),
    Pattern(Box<Pattern>),
    Network(Box<[IpNet]>),
    Invalid(ConstraintProblem),
    /// A value that libraries read in ways of their own.
    Undecided(ConstraintProblem),
}

#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) regex: Regex,
    pub(super) ignores_case: bool,
    agreement: Agreement,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

impl Constraint {
    pub(super) fn compile(definition: &ConstraintDefinition) -> Self {
        let test = Test::compile(definition);
        let python = PythonTest::compile(definition, &test);
        let operator = definition.operator.as_str();
        Self {
            field: definition.context_name.as_str().into(),
            is_inverted: definition.inverted,
            is_known_to_node3: !matches!(operator, "REGEX" | "IN_CIDR" | "SEMVER_GTE" | "SEMVER_LTE"),
            is_plain: matches!(python, PythonTest::Equal) && is_plain(definition, &test),
            test,
            python,
        }
    }

    /// Returns whether the context matches in a library; `None` for the rules of this program.
    pub(super) fn decide(&self, context: &Context, library: Option<Library>) -> Match {
        let is_python = library == Some(Library::Python);
        let test = match &self.python {
            PythonTest::Never | PythonTest::Refused if is_python => return Match::No,
            PythonTest::Other(test) if is_python => test,
            _ => &self.test,
        };
        let is_unknown = library == Some(Library::Node3) && !self.is_known_to_node3;
        if is_unknown || matches!(test, Test::Invalid(ConstraintProblem::UnknownOperator)) {
            return Match::No;
        }
        // The Node libraries compare the current time, whatever the name of the field is.
        let is_time = matches!(test, Test::Time(..)) && !is_python;
        let value = context.get(if is_time { CURRENT_TIME } else { &self.field });
        let value = value.filter(|value| library != Some(Library::Node3) || !value.is_empty());
        let result = match (test.holds(value, library), library) {
            // Only the rules of the Python library are known for this time.
            (Match::Unknown, None) if matches!(test, Test::Undecided(ConstraintProblem::InvalidTime)) => {
                let python = self.decide(context, Some(Library::Python));
                return if python == Match::Yes { Match::Yes } else { Match::No };
            }
            (Match::Unknown, None) => Match::No,
            (result, _) => result,
        };
        if self.is_inverted { result.negate() } else { result }
    }

    /// Returns true if the Python library refuses toggles with this constraint.
    pub(super) fn is_refused_by_python(&self) -> bool {
        matches!(self.python, PythonTest::Refused)
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
            Test::Invalid(_) | Test::Undecided(_) => 0,
        };
        test.saturating_add(1)
    }

    pub(super) fn explain(&self, context: &Context) -> ConstraintReason {
        let problem = match self.test {
            Test::Invalid(problem) | Test::Undecided(problem) => Some(problem),
            _ => None,
        };
        let own = self.decide(context, None);
        let differs = |library: &Library| self.decide(context, Some(*library)) != own;
        ConstraintReason {
            field: self.field.to_string(),
            value: context.get(&self.field).map(ToOwned::to_owned),
            matches: own == Match::Yes,
            problem,
            differing: Library::ALL.into_iter().filter(differs).collect(),
        }
    }
}

impl ConstraintDefinition {
    /// Returns why the values of the constraint do not fit its operator.
    #[must_use]
    pub fn find_problem(&self) -> Option<ConstraintProblem> {
        let value = self.value.as_deref().unwrap_or_default();
        match Test::compile(self) {
            Test::Number(..) if parse_plain_number(value).is_none() => Some(ConstraintProblem::InvalidNumber),
            Test::Time(..) | Test::Undecided(ConstraintProblem::InvalidTime) => {
                let is_time = value.trim().parse::<Timestamp>().is_ok();
                (!is_time).then_some(ConstraintProblem::InvalidTime)
            }
            Test::Version(..) if parse_python_version(value).is_none() => {
                Some(ConstraintProblem::InvalidVersion)
            }
            Test::Network(networks) if networks.is_empty() => Some(ConstraintProblem::InvalidNetwork),
            Test::Invalid(problem) | Test::Undecided(problem) => Some(problem),
            _ => None,
        }
    }
}

impl Test {
    fn compile(definition: &ConstraintDefinition) -> Self {
        let value = definition.value.as_deref();
        // A text of white space becomes an empty one, which is in every text.
        let values = || definition.values.iter().filter(|value| !value.is_empty()).map(|value| trim(value));
        match definition.operator.as_str() {
            "IN" => Self::In(values().collect()),
            "NOT_IN" => Self::NotIn(values().collect()),
            "STR_STARTS_WITH" => Self::text(Position::Start, values(), definition),
            "STR_ENDS_WITH" => Self::text(Position::End, values(), definition),
            "STR_CONTAINS" => Self::text(Position::Anywhere, values(), definition),
            "REGEX" => value.map_or(Self::Invalid(ConstraintProblem::InvalidPattern), |value| {
                compile_pattern(value, definition.case_insensitive)
            }),
            "IN_CIDR" => {
                let networks: Result<Vec<_>, ()> = values().map(parse_node_network).collect();
                networks.map_or(Self::Undecided(ConstraintProblem::InvalidNetwork), |networks| {
                    Self::Network(networks.into_iter().flatten().collect())
                })
            }
            operator => Comparison::of_operator(operator)
                .map_or(Self::Invalid(ConstraintProblem::UnknownOperator), |comparison| {
                    Self::compare(comparison, operator, value)
                }),
        }
    }

    fn compare(comparison: Comparison, operator: &str, value: Option<&str>) -> Self {
        if operator.starts_with("NUM") {
            let number = value.and_then(parse_number);
            return number.map_or(Self::Invalid(ConstraintProblem::InvalidNumber), |number| {
                Self::Number(comparison, number)
            });
        }
        if operator.starts_with("SEMVER") {
            let version = value.and_then(parse_node_version).map(SemanticVersion::into_owned);
            return version.map_or(Self::Invalid(ConstraintProblem::InvalidVersion), |version| {
                Self::Version(comparison, version)
            });
        }
        match value.map(|value| (value, parse_time(value))) {
            Some((_, Some(time))) => Self::Time(comparison, time.instant),
            // JavaScript engines read many notations, all of them with digits.
            Some((value, None)) if value.bytes().any(|byte| byte.is_ascii_digit()) => {
                Self::Undecided(ConstraintProblem::InvalidTime)
            }
            _ => Self::Invalid(ConstraintProblem::InvalidTime),
        }
    }

    fn text<'v>(
        position: Position,
        values: impl Iterator<Item = &'v str>,
        definition: &ConstraintDefinition,
    ) -> Self {
        if definition.case_insensitive {
            return Self::TextWithoutCase(position, values.map(str::to_lowercase).collect());
        }
        Self::Text(position, values.collect())
    }

    fn holds(&self, value: Option<&str>, library: Option<Library>) -> Match {
        let Some(value) = value else {
            return match self {
                Self::NotIn(_) => Match::Yes,
                Self::Undecided(ConstraintProblem::InvalidTime) | Self::Time(..)
                    if library != Some(Library::Python) =>
                {
                    Match::Unknown
                }
                _ => Match::No,
            };
        };
        let is_python = library == Some(Library::Python);
        match self {
            Self::In(values) => values.contains(value).into(),
            Self::NotIn(values) => (!values.contains(value)).into(),
            Self::Text(position, values) => values.iter().any(|wanted| position.holds(value, wanted)).into(),
            Self::TextWithoutCase(position, values) => holds_without_case(*position, value, values).into(),
            Self::Number(comparison, number) => {
                let value = if is_python { value.parse().ok() } else { parse_number(value) };
                value.is_some_and(|value: f64| comparison.holds(value, *number, is_python)).into()
            }
            Self::Time(comparison, time) => holds_time(*comparison, value, *time, is_python),
            Self::Version(comparison, version) => {
                let value = match library {
                    Some(Library::Python) => SemanticVersion::parse(value),
                    // This library accepts only the normal form, without build metadata.
                    Some(Library::Node3) if value.contains('+') => None,
                    Some(Library::Node3) => {
                        SemanticVersion::parse(value).filter(|_| parse_node_version(value).is_some())
                    }
                    _ if value.starts_with('v') => None,
                    _ => parse_node_version(value),
                };
                value.is_some_and(|value| comparison.accepts(version.compare_to(value))).into()
            }
            Self::Pattern(pattern) => {
                let is_match = pattern.regex.is_match(value);
                match (pattern.agreement, library) {
                    (_, None) | (Agreement::Full, _) => is_match.into(),
                    (Agreement::AsciiText, _) if value.is_ascii() => is_match.into(),
                    _ => Match::Unknown,
                }
            }
            Self::Network(networks) if is_python => {
                let address = value.parse().ok();
                let contains = |address: IpAddr| networks.iter().any(|network| network.contains(&address));
                address.is_some_and(contains).into()
            }
            Self::Network(networks) => match parse_node_network(value) {
                Ok(Some(address)) => networks.iter().any(|network| is_in_network(network, address)).into(),
                Ok(None) => Match::No,
                Err(()) => Match::Unknown,
            },
            Self::Invalid(_) => Match::No,
            Self::Undecided(_) => Match::Unknown,
        }
    }
}

impl PythonTest {
    fn compile(definition: &ConstraintDefinition, test: &Test) -> Self {
        if is_refused_name(&definition.context_name) {
            return Self::Refused;
        }
        let value = definition.value.as_deref();
        let values = || definition.values.iter().map(String::as_str);
        // A backslash at the end escapes the quote that ends the text in a rule.
        let is_refused_text = |value: &str| value.ends_with('\\');
        let is_cleaned = || values().all(|value| !value.is_empty() && trim(value).len() == value.len());
        if let Some(comparison) = Comparison::of_operator(&definition.operator) {
            return Self::compile_comparison(definition, comparison, test);
        }
        let is_refused = match test {
            Test::In(_) | Test::NotIn(_) => values().any(is_refused_text),
            Test::Text(..)
            | Test::TextWithoutCase(..)
            | Test::Network(_)
            | Test::Undecided(ConstraintProblem::InvalidNetwork) => {
                definition.values.is_empty() || values().any(is_refused_text)
            }
            Test::Pattern(_)
            | Test::Invalid(ConstraintProblem::InvalidPattern)
            | Test::Undecided(ConstraintProblem::InvalidPattern) => value.is_some_and(is_refused_text),
            _ => true,
        };
        if is_refused {
            return Self::Refused;
        }
        match test {
            Test::In(_) if !is_cleaned() => Self::Other(Test::In(values().collect())),
            Test::NotIn(_) if !is_cleaned() => Self::Other(Test::NotIn(values().collect())),
            Test::Text(position, _) | Test::TextWithoutCase(position, _) if !is_cleaned() => {
                Self::Other(Test::text(*position, values(), definition))
            }
            Test::Invalid(ConstraintProblem::InvalidPattern) if value.is_none() => {
                Self::Other(compile_pattern("", definition.case_insensitive))
            }
            Test::Network(_) | Test::Undecided(ConstraintProblem::InvalidNetwork) => {
                let networks: Vec<_> = values().map(parse_plain_network).collect();
                if networks.iter().all(Option::is_some) {
                    return Self::Equal;
                }
                Self::Other(Test::Network(values().filter_map(parse_python_network).collect()))
            }
            _ => Self::Equal,
        }
    }
}

impl PythonTest {
    /// The library recognizes times, versions and numbers by their notation, whatever the operator is.
    fn compile_comparison(definition: &ConstraintDefinition, comparison: Comparison, test: &Test) -> Self {
        let value = definition.value.as_deref().unwrap_or_default();
        if value.starts_with('v') && definition.operator.starts_with("SEMVER") {
            return Self::Never;
        }
        let is_current_time = *definition.context_name == *CURRENT_TIME;
        let other = if let Some(time) = parse_plain_time(trim_rule(value)) {
            match test {
                Test::Time(_, other) if *other == time && is_current_time => return Self::Equal,
                _ => Test::Time(comparison, time),
            }
        } else if let Some(version) = parse_python_version(value).map(SemanticVersion::into_owned) {
            match test {
                Test::Version(_, other) if *other == version => return Self::Equal,
                _ => Test::Version(comparison, version),
            }
        } else if let Some(number) = parse_plain_number(value) {
            match test {
                Test::Number(..) => return Self::Equal,
                _ => Test::Number(comparison, number),
            }
        } else if is_leap_second(trim_rule(value)) {
            Test::Undecided(ConstraintProblem::InvalidTime)
        } else {
            return Self::Refused;
        };
        Self::Other(other)
    }
}

/// Returns true if all libraries read the values equally, if the test of the Python library is equal.
fn is_plain(definition: &ConstraintDefinition, test: &Test) -> bool {
    let value = definition.value.as_deref().unwrap_or_default();
    match test {
        Test::Invalid(_) | Test::Undecided(_) => false,
        Test::Time(..) => *definition.context_name == *CURRENT_TIME && parse_plain_time(value).is_some(),
        Test::Pattern(pattern) => pattern.agreement == Agreement::Full,
        _ => true,
    }
}

/// Compares a time of a context with the time of a constraint.
fn holds_time(comparison: Comparison, value: &str, time: Instant, is_python: bool) -> Match {
    match parse_time(value) {
        Some(found) if is_python && found.is_complete => comparison.accepts(found.instant.cmp(&time)).into(),
        Some(found) if !is_python => {
            comparison.accepts(found.instant.milliseconds.cmp(&time.milliseconds)).into()
        }
        // This library accepts several notations with an offset.
        _ if is_python => {
            if value.contains(':') {
                Match::Unknown
            } else {
                Match::No
            }
        }
        _ if value.bytes().any(|byte| byte.is_ascii_digit()) || value.is_empty() => Match::Unknown,
        _ => Match::No,
    }
}

/// Returns true if a network contains an address with an optional length, as the Node library decides.
fn is_in_network(network: &IpNet, address: IpNet) -> bool {
    let is_narrower = address.prefix_len() >= network.prefix_len();
    network.addr() == address.addr() || (is_narrower && network.contains(&address.addr()))
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
    /// Returns the comparison of an operator for numbers, times or versions.
    fn of_operator(operator: &str) -> Option<Self> {
        Some(match operator {
            "NUM_EQ" | "SEMVER_EQ" => Self::Equal,
            "NUM_GT" | "DATE_AFTER" | "SEMVER_GT" => Self::Greater,
            "NUM_GTE" | "SEMVER_GTE" => Self::GreaterOrEqual,
            "NUM_LT" | "DATE_BEFORE" | "SEMVER_LT" => Self::Less,
            "NUM_LTE" | "SEMVER_LTE" => Self::LessOrEqual,
            _ => return None,
        })
    }

    /// Compares numbers. The Python library ignores tiny differences if they must be equal.
    fn holds(self, value: f64, number: f64, is_python: bool) -> bool {
        if is_python && self == Self::Equal {
            return (value - number).abs() < f64::EPSILON;
        }
        value.partial_cmp(&number).is_some_and(|order| self.accepts(order))
    }

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

/// Returns true if a regular expression is valid in all engines, as far as this is known.
pub(crate) fn is_common_pattern(pattern: &str) -> bool {
    matches!(compile_pattern(pattern, false), Test::Pattern(found) if found.agreement != Agreement::None)
}

/// Compiles a regular expression. One that cannot be compiled is undecided, because other engines may compile it.
fn compile_pattern(pattern: &str, ignores_case: bool) -> Test {
    let undecided = Test::Undecided(ConstraintProblem::InvalidPattern);
    if pattern.len() > MAX_PATTERN_LENGTH {
        return undecided;
    }
    let agreement = agreement(pattern, ignores_case);
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignores_case);
    let build = |memory: usize| {
        let regex = builder.size_limit(memory).build().ok()?;
        Some(Box::new(Pattern { regex, ignores_case, agreement, cost: memory / PATTERN_SPEED }))
    };
    PATTERN_MEMORY.into_iter().find_map(build).map_or(undecided, Test::Pattern)
}
