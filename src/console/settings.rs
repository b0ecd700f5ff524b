//! What the page has to know of the binary that serves it.

use actix_web::{HttpResponse, web};

use crate::config::{Backend, Config};
use crate::console::model::{Environment, Mode, Settings};
use crate::flags::auth::AuthMode;

/// Tells it.
pub async fn show(settings: web::Data<Settings>) -> HttpResponse {
    HttpResponse::Ok().json(settings)
}

/// What of the configuration is the page's business.
#[must_use]
pub fn of(config: &Config) -> Settings {
    let (mode, upstream, sign_out) = match &config.backend {
        Backend::Upstream(upstream) => (Mode::Upstream, Some(upstream.authority.clone()), true),
        Backend::Embedded(embedded) => (Mode::Embedded, None, embedded.auth.mode != AuthMode::None),
    };
    let deployment = &config.deployment;
    Settings {
        mode,
        upstream,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sign_out,
        read_only: config.limits.read_only,
        confirm_writes: deployment.confirm_writes,
        image_origins: config.public.image_origins.iter().map(ToString::to_string).collect(),
        environment: deployment.label.clone().map(|label| Environment {
            label,
            colour: deployment.colour.css(),
            text_colour: deployment.colour.of_text().css(),
        }),
    }
}
