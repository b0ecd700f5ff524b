//! Connections to the upstream: its name is resolved without the C library, which a static binary does not have, and
//! the end of a connection is told from the end of an answer.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use actix_service::{Service, ServiceExt as _, fn_service};
use actix_tls::connect::{ConnectError, ConnectInfo, Connection, Connector, Resolve, Resolver};
use actix_web::rt::net::{ActixStream, Ready, TcpStream, UnixStream};
use awc::http::Uri;
use bytes::{Buf as _, BytesMut};
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use hickory_resolver::TokioResolver;
use rustls::pki_types::CertificateDer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::answer_head::{self, Head};
use crate::config::{Place, Upstream, UpstreamTls};

/// More than any head, also with interim answers in front of it.
const LONGEST_HEAD: usize = 131_072;
/// Where in a head it stands.
const MINOR_VERSION: usize = "HTTP/1.".len();

/// Opens connections to the upstream for awc: TLS is below what makes their ends strict, because whoever cuts an answer
/// short may well end TLS properly.
pub(super) fn to(
    upstream: &Upstream,
) -> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, Strict<Link>>, Error = ConnectError> + Clone + 'static
{
    let (place, network) = (Rc::new(upstream.place.clone()), Connector::new(resolver()).service());
    fn_service(move |wanted: ConnectInfo<Uri>| {
        let (place, network) = (Rc::clone(&place), network.clone());
        async move {
            let uri = wanted.request().clone();
            let link = match &*place {
                Place::Socket(path) => {
                    Link::Socket(UnixStream::connect(path).await.map_err(ConnectError::Io)?)
                }
                Place::Network(tls) => {
                    let connection: Connection<Uri, TcpStream> = network.call(wanted).await?;
                    let (stream, _) = connection.into_parts();
                    // awc writes head and body apart: the body would wait for the head's receipt.
                    stream.set_nodelay(true).map_err(ConnectError::Io)?;
                    match tls {
                        None => Link::Plain(stream),
                        Some(tls) => {
                            Link::Tls(Box::new(encrypted(tls, stream).await.map_err(ConnectError::Io)?))
                        }
                    }
                }
            };
            Ok(Connection::new(uri, Strict::new(link)))
        }
    })
}

async fn encrypted(tls: &UpstreamTls, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    TlsConnector::from(Arc::clone(&tls.client)).connect(tls.server_name.clone(), stream).await
}

/// The certificate that an upstream with TLS shows; nothing where none can be seen.
pub(crate) async fn certificate(upstream: &Upstream) -> Option<CertificateDer<'static>> {
    let Place::Network(Some(tls)) = &upstream.place else { return None };
    let wanted = ConnectInfo::new(upstream.dialled.parse::<Uri>().ok()?);
    let (stream, _) = Connector::new(resolver()).service().call(wanted).await.ok()?.into_parts();
    let stream = encrypted(tls, stream).await.ok()?;
    stream.get_ref().1.peer_certificates()?.first().cloned()
}

/// Opens TCP connections for awc, which adds TLS itself.
pub(crate) fn connector()
-> impl Service<ConnectInfo<Uri>, Response = Connection<Uri, Strict<TcpStream>>, Error = ConnectError>
+ Clone
+ 'static {
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

/// A connection on which the HTTP client cannot misread an answer: its end is an error, and its head is looked at first.
///
/// awc takes the end of a connection for the end of a chunked answer, also in front of its last chunk: an answer cut
/// short would look whole (RFC 9112, 8: such a message "is incomplete"). `outcome` forgives it where the end of the
/// connection is the only end that an answer has.
#[derive(Debug)]
pub(crate) struct Strict<S> {
    stream: S,
    /// Whether anything ever came.
    has_answered: bool,
    /// Whether the head of an answer comes next.
    awaits_head: bool,
    /// What has come and was not handed on yet: a head that came in pieces or behind others.
    held: BytesMut,
    /// Whether the upstream answered and hung up while something was sent: the rest of that is for nobody.
    hung_up: bool,
}

/// The connection was kept from an earlier request, and ended before a byte of the answer to this one.
#[derive(Debug, thiserror::Error)]
#[error("the connection had been closed")]
struct Stale;

/// Whether a request failed because the connection for it had been closed since the last one.
pub(super) fn was_stale(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Stale>)
}

impl<S> Strict<S> {
    fn new(stream: S) -> Self {
        Self { stream, has_answered: false, awaits_head: false, held: BytesMut::new(), hung_up: false }
    }

    fn fault(&self, error: io::Error) -> io::Error {
        let is_stale = self.has_answered && self.awaits_head && self.held.is_empty();
        if is_stale { io::Error::new(error.kind(), Stale) } else { error }
    }
}

impl<S: AsyncRead + Unpin> Strict<S> {
    /// Reads more. The end of the connection is an error.
    fn poll_more(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = ready!(Pin::new(&mut self.stream).poll_read(cx, buffer));
        let came = buffer.filled().len() > before;
        self.has_answered |= came;
        let read = if came || room == 0 { read } else { read.and(Err(io::ErrorKind::UnexpectedEof.into())) };
        Poll::Ready(read.map_err(|error| self.fault(error)))
    }

    /// Looks for the head of the answer in what came last, behind what is held.
    fn settle(&mut self, buffer: &mut ReadBuf<'_>, before: usize) -> io::Result<()> {
        let last = buffer.filled_mut().get_mut(before..).unwrap_or_default();
        // Mostly it is all there and nothing else is: then it stays where it is.
        if self.held.is_empty() && answer_head::find(last) == Head::Begins(0) {
            self.awaits_head = false;
            return Ok(());
        }
        self.held.extend_from_slice(last);
        buffer.set_filled(before);
        self.settle_held()
    }

    fn settle_held(&mut self) -> io::Result<()> {
        let (start, is_endless) = match answer_head::find(&self.held) {
            Head::Waits if self.held.len() < LONGEST_HEAD => return Ok(()),
            Head::Begins(start) => (start, false),
            Head::BeginsEndless(start) => (start, true),
            Head::Waits | Head::Switches => return Err(io::ErrorKind::InvalidData.into()),
        };
        self.awaits_head = false;
        self.held.advance(start);
        // The HTTP client reads to the end of the connection for HTTP/1.0 alone.
        if is_endless && let Some(minor) = self.held.get_mut(MINOR_VERSION) {
            *minor = b'0';
        }
        Ok(())
    }

    /// Whether an answer came on a connection that takes no more. It is kept for whoever reads next.
    fn poll_early_answer(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        let mut bytes = [0; 1024];
        let mut early = ReadBuf::new(&mut bytes);
        let came = ready!(self.poll_more(cx, &mut early)).is_ok();
        self.held.extend_from_slice(early.filled());
        Poll::Ready(came && self.settle_held().is_ok())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Strict<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.awaits_head && buffer.remaining() > 0 {
            let before = buffer.filled().len();
            ready!(this.poll_more(cx, buffer))?;
            this.settle(buffer, before)?;
            if buffer.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
        }
        if !this.held.is_empty() {
            let length = this.held.len().min(buffer.remaining());
            buffer.put_slice(&this.held.split_to(length));
            return Poll::Ready(Ok(()));
        }
        this.poll_more(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Strict<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.hung_up {
            return Poll::Ready(Ok(bytes.len()));
        }
        this.awaits_head = true;
        let written = ready!(Pin::new(&mut this.stream).poll_write(cx, bytes));
        let Err(error) = written else { return Poll::Ready(written) };
        this.hung_up = ready!(this.poll_early_answer(cx));
        Poll::Ready(if this.hung_up { Ok(bytes.len()) } else { Err(this.fault(error)) })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S: ActixStream> ActixStream for Strict<S> {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_read_ready(&self.stream, cx)
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_write_ready(&self.stream, cx)
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

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::Strict;

    #[tokio::test]
    async fn answers_that_come_byte_by_byte_are_read_as_those_that_come_at_once() {
        let hints = "HTTP/1.1 103 Early Hints\r\n\r\n";
        for room in [1, 4096] {
            for (bytes, read) in [
                ("HTTP/1.1 200 OK\r\n\r\nbody".to_owned(), "HTTP/1.0 200 OK\r\n\r\nbody"),
                (format!("{hints}{hints}HTTP/1.1 200 OK\r\n\r\nbody"), "HTTP/1.0 200 OK\r\n\r\nbody"),
                (
                    format!("{hints}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
                ),
                ("nonsense".to_owned(), "nonsense"),
            ] {
                let (ours, mut theirs) = duplex(room);
                let mut ours = Strict::new(ours);
                ours.write_all(b"?").await.unwrap();
                let mut got = Vec::new();
                let (end, ()) = tokio::join!(ours.read_to_end(&mut got), async {
                    theirs.write_all(bytes.as_bytes()).await.unwrap();
                    theirs.shutdown().await.unwrap();
                });
                assert_eq!(end.unwrap_err().kind(), ErrorKind::UnexpectedEof);
                assert_eq!(String::from_utf8(got).unwrap(), read, "{room} at a time");
            }
        }
    }
}
