//! The event history: its endpoints, and the deletion of old events. `events` records it.

use std::time::Duration;

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{EventsResponse, ToggleEventsResponse};
use crate::clock::{CautiousTime, Clock, Now};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::endpoint::{self, Endpoint, query_value};
use crate::flags::events::{self, EventPage, HISTORY_LIMITS, format_time};

/// The time between two searches for old events.
const PRUNE_INTERVAL: Duration = Duration::from_hours(1);
/// The part of the history that one search deletes: a clock that is wrong at the start must not delete all of it.
const PRUNED_AT_ONCE: SignedDuration = SignedDuration::from_hours(24);
/// The number of events of one transaction, so that other writes need not wait.
const PAGE: u32 = 200;
/// The pause between two transactions, in which the disk serves others.
const PAGE_PAUSE: Duration = Duration::from_millis(20);

pub(super) fn endpoints() -> Vec<Endpoint> {
    let limit =
        format!("at most {}, and at most {} MiB", HISTORY_LIMITS.events, HISTORY_LIMITS.response_bytes >> 20);
    vec![
        endpoint::get("/events", list)
            .summary(format!("List the newest events: {limit}"))
            .pages()
            .returns::<EventsResponse>(200),
        endpoint::get("/events/{name}", list_by_toggle)
            .summary(format!("List the newest events of a toggle: {limit}"))
            .pages()
            .returns::<ToggleEventsResponse>(200),
    ]
}

impl Endpoint {
    /// Adds the cursor of a page of events.
    fn pages(self) -> Self {
        self.query(
            "before",
            "Only events with a lower id. The `nextBefore` of a response lists the events that follow it.",
            || json!({ "type": "integer", "minimum": 1, "maximum": i64::MAX }),
        )
        .fails_with(&[400])
    }
}

/// Returns an `EventsResponse`. The database stores the list of events as JSON.
async fn list(database: Data<Database>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let before = parse_before(request.query_string())?;
    let page = database.read(move |tx| Ok(events::list(tx, before)?)).await?;
    Ok(to_response(&format!(r#"{{"version":{ENVELOPE_VERSION},"events":"#), page))
}

/// Returns a `ToggleEventsResponse`. The list is empty if the toggle does not exist.
async fn list_by_toggle(
    database: Data<Database>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let before = parse_before(request.query_string())?;
    let head = format!(r#"{{"toggleName":{},"events":"#, json!(name.as_str()));
    let page = database.read(move |tx| Ok(events::list_by_toggle(tx, &name, before)?)).await?;
    Ok(to_response(&head, page))
}

/// Returns the cursor of the page; `None` for the newest events.
fn parse_before(query: &str) -> Result<Option<i64>, ApiError> {
    let Some(value) = query_value(query, "before") else { return Ok(None) };
    match value.parse() {
        Ok(id) if id > 0 => Ok(Some(id)),
        _ => {
            let message =
                "\"before\" must be the id of an event: use the \"nextBefore\" of the previous response";
            Err(ApiError::invalid("before", message.to_owned()))
        }
    }
}

fn to_response(head: &str, EventPage { events, next_before }: EventPage) -> HttpResponse {
    let tail = next_before.map_or_else(|| "}".to_owned(), |id| format!(r#","nextBefore":{id}}}"#));
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .body([head.as_bytes(), events.as_slice(), tail.as_bytes()].concat())
}

/// Deletes events that are older than `keep`, at once and every hour: each time those of one day. A clock that is set forward, or is
/// ahead at the start, deletes nothing until it has been there for a day. Several instances may do this at the same time: each finds the
/// events that are left. Never returns.
pub(crate) async fn delete_old_events(database: Database, keep: Duration, clock: Clock) {
    let mut time = CautiousTime::new(confirmed_start(&database, clock.now()).await);
    loop {
        match delete_day(&database, time.advance(clock.now()), keep).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "deleted events that are older than history-keep"),
            Err(cause) => tracing::warn!(%cause, "cannot delete old events; retrying in an hour"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// Returns the start of the task at a time that was certainly reached: that of the newest change, unless the clock is behind it.
async fn confirmed_start(database: &Database, start: Now) -> Now {
    let newest = database.read(|tx| Ok(tx.newest_change()?.created_at)).await.unwrap_or_default();
    // A new database has no change.
    let newest = newest.parse().unwrap_or(start.wall);
    Now { wall: start.wall.min(newest), ..start }
}

/// Deletes the events of the oldest day that are older than `keep` at the time `now`. Returns their number.
async fn delete_day(database: &Database, now: Timestamp, keep: Duration) -> Result<u64, ApiError> {
    let oldest = now.checked_sub(keep).map_err(ApiError::internal)?;
    let Some(first) = database.read(|tx| Ok(tx.find_first_deletable_event()?)).await? else { return Ok(0) };
    let first: Timestamp = first.parse().map_err(ApiError::internal)?;
    let end_of_day = first.checked_add(PRUNED_AT_ONCE).map_err(ApiError::internal)?;
    let oldest = format_time(oldest.min(end_of_day));
    let (mut after, mut deleted) = (0, 0);
    loop {
        let time = oldest.clone();
        let page = database.read(move |tx| Ok(tx.find_page_with_old_events(after, &time, PAGE)?)).await?;
        let Some(last) = page else { return Ok(deleted) };
        let time = oldest.clone();
        deleted += database.write_internal(move |tx| Ok(tx.delete_events(after, last, &time)?)).await?;
        after = last;
        tokio::time::sleep(PAGE_PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};
    use serde_json::{Value, json};

    use super::{delete_day, delete_old_events};
    use crate::clock::{CautiousTime, Clock, Now};
    use crate::config::DataLocation;
    use crate::database::{Database, Store, Transaction};
    use crate::flags::events::{Actor, Entity, HISTORY_LIMITS, record_event};

    const KEEP: Duration = Duration::from_hours(30 * 24);

    /// Records an event of some hours before a time.
    async fn record(database: &Database, time: Timestamp, hours: i64) {
        let actor = Actor::at("anna", time - SignedDuration::from_hours(hours));
        let record = move |tx: &Transaction<'_>| {
            let name = hours.to_string();
            Ok(record_event(tx, "feature-created", Entity::Feature, &name, &json!({}), &actor)?)
        };
        database.write_internal(record).await.unwrap();
    }

    #[actix_web::test]
    async fn clock_that_is_set_forward_deletes_no_events() {
        let store = Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap();
        let database = Database::new(store).unwrap();
        let start = Now { monotonic: Duration::ZERO, wall: "2026-11-24T14:00:00Z".parse().unwrap() };
        for hours in [960, 950, 840, 480, 1] {
            record(&database, start.wall, hours).await;
        }
        let mut time = CautiousTime::new(start);
        // Hours that have passed, years by which the clock is ahead then, and the number of events that are deleted.
        for (passed, years, expected) in [
            (0, 0, 2),
            (1, 1, 1),
            (2, 1, 0),
            (23, 1, 0),
            (24, 0, 0),
            // The clock of the machine is right: it has been there for a day. Still, a day of the history is deleted at once.
            (30, 1, 0),
            (60, 1, 1),
            // The newest change remains.
            (61, 1, 0),
        ] {
            let passed = Duration::from_hours(passed);
            let wall = start.wall + passed + SignedDuration::from_hours(years * 8_760);
            let now = time.advance(Now { monotonic: passed, wall });
            assert_eq!(delete_day(&database, now, KEEP).await.unwrap(), expected, "{passed:?} {years}");
        }
    }

    /// The clock is ahead by a year at the start, or is set forward between the start and the first search.
    #[actix_web::test]
    async fn task_does_not_believe_a_clock_that_is_ahead() {
        for believed_readings in [0, 1] {
            let store = Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap();
            let database = Database::new(store).unwrap();
            let start = "2026-11-24T14:00:00Z".parse().unwrap();
            for hours in [722, 718, 1] {
                record(&database, start, hours).await;
            }
            let readings = AtomicUsize::new(0);
            let clock = Clock::new(move || {
                // The first reading is the start of the clock.
                let is_right = readings.fetch_add(1, Ordering::SeqCst) <= believed_readings;
                let ahead = if is_right { 0 } else { 8_760 };
                Now { monotonic: Duration::ZERO, wall: start + SignedDuration::from_hours(ahead) }
            });
            let count = async || {
                let read = |tx: &Transaction<'_>| Ok(tx.list_events(i64::MAX, &HISTORY_LIMITS)?.events);
                let events: Vec<Value> = serde_json::from_slice(&database.read(read).await.unwrap()).unwrap();
                events.iter().filter(|event| event["createdBy"] == "anna").count()
            };
            let deleting = actix_web::rt::spawn(delete_old_events(database.clone(), KEEP, clock));
            // The events of the first day are deleted in one transaction.
            while count().await == 3 {
                tokio::task::yield_now().await;
            }
            deleting.abort();
            assert_eq!(count().await, 2, "30 days are kept, {believed_readings}");
        }
    }
}
