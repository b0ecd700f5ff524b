//! The one error type at the HTTP edge: a stable code, a status and a JSON body for each way a request can fail.
//!
//! Start-up failures are not here: they are sentences on standard error (`config.rs`, `app.rs`).

use std::future::{Ready, ready};

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue, RETRY_AFTER};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::{Value, json};

use crate::flags::addons::secrets::SecretError;
use crate::flags::auth::Permission;
use crate::flags::model::AuthDetails;
use crate::flags::store::StorageFault;
use crate::middleware::request_id;

/// Marks an answer that the binary gave itself instead of a flag service, and repeats the code.
/// The console reads it to tell which hop failed.
pub const ERROR_HEADER: HeaderName = HeaderName::from_static("x-flagdeck-error");

/// One rule that a value broke, in the shape that consoles of this API read (`details[0].message`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// What is wrong and with which field, for people.
    pub message: String,
    /// Where the value stands: property names and array indexes.
    pub path: Vec<Value>,
    /// The broken rule by its name, such as `string.max`.
    #[serde(rename = "type")]
    pub rule: String,
}

/// Why a request was not answered as asked.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Values that break rules; never empty.
    #[error("{}", .0.first().map_or("The request is not valid", |detail| detail.message.as_str()))]
    Invalid(Vec<Detail>),
    /// A name that something else already has.
    #[error("{0}")]
    NameTaken(String),
    /// A tag that the toggle has already.
    #[error("{0}")]
    AlreadyTagged(String),
    /// A change that what else there is does not allow.
    #[error("{0}")]
    Conflict(String),
    /// A change to something that comes with the service and stays as it is.
    #[error("{0}")]
    BuiltIn(String),
    /// Somebody who has to sign in first, and how.
    #[error("{}", .0.message.as_deref().unwrap_or("Sign in first"))]
    SignIn(Box<AuthDetails>),
    /// A user name or a password that is wrong; which of them is nobody's business.
    #[error("The user name or the password is wrong")]
    WrongCredentials,
    /// Signing in wrongly too often.
    #[error("There were too many attempts to sign in; try again in {seconds} s")]
    TooManyAttempts {
        /// How long to wait.
        seconds: i64,
    },
    /// A client library without a token, or with one that was removed.
    #[error(
        "This service asks client libraries for a token, in the header Authorization; `flagdeck token add` makes one"
    )]
    TokenNeeded,
    /// A change that the user may not make.
    #[error("You need the permission {0} for this")]
    Forbidden(Permission),
    /// A named thing that does not exist.
    #[error("{0}")]
    NotFound(String),
    /// A body that is not what the call reads.
    #[error("{0}")]
    BadBody(String),
    /// Writes take exactly `application/json`, also those without a body: it is what makes a browser ask before
    /// it sends such a request for another site.
    #[error("Content-Type must be application/json")]
    UnsupportedMediaType,
    /// An address that nothing answers.
    #[error("There is nothing at {0}")]
    UnknownPath(String),
    /// A body over the limit.
    #[error("The request body is larger than {limit} bytes")]
    BodyTooLarge {
        /// Bytes that are read at most.
        limit: usize,
    },
    /// A body that stopped coming.
    #[error("The request body did not arrive within {seconds} s")]
    BodyTimeout {
        /// How long it was given.
        seconds: f64,
    },
    /// A body that arrived too slowly while its request held a connection to the upstream.
    #[error("The request body arrived too slowly: at least {rate} bytes per second are required")]
    BodyTooSlow {
        /// Bytes per second that are required on average.
        rate: u32,
    },
    /// A protocol upgrade, which this proxy does not forward.
    #[error("Protocol upgrades are not forwarded")]
    UpgradeRefused,
    /// A path that servers read in different ways: what is checked here might not be what is done there.
    #[error("The path cannot be forwarded: {0}")]
    BadPath(&'static str),
    /// A head over the limit.
    #[error("The request line and headers are larger than {limit} bytes; --head-limit allows more")]
    HeadTooLarge {
        /// Bytes that are read at most.
        limit: usize,
    },
    /// A host that is none.
    #[error("The header Host does not hold a host")]
    BadHost,
    /// A host that is not the console's.
    #[error("Nothing is served for the host {host:?}; --public-url names the one that browsers ask for")]
    UnexpectedHost {
        /// What the client asked for.
        host: String,
    },
    /// A page of another site that would change something.
    #[error(
        "A page of another site ({origin}) may not change anything here; --trusted-origin lets a site of yours"
    )]
    CrossSite {
        /// The site, as its browser names it.
        origin: String,
    },
    /// A change where none is allowed.
    #[error("Nothing can be changed here: Flagdeck runs with --read-only")]
    ReadOnly,
    /// A request that has passed here before.
    #[error("The request came back to where it was forwarded; --upstream leads to Flagdeck itself")]
    Loop,
    /// The upstream is left alone for a while.
    #[error("The flag service at {host} does not answer; it is asked again in {seconds} s")]
    CircuitOpen {
        /// Host and port that are not asked.
        host: String,
        /// How long to wait.
        seconds: u64,
    },
    /// The upstream could not be reached, or broke off before it answered.
    #[error("The flag service at {host} cannot be reached: {reason}")]
    UpstreamUnreachable {
        /// Host and port that were tried.
        host: String,
        /// What went wrong on the way, for people.
        reason: String,
    },
    /// The upstream did not end a session.
    #[error("The flag service at {host} did not end the session: it still accepts it")]
    StillSignedIn {
        /// Host and port that were asked.
        host: String,
    },
    /// The upstream did not answer in time.
    #[error("The flag service at {host} did not answer within {seconds} s")]
    UpstreamTimeout {
        /// Host and port that were asked.
        host: String,
        /// How long it was given.
        seconds: f64,
    },
    /// No connection to the upstream became free for as long as a request may wait. Not a failure of the upstream.
    #[error(
        "Flagdeck has no free connection to the flag service at {host}; --upstream-pool-size allows {limit} for each worker. Try again in a moment"
    )]
    UpstreamBusy {
        /// Host and port of the upstream.
        host: String,
        /// Connections that one worker may use at the same time.
        limit: usize,
    },
    /// A secret that cannot be kept: the key file's fault.
    #[error(transparent)]
    KeyFile(#[from] SecretError),
    /// The database cannot be used at the moment. What was to be written is not there, not even in part.
    #[error("{}", sentence(*.0))]
    Storage(StorageFault),
    /// A fault of this program. The cause is for the log alone.
    #[error("Something went wrong inside Flagdeck; its log tells what")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ApiError {
    /// Hides an unforeseen cause behind [`ApiError::Internal`].
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// One value that breaks a rule which takes looking at what there is.
    #[must_use]
    pub fn invalid(field: &str, message: String) -> Self {
        Self::Invalid(vec![Detail { message, path: vec![field.into()], rule: "any.invalid".to_owned() }])
    }

    /// What nothing else answers: JSON under the API, so that no client has to read a page.
    ///
    /// # Errors
    /// Always [`ApiError::UnknownPath`].
    #[expect(clippy::needless_pass_by_value, reason = "handlers take what they are given")]
    pub fn unknown_path(request: HttpRequest) -> Ready<Result<HttpResponse, Self>> {
        ready(Err(Self::UnknownPath(request.path().to_owned())))
    }

    /// The stable name of this failure, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::NameTaken(_) => "name_taken",
            Self::AlreadyTagged(_) => "already_tagged",
            Self::Conflict(_) => "conflict",
            Self::BuiltIn(_) => "built_in",
            Self::SignIn(_) => "sign_in",
            Self::WrongCredentials => "wrong_credentials",
            Self::TooManyAttempts { .. } => "too_many_attempts",
            Self::TokenNeeded => "token_needed",
            Self::Forbidden(_) => "forbidden",
            Self::NotFound(_) => "not_found",
            Self::BadBody(_) => "bad_body",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::UnknownPath(_) => "unknown_path",
            Self::BodyTooLarge { .. } => "body_too_large",
            Self::BodyTimeout { .. } => "body_timeout",
            Self::BodyTooSlow { .. } => "body_too_slow",
            Self::UpgradeRefused => "upgrade_refused",
            Self::BadPath(_) => "bad_path",
            Self::BadHost => "bad_host",
            Self::HeadTooLarge { .. } => "head_too_large",
            Self::UnexpectedHost { .. } => "unexpected_host",
            Self::CrossSite { .. } => "cross_site",
            Self::ReadOnly => "read_only",
            Self::Loop => "loop",
            Self::CircuitOpen { .. } => "circuit_open",
            Self::UpstreamUnreachable { .. } => "upstream_unreachable",
            Self::StillSignedIn { .. } => "still_signed_in",
            Self::UpstreamTimeout { .. } => "upstream_timeout",
            Self::UpstreamBusy { .. } => "upstream_busy",
            Self::KeyFile(_) => "key_file",
            Self::Storage(StorageFault::Full) => "storage_full",
            Self::Storage(StorageFault::Busy) => "storage_busy",
            Self::Storage(StorageFault::Replaced) => "storage_replaced",
            Self::Storage(_) => "storage_failed",
            Self::Internal(_) => "internal",
        }
    }

    /// True for failures of the binary's own, as opposed to answers that a flag service gives.
    fn is_own(&self) -> bool {
        !matches!(
            self,
            Self::Invalid(_)
                | Self::NameTaken(_)
                | Self::AlreadyTagged(_)
                | Self::Conflict(_)
                | Self::BuiltIn(_)
                | Self::SignIn(_)
                | Self::WrongCredentials
                | Self::TooManyAttempts { .. }
                | Self::TokenNeeded
                | Self::Forbidden(_)
                | Self::NotFound(_)
        )
    }

    /// True for refusals in the middle of a message: where the next request on the connection begins is not known.
    fn leaves_body_unread(&self) -> bool {
        matches!(
            self,
            Self::BodyTooLarge { .. }
                | Self::BodyTimeout { .. }
                | Self::BodyTooSlow { .. }
                | Self::UpgradeRefused
        )
    }

    fn body(&self) -> Value {
        let message = self.to_string();
        match self {
            // The shapes of a validation failure that servers of this API send.
            Self::Invalid(details) => {
                json!({ "code": self.code(), "isJoi": true, "details": details, "message": message })
            }
            Self::NameTaken(_) | Self::AlreadyTagged(_) => {
                let name =
                    if matches!(self, Self::NameTaken(_)) { "NameExistsError" } else { "FeatureHasTagError" };
                json!({
                    "code": self.code(), "isJoi": true, "name": name,
                    "details": [{ "message": message }], "message": message,
                })
            }
            Self::SignIn(details) => json!(details),
            Self::Forbidden(permission) => {
                json!({ "code": self.code(), "permission": permission.to_string(), "message": message })
            }
            Self::NotFound(_) => json!({ "code": self.code(), "error": message, "message": message }),
            _ => json!({ "code": self.code(), "message": message }),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            // As servers of this API have it for wrong passwords. Consoles word this status so, and 401 not all of them.
            Self::Invalid(_)
            | Self::BadBody(_)
            | Self::BadPath(_)
            | Self::BadHost
            | Self::WrongCredentials
            | Self::UpgradeRefused => StatusCode::BAD_REQUEST,
            Self::SignIn(_) | Self::TokenNeeded => StatusCode::UNAUTHORIZED,
            Self::TooManyAttempts { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::NameTaken(_) | Self::AlreadyTagged(_) | Self::Conflict(_) => StatusCode::CONFLICT,
            Self::BuiltIn(_) | Self::Forbidden(_) | Self::CrossSite { .. } | Self::ReadOnly => {
                StatusCode::FORBIDDEN
            }
            Self::NotFound(_) | Self::UnknownPath(_) => StatusCode::NOT_FOUND,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout { .. } | Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::UnexpectedHost { .. } => StatusCode::MISDIRECTED_REQUEST,
            Self::HeadTooLarge { .. } => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Loop => StatusCode::LOOP_DETECTED,
            Self::UpstreamUnreachable { .. } | Self::StillSignedIn { .. } => StatusCode::BAD_GATEWAY,
            Self::UpstreamTimeout { .. } => StatusCode::GATEWAY_TIMEOUT,
            Self::Storage(StorageFault::Full) => StatusCode::INSUFFICIENT_STORAGE,
            Self::CircuitOpen { .. }
            | Self::UpstreamBusy { .. }
            | Self::Storage(StorageFault::Busy | StorageFault::Replaced) => StatusCode::SERVICE_UNAVAILABLE,
            Self::KeyFile(_) | Self::Storage(_) | Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        if let Self::Internal(cause) = self {
            tracing::error!(cause = cause.as_ref(), "request failed");
        }
        let mut body = self.body();
        if self.is_own()
            && let (Some(fields), Some(id)) = (body.as_object_mut(), request_id::current())
        {
            fields.insert("requestId".to_owned(), id.into());
        }
        let mut response = HttpResponse::build(self.status_code());
        if self.leaves_body_unread() {
            response.force_close();
        }
        let mut response = response.json(body);
        let retry_after = match self {
            Self::TooManyAttempts { seconds } => Some(*seconds),
            Self::CircuitOpen { seconds, .. } => i64::try_from(*seconds).ok(),
            Self::UpstreamBusy { .. } | Self::Storage(StorageFault::Busy) => Some(1),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.is_own() {
            response.headers_mut().insert(ERROR_HEADER, HeaderValue::from_static(self.code()));
        }
        response
    }
}

fn sentence(fault: StorageFault) -> String {
    let mut words = fault.to_string();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
