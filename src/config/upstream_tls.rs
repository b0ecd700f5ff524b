//! TLS of an https upstream: `upstream-ca`, `upstream-client-cert`, `upstream-client-key`, `upstream-server-name` and
//! `upstream-insecure`.

use std::path::Path;
use std::sync::Arc;

use actix_tls::connect::rustls_0_23::webpki_roots_cert_store;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::ConfigError;
use crate::cli::Settings;

/// TLS settings for connections to the upstream.
#[derive(Debug, Clone)]
pub struct UpstreamTls {
    /// Trusted authorities and the client certificate.
    pub client: Arc<ClientConfig>,
    /// `--upstream-server-name`; the host of the URL by default. Sent as SNI, and required in the certificate.
    pub server_name: ServerName<'static>,
    /// `--upstream-insecure`; false by default. The certificate is not verified.
    pub insecure: bool,
}

impl UpstreamTls {
    pub(super) fn resolve(settings: &Settings, host: &str) -> Result<Self, ConfigError> {
        let insecure = settings.upstream_insecure == Some(true);
        let name = settings.upstream_server_name.as_deref().unwrap_or(host);
        let server_name =
            ServerName::try_from(name.trim_matches(['[', ']']).to_owned()).map_err(|_no_name| {
                ConfigError::setting("upstream-server-name", format!("{name:?} is not a host name"))
            })?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| ConfigError::setting("upstream", error))?;
        let builder = if insecure {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate(provider)))
        } else {
            let verifier =
                WebPkiServerVerifier::builder_with_provider(Arc::new(root_store(settings)?), provider)
                    .build();
            builder
                .with_webpki_verifier(verifier.map_err(|error| ConfigError::setting("upstream-ca", error))?)
        };
        let (certificate, key) =
            (settings.upstream_client_cert.as_deref(), settings.upstream_client_key.as_deref());
        let client = match (certificate, key) {
            (Some(certificate), Some(key)) => builder
                .with_client_auth_cert(
                    read_certificates("upstream-client-cert", certificate)?,
                    read_private_key("upstream-client-key", key)?,
                )
                .map_err(|error| ConfigError::setting("upstream-client-key", error))?,
            (None, None) => builder.with_no_client_auth(),
            _ => {
                let fault = "upstream-client-cert and upstream-client-key must be set together";
                return Err(ConfigError::setting("upstream-client-cert", fault));
            }
        };
        Ok(Self { client: Arc::new(client), server_name, insecure })
    }

    /// Refuses settings that require an https upstream.
    pub(super) fn refuse_without_https(settings: &Settings) -> Result<(), ConfigError> {
        let set = [
            ("upstream-ca", settings.upstream_ca.is_some()),
            ("upstream-client-cert", settings.upstream_client_cert.is_some()),
            ("upstream-client-key", settings.upstream_client_key.is_some()),
            ("upstream-server-name", settings.upstream_server_name.is_some()),
            ("upstream-insecure", settings.upstream_insecure == Some(true)),
        ];
        match set.iter().find(|(_, is_set)| *is_set) {
            Some((name, _)) => Err(ConfigError::setting(name, "requires an https:// upstream")),
            None => Ok(()),
        }
    }
}

/// Returns the bundled authorities, those of the system and that of `upstream-ca`.
fn root_store(settings: &Settings) -> Result<RootCertStore, ConfigError> {
    let mut roots = webpki_roots_cert_store();
    // Errors are ignored: without authorities of the system, as in an empty container, the bundled ones remain.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(file) = settings.upstream_ca.as_deref() {
        for certificate in read_certificates("upstream-ca", file)? {
            roots.add(certificate).map_err(|error| ConfigError::setting("upstream-ca", error))?;
        }
    }
    Ok(roots)
}

/// Reads the certificates of a PEM file.
pub(super) fn read_certificates(
    name: &str,
    file: impl AsRef<Path>,
) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let unusable = |cause: &dyn std::fmt::Display| {
        let fault = format!("{} contains no certificates in PEM format ({cause})", file.as_ref().display());
        ConfigError::setting(name, fault)
    };
    let chain = CertificateDer::pem_file_iter(file.as_ref())
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(&error))?;
    if chain.is_empty() { Err(unusable(&"none found")) } else { Ok(chain) }
}

/// Reads the private key of a PEM file.
pub(super) fn read_private_key(
    name: &str,
    file: impl AsRef<Path>,
) -> Result<PrivateKeyDer<'static>, ConfigError> {
    PrivateKeyDer::from_pem_file(file.as_ref()).map_err(|error| {
        let fault = format!("{} contains no private key in PEM format ({error})", file.as_ref().display());
        ConfigError::setting(name, fault)
    })
}

/// Certificate verifier that accepts every certificate (`upstream-insecure`).
#[derive(Debug)]
struct AcceptAnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AcceptAnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, root_store, webpki_roots_cert_store};

    #[test]
    fn trusts_bundled_authorities_in_addition_to_those_of_the_system() {
        let (bundled, all) = (webpki_roots_cert_store(), root_store(&Settings::default()).unwrap());
        assert!(!bundled.is_empty() && bundled.roots.iter().all(|root| all.roots.contains(root)));
    }
}
