//! Records changing requests, sign-ins and sign-outs in the journal. `journal.rs` explains when a line is written.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, HeaderValue, TRANSFER_ENCODING};
use actix_web::{Error, HttpMessage as _};
use data_encoding::HEXLOWER;
use futures_util::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};

use super::client::Client;
use super::{ENVIRONMENT_HEADER, MiddlewareState};
use crate::api_path::ApiPath::{self, SignIn, SignOut};
use crate::api_path::EndpointClass;
use crate::error::ApiError;
use crate::journal::request_words::{describe, is_validation, may_contain_password};
use crate::journal::{Attempt, Item, Journal, JournalLine, LineKind, Notes, Person, PersonSource, Refusal};
use crate::number::to_u64;
use crate::request_id::RequestId;

/// Status of a request whose client closed the connection before the response, as in the access log.
const CLIENT_CLOSED_REQUEST: u16 = 499;

/// The line of a request that is being handled. If it is dropped, the client has closed the connection: the line then has the
/// status 499, because the result is unknown.
pub(crate) struct RequestRecording {
    journal: Journal,
    line: Option<JournalLine>,
    notes: Rc<Notes>,
    /// The user whom a trusted proxy names.
    proxy_user: Option<Person>,
    /// `None` if the body may contain a password.
    body: Option<Rc<RefCell<BodyHash>>>,
}

/// The hash of a request body that is read in chunks.
#[derive(Default)]
struct BodyHash {
    hash: Sha256,
    /// Number of bytes that are missing; `None` if the body is chunked.
    missing: Option<u64>,
    is_complete: bool,
}

/// Refuses a change that cannot be recorded with its user. Sign-ins and sign-outs are allowed, so that operators can investigate.
pub(super) fn check(
    state: &MiddlewareState,
    client: &Client,
    class: EndpointClass,
    path: &str,
    request: &ServiceRequest,
) -> Result<(), ApiError> {
    match &state.journal {
        Some(journal) if class == EndpointClass::OperatorState && !is_validation(request.method(), path) => {
            if proxy_users(state, client, request).nth(1).is_some() {
                return Err(Refusal::SeveralUsers.into());
            }
            journal.check()
        }
        _ => Ok(()),
    }
}

impl RequestRecording {
    /// Starts the line of a request; `None` without a journal, and if the request changes nothing.
    pub(super) fn start(
        state: &MiddlewareState,
        client: &Client,
        id: &RequestId,
        proxy_user: Option<String>,
        request: &mut ServiceRequest,
    ) -> Option<Self> {
        let journal = state.journal.clone()?;
        let path = state.base_path.strip(request.uri().path())?;
        let class = EndpointClass::classify(request.method(), path);
        let endpoint = ApiPath::find_tolerant(request.method(), path);
        let kind = match class {
            EndpointClass::OperatorState if !is_validation(request.method(), path) => Some(LineKind::Change),
            EndpointClass::Session => {
                Some(if endpoint == Some(SignOut) { LineKind::SignOut } else { LineKind::SignIn })
            }
            // Its handler marks the request if it starts or ends a session.
            EndpointClass::Read if matches!(endpoint, Some(SignIn | SignOut)) => None,
            _ => return None,
        };
        let description = describe(request.method(), path);
        let environment = request.headers().get(ENVIRONMENT_HEADER).and_then(|name| name.to_str().ok());
        let line = JournalLine {
            address: Some(client.address_text().into_owned()),
            item: description.item.filter(|_| class == EndpointClass::OperatorState),
            environment: description.environment.or_else(|| environment.map(str::to_owned)),
            method: Some(request.method().as_str().to_owned()),
            path: Some(description.path),
            request_id: Some(id.as_str().to_owned()),
            change: Some(description.words).filter(|_| class == EndpointClass::OperatorState),
            ..JournalLine::now(kind.unwrap_or(LineKind::SignIn))
        };
        let notes = Rc::new(Notes::new(kind));
        request.extensions_mut().insert(Rc::clone(&notes));
        let body = (class == EndpointClass::OperatorState && !may_contain_password(path))
            .then(|| hash_body(request));
        let proxy_user = proxy_user.map(|user| {
            let iss = Some(client.peer_text.clone());
            Person { iss, sub: Some(user), name: None, known: PersonSource::Proxy }
        });
        Some(Self { journal, line: Some(line), notes, proxy_user, body })
    }

    /// Starts the line of a change that a command of the operating system's user requests from the listener for monitoring.
    pub(crate) fn of_command(journal: Journal, person: String, request: &mut ServiceRequest) -> Self {
        // The same endpoints are below `/-` of the main listener.
        let description = describe(request.method(), &format!("/-{}", request.path()));
        let line = JournalLine {
            item: description.item,
            change: Some(description.words),
            ..JournalLine::now(LineKind::Change)
        };
        let notes = Rc::new(Notes::new(Some(LineKind::Change)));
        let sub = Some(person).filter(|person| !person.is_empty());
        notes.set_person(Person { sub, known: PersonSource::CommandLine, ..Person::default() });
        request.extensions_mut().insert(Rc::clone(&notes));
        Self { journal, line: Some(line), notes, proxy_user: None, body: None }
    }

    /// Writes the line with the status of the response. Returns when it is in the file.
    pub(crate) async fn finish(mut self, status: StatusCode) {
        if let Some(line) = self.take_line(status.as_u16()) {
            self.journal.append(line).await;
        }
    }

    /// Returns the person. A proxy that authenticates users knows them better than an upstream whose account they share, but not
    /// better than this program after a sign-in.
    fn person(&self) -> Person {
        let person = self.notes.person().unwrap_or_default();
        let is_verified = matches!(person.known, PersonSource::Password | PersonSource::IdentityProvider);
        self.proxy_user.clone().filter(|_| !is_verified).unwrap_or(person)
    }

    /// Completes the line; `None` for a request with a safe method that has not changed a session, and for a sign-out that has
    /// ended none.
    fn take_line(&mut self, status: u16) -> Option<JournalLine> {
        let line = self.line.take()?;
        let kind = self.notes.kind()?;
        let person = self.person();
        if kind == LineKind::SignOut && person.is_anonymous() {
            return None;
        }
        let mut line = JournalLine { kind, status: Some(status), time: JournalLine::now(kind).time, ..line };
        line.person = Some(person);
        // The hash of a password would let readers of the journal guess it faster than with the hash in the database.
        line.body_sha256 = self.body.as_ref().and_then(|body| body.borrow().finish());
        if let Some(Attempt { item, words }) = self.notes.attempt() {
            (line.item, line.change) = (Some(item), Some(words));
        }
        let events = self.notes.events().list();
        // A refused change was rolled back with its events.
        if status < 400 && events.count > 0 {
            let more = events.count - events.words.len();
            let more = if more > 0 { format!("; and {more} more changes") } else { String::new() };
            line.change = Some(events.words.join("; ") + &more);
            let mut items: Vec<Item> = events.items;
            items.dedup();
            line.item = line.item.or(items.pop().filter(|_| items.is_empty()));
            line.events = events.ids;
        }
        Some(line)
    }
}

impl Drop for RequestRecording {
    fn drop(&mut self) {
        if let Some(line) = self.take_line(CLIENT_CLOSED_REQUEST) {
            drop(self.journal.append(line));
        }
    }
}

/// Returns the status of a response, which other middleware may return as an error.
pub(crate) fn status_of<B>(result: &Result<ServiceResponse<B>, Error>) -> StatusCode {
    match result {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    }
}

impl BodyHash {
    /// Adds a chunk. A reader that knows the length does not ask for the end.
    fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        if let Some(missing) = &mut self.missing {
            *missing = missing.saturating_sub(to_u64(bytes.len()));
            self.is_complete = *missing == 0;
        }
    }

    fn finish(&self) -> Option<String> {
        self.is_complete.then(|| HEXLOWER.encode(&self.hash.clone().finalize()))
    }
}

/// Returns the name of the user in the header of the settings, if a trusted proxy sends it. Of several values, one can be that of a
/// browser.
pub(super) fn find_proxy_user(
    state: &MiddlewareState,
    client: &Client,
    request: &ServiceRequest,
) -> Option<String> {
    let mut users = proxy_users(state, client, request);
    let user = users.next().filter(|_| users.next().is_none())?;
    let user = String::from_utf8_lossy(user.as_bytes()).trim().to_owned();
    (!user.is_empty()).then_some(user)
}

/// Returns the values of the header of the settings; none unless a trusted proxy sends them.
fn proxy_users<'r>(
    state: &MiddlewareState,
    client: &Client,
    request: &'r ServiceRequest,
) -> impl Iterator<Item = &'r HeaderValue> {
    let name = state.journal.as_ref().and_then(Journal::user_header).filter(|_| client.is_trusted_proxy);
    name.map(|name| request.headers().get_all(name)).into_iter().flatten()
}

/// Hashes the body of a request while its handler reads it.
fn hash_body(request: &mut ServiceRequest) -> Rc<RefCell<BodyHash>> {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let body = Rc::new(RefCell::new(BodyHash { missing: length, ..BodyHash::default() }));
    if length.map_or(request.headers().contains_key(TRANSFER_ENCODING), |length| length > 0) {
        let (mut payload, shared) = (request.take_payload(), Rc::clone(&body));
        let chunks = stream::poll_fn(move |cx| {
            payload.poll_next_unpin(cx).map(|chunk| {
                let mut body = shared.borrow_mut();
                match &chunk {
                    Some(Ok(bytes)) => body.update(bytes),
                    Some(Err(_)) => {}
                    None => body.is_complete = true,
                }
                chunk
            })
        });
        request.set_payload(Payload::Stream { payload: Box::pin(chunks) });
    }
    body
}
