//! The load: what is asked for, and what `wrk` says about the answers.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::Outcome;
use crate::server::{LARGE, SINK, SMALL, Server};

/// As for the anchors.
const THREADS: &str = "2";
const UPLOAD: usize = 64 * 1024;

/// Something that is asked for again and again.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) name: &'static str,
    /// In turns.
    paths: Vec<String>,
    pub(crate) connections: usize,
    posts: bool,
    /// One of the console's own files, which nothing is asked of the upstream for.
    pub(crate) is_asset: bool,
}

impl Task {
    /// All of them; `page` is the addresses of the files that the console begins with, the largest of them first.
    pub(crate) fn all(page: &[String]) -> Vec<Self> {
        let forwarded = |name, path: &str, connections, posts| Self {
            name,
            paths: vec![path.to_owned()],
            connections,
            posts,
            is_asset: false,
        };
        let assets = |name, paths: &[String]| Self {
            name,
            paths: paths.to_owned(),
            connections: 32,
            posts: false,
            is_asset: true,
        };
        vec![
            forwarded("GET of 4.4 KB JSON", SMALL, 32, false),
            forwarded("GET of 4.4 KB JSON", SMALL, 256, false),
            forwarded("GET of 1 MB", LARGE, 32, false),
            forwarded("POST of 64 KB", SINK, 32, true),
            assets("files of the page", page),
            assets("largest of them", page.get(..1).unwrap_or_default()),
        ]
    }
}

/// What one turn found.
#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// Processor time that the server took for one request.
    pub(crate) busy: Duration,
}

/// One turn.
pub(crate) fn run(task: &Task, side: &Server, turn: Duration) -> Outcome<Figures> {
    let mut script = NamedTempFile::with_suffix(".lua")?;
    if task.posts {
        // The same headers as the console's: a proxy with checks asks where a write comes from.
        write!(
            script,
            "wrk.method = 'POST'\nwrk.body = string.rep('x', {UPLOAD})\n\
             wrk.headers['Content-Type'] = 'application/json'\nwrk.headers['Sec-Fetch-Site'] = 'same-origin'\n"
        )?;
    }
    let first = task.paths.first().ok_or("nothing is asked for")?;
    // Only where there are turns to take: a script is slower than wrk alone.
    if task.paths.len() > 1 {
        write!(
            script,
            "local paths, turn = {{'{}'}}, 0\n\
         request = function()\n turn = turn % #paths + 1\n return wrk.format(nil, paths[turn])\nend\n",
            task.paths.join("', '")
        )?;
    }
    let busy = side.busy();
    let output = Command::new("wrk")
        .args(["--threads", THREADS, "--connections", &task.connections.to_string(), "--latency"])
        .args(["--duration", &format!("{}s", turn.as_secs()), "--header", "Accept-Encoding: gzip"])
        .arg("--script")
        .arg(script.path())
        .arg(format!("http://127.0.0.1:{}{first}", side.port))
        .output()
        .map_err(|cause| format!("wrk, the load generator, cannot be started ({cause}): install it"))?;
    let busy = side.busy().saturating_sub(busy);
    let said = String::from_utf8_lossy(&output.stdout);
    parse(&said, busy).ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        format!("{} failed at {}: {said}{complaint}", side.name, task.name).into()
    })
}

/// Nothing where requests failed.
fn parse(said: &str, busy: Duration) -> Option<Figures> {
    let after =
        |label: &str| said.lines().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim);
    if after("Non-2xx").is_some() || after("Socket errors").is_some() {
        return None;
    }
    let total: u32 = said.lines().find_map(|line| line.split_once(" requests in "))?.0.trim().parse().ok()?;
    Some(Figures {
        per_second: after("Requests/sec:")?.parse().ok()?,
        p50: time(after("50%")?)?,
        p99: time(after("99%")?)?,
        busy: busy.checked_div(total)?,
    })
}

/// Such as `1.25ms`.
fn time(text: &str) -> Option<Duration> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some(Duration::from_secs_f64(number.parse::<f64>().ok()? * seconds))
}
