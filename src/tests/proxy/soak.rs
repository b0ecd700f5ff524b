//! Many clients at once at an upstream that does whatever upstreams do wrong: nobody meets a failure of somebody else's,
//! and the program is afterwards what it was before.

use std::fs;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::support::binary::{Binary, flagdeck};

/// Clients of each kind.
const CLIENTS: usize = 25;
/// What is asked for, and how its answer may begin; nothing for a connection that just ends.
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

/// `SOAK_SECONDS` (5) is how long it takes.
fn duration() -> Duration {
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// Answers by what is asked for.
async fn misbehave(mut connection: TcpStream) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = connection.read(&mut bytes).await {
        let request = String::from_utf8_lossy(&bytes[..count]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (answer, goes_on) = match path {
            "/api/hang" => return std::future::pending().await,
            "/api/reset" => return,
            "/api/nonsense" => ("nonsense\r\n\r\n", false),
            "/api/truncate" => ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n", false),
            "/api/lie" => ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nless", false),
            _ => ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole", true),
        };
        if connection.write_all(answer.as_bytes()).await.is_err() || !goes_on {
            return;
        }
    }
}

/// One answer, to the end of its connection.
async fn ask(port: u16, path: &str) -> String {
    let mut answer = Vec::new();
    let asked = async {
        let mut connection = TcpStream::connect(("127.0.0.1", port)).await?;
        connection
            .write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes())
            .await?;
        connection.read_to_end(&mut answer).await
    };
    // A connection that is cut may be reset, which is what was to be seen.
    drop(asked.await);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Asks until the time is up; returns how often, or the first answer that it should not have got.
async fn client(port: u16, path: &str, starts: &[&str], end: Instant) -> Result<usize, String> {
    let mut asked = 0;
    while Instant::now() < end {
        let answer = ask(port, path).await;
        let expected = starts
            .iter()
            .any(|start| if start.is_empty() { answer.is_empty() } else { answer.starts_with(start) });
        let whole = answer.ends_with("0\r\n\r\n") || answer.ends_with("whole") || answer.ends_with('}');
        if !expected || whole == (path.ends_with("truncate") || path.ends_with("lie")) {
            return Err(format!("{path}: {answer:?}"));
        }
        asked += 1;
    }
    Ok(asked)
}

/// Pages of memory.
fn memory(binary: &Binary) -> usize {
    let told = fs::read_to_string(format!("/proc/{}/statm", binary.child.id())).unwrap();
    told.split(' ').nth(1).unwrap().parse().unwrap()
}

#[actix_web::test]
async fn nobody_meets_a_failure_that_is_somebody_elses() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    actix_web::rt::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            actix_web::rt::spawn(misbehave(connection));
        }
    });
    let mut command = flagdeck();
    // At the end of a round only those are left who are never answered, and the next round is to find a closed circuit.
    let arguments = [
        "--listen",
        "127.0.0.1:0",
        "--log-level",
        "off",
        "--upstream-head-timeout",
        "8s",
        "--upstream-pause",
        "60s",
    ];
    let binary = Binary::started(command.args(arguments).args(["--upstream", &url]));
    let round = async |time: Duration| {
        let end = Instant::now() + time;
        let clients = KINDS.iter().flat_map(|(path, starts)| (0..CLIENTS).map(move |_| (path, starts)));
        futures_util::future::join_all(clients.map(|(path, starts)| client(binary.port, path, starts, end)))
            .await
    };
    round(Duration::from_secs(1)).await;
    let before = memory(&binary);
    let results = round(duration()).await;
    assert_eq!(results.iter().find_map(|result| result.as_ref().err()), None);
    assert!(
        results.iter().all(|result| result.as_ref().is_ok_and(|asked| *asked > 0)),
        "everybody was answered"
    );
    let after = memory(&binary);
    // 8 MB for what an allocator keeps.
    assert!(after <= before + before / 4 + 2048, "{before} pages before, {after} after");
}
