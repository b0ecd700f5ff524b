//! The HTTP client of one worker, and the body of a request on its way upstream.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::{BodyStream, SizedStream};
use actix_web::http::header::{self, HeaderMap};
use actix_web::web;
use awc::error::{PayloadError, SendRequestError};
use awc::http::Version;
use awc::{ClientRequest, ClientResponse, Connector};
use bytes::Bytes;
use futures_util::Stream;
use futures_util::TryStreamExt as _;
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
pub(super) fn build(upstream: &Upstream) -> awc::Client {
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

/// The body of a request, framed as it came: awc would make a stream of unknown length of it.
pub(super) enum Upload {
    /// No body.
    None,
    /// As many bytes as the client announced.
    Sized(u64, web::Payload, Rc<Cell<Instant>>),
    /// As many as come.
    Chunked(web::Payload, Rc<Cell<Instant>>),
}

impl Upload {
    /// Notes in `progress` when a piece was last handed on.
    pub(super) fn new(headers: &HeaderMap, body: web::Payload, progress: Rc<Cell<Instant>>) -> Self {
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

fn noting(
    body: web::Payload,
    progress: Rc<Cell<Instant>>,
) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    body.inspect_ok(move |_| progress.set(Instant::now()))
}
