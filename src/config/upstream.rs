//! The flag service behind the proxy: `upstream`, its timeouts and its limits.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::net::SocketAddr as SocketAddress;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::header::{HeaderName, HeaderValue};
use url::{Host, Position, Url};

use super::value::{TIMEOUT, duration, number, quoted};
use super::{BasePath, ConfigError, Listen, UpstreamTls, upstream_header};
use crate::cli::Settings;

/// The flag service to which API requests are forwarded.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// `--upstream`, `FLAGDECK_UPSTREAM`: scheme and authority, such as `http://127.0.0.1:4243`.
    pub origin: String,
    /// URL for the HTTP client, always with `http` and a port: the connector adds TLS itself.
    pub connect_url: String,
    /// Network address or Unix socket of the upstream.
    pub address: UpstreamAddress,
    /// Value of `Host`: host name and, unless it is the default of the scheme, port.
    pub authority: String,
    /// Path of the URL, which precedes every forwarded path: empty, or with a leading and without a trailing slash.
    pub path: String,
    /// `--upstream-connect-timeout`; 5 s by default.
    pub connect_timeout: Duration,
    /// `--upstream-head-timeout`; 30 s by default. Time from the start of the request to the head of the response. Each
    /// part of the request body that is sent restarts it.
    pub head_timeout: Duration,
    /// `--upstream-idle-timeout`; 60 s by default. Maximum pause between two parts of a response body.
    pub idle_timeout: Duration,
    /// `--upstream-pool-size`; 1024 by default. Maximum number of concurrent connections of each worker.
    pub pool_size: usize,
    /// `--upstream-pool-wait`; 5 s by default. Maximum time that a request waits for one of these connections.
    pub pool_wait: Duration,
    /// Maximum size in bytes of request bodies that each worker buffers before they have a connection. Not a setting.
    pub body_memory: usize,
    /// `--upstream-pool-idle`; 4 s by default. Time for which an idle connection is kept. Node closes idle connections
    /// after 5 s, and a request that is sent at this moment fails.
    pub pool_idle: Duration,
    /// `--upstream-failures`; 5 by default. Consecutive failures that open the circuit breaker; 0 for never.
    pub failures: u32,
    /// `--upstream-pause`; 5 s by default. Time for which the circuit breaker stays open.
    pub pause: Duration,
    /// Path prefixes that are forwarded: `/api`, `/auth` and `--proxy-prefix`. They end at segment boundaries.
    pub prefixes: Vec<String>,
    /// `--upstream-header`; none by default. Headers that are added to every forwarded request, such as credentials.
    pub added_headers: Vec<(HeaderName, HeaderValue)>,
}

/// The address on which the upstream listens.
#[derive(Debug, Clone)]
pub enum UpstreamAddress {
    /// A host and port, with or without TLS.
    Network(Option<Box<UpstreamTls>>),
    /// A Unix socket.
    Socket(PathBuf),
}

/// Paths that are always forwarded: the API and the sign-in.
const FORWARDED: [&str; 2] = ["/api", "/auth"];
/// First segments of paths that this program serves itself.
const RESERVED: [&str; 2] = ["-", "assets"];

/// 512 bodies of the largest size that is read completely.
const BODY_MEMORY: usize = 32 << 20;
/// The largest value of `upstream-failures`.
const MAX_FAILURES: u32 = 1_000_000;

/// Parses a timeout or an interval of the upstream.
fn parse_timeout(name: &str, text: Option<&str>, default_seconds: u64) -> Result<Duration, ConfigError> {
    duration(name, text, default_seconds, TIMEOUT)
}

/// Parses `upstream`: a URL, or the path of a Unix socket with the URL that requests through it have.
fn parse_location(text: &str) -> Result<(Option<PathBuf>, Url), ConfigError> {
    // A Unix socket has no host name for `Host`.
    let (socket, url) = match text.strip_prefix("unix:") {
        Some(path) if path.starts_with('/') && SocketAddress::from_pathname(path).is_ok() => {
            (Some(PathBuf::from(path)), "http://localhost")
        }
        _ => (None, text),
    };
    let url = parse_url(url).ok_or_else(|| {
        let fault = format!(
            "{} is neither a URL such as http://127.0.0.1:4243 (without user, query, fragment or port 0) nor a \
             socket such as unix:/run/flags.sock (at most 107 characters)",
            quoted(text)
        );
        ConfigError::setting("upstream", fault)
    })?;
    Ok((socket, url))
}

impl Upstream {
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let Some(text) = settings.upstream.as_deref() else { return Ok(None) };
        let (socket, url) = parse_location(text)?;
        let tls = if url.scheme() == "https" {
            Some(Box::new(UpstreamTls::resolve(settings, url.host_str().unwrap_or_default())?))
        } else {
            UpstreamTls::refuse_without_https(settings)?;
            None
        };
        let port = url.port_or_known_default().unwrap_or_default();
        Ok(Some(Self {
            // `upstream/connector.rs` opens the connection and adds TLS, so that the HTTP client needs none.
            connect_url: format!("http://{}:{port}", url.host_str().unwrap_or_default()),
            address: socket.map_or(UpstreamAddress::Network(tls), UpstreamAddress::Socket),
            origin: url[..Position::BeforePath].to_owned(),
            authority: url[Position::BeforeHost..Position::BeforePath].to_owned(),
            path: url.path().trim_end_matches('/').to_owned(),
            added_headers: upstream_header::read(settings)?,
            connect_timeout: parse_timeout(
                "upstream-connect-timeout",
                settings.upstream_connect_timeout.as_deref(),
                5,
            )?,
            head_timeout: parse_timeout(
                "upstream-head-timeout",
                settings.upstream_head_timeout.as_deref(),
                30,
            )?,
            idle_timeout: parse_timeout(
                "upstream-idle-timeout",
                settings.upstream_idle_timeout.as_deref(),
                60,
            )?,
            pool_size: number(
                "upstream-pool-size",
                settings.upstream_pool_size.as_deref(),
                1024,
                (1, 65_536),
            )?,
            pool_wait: parse_timeout("upstream-pool-wait", settings.upstream_pool_wait.as_deref(), 5)?,
            body_memory: BODY_MEMORY,
            pool_idle: parse_timeout("upstream-pool-idle", settings.upstream_pool_idle.as_deref(), 4)?,
            failures: number(
                "upstream-failures",
                settings.upstream_failures.as_deref(),
                5,
                (0, MAX_FAILURES),
            )?,
            pause: parse_timeout("upstream-pause", settings.upstream_pause.as_deref(), 5)?,
            prefixes: parse_prefixes(settings)?,
        }))
    }
}

impl Upstream {
    /// Refuses an upstream that is this program itself, which would cause a request loop.
    pub(super) fn check_address(&self, listen: &Listen) -> Result<(), ConfigError> {
        let (UpstreamAddress::Network(_), Ok(url)) = (&self.address, Url::parse(&self.connect_url)) else {
            return Ok(());
        };
        let own = listen.address.ip().to_canonical();
        let is_self = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" && (own.is_loopback() || own.is_unspecified()),
            Some(Host::Ipv4(ip)) => own == IpAddr::V4(ip) || (own.is_unspecified() && ip.is_loopback()),
            Some(Host::Ipv6(ip)) => {
                own == IpAddr::V6(ip) || (own.is_unspecified() && own.is_ipv6() && ip.is_loopback())
            }
            None => false,
        };
        if is_self && url.port_or_known_default() == Some(listen.address.port()) {
            let fault = format!(
                "{} is the address on which this program listens; set it to the address of the flag service",
                self.authority
            );
            return Err(ConfigError::setting("upstream", fault));
        }
        Ok(())
    }

    /// Returns the settings to reach the server that runs with this configuration on this machine. Its certificate is
    /// not verified, because it is for the public name.
    pub(crate) fn for_local_server(address: SocketAddr, has_tls: bool) -> Result<Self, ConfigError> {
        let scheme = if has_tls { "https" } else { "http" };
        let settings = Settings {
            upstream: Some(format!("{scheme}://{address}")),
            upstream_insecure: Some(has_tls),
            ..Settings::default()
        };
        Self::resolve(&settings)?.ok_or_else(|| ConfigError::setting("listen", "has no address"))
    }
}

#[cfg(any(test, fuzzing))]
impl Upstream {
    /// Returns an upstream at `http://flags:4243` with this path and without timeouts, for tests.
    pub(crate) fn with_path(path: &str) -> Self {
        Self {
            origin: "http://flags:4243".to_owned(),
            connect_url: "http://flags:4243".to_owned(),
            address: UpstreamAddress::Network(None),
            added_headers: Vec::new(),
            authority: "flags:4243".to_owned(),
            path: path.to_owned(),
            connect_timeout: Duration::ZERO,
            head_timeout: Duration::ZERO,
            idle_timeout: Duration::ZERO,
            pool_size: 1,
            pool_wait: Duration::ZERO,
            body_memory: 0,
            pool_idle: Duration::ZERO,
            failures: 0,
            pause: Duration::ZERO,
            prefixes: FORWARDED.map(str::to_owned).to_vec(),
        }
    }
}

/// Parses an http or https URL without credentials, query or fragment. Credentials would appear in logs.
fn parse_url(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.port() != Some(0)
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    })
}

fn parse_prefixes(settings: &Settings) -> Result<Vec<String>, ConfigError> {
    let mut prefixes = FORWARDED.map(str::to_owned).to_vec();
    for text in settings.proxy_prefix.as_deref().unwrap_or_default() {
        let path = BasePath::parse(text).map_err(|_odd| prefix_error(text))?;
        let first = path.as_str().split('/').nth(1).unwrap_or_default();
        if first.is_empty() || RESERVED.contains(&first) {
            return Err(prefix_error(text));
        }
        prefixes.push(path.as_str().to_owned());
    }
    Ok(prefixes)
}

fn prefix_error(text: &str) -> ConfigError {
    let fault = format!(
        "{text:?} cannot be forwarded; use a path of letters, digits and - . _ ~ such as /health, not below /- or \
         /assets"
    );
    ConfigError::setting("proxy-prefix", fault)
}

#[cfg(test)]
mod tests {
    use super::Upstream;
    use crate::cli::Settings;
    use crate::config::RequestLimits;

    fn upstream(url: &str) -> Result<Option<Upstream>, String> {
        let settings = Settings { upstream: Some(url.to_owned()), ..Settings::default() };
        Upstream::resolve(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn splits_an_upstream_url_into_origin_authority_and_path() {
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
    fn defaults_are_those_of_the_documentation() {
        let upstream = upstream("http://x").unwrap().unwrap();
        let timeouts = [
            upstream.connect_timeout,
            upstream.head_timeout,
            upstream.idle_timeout,
            upstream.pool_wait,
            upstream.pool_idle,
            upstream.pause,
        ];
        assert_eq!(timeouts.map(|timeout| timeout.as_secs()), [5, 30, 60, 5, 4, 5]);
        assert_eq!((upstream.pool_size, upstream.failures), (1024, 5));
        let limits = RequestLimits::resolve(&Settings::default()).unwrap();
        assert_eq!((limits.body_timeout.as_secs(), limits.body, limits.head), (30, 10 << 20, 32 << 10));
    }

    #[test]
    fn forwards_additional_paths_except_reserved_ones() {
        let with = |prefix: &str| {
            let proxy_prefix = Some(vec![prefix.to_owned()]);
            let upstream = Some("http://x".to_owned());
            let resolved = Upstream::resolve(&Settings { upstream, proxy_prefix, ..Settings::default() });
            resolved.map(|upstream| upstream.unwrap().prefixes).map_err(|error| error.to_string())
        };
        assert_eq!(with("health/").unwrap(), ["/api", "/auth", "/health"]);
        for prefix in ["", "/", "/-", "/-/settings", "/assets", "/a b", "/a/../b"] {
            assert!(with(prefix).unwrap_err().starts_with("proxy-prefix: "), "{prefix}");
        }
    }

    #[test]
    fn refuses_invalid_upstream_urls() {
        let long_socket = format!("unix:/{}", "x".repeat(107));
        assert!(upstream(&long_socket[..long_socket.len() - 1]).is_ok());
        for url in [
            "",
            &long_socket,
            "unix:/a\0b",
            "http://x:0",
            "http://x:65536",
            "localhost:4243",
            "unix:x",
            "ftp://x",
            "http://",
            "http://u:p@x",
            "http://x?q",
            "http://x/#f",
            "/x",
        ] {
            assert!(upstream(url).unwrap_err().starts_with("upstream: "), "{url}");
        }
    }
}
