//! The errors of HTTP handlers: each has a code, a status, a responsible party and a message.
//!
//! An error of one domain is a [`DomainError`], which the domain creates next to the rule that it states. [`ApiError`] has a
//! variant only for errors that several domains return or that callers distinguish. Start-up errors have their own types
//! (`config.rs`, `app.rs`).

mod detail;
mod refusals;
mod response;
mod sign_in;
mod storage_fault;

use std::borrow::Cow;

use actix_web::http::StatusCode;
use serde_json::{Map, Value};

pub use self::detail::Detail;
pub(crate) use self::detail::label_of;
pub(crate) use self::refusals::refusals;
pub use self::response::ERROR_HEADER;
pub use self::sign_in::{AuthDetails, AuthOption};
pub use self::storage_fault::StorageFault;
use crate::config::Permission;

/// The reasons why a request fails.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The request has invalid values. Never empty.
    #[error("{}", .0.first().map_or("The request is not valid", |detail| detail.message.as_str()))]
    Invalid(Vec<Detail>),
    /// Another item has this name already.
    #[error("{0}")]
    NameTaken(String),
    /// The toggle has this tag already.
    #[error("{0}")]
    AlreadyTagged(String),
    /// The change conflicts with other data.
    #[error("{0}")]
    Conflict(String),
    /// The item is built in and cannot be changed.
    #[error("{0}")]
    BuiltIn(String),
    /// The user must sign in, in the way that the details describe.
    #[error("{}", .0.message.as_deref().unwrap_or("Sign in first"))]
    SignIn(Box<AuthDetails>),
    /// The client library sent no token or an unknown one.
    #[error(
        "Client libraries must send a token in the header Authorization; `flagdeck token add` creates one"
    )]
    TokenNeeded,
    /// The token is for browsers and phones, which must not receive definitions.
    #[error(
        "Frontend tokens cannot read toggle definitions. A server needs a client token; `flagdeck token add` creates one"
    )]
    FrontendToken,
    /// The user lacks a permission.
    #[error("You need the permission {0} for this")]
    Forbidden(Permission),
    /// The named item does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The body cannot be parsed.
    #[error("{0}")]
    BadBody(String),
    /// The content type is not exactly `application/json`. It is required also for changes without a body, because a
    /// browser then needs a CORS preflight for requests of other sites.
    #[error("Content-Type must be application/json")]
    UnsupportedMediaType,
    /// No endpoint has this path.
    #[error("There is no endpoint at {0}")]
    UnknownPath(String),
    /// The upstream's response cannot be understood.
    #[error(
        "The flag service sent an unexpected response to {path}: {fault}. This version of it may not be supported"
    )]
    UnexpectedResponse {
        /// Path of the request.
        path: String,
        /// Description of the fault, as the end of a sentence.
        fault: String,
    },
    /// The condition `If-Match` of a change does not hold. Nothing was written.
    #[error("{0}")]
    PreconditionFailed(FailedCondition),
    /// The database cannot be used. Changes were not written, not even in part.
    #[error("{}", .0.as_sentence())]
    Storage(StorageFault),
    /// An error that belongs to one domain.
    #[error("{}", .0.message)]
    Domain(Box<DomainError>),
    /// An unexpected error in this program. The cause is logged, and clients do not see it.
    #[error("Internal error in Flagdeck; the cause is in its log")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The reasons why the condition `If-Match` of a change does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FailedCondition {
    /// The header names only other tags.
    #[error(
        "The item has changed since you read it: If-Match does not contain its entity tag. Read it again, and repeat the change"
    )]
    Changed,
    /// The header contains no tag that can match.
    #[error(
        "If-Match contains no strong entity tag, such as \"1a2b\"; weak and malformed tags match nothing. Send the ETag of the item, or omit If-Match"
    )]
    NoStrongTag,
    /// The URL of the change has no strong entity tag.
    #[error("This change cannot be conditional, because its URL has no strong entity tag. Omit If-Match")]
    NotConditional,
}

/// The part that is responsible for an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Party {
    /// The API of the flag service: every implementation refuses such a request.
    Service,
    /// Flagdeck, or the connection to the upstream. The response names the error in a header and has a request id.
    Flagdeck,
}

/// The properties of an error that do not depend on the request.
#[derive(Debug, Clone, Copy)]
struct Properties {
    code: &'static str,
    status: StatusCode,
    party: Party,
}

/// An error that belongs to one domain: the response that the client gets.
#[derive(Debug)]
pub struct DomainError {
    properties: Properties,
    message: Cow<'static, str>,
    /// Further properties of the JSON body.
    fields: Map<String, Value>,
    /// Seconds after which the client may try again.
    retry_after: Option<u64>,
    /// True for an error in the middle of a request: the start of the next request on the connection is unknown.
    leaves_body_unread: bool,
}

impl DomainError {
    /// Creates an error of Flagdeck. `code` is stable, for programs; the message states the remedy, if there is one.
    #[must_use]
    pub fn new(code: &'static str, status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            properties: Properties { code, status, party: Party::Flagdeck },
            message: message.into(),
            fields: Map::new(),
            retry_after: None,
            leaves_body_unread: false,
        }
    }

    /// Marks an error that every implementation of the API of the flag service returns.
    #[must_use]
    pub fn of_service(mut self) -> Self {
        self.properties.party = Party::Service;
        self
    }

    /// Adds a property to the JSON body.
    #[must_use]
    pub fn with_field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the seconds after which the client may try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Closes the connection after the response, because the rest of the request is not read.
    #[must_use]
    pub fn close_connection(mut self) -> Self {
        self.leaves_body_unread = true;
        self
    }
}

impl From<DomainError> for ApiError {
    fn from(error: DomainError) -> Self {
        Self::Domain(error.into())
    }
}

impl ApiError {
    fn properties(&self) -> Properties {
        use Party::{Flagdeck, Service};
        let (code, status, party) = match self {
            Self::Domain(error) => return error.properties,
            Self::Invalid(_) => ("invalid", StatusCode::BAD_REQUEST, Service),
            Self::NameTaken(_) => ("name_taken", StatusCode::CONFLICT, Service),
            Self::AlreadyTagged(_) => ("already_tagged", StatusCode::CONFLICT, Service),
            Self::Conflict(_) => ("conflict", StatusCode::CONFLICT, Service),
            Self::BuiltIn(_) => ("built_in", StatusCode::FORBIDDEN, Service),
            Self::SignIn(_) => ("sign_in", StatusCode::UNAUTHORIZED, Service),
            Self::TokenNeeded => ("token_needed", StatusCode::UNAUTHORIZED, Service),
            Self::FrontendToken => ("frontend_token", StatusCode::FORBIDDEN, Service),
            Self::Forbidden(_) => ("forbidden", StatusCode::FORBIDDEN, Service),
            Self::NotFound(_) => ("not_found", StatusCode::NOT_FOUND, Service),
            Self::BadBody(_) => ("bad_body", StatusCode::BAD_REQUEST, Flagdeck),
            Self::UnsupportedMediaType => {
                ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE, Flagdeck)
            }
            Self::UnknownPath(_) => ("unknown_path", StatusCode::NOT_FOUND, Flagdeck),
            Self::UnexpectedResponse { .. } => ("unexpected_response", StatusCode::BAD_GATEWAY, Flagdeck),
            Self::PreconditionFailed(_) => ("precondition_failed", StatusCode::PRECONDITION_FAILED, Flagdeck),
            Self::Storage(fault) => {
                let (code, status) = fault.code_and_status();
                (code, status, Flagdeck)
            }
            Self::Internal(_) => ("internal", StatusCode::INTERNAL_SERVER_ERROR, Flagdeck),
        };
        Properties { code, status, party }
    }

    /// Returns the stable error code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.properties().code
    }

    /// Wraps an unexpected error in [`ApiError::Internal`].
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// Creates an [`ApiError::Invalid`] with one violation, for rules that depend on stored data.
    #[must_use]
    pub fn invalid(field: &str, message: String) -> Self {
        Self::Invalid(vec![Detail { message, path: vec![field.into()], rule: "any.invalid".to_owned() }])
    }
}
