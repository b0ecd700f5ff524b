//! The whole life of one forwarded request, top to bottom.

pub(crate) mod client;
pub(crate) mod connection;
mod headers;
pub(crate) mod outcome;
mod rewrite;
mod target;

use std::future::Future;
use std::rc::Rc;

use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, Uri, header};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::config::{BasePath, Upstream};
use crate::console::model::LoggedOut;
use crate::error::ApiError;

/// The paths that go upstream: the API and what signs people in.
pub const FORWARDED: [&str; 2] = ["/api", "/auth"];

/// One worker's way to the flag service.
pub struct Proxy {
    client: awc::Client,
    upstream: Upstream,
    base_path: BasePath,
}

/// Forwards a request and streams the answer back.
///
/// # Errors
/// [`ApiError`] when the request may not go upstream, or the upstream does not answer.
pub async fn forward(
    request: HttpRequest,
    body: web::Payload,
    proxy: web::Data<Proxy>,
) -> Result<HttpResponse, ApiError> {
    target::refuse_tunnels(request.method(), request.headers())?;
    let target = target::forwarded(&proxy.upstream, &proxy.base_path, request.uri())?;
    let headers = headers::to_upstream(&request, &proxy.upstream.authority);
    let progress = client::Progress::start();
    let upload = client::Upload::new(request.headers(), body, Rc::clone(&progress));
    let answer = proxy.send(request.method().clone(), target, headers, upload, &progress).await?;
    let headers = proxy.answered(&answer);
    Ok(outcome::response(answer, &headers, proxy.upstream.idle_timeout))
}

impl Proxy {
    /// Connects to nothing yet.
    #[must_use]
    pub fn new(upstream: &Upstream, base_path: &BasePath) -> Self {
        Self { client: client::build(upstream), upstream: upstream.clone(), base_path: base_path.clone() }
    }

    /// Asks the flag service to end the session of this request.
    ///
    /// # Errors
    /// [`ApiError`] when the flag service does not answer.
    pub async fn sign_out(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        let target = target::of(&self.upstream, "/logout")?;
        let mut headers = headers::to_upstream(request, &self.upstream.authority);
        headers.remove(header::CONTENT_TYPE);
        let progress = client::Progress::start();
        let answer = self.send(Method::GET, target, headers, client::Upload::None, &progress).await?;
        let location = outcome::foreign_location(answer.headers(), &self.upstream, request.headers());
        let mut response = HttpResponse::Ok();
        for cookie in self.answered(&answer).get_all(header::SET_COOKIE) {
            response.append_header((header::SET_COOKIE, cookie));
        }
        Ok(response.json(LoggedOut { location }))
    }

    /// The headers of an answer as the console's clients get them.
    fn answered(&self, answer: &client::Answer) -> HeaderMap {
        let mut headers = headers::from_upstream(answer.headers());
        rewrite::Sides { upstream: &self.upstream, base_path: &self.base_path }.rewrite(&mut headers);
        headers
    }

    async fn send(
        &self,
        method: Method,
        target: Uri,
        headers: HeaderMap,
        upload: client::Upload,
        progress: &client::Progress,
    ) -> Result<client::Answer, ApiError> {
        let mut request = self.client.request(method, target).no_decompress();
        *request.headers_mut() = headers;
        let answer = self.within_head_timeout(upload.send(request), progress).await?;
        answer.map_err(|error| outcome::failure(&self.upstream, &error))
    }

    /// Waits for the answer's head; the clock starts again with each piece of the request's body that went out.
    async fn within_head_timeout<T>(
        &self,
        answer: impl Future<Output = T>,
        progress: &client::Progress,
    ) -> Result<T, ApiError> {
        let mut answer = std::pin::pin!(answer);
        loop {
            let deadline = progress.last() + self.upstream.head_timeout;
            match tokio::time::timeout_at(deadline, &mut answer).await {
                Ok(answer) => return Ok(answer),
                Err(_) if progress.last() + self.upstream.head_timeout > deadline => {}
                Err(_) if progress.waits_for_client() => {
                    return Err(ApiError::BodyTimeout { seconds: self.upstream.head_timeout.as_secs_f64() });
                }
                Err(_) => return Err(outcome::too_slow(&self.upstream, self.upstream.head_timeout)),
            }
        }
    }
}
