//! All URLs of the program. The endpoints of the embedded flag service are in `flags.rs`.

mod edge;
mod endpoints;
mod gate;

use std::rc::Rc;

use actix_service::fn_service;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceRequest;
use actix_web::guard::{Get, GuardContext, Post, fn_guard};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Scope};
use percent_encoding::percent_decode_str;

use self::endpoints::{Console, SignInPlace};
use self::gate::Gate;
use crate::backend::{Api, Backend, Dispatcher, EmbeddedApi};
use crate::compat::Compat;
use crate::config::BasePath;
use crate::error::ApiError;
use crate::journal::Journal;
use crate::middleware::compress::compress;
use crate::proxy::{Proxy, ProxyState};
use crate::recorder::Recorder;
use crate::sdk::replica::{self, Replica, ReportKind};
use crate::{assets, console, flags, middleware, sdk};

pub use self::edge::{WasHealthy, configure as configure_edge};

/// Path of the API of server SDKs.
const CLIENT_API: &str = "/api/client";

/// Registers all routes of one worker below the base path. Other paths do not exist.
pub fn configure(
    services: &mut ServiceConfig,
    base_path: &BasePath,
    backend: &Backend,
    journal: Option<&Journal>,
    recorder: Option<&Recorder>,
) {
    let console = |gate, sign_in| Console {
        backend: backend.clone(),
        gate,
        sign_in,
        journal: journal.cloned(),
        recorder: recorder.cloned(),
    };
    match &backend.api {
        Api::Upstream(upstream) => {
            // Each worker has its own connection pool, which needs no locks.
            let proxy = Rc::new(Proxy::new(&upstream.proxy));
            if let Some(replica) = &upstream.replica {
                configure_replica(services, &format!("{}{CLIENT_API}", base_path.as_str()), replica, &proxy);
            }
            if let Some(sdk_api) = backend.sdk_api() {
                sdk::routes(services, base_path.as_str(), sdk_api);
            }
            let compat = Rc::new(Compat::new(&proxy, &upstream.compat));
            if let Some(access) = &upstream.access {
                services.app_data(access.access.clone()).app_data(access.database.clone());
                services.service(flags::password_sign_in(base_path.as_str()));
                flags::session_administration(services, base_path.as_str());
            }
            let dispatcher = Dispatcher::new(upstream, &proxy, &compat, journal.cloned());
            configure_proxy(services, base_path, &upstream.proxy, dispatcher);
            let (gate, sign_in) = match &upstream.access {
                Some(access) => {
                    let database = access.database.as_ref().clone();
                    let gate = Gate::Here { access: access.access.clone(), database };
                    (gate, SignInPlace::BeforeUpstream { access: access.clone(), proxy, compat })
                }
                None => (Gate::Upstream(Rc::clone(&compat)), SignInPlace::Upstream(compat)),
            };
            services.service(own_paths(base_path, console(gate, sign_in), sdk::unavailable_routes));
        }
        Api::Embedded(EmbeddedApi { flags, access, sign_in, clients, document, .. }) => {
            flags.add_app_data(services);
            services.app_data(access.clone()).app_data(clients.clone()).app_data(document.clone());
            let api = |api: &mut ServiceConfig| {
                if let Some(sdk_api) = backend.sdk_api() {
                    sdk::routes(api, "", sdk_api);
                }
                flags::routes(api, flags, access);
            };
            let gate = Gate::Here { access: access.clone(), database: flags.database.clone() };
            let sign_in = SignInPlace::Embedded(sign_in.clone());
            services.service(own_paths(base_path, console(gate, sign_in), api));
        }
    }
    services.default_service(web::to(ApiError::unknown_path));
}

/// Creates the scope of the base path with the paths that this program serves itself. `api` registers the paths of
/// the embedded flag service.
fn own_paths(base_path: &BasePath, console: Console, api: impl FnOnce(&mut ServiceConfig)) -> Scope {
    let users = match &console.gate {
        Gate::Upstream(compat) => Some(Rc::clone(compat)),
        Gate::Here { .. } => None,
    };
    let respond_to_same_user = move |request: ServiceRequest, next: Next<BoxBody>| {
        let users = users.clone();
        async move {
            match users {
                Some(users) => {
                    Box::pin(users.respond_to_same_user(request, async |request| next.call(request).await))
                        .await
                }
                None => next.call(request).await,
            }
        }
    };
    web::scope(base_path.as_str())
        .service(
            web::scope("/-")
                .wrap(from_fn(respond_to_same_user))
                .wrap(from_fn(compress))
                .configure(|services| endpoints::register(services, console))
                .default_service(web::to(ApiError::unknown_path)),
        )
        .service(
            web::resource("/logout")
                .guard(fn_guard(console::logout::is_opened_by_other_site))
                .route(web::get().to(console::logout::ask_first)),
        )
        .configure(api)
        .default_service(web::to(assets::serve))
}

/// Registers the requests of SDKs that the replica handles, below a prefix. Other requests with these paths are forwarded.
fn configure_replica(services: &mut ServiceConfig, prefix: &str, replica: &Replica, proxy: &Rc<Proxy>) {
    let (features, streaming) = (replica.clone(), replica.clone());
    let features = move |request: HttpRequest| {
        let replica = features.clone();
        async move { replica.features(&request).await }
    };
    let streaming = move |request: HttpRequest| {
        let replica = streaming.clone();
        async move { replica.streaming(&request).await }
    };
    let resource = |path: &str| web::resource(format!("{prefix}{path}"));
    let is_of_sdk = |request: &GuardContext<'_>| replica::is_request_of_sdk(request.head());
    let resource_of_sdk = |path: &str| resource(path).guard(fn_guard(is_of_sdk));
    services
        .service(resource_of_sdk("/features").route(web::route().to(features)))
        .service(resource_of_sdk("/streaming").guard(Get()).route(web::route().to(streaming)));
    // Old SDKs read single toggles.
    let feature = replica.clone();
    let feature = move |request: HttpRequest| {
        let replica = feature.clone();
        async move {
            let name =
                percent_decode_str(request.match_info().query("name")).decode_utf8_lossy().into_owned();
            replica.feature(&request, &name).await
        }
    };
    services.service(resource_of_sdk("/features/{name}").route(web::route().to(feature)));
    for (path, kind) in [
        ("/api/client/register", ReportKind::Registration),
        ("/api/client/metrics", ReportKind::Counts),
        ("/api/client/metrics/bulk", ReportKind::Bulk),
    ] {
        let (replica, proxy) = (replica.clone(), Rc::clone(proxy));
        let report = move |request: HttpRequest, body: web::Payload| {
            let (replica, proxy) = (replica.clone(), Rc::clone(&proxy));
            async move { forward_report(&proxy, &replica, path, kind, &request, body).await }
        };
        let path = path.trim_start_matches(CLIENT_API);
        services.service(resource(path).guard(Post()).route(web::route().to(report)));
    }
}

/// Forwards a report of an SDK. The replica collects reports, or keeps them while the upstream does not respond.
async fn forward_report(
    proxy: &Proxy,
    replica: &Replica,
    path: &str,
    kind: ReportKind,
    request: &HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let body = replica::reports::read(body).await?;
    let headers = request.headers();
    let client = middleware::client::from_request(request)?;
    let decoded = replica.decode_report(headers, &body)?;
    if let Some(decoded) = &decoded
        && replica.queue_report(kind, headers, decoded, client.address)?
    {
        return Ok(HttpResponse::Accepted().finish());
    }
    let forwarded = proxy.send_for(&client, headers, &Method::POST, path, body.clone()).await;
    let forwarded = forwarded.map(|response| proxy.convert_response(response, &client));
    match decoded {
        Some(decoded) => replica.keep_report(kind, headers, &decoded, client.address, forwarded),
        None => forwarded,
    }
}

/// Registers the forwarded paths. They are not part of the scope of the base path, which would slow down each request.
fn configure_proxy(
    services: &mut ServiceConfig,
    base_path: &BasePath,
    state: &ProxyState,
    dispatcher: Dispatcher,
) {
    let dispatcher = Rc::new(dispatcher);
    for prefix in state.prefixes() {
        let path = format!("{}{prefix}", base_path.as_str());
        let dispatcher = Rc::clone(&dispatcher);
        let dispatch = move |request| Rc::clone(&dispatcher).dispatch(request);
        services.service(web::scope(&path).default_service(fn_service(dispatch)));
    }
}
