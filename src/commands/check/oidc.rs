//! Checks the OpenID Connect provider (`auth = "oidc"`): its configuration, its keys and its signature algorithms. Prints the
//! addresses to register there.

use std::sync::Arc;

use super::finding::Finding;
use crate::config::{Auth, Listen};
use crate::sign_in::{Probe, Refused, SignIn};

/// Subject of the findings.
const OIDC: &str = "oidc";

/// Checks the provider of these settings; no findings without one.
pub(super) async fn check(auth: &Auth, listen: &Listen) -> Vec<Finding> {
    let Some(oidc) = &auth.oidc else { return Vec::new() };
    // awc 3.11 panics while it builds a TLS connector if no provider is installed.
    drop(rustls::crypto::ring::default_provider().install_default());
    let sign_in = SignIn::new(Arc::clone(oidc), &listen.base_path);
    let mut findings = vec![Finding::pass(
        OIDC,
        format!("the redirect address to register at the provider is {}", sign_in.redirect_uri()),
    )];
    if oidc.grants.is_empty() {
        findings.push(Finding::note(
            OIDC,
            "oidc-grant is not set: users of the provider can only read",
            "grant permissions to groups, such as oidc-grant = [\"flag-admins=ADMIN\"]",
        ));
    }
    match sign_in.probe().await {
        Ok(probe) => findings.extend(describe(&probe, &oidc.issuer, &sign_in)),
        Err(Refused { refusal, reason, .. }) => {
            findings.push(Finding::fail(OIDC, format!("{reason} ({})", refusal.code()), refusal.message()));
        }
    }
    findings
}

fn describe(probe: &Probe, issuer: &str, sign_in: &SignIn) -> Vec<Finding> {
    let Probe { issuer: spelt, algorithms, supported, keys, signs_out } = probe;
    let mut findings = vec![if spelt == issuer {
        Finding::pass(OIDC, format!("the provider spells its issuer {spelt}"))
    } else {
        let message = format!("the provider spells its issuer {spelt}, and oidc-issuer is {issuer}");
        Finding::note(
            OIDC,
            message,
            format!("one slash may differ; set oidc-issuer to {spelt} for other programs"),
        )
    }];
    let algorithms = algorithms.join(", ");
    findings.push(if supported.is_empty() {
        let message = format!("none of the signature algorithms is supported: {algorithms}");
        Finding::fail(OIDC, message, "select RS256 or ES256 for ID tokens at the provider")
    } else {
        Finding::pass(OIDC, format!("the signature algorithms of ID tokens are {algorithms}"))
    });
    findings.push(if *keys == 0 {
        Finding::fail(OIDC, "the provider publishes no usable key", "check the keys of the provider")
    } else {
        Finding::pass(OIDC, format!("number of keys for signatures: {keys}"))
    });
    findings.push(if *signs_out {
        let address = sign_in.signed_out_uri();
        Finding::pass(OIDC, format!("the address to register for the return after a sign-out is {address}"))
    } else {
        let message =
            "the provider has no end_session_endpoint: a sign-out ends the session of Flagdeck only";
        Finding::note(OIDC, message, "")
    });
    findings
}
