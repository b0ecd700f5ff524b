//! TLS for browsers: `tls-cert` and `tls-key`. The files can be reloaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::kind::{FILE, Optional};
use super::setting::Setting;
use super::upstream_tls::{read_certificates, read_private_key};
use super::{ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&TLS_CERT, &TLS_KEY];

pub(super) static TLS_CERT: Setting<Optional<PathBuf>> = Setting {
    name: "tls-cert",
    help: "Certificate for https in PEM format; SIGHUP reloads it",
    default: "none, http",
    kind: FILE,
};

pub(super) static TLS_KEY: Setting<Optional<PathBuf>> = Setting {
    name: "tls-key",
    help: "Private key of the certificate, in PEM format",
    default: "none",
    kind: FILE,
};

/// The certificate for connections of browsers.
#[derive(Debug)]
pub struct ListenTls {
    /// `TLS_CERT`: PEM file with the certificate and the intermediate certificates.
    certificate: PathBuf,
    /// `TLS_KEY`: PEM file with the private key.
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
}

impl ListenTls {
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Arc<Self>>, ConfigError> {
        match (TLS_CERT.resolve(settings)?, TLS_KEY.resolve(settings)?) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => {
                let current = RwLock::new(read(&certificate, &key)?);
                Ok(Some(Arc::new(Self { certificate, key, current })))
            }
            _ => Err(TLS_CERT.error("tls-cert and tls-key must be set together")),
        }
    }

    /// Reloads both files, for new connections. If they cannot be used, the current certificate stays.
    pub(crate) fn reload(&self) -> Result<(), ConfigError> {
        let current = read(&self.certificate, &self.key)?;
        *self.current.write() = current;
        Ok(())
    }

    /// Returns the current certificate.
    pub(crate) fn current_certificate(&self) -> Option<CertificateDer<'static>> {
        let current = self.current.read();
        current.end_entity_cert().ok().map(|shown| shown.clone().into_owned())
    }

    /// Returns the TLS configuration of the HTTP server.
    pub(crate) fn server_config(self: &Arc<Self>) -> Result<ServerConfig, rustls::Error> {
        let resolver: Arc<Self> = Arc::clone(self);
        let mut server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        server.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(server)
    }
}

impl ResolvesServerCert for ListenTls {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read()))
    }
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<CertifiedKey>, ConfigError> {
    let key = ring::sign::any_supported_type(&read_private_key(&TLS_KEY, key)?)
        .map_err(|error| TLS_KEY.error(error))?;
    let certified = CertifiedKey::new(read_certificates(&TLS_CERT, certificate)?, key);
    certified.keys_match().map_err(|error| TLS_KEY.error(error))?;
    Ok(Arc::new(certified))
}
