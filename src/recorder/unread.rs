//! Changes that the recorder has not received yet: of the embedded flag service, which reads its toggles again after a change. SDKs can
//! get them before the recorder does, which takes longer for more toggles.

use std::time::Instant;

use tokio::sync::watch;

/// The changes that no read has given to the recorder. Without observed changes, there are none.
#[derive(Debug)]
pub(super) struct UnreadChanges {
    changes: Option<watch::Receiver<()>>,
    /// The begin of a read that has not ended.
    reading_since: Option<Instant>,
    /// The time until which the recorder has received all changes.
    complete_until: Instant,
}

impl Default for UnreadChanges {
    fn default() -> Self {
        Self { changes: None, reading_since: None, complete_until: Instant::now() }
    }
}

impl UnreadChanges {
    pub(super) fn observe(&mut self, mut changes: watch::Receiver<()>) {
        changes.mark_changed();
        self.changes = Some(changes);
    }

    /// Begins a read, which includes all changes so far. It replaces one that has failed.
    pub(super) fn begin_read(&mut self) {
        self.reading_since = Some(Instant::now());
        if let Some(changes) = &mut self.changes {
            changes.mark_unchanged();
        }
    }

    /// Ends a read, after its result was added to the queue.
    pub(super) fn end_read(&mut self) {
        if let Some(begin) = self.reading_since.take() {
            self.complete_until = begin;
        }
    }

    /// Returns the time until which the recorder has received all changes. It never goes back.
    pub(super) fn complete_until(&mut self) -> Instant {
        let now = Instant::now();
        // An error means that no further change follows.
        let has_changed = self.changes.as_ref().is_some_and(|changes| changes.has_changed().unwrap_or(false));
        if self.reading_since.is_none() && !has_changed {
            self.complete_until = now;
        }
        self.complete_until
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::watch;

    use super::UnreadChanges;

    #[test]
    fn records_are_complete_until_the_begin_of_the_last_read_without_a_later_change() {
        let changes = watch::Sender::new(());
        let mut unread = UnreadChanges::default();
        unread.observe(changes.subscribe());
        let start = unread.complete_until();
        assert_eq!(unread.complete_until(), start, "no read has ended yet");
        unread.begin_read();
        assert_eq!(unread.complete_until(), start);
        unread.end_read();
        let idle = unread.complete_until();
        assert!(idle > start);
        assert!(unread.complete_until() > idle, "nothing has changed");

        changes.send_replace(());
        let first = unread.complete_until();
        assert_eq!(unread.complete_until(), first);
        unread.begin_read();
        // After the read has begun: it may not contain this change.
        changes.send_replace(());
        assert_eq!(unread.complete_until(), first);
        unread.end_read();
        let second = unread.complete_until();
        assert!(second > first, "the read contains the first change");
        assert_eq!(unread.complete_until(), second, "the second change is not read yet");
        // The first of these reads fails.
        unread.begin_read();
        assert_eq!(unread.complete_until(), second);
        unread.begin_read();
        unread.end_read();
        assert!(unread.complete_until() > second);
    }
}
