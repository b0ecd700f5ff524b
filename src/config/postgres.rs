//! The location of a PostgreSQL database: the URL in `data`, with its options for TLS, and the password from elsewhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use super::pgpass;
use super::upstream_tls::{AcceptAnyCertificate, default_roots, read_pem_certificates};

/// Port of PostgreSQL, unless the URL names another one.
const DEFAULT_PORT: u16 = 5432;
/// Time after which a connection without a response from the network ends.
const NETWORK_TIMEOUT: Duration = Duration::from_secs(30);
/// Name that the server lists for these connections.
const APPLICATION_NAME: &str = "flagdeck";

/// A PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresLocation {
    /// URL without options, for messages. It contains no password.
    pub name: PathBuf,
    /// Parameters of the connection.
    pub config: Config,
    /// Trusted authorities.
    pub tls: Arc<ClientConfig>,
    /// `DATA_KEY`: key file of addon secrets.
    pub key: PathBuf,
}

impl PartialEq for PostgresLocation {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config
    }
}

impl Eq for PostgresLocation {}

/// Returns whether a location is a URL of PostgreSQL.
#[must_use]
pub fn is_postgres_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl PostgresLocation {
    /// Parses a URL. Errors never contain it, because it may contain a password.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut mode, mut authority, mut kept) = ("prefer", None, Vec::new());
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=').unwrap_or((option, "")) {
                ("sslmode", value) => mode = value,
                ("sslrootcert", file) => authority = Some(decode(file)),
                _ => kept.push(option),
            }
        }
        // An error of the parser names the option, but not its value.
        let mut config: Config =
            format!("{base}?{}", kept.join("&")).parse().map_err(|error| describe(&error))?;
        if config.get_password().is_some() {
            let fault = "contains a password, which other users of the machine could read; use PGPASSWORD or \
                         ~/.pgpass";
            return Err(fault.to_owned());
        }
        if config.get_hosts().is_empty() {
            return Err("names no host; write postgres://USER@HOST/DATABASE".to_owned());
        }
        let (encryption, verifies) = match (mode, &authority) {
            ("disable", _) => (SslMode::Disable, false),
            ("prefer", _) => (SslMode::Prefer, false),
            // As in libpq: the certificate is verified if its authority is known.
            ("require", authority) => (SslMode::Require, authority.is_some()),
            ("verify-ca" | "verify-full", _) => (SslMode::Require, true),
            _ => return Err("sslmode must be disable, prefer, require, verify-ca or verify-full".to_owned()),
        };
        config.ssl_mode(encryption);
        if config.get_application_name().is_none() {
            config.application_name(APPLICATION_NAME);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(NETWORK_TIMEOUT).keepalives_idle(NETWORK_TIMEOUT);
        }
        // Refuses a read-only standby, and selects the primary server of several.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let tls = tls_config(verifies, authority.as_deref())?;
        Ok(Self { name: base.into(), config, tls: Arc::new(tls), key: PathBuf::new() })
    }

    /// Sets the password: from `PGPASSWORD`, else from the password file of libpq. `variable` returns the value of an environment
    /// variable.
    pub(super) fn set_password(&mut self, variable: impl Fn(&str) -> Option<String>) {
        let from_file = || {
            let file = variable("PGPASSFILE")
                .map(PathBuf::from)
                .or_else(|| Some(Path::new(&variable("HOME")?).join(".pgpass")))?;
            pgpass::find_password(&file, &self.fields())
        };
        let password = variable("PGPASSWORD").or_else(from_file);
        if let Some(password) = password {
            self.config.password(password);
        }
    }

    /// Returns the fields that select a line of the password file: host, port, database and user.
    fn fields(&self) -> [String; 4] {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => host.clone(),
            // Sockets of this machine.
            _ => "localhost".to_owned(),
        };
        let port = self.config.get_ports().first().copied().unwrap_or(DEFAULT_PORT).to_string();
        let user = self.config.get_user().unwrap_or_default().to_owned();
        let database = self.config.get_dbname().map_or_else(|| user.clone(), str::to_owned);
        [host, port, database, user]
    }
}

/// Returns the TLS settings. Without verification, any certificate is accepted.
fn tls_config(verifies: bool, authority: Option<&str>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    if !verifies {
        let accept_any = Arc::new(AcceptAnyCertificate(provider));
        return Ok(builder.dangerous().with_custom_certificate_verifier(accept_any).with_no_client_auth());
    }
    let roots = match authority {
        None => default_roots(),
        Some(file) => {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(read_pem_certificates(Path::new(file))?);
            roots
        }
    };
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Returns the message of a parser error with its cause.
fn describe(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("is not a URL of PostgreSQL: {cause}"),
        None => "is not a URL of PostgreSQL".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config::SslMode;

    use super::{PostgresLocation, is_postgres_url};

    #[test]
    fn parses_hosts_sockets_and_modes_of_tls() {
        for (url, host, mode) in [
            ("postgres://anna@db.example/flags", "db.example", SslMode::Prefer),
            ("postgresql://anna@db/flags?sslmode=disable", "db", SslMode::Disable),
            ("postgres:///flags?host=/run/postgresql&user=anna", "/run/postgresql", SslMode::Prefer),
            ("postgres://db/flags?sslmode=verify-full", "db", SslMode::Require),
        ] {
            assert!(is_postgres_url(url), "{url}");
            let location = PostgresLocation::parse(url).unwrap();
            assert!(format!("{:?}", location.config.get_hosts()).contains(host), "{url}");
            assert_eq!(location.config.get_ssl_mode(), mode, "{url}");
            assert_eq!(location.config.get_dbname(), Some("flags"), "{url}");
        }
    }

    #[test]
    fn refuses_passwords_and_unknown_options_without_repeating_them() {
        for (url, fault) in [
            ("postgres://anna:s3cret@db/flags", "PGPASSWORD"),
            ("postgres://anna@db/flags?password=s3cret", "PGPASSWORD"),
            ("postgres://anna@db/flags?sslmode=s3cret", "sslmode must be"),
            ("postgres://anna@db/flags?port=s3cret", "port"),
            ("postgres:///flags", "names no host"),
            ("postgres://db/flags?sslmode=verify-ca&sslrootcert=/missing.pem", "/missing.pem"),
        ] {
            let error = PostgresLocation::parse(url).unwrap_err();
            assert!(error.contains(fault) && !error.contains("s3cret"), "{url}: {error}");
        }
    }
}
