//! The embedded flag service: its routes.
//!
//! A route calls a handler (`admin/`). The handler validates the body (`rules`) and has `Flags` (`service`) run one
//! operation (such as `toggles`) in a database transaction (`store`). The operation records an event (`events`), which
//! `addons` sends to other services. `auth` checks permissions. `client` serves SDKs, and `usage` counts their reports.

pub mod addons;
mod address;
mod admin;
pub mod applications;
pub mod auth;
pub mod builtin;
mod client;
pub mod client_answer;
pub mod definitions;
pub mod demo;
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

use actix_web::middleware::from_fn;
use actix_web::{guard, web};

use self::address::{at, open_at, read};
use self::admin::{media_type, session, sign_in};
use self::auth::{Access, AuthMode, gate};
use crate::error::ApiError;
use crate::middleware::accept;
use crate::middleware::compress::compress;

pub(crate) use self::admin::media_type::require_json;
pub use self::service::Flags;
pub use self::store::{DataLocation, OpenError};

/// Registers every URL of the service with the permission that each write requires. The app's data must contain
/// `web::Data<Flags>` and `web::Data<Access>`.
pub fn routes(config: &mut web::ServiceConfig, access: &Access) {
    let admin = web::scope("/api/admin")
        .wrap(from_fn(require_json))
        .wrap(from_fn(gate::identify))
        .wrap(from_fn(compress))
        .service(at("/user").read(session::user))
        .service(at("/ui-config").read(session::ui_config))
        .configure(toggle_routes)
        .configure(reference_routes)
        .configure(addon_routes)
        .configure(history_routes)
        .default_service(web::to(ApiError::unknown_path));
    let client = web::scope("/api/client")
        .wrap(from_fn(media_type::require_any_json))
        .wrap(from_fn(gate::require_token))
        .service(open_at("/features").route(read().to(client::features)))
        .service(open_at("/features/{name}").wrap(from_fn(compress)).route(read().to(client::feature)))
        .service(open_at("/register").route(web::post().to(client::register)))
        .service(open_at("/metrics").route(web::post().to(client::metrics)))
        .default_service(web::to(ApiError::unknown_path));
    config
        .configure(|open| sign_in_routes(open, access))
        .service(admin)
        .service(client)
        .service(web::scope("/api").default_service(web::to(ApiError::unknown_path)));
}

/// Routes that do not require a session.
fn sign_in_routes(open: &mut web::ServiceConfig, access: &Access) {
    let form = match access.mode() {
        AuthMode::Unsecure => Some(web::post().to(sign_in::by_email)),
        AuthMode::Password => Some(web::post().to(sign_in::by_password)),
        AuthMode::None => None,
    };
    if let (Some(path), Some(form)) = (access.sign_in_path(), form) {
        open.service(open_at(path).wrap(from_fn(require_json)).route(form));
    }
    open.service(open_at("/api/admin/user/logout").route(web::get().to(sign_in::out)));
    // A browser that opens this URL gets the console's page, which signs out with `POST /-/logout`.
    let is_no_page_load = guard::fn_guard(|request| !accept::names(request.head().headers(), accept::HTML));
    open.service(
        open_at("/logout").guard(guard::Get()).guard(is_no_page_load).route(web::get().to(sign_in::out)),
    );
    open.service(open_at("/health").route(read().to(session::health)));
}

fn toggle_routes(admin: &mut web::ServiceConfig) {
    use self::admin::{archive, features, tags};
    use self::auth::Permission::{CreateFeature, DeleteFeature, UpdateFeature};
    admin
        .service(at("/features").read(features::list).post(CreateFeature, features::create))
        .service(at("/features/validate").post_alone(CreateFeature, features::validate))
        .service(
            at("/features/{name}")
                .read(features::show)
                .put(UpdateFeature, features::replace)
                .delete(DeleteFeature, features::archive),
        )
        .service(at("/features/{name}/toggle/on").post(UpdateFeature, features::toggle_on))
        .service(at("/features/{name}/toggle/off").post(UpdateFeature, features::toggle_off))
        .service(at("/features/{name}/stale/on").post(UpdateFeature, features::stale_on))
        .service(at("/features/{name}/stale/off").post(UpdateFeature, features::stale_off))
        .service(at("/features/{name}/tags").read(tags::of_toggle).post(UpdateFeature, tags::tag_toggle))
        .service(at("/features/{name}/tags/{type}/{value}").delete(UpdateFeature, tags::untag_toggle))
        .service(at("/archive/features").read(archive::list))
        .service(at("/archive/revive/{name}").post(UpdateFeature, archive::revive));
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
        .service(at("/feature-types").read(session::feature_types))
        .service(at("/strategies").read(strategies::list).post(CreateStrategy, strategies::create))
        .service(
            at("/strategies/{name}")
                .read(strategies::show)
                .put(UpdateStrategy, strategies::replace)
                .delete(DeleteStrategy, strategies::delete),
        )
        .service(at("/strategies/{name}/deprecate").post(UpdateStrategy, strategies::deprecate))
        .service(at("/strategies/{name}/reactivate").post(UpdateStrategy, strategies::reactivate))
        .service(at("/context").read(context::list).post(CreateContextField, context::create))
        .service(at("/context/validate").post_alone(CreateContextField, context::validate))
        .service(
            at("/context/{name}")
                .read(context::show)
                .put(UpdateContextField, context::replace)
                .delete(DeleteContextField, context::delete),
        )
        .service(at("/tag-types").read(tags::list_types).post(CreateTagType, tags::create_type))
        .service(at("/tag-types/validate").post_alone(CreateTagType, tags::validate_type))
        .service(
            at("/tag-types/{name}")
                .read(tags::show_type)
                .put(UpdateTagType, tags::replace_type)
                .delete(DeleteTagType, tags::delete_type),
        )
        .service(at("/tags").read(tags::list).post(CreateTag, tags::create))
        .service(at("/tags/{type}").read(tags::of_type))
        .service(at("/tags/{type}/{value}").delete(DeleteTag, tags::delete))
        .service(at("/projects").read(projects::list).post(CreateProject, projects::create))
        .service(at("/projects/validate").post_alone(CreateProject, projects::validate))
        .service(
            at("/projects/{id}")
                .put(UpdateProject, projects::replace)
                .delete(DeleteProject, projects::delete),
        );
}

fn addon_routes(admin: &mut web::ServiceConfig) {
    use self::admin::addons;
    use self::auth::Permission::{CreateAddon, DeleteAddon, UpdateAddon};
    admin.service(at("/addons").read(addons::list).post(CreateAddon, addons::create)).service(
        at("/addons/{id}")
            .read(addons::show)
            .put(UpdateAddon, addons::replace)
            .delete(DeleteAddon, addons::delete),
    );
}

/// Routes of events, metrics and applications.
fn history_routes(admin: &mut web::ServiceConfig) {
    use self::admin::{applications, events, metrics};
    use self::auth::Permission::UpdateApplication;
    admin
        .service(at("/events").read(events::list))
        .service(at("/events/{name}").read(events::of_toggle))
        .service(at("/metrics/feature-toggles").read(metrics::of_toggles))
        .service(at("/metrics/seen-apps").read(metrics::seen_apps))
        .service(at("/metrics/applications").read(applications::list))
        .service(
            at("/metrics/applications/{name}")
                .read(applications::show)
                .post(UpdateApplication, applications::describe)
                .delete(UpdateApplication, applications::delete),
        );
}
