//! Authenticates requests by their session cookie. `sign_in` starts and ends sessions.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::cookie::CookieScope;
use super::last_uses::LastUses;
use super::sessions::{Session, SignInMethod};
use super::sign_in_attempts::SignInAttempts;
use super::token::TokenHash;
use super::token_cache::{self, TokenCache, TokenScopes};
use super::users::to_wire;
use super::{Permission, ProviderCheck, ProviderUser, password, peer, token};
use crate::api::{self, AuthDetails, PermissionGrant, User};
use crate::avatar::{self, Avatar};
use crate::config::{Auth, AuthMode, BasePath, MAX_SESSION_LIFETIME, OIDC_START_PATH, Oidc, TokenScope};
use crate::database::{Database, StoreError, Transaction};
use crate::error::{ApiError, AuthOption};
use crate::journal::{Notes, Person, PersonSource};
use crate::log_limit::LogLimit;
use crate::middleware::signed_in_user;

/// Sessions cannot be extended.
static SESSIONS_UNEXTENDED: LogLimit = LogLimit::new();

/// Text of the button for sign-in by OpenID Connect.
const OIDC_LABEL: &str = "Sign in with single sign-on";
/// Message of the sign-in dialog.
const SIGN_IN_MESSAGE: &str = "Sign in to see and change feature toggles";
/// Message of the sign-in dialog after an administrator has revoked the session.
const REVOKED_MESSAGE: &str = "An administrator has ended your session. Sign in again to continue";

/// Age of the last known use of a session after which another use is recorded, in seconds.
const USE_ACCURACY: i64 = 60;
/// Seconds by which clocks may differ, also when a clock is set back.
const CLOCK_TOLERANCE: i64 = 60;

/// Path of the sign-in endpoint in mode `unsecure`, below the base path.
pub(in crate::flags) const EMAIL_SIGN_IN_PATH: &str = "/api/admin/login";
/// Path of the sign-in endpoint in mode `password`, below the base path.
pub(in crate::flags) const PASSWORD_SIGN_IN_PATH: &str = "/auth/simple/login";

/// Characters to percent-encode in a path segment.
const PATH_SEGMENT_ENCODE_SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.');

/// Authentication of a running service.
#[derive(Debug)]
pub struct Access {
    mode: AuthMode,
    /// Idle timeout of a session in seconds.
    lifetime: i64,
    base_path: String,
    sign_in_attempts: SignInAttempts,
    tokens: TokenCache,
    session_uses: Arc<LastUses>,
    /// The identity provider; only with [`AuthMode::Oidc`].
    oidc: Option<Arc<Oidc>>,
    provider_check: Option<ProviderCheck>,
}

/// An authenticated user, and the `Set-Cookie` value if the cookie changes.
#[derive(Debug)]
pub(crate) struct AuthorizedUser {
    pub(crate) user: User,
    pub(crate) set_cookie: Option<String>,
}

impl Access {
    /// Creates the authentication from the settings.
    #[must_use]
    pub fn new(auth: &Auth, base_path: &BasePath) -> Self {
        if auth.mode.accepts_passwords() {
            std::thread::spawn(password::prepare_dummy_hash);
        }
        Self {
            mode: auth.mode,
            lifetime: auth.session_lifetime,
            base_path: base_path.as_str().to_owned(),
            sign_in_attempts: SignInAttempts::default(),
            tokens: TokenCache::new(auth.requires_client_tokens),
            session_uses: LastUses::new("sessions", |tx, hash, at| {
                tx.record_session_use(hash, at.as_second())
            }),
            oidc: auth.oidc.clone(),
            provider_check: None,
        }
    }

    /// Sets the function that asks whether the identity provider responds. Without it, sessions are not renewed.
    #[must_use]
    pub fn with_provider_check(self, check: ProviderCheck) -> Self {
        Self { provider_check: Some(check), ..self }
    }

    /// Returns how users sign in.
    #[must_use]
    pub fn mode(&self) -> AuthMode {
        self.mode
    }

    /// Returns true if SDKs need a token also while no client token exists.
    #[must_use]
    pub fn requires_client_tokens(&self) -> bool {
        self.tokens.requires_client_tokens()
    }

    /// Returns the path to which the sign-in form is sent, below the base path; `None` if there is no sign-in.
    fn sign_in_path(&self) -> Option<&'static str> {
        match self.mode {
            AuthMode::None => None,
            AuthMode::Unsecure => Some(EMAIL_SIGN_IN_PATH),
            AuthMode::Password | AuthMode::Oidc => Some(PASSWORD_SIGN_IN_PATH),
        }
    }

    /// Returns the path of the console's start page.
    #[must_use]
    pub fn console_path(&self) -> String {
        format!("{}/", self.base_path)
    }

    /// Returns the user of a request's session, and notes it for the journal and the response. Extends the session if a tenth of its
    /// lifetime has passed.
    ///
    /// # Errors
    /// [`ApiError::SignIn`] without a valid session; status 409 for a change that was meant for another user.
    pub(crate) async fn authenticate(
        &self,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<AuthorizedUser, ApiError> {
        if self.mode == AuthMode::None {
            let user = operator_user();
            note_person(request, &user, None);
            signed_in_user::confirm_proxy_user(request)?;
            return Ok(AuthorizedUser { user, set_cookie: None });
        }
        let now = Timestamp::now().as_second();
        let Some(cookie) = self.cookie_scope(request).read(request) else {
            return Err(self.sign_in_challenge(request, database).await?);
        };
        let hash = token::hash(cookie.value());
        let session = database.read(move |tx| Ok(tx.find_session(&hash, now)?)).await?;
        let Some(mut session) = session.filter(|session| self.permits(session)) else {
            return Err(self.sign_in_challenge(request, database).await?);
        };
        if self.must_be_renewed(&session, now).await {
            return Err(self.sign_in_challenge(request, database).await?);
        }
        note_person(request, &session.user, Some(&session.method));
        signed_in_user::confirm(request, &session.user_hash())?;
        self.grant_permissions(&mut session);
        // A later time was written before the clock was set back.
        if !(0..USE_ACCURACY).contains(&(now - session.last_used_at)) {
            self.session_uses.record(hash, database);
        }
        let end = self.session_expiry(session.created_at, now);
        let authorized = |session: Session, set_cookie| AuthorizedUser { user: session.user, set_cookie };
        if end - session.expires_at <= self.lifetime / 10 {
            return Ok(authorized(session, None));
        }
        // Extending the session with every request would cost a write each.
        let extended = database.write(move |tx| Ok(tx.extend_session(&hash, end)?)).await;
        let set_cookie = match extended {
            Ok(()) => Some(self.session_cookie(cookie.value(), end - now, request)),
            // Reading must work even if the disk is full.
            Err(cause) => {
                if let Some(repeated) = SESSIONS_UNEXTENDED.record() {
                    tracing::warn!(%cause, repeated, "a session could not be extended; it ends at its current expiry");
                }
                None
            }
        };
        Ok(authorized(session, set_cookie))
    }

    /// Returns false if the settings do not allow a session (any more).
    pub(in crate::flags) fn permits(&self, session: &Session) -> bool {
        match (&session.method, self.mode, &self.oidc) {
            (SignInMethod::Email, AuthMode::Unsecure, _) => true,
            (SignInMethod::Password, mode, _) => mode.accepts_passwords(),
            (SignInMethod::Provider(user), AuthMode::Oidc, Some(oidc)) => {
                oidc.is_issuer(&user.issuer) && oidc.allows(&user.groups)
            }
            _ => false,
        }
    }

    /// Returns true if the identity provider has confirmed a session too long ago. While the provider does not respond,
    /// sessions continue for a limited time.
    async fn must_be_renewed(&self, session: &Session, now: i64) -> bool {
        let (SignInMethod::Provider(_), Some(oidc)) = (&session.method, &self.oidc) else { return false };
        let age = match now - session.created_at {
            // It began while the clock was ahead, so that its age is not known.
            seconds if seconds < -CLOCK_TOLERANCE => Duration::MAX,
            seconds => Duration::from_secs(u64::try_from(seconds).unwrap_or_default()),
        };
        let Some(check) = self.provider_check.as_ref().filter(|_| age >= oidc.times.renewal) else {
            return false;
        };
        age >= oidc.times.renewal + oidc.times.extension || (check.0)().await
    }

    /// Sets the permissions of a user of the identity provider: those of the groups, by the current settings, and those of the
    /// account to which the user is linked.
    pub(super) fn grant_permissions(&self, session: &mut Session) {
        if let (SignInMethod::Provider(user), Some(oidc)) = (&session.method, &self.oidc) {
            let mut permissions = to_wire(&oidc.permissions(&user.groups));
            let of_account = session.user.permissions.take().unwrap_or_default();
            permissions.extend(of_account);
            permissions.sort_by(|a, b| a.name().cmp(b.name()));
            permissions.dedup();
            session.user.permissions = Some(permissions);
            session.user.grants = Some(describe_grants(oidc, &user.groups, &session.user));
        }
    }

    /// Returns the hash of a request's session token, which [`Self::authenticate`] must have verified; `None` if there is
    /// no sign-in.
    #[must_use]
    pub fn session_hash(&self, request: &HttpRequest) -> Option<TokenHash> {
        let cookie = self.cookie_scope(request).read(request).filter(|_| self.mode != AuthMode::None)?;
        Some(token::hash(cookie.value()))
    }

    /// Returns the hash of the token in `Authorization` or `X-API-Key`; `None` without a token.
    #[must_use]
    pub fn token_hash(headers: &HeaderMap) -> Option<TokenHash> {
        token_cache::hash_from_headers(headers)
    }

    /// Returns the scope of a token; `None` if the token is unknown.
    pub(crate) async fn find_token(
        &self,
        token: TokenHash,
        database: &Database,
    ) -> Result<Option<Arc<TokenScope>>, ApiError> {
        self.tokens.find(token, database).await
    }

    /// Returns the scopes of all tokens. Changes by other processes appear within a second.
    pub(crate) async fn token_scopes(&self, database: &Database) -> Result<TokenScopes, ApiError> {
        self.tokens.scopes(database).await
    }

    /// Returns true if a frontend token allows pages of this origin.
    pub(crate) async fn allows_origin(&self, origin: &str, database: &Database) -> Result<bool, ApiError> {
        self.tokens.allows_origin(origin, database).await
    }

    /// Checks that the sender of a request may read definitions, and returns the scope of its token. Every request without a token is
    /// allowed if no client tokens exist, unless `require-client-tokens` is set.
    ///
    /// # Errors
    /// [`ApiError::TokenNeeded`] if the token is missing or unknown, [`ApiError::FrontendToken`] for a frontend token.
    pub(crate) async fn check_client_token(
        &self,
        token: Option<TokenHash>,
        database: &Database,
    ) -> Result<Option<Arc<TokenScope>>, ApiError> {
        self.tokens.check_client(token, database).await
    }

    /// Writes the last uses of tokens and sessions that are only in memory.
    pub(crate) async fn write_last_uses(&self, database: &Database) -> Result<(), ApiError> {
        let tokens = self.tokens.write_uses(database).await;
        tokens.and(self.session_uses.write(database).await)
    }

    /// Returns true if the session of a browser was revoked, and it has not signed in again.
    async fn is_revoked(&self, request: &HttpRequest, database: &Database) -> Result<bool, ApiError> {
        let hashes = self.session_hashes(request);
        database.read(move |tx| Ok(is_any_revoked(tx, &hashes)?)).await
    }

    /// Returns true if users sign in with passwords and no user exists.
    pub(crate) async fn has_no_users(&self, database: &Database) -> Result<bool, ApiError> {
        Ok(self.mode == AuthMode::Password && !database.read(|tx| Ok(tx.has_users()?)).await?)
    }

    /// Sets the URL of the user's avatar.
    pub(crate) fn with_avatar(&self, user: User) -> User {
        let signature = user.email.as_deref().or(user.username.as_deref()).unwrap_or_default();
        let avatar = Avatar::new(user.name.as_deref().unwrap_or(signature), signature).file_name();
        let file = utf8_percent_encode(&avatar, PATH_SEGMENT_ENCODE_SET);
        let url = format!("{}{}/{file}", self.base_path, avatar::FOLDER);
        User { image_url: Some(url), ..user }
    }

    /// Notes for the journal whom the identity provider has identified, although the user may not sign in.
    pub(crate) fn note_refused_user(request: &HttpRequest, user: ProviderUser) {
        note_person(request, &user.to_user(), Some(&SignInMethod::Provider(user)));
    }

    pub(super) fn sign_in_attempts(&self) -> &SignInAttempts {
        &self.sign_in_attempts
    }

    /// Returns the expiry of a session that started at `begun` and is used at `now`, in Unix seconds.
    pub(super) fn session_expiry(&self, begun: i64, now: i64) -> i64 {
        (now + self.lifetime).min(begun + MAX_SESSION_LIFETIME)
    }

    /// Returns how the cookies of the browser that sent a request are named and set.
    pub(super) fn cookie_scope(&self, request: &HttpRequest) -> CookieScope<'_> {
        CookieScope { base_path: &self.base_path, is_https: peer::is_https(request) }
    }

    /// Returns the hashes of the sessions that a browser has had: of the session cookie, and of the cookie for renewals.
    pub(super) fn session_hashes(&self, request: &HttpRequest) -> [Option<TokenHash>; 2] {
        let scope = self.cookie_scope(request);
        [scope.read(request).map(|cookie| token::hash(cookie.value())), scope.returning(request)]
    }

    /// Returns the `Set-Cookie` value of the session cookie with a maximum age in seconds.
    pub(super) fn session_cookie(&self, token: &str, seconds: i64, request: &HttpRequest) -> String {
        self.cookie_scope(request).format_set_cookie(token, seconds)
    }

    /// Returns the `Set-Cookie` value that remembers that the identity provider has confirmed a session, or forgets it; `None`
    /// without a provider.
    pub(super) fn returning_cookie(
        &self,
        confirmed: Option<&TokenHash>,
        request: &HttpRequest,
    ) -> Option<String> {
        self.oidc.as_ref()?;
        let seconds = if confirmed.is_some() { MAX_SESSION_LIFETIME } else { 0 };
        Some(self.cookie_scope(request).format_returning(confirmed, seconds))
    }

    /// Returns the 401 error that describes how to sign in.
    async fn sign_in_challenge(
        &self,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<ApiError, ApiError> {
        let is_revoked = self.is_revoked(request, database).await?;
        if self.oidc.is_some() {
            return self.provider_challenge(is_revoked, request, database).await;
        }
        let message = if is_revoked {
            REVOKED_MESSAGE
        } else if self.has_no_users(database).await? {
            "No users exist yet. Add one on the server with: flagdeck user add NAME"
        } else if self.mode == AuthMode::Password {
            SIGN_IN_MESSAGE
        } else {
            "Enter your email to see and change feature toggles"
        };
        let kind = if self.mode == AuthMode::Password { "password" } else { "unsecure" };
        Ok(ApiError::SignIn(Box::new(AuthDetails {
            kind: Some(kind.to_owned()),
            path: self.sign_in_path().map(|path| format!("{}{path}", self.base_path)),
            message: Some(message.to_owned()),
            options: None,
            silent_path: None,
        })))
    }

    /// Returns the 401 error with the button of the identity provider, and the password form for users in the database.
    async fn provider_challenge(
        &self,
        is_revoked: bool,
        request: &HttpRequest,
        database: &Database,
    ) -> Result<ApiError, ApiError> {
        // The provider may still have a session of the user, with which the browser would renew the revoked one.
        let may_renew = self.cookie_scope(request).returning(request).is_some() && !is_revoked;
        let message = if is_revoked { REVOKED_MESSAGE } else { SIGN_IN_MESSAGE };
        let has_users = database.read(|tx| Ok(tx.has_users()?)).await?;
        let start = format!("{}{OIDC_START_PATH}", self.base_path);
        Ok(ApiError::SignIn(Box::new(AuthDetails {
            kind: Some(if has_users { "password" } else { "oidc" }.to_owned()),
            path: has_users.then(|| format!("{}{PASSWORD_SIGN_IN_PATH}", self.base_path)),
            message: Some(message.to_owned()),
            silent_path: may_renew.then(|| format!("{start}?silent=1")),
            options: Some(vec![AuthOption {
                kind: "oidc".to_owned(),
                path: start,
                value: OIDC_LABEL.to_owned(),
            }]),
        })))
    }
}

/// Returns true if one of the sessions was revoked.
pub(super) fn is_any_revoked(tx: &Transaction<'_>, hashes: &[Option<TokenHash>]) -> Result<bool, StoreError> {
    for hash in hashes.iter().flatten() {
        if tx.is_session_revoked(hash)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Notes the user of a request for the journal. `method` is `None` without a sign-in.
pub(super) fn note_person(request: &HttpRequest, user: &User, method: Option<&SignInMethod>) {
    let Some(notes) = Notes::from_request(request) else { return };
    let name = user.name.clone().or_else(|| user.email.clone());
    let sub = user.username.clone().or_else(|| user.email.clone());
    notes.set_person(match method {
        None => Person { iss: None, sub, name, known: PersonSource::NoSignIn },
        Some(SignInMethod::Email) => Person { iss: None, sub, name, known: PersonSource::UnverifiedEmail },
        Some(SignInMethod::Password) => Person { iss: None, sub, name, known: PersonSource::Password },
        Some(SignInMethod::Provider(ProviderUser { issuer, subject, .. })) => Person {
            iss: Some(issuer.clone()),
            sub: Some(subject.clone()),
            name,
            known: PersonSource::IdentityProvider,
        },
    });
}

/// Describes which groups have granted the permissions of a user, and which would grant the missing ones.
fn describe_grants(oidc: &Oidc, groups: &[String], user: &User) -> Vec<PermissionGrant> {
    let describe = |(permission, granting): (Permission, Vec<&str>)| {
        let own = |group: &&str| groups.iter().any(|own| own == group);
        let of_user: Vec<_> = granting.iter().copied().filter(own).collect();
        let is_granted = !of_user.is_empty();
        // The account may have it, or ADMIN may include it: other groups are of no use then.
        if !is_granted && user.has_permission(permission) {
            return None;
        }
        let groups = if is_granted { of_user } else { granting };
        let groups = groups.into_iter().map(str::to_owned).collect();
        Some(PermissionGrant { permission: permission.to_string(), groups, is_granted })
    };
    oidc.groups_by_permission().into_iter().filter_map(describe).collect()
}

/// Returns the user of every request in mode `none`: the operator, with all permissions.
fn operator_user() -> User {
    User {
        username: Some("operator".to_owned()),
        permissions: Some(vec![api::Permission::Name(Permission::Admin.to_string())]),
        ..User::default()
    }
}
