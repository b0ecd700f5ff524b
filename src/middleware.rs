//! Middleware that applies to every request: guard, access log, metrics, request id and response headers.
//!
//! It gets its settings by value, so that no check can be skipped because a setting was not registered.

pub mod accept;
mod access_log;
pub mod client;
pub(crate) mod compress;
pub mod cross_site;
mod guard;
mod held_body;
pub(crate) mod journaling;
mod request_metrics;
mod response_headers;
pub(crate) mod sdk_token;
pub(crate) mod signed_in_user;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ResponseHead, ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, Uri};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _};

use self::access_log::LogEntry;
use self::client::Client;
use self::journaling::RequestRecording;
use self::request_metrics::RequestMetrics;
use self::signed_in_user::RequestUser;
use crate::config::{BasePath, Public, RequestLimits};
use crate::error::ApiError;
use crate::journal::Journal;
use crate::metrics::Metrics;
use crate::request_id::{self, RequestId};

/// Request header with the name of the selected environment, for flag services with environments.
pub(crate) const ENVIRONMENT_HEADER: HeaderName = HeaderName::from_static("flagdeck-environment");

/// Response header with the names of the toggles that have another result than in the file of `definitions`.
const OVERRIDDEN_HEADER: HeaderName = HeaderName::from_static("flagdeck-overridden");

/// The settings, the metrics and the state that the middleware of one worker uses.
pub struct MiddlewareState {
    /// Public address, and trusted proxies and sites.
    pub public: Public,
    /// Limits for clients.
    pub limits: RequestLimits,
    /// Path below which the console is served.
    pub base_path: BasePath,
    /// The operators' journal; `None` if changes are not recorded.
    pub journal: Option<Journal>,
    /// Metrics of the listener.
    pub metrics: Data<Metrics>,
    /// False after the shutdown has started.
    pub is_ready: Arc<AtomicBool>,
    /// Names of the toggles that have another result than in the file of `definitions`, for a header of each response.
    pub overridden: Option<HeaderValue>,
    /// The host of the last accepted request of this worker, because the rules for hosts parse it as part of a URL.
    pub accepted_host: RefCell<Option<String>>,
}

/// Method, URI and start time of a request, for the access log and the metrics.
struct RequestStart {
    time: Instant,
    method: Method,
    uri: Uri,
    /// Selected environment of a flag service with environments.
    environment: Option<HeaderValue>,
}

/// Applies all middleware to a request. Responses of the guard get the same headers, metrics and log entry as
/// responses of handlers.
pub(crate) async fn apply<B: MessageBody + 'static>(
    state: Rc<MiddlewareState>,
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<impl MessageBody + use<B>>, Error> {
    let start = RequestStart {
        time: Instant::now(),
        method: request.method().clone(),
        uri: request.uri().clone(),
        environment: request.headers().get(ENVIRONMENT_HEADER).cloned(),
    };
    let client = Rc::new(Client::identify(&state.public, &request));
    let is_https = client.scheme == "https";
    let id = RequestId::from_headers(request.headers()).filter(|_| client.is_trusted_proxy);
    let id = id.map_or_else(RequestId::generate, Ok).map_err(ApiError::internal)?;
    request.extensions_mut().insert(Rc::clone(&client));
    let metrics = RequestMetrics::start(&state, request.uri().path());
    let log_entry = LogEntry::new(start, Rc::clone(&client), id.clone());
    let proxy_user = journaling::find_proxy_user(&state, &client, &request);
    let user = RequestUser::start(&request, proxy_user.as_deref());
    let recording = RequestRecording::start(&state, &client, &id, proxy_user, &mut request);
    id.clone()
        .scope(async {
            let result = guard::check(&state, &client, request, next).await;
            if let Some(recording) = recording {
                let status = journaling::status_of(&result);
                // Boxed, because otherwise this future would enlarge the future of every request.
                Box::pin(recording.finish(status)).await;
            }
            change_head(result, |head| {
                user.add_header(head);
                response_headers::add(&mut head.headers, is_https);
                metrics.finish(log_entry.request(), head.status, &head.headers);
                log_entry.finish(head.status);
                head.headers.insert(request_id::HEADER, id.as_header().clone());
                if let Some(names) = &state.overridden {
                    head.headers.insert(OVERRIDDEN_HEADER, names.clone());
                }
                if !state.is_ready.load(Ordering::Relaxed) {
                    // A proxy then uses a connection of another instance. On an idle connection, its next request could
                    // arrive while this server closes it.
                    head.set_connection_type(ConnectionType::Close);
                }
            })
        })
        .await
}

/// Changes the head of a response. Other middleware may return its response as an error.
fn change_head<B: MessageBody>(
    result: Result<ServiceResponse<B>, Error>,
    change: impl FnOnce(&mut ResponseHead),
) -> Result<ServiceResponse<B>, Error> {
    match result {
        Ok(mut response) => {
            change(response.response_mut().head_mut());
            Ok(response)
        }
        Err(error) => {
            let mut response = error.error_response();
            change(response.head_mut());
            Err(InternalError::from_response(error, response).into())
        }
    }
}
