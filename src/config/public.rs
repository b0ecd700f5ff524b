//! Public address of the console, and trusted hosts, proxies and sites: `public-url`, `allowed-host`, `trusted-proxy`,
//! `trusted-origin` and `image-origin`.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Position, Url};

use super::auth::REQUIRE_CLIENT_TOKENS;
use super::kind::{List, Optional, quoted};
use super::listen_tls::TLS_CERT;
use super::setting::Setting;
use super::upstream::UPSTREAM;
use super::{ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&PUBLIC_URL, &ALLOWED_HOST, &TRUSTED_PROXY, &TRUSTED_ORIGIN, &IMAGE_ORIGIN];

pub(super) static PUBLIC_URL: Setting<Optional<Origin>> = Setting {
    name: "public-url",
    help: "Address at which browsers reach the console; requests for other hosts are refused (421), except for health checks",
    default: "none, IP addresses and localhost",
    kind: Optional("https://HOST", parse_origin),
};

static ALLOWED_HOST: Setting<List<String>> = Setting {
    name: "allowed-host",
    help: "Other host names that requests may use, such as the name of the service in a network of containers",
    default: "none",
    kind: List("HOST", parse_host),
};

pub(super) static TRUSTED_PROXY: Setting<List<IpNet>> = Setting {
    name: "trusted-proxy",
    help: "Networks of reverse proxies whose headers X-Forwarded-*, Forwarded and X-Request-Id are trusted",
    default: "none",
    kind: List("CIDR", parse_network),
};

static TRUSTED_ORIGIN: Setting<List<Origin>> = Setting {
    name: "trusted-origin",
    help: "Other sites whose pages may make changes",
    default: "none",
    kind: List("https://HOST", parse_origin),
};

static IMAGE_ORIGIN: Setting<List<Origin>> = Setting {
    name: "image-origin",
    help: "Other sites from which browsers may load images of users, such as https://gravatar.com",
    default: "none",
    kind: List("https://HOST", parse_image_origin),
};

/// Settings for the side of the browsers.
#[derive(Debug, Clone, Default)]
pub struct Public {
    /// `PUBLIC_URL`: if it is set, requests for other hosts are refused.
    pub url: Option<Origin>,
    /// Hosts that requests may name.
    pub accepted_hosts: AcceptedHosts,
    /// `ALLOWED_HOST`: other hosts that requests may name, in lower case.
    pub allowed_hosts: Vec<String>,
    /// `TRUSTED_PROXY`: networks of proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// `TRUSTED_ORIGIN`: other sites whose pages may make changes.
    pub trusted_origins: Vec<Origin>,
    /// `IMAGE_ORIGIN`: sites from which pages may load images of users.
    pub image_origins: Vec<Origin>,
    /// True if `/health` is an endpoint of the embedded service. With `--upstream` it is a path of the upstream.
    pub has_health: bool,
    /// True if this program itself serves https (`--tls-cert`).
    pub has_tls: bool,
    /// True if every request of an SDK needs a valid token of this program (`--require-client-tokens`).
    pub requires_sdk_tokens: bool,
}

/// The hosts that requests may name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AcceptedHosts {
    /// Those that [`Public::accepts_host`] describes.
    #[default]
    OfSettings,
    /// All: the server has no sessions, so that no site can use that of a browser.
    All,
}

/// Scheme, host and port of a site, as browsers send them in `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `http` or `https`.
    pub scheme: &'static str,
    /// Host in lower case and, unless it is the default of the scheme, port.
    pub authority: String,
}

impl fmt::Display for Origin {
    /// Writes the origin as browsers do.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}", self.scheme, self.authority)
    }
}

impl Public {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            url: PUBLIC_URL.resolve(settings)?,
            accepted_hosts: AcceptedHosts::OfSettings,
            allowed_hosts: ALLOWED_HOST.resolve(settings)?,
            trusted_proxies: TRUSTED_PROXY.resolve(settings)?,
            trusted_origins: TRUSTED_ORIGIN.resolve(settings)?,
            image_origins: IMAGE_ORIGIN.resolve(settings)?,
            has_health: !UPSTREAM.is_set(settings),
            has_tls: TLS_CERT.is_set(settings),
            requires_sdk_tokens: REQUIRE_CLIENT_TOKENS.resolve(settings)?,
        })
    }

    /// Returns true if requests for this host are accepted: the host of `public-url`, and the hosts of `allowed-host`. Without
    /// `public-url`, also IP addresses and names of this machine (`localhost`): a page of another site has neither as its
    /// host. An empty host is accepted then as well, because browsers always send one.
    #[must_use]
    pub fn accepts_host(&self, host: &str) -> bool {
        if self.accepted_hosts == AcceptedHosts::All {
            return true;
        }
        if host.is_empty() {
            return self.url.is_none();
        }
        if self.url.as_ref().is_some_and(|url| url.is_host(host)) {
            return true;
        }
        let url = parse_bare_url(&format!("http://{host}"));
        match url.as_ref().and_then(Url::host) {
            Some(Host::Domain(name)) => {
                // The dot of a fully qualified name does not change the host that it names.
                let name = name.strip_suffix('.').unwrap_or(name);
                let is_local = is_local_name(name);
                (self.url.is_none() && is_local) || self.allowed_hosts.iter().any(|allowed| allowed == name)
            }
            Some(address) => {
                self.url.is_none() || self.allowed_hosts.iter().any(|allowed| *allowed == address.to_string())
            }
            None => false,
        }
    }

    /// Returns true if the peer of a connection is a trusted proxy.
    #[must_use]
    pub fn trusts(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&peer))
    }
}

impl Origin {
    /// Parses an http or https URL without a path.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = parse_bare_url(text)?;
        let scheme = match url.scheme() {
            "http" => "http",
            "https" => "https",
            _ => return None,
        };
        Some(Self { scheme, authority: url[Position::BeforeHost..Position::BeforePath].to_owned() })
    }

    /// Returns true if a `Host` header names this site: case-insensitive, with or without the default port of the
    /// scheme.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        let named = Self::parse(&format!("{}://{host}", self.scheme));
        named.is_some_and(|named| named.authority == self.authority)
    }
}

/// Parses a URL that consists of scheme, host and optional port.
fn parse_bare_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let is_bare = matches!(&url[Position::BeforePath..], "" | "/") && url.username().is_empty();
    (is_bare && url.password().is_none() && url.has_host() && url.port() != Some(0)).then_some(url)
}

/// Parses the host of `allowed-host`, which applies to all ports.
fn parse_host(text: &str) -> Result<String, String> {
    let url = parse_bare_url(&format!("http://{text}"))
        .filter(|url| url.port().is_none() && !text.ends_with(['/', ':']));
    // A pattern would be compared as a name, and allow nothing.
    let host = url.as_ref().and_then(Url::host_str).filter(|host| !host.contains('*'));
    let host = host.map(|host| host.strip_suffix('.').unwrap_or(host).to_owned());
    host.ok_or_else(|| format!("{} is not a host such as flagdeck, without scheme and port", quoted(text)))
}

fn parse_origin(text: &str) -> Result<Origin, String> {
    Origin::parse(text)
        .ok_or_else(|| format!("{} is not an address such as https://flags.example.com", quoted(text)))
}

/// Parses an origin that a content security policy can name. Policies have no notation for IPv6 addresses, and give `;`
/// and `*` another meaning.
fn parse_image_origin(text: &str) -> Result<Origin, String> {
    let is_host = |c: char| c.is_ascii_alphanumeric() || "-.:".contains(c);
    Origin::parse(text)
        .filter(|origin| origin.authority.chars().all(is_host))
        .ok_or_else(|| format!("{} is not an origin such as https://gravatar.com", quoted(text)))
}

/// Parses a network or a single address.
fn parse_network(text: &str) -> Result<IpNet, String> {
    text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_no_address| {
        format!("{text:?} is not a network such as 10.0.0.0/8 or an address such as 192.0.2.1")
    })
}

/// Returns true for the names that browsers resolve to this machine themselves.
pub(crate) fn is_local_name(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED_HOST, IMAGE_ORIGIN, Origin, PUBLIC_URL, Public, Settings, TRUSTED_PROXY};

    /// Each case: host, accepted without settings, accepted with `public-url`, accepted with `allowed-host`.
    #[test]
    fn accepts_hosts_that_no_page_of_another_site_can_have() {
        let public = |settings: Settings| Public::resolve(&settings).unwrap();
        let default = public(Settings::default());
        let with_url = public(Settings::default().with(&PUBLIC_URL, "https://flags.example"));
        let with_host = public(Settings::default().with(&ALLOWED_HOST, "Flagdeck,flags.svc."));
        for (host, by_default, by_url, by_host) in [
            ("127.0.0.1", true, false, true),
            ("127.0.0.1:4242", true, false, true),
            ("192.0.2.7:80", true, false, true),
            ("[::1]", true, false, true),
            ("[2001:db8::1]:4242", true, false, true),
            ("0x7f.1", true, false, true),
            ("localhost", true, false, true),
            ("LOCALHOST:1", true, false, true),
            ("localhost.", true, false, true),
            ("flags.localhost:4242", true, false, true),
            ("", true, false, true),
            ("evil.example", false, false, false),
            ("evil.example:4242", false, false, false),
            ("evil.example.", false, false, false),
            ("127.0.0.1.evil.example", false, false, false),
            ("evil-localhost", false, false, false),
            ("localhost.evil.example", false, false, false),
            ("user@localhost", false, false, false),
            ("localhost/x", false, false, false),
            ("::1", false, false, false),
            ("localhost:0", false, false, false),
            ("flags.example", false, true, false),
            ("FLAGS.example:443", false, true, false),
            ("flags.example:80", false, false, false),
            ("flagdeck", false, false, true),
            ("FLAGDECK:4242", false, false, true),
            ("flagdeck.", false, false, true),
            ("flags.svc:1", false, false, true),
            ("flagdeck.evil.example", false, false, false),
        ] {
            for (public, is_accepted) in [(&default, by_default), (&with_url, by_url), (&with_host, by_host)]
            {
                assert_eq!(
                    public.accepts_host(host),
                    is_accepted,
                    "{host:?} {:?} {:?}",
                    public.url,
                    public.allowed_hosts
                );
            }
        }
    }

    #[test]
    fn allowed_hosts_have_neither_scheme_nor_port() {
        for (text, host) in [
            ("flagdeck", Some("flagdeck")),
            ("Flags.svc.cluster.local.", Some("flags.svc.cluster.local")),
            ("192.0.2.1", Some("192.0.2.1")),
            ("[::1]", Some("[::1]")),
            ("flagdeck:4242", None),
            ("http://flagdeck", None),
            ("flagdeck/", None),
            ("user@flagdeck", None),
            ("*", None),
            ("*.example.com", None),
        ] {
            let public = Public::resolve(&Settings::default().with(&ALLOWED_HOST, text));
            let allowed = public.ok().and_then(|public| public.allowed_hosts.first().cloned());
            assert_eq!(allowed.as_deref(), host, "{text}");
        }
    }

    #[test]
    fn parses_origins_and_compares_hosts() {
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
    fn refuses_image_origins_that_could_change_the_content_policy() {
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
            let public = Public::resolve(&Settings::default().with(&IMAGE_ORIGIN, text));
            let origin = public.ok().and_then(|public| public.image_origins.first().map(ToString::to_string));
            assert_eq!(origin.as_deref(), written, "{text}");
        }
    }

    #[test]
    fn trusts_proxies_by_network() {
        let settings = |networks: &str| Settings::default().with(&TRUSTED_PROXY, networks);
        let public = Public::resolve(&settings("10.0.0.0/8, 192.0.2.1, fd00::/8")).unwrap();
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
        assert!(Public::resolve(&settings("10.0.0.0/33")).is_err());
    }
}
