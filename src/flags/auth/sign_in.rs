//! Signing in and out.

use actix_web::HttpRequest;
use jiff::Timestamp;

use super::access::{Access, Admitted};
use super::token::{self, Token};
use super::{cookie, password, peer};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::model::User;
use crate::flags::rules::Credentials;
use crate::flags::store::{Session, Transaction};

impl Access {
    /// Signs in with a user name and a password.
    ///
    /// # Errors
    /// [`ApiError::WrongCredentials`] whether the name or the password is wrong, and [`ApiError::TooManyAttempts`].
    pub(in crate::flags) async fn sign_in_by_password(
        &self,
        Credentials { name, password }: Credentials,
        request: &HttpRequest,
        flags: &Flags,
    ) -> Result<Admitted, ApiError> {
        let address = peer::address(request);
        let attempt = self.attempts().begin(&name, address, Timestamp::now());
        attempt.map_err(|wait| ApiError::TooManyAttempts { seconds: wait.as_secs().saturating_add(1) })?;
        let wanted = name.clone();
        let stored = flags.read(move |tx| Ok(tx.find_password_hash(&wanted)?)).await?;
        let right = password::is_right(password, stored.clone()).await?;
        let wanted = name.clone();
        // Read again: while the password was compared it may have been changed, or the user removed.
        let who = move |tx: &Transaction<'_>| {
            let unchanged = right && tx.find_password_hash(&wanted)? == stored;
            let user = if unchanged { tx.find_user(&wanted)? } else { None };
            user.ok_or(ApiError::WrongCredentials)
        };
        let admitted = self.begin(who, true, request, flags).await;
        match &admitted {
            Ok(_) => {
                self.attempts().succeeded(&name, address);
                tracing::info!(user = name, %address, "signed in");
            }
            // Without the name: people type passwords there.
            Err(cause) => tracing::warn!(%address, %cause, "a sign-in failed"),
        }
        admitted
    }

    /// Signs in with an email address, which is believed.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when it cannot be kept.
    pub(in crate::flags) async fn sign_in_by_email(
        &self,
        email: String,
        request: &HttpRequest,
        flags: &Flags,
    ) -> Result<Admitted, ApiError> {
        let user = User { email: Some(email), ..User::default() };
        self.begin(|_| Ok(user), false, request, flags).await
    }

    /// Signs out whoever makes the request. Answers the cookie to send along.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when it cannot be kept.
    pub async fn sign_out(&self, request: &HttpRequest, flags: &Flags) -> Result<String, ApiError> {
        if let Some(token) = cookie::read(request.headers()).map(token::hash) {
            flags.write(move |tx| Ok(tx.end_session(&token)?)).await?;
        }
        Ok(self.cookie("", 0, request))
    }

    /// Begins a session with a token of its own, and ends the one that the browser had.
    async fn begin(
        &self,
        who: impl FnOnce(&Transaction<'_>) -> Result<User, ApiError> + Send + 'static,
        by_password: bool,
        request: &HttpRequest,
        flags: &Flags,
    ) -> Result<Admitted, ApiError> {
        let token = Token::random()?;
        let (new, old) = (token.hash(), cookie::read(request.headers()).map(token::hash));
        let now = Timestamp::now().as_second();
        let expires_at = self.end_of_stay(now, now);
        let write = move |tx: &Transaction<'_>| {
            let session = Session { user: who(tx)?, by_password, created_at: now, expires_at };
            if let Some(old) = old {
                tx.end_session(&old)?;
            }
            tx.start_session(&new, &session)?;
            Ok(session.user)
        };
        let user = flags.write(write).await?;
        let set_cookie = Some(self.cookie(token.as_str(), expires_at - now, request));
        Ok(Admitted { user, set_cookie })
    }
}
