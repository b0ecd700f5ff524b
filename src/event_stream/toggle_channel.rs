//! A channel with the events of a list of toggles for server SDKs.

use std::sync::Arc;

use parking_lot::Mutex;

use super::channel::{Channel, Subscription};
use super::delta::{Edition, encode_change, encode_hydration};

/// The streams of clients that see the same toggles. It keeps a list only while streams are open.
#[derive(Debug, Default)]
pub struct ToggleChannel {
    channel: Arc<Channel>,
    last: Mutex<Option<Edition>>,
}

impl ToggleChannel {
    /// Returns the number of open streams.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.channel.streams()
    }

    /// Returns true if a stream is open, or was open at the last call of [`Self::publish`].
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.last.lock().is_some()
    }

    /// Sends the changes since the last edition to all streams. Without streams, it drops the last edition.
    pub(crate) fn publish(&self, edition: &Edition) -> Result<(), serde_json::Error> {
        let mut last = self.last.lock();
        if self.streams() == 0 {
            *last = None;
            self.channel.end();
            return Ok(());
        }
        self.replace(&mut last, edition)
    }

    /// Starts to receive changes of an edition, or of a newer one; `None` if it is not a list of toggles.
    #[must_use]
    pub fn subscribe(&self, edition: &Edition) -> Option<Subscription> {
        let mut last = self.last.lock();
        self.replace(&mut last, edition).ok()?;
        self.channel.subscribe()
    }

    /// Ends all streams.
    pub fn end(&self) {
        *self.last.lock() = None;
        self.channel.end();
    }

    fn replace(&self, last: &mut Option<Edition>, edition: &Edition) -> Result<(), serde_json::Error> {
        if last.as_ref().is_some_and(|last| edition.number <= last.number) {
            return Ok(());
        }
        let known = last.replace(edition.clone());
        if known.as_ref().is_some_and(|known| known.body == edition.body) {
            return Ok(());
        }
        let change = known.map_or(Ok(None), |known| encode_change(&known, edition));
        let encoded = change.and_then(|change| Ok((change, encode_hydration(edition)?)));
        match encoded {
            Ok((change, hydration)) => {
                self.channel.publish(change, hydration);
                Ok(())
            }
            Err(error) => {
                *last = None;
                self.channel.end();
                Err(error)
            }
        }
    }
}
