//! Compresses the responses that this program generates, and evaluates their conditional requests (`If-None-Match`).

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_TYPE, ETAG, EntityTag, HeaderMap, HeaderValue, IfNoneMatch,
    TryIntoHeaderValue as _, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use flate2::Compression;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::negotiation::{
    MIN_COMPRESSED, accepts_gzip, entity_tag, gzip, gzip_tag, if_none_match, matches_entity_tag,
};

/// Larger bodies are hashed and compressed on a thread that may block. 16 KB take a tenth of a millisecond.
const MAX_INLINE: usize = 16 * 1024;

/// Limits the number of bodies that are compressed at the same time. Each occupies a core.
static COMPRESSING: Semaphore = Semaphore::const_new(2);

/// Adds a weak entity tag to each successful read, responds with 304 if the client already has the body, and compresses
/// other bodies, also of errors, for clients that accept gzip.
///
/// A response that has a tag already is only compressed: its handler compares the tag. A strong tag then gets a suffix.
///
/// Streams and bodies that a handler has encoded pass unchanged.
pub(crate) async fn compress<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let (request, response) = next.call(request).await?.into_parts();
    let response = encode(&request, response).await?;
    Ok(ServiceResponse::new(request, response))
}

/// Does the same for one response.
pub(crate) async fn encode<B: MessageBody + 'static>(
    request: &HttpRequest,
    response: HttpResponse<B>,
) -> Result<HttpResponse<BoxBody>, ApiError> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let (mut response, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) if !response.headers().contains_key(CONTENT_ENCODING) => body,
        Ok(body) => return Ok(response.set_body(BoxBody::new(body))),
        Err(stream) => return Ok(response.set_body(stream.boxed())),
    };
    let work = Work {
        condition: (is_read && response.status() == StatusCode::OK && !response.headers().contains_key(ETAG))
            .then(|| if_none_match(request)),
        compresses: accepts_gzip(request) && is_compressible(response.headers(), &body),
    };
    if body.len() >= MIN_COMPRESSED {
        response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    let done = if body.len() > MAX_INLINE && work.is_needed() {
        let permit = COMPRESSING.acquire().await.map_err(ApiError::internal)?;
        let run = move || {
            // The permit belongs to the work, which continues after the client has disconnected.
            let _permit = permit;
            work.run(body)
        };
        web::block(run).await.map_err(ApiError::internal)?
    } else {
        work.run(body)
    };
    done?.into_response(response)
}

/// Returns true for text of a sufficient size. Images are already compressed.
fn is_compressible(headers: &HeaderMap, body: &Bytes) -> bool {
    body.len() >= MIN_COMPRESSED
        && headers.get(CONTENT_TYPE).is_some_and(|value| {
            let value = value.as_bytes();
            value.starts_with(b"application/json") || value.starts_with(b"text/")
        })
}

/// The steps that a body needs before it is sent.
struct Work {
    /// The condition of the request, if the response gets an entity tag.
    condition: Option<IfNoneMatch>,
    compresses: bool,
}

/// A body that is ready to be sent.
enum Prepared {
    NotModified { tag: EntityTag },
    Plain { tag: Option<EntityTag>, body: Bytes },
    Gzip { tag: Option<EntityTag>, body: Bytes },
}

impl Work {
    fn is_needed(&self) -> bool {
        self.condition.is_some() || self.compresses
    }

    fn run(self, body: Bytes) -> Result<Prepared, ApiError> {
        let tag = self.condition.as_ref().map(|_| entity_tag(&body));
        if let (Some(condition), Some(tag)) = (&self.condition, &tag)
            && matches_entity_tag(condition, tag)
        {
            return Ok(Prepared::NotModified { tag: tag.clone() });
        }
        if self.compresses {
            let smaller = gzip(&body, Compression::fast()).map_err(ApiError::internal)?;
            if smaller.len() < body.len() {
                return Ok(Prepared::Gzip { tag, body: smaller.into() });
            }
        }
        Ok(Prepared::Plain { tag, body })
    }
}

impl Prepared {
    fn into_response(self, mut response: HttpResponse<()>) -> Result<HttpResponse<BoxBody>, ApiError> {
        let (tag, body) = match self {
            Self::NotModified { tag } => {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                response.headers_mut().remove(CONTENT_TYPE);
                (Some(tag), Bytes::new())
            }
            Self::Plain { tag, body } => (tag, body),
            Self::Gzip { tag, body } => {
                response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                let own = response.headers().get(ETAG).and_then(|value| value.to_str().ok()?.parse().ok());
                let strong = own.filter(|own: &EntityTag| !own.weak).map(|own| gzip_tag(&own));
                (tag.or(strong), body)
            }
        };
        if let Some(tag) = tag {
            response.headers_mut().insert(ETAG, tag.try_into_value().map_err(ApiError::internal)?);
        }
        Ok(response.set_body(BoxBody::new(body)))
    }
}
