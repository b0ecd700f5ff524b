//! A fake flag service with environments (Unleash 5 to 8.2). It keeps toggles in memory and records the requests.

mod model;
mod strategies;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::{Value, json};
use tokio::sync::Notify;

pub use self::model::{Model, VERSIONS, Version};

/// A running fake.
pub struct NewerServer {
    pub url: String,
    state: Data<State>,
    handle: ServerHandle,
}

struct State {
    model: Mutex<Model>,
    /// Method and path of each change, below `/api/admin/projects/default/features`.
    changes: Mutex<Vec<String>>,
    /// Requests that fail instead of changing the model.
    faults: Mutex<Vec<Fault>>,
    changed: Notify,
    headers: Mutex<Vec<Headers>>,
    /// Body of the last change.
    last_body: Mutex<Bytes>,
    /// The number of the session that is valid; `None` if the server requires no sign-in.
    session: Mutex<Option<usize>>,
}

/// Headers of a request.
pub type Headers = BTreeMap<String, String>;

/// The reaction to the next request whose method and path start with a text.
struct Fault {
    request: String,
    reaction: Reaction,
}

/// A reaction that is no ordinary response.
#[derive(Clone)]
pub enum Reaction {
    /// Refuses the request.
    Refuse(u16, Value),
    /// Waits before the request is handled.
    Wait(Arc<Notify>),
    /// Ends the session before the request is handled.
    EndSession,
    /// Handles the request and then ends the session.
    HandleAndEndSession,
}

impl NewerServer {
    pub fn start(version: Version) -> Self {
        let state = Data::new(State {
            model: Mutex::new(Model::new(version)),
            changes: Mutex::default(),
            faults: Mutex::default(),
            changed: Notify::new(),
            headers: Mutex::default(),
            last_body: Mutex::default(),
            session: Mutex::default(),
        });
        let shared = state.clone();
        let server =
            HttpServer::new(move || App::new().app_data(shared.clone()).default_service(web::to(respond)));
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        drop(actix_web::rt::spawn(server));
        Self { url, state, handle }
    }

    /// Requires a session, which starts with any email address. The first one has the cookie `unleash-session=1`.
    pub fn require_demo_sign_in(&self) {
        *self.state.session.lock().unwrap() = Some(0);
    }

    /// Stops the server, so that connections are refused.
    pub async fn stop(&self) {
        self.handle.stop(false).await;
    }

    /// Reads or changes the stored data, like another client.
    pub fn model<T>(&self, use_model: impl FnOnce(&mut Model) -> T) -> T {
        use_model(&mut self.state.model.lock().unwrap())
    }

    /// Sets the reaction to the next request that starts with this text, such as `PUT /search/environments`.
    pub fn react(&self, request: &str, reaction: Reaction) {
        self.state.faults.lock().unwrap().push(Fault { request: request.to_owned(), reaction });
    }

    /// Returns the changes since the last call.
    pub fn take_changes(&self) -> Vec<String> {
        std::mem::take(&mut *self.state.changes.lock().unwrap())
    }

    /// Returns the headers of all requests since the last call.
    pub fn take_headers(&self) -> Vec<Headers> {
        std::mem::take(&mut *self.state.headers.lock().unwrap())
    }

    /// Returns the body of the last change.
    pub fn last_body(&self) -> Bytes {
        self.state.last_body.lock().unwrap().clone()
    }

    /// Waits until a change has arrived that starts with this text.
    pub async fn wait_for(&self, request: &str) {
        self.wait_for_number(request, 1).await;
    }

    /// Waits until this number of changes has arrived that start with this text.
    pub async fn wait_for_number(&self, request: &str, number: usize) {
        let arrived = async {
            loop {
                let changed = self.state.changed.notified();
                let arrived = |changes: &Vec<String>| {
                    changes.iter().filter(|change| change.starts_with(request)).count()
                };
                if arrived(&self.state.changes.lock().unwrap()) >= number {
                    return;
                }
                changed.await;
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_mins(1), arrived).await;
        assert!(waited.is_ok(), "no {request}: {:?}", self.take_changes());
    }
}

async fn respond(request: HttpRequest, body: Bytes, state: Data<State>) -> HttpResponse {
    let headers = request.headers().iter();
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()));
    state.headers.lock().unwrap().push(headers.collect());
    if let Some(response) = check_session(&request, &state) {
        return response;
    }
    let (method, path) = (request.method().as_str(), request.path());
    let path = path.strip_prefix("/api/admin").unwrap_or(path);
    let short = path.strip_prefix("/projects/default/features").unwrap_or(path);
    let change = format!("{method} {short}");
    let fault = {
        let mut faults = state.faults.lock().unwrap();
        let found = faults.iter().position(|fault| change.starts_with(&fault.request));
        found.map(|index| faults.remove(index).reaction)
    };
    if method != "GET" {
        state.changes.lock().unwrap().push(change);
        state.last_body.lock().unwrap().clone_from(&body);
        state.changed.notify_waiters();
    }
    match fault {
        Some(Reaction::Refuse(status, body)) => return response(status, &body),
        Some(Reaction::Wait(go)) => go.notified().await,
        Some(Reaction::EndSession) => {
            end_session(&state);
            return challenge();
        }
        Some(Reaction::HandleAndEndSession) => end_session(&state),
        None => {}
    }
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let (status, body) = state.model.lock().unwrap().handle(method, &segments, request.query_string(), &body);
    response(status, &body)
}

/// Returns the response to a sign-in, or to a request without the valid session.
fn check_session(request: &HttpRequest, state: &State) -> Option<HttpResponse> {
    let mut session = state.session.lock().unwrap();
    let session = session.as_mut()?;
    if request.path() == "/auth/demo/login" {
        *session += 1;
        let cookie = format!("unleash-session={session}; Path=/");
        return Some(HttpResponse::Ok().insert_header(("set-cookie", cookie)).json(json!({})));
    }
    let cookie = request.headers().get("cookie");
    let is_valid = cookie.is_some_and(|cookie| *cookie == format!("unleash-session={session}"));
    (!is_valid).then(challenge)
}

fn end_session(state: &State) {
    *state.session.lock().unwrap().as_mut().unwrap() += 1;
}

fn challenge() -> HttpResponse {
    response(401, &json!({ "type": "demo", "path": "/auth/demo/login" }))
}

fn response(status: u16, body: &Value) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    if status == 429 {
        response.insert_header(("retry-after", "1"));
    }
    if body.is_null() { response.finish() } else { response.json(body) }
}
