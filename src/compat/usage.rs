//! Counts of evaluations, which newer servers keep for each hour and environment.

mod counts;

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::caller::Reply;
use super::failure::Failure;
use super::{Call, encode, json, search};
use crate::error::ApiError;

/// Age after which the counts are read again. Servers refuse more than 15 searches per minute.
const MAX_AGE: Duration = Duration::from_mins(1);

/// The counts of the last hour by environment, for the consoles of all users. The key is the environment because an
/// open-source server shows the counts to all users.
#[derive(Debug, Default)]
pub(super) struct UsageCache(Mutex<HashMap<String, Cached>>);

#[derive(Debug)]
struct Cached {
    at: Instant,
    /// The response to the console, or the refusal of the server, which is not asked again before [`MAX_AGE`] either.
    result: Result<Bytes, Reply>,
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
        Ok(counts) => Ok(json(StatusCode::OK, counts.to_vec())),
        // 4.19 has no search. The console shows that the server does not report these counts.
        Err(reply) if reply.status == StatusCode::NOT_FOUND => Ok(HttpResponse::Gone().finish()),
        Err(reply) => Err(Failure::Refused(Box::new(reply))),
    }
}

async fn read_counts(call: &Call, environment: &str) -> Result<Bytes, Failure> {
    // 8.2 returns only the toggles of this day; 5.12 and 6.10 ignore the filter.
    let hour_ago = Timestamp::now().checked_sub(SignedDuration::from_hours(1)).map_err(ApiError::internal)?;
    let day = hour_ago.strftime("%Y-%m-%d");
    let pages = search::pages(call, &format!("lastSeenAt=IS_ON_OR_AFTER%3A{day}")).await?;
    let environment = environment.to_owned();
    let convert = move || counts::to_metrics(&pages, &environment);
    let metrics = web::block(convert).await.map_err(ApiError::internal)?;
    let metrics = metrics.map_err(|error| Failure::unexpected("the search", &error.to_string()))?;
    Ok(serde_json::to_vec(&metrics).map_err(ApiError::internal)?.into())
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
    Ok(json(StatusCode::OK, serde_json::to_vec(&history).map_err(ApiError::internal)?))
}
