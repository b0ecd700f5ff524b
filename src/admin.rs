//! Listener for monitoring (`--admin-listen`): liveness, readiness and metrics.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, ORIGIN};
use actix_web::{App, HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::backend::Backend;
use crate::console::holds;
use crate::error::ApiError;
use crate::journal::{Item, Journal, JournalLine, LineKind, Person, PersonSource};
use crate::json_body::JsonBody;
use crate::listener::{ConnectionLimits, Listener};
use crate::metrics::Metrics;
use crate::middleware::cross_site::cross_site_error;
use crate::sdk::replica::Replica;

/// Keep-alive timeout. Monitoring sends a request every few seconds.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Header with the user of the operating system who runs a command.
pub(crate) const PERSON: HeaderName = HeaderName::from_static("flagdeck-person");
/// Timeout for the head of a request, and for a client that receives nothing of its response.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(5);

/// The state that the monitoring endpoints report.
#[derive(Clone)]
pub struct Admin {
    /// Metrics of the main listener.
    pub metrics: web::Data<Metrics>,
    /// False after the shutdown has started.
    pub is_ready: Arc<AtomicBool>,
    /// The backend of the API.
    pub backend: Backend,
    /// The operators' journal; `None` if changes are not recorded.
    pub journal: Option<Journal>,
}

/// Binds the port.
pub(crate) fn listen(address: SocketAddr, admin: &Admin) -> io::Result<(Server, SocketAddr)> {
    let admin = web::Data::new(admin.clone());
    let factory = move || {
        App::new()
            .app_data(admin.clone())
            .route("/livez", web::get().to(live))
            .route("/readyz", web::get().to(ready))
            .route("/metrics", web::get().to(metrics))
            .route("/replica", web::get().to(replica_status))
            .route("/replica", web::delete().to(purge_replica))
            .route("/holds", web::get().to(list_holds))
            .route("/holds", web::post().to(add_hold))
            .route("/holds/{name}", web::get().to(preview_hold))
            .route("/holds/{name}", web::delete().to(release_hold))
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

/// Returns the replica, or an error without one.
fn find_replica<'a>(admin: &'a Admin, request: &HttpRequest) -> Result<&'a Replica, ApiError> {
    admin.backend.replica().ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))
}

/// Lists the copies of the replica.
async fn replica_status(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(find_replica(&admin, &request)?.status()))
}

/// Refuses changes from pages of browsers: browsers send `Origin` with unsafe methods, also to a host whose name resolves to
/// this machine.
fn refuse_browsers(request: &HttpRequest) -> Result<(), ApiError> {
    match request.headers().get(ORIGIN) {
        Some(origin) => Err(cross_site_error(&String::from_utf8_lossy(origin.as_bytes()))),
        None => Ok(()),
    }
}

/// Lists the holds.
async fn list_holds(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    Ok(holds::list(admin.backend.holds().ok_or_else(holds::unavailable)?))
}

/// Returns the effect that a hold would have.
async fn preview_hold(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    holds::preview(&admin.backend.hold_target().await?, &request)
}

/// Holds a toggle.
async fn add_hold(
    admin: web::Data<Admin>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    refuse_browsers(&request)?;
    let draft = holds::parse_draft(body.0)?;
    let person = draft.person.clone().unwrap_or_default();
    let new = admin.backend.hold_target().await?.create(draft, &person).await?;
    record_command(&admin, &person, holds::describe_new(&new)).await;
    Ok(HttpResponse::Created().json(new))
}

/// Ends the holds of a toggle.
async fn release_hold(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    refuse_browsers(&request)?;
    let holds = admin.backend.holds().ok_or_else(holds::unavailable)?;
    let person = request.headers().get(PERSON).and_then(|person| person.to_str().ok()).unwrap_or_default();
    let (toggle, released) = holds::release_toggle(holds, &request, person).await?;
    record_command(&admin, person, holds::describe_release(&toggle)).await;
    Ok(HttpResponse::Ok().json(released))
}

/// Records a change in the journal that a command of the operating system's user has requested.
async fn record_command(admin: &Admin, person: &str, (item, change): (Item, String)) {
    let Some(journal) = &admin.journal else { return };
    let sub = (!person.is_empty()).then(|| person.to_owned());
    let person = Person { sub, known: PersonSource::CommandLine, ..Person::default() };
    let line = JournalLine {
        person: Some(person),
        item: Some(item),
        change: Some(change),
        status: Some(StatusCode::OK.as_u16()),
        ..JournalLine::now(LineKind::Change)
    };
    journal.append(line).await;
}

/// Removes the copies of the replica.
async fn purge_replica(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let replica = find_replica(&admin, &request)?;
    refuse_browsers(&request)?;
    Ok(HttpResponse::Ok().json(replica.purge().await))
}

/// Reports readiness.
async fn ready(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    if !admin.is_ready.load(Ordering::Relaxed) {
        return Ok(HttpResponse::ServiceUnavailable().json(json!({ "status": "shutting down" })));
    }
    admin.journal.as_ref().map_or(Ok(()), Journal::check)?;
    admin.backend.check_ready().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ok" })))
}

async fn metrics(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    admin.backend.update_metrics();
    if let Some(journal) = &admin.journal {
        journal.update_metrics();
    }
    let text = admin
        .metrics
        .encode(admin.backend.circuit_is_open(), admin.backend.upstream_version())
        .map_err(ApiError::internal)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, kind)).body(text))
}
