//! Content negotiation of responses that this program generates: gzip (`Accept-Encoding`) and entity tags
//! (`If-None-Match`). Pure.
//!
//! gzip is the only content coding: every client accepts it, also without TLS, where browsers offer neither brotli nor
//! zstd, and its encoder is in the binary already.

use std::io::{self, Write as _};

use actix_web::HttpRequest;
use actix_web::http::header::{
    AcceptEncoding, Encoding, Header as _, HeaderMap, HeaderValue, IF_NONE_MATCH, InvalidHeaderValue,
    Preference, Quality, QualityItem,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// Minimum size of a compressed body in bytes. A smaller body fits into one packet with its head.
pub const MIN_COMPRESSED: usize = 1024;

/// The content codings that a client accepts
/// ([RFC 9110, section 12.5.3](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3)).
pub struct AcceptedEncodings(Vec<QualityItem<Preference<Encoding>>>);

impl AcceptedEncodings {
    /// Reads `Accept-Encoding`. Without it no coding is accepted: such clients are scripts, most of which do not
    /// decompress.
    #[must_use]
    pub fn from_request(request: &HttpRequest) -> Self {
        Self(AcceptEncoding::parse(request).map(|AcceptEncoding(items)| items).unwrap_or_default())
    }

    /// Returns whether the client accepts this coding and does not prefer the plain body.
    #[must_use]
    pub fn contains(&self, encoding: Encoding) -> bool {
        let quality = |wanted: &Preference<Encoding>| {
            self.0.iter().find(|accepted| accepted.item == *wanted).map(|accepted| accepted.quality)
        };
        let coded = quality(&Preference::Specific(encoding)).or_else(|| quality(&Preference::Any));
        // A plain body that the header does not mention is acceptable, and preferred to nothing.
        let plain = quality(&Preference::Specific(Encoding::identity())).unwrap_or(Quality::ZERO);
        coded.is_some_and(|coded| coded > Quality::ZERO && coded >= plain)
    }
}

/// Returns whether the client accepts gzip and does not prefer the plain body.
#[must_use]
pub fn accepts_gzip(request: &HttpRequest) -> bool {
    AcceptedEncodings::from_request(request).contains(Encoding::gzip())
}

/// Returns the weak entity tag of a body: `W/` and quotes included. It is weak because the plain and the compressed body
/// share it.
///
/// # Errors
/// None in practice: the tag consists of hex digits.
pub fn entity_tag(body: &[u8]) -> Result<HeaderValue, InvalidHeaderValue> {
    let digits =
        Sha256::digest(body).iter().take(16).fold(0_u128, |hash, byte| (hash << 8) | u128::from(*byte));
    HeaderValue::try_from(format!("W/\"{digits:032x}\""))
}

/// Returns whether `If-None-Match` names this entity tag, by the weak comparison of
/// [RFC 9110, section 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2).
#[must_use]
pub fn matches_entity_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let tag = opaque_tag(tag.as_bytes());
    headers
        .get_all(IF_NONE_MATCH)
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|known| known == b"*" || opaque_tag(known) == tag)
}

/// Returns the tag without the prefix of weak tags.
fn opaque_tag(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Compresses a body. [`Compression::fast`] is for a body that is sent once, the default level for one that is sent
/// many times.
///
/// # Errors
/// None in practice: the output is memory.
pub fn gzip(body: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(body)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};
    use actix_web::test::TestRequest;

    use super::{accepts_gzip, entity_tag, matches_entity_tag};

    #[test]
    fn accepts_gzip_by_quality() {
        for (accepted, expected) in [
            (&["gzip"][..], true),
            (&["gzip, deflate, br, zstd"], true),
            (&["br", "gzip;q=0.1"], true),
            (&["*"], true),
            (&["br, *;q=0.1"], true),
            (&["GZIP;Q=0.5"], true),
            (&["gzip;q=0.5, identity;q=0.5"], true),
            (&["gzip;q=0.5, identity"], false),
            (&["gzip;q=0, *"], false),
            (&["gzip;q=0.000"], false),
            (&["*;q=0"], false),
            (&["br, deflate"], false),
            (&["identity"], false),
            (&["gzipped"], false),
            (&[""], false),
            (&[], false),
        ] {
            let request = accepted
                .iter()
                .fold(TestRequest::get(), |request, value| request.append_header((ACCEPT_ENCODING, *value)));
            assert_eq!(accepts_gzip(&request.to_http_request()), expected, "{accepted:?}");
        }
    }

    #[test]
    fn entity_tags_are_compared_weakly() {
        let tag = entity_tag(b"body").unwrap();
        let strong = tag.to_str().unwrap().trim_start_matches("W/").to_owned();
        for (known, expected) in [
            (vec![format!("W/{strong}")], true),
            (vec![strong.clone()], true),
            (vec![format!("\"other\",{strong}")], true),
            (vec!["\"other\"".to_owned(), strong.clone()], true),
            (vec!["*".to_owned()], true),
            (vec!["\"other\"".to_owned()], false),
            (vec![strong.trim_matches('"').to_owned()], false),
            (vec![], false),
        ] {
            let request = known.iter().fold(TestRequest::get(), |request, value| {
                request.append_header((IF_NONE_MATCH, value.as_str()))
            });
            let request = request.to_http_request();
            assert_eq!(matches_entity_tag(request.headers(), &tag), expected, "{known:?}");
        }
        assert_ne!(entity_tag(b"other").unwrap(), tag);
    }
}
