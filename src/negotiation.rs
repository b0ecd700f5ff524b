//! Content negotiation of responses that this program generates: gzip (`Accept-Encoding`), entity tags (`If-None-Match`,
//! `If-Match`) and the age of copies (`Age`). Pure.
//!
//! gzip is the only content coding: every client accepts it, also without TLS, where browsers offer neither brotli nor
//! zstd, and its encoder is in the binary already.

use std::io::{self, Write as _};
use std::ops::ControlFlow;

use actix_web::http::header::{
    AGE, AcceptEncoding, ETag, Encoding, EntityTag, Header as _, HeaderName, HeaderValue, IF_MATCH, IfMatch,
    IfNoneMatch, Preference, Quality, QualityItem, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// Minimum size of a compressed body in bytes. A smaller body fits into one packet with its head.
pub const MIN_COMPRESSED: usize = 1024;
/// Response header of a stale copy: the seconds since its source has last confirmed it.
const STALE: HeaderName = HeaderName::from_static("x-flagdeck-stale");
/// Suffix of strong entity tags of bodies in gzip. Content codings of a body need different strong tags
/// ([RFC 9110, section 8.8.3.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.3)).
const GZIP_SUFFIX: &str = "-gzip";

/// The age of a copy of toggles, which clients get in headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyAge {
    /// Milliseconds since the source of the copy has last confirmed it.
    pub millis: u64,
    /// True if the source does not respond.
    pub is_stale: bool,
}

impl CopyAge {
    /// Returns the headers of a response: the age in seconds, twice for a stale copy.
    pub fn headers(self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let seconds = HeaderValue::from(self.millis / 1000);
        [(AGE, seconds.clone())].into_iter().chain(self.is_stale.then_some((STALE, seconds)))
    }

    /// Returns the age of a result of two copies.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { millis: self.millis.max(other.millis), is_stale: self.is_stale || other.is_stale }
    }
}

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

/// Returns the weak entity tag of a body. It is weak because the plain and the compressed body share it.
#[must_use]
pub fn entity_tag(body: &[u8]) -> EntityTag {
    EntityTag::new_weak(tag_digits(&Sha256::digest(body)))
}

/// Returns the strong entity tag of the state of an item.
#[must_use]
pub fn strong_entity_tag(state: &[u8]) -> EntityTag {
    EntityTag::new_strong(tag_digits(&Sha256::digest(state)))
}

/// Returns the strong entity tag of the same body in gzip.
#[must_use]
pub fn gzip_tag(tag: &EntityTag) -> EntityTag {
    EntityTag::new_strong(format!("{}{GZIP_SUFFIX}", tag.tag()))
}

/// Returns the tag of the plain body. Reverse proxies that compress, such as Caddy and Apache, append a hyphen and the name of
/// the coding too, and do not remove it from `If-Match`. Tags of this program contain no hyphen.
fn plain_tag(tag: &EntityTag) -> &str {
    tag.tag().split('-').next().unwrap_or_default()
}

/// Returns the hex digits of an entity tag: 128 bits of a hash.
#[must_use]
pub fn tag_digits(hash: &[u8]) -> String {
    let mut digits = HEXLOWER.encode(hash);
    digits.truncate(32);
    digits
}

/// Reads `If-None-Match`. A malformed header matches no tag.
#[must_use]
pub fn if_none_match(request: &HttpRequest) -> IfNoneMatch {
    IfNoneMatch::parse(request).unwrap_or(IfNoneMatch::Items(Vec::new()))
}

/// Returns whether a condition names this entity tag, by the weak comparison of
/// [RFC 9110, section 13.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2).
#[must_use]
pub fn matches_entity_tag(condition: &IfNoneMatch, tag: &EntityTag) -> bool {
    match condition {
        IfNoneMatch::Any => true,
        IfNoneMatch::Items(known) => known.iter().any(|known| known.weak_eq(tag)),
    }
}

/// Returns the tag in `If-None-Match` that stands for an item with this strong tag, in any content coding, by the weak
/// comparison. It is the tag of a 304: caches find the body that they have by it. For `*` that is the tag itself.
#[must_use]
pub fn find_known_tag(request: &HttpRequest, tag: &EntityTag) -> Option<EntityTag> {
    match if_none_match(request) {
        IfNoneMatch::Any => Some(tag.clone()),
        IfNoneMatch::Items(known) => {
            let known = known.into_iter().find(|known| plain_tag(known) == tag.tag())?;
            Some(EntityTag::new_strong(known.tag().to_owned()))
        }
    }
}

/// Reads `If-Match`; `None` without it. Malformed tags are ignored, so that a header without a valid tag matches no item.
#[must_use]
pub fn if_match(request: &HttpRequest) -> Option<IfMatch> {
    let is_sent = request.headers().contains_key(IF_MATCH);
    is_sent.then(|| IfMatch::parse(request).unwrap_or(IfMatch::Items(Vec::new())))
}

/// Returns whether a condition names this strong tag of an item that exists, in any content coding, by the strong comparison
/// of [RFC 9110, section 13.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1): weak tags never match.
#[must_use]
pub fn matches_strong_tag(condition: &IfMatch, tag: &EntityTag) -> bool {
    match condition {
        IfMatch::Any => true,
        IfMatch::Items(known) => known.iter().any(|known| !known.weak && plain_tag(known) == tag.tag()),
    }
}

/// Begins the response to a conditional read. Breaks with the complete 304 if the client already has the body with this
/// entity tag.
pub fn conditional_response(
    request: &HttpRequest,
    tag: EntityTag,
) -> ControlFlow<HttpResponse, HttpResponseBuilder> {
    let is_not_modified = matches_entity_tag(&if_none_match(request), &tag);
    let mut response = if is_not_modified { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(tag)).insert_header((VARY, "Accept-Encoding"));
    if is_not_modified { ControlFlow::Break(response.finish()) } else { ControlFlow::Continue(response) }
}

/// Compresses a body. [`Compression::fast`] is for a body that is sent once, the default level for one that is sent
/// many times.
pub(crate) fn gzip(body: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(body)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ACCEPT_ENCODING, EntityTag, IF_MATCH, IF_NONE_MATCH};
    use actix_web::test::TestRequest;

    use super::{
        accepts_gzip, entity_tag, find_known_tag, gzip_tag, if_match, if_none_match, matches_entity_tag,
        matches_strong_tag, strong_entity_tag,
    };

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
        let tag = entity_tag(b"body");
        assert!(tag.weak);
        let strong = format!("\"{}\"", tag.tag());
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
            assert_eq!(matches_entity_tag(&if_none_match(&request), &tag), expected, "{known:?}");
        }
        assert_ne!(entity_tag(b"other"), tag);
    }

    #[test]
    fn if_match_compares_strongly_and_ignores_the_content_coding() {
        let tag = strong_entity_tag(b"state");
        let (strong, gzip) = (tag.to_string(), gzip_tag(&tag).to_string());
        for (sent, expected) in [
            (&[][..], None),
            (&["*"], Some(true)),
            (&[" * "], Some(true)),
            (&[&*strong], Some(true)),
            (&[&*gzip], Some(true)),
            (&[&*gzip.replace("gzip", "zstd")], Some(true)),
            (&[&*format!("\"other\" ,{strong}")], Some(true)),
            (&["\"other\"", &strong], Some(true)),
            (&[&*format!("nonsense, {strong}")], Some(true)),
            (&[&*format!("W/{strong}")], Some(false)),
            (&[&*format!("W/{gzip}")], Some(false)),
            (&[&*format!("\"other\", W/{strong}")], Some(false)),
            (&[&*strong.replace('"', "")], Some(false)),
            (&[&*strong.replace('"', "'")], Some(false)),
            (&[&*strong.to_uppercase()], Some(false)),
            (&[&*strong.replacen('"', "\" ", 1)], Some(false)),
            (&["\"other\""], Some(false)),
            (&["\"\""], Some(false)),
            (&["*, \"other\""], Some(false)),
            (&["**"], Some(false)),
            (&[","], Some(false)),
            (&[""], Some(false)),
        ] {
            let request = sent
                .iter()
                .fold(TestRequest::put(), |request, value| request.append_header((IF_MATCH, *value)));
            let condition = if_match(&request.to_http_request());
            assert_eq!(condition.map(|condition| matches_strong_tag(&condition, &tag)), expected, "{sent:?}");
        }
    }

    #[test]
    fn response_304_has_the_strong_tag_that_the_client_knows() {
        let tag = strong_entity_tag(b"state");
        for (sent, expected) in [
            (tag.to_string(), Some(tag.clone())),
            (format!("W/{tag}"), Some(tag.clone())),
            (gzip_tag(&tag).to_string(), Some(gzip_tag(&tag))),
            ("*".to_owned(), Some(tag.clone())),
            (EntityTag::new_strong("other".to_owned()).to_string(), None),
        ] {
            let request = TestRequest::get().insert_header((IF_NONE_MATCH, sent.clone())).to_http_request();
            assert_eq!(find_known_tag(&request, &tag), expected, "{sent}");
        }
    }
}
