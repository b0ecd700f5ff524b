//! Segments of files, which have names, because the ids of segments differ between servers.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::evaluation::SegmentDefinition;

/// The names of the segments of a server or of an export, by their ids.
#[derive(Debug, Default)]
pub struct SegmentNames<'s>(BTreeMap<&'s str, &'s str>);

/// A segment that files cannot name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// No segment has this id.
    #[error("the segment {0} has no known name, and files name segments; remove it from the strategy")]
    Unknown(u32),
    /// Several segments have the name.
    #[error("several segments have the name {0}, and files name segments; rename one of them")]
    Ambiguous(String),
}

impl<'s> SegmentNames<'s> {
    /// Collects the names of segments.
    pub fn new(segments: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        Self(segments.into_iter().collect())
    }

    /// Collects the names of the segments of a server.
    #[must_use]
    pub fn of_segments(segments: &'s [SegmentDefinition]) -> Self {
        Self::new(segments.iter().filter_map(|one| Some((one.id.as_deref()?, one.name.as_deref()?))))
    }

    /// Returns the name of a segment.
    ///
    /// # Errors
    /// If there is none, or if another segment has the same.
    pub fn name_of(&self, id: u32) -> Result<String, SegmentError> {
        let Some(name) = self.0.get(id.to_string().as_str()) else { return Err(SegmentError::Unknown(id)) };
        if self.0.values().filter(|other| *other == name).count() > 1 {
            return Err(SegmentError::Ambiguous((*name).to_owned()));
        }
        Ok((*name).to_owned())
    }
}

/// Replaces the names of segments in the strategies of a file by their ids. A name that identifies no segment stays, and is a problem of
/// the plan.
pub(super) fn resolve_segments(strategies: &mut Value, segments: &[SegmentDefinition]) {
    for strategy in strategies.as_array_mut().into_iter().flatten() {
        let Some(names) = strategy.get_mut("segments").and_then(Value::as_array_mut) else { continue };
        for name in names {
            let mut found = segments.iter().filter(|segment| segment.name.as_deref() == name.as_str());
            if let (Some(segment), None) = (found.next(), found.next())
                && let Some(id) = segment.id.as_ref().and_then(|id| id.parse::<u32>().ok())
            {
                *name = id.into();
            }
        }
    }
}

/// Replaces the ids of segments in the strategies of a toggle by their names, for people.
pub(super) fn name_segments(mut toggle: Value, segments: &[SegmentDefinition]) -> Value {
    let strategies = toggle.get_mut("strategies").and_then(Value::as_array_mut);
    for strategy in strategies.into_iter().flatten() {
        for id in strategy.get_mut("segments").and_then(Value::as_array_mut).into_iter().flatten() {
            let segment = segments.iter().find(|segment| segment.id.as_ref() == Some(&id.to_string()));
            if let Some(name) = segment.and_then(|segment| segment.name.as_deref()) {
                *id = name.into();
            }
        }
    }
    toggle
}
