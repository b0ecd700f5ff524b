//! Access to an upstream for users who sign in at this program (`upstream-sign-in`).
//!
//! A request of a user passes these steps: `permission` decides what it requires, the session of this program answers who sends
//! it, and its credentials are replaced by those of the upstream. The cookies of the browser never reach the upstream, and those
//! of the upstream never reach the browser. `upstream_sessions` signs persons in at the upstream.

mod permission;
mod toggle_body;
mod upstream_sessions;
mod user;

use std::future::ready;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::to_bytes_limited;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_LENGTH, COOKIE, HeaderMap, HeaderValue, SET_COOKIE, TRANSFER_ENCODING,
};
use actix_web::web::{self, Data};
use actix_web::{Error, FromRequest as _, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _};
use bytes::Bytes;
use futures_util::stream;
use tokio::time::timeout;

use self::permission::Requirement;
use self::upstream_sessions::{PersonSession, UpstreamSessions, session_refused};
use super::forwarder::Forwarder;
use super::open_access;
use crate::api::User;
use crate::api_path::{ApiPath, is_for_sdks};
use crate::compat::{Compat, can_identify, is_converted};
use crate::config::{self, BasePath, Oidc, Permission, SharedAccount};
use crate::console_api::Settings;
use crate::database::Database;
use crate::error::{ApiError, DomainError};
use crate::flags::auth::Access;
use crate::json_body::{BodyLimits, CHANGE, check_values, read_bytes};
use crate::middleware::client;
use crate::proxy::Proxy;
use crate::sign_in::SignIn;

/// Maximum size of the upstream's response about its user.
const MAX_USER: usize = 1 << 20;
/// Time for the sign-in at the upstream before the settings of the console, which the first page waits for.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(2);

/// The access, shared by all workers.
#[derive(Clone)]
pub(crate) struct UpstreamAccess {
    /// Sessions of this program.
    pub(crate) access: Data<Access>,
    /// The database of the sessions.
    pub(crate) database: Data<Database>,
    /// Sign-in at the identity provider.
    pub(crate) sign_in: Arc<SignIn>,
    oidc: Arc<Oidc>,
    /// Sessions at the upstream; `None` if all persons share a credential.
    sessions: Option<UpstreamSessions>,
}

impl UpstreamAccess {
    /// Creates the access of users whose sessions are in this database.
    pub(super) fn new(
        config: &config::UpstreamSignIn,
        base_path: &BasePath,
        database: Database,
    ) -> Option<Self> {
        let oidc = config.auth.oidc.clone()?;
        let requires_email = config.account == SharedAccount::Demo;
        let sign_in = SignIn::new(Arc::clone(&oidc), base_path);
        let sign_in = Arc::new(if requires_email { sign_in.requiring_email() } else { sign_in });
        let access = Data::new(open_access(&config.auth, Some(&sign_in), base_path));
        let sessions = requires_email.then(UpstreamSessions::default);
        Some(Self { access, database: Data::new(database), sign_in, oidc, sessions })
    }

    /// Handles a request for the upstream.
    pub(super) async fn dispatch(
        &self,
        forwarder: &Forwarder,
        mut request: ServiceRequest,
    ) -> Result<ServiceResponse, Error> {
        let path = forwarder.proxy().path_below_base(request.uri()).to_owned();
        // The proxy sends neither cookies nor the shared credential with requests of SDKs.
        if is_for_sdks(request.method(), &path) {
            return Ok(without_cookies(forwarder.pass_on(request).await?));
        }
        let requirement = permission::find_requirement(request.method(), &path);
        if requirement == Requirement::Unavailable {
            return Err(ApiError::UnknownPath(request.path().to_owned()).into());
        }
        let authorized = self.access.authenticate(request.request(), &self.database).await?;
        if let Requirement::Permission(permission) = requirement {
            self.require(permission, &authorized.user)?;
        }
        if toggle_body::must_be_checked(request.method(), &path) {
            self.check_toggle_body(&mut request, &path, &authorized.user).await?;
        }
        let is_user = ApiPath::find_tolerant(request.method(), &path) == Some(ApiPath::User);
        if is_user {
            // The response is parsed.
            request.headers_mut().remove(ACCEPT_ENCODING);
        }
        let mut response = self.pass_on(forwarder, request, &authorized.user).await?;
        if is_user && response.status().is_success() {
            response = self.describe_user(response, authorized.user).await?;
        }
        let mut response = without_cookies(response);
        if let Some(cookie) = authorized.set_cookie {
            let value = HeaderValue::try_from(cookie).map_err(ApiError::internal)?;
            response.headers_mut().append(SET_COOKIE, value);
        }
        Ok(response)
    }

    /// Checks that a user has the permission that the body of a change requires. The request keeps its body.
    async fn check_toggle_body(
        &self,
        request: &mut ServiceRequest,
        path: &str,
        user: &User,
    ) -> Result<(), Error> {
        let Some(body) = take_body(request, &CHANGE).await? else { return Ok(()) };
        check_values(&body, &CHANGE)?;
        let required = toggle_body::find_permission(request.method(), path, request.headers(), &body);
        set_body(request, body);
        Ok(required.map_or(Ok(()), |permission| self.require(permission, user))?)
    }

    /// Passes on a request with the credentials of the person at the upstream. If the upstream does not accept the session any
    /// more, a forwarded request is repeated once in a new one: a server that responds with 401 has changed nothing. The requests
    /// of a converted call are repeated one by one.
    async fn pass_on(
        &self,
        forwarder: &Forwarder,
        mut request: ServiceRequest,
        user: &User,
    ) -> Result<ServiceResponse, Error> {
        let Some(sessions) = &self.sessions else {
            replace_credentials(request.headers_mut(), None);
            let response = forwarder.pass_on(request).await?;
            return if is_refused(&response) { Err(credential_refused().into()) } else { Ok(response) };
        };
        let client = client::from_request(request.request())?;
        let person = sessions.of(user)?;
        let limits =
            BodyLimits { bytes: forwarder.proxy().limits().body, values: usize::MAX, objects: usize::MAX };
        let body = take_body(&mut request, &limits).await?;
        let renewal = person.renewal(forwarder.proxy(), &client);
        request.extensions_mut().insert(Rc::new(renewal));
        let mut is_renewed = false;
        loop {
            let cookie = match person.cookie(forwarder.proxy(), &client).await {
                Ok(cookie) => cookie,
                Err(error) => return Ok(request.into_response(error.error_response())),
            };
            replace_credentials(request.headers_mut(), Some(&cookie));
            if let Some(body) = body.clone() {
                set_body(&mut request, body);
            }
            let response = forwarder.pass_on(request).await?;
            if !is_refused(&response) {
                return Ok(response);
            }
            person.forget(&cookie).await;
            if is_renewed || is_converted(response.request()) {
                return Err(session_refused().into());
            }
            is_renewed = true;
            let (parts, _) = response.into_parts();
            request = ServiceRequest::from_parts(parts, Payload::None);
        }
    }

    /// Replaces the upstream's response about its user by the person, with the permissions that both allow.
    async fn describe_user(
        &self,
        response: ServiceResponse,
        person: User,
    ) -> Result<ServiceResponse, ApiError> {
        let (request, response) = response.into_parts();
        let body = to_bytes_limited(response.into_body(), MAX_USER).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        let user = self.access.with_avatar(user::narrow(person, &body));
        Ok(ServiceResponse::new(request, HttpResponse::Ok().json(user)))
    }

    /// Returns the settings of the console. They describe the server to persons who have signed in.
    pub(crate) async fn settings(
        &self,
        compat: &Compat,
        proxy: &Proxy,
        request: &HttpRequest,
        settings: &Settings,
    ) -> Settings {
        let find = async {
            let user = self.access.authenticate(request, &self.database).await.ok()?.user;
            let client = client::from_request(request).ok()?;
            let mut headers = request.headers().clone();
            replace_credentials(&mut headers, None);
            let Some(sessions) = &self.sessions else {
                return Some(compat.settings(client, headers, settings).await);
            };
            let person = sessions.of(&user).ok()?;
            // Twice: the upstream may have ended the session.
            for _ in 0..2 {
                let cookie = timeout(SETTINGS_TIMEOUT, person.cookie(proxy, &client)).await.ok()?.ok()?;
                headers.insert(COOKIE, cookie.clone());
                let found = compat.settings(client.clone(), headers.clone(), settings).await;
                if found.capabilities.is_some() || person.is_accepted(&cookie, proxy, &client).await {
                    return Some(found);
                }
                person.forget(&cookie).await;
            }
            None
        };
        find.await.unwrap_or_else(|| settings.clone())
    }

    /// Ends the session of a person at the upstream.
    pub(crate) async fn end_upstream_session(
        &self,
        email: Option<&str>,
        proxy: &Proxy,
        request: &HttpRequest,
    ) {
        if let (Some(sessions), Some(email), Ok(client)) =
            (&self.sessions, email, client::from_request(request))
        {
            sessions.person(email).end(proxy, &client).await;
        }
    }

    /// Checks that a user has a permission.
    fn require(&self, permission: Permission, user: &User) -> Result<(), ApiError> {
        if user.has_permission(permission) { Ok(()) } else { Err(self.forbidden(permission)) }
    }

    /// Creates the error for a missing permission, with the groups that have it.
    fn forbidden(&self, permission: Permission) -> ApiError {
        let groups = self.oidc.groups_with(permission);
        let who = match groups.as_slice() {
            [] => "no group has it".to_owned(),
            [group] => format!("the group {group} has it"),
            groups => format!("the groups {} have it", groups.join(", ")),
        };
        let message = format!("You need the permission {permission} for this; {who}");
        DomainError::new("forbidden", StatusCode::FORBIDDEN, message)
            .of_service()
            .with_field("permission", permission.to_string())
            .with_field("groups", groups)
            .into()
    }
}

impl UpstreamSessions {
    /// Returns the session of a user, who needs an email address.
    fn of<'s>(&'s self, user: &'s User) -> Result<PersonSession<'s>, ApiError> {
        let missing = || {
            let message = "The flag service needs your email address. Sign in with single sign-on, or ask your administrator to \
                           add your email address with flagdeck user";
            DomainError::new("upstream_email", StatusCode::FORBIDDEN, message)
        };
        Ok(self.person(user.email.as_deref().ok_or_else(missing)?))
    }
}

/// Replaces all headers that can identify a user, whatever their names are.
fn replace_credentials(headers: &mut HeaderMap, cookie: Option<&HeaderValue>) {
    headers.retain(|name, _| !can_identify(name.as_str()));
    if let Some(cookie) = cookie {
        headers.insert(COOKIE, cookie.clone());
    }
}

/// Removes the cookies of the upstream.
fn without_cookies(mut response: ServiceResponse) -> ServiceResponse {
    response.headers_mut().remove(SET_COOKIE);
    response
}

fn is_refused(response: &ServiceResponse) -> bool {
    response.status() == StatusCode::UNAUTHORIZED
}

/// Reads the body of a request, which [`set_body`] can set again; `None` without one.
async fn take_body(request: &mut ServiceRequest, limits: &BodyLimits) -> Result<Option<Bytes>, Error> {
    let has_length = request.headers().get(CONTENT_LENGTH).is_some_and(|length| length != "0");
    if !has_length && !request.headers().contains_key(TRANSFER_ENCODING) {
        return Ok(None);
    }
    let mut payload = request.take_payload();
    let payload = web::Payload::from_request(request.request(), &mut payload).await;
    Ok(Some(read_bytes(payload?, limits).await?))
}

fn set_body(request: &mut ServiceRequest, body: Bytes) {
    let chunks = stream::once(ready(Ok(body)));
    request.set_payload(Payload::Stream { payload: Box::pin(chunks) });
}

fn credential_refused() -> ApiError {
    let message = "The flag service does not accept the credential of this console. Ask your administrator to check upstream-header";
    DomainError::new("upstream_credential", StatusCode::BAD_GATEWAY, message).into()
}
