//! Access to the embedded flag service: `auth`, `session-lifetime` and `open-to-network`.

use jiff::SignedDuration;

use super::{ConfigError, DataLocation, Listen};
use crate::cli::Settings;

/// Maximum lifetime of a session in seconds, however active it is: 30 days, as NIST SP 800-63B recommends.
pub const MAX_SESSION_LIFETIME: i64 = 30 * 24 * 60 * 60;
/// The maximum lifetime, in the format of the setting.
const MAX_LIFETIME: &str = "720h";
/// A working day: users sign in each morning and not in the middle of their work. Seconds.
const DEFAULT_LIFETIME: i64 = 12 * 60 * 60;

/// How users of the console sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// No sign-in: every request has all permissions.
    None,
    /// Any email address, without a password.
    Unsecure,
    /// User name and password of a user in the database.
    Password,
}

/// Sign-in method and session lifetime.
#[derive(Debug, Clone)]
pub struct Auth {
    /// `--auth`, `FLAGDECK_AUTH`; none by default.
    pub mode: AuthMode,
    /// `--session-lifetime`, `FLAGDECK_SESSION_LIFETIME`; 12 h by default. Seconds after the last call, at least 1 and
    /// at most [`MAX_SESSION_LIFETIME`].
    pub session_lifetime: i64,
}

impl Auth {
    pub(super) fn resolve(settings: &Settings, data: &DataLocation) -> Result<Self, ConfigError> {
        let mode = match settings.auth.as_deref() {
            None | Some("none") => AuthMode::None,
            Some("unsecure") => AuthMode::Unsecure,
            Some("password") => AuthMode::Password,
            Some(other) => {
                let fault = format!("{other:?} is not a sign-in method; use none, unsecure or password");
                return Err(ConfigError::setting("auth", fault));
            }
        };
        if mode == AuthMode::Password && *data == DataLocation::Memory {
            return Err(ConfigError::setting(
                "auth",
                "password needs a database file for the users, and cannot be combined with :memory: or demo",
            ));
        }
        Ok(Self { mode, session_lifetime: parse_lifetime(settings)? })
    }

    /// Refuses to listen on a network without passwords, unless that is confirmed: everyone who can connect would be an
    /// operator.
    pub(super) fn check_address(&self, listen: &Listen, settings: &Settings) -> Result<(), ConfigError> {
        let is_confirmed = settings.open_to_network == Some(true);
        if self.mode == AuthMode::Password || listen.address.ip().to_canonical().is_loopback() || is_confirmed
        {
            return Ok(());
        }
        Err(ConfigError::setting(
            "listen",
            format!(
                "{} is reachable from the network, and everyone could change everything without a password; set \
                 --auth password, or allow this with --open-to-network",
                listen.address
            ),
        ))
    }
}

fn parse_lifetime(settings: &Settings) -> Result<i64, ConfigError> {
    let Some(text) = settings.session_lifetime.as_deref() else { return Ok(DEFAULT_LIFETIME) };
    text.parse::<SignedDuration>()
        .map(|parsed| parsed.as_secs())
        .ok()
        .filter(|seconds| (1..=MAX_SESSION_LIFETIME).contains(seconds))
        .ok_or_else(|| {
            let fault = format!("{text:?} is not a duration from 1s to {MAX_LIFETIME}, such as 12h or 30m");
            ConfigError::setting("session-lifetime", fault)
        })
}

#[cfg(test)]
mod tests {
    use super::{Auth, MAX_LIFETIME};
    use crate::cli::Settings;
    use crate::config::{DataLocation, Listen};

    fn settings(auth: &str, listen: &str) -> Settings {
        Settings { auth: Some(auth.to_owned()), listen: Some(listen.to_owned()), ..Settings::default() }
    }

    fn fault(settings: &Settings) -> Option<String> {
        let auth = Auth::resolve(settings, &DataLocation::File("flagdeck.db".into()));
        let checked = auth.and_then(|auth| auth.check_address(&Listen::resolve(settings)?, settings));
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
            let settings = Settings { open_to_network: Some(open), ..settings(auth, listen) };
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
            (MAX_LIFETIME, true),
            ("0s", false),
            ("-1h", false),
            ("721h", false),
            ("", false),
        ] {
            let settings = Settings {
                session_lifetime: Some(lifetime.to_owned()),
                ..settings("unsecure", "127.0.0.1:1")
            };
            let fault = fault(&settings);
            assert_eq!(fault.is_none(), fine, "{lifetime}: {fault:?}");
        }
    }
}
