//! The holds that have not ended. Pure: callers pass the time.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::clock::Now;

/// Maximum duration of a hold.
pub const MAX_DURATION: Duration = Duration::from_hours(24);
/// Maximum number of bytes of a name and of a reason.
const MAX_TEXT: usize = 1_000;
/// Maximum number of ends that wait for the database. It does not learn of older ones.
const MAX_UNSAVED_ENDS: usize = 2_000;
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

/// A hold of a toggle for SDKs.
#[derive(Debug, Clone)]
pub struct Hold {
    /// Identifies the hold in all instances. Random.
    pub id: String,
    /// Name of the toggle.
    pub toggle: String,
    /// Environment of the tokens whose SDKs get the toggle; all tokens if absent.
    pub environment: Option<String>,
    /// The reason.
    pub reason: String,
    /// The person or program that holds the toggle.
    pub person: String,
    /// Start.
    pub start: Timestamp,
    /// End.
    pub expires: Timestamp,
}

/// Why a hold has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HoldEnd {
    /// Its time has passed.
    Expired,
    /// It was released.
    Released,
    /// The flag service itself has switched the toggle off.
    SwitchedOff,
}

/// The end of a hold.
#[derive(Debug, Clone)]
pub(super) struct Ending {
    pub(super) hold: Arc<Hold>,
    pub(super) at: Timestamp,
    /// `None` if a longer hold has replaced it.
    pub(super) cause: Option<HoldEnd>,
    /// The person who has released it; `None` for other ends.
    pub(super) person: Option<String>,
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
    /// False until the hold is in the database.
    pub is_stored: bool,
}

/// Number of a set of holds. It grows with each change of the holds of this process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct HoldsNumber(u64);

/// All holds that have not ended.
#[derive(Debug, Clone, Default)]
pub struct ActiveHolds {
    number: HoldsNumber,
    holds: Arc<[ActiveHold]>,
    /// Ends that are not in the database yet. They prevent that a stored hold starts again.
    unsaved_ends: Arc<[Ending]>,
}

/// The changes that are not in the database yet.
#[derive(Debug, Clone, Default)]
pub(super) struct UnsavedChanges {
    pub(super) holds: Vec<Arc<Hold>>,
    pub(super) ends: Vec<Ending>,
}

impl UnsavedChanges {
    pub(super) fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.ends.is_empty()
    }
}

/// The starts and ends of a change.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) started: Vec<Arc<Hold>>,
    pub(super) ends: Vec<Ending>,
}

/// The content of the database: the holds whose time has not passed, with the end of those that have ended before.
#[derive(Debug, Default)]
pub(super) struct StoredHolds {
    pub(super) active: Vec<Hold>,
    pub(super) ended: Vec<Ending>,
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
    /// Returns the number of this set, which identifies it.
    pub(super) fn number(&self) -> HoldsNumber {
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

    /// Returns the hold with this id.
    pub(super) fn find(&self, id: &str) -> Option<&ActiveHold> {
        self.iter().find(|active| active.hold.id == id)
    }

    /// Returns the changes that are not in the database yet.
    pub(super) fn unsaved(&self) -> UnsavedChanges {
        let unsaved = self.iter().filter(|active| !active.is_stored);
        UnsavedChanges {
            holds: unsaved.map(|active| Arc::clone(&active.hold)).collect(),
            ends: self.unsaved_ends.to_vec(),
        }
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
    pub(super) fn add(&mut self, hold: Arc<Hold>, now: Now) -> Changed {
        let is_replaced =
            |other: &ActiveHold| other.hold.has_same_effect(&hold) && other.hold.expires <= hold.expires;
        let ends = self.end(is_replaced, |hold| Ending { hold, at: now.wall, cause: None, person: None });
        let new = ActiveHold::new(Arc::clone(&hold), now, false);
        self.replace(self.iter().cloned().chain([new]).collect());
        Changed { started: vec![hold], ends }
    }

    /// Ends the holds that have reached their end, and returns the ends.
    pub(super) fn expire(&mut self, now: Now) -> Vec<Ending> {
        let end = |hold| Ending { hold, at: now.wall, cause: Some(HoldEnd::Expired), person: None };
        self.end(|active| active.rest(now).is_zero(), end)
    }

    /// Ends holds, and returns the ends.
    pub(super) fn end(
        &mut self,
        is_ended: impl Fn(&ActiveHold) -> bool,
        ending: impl Fn(Arc<Hold>) -> Ending,
    ) -> Vec<Ending> {
        let (ended, rest): (Vec<_>, Vec<_>) = self.iter().cloned().partition(|active| is_ended(active));
        if ended.is_empty() {
            return Vec::new();
        }
        let ends: Vec<_> = ended.into_iter().map(|active| ending(active.hold)).collect();
        let unsaved = self.unsaved_ends.iter().chain(&ends);
        let surplus = (self.unsaved_ends.len() + ends.len()).saturating_sub(MAX_UNSAVED_ENDS);
        self.unsaved_ends = unsaved.skip(surplus).cloned().collect();
        self.replace(rest);
        ends
    }

    /// Forgets the ends, because there is no database.
    pub(super) fn forget_ends(&mut self) {
        self.unsaved_ends = Arc::default();
    }

    /// Adds the holds of the database, and ends those that have ended there. `saved` are the changes that it contains since. A known
    /// hold keeps its end, one that has ended here does not start again, and one that the database does not contain stays: it is
    /// stored again.
    pub(super) fn merge(&mut self, stored: StoredHolds, saved: &UnsavedChanges, now: Now) -> Changed {
        let StoredHolds { active: stored, ended } = stored;
        let has_ended = |hold: &Hold| self.unsaved_ends.iter().any(|end| end.hold.id == hold.id);
        let started = stored.iter().filter(|hold| self.find(&hold.id).is_none() && !has_ended(hold));
        let started = started.map(|hold| ActiveHold::new(Arc::new(hold.clone()), now, true));
        let started: Vec<_> = started.filter(|active| !active.rest(now).is_zero()).collect();
        let is_stored = |active: &ActiveHold| stored.iter().any(|hold| hold.id == active.hold.id);
        let (mut kept, mut ends) = (Vec::new(), Vec::new());
        for active in self.iter() {
            match ended.iter().find(|end| end.hold.id == active.hold.id) {
                Some(end) => ends.push(end.clone()),
                None => kept.push(ActiveHold { is_stored: is_stored(active), ..active.clone() }),
            }
        }
        let is_saved = |end: &&Ending| saved.ends.iter().any(|saved| saved.hold.id == end.hold.id);
        self.unsaved_ends = self.unsaved_ends.iter().filter(|end| !is_saved(end)).cloned().collect();
        if started.is_empty() && ends.is_empty() {
            // SDKs get the same.
            self.holds = kept.into();
            return Changed::default();
        }
        let holds = started.iter().map(|active| Arc::clone(&active.hold)).collect();
        self.replace(kept.into_iter().chain(started).collect());
        Changed { started: holds, ends }
    }

    fn replace(&mut self, holds: Vec<ActiveHold>) {
        self.holds = holds.into();
        self.number.0 += 1;
    }
}
