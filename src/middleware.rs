//! Middleware that applies to every request: guard, access log, metrics, request id and response headers.

pub mod accept;
mod access_log;
pub mod client;
pub(crate) mod compress;
pub mod cross_site;
pub mod endpoint_class;
mod guard;
mod held_body;
pub mod request_id;
mod request_metrics;
mod response_headers;

use std::rc::Rc;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use self::access_log::LogEntry;

/// Method, URI and start time of a request, for the access log and the metrics.
struct RequestStart {
    time: Instant,
    method: Method,
    uri: Uri,
}

/// Applies all middleware to a request. Responses of the guard get the same headers, metrics and log entry as those of
/// handlers.
///
/// # Errors
/// Those of the handler, with the same headers.
pub async fn apply<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<impl MessageBody + use<B>>, Error> {
    let start =
        RequestStart { time: Instant::now(), method: request.method().clone(), uri: request.uri().clone() };
    let client = Rc::new(client::identify(request.request()));
    let is_https = client.scheme == "https";
    let id = request_id::assign(&request, &client)?;
    request.extensions_mut().insert(Rc::clone(&client));
    let metrics = request_metrics::start(&request);
    let log_entry = LogEntry::new(start, client, id.clone());
    request_id::scope(id.clone(), async {
        change_headers(guard::check(request, next).await, |status, headers| {
            response_headers::add(headers, is_https);
            if let Some(metrics) = metrics {
                metrics.finish(log_entry.request(), status, headers);
            }
            log_entry.finish(status);
            headers.insert(request_id::HEADER, id);
        })
    })
    .await
}

/// Changes the headers of a response. Other middleware may return its response as an error.
fn change_headers<B: MessageBody>(
    result: Result<ServiceResponse<B>, Error>,
    change: impl FnOnce(StatusCode, &mut HeaderMap),
) -> Result<ServiceResponse<B>, Error> {
    match result {
        Ok(mut response) => {
            change(response.status(), response.headers_mut());
            Ok(response)
        }
        Err(error) => {
            let mut response = error.error_response();
            change(response.status(), response.headers_mut());
            Err(InternalError::from_response(error, response).into())
        }
    }
}
