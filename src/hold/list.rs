//! The requests and responses about holds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::format_time;
use super::set::{ActiveHold, Ending, Hold, HoldEnd};
use crate::clock::Now;

/// Response of `GET /-/holds`: toggles that SDKs of this process get as off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldList {
    /// The holds, the later ones last.
    pub holds: Vec<ListedHold>,
    /// The last holds that have ended, the last one first.
    pub ended: Vec<EndedHold>,
    /// Why holds cannot be stored and those of other instances cannot be read, as a clause; null if they can.
    pub storage_fault: Option<String>,
}

/// A hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListedHold {
    /// Name of the toggle.
    pub toggle: String,
    /// Environment of the tokens; null for all.
    pub environment: Option<String>,
    /// The reason.
    pub reason: String,
    /// The person or program that holds the toggle.
    pub person: String,
    /// Start.
    pub start: String,
    /// End.
    pub expires: String,
    /// Seconds until the end, which can be earlier than `expires` if a clock was set back.
    pub seconds_left: u32,
    /// True if the hold is in the database and survives a restart.
    pub is_stored: bool,
}

/// A hold that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EndedHold {
    /// Name of the toggle.
    pub toggle: String,
    /// Environment of the tokens; null for all.
    pub environment: Option<String>,
    /// The reason of the hold.
    pub reason: String,
    /// The person or program that held the toggle.
    pub held_by: String,
    /// Start.
    pub start: String,
    /// Time of the end.
    pub ended_at: String,
    /// Why it has ended.
    pub end: HoldEnd,
    /// The person who has released it; null for other ends.
    pub person: Option<String>,
}

/// The start or the end of a hold.
#[derive(Debug, Clone)]
pub enum HoldEvent {
    /// A hold has started, or a longer one has replaced it.
    Started(Arc<Hold>),
    /// A hold has ended.
    Ended(Arc<Hold>, EndedHold),
}

/// Body of `POST /-/holds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoldDraft {
    /// Name of the toggle.
    pub toggle: String,
    /// The reason.
    pub reason: String,
    /// Duration in seconds, at most 86,400. Default: 7,200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// Environment of the tokens. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
}

/// Response of `POST /-/holds`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewHold {
    /// The hold.
    pub hold: ListedHold,
    /// Its effect.
    pub effect: HoldPreview,
    /// See [`HoldList::storage_fault`].
    pub storage_fault: Option<String>,
}

/// Response of `GET /-/holds/{toggle}`: the effect that a hold would have, from the toggles that SDKs get now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldPreview {
    /// Number of tokens and queries whose toggles contain the toggle.
    pub copies: u32,
    /// True if the toggle is off for all of them already.
    pub is_off: bool,
    /// Number of instances of applications that get the toggle from this process; null if no token gets it. SDKs that get toggles
    /// elsewhere do not see the hold.
    pub instances: Option<u32>,
    /// True if there are more instances than are counted.
    pub has_more_instances: bool,
    /// Toggles that depend on the toggle, sorted by name.
    pub children: Vec<HoldChild>,
    /// Last characters of the tokens for which the hold has no effect, because their toggles do not contain the toggle or
    /// they belong to another environment.
    pub without_effect: Vec<String>,
    /// True if the flag service evaluates toggles for browsers: their requests are forwarded, and they see the hold while it
    /// responds.
    pub forwards_browsers: bool,
}

/// A toggle that depends on a held one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HoldChild {
    /// Name.
    pub name: String,
    /// True if the toggle requires the held one to be off, so that it can be on; false if it is off too.
    pub turns_on: bool,
}

/// Response of `DELETE /-/holds/{toggle}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReleasedHolds {
    /// Number of released holds.
    pub released: u32,
    /// See [`HoldList::storage_fault`].
    pub storage_fault: Option<String>,
}

impl ListedHold {
    pub(super) fn new(active: &ActiveHold, now: Now) -> Self {
        let Hold { toggle, environment, reason, person, start, expires, .. } = &*active.hold;
        Self {
            toggle: toggle.clone(),
            environment: environment.clone(),
            reason: reason.clone(),
            person: person.clone(),
            start: format_time(*start),
            expires: format_time(*expires),
            // The end of the last second counts.
            seconds_left: u32::try_from(active.rest(now).as_millis().div_ceil(1000)).unwrap_or(u32::MAX),
            is_stored: active.is_stored,
        }
    }
}

impl EndedHold {
    /// Returns the entry of an end; `None` if a longer hold has replaced the hold.
    pub(super) fn new(end: &Ending) -> Option<Self> {
        let Ending { hold, at, cause, person } = end;
        Some(Self {
            toggle: hold.toggle.clone(),
            environment: hold.environment.clone(),
            reason: hold.reason.clone(),
            held_by: hold.person.clone(),
            start: format_time(hold.start),
            ended_at: format_time(*at),
            end: (*cause)?,
            person: person.clone(),
        })
    }

    /// Returns the cause of the end, as the end of a sentence.
    #[must_use]
    pub fn cause(&self) -> String {
        match (self.end, &self.person) {
            (HoldEnd::Expired, _) => "its time had passed".to_owned(),
            (HoldEnd::Released, Some(person)) => format!("{person} released it"),
            (HoldEnd::Released, None) => "it was released".to_owned(),
            (HoldEnd::SwitchedOff, _) => "the flag service itself has switched the toggle off".to_owned(),
        }
    }
}

impl HoldEnd {
    /// Returns the event for the log.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Expired => "a hold has ended, because its time has passed",
            Self::Released => "a hold was released",
            Self::SwitchedOff => {
                "a hold has ended, because the flag service itself has switched the toggle off"
            }
        }
    }
}
