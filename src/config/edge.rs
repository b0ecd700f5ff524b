//! The variables and flags of Unleash Edge, for `flagdeck edge`: [`VARIABLES`] is the list, [`resolve`] turns their values into settings.
//!
//! A variable that Flagdeck does not support either has no effect on what SDKs get, and a line of the log says why, or it is an
//! error that names the remedy. Values are never printed, because some are secrets.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use actix_web::http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use ipnet::IpNet;
use sha2::{Digest as _, Sha256};

use super::embedded::DATA;
use super::frontend_tokens::FRONTEND_ORIGIN;
use super::kind::Form;
use super::listen::{BASE_PATH, LISTEN};
use super::listen_tls::{TLS_CERT, TLS_KEY};
use super::log::LOG_FORMAT;
use super::public::TRUSTED_PROXY;
use super::replica::REPLICA_REFRESH;
use super::sdk_token::parse_token_origin;
use super::upstream::{CONNECT_TIMEOUT, HEAD_TIMEOUT, UPSTREAM};
use super::upstream_header::{MAX_VALUE_LENGTH, is_reserved};
use super::upstream_tls::{UPSTREAM_CA, UPSTREAM_CLIENT_CERT, UPSTREAM_CLIENT_KEY, UPSTREAM_INSECURE};
use super::upstream_token::check_tokens;
use super::{
    ANY_ORIGIN, BasePath, ClientToken, ConfigError, Declaration, FrontendToken, Settings, TokenKind,
    TokenScope, Upstream, local_address,
};

/// Values of variables by their flag: the items of a list, and otherwise one value.
pub type EdgeValues = BTreeMap<&'static str, Vec<String>>;

/// A variable of Edge. `UPSTREAM_URL` is also the flag `--upstream-url`.
#[derive(Debug)]
pub struct EdgeVariable {
    /// Name of the flag, without dashes.
    pub flag: &'static str,
    /// Letter of the short flag.
    pub short: Option<char>,
    /// Form of the value.
    pub form: Form,
    /// True for a flag of every command of Edge, which may precede the command.
    pub is_general: bool,
    /// Its meaning here.
    pub meaning: Meaning,
}

/// The meaning of a variable of Edge.
#[derive(Debug, Clone, Copy)]
pub enum Meaning {
    /// It becomes a setting, named for the log.
    Becomes(&'static str),
    /// It has no effect; the reason is the end of a sentence.
    NoEffect(&'static str),
    /// It would change what SDKs get, and is an error; the text is the remedy.
    Refused(&'static str),
}

/// Secrets that Edge reads from variables, and other settings from files.
#[derive(Debug, Default)]
pub(super) struct GivenSecrets {
    /// Client tokens, instead of `upstream-token`.
    pub(super) client_tokens: Vec<ClientToken>,
    /// Frontend tokens that need no answer of the upstream.
    pub(super) frontend_tokens: Vec<FrontendToken>,
    /// Headers, beside those of `upstream-header`.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// The settings that the variables become.
pub(super) struct EdgeSettings {
    pub(super) settings: Settings,
    pub(super) secrets: GivenSecrets,
    /// Paths of Edge that are switched off.
    pub(super) has_metrics: bool,
    /// A line for each variable that is set.
    pub(super) notes: Vec<String>,
}

const NO_TRACES: &str = "Flagdeck sends no traces and no errors to other services";
const OWN_CORS: &str = "all methods and headers that SDKs use are allowed";
const NOT_SERVED: &str = "this path is not served";
const NO_STORE: &str =
    "copies survive a restart with BACKUP_FOLDER, or in PostgreSQL with FLAGDECK_DATA=postgres://…";
const HEADER_REMEDY: &str =
    "tokens are read from the header Authorization; remove it, and let SDKs send this header";
const LIST_REMEDY: &str =
    "addresses are not filtered; remove it, and filter them in the firewall or the reverse proxy";

/// All variables of Edge 19 and 20, in the order of the log.
pub static VARIABLES: &[EdgeVariable] = &[
    text("upstream-url", Some('u'), Meaning::Becomes("upstream")),
    list("tokens", Some('t'), Meaning::Becomes("upstream-token")),
    list("pretrusted-tokens", Some('p'), Meaning::Becomes("frontend-tokens")),
    text("backup-folder", Some('b'), Meaning::Becomes("data")),
    text("features-refresh-interval-seconds", Some('f'), Meaning::Becomes("replica-refresh")),
    list("custom-client-headers", Some('H'), Meaning::Becomes("upstream-header")),
    switch("skip-ssl-verification", Some('s'), Meaning::Becomes("upstream-insecure")),
    text("upstream-certificate-file", None, Meaning::Becomes("upstream-ca")),
    text("pkcs8-client-certificate-file", None, Meaning::Becomes("upstream-client-cert")),
    text("pkcs8-client-key-file", None, Meaning::Becomes("upstream-client-key")),
    text("pem-cert-file", None, Meaning::Becomes("upstream-client-cert and upstream-client-key")),
    text("pkcs12-identity-file", None, Meaning::Refused(PKCS12_REMEDY)),
    text("pkcs12-passphrase", None, Meaning::Refused(PKCS12_REMEDY)),
    text("upstream-request-timeout", None, Meaning::Becomes("upstream-connect-timeout")),
    text("upstream-socket-timeout", None, Meaning::Becomes("upstream-head-timeout")),
    general(text("port", None, Meaning::Becomes("listen"))),
    general(text("interface", None, Meaning::Becomes("listen"))),
    general(text("base-path", None, Meaning::Becomes("base-path"))),
    general(switch("tls-enable", None, Meaning::Becomes("tls-cert and tls-key"))),
    general(text("tls-server-cert", None, Meaning::Becomes("tls-cert"))),
    general(text("tls-server-key", None, Meaning::Becomes("tls-key"))),
    general(text("tls-server-port", None, Meaning::Becomes("listen"))),
    general(switch(
        "redirect-http-to-https",
        None,
        Meaning::Refused("Flagdeck listens on one port; remove it, and let the reverse proxy redirect"),
    )),
    general(list("cors-origin", None, Meaning::Becomes("frontend-origin"))),
    general(list("cors-allowed-headers", None, Meaning::NoEffect(OWN_CORS))),
    general(list("cors-exposed-headers", None, Meaning::NoEffect(OWN_CORS))),
    general(list("cors-methods", None, Meaning::NoEffect(OWN_CORS))),
    general(text(
        "cors-max-age",
        None,
        Meaning::NoEffect("browsers ask again after a time that Flagdeck sets"),
    )),
    general(switch("trust-proxy", None, Meaning::Becomes("trusted-proxy"))),
    general(list("proxy-trusted-servers", None, Meaning::Becomes("trusted-proxy"))),
    general(list("allow-list", None, Meaning::Refused(LIST_REMEDY))),
    general(list("deny-list", None, Meaning::Refused(LIST_REMEDY))),
    general(text("token-header", None, Meaning::Refused(HEADER_REMEDY))),
    general(text("edge-auth-header", None, Meaning::Refused(HEADER_REMEDY))),
    general(text("upstream-auth-header", None, Meaning::Refused(HEADER_REMEDY))),
    general(text("log-format", Some('l'), Meaning::Becomes("log-format"))),
    general(switch(
        "disable-metrics-endpoint",
        None,
        Meaning::Becomes("a missing /internal-backstage/metrics"),
    )),
    general(switch("disable-metrics-batch-endpoint", None, Meaning::NoEffect(NOT_SERVED))),
    general(switch("disable-features-endpoint", None, Meaning::NoEffect(NOT_SERVED))),
    general(switch("disable-tokens-endpoint", None, Meaning::NoEffect(NOT_SERVED))),
    general(switch("disable-instance-data-endpoint", None, Meaning::NoEffect(NOT_SERVED))),
    general(switch("disable-all-endpoint", None, Meaning::NoEffect("/api/frontend/all is not served"))),
    general(text("workers", Some('w'), Meaning::NoEffect("there is one thread for each processor"))),
    general(text("app-name", Some('a'), Meaning::NoEffect("reports keep the names of their applications"))),
    general(text("instance-id", None, Meaning::NoEffect("reports keep the ids of their instances"))),
    general(text(
        "edge-request-timeout",
        None,
        Meaning::NoEffect("a client that sends or receives nothing for 30 s is disconnected"),
    )),
    general(text("edge-keepalive-timeout", None, Meaning::NoEffect("idle connections are kept for 75 s"))),
    general(text("sentry-dsn", None, Meaning::NoEffect(NO_TRACES))),
    general(text("sentry-tracing-rate", None, Meaning::NoEffect(NO_TRACES))),
    general(switch("sentry-debug", None, Meaning::NoEffect(NO_TRACES))),
    general(switch("sentry-enable-logs", None, Meaning::NoEffect(NO_TRACES))),
    general(text("datadog-url", None, Meaning::NoEffect(NO_TRACES))),
    general(text("otel-collector-url", None, Meaning::NoEffect(NO_TRACES))),
    text("metrics-interval-seconds", Some('m'), Meaning::NoEffect("reports are forwarded at once")),
    text(
        "token-revalidation-interval-seconds",
        None,
        Meaning::NoEffect("tokens are validated once a minute"),
    ),
    text(
        "client-keepalive-timeout",
        None,
        Meaning::NoEffect("idle connections to the upstream are kept for 4 s"),
    ),
    switch("strict", None, Meaning::NoEffect("the flag service decides about each token")),
    switch("dynamic", None, Meaning::NoEffect("the flag service decides about each token")),
    switch("streaming", None, Meaning::NoEffect("unchanged toggles cost a response without a body")),
    switch("delta", None, Meaning::NoEffect("unchanged toggles cost a response without a body")),
    switch("consumption", None, Meaning::NoEffect("Flagdeck does not report itself to the flag service")),
    text("prometheus-remote-write-url", None, Meaning::NoEffect(PROMETHEUS)),
    text("prometheus-push-interval", None, Meaning::NoEffect(PROMETHEUS)),
    text("prometheus-username", None, Meaning::NoEffect(PROMETHEUS)),
    text("prometheus-password", None, Meaning::NoEffect(PROMETHEUS)),
    text("prometheus-user-id", None, Meaning::NoEffect(PROMETHEUS)),
    list("redis-url", None, Meaning::NoEffect(NO_STORE)),
    text("redis-mode", None, Meaning::NoEffect(NO_STORE)),
    text("redis-password", None, Meaning::NoEffect(NO_STORE)),
    text("redis-username", None, Meaning::NoEffect(NO_STORE)),
    text("redis-port", None, Meaning::NoEffect(NO_STORE)),
    text("redis-host", None, Meaning::NoEffect(NO_STORE)),
    switch("redis-secure", None, Meaning::NoEffect(NO_STORE)),
    text("redis-scheme", None, Meaning::NoEffect(NO_STORE)),
    text("redis-read-connection-timeout-milliseconds", None, Meaning::NoEffect(NO_STORE)),
    text("redis-write-connection-timeout-milliseconds", None, Meaning::NoEffect(NO_STORE)),
    text("s3-bucket-name", None, Meaning::NoEffect(NO_STORE)),
];

const PKCS12_REMEDY: &str = "PKCS #12 is not supported; convert the file with openssl pkcs12, and set PKCS8_CLIENT_CERTIFICATE_FILE and \
     PKCS8_CLIENT_KEY_FILE";
const PROMETHEUS: &str = "Prometheus reads /internal-backstage/metrics";

/// Port of Edge with TLS, and without.
const TLS_PORT: u16 = 3043;
const PORT: u16 = 3063;
/// File of the database in the backup folder.
const BACKUP_FILE: &str = "flagdeck.db";

const fn variable(flag: &'static str, short: Option<char>, form: Form, meaning: Meaning) -> EdgeVariable {
    EdgeVariable { flag, short, form, is_general: false, meaning }
}

const fn text(flag: &'static str, short: Option<char>, meaning: Meaning) -> EdgeVariable {
    variable(flag, short, Form::OptionalText, meaning)
}

const fn switch(flag: &'static str, short: Option<char>, meaning: Meaning) -> EdgeVariable {
    variable(flag, short, Form::Switch, meaning)
}

const fn list(flag: &'static str, short: Option<char>, meaning: Meaning) -> EdgeVariable {
    variable(flag, short, Form::List, meaning)
}

const fn general(variable: EdgeVariable) -> EdgeVariable {
    EdgeVariable { is_general: true, ..variable }
}

/// Returns the name of the variable of a flag.
#[must_use]
pub fn variable_name(flag: &str) -> String {
    flag.replace('-', "_").to_uppercase()
}

/// Adds the values of the environment to those of the flags, which override them. Empty variables are ignored.
pub(super) fn with_environment(
    mut values: EdgeValues,
    environment: &config::Map<String, String>,
) -> EdgeValues {
    for variable in VARIABLES {
        if let Some(text) = environment.get(&variable_name(variable.flag)).filter(|text| !text.is_empty()) {
            values.entry(variable.flag).or_insert_with(|| variable.form.split(text));
        }
    }
    values
}

/// Turns the values into settings.
pub(super) fn resolve(values: EdgeValues) -> Result<EdgeSettings, ConfigError> {
    let mut notes = Vec::new();
    let values = Values(values);
    for variable in VARIABLES.iter().filter(|variable| values.0.contains_key(variable.flag)) {
        let name = variable_name(variable.flag);
        let is_off = variable.form == Form::Switch && !values.switch(variable.flag)?;
        match variable.meaning {
            Meaning::Refused(_) if is_off || values.is_default_header(variable.flag) => {}
            Meaning::Refused(remedy) => return Err(fault(variable.flag, remedy)),
            Meaning::Becomes(setting) => notes.push(format!("{name} sets {setting}")),
            Meaning::NoEffect(reason) => notes.push(format!("{name} has no effect: {reason}")),
        }
    }
    let client_tokens = values.list("tokens");
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
    let origins = values.origins();
    let allowed = origins.iter().map(|origin| {
        parse_token_origin(origin)
            .ok_or_else(|| fault("cors-origin", "must be origins such as https://shop.example, or *"))
    });
    let allowed = allowed.collect::<Result<Vec<_>, _>>()?;
    let frontend_tokens = values.list("pretrusted-tokens");
    let frontend_tokens: Result<_, _> =
        frontend_tokens.iter().map(|token| parse_pretrusted(token, &client_tokens, &allowed)).collect();
    let headers: Result<_, _> =
        values.list("custom-client-headers").iter().map(|header| parse_header(header)).collect();
    let secrets = GivenSecrets {
        client_tokens,
        frontend_tokens: frontend_tokens.map_err(|cause| fault("pretrusted-tokens", cause))?,
        headers: headers.map_err(|cause| fault("custom-client-headers", cause))?,
    };
    let has_metrics = !values.switch("disable-metrics-endpoint")?;
    Ok(EdgeSettings { settings: values.settings()?, secrets, has_metrics, notes })
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
            if let Some(file) = self.authority.or_else(|| variable("CA_CERTIFICATE_FILE")) {
                settings.insert(&UPSTREAM_CA, vec![file]);
            }
            return Upstream::for_url(&settings, &url);
        }
        let values = Values(with_environment(values, &variables));
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

    /// Returns the settings without secrets.
    fn settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = Settings::default();
        let mut set = |setting: &dyn Declaration, values: Vec<String>| settings.insert(setting, values);
        let url = self.text("upstream-url").ok_or_else(|| {
            fault("upstream-url", "is missing; set it to the URL of the flag service, without /api")
        })?;
        set(&UPSTREAM, vec![url.to_owned()]);
        set(&LISTEN, vec![self.listen()?.to_string()]);
        for (flag, setting) in [
            ("base-path", &BASE_PATH as &dyn Declaration),
            ("upstream-certificate-file", &UPSTREAM_CA),
            ("pkcs8-client-certificate-file", &UPSTREAM_CLIENT_CERT),
            ("pkcs8-client-key-file", &UPSTREAM_CLIENT_KEY),
            ("pem-cert-file", &UPSTREAM_CLIENT_CERT),
            ("pem-cert-file", &UPSTREAM_CLIENT_KEY),
        ] {
            if let Some(text) = self.text(flag) {
                set(setting, vec![text.to_owned()]);
            }
        }
        for (flag, setting) in [
            ("features-refresh-interval-seconds", &REPLICA_REFRESH as &dyn Declaration),
            ("upstream-request-timeout", &CONNECT_TIMEOUT),
            ("upstream-socket-timeout", &HEAD_TIMEOUT),
        ] {
            if let Some(seconds) = self.parse::<u32>(flag, "a number of seconds")? {
                set(setting, vec![format!("{seconds}s")]);
            }
        }
        if self.switch("skip-ssl-verification")? {
            set(&UPSTREAM_INSECURE, vec!["true".to_owned()]);
        }
        if self.switch("tls-enable")? {
            for (flag, setting) in
                [("tls-server-cert", &TLS_CERT as &dyn Declaration), ("tls-server-key", &TLS_KEY)]
            {
                let file = self.text(flag).ok_or_else(|| fault(flag, "is missing; TLS_ENABLE needs it"))?;
                set(setting, vec![file.to_owned()]);
            }
        }
        if let Some(folder) = self.text("backup-folder") {
            set(&DATA, vec![Path::new(folder).join(BACKUP_FILE).display().to_string()]);
        }
        set(&FRONTEND_ORIGIN, self.origins());
        if self.switch("trust-proxy")? {
            set(&TRUSTED_PROXY, self.trusted_proxies()?);
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
    let mut value = HeaderValue::try_from(value.trim())
        .ok()
        .filter(|value| (1..=MAX_VALUE_LENGTH).contains(&value.len()))
        .ok_or_else(fault)?;
    // `Debug` then prints "Sensitive" instead of the value.
    value.set_sensitive(true);
    Ok((name, value))
}
