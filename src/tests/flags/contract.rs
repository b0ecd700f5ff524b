//! Replays the recorded requests of a real Unleash 3.17.6 and compares the responses. In the recording, `<text>`,
//! `<number>`, `<time>` and `<any>` stand for values that differ between servers; other values are literal.

mod differences;
mod shape;

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;

use self::differences::{DELIBERATE, Deliberate};
use super::message;
use crate::support::app::{Response, TestApp};

const RECORDING: &str = include_str!("contract/unleash-3.17.6.json");

/// A recorded request and its response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Recorded {
    note: Option<String>,
    /// The method and the path.
    call: String,
    /// The content type; the console's by default, null for none.
    #[serde(default = "exactly_json")]
    content_type: Option<String>,
    sent: Option<Value>,
    status: u16,
    kind: Kind,
    #[serde(rename = "answer")]
    response: Option<Value>,
}

/// The kind of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Empty,
    Json,
    Html,
    Text,
}

#[expect(clippy::unnecessary_wraps, reason = "it is the default of an optional field")]
fn exactly_json() -> Option<String> {
    Some("application/json".to_owned())
}

impl Recorded {
    /// Returns the label of this call in the list of differences.
    fn label(&self) -> String {
        self.note.as_ref().map_or_else(|| self.call.clone(), |note| format!("{} ({note})", self.call))
    }

    fn call(&self) -> (Method, &str) {
        let (method, path) = self.call.split_once(' ').unwrap();
        (method.parse().unwrap(), path)
    }

    async fn replay(&self, app: &TestApp, cookie: &str) -> Response {
        let (method, path) = self.call();
        let mut headers = Vec::new();
        if let Some(content_type) = &self.content_type
            && matches!(method, Method::POST | Method::PUT)
        {
            headers.push(("content-type", content_type.as_str()));
        }
        if !cookie.is_empty() {
            headers.push(("cookie", cookie));
        }
        let body = self.sent.as_ref().map(Value::to_string).unwrap_or_default();
        app.send(method, path, &headers, &body).await
    }

    /// Returns the differences of a response from the recorded one. Stops at a different status.
    fn compare(&self, response: &Response) -> Vec<String> {
        let status = response.status.as_u16();
        if status != self.status {
            return vec![format!("status {} → {status}", self.status)];
        }
        let kind = kind(response);
        if kind != self.kind {
            return vec![format!("body {:?} → {kind:?}", self.kind)];
        }
        let mut differences = Vec::new();
        if let Some(recorded) = &self.response {
            shape::compare(recorded, &response.json(), "", &mut differences);
        }
        differences
    }
}

fn kind(response: &Response) -> Kind {
    match response.header("content-type").split(';').next() {
        _ if response.body.is_empty() => Kind::Empty,
        Some("application/json") => Kind::Json,
        Some("text/html") => Kind::Html,
        _ => Kind::Text,
    }
}

/// Returns the session cookie that a response sets.
fn cookie_of(response: &Response) -> Option<String> {
    let cookie = response.header("set-cookie");
    cookie.split(';').next().filter(|pair| pair.contains('=')).map(str::to_owned)
}

fn recording() -> Vec<Recorded> {
    serde_json::from_str(RECORDING).unwrap()
}

/// Sends all recorded requests and returns the responses.
pub(super) async fn replay() -> Vec<(Method, String, Response)> {
    let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let (mut cookie, mut responses) = (String::new(), Vec::new());
    for recorded in recording() {
        let response = recorded.replay(&app, &cookie).await;
        if let Some(set) = cookie_of(&response) {
            cookie = set;
        }
        let (method, path) = recorded.call();
        responses.push((method, path.to_owned(), response));
    }
    responses
}

#[actix_web::test]
async fn embedded_service_responds_like_the_recorded_unleash() {
    let (mut unexpected, mut found) = (Vec::new(), BTreeSet::new());
    for (recorded, (_, _, response)) in recording().iter().zip(replay().await) {
        for difference in recorded.compare(&response) {
            let reasons: Vec<usize> = (0..DELIBERATE.len())
                .filter(|&index| DELIBERATE[index].covers(&recorded.label(), recorded.status, &difference))
                .collect();
            if reasons.is_empty() {
                unexpected.push(format!("{}: {difference}", recorded.label()));
            }
            found.extend(reasons);
        }
    }
    let unused: Vec<&Deliberate> = DELIBERATE
        .iter()
        .enumerate()
        .filter(|(index, _)| !found.contains(index))
        .map(|(_, one)| one)
        .collect();
    assert!(
        unexpected.is_empty(),
        "unexpected differences (explain intended ones in differences.rs):\n{}",
        unexpected.join("\n")
    );
    assert!(unused.is_empty(), "no longer differs: {unused:#?}");
}

#[actix_web::test]
async fn contract_errors_are_client_errors_with_a_message() {
    for (method, path, response) in replay().await {
        assert!(!response.status.is_server_error(), "{method} {path}: {}", response.status);
        if response.status.is_client_error() {
            assert_ne!(message(&response), "", "{method} {path}: {}", response.body);
        }
    }
}
