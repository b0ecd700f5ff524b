//! Handlers with which administrators see and revoke the sessions of all users.

use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use jiff::Timestamp;

use crate::api::{RevokedSessions, SessionMethod, SessionsResponse, UserSession};
use crate::config::MAX_SESSION_LIFETIME;
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::sessions::{Owner, Session, SignInMethod};
use crate::flags::auth::token::TokenHash;
use crate::flags::auth::{Access, Author};
use crate::flags::endpoint::query_value;
use crate::flags::events::format_time;
use crate::journal::{Item, Notes};

/// Maximum number of sessions in a response.
const MAX_LISTED: u32 = 1000;
const NONE_REVOKED: RevokedSessions = RevokedSessions { revoked: 0, includes_own: false };

pub(super) async fn list(
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
pub(super) async fn revoke(
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
pub(super) async fn revoke_of_person(
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
