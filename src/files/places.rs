//! Places of problems in files.

use std::collections::BTreeSet;

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
    pub(super) fn new(toggle: &str, path: &[String], message: String) -> Self {
        let start = ["toggles".to_owned(), toggle.to_owned()];
        Self { path: start.into_iter().chain(path.iter().cloned()).collect(), message }
    }
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
