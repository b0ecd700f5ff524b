//! Counts of evaluations, which newer servers keep for each hour and environment, and the applications that evaluate.

mod counts;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use jiff::{SignedDuration, Timestamp};
use moka::future::Cache;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::{Failure, not_reported};
use super::user_key::UserKey;
use super::{Call, encode, json, search};
use crate::api::{Counts, ToggleMetrics};
use crate::error::ApiError;

/// Age after which the counts are read again. Servers refuse more than 15 searches per minute.
const MAX_AGE: Duration = Duration::from_mins(1);
/// Maximum size of all counts in memory, and the approximate size of an entry without its name. The counts of 10,000 toggles
/// take 1 MB.
const MAX_BYTES: u64 = 32 << 20;
const ENTRY_BYTES: usize = 80;
/// Hours for which the applications of a toggle are reported, as the server's own console does.
const APPLICATION_HOURS: u32 = 24;

/// The counts of the last hour by user and environment. Failures are not kept.
#[derive(Debug)]
pub(super) struct UsageCache(Cache<(UserKey, String), Arc<HourlyCounts>>);

/// The counts of the last hour by name of the toggle, without unused toggles.
type HourlyCounts = BTreeMap<String, Counts>;

impl Default for UsageCache {
    fn default() -> Self {
        let size = |(_, environment): &(_, String), counts: &Arc<HourlyCounts>| {
            let size: usize = counts.keys().map(|name| name.len() + ENTRY_BYTES).sum();
            (size_of::<UserKey>() + environment.len() + size).try_into().unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(size).time_to_live(MAX_AGE).build())
    }
}

/// Responds with the counts of all toggles in the last hour. The server does not count the last minute.
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
    let last_hour = HourlyCounts::clone(&counts);
    respond(&ToggleMetrics { last_hour, last_minute: BTreeMap::new() })
}

const NO_SEARCH: &str = "This server reports usage of single toggles only. Open a toggle to see its usage.";

async fn read_counts(call: &Call, environment: &str) -> Result<Arc<HourlyCounts>, Failure> {
    // 8.2 returns only the toggles of this day; 5.12 and 6.10 ignore the filter.
    let hour_ago = Timestamp::now().checked_sub(SignedDuration::from_hours(1)).map_err(ApiError::internal)?;
    let day = hour_ago.strftime("%Y-%m-%d");
    let pages = match search::pages(call, &format!("lastSeenAt=IS_ON_OR_AFTER%3A{day}")).await {
        // Servers before 5.12 may have no search.
        Err(failure) if failure.has_status(404) => return Err(not_reported(NO_SEARCH).into()),
        pages => pages?.pages,
    };
    let environment = environment.to_owned();
    let convert = move || counts::of_pages(&pages, &environment);
    let counts = web::block(convert).await.map_err(ApiError::internal)?;
    let counts = counts.map_err(|error| Failure::unexpected("the search", &error.to_string()))?;
    Ok(Arc::new(counts))
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
