//! Usage of the last minute on newer servers, which report usage per hour only: counts the reports of SDKs that pass
//! through this process, for each environment.
//!
//! A report counts once the server has accepted it. Reports that SDKs send to the server directly, and reports before the
//! start of this process, are unknown.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::HttpMessage as _;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header::{AUTHORIZATION, CONTENT_ENCODING, HeaderMap};
use actix_web::http::{Method, StatusCode};
use bytes::BytesMut;
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::api::Counts;
use crate::config::{ClientToken, Upstream};
use crate::middleware::sdk_token::token_from_headers;
use crate::usage_windows::Window;

/// Maximum size of a report in bytes. One of 5,000 toggles takes about half a megabyte.
const MAX_REPORT: usize = 1 << 20;
/// Maximum size in bytes of the copies of all reports that are being forwarded.
const MAX_COPIES: usize = 32 << 20;
/// Maximum number of environments.
const MAX_ENVIRONMENTS: usize = 50;
/// Maximum length of the name of a toggle or of an environment in bytes.
const MAX_NAME: usize = 256;
/// Seconds after the last report of an environment for which its usage of the last minute is known. SDKs send no reports
/// while an application evaluates no toggles.
const RECENT: i64 = 60 * 60;
/// Number of seconds that are counted.
const MINUTE: i64 = 60;
/// Environment of reports that name none.
const DEFAULT_ENVIRONMENT: &str = "default";

/// Counts of the last minute by environment and toggle. Clones share them.
#[derive(Debug, Clone)]
pub struct ReportedUsage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Headers that replace the headers of clients.
    added_headers: HeaderMap,
    start: Instant,
    state: Mutex<State>,
    copies: Arc<Semaphore>,
}

#[derive(Debug)]
struct State {
    /// The keys are built by [`key`].
    counts: Window,
    /// The second of the last report of each environment.
    environments: BTreeMap<String, i64>,
}

/// The endpoints that receive counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoint {
    /// Reports of servers, one application each.
    Client,
    /// Reports of several applications, which Unleash Edge sends.
    Bulk,
    /// Reports of browsers. Their tokens are public, so that their names of toggles may be invented.
    Browser,
}

/// A copy of the body of a report, which is complete when the report has been forwarded.
#[derive(Debug)]
pub(super) struct BodyCopy(Rc<RefCell<Option<Copied>>>);

/// The chunks of a body; without a permit before the first one.
#[derive(Debug, Default)]
struct Copied {
    bytes: BytesMut,
    permit: Option<OwnedSemaphorePermit>,
}

/// A report to [`Endpoint::Client`] or [`Endpoint::Browser`].
#[derive(Deserialize)]
struct Report {
    environment: Option<String>,
    bucket: Bucket,
}

#[derive(Deserialize)]
struct Bucket {
    toggles: BTreeMap<String, Evaluations>,
}

/// A report to [`Endpoint::Bulk`].
#[derive(Deserialize)]
struct BulkReport {
    #[serde(default)]
    metrics: Vec<BulkCounts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BulkCounts {
    feature_name: String,
    environment: String,
    #[serde(flatten)]
    evaluations: Evaluations,
}

#[derive(Deserialize)]
struct Evaluations {
    #[serde(default)]
    yes: u64,
    #[serde(default)]
    no: u64,
}

/// Returns true if the server has stored a report. 204 means that it stores none.
#[must_use]
fn is_accepted(status: StatusCode) -> bool {
    matches!(status, StatusCode::OK | StatusCode::ACCEPTED)
}

impl ReportedUsage {
    /// Creates the state without counts.
    pub(super) fn new(upstream: &Upstream) -> Self {
        Self(Arc::new(Inner {
            added_headers: upstream.headers_for_sdks().iter().cloned().collect(),
            start: Instant::now(),
            state: Mutex::new(State { counts: Window::new(1, MINUTE), environments: BTreeMap::new() }),
            copies: Arc::new(Semaphore::new(MAX_COPIES)),
        }))
    }

    /// Copies the body of a report while it is forwarded. Returns `None` for other requests, and for compressed reports.
    pub(super) fn copy_body(&self, request: &mut ServiceRequest, path: &str) -> Option<BodyCopy> {
        let is_report = request.method() == Method::POST
            && Endpoint::find(path).is_some()
            && !request.headers().contains_key(CONTENT_ENCODING);
        if !is_report {
            return None;
        }
        let copy = Rc::new(RefCell::new(Some(Copied::default())));
        let (shared, memory) = (Rc::clone(&copy), Arc::clone(&self.0.copies));
        let chunks = request.take_payload().inspect(move |chunk| {
            let mut copied = shared.borrow_mut();
            let is_copied = match (&mut *copied, chunk) {
                (Some(copied), Ok(chunk)) => copied.push(chunk, &memory),
                _ => false,
            };
            if !is_copied {
                *copied = None;
            }
        });
        request.set_payload(Payload::Stream { payload: Box::pin(chunks) });
        Some(BodyCopy(copy))
    }

    /// Counts a report to which the server has responded with this status, unless it has refused the report. `path` is the
    /// path of the endpoint below the base path. A report that cannot be parsed, or for whose names there is no room, is
    /// ignored.
    pub(crate) fn record(&self, path: &str, headers: &HeaderMap, body: &[u8], status: StatusCode) {
        let Some(endpoint) = Endpoint::find(path).filter(|_| is_accepted(status)) else { return };
        let headers =
            if self.0.added_headers.contains_key(AUTHORIZATION) { &self.0.added_headers } else { headers };
        let environment = token_from_headers(headers).and_then(environment_of);
        let Ok((environment, counts)) = endpoint.parse(body, environment) else { return };
        if !is_environment(&environment) {
            return;
        }
        let (mut state, second) = (self.lock(), self.second());
        if !state.note_environment(&environment, second) {
            return;
        }
        for (toggle, counts) in counts {
            if toggle.len() <= MAX_NAME {
                state.counts.add(second, &key(&environment, &toggle), counts, endpoint != Endpoint::Browser);
            }
        }
    }

    /// Returns the counts of the last minute in an environment.
    pub(super) fn last_minute(&self, environment: &str) -> BTreeMap<String, Counts> {
        let (mut state, second) = (self.lock(), self.second());
        let prefix = key(environment, "");
        let sums = state.counts.sums(second);
        let of_environment =
            sums.filter_map(|(key, counts)| Some((key.strip_prefix(&prefix)?.to_owned(), counts)));
        of_environment.collect()
    }

    /// Returns the environments whose usage of the last minute is known.
    pub(super) fn environments(&self) -> Vec<String> {
        let second = self.second();
        self.lock().remove_old_environments(second).keys().cloned().collect()
    }

    /// Returns the seconds since the start.
    fn second(&self) -> i64 {
        i64::try_from(self.0.start.elapsed().as_secs()).unwrap_or(i64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Notes a report of an environment. Returns false if there are too many environments.
    fn note_environment(&mut self, name: &str, second: i64) -> bool {
        let environments = self.remove_old_environments(second);
        let has_room = environments.contains_key(name) || environments.len() < MAX_ENVIRONMENTS;
        if has_room {
            environments.insert(name.to_owned(), second);
        }
        has_room
    }

    fn remove_old_environments(&mut self, second: i64) -> &mut BTreeMap<String, i64> {
        self.environments.retain(|_, last| second.saturating_sub(*last) < RECENT);
        &mut self.environments
    }
}

impl BodyCopy {
    /// Returns the body; `None` if it was too large or is not complete.
    pub(super) fn into_bytes(self) -> Option<BytesMut> {
        self.0.take().map(|copied| copied.bytes)
    }
}

impl Copied {
    /// Adds a chunk. Returns false if the report or all copies together are too large.
    fn push(&mut self, chunk: &[u8], memory: &Arc<Semaphore>) -> bool {
        if self.bytes.len() + chunk.len() > MAX_REPORT {
            return false;
        }
        let size = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
        let Ok(permit) = Arc::clone(memory).try_acquire_many_owned(size) else { return false };
        match &mut self.permit {
            Some(held) => held.merge(permit),
            held @ None => *held = Some(permit),
        }
        self.bytes.extend_from_slice(chunk);
        true
    }
}

impl Endpoint {
    fn find(path: &str) -> Option<Self> {
        match path.trim_end_matches('/') {
            "/api/client/metrics" => Some(Self::Client),
            "/api/client/metrics/bulk" => Some(Self::Bulk),
            "/api/frontend/client/metrics" | "/api/proxy/client/metrics" => Some(Self::Browser),
            _ => None,
        }
    }

    /// Returns the environment of a report with its counts by toggle. `environment` is the environment of the token. Of a
    /// bulk report, servers store only the counts of this environment.
    fn parse(
        self,
        body: &[u8],
        environment: Option<&str>,
    ) -> Result<(String, Vec<(String, Counts)>), serde_json::Error> {
        if self == Self::Bulk {
            let BulkReport { metrics } = serde_json::from_slice(body)?;
            let environment = environment.unwrap_or(DEFAULT_ENVIRONMENT);
            let metrics = metrics.into_iter().filter(|counts| counts.environment == environment);
            let counts = metrics.map(|counts| (counts.feature_name, counts.evaluations.into()));
            return Ok((environment.to_owned(), counts.collect()));
        }
        let Report { environment: named, bucket } = serde_json::from_slice(body)?;
        let environment = environment.map(str::to_owned).or(named);
        let counts = bucket.toggles.into_iter().map(|(toggle, evaluations)| (toggle, evaluations.into()));
        Ok((environment.unwrap_or_else(|| DEFAULT_ENVIRONMENT.to_owned()), counts.collect()))
    }
}

impl From<Evaluations> for Counts {
    fn from(Evaluations { yes, no }: Evaluations) -> Self {
        Self { yes, no }
    }
}

/// Returns the environment of a token; `None` for tokens of all environments, and for tokens of older servers.
fn environment_of(token: &str) -> Option<&str> {
    ClientToken::environment_of(token).filter(|environment| *environment != "*")
}

/// Returns true for a name that servers allow: characters of URLs.
fn is_environment(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
}

/// Returns the key of a toggle in an environment. It is unique, because names of environments contain no line breaks.
fn key(environment: &str, toggle: &str) -> String {
    format!("{environment}\n{toggle}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::http::StatusCode;
    use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
    use serde_json::{Value, json};
    use tokio::time::advance;

    use super::{Endpoint, MAX_ENVIRONMENTS, ReportedUsage, environment_of};
    use crate::config::Upstream;
    use crate::usage_windows::MAX_UNKNOWN_NAMES;

    const CLIENT: &str = "/api/client/metrics";
    const BROWSER: &str = "/api/frontend/client/metrics";

    fn usage() -> ReportedUsage {
        ReportedUsage::new(&Upstream::with_path(""))
    }

    fn record(usage: &ReportedUsage, path: &str, token: &str, body: &Value) {
        let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(token).unwrap())]);
        usage.record(path, &headers, body.to_string().as_bytes(), StatusCode::ACCEPTED);
    }

    fn report(toggles: &Value) -> Value {
        json!({ "appName": "shop", "bucket": { "start": "s", "stop": "s", "toggles": toggles } })
    }

    fn counts(usage: &ReportedUsage, environment: &str) -> Value {
        serde_json::to_value(usage.last_minute(environment)).unwrap()
    }

    #[test]
    fn reads_the_environment_of_a_token() {
        for (token, environment) in [
            ("default:development.4d3c2b1a", Some("development")),
            ("*:production.4d3c2b1a", Some("production")),
            ("[]:eu.prod.4d3c2b1a", Some("eu.prod")),
            ("*:*.4d3c2b1a", None),
            ("4d3c2b1a", None),
            ("default:4d3c2b1a", None),
            ("", None),
        ] {
            assert_eq!(environment_of(token), environment, "{token}");
        }
    }

    /// Each case: the path, the environment of the token, the body, and the environment and counts of the result.
    #[test]
    fn parses_reports() {
        let single = json!({ "appName": "shop", "environment": "staging", "bucket": {
            "toggles": { "one": { "yes": 3, "no": 1, "variants": { "blue": 3 } }, "two": { "yes": 2 } },
        } });
        let bulk = |environment: &str, yes: u64| json!({ "featureName": "one", "appName": "shop", "environment": environment, "yes": yes, "no": 0, "timestamp": "t" });
        let bulk = json!({ "applications": [], "metrics": [bulk("development", 3), bulk("default", 4)] });
        let both = json!([["one", { "yes": 3, "no": 1 }], ["two", { "yes": 2, "no": 0 }]]);
        for (path, token, body, expected) in [
            (CLIENT, Some("development"), &single, json!(["development", both])),
            ("/api/proxy/client/metrics/", None, &single, json!(["staging", both])),
            (BROWSER, None, &report(&json!({})), json!(["default", []])),
            (
                "/api/client/metrics/bulk",
                Some("development"),
                &bulk,
                json!(["development", [["one", { "yes": 3, "no": 0 }]]]),
            ),
            ("/api/client/metrics/bulk", None, &bulk, json!(["default", [["one", { "yes": 4, "no": 0 }]]])),
        ] {
            let endpoint = Endpoint::find(path).unwrap();
            let parsed = endpoint.parse(body.to_string().as_bytes(), token).unwrap();
            assert_eq!(json!(parsed), expected, "{path} {token:?}");
        }
        assert!(Endpoint::Client.parse(b"{}", None).is_err());
        assert_eq!(Endpoint::find("/api/client/register"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn counts_of_an_environment_expire_after_a_minute() {
        let usage = usage();
        let one = report(&json!({ "one": { "yes": 3, "no": 1 } }));
        record(&usage, CLIENT, "*:development.a", &one);
        advance(Duration::from_secs(30)).await;
        record(&usage, CLIENT, "*:development.a", &one);
        record(&usage, CLIENT, "*:production.a", &one);
        assert_eq!(counts(&usage, "development"), json!({ "one": { "yes": 6, "no": 2 } }));
        assert_eq!(counts(&usage, "production"), json!({ "one": { "yes": 3, "no": 1 } }));
        assert_eq!(usage.environments(), ["development", "production"]);
        advance(Duration::from_secs(30)).await;
        assert_eq!(counts(&usage, "development"), json!({ "one": { "yes": 3, "no": 1 } }));
        advance(Duration::from_secs(30)).await;
        assert_eq!(counts(&usage, "development"), json!({}));
        assert_eq!(usage.environments().len(), 2, "there may be no evaluations");
        advance(Duration::from_hours(1)).await;
        assert!(usage.environments().is_empty());
    }

    #[test]
    fn invented_names_of_browsers_do_not_displace_toggles_of_servers() {
        let usage = usage();
        let invented: Value =
            (0..2 * MAX_UNKNOWN_NAMES).map(|number| (number.to_string(), json!({ "yes": 1 }))).collect();
        record(&usage, BROWSER, "*:development.a", &report(&invented));
        assert_eq!(usage.last_minute("development").len(), MAX_UNKNOWN_NAMES);
        record(&usage, CLIENT, "*:development.b", &report(&json!({ "real": { "yes": 1 } })));
        assert!(usage.last_minute("development").contains_key("real"));
    }

    #[test]
    fn names_of_environments_are_bounded() {
        let usage = usage();
        for name in (0..2 * MAX_ENVIRONMENTS).map(|number| number.to_string()).chain(["a\nb".to_owned()]) {
            let mut report = report(&json!({ "one": { "yes": 1 } }));
            report["environment"] = name.into();
            record(&usage, CLIENT, "without-environment", &report);
        }
        assert_eq!(usage.environments().len(), MAX_ENVIRONMENTS);
        record(&usage, CLIENT, "*:0.a", &report(&json!({ "one": { "yes": 1 } })));
        assert_eq!(counts(&usage, "0"), json!({ "one": { "yes": 2, "no": 0 } }));
    }

    #[test]
    fn token_of_the_settings_replaces_the_token_of_clients() {
        let token = (AUTHORIZATION, HeaderValue::from_static("*:production.a"));
        let usage = ReportedUsage::new(&Upstream { added_headers: vec![token], ..Upstream::with_path("") });
        record(&usage, CLIENT, "*:development.a", &report(&json!({ "one": { "yes": 1 } })));
        assert_eq!(usage.environments(), ["production"]);
    }
}
