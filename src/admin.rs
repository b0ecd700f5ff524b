//! Listener for monitoring (`--admin-listen`): liveness, readiness and metrics, and the changes of commands on this machine.
//!
//! It has no users. Reads are for monitoring, from any machine that can connect. Changes are for commands, and need a client and a
//! `Host` of this machine: other machines could otherwise hold toggles, and so could pages of a browser on this machine whose host
//! name resolves to it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::http::uri::Authority;
use actix_web::middleware::{Next, from_fn};
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
use serde_json::json;

use crate::backend::Backend;
use crate::console::holds;
use crate::error::{ApiError, DomainError};
use crate::journal::Journal;
use crate::json_body::JsonBody;
use crate::listener::{ConnectionLimits, Listener};
use crate::metrics::Metrics;
use crate::middleware::cross_site::cross_site_error;
use crate::middleware::journaling::{RequestRecording, status_of};
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

/// Address of the setting, to which commands on this machine connect.
#[derive(Clone, Copy)]
struct ListenAddress(IpAddr);

/// Binds the port.
pub(crate) fn listen(address: SocketAddr, admin: &Admin) -> io::Result<(Server, SocketAddr)> {
    let admin = web::Data::new(admin.clone());
    let factory = move || {
        let state = admin.clone();
        App::new()
            .wrap(from_fn(move |request, next: Next<BoxBody>| record_change(state.clone(), request, next)))
            .app_data(admin.clone())
            .app_data(ListenAddress(address.ip()))
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

/// Lets a change pass from a command on this machine if the journal can record it, before the body is read. The change and its line
/// in the journal are completed also if the client disconnects: a person can interrupt a command. Reads pass without a check.
async fn record_change(
    admin: web::Data<Admin>,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if request.method().is_safe() {
        return next.call(request).await;
    }
    let peer = request.peer_addr().map(|peer| peer.ip());
    let listen = request.app_data::<ListenAddress>().map(|ListenAddress(address)| *address);
    check_sender(peer, listen, request.headers())?;
    let mut recording = None;
    if let Some(journal) = &admin.journal {
        journal.check()?;
        let person = person_of(request.headers());
        recording = Some(RequestRecording::of_command(journal.clone(), person, &mut request));
    }
    let change = async move {
        let result = next.call(request).await;
        if let Some(recording) = recording {
            recording.finish(status_of(&result)).await;
        }
        result
    };
    actix_web::rt::spawn(change).await.map_err(ApiError::internal)?
}

/// Refuses changes of other machines, and of pages in browsers. A connection to the address of the setting from the same address
/// comes from this machine. Browsers send `Origin` with unsafe methods, and the name of the host in `Host`.
fn check_sender(peer: Option<IpAddr>, listen: Option<IpAddr>, headers: &HeaderMap) -> Result<(), ApiError> {
    let is_local = |peer: IpAddr| peer.to_canonical().is_loopback() || Some(peer) == listen;
    if !peer.is_some_and(is_local) {
        let message = "Changes are only accepted from the machine of Flagdeck. Run the command there, such as `flagdeck hold`";
        return Err(DomainError::new("admin_local", StatusCode::FORBIDDEN, message).into());
    }
    if let Some(origin) = headers.get(ORIGIN) {
        return Err(cross_site_error(&String::from_utf8_lossy(origin.as_bytes())));
    }
    let mut hosts = headers.get_all(HOST);
    let is_own = hosts.next().is_some_and(|host| is_address(host.as_bytes())) && hosts.next().is_none();
    if !is_own {
        let message = "Changes need an IP address or localhost as the host. Run the command on the machine of Flagdeck, such as `flagdeck hold`";
        return Err(DomainError::new("admin_host", StatusCode::FORBIDDEN, message).into());
    }
    Ok(())
}

/// Returns true if a host is an IP address or `localhost`, which no other machine's name can be.
fn is_address(host: &[u8]) -> bool {
    let Ok(authority) = Authority::try_from(host) else { return false };
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    address.parse::<IpAddr>().is_ok() || host.eq_ignore_ascii_case("localhost")
}

/// Lists the holds.
async fn list_holds(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    Ok(holds::list(admin.backend.holds().ok_or_else(holds::unavailable)?))
}

/// Returns the effect that a hold would have.
async fn preview_hold(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    holds::preview(&admin.backend.hold_target().await?, &request).await
}

/// Holds a toggle.
async fn add_hold(
    admin: web::Data<Admin>,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let draft = holds::parse_draft(JsonBody::read(body).await?.0)?;
    let target = admin.backend.hold_target().await?;
    holds::create(&target, &request, draft, &person_of(request.headers())).await
}

/// Ends the holds of a toggle.
async fn release_hold(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let holds = admin.backend.holds().ok_or_else(holds::unavailable)?;
    holds::release(holds, &request, &person_of(request.headers())).await
}

/// Removes the copies of the replica.
async fn purge_replica(admin: web::Data<Admin>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(find_replica(&admin, &request)?.purge().await))
}

/// Returns the user of the operating system who runs a command.
fn person_of(headers: &HeaderMap) -> String {
    let person = headers.get(PERSON).and_then(|person| person.to_str().ok());
    person.unwrap_or_default().to_owned()
}

/// Reports readiness.
pub(crate) async fn ready(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
    if !admin.is_ready.load(Ordering::Relaxed) {
        return Ok(HttpResponse::ServiceUnavailable().json(json!({ "status": "shutting down" })));
    }
    admin.journal.as_ref().map_or(Ok(()), Journal::check)?;
    admin.backend.check_ready().await?;
    Ok(HttpResponse::Ok().json(json!({ "status": "ok" })))
}

pub(crate) async fn metrics(admin: web::Data<Admin>) -> Result<HttpResponse, ApiError> {
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
