//! The flag service behind the proxy: `upstream` and its timeouts.

use std::time::Duration;

use jiff::SignedDuration;
use url::{Position, Url};

use super::ConfigError;
use crate::cli::Settings;

/// Where API calls are forwarded to.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// `--upstream`, `FLAGDECK_UPSTREAM`: scheme and authority, such as `http://127.0.0.1:4243`.
    pub origin: String,
    /// What goes into `Host`: name and, unless it is the scheme's own, port.
    pub authority: String,
    /// The path of the URL in front of every forwarded path: empty, or with a slash in front and none behind.
    pub path: String,
    /// `--upstream-connect-timeout`; 5 s by default.
    pub connect_timeout: Duration,
    /// `--upstream-head-timeout`; 30 s by default. Counts from the request's last byte to the answer's head.
    pub head_timeout: Duration,
    /// `--upstream-idle-timeout`; 60 s by default. The longest pause between two pieces of an answer.
    pub idle_timeout: Duration,
}

impl Upstream {
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let Some(text) = settings.upstream.as_deref() else { return Ok(None) };
        let url = parse(text).ok_or_else(|| {
            ConfigError::setting(
                "upstream",
                format!(
                    "{text:?} is not a URL such as http://127.0.0.1:4243, with no user, query or fragment"
                ),
            )
        })?;
        Ok(Some(Self {
            origin: url[..Position::BeforePath].to_owned(),
            authority: url[Position::BeforeHost..Position::BeforePath].to_owned(),
            path: url.path().trim_end_matches('/').to_owned(),
            connect_timeout: duration(
                "upstream-connect-timeout",
                settings.upstream_connect_timeout.as_deref(),
                5,
            )?,
            head_timeout: duration("upstream-head-timeout", settings.upstream_head_timeout.as_deref(), 30)?,
            idle_timeout: duration("upstream-idle-timeout", settings.upstream_idle_timeout.as_deref(), 60)?,
        }))
    }
}

#[cfg(test)]
impl Upstream {
    /// `http://flags:4243` and this path, with no time for anything.
    pub(crate) fn below(path: &str) -> Self {
        Self {
            origin: "http://flags:4243".to_owned(),
            authority: "flags:4243".to_owned(),
            path: path.to_owned(),
            connect_timeout: Duration::ZERO,
            head_timeout: Duration::ZERO,
            idle_timeout: Duration::ZERO,
        }
    }
}

/// An absolute http or https URL that is an address and nothing more: credentials would end up in logs.
fn parse(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    })
}

fn duration(name: &str, text: Option<&str>, default_seconds: u64) -> Result<Duration, ConfigError> {
    let Some(text) = text else { return Ok(Duration::from_secs(default_seconds)) };
    text.parse::<SignedDuration>()
        .ok()
        .and_then(|parsed| Duration::try_from(parsed).ok())
        .filter(|parsed| !parsed.is_zero())
        .ok_or_else(|| ConfigError::setting(name, format!("{text:?} is not a duration such as 5s or 500ms")))
}

#[cfg(test)]
mod tests {
    use super::Upstream;
    use crate::cli::Settings;

    fn upstream(url: &str) -> Result<Option<Upstream>, String> {
        let settings = Settings { upstream: Some(url.to_owned()), ..Settings::default() };
        Upstream::resolve(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn an_upstream_url_is_split_into_what_requests_need() {
        for (url, origin, authority, path) in [
            ("http://127.0.0.1:4243", "http://127.0.0.1:4243", "127.0.0.1:4243", ""),
            ("https://flags.example.com:443/", "https://flags.example.com", "flags.example.com", ""),
            ("http://[::1]:4243/unleash/", "http://[::1]:4243", "[::1]:4243", "/unleash"),
        ] {
            let parsed = upstream(url).unwrap().unwrap();
            assert_eq!(
                (parsed.origin.as_str(), parsed.authority.as_str(), parsed.path.as_str()),
                (origin, authority, path)
            );
        }
    }

    #[test]
    fn what_is_no_plain_http_url_is_refused_by_name() {
        for url in
            ["", "localhost:4243", "ftp://x", "http://", "http://u:p@x", "http://x?q", "http://x/#f", "/x"]
        {
            assert!(upstream(url).unwrap_err().starts_with("upstream: "), "{url}");
        }
    }
}
