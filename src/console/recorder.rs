//! The flight recorder: its status, the state at a time, and the changes between two times. The routes check that the user is
//! signed in.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::api::past::HeldChanges;
use crate::error::{ApiError, DomainError};
use crate::hold::Holds;
use crate::recorder::Recorder;
use crate::recorder::reader::{ReadError, Reader, Selection};

/// Time before `to` at which changes begin, unless the request states it.
const DEFAULT_RANGE: SignedDuration = SignedDuration::from_hours(1);
/// Maximum time for which a read waits for others.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(10);
/// Time after which a refused client may try again, in seconds.
const RETRY_AFTER: u64 = 5;

/// Query of `GET /-/state`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StateQuery {
    at: Option<String>,
    scope: Option<String>,
    environment: Option<String>,
}

/// Query of `GET /-/changes`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ChangesQuery {
    from: Option<String>,
    to: Option<String>,
    scope: Option<String>,
    environment: Option<String>,
}

/// Returns the status of the recorder.
pub(crate) async fn status(recorder: Option<&Recorder>) -> Result<HttpResponse, ApiError> {
    let recorder = recorder.ok_or_else(missing)?;
    let _permit = wait(recorder, &recorder.read_permits().states).await?;
    Ok(HttpResponse::Ok().json(recorder.status().await.map_err(failure)?))
}

/// Returns the state at a time.
pub(crate) async fn state(
    recorder: Option<&Recorder>,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let recorder = recorder.ok_or_else(missing)?;
    let query: StateQuery = parse_query(request)?;
    let at = parse_time("at", query.at.as_deref())?;
    let selection = Selection { scope: query.scope, environment: query.environment };
    let find = move |reader: Reader<'_>| reader.state_at(at, &selection);
    read(recorder, &recorder.read_permits().states, find).await
}

/// Returns the changes between two times.
pub(crate) async fn changes(
    recorder: Option<&Recorder>,
    holds: Option<&Holds>,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let recorder = recorder.ok_or_else(missing)?;
    let list = holds.map(Holds::list);
    let query: ChangesQuery = parse_query(request)?;
    let from = parse_time("from", query.from.as_deref())?;
    let to = parse_time("to", query.to.as_deref())?;
    let selection = Selection { scope: query.scope, environment: query.environment };
    let find = move |reader: Reader<'_>| {
        let to = to.unwrap_or_else(Timestamp::now);
        let from = if let Some(from) = from {
            from
        } else {
            let start = to.checked_sub(DEFAULT_RANGE).unwrap_or(Timestamp::MIN);
            // Nothing precedes the first record. An end before it is an error of the read.
            reader.first()?.max(start).min(to)
        };
        Ok(HeldChanges::new(reader.changes(from, to, &selection)?, list.as_ref(), (from, to)))
    };
    read(recorder, &recorder.read_permits().changes, find).await
}

/// Reads records on a thread that may block, after the changes so far are recorded. Fails if other reads take too long. `find`
/// determines the present itself: it must not precede the first record, which can be written meanwhile.
async fn read<T: Serialize + Send + 'static>(
    recorder: &Recorder,
    permits: &Arc<Semaphore>,
    find: impl FnOnce(Reader<'_>) -> Result<T, ReadError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let permit = wait(recorder, permits).await?;
    let encode = move |reader: Reader<'_>| {
        // The permit belongs to the work, which continues after the client has disconnected.
        let _permit = permit;
        Ok(serde_json::to_vec(&find(reader)?).map_err(ApiError::internal)?)
    };
    let body = recorder.read(encode).await.map_err(failure)?;
    Ok(HttpResponse::Ok().content_type("application/json").body(body))
}

/// Waits for other reads, and until the changes so far are recorded.
async fn wait(recorder: &Recorder, permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let permit = timeout(MAX_QUEUE_TIME, Arc::clone(permits).acquire_owned()).await;
    let permit = permit.map_err(|_late| busy())?.map_err(ApiError::internal)?;
    recorder.flush().await;
    Ok(permit)
}

fn parse_query<T: serde::de::DeserializeOwned>(request: &HttpRequest) -> Result<T, ApiError> {
    let query = web::Query::<T>::from_query(request.query_string());
    query
        .map(web::Query::into_inner)
        .map_err(|fault| ApiError::invalid("query", format!("The query is not valid: {fault}")))
}

/// Parses a time of a request.
pub(super) fn parse_time(name: &str, text: Option<&str>) -> Result<Option<Timestamp>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    // In a query, a plus sign that is not encoded is a space.
    text.replace(' ', "+").parse().map(Some).map_err(|_cause| {
        let message = format!("\"{name}\" must be a time in RFC 3339, such as 2026-11-24T14:05:00Z");
        ApiError::invalid(name, message)
    })
}

/// Creates the error of a program without a recorder.
pub(super) fn missing() -> ApiError {
    let message = "Earlier states are not recorded; set recorder to true, and start Flagdeck again";
    DomainError::new("no_recorder", StatusCode::NOT_FOUND, message).into()
}

/// Creates the error for a read that waits too long for others.
fn busy() -> ApiError {
    let message = "Flagdeck is busy with other reads of its records. Try again in some seconds, or ask for a shorter time";
    DomainError::new("recorder_busy", StatusCode::SERVICE_UNAVAILABLE, message)
        .retry_after(RETRY_AFTER)
        .into()
}

/// Converts the reasons why nothing can be read.
pub(super) fn failure(error: ReadError) -> ApiError {
    let error = match error {
        ReadError::Database(cause) => return cause,
        other => other,
    };
    let (code, status) = match &error {
        ReadError::Empty => ("nothing_recorded", StatusCode::NOT_FOUND),
        ReadError::BeforeFirst { .. } => ("before_first_record", StatusCode::NOT_FOUND),
        ReadError::Future { .. } => ("time_in_future", StatusCode::BAD_REQUEST),
        ReadError::Order { .. } => ("times_swapped", StatusCode::BAD_REQUEST),
        ReadError::Removed { .. } => ("records_removed", StatusCode::NOT_FOUND),
        ReadError::UnknownScope { .. } => ("unknown_scope", StatusCode::NOT_FOUND),
        ReadError::AmbiguousScope { .. } => ("scope_needed", StatusCode::BAD_REQUEST),
        ReadError::Refused { .. } => ("token_refused_then", StatusCode::NOT_FOUND),
        ReadError::Database(_) => return ApiError::internal(error),
    };
    DomainError::new(code, status, error.to_string()).into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use actix_web::ResponseError as _;
    use actix_web::test::TestRequest;

    use super::{MAX_QUEUE_TIME, changes, state};
    use crate::config::{self, DataLocation};
    use crate::database::KeptDatabase;
    use crate::error::ApiError;
    use crate::recorder::Recorder;

    #[actix_web::test]
    async fn reads_wait_for_each_other_for_a_limited_time() {
        let folder = tempfile::tempdir().unwrap();
        let keep = Duration::from_hours(24);
        let data = DataLocation::File(folder.path().join("flags.db"));
        let database = KeptDatabase::new(&data);
        let running = actix_web::rt::spawn(database.clone().run());
        while database.fault().is_some() {
            tokio::task::yield_now().await;
        }
        let settings = config::Recorder { data, keep, has_upstream: false };
        let recorder = Recorder::start(&settings, database).unwrap();
        let request = TestRequest::default().to_http_request();
        let code = |result: Result<_, ApiError>| result.map(drop).unwrap_err().code();
        let permit = Arc::clone(&recorder.read_permits().changes).acquire_owned().await.unwrap();
        tokio::time::pause();
        let start = tokio::time::Instant::now();
        let refused = changes(Some(&recorder), None, &request).await.unwrap_err();
        assert_eq!(start.elapsed().as_secs(), MAX_QUEUE_TIME.as_secs());
        assert_eq!(refused.code(), "recorder_busy");
        let response = refused.error_response();
        let retry_after = response.headers().get("retry-after").unwrap();
        assert_eq!((response.status().as_u16(), retry_after.to_str().unwrap()), (503, "5"));
        tokio::time::resume();
        assert_eq!(
            code(state(Some(&recorder), &request).await),
            "nothing_recorded",
            "other reads do not wait"
        );
        drop(permit);
        assert_eq!(code(changes(Some(&recorder), None, &request).await), "nothing_recorded");
        recorder.close().await;
        running.abort();
    }
}
