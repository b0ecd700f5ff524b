//! Counts of evaluations, which newer servers keep for each hour and environment, and the applications that evaluate.

mod counts;

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::caller::Reply;
use super::counters::{SeenApplication, SeenApplications};
use super::failure::Failure;
use super::{Call, encode, json, scope, search};
use crate::error::ApiError;
use crate::flags::model::ToggleMetrics;

/// Age after which the counts are read again. Servers refuse more than 15 searches per minute.
const MAX_AGE: Duration = Duration::from_mins(1);
/// Maximum number of toggles whose counts are read one by one, about one second of the server's time per minute.
const MAX_SINGLE_READS: usize = 200;
/// Hours for which the applications of a toggle are reported, as the server's own console does.
const APPLICATION_HOURS: u32 = 24;

/// The counts of the last hour by environment, for the consoles of all users. The key is the environment because an
/// open-source server shows the counts to all users.
#[derive(Debug, Default)]
pub(super) struct UsageCache(Mutex<HashMap<String, Cached>>);

#[derive(Debug)]
struct Cached {
    at: Instant,
    /// The response to the console, or the refusal of the server, which is not asked again before [`MAX_AGE`] either.
    /// `None` if there are too many toggles.
    result: Result<Option<Bytes>, Reply>,
}

/// Responds with the counts of all toggles in the last hour.
///
/// Consoles poll this every few seconds. Each poll verifies the user with a small request, and shares the counts with the
/// polls of other users.
///
/// # Errors
/// Those of the requests.
pub(super) async fn read_last_hour(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    call.caller.request(Method::GET, "/user", None).await?;
    if let Some(metrics) = call.caches.counters.metrics() {
        return respond(&metrics);
    }
    // Other polls wait for the result of this one.
    let mut cache = call.caches.usage.0.lock().await;
    let recent = cache.get(environment).filter(|cached| cached.at.elapsed() < MAX_AGE);
    let result = if let Some(cached) = recent {
        cached.result.clone()
    } else {
        let result = match read_counts(call, environment).await {
            Err(Failure::Refused(reply)) => Err(*reply),
            counts => Ok(counts?),
        };
        // Removed environments do not stay in memory.
        cache.retain(|name, _| call.server.environments.iter().any(|one| one.name == *name));
        cache.insert(environment.to_owned(), Cached { at: Instant::now(), result: result.clone() });
        result
    };
    match result {
        Ok(Some(counts)) => Ok(json(StatusCode::OK, counts.to_vec())),
        // The console would show other toggles as unused, so that a part of the counts is not useful.
        Ok(None) => Err(ApiError::NotReported(TOO_MANY).into()),
        Err(reply) => Err(Failure::Refused(Box::new(reply))),
    }
}

const TOO_MANY: &str = "This server reports usage of single toggles only, and more than 200 were used in the last hour. Open a toggle to see its usage.";

async fn read_counts(call: &Call, environment: &str) -> Result<Option<Bytes>, Failure> {
    // 8.2 returns only the toggles of this day; 5.12 and 6.10 ignore the filter.
    let hour_ago = Timestamp::now().checked_sub(SignedDuration::from_hours(1)).map_err(ApiError::internal)?;
    let day = hour_ago.strftime("%Y-%m-%d");
    let pages = match search::pages(call, &format!("lastSeenAt=IS_ON_OR_AFTER%3A{day}")).await {
        // 4.19 has no search.
        Err(failure) if failure.has_status(404) => {
            return read_single_counts(call, environment, hour_ago).await;
        }
        pages => pages?.pages,
    };
    let environment = environment.to_owned();
    let convert = move || counts::to_metrics(&pages, &environment);
    let metrics = web::block(convert).await.map_err(ApiError::internal)?;
    let metrics = metrics.map_err(|error| Failure::unexpected("the search", &error.to_string()))?;
    Ok(Some(serde_json::to_vec(&metrics).map_err(ApiError::internal)?.into()))
}

/// Reads the counts of the toggles that were used since `start`, one by one. Returns `None` if there are too many.
async fn read_single_counts(
    call: &Call,
    environment: &str,
    start: Timestamp,
) -> Result<Option<Bytes>, Failure> {
    let mut names = Vec::new();
    for project in scope::projects(&call.server) {
        let path = format!("/projects/{}/features", encode(project));
        let list = call.caller.request(Method::GET, &path, None).await?;
        names.extend(
            counts::seen_since(&list.body, start)
                .map_err(|error| Failure::unexpected(&path, &error.to_string()))?,
        );
    }
    if names.len() > MAX_SINGLE_READS {
        return Ok(None);
    }
    let mut metrics = ToggleMetrics::default();
    for name in names {
        let path = format!("/client-metrics/features/{}", encode(&name));
        let reply = call.caller.request(Method::GET, &path, None).await?;
        let counts = counts::of_toggle(&reply.body, environment);
        let counts = counts.map_err(|error| Failure::unexpected(&path, &error.to_string()))?;
        metrics.last_hour.extend(counts.map(|counts| (name, counts)));
    }
    Ok(Some(serde_json::to_vec(&metrics).map_err(ApiError::internal)?.into()))
}

/// Responds with the applications that evaluate the toggle in the query parameter `toggle`, in the selected environment;
/// without the parameter with those of all toggles, which only [`Counters`](super::counters::Counters) know.
///
/// # Errors
/// Those of the request, and [`ApiError::NotReported`].
pub(super) async fn read_applications(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let toggle = call.query("toggle");
    if let Some(mut applications) = call.caches.counters.applications() {
        call.caller.request(Method::GET, "/user", None).await?;
        applications.retain(|name, _| toggle.as_ref().is_none_or(|toggle| toggle == name));
        return respond(&applications);
    }
    let Some(toggle) = toggle else {
        let reason =
            "This server reports applications of single toggles only. Open a toggle to see its applications.";
        return Err(ApiError::NotReported(reason).into());
    };
    let path = format!("/client-metrics/features/{}/raw?hoursBack={APPLICATION_HOURS}", encode(&toggle));
    let history: History = call.caller.read(&path).await?;
    let mut applications: Vec<_> = history
        .data
        .into_iter()
        .filter(|counts| counts.environment == environment)
        .map(|counts| SeenApplication { app_name: counts.app_name })
        .collect();
    applications.sort_unstable();
    applications.dedup();
    respond(&SeenApplications::from([(toggle, applications)]))
}

/// The counts of a toggle by hour, environment and application.
#[derive(Deserialize)]
struct History {
    data: Vec<ApplicationCounts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApplicationCounts {
    app_name: String,
    environment: String,
}

fn respond(body: &impl Serialize) -> Result<HttpResponse, Failure> {
    Ok(json(StatusCode::OK, serde_json::to_vec(body).map_err(ApiError::internal)?))
}

/// Responds with the counts of one toggle by hour.
///
/// # Errors
/// Those of the request.
pub(super) async fn read_history(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let path = format!("/client-metrics/features/{}/raw?{}", encode(name), call.request.query_string());
    let mut history: Value = call.caller.read(&path).await?;
    counts::select_environment(&mut history, environment);
    respond(&history)
}
