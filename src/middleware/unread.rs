//! The end of connections on which a request was answered before its body had come.
//!
//! Of a body that tells its length, the server reads what it can get for a moment and ends the connection, so that the
//! answer arrives. A chunked one that was given up it would read to its end, for as long as the client likes: so it is
//! not given up before the answer has ended.

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

/// What may be left of a chunked body.
pub(super) struct Unread {
    _body: Option<Rc<RefCell<Payload>>>,
}

impl Unread {
    /// Holds on to the body of a request that is to be answered.
    pub(super) fn of(request: &mut ServiceRequest) -> Self {
        if !request.headers().contains_key(TRANSFER_ENCODING) {
            return Self { _body: None };
        }
        let held = Rc::new(RefCell::new(request.take_payload()));
        let read = Rc::clone(&held);
        let pieces = stream::poll_fn(move |cx| read.borrow_mut().poll_next_unpin(cx));
        request.set_payload(Payload::Stream { payload: Box::pin(pieces) });
        Self { _body: Some(held) }
    }

    /// Does so until the answer has ended.
    pub(super) fn until_end<B: MessageBody + 'static>(
        self,
        answered: Result<ServiceResponse<B>, Error>,
    ) -> Result<ServiceResponse<Answer<B>>, Error> {
        match answered {
            Ok(response) => Ok(response.map_body(|_, body| Answer { body, _unread: self })),
            Err(error) => {
                let answer = |_: &mut _, body| BoxBody::new(Answer { body, _unread: self });
                let response = error.error_response().map_body(answer);
                Err(InternalError::from_response(error, response).into())
            }
        }
    }
}

pin_project! {
    /// The body of an answer, with that of its request.
    pub struct Answer<B> {
        #[pin]
        body: B,
        _unread: Unread,
    }
}

impl<B: MessageBody> MessageBody for Answer<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.project().body.poll_next(cx)
    }
}
