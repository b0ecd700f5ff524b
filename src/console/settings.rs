//! What the page has to know of the binary that serves it.

use actix_web::{HttpResponse, web};

use crate::console::model::{Mode, Settings};
use crate::flags::auth::{Access, AuthMode};
use crate::proxy::Proxy;

/// Tells who answers the API and whether there is anything to sign out of.
pub async fn show(proxy: Option<web::Data<Proxy>>, access: Option<web::Data<Access>>) -> HttpResponse {
    let signs_in = access.is_some_and(|access| access.mode() != AuthMode::None);
    HttpResponse::Ok().json(Settings {
        mode: if proxy.is_some() { Mode::Upstream } else { Mode::Embedded },
        upstream: proxy.as_ref().map(|proxy| proxy.host().to_owned()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sign_out: proxy.is_some() || signs_in,
    })
}
