//! The names of all toggles, to distinguish reported names that exist from names that clients invented.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::flags::events::rows::EventIdentity;

/// The maximum age of the names. A toggle that another process creates may be unknown for this time.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The version of the database from which the names were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamesVersion {
    /// The newest change; `None` if the names were not read. Each change of a name writes an event.
    pub event: Option<EventIdentity>,
    /// The number of commits of this process before the names were read.
    pub commits: u64,
}

/// The names of all toggles, including archived ones. Clones share them.
#[derive(Debug, Clone)]
pub struct ToggleNames {
    names: Arc<HashSet<String>>,
    version: NamesVersion,
    read_at: Instant,
}

impl ToggleNames {
    /// Creates the set from names that were just read.
    #[must_use]
    pub fn new(names: HashSet<String>, version: NamesVersion) -> Self {
        Self { names: Arc::new(names), version, read_at: Instant::now() }
    }

    /// Creates an empty set for a database whose toggles cannot be read.
    #[must_use]
    pub fn unread() -> Self {
        Self::new(HashSet::new(), NamesVersion { event: None, commits: 0 })
    }

    /// Returns whether a toggle has this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns whether the names are up to date: this process has not committed since the read, and they are recent.
    #[must_use]
    pub fn is_fresh(&self, commits: u64) -> bool {
        self.version.commits >= commits && self.read_at.elapsed() < MAX_AGE
    }

    /// Returns whether this was the newest change when the names were read.
    #[must_use]
    pub fn were_read_at(&self, event: &EventIdentity) -> bool {
        self.version.event.as_ref() == Some(event)
    }

    /// Marks the names as read just now, after `commits` commits.
    pub fn confirm(&mut self, commits: u64) {
        self.version.commits = self.version.commits.max(commits);
        self.read_at = Instant::now();
    }
}
