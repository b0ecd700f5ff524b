//! The head of an answer, read before the HTTP client above reads it: two kinds it takes for empty answers, and would
//! take what follows for the answer to the next request on the connection. Pure.

use httparse::{EMPTY_HEADER, Header, ParserConfig, Response, Status};

/// As many headers as the HTTP client reads.
const MOST_HEADERS: usize = 96;

/// What has come of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// Not all of its head.
    Waits,
    /// What the HTTP client reads as it is meant, from here on.
    Begins(usize),
    /// An answer that ends with its connection, from here on.
    BeginsEndless(usize),
    /// The start of another protocol, which nobody asked for.
    Switches,
}

/// Finds the answer behind interim ones (RFC 9110, 15.2), which are for clients that wait for them.
pub(super) fn find(bytes: &[u8]) -> Head {
    let mut start = 0;
    loop {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut answer = Response::new(&mut headers);
        let blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        start += bytes.iter().skip(start).take_while(blank).count();
        let rest = bytes.get(start..).unwrap_or_default();
        // As the HTTP client has it, which tells what is wrong with the others.
        let parsed = ParserConfig::default()
            .allow_spaces_after_header_name_in_responses(true)
            .parse_response(&mut answer, rest);
        return match (parsed, answer.code) {
            (Ok(Status::Partial), _) => Head::Waits,
            (Ok(Status::Complete(_)), Some(101)) => Head::Switches,
            (Ok(Status::Complete(length)), Some(100..200)) => {
                start += length;
                continue;
            }
            (Ok(Status::Complete(_)), Some(code)) if is_endless(code, answer.headers) => {
                Head::BeginsEndless(start)
            }
            _ => Head::Begins(start),
        };
    }
}

/// Whether only the end of the connection ends the answer (RFC 9112, 6.3).
fn is_endless(code: u16, headers: &[Header<'_>]) -> bool {
    let has_no_body = matches!(code, 204 | 304);
    let tells_its_end = |header: &Header<'_>| {
        header.name.eq_ignore_ascii_case("content-length")
            || (header.name.eq_ignore_ascii_case("transfer-encoding")
                && !header.value.eq_ignore_ascii_case(b"identity"))
    };
    !has_no_body && !headers.iter().any(tells_its_end)
}

#[cfg(test)]
mod tests {
    use super::{Head, find};

    #[test]
    fn an_answer_is_found_behind_interim_ones_and_read_as_it_is_meant() {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        for (bytes, head) in [
            ("", Head::Waits),
            ("HTTP/1.1 20", Head::Waits),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", Head::Waits),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", Head::Begins(0)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n", Head::Begins(0)),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n", Head::BeginsEndless(0)),
            ("HTTP/1.1 200 OK\r\nX: Content-Length: 5\r\n\r\nbody", Head::BeginsEndless(0)),
            ("\r\nHTTP/1.1 200 OK\r\n\r\n", Head::BeginsEndless(2)),
            ("HTTP/1.1 204 No Content\r\n\r\n", Head::Begins(0)),
            ("HTTP/1.1 304 Not Modified\r\n\r\n", Head::Begins(0)),
            ("HTTP/1.1 101 Switching Protocols\r\n\r\n", Head::Switches),
            ("HTTP/1.1 100 Continue\r\n\r\n", Head::Waits),
            ("SSH-2.0-OpenSSH\r\n", Head::Begins(0)),
            ("HTTP/1.1 200 OK\r\nX : y\r\nContent-Length: 5\r\n\r\n", Head::Begins(0)),
            ("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", Head::Begins(0)),
            (&format!("{hints}HTTP/1.1 200 OK\r\n\r\n"), Head::BeginsEndless(hints.len())),
            (
                &format!("{hints}{hints}HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
                Head::Begins(hints.len() * 2),
            ),
            (&format!("{hints}HTTP/1.1 2"), Head::Waits),
        ] {
            assert_eq!(find(bytes.as_bytes()), head, "{bytes:?}");
        }
    }
}
