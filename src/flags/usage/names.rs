//! The names of all toggles, to tell reported names that exist from names that clients made up.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a toggle that another process creates on the same file may be treated as unknown.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The state of the database that a set of names belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamesVersion {
    /// The newest event: names never change without one.
    pub event: i64,
    /// The number of writes that this process had committed before the names were read.
    pub commits: u64,
}

/// The names of all toggles, in use or archived. Clones share them.
#[derive(Debug, Clone)]
pub struct ToggleNames {
    names: Arc<HashSet<String>>,
    version: NamesVersion,
    read_at: Instant,
}

impl ToggleNames {
    /// The names that were just read.
    #[must_use]
    pub fn new(names: HashSet<String>, version: NamesVersion) -> Self {
        Self { names: Arc::new(names), version, read_at: Instant::now() }
    }

    /// No names, for a database whose toggles cannot be read.
    #[must_use]
    pub fn unread() -> Self {
        Self::new(HashSet::new(), NamesVersion { event: -1, commits: 0 })
    }

    /// Returns true if there is a toggle with this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns true if the names need not be read again: this process committed nothing since, and they are recent.
    #[must_use]
    pub fn is_fresh(&self, commits: u64) -> bool {
        self.version.commits >= commits && self.read_at.elapsed() < MAX_AGE
    }

    /// The newest event when the names were read.
    #[must_use]
    pub fn event(&self) -> i64 {
        self.version.event
    }

    /// Keeps the names for a newer state of the database.
    pub fn confirm(&mut self, commits: u64) {
        self.version.commits = self.version.commits.max(commits);
        self.read_at = Instant::now();
    }
}
