//! Reads the earlier states of a toggle from the flight recorder, for holds as of a time.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::recorder::Recorder;
use crate::recorder::reader::{ReadError, Reader};

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
    Reader::new(recorder.folder(), Some(recorder.recording())).toggle_at(at, toggle, environment)
}
