//! An upstream on a raw socket: it records each request byte for byte and answers as it is told.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What the stub does with each request.
#[derive(Clone)]
pub enum Reply {
    /// These bytes; the connection stays open.
    Bytes(String),
    /// The first part, the second when it is let go; the connection stays open.
    Halves(String, String, Arc<Notify>),
    /// These bytes, then the end of the connection.
    BytesThenEnd(String),
    /// To the first request the first of these, and so on; the last to all further ones.
    InTurn(Vec<Self>),
    /// Nothing, ever.
    Silence,
}

/// A running stub.
pub struct Stub {
    pub url: String,
    seen: Arc<Mutex<Vec<String>>>,
    news: Arc<Notify>,
}

/// A complete JSON answer with these header lines on top.
pub fn ok(headers: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()))
}

impl Stub {
    pub async fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, news) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let (record, bell) = (Arc::clone(&seen), Arc::clone(&news));
        actix_web::rt::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                actix_web::rt::spawn(serve(
                    connection,
                    reply.clone(),
                    Arc::clone(&record),
                    Arc::clone(&bell),
                ));
            }
        });
        Self { url, seen, news }
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// The requests so far, each as it came.
    pub fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until what came on any connection fulfils a condition.
    pub async fn wait_for(&self, fulfilled: impl Fn(&str) -> bool) {
        while !self.requests().iter().any(|request| fulfilled(request)) {
            self.news.notified().await;
        }
    }
}

async fn serve(mut connection: TcpStream, reply: Reply, seen: Arc<Mutex<Vec<String>>>, news: Arc<Notify>) {
    loop {
        let index = seen.lock().unwrap().len();
        let mut request = String::new();
        while !is_whole(&request) {
            let mut bytes = [0; 4096];
            let Ok(count @ 1..) = connection.read(&mut bytes).await else { return };
            request.push_str(&String::from_utf8_lossy(&bytes[..count]));
            let mut seen = seen.lock().unwrap();
            seen.truncate(index);
            seen.push(request.clone());
            news.notify_waiters();
            news.notify_one();
        }
        let reply = match &reply {
            Reply::InTurn(replies) => replies.get(index).or(replies.last()).unwrap(),
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
            Reply::InTurn(_) | Reply::Silence => std::future::pending().await,
        };
        if written.is_err() {
            return;
        }
    }
}

/// True when the head has ended and the body as well, by its length or its last chunk.
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
