//! Words for the errors of the parser, without its own terms and options.

use serde_saphyr::Error;

const ONE_DOCUMENT: &str = "a file contains one document; write the others to files of their own";

/// Parts of messages about the syntax, and words for them.
const SYNTAX: [(&str, &str); 3] = [
    (
        "mapping values are not allowed",
        "a colon and a space follow the name of a property only; write a text with them in quotes",
    ),
    ("tabs disallowed", "tabs cannot indent; use spaces"),
    (
        "unknown escape character",
        "an unknown escape in quotes; write \\\\ for a backslash, or use single quotes",
    ),
];

/// Describes an error without its place.
pub(super) fn describe(error: &Error) -> String {
    match error.without_snippet() {
        Error::SerdeUnknownField { field, expected, .. } => describe_unknown(field, expected),
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("{variant:?} is none of the values {}", expected.join(", "))
        }
        Error::SerdeMissingField { field: "version", .. } => {
            "version: 1 is missing; add it before toggles".to_owned()
        }
        Error::SerdeMissingField { field, .. } => format!("the property {field} is missing; add it"),
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("this key");
            format!("duplicate key {key}; remove one of them")
        }
        Error::QuotingRequired { value, .. } => {
            format!("{value} must be a text; write it in quotes: \"{value}\"")
        }
        Error::NullIntoString { .. } => "this must be a text; write an empty one as \"\"".to_owned(),
        Error::InvalidBooleanStrict { .. } | Error::InvalidScalar { ty: "bool" | "boolean", .. } => {
            "a boolean must be true or false".to_owned()
        }
        Error::InvalidScalar { ty: "u32", .. } => {
            "a number must be a whole number from 0 to 4294967295".to_owned()
        }
        Error::Unexpected { expected, .. } => describe_form(expected),
        Error::SerdeInvalidType { expected, .. } | Error::SerdeInvalidValue { expected, .. } => {
            format!("this must be {expected}")
        }
        Error::MergeKeyNotAllowed { .. } | Error::MergeValueNotMapOrSeqOfMaps { .. } => {
            "merge keys (<<) are not allowed; write the properties at each place".to_owned()
        }
        Error::Eof { .. } => "the file is empty; it contains version: 1 and toggles".to_owned(),
        Error::MultipleDocuments { .. } => ONE_DOCUMENT.to_owned(),
        Error::Budget { breach, .. } => match format!("{breach:?}") {
            breach if breach.starts_with("Documents") => ONE_DOCUMENT.to_owned(),
            breach if breach.starts_with("Depth") => "lists and properties are nested too deeply".to_owned(),
            _ => "the file is too large; use several files".to_owned(),
        },
        error => {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            let known = SYNTAX.iter().find(|(part, _)| message.contains(part));
            known.map_or(message, |(_, words)| words).to_owned()
        }
    }
}

/// Describes a property that the format does not have at this place.
fn describe_unknown(name: &str, known: &[&str]) -> String {
    let similarity = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known.iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
    let question = nearest
        .filter(|nearest| similarity(nearest) > 0.8)
        .map(|nearest| format!("; did you mean {nearest}? The properties are "));
    let middle = question.unwrap_or_else(|| "; remove it. The properties are ".to_owned());
    format!("{name} is no property of the format here{middle}{}", known.join(", "))
}

/// Describes the form that a value must have.
fn describe_form(expected: &str) -> String {
    match expected {
        "string scalar" | "scalar" => "this must be a text".to_owned(),
        "mapping start" => "this must be properties, each as NAME: VALUE".to_owned(),
        "sequence start" => "this must be a list, in brackets or with - before each item".to_owned(),
        other => format!("this must be {other}"),
    }
}
