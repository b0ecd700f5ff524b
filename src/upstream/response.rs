//! Parses upstream responses: the head, and the framing of the body (RFC 9112, sections 2, 6 and 7). Pure.

use std::mem::{MaybeUninit, take};

use actix_web::HttpResponse;
use actix_web::error::ParseError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use bytes::{Buf as _, Bytes};
use httparse::{ParserConfig, Response, Status};

use super::connection_header::connection_options;
use crate::number::to_u64;

/// Maximum number of headers; the same limit as for requests.
const MAX_HEADERS: usize = 96;
/// Maximum size of a head including preceding interim responses, and of the trailers, in bytes.
const MAX_HEAD: usize = 131_072;
/// Maximum size of the line that starts a chunk, in bytes.
const MAX_CHUNK_LINE: usize = 4_096;

/// The head of a final response.
#[derive(Debug)]
pub(super) struct Head {
    /// Status and headers, in the type that actix pools. A separate header map would be allocated for each response.
    pub(super) response: HttpResponse,
    /// The announced length, also if there is no body (HEAD, 304).
    pub(super) length: Option<u64>,
    pub(super) body: RemainingBody,
    /// True if the connection can be reused after this response.
    pub(super) is_reusable: bool,
}

impl Head {
    /// Parses the head of the final response and skips interim responses (RFC 9110, 15.2). Returns the head and its end in
    /// `bytes`; `None` if the head is incomplete.
    ///
    /// # Errors
    /// If the head is malformed, ambiguous or too large, or switches to another protocol (101).
    pub(super) fn parse(bytes: &Bytes, method: &Method) -> Result<Option<(Self, usize)>, ParseError> {
        let mut start = 0;
        loop {
            let mut headers = [const { MaybeUninit::uninit() }; MAX_HEADERS];
            let mut parsed = Response::new(&mut []);
            let status = ParserConfig::default()
                .allow_spaces_after_header_name_in_responses(true)
                .parse_response_with_uninit_headers(
                    &mut parsed,
                    bytes.get(start..).unwrap_or_default(),
                    &mut headers,
                )?;
            start += match status {
                Status::Partial if bytes.len() < MAX_HEAD => return Ok(None),
                Status::Complete(length) if start + length < MAX_HEAD => length,
                _ => return Err(ParseError::TooLarge),
            };
            match parsed.code {
                Some(100 | 102..200) => {}
                Some(code @ 200..) => {
                    let status = StatusCode::from_u16(code).map_err(|_odd| ParseError::Status)?;
                    return Self::from_parsed(status, &parsed, bytes, method).map(|head| Some((head, start)));
                }
                _ => return Err(ParseError::Status),
            }
        }
    }

    fn from_parsed(
        status: StatusCode,
        parsed: &Response<'_, '_>,
        bytes: &Bytes,
        method: &Method,
    ) -> Result<Self, ParseError> {
        let mut response = HttpResponse::new(status);
        let headers = response.headers_mut();
        for header in &*parsed.headers {
            let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(|_odd| ParseError::Header)?;
            let value = HeaderValue::from_maybe_shared(bytes.slice_ref(header.value));
            headers.append(name, value.map_err(|_odd| ParseError::Header)?);
        }
        let is_http_1_1 = parsed.version == Some(1);
        let (length, is_chunked) = (content_length(headers)?, has_chunked_coding(headers, is_http_1_1)?);
        let body = match () {
            // RFC 9112, 6.3: these have no body, whatever their headers announce.
            () if *method == Method::HEAD || matches!(status.as_u16(), 204 | 304) => RemainingBody::Sized(0),
            () if is_chunked => RemainingBody::Chunked(ChunkState::Size),
            () => length.map_or(RemainingBody::UntilClose, RemainingBody::Sized),
        };
        let has_option =
            |name: &str| connection_options(headers).any(|option| option.eq_ignore_ascii_case(name));
        let is_reusable = !has_option("close")
            && (is_http_1_1 || has_option("keep-alive"))
            // RFC 9112, 6.1: a message with both may be an attempt at request smuggling.
            && !(is_chunked && length.is_some());
        Ok(Self { response, length: length.filter(|_| !is_chunked), body, is_reusable })
    }
}

fn content_length(headers: &HeaderMap) -> Result<Option<u64>, ParseError> {
    let mut values = headers.get_all(header::CONTENT_LENGTH);
    let Some(value) = values.next() else { return Ok(None) };
    let digits = value.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match (digits.and_then(|digits| digits.parse().ok()), values.next()) {
        (Some(length), None) => Ok(Some(length)),
        _ => Err(ParseError::Header),
    }
}

fn has_chunked_coding(headers: &HeaderMap, is_http_1_1: bool) -> Result<bool, ParseError> {
    let mut values = headers.get_all(header::TRANSFER_ENCODING);
    let Some(value) = values.next() else { return Ok(false) };
    let is = |coding: &str| value.as_bytes().eq_ignore_ascii_case(coding.as_bytes());
    match (is("chunked"), is("identity"), values.next()) {
        // RFC 9112, 6.1: the framing of an HTTP/1.0 message with Transfer-Encoding is faulty.
        (true, _, None) if is_http_1_1 => Ok(true),
        (_, true, None) => Ok(false),
        _ => Err(ParseError::Header),
    }
}

/// The part of a body that has not been decoded yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RemainingBody {
    /// This many bytes.
    Sized(u64),
    Chunked(ChunkState),
    /// All bytes until the connection is closed.
    UntilClose,
}

/// Position in a chunked body (RFC 9112, 7.1).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ChunkState {
    /// In the line with the size of a chunk.
    Size,
    /// In the data of a chunk, of which this many bytes are missing.
    Data(u64),
    /// In the line break after the data.
    DataEnd,
    /// In the trailers, of which this many bytes have been read.
    Trailers(usize),
}

/// Result of one decoding step.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decoded {
    Data(Bytes),
    /// More bytes are needed.
    Incomplete,
    End,
}

impl RemainingBody {
    /// Decodes the next part of the body, and removes it from the front of the received bytes.
    ///
    /// # Errors
    /// If a chunk is malformed or too large.
    pub(super) fn decode(&mut self, received: &mut Bytes) -> Result<Decoded, ParseError> {
        match self {
            Self::Sized(remaining) => Ok(take_data(remaining, received)),
            Self::UntilClose if received.is_empty() => Ok(Decoded::Incomplete),
            Self::UntilClose => Ok(Decoded::Data(take(received))),
            Self::Chunked(chunks) => chunks.decode(received),
        }
    }
}

/// Takes the received part of the remaining bytes.
fn take_data(remaining: &mut u64, received: &mut Bytes) -> Decoded {
    let length = received.len().min(usize::try_from(*remaining).unwrap_or(usize::MAX));
    *remaining -= to_u64(length);
    match (length, *remaining) {
        (0, 0) => Decoded::End,
        (0, _) => Decoded::Incomplete,
        _ => Decoded::Data(received.split_to(length)),
    }
}

impl ChunkState {
    fn decode(&mut self, received: &mut Bytes) -> Result<Decoded, ParseError> {
        loop {
            match self {
                Self::Size => {
                    // The parser reads a line without digits as size 0, which would end the body.
                    if received.first().is_some_and(|byte| !byte.is_ascii_hexdigit()) {
                        return Err(ParseError::Header);
                    }
                    match httparse::parse_chunk_size(received).map_err(|_odd| ParseError::Header)? {
                        Status::Complete((length, size)) if length < MAX_CHUNK_LINE => {
                            received.advance(length);
                            *self = if size == 0 { Self::Trailers(0) } else { Self::Data(size) };
                        }
                        Status::Partial if received.len() < MAX_CHUNK_LINE => return Ok(Decoded::Incomplete),
                        _ => return Err(ParseError::TooLarge),
                    }
                }
                Self::Data(remaining) => match take_data(remaining, received) {
                    Decoded::End => *self = Self::DataEnd,
                    read => return Ok(read),
                },
                Self::DataEnd => match received.get(..2) {
                    Some(b"\r\n") => {
                        received.advance(2);
                        *self = Self::Size;
                    }
                    None if b"\r\n".starts_with(received) => return Ok(Decoded::Incomplete),
                    _ => return Err(ParseError::Header),
                },
                Self::Trailers(before) => {
                    let end = received.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
                    if *before + end.unwrap_or(received.len()) >= MAX_HEAD {
                        return Err(ParseError::TooLarge);
                    }
                    let Some(end) = end else { return Ok(Decoded::Incomplete) };
                    *before += end;
                    if matches!(&*received.split_to(end), b"\r\n" | b"\n") {
                        return Ok(Decoded::End);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use bytes::Bytes;

    use super::{ChunkState, Decoded, Head, MAX_CHUNK_LINE, MAX_HEAD, RemainingBody};

    #[test]
    fn head_determines_framing_and_reuse_of_the_connection() {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        let both = "Content-Length: 2\r\nTransfer-Encoding: chunked";
        for (method, head, body, length, is_reusable) in [
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 5", RemainingBody::Sized(5), Some(5), true),
            (
                "GET",
                &format!("{hints}HTTP/1.1 200 OK\r\nContent-Length: 5"),
                RemainingBody::Sized(5),
                Some(5),
                true,
            ),
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length : 5", RemainingBody::Sized(5), Some(5), true),
            (
                "GET",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close",
                RemainingBody::Sized(5),
                Some(5),
                false,
            ),
            ("GET", "HTTP/1.0 200 OK\r\nContent-Length: 5", RemainingBody::Sized(5), Some(5), false),
            (
                "GET",
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive",
                RemainingBody::Sized(5),
                Some(5),
                true,
            ),
            (
                "GET",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked",
                RemainingBody::Chunked(ChunkState::Size),
                None,
                true,
            ),
            (
                "GET",
                &format!("HTTP/1.1 200 OK\r\n{both}"),
                RemainingBody::Chunked(ChunkState::Size),
                None,
                false,
            ),
            ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity", RemainingBody::UntilClose, None, true),
            ("GET", "HTTP/1.1 200 OK\r\nX: Content-Length: 5", RemainingBody::UntilClose, None, true),
            ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5", RemainingBody::Sized(0), Some(5), true),
            ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5", RemainingBody::Sized(0), Some(5), true),
            ("GET", "HTTP/1.1 204 No Content", RemainingBody::Sized(0), None, true),
        ] {
            let bytes = Bytes::from(format!("{head}\r\n\r\nbody"));
            let (read, end) = Head::parse(&bytes, &method.parse::<Method>().unwrap()).unwrap().unwrap();
            assert_eq!(
                (read.body, read.length, read.is_reusable, end),
                (body, length, is_reusable, bytes.len() - 4),
                "{head}"
            );
        }
    }

    #[test]
    fn decodes_chunks_and_rejects_malformed_ones() {
        let long = "x".repeat(MAX_CHUNK_LINE);
        let trailers = "X: 1\r\n".repeat(MAX_HEAD / 6);
        for (bytes, whole) in [
            ("5\r\nfirst\r\n0\r\n\r\n", Some("first")),
            ("2;x=y\r\nfi\r\n3 \r\nrst\r\n0\r\nX: 1\r\n\r\n", Some("first")),
            ("\r\n", None),
            (";\r\n", None),
            ("5\r\nfirstly\r\n0\r\n\r\n", None),
            ("5\r\nfirstly0\r\n\r\n", None),
            ("5\nfirst\r\n", None),
            ("-5\r\nfirst", None),
            ("fffffffffffffffff\r\n", None),
            (&format!("5;{long}\r\nfirst\r\n0\r\n\r\n"), None),
            (&format!("5;{long}"), None),
            (&format!("0\r\n{trailers}\r\n"), None),
        ] {
            let (mut body, mut received) =
                (RemainingBody::Chunked(ChunkState::Size), Bytes::from(bytes.to_owned()));
            let mut all = Vec::new();
            let end = loop {
                match body.decode(&mut received) {
                    Ok(Decoded::Data(data)) => all.extend_from_slice(&data),
                    end => break end,
                }
            };
            match whole {
                Some(whole) => {
                    assert_eq!((end.unwrap(), &*all), (Decoded::End, whole.as_bytes()), "{bytes:?}");
                }
                None => assert!(end.is_err(), "{bytes:?}: {end:?}"),
            }
        }
    }
}
