//! The tags of toggles as properties that files own: servers store them separately, and the mark of files among them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::FileToggle;
use super::managed::{MANAGED_BY, split_tags};
pub use super::owned::TAGS;
use crate::api::Tag;

/// The tags of a toggle that a file or a plan owns.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnedTags {
    /// Its tags, except the mark of files.
    own: bool,
    /// The mark of the files that manage the toggle.
    mark: bool,
}

impl OwnedTags {
    /// Only the mark, of toggles that are archived because the files name them no more.
    pub const MARK: Self = Self { own: false, mark: true };

    /// Returns the tags that a file owns.
    #[must_use]
    pub fn of_file(file: &FileToggle) -> Self {
        Self { own: file.tags.is_some(), mark: file.managed_by.is_some() }
    }

    /// Returns the tags that the state of a plan owns.
    #[must_use]
    pub fn of_state(state: &Value) -> Self {
        Self { own: state.get(TAGS).is_some(), mark: state.get(MANAGED_BY).is_some() }
    }

    /// Returns true if the tags of the toggle must be read.
    #[must_use]
    pub fn is_any(self) -> bool {
        self.own || self.mark
    }

    /// Adds the owned ones of these tags to a toggle, and removes the others: only some servers send them with the toggle.
    #[must_use]
    pub fn set(self, mut toggle: Value, tags: BTreeSet<Tag>) -> Value {
        let (own, mark) = split_tags(tags);
        if let Some(properties) = toggle.as_object_mut() {
            properties.retain(|key, _| !is_tag_property(key));
            properties.extend(self.own.then(|| (TAGS.to_owned(), json!(own))));
            properties.extend(mark.filter(|_| self.mark).map(|name| (MANAGED_BY.to_owned(), name.into())));
        }
        toggle
    }
}

/// Returns true for properties of a state that servers store as tags.
#[must_use]
pub fn is_tag_property(key: &str) -> bool {
    [TAGS, MANAGED_BY].contains(&key)
}
