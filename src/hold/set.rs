//! The holds that have not ended. Pure: callers pass the time.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::clock::Now;

/// Maximum duration of a hold.
pub const MAX_DURATION: Duration = Duration::from_hours(24);
/// Maximum number of bytes of a name and of a reason.
const MAX_TEXT: usize = 1_000;
/// Time by which the start of a hold may be in the future: clocks of other machines differ.
const MAX_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// The selection of toggles of a token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopyScope {
    /// Environment of the token, if the token names it.
    pub environment: Option<String>,
    /// True if the client selects some of the token's toggles, so that the others are not known.
    pub is_filtered: bool,
}

/// A hold, as the file contains it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hold {
    /// Name of the toggle.
    pub toggle: String,
    /// Environment of the tokens whose SDKs get the toggle; all tokens if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// The reason.
    pub reason: String,
    /// The person or program that holds the toggle.
    #[serde(default = "file_author")]
    pub person: String,
    /// Start.
    pub start: Timestamp,
    /// End.
    pub expires: Timestamp,
}

/// The person of holds that another program writes into the file, if it names none, and of their ends.
pub(super) const FILE_AUTHOR: &str = "the file of holds";

fn file_author() -> String {
    FILE_AUTHOR.to_owned()
}

/// A hold that has not ended.
#[derive(Debug, Clone)]
pub struct ActiveHold {
    /// The hold.
    pub hold: Arc<Hold>,
    /// Time at which this process has started the hold, on the monotonic clock.
    pub since: Duration,
    /// End on the monotonic clock.
    deadline: Duration,
    /// False until the hold is in the file.
    pub is_stored: bool,
}

/// All holds that have not ended. The number identifies them: it grows with each change.
#[derive(Debug, Clone, Default)]
pub struct ActiveHolds {
    number: u64,
    holds: Arc<[ActiveHold]>,
    /// Holds that have ended, and that the file contains until it is written again.
    ended: Arc<[Arc<Hold>]>,
}

impl Hold {
    /// Checks the rules for a hold that is read or created now.
    ///
    /// # Errors
    /// The fault, as the end of a sentence about the hold.
    pub fn check(&self, now: Timestamp) -> Result<(), String> {
        let texts = [("toggle", &self.toggle), ("reason", &self.reason), ("person", &self.person)];
        let environment = self.environment.iter().map(|environment| ("environment", environment));
        for (name, text) in texts.into_iter().chain(environment) {
            if text.trim().is_empty() {
                return Err(format!("{name} must not be empty"));
            }
            if text.len() > MAX_TEXT {
                return Err(format!("{name} must have at most {MAX_TEXT} bytes"));
            }
        }
        if self.expires <= self.start {
            return Err("expires must be after start".to_owned());
        }
        if self.duration() > MAX_DURATION {
            return Err("expires must be at most 24 hours after start".to_owned());
        }
        if self.start > now + MAX_SKEW {
            return Err(format!("start must not be in the future; it is {} now", super::format_time(now)));
        }
        Ok(())
    }

    /// Returns true if SDKs with tokens of this scope get the held toggle.
    #[must_use]
    pub fn applies_to(&self, scope: &CopyScope) -> bool {
        self.environment.is_none() || self.environment == scope.environment
    }

    fn duration(&self) -> Duration {
        self.expires.duration_since(self.start).unsigned_abs()
    }

    /// Logs an event of the hold.
    pub(super) fn log(&self, event: &'static str) {
        let Self { toggle, environment, reason, person, expires, .. } = self;
        tracing::warn!(toggle, environment, reason, person, %expires, "{event}");
    }

    /// Returns true if both hold the same toggle for the same tokens, until any time.
    fn has_same_effect(&self, other: &Self) -> bool {
        (&self.toggle, &self.environment) == (&other.toggle, &other.environment)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.has_same_effect(other) && (self.start, self.expires) == (other.start, other.expires)
    }
}

impl ActiveHold {
    fn new(hold: Arc<Hold>, now: Now, is_stored: bool) -> Self {
        // A clock that was set back before the start must not lengthen the hold.
        let rest = hold.expires.duration_since(now.wall.max(hold.start));
        let rest = if rest.is_negative() { Duration::ZERO } else { rest.unsigned_abs() };
        Self { deadline: now.monotonic + rest, since: now.monotonic, hold, is_stored }
    }

    /// Returns the time until the end.
    #[must_use]
    pub fn rest(&self, now: Now) -> Duration {
        let wall = self.hold.expires.duration_since(now.wall);
        let wall = if wall.is_negative() { Duration::ZERO } else { wall.unsigned_abs() };
        wall.min(self.deadline.saturating_sub(now.monotonic))
    }
}

impl ActiveHolds {
    /// Returns the number, which is another one after each change.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.holds.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Returns the holds, the later ones last.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &ActiveHold> {
        self.holds.iter()
    }

    /// Returns true if this is one of the holds, and not only an equal one.
    pub(super) fn contains(&self, hold: &Arc<Hold>) -> bool {
        self.iter().any(|active| Arc::ptr_eq(&active.hold, hold))
    }

    pub(super) fn holds(&self) -> Vec<Arc<Hold>> {
        self.iter().map(|active| Arc::clone(&active.hold)).collect()
    }

    /// Returns true if a toggle is held for SDKs with tokens of this scope.
    pub(super) fn is_held(&self, toggle: &str, scope: &CopyScope) -> bool {
        self.iter().any(|active| active.hold.toggle == toggle && active.hold.applies_to(scope))
    }

    /// Returns true if a hold has reached its end.
    #[must_use]
    pub fn has_expired(&self, now: Now) -> bool {
        self.iter().any(|active| active.rest(now).is_zero())
    }

    /// Returns the time until the first end.
    pub(super) fn next_end(&self, now: Now) -> Option<Duration> {
        self.iter().map(|active| active.rest(now)).min()
    }

    /// Adds a hold. It replaces one with the same effect that ends before.
    pub(super) fn add(&mut self, hold: Arc<Hold>, now: Now) {
        let is_replaced =
            |other: &ActiveHold| other.hold.has_same_effect(&hold) && other.hold.expires <= hold.expires;
        self.take(is_replaced);
        let new = ActiveHold::new(hold, now, false);
        self.replace(self.iter().cloned().chain([new]).collect());
    }

    /// Replaces the holds of the file, and returns those that are not in it any more. Holds that are not in the file yet
    /// stay, known holds keep their end, and those that have ended do not start again. If the file
    /// is not valid, all known holds stay: the entry with the fault may be one of them.
    pub(super) fn replace_stored(&mut self, stored: Vec<Hold>, is_valid: bool, now: Now) -> Vec<ActiveHold> {
        let (mut removed, mut holds) = (Vec::new(), Vec::new());
        for active in self.iter() {
            match stored.iter().any(|stored| stored.is_same(&active.hold)) {
                true => holds.push(ActiveHold { is_stored: true, ..active.clone() }),
                false if !active.is_stored || !is_valid => holds.push(active.clone()),
                false => removed.push(active.clone()),
            }
        }
        let is_stored = |hold: &Arc<Hold>| stored.iter().any(|stored| stored.is_same(hold));
        self.ended = self.ended.iter().filter(|hold| !is_valid || is_stored(hold)).cloned().collect();
        for hold in stored {
            let mut known = holds.iter().map(|active| &active.hold).chain(self.ended.iter());
            let is_known = known.any(|known| known.is_same(&hold));
            let active = ActiveHold::new(Arc::new(hold), now, true);
            if !is_known && !active.rest(now).is_zero() {
                holds.push(active);
            }
        }
        self.replace(holds);
        removed
    }

    /// Removes the holds that have reached their end, and returns them.
    pub(super) fn expire(&mut self, now: Now) -> Vec<ActiveHold> {
        self.take(|active| active.rest(now).is_zero())
    }

    /// Removes holds, and returns them.
    pub(super) fn remove(&mut self, is_removed: impl Fn(&Hold) -> bool) -> Vec<ActiveHold> {
        self.take(|active| is_removed(&active.hold))
    }

    /// Records that the file contains these holds, and no others.
    pub(super) fn mark_stored(&mut self, stored: &[Arc<Hold>]) {
        let is_stored = |hold: &Arc<Hold>| stored.iter().any(|stored| Arc::ptr_eq(stored, hold));
        self.ended = stored.iter().filter(|hold| !self.contains(hold)).cloned().collect();
        let mark = |active: &ActiveHold| ActiveHold {
            is_stored: active.is_stored || is_stored(&active.hold),
            ..active.clone()
        };
        self.holds = self.iter().map(mark).collect();
    }

    fn take(&mut self, is_taken: impl Fn(&ActiveHold) -> bool) -> Vec<ActiveHold> {
        let (taken, rest): (Vec<_>, Vec<_>) = self.iter().cloned().partition(|active| is_taken(active));
        if !taken.is_empty() {
            let ended = taken.iter().filter(|active| active.is_stored).map(|active| &active.hold);
            self.ended = self.ended.iter().chain(ended).cloned().collect();
            self.replace(rest);
        }
        taken
    }

    fn replace(&mut self, holds: Vec<ActiveHold>) {
        self.holds = holds.into();
        self.number += 1;
    }
}
