//! Sends requests to the flag service in the name of the user who sent the current request.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;

use actix_web::body::to_bytes_limited;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue, IF_MATCH,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE, RANGE, SET_COOKIE,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::Failure;
use super::reply::Reply;
use super::session_renewal::SessionRenewal;
use super::user_key::{self, CredentialHash};
use crate::error::ApiError;
use crate::middleware;
use crate::middleware::client::Client;
use crate::proxy::Proxy;

/// Maximum size in bytes of a response that is converted. A list of 10,000 toggles takes about 6 MB.
const MAX_RESPONSE: usize = 32 << 20;

/// Path prefix of the API for operators.
pub(super) const ADMIN: &str = "/api/admin";

/// The user who sent a request: the headers with the credentials, and the client's address.
///
/// Flagdeck has no credentials of its own, so that the flag service decides what the user may do.
#[derive(Clone)]
pub(super) struct Caller {
    proxy: Rc<Proxy>,
    client: Rc<Client>,
    headers: HeaderMap,
    credentials: CredentialHash,
    /// `Set-Cookie` of the last response that had any: a session that the server has renewed.
    cookies: Rc<RefCell<Vec<HeaderValue>>>,
    /// Replaces the session if the server ends it; `None` if the session belongs to the browser.
    renewal: Option<Rc<SessionRenewal>>,
    /// True if the server has accepted a change.
    has_changed: Rc<Cell<bool>>,
}

impl Caller {
    /// Takes the credentials and the address of the user from a request.
    pub(super) fn new(proxy: &Rc<Proxy>, request: &HttpRequest) -> Result<Self, ApiError> {
        let client = middleware::client::from_request(request)?;
        let renewal = request.extensions().get::<Rc<SessionRenewal>>().cloned();
        Ok(Self { renewal, ..Self::with_headers(proxy, client, request.headers().clone()) })
    }

    /// Creates a caller with these headers.
    pub(super) fn with_headers(proxy: &Rc<Proxy>, client: Rc<Client>, mut headers: HeaderMap) -> Self {
        // These headers belong to the request of the console, whose path and body differ.
        for name in [
            ACCEPT_ENCODING,
            CONTENT_TYPE,
            IF_MATCH,
            IF_MODIFIED_SINCE,
            IF_NONE_MATCH,
            IF_UNMODIFIED_SINCE,
            RANGE,
        ] {
            headers.remove(name);
        }
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let credentials = user_key::hash(&headers);
        Self {
            proxy: Rc::clone(proxy),
            client,
            headers,
            credentials,
            cookies: Rc::default(),
            renewal: None,
            has_changed: Rc::default(),
        }
    }

    /// Returns the hash of the credentials.
    #[must_use]
    pub(super) fn credentials(&self) -> CredentialHash {
        self.credentials
    }

    /// Returns the address of the client.
    #[must_use]
    pub(super) fn address(&self) -> IpAddr {
        self.client.address
    }

    /// Returns the address of the flag service.
    #[must_use]
    pub(super) fn server(&self) -> String {
        self.proxy.authority().to_owned()
    }

    /// Returns true if the server has accepted a change of this caller or of a copy.
    pub(super) fn has_changed(&self) -> bool {
        self.has_changed.get()
    }

    /// Waits for several requests as long as for one.
    pub(super) async fn within_deadline<T>(
        &self,
        requests: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.proxy.within_deadline(requests).await?
    }

    /// Sends a request to a path below [`ADMIN`], and reads the whole response. If the session has ended and can be replaced, the
    /// request is repeated once: a server that responds with 401 has changed nothing.
    ///
    /// # Errors
    /// [`Failure::Api`] if the flag service does not respond, or responds with more than [`MAX_RESPONSE`] bytes.
    pub(super) fn send<'a>(
        &'a self,
        method: Method,
        path: &'a str,
        body: Option<&'a Value>,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, Failure>> + 'a>> {
        // Boxed, because otherwise the futures and the code of all converted requests would contain this one.
        Box::pin(async move {
            let mut headers = self.headers.clone();
            let bytes = match body {
                Some(body) => serde_json::to_vec(body).map_err(ApiError::internal)?.into(),
                None => Bytes::new(),
            };
            // Servers require the content type also for changes without a body.
            if method != Method::GET {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            }
            let path = format!("{ADMIN}{path}");
            if let Some(cookie) = self.renewal.as_ref().and_then(|renewal| renewal.cookie()) {
                headers.insert(COOKIE, cookie);
            }
            let mut reply = self.fetch(&headers, &method, &path, bytes.clone()).await?;
            if reply.status == StatusCode::UNAUTHORIZED
                && let Some(renewal) = &self.renewal
                && let Some(refused) = headers.get(COOKIE).cloned()
                && let Some(cookie) = renewal.renew(refused).await
            {
                headers.insert(COOKIE, cookie);
                reply = self.fetch(&headers, &method, &path, bytes).await?;
                if reply.status == StatusCode::UNAUTHORIZED {
                    renewal.note_refusal();
                }
            }
            if method != Method::GET && reply.status.is_success() {
                self.has_changed.set(true);
            }
            let cookies: Vec<_> = reply.headers.get_all(SET_COOKIE).cloned().collect();
            if !cookies.is_empty() {
                *self.cookies.borrow_mut() = cookies;
            }
            Ok(reply)
        })
    }

    /// Reads the toggles for client libraries with a token instead of the credentials of the user. Servers ignore the
    /// token if the request has a session too. The response is empty if its entity tag is still `tag`.
    pub(super) async fn read_client_features(
        &self,
        token: &HeaderValue,
        tag: Option<&HeaderValue>,
    ) -> Result<Reply, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, token.clone());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(tag) = tag {
            headers.insert(IF_NONE_MATCH, tag.clone());
        }
        self.fetch(&headers, &Method::GET, "/api/client/features", Bytes::new()).await
    }

    /// Sends a request with these headers, and reads the whole response.
    async fn fetch(
        &self,
        headers: &HeaderMap,
        method: &Method,
        path: &str,
        body: Bytes,
    ) -> Result<Reply, Failure> {
        self.within_deadline(async {
            let response = self.proxy.send_for(&self.client, headers, method, path, body).await?;
            let response = self.proxy.convert_response(response, &self.client);
            let (response, body) = response.into_parts();
            let body = to_bytes_limited(body, MAX_RESPONSE)
                .await
                .map_err(|_too_large| Failure::unexpected(path, "the response is too large"))?
                .map_err(|error| Failure::unexpected(path, &error.to_string()))?;
            Ok(Reply { status: response.status(), headers: response.headers().clone(), body })
        })
        .await
    }

    /// Returns true if the flag service responds with its strategies to a request without credentials. A response 404 to
    /// `GET user` does not suffice: a gateway sends it for every path while the flag service restarts.
    pub(super) async fn needs_no_sign_in(&self) -> bool {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let path = format!("{ADMIN}/strategies");
        let reply = self.fetch(&headers, &Method::GET, &path, Bytes::new()).await;
        reply.is_ok_and(|reply| {
            let body = serde_json::from_slice::<Value>(&reply.body).unwrap_or_default();
            reply.status.is_success() && body.get("strategies").is_some_and(Value::is_array)
        })
    }

    /// Sends a request that must succeed.
    ///
    /// # Errors
    /// [`Failure::Refused`] with the response of the flag service if its status is not 2xx; the errors of
    /// [`Caller::send`].
    pub(super) async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Reply, Failure> {
        let reply = self.send(method, path, body).await?;
        if reply.status.is_success() { Ok(reply) } else { Err(Failure::Refused(Box::new(reply))) }
    }

    /// Reads a resource.
    pub(super) async fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let reply = self.request(Method::GET, path, None).await?;
        reply.parse(path)
    }

    /// Returns the cookies that the flag service has set for the client.
    pub(super) fn take_cookies(&self) -> Vec<HeaderValue> {
        self.cookies.take()
    }

    /// Adds the cookies that the flag service has set to the response for the client.
    pub(super) fn add_cookies(&self, response: &mut HttpResponse) {
        for cookie in self.take_cookies() {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
    }
}
