//! The queue between the tasks that find changes and the thread that writes them.
//!
//! A full queue never blocks: a copy makes room whose scope has a later one in the queue. The later one then states that a
//! change was missed, and its interval begins where that of the missed one began.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::format::Scope;
use super::store::NewDefinitions;

/// Copies in the queue above which superseded ones make room.
const MAX_COPIES: usize = 64;

/// A message to the thread.
#[derive(Debug)]
pub(super) enum Message {
    /// New definitions.
    Copy(NewDefinitions),
    /// The token of a scope is refused since this time.
    Refused(Arc<Scope>, u64),
    /// Requests a message when all earlier ones have been handled.
    Flush(oneshot::Sender<()>),
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

/// The result of waiting.
#[derive(Debug)]
pub(super) enum Received {
    /// The oldest message.
    Message(Message),
    /// The time is over.
    Timeout,
    /// The queue is closed and empty.
    Closed,
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

    /// Puts a message back that could not be handled, unless a later one of its scope is in the queue. Returns the number of
    /// copies that made room.
    pub(super) fn put_back(&self, message: Message) -> u64 {
        let mut state = self.state.lock();
        state.messages.push_front(message);
        u64::from(supersede_first(&mut state.messages))
    }

    /// Waits for the oldest message.
    pub(super) fn wait(&self, limit: Duration) -> Received {
        let deadline = Instant::now() + limit;
        let mut state = self.state.lock();
        loop {
            if let Some(message) = state.messages.pop_front() {
                return Received::Message(message);
            }
            if state.is_closed {
                return Received::Closed;
            }
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Received::Timeout;
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

fn scope_of(message: &Message) -> Option<&str> {
    match message {
        Message::Copy(copy) => Some(&copy.scope.id),
        Message::Refused(scope, _) => Some(&scope.id),
        Message::Flush(_) => None,
    }
}

/// Removes the oldest message of a scope that has a later one. Returns false if there is none.
fn supersede(messages: &mut VecDeque<Message>) -> bool {
    (0..messages.len()).any(|index| supersede_at(messages, index))
}

fn supersede_first(messages: &mut VecDeque<Message>) -> bool {
    supersede_at(messages, 0)
}

/// Removes a message if there is a later one of its scope.
fn supersede_at(messages: &mut VecDeque<Message>, index: usize) -> bool {
    let Some(scope) = messages.get(index).and_then(scope_of).map(str::to_owned) else { return false };
    let is_same = |later: &usize| messages.get(*later).and_then(scope_of) == Some(&scope);
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
    use std::time::Duration;

    use bytes::Bytes;

    use super::{MAX_COPIES, Message, Queue, Received};
    use crate::recorder::format::Scope;
    use crate::recorder::store::NewDefinitions;

    fn copy(scope: &str, by: u64) -> Message {
        let scope = Scope {
            id: scope.to_owned(),
            name: scope.to_owned(),
            environment: None,
            query: String::new(),
            lists_segments: true,
        };
        Message::Copy(NewDefinitions {
            scope: Arc::new(scope),
            body: Bytes::new(),
            after: Some(by - 1),
            by,
            missed: 0,
        })
    }

    fn drain(queue: &Queue) -> Vec<(String, Option<u64>, u64, u64)> {
        let mut copies = Vec::new();
        while let Received::Message(Message::Copy(copy)) = queue.wait(Duration::ZERO) {
            copies.push((copy.scope.id.clone(), copy.after, copy.by, copy.missed));
        }
        copies
    }

    #[test]
    fn full_queue_keeps_the_newest_copy_of_each_scope_and_states_what_is_missing() {
        let queue = Queue::default();
        let mut missed = queue.push(copy("quiet", 1));
        for by in 2..=200 {
            missed += queue.push(copy("busy", by));
        }
        let copies = drain(&queue);
        assert_eq!((copies.len(), missed), (MAX_COPIES, 200 - u64::try_from(MAX_COPIES).unwrap()));
        assert_eq!(copies[0], ("quiet".to_owned(), Some(0), 1, 0));
        assert_eq!(
            copies[1],
            ("busy".to_owned(), Some(1), 138, missed),
            "the interval of the first missed one"
        );
        assert_eq!(copies.last().unwrap(), &("busy".to_owned(), Some(199), 200, 0));
    }

    #[test]
    fn more_scopes_than_places_are_all_kept() {
        let queue = Queue::default();
        let scopes = MAX_COPIES * 2;
        let missed: u64 = (0..scopes).map(|scope| queue.push(copy(&scope.to_string(), 1))).sum();
        assert_eq!((drain(&queue).len(), missed), (scopes, 0));
    }

    #[test]
    fn message_that_could_not_be_handled_comes_first_unless_there_is_a_later_one() {
        let queue = Queue::default();
        queue.push(copy("b", 2));
        assert_eq!(queue.put_back(copy("a", 1)), 0);
        assert_eq!(queue.put_back(copy("b", 1)), 1);
        let copies = drain(&queue);
        assert_eq!(copies, [("a".to_owned(), Some(0), 1, 0), ("b".to_owned(), Some(0), 2, 1)]);
    }

    #[test]
    fn closed_queue_is_drained_and_takes_no_more() {
        let queue = Queue::default();
        queue.push(copy("a", 1));
        queue.close();
        queue.push(copy("a", 2));
        assert_eq!(drain(&queue).len(), 1);
        assert!(matches!(queue.wait(Duration::from_mins(1)), Received::Closed));
    }
}
