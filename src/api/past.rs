//! Recorded toggles with the holds of their time, which are not recorded: SDKs got a held toggle as off.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::evaluation::Definitions;
use crate::evaluation::reason::PastHold;
use crate::evaluation::request::EvaluateResponse;
use crate::hold::{EndedHold, HoldList, ListedHold};
use crate::recorder::reader::{PastChanges, PastTime};

/// Tolerance of a comparison with the times of a list, which have seconds.
const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Response of `POST /-/evaluate`. With `at`, it describes the recorded state.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluateResponse"))]
pub struct RecordedEvaluation {
    /// The results.
    #[serde(flatten)]
    pub response: EvaluateResponse,
    /// The recorded state that was evaluated; absent without `at`. Results of random stickiness cannot be reproduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<PastTime>,
}

/// Response of `GET /-/changes`: the changes between two times, and the holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PastChanges"))]
pub struct HeldChanges {
    /// The changes.
    #[serde(flatten)]
    pub changes: PastChanges,
    /// Holds in this time, as far as the running process knows them.
    pub holds: Vec<PastHold>,
}

impl RecordedEvaluation {
    /// Adds the holds of a list that apply at a time to the reasons of the results.
    pub fn add_holds(&mut self, list: &HoldList, at: Timestamp) {
        let environment =
            self.recording.as_ref().and_then(|recording| recording.scope.environment.as_deref());
        let holds = find_past_holds(list, (at, at), environment, |_| true);
        for toggle in &mut self.response.toggles {
            let Some(hold) = holds.iter().find(|hold| hold.toggle == toggle.name) else { continue };
            let reasons =
                toggle.saved.contexts.iter_mut().flatten().filter_map(|context| context.reasons.as_mut());
            reasons.for_each(|reasons| reasons.hold = Some(hold.clone()));
        }
    }
}

impl HeldChanges {
    /// Adds the holds of a list.
    #[must_use]
    pub fn new(changes: PastChanges, list: Option<&HoldList>, time: (Timestamp, Timestamp)) -> Self {
        let environment = changes.scope.environment.as_deref();
        let holds = list.map(|list| find_past_holds(list, time, environment, |_| true)).unwrap_or_default();
        Self { changes, holds }
    }
}

impl From<&ListedHold> for PastHold {
    fn from(hold: &ListedHold) -> Self {
        let ListedHold { toggle, environment, person, reason, start, expires, .. } = hold.clone();
        Self { toggle, environment, person, reason, start, end: expires }
    }
}

impl From<&EndedHold> for PastHold {
    fn from(hold: &EndedHold) -> Self {
        let EndedHold { toggle, environment, held_by, reason, start, ended_at, .. } = hold.clone();
        Self { toggle, environment, person: held_by, reason, start, end: ended_at }
    }
}

/// Switches held toggles off, as SDKs got them.
pub fn apply_holds(definitions: &mut Definitions, holds: &[PastHold]) {
    for toggle in &mut definitions.features {
        toggle.enabled &= holds.iter().all(|hold| hold.toggle != toggle.name);
    }
}

/// Returns the holds between two times, as far as the list contains them. An unknown environment can be that of any hold.
#[must_use]
pub fn find_past_holds(
    list: &HoldList,
    time: (Timestamp, Timestamp),
    environment: Option<&str>,
    is_selected: impl Fn(&str) -> bool,
) -> Vec<PastHold> {
    let all = list.holds.iter().map(PastHold::from).chain(list.ended.iter().map(PastHold::from));
    let is_of_environment = |hold: &PastHold| {
        hold.environment.is_none() || environment.is_none() || hold.environment.as_deref() == environment
    };
    all.filter(|hold| is_selected(&hold.toggle) && is_of_environment(hold) && overlaps(hold, time)).collect()
}

fn overlaps(hold: &PastHold, (from, to): (Timestamp, Timestamp)) -> bool {
    let parse = |time: &str| time.parse::<Timestamp>().ok();
    parse(&hold.start).is_some_and(|start| start.duration_until(to) >= -SECOND)
        && parse(&hold.end).is_some_and(|end| from.duration_until(end) >= -SECOND)
}
