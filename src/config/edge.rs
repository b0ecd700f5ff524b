//! The variables and flags of Unleash Edge, for `flagdeck edge` and `flagdeck offline`: `variables` is the list, [`resolve`] turns
//! their values into settings.
//!
//! A variable that Flagdeck does not support either has no effect on what SDKs get, and a line of the log says why, or it is an
//! error that names the remedy. Values are never printed, because some are secrets.

mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use actix_web::http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use ipnet::IpNet;
use sha2::{Digest as _, Sha256};

pub use self::variables::{EdgeVariable, Meaning, OFFLINE_VARIABLES, VARIABLES, variable_name};
use super::auth::REQUIRE_CLIENT_TOKENS;
use super::definitions::DEFINITIONS;
use super::embedded::DATA;
use super::frontend_tokens::FRONTEND_ORIGIN;
use super::kind::Form;
use super::listen::{BASE_PATH, LISTEN};
use super::listen_tls::{TLS_CERT, TLS_KEY};
use super::log::{LOG_FORMAT, LOG_LEVEL, is_level};
use super::public::TRUSTED_PROXY;
use super::replica::{self, REPLICA_REFRESH};
use super::sdk_token::parse_token_origin;
use super::upstream::{CONNECT_TIMEOUT, GivenSecrets, HEAD_TIMEOUT, UPSTREAM};
use super::upstream_header::{is_reserved, parse_value};
use super::upstream_tls::{UPSTREAM_CA, UPSTREAM_CLIENT_CERT, UPSTREAM_CLIENT_KEY, UPSTREAM_INSECURE};
use super::upstream_token::check_tokens;
use super::{
    ANY_ORIGIN, BasePath, ClientToken, ConfigError, Declaration, DefinitionsToken, Edge, FrontendToken,
    Settings, TokenKind, TokenScope, Upstream, local_address,
};

/// Values of variables by their flag: the items of a list, and otherwise one value.
pub type EdgeValues = BTreeMap<&'static str, Vec<String>>;

/// The settings that the variables become.
pub(super) struct EdgeSettings {
    pub(super) settings: Settings,
    pub(super) secrets: GivenSecrets,
    pub(super) edge: Edge,
}

/// Port of Edge with TLS, and without.
const TLS_PORT: u16 = 3043;
const PORT: u16 = 3063;
/// Interval in which Edge sends reports.
pub(super) const REPORT_INTERVAL: &str = "60s";
/// File of the database in the backup folder.
const BACKUP_FILE: &str = "flagdeck.db";

/// A mode of Edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeMode {
    /// In front of a flag service: the command `edge`.
    Online,
    /// With the toggles of a file: the command `offline`.
    Offline,
}

impl EdgeMode {
    /// Returns the variables of the mode, in the order of the log.
    pub fn variables(self) -> impl Iterator<Item = &'static EdgeVariable> {
        let own = if self == Self::Offline { OFFLINE_VARIABLES } else { &[] };
        own.iter().chain(VARIABLES.iter().filter(move |variable| self == Self::Online || variable.is_general))
    }
}

/// Adds the values of the environment to those of the flags, which override them. Empty variables are ignored.
fn with_environment(
    mode: EdgeMode,
    mut values: EdgeValues,
    environment: &config::Map<String, String>,
) -> EdgeValues {
    for variable in mode.variables() {
        if let Some(text) = environment.get(&variable_name(variable.flag)).filter(|text| !text.is_empty()) {
            values.entry(variable.flag).or_insert_with(|| variable.form.split(text));
        }
    }
    values
}

/// Turns the flags and the variables of the environment into settings.
pub(super) fn resolve(
    mode: EdgeMode,
    values: EdgeValues,
    environment: &config::Map<String, String>,
) -> Result<EdgeSettings, ConfigError> {
    let (mut set, mut ignored) = (Vec::new(), Vec::new());
    let mut values = Values(with_environment(mode, values, environment));
    for variable in mode.variables() {
        if !values.0.contains_key(variable.flag) {
            continue;
        }
        let name = variable_name(variable.flag);
        let is_off = variable.form == Form::Switch && !values.switch(variable.flag)?;
        if let Some(missing) = values.missing_condition(variable.flag)? {
            values.0.remove(variable.flag);
            ignored.push(format!("{name} has no effect: {missing}"));
            continue;
        }
        match variable.meaning {
            Meaning::Refused(_) if is_off || values.is_default_header(variable.flag) => {}
            Meaning::Refused(remedy) => return Err(fault(variable.flag, remedy)),
            Meaning::Becomes(_) if is_off => {}
            Meaning::Becomes(setting) => set.push(format!("{name} sets {setting}")),
            Meaning::NoEffect(reason) => ignored.push(format!("{name} has no effect: {reason}")),
        }
    }
    let (settings, secrets) = match mode {
        EdgeMode::Online => (values.settings()?, values.secrets()?),
        EdgeMode::Offline => (values.offline_settings()?, values.offline_secrets()?),
    };
    let edge = Edge {
        has_metrics: !values.switch("disable-metrics-endpoint")?,
        has_all_results: !values.switch("disable-all-endpoint")?,
        set,
        ignored,
    };
    Ok(EdgeSettings { settings, secrets, edge })
}

/// Returns a note for each variable with a proxy for requests, which other programs use.
pub(super) fn note_proxies(environment: &config::Map<String, String>) -> impl Iterator<Item = String> {
    let is_proxy =
        |name: &&String| ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].contains(&name.to_uppercase().as_str());
    let names = environment.keys().filter(is_proxy);
    names.map(|name| format!("{name} has no effect: Flagdeck connects to the flag service itself"))
}

/// The server that a probe checks.
#[derive(Debug, Clone, Default)]
pub struct ProbeTarget {
    /// `EDGE_URL`: its URL; `None` for the address on which the variables let it listen.
    pub url: Option<String>,
    /// `CA_CERTIFICATE_FILE`: additional certificate authority, in PEM format.
    pub authority: Option<String>,
}

impl ProbeTarget {
    /// Returns the connection to the server, and the path before that of the endpoint. Only the variables of the address have to be
    /// valid.
    pub(crate) fn resolve(
        self,
        values: EdgeValues,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Upstream, ConfigError> {
        let variables: config::Map<String, String> = environment.into_iter().collect();
        let variable = |name: &str| variables.get(name).filter(|text| !text.is_empty()).cloned();
        if let Some(url) = self.url.or_else(|| variable("EDGE_URL")) {
            let mut settings = Settings::default();
            let authority = self.authority.or_else(|| variable("CA_CERTIFICATE_FILE"));
            if let Some(file) = authority.filter(|_| url.starts_with("https:")) {
                settings.insert(&UPSTREAM_CA, vec![file]);
            }
            return Upstream::for_url(&settings, &url);
        }
        let values = Values(with_environment(EdgeMode::Online, values, &variables));
        let address = local_address(values.listen()?);
        let path = BasePath::parse(values.text("base-path").unwrap_or_default())
            .map_err(|cause| fault("base-path", cause))?;
        Ok(Upstream {
            path: path.as_str().to_owned(),
            ..Upstream::for_local_server(address, values.switch("tls-enable")?)?
        })
    }
}

/// The values of the variables.
struct Values(EdgeValues);

impl Values {
    fn text(&self, flag: &str) -> Option<&str> {
        self.0.get(flag)?.first().map(|text| text.trim())
    }

    fn list(&self, flag: &str) -> Vec<String> {
        let items = self.0.get(flag).into_iter().flatten().map(|item| item.trim().to_owned());
        items.filter(|item| !item.is_empty()).collect()
    }

    fn switch(&self, flag: &str) -> Result<bool, ConfigError> {
        match self.text(flag) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(fault(flag, "must be true or false")),
        }
    }

    fn parse<T: FromStr>(&self, flag: &str, expected: impl Display) -> Result<Option<T>, ConfigError> {
        let parsed = self.text(flag).map(|text| text.parse().ok());
        match parsed {
            Some(None) => Err(fault(flag, format!("must be {expected}"))),
            parsed => Ok(parsed.flatten()),
        }
    }

    /// Returns the reason why a variable has no effect without another one.
    fn missing_condition(&self, flag: &str) -> Result<Option<&'static str>, ConfigError> {
        let is_plain = self.text("upstream-url").is_some_and(|url| url.starts_with("http://"));
        Ok(match flag {
            "proxy-trusted-servers" if !self.switch("trust-proxy")? => Some("TRUST_PROXY is not true"),
            "tls-server-cert" | "tls-server-key" | "tls-server-port" if !self.switch("tls-enable")? => {
                Some("TLS_ENABLE is not true")
            }
            "skip-ssl-verification"
            | "upstream-certificate-file"
            | "pkcs8-client-certificate-file"
            | "pkcs8-client-key-file"
            | "pem-cert-file"
                if is_plain =>
            {
                Some("UPSTREAM_URL is not https")
            }
            _ => None,
        })
    }

    /// Returns true for a header of tokens that is the usual one.
    fn is_default_header(&self, flag: &str) -> bool {
        flag.ends_with("-header")
            && self.text(flag).is_some_and(|name| name.eq_ignore_ascii_case(AUTHORIZATION.as_str()))
    }

    /// Returns the origins of pages that may use frontend tokens.
    fn origins(&self) -> Vec<String> {
        let origins = self.list("cors-origin");
        if origins.is_empty() { vec![ANY_ORIGIN.to_owned()] } else { origins }
    }

    /// Returns the origins of pages that may use frontend tokens, in the form in which browsers send them.
    fn parsed_origins(&self) -> Result<Vec<String>, ConfigError> {
        let origins = self.origins();
        let origins = origins.iter().map(|origin| {
            parse_token_origin(origin)
                .ok_or_else(|| fault("cors-origin", "must be origins such as https://shop.example, or *"))
        });
        origins.collect()
    }

    /// Returns the secrets for a flag service.
    fn secrets(&self) -> Result<GivenSecrets, ConfigError> {
        let mut client_tokens = self.list("tokens");
        let mut seen = BTreeSet::new();
        client_tokens.retain(|token| seen.insert(token.clone()));
        if client_tokens.is_empty() {
            return Err(fault(
                "tokens",
                "is missing; set it to one client token for each environment, such as *:production.0123456789abcdef",
            ));
        }
        let client_tokens =
            check_tokens((1..).zip(&client_tokens), "position").map_err(|cause| fault("tokens", cause))?;
        if client_tokens.iter().any(|token| token.environment.is_none()) {
            return Err(fault(
                "tokens",
                "has a token without an environment; use tokens such as *:production.0123456789abcdef",
            ));
        }
        let allowed = self.parsed_origins()?;
        let frontend_tokens = self.list("pretrusted-tokens");
        let frontend_tokens: Result<_, _> =
            frontend_tokens.iter().map(|token| parse_pretrusted(token, &client_tokens, &allowed)).collect();
        let headers: Result<_, _> =
            self.list("custom-client-headers").iter().map(|header| parse_header(header)).collect();
        Ok(GivenSecrets {
            client_tokens,
            frontend_tokens: frontend_tokens.map_err(|cause| fault("pretrusted-tokens", cause))?,
            headers: headers.map_err(|cause| fault("custom-client-headers", cause))?,
            offline_tokens: Vec::new(),
        })
    }

    /// Returns the tokens for the toggles of a file.
    fn offline_secrets(&self) -> Result<GivenSecrets, ConfigError> {
        let origins = self.parsed_origins()?;
        let mut tokens = BTreeMap::new();
        for (flag, kind) in [("client-tokens", TokenKind::Client), ("frontend-tokens", TokenKind::Frontend)] {
            for token in self.list(flag) {
                let projects = match ClientToken::parts_of(&token) {
                    None | Some(("*", _)) => Vec::new(),
                    Some(("[]", _)) => {
                        let cause = "has a token of several projects, which it does not name; use one token for each of them";
                        return Err(fault(flag, cause));
                    }
                    Some((project, _)) => vec![project.to_owned()],
                };
                let origins = if kind == TokenKind::Frontend { origins.clone() } else { Vec::new() };
                let scope = Arc::new(TokenScope { origins, projects, ..TokenScope::unlimited(kind) });
                let hash = Sha256::digest(&token).into();
                let other = tokens.insert(hash, DefinitionsToken { hash, scope });
                if other.is_some_and(|other| other.scope.kind != kind) {
                    let cause = "has a token of CLIENT_TOKENS, with which pages could read all definitions; use another one";
                    return Err(fault(flag, cause));
                }
            }
        }
        if tokens.is_empty() {
            return Err(fault(
                "client-tokens",
                "is missing, and so is FRONTEND_TOKENS; set one of them to the tokens that SDKs send, such as *:production.0123456789abcdef",
            ));
        }
        Ok(GivenSecrets { offline_tokens: tokens.into_values().collect(), ..GivenSecrets::default() })
    }

    /// Returns the settings for the toggles of a file, without secrets.
    fn offline_settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = self.server_settings()?;
        let file = self.text("bootstrap-file").ok_or_else(|| {
            fault("bootstrap-file", "is missing; set it to a file with an answer of /api/client/features")
        })?;
        settings.insert(&DEFINITIONS, vec![file.to_owned()]);
        settings.insert(&REQUIRE_CLIENT_TOKENS, vec!["true".to_owned()]);
        Ok(settings)
    }

    /// Returns the settings for a flag service, without secrets.
    fn settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = self.server_settings()?;
        let mut set = |setting: &dyn Declaration, values: Vec<String>| settings.insert(setting, values);
        let url = self.text("upstream-url").ok_or_else(|| {
            fault("upstream-url", "is missing; set it to the URL of the flag service, without /api")
        })?;
        set(&UPSTREAM, vec![url.to_owned()]);
        let texts: [(&str, &dyn Declaration); 5] = [
            ("upstream-certificate-file", &UPSTREAM_CA),
            ("pkcs8-client-certificate-file", &UPSTREAM_CLIENT_CERT),
            ("pkcs8-client-key-file", &UPSTREAM_CLIENT_KEY),
            ("pem-cert-file", &UPSTREAM_CLIENT_CERT),
            ("pem-cert-file", &UPSTREAM_CLIENT_KEY),
        ];
        for (flag, setting) in texts {
            if let Some(text) = self.text(flag) {
                set(setting, vec![text.to_owned()]);
            }
        }
        let times: [(&str, &dyn Declaration); 4] = [
            ("features-refresh-interval-seconds", &REPLICA_REFRESH),
            ("metrics-interval-seconds", &replica::REPORT_INTERVAL),
            ("upstream-request-timeout", &CONNECT_TIMEOUT),
            ("upstream-socket-timeout", &HEAD_TIMEOUT),
        ];
        for (flag, setting) in times {
            if let Some(seconds) = self.parse::<u32>(flag, "a number of seconds")? {
                set(setting, vec![format!("{seconds}s")]);
            }
        }
        if self.switch("skip-ssl-verification")? {
            set(&UPSTREAM_INSECURE, vec!["true".to_owned()]);
        }
        if let Some(folder) = self.text("backup-folder") {
            set(&DATA, vec![Path::new(folder).join(BACKUP_FILE).display().to_string()]);
        }
        set(&FRONTEND_ORIGIN, self.origins());
        Ok(settings)
    }

    /// Returns the settings of the listener and of the log.
    fn server_settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = Settings::default();
        let mut set = |setting: &dyn Declaration, values: Vec<String>| settings.insert(setting, values);
        set(&LISTEN, vec![self.listen()?.to_string()]);
        if let Some(path) = self.text("base-path") {
            set(&BASE_PATH, vec![path.to_owned()]);
        }
        if self.switch("tls-enable")? {
            let files: [(&str, &dyn Declaration); 2] =
                [("tls-server-cert", &TLS_CERT), ("tls-server-key", &TLS_KEY)];
            for (flag, setting) in files {
                let file = self.text(flag).ok_or_else(|| fault(flag, "is missing; TLS_ENABLE needs it"))?;
                set(setting, vec![file.to_owned()]);
            }
        }
        if self.switch("trust-proxy")? {
            set(&TRUSTED_PROXY, self.trusted_proxies()?);
        }
        let levels = self.text("rust-log").into_iter().flat_map(|filter| filter.split(','));
        if let Some(level) = levels.map(str::trim).find(|level| is_level(level)) {
            set(&LOG_LEVEL, vec![level.to_owned()]);
        }
        match self.text("log-format") {
            None | Some("plain" | "pretty") => {}
            Some("json") => set(&LOG_FORMAT, vec!["json".to_owned()]),
            Some(_) => return Err(fault("log-format", "must be plain, json or pretty")),
        }
        Ok(settings)
    }

    /// Returns the address on which Edge listens.
    fn listen(&self) -> Result<SocketAddr, ConfigError> {
        let interface = self.parse("interface", "an IP address")?.unwrap_or(IpAddr::from([0, 0, 0, 0]));
        let port = self.parse::<u16>("port", "a port")?;
        if !self.switch("tls-enable")? {
            return Ok(SocketAddr::new(interface, port.unwrap_or(PORT)));
        }
        let tls_port = self.parse("tls-server-port", "a port")?.unwrap_or(TLS_PORT);
        if port.is_some_and(|port| port != tls_port) {
            return Err(fault(
                "port",
                format!(
                    "differs from TLS_SERVER_PORT, and Flagdeck listens on one port; remove it, or set it to {tls_port}"
                ),
            ));
        }
        Ok(SocketAddr::new(interface, tls_port))
    }

    /// Returns the networks of proxies: all without a list, as in Edge.
    fn trusted_proxies(&self) -> Result<Vec<String>, ConfigError> {
        let servers = self.list("proxy-trusted-servers");
        if servers.is_empty() {
            return Ok(vec!["0.0.0.0/0".to_owned(), "::/0".to_owned()]);
        }
        let parse = |text: &String| {
            let network = text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
            let network = network.map(|network| network.to_string());
            network.ok_or_else(|| {
                fault("proxy-trusted-servers", "must be IP addresses and networks, such as 10.0.0.0/8")
            })
        };
        servers.iter().map(parse).collect()
    }
}

/// Creates an error about a variable.
fn fault(flag: &str, cause: impl Display) -> ConfigError {
    ConfigError(format!("{}: {cause}", variable_name(flag)))
}

/// Parses a token that Edge trusts without asking: `PROJECT:ENVIRONMENT.SECRET` or `SECRET@ENVIRONMENT`.
fn parse_pretrusted(
    text: &str,
    client_tokens: &[ClientToken],
    origins: &[String],
) -> Result<FrontendToken, String> {
    let (secret, environment, project) = match (ClientToken::parts_of(text), text.split_once('@')) {
        (Some((project, environment)), _) => (text, environment, project),
        (None, Some((secret, environment))) if !secret.is_empty() && !environment.contains('@') => {
            (secret, environment, "*")
        }
        _ => {
            return Err(
                "has a token that is neither such as *:production.0123456789abcdef nor such as SECRET@production".to_owned()
            );
        }
    };
    if client_tokens.iter().all(|token| token.environment.as_deref() != Some(environment)) {
        return Err(format!(
            "has a token of the environment {environment:?}, of which TOKENS has no token; add one"
        ));
    }
    if client_tokens.iter().any(|token| token.value.as_bytes() == text.as_bytes()) {
        return Err("has a client token, with which pages could read all definitions; use a frontend token"
            .to_owned());
    }
    let projects = match project {
        "*" => Vec::new(),
        "[]" => return Err("has a token of several projects, which it does not name; remove it, because the flag service knows them".to_owned()),
        project => vec![project.to_owned()],
    };
    let scope =
        TokenScope { projects, origins: origins.to_vec(), ..TokenScope::unlimited(TokenKind::Frontend) };
    Ok(FrontendToken {
        hash: Sha256::digest(secret).into(),
        scope: Arc::new(scope),
        environment: Some(environment.to_owned()),
    })
}

/// Parses a header in the notation of curl, `NAME: VALUE`.
fn parse_header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let fault = || "must have headers such as X-Api-Key: 0123456789abcdef".to_owned();
    let (name, value) = text.split_once(':').ok_or_else(fault)?;
    let name = HeaderName::try_from(name.trim()).map_err(|_invalid| fault())?;
    if is_reserved(&name) || name == AUTHORIZATION {
        return Err(format!("cannot have the header {name}, which Flagdeck sets itself; remove it"));
    }
    Ok((name, parse_value(value.trim()).ok_or_else(fault)?))
}
