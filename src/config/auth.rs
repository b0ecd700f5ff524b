//! Access to the embedded flag service, or to an upstream with `upstream-sign-in`: `auth`, `session-lifetime`, `require-client-tokens` and
//! `open-to-network`.

use std::sync::Arc;
use std::time::Duration;

use super::kind::{Switch, Text, TimeSpan};
use super::listen::LISTEN;
use super::setting::Setting;
use super::{ConfigError, DataLocation, Declaration, Listen, Oidc, Settings};

/// Maximum lifetime of a session in seconds, however active it is: 30 days, as NIST SP 800-63B recommends.
pub const MAX_SESSION_LIFETIME: i64 = 30 * 24 * 60 * 60;
/// Minimum length of a password in characters. NIST SP 800-63B requires 8 and advises against rules on their kind.
pub const MIN_PASSWORD_LENGTH: usize = 8;

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&AUTH, &SESSION_LIFETIME, &REQUIRE_CLIENT_TOKENS, &OPEN_TO_NETWORK];

pub(super) static AUTH: Setting<Text<AuthMode>> = Setting {
    name: "auth",
    help: "Sign-in to the embedded flag service, and to an upstream with upstream-sign-in: none (no sign-in), unsecure (any email address, without a password), password (users added with flagdeck user) or oidc (OpenID Connect; users with a password can sign in, too)",
    default: "none",
    kind: Text("none|unsecure|password|oidc", parse_mode),
};

static SESSION_LIFETIME: Setting<TimeSpan> = Setting {
    name: "session-lifetime",
    help: "Time after the last request for which users stay signed in, {bounds}",
    // A working day: users sign in each morning and not in the middle of their work.
    default: "12h",
    kind: TimeSpan {
        min: Duration::from_secs(1),
        max: Duration::from_secs(MAX_SESSION_LIFETIME.cast_unsigned()),
    },
};

pub(super) static REQUIRE_CLIENT_TOKENS: Setting<Switch> = Setting {
    name: "require-client-tokens",
    help: "Refuse requests of SDKs without a valid token (401), also while no client token exists; SDKs may then use any host name",
    default: "false",
    kind: Switch,
};

pub(super) static OPEN_TO_NETWORK: Setting<Switch> = Setting {
    name: "open-to-network",
    help: "Allow listening on a network without passwords, or with a credential in upstream-header",
    default: "false",
    kind: Switch,
};

/// How users of the console sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// No sign-in: every request has all permissions.
    None,
    /// Any email address, without a password.
    Unsecure,
    /// User name and password of a user in the database.
    Password,
    /// OpenID Connect. Users in the database can sign in with their password, too.
    Oidc,
}

impl AuthMode {
    /// Returns true if users in the database can sign in with their password.
    #[must_use]
    pub fn accepts_passwords(self) -> bool {
        matches!(self, Self::Password | Self::Oidc)
    }
}

/// Sign-in method and session lifetime.
#[derive(Debug, Clone)]
pub struct Auth {
    /// `AUTH`: sign-in method.
    pub mode: AuthMode,
    /// `SESSION_LIFETIME`: seconds after the last call.
    pub session_lifetime: i64,
    /// `REQUIRE_CLIENT_TOKENS`: SDKs need a token also while no client token exists.
    pub requires_client_tokens: bool,
    /// The provider; only with [`AuthMode::Oidc`].
    pub oidc: Option<Arc<Oidc>>,
}

impl Auth {
    pub(super) fn resolve(settings: &Settings, data: &DataLocation) -> Result<Self, ConfigError> {
        let mode = AUTH.resolve(settings)?;
        if mode == AuthMode::Password && *data == DataLocation::Memory {
            return Err(AUTH.error(
                "password needs a database file for the users, and cannot be combined with :memory: or demo",
            ));
        }
        let lifetime = SESSION_LIFETIME.resolve(settings)?.as_secs();
        Ok(Self {
            mode,
            session_lifetime: i64::try_from(lifetime).unwrap_or(MAX_SESSION_LIFETIME),
            requires_client_tokens: REQUIRE_CLIENT_TOKENS.resolve(settings)?,
            oidc: (mode == AuthMode::Oidc).then(|| Oidc::resolve(settings).map(Arc::new)).transpose()?,
        })
    }

    /// Refuses to listen on a network without passwords, unless that is confirmed: everyone who can connect would be an
    /// operator.
    pub(super) fn check_address(
        &self,
        listen: &Listen,
        settings: &Settings,
        is_for_definitions: bool,
    ) -> Result<(), ConfigError> {
        let is_confirmed = OPEN_TO_NETWORK.resolve(settings)?;
        if self.mode.accepts_passwords() || listen.address.ip().to_canonical().is_loopback() || is_confirmed {
            return Ok(());
        }
        if is_for_definitions {
            return Err(LISTEN.error(format!(
                "{} is reachable from the network, and everyone could read the toggles of definitions without a token; use \
                 flagdeck offline, which serves only SDKs with a token, or allow this with --open-to-network",
                listen.address
            )));
        }
        Err(LISTEN.error(format!(
            "{} is reachable from the network, and everyone could change everything without a password; set --auth \
             password or oidc, or allow this with --open-to-network",
            listen.address
        )))
    }
}

fn parse_mode(text: &str) -> Result<AuthMode, String> {
    match text {
        "none" => Ok(AuthMode::None),
        "unsecure" => Ok(AuthMode::Unsecure),
        "password" => Ok(AuthMode::Password),
        "oidc" => Ok(AuthMode::Oidc),
        _ => Err(format!("{text:?} is not a sign-in method; use none, unsecure, password or oidc")),
    }
}

#[cfg(test)]
mod tests {
    use super::{AUTH, Auth, DataLocation, LISTEN, Listen, OPEN_TO_NETWORK, SESSION_LIFETIME, Settings};

    fn settings(auth: &str, listen: &str) -> Settings {
        Settings::default().with(&AUTH, auth).with(&LISTEN, listen)
    }

    fn fault(settings: &Settings) -> Option<String> {
        let auth = Auth::resolve(settings, &DataLocation::File("flagdeck.db".into()));
        let checked = auth.and_then(|auth| auth.check_address(&Listen::resolve(settings)?, settings, false));
        checked.err().map(|error| error.to_string())
    }

    #[test]
    fn network_address_requires_passwords_or_confirmation() {
        for (auth, listen, open, fine) in [
            ("none", "127.0.0.1:1", false, true),
            ("unsecure", "[::1]:1", false, true),
            ("none", "[::ffff:127.0.0.1]:1", false, true),
            ("none", "0.0.0.0:1", false, false),
            ("unsecure", "[::]:1", false, false),
            ("unsecure", "192.0.2.1:1", false, false),
            ("none", "0.0.0.0:1", true, true),
            ("password", "0.0.0.0:1", false, true),
        ] {
            let settings = settings(auth, listen).with(&OPEN_TO_NETWORK, &open.to_string());
            let fault = fault(&settings);
            assert_eq!(fault.is_none(), fine, "{auth} {listen} {open}: {fault:?}");
            assert!(fault.is_none_or(|text| text.contains("--open-to-network")));
        }
    }

    #[test]
    fn lifetime_is_from_one_second_to_thirty_days() {
        for (lifetime, fine) in [
            ("12h", true),
            ("90s", true),
            ("720h", true),
            ("0s", false),
            ("-1h", false),
            ("721h", false),
            ("", false),
        ] {
            let fault = fault(&settings("unsecure", "127.0.0.1:1").with(&SESSION_LIFETIME, lifetime));
            assert_eq!(fault.is_none(), fine, "{lifetime}: {fault:?}");
        }
    }
}
