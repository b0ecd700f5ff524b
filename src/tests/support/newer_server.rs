//! A fake flag service with environments (Unleash 4.19 to 8.2). It keeps toggles in memory and records the requests.

mod model;
mod strategies;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::web::{self, Bytes, Data, PayloadConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde_json::Value;
use tokio::sync::Notify;

pub use self::model::{Model, VERSIONS, Version};

/// Maximum size of a request body.
const MAX_BODY: usize = 4 << 20;

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
        });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .app_data(PayloadConfig::new(MAX_BODY))
                .default_service(web::to(respond))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        drop(actix_web::rt::spawn(server));
        Self { url, state, handle }
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
    let (method, path) = (request.method().as_str(), request.path());
    let path = path.strip_prefix("/api/admin").unwrap_or(path);
    if method != "GET" {
        let short = path.strip_prefix("/projects/default/features").unwrap_or(path);
        let change = format!("{method} {short}");
        let fault = {
            let mut faults = state.faults.lock().unwrap();
            let found = faults.iter().position(|fault| change.starts_with(&fault.request));
            found.map(|index| faults.remove(index).reaction)
        };
        state.changes.lock().unwrap().push(change);
        state.last_body.lock().unwrap().clone_from(&body);
        state.changed.notify_waiters();
        match fault {
            Some(Reaction::Refuse(status, body)) => return response(status, &body),
            Some(Reaction::Wait(go)) => go.notified().await,
            None => {}
        }
    }
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let (status, body) = state.model.lock().unwrap().handle(method, &segments, request.query_string(), &body);
    response(status, &body)
}

fn response(status: u16, body: &Value) -> HttpResponse {
    let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    if body.is_null() { response.finish() } else { response.json(body) }
}
