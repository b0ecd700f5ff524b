//! Compatibility with flag services that have projects and environments (Unleash 4.19 to 8.2).
//!
//! The console uses the API of Unleash 3. Newer servers store the state of a toggle for each environment and offer other
//! endpoints. `Compat::convert` converts the calls that differ into calls of the server. Each noun has a module; [`Operation`]
//! lists the converted calls. `Compat::observe_request` observes the requests that the dispatcher forwards unchanged.
//!
//! All requests carry the credentials of the user who sent the original one ([`caller`]).

mod addons;
mod administrator;
mod applications;
mod archive;
mod caller;
mod confirmation;
mod context;
mod detection;
mod editor;
mod events;
mod failure;
mod lifecycle;
mod list;
mod locks;
mod operation;
mod permissions;
mod persons;
mod profile;
mod project_lists;
mod projects;
mod reply;
mod reported_usage;
mod save;
mod scope;
mod search;
mod sessions;
mod settings;
mod switch;
mod tags;
mod toggle;
mod usage;
mod user_key;
mod watch;

use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderValue, IfMatch, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, FromRequest as _, HttpRequest, HttpResponse, ResponseError as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

pub(crate) use self::administrator::AdministratorPurpose;
use self::caller::Caller;
use self::confirmation::Confirmation;
pub use self::detection::Kind;
use self::detection::{Detection, Fixed};
use self::failure::Failure;
use self::list::ListLimits;
use self::list::strategy_cache::{StrategyCache, Write};
use self::locks::ToggleLocks;
use self::operation::Operation;
use self::persons::Persons;
use self::reported_usage::BodyCopy;
pub use self::reported_usage::ReportedUsage;
use self::scope::ToggleProjects;
use self::sessions::Sessions;
use self::usage::UsageCache;
use self::user_key::UserKey;
pub(crate) use self::user_key::can_identify;
pub(crate) use self::watch::detect;
pub use self::watch::watch;
use crate::api::ConfirmedPerson;
use crate::config::{BasePath, ClientToken, Upstream};
use crate::console::evaluation::{ClientId, Evaluations, Turn};
use crate::console_api::{NewerServer, Settings};
use crate::error::{ApiError, FailedCondition};
use crate::journal::{Journal, LineKind, Notes, Person, PersonSource};
use crate::json_body::JsonBody;
use crate::metrics::Conversions;
use crate::middleware::client::Client;
use crate::middleware::compress;
use crate::negotiation::if_match;
use crate::proxy::Proxy;
use crate::request_id::RequestId;

/// State of the compatibility layer that all workers share.
#[derive(Debug, Clone)]
pub struct CompatState {
    base_path: BasePath,
    fixed: Arc<Fixed>,
    /// True if the operator has configured credentials for the server.
    has_credentials: bool,
    detection: Arc<Detection>,
    locks: Arc<ToggleLocks>,
    caches: Arc<Caches>,
    conversions: Conversions,
    client_tokens: Arc<[ClientToken]>,
    reported: ReportedUsage,
}

/// Responses of the server that several requests use, and limits. Entries that depend on permissions are kept for each
/// user.
#[derive(Debug, Default)]
struct Caches {
    usage: UsageCache,
    strategies: StrategyCache,
    projects: ToggleProjects,
    lists: ListLimits,
    sessions: Sessions,
    persons: Persons,
}

/// The compatibility layer of one worker.
pub struct Compat {
    proxy: Rc<Proxy>,
    state: CompatState,
}

/// A call of the console that is converted into calls of the server.
pub struct Call {
    caller: Caller,
    user: UserKey,
    server: Arc<NewerServer>,
    request: HttpRequest,
    /// Body of the request; null if it has none.
    body: Value,
    locks: Arc<ToggleLocks>,
    caches: Arc<Caches>,
    client_tokens: Arc<[ClientToken]>,
    reported: ReportedUsage,
}

/// The result of the conversion of a call.
pub(crate) enum Conversion {
    /// The response to the client.
    Converted(ServiceResponse),
    /// The server offers the call, or describes how to sign in: the request must be forwarded.
    NotNecessary(ServiceRequest),
}

/// Observes a forwarded request until its response: sessions, reported usage, and signs of another server.
pub(crate) struct RequestObserver<'c> {
    compat: &'c Compat,
    /// Held until the response: strategies that are read meanwhile may be outdated.
    _write: Option<Write<'c>>,
    changes_user: bool,
    copy: Option<BodyCopy>,
}

impl CompatState {
    /// Creates the state, without a request to the upstream.
    #[must_use]
    pub fn new(upstream: &Upstream, base_path: &BasePath) -> Self {
        let fixed = Fixed { environment: upstream.environment.clone(), project: upstream.project.clone() };
        Self {
            base_path: base_path.clone(),
            fixed: Arc::new(fixed),
            has_credentials: !upstream.added_headers.is_empty(),
            detection: Arc::default(),
            locks: Arc::default(),
            caches: Arc::default(),
            conversions: Conversions::default(),
            client_tokens: Arc::clone(&upstream.client_tokens),
            reported: ReportedUsage::new(upstream),
        }
    }

    /// Returns the counter of converted requests.
    #[must_use]
    pub fn conversions(&self) -> &Conversions {
        &self.conversions
    }

    /// Returns the counts of the reports that pass through this process.
    #[must_use]
    pub fn reported_usage(&self) -> &ReportedUsage {
        &self.reported
    }

    /// Returns the version of a server with environments; empty if the server does not report it.
    #[must_use]
    pub fn server_version(&self) -> Option<String> {
        self.detection.version()
    }
}

impl Compat {
    /// Creates the compatibility layer of one worker.
    #[must_use]
    pub fn new(proxy: &Rc<Proxy>, state: &CompatState) -> Self {
        Self { proxy: Rc::clone(proxy), state: state.clone() }
    }

    /// Returns the conversion of a call; `None` if the request must be forwarded.
    pub(crate) fn find_operation(&self, request: &ServiceRequest) -> Option<Operation> {
        if self.state.detection.is_older() {
            return None;
        }
        let path = self.state.base_path.strip(request.uri().path()).unwrap_or_default();
        Operation::find(request.method(), path)
    }

    /// Observes a request that is about to be forwarded. The observer must receive the response.
    pub(crate) async fn observe_request(&self, request: &mut ServiceRequest) -> RequestObserver<'_> {
        let write = (!request.method().is_safe()).then(|| self.state.caches.strategies.start_write());
        let path = self.state.base_path.strip(request.path()).unwrap_or_default();
        let changes_user = user_key::changes_user(request.method(), path);
        if changes_user {
            self.end_session(request.request()).await;
        }
        RequestObserver { compat: self, _write: write, changes_user, copy: self.copy_report(request) }
    }

    /// Copies the body of a report of an SDK while it is forwarded. Servers without environments count per minute
    /// themselves.
    fn copy_report(&self, request: &mut ServiceRequest) -> Option<BodyCopy> {
        if self.state.detection.is_older() {
            return None;
        }
        let path = self.state.base_path.strip(request.path()).unwrap_or_default().to_owned();
        self.state.reported.copy_body(request, &path)
    }

    /// Signs out the user of a request at the flag service.
    pub(crate) async fn sign_out(
        &self,
        request: &HttpRequest,
        journal: Option<&Journal>,
    ) -> Result<HttpResponse, ApiError> {
        self.note_person(request, journal).await;
        self.end_session(request).await;
        let response = self.proxy.sign_out(request).await;
        self.end_session(request).await;
        response
    }

    /// Forgets the user of a request that signs in or out. It must be called before the request is forwarded, because
    /// the client can disconnect meanwhile; and afterwards, because another request can verify the session meanwhile.
    async fn end_session(&self, request: &HttpRequest) {
        let (credentials, sign_ins) = (user_key::hash(request.headers()), self.state.detection.sign_ins());
        self.state.caches.sessions.forget(sign_ins.key(credentials).await).await;
        sign_ins.observe(credentials).await;
    }

    /// Remembers a user whose credentials the server has just accepted, so that they count if it does not respond later.
    async fn note_session(&self, request: &HttpRequest, status: StatusCode) {
        let path = self.state.base_path.strip(request.path()).unwrap_or_default();
        if request.method() == Method::GET && path == USER && status.is_success() {
            let user = self.state.detection.sign_ins().key(user_key::hash(request.headers())).await;
            self.state.caches.sessions.remember(user).await;
        }
    }

    /// Forgets the detected server if a response indicates another one. After an upgrade some endpoints of an older server
    /// are missing; other missing items belong to the user. The kinds do not differ in their headers.
    fn observe(&self, request: &HttpRequest, status: StatusCode) {
        let is_missing = matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE);
        let path = || self.state.base_path.strip(request.path()).unwrap_or_default();
        if status.is_server_error() || (is_missing && Operation::find(request.method(), path()).is_some()) {
            self.state.detection.observe(status);
        }
    }

    /// Converts a call into calls of the server.
    pub(crate) async fn convert(
        &self,
        operation: Operation,
        request: ServiceRequest,
    ) -> Result<Conversion, Error> {
        let kind = match Caller::new(&self.proxy, request.request()) {
            Ok(caller) => {
                let user = self.state.detection.user_of(&caller).await;
                let kind = self.state.detection.kind(&caller, user, &self.state.fixed).await;
                kind.map(|kind| (kind, caller, user))
            }
            Err(error) => Err(error.into()),
        };
        let (server, caller, user) = match kind {
            Ok((Kind::Newer(server), caller, user)) => (server, caller, user),
            Ok((Kind::Older, ..)) => return Ok(Conversion::NotNecessary(request)),
            // The user must sign in: the server describes how.
            Err(failure) if failure.has_status(401) => return Ok(Conversion::NotNecessary(request)),
            Err(failure) => {
                let (request, _) = request.into_parts();
                let response = ServiceResponse::new(request, failure.into_response());
                return Ok(Conversion::Converted(response));
            }
        };
        let (request, payload) = request.into_parts();
        let call = Call {
            caller,
            user,
            server,
            request: request.clone(),
            body: Value::Null,
            locks: Arc::clone(&self.state.locks),
            caches: Arc::clone(&self.state.caches),
            client_tokens: Arc::clone(&self.state.client_tokens),
            reported: self.state.reported.clone(),
        };
        let label = operation.label();
        let response = match call.run(operation, payload).await {
            Ok(response) => response,
            Err(failure) => failure.into_response(),
        };
        self.state.detection.observe(response.status());
        self.state.conversions.record(label, response.status());
        self.note_session(&request, response.status()).await;
        let response = compress::encode(&request, response).await?;
        Ok(Conversion::Converted(ServiceResponse::new(request, response)))
    }

    /// Returns the settings of the console with the server that the user with these headers can read.
    pub(crate) async fn settings(
        &self,
        client: Rc<Client>,
        headers: HeaderMap,
        settings: &Settings,
    ) -> Settings {
        let caller = Caller::with_headers(&self.proxy, client, headers);
        let detected = settings::detect(&self.state.detection, &caller, &self.state.fixed).await;
        let (capabilities, server) = detected.unzip();
        let server = server.flatten().map(|server| {
            let mut server = Arc::unwrap_or_clone(server);
            let is_offered = |name: &String| server.environments.iter().any(|one| one.name == *name);
            server.minute_counts =
                self.state.reported.environments().into_iter().filter(is_offered).collect();
            server
        });
        Settings { capabilities, server, ..settings.clone() }
    }

    /// Verifies that the user who sent the request is an administrator of the flag service.
    ///
    /// # Errors
    /// The response for other users, and if the flag service does not respond.
    pub(crate) async fn verify_administrator(
        &self,
        request: &HttpRequest,
        purpose: AdministratorPurpose,
    ) -> Result<(), HttpResponse> {
        let caller = Caller::new(&self.proxy, request).map_err(|error| error.error_response())?;
        administrator::verify(&caller, purpose).await.map_err(Failure::into_response)
    }

    /// Notes the user of a request for the journal, if the request has a line there.
    pub(crate) async fn note_person(&self, request: &HttpRequest, journal: Option<&Journal>) {
        let (Some(journal), Some(notes)) = (journal, Notes::from_request(request)) else { return };
        // The user before a sign-in is somebody else.
        if notes.kind() == Some(LineKind::SignIn) {
            return;
        }
        let Ok(caller) = Caller::new(&self.proxy, request) else { return };
        let user = self.state.detection.user_of(&caller).await;
        notes.set_person(self.state.caches.persons.find(&caller, user, journal).await);
    }

    /// Returns the name of the user who sent the request and may update the toggles of the project; empty if the flag service
    /// requires no sign-in. While it does not respond, its last response counts.
    ///
    /// # Errors
    /// The response for other users.
    pub(crate) async fn verify_editor(
        &self,
        request: &HttpRequest,
        project: Option<&str>,
    ) -> Result<String, HttpResponse> {
        let caller = Caller::new(&self.proxy, request).map_err(|error| error.error_response())?;
        let user = self.state.detection.user_of(&caller).await;
        let name = editor::verify(&self.state.caches.sessions, &caller, user, project).await;
        let name = name.map_err(Failure::into_response)?;
        if let (Some(notes), false) = (Notes::from_request(request), name.is_empty()) {
            let (iss, sub) = (Some(caller.server()), Some(name.clone()));
            notes.set_person(Person { iss, sub, name: None, known: PersonSource::Upstream });
        }
        Ok(name)
    }

    /// Remembers what the flag service reports about a user, so that [`Self::verify_editor`] knows it during an outage.
    pub(crate) async fn note_profile(&self, request: &HttpRequest) {
        let Ok(caller) = Caller::new(&self.proxy, request) else { return };
        let user = self.state.detection.user_of(&caller).await;
        drop(self.state.caches.sessions.verify_profile(&caller, user).await);
    }

    /// Responds to a user who is signed in, unless the flag service requires no sign-in. Passes on the session that the flag
    /// service renews.
    pub async fn respond_to_user(
        &self,
        request: &HttpRequest,
        response: impl Future<Output = Result<HttpResponse, ApiError>>,
    ) -> HttpResponse {
        let caller = match Caller::new(&self.proxy, request) {
            Ok(caller) => caller,
            Err(error) => return error.error_response(),
        };
        let user = self.state.detection.user_of(&caller).await;
        let respond = async {
            self.state.caches.sessions.verify(&caller, user).await?;
            Ok(response.await?)
        };
        let mut response = respond.await.unwrap_or_else(Failure::into_response);
        caller.add_cookies(&mut response);
        response
    }

    /// Responds to the person whom the flag service confirms for this request; without identities if it requires no sign-in. Nothing
    /// that it has confirmed before counts. Passes on the session that the flag service renews.
    pub(crate) async fn respond_to_person(
        &self,
        request: &HttpRequest,
        respond: impl AsyncFnOnce(ConfirmedPerson) -> Result<HttpResponse, ApiError>,
    ) -> HttpResponse {
        let caller = match Caller::new(&self.proxy, request) {
            Ok(caller) => caller,
            Err(error) => return error.error_response(),
        };
        let respond = async {
            let (person, confirmed) = persons::confirm(&caller).await?;
            if let (Some(notes), Some(person)) = (Notes::from_request(request), person) {
                notes.set_person(person);
            }
            Ok(respond(confirmed).await?)
        };
        let mut response = respond.await.unwrap_or_else(Failure::into_response);
        caller.add_cookies(&mut response);
        response
    }

    /// Evaluates for a user who is signed in, unless the flag service requires no sign-in. Passes on the session that the flag
    /// service renews.
    pub async fn evaluate(
        &self,
        request: &HttpRequest,
        evaluations: &Evaluations,
        evaluate: impl AsyncFnOnce(Turn<'_>) -> Result<HttpResponse, ApiError>,
    ) -> HttpResponse {
        let caller = match Caller::new(&self.proxy, request) {
            Ok(caller) => caller,
            Err(error) => return error.error_response(),
        };
        let user = self.state.detection.user_of(&caller).await;
        let respond = async {
            let is_verified = self.state.caches.sessions.verify(&caller, user).await?;
            let client = if is_verified {
                ClientId::User(user.credentials())
            } else {
                ClientId::from_request(request)?
            };
            Ok(evaluate(evaluations.wait_for_turn(client).await?).await?)
        };
        let mut response = respond.await.unwrap_or_else(Failure::into_response);
        caller.add_cookies(&mut response);
        response
    }
}

impl RequestObserver<'_> {
    /// Observes the response to the request.
    pub(crate) async fn observe_response(self, request: &HttpRequest, status: StatusCode) {
        let Self { compat, _write, changes_user, copy } = self;
        compat.observe(request, status);
        if let Some(body) = copy.and_then(BodyCopy::into_bytes) {
            let path = compat.state.base_path.strip(request.path()).unwrap_or_default();
            compat.state.reported.record(path, request.headers(), &body, status);
        }
        if changes_user {
            compat.end_session(request).await;
        }
        compat.note_session(request, status).await;
    }
}

impl Call {
    /// Runs the operation. A change continues if the client disconnects, because it may consist of several requests.
    async fn run(mut self, operation: Operation, mut payload: Payload) -> Result<HttpResponse, Failure> {
        let is_comparable = self.request.method() == Method::GET || matches!(operation, Operation::Update(_));
        if !is_comparable && let Some(IfMatch::Items(_)) = if_match(&self.request) {
            return Err(ApiError::PreconditionFailed(FailedCondition::NotConditional).into());
        }
        if operation.has_body() {
            self.body = JsonBody::from_request(&self.request, &mut payload).await?.0;
        }
        let caller = self.caller.clone();
        let mut response = if *self.request.method() == Method::GET {
            operation.run(&self).await?
        } else {
            let run = async move {
                let _write = self.caches.strategies.start_write();
                operation.run(&self).await
            };
            let task = match RequestId::current() {
                Some(id) => actix_web::rt::spawn(id.scope(run)),
                None => actix_web::rt::spawn(run),
            };
            task.await.map_err(ApiError::internal)??
        };
        response.headers_mut().append(VARY, HeaderValue::from_static("Flagdeck-Environment"));
        caller.add_cookies(&mut response);
        Ok(response)
    }

    /// Returns the selected environment.
    fn environment(&self) -> Result<&str, ApiError> {
        scope::environment(&self.server, self.request.headers())
    }

    /// Returns the values of a query parameter, decoded.
    fn queries(&self, name: &str) -> Vec<String> {
        let query = self.request.query_string().as_bytes();
        let values = url::form_urlencoded::parse(query).filter(|(key, _)| key == name);
        values.map(|(_, value)| value.into_owned()).collect()
    }

    /// Returns the first value of a query parameter, decoded.
    fn query(&self, name: &str) -> Option<String> {
        self.queries(name).into_iter().next()
    }

    /// Checks that the user has confirmed a question. A request can confirm several.
    fn confirm(&self, question: Confirmation) -> Result<(), ApiError> {
        let is_confirmed = self.queries("confirm").iter().any(|code| code == question.code());
        if is_confirmed { Ok(()) } else { Err(question.into()) }
    }
}

/// Path of the signed-in user. Servers that require sign-in refuse it without.
const USER: &str = "/api/admin/user";

/// Characters that need no encoding in a path segment (RFC 3986, 2.3).
const UNRESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes a name as a path segment.
fn encode(name: &str) -> String {
    utf8_percent_encode(name, &UNRESERVED).to_string()
}

/// Creates a response with a JSON body.
fn json(status: StatusCode, body: Vec<u8>) -> HttpResponse {
    HttpResponse::build(status).content_type("application/json").body(body)
}
