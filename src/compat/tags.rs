//! Tags of toggles.

use actix_web::HttpResponse;
use actix_web::http::Method;
use serde::Deserialize;

use super::failure::Failure;
use super::{Call, encode};
use crate::api::Tag;
use crate::error::ApiError;

#[derive(Deserialize)]
struct Tags {
    tags: Vec<Tag>,
}

/// Adds a tag to a toggle. Servers accept a tag that the toggle already has; an undo would then remove it.
///
/// # Errors
/// [`ApiError::AlreadyTagged`], and the errors of the requests.
pub(super) async fn add(call: &Call, toggle: &str) -> Result<HttpResponse, Failure> {
    let path = format!("/features/{}/tags", encode(toggle));
    let _lock = call.locks.lock(toggle).await;
    let Tags { tags } = call.caller.read(&path).await?;
    // The server refuses invalid bodies.
    if let Ok(added) = Tag::deserialize(&call.body)
        && tags.contains(&added)
    {
        let message = format!("{toggle} already has the tag {}:{}", added.kind, added.value);
        return Err(ApiError::AlreadyTagged(message).into());
    }
    Ok(call.caller.request(Method::POST, &path, Some(&call.body)).await?.into_response())
}
