//! The socket of a client, with a write timeout.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::net::{ActixStream, Ready};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::request_state::RequestState;

/// A socket whose writes fail if the client receives nothing for a while. It is reset if a response is incomplete whose
/// body only the end of the connection ends.
///
/// It is below TLS, because TLS buffers bytes, which would look like progress. Without a deadline, a client that stops
/// reading would occupy a connection to the upstream forever.
///
/// The kernel reports progress in steps (see `UNSENT_LIMIT` in the parent module), which makes the deadline a minimum
/// rate as well.
#[derive(Debug)]
pub(super) struct ClientSocket {
    io: TcpStream,
    timeout: Duration,
    /// Runs while a write waits for the client.
    deadline: Option<Pin<Box<Sleep>>>,
    request_state: Rc<RequestState>,
}

impl ClientSocket {
    pub(super) fn new(io: TcpStream, timeout: Duration) -> Self {
        Self { io, timeout, deadline: None, request_state: Rc::default() }
    }

    /// Returns the address of the client.
    pub(super) fn peer(&self) -> Option<SocketAddr> {
        self.io.peer_addr().ok()
    }

    /// Returns the state that the HTTP service shares.
    pub(super) fn request_state(&self) -> Rc<RequestState> {
        Rc::clone(&self.request_state)
    }

    /// Passes the result of a write on, or fails if writes have been waiting for too long.
    fn check<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.timeout)));
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for ClientSocket {
    fn drop(&mut self) {
        if self.request_state.is_cut_off() {
            // Resets the connection. If that fails, the client has already disconnected.
            drop(SockRef::from(&self.io).set_linger(Some(Duration::ZERO)));
        }
    }
}

impl AsyncRead for ClientSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_read(cx, buffer)
    }
}

impl AsyncWrite for ClientSocket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.io).poll_write(cx, bytes);
        this.check(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.io).poll_write_vectored(cx, bytes);
        this.check(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// Without a deadline, because a socket has nothing to flush.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(cx)
    }
}

impl ActixStream for ClientSocket {
    fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_read_ready(&self.io, cx)
    }

    fn poll_write_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_write_ready(&self.io, cx)
    }
}
