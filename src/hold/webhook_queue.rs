//! The messages that wait for the webhook. Pure: callers pass the time, as the duration since any moment.
//!
//! Messages about one toggle keep their order: a later one waits until the receiver has accepted the earlier one, or it was
//! given up. Messages about other toggles do not wait for it.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// Maximum number of waiting messages: about the starts and ends of the maximum number of holds.
const MAX_MESSAGES: usize = 1_000;

/// A message for the receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// Identifies the message, also when it is sent again.
    pub(super) number: u64,
    pub(super) toggle: String,
    /// The body in JSON.
    pub(super) body: String,
    /// Time of the event.
    pub(super) created: Duration,
    /// Number of attempts that have failed.
    pub(super) attempts: u32,
    /// Time of the next attempt.
    due: Duration,
}

/// The waiting messages, the oldest first.
#[derive(Debug, Default)]
pub(super) struct WebhookQueue {
    messages: VecDeque<Message>,
    /// Number of messages that were ever added.
    count: u64,
    /// Time until which the receiver wants no message.
    paused_until: Duration,
}

impl WebhookQueue {
    /// Adds a message. Returns the oldest one if it was dropped, because too many wait.
    #[must_use]
    pub(super) fn push(&mut self, toggle: String, body: String, now: Duration) -> Option<Message> {
        self.count += 1;
        let message = Message { number: self.count, toggle, body, created: now, attempts: 0, due: now };
        self.messages.push_back(message);
        if self.messages.len() > MAX_MESSAGES { self.messages.pop_front() } else { None }
    }

    /// Takes the oldest message that is due and is the first one of its toggle.
    pub(super) fn take_due(&mut self, now: Duration) -> Option<Message> {
        let index = self.heads().find(|(_, message)| self.due(message) <= now)?.0;
        self.messages.remove(index)
    }

    /// Takes the oldest message, also if it is not due.
    pub(super) fn take_first(&mut self) -> Option<Message> {
        self.messages.pop_front()
    }

    /// Returns a message after a failure, for another attempt after a wait. Returns the message if it was dropped, because too
    /// many have arrived since.
    #[must_use]
    pub(super) fn retry(&mut self, message: Message, now: Duration, wait: Duration) -> Option<Message> {
        if self.messages.len() >= MAX_MESSAGES {
            return Some(message);
        }
        let attempts = message.attempts.saturating_add(1);
        // It was the first one of its toggle.
        self.messages.push_front(Message { attempts, due: now + wait, ..message });
        None
    }

    /// Sends no message for some time, because the receiver has requested that.
    pub(super) fn pause(&mut self, now: Duration, wait: Duration) {
        self.paused_until = now + wait;
    }

    /// Returns the time until a message is due; `None` if none waits.
    pub(super) fn next_due(&self, now: Duration) -> Option<Duration> {
        self.heads().map(|(_, message)| self.due(message).saturating_sub(now)).min()
    }

    fn due(&self, message: &Message) -> Duration {
        message.due.max(self.paused_until)
    }

    /// Returns the first message of each toggle with its index.
    fn heads(&self) -> impl Iterator<Item = (usize, &Message)> {
        let mut toggles = BTreeSet::new();
        self.messages.iter().enumerate().filter(move |(_, message)| toggles.insert(message.toggle.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_MESSAGES, WebhookQueue};

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Adds messages about toggles, whose bodies are numbered from 1.
    fn queue(toggles: &[&str]) -> WebhookQueue {
        let mut queue = WebhookQueue::default();
        for toggle in toggles {
            assert_eq!(queue.push((*toggle).to_owned(), String::new(), seconds(0)), None);
        }
        queue
    }

    fn take(queue: &mut WebhookQueue, now: u64) -> Option<u64> {
        queue.take_due(seconds(now)).map(|message| message.number)
    }

    #[test]
    fn messages_of_a_toggle_keep_their_order_and_do_not_delay_others() {
        let mut queue = queue(&["a", "a", "b"]);
        let start = queue.take_due(seconds(0)).unwrap();
        assert_eq!((start.number, start.attempts), (1, 0));
        assert_eq!(queue.retry(start, seconds(1), seconds(4)), None);
        assert_eq!(take(&mut queue, 1), Some(3), "another toggle");
        assert_eq!((take(&mut queue, 4), queue.next_due(seconds(4))), (None, Some(seconds(1))));
        let start = queue.take_due(seconds(5)).unwrap();
        assert_eq!((start.number, start.attempts, start.created), (1, 1, seconds(0)));
        assert_eq!(take(&mut queue, 5), Some(2), "the start was accepted or given up");
        assert_eq!((take(&mut queue, 5), queue.next_due(seconds(5))), (None, None));
    }

    #[test]
    fn pause_of_the_receiver_delays_all_messages() {
        let mut queue = queue(&["a", "b"]);
        let start = queue.take_due(seconds(0)).unwrap();
        assert_eq!(queue.retry(start, seconds(0), seconds(1)), None);
        queue.pause(seconds(0), seconds(30));
        assert_eq!((take(&mut queue, 29), queue.next_due(seconds(10))), (None, Some(seconds(20))));
        assert_eq!((take(&mut queue, 30), take(&mut queue, 30)), (Some(1), Some(2)));
    }

    #[test]
    fn full_queue_drops_the_oldest_message() {
        let mut queue = queue(&["a"]);
        let oldest = queue.take_due(seconds(0)).unwrap();
        for _ in 0..MAX_MESSAGES {
            assert_eq!(queue.push("b".to_owned(), String::new(), seconds(0)), None);
        }
        assert_eq!(queue.retry(oldest, seconds(0), seconds(1)).map(|message| message.number), Some(1));
        let dropped = queue.push("b".to_owned(), String::new(), seconds(0));
        assert_eq!(dropped.map(|message| message.number), Some(2));
        assert_eq!(queue.take_first().map(|message| message.number), Some(3));
    }
}
