//! Starts and ends sessions.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::USER_AGENT;
use jiff::Timestamp;

use super::access::{Access, AuthorizedUser, is_any_revoked, note_person};
use super::sessions::{self, Session, SessionClient, SignInMethod};
use super::sign_in_limiter::UNKNOWN_ACCOUNT;
use super::token::{self, Token, TokenHash};
use super::users::{self, StoredAccount, StoredPassword};
use super::{ProviderUser, password, peer, user_agent};
use crate::api::User;
use crate::database::{Database, Transaction};
use crate::error::{ApiError, DomainError, refusals};
use crate::flags::auth::rules::Credentials;
use crate::journal::{Item, LineKind, Notes};
use crate::middleware::client;

/// A session that was ended.
#[derive(Debug)]
pub(crate) struct EndedSession {
    /// The `Set-Cookie` values that remove the cookies.
    pub(crate) set_cookies: Vec<String>,
    /// Whether the identity provider may still have a session of the user.
    pub(crate) was_by_provider: bool,
    /// The email address of the user, if the session was known.
    pub(crate) email: Option<String>,
}

/// Time in seconds after the last sign-in at which a person without an account is forgotten: 90 days.
const UNLINKED_KEPT: i64 = 90 * 24 * 60 * 60;

/// A session that was started.
struct StartedSession {
    authorized: AuthorizedUser,
    /// The hash of its token.
    hash: TokenHash,
}

refusals! {
    /// The reasons for which a user with the right password cannot sign in.
    pub(crate) enum PasswordRefusal;
    Disabled "account_disabled" FORBIDDEN "An administrator has disabled your account. Ask an administrator to enable it";
    NewPasswordNeeded "new_password_needed" FORBIDDEN "This is a one-time password. Choose a new one: send it as newPassword with the sign-in";
    OneTimeExpired "one_time_password_expired" FORBIDDEN "The one-time password has expired. Ask an administrator for a new one";
}

/// The outcome of a sign-in at the identity provider.
#[derive(Debug)]
pub(crate) enum ProviderSignIn {
    /// A session has started, with these `Set-Cookie` values.
    Started(Vec<String>),
    /// The browser has renewed a session without the user, and an administrator has revoked it meanwhile.
    Revoked,
    /// The account of the person is disabled.
    Disabled,
}

/// Creates the error for a wrong user name or password. Servers of this API respond with this status, and consoles expect it.
fn wrong_credentials() -> ApiError {
    let message = "The user name or the password is wrong";
    DomainError::new("wrong_credentials", StatusCode::BAD_REQUEST, message).of_service().into()
}

impl Access {
    /// Signs in with a user name and a password.
    /// The error for an unknown name is the same as for a wrong password.
    pub(in crate::flags) async fn sign_in_by_password(
        &self,
        Credentials { name, password, new_password }: Credentials,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        let address = peer::client_address(request)?;
        self.sign_in_attempts().acquire(&name, address, database).await?;
        let user_name = name.clone();
        let read = move |tx: &Transaction<'_>| {
            Ok((tx.find_password_hash(&user_name)?, tx.find_account(&user_name)?))
        };
        let (stored, account) = database.read(read).await?;
        let is_right = password::verify(password.clone(), stored.clone()).await?;
        let started = async {
            let Some(account) = account.filter(|_| is_right) else { return Err(wrong_credentials()) };
            check_account(&account, new_password.is_some())?;
            let new_password = match new_password {
                Some(new) => Some(StoredPassword::chosen(hash_new(&password, new).await?)),
                None => None,
            };
            let chooses = new_password.is_some();
            let user_name = name.clone();
            // Read again: the password or the user may have changed during the comparison.
            let load_user = move |tx: &Transaction<'_>| {
                let is_unchanged = tx.find_password_hash(&user_name)? == stored;
                let account = tx.find_account(&user_name)?.filter(|_| is_unchanged);
                let Some(account) = account else { return Ok(None) };
                check_account(&account, new_password.is_some())?;
                if let Some(new_password) = new_password {
                    users::set_password(tx, &user_name, &new_password)?;
                }
                Ok(Some((account.user, SignInMethod::Password)))
            };
            let started = self.start_session(load_user, request, database).await?;
            let started = started.ok_or_else(wrong_credentials)?;
            if chooses && let Some(notes) = Notes::from_request(request) {
                let item = Item { kind: "user".to_owned(), name: name.clone() };
                notes.events().add_unrecorded(item, "chose a new password".to_owned());
            }
            Ok(started)
        }
        .await;
        // A refusal after the right password is no failed attempt.
        if is_right && let Err(cause) = self.sign_in_attempts().record_success(&name, address, database).await
        {
            tracing::warn!(%cause, "a successful sign-in still counts as an attempt");
        }
        match &started {
            Ok(_) => tracing::info!(user = name, %address, "signed in"),
            // The database logs its own faults.
            Err(ApiError::Storage(_)) => {}
            // Without the name, because users sometimes type their password into that field.
            Err(cause) => tracing::warn!(%address, %cause, "sign-in failed"),
        }
        Ok(started?.authorized)
    }

    /// Signs in with an email address, without verification.
    pub(in crate::flags) async fn sign_in_by_email(
        &self,
        email: String,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        let user = User { email: Some(email), ..User::default() };
        let load_user = |_: &Transaction<'_>| Ok(Some((user, SignInMethod::Email)));
        let started = self.start_session(load_user, request, database).await?;
        Ok(started.ok_or_else(wrong_credentials)?.authorized)
    }

    /// Counts a sign-in at the identity provider from the address of a request, whose account is not known yet.
    ///
    /// # Errors
    /// Status 429 if too many have failed.
    pub(crate) async fn acquire_provider_sign_in(
        &self,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<(), ApiError> {
        let address = peer::client_address(request)?;
        self.sign_in_attempts().acquire(UNKNOWN_ACCOUNT, address, database).await
    }

    /// Removes a sign-in at the identity provider that did not fail from the counter.
    pub(crate) async fn record_provider_success(&self, request: &HttpRequest, database: &Database) {
        let Ok(address) = peer::client_address(request) else { return };
        let recorded = self.sign_in_attempts().record_success(UNKNOWN_ACCOUNT, address, database).await;
        if let Err(cause) = recorded {
            tracing::warn!(%cause, "a successful sign-in still counts as an attempt");
        }
    }

    /// Signs in a user whom the identity provider has identified. `is_silent`: the browser renews a session without the user.
    pub(crate) async fn sign_in_by_provider(
        &self,
        user: ProviderUser,
        is_silent: bool,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<ProviderSignIn, ApiError> {
        let (address, subject) = (peer::client_address(request)?, user.subject.clone());
        let now = Timestamp::now().as_second();
        let hashes = self.session_hashes(request);
        let load_user = move |tx: &Transaction<'_>| {
            if is_silent && is_any_revoked(tx, &hashes)? {
                return Ok(None);
            }
            tx.save_identity(&user, now)?;
            tx.delete_old_identities(now - UNLINKED_KEPT)?;
            let account = tx.find_linked_user(&user.issuer, &user.subject)?;
            if let Some(name) = account.as_ref().and_then(|account| account.username.as_deref())
                && users::find_account(tx, name)?.is_disabled
            {
                return Err(PasswordRefusal::Disabled.into());
            }
            Ok(Some((account.unwrap_or_else(|| user.to_user()), SignInMethod::Provider(user))))
        };
        let started = match self.start_session(load_user, request, database).await {
            Ok(Some(started)) => started,
            Ok(None) => return Ok(ProviderSignIn::Revoked),
            Err(error) if error.code() == PasswordRefusal::Disabled.properties().0 => {
                return Ok(ProviderSignIn::Disabled);
            }
            Err(error) => return Err(error),
        };
        tracing::info!(subject, %address, "signed in by the identity provider");
        let returning = self.returning_cookie(Some(&started.hash), request);
        Ok(ProviderSignIn::Started(started.authorized.set_cookie.into_iter().chain(returning).collect()))
    }

    /// Ends the session of a request.
    pub(crate) async fn sign_out(
        &self,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<EndedSession, ApiError> {
        let notes = Notes::from_request(request);
        if let Some(notes) = &notes {
            notes.set_session_change(LineKind::SignOut);
        }
        let mut ended = None;
        let scope = self.cookie_scope(request);
        if let Some(token) = scope.read(request).map(|cookie| token::hash(cookie.value())) {
            let now = Timestamp::now().as_second();
            let delete = move |tx: &Transaction<'_>| {
                let session = tx.find_session(&token, now)?;
                tx.delete_session(&token)?;
                Ok(session)
            };
            ended = database.write(delete).await?;
        }
        if let Some(session) = &ended {
            note_person(request, &session.user, Some(&session.method));
        }
        let email = ended.as_ref().and_then(|session| session.user.email.clone());
        let was_by_provider = match ended {
            Some(session) => matches!(session.method, SignInMethod::Provider(_)),
            // The session of this program may have expired before that of the provider.
            None => scope.returning(request).is_some(),
        };
        let session_cookie = self.session_cookie("", 0, request);
        let set_cookies = [session_cookie].into_iter().chain(self.returning_cookie(None, request));
        Ok(EndedSession { set_cookies: set_cookies.collect(), was_by_provider, email })
    }

    /// Starts a session with a new token and ends the session that the browser had; `None` if `load_user` returns none.
    async fn start_session(
        &self,
        load_user: impl FnOnce(&Transaction<'_>) -> Result<Option<(User, SignInMethod)>, ApiError>
        + Send
        + 'static,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<Option<StartedSession>, ApiError> {
        let token = Token::random()?;
        let [old, _] = self.session_hashes(request);
        let new = token.hash();
        let now = Timestamp::now().as_second();
        let expires_at = self.session_expiry(now, now);
        let client = session_client(request)?;
        let write = move |tx: &Transaction<'_>| {
            let Some((user, method)) = load_user(tx)? else { return Ok(None) };
            let session = Session {
                user,
                account: None,
                method,
                created_at: now,
                expires_at,
                last_used_at: now,
                client,
            };
            if let Some(old) = old {
                tx.delete_session(&old)?;
            }
            sessions::start(tx, &new, &session)?;
            Ok(Some(session))
        };
        let Some(session) = database.write(write).await? else { return Ok(None) };
        note_person(request, &session.user, Some(&session.method));
        let set_cookie = Some(self.session_cookie(token.as_str(), expires_at - now, request));
        let authorized = AuthorizedUser { user: session.user, set_cookie };
        Ok(Some(StartedSession { authorized, hash: new }))
    }
}

/// Returns the hash of the password that replaces another one.
async fn hash_new(old: &str, new: String) -> Result<String, ApiError> {
    password::check(&new).map_err(|error| ApiError::invalid("newPassword", error.to_string()))?;
    if new == old {
        return Err(ApiError::invalid(
            "newPassword",
            "Choose another password than the one-time password".to_owned(),
        ));
    }
    password::hash_limited(new).await
}

/// Checks that the right password of an account can be used. A one-time password needs a new one (`has_new`), and another password
/// cannot be replaced here.
fn check_account(account: &StoredAccount, has_new: bool) -> Result<(), ApiError> {
    if account.is_disabled {
        return Err(PasswordRefusal::Disabled.into());
    }
    match (account.one_time_until, has_new) {
        (Some(end), _) if end <= Timestamp::now().as_second() => Err(PasswordRefusal::OneTimeExpired.into()),
        (Some(_), false) => Err(PasswordRefusal::NewPasswordNeeded.into()),
        (None, true) => {
            let message = "is only allowed with a one-time password";
            Err(ApiError::invalid("newPassword", message.to_owned()))
        }
        (Some(_), true) | (None, false) => Ok(()),
    }
}

/// Returns what administrators see of the browser that signs in.
fn session_client(request: &HttpRequest) -> Result<SessionClient, ApiError> {
    let user_agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    Ok(SessionClient {
        address: Some(client::from_request(request)?.address_text().into_owned()),
        name: user_agent.and_then(user_agent::describe),
    })
}
