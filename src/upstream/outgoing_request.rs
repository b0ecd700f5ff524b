//! POST requests that report events to receivers which operators have chosen: addons, and the webhook of holds.

use std::time::{Duration, SystemTime};

use actix_web::http::header::{self, HeaderMap, HttpDate};
use awc::http::Uri;
use url::Url;

use super::error::ExchangeError;
use super::retry_policy::Outcome;

/// Media type of JSON.
pub(crate) const JSON: &str = "application/json";
/// Header with the delivery id, by which receivers detect repeated deliveries.
const DELIVERY_ID_HEADER: &str = "x-flagdeck-delivery";

/// An HTTP POST request to a receiver. It contains secrets and must not be logged.
pub struct OutgoingRequest {
    /// URL with the scheme http or https.
    pub url: Uri,
    /// User and password for basic authentication.
    pub credentials: Option<(String, String)>,
    /// Media type of the body.
    pub content_type: String,
    /// Body of the request.
    pub body: String,
}

impl OutgoingRequest {
    /// Creates a request. A user and password in the URL become basic authentication. Returns `None` if no request can be sent
    /// to the URL.
    #[must_use]
    pub fn new(mut url: Url, content_type: String, body: String) -> Option<Self> {
        let decoded =
            |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let credentials = (!url.username().is_empty() || url.password().is_some())
            .then(|| (decoded(url.username()), decoded(url.password().unwrap_or_default())));
        url.set_fragment(None);
        url.set_username("").and_then(|()| url.set_password(None)).ok()?;
        Some(Self { url: url.as_str().parse().ok()?, credentials, content_type, body })
    }

    /// Sends the request. Receivers detect repeated requests by the id of the delivery.
    pub(crate) async fn send(self, client: &awc::Client, delivery_id: String, timeout: Duration) -> Outcome {
        let mut request = client
            .post(self.url)
            .no_decompress()
            .insert_header((header::USER_AGENT, concat!("Flagdeck/", env!("CARGO_PKG_VERSION"))))
            // awc 3.11 returns an interim response as the final one (actix-web issue #1775), which would then be read as
            // the response to the next request.
            .force_close()
            .insert_header((header::ACCEPT, "*/*"))
            .insert_header((header::CONTENT_TYPE, self.content_type))
            .insert_header((DELIVERY_ID_HEADER, delivery_id));
        if let Some((user, password)) = self.credentials {
            request = request.basic_auth(user, password);
        }
        match tokio::time::timeout(timeout, request.send_body(self.body)).await {
            // The body of the response is not read: it is not needed and may have any length.
            Ok(Ok(response)) => Outcome::Responded {
                status: response.status().as_u16(),
                retry_after: parse_retry_after(response.headers()),
            },
            Ok(Err(error)) => {
                let reason = ExchangeError::from(error).reason();
                Outcome::Failed(format!("the receiver could not be reached: {reason}"))
            }
            Err(_) => {
                let seconds = timeout.as_secs_f64();
                Outcome::Failed(format!("the receiver did not respond within {seconds} s"))
            }
        }
    }
}

/// Returns the delay of a `Retry-After` header in seconds or as a date (RFC 9110, section 10.2.3).
pub(crate) fn parse_retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    let seconds = text.parse().map(Duration::from_secs).ok();
    seconds
        .or_else(|| SystemTime::from(text.parse::<HttpDate>().ok()?).duration_since(SystemTime::now()).ok())
}
