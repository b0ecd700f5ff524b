//! One request and the head of its answer on a connection to the upstream. What is sent and what comes are looked at
//! together, so that an answer is heard that does not wait for the end of the request.
//!
//! awc, by which everything else is asked, would cost a small request as much as all that the rules want of it: it starts
//! a clock for each.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::{MaybeUninit, take};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::HttpResponse;
use actix_web::error::ParseError;
use actix_web::http::Method;
use awc::error::SendRequestError;
use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};

use super::answer::Head;
use super::connection::Link;
use super::incoming::Incoming;
use super::pool::Lease;
use super::upload::{Framing, Pieces, Upload};

/// In bytes, of a head that is sent.
const USUAL_HEAD: usize = 1_024;
/// How much of a body may wait to be sent before more of it is taken.
const MOST_WAITING: usize = 32_768;
/// How many pieces are written at once.
const MOST_SLICES: usize = 16;
/// How much is read at once while a head is waited for, so that small answers come whole.
const FIRST_READ: usize = 8_192;

/// The connection was kept from an earlier request, and ended before a byte of the answer to this one.
#[derive(Debug, thiserror::Error)]
#[error("the connection had been closed")]
struct Stale;

/// Whether a request failed because the connection for it had been closed since the last one.
pub(super) fn was_stale(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Stale>)
}

/// Begins the head of a request.
pub(super) fn first_line(method: &Method, target: &str) -> Vec<u8> {
    let mut head = Vec::with_capacity(USUAL_HEAD);
    for piece in [method.as_str(), " ", target, " HTTP/1.1\r\n"] {
        head.extend_from_slice(piece.as_bytes());
    }
    head
}

/// Ends it.
pub(super) fn end_head(head: &mut Vec<u8>, method: &Method, framing: Framing) {
    match framing {
        Framing::Sized(length) => {
            head.extend_from_slice(format!("content-length: {length}\r\n").as_bytes());
        }
        Framing::Chunked => head.extend_from_slice(b"transfer-encoding: chunked\r\n"),
        // Where a body would mean something, that there is none is said (RFC 9110, 8.6).
        Framing::None if matches!(*method, Method::POST | Method::PUT | Method::PATCH) => {
            head.extend_from_slice(b"content-length: 0\r\n");
        }
        Framing::None => {}
    }
    head.extend_from_slice(b"\r\n");
}

/// Sends a request and waits for the head of its answer, whose body is still to come.
///
/// # Errors
/// When there is none that could be read, or the client's body is at fault.
pub(super) async fn exchange(
    mut lease: Lease,
    method: &Method,
    head: Bytes,
    upload: &Upload,
) -> Result<HttpResponse, SendRequestError> {
    let mut outgoing = Outgoing::new(head, upload);
    let mut room = BytesMut::new();
    let mut is_sent = false;
    let answer = poll_fn(|cx| {
        is_sent = outgoing.poll(&mut lease.link, cx)?.is_ready();
        let head = ready!(poll_head(&mut lease.link, &mut room, method, cx));
        Poll::Ready(head.map_err(|error| outgoing.fault(error, lease.is_kept && room.is_empty())))
    });
    let (Head { response, length, body, keeps }, came) = answer.await?;
    outgoing.is_for_nobody |= !is_sent;
    poll_fn(|cx| outgoing.poll(&mut lease.link, cx)).await?;
    lease.end_upload();
    let keeps = keeps && !outgoing.is_for_nobody;
    Ok(Incoming::new(body, length, came, lease, keeps).behind(response))
}

/// The head, and what came behind it.
fn poll_head(
    link: &mut Link,
    room: &mut BytesMut,
    method: &Method,
    cx: &mut Context<'_>,
) -> Poll<Result<(Head, Bytes), ParseError>> {
    loop {
        // On the stack, because most of the time nothing has come yet.
        let mut space = [const { MaybeUninit::uninit() }; FIRST_READ];
        let mut read = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut *link).poll_read(cx, &mut read))?;
        if read.filled().is_empty() {
            return Poll::Ready(Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()));
        }
        room.extend_from_slice(read.filled());
        let came = take(room).freeze();
        let read = Head::read(&came, method);
        if let Ok(Some((head, end))) = read {
            return Poll::Ready(Ok((head, came.slice(end..))));
        }
        *room = came.into();
        read?;
    }
}

/// A request on its way.
struct Outgoing {
    waiting: VecDeque<Bytes>,
    /// What follows.
    pieces: Option<Pieces>,
    framing: Framing,
    /// Whether the upstream has answered or hung up: the rest is taken from the client, which would miss the answer if
    /// it were not heard out, and goes nowhere.
    is_for_nobody: bool,
    fault: Option<io::Error>,
}

impl Outgoing {
    fn new(head: Bytes, upload: &Upload) -> Self {
        Self {
            waiting: [head].into(),
            pieces: (!upload.is_none()).then(|| upload.pieces()),
            framing: upload.framing(),
            is_for_nobody: false,
            fault: None,
        }
    }

    /// Sends what there is, until there is no more.
    fn poll(&mut self, link: &mut Link, cx: &mut Context<'_>) -> Poll<Result<(), SendRequestError>> {
        loop {
            let taken = self.poll_take(cx);
            if !self.is_for_nobody
                && let Err(fault) = ready!(self.poll_write(link, cx))
            {
                self.fault = Some(fault);
                self.is_for_nobody = true;
            }
            self.waiting.clear();
            if ready!(taken)? {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Takes what the client has sent of the body, as much as may wait here; whether that was its end.
    fn poll_take(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, SendRequestError>> {
        let Some(pieces) = &mut self.pieces else { return Poll::Ready(Ok(true)) };
        let is_chunked = self.framing == Framing::Chunked;
        while self.waiting.iter().map(Bytes::len).sum::<usize>() < MOST_WAITING {
            let Some(piece) = ready!(pieces.poll_next_unpin(cx)) else {
                self.waiting.extend(is_chunked.then_some(Bytes::from_static(b"0\r\n\r\n")));
                self.pieces = None;
                return Poll::Ready(Ok(true));
            };
            let piece = piece.map_err(|error| SendRequestError::Body(error.into()))?;
            if piece.is_empty() {
                // As a chunk it would be the last.
            } else if is_chunked {
                let line = format!("{:x}\r\n", piece.len()).into();
                self.waiting.extend([line, piece, Bytes::from_static(b"\r\n")]);
            } else {
                self.waiting.push_back(piece);
            }
        }
        Poll::Ready(Ok(false))
    }

    fn poll_write(&mut self, link: &mut Link, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.waiting.is_empty() {
            let mut written = ready!(self.poll_write_some(Pin::new(&mut *link), cx))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            while let Some(bytes) = self.waiting.front_mut() {
                let length = written.min(bytes.len());
                bytes.advance(length);
                written -= length;
                if !bytes.is_empty() {
                    break;
                }
                self.waiting.pop_front();
            }
        }
        Pin::new(link).poll_flush(cx)
    }

    fn poll_write_some(&self, link: Pin<&mut Link>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let (1, Some(bytes)) = (self.waiting.len(), self.waiting.front()) {
            return link.poll_write(cx, bytes);
        }
        let mut slices = [IoSlice::new(&[]); MOST_SLICES];
        for (slice, bytes) in slices.iter_mut().zip(&self.waiting) {
            *slice = IoSlice::new(bytes);
        }
        link.poll_write_vectored(cx, slices.get(..self.waiting.len()).unwrap_or(&slices))
    }

    /// What to say of an answer that did not come.
    fn fault(&mut self, error: ParseError, is_stale: bool) -> SendRequestError {
        let marked = |error: io::Error| if is_stale { io::Error::new(error.kind(), Stale) } else { error };
        match (self.fault.take(), error) {
            (Some(fault), _) => SendRequestError::Send(marked(fault)),
            (None, ParseError::Io(error)) => ParseError::Io(marked(error)).into(),
            (None, error) => error.into(),
        }
    }
}
