//! Takes connections and speaks HTTP/1.1 on them, with TLS or without.
//!
//! The server that actix-web brings offers HTTP/2 to whoever connects with TLS. Its library has a known fault that is not
//! mended in the release that actix is bound to, and what the proxy promises about framing is about HTTP/1.1: so there is
//! no other version.

use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use actix_http::h1::{ExpectHandler, UpgradeHandler};
use actix_http::{HttpServiceBuilder, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt as _, map_config};
use actix_web::Error;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppConfig, Server};
use rustls::ServerConfig;
use tokio::net::TcpSocket;

/// Connections that wait to be taken while all workers are busy.
const BACKLOG: u32 = 1024;
/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an answer's last bytes may take to a client that is being left.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// How connections are served.
pub(crate) struct Listener {
    pub(crate) workers: usize,
    /// For https.
    pub(crate) tls: Option<ServerConfig>,
    /// How long a connection may be idle.
    pub(crate) keep_alive: Duration,
    /// Whether a client that has ended its side is answered all the same.
    pub(crate) allow_half_closed: bool,
    /// How long requests that are under way may take at the end.
    pub(crate) shutdown_timeout: Duration,
}

impl Listener {
    /// Takes the port; `factory` makes the app of each worker.
    pub(crate) fn bind<F, I, S, B>(self, address: SocketAddr, factory: F) -> io::Result<(Server, SocketAddr)>
    where
        F: Fn() -> I + Send + Clone + 'static,
        I: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig> + 'static,
        S::Error: Into<Error> + 'static,
        S::InitError: Debug,
        S::Response: Into<Response<B>> + 'static,
        S::Service: 'static,
        <S::Service as Service<Request>>::Future: 'static,
        B: MessageBody + 'static,
    {
        let socket = socket(address)?;
        let bound = socket.local_addr()?;
        let builder = ServerBuilder::default()
            .workers(self.workers)
            .shutdown_timeout(self.shutdown_timeout.as_secs().max(1))
            .disable_signals();
        let ending = builder.graceful_shutdown_signal();
        let (keep_alive, allow_half_closed) = (self.keep_alive, self.allow_half_closed);
        let app = move || {
            let app = factory().into_factory().map_err(|error| error.into().error_response());
            map_config(app, |()| AppConfig::default())
        };
        let server = match self.tls {
            Some(tls) => builder.listen("https", socket, move || {
                http(&ending, keep_alive, allow_half_closed).h1(app()).rustls_0_23(tls.clone())
            }),
            None => builder
                .listen("http", socket, move || http(&ending, keep_alive, allow_half_closed).h1(app()).tcp()),
        };
        Ok((server?.run(), bound))
    }
}

/// HTTP on whatever carries it, for one worker.
fn http<Io, S>(
    ending: &GracefulShutdownSignal,
    keep_alive: Duration,
    allow_half_closed: bool,
) -> HttpServiceBuilder<Io, S, ExpectHandler, UpgradeHandler>
where
    S: ServiceFactory<Request, Config = ()>,
    S::Error: Into<Response<BoxBody>> + 'static,
    S::InitError: Debug,
    <S::Service as Service<Request>>::Future: 'static,
{
    let ending = ending.clone();
    HttpServiceBuilder::default()
        .graceful_shutdown_signal(move || {
            let ending = ending.clone();
            async move { ending.notified().await }
        })
        .keep_alive(keep_alive)
        .client_request_timeout(HEAD_TIMEOUT)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        .h1_allow_half_closed(allow_half_closed)
}

fn socket(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Connections take it over: the end of an answer would wait until its client says that the rest has come. What
    // actix offers for it does nothing where HTTP/1.1 is the only version.
    socket.set_nodelay(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::socket;

    #[tokio::test]
    async fn what_is_written_is_sent_at_once() {
        let listening = socket("127.0.0.1:0".parse().unwrap()).unwrap();
        let _client = TcpStream::connect(listening.local_addr().unwrap()).unwrap();
        listening.set_nonblocking(false).unwrap();
        assert!(listening.accept().unwrap().0.nodelay().unwrap());
    }
}
