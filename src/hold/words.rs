//! Sentences about holds, for commands, the journal and the webhook. Pure.

use super::list::{EndedHold, ListedHold};
use super::set::Hold;
use crate::evaluation::reason::PastHold;

/// Describes a hold that is active.
#[must_use]
pub fn describe_active(hold: &ListedHold) -> String {
    let ListedHold { toggle, environment, expires, person, reason, .. } = hold;
    let minutes = hold.seconds_left.div_ceil(60);
    describe(toggle, environment.as_deref(), &format!("until {expires} ({minutes} min left)"), person, reason)
}

/// Describes a hold that has started.
pub(super) fn describe_start(hold: &Hold) -> String {
    let Hold { toggle, environment, expires, person, reason, .. } = hold;
    describe(toggle, environment.as_deref(), &format!("until {expires:.0}"), person, reason)
}

/// Describes a hold that has ended.
pub(super) fn describe_end(hold: &Hold, ended: &EndedHold) -> String {
    let Hold { toggle, environment, start, person, reason, .. } = hold;
    let (off, cause) = (off_for_sdks(environment.as_deref()), ended.cause());
    format!(
        "the hold of {toggle} ({off}) ended, because {cause}; {person} had held it since {start:.0}: {reason}"
    )
}

/// Describes a hold of the past, or at the time of a recorded state. `verb` is `is` or `was`.
#[must_use]
pub fn describe_past(hold: &PastHold, verb: &str) -> String {
    let PastHold { toggle, environment, person, reason, start, end } = hold;
    let off = off_for_sdks(environment.as_deref());
    format!("{toggle} {verb} held {off} from {start} until {end} by {person}: {reason}")
}

/// Describes the request for a hold as an imperative.
#[must_use]
pub fn describe_request(hold: &Hold) -> String {
    let Hold { toggle, environment, expires, reason, .. } = hold;
    format!("hold the toggle {toggle} {} until {expires:.0}: {reason}", off_for_sdks(environment.as_deref()))
}

fn describe(toggle: &str, environment: Option<&str>, time: &str, person: &str, reason: &str) -> String {
    format!("{toggle} is held {} {time} by {person}: {reason}", off_for_sdks(environment))
}

fn off_for_sdks(environment: Option<&str>) -> String {
    let environment = environment.map(|name| format!(" of {name}")).unwrap_or_default();
    format!("off for SDKs{environment}")
}
