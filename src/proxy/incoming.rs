//! The body of an answer on its way to the client. One that breaks off or pauses too long ends the client's connection as
//! well: an answer cut short must not look whole.

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

use super::answer::{Body, Read};
use super::pool::Lease;

/// How much is read at once, in bytes.
const READ: usize = 16_384;
/// With less room than this, more is made.
const LEAST_ROOM: usize = 2_048;

/// The body of an answer, whose connection is given back at its end.
pub(super) struct Incoming {
    body: Body,
    size: BodySize,
    /// What came and was not handed on yet.
    came: Bytes,
    room: BytesMut,
    /// Until the end, or the first fault.
    lease: Option<Lease>,
    keeps: bool,
    pause: Option<Pin<Box<Sleep>>>,
}

impl Incoming {
    /// `length` is what the head announces, which `came` with the first of the body.
    pub(super) fn new(body: Body, length: Option<u64>, came: Bytes, lease: Lease, keeps: bool) -> Self {
        let size = length.map_or(BodySize::Stream, BodySize::Sized);
        let mut new =
            Self { body, size, came, room: BytesMut::new(), lease: Some(lease), keeps, pause: None };
        new.end_if_whole();
        new
    }

    /// What the client gets: `response` with this behind it.
    pub(super) fn behind(mut self, response: HttpResponse) -> HttpResponse {
        // Whatever length such an answer names, nothing follows (RFC 9112, 6.3): it would be waited for.
        if matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
            return response;
        }
        match self.whole() {
            Some(whole) => response.set_body(BoxBody::new(whole)),
            None => response.set_body(BoxBody::new(self)),
        }
    }

    /// All of it, where it came with its head.
    fn whole(&mut self) -> Option<Bytes> {
        let Body::Sized(length) = self.body else { return None };
        let bytes = usize::try_from(length).ok().filter(|bytes| *bytes <= self.came.len())?;
        if self.size != BodySize::Sized(length) {
            return None;
        }
        let whole = self.came.split_to(bytes);
        self.body = Body::Sized(0);
        self.end();
        Some(whole)
    }

    fn end_if_whole(&mut self) {
        if self.body == Body::Sized(0) {
            self.end();
        }
    }

    /// What came behind the end was for nobody: nothing that follows could be trusted.
    fn end(&mut self) {
        if let Some(lease) = self.lease.take()
            && self.keeps
            && self.came.is_empty()
        {
            lease.release();
        }
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, PayloadError>> {
        loop {
            match self.body.read(&mut self.came).map_err(|_odd| PayloadError::EncodingCorrupted)? {
                Read::Piece(piece) => {
                    self.end_if_whole();
                    return Poll::Ready(Ok(Some(piece)));
                }
                Read::End => {
                    self.end();
                    return Poll::Ready(Ok(None));
                }
                Read::Waits => {}
            }
            let Some(lease) = &mut self.lease else { return Poll::Ready(Ok(None)) };
            if !self.came.is_empty() {
                self.room = take(&mut self.came).into();
            }
            if self.room.capacity() - self.room.len() < LEAST_ROOM {
                self.room.reserve(READ);
            }
            match ready!(pin!(lease.link.read_buf(&mut self.room)).poll(cx)) {
                Ok(0) if self.body == Body::Endless => return Poll::Ready(Ok(None)),
                // TLS that ends without saying so.
                Err(error) if self.body == Body::Endless && error.kind() == ErrorKind::UnexpectedEof => {
                    return Poll::Ready(Ok(None));
                }
                Ok(0) => return Poll::Ready(Err(PayloadError::Incomplete(None))),
                Ok(_) => self.came = self.room.split().freeze(),
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
    }

    /// Waits for a piece that has not come.
    fn poll_pause(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, PayloadError>> {
        let Some(lease) = &self.lease else { return Poll::Ready(Ok(None)) };
        let limit = lease.idle_timeout();
        let pause = self.pause.get_or_insert_with(|| Box::pin(sleep(limit)));
        pause.as_mut().poll(cx).map(|()| Err(PayloadError::Incomplete(None)))
    }
}

impl MessageBody for Incoming {
    type Error = PayloadError;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, PayloadError>>> {
        let this = self.get_mut();
        let polled = match this.poll_piece(cx) {
            Poll::Ready(polled) => {
                this.pause = None;
                polled
            }
            Poll::Pending => ready!(this.poll_pause(cx)),
        };
        if polled.is_err() {
            this.lease = None;
        }
        Poll::Ready(polled.transpose())
    }
}
