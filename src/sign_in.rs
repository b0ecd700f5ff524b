//! Sign-in by OpenID Connect: the authorization code flow with PKCE. `start` sends the browser to the provider, and
//! `finish` checks what it brings back and returns the user. Sessions belong to the flag service.
//!
//! `token`, `keys` and `claims` are pure checks. `provider` sends the requests, which `cached` limits. `pending` is the
//! sign-in between `start` and `finish`. `refusal` lists all reasons for which a sign-in is refused.

mod cached;
mod claims;
mod crypto;
mod http;
mod identity;
mod json;
mod keys;
mod page;
mod pending;
mod provider;
mod refusal;
mod token;

use std::sync::Arc;
use std::time::Duration;

use actix_web::cookie::Cookie;
use actix_web::http::header::{LOCATION, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use url::form_urlencoded;

pub use self::identity::Identity;
pub use self::page::refusal_page;
use self::pending::{CookieScope, Pending};
use self::provider::{AuthorizationCode, Metadata, Provider, Tokens};
use self::refusal::quote;
pub use self::refusal::{Refusal, Refused};
use self::token::UnverifiedToken;
use crate::config::{BasePath, OIDC_START_PATH, Oidc};
use crate::error::ApiError;
use crate::middleware::client;

/// Path to which the provider returns the browser, below the base path.
pub const CALLBACK_PATH: &str = "/-/oidc/callback";
/// Page to which the provider returns the browser after the sign-out, below the base path.
const SIGNED_OUT_PATH: &str = "/";
/// Maximum length of a code in the response of the provider, in bytes.
const MAX_CODE: usize = 8 << 10;

/// Sign-in at one provider, shared by all workers.
#[derive(Debug)]
pub struct SignIn {
    oidc: Arc<Oidc>,
    base_path: String,
    provider: Provider,
    /// True if users without a verified email address are refused.
    requires_email: bool,
}

/// The end of a sign-in.
#[derive(Debug)]
pub enum Finished {
    /// The provider has identified the user.
    SignedIn(Identity),
    /// The provider would have to ask the user, which a silent sign-in does not allow.
    NeedsUser,
}

/// The response of the provider to a sign-in, with what the response to the browser needs.
#[derive(Debug)]
pub struct Callback {
    /// The outcome.
    pub outcome: Result<Finished, Refused>,
    /// The URL to which the browser returns.
    pub location: String,
    /// The cookie that removes the ended sign-in; `None` if there was none.
    pub cookie: Option<Cookie<'static>>,
    /// True if the browser started the sign-in without the user.
    pub is_silent: bool,
}

/// The parameters of the provider's response.
#[derive(Debug, Default)]
struct ResponseParameters {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    issuer: Option<String>,
}

impl SignIn {
    /// Creates the sign-in. The provider is asked by the first user only, so that the server starts without it.
    #[must_use]
    pub fn new(oidc: Arc<Oidc>, base_path: &BasePath) -> Self {
        crypto::install();
        let provider = Provider::new(Arc::clone(&oidc));
        Self { oidc, base_path: base_path.as_str().to_owned(), provider, requires_email: false }
    }

    /// Refuses users without a verified email address, under which they sign in at the upstream.
    #[must_use]
    pub fn requiring_email(self) -> Self {
        Self { requires_email: true, ..self }
    }

    /// Returns the redirect address to register at the provider. It depends on `public-url` only, never on a request.
    #[must_use]
    pub fn redirect_uri(&self) -> String {
        format!("{}{}{CALLBACK_PATH}", self.oidc.public_url, self.base_path)
    }

    /// Returns the address to register at the provider for the return after a sign-out.
    #[must_use]
    pub fn signed_out_uri(&self) -> String {
        format!("{}{}{SIGNED_OUT_PATH}", self.oidc.public_url, self.base_path)
    }

    /// Returns the maximum time of each use of the database at the end of a sign-in.
    #[must_use]
    pub fn database_timeout(&self) -> Duration {
        self.oidc.times.database
    }

    fn scope(&self) -> CookieScope<'_> {
        CookieScope { base_path: &self.base_path, is_https: self.oidc.public_url.scheme == "https" }
    }

    /// Redirects the browser to the provider.
    ///
    /// # Errors
    /// [`Refused`] if the provider does not respond or the request is for another host than `public-url`.
    pub async fn start(&self, request: &HttpRequest) -> Result<HttpResponse, Refused> {
        let (mut return_path, mut is_silent, mut was_moved) = (String::new(), false, false);
        for (name, value) in form_urlencoded::parse(request.query_string().as_bytes()) {
            match &*name {
                "return" => return_path = value.into_owned(),
                "silent" => is_silent = true,
                "moved" => was_moved = true,
                _ => {}
            }
        }
        if let Err(refused) = self.check_host(request) {
            if was_moved {
                return Err(refused);
            }
            // The cookie must be set at the address to which the provider returns.
            let query = request.query_string();
            let separator = if query.is_empty() { "" } else { "&" };
            let location = format!(
                "{}{}{OIDC_START_PATH}?{query}{separator}moved=1",
                self.oidc.public_url, self.base_path
            );
            return Ok(redirect(&location, &[]));
        }
        let metadata = self.provider.metadata().await?;
        let now = Timestamp::now().as_second();
        let failed = |error: ApiError| Refusal::ResponseInvalid.because(error.to_string());
        let pending = Pending::new(&return_path, is_silent, now).map_err(failed)?;
        let mut url = metadata.authorization_endpoint.clone();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.oidc.client_id)
            .append_pair("redirect_uri", &self.redirect_uri())
            .append_pair("scope", &self.oidc.scopes)
            .append_pair("state", &pending.state())
            .append_pair("nonce", &pending.nonce())
            .append_pair("code_challenge", &pending.challenge())
            .append_pair("code_challenge_method", "S256");
        if is_silent {
            query.append_pair("prompt", "none");
        }
        drop(query);
        let mut cookies = pending::removals(request, self.scope(), pending::MAX_PENDING - 1);
        cookies.push(pending.cookie(self.scope()));
        Ok(redirect(url.as_str(), &cookies))
    }

    /// Checks the response of the provider that the browser brings back.
    pub async fn finish(&self, request: &HttpRequest) -> Callback {
        let home = format!("{}/", self.base_path);
        let (parameters, pending) = match self.find_pending(request) {
            Ok(started) => started,
            Err(refused) => {
                return Callback { outcome: Err(refused), location: home, cookie: None, is_silent: false };
            }
        };
        // Whatever the outcome, the sign-in has ended: its cookie cannot be used again.
        let cookie = Some(pending::removal(&pending.state(), self.scope()));
        let outcome = self.identify(&parameters, &pending).await;
        let location = format!("{}{}", self.base_path, pending.return_path);
        Callback { outcome, location, cookie, is_silent: pending.is_silent }
    }

    /// Returns the URL at the provider that ends its session; `None` if the provider announces none.
    pub async fn sign_out_url(&self) -> Option<String> {
        let mut url = self.provider.known_metadata().await?.end_session_endpoint.clone()?;
        url.query_pairs_mut()
            .append_pair("client_id", &self.oidc.client_id)
            .append_pair("post_logout_redirect_uri", &self.signed_out_uri());
        Some(url.into())
    }

    /// Returns the cookies that cancel all sign-ins of the browser. Otherwise one that another tab has started before the
    /// sign-out would sign the user in again.
    #[must_use]
    pub fn cancel_all(&self, request: &HttpRequest) -> Vec<Cookie<'static>> {
        pending::removals(request, self.scope(), 0)
    }

    /// Returns true if the provider responds, so that a session must be renewed there. Asks it at most once a minute.
    pub async fn responds(&self) -> bool {
        self.provider.responds().await
    }

    /// Reads the configuration and the keys of the provider, for `flagdeck check`.
    ///
    /// # Errors
    /// [`Refused`] if one of them cannot be used.
    pub async fn probe(&self) -> Result<Probe, Refused> {
        let metadata = self.provider.metadata().await?;
        let keys = self.provider.keys(&metadata, None).await?;
        let is_supported =
            |name: &&String| token::ALGORITHMS.iter().any(|(supported, _)| supported == &name.as_str());
        Ok(Probe {
            issuer: metadata.issuer.clone(),
            algorithms: metadata.algorithms.clone(),
            supported: metadata.algorithms.iter().filter(is_supported).cloned().collect(),
            keys: keys.len(),
            signs_out: metadata.end_session_endpoint.is_some(),
        })
    }

    /// Refuses requests for another host than that of `public-url`.
    fn check_host(&self, request: &HttpRequest) -> Result<(), Refused> {
        let client = client::from_request(request);
        let host = client.as_ref().map(|client| client.host.as_str()).unwrap_or_default();
        if self.oidc.public_url.is_host(host) {
            return Ok(());
        }
        let reason = format!(
            "the request is for the host {}, and public-url is {}",
            quote(host),
            self.oidc.public_url
        );
        Err(Refusal::HostUnexpected.because(reason))
    }

    fn find_pending(&self, request: &HttpRequest) -> Result<(ResponseParameters, Pending), Refused> {
        self.check_host(request)?;
        let parameters = ResponseParameters::parse(request.query_string())?;
        let missing = || Refusal::StateMissing.because("the response contains no state");
        let state = parameters.state.as_deref().ok_or_else(missing)?;
        let pending = Pending::find(request, state, self.scope(), Timestamp::now().as_second())?;
        Ok((parameters, pending))
    }

    async fn identify(
        &self,
        parameters: &ResponseParameters,
        pending: &Pending,
    ) -> Result<Finished, Refused> {
        let metadata = self.provider.metadata().await?;
        // Against mix-up: before anything else of the response is used (RFC 9207, section 2.4).
        match parameters.issuer.as_deref() {
            Some(issuer) if issuer != metadata.issuer => {
                return Err(
                    Refusal::ResponseIssuer.because(format!("iss of the response is {}", quote(issuer)))
                );
            }
            None if metadata.sends_issuer => {
                return Err(
                    Refusal::ResponseIssuer.because("the response has no iss, which the provider announces")
                );
            }
            _ => {}
        }
        if let Some(error) = parameters.error.as_deref() {
            let reason = format!("the provider responded with the error {}", quote(error));
            return match error {
                "login_required"
                | "interaction_required"
                | "consent_required"
                | "account_selection_required"
                    if pending.is_silent =>
                {
                    Ok(Finished::NeedsUser)
                }
                "access_denied" => Err(Refusal::Denied.because(reason)),
                _ => Err(Refusal::ProviderError.because(reason)),
            };
        }
        let code = parameters.code.as_deref().filter(|code| (1..=MAX_CODE).contains(&code.len()));
        let missing = || Refusal::ResponseInvalid.because("the response contains no usable code");
        let code = code.ok_or_else(missing)?;
        let granted =
            AuthorizationCode { code, verifier: &pending.verifier(), redirect_uri: &self.redirect_uri() };
        let tokens = self.provider.exchange(&metadata, granted).await?;
        self.check_tokens(&metadata, &tokens, &pending.nonce()).await.map(Finished::SignedIn)
    }

    async fn check_tokens(
        &self,
        metadata: &Metadata,
        tokens: &Tokens,
        nonce: &str,
    ) -> Result<Identity, Refused> {
        let (oidc, issuer) = (&*self.oidc, metadata.issuer.as_str());
        let token = UnverifiedToken::read(&tokens.id_token, &metadata.algorithms)?;
        let keys = self.provider.keys(metadata, token.key_id.as_deref()).await?;
        let access_token = tokens.access_token.as_deref();
        let access_token_hash = access_token.map(|access_token| token.access_token_hash(access_token));
        let token = token.verify(&keys)?;
        let now = Timestamp::now().as_second();
        let expected = claims::Expected { issuer, client_id: &oidc.client_id, nonce };
        let subject = claims::check(&token, &expected, now)?;
        if let Some(hash) = access_token_hash {
            claims::check_access_token_hash(&token, &hash)?;
        }
        // The journal names the person whose groups cannot be used.
        let identified = |refused: Refused| claims::with_person(refused, issuer, &subject, &token);
        let mut groups = claims::groups(&token, &oidc.groups_claim).map_err(identified)?;
        let mut user_info = claims::Claims::new();
        if let (Some(url), Some(access_token)) = (&metadata.userinfo_endpoint, &tokens.access_token)
            && (groups.is_none() || !claims::has_labels(&token))
        {
            match self.provider.user_info(url, access_token).await {
                Ok(found) => {
                    claims::check_user_info(&found, &subject)?;
                    user_info = found;
                }
                // The groups decide about access; a missing name does not prevent the sign-in.
                Err(refused) if groups.is_none() || (self.requires_email && !token.contains_key("email")) => {
                    return Err(refused);
                }
                Err(refused) => {
                    tracing::warn!(reason = %refused, "UserInfo cannot be read; the name is missing");
                }
            }
        }
        if groups.is_none() {
            groups = claims::groups(&user_info, &oidc.groups_claim).map_err(identified)?;
        }
        let groups = groups.unwrap_or_default();
        let identity = claims::identify(oidc, issuer, subject, groups, &[&token, &user_info])?;
        if self.requires_email && identity.email.is_none() {
            let refused = Refusal::EmailUnverified.because("the provider sent no verified email address");
            return Err(Refused { identity: Some(Box::new(identity)), ..refused });
        }
        Ok(identity)
    }
}

/// The findings of [`SignIn::probe`].
#[derive(Debug)]
pub struct Probe {
    /// The issuer, as the provider spells it.
    pub issuer: String,
    /// The signature algorithms of ID tokens.
    pub algorithms: Vec<String>,
    /// Those that Flagdeck supports.
    pub supported: Vec<String>,
    /// Number of keys for signatures.
    pub keys: usize,
    /// Whether the provider announces a URL for signing out.
    pub signs_out: bool,
}

impl ResponseParameters {
    /// Reads the query. A parameter that is there twice could have two meanings (RFC 6749, section 3.1).
    fn parse(query: &str) -> Result<Self, Refused> {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let parameter = match &*name {
                "state" => &mut parameters.state,
                "code" => &mut parameters.code,
                "error" => &mut parameters.error,
                "iss" => &mut parameters.issuer,
                _ => continue,
            };
            if parameter.replace(value.into_owned()).is_some() {
                return Err(Refusal::ResponseInvalid.because(format!("the response contains {name} twice")));
            }
        }
        Ok(parameters)
    }
}

fn redirect(location: &str, cookies: &[Cookie<'_>]) -> HttpResponse {
    let mut response = HttpResponse::SeeOther();
    response.insert_header((LOCATION, location));
    for cookie in cookies {
        response.append_header((SET_COOKIE, cookie.to_string()));
    }
    response.finish()
}
