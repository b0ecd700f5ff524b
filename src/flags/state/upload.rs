//! Reads an exported state from the body of a request: JSON, YAML, or a form with a file.

use std::path::Path;

use actix_multipart::{Multipart, MultipartError};
use actix_web::web::Payload;
use actix_web::{HttpMessage as _, HttpRequest};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use serde_json::Value;

use crate::error::ApiError;
use crate::flags::media_type::{Format, format_of, is_form};
use crate::json_body::value_count::{MAX_OBJECTS, MAX_VALUES};
use crate::json_body::{BodyLimits, check_values, read_bytes};
use crate::upstream::error::BodyError;

/// The limits of an import. The state of 10,000 toggles takes some megabytes.
const LIMITS: BodyLimits =
    BodyLimits { bytes: 5 * 1024 * 1024, values: 4 * MAX_VALUES, objects: 2 * MAX_OBJECTS };
/// Maximum nesting of YAML. Exports have about ten levels; each level takes some kilobytes of the stack.
const MAX_DEPTH: usize = 32;
/// Maximum number of YAML values that aliases repeat. An export contains none, but other programs may write them.
const MAX_REPEATED: usize = 10_000;
/// The field of a form that contains the file.
const FILE_FIELD: &str = "file";

/// A received state that is not parsed yet.
#[derive(Debug)]
pub(super) struct Upload {
    format: Format,
    text: Bytes,
}

/// Reads the body of an import.
///
/// # Errors
/// [`ApiError::UnsupportedMediaType`] for another content type, [`ApiError::BadBody`] for a form without the file, and those
/// of [`read_bytes`].
pub(super) async fn read(request: &HttpRequest, payload: Payload) -> Result<Upload, ApiError> {
    let media_type = request.content_type();
    if let Some(format) = format_of(media_type) {
        return Ok(Upload { format, text: read_bytes(payload, &LIMITS).await? });
    }
    if !is_form(media_type) {
        return Err(ApiError::UnsupportedMediaType);
    }
    // The whole body first, so that its size and its time are limited as for every other body.
    let body = read_bytes(payload, &LIMITS).await?;
    let body = stream::iter([Ok::<_, actix_web::error::PayloadError>(body)]);
    let mut form = Multipart::new(request.headers(), body);
    while let Some(field) = form.next().await {
        let mut field = field.map_err(|cause| form_error(&cause))?;
        if field.name() != Some(FILE_FIELD) {
            continue;
        }
        let name = field.content_disposition().and_then(|disposition| disposition.get_filename());
        let extension = name.and_then(|name| Path::new(name).extension());
        let has_yaml_name = extension.is_some_and(|extension| {
            extension.eq_ignore_ascii_case("yml") || extension.eq_ignore_ascii_case("yaml")
        });
        let has_yaml_type =
            field.content_type().is_some_and(|kind| format_of(kind.essence_str()) == Some(Format::Yaml));
        let format = if has_yaml_name || has_yaml_type { Format::Yaml } else { Format::Json };
        let text = field.bytes(LIMITS.bytes).await;
        let text = text.map_err(|_limit| BodyError::TooLarge { limit: LIMITS.bytes })?;
        return Ok(Upload { format, text: text.map_err(|cause| form_error(&cause))? });
    }
    Err(ApiError::BadBody(format!("The form contains no file in the field \"{FILE_FIELD}\"")))
}

impl Upload {
    /// Parses the text.
    ///
    /// # Errors
    /// [`ApiError::BadBody`] if it is invalid or contains too many values.
    pub(super) fn parse(&self) -> Result<Value, ApiError> {
        match self.format {
            Format::Json => {
                check_values(&self.text, &LIMITS)?;
                serde_json::from_slice(&self.text)
                    .map_err(|cause| ApiError::BadBody(format!("The state is not valid JSON: {cause}")))
            }
            Format::Yaml => parse_yaml(&self.text),
        }
    }
}

/// Parses YAML. Its limits on values, depth and aliases bound the memory: a short text with aliases can describe billions
/// of values.
fn parse_yaml(text: &[u8]) -> Result<Value, ApiError> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_documents: 1,
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: LIMITS.values,
            max_events: 2 * LIMITS.values,
            max_total_scalar_bytes: LIMITS.bytes,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_REPEATED },
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_slice_with_options(text, options)
        .map_err(|cause| ApiError::BadBody(format!("The state is not valid YAML: {cause}")))
}

fn form_error(cause: &MultipartError) -> ApiError {
    ApiError::BadBody(format!("The form cannot be read: {cause}"))
}
