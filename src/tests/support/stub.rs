//! A stub upstream on a raw socket. It records each request and sends a given reply.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::timeout;

/// The reply of the stub to each request.
#[derive(Clone)]
pub enum Reply {
    /// Sends these bytes and keeps the connection open.
    Bytes(String),
    /// Sends the first part, waits for the notification, sends the second part, and keeps the connection open.
    Halves(String, String, Arc<Notify>),
    /// Sends these bytes and closes the connection.
    BytesThenEnd(String),
    /// Closes the connection.
    End,
    /// Uses these replies for the first, second, … request, and the last one for all others.
    InTurn(Vec<Self>),
    /// Uses the reply of the first text with which the request starts, and 404 for all others.
    ByStart(Vec<(&'static str, Self)>),
    /// Uses the reply that this function returns for the request.
    Computed(Arc<dyn Fn(&str) -> Self + Send + Sync>),
    /// Never sends anything.
    Silence,
}

/// A running stub.
pub struct Stub {
    pub url: String,
    seen: Arc<Mutex<Vec<String>>>,
    news: Arc<Notify>,
    ended: Arc<Notify>,
}

/// A complete response with these header lines and this body.
pub fn ok(headers: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()))
}

impl Stub {
    pub async fn start(reply: Reply) -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").await.unwrap(), reply)
    }

    /// Starts the stub on a listener that is already bound.
    pub fn at(listener: TcpListener, reply: Reply) -> Self {
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, news) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let (record, bell) = (Arc::clone(&seen), Arc::clone(&news));
        let ended = Arc::new(Notify::new());
        let end = Arc::clone(&ended);
        actix_web::rt::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                actix_web::rt::spawn(serve(
                    connection,
                    reply.clone(),
                    Arc::clone(&record),
                    Arc::clone(&bell),
                    Arc::clone(&end),
                ));
            }
        });
        Self { url, seen, news, ended }
    }

    /// Returns the host and port.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Returns the received requests, byte for byte.
    pub fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until the other side closes a connection with [`Reply::Silence`].
    pub async fn wait_for_end(&self) {
        self.ended.notified().await;
    }

    /// Waits until a received request, complete or not, matches a condition.
    pub async fn wait_for(&self, fulfilled: impl Fn(&str) -> bool) {
        self.wait_for_number(1, fulfilled).await;
    }

    /// Waits until this number of received requests, complete or not, matches a condition.
    pub async fn wait_for_number(&self, number: usize, fulfilled: impl Fn(&str) -> bool) {
        let fulfilled = async {
            while self.requests().iter().filter(|request| fulfilled(request)).count() < number {
                self.news.notified().await;
            }
        };
        let waited = timeout(Duration::from_mins(1), fulfilled).await;
        assert!(waited.is_ok(), "no such request: {:?}", self.requests());
    }
}

async fn serve(
    mut connection: TcpStream,
    reply: Reply,
    seen: Arc<Mutex<Vec<String>>>,
    news: Arc<Notify>,
    ended: Arc<Notify>,
) {
    let not_found = Reply::Bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}".to_owned());
    loop {
        let (mut index, mut request) = (None, String::new());
        while !is_whole(&request) {
            let mut bytes = [0; 4096];
            let Ok(count @ 1..) = connection.read(&mut bytes).await else { return };
            request.push_str(&String::from_utf8_lossy(&bytes[..count]));
            let mut seen = seen.lock().unwrap();
            let place = *index.get_or_insert(seen.len());
            if place < seen.len() {
                seen[place].clone_from(&request);
            } else {
                seen.push(request.clone());
            }
            news.notify_waiters();
            news.notify_one();
        }
        let computed = if let Reply::Computed(compute) = &reply { Some(compute(&request)) } else { None };
        let reply = match computed.as_ref().unwrap_or(&reply) {
            Reply::InTurn(replies) => replies.get(index.unwrap()).or(replies.last()).unwrap(),
            Reply::ByStart(replies) => {
                let known = replies.iter().find(|(start, _)| request.starts_with(start));
                known.map_or(&not_found, |(_, reply)| reply)
            }
            reply => reply,
        };
        let written = match reply {
            Reply::Bytes(bytes) => connection.write_all(bytes.as_bytes()).await,
            Reply::BytesThenEnd(bytes) => {
                drop(connection.write_all(bytes.as_bytes()).await);
                return;
            }
            Reply::Halves(first, second, go) => {
                drop(connection.write_all(first.as_bytes()).await);
                go.notified().await;
                connection.write_all(second.as_bytes()).await
            }
            Reply::End => return,
            Reply::Silence => {
                while matches!(connection.read(&mut [0; 4096]).await, Ok(1..)) {}
                ended.notify_one();
                return;
            }
            Reply::InTurn(_) | Reply::ByStart(_) | Reply::Computed(_) => unreachable!("replies are one deep"),
        };
        if written.is_err() {
            return;
        }
    }
}

/// Returns whether the head and the body are complete, by length or by the last chunk.
fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let head = head.to_ascii_lowercase();
    if head.contains("transfer-encoding: chunked") {
        return body.ends_with("0\r\n\r\n");
    }
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    body.len() >= length
}
