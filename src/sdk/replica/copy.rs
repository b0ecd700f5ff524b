//! A copy of an upstream response, prepared once for all clients.

use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_TYPE, ETAG, EntityTag, HeaderMap, HeaderValue, VARY,
};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};

use super::refresh::MAX_BODY;
use crate::error::ApiError;
use crate::hold::{ToggleList, UpstreamHolds};
use crate::negotiation::{
    CopyAge, MIN_COMPRESSED, accepts_gzip, conditional_response, entity_tag, gzip, tag_digits,
};
use crate::number::to_u64;

/// Request headers that select the response, for caches between this program and the SDK.
pub(super) const VARY_BY: HeaderValue = HeaderValue::from_static("Authorization, Unleash-Client-Spec");

/// The toggles for one cache key, as the upstream has sent them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleCopy {
    /// The body, byte for byte.
    pub body: Bytes,
    /// The body compressed with gzip; empty if that does not save anything.
    pub(super) gzip: Bytes,
    pub(super) content_type: HeaderValue,
    /// Entity tag for the next request to the upstream.
    pub(super) upstream_tag: Option<HeaderValue>,
    /// Entity tag for clients: the upstream's tag, or else a hash of the body.
    tag: EntityTag,
    /// Toggles that the upstream itself holds.
    pub(super) upstream_holds: UpstreamHolds,
}

/// A complete response of the upstream that is no copy: a refusal or another error.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) content_type: Option<HeaderValue>,
    pub(super) body: Bytes,
}

impl ToggleList for Arc<ToggleCopy> {
    fn body(&self) -> &Bytes {
        &self.body
    }

    /// The copy has an entity tag of its own.
    fn with_body(&self, body: Bytes) -> Result<Self, ApiError> {
        let mut compressed = Vec::new();
        if body.len() >= MIN_COMPRESSED {
            // It is replaced soon, and SDKs wait for it.
            compressed = gzip(&body, Compression::fast()).map_err(ApiError::internal)?;
        }
        if compressed.len() >= body.len() {
            compressed.clear();
        }
        let copy = ToggleCopy::from_parts(body, compressed.into(), self.content_type.clone(), None);
        Ok(Self::new(ToggleCopy { upstream_holds: self.upstream_holds.clone(), ..copy }))
    }
}

impl ToggleCopy {
    /// Compresses a body with the headers of its response.
    pub(super) fn new(body: Bytes, headers: &HeaderMap) -> Result<Self, ApiError> {
        let mut gzip = if body.len() < MIN_COMPRESSED {
            Vec::new()
        } else {
            gzip(&body, Compression::default()).map_err(ApiError::internal)?
        };
        if gzip.len() >= body.len() {
            gzip.clear();
        }
        let content_type = headers.get(CONTENT_TYPE).cloned();
        let content_type = content_type.unwrap_or(HeaderValue::from_static("application/json"));
        let copy = Self::from_parts(body, gzip.into(), content_type, headers.get(ETAG).cloned());
        Ok(Self { upstream_holds: UpstreamHolds::from_headers(headers), ..copy })
    }

    /// Creates a copy from its stored parts; `None` if they do not have this hash.
    pub(super) fn from_kept(
        gzip: &[u8],
        hash: &[u8; 32],
        content_type: String,
        upstream_tag: Option<String>,
    ) -> Option<Self> {
        let mut body = Vec::new();
        GzDecoder::new(gzip).take(to_u64(MAX_BODY)).read_to_end(&mut body).ok()?;
        if <[u8; 32]>::from(Sha256::digest(&body)) != *hash {
            return None;
        }
        let is_smaller = body.len() >= MIN_COMPRESSED && gzip.len() < body.len();
        let gzip = if is_smaller { Bytes::copy_from_slice(gzip) } else { Bytes::new() };
        let content_type = HeaderValue::try_from(content_type).ok()?;
        let upstream_tag = upstream_tag.map(HeaderValue::try_from).transpose().ok()?;
        Some(Self::from_parts(body.into(), gzip, content_type, upstream_tag))
    }

    /// Returns the compressed body, also if that does not save anything.
    pub(super) fn kept_gzip(&self) -> io::Result<Vec<u8>> {
        if self.gzip.is_empty() { gzip(&self.body, Compression::fast()) } else { Ok(self.gzip.to_vec()) }
    }

    /// Returns about the size of the compressed body, in bytes.
    pub(super) fn kept_size(&self) -> usize {
        if self.gzip.is_empty() { self.body.len() } else { self.gzip.len() }
    }

    /// Creates a copy from its parts.
    fn from_parts(
        body: Bytes,
        gzip: Bytes,
        content_type: HeaderValue,
        upstream_tag: Option<HeaderValue>,
    ) -> Self {
        let tag = upstream_tag.as_ref().and_then(|tag| tag.to_str().ok()?.parse().ok());
        let tag = tag.unwrap_or_else(|| entity_tag(&body));
        Self { body, gzip, content_type, upstream_tag, tag, upstream_holds: UpstreamHolds::default() }
    }

    /// Returns true if a response has the same content, so that it needs no new copy. Some servers send no entity tags.
    pub(super) fn is_response(&self, body: &Bytes, headers: &HeaderMap) -> bool {
        self.body == *body
            && self.upstream_tag.as_ref() == headers.get(ETAG)
            && headers.get(CONTENT_TYPE) == Some(&self.content_type)
            && self.upstream_holds == UpstreamHolds::from_headers(headers)
    }

    /// Returns the copy that the headers of a 304 describe; `None` if they add nothing. A copy that was read from the database lacks the
    /// holds of the upstream.
    pub(super) fn with_holds_of(&self, headers: &HeaderMap) -> Option<Self> {
        let holds = UpstreamHolds::from_headers(headers);
        let is_new = !holds.is_empty() && holds != self.upstream_holds;
        is_new.then(|| {
            let parts = (self.body.clone(), self.gzip.clone(), self.content_type.clone());
            let copy = Self::from_parts(parts.0, parts.1, parts.2, self.upstream_tag.clone());
            Self { upstream_holds: holds, ..copy }
        })
    }

    /// Returns the entity tag of all toggles as the response to a poll for changes. Flag services read their own tags of these
    /// responses as numbers, and respond to a tag that is not a number with all toggles. Therefore the tag starts with a letter,
    /// so that they do so when the hold has ended.
    pub(super) fn tag_for_changes(&self) -> EntityTag {
        EntityTag::new_weak(format!("held{}", tag_digits(&Sha256::digest(self.tag.to_string()))))
    }

    /// Returns the size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.body.len() + self.gzip.len()
    }

    /// Returns the response to a request: the body that the client accepts, or 304.
    pub(super) fn respond(self: &Arc<Self>, request: &HttpRequest, age: CopyAge) -> HttpResponse {
        let compresses = !self.gzip.is_empty() && accepts_gzip(request);
        let mut tag = self.tag.clone();
        // RFC 9110, 8.8.3: a strong tag belongs to one content coding.
        tag.weak |= compresses;
        let mut response = match conditional_response(request, tag) {
            ControlFlow::Break(not_modified) => not_modified,
            ControlFlow::Continue(mut response) => {
                response.insert_header((CONTENT_TYPE, self.content_type.clone()));
                if compresses {
                    response.insert_header((CONTENT_ENCODING, "gzip")).body(self.gzip.clone())
                } else {
                    response.body(self.body.clone())
                }
            }
        };
        let headers = response.headers_mut();
        headers.append(VARY, VARY_BY);
        for (name, value) in self.upstream_holds.headers() {
            headers.append(name, value);
        }
        for (name, value) in age.headers() {
            headers.insert(name, value);
        }
        response
    }
}

impl Reply {
    /// Returns true if the upstream does not accept the credential.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
    }

    /// Returns the response to a request.
    pub(super) fn respond(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(kind) = &self.content_type {
            response.insert_header((CONTENT_TYPE, kind.clone()));
        }
        response.body(self.body.clone())
    }
}
