//! A fake flag service for SDKs: it knows tokens and their toggles, and can stop to respond.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::Notify;

use super::stub::{Reply, Stub};

/// Start of each report.
const REPORT: &str = "POST /api/client/";

/// A report that the service has accepted.
#[derive(Debug, Clone)]
pub struct AcceptedReport {
    pub path: String,
    pub token: String,
    pub body: Value,
    /// Size of the body in bytes.
    pub size: usize,
}

/// A running fake.
pub struct ClientApi {
    pub stub: Stub,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Body and entity tag of each token.
    toggles: BTreeMap<String, (String, String)>,
    /// Status and body of the response to `GET user` with a cookie. Other cookies need to sign in.
    users: BTreeMap<String, (String, String)>,
    /// Entries of the response to `POST /edge/validate`, by token.
    valid_tokens: BTreeMap<String, Value>,
    /// Status and body of each response to `POST /edge/validate`.
    validation: Option<(String, String)>,
    /// Head lines and body of the response to other paths, by path and token.
    others: BTreeMap<(String, String), (String, String)>,
    is_down: bool,
    /// Starts of requests that get no response.
    silent: BTreeSet<&'static str>,
    limits_unknown_reports: bool,
    /// Reports with this text are invalid.
    invalid_text: Option<String>,
    accepted_reports: Vec<AcceptedReport>,
    /// The response to the next report waits for this notification.
    held_report: Option<Arc<Notify>>,
}

/// Returns a body that contains the token and is large enough to be compressed.
pub fn body_of(token: &str, version: u32) -> String {
    let filler = "toggle ".repeat(300);
    format!(
        "{{ \"version\":2, \"features\":[], \"token\":\"{token}\",\n \"edition\":{version}, \"é\":\"{filler}\" }}"
    )
}

impl ClientApi {
    /// Starts a service that knows these tokens.
    pub async fn start(tokens: &[&str]) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let stub =
            Stub::start(Reply::Computed(Arc::new(move |request| shared.lock().unwrap().respond(request))));
        let api = Self { stub: stub.await, state };
        for token in tokens {
            api.set(token, &body_of(token, 1), "W/\"1\"");
        }
        api
    }

    /// Sets the toggles of a token.
    pub fn set(&self, token: &str, body: &str, tag: &str) {
        self.state.lock().unwrap().toggles.insert(token.to_owned(), (body.to_owned(), tag.to_owned()));
    }

    /// Sets the toggles of a token for a query. Other queries are ignored, as old servers do.
    pub fn set_selection(&self, token: &str, query: &str, body: &str) {
        self.set(&format!("{token}?{query}"), body, "");
    }

    /// Sets the response to a path with a token: the status, head lines and body. `If-None-Match` with its tag gets 304.
    pub fn set_path(&self, path: &str, token: &str, head: &str, body: &str) {
        let response = (head.to_owned(), body.to_owned());
        self.state.lock().unwrap().others.insert((path.to_owned(), token.to_owned()), response);
    }

    /// Sets the response to `GET user` with this cookie.
    pub fn set_user(&self, cookie: &str, status: &str, body: &str) {
        self.state.lock().unwrap().users.insert(cookie.to_owned(), (status.to_owned(), body.to_owned()));
    }

    /// Lists a token as valid, with its kind and projects. Newer servers also name the environment.
    pub fn add_token(&self, token: &str, kind: &str, projects: &[&str]) {
        let (_, environment) = token.rsplit_once('.').unwrap().0.split_once(':').unwrap();
        let entry = json!({ "token": token, "type": kind, "projects": projects, "environment": environment });
        self.state.lock().unwrap().valid_tokens.insert(token.to_owned(), entry);
    }

    /// Lists a token with these properties.
    pub fn set_token(&self, token: &str, entry: Value) {
        self.state.lock().unwrap().valid_tokens.insert(token.to_owned(), entry);
    }

    /// Lists a token no more.
    pub fn remove_token(&self, token: &str) {
        self.state.lock().unwrap().valid_tokens.remove(token);
    }

    /// Sets the status and the body of each response to `POST /edge/validate`; `None`: the listed tokens of the request.
    pub fn set_validation(&self, response: Option<(&str, &str)>) {
        let response = response.map(|(status, body)| (status.to_owned(), body.to_owned()));
        self.state.lock().unwrap().validation = response;
    }

    /// Returns the tokens of each complete `POST /edge/validate`.
    pub fn validations(&self) -> Vec<Vec<String>> {
        let requests = self.stub.requests();
        let asked = requests.iter().filter(|request| request.starts_with("POST /edge/validate "));
        asked.map(|request| asked_tokens(request)).filter(|tokens| !tokens.is_empty()).collect()
    }

    /// Refuses a token from now on.
    pub fn revoke(&self, token: &str) {
        let is_other = |key: &String| key.split('?').next() != Some(token);
        self.state.lock().unwrap().toggles.retain(|key, _| is_other(key));
    }

    /// Ends or begins to respond.
    pub fn set_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_down = is_down;
    }

    /// Sends no more responses to requests for toggles.
    pub fn set_silent(&self) {
        self.state.lock().unwrap().silent.insert("GET /api/client/features");
    }

    /// Ends or begins to respond to reports.
    pub fn set_reports_silent(&self, is_silent: bool) {
        let silent = &mut self.state.lock().unwrap().silent;
        if is_silent {
            silent.insert(REPORT)
        } else {
            silent.remove(REPORT)
        };
    }

    /// Responds with 429 to reports with unknown tokens from now on.
    pub fn limit_unknown_reports(&self) {
        self.state.lock().unwrap().limits_unknown_reports = true;
    }

    /// Refuses reports that contain this text from now on (400).
    pub fn refuse_reports_with(&self, text: &str) {
        self.state.lock().unwrap().invalid_text = Some(text.to_owned());
    }

    /// Returns the reports that were accepted, in their order.
    pub fn accepted_reports(&self) -> Vec<AcceptedReport> {
        self.state.lock().unwrap().accepted_reports.clone()
    }

    /// Holds the response to the next report until the notification.
    pub fn hold_next_report(&self) -> Arc<Notify> {
        let go = Arc::new(Notify::new());
        self.state.lock().unwrap().held_report = Some(Arc::clone(&go));
        go
    }

    /// Returns true if the report has arrived whose response is held.
    pub fn holds_report(&self) -> bool {
        self.state.lock().unwrap().held_report.is_none()
    }

    /// Returns the number of requests for toggles.
    pub fn reads(&self) -> usize {
        self.stub.requests().iter().filter(|request| request.starts_with("GET /api/client/features")).count()
    }
}

impl State {
    fn respond(&mut self, request: &str) -> Reply {
        let reply = self.decide(request);
        let is_success = |reply: &String| reply.starts_with("HTTP/1.1 2") && !reply.contains("text/html");
        let is_accepted = match &reply {
            Reply::Bytes(reply) => is_success(reply),
            Reply::Halves(..) => true,
            _ => false,
        };
        if is_accepted && request.starts_with("POST /api/client/") {
            let (head, body) = request.split_once("\r\n\r\n").unwrap();
            let token =
                head.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default();
            self.accepted_reports.push(AcceptedReport {
                path: head.split(' ').nth(1).unwrap().to_owned(),
                token: token.to_owned(),
                body: serde_json::from_str(body).unwrap_or_default(),
                size: body.len(),
            });
        }
        reply
    }

    fn decide(&mut self, request: &str) -> Reply {
        if self.is_down {
            return Reply::End;
        }
        if request.starts_with("POST /api/client/")
            && let Some(go) = self.held_report.take()
        {
            let head = "HTTP/1.1 202 Accepted\r\n".to_owned();
            return Reply::Halves(head, "Content-Length: 0\r\n\r\n".to_owned(), go);
        }
        if self.silent.iter().any(|start| request.starts_with(start)) {
            return Reply::Silence;
        }
        let line = |name: &str| {
            let mut lines = request.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
        };
        let path = request.split(' ').nth(1).unwrap();
        if path == "/api/admin/user" {
            return match self.users.get(line("cookie")) {
                Some((status, body)) => response(status, "", body),
                None => response("401 Unauthorized", "", "{\"type\":\"password\"}"),
            };
        }
        if path == "/edge/validate" {
            if let Some((status, body)) = &self.validation {
                return response(status, "", body);
            }
            let asked = asked_tokens(request);
            let listed: Vec<_> = asked.iter().filter_map(|token| self.valid_tokens.get(token)).collect();
            return response("200 OK", "", &json!({ "tokens": listed }).to_string());
        }
        let is_invalid = self.invalid_text.as_ref().is_some_and(|text| request.contains(text));
        if is_invalid && path.starts_with("/api/client/") && request.starts_with("POST ") {
            return response("400 Bad Request", "", "{}");
        }
        let (token, plain_path) = (line("authorization"), path.split('?').next().unwrap());
        if let Some((head, body)) = self.others.get(&(plain_path.to_owned(), token.to_owned())) {
            let (status, headers) = head.split_once("\r\n").unwrap_or((head.as_str(), ""));
            let condition = format!("ETag: {}\r\n", line("if-none-match"));
            return if headers.contains(&condition) {
                Reply::Bytes(format!("HTTP/1.1 304 Not Modified\r\n{condition}\r\n"))
            } else {
                response(status, headers, body)
            };
        }
        if !path.starts_with("/api/client/features") || path.starts_with("/api/client/features/") {
            let is_known = self.toggles.contains_key(line("authorization"));
            if self.limits_unknown_reports && !is_known && path.starts_with("/api/client/") {
                return response("429 Too Many Requests", "", "{}");
            }
            return response("200 OK", "", "{\"other\":true}");
        }
        if path.contains("tag=malformed") {
            return response("400 Bad Request", "", "{\"message\":\"malformed\"}");
        }
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let selection = self.toggles.get(&format!("{token}?{query}"));
        let Some((body, tag)) = selection.or_else(|| self.toggles.get(token)) else {
            return response("401 Unauthorized", "", "{\"message\":\"unknown token\"}");
        };
        // Servers inline segments for SDKs that do not send the version of the specification, or one before 4.2.0.
        let (body, tag) = match line("unleash-client-spec") {
            "" | "4.1.9" => {
                (body.replace("\"version\":2", "\"version\":1"), tag.replace("\"1", "\"inlined-1"))
            }
            _ => (body.clone(), tag.clone()),
        };
        match tag.as_str() {
            "" => response("200 OK", "", &body),
            tag if line("if-none-match") == tag => {
                Reply::Bytes(format!("HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n"))
            }
            tag => response("200 OK", &format!("ETag: {tag}\r\n"), &body),
        }
    }
}

/// Returns the tokens in a request that asks which are valid; none if it is not complete.
fn asked_tokens(request: &str) -> Vec<String> {
    let body = request.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    serde_json::from_value(body["tokens"].clone()).unwrap_or_default()
}

/// Writes a response. Its body is JSON unless the headers name another type.
fn response(status: &str, headers: &str, body: &str) -> Reply {
    let length = body.len();
    let is_json = !body.is_empty() && !headers.contains("Content-Type: ");
    let content_type = if is_json { "Content-Type: application/json; charset=utf-8\r\n" } else { "" };
    Reply::Bytes(format!(
        "HTTP/1.1 {status}\r\n{content_type}Content-Length: {length}\r\n{headers}\r\n{body}"
    ))
}
