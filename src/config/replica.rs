//! The replica for SDKs in front of an upstream: `replica`, its intervals, its file and its first token.

use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::header::HeaderValue;

use super::client_token::read_token_file;
use super::evaluate::EVALUATE_TOKEN;
use super::kind::{FILE, Optional, Switch, TIMEOUT, TimeSpan};
use super::setting::Setting;
use super::{ConfigError, Declaration, Evaluate, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&REPLICA, &REPLICA_REFRESH, &REPLICA_MAX_STALE, &REPLICA_FILE, &REPLICA_TOKEN];

pub(super) static REPLICA: Setting<Switch> = Setting {
    name: "replica",
    help: "Serve toggles to SDKs from memory, also while the upstream does not respond; only with upstream",
    default: "false",
    kind: Switch,
};

static REPLICA_REFRESH: Setting<TimeSpan> = Setting {
    name: "replica-refresh",
    help: "Interval in which the replica asks the upstream for changes, once for each token, {bounds}",
    default: "10s",
    kind: TIMEOUT,
};

static REPLICA_MAX_STALE: Setting<TimeSpan> = Setting {
    name: "replica-max-stale",
    help: "Maximum age of toggles that the replica serves while the upstream does not respond (then 503), {bounds}",
    default: "24h",
    kind: TimeSpan { min: TIMEOUT.min, max: Duration::from_hours(720) },
};

static REPLICA_FILE: Setting<Optional<PathBuf>> = Setting {
    name: "replica-file",
    help: "File in which the replica keeps the toggles across a restart; it contains hashes of the tokens",
    default: "none",
    kind: FILE,
};

/// The value is in a file, because a command line would reveal it to all users of the machine.
static REPLICA_TOKEN: Setting<Optional<HeaderValue>> = Setting {
    name: "replica-token",
    help: "File with a client token, with which the replica reads toggles before the first request of an SDK; the program is ready after the first response",
    default: "none",
    kind: Optional("@FILE", read_token_file),
};

/// Settings of the replica.
#[derive(Debug, Clone)]
pub struct Replica {
    /// `REPLICA_REFRESH`: interval of the requests to the upstream for one cache key.
    pub refresh: Duration,
    /// `REPLICA_MAX_STALE`: maximum age of a copy that is served.
    pub max_stale: Duration,
    /// `REPLICA_FILE`: file with the copies.
    pub file: Option<PathBuf>,
    /// `REPLICA_TOKEN`: token of the first request.
    pub token: Option<HeaderValue>,
    /// Evaluation for browsers and OpenFeature clients; `None` if requests of browsers are forwarded.
    pub evaluate: Option<Evaluate>,
}

impl Replica {
    /// Returns the settings; `None` without `replica`. All values are validated even then.
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let replica = Self {
            refresh: REPLICA_REFRESH.resolve(settings)?,
            max_stale: REPLICA_MAX_STALE.resolve(settings)?,
            file: REPLICA_FILE.resolve(settings)?,
            token: REPLICA_TOKEN.resolve(settings)?,
            evaluate: Evaluate::resolve(settings)?,
        };
        let is_on = REPLICA.resolve(settings)?;
        if !is_on && replica.evaluate.is_some() {
            return Err(EVALUATE_TOKEN.error("needs replica, which keeps the toggles to evaluate; set it"));
        }
        Ok(is_on.then_some(replica))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{REPLICA, REPLICA_TOKEN, Replica, Settings};

    #[test]
    fn replica_is_off_by_default_and_reads_its_token_from_a_file() {
        assert!(Replica::resolve(&Settings::default()).unwrap().is_none());
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"*:production.fedcba\n").unwrap();
        let with_token = |text: &str| {
            Replica::resolve(&Settings::default().with(&REPLICA, "true").with(&REPLICA_TOKEN, text))
        };
        let replica = with_token(&format!("@{}", file.path().display())).unwrap().unwrap();
        assert_eq!(replica.token.as_ref().unwrap(), "*:production.fedcba");
        assert!(!format!("{replica:?}").contains("fedcba"), "{replica:?}");
        let empty = tempfile::NamedTempFile::new().unwrap();
        for text in ["*:production.fedcba", "@/no/such/file", &format!("@{}", empty.path().display())] {
            let fault = with_token(text).unwrap_err().to_string();
            assert!(fault.starts_with("replica-token: ") && !fault.contains("fedcba"), "{fault}");
        }
    }
}
