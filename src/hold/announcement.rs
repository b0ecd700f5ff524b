//! The message about the start or the end of a hold, for the webhook. Pure.

use serde::Serialize;

use super::format_time;
use super::list::{EndedHold, HoldEvent};
use super::set::{Hold, HoldEnd};
use super::words;

/// Names by which readers of a message recognise the sender.
#[derive(Debug, Clone, Default)]
pub(super) struct Sender {
    /// `env-label`: name of the deployment.
    pub(super) deployment: Option<String>,
    /// Name of the machine or of the container.
    pub(super) instance: Option<String>,
}

/// Body of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Announcement {
    /// One sentence with everything that matters. Chat services show it.
    pub(super) text: String,
    /// `hold-started` or `hold-ended`, as for addons.
    event: &'static str,
    /// Name of the toggle.
    pub(super) toggle: String,
    /// Environment of the tokens; null for all.
    environment: Option<String>,
    reason: String,
    /// The person or program that holds the toggle.
    person: String,
    start: String,
    /// Planned end.
    expires: String,
    /// Time of the end; null at the start.
    ended_at: Option<String>,
    /// Why the hold has ended; null at the start.
    end: Option<HoldEnd>,
    /// The person who has released the hold; null for other ends.
    released_by: Option<String>,
    deployment: Option<String>,
    instance: Option<String>,
}

impl Announcement {
    pub(super) fn new(event: &HoldEvent, sender: &Sender) -> Self {
        let (hold, ended) = match event {
            HoldEvent::Started(hold) => (hold, None),
            HoldEvent::Ended(hold, ended) => (hold, Some(ended)),
        };
        Self {
            text: sentence(hold, ended, sender),
            event: if ended.is_some() { "hold-ended" } else { "hold-started" },
            toggle: hold.toggle.clone(),
            environment: hold.environment.clone(),
            reason: hold.reason.clone(),
            person: hold.person.clone(),
            start: format_time(hold.start),
            expires: format_time(hold.expires),
            ended_at: ended.map(|ended| ended.ended_at.clone()),
            end: ended.map(|ended| ended.end),
            released_by: ended.and_then(|ended| ended.person.clone()),
            deployment: sender.deployment.clone(),
            instance: sender.instance.clone(),
        }
    }
}

fn sentence(hold: &Hold, ended: Option<&EndedHold>, sender: &Sender) -> String {
    let names: Vec<_> = sender.deployment.iter().chain(&sender.instance).map(String::as_str).collect();
    let origin = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    let text = ended.map_or_else(|| words::describe_start(hold), |ended| words::describe_end(hold, ended));
    plain_line(&format!("Flagdeck{origin}: {text}"))
}

/// Returns a text as one line that chat services show as it is. They convert text in angle brackets to links and to mentions
/// that notify everyone, and show entities such as `&lt;` in different ways.
fn plain_line(text: &str) -> String {
    let words: Vec<_> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ").replace('<', "‹").replace('>', "›")
}
