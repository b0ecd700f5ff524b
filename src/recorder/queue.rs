//! The queue between the tasks that find changes and the thread that writes them.
//!
//! A full queue never blocks: a copy makes room whose scope has a later one in the queue. The later one then states that a
//! change was missed, and its interval begins where that of the missed one began.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::scope::{ScopeKey, ServedScope};
use super::writer::NewestEvent;

/// Copies in the queue above which superseded ones make room.
const MAX_COPIES: usize = 64;

/// A message to the thread.
#[derive(Debug)]
pub(super) enum Message {
    /// New definitions.
    Copy(QueuedCopy),
    /// The token of a scope is refused since this time.
    Refused(Arc<ServedScope>, Instant),
    /// Requests a message when all earlier ones have been handled.
    Flush(oneshot::Sender<()>),
}

/// New definitions of a scope.
#[derive(Debug)]
pub(super) struct QueuedCopy {
    pub(super) scope: Arc<ServedScope>,
    pub(super) body: Bytes,
    /// Last time at which the definitions before were confirmed, by the clock of this machine. Milliseconds since 1970.
    pub(super) after: Option<i64>,
    pub(super) event: Option<NewestEvent>,
    /// Time from which SDKs get the definitions.
    pub(super) time: Instant,
    /// Number of changes of the scope before this one that are not recorded.
    pub(super) missed: u64,
}

/// The queue.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    messages: VecDeque<Message>,
    is_closed: bool,
}

impl Queue {
    /// Adds a message. Returns the number of copies that made room. Never waits for the thread, which holds the lock only to
    /// take messages.
    pub(super) fn push(&self, message: Message) -> u64 {
        let mut state = self.state.lock();
        if state.is_closed {
            return 0;
        }
        state.messages.push_back(message);
        let mut missed = 0;
        while state.messages.len() > MAX_COPIES && supersede(&mut state.messages) {
            missed += 1;
        }
        drop(state);
        self.changed.notify_one();
        missed
    }

    /// Puts messages back that could not be handled, except those of a scope that has a later one. Returns the number of copies that
    /// made room.
    pub(super) fn put_back(&self, messages: Vec<Message>) -> u64 {
        let mut state = self.state.lock();
        let mut missed = 0;
        for message in messages.into_iter().rev() {
            state.messages.push_front(message);
            missed += u64::from(supersede_at(&mut state.messages, 0));
        }
        missed
    }

    /// Waits for messages, and then until no more follow for a time or a read waits for them. Returns none after the limit, or if
    /// the queue is closed and empty. Also returns the result of `mark`, which runs before the messages are taken, while none can
    /// be added.
    pub(super) fn wait<T>(
        &self,
        limit: Duration,
        window: Duration,
        mark: impl Fn() -> T,
    ) -> (Vec<Message>, T) {
        let mut state = self.state.lock();
        let mut deadline = Instant::now() + limit;
        let mut is_collecting = false;
        loop {
            if !is_collecting && !state.messages.is_empty() {
                (deadline, is_collecting) = (deadline.min(Instant::now() + window), true);
            }
            let is_urgent = state.messages.iter().any(|message| matches!(message, Message::Flush(_)));
            let rest = deadline.saturating_duration_since(Instant::now());
            if state.is_closed || is_urgent || rest.is_zero() {
                let marked = mark();
                return (std::mem::take(&mut state.messages).into(), marked);
            }
            self.changed.wait_for(&mut state, rest);
        }
    }

    /// Waits for this time, or until the queue is closed.
    pub(super) fn pause(&self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut state = self.state.lock();
        while !state.is_closed {
            // Flushes do not wait for a recorder that cannot write.
            state.messages.retain(|message| !matches!(message, Message::Flush(_)));
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return;
            }
            self.changed.wait_for(&mut state, rest);
        }
    }

    /// Lets the thread end after the messages in the queue.
    pub(super) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns true if no messages follow.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }
}

impl Message {
    /// Returns the scope whose later messages supersede this one.
    pub(super) fn scope(&self) -> Option<&ScopeKey> {
        match self {
            Self::Copy(copy) => Some(&copy.scope.key),
            Self::Refused(scope, _) => Some(&scope.key),
            Self::Flush(_) => None,
        }
    }

    /// Returns the message as if it was sent now.
    pub(super) fn with_present_time(self) -> Self {
        let time = Instant::now();
        match self {
            Self::Copy(copy) => Self::Copy(QueuedCopy { time, ..copy }),
            Self::Refused(scope, _) => Self::Refused(scope, time),
            Self::Flush(done) => Self::Flush(done),
        }
    }
}

/// Removes the oldest message of a scope that has a later one. Returns false if there is none.
fn supersede(messages: &mut VecDeque<Message>) -> bool {
    (0..messages.len()).any(|index| supersede_at(messages, index))
}

/// Removes a message if there is a later one of its scope.
fn supersede_at(messages: &mut VecDeque<Message>, index: usize) -> bool {
    let Some(scope) = messages.get(index).and_then(Message::scope).cloned() else { return false };
    let is_same = |later: &usize| messages.get(*later).and_then(Message::scope) == Some(&scope);
    let Some(later) = (index + 1..messages.len()).find(is_same) else { return false };
    let (after, missed) = match messages.get(index) {
        Some(Message::Copy(copy)) => (copy.after, copy.missed + 1),
        _ => (None, 1),
    };
    if let Some(Message::Copy(later)) = messages.get_mut(later) {
        later.missed += missed;
        later.after = after;
    }
    messages.remove(index);
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use bytes::Bytes;

    use super::{MAX_COPIES, Message, Queue, QueuedCopy};
    use crate::recorder::scope::{ScopeKey, ServedScope};

    fn copy(scope: u8, after: i64) -> Message {
        let scope = ServedScope {
            key: ScopeKey::Credential([scope; 32]),
            name: scope.to_string(),
            environment: None,
            query: String::new(),
            lists_segments: true,
        };
        Message::Copy(QueuedCopy {
            scope: Arc::new(scope),
            body: Bytes::new(),
            after: Some(after),
            event: None,
            time: Instant::now(),
            missed: 0,
        })
    }

    fn drain(queue: &Queue) -> Vec<(String, Option<i64>, u64)> {
        let describe = |message| match message {
            Message::Copy(copy) => (copy.scope.name.clone(), copy.after, copy.missed),
            other => panic!("{other:?}"),
        };
        let (messages, ()) = queue.wait(Duration::ZERO, Duration::ZERO, || ());
        messages.into_iter().map(describe).collect()
    }

    #[test]
    fn full_queue_keeps_the_newest_copy_of_each_scope_and_states_what_is_missing() {
        let queue = Queue::default();
        let mut missed = queue.push(copy(1, 1));
        for after in 2..=200 {
            missed += queue.push(copy(2, after));
        }
        let copies = drain(&queue);
        assert_eq!((copies.len(), missed), (MAX_COPIES, 200 - u64::try_from(MAX_COPIES).unwrap()));
        assert_eq!(copies[0], ("1".to_owned(), Some(1), 0));
        assert_eq!(copies[1], ("2".to_owned(), Some(2), missed), "the interval of the first missed one");
        assert_eq!(copies.last().unwrap(), &("2".to_owned(), Some(200), 0));
    }

    #[test]
    fn more_scopes_than_places_are_all_kept() {
        let queue = Queue::default();
        let missed: u64 = (0..=200).map(|scope| queue.push(copy(scope, 1))).sum();
        assert_eq!((drain(&queue).len(), missed), (201, 0));
    }

    #[test]
    fn messages_that_could_not_be_handled_come_first_unless_there_are_later_ones() {
        let queue = Queue::default();
        queue.push(copy(2, 3));
        assert_eq!(queue.put_back(vec![copy(1, 1), copy(2, 2)]), 1);
        let copies = drain(&queue);
        assert_eq!(copies, [("1".to_owned(), Some(1), 0), ("2".to_owned(), Some(2), 1)]);
    }

    #[test]
    fn closed_queue_is_drained_and_takes_no_more() {
        let queue = Queue::default();
        queue.push(copy(1, 1));
        queue.close();
        queue.push(copy(1, 2));
        assert_eq!(drain(&queue).len(), 1);
        let minute = Duration::from_mins(1);
        assert!(queue.wait(minute, minute, || ()).0.is_empty());
    }
}
