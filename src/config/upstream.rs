//! The flag service behind the proxy: `upstream` and its timeouts.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::net::SocketAddr as SocketAddress;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::header::{HeaderName, HeaderValue};
use url::{Host, Position, Url};

use super::value::{TIMEOUT, duration, number, quoted};
use super::{BasePath, ConfigError, Listen, UpstreamTls, upstream_header};
use crate::cli::Settings;

/// Where API calls are forwarded to.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// `--upstream`, `FLAGDECK_UPSTREAM`: scheme and authority, such as `http://127.0.0.1:4243`.
    pub origin: String,
    /// The same for the HTTP client.
    pub dialled: String,
    /// Where it is.
    pub place: Place,
    /// What goes into `Host`: name and, unless it is the scheme's own, port.
    pub authority: String,
    /// The path of the URL in front of every forwarded path: empty, or with a slash in front and none behind.
    pub path: String,
    /// `--upstream-connect-timeout`; 5 s by default.
    pub connect_timeout: Duration,
    /// `--upstream-head-timeout`; 30 s by default. Counts from the request's beginning, and anew from each piece of its body
    /// that goes out, to the answer's head.
    pub head_timeout: Duration,
    /// `--upstream-idle-timeout`; 60 s by default. The longest pause between two pieces of an answer.
    pub idle_timeout: Duration,
    /// `--upstream-pool-size`; 1024 by default. Requests that each worker has under way at once.
    pub pool_size: usize,
    /// `--upstream-pool-wait`; 5 s by default. How long a request waits for one of these connections before it is
    /// refused.
    pub pool_wait: Duration,
    /// Bytes of request bodies that each worker buffers at most before they have a connection. No setting.
    pub body_memory: usize,
    /// `--upstream-pool-idle`; 4 s by default, because Node closes idle connections after 5 s, and a request that is
    /// sent just then is lost.
    pub pool_idle: Duration,
    /// `--upstream-failures`; 5 by default. Failures in a row that open the circuit; 0 for never.
    pub failures: u32,
    /// `--upstream-pause`; 5 s by default. How long the circuit stays open.
    pub pause: Duration,
    /// `/api`, `/auth` and `--proxy-prefix`: the paths that are forwarded, cut at segment boundaries.
    pub prefixes: Vec<String>,
    /// `--upstream-header`; none by default. Credentials that every forwarded request gets.
    pub added: Vec<(HeaderName, HeaderValue)>,
}

/// Where the upstream listens.
#[derive(Debug, Clone)]
pub enum Place {
    /// On a host and port, with or without TLS.
    Network(Option<Box<UpstreamTls>>),
    /// On a socket of this machine.
    Socket(PathBuf),
}

/// The API and what signs people in.
const FORWARDED: [&str; 2] = ["/api", "/auth"];
/// What the binary answers itself.
const OWN: [&str; 2] = ["-", "assets"];

/// 512 bodies that are read completely, at their largest.
const BODY_MEMORY: usize = 32 << 20;
/// The largest value of `upstream-failures`.
const MOST_FAILURES: u32 = 1_000_000;

/// A timeout or an interval of the upstream.
fn wait(name: &str, text: Option<&str>, default_seconds: u64) -> Result<Duration, ConfigError> {
    duration(name, text, default_seconds, TIMEOUT)
}

impl Upstream {
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let Some(text) = settings.upstream.as_deref() else { return Ok(None) };
        // Whoever is asked over a socket has no name.
        let (socket, text) = match text.strip_prefix("unix:") {
            Some(path) if path.starts_with('/') && SocketAddress::from_pathname(path).is_ok() => {
                (Some(PathBuf::from(path)), "http://localhost")
            }
            _ => (None, text),
        };
        let url = parse(text).ok_or_else(|| {
            let fault = format!(
                "{} is not a URL such as http://127.0.0.1:4243, with no user, query or fragment and with no port 0, \
                 nor a socket such as unix:/run/flags.sock, of 107 characters at most",
                quoted(text)
            );
            ConfigError::setting("upstream", fault)
        })?;
        let tls = if url.scheme() == "https" {
            Some(Box::new(UpstreamTls::resolve(settings, url.host_str().unwrap_or_default())?))
        } else {
            UpstreamTls::refuse(settings)?;
            None
        };
        let port = url.port_or_known_default().unwrap_or_default();
        Ok(Some(Self {
            // The connection is made in `proxy/connection.rs`, with TLS where it has to be: the HTTP client above it
            // is to think of none.
            dialled: format!("http://{}:{port}", url.host_str().unwrap_or_default()),
            place: socket.map_or(Place::Network(tls), Place::Socket),
            origin: url[..Position::BeforePath].to_owned(),
            authority: url[Position::BeforeHost..Position::BeforePath].to_owned(),
            path: url.path().trim_end_matches('/').to_owned(),
            added: upstream_header::read(settings)?,
            connect_timeout: wait(
                "upstream-connect-timeout",
                settings.upstream_connect_timeout.as_deref(),
                5,
            )?,
            head_timeout: wait("upstream-head-timeout", settings.upstream_head_timeout.as_deref(), 30)?,
            idle_timeout: wait("upstream-idle-timeout", settings.upstream_idle_timeout.as_deref(), 60)?,
            pool_size: number(
                "upstream-pool-size",
                settings.upstream_pool_size.as_deref(),
                1024,
                (1, 65_536),
            )?,
            pool_wait: wait("upstream-pool-wait", settings.upstream_pool_wait.as_deref(), 5)?,
            body_memory: BODY_MEMORY,
            pool_idle: wait("upstream-pool-idle", settings.upstream_pool_idle.as_deref(), 4)?,
            failures: number(
                "upstream-failures",
                settings.upstream_failures.as_deref(),
                5,
                (0, MOST_FAILURES),
            )?,
            pause: wait("upstream-pause", settings.upstream_pause.as_deref(), 5)?,
            prefixes: prefixes(settings)?,
        }))
    }
}

impl Upstream {
    /// Refuses to forward to ourselves, where every request would come back.
    pub(super) fn check_address(&self, listen: &Listen) -> Result<(), ConfigError> {
        let (Place::Network(_), Ok(url)) = (&self.place, Url::parse(&self.dialled)) else { return Ok(()) };
        let own = listen.address.ip().to_canonical();
        let is_own = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" && (own.is_loopback() || own.is_unspecified()),
            Some(Host::Ipv4(ip)) => own == IpAddr::V4(ip) || (own.is_unspecified() && ip.is_loopback()),
            Some(Host::Ipv6(ip)) => {
                own == IpAddr::V6(ip) || (own.is_unspecified() && own.is_ipv6() && ip.is_loopback())
            }
            None => false,
        };
        if is_own && url.port_or_known_default() == Some(listen.address.port()) {
            let fault = format!(
                "{} is where this program listens; write the flag service's own address",
                self.authority
            );
            return Err(ConfigError::setting("upstream", fault));
        }
        Ok(())
    }

    /// The server that runs with these settings, as this machine reaches it. Its certificate is for the name that
    /// browsers use, so that it is not looked at.
    pub(crate) fn itself(address: SocketAddr, has_tls: bool) -> Result<Self, ConfigError> {
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
    /// `http://flags:4243` and this path, with no time for anything.
    pub(crate) fn below(path: &str) -> Self {
        Self {
            origin: "http://flags:4243".to_owned(),
            dialled: "http://flags:4243".to_owned(),
            place: Place::Network(None),
            added: Vec::new(),
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

/// An absolute http or https URL that is an address and nothing more: credentials would end up in logs.
fn parse(text: &str) -> Option<Url> {
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

fn prefixes(settings: &Settings) -> Result<Vec<String>, ConfigError> {
    let mut prefixes = FORWARDED.map(str::to_owned).to_vec();
    for text in settings.proxy_prefix.as_deref().unwrap_or_default() {
        let path = BasePath::parse(text).map_err(|_odd| not_forwarded(text))?;
        let first = path.as_str().split('/').nth(1).unwrap_or_default();
        if first.is_empty() || OWN.contains(&first) {
            return Err(not_forwarded(text));
        }
        prefixes.push(path.as_str().to_owned());
    }
    Ok(prefixes)
}

fn not_forwarded(text: &str) -> ConfigError {
    let fault = format!(
        "{text:?} cannot be forwarded; write a path of letters, digits and - . _ ~ such as /health, outside of /- and \
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
    fn waits_are_as_long_as_promised_unless_told() {
        let upstream = upstream("http://x").unwrap().unwrap();
        let waits = [
            upstream.connect_timeout,
            upstream.head_timeout,
            upstream.idle_timeout,
            upstream.pool_wait,
            upstream.pool_idle,
            upstream.pause,
        ];
        assert_eq!(waits.map(|wait| wait.as_secs()), [5, 30, 60, 5, 4, 5]);
        assert_eq!((upstream.pool_size, upstream.failures), (1024, 5));
        let limits = RequestLimits::resolve(&Settings::default()).unwrap();
        assert_eq!((limits.body_timeout.as_secs(), limits.body, limits.head), (30, 10 << 20, 32 << 10));
    }

    #[test]
    fn further_paths_are_forwarded_unless_they_are_our_own() {
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
    fn what_is_no_plain_http_url_is_refused_by_name() {
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
