//! Compatibility with flag services that have projects and environments (Unleash 5 to 8.2).
//!
//! The console uses the API of Unleash 3. Newer servers store the state of a toggle for each environment and offer other
//! endpoints. `Compat::convert` converts the calls that differ into calls of the server. Each noun has a module; [`Operation`]
//! lists the converted calls. `Compat::observe_request` observes the requests that the forwarder forwards unchanged.
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
mod save;
mod scope;
mod search;
mod session_renewal;
mod sessions;
mod settings;
mod switch;
mod tags;
mod toggle;
mod usage;
mod user_key;
mod visible_projects;
mod visitor;
mod watch;

use std::rc::Rc;
use std::sync::Arc;

use actix_web::body::{BoxBody, to_bytes_limited};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, IF_NONE_MATCH, IfMatch,
    SET_COOKIE, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, FromRequest as _, HttpMessage as _, HttpRequest, HttpResponse};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

pub(crate) use self::administrator::AdministratorPurpose;
use self::caller::Caller;
use self::confirmation::Confirmation;
pub use self::detection::Kind;
use self::detection::{Detection, Fixed};
use self::failure::{Failure, session_ended};
use self::list::ListLimits;
use self::list::strategy_cache::{StrategyCache, Write};
use self::locks::ToggleLocks;
use self::operation::Operation;
use self::persons::Persons;
use self::scope::ToggleProjects;
pub(crate) use self::session_renewal::SessionRenewal;
use self::sessions::Sessions;
use self::usage::UsageCache;
use self::user_key::UserKey;
pub(crate) use self::user_key::can_identify;
pub(crate) use self::visible_projects::VisibleProjects;
pub(crate) use self::visitor::Visitor;
pub(crate) use self::watch::detect;
pub use self::watch::watch;
use crate::api_path::{ApiPath, EndpointClass, USER_PATH, is_for_sdks};
use crate::config::{BasePath, ClientToken, Upstream};
use crate::console_api::{NewerServer, Settings};
use crate::error::{ApiError, FailedCondition};
use crate::journal::Journal;
use crate::json_body::JsonBody;
use crate::metrics::Conversions;
use crate::middleware;
use crate::middleware::client::Client;
use crate::middleware::compress;
use crate::middleware::signed_in_user;
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
}

/// The result of the conversion of a call.
pub(crate) enum Conversion {
    /// The response to the client.
    Converted(ServiceResponse),
    /// The server offers the call, or describes how to sign in: the request must be forwarded.
    NotNecessary(ServiceRequest),
}

/// Marks a request that was converted, as an extension.
struct Converted;

/// Observes a forwarded request until its response: sessions, and signs of another server.
pub(crate) struct RequestObserver<'c> {
    compat: &'c Compat,
    /// Held until the response: strategies that are read meanwhile may be outdated.
    _write: Option<Write<'c>>,
    changes_user: bool,
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
        }
    }

    /// Returns the counter of converted requests.
    #[must_use]
    pub fn conversions(&self) -> &Conversions {
        &self.conversions
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
    pub(crate) async fn observe_request(&self, request: &ServiceRequest) -> RequestObserver<'_> {
        let write = (!request.method().is_safe()).then(|| self.state.caches.strategies.start_write());
        let path = self.state.base_path.strip(request.path()).unwrap_or_default();
        let changes_user = user_key::changes_user(request.method(), path);
        if changes_user {
            self.end_session(request.request()).await;
        }
        RequestObserver { compat: self, _write: write, changes_user }
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

    /// Remembers a user whose credentials the server has just accepted, so that they count if it does not respond later, and forgets
    /// one whose credentials it has refused.
    async fn note_session(&self, request: &HttpRequest, status: StatusCode, headers: &HeaderMap) {
        let user = async || self.state.detection.sign_ins().key(user_key::hash(request.headers())).await;
        if status == StatusCode::UNAUTHORIZED {
            self.state.caches.sessions.forget(user().await).await;
        }
        let path = self.state.base_path.strip(request.path()).unwrap_or_default();
        // A sign-in in front of the server shows its page.
        let is_page = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        if ApiPath::find_exact(request.method(), path) == Some(ApiPath::User)
            && status.is_success()
            && !is_page
        {
            let Ok(client) = middleware::client::from_request(request) else { return };
            self.state.caches.sessions.remember(user().await, client.address).await;
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
            // The user must sign in: the server describes how, or the page of a sign-in in front of it.
            Err(failure) if failure.has_status(401) || failure.is_page() => {
                return Ok(Conversion::NotNecessary(request));
            }
            Err(failure) => {
                let (request, _) = request.into_parts();
                let response = ServiceResponse::new(request, failure.into_response());
                return Ok(Conversion::Converted(response));
            }
        };
        let (request, payload) = request.into_parts();
        request.extensions_mut().insert(Converted);
        let call = Call {
            caller,
            user,
            server,
            request: request.clone(),
            body: Value::Null,
            locks: Arc::clone(&self.state.locks),
            caches: Arc::clone(&self.state.caches),
            client_tokens: Arc::clone(&self.state.client_tokens),
        };
        let label = operation.label();
        let response = match call.run(operation, payload).await {
            Ok(response) => response,
            Err(failure) => failure.into_response(),
        };
        self.state.detection.observe(response.status());
        self.state.conversions.record(label, response.status());
        self.note_session(&request, response.status(), response.headers()).await;
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
        let server = server.flatten().map(Arc::unwrap_or_clone);
        Settings { capabilities, server, ..settings.clone() }
    }

    /// Responds to a request unless it is a change for another user than the one whom the flag service describes. The response names
    /// the user (`middleware/signed_in_user.rs`).
    pub(crate) async fn respond_to_same_user(
        &self,
        mut request: ServiceRequest,
        respond: impl AsyncFnOnce(ServiceRequest) -> Result<ServiceResponse, Error>,
    ) -> Result<ServiceResponse, Error> {
        let path = self.state.base_path.strip(request.path()).unwrap_or_default();
        let class = EndpointClass::classify(request.method(), path);
        if class == EndpointClass::Session || is_for_sdks(request.method(), path) {
            return respond(request).await;
        }
        let reads_user = ApiPath::find_tolerant(request.method(), path) == Some(ApiPath::User);
        if reads_user {
            // The response is parsed, and its header belongs to its body.
            request.headers_mut().remove(ACCEPT_ENCODING);
            request.headers_mut().remove(IF_NONE_MATCH);
        }
        let mut cookies = Vec::new();
        if class.is_operator_change() && signed_in_user::is_for_one_user(request.request()) {
            let (confirmed, renewed) = self.confirm_user(request.request()).await;
            cookies = renewed;
            if let Err(failure) = confirmed {
                let mut response = request.into_response(failure.into_response());
                append_cookies(&mut response, cookies);
                return Ok(response);
            }
        }
        let mut response = respond(request).await?;
        if reads_user && !is_converted(response.request()) {
            response = self.read_profile(response).await?;
        }
        // The session that belongs to the response itself is newer.
        if !response.headers().contains_key(SET_COOKIE) {
            append_cookies(&mut response, cookies);
        }
        let user = self.state.detection.sign_ins().key(user_key::hash(response.request().headers())).await;
        if let Some(profile) = self.state.caches.sessions.last_profile(user).await {
            signed_in_user::note(response.request(), &profile.hash);
        }
        Ok(response)
    }

    /// Asks the flag service for the user of a change, and compares. Also returns the cookies that it has set.
    async fn confirm_user(&self, request: &HttpRequest) -> (Result<(), Failure>, Vec<HeaderValue>) {
        let caller = match Caller::new(&self.proxy, request) {
            Ok(caller) => caller,
            Err(error) => return (Err(error.into()), Vec::new()),
        };
        let user = self.state.detection.user_of(&caller).await;
        let confirmed = match self.state.caches.sessions.ask_profile(&caller, user).await {
            Ok(acceptance) => acceptance
                .profile()
                .map_or(Ok(()), |profile| signed_in_user::confirm(request, &profile.hash))
                .map_err(Failure::from),
            Err(failure) => Err(failure),
        };
        (confirmed, caller.take_cookies())
    }

    /// Remembers the user whom a forwarded response describes.
    async fn read_profile(&self, response: ServiceResponse) -> Result<ServiceResponse, ApiError> {
        if response.status() != StatusCode::OK || response.headers().contains_key(CONTENT_ENCODING) {
            return Ok(response);
        }
        let (request, response) = response.into_parts();
        let (response, body) = response.into_parts();
        let unexpected = |fault: &str| ApiError::UnexpectedResponse {
            path: USER_PATH.to_owned(),
            fault: fault.to_owned(),
        };
        let body = to_bytes_limited(body, MAX_USER)
            .await
            .map_err(|_too_large| unexpected("the response is too large"))?;
        let body = body.map_err(|error| unexpected(&error.to_string()))?;
        if sessions::is_object(&body) {
            let user = self.state.detection.sign_ins().key(user_key::hash(request.headers())).await;
            let address = middleware::client::from_request(&request)?.address;
            self.state.caches.sessions.remember_profile(user, address, &body).await;
        }
        Ok(ServiceResponse::new(request, response.set_body(BoxBody::new(body))))
    }
}

impl RequestObserver<'_> {
    /// Observes the response to the request.
    pub(crate) async fn observe_response(self, response: &ServiceResponse) {
        let Self { compat, _write, changes_user } = self;
        let (request, status) = (response.request(), response.status());
        compat.observe(request, status);
        if changes_user {
            compat.end_session(request).await;
        }
        compat.note_session(request, status, response.headers()).await;
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
            let result = task.await.map_err(ApiError::internal)?;
            // A client that gets a 401 signs in and repeats the call, parts of which are stored.
            result.map_err(|failure| match failure {
                failure if failure.has_status(401) && caller.has_changed() => session_ended().into(),
                failure => failure,
            })?
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

/// Returns true if a request was converted into requests of the flag service, so that a part of it can be stored.
pub(crate) fn is_converted(request: &HttpRequest) -> bool {
    request.extensions().contains::<Converted>()
}

/// Maximum size in bytes of the forwarded response about the user.
const MAX_USER: usize = 1 << 20;

fn append_cookies(response: &mut ServiceResponse, cookies: Vec<HeaderValue>) {
    for cookie in cookies {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

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
