//! Checks the flag service with some requests of the console, over a connection like the proxy's connections.

use std::time::{Instant, SystemTime};

use actix_web::error::ParseError;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use rustls::{CertificateError, Error as TlsError};
use serde_json::{Value, json};

use super::finding::Finding;
use super::responses::{self, ProbeResponse};
use super::{certificate, environments};
use crate::api_path::USER_PATH;
use crate::compat;
use crate::config::{ClientToken, Public, RequestLimits, Upstream, UpstreamAddress};
use crate::upstream::error::ExchangeError;
use crate::upstream::{awc_client, connector};

/// Maximum size of a response body in bytes. The responses of flag services are smaller.
const BODY_LIMIT: usize = 1 << 20;
/// Subject of the findings about client tokens.
const UPSTREAM_TOKEN: &str = "upstream-token";
/// Subject of the finding about frontend tokens.
const FRONTEND_ORIGIN: &str = "frontend-origin";

/// Checks the connection to the flag service, its responses and its certificate.
pub(super) async fn check(upstream: &Upstream, public: &Public, limits: &RequestLimits) -> Vec<Finding> {
    // awc 3.11 panics while it builds a TLS connector if no provider is installed.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = awc_client::for_upstream(upstream);
    let start = Instant::now();
    let user = match get(&client, upstream, USER_PATH, None).await {
        Ok(response) => response,
        Err(fault) => return vec![fault],
    };
    let took = start.elapsed().as_millis();
    let reachable = format!("{} responded after {took} ms", display_address(upstream));
    let config = get(&client, upstream, "/api/admin/ui-config", None).await.ok();
    let mut findings = vec![Finding::pass("connection", reachable), responses::check_encryption(upstream)];
    findings.extend(check_certificate(upstream).await);
    let is_https = public.url.as_ref().map_or(public.has_tls, |url| url.scheme == "https");
    findings.extend(responses::check_responses(&user, config.as_ref(), SystemTime::now(), is_https));
    findings.extend(check_client_tokens(&client, upstream).await);
    findings.extend(check_validation(&client, upstream).await);
    if let Ok(kind) = compat::detect(upstream, limits).await {
        findings.extend(environments::check(kind.as_ref(), upstream));
    }
    findings
}

/// Checks the certificate on another connection, because responses do not contain it.
async fn check_certificate(upstream: &Upstream) -> Option<Finding> {
    let certificate = tokio::time::timeout(upstream.connect_timeout, connector::fetch_certificate(upstream))
        .await
        .ok()??;
    let renew =
        "ask the operator of the flag service to renew it; the console cannot connect after it expires";
    Some(certificate::check_validity("certificate", &certificate, SystemTime::now(), renew))
}

/// Checks that the flag service accepts each client token.
async fn check_client_tokens(client: &awc::Client, upstream: &Upstream) -> Vec<Finding> {
    let mut findings = Vec::new();
    for ClientToken { environment, value } in upstream.client_tokens.iter() {
        let name = environment.as_ref().map_or_else(
            || "the token".to_owned(),
            |environment| format!("the token of the environment {environment}"),
        );
        findings.push(match get(client, upstream, "/api/client/features", Some(value)).await {
            Ok(response) if response.status.is_success() => {
                Finding::pass(UPSTREAM_TOKEN, format!("the flag service accepts {name}"))
            }
            Ok(response) => {
                let message = format!("the flag service refuses {name} ({})", response.status);
                Finding::fail(
                    UPSTREAM_TOKEN,
                    message,
                    "replace it in the file by a client token of the flag service",
                )
            }
            Err(fault) => fault,
        });
    }
    findings
}

/// Checks that the flag service says which tokens are valid, if frontend tokens are learned.
async fn check_validation(client: &awc::Client, upstream: &Upstream) -> Option<Finding> {
    upstream.replica.as_ref().filter(|replica| !replica.frontend_origins.is_empty())?;
    let tokens: Vec<_> =
        upstream.client_tokens.iter().filter_map(|token| token.value.to_str().ok()).collect();
    let request = request(client, Method::POST, upstream, "/edge/validate", upstream.headers_for_sdks());
    let request = request.send_json(&json!({ "tokens": tokens }));
    let answer = async { request.await.ok()?.json::<Value>().limit(BODY_LIMIT).await.ok() };
    let answer = tokio::time::timeout(upstream.head_timeout, answer).await.ok().flatten();
    let listed = answer.as_ref().and_then(|answer| answer["tokens"].as_array()).map(Vec::len);
    Some(match listed {
        Some(1..) => {
            Finding::pass(FRONTEND_ORIGIN, "the flag service says which frontend tokens are valid".to_owned())
        }
        _ => Finding::fail(
            FRONTEND_ORIGIN,
            "the flag service does not say which frontend tokens are valid".to_owned(),
            "it must be Unleash 4.15 or newer and accept the client tokens; for older versions, use frontend-tokens",
        ),
    })
}

/// Sends a request with the headers of the settings, of which a client token replaces the credential.
async fn get(
    client: &awc::Client,
    upstream: &Upstream,
    path: &str,
    client_token: Option<&HeaderValue>,
) -> Result<ProbeResponse, Finding> {
    let mut request = request(client, Method::GET, upstream, path, &upstream.added_headers);
    if let Some(token) = client_token {
        request = request.insert_header((header::AUTHORIZATION, token.clone()));
    }
    let mut response = tokio::time::timeout(upstream.head_timeout, request.send())
        .await
        .map_err(|_elapsed| timeout_finding(upstream))?
        .map_err(|error| unreachable_finding(upstream, &error.into()))?;
    let read = tokio::time::timeout(upstream.idle_timeout, response.body().limit(BODY_LIMIT)).await;
    let body = read.ok().and_then(Result::ok).unwrap_or_default();
    Ok(ProbeResponse { status: response.status(), headers: response.headers().clone(), body: body.to_vec() })
}

/// Creates a request to the flag service with these headers.
fn request(
    client: &awc::Client,
    method: Method,
    upstream: &Upstream,
    path: &str,
    headers: &[(HeaderName, HeaderValue)],
) -> awc::ClientRequest {
    let request = client
        .request(method, format!("{}{}{path}", upstream.connect_url, upstream.path))
        .insert_header((header::HOST, upstream.authority.as_str()))
        .insert_header((header::ACCEPT, "application/json"));
    headers
        .iter()
        .fold(request, |request, (name, value)| request.insert_header((name.clone(), value.clone())))
}

/// Reads the user of the headers of the settings: the status and the body of the response.
pub(super) async fn read_user(upstream: &Upstream) -> Result<(StatusCode, Vec<u8>), Finding> {
    let client = awc_client::for_upstream(upstream);
    let response = get(&client, upstream, USER_PATH, None).await?;
    Ok((response.status, response.body))
}

pub(super) fn display_address(upstream: &Upstream) -> String {
    match &upstream.address {
        UpstreamAddress::Socket(path) => path.display().to_string(),
        UpstreamAddress::Network(_) => upstream.authority.clone(),
    }
}

fn timeout_finding(upstream: &Upstream) -> Finding {
    let message = format!(
        "{} did not respond within {} s",
        display_address(upstream),
        upstream.head_timeout.as_secs_f64()
    );
    Finding::fail("connection", message, "check whether it is overloaded, or raise upstream-head-timeout")
}

fn unreachable_finding(upstream: &Upstream, error: &ExchangeError) -> Finding {
    let message = format!("{} cannot be reached: {}", display_address(upstream), error.reason());
    Finding::fail("connection", message, remedy(error))
}

fn remedy(error: &ExchangeError) -> &'static str {
    match (tls_error(error), error) {
        (Some(TlsError::InvalidCertificate(fault)), _) => certificate_remedy(fault),
        (Some(TlsError::AlertReceived(_)), _) => {
            "the flag service refuses the connection: check whether it requires upstream-client-cert, and upstream-server-name"
        }
        (_, ExchangeError::ConnectTimeout | ExchangeError::HeadTimeout) => {
            "check whether a firewall blocks connections from this machine"
        }
        (_, ExchangeError::Resolve(_)) => {
            "check the host name in upstream and the name servers of this machine"
        }
        (None, ExchangeError::Connect(_)) => {
            "check whether the flag service runs, and the host and port or the socket in upstream"
        }
        _ => CHECK_SCHEME,
    }
}

/// Returns the TLS error of a failed request. It can occur after the handshake: then servers refuse a missing client
/// certificate.
fn tls_error(error: &ExchangeError) -> Option<&TlsError> {
    let (ExchangeError::Connect(error)
    | ExchangeError::Send(error)
    | ExchangeError::Response(ParseError::Io(error))) = error
    else {
        return None;
    };
    error.get_ref()?.downcast_ref()
}

/// Remedy for an upstream that does not use the protocol of the URL.
const CHECK_SCHEME: &str = "check whether the flag service uses http:// or https:// on this port";

fn certificate_remedy(fault: &CertificateError) -> &'static str {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "ask the operator of the flag service to renew its certificate; also check the clock of this machine"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "check the clock of this machine"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "use a name of the certificate in upstream, or set upstream-server-name to it"
        }
        _ => {
            "configure the flag service to send its certificate chain; for a private authority set upstream-ca"
        }
    }
}
