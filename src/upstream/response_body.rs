//! Streams the body of a response to the client.
//!
//! If the body ends early or pauses too long, the client's connection is closed as well, so that a truncated response
//! never looks complete.

use std::future::Future as _;
use std::io::ErrorKind;
use std::mem::take;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::error::PayloadError;
use actix_web::http::StatusCode;
use bytes::{Bytes, BytesMut};
use tokio::io::AsyncReadExt as _;
use tokio::time::{Sleep, sleep};

use super::pool::Lease;
use super::response::{Decoded, RemainingBody};

/// Bytes that are read at once.
const READ_SIZE: usize = 16_384;
/// The read buffer grows if it has less free capacity than this, in bytes.
const MIN_CAPACITY: usize = 2_048;

/// The body of an upstream response. Its connection returns to the pool at the end of the body.
pub(super) struct ResponseBody {
    body: RemainingBody,
    size: BodySize,
    /// Bytes that have been read and not passed on.
    buffered: Bytes,
    read_buffer: BytesMut,
    /// The connection, until the end of the body or the first error.
    lease: Option<Lease>,
    is_reusable: bool,
    idle_timer: Option<Pin<Box<Sleep>>>,
}

impl ResponseBody {
    /// `length` is the length that the head announces; `buffered` holds the bytes that arrived with the head.
    pub(super) fn new(
        body: RemainingBody,
        length: Option<u64>,
        buffered: Bytes,
        lease: Lease,
        is_reusable: bool,
    ) -> Self {
        let size = length.map_or(BodySize::Stream, BodySize::Sized);
        let mut new = Self {
            body,
            size,
            buffered,
            read_buffer: BytesMut::new(),
            lease: Some(lease),
            is_reusable,
            idle_timer: None,
        };
        new.finish_if_complete();
        new
    }

    /// Returns the response with this body.
    pub(super) fn attach_to(mut self, response: HttpResponse) -> HttpResponse {
        // RFC 9112, 6.3: such a response has no body, whatever length it announces. The client would wait for one.
        if matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
            return response;
        }
        match self.take_complete() {
            Some(complete) => response.set_body(BoxBody::new(complete)),
            None => response.set_body(BoxBody::new(self)),
        }
    }

    /// Takes the whole body, if it arrived with the head.
    fn take_complete(&mut self) -> Option<Bytes> {
        let RemainingBody::Sized(length) = self.body else { return None };
        let bytes = usize::try_from(length).ok().filter(|bytes| *bytes <= self.buffered.len())?;
        if self.size != BodySize::Sized(length) {
            return None;
        }
        let complete = self.buffered.split_to(bytes);
        self.body = RemainingBody::Sized(0);
        self.finish();
        Some(complete)
    }

    fn finish_if_complete(&mut self) {
        if self.body == RemainingBody::Sized(0) {
            self.finish();
        }
    }

    /// Returns the connection to the pool, unless unexpected bytes follow the body: they would be read as the next
    /// response.
    fn finish(&mut self) {
        if let Some(lease) = self.lease.take()
            && self.is_reusable
            && self.buffered.is_empty()
        {
            lease.release();
        }
    }

    fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, PayloadError>> {
        loop {
            match self.body.decode(&mut self.buffered).map_err(|_odd| PayloadError::EncodingCorrupted)? {
                Decoded::Data(data) => {
                    self.finish_if_complete();
                    return Poll::Ready(Ok(Some(data)));
                }
                Decoded::End => {
                    self.finish();
                    return Poll::Ready(Ok(None));
                }
                Decoded::Incomplete => {}
            }
            let Some(lease) = &mut self.lease else { return Poll::Ready(Ok(None)) };
            if !self.buffered.is_empty() {
                self.read_buffer = take(&mut self.buffered).into();
            }
            if self.read_buffer.capacity() - self.read_buffer.len() < MIN_CAPACITY {
                self.read_buffer.reserve(READ_SIZE);
            }
            match ready!(pin!(lease.stream.read_buf(&mut self.read_buffer)).poll(cx)) {
                Ok(0) if self.body == RemainingBody::UntilClose => return Poll::Ready(Ok(None)),
                // A TLS connection that was closed without `close_notify`.
                Err(error)
                    if self.body == RemainingBody::UntilClose && error.kind() == ErrorKind::UnexpectedEof =>
                {
                    return Poll::Ready(Ok(None));
                }
                Ok(0) => return Poll::Ready(Err(PayloadError::Incomplete(None))),
                Ok(_) => self.buffered = self.read_buffer.split().freeze(),
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
    }

    /// Fails when the upstream pauses for longer than the idle timeout.
    fn poll_idle_timeout(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, PayloadError>> {
        let Some(lease) = &self.lease else { return Poll::Ready(Ok(None)) };
        let limit = lease.idle_timeout();
        let timer = self.idle_timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        timer.as_mut().poll(cx).map(|()| Err(PayloadError::Incomplete(None)))
    }
}

impl MessageBody for ResponseBody {
    type Error = PayloadError;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let this = self.get_mut();
        let polled = match this.poll_data(cx) {
            Poll::Ready(polled) => {
                this.idle_timer = None;
                polled
            }
            Poll::Pending => ready!(this.poll_idle_timeout(cx)),
        };
        if polled.is_err() {
            this.lease = None;
        }
        Poll::Ready(polled.transpose())
    }
}
