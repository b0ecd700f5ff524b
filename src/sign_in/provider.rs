//! The provider: its configuration (OpenID Connect Discovery 1.0), its keys, and the exchange of a code for tokens.

use std::sync::Arc;

use actix_web::http::StatusCode;
use data_encoding::BASE64;
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use super::cached::{Cached, Need};
use super::claims::Claims;
use super::http::{self, ProviderRequest};
use super::keys::Keys;
use super::refusal::{Refusal, Refused, quote};
use crate::config::{Oidc, OidcTimes, is_secure_url};

/// Path of the configuration below the issuer.
const DISCOVERY_PATH: &str = "/.well-known/openid-configuration";

/// The configuration of a provider.
#[derive(Debug)]
pub(super) struct Metadata {
    /// The issuer, as the provider spells it.
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    pub(super) end_session_endpoint: Option<Url>,
    /// Signature algorithms of ID tokens.
    pub(super) algorithms: Vec<String>,
    /// The response to an authorization contains `iss` (RFC 9207).
    pub(super) sends_issuer: bool,
    /// The client secret is sent in the form instead of a header.
    posts_secret: bool,
}

/// The code of a sign-in, with the values that the provider compares.
pub(super) struct AuthorizationCode<'a> {
    pub(super) code: &'a str,
    pub(super) verifier: &'a str,
    pub(super) redirect_uri: &'a str,
}

/// The tokens of a sign-in. They are used once and never stored.
pub(super) struct Tokens {
    pub(super) id_token: String,
    pub(super) access_token: Option<String>,
}

/// The provider with its cached configuration and keys.
#[derive(Debug)]
pub(super) struct Provider {
    oidc: Arc<Oidc>,
    metadata: Cached<Metadata>,
    keys: Cached<Keys>,
}

impl Provider {
    pub(super) fn new(oidc: Arc<Oidc>) -> Self {
        Self { oidc, metadata: Cached::default(), keys: Cached::default() }
    }

    /// Returns the configuration.
    pub(super) async fn metadata(&self) -> Result<Arc<Metadata>, Refused> {
        let OidcTimes { lifetime, min_interval, .. } = self.oidc.times;
        self.metadata.get(lifetime, min_interval, |_| Need::Any, || discover(&self.oidc)).await
    }

    /// Returns false if the provider does not respond to a request for its configuration. The last request counts unless it is
    /// older than the minimum interval. Any response counts, also one that cannot be used: only an outage extends sessions.
    pub(super) async fn responds(&self) -> bool {
        let outcome = self.metadata.outcome(self.oidc.times.min_interval, || discover(&self.oidc)).await;
        !outcome.is_err_and(|refused| refused.refusal == Refusal::Unreachable)
    }

    /// Returns the last known configuration, also while the provider is away.
    pub(super) async fn known_metadata(&self) -> Option<Arc<Metadata>> {
        match self.metadata.last_value().await {
            Some(metadata) => Some(metadata),
            None => self.metadata().await.ok(),
        }
    }

    /// Returns the keys. They are read again if the key of a token is not among them.
    pub(super) async fn keys(&self, metadata: &Metadata, id: Option<&str>) -> Result<Arc<Keys>, Refused> {
        let need = |keys: &Keys| if keys.contains(id) { Need::Any } else { Need::Newer };
        let read = async || {
            let url = metadata.jwks_uri.as_str();
            Keys::read(&get(&self.oidc, "keys", url, None).await?)
        };
        let OidcTimes { lifetime, min_interval, .. } = self.oidc.times;
        self.keys.get(lifetime, min_interval, need, read).await
    }

    /// Exchanges a code for tokens.
    pub(super) async fn exchange(
        &self,
        metadata: &Metadata,
        granted: AuthorizationCode<'_>,
    ) -> Result<Tokens, Refused> {
        let oidc = &self.oidc;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", granted.code)
            .append_pair("redirect_uri", granted.redirect_uri)
            .append_pair("code_verifier", granted.verifier);
        let mut authorization = None;
        match &oidc.client_secret {
            Some(secret) if !metadata.posts_secret => {
                authorization = Some(basic(&oidc.client_id, secret.expose()));
            }
            Some(secret) => {
                form.append_pair("client_id", &oidc.client_id).append_pair("client_secret", secret.expose());
            }
            None => {
                form.append_pair("client_id", &oidc.client_id);
            }
        }
        let (url, form) = (metadata.token_endpoint.as_str(), Some(form.finish()));
        let request = ProviderRequest { subject: "token", url, authorization, form };
        let (status, response) = http::send(oidc, request).await?;
        let text = |name: &str| response.get(name).and_then(Value::as_str);
        if !status.is_success() {
            // `error` is a fixed code. Its description may repeat parameters of the request.
            let code = text("error").unwrap_or_default();
            let reason = format!("token: status {status}, error {}", quote(code));
            return Err(match code {
                "invalid_grant" => Refusal::CodeRefused.because(reason),
                "invalid_client" | "unauthorized_client" => Refusal::ClientRefused.because(reason),
                _ if status == StatusCode::UNAUTHORIZED => Refusal::ClientRefused.because(reason),
                _ => Refusal::ProviderStatus.because(reason),
            });
        }
        let missing = || Refusal::TokenMissing.because("token: the response contains no id_token");
        Ok(Tokens {
            id_token: text("id_token").ok_or_else(missing)?.to_owned(),
            access_token: text("access_token").map(str::to_owned),
        })
    }

    /// Reads UserInfo.
    pub(super) async fn user_info(&self, url: &Url, access_token: &str) -> Result<Claims, Refused> {
        get(&self.oidc, "userinfo", url.as_str(), Some(format!("Bearer {access_token}"))).await
    }
}

/// Reads the configuration of the provider.
async fn discover(oidc: &Oidc) -> Result<Metadata, Refused> {
    let issuer = oidc.issuer.strip_suffix('/').unwrap_or(&oidc.issuer);
    let document = get(oidc, "discovery", &format!("{issuer}{DISCOVERY_PATH}"), None).await?;
    Metadata::read(&document, oidc)
}

async fn get(
    oidc: &Oidc,
    subject: &'static str,
    url: &str,
    authorization: Option<String>,
) -> Result<Map<String, Value>, Refused> {
    let request = ProviderRequest { subject, url, authorization, form: None };
    let (status, document) = http::send(oidc, request).await?;
    if status.is_success() {
        return Ok(document);
    }
    Err(Refusal::ProviderStatus.because(format!("{subject}: status {status}")))
}

impl Metadata {
    fn read(document: &Map<String, Value>, oidc: &Oidc) -> Result<Self, Refused> {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let list = |name: &str| {
            let items = document.get(name).and_then(Value::as_array);
            items.map(|items| items.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
        };
        let incomplete =
            |name: &str| Refusal::DiscoveryIncomplete.because(format!("discovery: {name} is missing"));
        let issuer = text("issuer").ok_or_else(|| incomplete("issuer"))?;
        if !oidc.is_issuer(issuer) {
            let reason = format!(
                "discovery: the issuer is {}, and oidc-issuer {}",
                quote(issuer),
                quote(&oidc.issuer)
            );
            return Err(Refusal::DiscoveryIssuer.because(reason));
        }
        let optional_url = |name: &str| match text(name) {
            None => Ok(None),
            Some(url) => match Url::parse(url).ok().filter(is_secure_url) {
                Some(url) => Ok(Some(url)),
                None => Err(Refusal::Insecure.because(format!("discovery: {name} is {}", quote(url)))),
            },
        };
        let url = |name: &str| optional_url(name)?.ok_or_else(|| incomplete(name));
        let methods = list("token_endpoint_auth_methods_supported");
        let has_method =
            |name: &str| methods.as_ref().is_some_and(|methods| methods.iter().any(|method| method == name));
        Ok(Self {
            issuer: issuer.to_owned(),
            authorization_endpoint: url("authorization_endpoint")?,
            token_endpoint: url("token_endpoint")?,
            jwks_uri: url("jwks_uri")?,
            userinfo_endpoint: optional_url("userinfo_endpoint")?,
            end_session_endpoint: optional_url("end_session_endpoint")?,
            // RS256 is the algorithm that each provider must support.
            algorithms: list("id_token_signing_alg_values_supported")
                .unwrap_or_else(|| vec!["RS256".to_owned()]),
            sends_issuer: document.get("authorization_response_iss_parameter_supported")
                == Some(&Value::Bool(true)),
            posts_secret: has_method("client_secret_post") && !has_method("client_secret_basic"),
        })
    }
}

/// Returns the value of `Authorization` for the client. RFC 6749, section 2.3.1, encodes both parts as in forms.
fn basic(client_id: &str, secret: &str) -> String {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", BASE64.encode(format!("{}:{}", encode(client_id), encode(secret)).as_bytes()))
}
