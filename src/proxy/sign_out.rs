//! Ends a user's session at the flag service.
//!
//! Unleash 5 and later accept only `POST /logout`, and respond to GET with their page and status 200. Earlier versions
//! accept only `GET /logout`, and respond to POST with 404.

use actix_web::cookie::Cookie;
use actix_web::cookie::time::OffsetDateTime;
use actix_web::http::header::{self, HeaderMap};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use url::Url;

use super::Proxy;
use crate::api_path::USER_PATH;
use crate::config::Upstream;
use crate::console_api::LoggedOut;
use crate::error::{ApiError, DomainError};
use crate::middleware::client::{self, Client};

const LOGOUT: &str = "/logout";

impl Proxy {
    /// Signs out the user of this request, and passes on the cookies of the response.
    ///
    /// # Errors
    /// If the flag service still accepts the session afterwards. The errors of forwarding
    /// if it does not respond.
    pub(crate) async fn sign_out(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let upstream = &self.state.upstream;
        let mut headers = request.headers().clone();
        headers.remove(header::CONTENT_TYPE);
        let client = client::from_request(request)?;
        let response = self.send_sign_out(&client, &headers).await?;
        let has_ended = response.status().is_redirection() || expires_cookie(response.headers(), request);
        if !has_ended {
            let user = self.send_for(&client, &headers, &Method::GET, USER_PATH, Bytes::new()).await?;
            if user.status() != StatusCode::UNAUTHORIZED {
                let message = format!(
                    "The flag service at {} did not end the session; you are still signed in",
                    upstream.authority
                );
                return Err(DomainError::new("still_signed_in", StatusCode::BAD_GATEWAY, message).into());
            }
        }
        let location = external_location(response.headers(), upstream, request.headers());
        let mut signed_out = HttpResponse::Ok();
        for cookie in self.convert_response(response, &client).headers().get_all(header::SET_COOKIE) {
            signed_out.append_header((header::SET_COOKIE, cookie));
        }
        Ok(signed_out.json(LoggedOut { location }))
    }

    /// Sends the sign-out of the session in these headers.
    pub(crate) async fn send_sign_out(
        &self,
        client: &Client,
        headers: &HeaderMap,
    ) -> Result<HttpResponse, ApiError> {
        let send = |method, path| self.send_for(client, headers, method, path, Bytes::new());
        let response = send(&Method::POST, LOGOUT).await?;
        if is_not_offered(response.status()) { send(&Method::GET, LOGOUT).await } else { Ok(response) }
    }
}

/// Returns true if the server has no such endpoint, or not with this method.
fn is_not_offered(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED)
}

/// Returns the `Location` of a sign-out response if it leads to another site, such as a single sign-on provider; `None`
/// if it leads to the flag service or to the host of the request.
fn external_location(response: &HeaderMap, upstream: &Upstream, request: &HeaderMap) -> Option<String> {
    let location = response.get(header::LOCATION)?.to_str().ok()?;
    let origin = Url::parse(&upstream.origin).ok()?;
    let url = origin.join(location).ok()?;
    let authority = &url[url::Position::BeforeHost..url::Position::BeforePath];
    let request_host = request.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_external = matches!(url.scheme(), "http" | "https")
        && url.origin() != origin.origin()
        && Some(authority) != request_host;
    is_external.then(|| url.to_string())
}

/// Returns true if a response makes the browser delete a cookie that the request contains (RFC 6265, 5.2.1 and 5.2.2).
fn expires_cookie(response: &HeaderMap, request: &HttpRequest) -> bool {
    let is_expired = |cookie: &Cookie<'_>| {
        cookie.max_age().is_some_and(|age| !age.is_positive())
            || cookie.expires_datetime().is_some_and(|end| end <= OffsetDateTime::now_utc())
    };
    let values = response.get_all(header::SET_COOKIE);
    let cookies = values.filter_map(|value| Cookie::parse(str::from_utf8(value.as_bytes()).ok()?).ok());
    cookies.filter(is_expired).any(|cookie| request.cookie_raw(cookie.name()).is_some())
}
