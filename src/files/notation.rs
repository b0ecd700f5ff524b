//! Notation of files: refuses forms of YAML that its versions and parsers read differently, and finds the places of values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{Event, Parser, ScalarStyle, Span};
use serde::de::IgnoredAny;

use crate::number::to_u64;

/// Plain texts that YAML 1.1 reads as booleans and YAML 1.2 as texts, in lower case.
const OLD_BOOLEANS: [&str; 6] = ["y", "n", "yes", "no", "on", "off"];

/// A fault in a file, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct DocumentFault {
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1.
    pub column: u64,
    /// Description and remedy.
    pub reason: String,
}

/// Properties that are booleans and numbers. A text in quotes is not one, although the deserializer would convert it.
pub(super) const BOOLEANS: [&str; 6] =
    ["caseInsensitive", "disabled", "enabled", "impressionData", "inverted", "stale"];
pub(super) const NUMBERS: [&str; 2] = ["version", "weight"];

/// The text of a file for a parser of YAML. Texts of JSON may contain control characters from U+007F on, which YAML only has as escapes.
pub(super) struct YamlText<'t> {
    original: &'t str,
    text: Cow<'t, str>,
}

/// Number of characters of an escape such as `\\u007f`.
const ESCAPE_WIDTH: u64 = 6;

impl<'t> YamlText<'t> {
    pub(super) fn new(original: &'t str) -> Self {
        let is_json = || serde_json::from_str::<IgnoredAny>(original).is_ok();
        let text = if original.contains(needs_escape) && is_json() {
            let escape = |letter| {
                let escaped = needs_escape(letter);
                if escaped { format!("\\u{:04x}", u32::from(letter)) } else { String::from(letter) }
            };
            original.chars().map(escape).collect::<String>().into()
        } else {
            original.into()
        };
        Self { original, text }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the place in the original text of a place in this one: line and column, from 1.
    pub(super) fn original_place(&self, (line, column): (u64, u64)) -> (u64, u64) {
        if matches!(self.text, Cow::Borrowed(_)) {
            return (line, column);
        }
        let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        let (mut reached, mut original) = (1, 1);
        for letter in self.original.lines().nth(index).unwrap_or_default().chars() {
            if reached >= column {
                break;
            }
            reached += if needs_escape(letter) { ESCAPE_WIDTH } else { 1 };
            original += 1;
        }
        (line, original)
    }
}

/// Returns true for characters that JSON allows in texts and YAML does not.
fn needs_escape(letter: char) -> bool {
    matches!(letter, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

/// Checks the notation of a file. Errors of the syntax are left to the deserializer, which describes them.
///
/// # Errors
/// [`DocumentFault`] for the first ambiguous form.
pub(super) fn check(text: &YamlText<'_>) -> Result<(), DocumentFault> {
    let mut position = Position::default();
    for (event, span) in events(text.as_str()) {
        let is_value = position.is_value(&event);
        let reason = match &event {
            Event::Alias(_) | Event::Anchor(..) | Event::UnresolvedAlias(_) => {
                Some("anchors and aliases are not allowed; write the value at each place".to_owned())
            }
            Event::Scalar(.., Some(tag))
            | Event::SequenceStart(.., Some(tag))
            | Event::MappingStart(.., Some(tag)) => {
                Some(format!("the tag {tag} is not allowed; remove it, and write texts in quotes"))
            }
            Event::Scalar(value, ScalarStyle::Plain, ..) => describe_ambiguity(value),
            Event::Scalar(..) if is_value => position.describe_text(),
            _ => None,
        };
        if let Some(reason) = reason {
            let (line, column) = text.original_place(place(&span));
            return Err(DocumentFault { line, column, reason });
        }
        position.advance(&event);
    }
    Ok(())
}

/// Returns the lines and columns of the values at paths of keys and, in lists, indices. The place of a toggle is that of its name.
pub(super) fn find_places<'p>(
    text: &str,
    paths: &BTreeSet<&'p [String]>,
) -> BTreeMap<&'p [String], (u64, u64)> {
    let text = YamlText::new(text);
    let mut found = BTreeMap::new();
    // Values are compared only inside of these toggles.
    let toggles: BTreeSet<&str> = paths.iter().filter_map(|path| Some(path.get(1)?.as_str())).collect();
    let mut position = Position::default();
    for (event, span) in events(text.as_str()) {
        let is_value = position.is_value(&event);
        let path = match (&event, position.toggle()) {
            (Event::Scalar(name, ..), None) if !is_value && position.is_at_toggles() => {
                Some(vec!["toggles".to_owned(), name.to_string()])
            }
            (_, Some(toggle)) if is_value && position.0.len() > 2 && toggles.contains(toggle) => {
                Some(position.path())
            }
            _ => None,
        };
        if let Some(path) = path.and_then(|path| paths.get(path.as_slice())) {
            found.entry(*path).or_insert_with(|| text.original_place(place(&span)));
        }
        position.advance(&event);
    }
    found
}

/// Returns the events of the parser up to the first error.
fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Span)> {
    let options = granit_parser::options! { emit_anchor_events: true, emit_unresolved_aliases: true };
    Parser::new_from_str_with_options(text, options).map_while(Result::ok)
}

/// Returns the line and the column, from 1.
fn place(span: &Span) -> (u64, u64) {
    (to_u64(span.start.line()), to_u64(span.start.col()) + 1)
}

/// Position of an event: a level for each mapping and list that contains it.
#[derive(Default)]
struct Position(Vec<Level>);

enum Level {
    /// A mapping, with the key of the current value; `None` if the next event is a key.
    Mapping(Option<String>),
    /// A list, with the index of the current item.
    Sequence(usize),
}

impl Position {
    /// Returns true if the next event starts a value, and false for keys.
    fn is_value(&self, event: &Event<'_>) -> bool {
        if !matches!(event, Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..)) {
            return false;
        }
        match self.0.last() {
            Some(Level::Mapping(key)) => key.is_some(),
            Some(Level::Sequence(_)) | None => true,
        }
    }

    /// Moves behind an event.
    fn advance(&mut self, event: &Event<'_>) {
        match event {
            Event::MappingStart(..) => self.0.push(Level::Mapping(None)),
            Event::SequenceStart(..) => self.0.push(Level::Sequence(0)),
            Event::MappingEnd | Event::SequenceEnd => {
                self.0.pop();
                self.complete("");
            }
            Event::Scalar(text, ..) => self.complete(text),
            _ => {}
        }
    }

    /// Moves behind a value, or behind a key with this text.
    fn complete(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Level::Mapping(key @ None)) => *key = Some(text.to_owned()),
            Some(Level::Mapping(key)) => *key = None,
            Some(Level::Sequence(index)) => *index += 1,
            None => {}
        }
    }

    /// Returns true if the next event is a property of `toggles`.
    fn is_at_toggles(&self) -> bool {
        matches!(self.0.as_slice(), [Level::Mapping(Some(key)), Level::Mapping(_)] if key == "toggles")
    }

    /// Returns the name of the toggle that contains the next event.
    fn toggle(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Level::Mapping(Some(key)), Level::Mapping(name), ..] if key == "toggles" => name.as_deref(),
            _ => None,
        }
    }

    /// Returns the path of the current value.
    fn path(&self) -> Vec<String> {
        let step = |level: &Level| match level {
            Level::Mapping(key) => key.clone().unwrap_or_default(),
            Level::Sequence(index) => index.to_string(),
        };
        self.0.iter().map(step).collect()
    }

    /// Returns the reason why the current value cannot be a text.
    fn describe_text(&self) -> Option<String> {
        let keys = self.0.iter().map(|level| match level {
            Level::Mapping(key) => key.as_deref().unwrap_or_default(),
            Level::Sequence(_) => "",
        });
        let keys: Vec<_> = keys.filter(|key| !key.is_empty()).collect();
        let key = match keys.as_slice() {
            // The names of toggles and of parameters are free.
            ["toggles", _] | [_, _, _, "parameters", ..] => return None,
            keys => keys.last()?,
        };
        let kind = if BOOLEANS.contains(key) {
            "a boolean; write true or false"
        } else if NUMBERS.contains(key) {
            "a number; write it"
        } else {
            return None;
        };
        Some(format!("{key} is {kind} without quotes"))
    }
}

/// Returns the reason why a plain scalar has several meanings.
fn describe_ambiguity(scalar: &str) -> Option<String> {
    if OLD_BOOLEANS.contains(&scalar.to_ascii_lowercase().as_str()) {
        return Some(format!(
            "{scalar} is a boolean in YAML 1.1 and a text in YAML 1.2; write true or false, or a text in quotes"
        ));
    }
    is_ambiguous_number(scalar).then(|| {
        format!(
            "{scalar} is a number with several notations; write it in decimal digits, or as a text in quotes"
        )
    })
}

/// Returns true for numbers that are not plain decimals: `010`, `0o10`, `0x10`, `0b1`, `1_000`, `+5`, and sexagesimal `1:30`.
fn is_ambiguous_number(scalar: &str) -> bool {
    let digits = scalar.strip_prefix(['-', '+']).unwrap_or(scalar);
    if !digits.starts_with(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let lower = digits.to_ascii_lowercase();
    let has_radix = [("0x", 16), ("0o", 8), ("0b", 2)]
        .iter()
        .any(|(prefix, radix)| lower.strip_prefix(prefix).is_some_and(|rest| is_number(rest, *radix)));
    let is_integer = is_number(digits, 10);
    let is_padded = is_integer && digits.len() > 1 && (digits.starts_with('0') || digits.contains('_'));
    let is_signed = is_integer && scalar.starts_with('+');
    has_radix || is_padded || is_signed || is_sexagesimal(digits)
}

fn is_number(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_digit(radix) || letter == '_')
}

/// Returns true for the numbers with base 60 of YAML 1.1: `1:30` and `0:30.5`, but not `0:30` and `1:60`.
fn is_sexagesimal(digits: &str) -> bool {
    let (integer, fraction) =
        digits.split_once('.').map_or((digits, None), |(one, other)| (one, Some(other)));
    let Some((first, rest)) = integer.split_once(':') else { return false };
    let is_part = |part: &str| match part.as_bytes() {
        [digit] | [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    let is_float_or_integer = match fraction {
        Some(fraction) => fraction.is_empty() || is_number(fraction, 10),
        None => !first.starts_with('0'),
    };
    is_number(first, 10) && rest.split(':').all(is_part) && is_float_or_integer
}
