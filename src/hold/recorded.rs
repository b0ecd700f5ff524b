//! Reads the earlier states of a toggle from the flight recorder, for holds as of a time.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::recorder::Recorder;
use crate::recorder::reader::{ReadError, Reader, Selection};

#[derive(Deserialize)]
struct Name {
    name: String,
}

/// Returns the toggle at a time, by the identifier of each scope that contained it. Blocks the thread. Changes of the last
/// moments must have been written ([`Recorder::flush`]).
///
/// # Errors
/// If nothing can be read for any scope.
pub(super) fn find(
    recorder: &Recorder,
    toggle: &str,
    environment: Option<&str>,
    at: Timestamp,
) -> Result<BTreeMap<String, Box<RawValue>>, ReadError> {
    let reader = Reader::new(recorder.folder(), Some(recorder.recording()));
    let (mut found, mut failure) = (BTreeMap::new(), None);
    for scope in reader.scopes(Timestamp::now())? {
        if environment.is_some() && scope.environment.as_deref() != environment {
            continue;
        }
        let selection = Selection { scope: Some(scope.id.clone()), environment: None };
        match reader.state_at(at, &selection) {
            Ok(state) => {
                let is_toggle = |item: &RawValue| {
                    serde_json::from_str::<Name>(item.get()).is_ok_and(|item| item.name == toggle)
                };
                found.extend(
                    state.features.into_iter().find(|item| is_toggle(item)).map(|item| (scope.id, item)),
                );
            }
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(failure) if found.is_empty() => Err(failure),
        _ => Ok(found),
    }
}
