//! The session of a user: sign-in, sign-out and the signed-in user; and the sessions of all users, for administrators. `auth`
//! checks and stores sessions.

use actix_web::guard::{self, GuardContext};
use actix_web::http::header::{LOCATION, SET_COOKIE};
use actix_web::middleware::from_fn;
use actix_web::web::{Data, Json, Path, ReqData};
use actix_web::{HttpRequest, HttpResponse, Resource, web};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{RevokedSessions, SessionMethod, SessionsResponse, SignedOut, User, UserSession};
use crate::api_path::EndpointClass;
use crate::config::{AuthMode, MAX_SESSION_LIFETIME, Public};
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::Permission::Admin;
use crate::flags::auth::access::{AuthorizedUser, EMAIL_SIGN_IN_PATH, PASSWORD_SIGN_IN_PATH};
use crate::flags::auth::rules::{Credentials, Email};
use crate::flags::auth::sessions::{Owner, Session, SignInMethod};
use crate::flags::auth::token::TokenHash;
use crate::flags::auth::{Access, Author, SIGNED_IN};
use crate::flags::endpoint::{self, Endpoint, query_value};
use crate::flags::events::format_time;
use crate::flags::media_type::require_json;
use crate::flags::validation::RequestBody as _;
use crate::journal::{Item, Notes};
use crate::json_body::JsonBody;
use crate::middleware::{accept, client, cross_site};

/// Path of the sessions of all users.
pub(super) const SESSIONS_PATH: &str = "/sessions";
/// Maximum number of sessions in a response.
const MAX_LISTED: u32 = 1000;
const NONE_REVOKED: RevokedSessions = RevokedSessions { revoked: 0, includes_own: false };

pub(super) fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        endpoint::public_post(EMAIL_SIGN_IN_PATH, sign_in_by_email)
            .only_in(&[AuthMode::Unsecure])
            .summary("Sign in with an email address; requires --auth unsecure")
            .body::<Email>()
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        endpoint::public_post(PASSWORD_SIGN_IN_PATH, sign_in_by_password)
            .only_in(SIGNED_IN)
            .summary("Sign in with a password; requires --auth password or oidc")
            .note("A one-time password is refused with 403 (`new_password_needed`) until the body contains `newPassword`.")
            .body::<Credentials>()
            .returns::<User>(200)
            .fails_with(&[403, 404, 429]),
        endpoint::public_action("/api/admin/user/logout", sign_out)
            .summary("Sign out; redirects to the console unless Accept names JSON")
            .returns::<SignedOut>(200)
            .returns::<SignedOut>(302)
            .fails_with(&[403]),
        endpoint::public_action("/logout", sign_out)
            .only_if(guard::Get())
            .only_if(is_no_page_load)
            .summary("Sign out as above; returns the console's page, which signs out, if Accept names HTML")
            .returns::<SignedOut>(200)
            .returns::<SignedOut>(302)
            .fails_with(&[403]),
        endpoint::get("/user", user).summary("Get the signed-in user").returns::<User>(200),
    ];
    endpoints.extend(administration());
    endpoints
}

/// Returns the endpoints with which administrators see and revoke sessions.
pub(super) fn administration() -> Vec<Endpoint> {
    vec![
        endpoint::get_with(SESSIONS_PATH, Admin, list_sessions)
            .only_in(SIGNED_IN)
            .summary("List the sessions of all users, the most recently used first; requires --auth password or oidc")
            .returns::<SessionsResponse>(200)
            .fails_with(&[404]),
        endpoint::delete(SESSIONS_PATH, Admin, revoke_of_person)
            .only_in(SIGNED_IN)
            .summary("Revoke all sessions of a person, whose next requests are refused")
            .note("The query contains either `username`, or `issuer` and `subject`.")
            .query("username", "User name of the person's account", text)
            .query("issuer", "Identity provider of the person", text)
            .query("subject", "Id of the person at the identity provider", text)
            .returns::<RevokedSessions>(200)
            .fails_with(&[400, 404]),
        endpoint::delete("/sessions/{id}", Admin, revoke_sessions)
            .only_in(SIGNED_IN)
            .summary("Revoke a session, whose next requests are refused")
            .note("A session that has already ended is no error.")
            .returns::<RevokedSessions>(200)
            .fails_with(&[404]),
    ]
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// Returns the resource of the sign-in with a password below a base path, for an upstream without a sign-in of its own.
pub(crate) fn password_sign_in(base_path: &str) -> Resource {
    web::resource(format!("{base_path}{PASSWORD_SIGN_IN_PATH}"))
        .default_service(web::to(ApiError::unknown_path))
        .route(web::post().to(sign_in_by_password).wrap(from_fn(require_json)))
}

/// Returns false if a browser opens the URL. It gets the console's page, which signs out with `POST /-/logout`.
fn is_no_page_load(request: &GuardContext<'_>) -> bool {
    !accept::lists_media_type(request.head().headers(), accept::HTML)
}

async fn sign_in_by_email(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let email = Email::parse(&body.0)?.0;
    Ok(signed_in_response(&access, access.sign_in_by_email(email, &request, &database).await?))
}

async fn sign_in_by_password(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let credentials = Credentials::parse(&body.0)?;
    Ok(signed_in_response(&access, access.sign_in_by_password(credentials, &request, &database).await?))
}

/// Ends the session and redirects to the console. Returns 200 if `Accept` names JSON.
///
/// Unleash signs out by GET, a method that pages of other sites may send. The cross-site check for unsafe methods
/// applies here because the request ends a session.
async fn sign_out(
    access: Data<Access>,
    database: Data<Database>,
    public: Data<Public>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let client = client::from_request(&request)?;
    cross_site::check(&public, &client, EndpointClass::Session, request.headers())?;
    let ended = access.sign_out(&request, &database).await?;
    let mut response = if accept::lists_media_type(request.headers(), accept::JSON) {
        HttpResponse::Ok()
    } else {
        let mut redirect = HttpResponse::Found();
        redirect.insert_header((LOCATION, access.console_path()));
        redirect
    };
    for cookie in ended.set_cookies {
        response.append_header((SET_COOKIE, cookie));
    }
    Ok(response.json(SignedOut { signed_out: true }))
}

async fn user(access: Data<Access>, user: ReqData<User>) -> Json<User> {
    Json(access.with_avatar(user.into_inner()))
}

fn signed_in_response(access: &Access, authorized: AuthorizedUser) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = authorized.set_cookie {
        response.insert_header((SET_COOKIE, cookie));
    }
    response.json(access.with_avatar(authorized.user))
}

async fn list_sessions(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
) -> Result<Json<SessionsResponse>, ApiError> {
    let now = Timestamp::now().as_second();
    // One more than returned, to know whether there are more.
    let mut rows = database.read(move |tx| Ok(tx.list_sessions(now, MAX_LISTED + 1)?)).await?;
    let max = usize::try_from(MAX_LISTED).unwrap_or(usize::MAX);
    let is_complete = rows.len() <= max;
    rows.truncate(max);
    let own = access.session_hash(&request);
    let permitted = rows.into_iter().filter(|(_, session)| access.permits(session));
    let sessions = permitted
        .map(|(hash, session)| to_api(&hash, session, own == Some(hash)))
        .collect::<Result<_, _>>()?;
    Ok(Json(SessionsResponse { sessions, is_complete }))
}

/// Revokes a session. One that has already ended is no error, because the purpose is achieved.
async fn revoke_sessions(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    id: Path<String>,
) -> Result<Json<RevokedSessions>, ApiError> {
    let Some(hash) = parse_id(&id) else { return Ok(Json(NONE_REVOKED)) };
    let now = Timestamp::now().as_second();
    let work = move |tx: &Transaction<'_>| {
        let session = tx.find_session(&hash, now)?;
        tx.revoke_session(&hash, now, MAX_SESSION_LIFETIME)?;
        Ok(session)
    };
    let Some(session) = database.write(work).await? else { return Ok(Json(NONE_REVOKED)) };
    note_revocation(&request, &author, &display_name(&session), 1);
    let includes_own = access.session_hash(&request) == Some(hash);
    Ok(Json(RevokedSessions { revoked: 1, includes_own }))
}

/// Revokes all sessions of the person in the query. A request without a person would sign out everybody, and is refused.
async fn revoke_of_person(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
) -> Result<Json<RevokedSessions>, ApiError> {
    let value = |name: &str| query_value(request.query_string(), name).map(std::borrow::Cow::into_owned);
    let person = (value("username"), value("issuer"), value("subject"));
    let (name, identity) = match person {
        (Some(name), None, None) => (Some(name), None),
        (None, Some(issuer), Some(subject)) => (None, Some((issuer, subject))),
        _ => {
            let message = "must be in the query, or else issuer and subject";
            return Err(ApiError::invalid("username", message.to_owned()));
        }
    };
    let shown = name.clone().or_else(|| identity.clone().map(|(_, subject)| subject)).unwrap_or_default();
    let now = Timestamp::now().as_second();
    let own = access.session_hash(&request);
    let work = move |tx: &Transaction<'_>| {
        let identity = identity.as_ref().map(|(issuer, subject)| (issuer.as_str(), subject.as_str()));
        let owner = Owner { name: name.as_deref(), identity };
        let revoked = tx.revoke_sessions_of(owner, now, MAX_SESSION_LIFETIME)?;
        let includes_own = match own {
            Some(own) => tx.is_session_revoked(&own)?,
            None => false,
        };
        Ok(RevokedSessions { revoked, includes_own })
    };
    let revoked = database.write(work).await?;
    note_revocation(&request, &author, &shown, revoked.revoked);
    Ok(Json(revoked))
}

/// Notes a revocation in the log and in the journal.
fn note_revocation(request: &HttpRequest, author: &Author, person: &str, revoked: u64) {
    tracing::info!(by = author.name(), person, revoked, "revoked sessions");
    if let Some(notes) = Notes::from_request(request) {
        let words = match revoked {
            1 => format!("revoked a session of {person}"),
            _ => format!("revoked {revoked} sessions of {person}"),
        };
        notes.events().add_unrecorded(Item { kind: "session".to_owned(), name: person.to_owned() }, words);
    }
}

fn parse_id(id: &str) -> Option<TokenHash> {
    HEXLOWER_PERMISSIVE.decode(id.as_bytes()).ok()?.try_into().ok()
}

fn display_name(session: &Session) -> String {
    let user = &session.user;
    [&user.name, &user.email, &user.username].into_iter().flatten().next().cloned().unwrap_or_default()
}

fn to_api(hash: &TokenHash, session: Session, is_own: bool) -> Result<UserSession, ApiError> {
    let time = |seconds| Timestamp::from_second(seconds).map(format_time).map_err(ApiError::internal);
    let name = display_name(&session);
    let (method, identity) = match session.method {
        SignInMethod::Provider(user) => (SessionMethod::Provider, Some((user.issuer, user.subject))),
        SignInMethod::Password | SignInMethod::Email => (SessionMethod::Password, None),
    };
    let (issuer, subject) = identity.unzip();
    Ok(UserSession {
        id: HEXLOWER.encode(hash),
        email: session.user.email.filter(|email| *email != name),
        name,
        username: session.account,
        issuer,
        subject,
        method,
        address: session.client.address,
        client: session.client.name,
        created_at: time(session.created_at)?,
        last_used_at: time(session.last_used_at)?,
        expires_at: time(session.expires_at)?,
        is_own,
    })
}
