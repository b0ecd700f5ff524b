//! Opens connections to the upstream, whose name is resolved without the C library: a static binary does not have that.

use std::error::Error;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_service::{Service, fn_service};
use actix_tls::connect::{
    ConnectError, ConnectInfo, Connection, Connector, ConnectorService, Resolve, Resolver,
};
use actix_web::rt::net::{ActixStream, Ready, TcpStream, UnixStream};
use awc::http::Uri;
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use hickory_resolver::TokioResolver;
use rustls::pki_types::CertificateDer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::config::{Place, Upstream, UpstreamTls};

/// Opens connections to the upstream.
#[derive(Clone)]
pub(super) struct Dialler {
    place: Rc<Place>,
    uri: Uri,
    network: ConnectorService,
}

impl Dialler {
    pub(super) fn new(upstream: &Upstream) -> Self {
        let uri = upstream.dialled.parse().unwrap_or_default();
        Self { place: Rc::new(upstream.place.clone()), uri, network: Connector::new(resolver()).service() }
    }

    pub(super) async fn dial(&self) -> Result<Link, ConnectError> {
        let tls = match &*self.place {
            Place::Socket(path) => {
                return UnixStream::connect(path).await.map(Link::Socket).map_err(ConnectError::Io);
            }
            Place::Network(tls) => tls,
        };
        let (stream, _) = self.network.call(ConnectInfo::new(self.uri.clone())).await?.into_parts();
        // A body would wait for the receipt of its head.
        stream.set_nodelay(true).map_err(ConnectError::Io)?;
        match tls {
            None => Ok(Link::Plain(stream)),
            Some(tls) => encrypted(tls, stream).await.map(Box::new).map(Link::Tls).map_err(ConnectError::Io),
        }
    }
}

/// Does so for awc.
pub(super) fn to(
    upstream: &Upstream,
) -> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, Link>, Error = ConnectError> + Clone + 'static
{
    let dialler = Dialler::new(upstream);
    fn_service(move |wanted: ConnectInfo<Uri>| {
        let dialler = dialler.clone();
        async move { Ok(Connection::new(wanted.request().clone(), dialler.dial().await?)) }
    })
}

async fn encrypted(tls: &UpstreamTls, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    TlsConnector::from(Arc::clone(&tls.client)).connect(tls.server_name.clone(), stream).await
}

/// The certificate that an upstream with TLS shows; nothing where none can be seen.
pub(crate) async fn certificate(upstream: &Upstream) -> Option<CertificateDer<'static>> {
    let Link::Tls(stream) = Dialler::new(upstream).dial().await.ok()? else { return None };
    stream.get_ref().1.peer_certificates()?.first().cloned()
}

/// Opens TCP connections for awc, which adds TLS itself.
pub(crate) fn connector() -> ConnectorService {
    Connector::new(resolver()).service()
}

/// Without a readable system configuration names cannot be resolved, and addresses still work.
fn resolver() -> Resolver {
    let built = TokioResolver::builder_tokio().and_then(hickory_resolver::ResolverBuilder::build);
    Resolver::custom(Names(
        built.inspect_err(|error| tracing::warn!(%error, "names cannot be resolved")).ok(),
    ))
}

struct Names(Option<TokioResolver>);

impl Resolve for Names {
    fn lookup<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> LocalBoxFuture<'a, Result<Vec<SocketAddr>, Box<dyn Error>>> {
        async move {
            let resolver = self.0.as_ref().ok_or("the system's name servers cannot be read")?;
            Ok(resolver.lookup_ip(host).await?.iter().map(|ip| SocketAddr::new(ip, port)).collect())
        }
        .boxed_local()
    }
}

/// A connection to the upstream.
#[derive(Debug)]
pub(super) enum Link {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
    Socket(UnixStream),
}

impl Link {
    /// What is read and written by.
    fn io(self: Pin<&mut Self>) -> Pin<&mut dyn Io> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream),
            Self::Tls(stream) => Pin::new(&mut **stream),
            Self::Socket(stream) => Pin::new(stream),
        }
    }
}

trait Io: AsyncRead + AsyncWrite + Unpin {}

impl<S: AsyncRead + AsyncWrite + Unpin> Io for S {}

impl AsyncRead for Link {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.io().poll_read(cx, buffer)
    }
}

impl AsyncWrite for Link {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.io().poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io().poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
            Self::Socket(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io().poll_shutdown(cx)
    }
}

impl ActixStream for Link {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        match self {
            Self::Plain(stream) => ActixStream::poll_read_ready(stream, cx),
            Self::Tls(stream) => ActixStream::poll_read_ready(stream.get_ref().0, cx),
            Self::Socket(stream) => ActixStream::poll_read_ready(stream, cx),
        }
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        match self {
            Self::Plain(stream) => ActixStream::poll_write_ready(stream, cx),
            Self::Tls(stream) => ActixStream::poll_write_ready(stream.get_ref().0, cx),
            Self::Socket(stream) => ActixStream::poll_write_ready(stream, cx),
        }
    }
}
