//! Many concurrent clients with an upstream that fails in every known way: failures do not affect other requests, and
//! the program leaks no memory or connections.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::support::binary::{Binary, flagdeck};

/// Clients of each kind.
const CLIENTS: usize = 25;
/// The paths with the allowed starts of their responses. An empty list allows a closed connection.
const KINDS: [(&str, &[&str]); 8] = [
    ("/api/fine", &["HTTP/1.1 200 "]),
    ("/api/fine/twice", &["HTTP/1.1 200 "]),
    ("/-/health", &["HTTP/1.1 200 "]),
    ("/api/hang", &["HTTP/1.1 504 "]),
    ("/api/reset", &["HTTP/1.1 502 "]),
    ("/api/nonsense", &["HTTP/1.1 502 "]),
    ("/api/truncate", &["HTTP/1.1 200 ", ""]),
    ("/api/lie", &["HTTP/1.1 200 ", ""]),
];

/// Returns the duration of the test: `SOAK_SECONDS`, 5 by default.
fn duration() -> Duration {
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// Serves each connection by the path of its request.
async fn serve_faults(mut connection: TcpStream, end: Arc<Notify>) {
    let mut bytes = [0; 4096];
    loop {
        let read = tokio::select! {
            read = connection.read(&mut bytes) => read,
            () = end.notified() => return,
        };
        let Ok(count @ 1..) = read else { return };
        let request = String::from_utf8_lossy(&bytes[..count]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (response, goes_on) = match path {
            "/api/hang" => return std::future::pending().await,
            "/api/reset" => return,
            "/api/nonsense" => ("nonsense\r\n\r\n", false),
            "/api/truncate" => ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n", false),
            "/api/lie" => ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nless", false),
            _ => ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", true),
        };
        if connection.write_all(response.as_bytes()).await.is_err() || !goes_on {
            return;
        }
    }
}

/// An upstream that is available and unavailable in turns. The counter is even while it is available, and odd from just
/// before it stops until it is back.
async fn run_flapping_upstream(mut listener: TcpListener, turns: Arc<AtomicUsize>) {
    let (address, end) = (listener.local_addr().unwrap(), Arc::new(Notify::new()));
    loop {
        let taken = async {
            while let Ok((connection, _)) = listener.accept().await {
                actix_web::rt::spawn(serve_faults(connection, Arc::clone(&end)));
            }
        };
        drop(timeout(Duration::from_millis(700), taken).await);
        turns.fetch_add(1, Ordering::SeqCst);
        drop(listener);
        end.notify_waiters();
        // An outgoing connection of another process may use the port for a moment.
        listener = loop {
            sleep(Duration::from_millis(100)).await;
            if let Ok(listener) = TcpListener::bind(address).await {
                break listener;
            }
        };
        turns.fetch_add(1, Ordering::SeqCst);
    }
}

/// Sends a request and returns all bytes until the connection ends.
async fn ask(port: u16, path: &str) -> String {
    let mut response = Vec::new();
    let asked = async {
        let mut connection = TcpStream::connect(("127.0.0.1", port)).await?;
        connection
            .write_all(
                format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes(),
            )
            .await?;
        connection.read_to_end(&mut response).await
    };
    // A truncated response may end with a reset, which is expected.
    drop(asked.await);
    String::from_utf8_lossy(&response).into_owned()
}

/// Sends requests until the deadline. Returns their number, or the first unexpected response.
async fn client(
    port: u16,
    (path, starts): (&str, &[&str]),
    end: Instant,
    turns: &AtomicUsize,
) -> Result<usize, String> {
    let mut asked = 0;
    while Instant::now() < end {
        let turn = turns.load(Ordering::SeqCst);
        let response = ask(port, path).await;
        let is_one_of = |starts: &[&str]| {
            starts
                .iter()
                .any(|start| if start.is_empty() { response.is_empty() } else { response.starts_with(start) })
        };
        let whole = response.ends_with("0\r\n\r\n") || response.ends_with("whole") || response.ends_with('}');
        let cut = path.ends_with("truncate") || path.ends_with("lie");
        // A 502 is allowed if the upstream was unavailable at some time during the request.
        let was_away = turn % 2 == 1 || turn != turns.load(Ordering::SeqCst);
        let fine = is_one_of(starts) && whole != cut;
        let excused =
            was_away && path.starts_with("/api") && is_one_of(&["HTTP/1.1 502 ", "HTTP/1.1 200 ", ""]);
        asked += usize::from(fine);
        if !(fine || excused) {
            return Err(format!("{path}: {response:?}"));
        }
    }
    Ok(asked)
}

/// Returns the resident memory in pages.
fn memory(binary: &Binary) -> usize {
    let statm = fs::read_to_string(format!("/proc/{}/statm", binary.child.id())).unwrap();
    statm.split(' ').nth(1).unwrap().parse().unwrap()
}

#[actix_web::test]
async fn faults_do_not_affect_other_requests() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let turns = Arc::new(AtomicUsize::new(0));
    actix_web::rt::spawn(run_flapping_upstream(listener, Arc::clone(&turns)));
    let mut command = flagdeck();
    // Requests without a response end before the upstream counts as silent, which opens the circuit after 5 s.
    let arguments = ["--listen", "127.0.0.1:0", "--log-level", "off", "--upstream-head-timeout", "4s"];
    let binary = Binary::started(command.args(arguments).args(["--upstream", &url]));
    let round = async |time: Duration| {
        let end = Instant::now() + time;
        let clients = KINDS.iter().flat_map(|kind| (0..CLIENTS).map(move |_| *kind));
        futures_util::future::join_all(clients.map(|kind| client(binary.port, kind, end, &turns))).await
    };
    // Until the first response, a few failures open the circuit.
    while !ask(binary.port, "/api/fine").await.starts_with("HTTP/1.1 200 ") {}
    round(Duration::from_secs(1)).await;
    let before = memory(&binary);
    let results = round(duration()).await;
    assert_eq!(results.iter().find_map(|result| result.as_ref().err()), None);
    assert!(
        results.iter().all(|result| result.as_ref().is_ok_and(|asked| *asked > 0)),
        "every client got responses"
    );
    let after = memory(&binary);
    // 8 MB for memory that the allocator keeps.
    assert!(after <= before + before / 4 + 2048, "{before} pages before, {after} after");
}
