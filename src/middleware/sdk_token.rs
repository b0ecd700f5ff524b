//! Reads the token with which an SDK authenticates.

use actix_web::http::header::{AUTHORIZATION, HeaderMap};

/// Header for a token, besides `Authorization`.
const API_KEY: &str = "x-api-key";

/// Returns the token of a request: the whole `Authorization` value, as Unleash libraries send it, a bearer token, or
/// `X-API-Key`.
pub(crate) fn token_from_headers(headers: &HeaderMap) -> Option<&str> {
    let Some(value) = non_empty(headers, AUTHORIZATION.as_str()) else { return non_empty(headers, API_KEY) };
    let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Some(token.map_or(value, |(_, token)| token.trim_start()))
}

fn non_empty<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::token_from_headers;

    #[test]
    fn reads_plain_and_bearer_tokens_and_api_keys() {
        for (authorization, api_key, token) in [
            (Some("abc"), None, Some("abc")),
            (Some(" abc "), None, Some("abc")),
            (Some("Bearer abc"), None, Some("abc")),
            (Some("bearer  abc"), Some("def"), Some("abc")),
            (Some("Basic abc"), None, Some("Basic abc")),
            (None, Some(" def "), Some("def")),
            (Some(""), Some("def"), Some("def")),
            (Some(" "), None, None),
            (None, None, None),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [("authorization", authorization), ("x-api-key", api_key)] {
                if let Some(value) = value {
                    headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
                }
            }
            assert_eq!(token_from_headers(&headers), token, "{authorization:?} {api_key:?}");
        }
    }
}
