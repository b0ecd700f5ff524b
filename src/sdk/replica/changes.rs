//! Polls of SDKs for changes since their last response (`/api/client/delta`) while toggles are held.
//!
//! Otherwise, the upstream responds. It does not know which toggles an SDK has as held, so that its changes cannot be edited: a poll
//! that starts from a state without the hold would have to contain the hold, and a poll after the end its reversal. Therefore an SDK
//! gets all toggles of the copy, as after its start, and 304 until the copy or the holds change. The response has a tag of its own:
//! when the hold has ended, the upstream does not know it and responds with all toggles ([RFC 9110, section 13.1.2]).
//!
//! [RFC 9110, section 13.1.2]: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2

use std::ops::ControlFlow;

use actix_web::http::header::{CONTENT_TYPE, ETag, VARY};
use actix_web::{HttpRequest, HttpResponse, web};

use super::cache_key::without_tags;
use super::copy::VARY_BY;
use super::streaming::edition;
use super::{Replica, Toggles};
use crate::error::ApiError;
use crate::event_stream::hydration_json;
use crate::middleware::compress;
use crate::negotiation::{if_none_match, matches_entity_tag};

impl Replica {
    /// Handles a poll of an SDK for changes with all toggles.
    pub(crate) async fn changes(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        // Servers do not select changes by tags.
        let query = without_tags(request.query_string());
        let Toggles { entry, served, age, .. } = match self.find_for_client(request, &query).await? {
            ControlFlow::Continue(toggles) => toggles,
            ControlFlow::Break(reply) => return Ok(reply.respond()),
        };
        entry.record_poll(request.headers(), self.0.now());
        let tag = served.value.tag_for_changes();
        let is_known = matches_entity_tag(&if_none_match(request), &tag);
        let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header(ETag(tag)).append_header((VARY, VARY_BY));
        for header in age.headers().chain(served.held.header()) {
            response.insert_header(header);
        }
        if is_known {
            return Ok(response.finish());
        }
        let edition = edition(&served);
        let body = web::block(move || hydration_json(&edition)).await.map_err(ApiError::internal)?;
        let body = body.map_err(ApiError::internal)?;
        compress::encode(request, response.insert_header((CONTENT_TYPE, "application/json")).body(body)).await
    }
}
