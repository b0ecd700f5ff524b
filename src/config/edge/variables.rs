//! The list of the variables of Unleash Edge, with their meaning in `flagdeck edge`.

use crate::config::Form;

/// A variable of Edge. `UPSTREAM_URL` is also the flag `--upstream-url`.
#[derive(Debug, Clone, Copy)]
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
    text("metrics-interval-seconds", Some('m'), Meaning::Becomes("report-interval")),
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
    general(text("rust-log", None, Meaning::Becomes("log-level"))),
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
    general(switch("disable-all-endpoint", None, Meaning::Becomes("a missing /api/frontend/all"))),
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
    text(
        "token-revalidation-interval-seconds",
        None,
        Meaning::NoEffect("tokens are validated every 10 s, and many of them once a minute"),
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
    switch("delta-diff", None, Meaning::NoEffect("unchanged toggles cost a response without a body")),
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

/// The variables of Edge's command `offline`, beside the general ones of [`VARIABLES`].
pub static OFFLINE_VARIABLES: &[EdgeVariable] = &[
    text("bootstrap-file", Some('b'), Meaning::Becomes("definitions")),
    list("client-tokens", Some('c'), Meaning::Becomes("tokens of servers")),
    list("frontend-tokens", Some('f'), Meaning::Becomes("tokens of browsers and phones")),
    text(
        "reload-interval",
        Some('r'),
        Meaning::NoEffect("the file is read again within a second after it has changed"),
    ),
];

const PKCS12_REMEDY: &str = "PKCS #12 is not supported; convert the file with openssl pkcs12, and set PKCS8_CLIENT_CERTIFICATE_FILE and \
     PKCS8_CLIENT_KEY_FILE";
const PROMETHEUS: &str = "Prometheus reads /internal-backstage/metrics";

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
