//! Connections to the upstream: its name is resolved without the C library, which a static binary does not have, and
//! the end of a connection is told from the end of an answer.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_service::{Service, ServiceExt as _};
use actix_tls::connect::{ConnectError, ConnectInfo, Connection, Connector, Resolve, Resolver};
use actix_web::rt::net::{ActixStream, Ready, TcpStream};
use awc::http::Uri;
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use hickory_resolver::TokioResolver;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Opens TCP connections for awc.
pub(crate) fn connector()
-> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, Strict>, Error = ConnectError> + Clone + 'static
{
    Connector::new(resolver()).service().map(|connection: Connection<Uri, TcpStream>| {
        let (stream, uri) = connection.into_parts();
        Connection::new(uri, Strict::new(stream))
    })
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

/// A connection whose end is an error.
///
/// awc takes the end of a connection for the end of a chunked answer, also in front of its last chunk: an answer cut
/// short would look whole (RFC 9112, 8: such a message "is incomplete"). `outcome` forgives it where the end of the
/// connection is the only end that an answer has.
#[derive(Debug)]
pub(crate) struct Strict {
    stream: TcpStream,
    /// Whether anything ever came.
    has_answered: bool,
    /// Whether anything came since something was last sent.
    answers: bool,
}

/// The connection was kept from an earlier request, and ended before a byte of the answer to this one.
#[derive(Debug, thiserror::Error)]
#[error("the connection had been closed")]
struct Stale;

/// Whether a request failed because the connection for it had been closed since the last one.
pub(super) fn was_stale(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Stale>)
}

impl Strict {
    fn new(stream: TcpStream) -> Self {
        Self { stream, has_answered: false, answers: false }
    }

    fn fault(&self, error: io::Error) -> io::Error {
        let is_stale = self.has_answered && !self.answers;
        if is_stale { io::Error::new(error.kind(), Stale) } else { error }
    }
}

impl AsyncRead for Strict {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = ready!(Pin::new(&mut self.stream).poll_read(cx, buffer));
        let came = buffer.filled().len() > before;
        self.answers |= came;
        self.has_answered |= came;
        let read = if came || room == 0 { read } else { read.and(Err(io::ErrorKind::UnexpectedEof.into())) };
        Poll::Ready(read.map_err(|error| self.fault(error)))
    }
}

impl AsyncWrite for Strict {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.answers = false;
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes));
        Poll::Ready(written.map_err(|error| self.fault(error)))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl ActixStream for Strict {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_read_ready(&self.stream, cx)
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_write_ready(&self.stream, cx)
    }
}
