//! The door of the service: recognises who signed in, and tells the others how to. Signing in itself is in `sign_in`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::attempts::Attempts;
use super::client_tokens::ClientTokens;
use super::{Editor, Permission, cookie, password, peer, token};
use crate::avatar::{self, Avatar};
use crate::config::{Auth, BasePath};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::model::{self, AuthDetails, User};

/// Nobody stays signed in longer than this, in seconds, however busy: 30 days, as NIST SP 800-63B advises.
pub const LONGEST_STAY: i64 = 30 * 24 * 60 * 60;

/// Characters that are percent-encoded in a segment of a path.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.');

/// Who may use the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// Everybody who reaches it, without signing in.
    None,
    /// Everybody who gives an email address.
    Unsecure,
    /// Users who were added, with their passwords.
    Password,
}

/// The door of one running service.
#[derive(Debug)]
pub struct Access {
    mode: AuthMode,
    /// Seconds that somebody stays signed in after the last call.
    lifetime: i64,
    base_path: String,
    attempts: Mutex<Attempts>,
    client_tokens: ClientTokens,
}

/// Somebody who may come in, and the cookie to send along where it changes.
#[derive(Debug)]
pub(in crate::flags) struct Admitted {
    pub(in crate::flags) user: User,
    pub(in crate::flags) set_cookie: Option<String>,
}

impl Access {
    /// The door as the settings want it.
    #[must_use]
    pub fn new(auth: &Auth, base_path: &BasePath) -> Self {
        if auth.mode == AuthMode::Password {
            std::thread::spawn(password::prepare);
        }
        Self {
            mode: auth.mode,
            lifetime: auth.session_lifetime,
            base_path: base_path.as_str().to_owned(),
            attempts: Mutex::default(),
            client_tokens: ClientTokens::default(),
        }
    }

    /// How people sign in.
    #[must_use]
    pub fn mode(&self) -> AuthMode {
        self.mode
    }

    /// Where people sign in, below the base path; nowhere where nobody does.
    #[must_use]
    pub fn sign_in_path(&self) -> Option<&'static str> {
        match self.mode {
            AuthMode::None => None,
            AuthMode::Unsecure => Some("/api/admin/login"),
            AuthMode::Password => Some("/auth/simple/login"),
        }
    }

    /// The path of the console's first page.
    #[must_use]
    pub fn console_path(&self) -> String {
        format!("{}/", self.base_path)
    }

    /// Who makes a request.
    ///
    /// # Errors
    /// [`ApiError::SignIn`] for somebody who has to sign in first.
    pub(in crate::flags) async fn admit(
        &self,
        request: &HttpRequest,
        flags: &Flags,
    ) -> Result<Admitted, ApiError> {
        if self.mode == AuthMode::None {
            return Ok(Admitted { user: operator(), set_cookie: None });
        }
        let now = Timestamp::now().as_second();
        let Some(token) = cookie::read(request.headers()) else { return Err(self.challenge(flags).await?) };
        let hash = token::hash(token);
        let session = flags.read(move |tx| Ok(tx.find_session(&hash, now)?)).await?;
        // The setting may have changed since: an address alone is no way into a service that asks for passwords.
        let session = session.filter(|session| session.by_password == (self.mode == AuthMode::Password));
        let Some(session) = session else { return Err(self.challenge(flags).await?) };
        let end = self.end_of_stay(session.created_at, now);
        if end - session.expires_at <= self.lifetime / 10 {
            return Ok(Admitted { user: session.user, set_cookie: None });
        }
        // Not with every request: each is a write.
        let prolonged = flags.write(move |tx| Ok(tx.extend_session(&hash, end)?)).await;
        let set_cookie = match prolonged {
            Ok(()) => Some(self.cookie(token, end - now, request)),
            // A full disk is no reason to show nothing.
            Err(cause) => {
                tracing::warn!(%cause, "a session could not be prolonged");
                None
            }
        };
        Ok(Admitted { user: session.user, set_cookie })
    }

    /// The user who makes a request, if they have the permission.
    ///
    /// # Errors
    /// [`ApiError::SignIn`] and [`ApiError::Forbidden`].
    pub async fn require(
        &self,
        permission: Permission,
        request: &HttpRequest,
        flags: &Flags,
    ) -> Result<Editor, ApiError> {
        Editor::with(permission, &self.admit(request, flags).await?.user)
    }

    /// Lets client libraries pass: those with a token, or all while there is no token.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`].
    pub(in crate::flags) async fn admit_client(
        &self,
        headers: &HeaderMap,
        flags: &Flags,
    ) -> Result<(), ApiError> {
        self.client_tokens.check(headers, flags).await
    }

    /// Whether users sign in here, and there are none.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when that cannot be read.
    pub async fn lacks_users(&self, flags: &Flags) -> Result<bool, ApiError> {
        Ok(self.mode == AuthMode::Password && !flags.read(|tx| Ok(tx.has_users()?)).await?)
    }

    /// Adds the URL of the user's avatar.
    pub(in crate::flags) fn with_avatar(&self, user: User) -> User {
        let signature = user.email.as_deref().or(user.username.as_deref()).unwrap_or_default();
        let avatar = Avatar::new(user.name.as_deref().unwrap_or(signature), signature).file_name();
        let file = utf8_percent_encode(&avatar, ENCODED);
        let url = format!("{}{}/{file}", self.base_path, avatar::FOLDER);
        User { image_url: Some(url), ..user }
    }

    pub(super) fn attempts(&self) -> MutexGuard<'_, Attempts> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When a stay ends that began at one moment and is used at another.
    pub(super) fn end_of_stay(&self, begun: i64, now: i64) -> i64 {
        (now + self.lifetime).min(begun + LONGEST_STAY)
    }

    /// A cookie for a browser, which keeps it for so many seconds.
    pub(super) fn cookie(&self, token: &str, seconds: i64, request: &HttpRequest) -> String {
        cookie::set(token, &self.base_path, seconds, peer::is_https(request))
    }

    /// How to sign in, for somebody who has not.
    async fn challenge(&self, flags: &Flags) -> Result<ApiError, ApiError> {
        let message = if self.lacks_users(flags).await? {
            "Nobody can sign in yet: there are no users. Whoever runs this server adds one with: flagdeck user add NAME"
        } else if self.mode == AuthMode::Password {
            "Sign in to see and change feature toggles"
        } else {
            "Tell who you are to see and change feature toggles"
        };
        let kind = if self.mode == AuthMode::Password { "password" } else { "unsecure" };
        Ok(ApiError::SignIn(Box::new(AuthDetails {
            kind: Some(kind.to_owned()),
            path: self.sign_in_path().map(|path| format!("{}{path}", self.base_path)),
            message: Some(message.to_owned()),
            options: None,
        })))
    }
}

/// Where nobody signs in, whoever reaches the service is its operator.
fn operator() -> User {
    User {
        username: Some("operator".to_owned()),
        permissions: Some(vec![model::Permission::Name(Permission::Admin.to_string())]),
        ..User::default()
    }
}
