//! JSON responses with the strong entity tag of one item, for `If-Match`.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{ETag, EntityTag};
use actix_web::{HttpRequest, HttpResponse, Responder};
use serde::Serialize;

use crate::error::ApiError;
use crate::negotiation::{find_known_tag, strong_entity_tag};

/// A response with one item and its entity tag. A conditional GET of an unchanged item gets 304.
///
/// Responses to PUT have no body and no tag: defaults complete the stored item, so that a client must read it before it can
/// know what the tag stands for ([RFC 9110, section 9.3.4](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.4)).
#[derive(Debug)]
pub(in crate::flags) struct TaggedJson<T> {
    status: StatusCode,
    item: T,
    tag: EntityTag,
}

impl<T: Serialize> TaggedJson<T> {
    /// Creates the response to a read or a change.
    pub(in crate::flags) fn ok(item: T, tag: EntityTag) -> Self {
        Self { status: StatusCode::OK, item, tag }
    }

    /// Creates the response to the creation of an item.
    pub(in crate::flags) fn created(item: T, tag: EntityTag) -> Self {
        Self { status: StatusCode::CREATED, item, tag }
    }
}

impl<T: Serialize> Responder for TaggedJson<T> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let Self { status, item, tag } = self;
        if request.method().is_safe()
            && let Some(known) = find_known_tag(request, &tag)
        {
            return HttpResponse::NotModified().insert_header(ETag(known)).finish();
        }
        HttpResponse::build(status).insert_header(ETag(tag)).json(item)
    }
}

/// Returns the strong entity tag of the stored state of an item: a hash of its JSON. The tag is the same again after a
/// change and its reversal, because a save of what was read before then overwrites nothing.
pub(in crate::flags) fn tag_of(state: &impl Serialize) -> Result<EntityTag, ApiError> {
    Ok(strong_entity_tag(&serde_json::to_vec(state).map_err(ApiError::internal)?))
}
