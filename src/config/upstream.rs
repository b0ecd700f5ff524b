//! The flag service behind the proxy: `upstream`, its timeouts and its limits.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::net::SocketAddr as SocketAddress;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{HeaderName, HeaderValue};
use url::{Host, Position, Url};

use super::kind::{List, Optional, TIMEOUT, TimeSpan, quoted};
use super::listen::LISTEN;
use super::setting::Setting;
use super::upstream_header::UPSTREAM_HEADER;
use super::upstream_scope::{ENVIRONMENT, PROJECT};
use super::upstream_tls::UPSTREAM_INSECURE;
use super::upstream_token::UPSTREAM_TOKEN;
use super::{
    BasePath, ClientToken, ConfigError, DataLocation, Declaration, DefinitionsToken, FrontendToken, Listen,
    Replica, Settings, SharedAccount, UpstreamSignIn, UpstreamTls,
};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&UPSTREAM, &PROXY_PREFIX, &CONNECT_TIMEOUT, &HEAD_TIMEOUT, &ENVIRONMENT, &PROJECT];

pub(super) static UPSTREAM: Setting<Optional<Location>> = Setting {
    name: "upstream",
    help: "Flag service to forward the API to, or its socket, such as unix:/run/flags.sock",
    default: "none, the embedded flag service",
    kind: Optional("http://HOST:PORT|unix:/PATH", parse_location),
};

static PROXY_PREFIX: Setting<List<String>> = Setting {
    name: "proxy-prefix",
    help: "Additional paths to forward, such as /health",
    default: "none, only /api and /auth",
    kind: List("PATH", parse_prefix),
};

pub(super) static CONNECT_TIMEOUT: Setting<TimeSpan> = Setting {
    name: "upstream-connect-timeout",
    help: "Timeout for connecting to the upstream (504), and for waiting for one of its connections (503), {bounds}",
    default: "5s",
    kind: TIMEOUT,
};

pub(super) static HEAD_TIMEOUT: Setting<TimeSpan> = Setting {
    name: "upstream-head-timeout",
    help: "Timeout until the response of the upstream starts (504), {bounds}; a pause within a response may last twice as long",
    default: "30s",
    kind: TIMEOUT,
};

/// The flag service to which API requests are forwarded.
#[derive(Debug, Clone)]
pub struct Upstream {
    /// `UPSTREAM`: scheme and authority, such as `http://127.0.0.1:4243`.
    pub origin: String,
    /// URL for the HTTP client, always with `http` and a port: the connector adds TLS itself.
    pub connect_url: String,
    /// Network address or Unix socket of the upstream.
    pub address: UpstreamAddress,
    /// Value of `Host`: host name and, unless it is the default of the scheme, port.
    pub authority: String,
    /// Path of the URL, which precedes every forwarded path: empty, or with a leading and without a trailing slash.
    pub path: String,
    /// `CONNECT_TIMEOUT`: timeout for connecting, and for waiting until one of `pool_size` connections is free.
    pub connect_timeout: Duration,
    /// `HEAD_TIMEOUT`: time from the start of the request to the head of the response. Each part of the request body
    /// that is sent restarts it.
    pub head_timeout: Duration,
    /// Maximum pause between two parts of a response body: twice `head_timeout`. Not a setting.
    pub idle_timeout: Duration,
    /// Maximum number of concurrent connections of each worker. Not a setting.
    pub pool_size: usize,
    /// Maximum size in bytes of request bodies that each worker buffers before they have a connection. Not a setting.
    pub body_memory: usize,
    /// Time for which an idle connection is kept. Not a setting.
    pub pool_idle: Duration,
    /// Consecutive failures that open the circuit breaker. Not a setting.
    pub failures: u32,
    /// Time for which the circuit breaker stays open before one request tries again. Not a setting.
    pub pause: Duration,
    /// Path prefixes that are forwarded: `/api`, `/auth` and `PROXY_PREFIX`. They end at segment boundaries.
    pub prefixes: Vec<String>,
    /// `UPSTREAM_HEADER`: headers that are added to every forwarded request, such as credentials.
    pub added_headers: Vec<(HeaderName, HeaderValue)>,
    /// `ENVIRONMENT`: environment of a newer server; `None` if users choose it.
    pub environment: Option<String>,
    /// `PROJECT`: project of a newer server; `None` for all.
    pub project: Option<String>,
    /// `UPSTREAM_TOKEN`: tokens with which toggles are read, one or more for each environment.
    pub client_tokens: Arc<[ClientToken]>,
    /// The replica for SDKs; `None` if requests of SDKs are forwarded.
    pub replica: Option<Replica>,
    /// Sign-in at this program; `None` if users sign in at the upstream.
    pub sign_in: Option<UpstreamSignIn>,
    /// `DATA`: location of the database; `None` if nothing is kept.
    pub data: Option<DataLocation>,
}

/// Secrets that are not in the files of settings: `flagdeck edge` reads them from variables.
#[derive(Debug, Default)]
pub(super) struct GivenSecrets {
    /// Client tokens, instead of `upstream-token`.
    pub(super) client_tokens: Vec<ClientToken>,
    /// Frontend tokens that need no answer of the upstream.
    pub(super) frontend_tokens: Vec<FrontendToken>,
    /// Headers, beside those of `upstream-header`.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// Tokens with which SDKs get the toggles of `definitions`.
    pub(super) offline_tokens: Vec<DefinitionsToken>,
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

/// Connections of each worker. More would not make a flag service faster, and would exhaust its file descriptors.
const POOL_SIZE: usize = 1024;
/// Node closes idle connections after 5 s, and a request that is sent at this moment fails.
const POOL_IDLE: Duration = Duration::from_secs(4);
/// A single lost response does not refuse other requests, and a server that is down is recognised within a second of traffic.
const FAILURES: u32 = 5;
/// The default of `Upstream::pause`. A flag service that restarts is used again within some seconds.
const PAUSE: Duration = Duration::from_secs(5);
/// 512 bodies of the largest size that is read completely.
const BODY_MEMORY: usize = 32 << 20;

/// The path of a Unix socket, if the upstream is one, and the URL of the upstream.
type Location = (Option<PathBuf>, Url);

/// Parses `upstream`: a URL, or the path of a Unix socket with the URL that requests through it have.
fn parse_location(text: &str) -> Result<Location, String> {
    // A Unix socket has no host name for `Host`.
    let (socket, url) = match text.strip_prefix("unix:") {
        Some(path) if path.starts_with('/') && SocketAddress::from_pathname(path).is_ok() => {
            (Some(PathBuf::from(path)), "http://localhost")
        }
        _ => (None, text),
    };
    let url = parse_url(url).ok_or_else(|| {
        format!(
            "{} is neither a URL such as http://127.0.0.1:4243 (without user, query, fragment or port 0) nor a \
             socket such as unix:/run/flags.sock (at most 107 characters)",
            quoted(text)
        )
    })?;
    Ok((socket, url))
}

impl Upstream {
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        Self::resolve_with(settings, GivenSecrets::default())
    }

    /// Does the same with secrets that are not in files.
    pub(super) fn resolve_with(
        settings: &Settings,
        given: GivenSecrets,
    ) -> Result<Option<Self>, ConfigError> {
        let Some((socket, url)) = UPSTREAM.resolve(settings)? else { return Ok(None) };
        let tls = if url.scheme() == "https" {
            Some(Box::new(UpstreamTls::resolve(settings, url.host_str().unwrap_or_default())?))
        } else {
            UpstreamTls::refuse_without_https(settings)?;
            None
        };
        let port = url.port_or_known_default().unwrap_or_default();
        let head_timeout = HEAD_TIMEOUT.resolve(settings)?;
        let mut client_tokens = given.client_tokens;
        client_tokens.extend(UPSTREAM_TOKEN.resolve(settings)?.unwrap_or_default());
        let mut added_headers = UPSTREAM_HEADER.resolve(settings)?;
        added_headers.extend(given.headers);
        Ok(Some(Self {
            // `upstream/connector.rs` opens the connection and adds TLS, so that the HTTP client needs none.
            connect_url: format!("http://{}:{port}", url.host_str().unwrap_or_default()),
            address: socket.map_or(UpstreamAddress::Network(tls), UpstreamAddress::Socket),
            origin: url[..Position::BeforePath].to_owned(),
            authority: url[Position::BeforeHost..Position::BeforePath].to_owned(),
            path: url.path().trim_end_matches('/').to_owned(),
            added_headers,
            connect_timeout: CONNECT_TIMEOUT.resolve(settings)?,
            head_timeout,
            idle_timeout: head_timeout.saturating_mul(2),
            pool_size: POOL_SIZE,
            body_memory: BODY_MEMORY,
            pool_idle: POOL_IDLE,
            failures: FAILURES,
            pause: PAUSE,
            environment: ENVIRONMENT.resolve(settings)?,
            project: PROJECT.resolve(settings)?,
            replica: Replica::resolve(settings, &client_tokens, given.frontend_tokens)?,
            client_tokens: client_tokens.into(),
            sign_in: None,
            data: None,
            prefixes: FORWARDED
                .into_iter()
                .map(str::to_owned)
                .chain(PROXY_PREFIX.resolve(settings)?)
                .collect(),
        }))
    }
}

impl Upstream {
    /// Returns the headers that are added to requests of SDKs. The credential of `upstream-sign-in = "shared"` is for requests of
    /// persons who have signed in; SDKs have tokens of their own.
    #[must_use]
    pub fn headers_for_sdks(&self) -> &[(HeaderName, HeaderValue)] {
        match &self.sign_in {
            Some(UpstreamSignIn { account: SharedAccount::Shared, .. }) => &[],
            _ => &self.added_headers,
        }
    }

    /// Returns true if this program itself serves the browser API, and does not forward it.
    #[must_use]
    pub fn serves_browsers(&self) -> bool {
        self.replica.as_ref().is_some_and(Replica::serves_browsers)
    }

    /// Returns true if this program serves OpenFeature clients. Servers use the client tokens.
    #[must_use]
    pub fn serves_open_feature(&self) -> bool {
        self.replica.is_some() && !self.client_tokens.is_empty()
    }

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
            return Err(UPSTREAM.error(fault));
        }
        Ok(())
    }

    /// Returns a warning if the path of the URL is probably a path of the API, such as `/api`, and not the server's base path.
    pub(super) fn warn_about_path(&self) -> Option<String> {
        let (before, _) =
            self.path.split_once("/api").filter(|(_, rest)| matches!(*rest, "" | "/admin" | "/client"))?;
        Some(format!(
            "upstream: requests are sent to {}/api/..., because Flagdeck adds /api to the URL; unless the flag service \
             is served below {}, set upstream to {}{before}",
            self.path, self.path, self.origin
        ))
    }

    /// Returns the settings to reach the flag service at a URL, with the TLS settings, headers and timeouts of `flags`.
    pub(crate) fn for_url(flags: &Settings, url: &str) -> Result<Self, ConfigError> {
        let settings = flags.clone().with(&UPSTREAM, url);
        Self::resolve(&settings)?.ok_or_else(|| UPSTREAM.error("is empty"))
    }

    /// Returns the settings to reach the server that runs with this configuration on this machine. Its certificate is
    /// not verified, because it is for the public name.
    pub(crate) fn for_local_server(address: SocketAddr, has_tls: bool) -> Result<Self, ConfigError> {
        let scheme = if has_tls { "https" } else { "http" };
        let settings = Settings::default()
            .with(&UPSTREAM, &format!("{scheme}://{address}"))
            .with(&UPSTREAM_INSECURE, &has_tls.to_string());
        Self::resolve(&settings)?.ok_or_else(|| LISTEN.error("has no address"))
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
            environment: None,
            project: None,
            client_tokens: Arc::default(),
            replica: None,
            sign_in: None,
            data: None,
            authority: "flags:4243".to_owned(),
            path: path.to_owned(),
            connect_timeout: Duration::ZERO,
            head_timeout: Duration::ZERO,
            idle_timeout: Duration::ZERO,
            pool_size: 1,
            body_memory: 0,
            pool_idle: Duration::ZERO,
            failures: u32::MAX,
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

fn parse_prefix(text: &str) -> Result<String, String> {
    let path = BasePath::parse(text).unwrap_or_default();
    let first = path.as_str().split('/').nth(1).unwrap_or_default();
    if first.is_empty() || RESERVED.contains(&first) {
        return Err(format!(
            "{text:?} cannot be forwarded; use a path of letters, digits and - . _ ~ such as /health, not below /- or \
             /assets"
        ));
    }
    Ok(path.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{PROXY_PREFIX, Settings, UPSTREAM, Upstream};

    fn upstream(url: &str) -> Result<Option<Upstream>, String> {
        Upstream::resolve(&Settings::default().with(&UPSTREAM, url)).map_err(|error| error.to_string())
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
    fn forwards_additional_paths_except_reserved_ones() {
        let with = |prefix: &str| {
            let settings = Settings::default().with(&UPSTREAM, "http://x").with(&PROXY_PREFIX, prefix);
            let resolved = Upstream::resolve(&settings);
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
