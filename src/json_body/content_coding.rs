//! Decodes request bodies with a content coding (RFC 9110, section 8.4), within limits.

use std::io::Read;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, HeaderMap};
use bytes::Bytes;
use flate2::read::{MultiGzDecoder, ZlibDecoder};

use crate::error::{ApiError, DomainError};
use crate::upstream::error::BodyError;

/// Decodes a body. The result has at most `limit` bytes: decoding ends there, so that a small body cannot take more memory or time.
///
/// # Errors
/// 415 for other codings than gzip, deflate and identity, and for several ones; 413 if the decoded body is too large; 400 if the body
/// is damaged.
pub(crate) fn decode(headers: &HeaderMap, body: &Bytes, limit: usize) -> Result<Bytes, ApiError> {
    let lines = headers.get_all(CONTENT_ENCODING).map(|line| line.to_str().unwrap_or("?"));
    let codings: Vec<_> =
        lines.flat_map(|line| line.split(',')).map(|coding| coding.trim().to_ascii_lowercase()).collect();
    let mut codings = codings.iter().map(String::as_str).filter(|coding| !matches!(*coding, "" | "identity"));
    let decoder: Box<dyn Read> = match (codings.next(), codings.next()) {
        (None, _) => return Ok(body.clone()),
        (Some("gzip" | "x-gzip"), None) => Box::new(MultiGzDecoder::new(&**body)),
        (Some("deflate"), None) => Box::new(ZlibDecoder::new(&**body)),
        (Some(coding), _) => {
            let message = format!(
                "The request body has the Content-Encoding {coding:?} or several ones, which are not supported. Send it with gzip or \
                 deflate alone, or without compression"
            );
            return Err(DomainError::new(
                "unsupported_encoding",
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                message,
            )
            .into());
        }
    };
    let mut plain = Vec::new();
    decoder
        .take(u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1))
        .read_to_end(&mut plain)
        .map_err(|cause| ApiError::BadBody(format!("The request body could not be decompressed: {cause}")))?;
    if plain.len() > limit {
        return Err(BodyError::TooLarge { limit }.into());
    }
    Ok(plain.into())
}
