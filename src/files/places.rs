//! Places of problems: in words, and in files.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::json::text_of;
use super::notation::find_places;
use crate::api::{FileProblem, NamedText};

/// A problem of a toggle, with the path of the value in its file.
#[derive(Debug, Clone)]
pub(super) struct Located {
    /// Keys and, in lists, indices.
    path: Vec<String>,
    message: String,
}

impl Located {
    /// Creates a problem of a value. `path` begins below the toggle.
    pub(super) fn new(toggle: &str, path: &[Value], message: String) -> Self {
        let start = ["toggles".to_owned(), toggle.to_owned()];
        let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
        Self { path: start.into_iter().chain(path.iter().map(step)).collect(), message }
    }
}

/// A list whose items are part of a place.
struct NamedList {
    key: &'static str,
    /// Name of an item.
    noun: &'static str,
    /// Property that identifies an item to people, with the texts around it.
    identity: Option<(&'static str, &'static str, &'static str)>,
}

const LISTS: [NamedList; 6] = [
    NamedList { key: "strategies", noun: "strategy", identity: Some((" (", "name", ")")) },
    NamedList { key: "constraints", noun: "constraint", identity: Some((" on ", "contextName", "")) },
    NamedList { key: "variants", noun: "variant", identity: Some((" (", "name", ")")) },
    NamedList { key: "overrides", noun: "override", identity: Some((" for ", "contextName", "")) },
    NamedList { key: "dependencies", noun: "parent", identity: Some((" (", "feature", ")")) },
    NamedList { key: "values", noun: "value", identity: None },
];

/// Describes the place of a value: `toggle shop.pay, strategy 1 (flexibleRollout), constraint 1 on userId`. `path` begins below the toggle.
/// Returns also the rest of the path, below the last item.
pub(super) fn describe_place<'p>(toggle: &str, state: &Value, path: &'p [Value]) -> (String, &'p [Value]) {
    let mut place = format!("toggle {toggle}");
    let (mut value, mut rest) = (state, path);
    while let [Value::String(key), Value::Number(index), inner @ ..] = rest
        && let Some(NamedList { noun, identity, .. }) = LISTS.iter().find(|list| list.key == key)
        && let Some(index) = index.as_u64().and_then(|index| usize::try_from(index).ok())
    {
        value = value.get(key).and_then(|list| list.get(index)).unwrap_or(&Value::Null);
        // Writing to a string cannot fail.
        let _infallible = write!(place, ", {noun} {}", index + 1);
        if let Some((before, property, after)) = identity {
            let name = text_of(value, property);
            if !name.is_empty() {
                let _infallible = write!(place, "{before}{name}{after}");
            }
        }
        rest = inner;
    }
    (place, rest)
}

/// Returns the steps of a path from a JSON list.
pub(super) fn steps_of(path: Value) -> Vec<Value> {
    if let Value::Array(steps) = path { steps } else { Vec::new() }
}

/// Finds the places of problems: of the value, else of the nearest value that contains it, else of the name of the toggle. Problems of
/// exports have none, because exports contain the toggles at other places. The result is in the order of the files.
pub(super) fn locate(problems: &[Located], texts: &[NamedText]) -> Vec<FileProblem> {
    let wanted: BTreeSet<&[String]> = problems.iter().flat_map(|problem| prefixes(&problem.path)).collect();
    let files: Vec<_> = texts.iter().map(|file| (&file.name, find_places(&file.text, &wanted))).collect();
    let first = texts.first().map_or("files", |file| file.name.as_str());
    let locate = |Located { path, message }: &Located| {
        let found = prefixes(path).find_map(|path| {
            let mut files = files.iter().enumerate();
            files.find_map(|(index, (name, places))| Some((index, name.as_str(), *places.get(path)?)))
        });
        let order = found.map(|(index, _, place)| (index, place));
        let problem = FileProblem {
            file: found.map_or(first, |(_, name, _)| name).to_owned(),
            line: found.map(|(_, _, (line, _))| line),
            column: found.map(|(_, _, (_, column))| column),
            message: message.clone(),
        };
        (order, problem)
    };
    let mut located: Vec<_> = problems.iter().map(locate).collect();
    located.sort_by_key(|(order, _)| *order);
    located.into_iter().map(|(_, problem)| problem).collect()
}

/// Returns a path and the paths of the values that contain it, up to the toggle.
fn prefixes(path: &[String]) -> impl Iterator<Item = &[String]> {
    (2..=path.len()).rev().filter_map(|length| path.get(..length))
}
