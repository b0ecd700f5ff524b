//! Checks the ports for browsers and monitoring, and the certificate for https.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::SystemTime;

use super::certificate;
use super::finding::Finding;
use crate::config::{Config, Public};
use crate::listener::bind_error_reason;

/// Checks the ports and the certificate of these settings.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let ports =
        [Some(("listen", config.listen.address)), config.operation.admin.map(|at| ("admin-listen", at))];
    let ports = ports.into_iter().flatten().map(|(setting, address)| check_port(setting, address));
    let certificate = config.listen.tls.as_ref().and_then(|tls| tls.current_certificate());
    let certificate = certificate.iter().flat_map(|certificate| {
        let renew = "replace the files of tls-cert and tls-key, and send SIGHUP to the program";
        let validity = certificate::check_validity("tls-cert", certificate, SystemTime::now(), renew);
        let name = public_host(&config.public)
            .and_then(|host| certificate::check_name("tls-cert", certificate, host));
        [Some(validity), name].into_iter().flatten()
    });
    ports.chain(certificate).collect()
}

/// Returns the host of the public URL without the port.
fn public_host(public: &Public) -> Option<&str> {
    let authority = public.url.as_ref()?.authority.as_str();
    let port = authority.rfind(':').filter(|colon| authority.rfind(']').is_none_or(|end| end < *colon));
    port.map_or(Some(authority), |port| authority.get(..port))
}

/// Checks that the port can be bound.
fn check_port(setting: &'static str, address: SocketAddr) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::pass(setting, format!("{address} is available")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Finding::note(
            setting,
            format!("a program already listens on {address}"),
            "nothing to do if it is this program; otherwise stop the other program or choose another port",
        ),
        Err(error) => {
            Finding::fail(setting, format!("cannot listen on {address}"), bind_error_reason(&error))
        }
    }
}
