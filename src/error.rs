//! The errors of HTTP handlers: code, status, responsible party and message of each way in which a request can fail.
//!
//! This module is plain data. Each domain converts its own errors into [`ApiError`] in its own module. Start-up errors
//! have their own types (`config.rs`, `app.rs`).

mod confirmation;
mod detail;
mod response;
mod sign_in;
mod storage_fault;
mod token_fault;

use actix_web::http::StatusCode;
use serde_json::Value;

pub use self::confirmation::Confirmation;
pub use self::detail::Detail;
pub use self::response::ERROR_HEADER;
pub use self::sign_in::{AuthDetails, AuthOption};
pub use self::storage_fault::StorageFault;
pub use self::token_fault::TokenFault;
use crate::config::Permission;
use crate::console_api::ServerEnvironment;

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
    /// The user name or the password is wrong. The error does not reveal which.
    #[error("The user name or the password is wrong")]
    WrongCredentials,
    /// Too many failed sign-in attempts.
    #[error("Too many failed sign-in attempts. Try again in {seconds} s")]
    TooManyAttempts {
        /// Seconds to wait.
        seconds: i64,
    },
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
    /// The token of a browser or of an OpenFeature client is refused.
    #[error("{0}")]
    Token(TokenFault),
    /// The token exceeds its rate limit.
    #[error(
        "This token sends more requests than --sdk-rate-limit allows. Try again in {seconds} s, or raise the limit"
    )]
    TooManyRequests {
        /// Seconds to wait.
        seconds: u64,
    },
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
    /// No endpoint has this path. The text names the right URL or the reason.
    #[error("{0}")]
    WrongUrl(String),
    /// The body exceeds the limit.
    #[error("The request body is larger than {limit} bytes")]
    BodyTooLarge {
        /// Maximum size in bytes.
        limit: usize,
    },
    /// The request would take too much time or memory.
    #[error("{0}")]
    TooMuchWork(String),
    /// The body did not arrive in time.
    #[error("The request body did not arrive within {seconds} s")]
    BodyTimeout {
        /// The limit in seconds.
        seconds: f64,
    },
    /// The body arrived too slowly while its request held a connection to the upstream.
    #[error("The request body arrived too slowly: at least {rate} bytes per second are required")]
    BodyTooSlow {
        /// Required bytes per second on average.
        rate: u32,
    },
    /// The request asks for a connection without request boundaries, which is not forwarded.
    #[error("WebSocket connections, CONNECT and TRACE are not supported")]
    UpgradeRefused,
    /// Servers interpret the path differently: the upstream could apply the request to another path than the one that
    /// was checked.
    #[error("The path cannot be forwarded: {0}")]
    BadPath(&'static str),
    /// The head exceeds the limit.
    #[error(
        "The request line and headers are larger than {limit} bytes; send fewer or smaller ones, such as cookies"
    )]
    HeadTooLarge {
        /// Maximum size in bytes.
        limit: usize,
    },
    /// `Host` is not a valid host.
    #[error("The header Host is not a valid host")]
    BadHost,
    /// The settings do not allow this host.
    #[error(
        "The host {host:?} is not served; set public-url to the address of the console, or add the name of the host to \
         allowed-host"
    )]
    UnexpectedHost {
        /// The requested host.
        host: String,
    },
    /// A page of another site sent a change.
    #[error(
        "Cross-site request refused: pages of {origin} may not make changes. To allow that site, add it to --trusted-origin"
    )]
    CrossSite {
        /// Origin of the page.
        origin: String,
    },
    /// Changes are refused, because the program runs with `--read-only`.
    #[error("Changes are refused: Flagdeck runs with --read-only")]
    ReadOnly,
    /// This process has forwarded the request before.
    #[error("Request loop: --upstream leads back to Flagdeck. Set it to the address of the flag service")]
    Loop,
    /// The circuit breaker refuses requests to the upstream.
    #[error("The flag service at {host} does not respond. Flagdeck tries again in {seconds} s")]
    CircuitOpen {
        /// Host and port of the upstream.
        host: String,
        /// Seconds until the next attempt.
        seconds: u64,
    },
    /// The upstream could not be reached, or closed the connection before it responded.
    #[error("The flag service at {host} cannot be reached: {reason}")]
    UpstreamUnreachable {
        /// Host and port of the upstream.
        host: String,
        /// Description of the failure, as the end of a sentence.
        reason: String,
    },
    /// The upstream still accepts the session after a sign-out.
    #[error("The flag service at {host} did not end the session; you are still signed in")]
    StillSignedIn {
        /// Host and port of the upstream.
        host: String,
    },
    /// The upstream did not respond in time.
    #[error("The flag service at {host} did not respond within {seconds} s")]
    UpstreamTimeout {
        /// Host and port of the upstream.
        host: String,
        /// The limit in seconds.
        seconds: f64,
    },
    /// The replica has no copy of the upstream's toggles that is recent enough.
    #[error(
        "The flag service at {host} does not respond, and Flagdeck has no copy of the toggles that is recent enough"
    )]
    NoRecentCopy {
        /// Host and port of the upstream.
        host: String,
        /// Seconds until the upstream is asked again.
        seconds: u64,
    },
    /// The replica does not ask the upstream about another token now.
    #[error("Flagdeck is asked for toggles with too many different tokens or queries. Try again in a moment")]
    TooManyTokens {
        /// Seconds after which the client may try again.
        seconds: u64,
    },
    /// Other evaluations occupy the time that this program spends on them.
    #[error(
        "Flagdeck is busy with other evaluations. Try again in some seconds, or send fewer at the same time"
    )]
    EvaluationBusy,
    /// The client has closed its side of the connection, which stops expensive evaluations.
    #[error(
        "The client closed its side of the connection, which stops the evaluation. Keep it open until the response arrives"
    )]
    EvaluationCancelled,
    /// The evaluation of the stored toggles takes too long.
    #[error(
        "The evaluation takes longer than {seconds} s: the toggles have too many strategies, constraints, values or patterns. Remove some of them, or request a single toggle"
    )]
    EvaluationTimeout {
        /// The limit in seconds.
        seconds: u64,
    },
    /// No further event stream can be opened. SDKs poll after this status.
    #[error(
        "Flagdeck has {limit} open event streams, which is the maximum. Poll instead, or raise --stream-limit"
    )]
    TooManyStreams {
        /// Maximum number of open streams.
        limit: usize,
    },
    /// The open event streams have too many different filters.
    #[error(
        "The open event streams have {limit} different filters, which is the maximum. Poll instead, or use the same filter for several applications"
    )]
    TooManyStreamFilters {
        /// Maximum number of different filters.
        limit: usize,
    },
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
    /// The upstream has several environments, and the request selects none.
    #[error(
        "Select an environment: the flag service has several. Send its name in the header Flagdeck-Environment, or set --upstream-environment"
    )]
    EnvironmentRequired {
        /// The environments that can be selected.
        environments: Vec<ServerEnvironment>,
    },
    /// The upstream does not offer the selected environment.
    #[error("The flag service has no enabled environment {name:?}")]
    UnknownEnvironment {
        /// The selected name.
        name: String,
        /// The environments that can be selected.
        environments: Vec<ServerEnvironment>,
    },
    /// The upstream would change more than the request says. The user must confirm it.
    #[error("{}", .0.message())]
    ConfirmationRequired(Confirmation),
    /// The toggle has changed since the client read it (`If-Match`). Nothing was written.
    #[error("The toggle has changed since you opened it. Read it again, and repeat the change")]
    ToggleChanged,
    /// The condition `If-Match` of a change does not hold. Nothing was written.
    #[error("{0}")]
    PreconditionFailed(FailedCondition),
    /// The upstream refused one of several requests of a save. The earlier ones are stored.
    #[error("{done} of {of} changes are stored. Then the flag service refused one: {refused}")]
    HalfSaved {
        /// Status of the refused request if that is a client error, otherwise 502.
        status: StatusCode,
        /// Number of stored changes.
        done: usize,
        /// Number of changes of the save.
        of: usize,
        /// Reason of the upstream.
        refused: String,
        /// The toggle as it is stored now; null if it could not be read.
        toggle: Value,
    },
    /// The upstream allows this for administrators only. The text is one sentence.
    #[error("{0}")]
    AdminOnly(&'static str),
    /// The upstream does not respond, and only it knows the permissions of the user. The text describes its failure.
    #[error(
        "Flagdeck cannot verify that you are an administrator: {0}. Without the flag service, run `flagdeck replica purge` on the machine of Flagdeck"
    )]
    AdminUnverified(String),
    /// The upstream has no such operation. The text is one sentence.
    #[error("{0}")]
    Unsupported(&'static str),
    /// The upstream does not report this. The text is one sentence. Consoles treat the status like that of a missing
    /// endpoint.
    #[error("{0}")]
    NotReported(&'static str),
    /// The toggle cannot be archived, because other toggles depend on it.
    #[error("Other toggles depend on this toggle: {}. Remove the dependencies first", .dependents.join(", "))]
    HasDependents {
        /// Names of the toggles that depend on it.
        dependents: Vec<String>,
    },
    /// No connection to the upstream became free in time. This is not a failure of the upstream.
    #[error(
        "Flagdeck has no free connection to the flag service at {host}; --upstream-pool-size allows {limit} for each worker. Try again in a moment"
    )]
    UpstreamBusy {
        /// Host and port of the upstream.
        host: String,
        /// Connections that one worker may use at the same time.
        limit: usize,
    },
    /// A secret of an addon cannot be encrypted or decrypted, because the key file cannot be used.
    #[error("{0}")]
    KeyFile(String),
    /// The database cannot be used. Changes were not written, not even in part.
    #[error("{}", .0.as_sentence())]
    Storage(StorageFault),
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
struct Properties {
    code: &'static str,
    status: StatusCode,
    party: Party,
}

impl ApiError {
    /// The table of all errors. Their messages are next to the variants.
    fn properties(&self) -> Properties {
        use Party::{Flagdeck, Service};
        let (code, status, party) = match self {
            Self::Invalid(_) => ("invalid", StatusCode::BAD_REQUEST, Service),
            Self::NameTaken(_) => ("name_taken", StatusCode::CONFLICT, Service),
            Self::AlreadyTagged(_) => ("already_tagged", StatusCode::CONFLICT, Service),
            Self::Conflict(_) => ("conflict", StatusCode::CONFLICT, Service),
            Self::BuiltIn(_) => ("built_in", StatusCode::FORBIDDEN, Service),
            Self::SignIn(_) => ("sign_in", StatusCode::UNAUTHORIZED, Service),
            // Servers of this API respond with 400 to a wrong password, and consoles expect it.
            Self::WrongCredentials => ("wrong_credentials", StatusCode::BAD_REQUEST, Service),
            Self::TooManyAttempts { .. } => ("too_many_attempts", StatusCode::TOO_MANY_REQUESTS, Service),
            Self::TokenNeeded => ("token_needed", StatusCode::UNAUTHORIZED, Service),
            Self::FrontendToken => ("frontend_token", StatusCode::FORBIDDEN, Service),
            Self::Token(fault) => {
                let (code, status) = fault.code_and_status();
                (code, status, Flagdeck)
            }
            Self::TooManyRequests { .. } => ("too_many_requests", StatusCode::TOO_MANY_REQUESTS, Flagdeck),
            Self::Forbidden(_) => ("forbidden", StatusCode::FORBIDDEN, Service),
            Self::NotFound(_) => ("not_found", StatusCode::NOT_FOUND, Service),
            Self::BadBody(_) => ("bad_body", StatusCode::BAD_REQUEST, Flagdeck),
            Self::UnsupportedMediaType => {
                ("unsupported_media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE, Flagdeck)
            }
            Self::UnknownPath(_) | Self::WrongUrl(_) => ("unknown_path", StatusCode::NOT_FOUND, Flagdeck),
            Self::BodyTooLarge { .. } => ("body_too_large", StatusCode::PAYLOAD_TOO_LARGE, Flagdeck),
            Self::TooMuchWork(_) => ("too_much_work", StatusCode::PAYLOAD_TOO_LARGE, Flagdeck),
            Self::BodyTimeout { .. } => ("body_timeout", StatusCode::REQUEST_TIMEOUT, Flagdeck),
            Self::BodyTooSlow { .. } => ("body_too_slow", StatusCode::REQUEST_TIMEOUT, Flagdeck),
            Self::UpgradeRefused => ("upgrade_refused", StatusCode::BAD_REQUEST, Flagdeck),
            Self::BadPath(_) => ("bad_path", StatusCode::BAD_REQUEST, Flagdeck),
            Self::HeadTooLarge { .. } => {
                ("head_too_large", StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Flagdeck)
            }
            Self::BadHost => ("bad_host", StatusCode::BAD_REQUEST, Flagdeck),
            Self::UnexpectedHost { .. } => ("unexpected_host", StatusCode::MISDIRECTED_REQUEST, Flagdeck),
            Self::CrossSite { .. } => ("cross_site", StatusCode::FORBIDDEN, Flagdeck),
            Self::ReadOnly => ("read_only", StatusCode::FORBIDDEN, Flagdeck),
            Self::Loop => ("loop", StatusCode::LOOP_DETECTED, Flagdeck),
            Self::CircuitOpen { .. } => ("circuit_open", StatusCode::SERVICE_UNAVAILABLE, Flagdeck),
            Self::UpstreamUnreachable { .. } => ("upstream_unreachable", StatusCode::BAD_GATEWAY, Flagdeck),
            Self::StillSignedIn { .. } => ("still_signed_in", StatusCode::BAD_GATEWAY, Flagdeck),
            Self::UpstreamTimeout { .. } => ("upstream_timeout", StatusCode::GATEWAY_TIMEOUT, Flagdeck),
            Self::UpstreamBusy { .. } => ("upstream_busy", StatusCode::SERVICE_UNAVAILABLE, Flagdeck),
            Self::EvaluationBusy => ("evaluation_busy", StatusCode::SERVICE_UNAVAILABLE, Flagdeck),
            Self::EvaluationCancelled => ("evaluation_cancelled", StatusCode::BAD_REQUEST, Flagdeck),
            Self::EvaluationTimeout { .. } => {
                ("evaluation_timeout", StatusCode::SERVICE_UNAVAILABLE, Flagdeck)
            }
            Self::NoRecentCopy { .. } => ("no_recent_copy", StatusCode::SERVICE_UNAVAILABLE, Flagdeck),
            Self::TooManyTokens { .. } => ("too_many_tokens", StatusCode::TOO_MANY_REQUESTS, Flagdeck),
            Self::TooManyStreams { .. } => ("too_many_streams", StatusCode::TOO_MANY_REQUESTS, Flagdeck),
            Self::TooManyStreamFilters { .. } => {
                ("too_many_stream_filters", StatusCode::TOO_MANY_REQUESTS, Flagdeck)
            }
            Self::UnexpectedResponse { .. } => ("unexpected_response", StatusCode::BAD_GATEWAY, Flagdeck),
            Self::EnvironmentRequired { .. } => {
                ("environment_required", StatusCode::PRECONDITION_REQUIRED, Flagdeck)
            }
            Self::UnknownEnvironment { .. } => ("unknown_environment", StatusCode::BAD_REQUEST, Flagdeck),
            Self::ConfirmationRequired(question) => (question.code(), StatusCode::CONFLICT, Flagdeck),
            Self::ToggleChanged => ("toggle_changed", StatusCode::PRECONDITION_FAILED, Flagdeck),
            Self::PreconditionFailed(_) => ("precondition_failed", StatusCode::PRECONDITION_FAILED, Flagdeck),
            Self::HalfSaved { status, .. } => ("half_saved", *status, Flagdeck),
            Self::AdminOnly(_) => ("admin_only", StatusCode::FORBIDDEN, Flagdeck),
            Self::AdminUnverified(_) => ("admin_unverified", StatusCode::SERVICE_UNAVAILABLE, Flagdeck),
            Self::Unsupported(_) => ("unsupported_by_server", StatusCode::NOT_IMPLEMENTED, Flagdeck),
            Self::NotReported(_) => ("not_reported", StatusCode::GONE, Flagdeck),
            Self::HasDependents { .. } => ("has_dependents", StatusCode::FORBIDDEN, Flagdeck),
            Self::KeyFile(_) => ("key_file", StatusCode::INTERNAL_SERVER_ERROR, Flagdeck),
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
