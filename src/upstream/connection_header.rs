//! Reads the header `Connection` (RFC 9110, 7.6.1).

use std::collections::HashSet;

use actix_web::http::header::{self, HeaderMap};

/// Returns the options of all `Connection` headers.
pub(crate) fn connection_options(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::CONNECTION).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Returns the header names that `Connection` lists, which an intermediary must remove (RFC 9110, 7.6.1). `keep-alive`
/// is left out, because it is always removed.
pub(crate) fn connection_header_names(headers: &HeaderMap) -> HashSet<String> {
    connection_options(headers)
        .filter(|name| !name.eq_ignore_ascii_case("keep-alive"))
        .map(str::to_ascii_lowercase)
        .collect()
}
