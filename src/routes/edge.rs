//! The URLs of `flagdeck edge` and `flagdeck offline`: those of SDKs, the validation of tokens, and the probes and metrics of Unleash
//! Edge. All others do not exist, so that no request is forwarded without the token of an SDK, and nothing of the console or of the
//! admin API is reachable.

use std::net::IpAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{Error, FromRequest, Handler, HttpRequest, HttpResponse, Resource};
use serde::Deserialize;
use serde_json::json;

use super::{CLIENT_API, configure_replica};
use crate::admin::{self, Admin};
use crate::backend::{Api, Backend, EmbeddedApi};
use crate::config::{BasePath, ClientToken, Edge};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::Access;
use crate::flags::auth::token::hash;
use crate::json_body::JsonBody;
use crate::middleware::client;
use crate::middleware::sdk_token::token_from_headers;
use crate::proxy::Proxy;
use crate::sdk::replica::Replica;
use crate::{flags, sdk};

/// Maximum number of tokens in a request for their validation.
const MAX_TOKENS: usize = 100;

/// True once each environment has had a copy of its toggles. All workers share it.
#[derive(Default)]
pub struct WasHealthy(AtomicBool);

/// Tokens in a request for their validation.
#[derive(Deserialize)]
struct TokenList {
    tokens: Vec<String>,
}

impl TokenList {
    async fn read(body: Payload) -> Result<Self, ApiError> {
        let body = JsonBody::read(body).await?.0;
        let list = Self::deserialize(body).ok().filter(|list| list.tokens.len() <= MAX_TOKENS);
        list.ok_or_else(|| {
            ApiError::invalid("tokens", format!("must be a list of at most {MAX_TOKENS} tokens"))
        })
    }
}

/// Registers the routes of one worker. An upstream must have a replica; otherwise no SDK is served.
pub fn configure(services: &mut ServiceConfig, base_path: &BasePath, backend: &Backend, edge: &Edge) {
    let base = base_path.as_str();
    match &backend.api {
        Api::Upstream(upstream) => {
            if let Some(replica) = &upstream.replica {
                configure_upstream(services, base, &Rc::new(Proxy::new(&upstream.proxy)), replica);
            }
        }
        Api::Embedded(EmbeddedApi { flags, access, clients, .. }) => {
            flags.add_app_data(services);
            services.app_data(access.clone()).app_data(clients.clone());
            flags::client_routes(services, base, flags, access);
            services.service(validation(base, validate_stored));
        }
    }
    if let Some(sdk_api) = backend.sdk_api() {
        sdk::routes(services, base, sdk_api);
        if edge.has_all_results {
            sdk::all_results_routes(services, base);
        }
    }
    let backstage = web::scope(&format!("{base}/internal-backstage"))
        .route("/health", web::get().to(health))
        .route("/health", web::head().to(health))
        .route("/ready", web::get().to(ready))
        .route("/ready", web::head().to(ready));
    let backstage =
        if edge.has_metrics { backstage.route("/metrics", web::get().to(admin::metrics)) } else { backstage };
    services.service(backstage).default_service(web::to(ApiError::unknown_path));
}

/// Registers the requests of server SDKs that the replica handles, and the validation of tokens.
fn configure_upstream(services: &mut ServiceConfig, base: &str, proxy: &Rc<Proxy>, replica: &Replica) {
    services
        .service(
            web::scope(&format!("{base}{CLIENT_API}"))
                .wrap(from_fn(require_token))
                .configure(|services| configure_replica(services, "", replica, proxy))
                .default_service(web::to(ApiError::unknown_path)),
        )
        .service(validation(base, validate).app_data(Data::new(replica.clone())));
}

/// Creates the endpoint for the validation of tokens.
fn validation<F, A>(base: &str, handler: F) -> Resource
where
    F: Handler<A, Output = Result<HttpResponse, ApiError>>,
    A: FromRequest + 'static,
{
    web::resource(format!("{base}/edge/validate"))
        .route(web::post().to(handler))
        .default_service(web::to(ApiError::unknown_path))
}

/// Refuses requests of server SDKs without a token: servers without sign-in would respond to them.
async fn require_token<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if token_from_headers(request.headers()).is_none() {
        return Err(ApiError::TokenNeeded.into());
    }
    next.call(request).await
}

/// Lists those of the tokens that the upstream accepts, with their properties.
async fn validate(
    replica: Data<Replica>,
    request: HttpRequest,
    body: Payload,
) -> Result<HttpResponse, ApiError> {
    let address: IpAddr = client::from_request(&request)?.address;
    let tokens = TokenList::read(body).await?.tokens;
    let tokens = replica.list_accepted(&tokens, address).await?;
    Ok(HttpResponse::Ok().json(json!({ "tokens": tokens })))
}

/// Does the same for the tokens of `flagdeck offline`.
async fn validate_stored(
    access: Data<Access>,
    database: Data<Database>,
    body: Payload,
) -> Result<HttpResponse, ApiError> {
    let mut accepted = Vec::new();
    for token in TokenList::read(body).await?.tokens {
        if let Some(scope) = access.find_token(hash(&token), &database).await? {
            let environment = ClientToken::parts_of(&token).map(|(_, environment)| environment);
            accepted.push(scope.to_listed(&token, environment));
        }
    }
    Ok(HttpResponse::Ok().json(json!({ "tokens": accepted })))
}

/// Reports that requests can be answered. Until each environment has had its toggles, a rollout must not replace other instances.
/// Later, an outage of the upstream is no reason to restart this one.
async fn health(admin: Data<Admin>, was_healthy: Data<WasHealthy>) -> Result<HttpResponse, ApiError> {
    if !was_healthy.0.load(Ordering::Relaxed) {
        check_copies(&admin, &was_healthy)?;
    }
    Ok(HttpResponse::Ok().json(json!({ "status": "OK" })))
}

fn check_copies(admin: &Admin, was_healthy: &WasHealthy) -> Result<(), ApiError> {
    admin.backend.replica().map_or(Ok(()), Replica::check_copies)?;
    was_healthy.0.store(true, Ordering::Relaxed);
    Ok(())
}

/// Reports that new requests may be sent here.
async fn ready(admin: Data<Admin>, was_healthy: Data<WasHealthy>) -> Result<HttpResponse, ApiError> {
    check_copies(&admin, &was_healthy)?;
    let response = admin::ready(admin).await?;
    if response.status().is_success() {
        return Ok(HttpResponse::Ok().json(json!({ "status": "READY" })));
    }
    Ok(response)
}
