//! Applications that use toggles.

use actix_web::HttpResponse;
use actix_web::http::Method;

use super::failure::Failure;
use super::{Call, encode};

/// Stores metadata of an application. Servers require its name in the body too.
///
/// # Errors
/// Those of the request.
pub(super) async fn describe(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let mut body = call.body.clone();
    if let Some(metadata) = body.as_object_mut() {
        metadata.insert("appName".to_owned(), name.into());
    }
    let path = format!("/metrics/applications/{}", encode(name));
    Ok(call.caller.request(Method::POST, &path, Some(&body)).await?.into_response())
}
