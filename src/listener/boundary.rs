//! Finds the end of a request in the bytes that a client sends (RFC 9112, sections 2.2, 6 and 7.1), and removes offers
//! of other protocols from its head (RFC 9110, 7.8). Pure.
//!
//! The HTTP library parses and checks the same bytes afterwards: a request that it refuses ends the connection. A
//! boundary that is found too early or too late therefore only delays bytes.

use std::mem::take;

use memchr::{memchr, memrchr};

use crate::number::to_u64;

/// Header with options for the connection.
const CONNECTION: &[u8] = b"connection";
/// Connection option that offers another protocol.
const UPGRADE: &[u8] = b"upgrade";

/// Length that is kept of the start of a line. Lines that announce the framing of a body are shorter.
const MAX_LINE_START: usize = 128;

/// Framing of a received request body (RFC 9112, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReceivedFraming {
    /// There is no body.
    Empty,
    /// The body has this many bytes.
    Length(u64),
    /// The body is chunked.
    Chunked,
    /// Everything that follows on the connection belongs to the request: tunnels and upgrades.
    Unbounded,
}

impl ReceivedFraming {
    pub(super) fn from_length(length: u64) -> Self {
        if length == 0 { Self::Empty } else { Self::Length(length) }
    }
}

/// The part of a request that is being received.
#[derive(Debug)]
pub(super) enum Section {
    /// The request line and the headers.
    Head(Lines),
    /// A body of which this many bytes are missing.
    Sized(u64),
    /// A chunked body.
    Chunked(Chunk),
    /// A body without an end.
    Unbounded,
}

impl Section {
    /// Starts at the first byte of a request.
    pub(super) fn head() -> Self {
        let framing = Some(ReceivedFraming::Empty);
        Self::Head(Lines { is_started: false, has_line: false, start: Vec::new(), framing })
    }

    /// Starts at the first byte of a body; `None` if there is no body.
    pub(super) fn body(framing: ReceivedFraming) -> Option<Self> {
        match framing {
            ReceivedFraming::Empty => None,
            ReceivedFraming::Length(length) => Some(Self::Sized(length)),
            ReceivedFraming::Chunked => Some(Self::Chunked(Chunk::Size { size: 0, is_extension: false })),
            ReceivedFraming::Unbounded => Some(Self::Unbounded),
        }
    }

    /// Returns true for a head of which at least one byte has been received.
    pub(super) fn is_partial_head(&self) -> bool {
        matches!(self, Self::Head(lines) if lines.is_started)
    }

    /// Returns the framing that a complete head announces; `None` if only a full parser can determine it.
    pub(super) fn announced(&self) -> Option<ReceivedFraming> {
        if let Self::Head(lines) = self { lines.framing } else { None }
    }

    /// Returns how many of the next bytes must not be passed on before the line that they start is complete:
    /// [`Self::advance`] changes complete lines only.
    pub(super) fn incomplete_length(&self, bytes: &[u8]) -> usize {
        if let Self::Head(lines) = self { lines.incomplete_length(bytes) } else { 0 }
    }

    /// Reads the next bytes. Returns how many of them belong to the section if it ends among them, else `None`.
    ///
    /// Overwrites the connection option `upgrade` by spaces. A server may ignore offers of other protocols, but the HTTP
    /// library closes the connection after a request with this option.
    pub(super) fn advance(&mut self, bytes: &mut [u8]) -> Option<usize> {
        match self {
            Self::Head(lines) => lines.advance(bytes),
            Self::Sized(missing) => match usize::try_from(*missing) {
                Ok(end) if end <= bytes.len() => Some(end),
                _ => {
                    *missing = missing.saturating_sub(to_u64(bytes.len()));
                    None
                }
            },
            Self::Chunked(chunk) => chunk.advance(bytes),
            Self::Unbounded => None,
        }
    }
}

/// Lines up to the first empty one. Empty lines in front of the first are skipped (RFC 9112, 2.2).
#[derive(Debug)]
pub(super) struct Lines {
    is_started: bool,
    has_line: bool,
    /// The start of the current line, if earlier bytes ended with it; at most `MAX_LINE_START` bytes.
    start: Vec<u8>,
    /// The framing that the lines announce; `None` if only a full parser can determine it.
    framing: Option<ReceivedFraming>,
}

impl Lines {
    fn advance(&mut self, bytes: &mut [u8]) -> Option<usize> {
        self.is_started |= !bytes.is_empty();
        let (length, mut rest) = (bytes.len(), bytes);
        while let Some(end) = memchr(b'\n', rest) {
            let Some((line, behind)) = take(&mut rest).split_at_mut_checked(end + 1) else { break };
            rest = behind;
            let start = take(&mut self.start);
            if !matches!((&*start, &*line), (b"", b"\r\n" | b"\n") | (b"\r", b"\n")) {
                if start.is_empty() {
                    hide_upgrade(line);
                    self.read_framing(line);
                } else {
                    self.read_framing(&[&start, &*line].concat());
                }
                self.has_line = true;
            } else if self.has_line {
                return Some(length - rest.len());
            }
        }
        let room = MAX_LINE_START.saturating_sub(self.start.len()).min(rest.len());
        self.start.extend_from_slice(rest.get(..room).unwrap_or_default());
        None
    }

    /// Returns the length of an incomplete line at the end of the bytes that may be a `Connection` header.
    fn incomplete_length(&self, bytes: &[u8]) -> usize {
        let line = match memrchr(b'\n', bytes) {
            Some(end) => bytes.get(end + 1..).unwrap_or_default(),
            None if self.has_line && self.start.is_empty() => bytes,
            None => return 0,
        };
        let is_candidate =
            line.iter().zip(CONNECTION).all(|(byte, expected)| byte.eq_ignore_ascii_case(expected));
        if is_candidate { line.len() } else { 0 }
    }

    fn read_framing(&mut self, line: &[u8]) {
        if !matches!(line.first(), Some(b'C' | b'c' | b'T' | b't' | b'U' | b'u')) {
            return;
        }
        let (name, value) =
            memchr(b':', line).and_then(|colon| line.split_at_checked(colon)).unwrap_or((line, &[]));
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        let is_first = self.framing == Some(ReceivedFraming::Empty);
        if name.eq_ignore_ascii_case(b"content-length") {
            let length = str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            self.framing = length.filter(|_| is_first).map(ReceivedFraming::from_length);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.framing =
                (is_first && value.eq_ignore_ascii_case(b"chunked")).then_some(ReceivedFraming::Chunked);
        } else if (name.eq_ignore_ascii_case(UPGRADE) && value.eq_ignore_ascii_case(b"websocket"))
            || (!self.has_line && line.starts_with(b"CONNECT "))
        {
            self.framing = None;
        }
    }
}

/// Overwrites the option `upgrade` of a `Connection` header by spaces. Lists may have empty elements (RFC 9110, 5.6.1).
fn hide_upgrade(line: &mut [u8]) {
    let Some((name, value)) = line.split_at_mut_checked(CONNECTION.len()) else { return };
    if name.eq_ignore_ascii_case(CONNECTION) && value.first() == Some(&b':') {
        for option in value.split_mut(|byte| b":,".contains(byte)) {
            if option.trim_ascii().eq_ignore_ascii_case(UPGRADE) {
                option.iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|byte| *byte = b' ');
            }
        }
    }
}

/// A position in a chunked body.
#[derive(Debug)]
pub(super) enum Chunk {
    /// In the line with the size of a chunk.
    Size { size: u64, is_extension: bool },
    /// In the data of a chunk, of which this many bytes are missing.
    Data(u64),
    /// In the line break behind the data.
    LineBreak,
    /// In the trailers.
    Trailers { is_line_empty: bool },
}

impl Chunk {
    fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut rest = bytes;
        while let Some((&byte, behind)) = rest.split_first() {
            rest = behind;
            match self {
                Self::Data(missing) => {
                    // `byte` is the first of them.
                    let further = usize::try_from(*missing - 1).unwrap_or(usize::MAX).min(behind.len());
                    rest = behind.get(further..).unwrap_or_default();
                    *missing -= 1 + to_u64(further);
                    if *missing == 0 {
                        *self = Self::LineBreak;
                    }
                }
                Self::Size { size: 0, .. } if byte == b'\n' => *self = Self::Trailers { is_line_empty: true },
                Self::Size { size, .. } if byte == b'\n' => *self = Self::Data(*size),
                Self::Size { size, is_extension } => match char::from(byte).to_digit(16) {
                    Some(digit) if !*is_extension => {
                        *size = size.saturating_mul(16).saturating_add(u64::from(digit));
                    }
                    _ => *is_extension = true,
                },
                Self::LineBreak if byte == b'\n' => *self = Self::Size { size: 0, is_extension: false },
                Self::Trailers { is_line_empty: true } if byte == b'\n' => {
                    return Some(bytes.len() - rest.len());
                }
                Self::Trailers { is_line_empty } => {
                    *is_line_empty = byte == b'\n' || (*is_line_empty && byte == b'\r');
                }
                Self::LineBreak => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{ReceivedFraming, Section};

    const NEXT: &str = "GET /next HTTP/1.1\r\n\r\n";

    /// Returns the start of a body, or of a head without a framing.
    fn section(framing: Option<ReceivedFraming>) -> Section {
        framing.map_or_else(Section::head, |framing| Section::body(framing).unwrap())
    }

    /// Feeds a section and the following request in pieces of one size; returns where the section ends.
    fn end_in_pieces(mut section: Section, bytes: &[u8], size: usize) -> Option<usize> {
        let mut before = 0;
        bytes.chunks(size).find_map(|piece| {
            let end = section.advance(&mut piece.to_vec()).map(|end| before + end);
            before += piece.len();
            end
        })
    }

    #[test]
    fn finds_the_end_of_a_request_for_every_size_of_reads() {
        let (sized, chunked) = (Some(ReceivedFraming::Length(5)), Some(ReceivedFraming::Chunked));
        for (framing, text) in [
            (None, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            (None, "\r\n\r\n\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            (None, "GET / HTTP/1.1\nHost: x\n\n"),
            (None, "GET / HTTP/1.0\r\n\n"),
            (sized, "first"),
            (chunked, "0\r\n\r\n"),
            (chunked, "5\r\nfirst\r\n0\r\n\r\n"),
            (chunked, "5;a=f\r\nfirst\r\n00\r\nX: 1\r\nY: 2\r\n\r\n"),
            (chunked, "A \r\n0\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n"),
        ] {
            let bytes = format!("{text}{NEXT}");
            for size in 1..=bytes.len() {
                assert_eq!(
                    end_in_pieces(section(framing), bytes.as_bytes(), size),
                    Some(text.len()),
                    "{text:?} in pieces of {size}"
                );
            }
        }
    }

    #[test]
    fn finds_no_end_of_an_incomplete_request() {
        for (framing, text) in [
            (None, "GET / HTTP/1.1\r\nHost: x\r\n"),
            (None, "\r\n\r\n"),
            (None, "GET / HTTP/1.1\r\n \r"),
            (Some(ReceivedFraming::Length(6)), "first"),
            (Some(ReceivedFraming::Chunked), "5\r\nfirst\r\n0\r\nX: 1\r\n"),
            (Some(ReceivedFraming::Chunked), "fffffffffffffffffff\r\nfirst\r\n0\r\n\r\n"),
            (Some(ReceivedFraming::Unbounded), NEXT),
        ] {
            assert_eq!(section(framing).advance(&mut text.as_bytes().to_vec()), None, "{text:?}");
        }
        assert!(Section::body(ReceivedFraming::Empty).is_none());
    }

    #[test]
    fn reads_the_framing_of_unambiguous_heads() {
        for (head, framing) in [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", Some(ReceivedFraming::Empty)),
            (
                "POST / HTTP/1.1\r\nContent-Type: x\r\ncontent-LENGTH: 5 \r\n\r\n",
                Some(ReceivedFraming::Length(5)),
            ),
            ("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", Some(ReceivedFraming::Empty)),
            ("POST / HTTP/1.1\nTransfer-Encoding:Chunked\n\n", Some(ReceivedFraming::Chunked)),
            ("POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", None),
            ("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", None),
            ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", None),
            ("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", None),
            (
                "POST / HTTP/1.1\r\nUpgrade: h2c\r\nContent-Length: 5\r\n\r\n",
                Some(ReceivedFraming::Length(5)),
            ),
            ("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", None),
        ] {
            for size in 1..=head.len() {
                let mut section = Section::head();
                let end = head
                    .as_bytes()
                    .chunks(size)
                    .filter_map(|piece| section.advance(&mut piece.to_vec()))
                    .count();
                assert_eq!((end, section.announced()), (1, framing), "{head:?} in pieces of {size}");
            }
        }
    }

    /// Passes a head on in pieces of one size, as the gate does.
    fn pass_on(head: &str, size: usize) -> String {
        let (mut section, mut waiting, mut passed) = (Section::head(), Vec::new(), Vec::new());
        for piece in head.as_bytes().chunks(size) {
            waiting.extend_from_slice(piece);
            let rest = waiting.split_off(waiting.len() - section.incomplete_length(&waiting));
            section.advance(&mut waiting);
            passed.append(&mut waiting);
            waiting = rest;
        }
        passed.append(&mut waiting);
        String::from_utf8(passed).unwrap()
    }

    #[test]
    fn overwrites_the_connection_option_upgrade_only() {
        for (before, after) in [
            ("Connection: Upgrade, HTTP2-Settings\r\n", "Connection:        , HTTP2-Settings\r\n"),
            ("connection:upgrade\r\nUpgrade: h2c\r\n", "connection:       \r\nUpgrade: h2c\r\n"),
            ("CONNECTION: keep-alive,\tUPGRADE \n", "CONNECTION: keep-alive,\t        \n"),
            ("Connection: close, upgrades\r\n", "Connection: close, upgrades\r\n"),
            (
                "X-Connection: upgrade\r\nConnect: upgrade\r\n",
                "X-Connection: upgrade\r\nConnect: upgrade\r\n",
            ),
        ] {
            let head = |lines| format!("\r\nGET / HTTP/1.1\r\n{lines}Host: x\r\n\r\n");
            let before = head(before);
            for size in 1..=before.len() {
                assert_eq!(pass_on(&before, size), head(after), "{before:?} in pieces of {size}");
            }
        }
    }
}
