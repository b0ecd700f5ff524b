//! Rules for paths of URLs that all servers interpret in the same way. Pure.

use std::borrow::Cow;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

/// Number of decoding stages that are checked: not decoded, decoded correctly, and decoded twice more by mistake; the
/// last stage detects `%2e` for a dot.
const DECODING_STAGES: usize = 4;

/// Checks an encoded path.
///
/// Letters and digits must not be percent-encoded: servers that decode a path before they select the endpoint read another one than
/// servers that do not, and no producer of URLs should encode them (RFC 3986, 2.3). Names in paths are compared as they are sent.
///
/// # Errors
/// The reason why servers interpret the path differently, as a clause about the path.
pub(crate) fn check(path: &str) -> Result<(), &'static str> {
    if path.contains("//") {
        return Err("it has an empty segment");
    }
    if has_encoded_letter(path) {
        return Err("it has a percent-encoded letter or digit");
    }
    let mut decoded = Cow::Borrowed(path.as_bytes());
    for _ in 0..DECODING_STAGES {
        let text = str::from_utf8(&decoded).map_err(|_no_text| "it is not UTF-8 after decoding")?;
        if text.contains(|letter: char| letter.is_control() || letter == '\\') {
            return Err("it has a control character or a backslash");
        }
        // Some servers cut a segment at a semicolon, look for the query after decoding, or drop spaces at the end.
        let is_dot_segment =
            |segment: &str| matches!(segment.split([';', '?', '#']).next().map(str::trim), Some("." | ".."));
        if text.split('/').any(is_dot_segment) {
            return Err("it has a dot segment");
        }
        match Cow::from(percent_decode(&decoded)) {
            Cow::Borrowed(_) => break,
            Cow::Owned(next) => decoded = Cow::Owned(next),
        }
    }
    Ok(())
}

/// Returns true if a letter or a digit of ASCII is percent-encoded.
fn has_encoded_letter(path: &str) -> bool {
    let mut parts = path.split('%').skip(1);
    parts.any(|part| {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        code.is_some_and(|code| code.is_ascii_alphanumeric())
    })
}

/// Returns a path as the most tolerant servers compare it with the paths of their endpoints: in lower case, and without slashes at
/// its end. It is for rules that a request must not avoid; exemptions from rules require the exact path.
#[must_use]
pub(crate) fn tolerant(path: &str) -> Cow<'_, str> {
    let path = path.trim_end_matches('/');
    let has_upper_case = path.bytes().any(|letter| letter.is_ascii_uppercase());
    if has_upper_case { path.to_ascii_lowercase().into() } else { path.into() }
}

/// Returns true if a path can have this text as a segment, so that a request can name an item with it.
#[must_use]
pub(crate) fn can_be_segment(text: &str) -> bool {
    check(&utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{can_be_segment, check, tolerant};

    #[test]
    fn letters_and_digits_must_not_be_encoded() {
        for path in ["/api/%66rontend", "/api/%46rontend", "/api/x%31", "/api/features/%7A/toggle/on"] {
            assert_eq!(check(path), Err("it has a percent-encoded letter or digit"), "{path}");
        }
        for path in [
            "/api/frontend",
            "/api/a%2Fb",
            "/api/a%20b",
            "/api/shop%2Epay",
            "/api/%C3%A9",
            "/api/50%25",
            "/api/%",
            "/api/%zz",
        ] {
            assert_eq!(check(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn tolerant_servers_ignore_case_and_slashes_at_the_end() {
        for path in ["/api/frontend", "/api/frontend/", "/API/Frontend//"] {
            assert_eq!(tolerant(path), "/api/frontend");
        }
    }

    #[test]
    fn segments_are_texts_that_no_server_decodes_to_another_path() {
        for text in ["web", "a/b", "100 %", "50%25", "a;b", "...", "é"] {
            assert!(can_be_segment(text), "{text}");
        }
        for text in [".", "..", "a/../b", "a\\b", "a\nb", "\u{7f}", "%a7", "%2e", "%252e%252e", "..;x", ". ?"]
        {
            assert!(!can_be_segment(text), "{text}");
        }
    }
}
