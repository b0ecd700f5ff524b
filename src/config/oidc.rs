//! Sign-in by OpenID Connect (`auth = "oidc"`): `oidc-issuer`, `oidc-client-id`, `oidc-client-secret`,
//! `oidc-scopes`, `oidc-groups-claim`, `oidc-allow` and `oidc-grant`. In a settings file they are the table `[oidc]`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum as _;
use rustls::ClientConfig;
use url::{Host, Url};

use super::auth::AUTH;
use super::kind::{Form, Kind, List, Optional, Text, quoted, read_at_file};
use super::public::PUBLIC_URL;
use super::setting::Setting;
use super::upstream_tls::default_client_config;
use super::{ConfigError, Declaration, Origin, Permission, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[
    &OIDC_ISSUER,
    &OIDC_CLIENT_ID,
    &OIDC_CLIENT_SECRET,
    &OIDC_SCOPES,
    &OIDC_GROUPS_CLAIM,
    &OIDC_ALLOW,
    &OIDC_GRANT,
];

static OIDC_ISSUER: Setting<Optional<String>> = Setting {
    name: "oidc-issuer",
    help: "URL of the OpenID Connect provider, as it spells its issuer",
    default: "none",
    kind: Optional("URL", parse_issuer),
};

static OIDC_CLIENT_ID: Setting<Optional<String>> = Setting {
    name: "oidc-client-id",
    help: "Client ID that the provider has assigned to Flagdeck",
    default: "none",
    kind: Optional("ID", parse_client_id),
};

static OIDC_CLIENT_SECRET: Setting<Optional<ClientSecret>> = Setting {
    name: "oidc-client-secret",
    help: "File with the client secret",
    default: "none, for a public client",
    kind: Optional("@FILE", read_secret),
};

static OIDC_SCOPES: Setting<Text<String>> = Setting {
    name: "oidc-scopes",
    help: "Scopes of the sign-in, separated by spaces",
    default: "openid profile email",
    kind: Text("SCOPES", parse_scopes),
};

static OIDC_GROUPS_CLAIM: Setting<Text<String>> = Setting {
    name: "oidc-groups-claim",
    help: "Claim with the groups of a user; a dotted path for a claim inside another, such as realm_access.roles",
    default: "groups",
    kind: Text("CLAIM", parse_groups_claim),
};

static OIDC_ALLOW: Setting<List<String>> = Setting {
    name: "oidc-allow",
    help: "Groups whose users may sign in, or * for all users of the provider",
    default: "none",
    kind: List("GROUP", parse_group),
};

static OIDC_GRANT: Setting<Grants> = Setting {
    name: "oidc-grant",
    help: "Permissions of the users of a group, such as flag-admins=ADMIN; without any, users can only read",
    default: "none",
    kind: Grants,
};

/// Path of the endpoint that starts a sign-in, below the base path.
pub const OIDC_START_PATH: &str = "/-/oidc/start";

/// Item of `oidc-allow` that stands for every user of the provider.
const EVERYONE: &str = "*";

/// The provider, the client that is registered there, and what groups may do.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// `OIDC_ISSUER`: URL of the provider, exactly as it was written.
    pub issuer: String,
    /// `OIDC_CLIENT_ID`: id of this client.
    pub client_id: String,
    /// `OIDC_CLIENT_SECRET`: secret of this client; `None` for a public client, which PKCE protects alone.
    pub client_secret: Option<ClientSecret>,
    /// `OIDC_SCOPES`: scopes, separated by spaces.
    pub scopes: String,
    /// `OIDC_GROUPS_CLAIM`: name or dotted path of the claim with the groups.
    pub groups_claim: String,
    /// `OIDC_ALLOW`: groups whose users may sign in.
    pub allow: Vec<String>,
    /// `OIDC_GRANT`: permissions of groups.
    pub grants: Vec<Grant>,
    /// `PUBLIC_URL`: origin of the redirect address.
    pub public_url: Origin,
    /// Trusted authorities of connections to the provider.
    pub tls: Arc<ClientConfig>,
    /// Times of requests and caches. Not settings.
    pub times: OidcTimes,
}

/// Times of requests to the provider, of uses of the database, and of caches.
#[derive(Debug, Clone)]
pub struct OidcTimes {
    /// Maximum time of a request, its connection and response included.
    pub request: Duration,
    /// Time after which discovery and keys are read again.
    pub lifetime: Duration,
    /// Minimum time between two reads because of an unknown key, or because a session is to be renewed.
    pub min_interval: Duration,
    /// Age at which a session must be confirmed by the provider, so that removed groups take effect.
    pub renewal: Duration,
    /// Time for which a session continues after that age while the provider does not respond.
    pub extension: Duration,
    /// Maximum time of each use of the database at the end of a sign-in. A database that hangs has longer timeouts, for which no
    /// browser waits.
    pub database: Duration,
}

impl Default for OidcTimes {
    fn default() -> Self {
        Self {
            request: Duration::from_secs(10),
            lifetime: Duration::from_hours(1),
            min_interval: Duration::from_mins(1),
            renewal: Duration::from_hours(24),
            extension: Duration::from_hours(12),
            database: Duration::from_secs(10),
        }
    }
}

/// The permissions of the users of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Name or id of the group, as the provider writes it.
    pub group: String,
    /// The permissions.
    pub permissions: Vec<Permission>,
}

/// The secret of the client. Its `Debug` output hides the value.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(String);

impl ClientSecret {
    /// Returns the secret.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Oidc {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        fn required<K: Kind<Value = Option<V>>, V>(
            setting: &Setting<K>,
            settings: &Settings,
            what: &str,
        ) -> Result<V, ConfigError> {
            let missing = || setting.error(format!("is required for auth = \"oidc\"; set it to {what}"));
            setting.resolve(settings)?.ok_or_else(missing)
        }
        let allow = OIDC_ALLOW.resolve(settings)?;
        if allow.is_empty() {
            return Err(OIDC_ALLOW.error(
                "is required for auth = \"oidc\"; name the groups whose users may sign in, or * for all users of the provider",
            ));
        }
        Ok(Self {
            issuer: required(&OIDC_ISSUER, settings, "the URL of the provider")?,
            client_id: required(&OIDC_CLIENT_ID, settings, "the client ID from the provider")?,
            client_secret: OIDC_CLIENT_SECRET.resolve(settings)?,
            scopes: OIDC_SCOPES.resolve(settings)?,
            groups_claim: OIDC_GROUPS_CLAIM.resolve(settings)?,
            allow,
            grants: OIDC_GRANT.resolve(settings)?,
            public_url: required(
                &PUBLIC_URL,
                settings,
                "the address of the console, to which the provider returns users",
            )?,
            tls: default_client_config().map_err(|error| AUTH.error(error))?,
            times: OidcTimes::default(),
        })
    }

    /// Returns true if an issuer is that of the setting. Some providers announce it with a trailing slash and document it
    /// without one, so that one slash may differ.
    #[must_use]
    pub fn is_issuer(&self, issuer: &str) -> bool {
        without_slash(issuer) == without_slash(&self.issuer)
    }

    /// Returns true if a user with these groups may sign in.
    #[must_use]
    pub fn allows(&self, groups: &[String]) -> bool {
        self.allow.iter().any(|allowed| allowed == EVERYONE || groups.contains(allowed))
    }

    /// Returns the groups that have an effect here. Only these are stored.
    #[must_use]
    pub fn relevant_groups(&self, mut groups: Vec<String>) -> Vec<String> {
        groups.retain(|group| {
            self.allow.contains(group) || self.grants.iter().any(|grant| grant.group == *group)
        });
        groups.sort();
        groups.dedup();
        groups
    }

    /// Returns the groups that have a permission, or else those that have it as administrators.
    #[must_use]
    pub fn groups_with(&self, permission: Permission) -> Vec<&str> {
        let with = |permission| {
            let granting = self.grants.iter().filter(move |grant| grant.permissions.contains(&permission));
            granting.map(|grant| grant.group.as_str()).collect::<Vec<_>>()
        };
        let groups = with(permission);
        if groups.is_empty() { with(Permission::Admin) } else { groups }
    }

    /// Returns the union of the permissions of these groups, sorted.
    #[must_use]
    pub fn permissions(&self, groups: &[String]) -> Vec<Permission> {
        let granted = self.grants.iter().filter(|grant| groups.contains(&grant.group));
        let mut permissions: Vec<_> = granted.flat_map(|grant| grant.permissions.iter().copied()).collect();
        permissions.sort();
        permissions.dedup();
        permissions
    }

    /// Returns each permission that groups grant, sorted, with these groups.
    #[must_use]
    pub fn groups_by_permission(&self) -> BTreeMap<Permission, Vec<&str>> {
        let mut groups: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for grant in &self.grants {
            for permission in &grant.permissions {
                let granting = groups.entry(*permission).or_default();
                if !granting.contains(&grant.group.as_str()) {
                    granting.push(&grant.group);
                }
            }
        }
        groups
    }
}

/// Removes at most one trailing slash.
fn without_slash(url: &str) -> &str {
    url.strip_suffix('/').unwrap_or(url)
}

/// Returns true for https, and for http to this machine. Tokens and codes must not cross a network unencrypted.
#[must_use]
pub fn is_secure_url(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.has_host() && (url.scheme() == "https" || (url.scheme() == "http" && is_loopback))
}

fn parse_issuer(text: &str) -> Result<String, String> {
    let is_plain = |url: &Url| {
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        url.query().is_none() && url.fragment().is_none() && !has_credentials
    };
    let url = Url::parse(text).ok().filter(|url| is_plain(url) && is_secure_url(url));
    let fault = || {
        format!(
            "{} is not an https:// URL without a query, such as https://login.example.com (http:// only for this machine)",
            quoted(text)
        )
    };
    url.map(|_| text.to_owned()).ok_or_else(fault)
}

fn parse_client_id(text: &str) -> Result<String, String> {
    let is_printable = !text.is_empty() && text.chars().all(|c| (' '..='~').contains(&c));
    is_printable.then(|| text.to_owned()).ok_or_else(|| format!("{text:?} is not a client ID"))
}

fn read_secret(text: &str) -> Result<ClientSecret, String> {
    let (file, secret) = read_at_file(text, "the client secret", "/run/secrets/oidc")?;
    let secret = secret.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(format!("{file} is empty; write the client secret into it"));
    }
    Ok(ClientSecret(secret.to_owned()))
}

fn parse_scopes(text: &str) -> Result<String, String> {
    let scopes: Vec<_> = text.split_ascii_whitespace().collect();
    if !scopes.contains(&"openid") {
        return Err(format!("{text:?} does not contain openid, which the provider needs to identify users"));
    }
    if scopes.contains(&"offline_access") {
        return Err(
            "offline_access requests a refresh token, which Flagdeck does not use; remove it".to_owned()
        );
    }
    Ok(scopes.join(" "))
}

fn parse_groups_claim(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && !text.chars().any(|c| c.is_control() || c.is_whitespace());
    is_name.then(|| text.to_owned()).ok_or_else(|| format!("{text:?} is not the name of a claim"))
}

fn parse_group(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("a group is empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// The permissions of groups. The text before the last `=` is the group: names of directories contain `=`, too.
struct Grants;

impl Kind for Grants {
    type Value = Vec<Grant>;
    const FORM: Form = Form::List;

    fn placeholder(&self) -> &'static str {
        "GROUP=PERMISSION"
    }

    fn parse(&self, values: &[String]) -> Result<Vec<Grant>, String> {
        let mut grants: Vec<Grant> = Vec::new();
        for value in values {
            let permissions = match value.rsplit_once('=') {
                Some((group, permissions)) => {
                    let group = parse_group(group.trim())?;
                    if group == EVERYONE {
                        return Err("* is not a group; users without a named group can only read".to_owned());
                    }
                    grants.push(Grant { group, permissions: Vec::new() });
                    permissions
                }
                // Commas separate groups in flags and variables, and also the permissions of a group.
                None => value,
            };
            let Some(grant) = grants.last_mut() else { return Err(describe_grant(value)) };
            for name in permissions.split(',') {
                let permission = Permission::from_str(name.trim(), true);
                grant.permissions.push(permission.map_err(|_unknown| describe_grant(value))?);
            }
        }
        Ok(grants)
    }
}

fn describe_grant(value: &str) -> String {
    format!("{value:?} is not a group with permissions, such as flag-admins=ADMIN or shop=UPDATE_FEATURE")
}

#[cfg(test)]
mod tests {
    use super::{
        Grant, Kind as _, OIDC_ALLOW, OIDC_CLIENT_ID, OIDC_GRANT, OIDC_ISSUER, OIDC_SCOPES, Oidc, PUBLIC_URL,
        Settings,
    };
    use crate::config::Permission::{self, Admin, CreateFeature, UpdateFeature};

    fn settings() -> Settings {
        Settings::default()
            .with(&OIDC_ISSUER, "https://login.example")
            .with(&OIDC_CLIENT_ID, "flagdeck")
            .with(&OIDC_ALLOW, "staff, shop")
            .with(&PUBLIC_URL, "https://flags.example")
            .with(&OIDC_GRANT, "shop=CREATE_FEATURE,UPDATE_FEATURE,admins=ADMIN")
    }

    #[test]
    fn permissions_are_the_union_of_the_groups() {
        let oidc = Oidc::resolve(&settings()).unwrap();
        let groups = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (names, allowed, permissions) in [
            (&["staff"][..], true, &[][..]),
            (&["shop", "other"], true, &[CreateFeature, UpdateFeature]),
            (&["staff", "shop", "admins"], true, &[Admin, CreateFeature, UpdateFeature]),
            (&["admins"], false, &[Admin]),
            (&["Staff"], false, &[]),
            (&[], false, &[]),
        ] {
            let groups = groups(names);
            assert_eq!((oidc.allows(&groups), oidc.permissions(&groups).as_slice()), (allowed, permissions));
        }
        assert_eq!(oidc.relevant_groups(groups(&["x", "shop", "admins", "shop"])), ["admins", "shop"]);
        let everyone = Oidc::resolve(&settings().with(&OIDC_ALLOW, "*")).unwrap();
        assert!(everyone.allows(&[]) && everyone.permissions(&groups(&["*"])).is_empty());
    }

    #[test]
    fn grants_accept_names_of_directories() {
        let parse = |values: &[&str]| {
            let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
            OIDC_GRANT.kind.parse(&values)
        };
        let grant = |group: &str, permissions: &[Permission]| Grant {
            group: group.to_owned(),
            permissions: permissions.to_vec(),
        };
        assert_eq!(
            parse(&["cn=flags,dc=x=ADMIN", "shop=create_feature,UPDATE_FEATURE"]).unwrap(),
            [grant("cn=flags,dc=x", &[Admin]), grant("shop", &[CreateFeature, UpdateFeature])]
        );
        for values in [&["ADMIN"][..], &["x=NONE"], &["x="], &["=ADMIN"], &["*=ADMIN"], &["x=ADMIN", "y"]] {
            assert!(parse(values).is_err(), "{values:?}");
        }
    }

    #[test]
    fn refuses_missing_and_invalid_settings() {
        let fault = |settings: &Settings| Oidc::resolve(settings).err().map(|error| error.to_string());
        assert_eq!(fault(&settings()), None);
        for (name, settings) in [
            ("oidc-issuer: ", settings().with(&OIDC_ISSUER, "http://login.example")),
            ("oidc-issuer: ", settings().with(&OIDC_ISSUER, "https://user@login.example")),
            ("oidc-issuer: ", settings().with(&OIDC_ISSUER, "https://login.example?x")),
            ("oidc-issuer: ", settings().with(&OIDC_ISSUER, "login.example")),
            ("oidc-scopes: ", settings().with(&OIDC_SCOPES, "profile")),
            ("oidc-scopes: ", settings().with(&OIDC_SCOPES, "openid offline_access")),
            ("oidc-issuer: ", Settings::default().with(&OIDC_ALLOW, "*")),
            ("oidc-allow: ", Settings::default()),
        ] {
            assert!(fault(&settings).is_some_and(|fault| fault.starts_with(name)), "{name} {settings:?}");
        }
        assert_eq!(fault(&settings().with(&OIDC_ISSUER, "http://127.0.0.1:1/realm/")), None);
    }

    #[test]
    fn one_trailing_slash_of_the_issuer_may_differ() {
        let oidc = Oidc::resolve(&settings()).unwrap();
        for (issuer, is_same) in [
            ("https://login.example", true),
            ("https://login.example/", true),
            ("https://login.example//", false),
            ("https://login.example/x", false),
            ("https://LOGIN.example", false),
        ] {
            assert_eq!(oidc.is_issuer(issuer), is_same, "{issuer}");
        }
    }
}
