//! The ways in which an adapted request fails.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError as _};

use super::caller::Reply;
use crate::error::ApiError;

/// The reason why an adapted request has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The flag service refused a request. The client gets this response.
    Refused(Box<Reply>),
    /// An error of Flagdeck, or no usable response of the flag service.
    Api(ApiError),
}

impl Failure {
    /// Creates the error for a response that this program does not understand.
    pub(super) fn unexpected(path: &str, fault: &str) -> Self {
        Self::Api(ApiError::UnexpectedResponse { path: path.to_owned(), fault: fault.to_owned() })
    }

    /// Returns true if the flag service responded with this status.
    #[must_use]
    pub(super) fn has_status(&self, status: u16) -> bool {
        matches!(self, Self::Refused(reply) if reply.status == status)
    }

    /// Returns the status of the response for the client.
    #[must_use]
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::Refused(reply) => reply.status,
            Self::Api(error) => error.status_code(),
        }
    }

    /// Returns the response for the client.
    #[must_use]
    pub(super) fn into_response(self) -> HttpResponse {
        match self {
            Self::Refused(reply) => reply.into_response(),
            Self::Api(error) => error.error_response(),
        }
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}
