//! Changes that are being sent to an upstream whose users share one account there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use super::record::{Forwarded, format_time};

/// The changes whose lines are not in the file yet. Clones share the list.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForwardedChanges(Arc<Mutex<Vec<Timestamp>>>);

/// A change that is being sent. It is in the list until it is dropped.
#[derive(Debug)]
pub(crate) struct ForwardedChange {
    at: Timestamp,
    author: String,
    all: ForwardedChanges,
}

impl ForwardedChanges {
    /// Adds a change of an author that is sent now.
    pub(crate) fn start(&self, author: String) -> ForwardedChange {
        let at = Timestamp::now();
        self.lock().push(at);
        ForwardedChange { at, author, all: self.clone() }
    }

    /// Returns the time of the oldest change.
    pub(crate) fn earliest(&self) -> Option<Timestamp> {
        self.lock().iter().min().copied()
    }

    /// A poisoned lock is safe to use: each operation on the list is complete or not done.
    fn lock(&self) -> MutexGuard<'_, Vec<Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ForwardedChange {
    /// Returns the change as it is in its line.
    pub(crate) fn to_record(&self) -> Forwarded {
        Forwarded { at: format_time(self.at), author: self.author.clone() }
    }
}

impl Drop for ForwardedChange {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(position) = all.iter().position(|at| *at == self.at) {
            all.swap_remove(position);
        }
    }
}
