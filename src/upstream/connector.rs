//! Opens connections to the upstream.
//!
//! Host names are resolved without the C library, because a static binary does not contain its resolver.

use std::error::Error;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_service::{Service, fn_service};
use actix_tls::connect::{ConnectError, ConnectInfo, Connection, Resolve, Resolver, ResolverService};
use actix_web::rt::net::{ActixStream, Ready, TcpStream, UnixStream};
use awc::http::Uri;
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use hickory_resolver::TokioResolver;
use rustls::pki_types::CertificateDer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::happy_eyeballs::connect_to_first;
use crate::config::{Upstream, UpstreamAddress, UpstreamTls};

/// Opens connections to the upstream, over TCP, TLS or a Unix socket.
#[derive(Clone)]
pub(super) struct Connector {
    address: Rc<UpstreamAddress>,
    uri: Uri,
    tcp: TcpConnector,
}

impl Connector {
    pub(super) fn new(upstream: &Upstream) -> Self {
        let uri = upstream.connect_url.parse().unwrap_or_default();
        Self { address: Rc::new(upstream.address.clone()), uri, tcp: TcpConnector::new(&resolver()) }
    }

    pub(super) async fn connect(&self) -> Result<UpstreamStream, ConnectError> {
        let tls = match &*self.address {
            UpstreamAddress::Socket(path) => {
                return UnixStream::connect(path).await.map(UpstreamStream::Unix).map_err(ConnectError::Io);
            }
            UpstreamAddress::Network(tls) => tls,
        };
        let stream = self.tcp.connect(ConnectInfo::new(self.uri.clone())).await?.into_parts().0;
        // Without TCP_NODELAY, a body would wait until the upstream has acknowledged the head.
        stream.set_nodelay(true).map_err(ConnectError::Io)?;
        match tls {
            None => Ok(UpstreamStream::Tcp(stream)),
            Some(tls) => {
                start_tls(tls, stream).await.map(Box::new).map(UpstreamStream::Tls).map_err(ConnectError::Io)
            }
        }
    }
}

/// Opens TCP connections to the hosts of URLs.
#[derive(Clone)]
struct TcpConnector {
    resolver: ResolverService,
}

impl TcpConnector {
    fn new(resolver: &Resolver) -> Self {
        Self { resolver: resolver.service() }
    }

    async fn connect(&self, info: ConnectInfo<Uri>) -> Result<Connection<Uri, TcpStream>, ConnectError> {
        let resolved = self.resolver.call(info).await?;
        let stream =
            connect_to_first(resolved.addrs(), TcpStream::connect).await.map_err(ConnectError::Io)?;
        Ok(Connection::new(resolved.request().clone(), stream))
    }
}

/// Returns a connector for awc that opens connections to the upstream.
pub(super) fn awc_connector(
    upstream: &Upstream,
) -> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, UpstreamStream>, Error = ConnectError>
+ Clone
+ 'static {
    let connector = Connector::new(upstream);
    fn_service(move |info: ConnectInfo<Uri>| {
        let connector = connector.clone();
        async move { Ok(Connection::new(info.request().clone(), connector.connect().await?)) }
    })
}

async fn start_tls(tls: &UpstreamTls, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    TlsConnector::from(Arc::clone(&tls.client)).connect(tls.server_name.clone(), stream).await
}

/// Returns the certificate that the upstream presents; `None` without TLS and if the connection fails.
pub(crate) async fn fetch_certificate(upstream: &Upstream) -> Option<CertificateDer<'static>> {
    let UpstreamStream::Tls(stream) = Connector::new(upstream).connect().await.ok()? else { return None };
    stream.get_ref().1.peer_certificates()?.first().cloned()
}

/// Returns a connector for awc that opens TCP connections; awc adds TLS itself.
pub(super) fn tcp_connector()
-> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, TcpStream>, Error = ConnectError> + Clone + 'static
{
    let connector = TcpConnector::new(&resolver());
    fn_service(move |info| {
        let connector = connector.clone();
        async move { connector.connect(info).await }
    })
}

/// Returns a resolver that uses the name servers of the system. If the system configuration cannot be read, only IP
/// addresses work.
fn resolver() -> Resolver {
    let built = TokioResolver::builder_tokio().and_then(hickory_resolver::ResolverBuilder::build);
    Resolver::custom(SystemResolver(
        built.inspect_err(|error| tracing::warn!(%error, "host names cannot be resolved, because the system's resolver configuration cannot be read")).ok(),
    ))
}

struct SystemResolver(Option<TokioResolver>);

impl Resolve for SystemResolver {
    fn lookup<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> LocalBoxFuture<'a, Result<Vec<SocketAddr>, Box<dyn Error>>> {
        async move {
            let resolver = self.0.as_ref().ok_or("the system's list of name servers cannot be read")?;
            Ok(resolver.lookup_ip(host).await?.iter().map(|ip| SocketAddr::new(ip, port)).collect())
        }
        .boxed_local()
    }
}

/// A connection to the upstream.
#[derive(Debug)]
pub(super) enum UpstreamStream {
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
    Unix(UnixStream),
}

impl UpstreamStream {
    /// Returns the stream inside.
    fn as_io(self: Pin<&mut Self>) -> Pin<&mut dyn Io> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream),
            Self::Tls(stream) => Pin::new(&mut **stream),
            Self::Unix(stream) => Pin::new(stream),
        }
    }
}

trait Io: AsyncRead + AsyncWrite + Unpin {}

impl<S: AsyncRead + AsyncWrite + Unpin> Io for S {}

impl AsyncRead for UpstreamStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.as_io().poll_read(cx, buffer)
    }
}

impl AsyncWrite for UpstreamStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.as_io().poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.as_io().poll_write_vectored(cx, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
            Self::Unix(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.as_io().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.as_io().poll_shutdown(cx)
    }
}

impl ActixStream for UpstreamStream {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        match self {
            Self::Tcp(stream) => ActixStream::poll_read_ready(stream, cx),
            Self::Tls(stream) => ActixStream::poll_read_ready(stream.get_ref().0, cx),
            Self::Unix(stream) => ActixStream::poll_read_ready(stream, cx),
        }
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        match self {
            Self::Tcp(stream) => ActixStream::poll_write_ready(stream, cx),
            Self::Tls(stream) => ActixStream::poll_write_ready(stream.get_ref().0, cx),
            Self::Unix(stream) => ActixStream::poll_write_ready(stream, cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::future::ready;
    use std::net::SocketAddr;
    use std::time::Duration;

    use actix_tls::connect::{ConnectInfo, Resolve, Resolver};
    use awc::http::Uri;
    use futures_util::future::{FutureExt as _, LocalBoxFuture};
    use tokio::net::{TcpListener, TcpSocket, TcpStream};
    use tokio::time::timeout;

    use super::TcpConnector;

    /// Resolves every name to the same addresses.
    struct FixedAddresses(Vec<SocketAddr>);

    impl Resolve for FixedAddresses {
        fn lookup<'a>(
            &'a self,
            _: &'a str,
            _: u16,
        ) -> LocalBoxFuture<'a, Result<Vec<SocketAddr>, Box<dyn Error>>> {
            ready(Ok(self.0.clone())).boxed_local()
        }
    }

    #[actix_web::test]
    async fn connects_although_the_first_address_does_not_respond() {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        // Connections are not accepted, so that the kernel stops completing handshakes when the backlog is full.
        let silent = socket.listen(1).unwrap();
        let address = silent.local_addr().unwrap();
        let mut waiting = Vec::new();
        while let Ok(connected) = timeout(Duration::from_millis(500), TcpStream::connect(address)).await {
            waiting.push(connected.unwrap());
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addresses = vec![address, listener.local_addr().unwrap()];
        let connector = TcpConnector::new(&Resolver::custom(FixedAddresses(addresses)));
        let info = ConnectInfo::new(Uri::from_static("http://flags.example:4243"));
        let connected = timeout(Duration::from_secs(30), connector.connect(info)).await.unwrap().unwrap();
        assert_eq!(connected.peer_addr().unwrap(), listener.local_addr().unwrap());
    }
}
