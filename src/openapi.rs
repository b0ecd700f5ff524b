//! The OpenAPI document of the flag service and of the evaluation APIs. A test generates it from the declared endpoints, their
//! response types (`api`) and their request bodies (`rules` of each noun), and checks that the committed file is up to date.
//! The binary embeds the file.

#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod impact_metrics;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod sdk;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use bytes::Bytes;
use serde_json::Value;

use crate::config::BasePath;

/// The committed document. Its server URL is [`ROOT_URL`].
const DOCUMENT: &str = include_str!("openapi/openapi.json");
const ROOT_URL: &str = r#""url": "/""#;

/// The document with the base path as its server URL. All workers share it.
pub struct Document(Bytes);

impl Document {
    /// Creates the document of a service with this base path.
    pub(crate) fn new(base_path: &BasePath) -> Self {
        Self(match base_path.as_str() {
            "" => Bytes::from_static(DOCUMENT.as_bytes()),
            path => DOCUMENT.replacen(ROOT_URL, &format!("\"url\": {}", Value::from(path)), 1).into(),
        })
    }
}

/// Returns the document.
pub(crate) async fn show(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(document.0.clone())
}
