//! The embedded flag service and its routes.
//!
//! Each noun (`projects`, `tags`, …) declares its endpoints. A request passes a route, a handler, its validation and a transaction,
//! which reads and writes rows (methods of `database::Transaction`) and records an event (`events`). A small noun is one file in this
//! order; a large one has the files `routes`, `handlers`, `rules`, `transactions` and `rows`. `addons` deliver events. `auth`
//! authenticates and authorizes. `usage` counts the reports of client libraries. `service` composes the parts.

pub mod addons;
pub mod api_tokens;
pub mod applications;
pub mod auth;
pub mod client;
pub(crate) mod console;
pub mod context;
pub mod demo;
pub(crate) mod endpoint;
pub mod events;
mod examples;
pub(crate) mod history;
mod installation;
mod media_type;
pub mod projects;
pub mod segments;
mod service;
mod session;
pub mod state;
pub mod strategies;
mod tagged_json;
pub mod tags;
pub mod toggles;
pub mod transfer;
pub mod usage;
mod users;
pub mod validation;

use std::sync::LazyLock;

use actix_web::guard::{GuardContext, fn_guard};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::web;

use self::auth::{Access, guards};
use self::endpoint::{ADMIN_PREFIX, Authorization, CLIENT_PREFIX, Endpoint, register};
use crate::error::ApiError;
use crate::middleware::compress::compress;

pub(crate) use self::media_type::require_json;
pub use self::service::Flags;
pub(crate) use self::service::{open_in_background, open_store};
use self::session::SESSIONS_PATH;
pub(crate) use self::session::password_sign_in;
pub use crate::config::DataLocation;

/// Returns the declarations of all endpoints of the service.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    let nouns = [
        session::endpoints(),
        users::endpoints(),
        installation::endpoints(),
        toggles::routes::endpoints(),
        strategies::endpoints(),
        context::endpoints(),
        tags::routes::endpoints(),
        projects::endpoints(),
        segments::routes::endpoints(),
        state::routes::endpoints(),
        addons::routes::endpoints(),
        api_tokens::endpoints(),
        history::endpoints(),
        usage::routes::endpoints(),
        applications::routes::endpoints(),
        client::routes::endpoints(),
    ];
    nouns.into_iter().flatten().collect()
}

/// Returns the authorization of a request to a path below [`ADMIN_PREFIX`], by the declaration of its endpoint; `None` if the
/// service has no such endpoint. `segments` are the segments of the path, not decoded.
#[must_use]
pub(crate) fn find_authorization(method: &Method, segments: &[&str]) -> Option<Authorization> {
    /// Endpoints contain handlers, which belong to one thread.
    static DECLARED: LazyLock<Vec<(Method, &str, Authorization)>> = LazyLock::new(|| {
        let is_admin = |endpoint: &Endpoint| endpoint.authorization.prefix() == ADMIN_PREFIX;
        let endpoints = endpoints().into_iter().filter(is_admin);
        endpoints.map(|endpoint| (endpoint.method, endpoint.path, endpoint.authorization)).collect()
    });
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    let mut found = DECLARED.iter().filter(|(declared, path, _)| {
        declared == method && matches_path(path.trim_start_matches('/'), segments)
    });
    found.next().map(|(.., authorization)| *authorization)
}

/// Returns true if segments of a path match a pattern, whose parameters are in braces. A parameter is never empty.
#[must_use]
pub(crate) fn matches_path(pattern: &str, segments: &[&str]) -> bool {
    let is_match = |(part, segment): (&str, &&str)| {
        if part.starts_with('{') { !segment.is_empty() } else { part == *segment }
    };
    pattern.split('/').count() == segments.len() && pattern.split('/').zip(segments).all(is_match)
}

/// Registers the endpoints with which administrators see and revoke sessions, below a base path, for an upstream without a sign-in
/// of its own. The access control and the database are in the app data.
pub(crate) fn session_administration(config: &mut web::ServiceConfig, base_path: &str) {
    let prefix = format!("{base_path}{ADMIN_PREFIX}");
    let path = format!("{prefix}{SESSIONS_PATH}");
    // The upstream has the other paths with this prefix.
    let is_about_sessions = move |request: &GuardContext<'_>| {
        let rest = request.head().uri.path().strip_prefix(path.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let scope = web::scope(&prefix)
        .guard(fn_guard(is_about_sessions))
        .wrap(from_fn(require_json))
        .wrap(from_fn(guards::authenticate))
        .wrap(from_fn(compress))
        .configure(|scope| register(scope, session::administration()))
        .default_service(web::to(ApiError::unknown_path));
    config.service(scope);
}

/// Registers every endpoint of the service. Handlers expect the parts of the service (`Flags::add_app_data`) and the access
/// control in the app data.
pub fn routes(config: &mut web::ServiceConfig, flags: &Flags, access: &web::Data<Access>) {
    let database = web::Data::new(flags.database.clone());
    let authenticate = {
        let (database, access) = (database.clone(), access.clone());
        move |request, next: Next<_>| guards::authenticate(access.clone(), database.clone(), request, next)
    };
    let (mut public, mut admin) = (Vec::new(), Vec::new());
    let mode = access.mode();
    for endpoint in
        endpoints().into_iter().filter(|endpoint| endpoint.modes.is_none_or(|only| only.contains(&mode)))
    {
        match endpoint.authorization {
            Authorization::Public => public.push(endpoint),
            Authorization::Session | Authorization::Permission(_) => admin.push(endpoint),
            Authorization::ClientToken => {}
        }
    }
    let admin_scope = web::scope(ADMIN_PREFIX)
        .wrap(from_fn(require_json))
        .wrap(from_fn(authenticate))
        .wrap(from_fn(compress))
        .configure(|scope| register(scope, admin))
        .default_service(web::to(ApiError::unknown_path));
    // Public endpoints come first: some of their paths begin with the prefix of a scope.
    register(config, public);
    config.service(admin_scope);
    client_routes(config, "", flags, access);
    config.service(web::scope("/api").default_service(web::to(ApiError::unknown_path)));
}

/// Registers the endpoints of client libraries below a base path, with the same app data.
pub(crate) fn client_routes(
    config: &mut web::ServiceConfig,
    base_path: &str,
    flags: &Flags,
    access: &web::Data<Access>,
) {
    let (database, access) = (web::Data::new(flags.database.clone()), access.clone());
    let require_client_token = move |request, next: Next<_>| {
        guards::require_client_token(access.clone(), database.clone(), request, next)
    };
    let is_for_clients = |endpoint: &Endpoint| endpoint.authorization == Authorization::ClientToken;
    let client = endpoints().into_iter().filter(is_for_clients).collect();
    let scope = web::scope(&format!("{base_path}{CLIENT_PREFIX}"))
        .wrap(from_fn(media_type::require_json_media_type))
        .wrap(from_fn(require_client_token))
        .configure(|scope| register(scope, client))
        .default_service(web::to(ApiError::unknown_path));
    config.service(scope);
}
