//! Every URL that the binary answers, top to bottom. The embedded flag service's own table is in `flags.rs`.

use actix_service::fn_service;
use actix_web::guard::fn_guard;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use crate::app::Service;
use crate::config::BasePath;
use crate::error::ApiError;
use crate::middleware::compress::compress;
use crate::proxy::Forwarding;
use crate::{assets, console, flags, proxy};

/// Adds all of them below the base path; outside of it there is nothing.
pub fn configure(services: &mut ServiceConfig, base_path: &BasePath, service: &Service) {
    if let Service::Upstream(forwarding) = service {
        forwarded(services, base_path, forwarding);
    }
    services
        .service(
            web::scope(base_path.as_str())
                .service(
                    web::scope("/-")
                        .wrap(from_fn(compress))
                        .route("/health", web::get().to(console::health::show))
                        .route("/settings", web::get().to(console::settings::show))
                        .route("/avatars/{file}", web::get().to(console::avatars::show))
                        .route("/logout", web::post().to(console::logout::sign_out))
                        .route("/openapi.json", web::get().to(console::openapi::show))
                        .service(
                            web::resource("/examples")
                                // A form of another site must not fill the service of whoever reads that site.
                                .wrap(from_fn(flags::require_json))
                                .route(web::post().to(console::examples::load))
                                .default_service(web::to(ApiError::unknown_path)),
                        )
                        .default_service(web::to(ApiError::unknown_path)),
                )
                .service(
                    web::resource("/logout")
                        .guard(fn_guard(console::logout::is_opened_by_other_site))
                        .route(web::get().to(console::logout::ask_first)),
                )
                .configure(|api| {
                    if let Service::Embedded { access, .. } = service {
                        flags::routes(api, access);
                    }
                })
                .default_service(web::to(assets::serve)),
        )
        .default_service(web::to(ApiError::unknown_path));
}

/// What goes to the flag service behind the proxy, and nothing else; past the scope of the base path, for which each
/// request would pay.
fn forwarded(services: &mut ServiceConfig, base_path: &BasePath, forwarding: &Forwarding) {
    for prefix in forwarding.prefixes() {
        let path = format!("{}{prefix}", base_path.as_str());
        services.service(web::scope(&path).default_service(fn_service(proxy::forward)));
    }
}
