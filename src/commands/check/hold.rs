//! Lists the holds of the running server, and checks their webhook.

use std::sync::Arc;
use std::time::Instant;

use super::finding::Finding;
use crate::commands::hold;
use crate::config::{BackendSettings, Config, HoldWebhook, is_secure_url};
use crate::hold::words::describe_active;
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// Subject of the findings.
const HOLD: &str = "hold";
/// Subject of the findings about the webhook.
const HOLD_WEBHOOK: &str = "hold-webhook";

/// Returns a finding for each hold, for a database that the server cannot use, and for the webhook.
pub(super) async fn check(config: &Config) -> Vec<Finding> {
    let can_hold = match &config.backend {
        BackendSettings::Upstream(upstream) => upstream.replica.is_some(),
        BackendSettings::Embedded(_) => true,
    };
    // A server that does not run has no holds, and another finding reports that it is unknown.
    let list =
        if can_hold && config.operation.admin.is_some() { hold::list(config).await.ok() } else { None };
    let (holds, fault) = list.map(|list| (list.holds, list.storage_fault)).unwrap_or_default();
    let remedy = "SDKs get another toggle than the flag service has; flagdeck release ends the hold";
    let mut findings: Vec<_> = fault.iter().map(|fault| describe_fault(fault)).collect();
    if let Some(webhook) = &config.hold.webhook {
        findings.extend(check_webhook(webhook).await);
    }
    findings.extend(holds.iter().map(|held| Finding::note(HOLD, describe_active(held), remedy)));
    findings
}

fn describe_fault(fault: &str) -> Finding {
    let message =
        format!("the server cannot store holds, and does not know those of other instances: {fault}");
    Finding::fail(HOLD, message, "correct the fault; the server tries again each second")
}

/// Connects to the receiver. The request `HEAD` posts no message, and every status means that the receiver can be reached: most
/// chat services refuse it.
async fn check_webhook(webhook: &HoldWebhook) -> Vec<Finding> {
    // awc 3.11 panics while it builds a TLS connector if no provider is installed.
    drop(rustls::crypto::ring::default_provider().install_default());
    let (origin, timeout) = (webhook.origin(), webhook.retry_policy.request_timeout);
    let client = awc_client::for_any_server(timeout, Arc::clone(&webhook.tls));
    let mut url = webhook.url.clone();
    // Always possible for a URL with a host.
    let _infallible = url.set_username("").and_then(|()| url.set_password(None));
    let start = Instant::now();
    let sent = tokio::time::timeout(timeout, client.head(url.as_str()).force_close().send()).await;
    let remedy =
        "check the host name, the firewall and the certificate of the receiver; holds work without it";
    let mut findings = vec![match sent {
        Ok(Ok(_)) => {
            let took = start.elapsed().as_millis();
            Finding::pass(HOLD_WEBHOOK, format!("{origin} responded after {took} ms; no message was sent"))
        }
        Ok(Err(error)) => {
            let reason = ExchangeError::from(error).reason();
            Finding::fail(HOLD_WEBHOOK, format!("{origin} cannot be reached: {reason}"), remedy)
        }
        Err(_) => {
            let seconds = timeout.as_secs_f64();
            Finding::fail(HOLD_WEBHOOK, format!("{origin} did not respond within {seconds} s"), remedy)
        }
    }];
    if !is_secure_url(&webhook.url) {
        let message =
            format!("messages to {origin} are not encrypted, and others in the network can read the URL");
        findings.push(Finding::note(HOLD_WEBHOOK, message, "use an https URL"));
    }
    findings
}
