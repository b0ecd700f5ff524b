//! The HTTP client of one worker, and the body of a request on its way upstream.

use std::cell::Cell;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use actix_web::body::{BodyStream, SizedStream};
use actix_web::http::header::{self, HeaderMap};
use actix_web::web;
use awc::error::{PayloadError, SendRequestError};
use awc::http::Version;
use awc::{ClientRequest, ClientResponse, Connector};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use tokio::time::Instant;

use super::connection;
use crate::config::Upstream;

/// What the flag service answered, its body still to come.
pub(super) type Answer = ClientResponse;

/// Connections of one worker that may be under way at once; a request beyond waits for a place.
const CONNECTIONS: usize = 1024;
/// Idle connections are closed before the flag service does it: Node's own limit is 5 s, and a request that is sent
/// just then would be lost.
const IDLE: Duration = Duration::from_secs(4);

/// Awc follows redirects, adds headers of its own and stops reading answers after 5 s unless told.
/// Without its compression features it leaves `Content-Encoding` alone.
pub(crate) fn build(upstream: &Upstream) -> awc::Client {
    let connector = Connector::new()
        .connector(connection::connector())
        .timeout(upstream.connect_timeout)
        .handshake_timeout(upstream.connect_timeout)
        // The h2 release that awc is bound to has a known advisory, and admin traffic gains nothing from it.
        .max_http_version(Version::HTTP_11)
        .limit(CONNECTIONS)
        .conn_keep_alive(IDLE);
    awc::Client::builder()
        .connector(connector)
        .max_http_version(Version::HTTP_11)
        .disable_redirects()
        .disable_timeout()
        .no_default_headers()
        .finish()
}

/// How far a request's body has come, for the clock of the answer.
pub(super) struct Progress {
    last: Cell<Instant>,
    waits_for_client: Cell<bool>,
}

impl Progress {
    pub(super) fn start() -> Rc<Self> {
        Rc::new(Self { last: Cell::new(Instant::now()), waits_for_client: Cell::new(false) })
    }

    /// When a piece was last handed on.
    pub(super) fn last(&self) -> Instant {
        self.last.get()
    }

    /// True while the client owes the next piece: what is late then is not the upstream.
    pub(super) fn waits_for_client(&self) -> bool {
        self.waits_for_client.get()
    }

    fn note<T>(&self, polled: &Poll<T>) {
        self.waits_for_client.set(polled.is_pending());
        if polled.is_ready() {
            self.last.set(Instant::now());
        }
    }
}

/// The body of a request, framed as it came: awc would make a stream of unknown length of it.
pub(super) enum Upload {
    /// No body.
    None,
    /// As many bytes as the client announced.
    Sized(u64, web::Payload, Rc<Progress>),
    /// As many as come.
    Chunked(web::Payload, Rc<Progress>),
}

impl Upload {
    /// Notes in `progress` how far it has come.
    pub(super) fn new(headers: &HeaderMap, body: web::Payload, progress: Rc<Progress>) -> Self {
        let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        match length {
            Some(0) => Self::None,
            Some(length) => Self::Sized(length, body, progress),
            None if headers.contains_key(header::TRANSFER_ENCODING) => Self::Chunked(body, progress),
            None => Self::None,
        }
    }

    pub(super) async fn send(self, request: ClientRequest) -> Result<Answer, SendRequestError> {
        match self {
            Self::None => request.send().await,
            Self::Sized(length, body, progress) => {
                request.send_body(SizedStream::new(length, noting(body, progress))).await
            }
            Self::Chunked(body, progress) => request.send_body(BodyStream::new(noting(body, progress))).await,
        }
    }
}

fn noting(mut body: web::Payload, progress: Rc<Progress>) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    stream::poll_fn(move |cx| {
        let polled = body.poll_next_unpin(cx);
        progress.note(&polled);
        polled
    })
}
