//! The OpenAPI document of the flag service and of the evaluation APIs. A test generates it from the declared endpoints, their
//! response types (`api`) and their request bodies (`rules` of each noun), and checks that the committed file is up to date. The
//! TypeScript types of the console follow from the same schemas.
//! The binary embeds the file in compressed form (`build.rs`), because it is large and rarely requested.

#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod files;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod holds;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod sdk;
#[cfg(test)]
mod typescript;

use std::io::{self, Read as _};

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::config::BasePath;
use crate::error::ApiError;

/// The committed document, compressed. Its server URL is [`ROOT_URL`].
const DOCUMENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
const ROOT_URL: &str = r#""url": "/""#;

/// The document with the base path as its server URL.
pub(crate) struct Document {
    /// The base path in JSON.
    url: String,
}

impl Document {
    /// Creates the document of a service with this base path.
    pub(crate) fn new(base_path: &BasePath) -> Self {
        let path = base_path.as_str();
        Self { url: Value::from(if path.is_empty() { "/" } else { path }).to_string() }
    }

    fn read(&self) -> io::Result<String> {
        let mut text = String::new();
        GzDecoder::new(DOCUMENT).read_to_string(&mut text)?;
        Ok(text.replacen(ROOT_URL, &format!("\"url\": {}", self.url), 1))
    }
}

/// Returns the document.
pub(crate) fn show(document: &Document) -> Result<HttpResponse, ApiError> {
    let text = document.read().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(text))
}
