//! What monitoring asks, on a listener of its own: whether the program lives, whether it takes requests, and what it has
//! counted.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{App, HttpResponse, web};
use serde_json::json;

use crate::app::Service;
use crate::error::ApiError;
use crate::listener::{ConnectionLimits, Listener};
use crate::metrics::Metrics;

/// Monitoring asks every few seconds at most.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Time for the head of a request, and for taking the next part of a response.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(5);

/// What its answers are made of.
#[derive(Clone)]
pub struct Admin {
    /// What was counted.
    pub metrics: web::Data<Metrics>,
    /// False once the program was asked to end.
    pub takes_requests: Arc<AtomicBool>,
    /// Who answers the API.
    pub service: Service,
}

/// Takes the port.
///
/// # Errors
/// When it cannot be listened on.
pub fn listen(address: SocketAddr, admin: &Admin) -> io::Result<(Server, SocketAddr)> {
    let admin = web::Data::new(admin.clone());
    let factory = move || {
        App::new()
            .app_data(admin.clone())
            .route("/livez", web::get().to(live))
            .route("/readyz", web::get().to(ready))
            .route("/metrics", web::get().to(metrics))
            .default_service(web::to(ApiError::unknown_path))
    };
    let listener = Listener {
        workers: 1,
        tls: None,
        limits: ConnectionLimits {
            keep_alive: KEEP_ALIVE,
            head_timeout: CLIENT_TIMEOUT,
            write_timeout: CLIENT_TIMEOUT,
            allow_half_closed: true,
        },
        shutdown_timeout: Duration::ZERO,
    };
    listener.bind(address, factory)
}

async fn live() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}

/// An upstream that is away is no reason to take the console away as well, which tells so.
async fn ready(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    if !admin.takes_requests.load(Ordering::Relaxed) {
        return Ok(HttpResponse::ServiceUnavailable().json(json!({ "status": "shutting down" })));
    }
    if let Service::Embedded { flags, .. } = &admin.service {
        flags.check_storage().await?;
    }
    Ok(HttpResponse::Ok().json(json!({ "status": "ok" })))
}

async fn metrics(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    let circuit_is_open = match &admin.service {
        Service::Upstream(forwarding) => forwarding.circuit_is_open(),
        Service::Embedded { .. } => false,
    };
    let text = admin.metrics.text(circuit_is_open).map_err(ApiError::internal)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, kind)).body(text))
}
