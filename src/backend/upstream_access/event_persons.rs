//! Persons of the events of an upstream whose users share one account there (`upstream-sign-in = "shared"`).
//!
//! The events name the account, and contain nothing that identifies the request. The journal names the person of each change, and
//! the times between which the upstream handled it. An event is attributed to a person if all changes that the upstream handled
//! at the event's time, and that were not about another toggle, are from this person.
//!
//! # When an event keeps the name of the account
//!
//! - Several persons, or none, made a change at its time. Times are compared with a tolerance.
//! - A change whose line is not written yet may have caused it.
//! - Lines of its time are in a file that cannot be read here, or are too many.
//! - The clocks of both programs differ by more than the tolerance, or the account is not known.
//!
//! Changes that reach the upstream by another way with the same credential cannot be distinguished.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::to_bytes_limited;
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT, CONTENT_LENGTH, DATE, ETAG, HeaderMap, HeaderValue, TRANSFER_ENCODING,
};
use actix_web::web;
use bytes::Bytes;
use jiff::{SignedDuration, Timestamp, fmt::rfc2822};
use moka::future::Cache;
use serde_json::{Map, Value};

use super::MAX_USER;
use super::permission::USER;
use super::user::find_recorded_name;
use crate::api::User;
use crate::error::{ApiError, DomainError};
use crate::journal::forwarded::{ForwardedChange, ForwardedChanges};
use crate::journal::reader::{ForwardedLines, read_forwarded};
use crate::journal::{Journal, JournalLine, Person};
use crate::log_limit::LogLimit;
use crate::middleware::client::Client;
use crate::proxy::Proxy;

/// Paths of events, as the console requests them: of all items, and of one toggle.
const EVENTS: &str = "/api/admin/events";
/// Maximum size of a response with events.
const MAX_EVENTS: usize = 32 << 20;
/// Tolerance of the comparison of times. The clocks may differ by this time.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(2);
/// Maximum difference of the clocks that the whole seconds of `Date` can prove.
const MAX_SKEW: SignedDuration = SignedDuration::from_secs(1);
/// Time for which the upstream may handle a change whose response did not arrive.
const MAX_UNKNOWN: SignedDuration = SignedDuration::from_mins(1);
/// Maximum time between an event and the response to its change.
const MAX_CHANGE: SignedDuration = SignedDuration::from_mins(10);
/// Time for which the account is remembered.
const FRESH: Duration = Duration::from_mins(1);

static CLOCKS_DIFFER: LogLimit = LogLimit::new();

/// The persons of events, shared by all workers.
#[derive(Debug)]
pub(super) struct EventPersons {
    changes: ForwardedChanges,
    /// The name of the shared account in events; `None` if it is not known or the clocks differ.
    account: Cache<(), Option<Arc<str>>>,
}

impl Default for EventPersons {
    fn default() -> Self {
        let account = Cache::builder().max_capacity(1).time_to_live(FRESH).build();
        Self { changes: ForwardedChanges::default(), account }
    }
}

/// Returns true for a request that reads events.
pub(super) fn reads_events(method: &Method, path: &str) -> bool {
    let rest = path.strip_prefix(EVENTS);
    *method == Method::GET && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl EventPersons {
    /// Starts a change of a user that is sent to the upstream now.
    pub(super) fn start_change(&self, user: &User) -> ForwardedChange {
        self.changes.start(user.recorded_name().unwrap_or_default().to_owned())
    }

    /// Replaces the account by the persons in a successful response with events.
    pub(super) async fn name_persons(
        &self,
        response: ServiceResponse,
        journal: &Journal,
        proxy: &Proxy,
        client: &Client,
    ) -> Result<ServiceResponse, ApiError> {
        let Some(file) = journal.file().map(Path::to_owned) else { return Ok(response) };
        let account = self.account.get_with((), find_account(proxy, client)).await;
        let Some(account) = account else { return Ok(response) };
        let (request, response) = response.into_parts();
        let (mut head, body) = response.into_parts();
        let body =
            to_bytes_limited(body, MAX_EVENTS).await.ok().and_then(Result::ok).ok_or_else(unreadable)?;
        // After the events were read, and before the journal: a change that ends in between is in one of both.
        let unwritten = self.changes.earliest();
        let named = body.clone();
        let named = web::block(move || replace_account(&named, &account, &file, unwritten)).await;
        let body = named.map_err(ApiError::internal)?.unwrap_or(body);
        for name in [CONTENT_LENGTH, TRANSFER_ENCODING, ETAG] {
            head.headers_mut().remove(name);
        }
        Ok(ServiceResponse::new(request, head.set_body(body).map_into_boxed_body()))
    }
}

fn unreadable() -> DomainError {
    let message = "The response of the flag service with the events is incomplete or too large. Try again";
    DomainError::new("upstream_events", actix_web::http::StatusCode::BAD_GATEWAY, message)
}

/// Asks the upstream for the user of the shared credential.
async fn find_account(proxy: &Proxy, client: &Client) -> Option<Arc<str>> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let sent = Timestamp::now();
    let request = proxy.send_for(client, &headers, (&Method::GET, USER), Bytes::new());
    let response = proxy.within_deadline(request).await.ok()?.ok()?;
    if !response.status().is_success() || !has_same_clock(&response, sent) {
        return None;
    }
    let body = to_bytes_limited(response.into_body(), MAX_USER).await.ok()?.ok()?;
    find_recorded_name(&body).map(Arc::from)
}

/// Returns false if the `Date` of a response proves that the clocks differ by more than [`MAX_SKEW`]. It has whole seconds, so that
/// they then differ by less than [`TOLERANCE`].
fn has_same_clock(response: &HttpResponse, sent: Timestamp) -> bool {
    let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
    let date = date.and_then(|date| rfc2822::parse(date).ok()).map(|date| date.timestamp());
    let Some(date) = date else { return false };
    let is_same =
        date <= Timestamp::now() + MAX_SKEW && date + SignedDuration::from_secs(1) >= sent - MAX_SKEW;
    if !is_same && let Some(repeated) = CLOCKS_DIFFER.record() {
        tracing::warn!(
            repeated,
            "the clock of the flag service differs from this one; the history cannot name persons"
        );
    }
    is_same
}

/// Replaces the account by persons in a response with events; `None` if nothing changes.
fn replace_account(
    response: &[u8],
    account: &str,
    journal: &Path,
    unwritten: Option<Timestamp>,
) -> Option<Bytes> {
    let mut response: Value = serde_json::from_slice(response).ok()?;
    let events = response.get_mut("events")?.as_array_mut()?;
    let is_by_account = |event: &Value| event.get("createdBy").and_then(Value::as_str) == Some(account);
    let mut events: Vec<_> = events
        .iter_mut()
        .filter(|event| is_by_account(event))
        .filter_map(|event| Some((time(event.get("createdAt")?.as_str()?)?, event.as_object_mut()?)))
        .collect();
    let first = events.iter().map(|(time, _)| *time).min()?;
    let last = events.iter().map(|(time, _)| *time).max()?;
    let lines = read_forwarded(journal, first - TOLERANCE, last + MAX_CHANGE);
    let lines = lines.inspect_err(
        |cause| tracing::warn!(%cause, "the history cannot name persons: the journal cannot be read"),
    );
    let changes = Changes::new(lines.ok()?, unwritten);
    let mut is_changed = false;
    for (time, event) in &mut events {
        if let Some(person) = changes.find_person(*time, toggle_of(event)) {
            event.insert("createdBy".to_owned(), person.into());
            event.insert("account".to_owned(), account.into());
            is_changed = true;
        }
    }
    is_changed.then(|| response.to_string().into())
}

fn time(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

/// Returns the toggle that an event is about; `None` if it is about something else, or unknown.
fn toggle_of(event: &Map<String, Value>) -> Option<&str> {
    let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
    let name =
        || event.get("data").and_then(|data| data.get("name")).filter(|_| kind.starts_with("feature-"));
    event.get("featureName").and_then(Value::as_str).or_else(|| name()?.as_str())
}

/// Changes that the upstream has handled.
struct Changes {
    all: Vec<Change>,
    /// Events before this time may have causes that are not known.
    from: Option<Timestamp>,
    /// Events from this time on may have causes that are not known.
    until: Option<Timestamp>,
}

/// A change, and the time in which its events can be.
struct Change {
    from: Timestamp,
    to: Timestamp,
    /// `None` if the change can be about any toggle.
    toggle: Option<String>,
    person: Option<Person>,
    /// Name of the person in the history.
    author: String,
}

impl Changes {
    fn new(
        ForwardedLines { lines, incomplete_before }: ForwardedLines,
        unwritten: Option<Timestamp>,
    ) -> Self {
        Self {
            all: lines.into_iter().filter_map(Change::new).collect(),
            from: incomplete_before.map(|time| time + TOLERANCE + MAX_UNKNOWN),
            until: unwritten.map(|time| time - TOLERANCE),
        }
    }

    /// Returns the name of the only person who can have caused an event.
    fn find_person(&self, time: Timestamp, toggle: Option<&str>) -> Option<String> {
        if self.from.is_some_and(|from| time < from) || self.until.is_some_and(|until| time >= until) {
            return None;
        }
        let is_other = |change: &Change| match (change.toggle.as_deref(), toggle) {
            (Some(changed), Some(toggle)) => changed != toggle,
            _ => false,
        };
        let is_cause = |change: &&Change| (change.from..=change.to).contains(&time) && !is_other(change);
        let mut causes = self.all.iter().filter(is_cause);
        let cause = causes.next()?;
        let is_same = |other: &Change| other.person == cause.person && other.author == cause.author;
        causes.all(is_same).then(|| cause.author.clone()).filter(|author| !author.is_empty())
    }
}

impl Change {
    fn new(line: JournalLine) -> Option<Self> {
        let forwarded = line.forwarded?;
        let (from, to) = (time(&forwarded.at)?, time(&line.time)?);
        let is_unknown = line.status.is_none_or(|status| status >= 499);
        let to = if is_unknown { to + MAX_UNKNOWN } else { to };
        let is_copy = line.path.is_some_and(|path| path.ends_with("/clone"));
        let toggle = line.item.filter(|item| item.kind == "toggle" && !is_copy).map(|item| item.name);
        let (person, author) = (line.person, forwarded.author);
        Some(Self { from: from - TOLERANCE, to: to + TOLERANCE, toggle, person, author })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Changes, time, toggle_of};
    use crate::journal::reader::ForwardedLines;
    use crate::journal::{Forwarded, Item, JournalLine, LineKind, Person, PersonSource};

    /// Returns a time in seconds after 12:00.
    fn at(seconds: &str) -> String {
        format!("2026-01-05T12:00:{seconds}Z")
    }

    fn line(sub: &str, toggle: Option<&str>, (from, to): (&str, &str)) -> JournalLine {
        JournalLine {
            time: at(to),
            forwarded: Some(Forwarded { at: at(from), author: format!("{sub}@example.com") }),
            status: Some(200),
            item: toggle.map(|name| Item { kind: "toggle".to_owned(), name: name.to_owned() }),
            person: Some(Person {
                iss: Some("https://login.example".to_owned()),
                sub: Some(sub.to_owned()),
                name: None,
                known: PersonSource::IdentityProvider,
            }),
            ..JournalLine::now(LineKind::Change)
        }
    }

    fn find(lines: Vec<JournalLine>, event: (&str, &Value)) -> Option<String> {
        find_with((lines, None, None), event)
    }

    fn find_with(
        (lines, incomplete_before, unwritten): (Vec<JournalLine>, Option<&str>, Option<&str>),
        (seconds, event): (&str, &Value),
    ) -> Option<String> {
        let parse = |seconds: &str| time(&at(seconds)).unwrap();
        let lines = ForwardedLines { lines, incomplete_before: incomplete_before.map(parse) };
        let changes = Changes::new(lines, unwritten.map(parse));
        changes.find_person(parse(seconds), toggle_of(event.as_object().unwrap()))
    }

    #[test]
    fn event_belongs_to_the_only_person_who_can_have_caused_it() {
        let x = json!({ "type": "feature-updated", "data": { "name": "x" } });
        let newer = json!({ "type": "feature-environment-enabled", "featureName": "x" });
        let tag = json!({ "type": "tag-created", "data": { "value": "x" } });
        let (anna, bert) = (Some("anna@example.com"), Some("bert@example.com"));
        for (lines, seconds, event, expected) in [
            (vec![line("anna", Some("x"), ("10", "11"))], "10.5", &x, anna),
            (vec![line("anna", Some("x"), ("10", "11"))], "10.5", &newer, anna),
            // A change of a toggle also creates tags.
            (vec![line("anna", Some("x"), ("10", "11"))], "10.5", &tag, anna),
            // The toggle of a creation is not in its path.
            (vec![line("anna", None, ("10", "11"))], "10.5", &x, anna),
            // Clocks differ a little.
            (vec![line("anna", Some("x"), ("10", "11"))], "12.9", &x, anna),
            (vec![line("anna", Some("x"), ("10", "11"))], "08.1", &x, anna),
            (vec![line("anna", Some("x"), ("10", "11"))], "13.1", &x, None),
            (vec![line("anna", Some("x"), ("10", "11"))], "07.9", &x, None),
            (vec![line("anna", Some("y"), ("10", "11"))], "10.5", &x, None),
            (vec![], "10.5", &x, None),
            // Two persons.
            (
                vec![line("anna", Some("x"), ("10", "11")), line("bert", Some("x"), ("11", "12"))],
                "11",
                &x,
                None,
            ),
            (vec![line("anna", Some("x"), ("10", "11")), line("bert", None, ("11", "12"))], "11", &x, None),
            (
                vec![line("anna", Some("x"), ("10", "11")), line("bert", Some("y"), ("11", "12"))],
                "11",
                &x,
                anna,
            ),
            (
                vec![line("anna", Some("x"), ("10", "11")), line("bert", Some("x"), ("20", "21"))],
                "20",
                &x,
                bert,
            ),
            (
                vec![line("anna", Some("x"), ("10", "11")), line("anna", Some("x"), ("11", "12"))],
                "11",
                &x,
                anna,
            ),
        ] {
            assert_eq!(
                find(lines.clone(), (seconds, event)).as_deref(),
                expected,
                "{lines:?} {seconds} {event}"
            );
        }
    }

    #[test]
    fn uncertain_events_keep_the_account() {
        let x = json!({ "type": "feature-updated", "data": { "name": "x" } });
        let anna = || line("anna", Some("x"), ("10", "11"));
        let bert = |change: fn(&mut JournalLine)| {
            let mut line = line("bert", Some("y"), ("10", "11"));
            change(&mut line);
            line
        };
        for (lines, is_named) in [
            (vec![anna(), bert(|_| {})], true),
            // The copy has another name than the toggle in the path.
            (
                vec![
                    anna(),
                    bert(|line| line.path = Some("/api/admin/projects/p/features/y/clone".to_owned())),
                ],
                false,
            ),
            (
                vec![
                    anna(),
                    bert(|line| line.item = Some(Item { kind: "project".to_owned(), name: "p".to_owned() })),
                ],
                false,
            ),
            // A refused change may be made in part.
            (vec![anna(), bert(|line| (line.item, line.status) = (None, Some(409)))], false),
            (vec![anna(), bert(|line| (line.item, line.person) = (None, None))], false),
            // The person of the session is not known.
            (
                vec![{
                    let mut line = anna();
                    line.forwarded.as_mut().unwrap().author.clear();
                    line
                }],
                false,
            ),
        ] {
            assert_eq!(find(lines.clone(), ("10.5", &x)).is_some(), is_named, "{lines:?}");
        }
        // The upstream may continue after the client has disconnected.
        let mut lost = anna();
        lost.status = Some(499);
        assert!(find(vec![lost], ("55", &x)).is_some());
        for (incomplete_before, unwritten, is_named) in [
            (None, Some("11"), false),
            (None, Some("13"), true),
            (Some("00"), None, false),
            (Some("09"), None, false),
        ] {
            let found = find_with((vec![anna()], incomplete_before, unwritten), ("10.5", &x));
            assert_eq!(found.is_some(), is_named, "{incomplete_before:?} {unwritten:?}");
        }
    }
}
