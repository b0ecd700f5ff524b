//! A channel: the events that several streams receive, and the event with which each of them begins.

use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::broadcast;

/// Number of events that a slow stream can be late. A stream that misses more begins again.
const EVENTS: usize = 16;

/// The events for several streams, encoded.
#[derive(Debug)]
pub struct Channel {
    /// The event that contains everything up to now; `None` if streams cannot begin.
    first: Mutex<Option<Bytes>>,
    events: broadcast::Sender<ChannelEvent>,
}

/// A message to the streams of a channel.
#[derive(Debug, Clone)]
pub(super) enum ChannelEvent {
    /// Send these bytes.
    Send(Bytes),
    /// End the stream.
    End,
}

/// The receiving end of a channel for one stream.
#[derive(Debug)]
pub struct Subscription {
    pub(super) channel: Arc<Channel>,
    /// The event with which the stream begins.
    pub(super) first: Bytes,
    pub(super) events: broadcast::Receiver<ChannelEvent>,
}

impl Default for Channel {
    fn default() -> Self {
        Self { first: Mutex::default(), events: broadcast::Sender::new(EVENTS) }
    }
}

impl Channel {
    /// Returns the number of open streams.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.events.receiver_count()
    }

    /// Sends an event to all open streams. `first` is the event for later ones, which contains it.
    pub fn publish(&self, event: Option<Bytes>, first: Bytes) {
        // One lock for both, so that a new stream neither misses an event nor receives it twice.
        let mut current = self.first.lock();
        *current = Some(first);
        if let Some(event) = event {
            drop(self.events.send(ChannelEvent::Send(event)));
        }
    }

    /// Ends all streams. New ones cannot begin before the next event.
    pub fn end(&self) {
        let mut current = self.first.lock();
        *current = None;
        drop(self.events.send(ChannelEvent::End));
    }

    /// Starts to receive events; `None` if streams cannot begin.
    #[must_use]
    pub fn subscribe(self: &Arc<Self>) -> Option<Subscription> {
        let current = self.first.lock();
        let first = current.clone()?;
        Some(Subscription { channel: Arc::clone(self), first, events: self.events.subscribe() })
    }
}

impl Subscription {
    /// Leaves out the first event, for a client that has it.
    #[must_use]
    pub fn without_first(self) -> Self {
        Self { first: Bytes::new(), ..self }
    }
}
