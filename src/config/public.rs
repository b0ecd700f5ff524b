//! How clients reach the console, and which other sites take part: `public-url`, `trusted-proxy`, `trusted-origin` and
//! `image-origin`.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use url::{Position, Url};

use super::ConfigError;
use super::value::quoted;
use crate::cli::Settings;

/// What is known of the side that browsers see.
#[derive(Debug, Clone, Default)]
pub struct Public {
    /// `--public-url`, `FLAGDECK_PUBLIC_URL`; unknown by default. Requests for other hosts are refused when it is set.
    pub url: Option<Origin>,
    /// `--trusted-proxy`, `FLAGDECK_TRUSTED_PROXY`; none by default. Proxies that are believed for whom they speak.
    pub trusted_proxies: Vec<IpNet>,
    /// `--trusted-origin`, `FLAGDECK_TRUSTED_ORIGIN`; none by default. Sites whose pages may change things here.
    pub trusted_origins: Vec<Origin>,
    /// `--image-origin`, `FLAGDECK_IMAGE_ORIGIN`; none by default. Sites from which pages may load the pictures of users.
    pub image_origins: Vec<Origin>,
    /// True if `/health` is an endpoint of the embedded service. With `--upstream` it is a path of the upstream.
    pub has_health: bool,
    /// Whether whoever connects to us speaks https (`--tls-cert`).
    pub has_tls: bool,
}

/// Scheme, host and port of a site, as browsers write it in `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `http` or `https`.
    pub scheme: &'static str,
    /// Host in lower case and, unless it is the scheme's own, port.
    pub authority: String,
}

impl fmt::Display for Origin {
    /// As browsers write it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}", self.scheme, self.authority)
    }
}

impl Public {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let origin = |name: &'static str, text: &str| {
            Origin::parse(text).ok_or_else(|| {
                let fault = format!("{} is not an address such as https://flags.example.com", quoted(text));
                ConfigError::setting(name, fault)
            })
        };
        Ok(Self {
            url: settings.public_url.as_deref().map(|text| origin("public-url", text)).transpose()?,
            trusted_proxies: each(settings.trusted_proxy.as_deref(), network)?,
            trusted_origins: each(settings.trusted_origin.as_deref(), |text| origin("trusted-origin", text))?,
            image_origins: each(settings.image_origin.as_deref(), image_origin)?,
            has_health: settings.upstream.is_none(),
            has_tls: settings.tls_cert.is_some(),
        })
    }

    /// Whether the other end of a connection is a proxy of ours.
    #[must_use]
    pub fn trusts(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&peer))
    }
}

impl Origin {
    /// Reads an http or https URL without a path of its own.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let scheme = match url.scheme() {
            "http" => "http",
            "https" => "https",
            _ => return None,
        };
        let bare = matches!(&url[Position::BeforePath..], "" | "/") && url.username().is_empty();
        let bare = bare && url.password().is_none() && url.has_host() && url.port() != Some(0);
        bare.then(|| Self { scheme, authority: url[Position::BeforeHost..Position::BeforePath].to_owned() })
    }

    /// Whether a `Host` header means this site: in any case, with its port or, where that is the scheme's own, without.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        let named = Self::parse(&format!("{}://{host}", self.scheme));
        named.is_some_and(|named| named.authority == self.authority)
    }
}

fn each<T>(
    texts: Option<&[String]>,
    read: impl Fn(&str) -> Result<T, ConfigError>,
) -> Result<Vec<T>, ConfigError> {
    texts.unwrap_or_default().iter().map(|text| read(text)).collect()
}

/// An origin that a content policy can name: it has no notation for IPv6 addresses, and reads `;` and `*` otherwise.
fn image_origin(text: &str) -> Result<Origin, ConfigError> {
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-.:".contains(c);
    Origin::parse(text).filter(|origin| origin.authority.chars().all(is_host)).ok_or_else(|| {
        let fault = format!("{} is not an origin such as https://gravatar.com", quoted(text));
        ConfigError::setting("image-origin", fault)
    })
}

/// A network, or one address.
fn network(text: &str) -> Result<IpNet, ConfigError> {
    text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_no_address| {
        let fault = format!("{text:?} is not a network such as 10.0.0.0/8 or an address such as 192.0.2.1");
        ConfigError::setting("trusted-proxy", fault)
    })
}

#[cfg(test)]
mod tests {
    use super::{Origin, Public};
    use crate::cli::Settings;

    #[test]
    fn a_site_is_its_scheme_host_and_port() {
        for (text, authority) in [
            ("https://Flags.example.com/", Some("flags.example.com")),
            ("https://flags.example.com:443", Some("flags.example.com")),
            ("http://flags.example.com:443", Some("flags.example.com:443")),
            ("http://[::1]:4242", Some("[::1]:4242")),
            ("https://flags.example.com/path", None),
            ("https://user@flags.example.com", None),
            ("https://flags.example.com:0", None),
            ("flags.example.com", None),
            ("ftp://flags.example.com", None),
            ("null", None),
        ] {
            assert_eq!(Origin::parse(text).map(|origin| origin.authority).as_deref(), authority, "{text}");
        }
        let site = Origin::parse("https://flags.example.com").unwrap();
        for (host, same) in [
            ("flags.example.com", true),
            ("FLAGS.example.com:443", true),
            ("flags.example.com:80", false),
            ("flags.example.com.evil.example", false),
            ("evil.example/@flags.example.com", false),
            ("", false),
        ] {
            assert_eq!(site.is_host(host), same, "{host}");
        }
    }

    #[test]
    fn image_origins_cannot_change_the_content_policy() {
        for (text, written) in [
            ("https://Gravatar.com/", Some("https://gravatar.com")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("https://münchen.example", Some("https://xn--mnchen-3ya.example")),
            ("https://a;script-src", None),
            ("https://*.example.com", None),
            ("https://'self'", None),
            ("https://[::1]", None),
            ("https://gravatar.com/avatar", None),
            ("data:", None),
            ("*", None),
        ] {
            let image_origin = Some(vec![text.to_owned()]);
            let public = Public::resolve(&Settings { image_origin, ..Settings::default() });
            let origin = public.ok().and_then(|public| public.image_origins.first().map(ToString::to_string));
            assert_eq!(origin.as_deref(), written, "{text}");
        }
    }

    #[test]
    fn proxies_are_trusted_by_network() {
        let trusted_proxy = Some(["10.0.0.0/8", "192.0.2.1", "fd00::/8"].map(str::to_owned).to_vec());
        let public = Public::resolve(&Settings { trusted_proxy, ..Settings::default() }).unwrap();
        for (peer, trusted) in [
            ("10.9.8.7", true),
            ("::ffff:10.9.8.7", true),
            ("192.0.2.1", true),
            ("192.0.2.2", false),
            ("fd12::1", true),
            ("127.0.0.1", false),
        ] {
            assert_eq!(public.trusts(peer.parse().unwrap()), trusted, "{peer}");
        }
        let trusted_proxy = Some(vec!["10.0.0.0/33".to_owned()]);
        assert!(Public::resolve(&Settings { trusted_proxy, ..Settings::default() }).is_err());
    }
}
