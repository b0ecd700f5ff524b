//! Access to the APIs: tokens, origins (CORS) and the rate limit.
//!
//! Cross-origin requests are allowed here only, by the origins of the token. These APIs use no cookies and never allow
//! credentials.

use std::time::Instant;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HeaderMap, HeaderValue, ORIGIN, VARY,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{FromRequest as _, HttpMessage as _, HttpRequest, HttpResponse, ResponseError as _};

use super::SdkApi;
use super::source::Caller;
use crate::config::TokenKind;
use crate::error::{ApiError, DomainError};

/// Request headers of the SDKs.
const ALLOWED_HEADERS: &str = "Authorization, Baggage, Content-Type, If-None-Match, Sentry-Trace, Traceparent, Tracestate, Unleash-Appname, Unleash-Connection-Id, \
    Unleash-Instanceid, Unleash-Sdk, X-Api-Key, X-Unleash-Appname, X-Unleash-Connection-Id, X-Unleash-Sdk";
/// Response headers that pages can read.
const EXPOSED_HEADERS: &str = "ETag, Retry-After";
/// Seconds for which browsers remember the response to a preflight. Each request is checked again.
const PREFLIGHT_LIFETIME: &str = "7200";
/// Request headers on which responses depend.
const VARYING_HEADERS: &str = "Authorization, X-Api-Key, Origin";

/// An API, which decides the kinds of tokens that it accepts, and where the token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Api {
    Frontend,
    OpenFeature,
    Events,
}

/// The reasons why a request is refused.
#[derive(Debug, thiserror::Error)]
enum AccessError {
    /// The request has no token, or an unknown one.
    #[error(
        "Send a token in the header Authorization; create one with: flagdeck token add --name NAME --kind frontend --origin https://HOST (with an upstream, at the flag service if frontend-origin is set, or in the file of frontend-tokens)"
    )]
    NoToken,
    /// The token is for servers, which must keep it secret.
    #[error(
        "This token is for servers. Pages and phones need a frontend token; create one with: flagdeck token add --name NAME --kind frontend --origin https://HOST"
    )]
    WrongKind,
    /// The token does not allow pages of the origin, or no token does.
    #[error(
        "Pages of {origin} may not use this API; create a token for them with: flagdeck token add --name NAME --kind frontend --origin {origin}"
    )]
    ForeignOrigin { origin: String },
    /// The token exceeds its rate limit.
    #[error(
        "This token sends more requests than --sdk-rate-limit allows. Try again in {seconds} s, or raise the limit"
    )]
    TooManyRequests { seconds: u64 },
    #[error(transparent)]
    Other(#[from] ApiError),
}

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        let message = error.to_string();
        match error {
            AccessError::Other(error) => return error,
            AccessError::NoToken => DomainError::new("token_missing", StatusCode::UNAUTHORIZED, message),
            AccessError::WrongKind => DomainError::new("wrong_token_kind", StatusCode::FORBIDDEN, message),
            AccessError::ForeignOrigin { .. } => {
                DomainError::new("foreign_origin", StatusCode::FORBIDDEN, message)
            }
            AccessError::TooManyRequests { seconds } => {
                DomainError::new("too_many_requests", StatusCode::TOO_MANY_REQUESTS, message)
                    .retry_after(seconds)
            }
        }
        .into()
    }
}

/// Accepts requests with a frontend token.
pub(super) async fn check_frontend(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    check(Api::Frontend, request, next).await
}

/// Accepts requests with a frontend token, and requests without `Origin` as the client API does.
pub(super) async fn check_ofrep(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    check(Api::OpenFeature, request, next).await
}

/// Accepts requests with the id of an event stream in the query.
pub(super) async fn check_events(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    check(Api::Events, request, next).await
}

/// Responds to the request with which a browser asks for permission, and which contains no token.
pub(super) async fn preflight(request: HttpRequest, sdk: Data<SdkApi>) -> Result<HttpResponse, ApiError> {
    let Some(origin) = origin(request.headers()) else {
        return Err(ApiError::UnknownPath(request.path().to_owned()));
    };
    if !sdk.source.allows_origin(origin).await? {
        return Err(AccessError::ForeignOrigin { origin: origin.to_owned() }.into());
    }
    let mut response = HttpResponse::NoContent()
        .insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"))
        .insert_header((ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS))
        .insert_header((ACCESS_CONTROL_MAX_AGE, PREFLIGHT_LIFETIME))
        .insert_header((VARY, "Origin"))
        .finish();
    allow_origin(response.headers_mut(), origin)?;
    Ok(response)
}

/// Returns the sender of a request that has been checked.
pub(super) fn caller(request: &HttpRequest) -> Result<Caller, ApiError> {
    let caller = request.extensions().get::<Caller>().cloned();
    caller.ok_or_else(|| ApiError::internal("the token of the request has not been checked"))
}

async fn check(
    api: Api,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    let sdk = Data::<SdkApi>::extract(request.request()).await?;
    let origin = origin(request.headers()).map(ToOwned::to_owned);
    let admitted = admit(api, &sdk, request.request(), origin.as_deref()).await;
    let allowed_origin = match (&admitted, origin) {
        (Ok(_) | Err(AccessError::TooManyRequests { .. }), origin) => origin,
        // The page can then read that its token is wrong, or not known yet.
        (Err(AccessError::NoToken | AccessError::Other(_)), Some(origin))
            if sdk.source.allows_origin(&origin).await? =>
        {
            Some(origin)
        }
        _ => None,
    };
    let mut response = match admitted {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.call(request).await?
        }
        Err(error) => request.into_response(ApiError::from(error).error_response()),
    };
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static(VARYING_HEADERS));
    if let Some(origin) = allowed_origin {
        allow_origin(headers, &origin)?;
    }
    Ok(response)
}

/// Checks the token, the origin and the rate limit. Returns the sender.
async fn admit(
    api: Api,
    sdk: &SdkApi,
    request: &HttpRequest,
    origin: Option<&str>,
) -> Result<Caller, AccessError> {
    let found = match api {
        Api::Events => sdk.find_subscriber(request.query_string()).await,
        Api::Frontend | Api::OpenFeature => sdk.source.find_caller(request).await,
    };
    let caller = match found {
        Ok(Some(caller)) => caller,
        Ok(None) | Err(ApiError::TokenNeeded) => return Err(AccessError::NoToken),
        Err(error) => return Err(error.into()),
    };
    let Caller { scope, token } = &caller;
    if scope.kind == TokenKind::Client && (api == Api::Frontend || origin.is_some()) {
        return Err(if token.is_some() { AccessError::WrongKind } else { AccessError::NoToken });
    }
    if let Some(origin) = origin.filter(|origin| !scope.allows_origin(origin)) {
        return Err(AccessError::ForeignOrigin { origin: origin.to_owned() });
    }
    if let Some(token) = *token {
        let mut limiter = sdk.limiter.lock();
        limiter.try_acquire(token, Instant::now()).map_err(|wait| AccessError::TooManyRequests {
            // Rounded up: a request after the stated time must be accepted.
            seconds: wait.as_secs() + 1,
        })?;
    }
    Ok(caller)
}

/// Returns the origin of the page that sends the request; empty if it is not text.
fn origin(headers: &HeaderMap) -> Option<&str> {
    headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default())
}

fn allow_origin(headers: &mut HeaderMap, origin: &str) -> Result<(), ApiError> {
    let origin = HeaderValue::try_from(origin).map_err(ApiError::internal)?;
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS));
    Ok(())
}
