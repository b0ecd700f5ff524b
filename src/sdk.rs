//! APIs for clients that receive the results of toggles and no definitions: the browser API of Unleash (`/api/frontend`)
//! and OpenFeature (OFREP, `/ofrep`).
//!
//! `access` checks the token, the origin and the rate limit of a request. `context` reads the context of the evaluation.
//! `frontend` and `ofrep` evaluate the `definitions` that the `source` provides, and write the responses. `replica` serves
//! the definitions of an upstream to server SDKs. `ofrep::events` tells OpenFeature clients about changes. `work` moves expensive
//! evaluations away from the workers.

mod access;
mod context;
pub mod definitions;
mod frontend;
mod ofrep;
mod rate_limit;
pub mod replica;
pub mod source;
mod work;

use std::borrow::Cow;
use std::future::{Ready, ready};

use actix_web::dev::HttpServiceFactory;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};
use parking_lot::Mutex;

use self::ofrep::events::{self, FlagEvents, WITHOUT_TOKEN};
use self::rate_limit::RateLimiter;
use self::source::Caller;
pub use self::source::Source;
use crate::config::{BasePath, Public};
use crate::error::{ApiError, DomainError};
use crate::evaluation_queue::EvaluationQueue;
use crate::event_stream::Streams;
use crate::middleware::client;
use crate::middleware::compress::compress;

/// Paths of the browser API: of Unleash 4.16 and later, and of older proxies.
const FRONTEND_PATHS: [&str; 2] = ["/api/frontend", "/api/proxy"];
/// Path of the evaluation of all flags in OFREP. A key follows it for one flag.
const OFREP_FLAGS: &str = "/ofrep/v1/evaluate/flags";
/// Maximum number of fields of a context.
pub(crate) const MAX_FIELDS: usize = 200;

/// The state of the APIs, which all workers share.
pub struct SdkApi {
    source: Box<dyn Source>,
    limiter: Mutex<RateLimiter>,
    /// Change events for OpenFeature clients.
    events: FlagEvents,
    /// Expensive evaluations.
    queue: EvaluationQueue,
}

impl SdkApi {
    /// Creates the APIs of a flag service. `rate_limit` is the number of requests per second and token; 0 for no limit. The
    /// caller must call [`Self::publish`] after each change.
    #[must_use]
    pub fn new(source: impl Source + 'static, rate_limit: u32, streams: Streams) -> Self {
        let limiter = Mutex::new(RateLimiter::new(rate_limit));
        Self { source: Box::new(source), limiter, events: FlagEvents::new(streams), queue: work::queue() }
    }

    /// Returns true if the browser API is served here and not forwarded.
    #[must_use]
    pub fn serves_browsers(&self) -> bool {
        self.source.has_frontend_tokens()
    }

    /// Tells the open streams about changes of toggles.
    pub(crate) async fn publish(&self) -> Result<(), ApiError> {
        if self.events.has_streams() {
            self.events.publish(&self.source.version().await?);
        }
        Ok(())
    }

    /// Identifies the client of an event stream by the query of its request.
    async fn find_subscriber(&self, query: &str) -> Result<Option<Caller>, ApiError> {
        let mut tokens = self.source.tokens().await?;
        tokens.push(WITHOUT_TOKEN);
        let Some(token) = events::find_token(query, &tokens) else { return Ok(None) };
        let token = (token != WITHOUT_TOKEN).then_some(token);
        Ok(self.source.find_scope(token).await?.map(|scope| Caller { scope, token }))
    }
}

/// Registers the paths of Unleash Edge for all results, also of toggles that are off, below a prefix. They reveal the names of all
/// toggles that a frontend token can see.
pub fn all_results_routes(config: &mut ServiceConfig, prefix: &str) {
    frontend_routes(config, prefix, "/all", |route| route.to(frontend::evaluate_with_off));
}

/// Registers the evaluation and the reports of the browser API below its paths with this end.
fn frontend_routes(config: &mut ServiceConfig, prefix: &str, end: &str, evaluate: fn(Route) -> Route) {
    let below = |rest: &str| frontend_paths(prefix, &format!("{end}{rest}"));
    config
        .service(resource(
            below(""),
            vec![frontend_route(web::get(), evaluate), frontend_route(web::post(), evaluate)],
        ))
        .service(resource(
            below("/client/metrics"),
            vec![frontend_route(web::post(), |route| route.to(frontend::metrics))],
        ))
        .service(resource(
            below("/client/register"),
            vec![frontend_route(web::post(), |route| route.to(frontend::register))],
        ));
}

fn frontend_paths(prefix: &str, rest: &str) -> Vec<String> {
    FRONTEND_PATHS.map(|path| format!("{prefix}{path}{rest}")).to_vec()
}

/// Creates a route of the browser API, whose requests are checked.
fn frontend_route(method: Route, handle: fn(Route) -> Route) -> Route {
    handle(method).wrap(from_fn(access::check_frontend))
}

/// Registers the paths below a prefix. They must come before other routes below `/api`.
pub fn routes(config: &mut ServiceConfig, prefix: &str, api: &Data<SdkApi>) {
    let flags = format!("{prefix}{OFREP_FLAGS}");
    let stream = web::get().to(events::open).wrap(from_fn(access::check_events));
    let ofrep = |route: Route| vec![route.wrap(from_fn(access::check_ofrep))];
    config.app_data(api.clone());
    // Otherwise these paths are forwarded.
    if api.source.has_frontend_tokens() {
        frontend_routes(config, prefix, "", |route| route.to(frontend::evaluate_all));
        let evaluate_one = [web::get(), web::post()]
            .map(|method| frontend_route(method, |route| route.to(frontend::evaluate_one)));
        config.service(resource(frontend_paths(prefix, "/features/{name}"), evaluate_one.into()));
    }
    config
        .service(resource(vec![flags.clone()], ofrep(web::post().to(ofrep::evaluate_all))))
        .service(resource(vec![format!("{flags}/{{key}}")], ofrep(web::post().to(ofrep::evaluate_one))))
        .service(resource(vec![format!("{prefix}{}", events::PATH)], vec![stream]))
        .service(web::scope(&format!("{prefix}/ofrep")).default_service(web::to(ApiError::unknown_path)))
        .service(web::resource(format!("{prefix}/api")).to(name_right_urls));
}

/// Responds to OpenFeature clients of a service that does not serve them.
pub fn unavailable_routes(config: &mut ServiceConfig) {
    config.service(web::scope("/ofrep").default_service(web::to(report_unavailable)));
}

/// Creates a resource that pages of other sites can use. Other methods return 404.
fn resource(paths: Vec<String>, routes: Vec<Route>) -> impl HttpServiceFactory + 'static {
    let preflight = web::method(Method::OPTIONS).to(access::preflight);
    let resource = web::resource(paths).default_service(web::to(ApiError::unknown_path)).route(preflight);
    routes.into_iter().fold(resource, Resource::route).wrap(from_fn(compress))
}

/// Responds to SDKs that use the base URL of the API as the URL of an endpoint.
#[expect(clippy::needless_pass_by_value, reason = "handlers take what they are given")]
fn name_right_urls(
    request: HttpRequest,
    public: Data<Public>,
    base_path: Data<BasePath>,
) -> Ready<Result<HttpResponse, ApiError>> {
    let origin = public.url.clone().or_else(|| client::from_request(&request).ok()?.origin());
    let url =
        format!("{}{}/api", origin.map(|origin| origin.to_string()).unwrap_or_default(), base_path.as_str());
    ready(Err(wrong_url(format!(
        "This is the base URL for SDKs of servers, and not an endpoint. SDKs of browsers and phones use {url}/frontend"
    ))))
}

/// Creates the error for a URL that is not an endpoint. The message names the right URL or the reason.
fn wrong_url(message: impl Into<Cow<'static, str>>) -> ApiError {
    DomainError::new("unknown_path", StatusCode::NOT_FOUND, message).into()
}

fn report_unavailable() -> Ready<Result<HttpResponse, ApiError>> {
    ready(Err(wrong_url(
        "This Flagdeck forwards the API to an upstream. To serve OpenFeature clients (OFREP) itself, it needs the setting \
         upstream-token, a client token of the upstream, with replica for servers, or with frontend-origin or frontend-tokens for browsers",
    )))
}
