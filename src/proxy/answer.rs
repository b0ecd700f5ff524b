//! What the upstream answers, as it comes over the wire: where its head ends, and where the body behind that does. Pure.

use std::mem::{MaybeUninit, take};

use actix_web::HttpResponse;
use actix_web::error::ParseError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use bytes::{Buf as _, Bytes};
use httparse::{ParserConfig, Response, Status};

use super::headers::connection_options;

/// As many headers as are read of a request.
const MOST_HEADERS: usize = 96;
/// In bytes, also with interim answers in front of it, and of the trailers of an answer.
const LONGEST_HEAD: usize = 131_072;
/// In bytes, of the line in front of a chunk.
const LONGEST_LINE: usize = 4_096;

/// The head of a final answer.
#[derive(Debug)]
pub(super) struct Head {
    /// Its status and headers, in what actix keeps for answers: a map of its own would be made and thrown away for each.
    pub(super) response: HttpResponse,
    /// The length that it announces, also where nothing follows.
    pub(super) length: Option<u64>,
    pub(super) body: Body,
    /// Whether another answer can follow on the connection.
    pub(super) keeps: bool,
}

impl Head {
    /// Reads it behind interim answers (RFC 9110, 15.2), which are for clients that wait for them; with where it ends.
    /// `None` until all of it has come.
    ///
    /// # Errors
    /// What can be read in two ways or in none, and another protocol, which nobody asked for.
    pub(super) fn read(bytes: &Bytes, method: &Method) -> Result<Option<(Self, usize)>, ParseError> {
        let mut start = 0;
        loop {
            let mut headers = [const { MaybeUninit::uninit() }; MOST_HEADERS];
            let mut answer = Response::new(&mut []);
            let parsed = ParserConfig::default()
                .allow_spaces_after_header_name_in_responses(true)
                .parse_response_with_uninit_headers(
                    &mut answer,
                    bytes.get(start..).unwrap_or_default(),
                    &mut headers,
                )?;
            start += match parsed {
                Status::Partial if bytes.len() < LONGEST_HEAD => return Ok(None),
                Status::Complete(length) if start + length < LONGEST_HEAD => length,
                _ => return Err(ParseError::TooLarge),
            };
            match answer.code {
                Some(100 | 102..200) => {}
                Some(code @ 200..) => {
                    let status = StatusCode::from_u16(code).map_err(|_odd| ParseError::Status)?;
                    return Self::of(status, &answer, bytes, method).map(|head| Some((head, start)));
                }
                _ => return Err(ParseError::Status),
            }
        }
    }

    fn of(
        status: StatusCode,
        answer: &Response<'_, '_>,
        bytes: &Bytes,
        method: &Method,
    ) -> Result<Self, ParseError> {
        let mut response = HttpResponse::new(status);
        let headers = response.headers_mut();
        for header in &*answer.headers {
            let name = HeaderName::from_bytes(header.name.as_bytes()).map_err(|_odd| ParseError::Header)?;
            let value = HeaderValue::from_maybe_shared(bytes.slice_ref(header.value));
            headers.append(name, value.map_err(|_odd| ParseError::Header)?);
        }
        let is_current = answer.version == Some(1);
        let (length, is_chunked) = (length(headers)?, is_chunked(headers, is_current)?);
        let body = match () {
            // Whatever they say of it (RFC 9112, 6.3).
            () if *method == Method::HEAD || matches!(status.as_u16(), 204 | 304) => Body::Sized(0),
            () if is_chunked => Body::Chunked(Chunks::Line),
            () => length.map_or(Body::Endless, Body::Sized),
        };
        let says = |word: &str| connection_options(headers).any(|said| said.eq_ignore_ascii_case(word));
        let keeps = !says("close")
            && (is_current || says("keep-alive"))
            // Whoever says both may mean either: nothing that follows could be trusted.
            && !(is_chunked && length.is_some());
        Ok(Self { response, length: length.filter(|_| !is_chunked), body, keeps })
    }
}

fn length(headers: &HeaderMap) -> Result<Option<u64>, ParseError> {
    let mut values = headers.get_all(header::CONTENT_LENGTH);
    let Some(value) = values.next() else { return Ok(None) };
    let digits = value.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match (digits.and_then(|digits| digits.parse().ok()), values.next()) {
        (Some(length), None) => Ok(Some(length)),
        _ => Err(ParseError::Header),
    }
}

fn is_chunked(headers: &HeaderMap, is_current: bool) -> Result<bool, ParseError> {
    let mut values = headers.get_all(header::TRANSFER_ENCODING);
    let Some(value) = values.next() else { return Ok(false) };
    let is = |coding: &str| value.as_bytes().eq_ignore_ascii_case(coding.as_bytes());
    match (is("chunked"), is("identity"), values.next()) {
        // RFC 9112, 6.1: the framing of an older version that has it is faulty.
        (true, _, None) if is_current => Ok(true),
        (_, true, None) => Ok(false),
        _ => Err(ParseError::Header),
    }
}

/// What is still to come of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// So many bytes.
    Sized(u64),
    Chunked(Chunks),
    /// All that comes until the connection ends.
    Endless,
}

/// Which part of a chunk comes next (RFC 9112, 7.1).
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Chunks {
    /// The line with its size.
    Line,
    /// So many bytes.
    Data(u64),
    /// The end of its line.
    Behind,
    /// The trailers behind the last, so many bytes of which came.
    Trailers(usize),
}

/// What was read of a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    Piece(Bytes),
    /// What came does not tell yet.
    Waits,
    End,
}

impl Body {
    /// Takes the next piece from the front of what came.
    ///
    /// # Errors
    /// What is no chunk.
    pub(super) fn read(&mut self, came: &mut Bytes) -> Result<Read, ParseError> {
        match self {
            Self::Sized(left) => Ok(piece(left, came)),
            Self::Endless if came.is_empty() => Ok(Read::Waits),
            Self::Endless => Ok(Read::Piece(take(came))),
            Self::Chunked(chunks) => chunks.read(came),
        }
    }
}

/// As much as came of what is left.
fn piece(left: &mut u64, came: &mut Bytes) -> Read {
    let length = came.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
    *left -= u64::try_from(length).unwrap_or(u64::MAX);
    match (length, *left) {
        (0, 0) => Read::End,
        (0, _) => Read::Waits,
        _ => Read::Piece(came.split_to(length)),
    }
}

impl Chunks {
    fn read(&mut self, came: &mut Bytes) -> Result<Read, ParseError> {
        loop {
            match self {
                Self::Line => {
                    // A line without digits would count as the last.
                    if came.first().is_some_and(|byte| !byte.is_ascii_hexdigit()) {
                        return Err(ParseError::Header);
                    }
                    match httparse::parse_chunk_size(came).map_err(|_odd| ParseError::Header)? {
                        Status::Complete((length, size)) if length < LONGEST_LINE => {
                            came.advance(length);
                            *self = if size == 0 { Self::Trailers(0) } else { Self::Data(size) };
                        }
                        Status::Partial if came.len() < LONGEST_LINE => return Ok(Read::Waits),
                        _ => return Err(ParseError::TooLarge),
                    }
                }
                Self::Data(left) => match piece(left, came) {
                    Read::End => *self = Self::Behind,
                    read => return Ok(read),
                },
                Self::Behind => match came.get(..2) {
                    Some(b"\r\n") => {
                        came.advance(2);
                        *self = Self::Line;
                    }
                    None if b"\r\n".starts_with(came) => return Ok(Read::Waits),
                    _ => return Err(ParseError::Header),
                },
                Self::Trailers(before) => {
                    let end = came.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
                    if *before + end.unwrap_or(came.len()) >= LONGEST_HEAD {
                        return Err(ParseError::TooLarge);
                    }
                    let Some(end) = end else { return Ok(Read::Waits) };
                    *before += end;
                    if matches!(&*came.split_to(end), b"\r\n" | b"\n") {
                        return Ok(Read::End);
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

    use super::{Body, Chunks, Head, LONGEST_HEAD, LONGEST_LINE, Read};

    #[test]
    fn a_head_tells_what_follows_and_whether_anything_can_follow_that() {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        let both = "Content-Length: 2\r\nTransfer-Encoding: chunked";
        for (method, head, body, length, keeps) in [
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 5", Body::Sized(5), Some(5), true),
            ("GET", &format!("{hints}HTTP/1.1 200 OK\r\nContent-Length: 5"), Body::Sized(5), Some(5), true),
            ("GET", "HTTP/1.1 200 OK\r\nContent-Length : 5", Body::Sized(5), Some(5), true),
            (
                "GET",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close",
                Body::Sized(5),
                Some(5),
                false,
            ),
            ("GET", "HTTP/1.0 200 OK\r\nContent-Length: 5", Body::Sized(5), Some(5), false),
            (
                "GET",
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive",
                Body::Sized(5),
                Some(5),
                true,
            ),
            ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked", Body::Chunked(Chunks::Line), None, true),
            ("GET", &format!("HTTP/1.1 200 OK\r\n{both}"), Body::Chunked(Chunks::Line), None, false),
            ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity", Body::Endless, None, true),
            ("GET", "HTTP/1.1 200 OK\r\nX: Content-Length: 5", Body::Endless, None, true),
            ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5", Body::Sized(0), Some(5), true),
            ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5", Body::Sized(0), Some(5), true),
            ("GET", "HTTP/1.1 204 No Content", Body::Sized(0), None, true),
        ] {
            let bytes = Bytes::from(format!("{head}\r\n\r\nbody"));
            let (read, end) = Head::read(&bytes, &method.parse::<Method>().unwrap()).unwrap().unwrap();
            assert_eq!(
                (read.body, read.length, read.keeps, end),
                (body, length, keeps, bytes.len() - 4),
                "{head}"
            );
        }
    }

    #[test]
    fn chunks_end_where_they_say_and_nowhere_else() {
        let long = "x".repeat(LONGEST_LINE);
        let trailers = "X: 1\r\n".repeat(LONGEST_HEAD / 6);
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
            let (mut body, mut came) = (Body::Chunked(Chunks::Line), Bytes::from(bytes.to_owned()));
            let mut all = Vec::new();
            let end = loop {
                match body.read(&mut came) {
                    Ok(Read::Piece(piece)) => all.extend_from_slice(&piece),
                    end => break end,
                }
            };
            match whole {
                Some(whole) => assert_eq!((end.unwrap(), &*all), (Read::End, whole.as_bytes()), "{bytes:?}"),
                None => assert!(end.is_err(), "{bytes:?}: {end:?}"),
            }
        }
    }
}
