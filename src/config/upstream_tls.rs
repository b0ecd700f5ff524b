//! TLS of an https upstream: `upstream-ca`, `upstream-client-cert`, `upstream-client-key`, `upstream-server-name` and
//! `upstream-insecure`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use actix_tls::connect::rustls_0_23::webpki_roots_cert_store;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::kind::{FILE, Optional, Switch};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&UPSTREAM_CA, &UPSTREAM_CLIENT_CERT, &UPSTREAM_CLIENT_KEY, &UPSTREAM_SERVER_NAME, &UPSTREAM_INSECURE];

pub(super) static UPSTREAM_CA: Setting<Optional<PathBuf>> = Setting {
    name: "upstream-ca",
    help: "Additional certificate authority for the upstream, in PEM format; addons, hold-webhook and oidc-issuer trust the bundled certificates and the system's, whose file SSL_CERT_FILE replaces",
    default: "none, the bundled certificates and the system's certificates",
    kind: FILE,
};

pub(super) static UPSTREAM_CLIENT_CERT: Setting<Optional<PathBuf>> = Setting {
    name: "upstream-client-cert",
    help: "Client certificate for the upstream, in PEM format",
    default: "none",
    kind: FILE,
};

pub(super) static UPSTREAM_CLIENT_KEY: Setting<Optional<PathBuf>> = Setting {
    name: "upstream-client-key",
    help: "Private key of the client certificate, in PEM format",
    default: "none",
    kind: FILE,
};

static UPSTREAM_SERVER_NAME: Setting<Optional<ServerName<'static>>> = Setting {
    name: "upstream-server-name",
    help: "Host name that the upstream's certificate must contain",
    default: "the host of upstream",
    kind: Optional("NAME", parse_server_name),
};

pub(super) static UPSTREAM_INSECURE: Setting<Switch> = Setting {
    name: "upstream-insecure",
    help: "Do not verify the upstream's certificate (insecure); logs a warning at each start",
    default: "false",
    kind: Switch,
};

/// TLS settings for connections to the upstream.
#[derive(Debug, Clone)]
pub struct UpstreamTls {
    /// Trusted authorities and the client certificate.
    pub client: Arc<ClientConfig>,
    /// `UPSTREAM_SERVER_NAME`: sent as SNI, and required in the certificate.
    pub server_name: ServerName<'static>,
    /// `UPSTREAM_INSECURE`: the certificate is not verified.
    pub insecure: bool,
}

impl UpstreamTls {
    pub(super) fn resolve(settings: &Settings, host: &str) -> Result<Self, ConfigError> {
        let insecure = UPSTREAM_INSECURE.resolve(settings)?;
        let server_name = match UPSTREAM_SERVER_NAME.resolve(settings)? {
            Some(name) => name,
            None => parse_server_name(host).map_err(|fault| UPSTREAM_SERVER_NAME.error(fault))?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| UPSTREAM_CA.error(error))?;
        let builder = if insecure {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate(provider)))
        } else {
            let verifier =
                WebPkiServerVerifier::builder_with_provider(Arc::new(root_store(settings)?), provider)
                    .build();
            builder.with_webpki_verifier(verifier.map_err(|error| UPSTREAM_CA.error(error))?)
        };
        let client = match (UPSTREAM_CLIENT_CERT.resolve(settings)?, UPSTREAM_CLIENT_KEY.resolve(settings)?) {
            (Some(certificate), Some(key)) => builder
                .with_client_auth_cert(
                    read_certificates(&UPSTREAM_CLIENT_CERT, &certificate)?,
                    read_private_key(&UPSTREAM_CLIENT_KEY, &key)?,
                )
                .map_err(|error| UPSTREAM_CLIENT_KEY.error(error))?,
            (None, None) => builder.with_no_client_auth(),
            _ => {
                let fault = "upstream-client-cert and upstream-client-key must be set together";
                return Err(UPSTREAM_CLIENT_CERT.error(fault));
            }
        };
        Ok(Self { client: Arc::new(client), server_name, insecure })
    }

    /// Refuses settings that require an https upstream.
    pub(super) fn refuse_without_https(settings: &Settings) -> Result<(), ConfigError> {
        let set = SETTINGS.iter().find(|setting| {
            settings.get(setting.name()).is_some_and(|values| values != [UPSTREAM_INSECURE.default])
        });
        match set {
            Some(setting) => Err(ConfigError(format!("{}: requires an https:// upstream", setting.name()))),
            None => Ok(()),
        }
    }
}

fn parse_server_name(text: &str) -> Result<ServerName<'static>, String> {
    ServerName::try_from(text.trim_matches(['[', ']']).to_owned())
        .map_err(|_no_name| format!("{text:?} is not a host name"))
}

/// Returns the bundled authorities and the authorities of the system.
pub(super) fn default_roots() -> RootCertStore {
    let mut roots = webpki_roots_cert_store();
    // Errors are ignored: without authorities of the system, as in an empty container, the bundled ones remain.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Returns the TLS configuration of connections to servers other than the upstream: addons, the webhook of holds and the provider
/// of sign-ins. It trusts [`default_roots`], which are read once.
pub(super) fn default_client_config() -> Result<Arc<ClientConfig>, rustls::Error> {
    static CONFIG: LazyLock<Result<Arc<ClientConfig>, rustls::Error>> = LazyLock::new(|| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        Ok(Arc::new(builder.with_root_certificates(default_roots()).with_no_client_auth()))
    });
    CONFIG.clone()
}

/// Returns the bundled authorities, the authorities of the system, and the authority of `upstream-ca`.
fn root_store(settings: &Settings) -> Result<RootCertStore, ConfigError> {
    let mut roots = default_roots();
    if let Some(file) = UPSTREAM_CA.resolve(settings)? {
        for certificate in read_certificates(&UPSTREAM_CA, &file)? {
            roots.add(certificate).map_err(|error| UPSTREAM_CA.error(error))?;
        }
    }
    Ok(roots)
}

/// Reads the certificates of a PEM file.
pub(super) fn read_certificates(
    setting: &Setting<Optional<PathBuf>>,
    file: &Path,
) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    read_pem_certificates(file).map_err(|fault| setting.error(fault))
}

/// Reads the certificates of a PEM file. The error is the end of a sentence about a setting.
pub(super) fn read_pem_certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let unusable = |cause: &dyn std::fmt::Display| {
        format!("{} contains no certificates in PEM format ({cause})", file.display())
    };
    let chain = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(&error))?;
    if chain.is_empty() { Err(unusable(&"none found")) } else { Ok(chain) }
}

/// Reads the private key of a PEM file.
pub(super) fn read_private_key(
    setting: &Setting<Optional<PathBuf>>,
    file: &Path,
) -> Result<PrivateKeyDer<'static>, ConfigError> {
    PrivateKeyDer::from_pem_file(file).map_err(|error| {
        let fault = format!("{} contains no private key in PEM format ({error})", file.display());
        setting.error(fault)
    })
}

/// Certificate verifier that accepts every certificate (`upstream-insecure`, `sslmode=require`).
#[derive(Debug)]
pub(super) struct AcceptAnyCertificate(pub(super) Arc<CryptoProvider>);

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
