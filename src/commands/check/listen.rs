//! Looks at where browsers and monitoring are to connect: the ports, and the certificate that is shown there.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::time::SystemTime;

use super::certificate;
use super::finding::Finding;
use crate::app;
use crate::config::{Config, Public};

/// What keeps the program from taking connections, and what is worth knowing.
pub(super) fn inspect(config: &Config) -> Vec<Finding> {
    let ports =
        [Some(("listen", config.listen.address)), config.operation.admin.map(|at| ("admin-listen", at))];
    let ports = ports.into_iter().flatten().map(|(setting, address)| port(setting, address));
    let shown = config.listen.tls.as_ref().and_then(|tls| tls.certificate());
    let certificate = shown.iter().flat_map(|shown| {
        let renew = "put a new one in place of tls-cert and tls-key, and send the program a SIGHUP";
        let validity = certificate::validity("tls-cert", shown, SystemTime::now(), renew);
        let name = host(&config.public).and_then(|host| certificate::name("tls-cert", shown, host));
        [Some(validity), name].into_iter().flatten()
    });
    ports.chain(certificate).collect()
}

/// Without its port.
fn host(public: &Public) -> Option<&str> {
    let authority = public.url.as_ref()?.authority.as_str();
    let port = authority.rfind(':').filter(|colon| authority.rfind(']').is_none_or(|end| end < *colon));
    port.map_or(Some(authority), |port| authority.get(..port))
}

/// Takes the port for a moment.
fn port(setting: &'static str, address: SocketAddr) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::fine(setting, format!("{address} can be listened on")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Finding::note(
            setting,
            format!("something listens on {address} already"),
            "this is as it should be if it is this program; else end that one or choose another port",
        ),
        Err(error) => Finding::fault(setting, format!("cannot listen on {address}"), app::reason(&error)),
    }
}
