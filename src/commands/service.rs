//! The flag service of a target, without a port: this process handles the requests with the code of a server. Requests for an
//! upstream are forwarded, or converted for servers with environments; the embedded flag service runs on the database.

use std::cell::Cell;
use std::fmt::Display;
use std::rc::Rc;
use std::time::Duration;

use actix_http::{Payload, Request};
use actix_service::boxed::{self, BoxService};
use actix_service::{IntoServiceFactory as _, Service as _, ServiceFactory as _};
use actix_web::body::{BoxBody, to_bytes_limited};
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HOST, HeaderMap, HeaderName, HeaderValue, IF_MATCH, LOCATION,
};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpMessage as _, HttpResponse, web};
use bytes::Bytes;
use futures_util::stream;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::CommandError;
use super::journaling::CommandRecording;
use crate::api::{PlannedServer, UiConfig};
use crate::backend::{Api, Backend};
use crate::config::{BackendSettings, Config, DataLocation, Embedded, Journal, Target};
use crate::database::OpenError;
use crate::database::inspect::check_exists;
use crate::error::ApiError;
use crate::journal::Person;
use crate::journal::command_lines::operating_system_user;
use crate::middleware::client::Client;
use crate::proxy::Proxy;
use crate::request_id::RequestId;
use crate::routes;
use crate::upstream::outgoing_request::parse_retry_after;

/// Maximum size of a response in bytes. A list of 10,000 toggles takes about 6 MB.
const MAX_RESPONSE: usize = 256 << 20;

/// Number of times that a read is sent while the server limits it.
const MAX_TRIES: usize = 4;
/// Time before a limited read is repeated if the server names none, and its maximum.
const DEFAULT_RETRY_DELAY: Duration = Duration::from_secs(10);
const MAX_RETRY_DELAY: Duration = Duration::from_mins(2);

/// Header with the version of the client specification, from which on responses for client libraries list segments.
const CLIENT_SPEC: HeaderName = HeaderName::from_static("unleash-client-spec");
const SUPPORTED_SPEC: &str = "5.1.0";

/// Characters to percent-encode in the name of a toggle in a path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The flag service of a target.
pub(super) struct Service {
    name: String,
    backend: Backend,
    /// True if requests have headers of `upstream-header`.
    has_credential: bool,
    /// The journal of the changes, and the user of the operating system who makes them; `None` without a journal, and if the server
    /// of the target records them.
    journal: Option<(Journal, Person)>,
    server: OnceCell<PlannedServer>,
    /// Number of requests that changed the target, as far as it is known.
    stored_changes: Cell<usize>,
    handler: BoxService<Request, ServiceResponse<BoxBody>, Error>,
}

/// Code of the error of a change of which a part is stored.
const HALF_SAVED: &str = "half_saved";

/// Refusal of a request of a command, or failure of its target. The message is one sentence with the remedy, if one is known.
#[derive(Debug, thiserror::Error)]
#[error("{target}: {reason}")]
pub struct TargetError {
    /// Name of the target.
    pub target: String,
    /// Status of the response.
    pub status: StatusCode,
    /// Stable code of the error; empty if the server sends none.
    pub code: String,
    /// Description and remedy.
    pub reason: String,
}

impl TargetError {
    /// Returns true if the server asks for a confirmation, because it would change more than requested.
    pub(super) fn is_question(&self) -> bool {
        self.status == StatusCode::CONFLICT
            && (self.code.starts_with("would_") || self.code == "variants_deprecated")
    }
}

/// The body of an error, as servers of all versions send it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    code: Option<String>,
    message: Option<String>,
    error: Option<String>,
    details: Vec<RefusalDetail>,
    permission: Option<Value>,
    environments: Vec<Named>,
}

#[derive(Deserialize)]
struct RefusalDetail {
    #[serde(default)]
    message: Option<String>,
}

/// The list of environments, which servers up to 4.1 do not have.
#[derive(Deserialize)]
struct Environments {
    #[serde(rename = "environments")]
    _list: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// A response without success.
struct Refused<'p> {
    request: (Method, &'p str),
    status: StatusCode,
    /// Target of a redirect.
    location: Option<String>,
}

impl Service {
    /// Opens the flag service of a target. `settings` are those of this program, which has the journal.
    pub(super) async fn open(target: Target, settings: &Config) -> Result<Self, CommandError> {
        // awc 3.11 panics while it builds a TLS connector if no provider is installed. A second installation has no effect.
        drop(rustls::crypto::ring::default_provider().install_default());
        let Target { name, config } = target;
        let journal = match &config.backend {
            BackendSettings::Embedded(Embedded { data: DataLocation::Memory, .. }) => {
                return Err(CommandError::Memory);
            }
            BackendSettings::Embedded(Embedded { data, .. }) => {
                check_exists(data).map_err(|error| match error {
                    OpenError::Missing { path } => CommandError::Files(format!(
                        "{name}: there is no file {}; name a flag service, a database, or files with toggles",
                        path.display()
                    )),
                    error => error.into(),
                })?;
                let person = || operating_system_user(settings.sudo_user.as_deref());
                settings.journal.clone().map(|journal| (journal, person()))
            }
            BackendSettings::Upstream(_) => None,
        };
        let has_credential = match &config.backend {
            BackendSettings::Upstream(upstream) => !upstream.added_headers.is_empty(),
            BackendSettings::Embedded(_) => false,
        };
        let backend = Backend::open(&config, None, None)?;
        let path = config.listen.base_path.clone();
        let app = actix_web::App::new()
            .wrap(from_fn(identify))
            .app_data(web::Data::new(path.clone()))
            .app_data(web::Data::new(config.public.clone()))
            .configure(|services| routes::configure(services, &path, &backend, None, None));
        let handler = app.into_factory().new_service(AppConfig::default()).await;
        let handler = handler.map_err(|()| CommandError::Failed("the routes cannot be created".into()))?;
        let (server, stored_changes, handler) = (OnceCell::new(), Cell::new(0), boxed::service(handler));
        Ok(Self { name, backend, has_credential, journal, server, stored_changes, handler })
    }

    /// Returns the name of the target.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of requests that changed the target, or may have.
    pub(super) fn stored_changes(&self) -> usize {
        self.stored_changes.get()
    }

    /// Returns the facts about the server that decide which changes it accepts. Reads them once.
    pub(super) async fn server(&self) -> &PlannedServer {
        let read = async || {
            let environments: Result<Environments, _> = self.read("/environments").await;
            let UiConfig { name, version, .. } = self.read("/ui-config").await.unwrap_or_default();
            PlannedServer {
                is_embedded: name.as_deref() == Some("Flagdeck"),
                has_environments: environments.is_ok(),
                version,
            }
        };
        self.server.get_or_init(read).await
    }

    /// Writes the data that is only in memory, and releases the database.
    pub(super) async fn close(self) -> Result<(), CommandError> {
        let flushed = self.backend.flush().await;
        self.backend.close().await;
        Ok(flushed?)
    }

    /// Reads a resource below `/api/admin` that may not exist.
    pub(super) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, CommandError> {
        match self.read(path).await {
            Err(CommandError::Target(error)) if error.status == StatusCode::NOT_FOUND => Ok(None),
            result => result.map(Some),
        }
    }

    /// Reads a resource below `/api/admin`.
    pub(super) async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, CommandError> {
        let body = self.send(Method::GET, path, None).await?;
        serde_json::from_slice(&body).map_err(|cause| self.not_understood(path, &cause))
    }

    /// Parses the body of a response to this path, or a part of it.
    pub(super) fn parse<'b, T: Deserialize<'b>>(
        &self,
        body: &'b [u8],
        path: &str,
    ) -> Result<T, CommandError> {
        serde_json::from_slice(body).map_err(|cause| self.not_understood(path, &cause))
    }

    /// Returns the error of a response that is not understood.
    pub(super) fn not_understood(&self, path: &str, cause: &serde_json::Error) -> CommandError {
        let reason = format!("the response to {path} is not understood: {cause}");
        self.fault(StatusCode::BAD_GATEWAY, String::new(), reason).into()
    }

    /// Reads a resource below `/api/admin` as JSON text.
    pub(super) async fn read_bytes(&self, path: &str) -> Result<Bytes, CommandError> {
        self.send(Method::GET, path, None).await
    }

    /// Reads a resource of the API for client libraries, at its whole path.
    pub(super) async fn read_for_clients(&self, path: &str) -> Result<Bytes, CommandError> {
        Ok(self.respond(Method::GET, path, None, None).await?.0)
    }

    /// Sends a request to a path below `/api/admin`, which must succeed, and returns the body of the response.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Bytes, CommandError> {
        Ok(self.exchange(method, path, body, None).await?.0)
    }

    /// Sends a request, which fails with 412 if the item does not have the entity tag. Returns the body and the entity tag of the
    /// response. Unleash 3.x and 4.x have no entity tags of toggles and ignore conditions.
    pub(super) async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        condition: Option<&HeaderValue>,
    ) -> Result<(Bytes, Option<HeaderValue>), CommandError> {
        let path = format!("/api/admin{path}");
        let recording = match &self.journal {
            Some((journal, person)) if method != Method::GET => {
                let (person, path) = (person.clone(), without_query(&path));
                Some(CommandRecording::start_request(journal, person, &method, path, body)?)
            }
            _ => None,
        };
        let is_change = method != Method::GET;
        let result = self.respond(method, &path, body, condition).await;
        let is_stored = match &result {
            Ok(_) => true,
            // A part of the change is stored, or may be.
            Err(CommandError::Target(error)) => error.code == HALF_SAVED || error.status.is_server_error(),
            Err(_) => false,
        };
        self.stored_changes.update(|count| count + usize::from(is_change && is_stored));
        match recording {
            Some(recording) => recording.finish(result),
            None => result,
        }
    }

    /// Handles a request. Repeats a read that the server limits, such as searches of 8.2, after the time that it names.
    async fn respond(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        condition: Option<&HeaderValue>,
    ) -> Result<(Bytes, Option<HeaderValue>), CommandError> {
        let mut response = self.handle(&method, path, body, condition).await?;
        for _ in 1..MAX_TRIES {
            let Some(delay) = retry_delay(&response).filter(|_| method == Method::GET) else { break };
            tokio::time::sleep(delay).await;
            response = self.handle(&method, path, body, condition).await?;
        }
        let status = response.status();
        // Weak tags do not identify the state.
        let tag = response.headers().get(ETAG).filter(|tag| tag.as_bytes().starts_with(b"\"")).cloned();
        let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
        let location = location.filter(|_| status.is_redirection()).map(ToOwned::to_owned);
        let body = to_bytes_limited(response.into_body(), MAX_RESPONSE).await;
        let failed = |reason: String| self.fault(StatusCode::BAD_GATEWAY, String::new(), reason);
        let body = body
            .map_err(|_too_large| failed(format!("the response to {path} is too large")))?
            .map_err(|cause| failed(format!("the response to {path} is incomplete: {cause}")))?;
        if status.is_success() {
            return Ok((body, tag));
        }
        let location = match location {
            None if status.is_redirection() => self.find_redirect(path).await,
            location => location,
        };
        let refused = Refused { request: (method, path), status, location };
        Err(self.describe(&refused, &body).into())
    }

    /// Handles a request once.
    async fn handle(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
        condition: Option<&HeaderValue>,
    ) -> Result<HttpResponse, CommandError> {
        let uri = Uri::try_from(path).map_err(|cause| CommandError::Failed(cause.into()))?;
        let bytes = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CLIENT_SPEC, HeaderValue::from_static(SUPPORTED_SPEC));
        if let Some(tag) = condition {
            headers.insert(IF_MATCH, tag.clone());
        }
        if method != Method::GET {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        }
        let payload: Payload = Payload::Stream { payload: Box::pin(stream::iter([Ok(bytes)])) };
        let mut request = Request::with_payload(payload);
        let head = request.head_mut();
        (head.method, head.uri, head.headers) = (method.clone(), uri, headers);
        Ok(match self.handler.call(request).await {
            Ok(response) => HttpResponse::from(response),
            Err(error) => error.error_response(),
        })
    }

    /// Returns the target of a redirect. Converted responses do not contain it.
    async fn find_redirect(&self, path: &str) -> Option<String> {
        let Api::Upstream(upstream) = &self.backend.api else { return None };
        let proxy = Proxy::new(&upstream.proxy);
        let (client, headers) = (Client::local(), HeaderMap::new());
        let ask = proxy.send_for(&client, &headers, &Method::GET, path, Bytes::new());
        let response = proxy.within_deadline(ask).await.ok()?.ok()?;
        response.headers().get(LOCATION)?.to_str().ok().map(ToOwned::to_owned)
    }

    /// Sends a change. If the server asks for a confirmation, confirms it or fails.
    pub(super) async fn confirm(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        condition: Option<&HeaderValue>,
        is_confirmed: bool,
    ) -> Result<(), CommandError> {
        match self.exchange(method.clone(), path, body, condition).await {
            Err(CommandError::Target(question)) if question.is_question() => {
                if !is_confirmed {
                    return Err(CommandError::Unconfirmed(question));
                }
                let confirmed = format!("{path}?confirm={}", question.code);
                self.exchange(method, &confirmed, body, condition).await.map(drop)
            }
            result => result.map(drop),
        }
    }

    /// Describes a refusal with its remedy, the request and the status.
    fn describe(
        &self,
        Refused { request: (method, path), status, location }: &Refused<'_>,
        body: &[u8],
    ) -> TargetError {
        let status = *status;
        let refusal = serde_json::from_slice::<Refusal>(body).unwrap_or_default();
        let detail = refusal.details.into_iter().find_map(|detail| detail.message);
        let message = detail.or(refusal.message).or(refusal.error);
        let message = message.unwrap_or_else(|| "the request failed".to_owned());
        let permission = refusal.permission.map(|permission| format!(" ({permission})")).unwrap_or_default();
        let reason = match status {
            _ if status.is_redirection() => {
                let place = location.as_ref().map(|place| format!(" to {place}")).unwrap_or_default();
                format!(
                    "it redirects{place}; use the URL of the flag service itself, and a credential that needs no sign-in page"
                )
            }
            StatusCode::UNAUTHORIZED if self.has_credential => {
                "it refuses the credential; check that it is complete, has not expired, and belongs to this flag service: \
                 header in the table of the target, or --upstream-header"
                    .to_owned()
            }
            StatusCode::UNAUTHORIZED => {
                let text = "it requires a sign-in; send a credential: header = \"Authorization=@FILE\" in the table of the \
                            target, or --upstream-header Authorization=@FILE";
                text.to_owned()
            }
            // The message is about the plan, and no credential of this user helps.
            StatusCode::FORBIDDEN if refusal.code.as_ref().is_some_and(|code| code.starts_with("plan_")) => {
                message
            }
            StatusCode::FORBIDDEN => {
                format!("{message}{permission}; use the credential of a user with this permission")
            }
            StatusCode::PRECONDITION_REQUIRED => {
                let names: Vec<_> = refusal.environments.into_iter().map(|one| one.name).collect();
                format!(
                    "it has several environments; set environment in the table of the target, or \
                     --upstream-environment, to one of {}",
                    names.join(", ")
                )
            }
            _ => message,
        };
        let fault = self.fault(status, refusal.code.unwrap_or_default(), reason);
        // A question is no failure.
        if fault.is_question() {
            return fault;
        }
        // The message names the refused request of the upstream.
        if fault.code == HALF_SAVED {
            return TargetError { reason: format!("{} ({status})", fault.reason), ..fault };
        }
        TargetError { reason: format!("{} ({method} {path}: {status})", fault.reason), ..fault }
    }

    fn fault(&self, status: StatusCode, code: String, reason: String) -> TargetError {
        TargetError { target: self.name.clone(), status, code, reason }
    }
}

/// Returns the time after which a request that the server limits can be repeated
/// ([RFC 6585, section 4](https://www.rfc-editor.org/rfc/rfc6585#section-4)).
fn retry_delay(response: &HttpResponse) -> Option<Duration> {
    let is_limited = response.status() == StatusCode::TOO_MANY_REQUESTS;
    let delay = || parse_retry_after(response.headers()).unwrap_or(DEFAULT_RETRY_DELAY);
    is_limited.then(|| delay().min(MAX_RETRY_DELAY))
}

fn without_query(path: &str) -> &str {
    path.split_once('?').map_or(path, |(path, _)| path)
}

/// Returns the path of a toggle.
pub(super) fn path_of(name: &str) -> String {
    format!("/features/{}", encode(name))
}

/// Encodes a text for one segment of a path.
pub(super) fn encode(text: &str) -> impl Display {
    utf8_percent_encode(text, SEGMENT)
}

/// Identifies the client and the request, as the middleware of a server does.
async fn identify(
    request: ServiceRequest,
    next: Next<impl actix_web::body::MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    request.extensions_mut().insert(Rc::new(Client::local()));
    let id = RequestId::generate().map_err(ApiError::internal)?;
    Ok(id.scope(next.call(request)).await?.map_into_boxed_body())
}
