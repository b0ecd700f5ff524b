//! All URLs of the program. The endpoints of the embedded flag service are in `flags.rs`.

use actix_service::fn_service;
use actix_web::guard::fn_guard;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use crate::app::Service;
use crate::config::BasePath;
use crate::error::ApiError;
use crate::middleware::compress::compress;
use crate::proxy::ProxyState;
use crate::{assets, console, flags, proxy};

/// Registers all routes below the base path. Other paths do not exist.
pub fn configure(services: &mut ServiceConfig, base_path: &BasePath, service: &Service) {
    if let Service::Upstream(proxy) = service {
        configure_proxy(services, base_path, proxy);
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
                                // Requiring JSON prevents that a form of another site creates the examples.
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

/// Registers the forwarded paths. They are not part of the scope of the base path, which would slow down each request.
fn configure_proxy(services: &mut ServiceConfig, base_path: &BasePath, proxy: &ProxyState) {
    for prefix in proxy.prefixes() {
        let path = format!("{}{prefix}", base_path.as_str());
        services.service(web::scope(&path).default_service(fn_service(proxy::forward)));
    }
}
