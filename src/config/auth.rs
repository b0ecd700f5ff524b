//! Who may use the embedded flag service: `auth`, `session-lifetime` and `open-to-network`.

use jiff::SignedDuration;

use super::{ConfigError, Listen};
use crate::cli::Settings;
use crate::flags::DataLocation;
use crate::flags::auth::AuthMode;
use crate::flags::auth::access::MAX_SESSION_LIFETIME;

/// The longest that can be set, as people write it.
const LONGEST: &str = "720h";
/// A working day, so that people sign in each morning and not in the middle of something.
const DEFAULT_LIFETIME: i64 = 12 * 60 * 60;

/// How people sign in, and for how long.
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
                let fault = format!("{other:?} is none of none, unsecure and password");
                return Err(ConfigError::setting("auth", fault));
            }
        };
        if mode == AuthMode::Password && *data == DataLocation::Memory {
            return Err(ConfigError::setting(
                "auth",
                "users are kept in the database file, so password cannot be used together with :memory: or demo",
            ));
        }
        Ok(Self { mode, session_lifetime: lifetime(settings)? })
    }

    /// Refuses to let a network in unless asked to: whoever reaches the port would be an operator.
    pub(super) fn check_address(&self, listen: &Listen, settings: &Settings) -> Result<(), ConfigError> {
        let confirmed = settings.open_to_network == Some(true);
        if self.mode == AuthMode::Password || listen.address.ip().to_canonical().is_loopback() || confirmed {
            return Ok(());
        }
        Err(ConfigError::setting(
            "listen",
            format!(
                "{} is open to a network, where everybody could change everything without a password; set --auth \
                 password, or confirm that this is wanted with --open-to-network",
                listen.address
            ),
        ))
    }
}

fn lifetime(settings: &Settings) -> Result<i64, ConfigError> {
    let Some(text) = settings.session_lifetime.as_deref() else { return Ok(DEFAULT_LIFETIME) };
    text.parse::<SignedDuration>()
        .map(|parsed| parsed.as_secs())
        .ok()
        .filter(|seconds| (1..=MAX_SESSION_LIFETIME).contains(seconds))
        .ok_or_else(|| {
            let fault = format!("{text:?} is not a duration from 1s to {LONGEST}, such as 12h or 30m");
            ConfigError::setting("session-lifetime", fault)
        })
}

#[cfg(test)]
mod tests {
    use super::{Auth, LONGEST};
    use crate::cli::Settings;
    use crate::config::Listen;
    use crate::flags::DataLocation;

    fn settings(auth: &str, listen: &str) -> Settings {
        Settings { auth: Some(auth.to_owned()), listen: Some(listen.to_owned()), ..Settings::default() }
    }

    fn fault(settings: &Settings) -> Option<String> {
        let auth = Auth::resolve(settings, &DataLocation::File("flagdeck.db".into()));
        let checked = auth.and_then(|auth| auth.check_address(&Listen::resolve(settings)?, settings));
        checked.err().map(|error| error.to_string())
    }

    #[test]
    fn a_network_is_let_in_with_passwords_or_when_asked_to() {
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
    fn a_lifetime_is_a_duration_of_a_second_to_thirty_days() {
        for (lifetime, fine) in [
            ("12h", true),
            ("90s", true),
            (LONGEST, true),
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
