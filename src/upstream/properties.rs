//! Properties of the parser of responses that must hold for any input. The test below generates input, and so does a
//! fuzz target (`src/fuzz`). Compiled for both only.

use actix_web::http::Method;
use bytes::{Bytes, BytesMut};

use super::response::{Decoded, Head};

/// Checks that a response is parsed in the same way for any split into reads.
///
/// # Panics
/// If the property does not hold.
pub fn check_response(bytes: &[u8]) {
    let at_once = parse_in_parts(bytes, bytes.len().max(1));
    for size in [1, 2, 7] {
        assert_eq!(parse_in_parts(bytes, size), at_once, "{size} bytes at a time");
    }
    let is_interim = |status: u16| (100..200).contains(&status);
    assert!(!at_once.is_ok_and(|(status, ..)| status.is_some_and(is_interim)));
}

/// Parses a response that arrives in reads of `size` bytes. Returns the status, the body, and whether the body has
/// ended; `Err` if it is malformed.
fn parse_in_parts(bytes: &[u8], size: usize) -> Result<(Option<u16>, Vec<u8>, bool), ()> {
    let (mut received, mut status, mut whole) = (BytesMut::new(), None, Vec::new());
    let mut body = None;
    for piece in bytes.chunks(size) {
        received.extend_from_slice(piece);
        let mut now = Bytes::from(received);
        if body.is_none()
            && let Some((head, end)) = Head::parse(&now, &Method::GET).map_err(drop)?
        {
            status = Some(head.response.status().as_u16());
            body = Some(head.body);
            now = now.slice(end..);
        }
        if let Some(body) = &mut body {
            loop {
                match body.decode(&mut now).map_err(drop)? {
                    Decoded::Data(data) => whole.extend_from_slice(&data),
                    Decoded::End => return Ok((status, whole, true)),
                    Decoded::Incomplete => break,
                }
            }
        }
        received = now.into();
    }
    Ok((status, whole, false))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn settings() -> ProptestConfig {
        ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() }
    }

    /// Generates responses from parts of heads.
    fn response() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "HTTP/1.1 ",
            "HTTP/1.0 ",
            "100",
            "103",
            "101",
            "200",
            "204",
            "304",
            " OK",
            "\r\n",
            "\n",
            "X: y",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "4",
            "0",
            ";",
            "body",
            "\0",
        ]);
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(settings())]

        #[test]
        fn responses_are_parsed_in_the_same_way_for_any_split(bytes in response()) {
            super::check_response(bytes.as_bytes());
        }
    }
}
