//! The current request of a connection, as known to the HTTP service: how its body is framed, whether its response is
//! still being sent, and whether the connection ends with it.

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_http::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING, UPGRADE};
use actix_http::{ConnectionType, Payload, Request, Response, Version};
use actix_service::{Service, ServiceFactory, apply_fn_factory};
use bytes::Bytes;
use pin_project_lite::pin_project;

use super::boundary::ReceivedFraming;

/// State that the stream of a connection and the HTTP service share.
#[derive(Debug, Default)]
pub(super) struct RequestState {
    framing: Cell<Option<ReceivedFraming>>,
    is_responding: Cell<bool>,
    is_last: Cell<bool>,
    is_cut_off: Cell<bool>,
    is_client_closed: Cell<bool>,
}

impl RequestState {
    /// Takes the framing of the request that was decoded last; `None` if there was none since.
    pub(super) fn take_framing(&self) -> Option<ReceivedFraming> {
        self.framing.take()
    }

    /// Returns true if a request has been decoded and its framing has not been taken yet.
    pub(super) fn has_framing(&self) -> bool {
        self.framing.get().is_some()
    }

    /// Returns true while the response is being created or sent.
    pub(super) fn is_responding(&self) -> bool {
        self.is_responding.get()
    }

    /// Returns true if the connection ends with this response: no further request may be processed (RFC 9112, 9.6).
    pub(super) fn is_last(&self) -> bool {
        self.is_last.get()
    }

    /// Returns true if an incomplete response would look complete, because the end of the connection ends its body.
    pub(super) fn is_cut_off(&self) -> bool {
        self.is_cut_off.get()
    }

    /// Records that the client has closed its side.
    pub(super) fn close_client(&self) {
        self.is_client_closed.set(true);
    }

    /// Returns ready once the client has closed its side. The task of the connection, which reads the end, polls it again.
    pub(super) fn poll_client_closed(&self) -> Poll<()> {
        if self.is_client_closed.get() { Poll::Ready(()) } else { Poll::Pending }
    }

    fn begin(self: &Rc<Self>, request: &mut Request) -> Responding {
        self.framing.set(Some(framing(request)));
        self.is_responding.set(true);
        self.is_last.set(request.head().connection_type() != ConnectionType::KeepAlive);
        Responding { request_state: Rc::clone(self), needs_end: false }
    }
}

/// Marks the response as being created or sent until it is dropped.
#[derive(Debug)]
struct Responding {
    request_state: Rc<RequestState>,
    /// True if the end of the connection ends the body, and the body is not complete yet.
    needs_end: bool,
}

impl Drop for Responding {
    fn drop(&mut self) {
        self.request_state.is_responding.set(false);
        self.request_state.is_cut_off.set(self.needs_end);
    }
}

/// Returns the framing by which the HTTP library reads the body of this request.
fn framing(request: &mut Request) -> ReceivedFraming {
    if matches!(request.payload(), Payload::None) {
        return ReceivedFraming::Empty;
    }
    let headers = &request.head().headers;
    let is_websocket = |value: &str| value.trim().eq_ignore_ascii_case("websocket");
    if headers.contains_key(TRANSFER_ENCODING) {
        return ReceivedFraming::Chunked;
    }
    if headers.get_all(UPGRADE).any(|value| value.to_str().is_ok_and(is_websocket)) {
        return ReceivedFraming::Unbounded;
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length
        .and_then(|length| length.trim().parse().ok())
        .map_or(ReceivedFraming::Unbounded, ReceivedFraming::from_length)
}

/// Wraps the app: updates the state of each connection with its requests, and adapts responses to HTTP/1.0 clients.
pub(super) fn track<S, B>(
    app: S,
) -> impl ServiceFactory<
    Request,
    Config = (),
    Response = Response<TrackedBody<EitherBody<B>>>,
    Error = S::Error,
    InitError = S::InitError,
    Service: Service<Request, Future: 'static> + 'static,
    Future: 'static,
> + 'static
where
    S: ServiceFactory<Request, Config = ()> + 'static,
    S::Response: Into<Response<B>>,
    S::Error: Into<Response<BoxBody>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    apply_fn_factory(app, |mut request: Request, app: &S::Service| {
        let request_state = request.conn_data::<Rc<RequestState>>().cloned().unwrap_or_default();
        let mut responding = request_state.begin(&mut request);
        let version = request.head().version;
        // Boxed: otherwise each connection would keep the memory of this future, also while it is idle or streams.
        let response = Box::pin(app.call(request));
        async move {
            let mut response = match response.await {
                Ok(response) => response.into().map_body(|_, body| EitherBody::left(body)),
                Err(error) => error.into().map_body(|_, body| EitherBody::right(body)),
            };
            let is_unsized = matches!(response.body().size(), BodySize::Stream);
            let head = response.head_mut();
            // The library reuses heads and sets their version when it writes them. Until then it is the version of an earlier
            // response, which may be a reason to close.
            head.version = Version::HTTP_11;
            if version < Version::HTTP_11 && is_unsized {
                // Chunks are unknown to HTTP/1.0: the end of the connection ends the body (RFC 9112, 6.1 and 6.3).
                head.no_chunking(true);
                head.set_connection_type(ConnectionType::Close);
                responding.needs_end = true;
            }
            if request_state.is_last() {
                head.set_connection_type(ConnectionType::Close);
            } else if head.connection_type() == ConnectionType::Close {
                request_state.is_last.set(true);
            }
            let is_endless =
                response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
            Ok(response.map_body(|_, body| TrackedBody { body, responding, is_endless }))
        }
    })
}

pin_project! {
    /// The body of a response, with the mark that it is being sent.
    pub(super) struct TrackedBody<B> {
        #[pin]
        body: B,
        responding: Responding,
        // True for a stream of events, which ends when the client closes its side.
        is_endless: bool,
    }
}

impl<B: MessageBody> MessageBody for TrackedBody<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        let this = self.project();
        let polled = if *this.is_endless && this.responding.request_state.poll_client_closed().is_ready() {
            Poll::Ready(None)
        } else {
            this.body.poll_next(cx)
        };
        if let Poll::Ready(None) = polled {
            this.responding.needs_end = false;
        }
        polled
    }
}
