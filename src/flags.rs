//! The embedded flag service: its URL table.
//!
//! A request goes from here to a handler (`admin/`), which has the body checked (`rules`) and then asks `Flags`
//! (`service`) for one piece of work (`toggles`) on the database (`store`), where `events` records it, and `addons` tells
//! others of it. What client libraries ask for and report comes in by `client`, and is counted in `usage`.

pub mod addons;
mod admin;
pub mod applications;
pub mod builtin;
mod client;
pub mod client_answer;
pub mod definitions;
pub mod events;
mod examples;
pub mod model;
pub mod projects;
pub mod rules;
mod service;
pub mod store;
pub mod tags;
pub mod toggles;
pub mod usage;

use actix_web::guard::{self, Guard};
use actix_web::middleware::from_fn;
use actix_web::{Resource, Route, web};

use self::admin::{media_type, session};
use crate::error::ApiError;

pub use self::service::Flags;
pub use self::store::{DataLocation, OpenError};

/// Every URL below `/api`. Expects `web::Data<Flags>` among the app's data.
pub fn routes(config: &mut web::ServiceConfig) {
    let admin = web::scope("/api/admin")
        .wrap(from_fn(media_type::require_json))
        .service(at("/user").route(read().to(session::user)))
        .service(at("/ui-config").route(read().to(session::ui_config)))
        .configure(of_toggles)
        .configure(of_what_toggles_refer_to)
        .configure(of_addons)
        .configure(of_what_happened)
        .default_service(web::to(ApiError::unknown_path));
    let client = web::scope("/api/client")
        .wrap(from_fn(media_type::require_any_json))
        .service(at("/features").route(read().to(client::features)))
        .service(at("/features/{name}").route(read().to(client::feature)))
        .service(at("/register").route(web::post().to(client::register)))
        .service(at("/metrics").route(web::post().to(client::metrics)))
        .default_service(web::to(ApiError::unknown_path));
    config
        .service(admin)
        .service(client)
        .service(web::scope("/api").default_service(web::to(ApiError::unknown_path)));
}

fn of_toggles(admin: &mut web::ServiceConfig) {
    use self::admin::{archive, features, tags};
    admin
        .service(at("/features").route(read().to(features::list)).route(web::post().to(features::create)))
        // Guarded as a whole, so that a toggle may be called so.
        .service(at("/features/validate").guard(guard::Post()).route(web::post().to(features::validate)))
        .service(
            at("/features/{name}")
                .route(read().to(features::show))
                .route(web::put().to(features::replace))
                .route(web::delete().to(features::archive)),
        )
        .service(at("/features/{name}/toggle/on").route(web::post().to(features::toggle_on)))
        .service(at("/features/{name}/toggle/off").route(web::post().to(features::toggle_off)))
        .service(at("/features/{name}/stale/on").route(web::post().to(features::stale_on)))
        .service(at("/features/{name}/stale/off").route(web::post().to(features::stale_off)))
        .service(
            at("/features/{name}/tags")
                .route(read().to(tags::of_toggle))
                .route(web::post().to(tags::tag_toggle)),
        )
        .service(at("/features/{name}/tags/{type}/{value}").route(web::delete().to(tags::untag_toggle)))
        .service(at("/archive/features").route(read().to(archive::list)))
        .service(at("/archive/revive/{name}").route(web::post().to(archive::revive)));
}

fn of_what_toggles_refer_to(admin: &mut web::ServiceConfig) {
    use self::admin::{context, projects, strategies, tags};
    admin
        .service(at("/feature-types").route(read().to(session::feature_types)))
        .service(
            at("/strategies").route(read().to(strategies::list)).route(web::post().to(strategies::create)),
        )
        .service(
            at("/strategies/{name}")
                .route(read().to(strategies::show))
                .route(web::put().to(strategies::replace))
                .route(web::delete().to(strategies::delete)),
        )
        .service(at("/strategies/{name}/deprecate").route(web::post().to(strategies::deprecate)))
        .service(at("/strategies/{name}/reactivate").route(web::post().to(strategies::reactivate)))
        .service(at("/context").route(read().to(context::list)).route(web::post().to(context::create)))
        .service(at("/context/validate").guard(guard::Post()).route(web::post().to(context::validate)))
        .service(
            at("/context/{name}")
                .route(read().to(context::show))
                .route(web::put().to(context::replace))
                .route(web::delete().to(context::delete)),
        )
        .service(at("/tag-types").route(read().to(tags::list_types)).route(web::post().to(tags::create_type)))
        .service(at("/tag-types/validate").guard(guard::Post()).route(web::post().to(tags::validate_type)))
        .service(
            at("/tag-types/{name}")
                .route(read().to(tags::show_type))
                .route(web::put().to(tags::replace_type))
                .route(web::delete().to(tags::delete_type)),
        )
        .service(at("/tags").route(read().to(tags::list)).route(web::post().to(tags::create)))
        .service(at("/tags/{type}").route(read().to(tags::of_type)))
        .service(at("/tags/{type}/{value}").route(web::delete().to(tags::delete)))
        .service(at("/projects").route(read().to(projects::list)).route(web::post().to(projects::create)))
        .service(at("/projects/validate").guard(guard::Post()).route(web::post().to(projects::validate)))
        .service(
            at("/projects/{id}")
                .route(web::put().to(projects::replace))
                .route(web::delete().to(projects::delete)),
        );
}

fn of_addons(admin: &mut web::ServiceConfig) {
    use self::admin::addons;
    admin
        .service(at("/addons").route(read().to(addons::list)).route(web::post().to(addons::create)))
        .service(
            at("/addons/{id}")
                .route(read().to(addons::show))
                .route(web::put().to(addons::replace))
                .route(web::delete().to(addons::delete)),
        );
}

fn of_what_happened(admin: &mut web::ServiceConfig) {
    use self::admin::{applications, events, metrics};
    admin
        .service(at("/events").route(read().to(events::list)))
        .service(at("/events/{name}").route(read().to(events::of_toggle)))
        .service(at("/metrics/feature-toggles").route(read().to(metrics::of_toggles)))
        .service(at("/metrics/seen-apps").route(read().to(metrics::seen_apps)))
        .service(at("/metrics/applications").route(read().to(applications::list)))
        .service(
            at("/metrics/applications/{name}")
                .route(read().to(applications::show))
                .route(web::post().to(applications::describe))
                .route(web::delete().to(applications::delete)),
        );
}

/// An address; methods that it has no route for find nothing there.
fn at(path: &str) -> Resource {
    web::resource(path).default_service(web::to(ApiError::unknown_path))
}

/// GET, and HEAD, which is GET without the body.
fn read() -> Route {
    web::route().guard(guard::fn_guard(|request| guard::Get().check(request) || guard::Head().check(request)))
}
