//! What every request passes, one concern a file.

pub mod access_log;
pub mod client;
pub mod count;
pub mod cross_site;
pub mod guard;
pub mod request_id;
pub mod response_headers;
pub mod unread;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::ServiceResponse;
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;

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
