//! Reads server-sent events on a raw connection.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::app::TestApp;

/// An open stream. HTTP/1.0 is used, so that the body is not divided into chunks.
pub struct EventReader {
    connection: TcpStream,
    /// Status and headers of the response.
    pub head: String,
    received: String,
}

/// An event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub name: String,
    pub id: String,
    pub data: Value,
}

impl EventReader {
    /// Sends a request with these header lines, and reads the head of the response.
    pub async fn open(app: &TestApp, path: &str, headers: &str) -> Self {
        Self::on(app.connect().await, path, headers).await
    }

    /// Opens a stream whose client buffers a few kilobytes only.
    pub async fn open_slow(app: &TestApp, path: &str, headers: &str) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        Self::on(socket.connect(([127, 0, 0, 1], app.port).into()).await.unwrap(), path, headers).await
    }

    async fn on(mut connection: TcpStream, path: &str, headers: &str) -> Self {
        let request = format!("GET {path} HTTP/1.0\r\nhost: localhost\r\n{headers}\r\n");
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut reader = Self { connection, head: String::new(), received: String::new() };
        reader.head = reader.take_until("\r\n\r\n").await.unwrap();
        reader
    }

    /// Returns the next event; `None` at the end of the stream. Comments are skipped.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            let text = self.take_until("\n\n").await?;
            let field = |name: &str| {
                let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                values.next().map(ToOwned::to_owned)
            };
            if let Some(data) = field("data") {
                let data = serde_json::from_str(&data).unwrap();
                return Some(Event { name: field("event").unwrap(), id: field("id").unwrap(), data });
            }
        }
    }

    /// Returns true if the stream has ended, without waiting. Events that have arrived are dropped.
    pub fn has_ended(&mut self) -> bool {
        loop {
            match self.connection.try_read(&mut [0; 4_096]) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
            }
        }
    }

    /// Waits for the end of the stream.
    pub async fn end(mut self) {
        while self.next().await.is_some() {}
    }

    async fn take_until(&mut self, end: &str) -> Option<String> {
        loop {
            if let Some((text, rest)) = self.received.split_once(end) {
                let (text, rest) = (text.to_owned(), rest.to_owned());
                self.received = rest;
                return Some(text);
            }
            let mut bytes = vec![0; 65_536];
            let read = timeout(Duration::from_secs(30), self.connection.read(&mut bytes)).await;
            let count = read.expect("no event").unwrap_or(0);
            if count == 0 {
                return None;
            }
            self.received.push_str(str::from_utf8(&bytes[..count]).unwrap());
        }
    }
}
