//! Starts and ends sessions.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use jiff::Timestamp;

use super::access::{Access, AuthorizedUser};
use super::sessions::{self, Session};
use super::token::{self, Token};
use super::{cookie, password, peer};
use crate::api::User;
use crate::error::{ApiError, DomainError};
use crate::flags::auth::rules::Credentials;
use crate::flags::database::{Database, Transaction};
use crate::journal::{LineKind, Notes};

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
        Credentials { name, password }: Credentials,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        let address = peer::client_address(request)?;
        self.sign_in_attempts().acquire(&name, address, database).await?;
        let user_name = name.clone();
        let stored = database.read(move |tx| Ok(tx.find_password_hash(&user_name)?)).await?;
        let is_right = password::verify(password, stored.clone()).await?;
        let user_name = name.clone();
        // Read again: the password or the user may have changed during the comparison.
        let load_user = move |tx: &Transaction<'_>| {
            let is_unchanged = is_right && tx.find_password_hash(&user_name)? == stored;
            let user = if is_unchanged { tx.find_user(&user_name)? } else { None };
            user.ok_or_else(wrong_credentials)
        };
        let authorized = self.start_session(load_user, true, request, database).await;
        match &authorized {
            Ok(_) => {
                if let Err(cause) = self.sign_in_attempts().record_success(&name, address, database).await {
                    tracing::warn!(%cause, "a successful sign-in still counts as an attempt");
                }
                tracing::info!(user = name, %address, "signed in");
            }
            // The database logs its own faults.
            Err(ApiError::Storage(_)) => {}
            // Without the name, because users sometimes type their password into that field.
            Err(cause) => tracing::warn!(%address, %cause, "sign-in failed"),
        }
        authorized
    }

    /// Signs in with an email address, without verification.
    pub(in crate::flags) async fn sign_in_by_email(
        &self,
        email: String,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        let user = User { email: Some(email), ..User::default() };
        self.start_session(|_| Ok(user), false, request, database).await
    }

    /// Ends the session of a request. Returns the `Set-Cookie` value that removes the cookie.
    pub(crate) async fn sign_out(
        &self,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<String, ApiError> {
        let notes = Notes::from_request(request);
        if let Some(notes) = &notes {
            notes.set_session_change(LineKind::SignOut);
        }
        if let Some(token) = cookie::read(request).map(|cookie| token::hash(cookie.value())) {
            let (has_notes, now) = (notes.is_some(), Timestamp::now().as_second());
            let end = move |tx: &Transaction<'_>| {
                let session = if has_notes { tx.find_session(&token, now)? } else { None };
                tx.delete_session(&token)?;
                Ok(session)
            };
            if let Some(session) = database.write(end).await? {
                self.note_person(request, &session.user);
            }
        }
        self.session_cookie("", 0, request)
    }

    /// Starts a session with a new token and ends the session that the browser had.
    async fn start_session(
        &self,
        load_user: impl FnOnce(&Transaction<'_>) -> Result<User, ApiError> + Send + 'static,
        by_password: bool,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        let token = Token::random()?;
        let (new, old) = (token.hash(), cookie::read(request).map(|cookie| token::hash(cookie.value())));
        let now = Timestamp::now().as_second();
        let expires_at = self.session_expiry(now, now);
        let write = move |tx: &Transaction<'_>| {
            let session = Session { user: load_user(tx)?, by_password, created_at: now, expires_at };
            if let Some(old) = old {
                tx.delete_session(&old)?;
            }
            sessions::start(tx, &new, &session)?;
            Ok(session.user)
        };
        let user = database.write(write).await?;
        self.note_person(request, &user);
        let set_cookie = Some(self.session_cookie(token.as_str(), expires_at - now, request)?);
        Ok(AuthorizedUser { user, set_cookie })
    }
}
