//! The ways in which an adapted request fails.

use std::sync::Arc;

use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError as _};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::reply::Reply;
use crate::error::{ApiError, DomainError};

/// The reason why an adapted request has no result. Several requests can wait for the same result, and then fail for the
/// same reason.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// The flag service refused a request. The client gets this response.
    Refused(Box<Reply>),
    /// An error of Flagdeck, or no usable response of the flag service.
    Api(Arc<ApiError>),
}

impl Reply {
    /// Parses the body.
    pub(super) fn parse<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        serde_json::from_slice(&self.body).map_err(|error| Failure::unexpected(path, &error.to_string()))
    }
}

impl From<Failure> for actix_web::Error {
    fn from(failure: Failure) -> Self {
        let message = failure.message();
        InternalError::from_response(message, failure.into_response()).into()
    }
}

impl Failure {
    /// Creates the error for a response that this program does not understand.
    pub(super) fn unexpected(path: &str, fault: &str) -> Self {
        ApiError::UnexpectedResponse { path: path.to_owned(), fault: fault.to_owned() }.into()
    }

    /// Returns true if the flag service responded with this status.
    #[must_use]
    pub(super) fn has_status(&self, status: u16) -> bool {
        matches!(self, Self::Refused(reply) if reply.status == status)
    }

    /// Returns true for a page instead of JSON: a sign-in in front of the flag service has responded.
    #[must_use]
    pub(super) fn is_page(&self) -> bool {
        matches!(self, Self::Refused(reply) if reply.status.is_success())
    }

    /// Returns true if the flag service has decided that the user may not send the request. Limits of the number of requests and
    /// errors of the server decide nothing.
    #[must_use]
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(reply) if !is_rate_limit(reply) && !reply.status.is_server_error())
    }

    /// Returns true if the flag service does not respond, or reports a fault of its own.
    #[must_use]
    pub(super) fn is_outage(&self) -> bool {
        !self.is_refusal() && !matches!(self, Self::Refused(reply) if is_rate_limit(reply))
    }

    /// Returns true if the user cannot see the requested item: it does not exist, or only other users may read it.
    #[must_use]
    pub(super) fn is_not_visible(&self) -> bool {
        self.has_status(403) || self.has_status(404)
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

    /// Returns true if the flag service refused the request because of the state of the data, and not for lack of a
    /// permission. Both responses have the status 403.
    #[must_use]
    pub(super) fn is_invalid_operation(&self) -> bool {
        let Self::Refused(reply) = self else { return false };
        let body = serde_json::from_slice::<Refusal>(&reply.body).unwrap_or_default();
        reply.status == StatusCode::FORBIDDEN && body.name.as_deref() == Some("InvalidOperationError")
    }

    /// Returns the reason as a text for users.
    #[must_use]
    pub(super) fn message(&self) -> String {
        match self {
            Self::Api(error) => error.to_string(),
            Self::Refused(reply) => serde_json::from_slice::<Refusal>(&reply.body)
                .ok()
                .and_then(Refusal::into_message)
                .unwrap_or_else(|| reply.status.to_string()),
        }
    }
}

fn is_rate_limit(reply: &Reply) -> bool {
    reply.status == StatusCode::TOO_MANY_REQUESTS
}

/// The body of a refusal. Versions and kinds of errors use different properties for the text.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    name: Option<String>,
    message: Option<String>,
    details: Vec<RefusalDetail>,
    validation: Vec<RefusalDetail>,
    error: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RefusalDetail {
    message: Option<String>,
    /// Position in the request, such as `.body.constraints[0].operator`. Texts of newer versions contain it.
    data_path: Option<String>,
}

impl Refusal {
    fn into_message(self) -> Option<String> {
        let mut details = self.details.into_iter().chain(self.validation);
        details.find_map(RefusalDetail::into_message).or(self.message).or(self.error)
    }
}

impl RefusalDetail {
    fn into_message(self) -> Option<String> {
        let message = self.message?;
        let path = self.data_path.as_deref().and_then(|path| path.strip_prefix(".body."));
        Some(path.map_or(message.clone(), |path| format!("{path} {message}")))
    }
}

/// Creates the error for a change of which at least a part is stored, because the flag service then refused the session.
pub(super) fn session_ended() -> ApiError {
    let message = "The change is stored, or a part of it. Then the flag service ended your session. Sign in again, and check what \
                   is stored";
    DomainError::new("half_saved", StatusCode::BAD_GATEWAY, message).into()
}

/// Creates the error for an operation that this server does not have. The reason is one sentence.
pub(super) fn unsupported(reason: &'static str) -> ApiError {
    DomainError::new("unsupported_by_server", StatusCode::NOT_IMPLEMENTED, reason).into()
}

/// Creates the error for a flag service with environments of this version, whose API this program does not convert.
pub(super) fn unsupported_version(version: &str) -> ApiError {
    let message = format!(
        "The flag service has environments and reports version {version}, which Flagdeck does not support. It supports Unleash \
         3.10 to 4.2 without environments, and 5 to 8.2. Upgrade the flag service"
    );
    DomainError::new("unsupported_version", StatusCode::NOT_IMPLEMENTED, message).into()
}

/// Creates the error for data that this server does not report. The reason is one sentence. Consoles treat the status like
/// the status of a missing endpoint.
pub(super) fn not_reported(reason: &'static str) -> ApiError {
    DomainError::new("not_reported", StatusCode::GONE, reason).into()
}

/// Creates the error for an operation that this server allows for administrators only. The reason is one sentence.
pub(super) fn admin_only(reason: &'static str) -> ApiError {
    DomainError::new("admin_only", StatusCode::FORBIDDEN, reason).into()
}

/// Creates the error for a toggle that has changed since the client read it. Nothing was written.
pub(super) fn toggle_changed() -> ApiError {
    let message = "The toggle has changed since you opened it. Read it again, and repeat the change";
    DomainError::new("toggle_changed", StatusCode::PRECONDITION_FAILED, message).into()
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Api(Arc::new(error))
    }
}
