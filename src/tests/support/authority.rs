//! A certificate authority, and upstreams with TLS.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A certificate authority, and a folder with its files.
pub struct Authority {
    folder: TempDir,
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { folder, issuer }
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a certificate for this host to `cert.pem` and its key to `key.pem`.
    pub fn sign(&self, host: &str) {
        self.sign_for(host, (-1, 4000));
    }

    /// Like [`Self::sign`], valid from the first to the second of these days, counted from today.
    pub fn sign_for(&self, host: &str, days: (i64, i64)) {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
        let in_days = |count: i64| {
            let day = i64::try_from(today).unwrap() + count;
            date_time_ymd(1970, 1, 1) + Duration::from_hours(u64::try_from(day).unwrap() * 24)
        };
        (parameters.not_before, parameters.not_after) = (in_days(days.0), in_days(days.1));
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        fs::write(self.path("cert.pem"), certificate.pem()).unwrap();
        fs::write(self.path("key.pem"), key.serialize_pem()).unwrap();
    }

    pub fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        roots
    }

    /// Starts an upstream with TLS. It sends these bytes for each request and closes the connection properly. If `asks`,
    /// it requires a client certificate.
    pub async fn upstream(&self, asks: bool, response: &'static str) -> String {
        let certificate = CertificateDer::from_pem_file(self.path("cert.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_file(self.path("key.pem")).unwrap();
        let builder = ServerConfig::builder();
        let builder = if asks {
            builder.with_client_cert_verifier(
                WebPkiClientVerifier::builder(Arc::new(self.roots())).build().unwrap(),
            )
        } else {
            builder.with_no_client_auth()
        };
        let acceptor = TlsAcceptor::from(Arc::new(builder.with_single_cert(vec![certificate], key).unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        actix_web::rt::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let Ok(mut connection) = acceptor.accept(connection).await else { continue };
                if connection.read(&mut [0; 4096]).await.is_ok() {
                    drop(connection.write_all(response.as_bytes()).await);
                    drop(connection.shutdown().await);
                }
            }
        });
        url
    }
}
