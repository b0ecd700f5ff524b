//! What every request passes, one concern a file.

pub mod accept;
mod access_log;
pub mod client;
pub(crate) mod compress;
mod count;
pub mod cross_site;
pub mod endpoint_class;
mod guard;
pub mod request_id;
mod response_headers;
mod unread;

use std::rc::Rc;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use self::access_log::Line;

/// What was asked for, and when.
struct Asked {
    at: Instant,
    method: Method,
    uri: Uri,
}

/// Who sent a request is known to all that follows. It is refused in front of every route, and also then answered with
/// our headers, counted, logged and named.
///
/// # Errors
/// Those of the handler, with the same headers.
pub async fn around<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<impl MessageBody + use<B>>, Error> {
    let asked = Asked { at: Instant::now(), method: request.method().clone(), uri: request.uri().clone() };
    let client = Rc::new(client::identify(request.request()));
    let is_https = client.scheme == "https";
    let id = request_id::name(&request, &client)?;
    request.extensions_mut().insert(Rc::clone(&client));
    let counting = count::begin(&request);
    let line = Line::of(asked, client, id.clone());
    request_id::within(id.clone(), async {
        with_headers(guard::check(request, next).await, |status, headers| {
            response_headers::add(headers, is_https);
            if let Some(counting) = counting {
                counting.end(line.asked(), status, headers);
            }
            line.end(status);
            headers.insert(request_id::HEADER, id);
        })
    })
    .await
}

/// Adds to the headers of whatever answer comes: those that another middleware gives arrive as errors.
fn with_headers<B: MessageBody>(
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
