//! The address on which the console is served: `listen` and `base-path`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use super::kind::Text;
use super::setting::Setting;
use super::{ConfigError, Declaration, ListenTls, Settings};

/// Time limit for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum length of a base path, in characters.
const MAX_PATH_LENGTH: usize = 255;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&LISTEN, &BASE_PATH];

pub(super) static LISTEN: Setting<Text<SocketAddr>> = Setting {
    name: "listen",
    help: "Address and port to listen on; port 0 selects a free port",
    // Not reachable from the network.
    default: "127.0.0.1:4242",
    kind: Text("ADDRESS:PORT", parse_address),
};

pub(super) static BASE_PATH: Setting<Text<BasePath>> = Setting {
    name: "base-path",
    help: "Path below which the console is served, such as /flags",
    default: "/",
    kind: Text("PATH", BasePath::parse),
};

/// Address, base path and TLS of the console.
#[derive(Debug, Clone)]
pub struct Listen {
    /// `LISTEN`: address and port. Port 0 selects a free port.
    pub address: SocketAddr,
    /// `BASE_PATH`: path below which the console is served.
    pub base_path: BasePath,
    /// Certificate; none for http.
    pub tls: Option<Arc<ListenTls>>,
    /// Number of worker threads; one per processor by default. Not a setting.
    pub workers: Option<usize>,
    /// Time limit for the head of a request; 5 s. Not a setting.
    pub head_timeout: Duration,
}

impl Listen {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            address: LISTEN.resolve(settings)?,
            base_path: BASE_PATH.resolve(settings)?,
            tls: ListenTls::resolve(settings)?,
            workers: None,
            head_timeout: HEAD_TIMEOUT,
        })
    }
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut found| found.next());
    found.ok_or_else(|| format!("{text:?} is not an address with a port, such as {}", LISTEN.default))
}

/// Returns the address for a request from this machine. A server that listens on all addresses is reached by the loopback address.
pub(crate) fn local_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The path below which the console is served: empty for the root, otherwise with a leading and without a trailing
/// slash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// Parses a base path such as `/flags` or `flags/`.
    ///
    /// Only characters with the same meaning in paths, HTML and route patterns are accepted, because the base path is
    /// used in all three.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let path = text.trim_matches('/');
        let is_plain = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
        };
        match path {
            "" => Ok(Self::default()),
            _ if path.len() <= MAX_PATH_LENGTH && path.split('/').all(is_plain) => {
                Ok(Self(format!("/{path}")))
            }
            _ => Err(format!(
                "{text:?} is not a path of 1 to {MAX_PATH_LENGTH} letters, digits and - . _ ~, such as /flags"
            )),
        }
    }

    /// Returns the path: empty, or such as `/flags`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part of a percent-encoded path below the base path; `None` if the path is outside of it. Prefixes
    /// end at a segment boundary.
    #[must_use]
    pub fn strip<'path>(&self, path: &'path str) -> Option<&'path str> {
        path.strip_prefix(self.as_str()).filter(|rest| rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::BasePath;

    #[test]
    fn normalizes_base_paths_and_refuses_invalid_ones() {
        for (text, path) in
            [("", ""), ("/", ""), ("/flags", "/flags"), ("flags/", "/flags"), ("/a/b-c.d", "/a/b-c.d")]
        {
            assert_eq!(BasePath::parse(text).unwrap().as_str(), path, "{text}");
        }
        let long = format!("/{}", "x".repeat(256));
        for text in ["/a//b", "/a/../b", "/{x}", "/a b", "/a?b", "/é", "/\"><script>", &long] {
            assert!(BasePath::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn strips_a_base_path_at_a_segment_boundary_only() {
        let base = BasePath::parse("/flags").unwrap();
        assert_eq!(base.strip("/flags/api/x"), Some("/api/x"));
        assert_eq!(base.strip("/flagship/api"), None);
        assert_eq!(base.strip("/flags"), None);
        assert_eq!(BasePath::default().strip("/api/x"), Some("/api/x"));
    }
}
