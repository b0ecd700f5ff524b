//! Accepts connections and serves HTTP/1.1 on them, with or without TLS.
//!
//! The server of actix-web offers HTTP/2 to clients that connect with TLS. The HTTP/2 library that actix depends on has a
//! known defect (RUSTSEC-2026-0258), and the proxy's guarantees about framing apply to HTTP/1.1. Therefore this server offers
//! HTTP/1.1 only.
//!
//! A connection passes a [`ClientSocket`], TLS, a [`RequestGate`] and the HTTP library; [`request_state`] connects the gate
//! with the app behind the library.

mod boundary;
mod client_socket;
mod request_gate;
mod request_state;

use std::fmt::Debug;
use std::future::{pending, poll_fn, ready};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use actix_http::body::{BoxBody, EitherBody};
use actix_http::error::DispatchError;
use actix_http::{HttpServiceBuilder, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt as _, fn_service, map_config,
};
use actix_tls::accept::TlsError;
use actix_tls::accept::rustls_0_23::{Acceptor, TlsStream};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Server};
use actix_web::{Error, HttpRequest};
use rustls::ServerConfig;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};

use self::client_socket::ClientSocket;
use self::request_gate::RequestGate;
use self::request_state::{RequestState, TrackedBody};

/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;
/// Limit of response bytes that the kernel buffers in addition to those in flight. Without a limit it buffers megabytes
/// per client, and reports progress only after a third of them has been sent: too seldom to distinguish a slow client from
/// one that has stopped. With the limit, progress is reported about every 32 KiB.
const UNSENT_LIMIT: u32 = 65_536;
/// Time for a client to close its side of a connection after the server has closed its own.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Settings of a listener.
pub(crate) struct Listener {
    pub(crate) workers: usize,
    /// TLS configuration for https; `None` for http.
    pub(crate) tls: Option<ServerConfig>,
    pub(crate) limits: ConnectionLimits,
    /// Time for requests in flight during the shutdown.
    pub(crate) shutdown_timeout: Duration,
}

/// Limits of each connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionLimits {
    /// Time after which an idle connection is closed.
    pub(crate) keep_alive: Duration,
    /// Time for the TLS handshake, and for the head of a request.
    pub(crate) head_timeout: Duration,
    /// Time after which a connection is closed if the client receives nothing of its response.
    pub(crate) write_timeout: Duration,
    /// True if a client that has closed its side still gets responses.
    pub(crate) allow_half_closed: bool,
}

impl Listener {
    /// Binds the port and creates the server. `factory` creates the app of each worker.
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
        let limits = self.limits;
        let app = move || {
            let app = factory().into_factory().map_err(|error| error.into().error_response());
            map_config(app, |()| AppConfig::default())
        };
        let accept = move |io: TcpStream| ClientSocket::new(io, limits.write_timeout);
        let server = match self.tls {
            Some(tls) => builder.listen("https", socket, move || {
                let mut handshake = Acceptor::new(tls.clone());
                handshake.set_handshake_timeout(limits.head_timeout);
                let handshake =
                    handshake.map_err(TlsError::into_service_error).map(|io: TlsStream<ClientSocket>| {
                        (io.get_ref().0.peer(), io.get_ref().0.request_state(), io)
                    });
                let http = http::<_, _, B>(ending.clone(), limits, app()).map_err(TlsError::Service);
                fn_service(move |io| ready(Ok(accept(io)))).and_then(handshake).and_then(http)
            }),
            None => builder.listen("http", socket, move || {
                let http = http::<_, _, B>(ending.clone(), limits, app());
                fn_service(move |io| ready(Ok(accept(io))))
                    .map(|io: ClientSocket| (io.peer(), io.request_state(), io))
                    .and_then(http)
            }),
        };
        Ok((server?.run(), bound))
    }
}

/// Waits until the client of a request closes its side of the connection. The task of the connection must poll the future.
pub(crate) async fn client_closed(request: &HttpRequest) {
    match request.conn_data::<Rc<RequestState>>() {
        Some(request_state) => poll_fn(|_| request_state.poll_client_closed()).await,
        // A test without a connection.
        None => pending().await,
    }
}

/// An accepted connection: the address of the client, the shared state and the stream.
type Accepted<Io> = (Option<SocketAddr>, Rc<RequestState>, Io);

/// Creates the HTTP/1.1 service of one worker for one kind of stream.
fn http<Io, S, B>(
    ending: GracefulShutdownSignal,
    limits: ConnectionLimits,
    app: S,
) -> impl ServiceFactory<Accepted<Io>, Config = (), Response = (), Error = DispatchError, InitError = ()>
where
    Io: AsyncRead + AsyncWrite + Unpin + 'static,
    S: ServiceFactory<Request, Config = ()> + 'static,
    S::Error: Into<Response<BoxBody>> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>>,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    let http = HttpServiceBuilder::default()
        .graceful_shutdown_signal(move || {
            let ending = ending.clone();
            async move { ending.notified().await }
        })
        .keep_alive(limits.keep_alive)
        // `RequestGate` limits the time for a head instead.
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        .h1_allow_half_closed(limits.allow_half_closed)
        .on_connect_ext(|gate: &RequestGate<Io>, data| drop(data.insert(Rc::clone(gate.request_state()))))
        .h1::<_, TrackedBody<EitherBody<B>>>(request_state::track::<S, B>(app));
    fn_service(move |(peer, request_state, io)| {
        ready(Ok((RequestGate::new(io, limits, request_state), peer)))
    })
    .and_then(http)
}

fn socket(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit both options. Without TCP_NODELAY, the end of a response would wait until the client
    // has acknowledged the rest; the setting that actix-http 3.20 has for it works for HTTP/2 only.
    socket.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    SockRef::from(&socket).set_tcp_notsent_lowat(UNSENT_LIMIT)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

/// Describes why an address cannot be bound, with the remedy.
pub(crate) fn bind_error_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses it; stop that program or choose another port".to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "this user lacks the permission; choose a port above 1023".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address; choose one of its own".to_owned()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::{SockRef, UNSENT_LIMIT, socket};

    #[tokio::test]
    async fn accepted_connections_inherit_tcp_nodelay() {
        let listening = socket("127.0.0.1:0".parse().unwrap()).unwrap();
        let _client = TcpStream::connect(listening.local_addr().unwrap()).unwrap();
        listening.set_nonblocking(false).unwrap();
        assert!(listening.accept().unwrap().0.nodelay().unwrap());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn accepted_connections_inherit_the_limit_of_unsent_bytes() {
        let listening = socket("127.0.0.1:0".parse().unwrap()).unwrap();
        let _client = TcpStream::connect(listening.local_addr().unwrap()).unwrap();
        listening.set_nonblocking(false).unwrap();
        let (accepted, _) = listening.accept().unwrap();
        assert_eq!(SockRef::from(&accepted).tcp_notsent_lowat().unwrap(), UNSENT_LIMIT);
    }
}
