//! Sign-in of users in front of an upstream: `upstream-sign-in`.

use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};

use super::auth::AUTH;
use super::kind::Text;
use super::setting::Setting;
use super::upstream_header::UPSTREAM_HEADER;
use super::{Auth, AuthMode, ConfigError, DataLocation, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&UPSTREAM_SIGN_IN];

static UPSTREAM_SIGN_IN: Setting<Text<Option<SharedAccount>>> = Setting {
    name: "upstream-sign-in",
    help: "Where users sign in: own (at the upstream), or with auth = \"oidc\" at an OpenID Connect provider, and then at the upstream by its demo sign-in under their email address (demo), or with the credential of upstream-header for all (shared)",
    default: "own",
    kind: Text("own|demo|shared", parse_account),
};

/// Sign-in at this program in front of an upstream.
#[derive(Debug, Clone)]
pub struct UpstreamSignIn {
    /// `UPSTREAM_SIGN_IN`: the account of a user at the upstream.
    pub account: SharedAccount,
    /// Sign-in by OpenID Connect.
    pub auth: Auth,
}

/// The account that requests have at the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedAccount {
    /// One for each person, by the sign-in of the upstream that asks for an email address only.
    Demo,
    /// That of the credential in `upstream-header`, for all persons.
    Shared,
}

impl UpstreamSignIn {
    /// Resolves the sign-in; `None` if users sign in at the upstream. `added_headers` are those of `upstream-header`, and `data` is the
    /// database of the sessions.
    pub(super) fn resolve(
        settings: &Settings,
        added_headers: &[(HeaderName, HeaderValue)],
        data: &DataLocation,
    ) -> Result<Option<Self>, ConfigError> {
        let Some(account) = UPSTREAM_SIGN_IN.resolve(settings)? else {
            return if AUTH.is_set(settings) {
                Err(AUTH.error(
                    "cannot be combined with upstream, because the upstream handles sign-in; remove one of them, or set \
                     upstream-sign-in for OpenID Connect",
                ))
            } else {
                Ok(None)
            };
        };
        if AUTH.resolve(settings)? != AuthMode::Oidc {
            return Err(UPSTREAM_SIGN_IN.error(
                "demo and shared need OpenID Connect; set auth = \"oidc\" and the settings of the provider",
            ));
        }
        let names_user = |(name, _): &(HeaderName, HeaderValue)| *name == COOKIE || *name == AUTHORIZATION;
        match account {
            SharedAccount::Demo if added_headers.iter().any(names_user) => {
                return Err(UPSTREAM_HEADER.error(
                    "Authorization and Cookie cannot be combined with upstream-sign-in = \"demo\", because the upstream \
                     would record their user instead of the person; remove them",
                ));
            }
            SharedAccount::Shared if added_headers.is_empty() => {
                return Err(UPSTREAM_SIGN_IN.error(
                    "shared needs a credential of the upstream; set upstream-header, such as \
                     Authorization=@/run/secrets/flags-token",
                ));
            }
            SharedAccount::Demo | SharedAccount::Shared => {}
        }
        let auth = Auth::resolve(settings, data)?;
        Ok(Some(Self { account, auth }))
    }
}

fn parse_account(text: &str) -> Result<Option<SharedAccount>, String> {
    match text {
        "own" => Ok(None),
        "demo" => Ok(Some(SharedAccount::Demo)),
        "shared" => Ok(Some(SharedAccount::Shared)),
        _ => Err(format!("{text:?} is not a sign-in; use own, demo or shared")),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::{AUTH, DataLocation, Settings, UPSTREAM_SIGN_IN, UpstreamSignIn};

    #[test]
    fn combinations_that_cannot_work_are_refused() {
        let header = |name| vec![(HeaderName::from_static(name), HeaderValue::from_static("x"))];
        for (sign_in, auth, headers, setting) in [
            ("own", None, vec![], None),
            ("own", Some("oidc"), vec![], Some("auth: ")),
            ("own", Some("none"), vec![], Some("auth: ")),
            ("demo", None, vec![], Some("upstream-sign-in: ")),
            ("demo", Some("password"), vec![], Some("upstream-sign-in: ")),
            ("demo", Some("oidc"), header("authorization"), Some("upstream-header: ")),
            ("demo", Some("oidc"), header("cookie"), Some("upstream-header: ")),
            ("shared", Some("oidc"), vec![], Some("upstream-sign-in: ")),
            ("any", Some("oidc"), vec![], Some("upstream-sign-in: ")),
            // The settings of the provider are missing.
            ("demo", Some("oidc"), header("x-key"), Some("oidc-")),
            ("shared", Some("oidc"), header("authorization"), Some("oidc-")),
        ] {
            let settings = Settings::default().with(&UPSTREAM_SIGN_IN, sign_in);
            let settings = auth.map_or(settings.clone(), |mode| settings.with(&AUTH, mode));
            let fault = UpstreamSignIn::resolve(&settings, &headers, &DataLocation::Memory)
                .err()
                .map(|error| error.to_string());
            let is_expected = match (&fault, setting) {
                (Some(fault), Some(setting)) => fault.starts_with(setting),
                (fault, setting) => fault.is_none() && setting.is_none(),
            };
            assert!(is_expected, "{sign_in} {auth:?} {headers:?}: {fault:?}");
        }
    }
}
