//! Evaluation of toggles (`POST /-/evaluate`). `evaluation/request.rs` describes its format.

use std::time::{Duration, Instant};

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use jiff::{Timestamp, Unit};
use serde_json::from_slice;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::evaluation::Definitions;
use crate::evaluation::request::{EvaluateRequest, RequestError};
use crate::json_body::{BodyLimits, read_body};

/// The limits of the body: 10,000 contexts with 20 fields, or 5,000 toggles with 100 values.
const LIMITS: BodyLimits = BodyLimits { bytes: 8 << 20, values: 500_000, objects: 100_000 };
/// Maximum time of an evaluation.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Limits the number of bodies in memory.
static READING: Semaphore = Semaphore::const_new(16);
/// Limits the number of evaluations at the same time. Each occupies a core.
static EVALUATING: Semaphore = Semaphore::const_new(2);

/// Evaluates the toggles of the request, or else those of `stored`, the JSON of [`Definitions`].
///
/// # Errors
/// [`ApiError::BadBody`] for invalid requests; [`ApiError::BodyTooLarge`] and
/// [`ApiError::TooMuchWork`] above a limit.
pub async fn evaluate(body: web::Payload, stored: Option<Bytes>) -> Result<HttpResponse, ApiError> {
    let _reading = READING.acquire().await.map_err(ApiError::internal)?;
    let body = read_body(body, &LIMITS).await?;
    let permit = EVALUATING.acquire().await.map_err(ApiError::internal)?;
    let run = move || {
        // The permit belongs to the work, which continues after the client has disconnected.
        let _permit = permit;
        respond(&body, stored.as_deref())
    };
    let response = web::block(run).await.map_err(ApiError::internal)??;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(response))
}

fn respond(body: &[u8], stored: Option<&[u8]>) -> Result<Vec<u8>, ApiError> {
    let start = Instant::now();
    let mut request: EvaluateRequest = from_slice(body)
        .map_err(|cause| ApiError::BadBody(format!("The request body is not a valid evaluation: {cause}")))?;
    if let (None, Some(stored)) = (&request.toggles, stored) {
        let Definitions { features, segments } = from_slice(stored).map_err(ApiError::internal)?;
        request.toggles = Some(features);
        request.segments.get_or_insert(segments);
    }
    let now = Timestamp::now().round(Unit::Second).map_err(ApiError::internal)?.to_string();
    let response = request.evaluate(&now, || start.elapsed() > MAX_TIME).map_err(|error| match error {
        RequestError::Invalid(message) => ApiError::BadBody(message),
        RequestError::TooMuchWork(message) => ApiError::TooMuchWork(message),
    })?;
    serde_json::to_vec(&response).map_err(ApiError::internal)
}
