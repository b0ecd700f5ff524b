//! The embedded flag service and its routes.
//!
//! Each noun declares its endpoints in its `routes.rs`. A request passes a route, a handler (`admin`, `client`),
//! validation (`rules`) and a transaction of `Flags` (`service`) that runs the work (`toggles`, `tags`, …) on the
//! database (`store`). The transaction records an event (`events`), which `addons` deliver. `auth` authenticates and
//! authorizes. `usage` counts the reports of client libraries.

pub mod addons;
mod admin;
pub mod applications;
pub mod auth;
pub mod builtin;
mod client;
pub mod client_snapshot;
mod context;
pub mod definitions;
pub mod demo;
pub mod endpoint;
pub mod events;
mod examples;
#[cfg(test)]
mod generated_file;
mod installation;
pub mod model;
pub mod openapi;
pub mod projects;
pub mod rules;
pub mod seen_apps;
mod service;
pub mod state;
pub mod store;
mod strategies;
pub mod tags;
mod toggle_list;
pub mod toggles;
pub mod usage;

use actix_web::middleware::from_fn;
use actix_web::web;

use self::admin::media_type;
use self::auth::{Access, guards};
use self::endpoint::{ADMIN_PREFIX, Authorization, CLIENT_PREFIX, Endpoint, register};
use crate::error::ApiError;
use crate::middleware::compress::compress;

pub(crate) use self::admin::media_type::require_json;
pub use self::service::Flags;
pub use self::store::{DataLocation, OpenError};

/// Returns the declarations of all endpoints of the service.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    let nouns = [
        auth::routes::endpoints(),
        installation::routes::endpoints(),
        toggles::routes::endpoints(),
        strategies::routes::endpoints(),
        context::routes::endpoints(),
        tags::routes::endpoints(),
        projects::routes::endpoints(),
        addons::routes::endpoints(),
        events::routes::endpoints(),
        usage::routes::endpoints(),
        applications::routes::endpoints(),
        client::routes::endpoints(),
    ];
    nouns.into_iter().flatten().collect()
}

/// Registers every endpoint of the service. Expects `web::Data<Flags>` and `web::Data<Access>` in the app data.
pub fn routes(config: &mut web::ServiceConfig, access: &Access) {
    let (mut public, mut admin, mut client) = (Vec::new(), Vec::new(), Vec::new());
    let mode = access.mode();
    for endpoint in endpoints().into_iter().filter(|endpoint| endpoint.mode.is_none_or(|only| only == mode)) {
        match endpoint.authorization {
            Authorization::Public => public.push(endpoint),
            Authorization::Session | Authorization::Permission(_) => admin.push(endpoint),
            Authorization::ClientToken => client.push(endpoint),
        }
    }
    let admin_scope = web::scope(ADMIN_PREFIX)
        .wrap(from_fn(require_json))
        .wrap(from_fn(guards::authenticate))
        .wrap(from_fn(compress))
        .configure(|scope| register(scope, admin))
        .default_service(web::to(ApiError::unknown_path));
    let client_scope = web::scope(CLIENT_PREFIX)
        .wrap(from_fn(media_type::require_json_media_type))
        .wrap(from_fn(guards::require_client_token))
        .configure(|scope| register(scope, client))
        .default_service(web::to(ApiError::unknown_path));
    // Public endpoints come first: some of their paths begin with the prefix of a scope.
    register(config, public);
    config
        .service(admin_scope)
        .service(client_scope)
        .service(web::scope("/api").default_service(web::to(ApiError::unknown_path)));
}
