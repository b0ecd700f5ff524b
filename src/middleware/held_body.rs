//! Keeps the chunked body of a request until its response has been sent, for responses that start before the body has
//! arrived.
//!
//! The HTTP library (actix-http 3.20) reads the rest of a dropped chunked body to its end, for as long as the client sends,
//! before it closes the connection. A body with `Content-Length` is read for a moment only, so that the response arrives.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::TRANSFER_ENCODING;
use actix_web::{Error, HttpMessage as _};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use pin_project_lite::pin_project;

/// The chunked body of a request; empty for other framings.
pub(super) struct HeldBody {
    _body: Option<Rc<RefCell<Payload>>>,
}

impl HeldBody {
    /// Takes the body of a request, and gives the request a stream of it.
    pub(super) fn take(request: &mut ServiceRequest) -> Self {
        if !request.headers().contains_key(TRANSFER_ENCODING) {
            return Self { _body: None };
        }
        let held = Rc::new(RefCell::new(request.take_payload()));
        let shared = Rc::clone(&held);
        let chunks = stream::poll_fn(move |cx| shared.borrow_mut().poll_next_unpin(cx));
        request.set_payload(Payload::Stream { payload: Box::pin(chunks) });
        Self { _body: Some(held) }
    }

    /// Keeps the body until the response has been sent.
    pub(super) fn hold_until_sent<B: MessageBody + 'static>(
        self,
        result: Result<ServiceResponse<B>, Error>,
    ) -> Result<ServiceResponse<WithHeldBody<B>>, Error> {
        match result {
            Ok(response) => Ok(response.map_body(|_, body| WithHeldBody { body, _held: self })),
            Err(error) => {
                let wrap = |_: &mut _, body| BoxBody::new(WithHeldBody { body, _held: self });
                let response = error.error_response().map_body(wrap);
                Err(InternalError::from_response(error, response).into())
            }
        }
    }
}

pin_project! {
    /// The body of a response, which keeps the body of its request.
    pub struct WithHeldBody<B> {
        #[pin]
        body: B,
        _held: HeldBody,
    }
}

impl<B: MessageBody> MessageBody for WithHeldBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.project().body.poll_next(cx)
    }
}
