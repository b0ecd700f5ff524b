//! The address on which the console is served: `listen` and `base-path`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use super::{ConfigError, ListenTls};
use crate::cli::Settings;

/// Time limit for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum length of a base path, in characters.
const MAX_PATH_LENGTH: usize = 255;

/// Address, base path and TLS of the console.
#[derive(Debug, Clone)]
pub struct Listen {
    /// `--listen`, `FLAGDECK_LISTEN`; 127.0.0.1:4242 by default, which is not reachable from the network. Port 0
    /// selects a free port.
    pub address: SocketAddr,
    /// `--base-path`, `FLAGDECK_BASE_PATH`; the root by default.
    pub base_path: BasePath,
    /// `--tls-cert` and `--tls-key`; none by default, which means http.
    pub tls: Option<Arc<ListenTls>>,
    /// Number of worker threads; one per processor by default. Not a setting.
    pub workers: Option<usize>,
    /// Time limit for the head of a request; 5 s. Not a setting.
    pub head_timeout: Duration,
}

impl Listen {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let address = settings.listen.as_deref().unwrap_or("127.0.0.1:4242");
        let fault = || {
            ConfigError::setting(
                "listen",
                format!("{address:?} is not an address with a port, such as 127.0.0.1:4242"),
            )
        };
        Ok(Self {
            address: address.to_socket_addrs().ok().and_then(|mut found| found.next()).ok_or_else(fault)?,
            base_path: BasePath::parse(settings.base_path.as_deref().unwrap_or_default())?,
            tls: ListenTls::resolve(settings)?,
            workers: None,
            head_timeout: HEAD_TIMEOUT,
        })
    }
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
    pub(crate) fn parse(text: &str) -> Result<Self, ConfigError> {
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
            _ => Err(ConfigError::setting(
                "base-path",
                format!(
                    "{text:?} is not a path of 1 to {MAX_PATH_LENGTH} letters, digits and - . _ ~, such as /flags"
                ),
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
            let fault = BasePath::parse(text).unwrap_err().to_string();
            assert!(fault.starts_with("base-path: "), "{text}: {fault}");
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
