//! Checks the sign-in in front of an upstream (`upstream-sign-in`).

use serde_json::Value;

use super::finding::Finding;
use super::upstream::{display_address, read_user};
use crate::config::{SharedAccount, Upstream, UpstreamSignIn};

/// Subject of the findings.
const SUBJECT: &str = "upstream-sign-in";

/// Warns of persons who reach the upstream directly, and checks that the upstream has the sign-in that `demo` needs, or accepts the
/// credential of `shared`.
pub(super) async fn check(sign_in: &UpstreamSignIn, upstream: &Upstream) -> Vec<Finding> {
    let address = display_address(upstream);
    let is_demo = sign_in.account == SharedAccount::Demo;
    let danger = if is_demo {
        format!(
            "whoever reaches {address} directly can be anybody: its sign-in asks for an email address only"
        )
    } else {
        format!(
            "whoever reaches {address} directly, or has the credential of upstream-header, is not limited by oidc-grant"
        )
    };
    let mut findings = vec![Finding::note(SUBJECT, danger, "let only Flagdeck reach the upstream")];
    // `upstream` reports that it does not respond.
    let Ok((status, body)) = read_user(upstream).await else { return findings };
    let kind = serde_json::from_slice::<Value>(&body).ok();
    let kind = kind.as_ref().and_then(|body| body.get("type")?.as_str());
    findings.push(match (is_demo, status.as_u16(), kind) {
        (true, 401, Some("demo" | "unsecure")) => {
            Finding::pass(SUBJECT, "the upstream signs users in by their email address")
        }
        (true, ..) => Finding::fail(
            SUBJECT,
            "the upstream does not use its demo sign-in",
            "start it with AUTH_TYPE=demo (4.x to 8.x) or AUTH_TYPE=unsecure (3.x)",
        ),
        (false, 401 | 403, _) => Finding::fail(
            SUBJECT,
            "the upstream does not accept the credential of upstream-header",
            "replace it in the file by a credential of the upstream",
        ),
        (false, ..) => Finding::pass(SUBJECT, "the upstream accepts the credential of upstream-header"),
    });
    findings
}
