//! Sends a request on a connection to the upstream and reads the head of the response (HTTP/1.1, RFC 9112).
//!
//! Writing and reading run concurrently, so that a response that arrives before the end of the request is not missed.
//!
//! awc 3.11 is not used here. It returns an interim response (1xx) as the final one, and leaves the final response on the
//! connection: actix-web issue #1775, of which only 100 after `Expect` is fixed. It also does not report whether a byte of
//! the response has arrived, which decides about a retry.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::{MaybeUninit, take};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::HttpResponse;
use actix_web::error::ParseError;
use actix_web::http::Method;
use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use tokio::io::{AsyncRead as _, AsyncWrite as _, ReadBuf};

use super::connector::UpstreamStream;
use super::error::ExchangeError;
use super::pool::Lease;
use super::request_body::{BodyStream, Framing, RequestBody};
use super::response::Head;
use super::response_body::ResponseBody;

/// Initial capacity of a request head, in bytes.
const HEAD_CAPACITY: usize = 1_024;
/// Bytes of a body that may be queued for sending before more are read from the client.
const MAX_QUEUED: usize = 32_768;
/// Maximum number of buffers in one vectored write.
const MAX_SLICES: usize = 16;
/// Bytes that are read at once while waiting for a head. Small responses arrive completely in one read.
const HEAD_READ_SIZE: usize = 8_192;

/// Writes the request line.
pub(crate) fn start_head(method: &Method, target: &str) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD_CAPACITY);
    for part in [method.as_str(), " ", target, " HTTP/1.1\r\n"] {
        head.extend_from_slice(part.as_bytes());
    }
    head
}

/// Writes the framing headers and the empty line.
pub(crate) fn finish_head(head: &mut Vec<u8>, method: &Method, framing: Framing) {
    match framing {
        Framing::Sized(length) => {
            head.extend_from_slice(format!("content-length: {length}\r\n").as_bytes());
        }
        Framing::Chunked => head.extend_from_slice(b"transfer-encoding: chunked\r\n"),
        // RFC 9110, 8.6: methods that define a meaning for a body announce that there is none.
        Framing::None if matches!(*method, Method::POST | Method::PUT | Method::PATCH) => {
            head.extend_from_slice(b"content-length: 0\r\n");
        }
        Framing::None => {}
    }
    head.extend_from_slice(b"\r\n");
}

/// Sends a request and waits for the head of the response. The returned response streams its body.
pub(super) async fn exchange(
    mut lease: Lease,
    method: &Method,
    head: Bytes,
    body: &RequestBody,
) -> Result<HttpResponse, ExchangeError> {
    let mut writer = RequestWriter::new(head, body);
    let mut buffer = BytesMut::new();
    let mut is_sent = false;
    let head = poll_fn(|cx| {
        is_sent = writer.poll_send(&mut lease.stream, cx)?.is_ready();
        let head = ready!(poll_head(&mut lease.stream, &mut buffer, method, cx));
        Poll::Ready(head.map_err(|error| writer.classify(error, lease.is_reused && buffer.is_empty())))
    });
    let (Head { response, length, body, is_reusable }, received) = head.await?;
    writer.is_discarding |= !is_sent;
    poll_fn(|cx| writer.poll_send(&mut lease.stream, cx)).await?;
    lease.end_upload();
    let is_reusable = is_reusable && !writer.is_discarding;
    Ok(ResponseBody::new(body, length, received, lease, is_reusable).attach_to(response))
}

/// Reads until the head is complete. Returns it with the bytes that follow it.
fn poll_head(
    stream: &mut UpstreamStream,
    buffer: &mut BytesMut,
    method: &Method,
    cx: &mut Context<'_>,
) -> Poll<Result<(Head, Bytes), ParseError>> {
    loop {
        // On the stack, because most polls read nothing.
        let mut space = [const { MaybeUninit::uninit() }; HEAD_READ_SIZE];
        let mut read = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut *stream).poll_read(cx, &mut read))?;
        if read.filled().is_empty() {
            return Poll::Ready(Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()));
        }
        buffer.extend_from_slice(read.filled());
        let received = take(buffer).freeze();
        let read = Head::parse(&received, method);
        if let Ok(Some((head, end))) = read {
            return Poll::Ready(Ok((head, received.slice(end..))));
        }
        *buffer = received.into();
        read?;
    }
}

/// Writes a request to the upstream while its body arrives from the client.
struct RequestWriter {
    queue: VecDeque<Bytes>,
    /// The rest of the body.
    body: Option<BodyStream>,
    framing: Framing,
    /// True once the upstream has responded or closed the connection. The rest of the body is then read and dropped,
    /// because a client that is cut off while it sends might not read the response.
    is_discarding: bool,
    write_error: Option<io::Error>,
}

impl RequestWriter {
    fn new(head: Bytes, body: &RequestBody) -> Self {
        Self {
            queue: [head].into(),
            body: (!body.is_empty()).then(|| body.stream()),
            framing: body.framing(),
            is_discarding: false,
            write_error: None,
        }
    }

    /// Sends the head and the body. Ready once everything has been sent or dropped.
    fn poll_send(
        &mut self,
        stream: &mut UpstreamStream,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), ExchangeError>> {
        loop {
            let body_end = self.poll_read_body(cx);
            if !self.is_discarding
                && let Err(error) = ready!(self.poll_write(stream, cx))
            {
                self.write_error = Some(error);
                self.is_discarding = true;
            }
            self.queue.clear();
            if ready!(body_end)? {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Queues body data up to [`MAX_QUEUED`]. Returns true at the end of the body.
    fn poll_read_body(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, ExchangeError>> {
        let Some(body) = &mut self.body else { return Poll::Ready(Ok(true)) };
        let is_chunked = self.framing == Framing::Chunked;
        while self.queue.iter().map(Bytes::len).sum::<usize>() < MAX_QUEUED {
            let Some(chunk) = ready!(body.poll_next_unpin(cx)) else {
                self.queue.extend(is_chunked.then_some(Bytes::from_static(b"0\r\n\r\n")));
                self.body = None;
                return Poll::Ready(Ok(true));
            };
            let chunk = chunk.map_err(ExchangeError::ClientBody)?;
            if chunk.is_empty() {
                // An empty chunk would end a chunked body.
            } else if is_chunked {
                let line = format!("{:x}\r\n", chunk.len()).into();
                self.queue.extend([line, chunk, Bytes::from_static(b"\r\n")]);
            } else {
                self.queue.push_back(chunk);
            }
        }
        Poll::Ready(Ok(false))
    }

    fn poll_write(&mut self, stream: &mut UpstreamStream, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.queue.is_empty() {
            let mut written = ready!(self.poll_write_some(Pin::new(&mut *stream), cx))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            while let Some(bytes) = self.queue.front_mut() {
                let length = written.min(bytes.len());
                bytes.advance(length);
                written -= length;
                if !bytes.is_empty() {
                    break;
                }
                self.queue.pop_front();
            }
        }
        Pin::new(stream).poll_flush(cx)
    }

    fn poll_write_some(
        &self,
        stream: Pin<&mut UpstreamStream>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let (1, Some(bytes)) = (self.queue.len(), self.queue.front()) {
            return stream.poll_write(cx, bytes);
        }
        let mut slices = [IoSlice::new(&[]); MAX_SLICES];
        for (slice, bytes) in slices.iter_mut().zip(&self.queue) {
            *slice = IoSlice::new(bytes);
        }
        stream.poll_write_vectored(cx, slices.get(..self.queue.len()).unwrap_or(&slices))
    }

    /// Classifies the failure of a response that did not arrive. An earlier write error is the cause.
    fn classify(&mut self, error: ParseError, is_stale: bool) -> ExchangeError {
        match (self.write_error.take(), error) {
            (Some(error), _) | (None, ParseError::Io(error)) if is_stale => {
                ExchangeError::StaleConnection(error)
            }
            (Some(error), _) => ExchangeError::Send(error),
            (None, error) => ExchangeError::Response(error),
        }
    }
}
