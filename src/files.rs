//! Toggles in files: their format, and plans that bring a flag service to the state of the files.
//!
//! Files own what they name: a toggle or a property that no file contains keeps its state. The percentage of a strategy is also
//! such a property.
//!
//! [`document`] reads and writes files, [`exports`] reads exports of servers, [`state`] converts both for an import, and [`managed`] marks the toggles of files. [`plan`]
//! compares files with a flag service, [`checks`] finds values that it would refuse, and [`drift`] several flag services. All are pure
//! modules; `commands` reads and changes the flag service. The console also does so, with reviews of plans ([`endpoints`]).

pub mod basis;
pub mod checks;
pub mod document;
pub mod drift;
pub(crate) mod endpoints;
pub mod exports;
mod faults;
#[cfg(test)]
mod generated;
mod half_written;
mod json;
pub mod managed;
mod notation;
mod order;
mod owned;
pub mod owned_tags;
mod parts;
mod places;
pub mod plan;
pub mod properties;
mod references;
mod review;
pub mod segments;
mod server_rules;
pub mod source;
pub mod state;
mod storage;
mod values;

use std::future::{Ready, ready};

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;

/// JSON Schema of the files, which a test generates.
const SCHEMA: &str = include_str!("files/files.schema.json");

/// Responds with the JSON Schema of the files.
pub(crate) fn show_schema() -> Ready<HttpResponse> {
    ready(HttpResponse::Ok().content_type(ContentType::json()).body(SCHEMA))
}
