//! The replica for SDKs in front of an upstream: `replica` and its intervals.

use std::time::Duration;

use super::frontend_tokens::{self, FrontendToken};
use super::kind::{Switch, TIMEOUT, TimeSpan};
use super::operation::TOGGLE_METRICS;
use super::setting::Setting;
use super::{ClientToken, ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&REPLICA, &REPLICA_REFRESH, &REPLICA_MAX_STALE, &REPORT_INTERVAL];

pub(super) static REPLICA: Setting<Switch> = Setting {
    name: "replica",
    help: "Serve toggles to SDKs from memory, also while the upstream does not respond, and with upstream-token results to OpenFeature clients; frontend-origin and frontend-tokens turn it on",
    default: "false",
    kind: Switch,
};

pub(super) static REPLICA_REFRESH: Setting<TimeSpan> = Setting {
    name: "replica-refresh",
    help: "Interval in which the replica asks the upstream for changes, once for each token, {bounds}",
    default: "10s",
    kind: TIMEOUT,
};

/// Interval in which the upstream is asked about all known tokens. Unleash itself notices a deletion up to a minute later.
const TOKEN_INTERVAL: Duration = Duration::from_secs(10);
/// Minimum time between two requests about tokens that are not known yet.
const TOKEN_PAUSE: Duration = Duration::from_secs(1);

static REPLICA_MAX_STALE: Setting<TimeSpan> = Setting {
    name: "replica-max-stale",
    help: "Maximum age of toggles that the replica serves while the upstream does not respond (then 503), {bounds}",
    default: "24h",
    kind: TimeSpan { min: TIMEOUT.min, max: Duration::from_hours(720) },
};

pub(super) static REPORT_INTERVAL: Setting<TimeSpan> = Setting {
    name: "report-interval",
    help: "Interval in which the replica sends the collected reports of SDKs to the upstream; 0s to forward each at once, {bounds}",
    default: "0s",
    kind: TimeSpan { min: Duration::ZERO, max: Duration::from_hours(1) },
};

/// Settings of the replica.
#[derive(Debug, Clone)]
pub struct Replica {
    /// `REPLICA_REFRESH`: interval of the requests to the upstream for one cache key.
    pub refresh: Duration,
    /// `REPLICA_MAX_STALE`: maximum age of a copy that is served.
    pub max_stale: Duration,
    /// `REPORT_INTERVAL`: time for which reports of SDKs are collected; zero if each is forwarded at once.
    pub report_interval: Duration,
    /// `TOGGLE_METRICS`: counts the evaluations that SDKs report.
    pub toggle_metrics: bool,
    /// `FRONTEND_TOKENS`: tokens of browsers and phones.
    pub frontend_tokens: Vec<FrontendToken>,
    /// `FRONTEND_ORIGIN`: origins of pages that may use the frontend tokens of the upstream; none if it is not asked about them.
    pub frontend_origins: Vec<String>,
    /// Interval in which the upstream is asked about all known tokens. Not a setting.
    pub token_interval: Duration,
    /// Minimum time between two requests about unknown tokens. Not a setting.
    pub token_pause: Duration,
}

impl Replica {
    /// Returns the settings, with the given frontend tokens; `None` without `replica`, `frontend-origin` and `frontend-tokens`. All values are validated even then.
    pub(super) fn resolve(
        settings: &Settings,
        client_tokens: &[ClientToken],
        given: Vec<FrontendToken>,
    ) -> Result<Option<Self>, ConfigError> {
        let mut frontend_tokens = frontend_tokens::resolve(settings, client_tokens)?;
        frontend_tokens.extend(given);
        let replica = Self {
            refresh: REPLICA_REFRESH.resolve(settings)?,
            max_stale: REPLICA_MAX_STALE.resolve(settings)?,
            report_interval: REPORT_INTERVAL.resolve(settings)?,
            toggle_metrics: TOGGLE_METRICS.resolve(settings)?,
            frontend_tokens,
            frontend_origins: frontend_tokens::resolve_origins(settings, client_tokens)?,
            token_interval: TOKEN_INTERVAL,
            token_pause: TOKEN_PAUSE,
        };
        let is_on = REPLICA.resolve(settings)?;
        if let Some(cause) = replica.cause().filter(|_| !is_on && REPLICA.is_set(settings)) {
            return Err(REPLICA.error(format!(
                "cannot be false with {}, because browsers get results from the replica; remove one of them",
                cause.name()
            )));
        }
        Ok((is_on || replica.serves_browsers()).then_some(replica))
    }

    /// Returns true if this program itself serves the browser API.
    pub(super) fn serves_browsers(&self) -> bool {
        self.cause().is_some()
    }

    /// Returns the setting that turns the replica on; `None` if only `replica` does.
    pub(super) fn cause(&self) -> Option<&'static dyn Declaration> {
        if !self.frontend_tokens.is_empty() {
            Some(&frontend_tokens::FRONTEND_TOKENS)
        } else if !self.frontend_origins.is_empty() {
            Some(&frontend_tokens::FRONTEND_ORIGIN)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use tempfile::NamedTempFile;

    use super::super::{BackendSettings, GivenSecrets, Settings, declarations};

    const SECRET: &str = "0123456789abcdef";
    /// Contents of files with client tokens: of a server without environments, of one environment, of two, and two of one.
    const OLD: &str = "fedcba";
    const ONE: &str = "*:production.fedcba";
    const TWO: &str = "*:production.fedcba\n*:development.fedcbb";
    const BOTH: &str = "shop:production.fedcba\npay:production.fedcbb";

    /// Resolves settings: `@` and the content of a file stand for the file.
    fn resolve(values: &[(&str, &str)]) -> Result<BackendSettings, String> {
        let mut files = Vec::new();
        let mut settings = Settings::default();
        for (name, value) in values {
            let setting = declarations().find(|setting| setting.name() == *name).unwrap();
            let value = match value.strip_prefix('@') {
                Some(content) => {
                    let mut file = NamedTempFile::new().unwrap();
                    file.write_all(content.as_bytes()).unwrap();
                    let value = format!("@{}", file.path().display());
                    files.push(file);
                    value
                }
                None => (*value).to_owned(),
            };
            settings.insert(setting, vec![value]);
        }
        BackendSettings::resolve(&settings, GivenSecrets::default()).map_err(|error| error.to_string())
    }

    /// Each case: `replica`, `upstream-token` and `frontend-tokens`; and the number of client tokens, whether the replica is
    /// on, and the environments of the frontend tokens, or the error.
    #[test]
    fn combinations_of_tokens_and_replica() {
        let web = |environment: &str| format!("@[web]\nsecret = \"{SECRET}\"\n{environment}");
        let [plain, production, development, staging] = [
            "",
            "environment = \"production\"",
            "environment = \"development\"",
            "environment = \"staging\"",
        ]
        .map(web);
        let client = format!("@{SECRET}\n");
        let [old, one, two, both] = [OLD, ONE, TWO, BOTH].map(|tokens| format!("@{tokens}"));
        let (old, one, two, both) = (Some(&old), Some(&one), Some(&two), Some(&both));
        let (plain, production) = (Some(&plain), Some(&production));
        for (replica, tokens, frontend, expected) in [
            (None, None, None, Ok((0, false, vec![]))),
            (None, one, None, Ok((1, false, vec![]))),
            (None, two, None, Ok((2, false, vec![]))),
            (Some("false"), two, None, Ok((2, false, vec![]))),
            (Some("true"), None, None, Ok((0, true, vec![]))),
            (Some("true"), old, None, Ok((1, true, vec![]))),
            (Some("true"), two, None, Ok((2, true, vec![]))),
            (None, old, plain, Ok((1, true, vec![None]))),
            (None, one, plain, Ok((1, true, vec![Some("production")]))),
            (None, one, production, Ok((1, true, vec![Some("production")]))),
            (None, both, plain, Ok((2, true, vec![Some("production")]))),
            (Some("true"), one, plain, Ok((1, true, vec![Some("production")]))),
            (None, two, production, Ok((2, true, vec![Some("production")]))),
            (None, two, Some(&development), Ok((2, true, vec![Some("development")]))),
            (None, None, plain, Err("frontend-tokens: needs upstream-token")),
            (Some("true"), None, plain, Err("frontend-tokens: needs upstream-token")),
            (Some("false"), one, plain, Err("replica: cannot be false with frontend-tokens")),
            (
                None,
                Some(&client),
                plain,
                Err("frontend-tokens: the token \"web\" has the secret of a client token"),
            ),
            (None, two, plain, Err("frontend-tokens: the token \"web\" needs an environment")),
            (
                None,
                two,
                Some(&staging),
                Err("frontend-tokens: the token \"web\" has the environment \"staging\""),
            ),
            (
                None,
                one,
                Some(&staging),
                Err("frontend-tokens: the token \"web\" has the environment \"staging\""),
            ),
            (
                None,
                old,
                production,
                Err("frontend-tokens: the token \"web\" has the environment \"production\""),
            ),
        ] {
            let values = [
                Some(("upstream", "http://127.0.0.1:4243")),
                replica.map(|value| ("replica", value)),
                tokens.map(|value| ("upstream-token", value.as_str())),
                frontend.map(|value| ("frontend-tokens", value.as_str())),
            ];
            let values: Vec<_> = values.into_iter().flatten().collect();
            let resolved = resolve(&values);
            match (&resolved, expected) {
                (Ok(BackendSettings::Upstream(upstream)), Ok((count, is_on, environments))) => {
                    assert_eq!(
                        (upstream.client_tokens.len(), upstream.replica.is_some()),
                        (count, is_on),
                        "{values:?}"
                    );
                    let frontend = upstream.replica.iter().flat_map(|replica| &replica.frontend_tokens);
                    assert!(
                        frontend.map(|token| token.environment.as_deref()).eq(environments),
                        "{values:?}"
                    );
                    let debug = format!("{upstream:?}");
                    assert!(!debug.contains("fedc") && !debug.contains(SECRET), "{debug}");
                }
                (Err(found), Err(start)) => {
                    assert!(found.starts_with(start) && !found.contains("fedc"), "{values:?}: {found}");
                }
                (resolved, expected) => panic!("{values:?}: {resolved:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn replica_and_frontend_tokens_need_an_upstream() {
        let web = format!("@[web]\nsecret = \"{SECRET}\"");
        for (name, value, fault) in [
            ("replica", "true", "replica: needs upstream"),
            ("frontend-tokens", web.as_str(), "frontend-tokens: needs upstream"),
            ("frontend-origin", "*", "frontend-origin: needs upstream;"),
        ] {
            let error = resolve(&[(name, value)]).unwrap_err();
            assert!(error.starts_with(fault), "{error}");
        }
    }

    #[test]
    fn origins_need_a_client_token_with_an_environment() {
        let (old, one) = (format!("@{OLD}"), format!("@{ONE}"));
        let upstream = ("upstream", "http://127.0.0.1:4243");
        for (origin, tokens, expected) in [
            ("*", Some(&one), Ok("*")),
            ("https://Shop.example:443", Some(&one), Ok("https://shop.example")),
            (
                "https://shop.example/",
                Some(&one),
                Err("frontend-origin: \"https://shop.example/\" is neither"),
            ),
            ("*", Some(&old), Err("frontend-origin: needs upstream-token")),
            ("*", None, Err("frontend-origin: needs upstream-token")),
        ] {
            let mut values = vec![upstream, ("frontend-origin", origin)];
            values.extend(tokens.map(|value| ("upstream-token", value.as_str())));
            match (resolve(&values), expected) {
                (Ok(BackendSettings::Upstream(upstream)), Ok(expected)) => {
                    assert_eq!(upstream.replica.unwrap().frontend_origins, [expected]);
                }
                (Err(found), Err(start)) => assert!(found.starts_with(start), "{found}"),
                (resolved, expected) => panic!("{values:?}: {resolved:?} instead of {expected:?}"),
            }
        }
        let values =
            [upstream, ("upstream-token", one.as_str()), ("frontend-origin", "*"), ("replica", "false")];
        assert!(resolve(&values).unwrap_err().contains("cannot be false with frontend-origin"));
    }
}
