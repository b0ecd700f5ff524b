//! The embedded flag service and its routes.
//!
//! A request passes the URL table, a handler (`admin`, `client`), validation (`rules`) and a transaction of `Flags`
//! (`service`) that runs the work (`toggles`, `tags`, …) on the database (`store`). The transaction records an event
//! (`events`), which `addons` deliver. `auth` authenticates and authorizes. `usage` counts the reports of client
//! libraries.

pub mod addons;
mod admin;
pub mod applications;
pub mod auth;
pub mod builtin;
mod client;
pub mod client_snapshot;
pub(crate) mod console;
pub mod definitions;
pub mod demo;
mod endpoint;
pub mod events;
mod examples;
#[cfg(test)]
mod generated_file;
pub mod model;
pub mod openapi;
pub mod projects;
pub mod rules;
pub mod seen_apps;
mod service;
pub mod state;
pub mod store;
pub mod tags;
mod toggle_list;
pub mod toggles;
pub mod usage;

use actix_web::middleware::{Next, from_fn};
use actix_web::{guard, web};

use self::admin::{media_type, session, sign_in};
use self::auth::{Access, guards};
use self::endpoint::{endpoint, get_or_head, public_endpoint};
use crate::config::AuthMode;
use crate::error::ApiError;
use crate::middleware::accept;
use crate::middleware::compress::compress;

pub(crate) use self::admin::media_type::require_json;
pub use self::service::Flags;
pub use self::store::OpenError;
pub use crate::config::DataLocation;

/// Registers every URL of the service with the permission that each change requires. Handlers expect the service and
/// the access control in the app data.
pub fn routes(config: &mut web::ServiceConfig, flags: &web::Data<Flags>, access: &web::Data<Access>) {
    let authenticate = {
        let (flags, access) = (flags.clone(), access.clone());
        move |request, next: Next<_>| guards::authenticate(access.clone(), flags.clone(), request, next)
    };
    let require_client_token = {
        let (flags, access) = (flags.clone(), access.clone());
        move |request, next: Next<_>| {
            guards::require_client_token(access.clone(), flags.clone(), request, next)
        }
    };
    let admin = web::scope("/api/admin")
        .wrap(from_fn(require_json))
        .wrap(from_fn(authenticate))
        .wrap(from_fn(compress))
        .service(endpoint("/user").get(session::user))
        .service(endpoint("/ui-config").get(session::ui_config))
        .configure(toggle_routes)
        .configure(reference_routes)
        .configure(addon_routes)
        .configure(history_routes)
        .default_service(web::to(ApiError::unknown_path));
    let client = web::scope("/api/client")
        .wrap(from_fn(media_type::require_json_media_type))
        .wrap(from_fn(require_client_token))
        .service(public_endpoint("/features").route(get_or_head().to(client::features)))
        .service(
            public_endpoint("/features/{name}")
                .wrap(from_fn(compress))
                .route(get_or_head().to(client::feature)),
        )
        .service(public_endpoint("/register").route(web::post().to(client::register)))
        .service(public_endpoint("/metrics").route(web::post().to(client::metrics)))
        .default_service(web::to(ApiError::unknown_path));
    config
        .configure(|open| sign_in_routes(open, access))
        .service(admin)
        .service(client)
        .service(web::scope("/api").default_service(web::to(ApiError::unknown_path)));
}

/// Registers the URLs that need no session.
fn sign_in_routes(open: &mut web::ServiceConfig, access: &Access) {
    let form = match access.mode() {
        AuthMode::Unsecure => Some(web::post().to(sign_in::sign_in_by_email)),
        AuthMode::Password => Some(web::post().to(sign_in::sign_in_by_password)),
        AuthMode::None => None,
    };
    if let (Some(path), Some(form)) = (access.sign_in_path(), form) {
        open.service(public_endpoint(path).wrap(from_fn(require_json)).route(form));
    }
    open.service(public_endpoint("/api/admin/user/logout").route(web::get().to(sign_in::sign_out)));
    // A browser that opens this URL gets the console's page, which signs out with `POST /-/logout`.
    let is_no_page_load =
        guard::fn_guard(|request| !accept::lists_media_type(request.head().headers(), accept::HTML));
    open.service(
        public_endpoint("/logout")
            .guard(guard::Get())
            .guard(is_no_page_load)
            .route(web::get().to(sign_in::sign_out)),
    );
    open.service(public_endpoint("/health").route(get_or_head().to(session::health)));
}

fn toggle_routes(admin: &mut web::ServiceConfig) {
    use self::admin::{archive, features, tags};
    use self::auth::Permission::{CreateFeature, DeleteFeature, UpdateFeature};
    admin
        .service(endpoint("/features").get(features::list).post(CreateFeature, features::create))
        .service(endpoint("/features/validate").post_only(CreateFeature, features::validate))
        .service(
            endpoint("/features/{name}")
                .get(features::show)
                .put(UpdateFeature, features::replace)
                .delete(DeleteFeature, features::archive),
        )
        .service(endpoint("/features/{name}/toggle/on").post(UpdateFeature, features::toggle_on))
        .service(endpoint("/features/{name}/toggle/off").post(UpdateFeature, features::toggle_off))
        .service(endpoint("/features/{name}/stale/on").post(UpdateFeature, features::stale_on))
        .service(endpoint("/features/{name}/stale/off").post(UpdateFeature, features::stale_off))
        .service(
            endpoint("/features/{name}/tags").get(tags::list_by_toggle).post(UpdateFeature, tags::tag_toggle),
        )
        .service(endpoint("/features/{name}/tags/{type}/{value}").delete(UpdateFeature, tags::untag_toggle))
        .service(endpoint("/archive/features").get(archive::list))
        .service(endpoint("/archive/revive/{name}").post(UpdateFeature, archive::revive));
}

/// Routes of the items that toggles refer to.
fn reference_routes(admin: &mut web::ServiceConfig) {
    use self::admin::{context, projects, strategies, tags};
    use self::auth::Permission::{
        CreateContextField, CreateProject, CreateStrategy, CreateTag, CreateTagType, DeleteContextField,
        DeleteProject, DeleteStrategy, DeleteTag, DeleteTagType, UpdateContextField, UpdateProject,
        UpdateStrategy, UpdateTagType,
    };
    admin
        .service(endpoint("/feature-types").get(session::feature_types))
        .service(endpoint("/strategies").get(strategies::list).post(CreateStrategy, strategies::create))
        .service(
            endpoint("/strategies/{name}")
                .get(strategies::show)
                .put(UpdateStrategy, strategies::replace)
                .delete(DeleteStrategy, strategies::delete),
        )
        .service(endpoint("/strategies/{name}/deprecate").post(UpdateStrategy, strategies::deprecate))
        .service(endpoint("/strategies/{name}/reactivate").post(UpdateStrategy, strategies::reactivate))
        .service(endpoint("/context").get(context::list).post(CreateContextField, context::create))
        .service(endpoint("/context/validate").post_only(CreateContextField, context::validate))
        .service(
            endpoint("/context/{name}")
                .get(context::show)
                .put(UpdateContextField, context::replace)
                .delete(DeleteContextField, context::delete),
        )
        .service(endpoint("/tag-types").get(tags::list_types).post(CreateTagType, tags::create_type))
        .service(endpoint("/tag-types/validate").post_only(CreateTagType, tags::validate_type))
        .service(
            endpoint("/tag-types/{name}")
                .get(tags::show_type)
                .put(UpdateTagType, tags::replace_type)
                .delete(DeleteTagType, tags::delete_type),
        )
        .service(endpoint("/tags").get(tags::list).post(CreateTag, tags::create))
        .service(endpoint("/tags/{type}").get(tags::list_by_type))
        .service(endpoint("/tags/{type}/{value}").delete(DeleteTag, tags::delete))
        .service(endpoint("/projects").get(projects::list).post(CreateProject, projects::create))
        .service(endpoint("/projects/validate").post_only(CreateProject, projects::validate))
        .service(
            endpoint("/projects/{id}")
                .put(UpdateProject, projects::replace)
                .delete(DeleteProject, projects::delete),
        );
}

fn addon_routes(admin: &mut web::ServiceConfig) {
    use self::admin::addons;
    use self::auth::Permission::{CreateAddon, DeleteAddon, UpdateAddon};
    admin.service(endpoint("/addons").get(addons::list).post(CreateAddon, addons::create)).service(
        endpoint("/addons/{id}")
            .get(addons::show)
            .put(UpdateAddon, addons::replace)
            .delete(DeleteAddon, addons::delete),
    );
}

/// Routes of events, metrics and applications.
fn history_routes(admin: &mut web::ServiceConfig) {
    use self::admin::{applications, events, metrics};
    use self::auth::Permission::UpdateApplication;
    admin
        .service(endpoint("/events").get(events::list))
        .service(endpoint("/events/{name}").get(events::list_by_toggle))
        .service(endpoint("/metrics/feature-toggles").get(metrics::toggle_metrics))
        .service(endpoint("/metrics/seen-apps").get(metrics::seen_apps))
        .service(endpoint("/metrics/applications").get(applications::list))
        .service(
            endpoint("/metrics/applications/{name}")
                .get(applications::show)
                .post(UpdateApplication, applications::describe)
                .delete(UpdateApplication, applications::delete),
        );
}
