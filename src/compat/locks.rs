//! Locks that make the changes of one toggle wait for each other, because a change reads the toggle before it writes.
//!
//! Changes run in the order of their arrival, and in tasks of their own: a change whose client disconnects still runs, also
//! if it waits for another one. The timeouts of the upstream limit each request of a change, so that a change ends also if
//! the server does not respond. A lock is removed when no change uses it or waits for it.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;

/// One lock for each toggle that is being changed.
#[derive(Debug, Default)]
pub(super) struct ToggleLocks(Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>);

impl ToggleLocks {
    /// Waits until no other change of this toggle runs. The change ends when the guard is dropped.
    pub(super) async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.0.lock();
            locks.retain(|_, lock| lock.strong_count() > 0);
            let known = locks.get(name).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let new = Arc::default();
                locks.insert(name.to_owned(), Arc::downgrade(&new));
                new
            })
        };
        lock.lock_owned().await
    }
}
