//! Where requests are taken: `listen` and `base-path`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use super::{ConfigError, ListenTls};
use crate::cli::Settings;

/// Time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Characters of a path that stands in front of all others.
const LONGEST_PATH: usize = 255;

/// The address and the path of the console.
#[derive(Debug, Clone)]
pub struct Listen {
    /// `--listen`, `FLAGDECK_LISTEN`; 127.0.0.1:4242 by default, so that nothing is open to a network unasked. Port 0
    /// takes a free one.
    pub address: SocketAddr,
    /// `--base-path`, `FLAGDECK_BASE_PATH`; the root by default.
    pub base_path: BasePath,
    /// `--tls-cert` and `--tls-key`; none by default: http.
    pub tls: Option<Arc<ListenTls>>,
    /// How many threads serve; one for each processor unless told. No setting.
    pub workers: Option<usize>,
    /// Time for the head of a request; 5 s. No setting.
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

/// The path below which everything is served: empty for the root, else with a slash in front and none behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// Reads `/flags`, `flags/` and the like.
    ///
    /// Only characters that mean the same in a path, in HTML and in a route pattern are taken, because the base path
    /// stands in all three.
    pub(crate) fn parse(text: &str) -> Result<Self, ConfigError> {
        let path = text.trim_matches('/');
        let plain = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
        };
        match path {
            "" => Ok(Self::default()),
            _ if path.len() <= LONGEST_PATH && path.split('/').all(plain) => Ok(Self(format!("/{path}"))),
            _ => Err(ConfigError::setting(
                "base-path",
                format!(
                    "{text:?} is not a path of 1 to {LONGEST_PATH} letters, digits and - . _ ~, such as /flags"
                ),
            )),
        }
    }

    /// Empty, or `/flags`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The rest of an undecoded path below the base, cut at a segment boundary; `None` outside.
    #[must_use]
    pub fn strip<'path>(&self, path: &'path str) -> Option<&'path str> {
        path.strip_prefix(self.as_str()).filter(|rest| rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::BasePath;

    #[test]
    fn base_paths_are_tidied_and_odd_ones_refused() {
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
    fn a_base_path_is_stripped_at_a_segment_boundary_only() {
        let base = BasePath::parse("/flags").unwrap();
        assert_eq!(base.strip("/flags/api/x"), Some("/api/x"));
        assert_eq!(base.strip("/flagship/api"), None);
        assert_eq!(base.strip("/flags"), None);
        assert_eq!(BasePath::default().strip("/api/x"), Some("/api/x"));
    }
}
