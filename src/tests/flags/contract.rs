//! Replays what a real server of this API (3.17.6) answered, call by call, and compares. The recording keeps facts
//! literally; `<text>`, `<number>`, `<time>` and `<any>` stand for what differs from server to server.

mod differences;
mod shape;

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;

use self::differences::{DELIBERATE, Deliberate};
use super::message;
use crate::support::app::{Answer, TestApp};

const RECORDING: &str = include_str!("contract/unleash-3.17.6.json");

/// One recorded call and its answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Recorded {
    note: Option<String>,
    /// Method and path.
    call: String,
    /// As the console sends it unless said otherwise; null for none at all.
    #[serde(default = "exactly_json")]
    content_type: Option<String>,
    sent: Option<Value>,
    status: u16,
    kind: Kind,
    answer: Option<Value>,
}

/// What a body is.
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
    /// How the list of differences names this call.
    fn label(&self) -> String {
        self.note.as_ref().map_or_else(|| self.call.clone(), |note| format!("{} ({note})", self.call))
    }

    fn call(&self) -> (Method, &str) {
        let (method, path) = self.call.split_once(' ').unwrap();
        (method.parse().unwrap(), path)
    }

    async fn replay(&self, app: &TestApp, cookie: &str) -> Answer {
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

    /// What about an answer is not as recorded: another status is all there is to say.
    fn compare(&self, answer: &Answer) -> Vec<String> {
        let status = answer.status.as_u16();
        if status != self.status {
            return vec![format!("status {} → {status}", self.status)];
        }
        let kind = kind(answer);
        if kind != self.kind {
            return vec![format!("body {:?} → {kind:?}", self.kind)];
        }
        let mut differences = Vec::new();
        if let Some(recorded) = &self.answer {
            shape::compare(recorded, &answer.json(), "", &mut differences);
        }
        differences
    }
}

fn kind(answer: &Answer) -> Kind {
    match answer.header("content-type").split(';').next() {
        _ if answer.body.is_empty() => Kind::Empty,
        Some("application/json") => Kind::Json,
        Some("text/html") => Kind::Html,
        _ => Kind::Text,
    }
}

/// The session cookie that an answer sets.
fn cookie_of(answer: &Answer) -> Option<String> {
    let cookie = answer.header("set-cookie");
    cookie.split(';').next().filter(|pair| pair.contains('=')).map(str::to_owned)
}

fn recording() -> Vec<Recorded> {
    serde_json::from_str(RECORDING).unwrap()
}

/// Does all recorded calls, and tells what the service answers.
pub(super) async fn replay() -> Vec<(Method, String, Answer)> {
    let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let (mut cookie, mut answers) = (String::new(), Vec::new());
    for recorded in recording() {
        let answer = recorded.replay(&app, &cookie).await;
        if let Some(set) = cookie_of(&answer) {
            cookie = set;
        }
        let (method, path) = recorded.call();
        answers.push((method, path.to_owned(), answer));
    }
    answers
}

#[actix_web::test]
async fn the_embedded_service_answers_as_recorded() {
    let (mut unexpected, mut found) = (Vec::new(), BTreeSet::new());
    for (recorded, (_, _, answer)) in recording().iter().zip(replay().await) {
        for difference in recorded.compare(&answer) {
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
    assert!(unexpected.is_empty(), "differs, and nobody says why:\n{}", unexpected.join("\n"));
    assert!(unused.is_empty(), "no longer differs: {unused:#?}");
}

#[actix_web::test]
async fn every_failure_is_the_callers_and_tells_what_to_change() {
    for (method, path, answer) in replay().await {
        assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.status);
        if answer.status.is_client_error() {
            assert_ne!(message(&answer), "", "{method} {path}: {}", answer.body);
        }
    }
}
