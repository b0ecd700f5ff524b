//! One HTTP/1.1 connection that is kept: as little of a client as will do, so that the servers are what is measured.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A connection, and the answer that came last.
#[derive(Debug)]
pub(crate) struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    answer: Vec<u8>,
}

/// An answer, read to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'c> {
    pub(crate) status: u16,
    head: &'c str,
    /// As it came: chunks are not put together.
    pub(crate) body: &'c [u8],
}

impl Answer<'_> {
    /// The first value of a header, which is named in small letters.
    pub(crate) fn header(&self, wanted: &str) -> Option<&str> {
        header(self.head, wanted)
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { address, stream, answer: Vec::new() })
    }

    /// Another one to the same server.
    pub(crate) async fn reopen(&mut self) -> io::Result<()> {
        *self = Self::open(self.address).await?;
        Ok(())
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.answer.clear();
        self.stream.write_all(request).await?;
        let mut rest = Rest::Head;
        while !rest.has_come(&self.answer)? {
            if self.stream.read_buf(&mut self.answer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Rest::Head = rest {
                rest = Rest::after_head(&self.answer)?;
            }
        }
        let (head, body) = parts(&self.answer)?.ok_or_else(|| malformed("no head"))?;
        let status = head.get(9..12).and_then(|status| status.parse().ok());
        Ok(Answer { status: status.ok_or_else(|| malformed(head))?, head, body })
    }
}

/// What an answer still needs to be whole.
#[derive(Debug, Clone, Copy)]
enum Rest {
    Head,
    Bytes(usize),
    Chunks,
}

impl Rest {
    fn after_head(answer: &[u8]) -> io::Result<Self> {
        let Some((head, _)) = parts(answer)? else { return Ok(Self::Head) };
        let length = head.len() + END_OF_HEAD.len();
        if header(head, "transfer-encoding").is_some() {
            return Ok(Self::Chunks);
        }
        // Such an answer may tell how long another would be.
        let has_body = !head.starts_with("HTTP/1.1 304");
        let announced = header(head, "content-length").filter(|_| has_body).unwrap_or("0");
        Ok(Self::Bytes(length + announced.parse::<usize>().map_err(io::Error::other)?))
    }

    fn has_come(self, answer: &[u8]) -> io::Result<bool> {
        match self {
            Self::Head => Ok(false),
            Self::Bytes(length) if answer.len() > length => Err(malformed("more than was announced")),
            Self::Bytes(length) => Ok(answer.len() == length),
            Self::Chunks => Ok(answer.ends_with(LAST_CHUNK)),
        }
    }
}

/// Head and body, once the head is there.
fn parts(answer: &[u8]) -> io::Result<Option<(&str, &[u8])>> {
    let Some(end) = answer.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) else {
        return Ok(None);
    };
    let (head, rest) = answer.split_at(end);
    let head = std::str::from_utf8(head).map_err(io::Error::other)?;
    Ok(Some((head, rest.get(END_OF_HEAD.len()..).unwrap_or_default())))
}

fn header<'h>(head: &'h str, wanted: &str) -> Option<&'h str> {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map(|(_, value)| value.trim())
}

fn malformed(what: &str) -> io::Error {
    io::Error::other(format!("this is no answer: {what}"))
}
