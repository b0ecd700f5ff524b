//! Counts of evaluations, which newer servers keep for each hour and environment, and the applications that evaluate. The
//! counts of the last minute come from [`ReportedUsage`](super::ReportedUsage).

mod counts;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::{Failure, not_reported};
use super::project_lists::read_projects;
use super::user_key::UserKey;
use super::{Call, encode, json, scope, search};
use crate::api::{Counts, ToggleMetrics};
use crate::error::ApiError;

/// Age after which the counts are read again. Servers refuse more than 15 searches per minute.
const MAX_AGE: Duration = Duration::from_mins(1);
/// Maximum number of toggles whose counts are read one by one, about one second of the server's time per minute.
const MAX_SINGLE_READS: usize = 200;
/// Maximum number of these toggles that are read at the same time.
const MAX_PARALLEL_READS: usize = 4;
/// Maximum size of all counts in memory, and the approximate size of an entry without its name. The counts of 10,000 toggles
/// take 1 MB.
const MAX_BYTES: u64 = 32 << 20;
const ENTRY_BYTES: usize = 80;
/// Hours for which the applications of a toggle are reported, as the server's own console does.
const APPLICATION_HOURS: u32 = 24;

/// The counts of the last hour by user and environment. `None` stands for too many toggles. Failures are not kept.
#[derive(Debug)]
pub(super) struct UsageCache(Cache<(UserKey, String), Option<Arc<HourlyCounts>>>);

/// The counts of the last hour by name of the toggle. Also contains unused toggles, so that it shows which ones a user can
/// see.
type HourlyCounts = BTreeMap<String, Counts>;

impl Default for UsageCache {
    fn default() -> Self {
        let size = |(_, environment): &(_, String), counts: &Option<Arc<HourlyCounts>>| {
            let names = counts.iter().flat_map(|counts| counts.keys());
            let size: usize = names.map(|name| name.len() + ENTRY_BYTES).sum();
            (size_of::<UserKey>() + environment.len() + size).try_into().unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(size).time_to_live(MAX_AGE).build())
    }
}

/// Responds with the counts of all toggles. The server counts the last hour; this process counts the reports of the last
/// minute that pass through it.
///
/// Consoles poll this every few seconds. Each poll verifies the user with a small request, and uses the counts of other
/// polls with the same credentials.
pub(super) async fn read_all(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    call.caller.request(Method::GET, "/user", None).await?;
    // Simultaneous polls wait for the result of the first one. If its client disconnects, the next one reads.
    let read = call.caller.within_deadline(read_counts(call, environment));
    let counts = call.caches.usage.0.try_get_with((call.user, environment.to_owned()), read).await;
    let counts = counts.map_err(|failure: Arc<Failure>| Failure::clone(&failure))?;
    // The console would show other toggles as unused, so that a part of the counts is not useful.
    let counts = counts.ok_or_else(|| not_reported(TOO_MANY))?;
    let mut last_minute = call.reported.last_minute(environment);
    // The reports are about toggles of all projects.
    last_minute.retain(|name, _| counts.contains_key(name));
    let used = counts.iter().filter(|(_, counts)| counts.yes.saturating_add(counts.no) > 0);
    let last_hour = used.map(|(name, counts)| (name.clone(), *counts)).collect();
    respond(&ToggleMetrics { last_hour, last_minute })
}

const TOO_MANY: &str = "This server reports usage of single toggles only, and more than 200 were used in the last hour. Open a toggle to see its usage.";

async fn read_counts(call: &Call, environment: &str) -> Result<Option<Arc<HourlyCounts>>, Failure> {
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
    let convert = move || counts::of_pages(&pages, &environment);
    let counts = web::block(convert).await.map_err(ApiError::internal)?;
    let counts = counts.map_err(|error| Failure::unexpected("the search", &error.to_string()))?;
    Ok(Some(Arc::new(counts)))
}

/// Reads the counts of the toggles that were used since `start`, one by one. Returns `None` if there are too many.
async fn read_single_counts(
    call: &Call,
    environment: &str,
    start: Timestamp,
) -> Result<Option<Arc<HourlyCounts>>, Failure> {
    let mut names = Vec::new();
    for (_, list) in read_projects(call, scope::projects(&call.server)).await? {
        let seen = counts::seen_since(&list, start);
        names.extend(seen.map_err(|error| Failure::unexpected("the list of toggles", &error.to_string()))?);
    }
    if names.len() > MAX_SINGLE_READS {
        return Ok(None);
    }
    let read = async |name: String| {
        let path = format!("/client-metrics/features/{}", encode(&name));
        let reply = match call.caller.request(Method::GET, &path, None).await {
            // It was archived, or the user may not see it any more.
            Err(failure) if failure.is_not_visible() => return Ok(None),
            reply => reply?,
        };
        let counts = counts::of_toggle(&reply.body, environment);
        let counts = counts.map_err(|error| Failure::unexpected(&path, &error.to_string()))?;
        Ok::<_, Failure>(Some((name, counts.unwrap_or_default())))
    };
    let counts: Vec<_> =
        stream::iter(names).map(read).buffer_unordered(MAX_PARALLEL_READS).try_collect().await?;
    Ok(Some(Arc::new(counts.into_iter().flatten().collect())))
}

/// An application that evaluates a toggle.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
struct SeenApplication {
    app_name: String,
}

/// Responds with the applications that evaluate the toggle in the query parameter `toggle`, in the selected environment. The
/// server does not list the applications of all toggles.
pub(super) async fn read_applications(call: &Call) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let Some(toggle) = call.query("toggle") else {
        let reason =
            "This server reports applications of single toggles only. Open a toggle to see its applications.";
        return Err(not_reported(reason).into());
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
    respond(&BTreeMap::from([(toggle, applications)]))
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
pub(super) async fn read_history(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let path = format!("/client-metrics/features/{}/raw?{}", encode(name), call.request.query_string());
    let mut history: Value = call.caller.read(&path).await?;
    counts::select_environment(&mut history, environment);
    respond(&history)
}
