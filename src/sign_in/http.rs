//! Requests to the provider: limited in time and size, without redirects.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use awc::error::PayloadError;
use serde_json::{Map, Value};

use super::json::{JsonFault, parse_object};
use super::refusal::{Refusal, Refused};
use crate::config::Oidc;
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// Maximum size of a response in bytes.
const MAX_SIZE: usize = 1 << 20;

/// A request to the provider. `subject` names it in reasons.
pub(super) struct ProviderRequest<'r> {
    pub(super) subject: &'static str,
    pub(super) url: &'r str,
    /// Value of `Authorization`.
    pub(super) authorization: Option<String>,
    /// The form of a POST request; `None` for GET.
    pub(super) form: Option<String>,
}

/// Sends a request and returns the status and the object in the response.
pub(super) async fn send(
    oidc: &Oidc,
    request: ProviderRequest<'_>,
) -> Result<(StatusCode, Map<String, Value>), Refused> {
    let subject = request.subject;
    match tokio::time::timeout(oidc.times.request, exchange(oidc, request)).await {
        Ok(outcome) => outcome,
        Err(_elapsed) => {
            let seconds = oidc.times.request.as_secs_f64();
            Err(Refusal::Unreachable.because(format!("{subject}: no complete response within {seconds} s")))
        }
    }
}

async fn exchange(
    oidc: &Oidc,
    ProviderRequest { subject, url, authorization, form }: ProviderRequest<'_>,
) -> Result<(StatusCode, Map<String, Value>), Refused> {
    let client = awc_client::for_any_server(oidc.times.request, Arc::clone(&oidc.tls));
    let mut request = if form.is_some() { client.post(url) } else { client.get(url) };
    request = request
        .no_decompress()
        // Interim responses would be read as the response to the next request.
        .force_close()
        .insert_header((USER_AGENT, concat!("Flagdeck/", env!("CARGO_PKG_VERSION"))))
        .insert_header((ACCEPT, "application/json"));
    if let Some(authorization) = authorization {
        request = request.insert_header((AUTHORIZATION, authorization));
    }
    let sent = match form {
        Some(form) => {
            request.insert_header((CONTENT_TYPE, "application/x-www-form-urlencoded")).send_body(form).await
        }
        None => request.send().await,
    };
    let mut response = sent.map_err(|error| {
        let reason = ExchangeError::from(error).reason();
        Refusal::Unreachable.because(format!("{subject}: {reason}"))
    })?;
    let status = response.status();
    // The provider behind a gateway does not respond.
    if matches!(
        status,
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
    ) {
        return Err(Refusal::Unreachable.because(format!("{subject}: status {status}")));
    }
    if status.is_redirection() {
        return Err(Refusal::ProviderRedirects.because(format!("{subject}: redirect ({status})")));
    }
    let body = response.body().limit(MAX_SIZE).await.map_err(|error| match error {
        PayloadError::Overflow => Refusal::ProviderTooLarge
            .because(format!("{subject}: the response is larger than {MAX_SIZE} bytes")),
        error => Refusal::Unreachable.because(format!("{subject}: {error}")),
    })?;
    match parse_object(&body) {
        Ok(object) => Ok((status, object)),
        Err(JsonFault::DuplicateName) => {
            Err(Refusal::DuplicateNames.because(format!("{subject}: the response contains a name twice")))
        }
        // An error page says less than its status.
        Err(JsonFault::NoObject) if !status.is_success() => {
            Err(Refusal::ProviderStatus.because(format!("{subject}: status {status}")))
        }
        Err(JsonFault::NoObject) => {
            Err(Refusal::ProviderNotJson.because(format!("{subject}: the response is not an object in JSON")))
        }
    }
}
