//! A minimal HTTP/1.1 client connection, so that the client costs little compared with the servers.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A keep-alive connection with the buffer of the last response.
#[derive(Debug)]
pub(crate) struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    response: Vec<u8>,
}

/// A complete response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response<'c> {
    pub(crate) status: u16,
    head: &'c str,
    /// The raw body: chunks are not decoded.
    pub(crate) body: &'c [u8],
}

impl Response<'_> {
    /// Returns the first value of a header.
    pub(crate) fn header(&self, wanted: &str) -> Option<&str> {
        header(self.head, wanted)
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { address, stream, response: Vec::new() })
    }

    /// Replaces the connection by a new one to the same server.
    pub(crate) async fn reopen(&mut self) -> io::Result<()> {
        *self = Self::open(self.address).await?;
        Ok(())
    }

    /// Sends a request and reads the complete response.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> io::Result<Response<'_>> {
        self.response.clear();
        self.stream.write_all(request).await?;
        let mut end = ResponseEnd::Head;
        while !end.is_reached(&self.response)? {
            if self.stream.read_buf(&mut self.response).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let ResponseEnd::Head = end {
                end = ResponseEnd::from_head(&self.response)?;
            }
        }
        let (head, body) = parts(&self.response)?.ok_or_else(|| malformed("no head"))?;
        let status = head.get(9..12).and_then(|status| status.parse().ok());
        Ok(Response { status: status.ok_or_else(|| malformed(head))?, head, body })
    }
}

/// The condition for the end of a response.
#[derive(Debug, Clone, Copy)]
enum ResponseEnd {
    /// Unknown until the head is complete.
    Head,
    /// The total length in bytes.
    Bytes(usize),
    /// The last chunk.
    Chunks,
}

impl ResponseEnd {
    fn from_head(response: &[u8]) -> io::Result<Self> {
        let Some((head, _)) = parts(response)? else { return Ok(Self::Head) };
        let length = head.len() + END_OF_HEAD.len();
        if header(head, "transfer-encoding").is_some() {
            return Ok(Self::Chunks);
        }
        // A 304 may have the `Content-Length` of the full response.
        let has_body = !head.starts_with("HTTP/1.1 304");
        let announced = header(head, "content-length").filter(|_| has_body).unwrap_or("0");
        Ok(Self::Bytes(length + announced.parse::<usize>().map_err(io::Error::other)?))
    }

    fn is_reached(self, response: &[u8]) -> io::Result<bool> {
        match self {
            Self::Head => Ok(false),
            Self::Bytes(length) if response.len() > length => Err(malformed("more than was announced")),
            Self::Bytes(length) => Ok(response.len() == length),
            Self::Chunks => Ok(response.ends_with(LAST_CHUNK)),
        }
    }
}

/// Returns the head and the body, or `None` if the head is incomplete.
fn parts(response: &[u8]) -> io::Result<Option<(&str, &[u8])>> {
    let Some(end) = response.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) else {
        return Ok(None);
    };
    let (head, rest) = response.split_at(end);
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
    io::Error::other(format!("malformed response: {what}"))
}
