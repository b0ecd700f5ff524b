//! Refuses forms of YAML that its versions and parsers read differently, with their place.

use granit_parser::{Event, Parser, ScalarStyle, Span};

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

/// Checks the notation of a file. Errors of the syntax are left to the deserializer, which describes them.
///
/// # Errors
/// [`DocumentFault`] for the first ambiguous form.
pub(super) fn check(text: &str) -> Result<(), DocumentFault> {
    let options = granit_parser::options! { emit_anchor_events: true, emit_unresolved_aliases: true };
    for event in Parser::new_from_str_with_options(text, options) {
        let Ok((event, span)) = event else { break };
        let reason = match event {
            Event::Alias(_) | Event::Anchor(..) | Event::UnresolvedAlias(_) => {
                Some("anchors and aliases are not allowed; write the value at each place".to_owned())
            }
            Event::Scalar(.., Some(tag))
            | Event::SequenceStart(.., Some(tag))
            | Event::MappingStart(.., Some(tag)) => {
                Some(format!("the tag {tag} is not allowed; remove it, and write texts in quotes"))
            }
            Event::Scalar(value, ScalarStyle::Plain, ..) => describe_ambiguity(&value),
            _ => None,
        };
        if let Some(reason) = reason {
            return Err(fault(&span, reason));
        }
    }
    Ok(())
}

fn fault(span: &Span, reason: String) -> DocumentFault {
    let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    DocumentFault { line: number(span.start.line()), column: number(span.start.col()) + 1, reason }
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
    let is_in = |text: &str, known: fn(char) -> bool| !text.is_empty() && text.chars().all(known);
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '_';
    if !digits.starts_with(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let lower = digits.to_ascii_lowercase();
    let has_radix = ["0x", "0o", "0b"].iter().any(|radix| {
        lower
            .strip_prefix(radix)
            .is_some_and(|rest| is_in(rest, |letter| letter.is_ascii_hexdigit() || letter == '_'))
    });
    let is_integer = is_in(digits, is_digit);
    let is_padded = is_integer && digits.len() > 1 && (digits.starts_with('0') || digits.contains('_'));
    let is_signed = is_integer && scalar.starts_with('+');
    let parts = digits.split(':');
    let is_sexagesimal = digits.contains(':') && parts.clone().all(|part| is_in(part, is_digit));
    has_radix || is_padded || is_signed || is_sexagesimal
}
