//! Generates load with `wrk` and parses its output.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::Outcome;
use crate::server::{LARGE, SINK, SMALL, Server};
use crate::wrk_output::{Figures, parse_output};

const THREADS: &str = "2";
const UPLOAD: usize = 64 * 1024;

/// A repeated request.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) name: &'static str,
    /// The paths, requested in turn.
    paths: Vec<String>,
    pub(crate) connections: usize,
    posts: bool,
    /// Whether the paths are files of the console, which are not requested from the upstream.
    pub(crate) is_asset: bool,
}

impl Task {
    /// Returns all tasks. `page` contains the paths of the assets that the console's page loads, largest first.
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

/// Runs a task once.
pub(crate) fn run(task: &Task, side: &Server, turn: Duration) -> Outcome<Figures> {
    let mut script = NamedTempFile::with_suffix(".lua")?;
    if task.posts {
        // The console's headers: Flagdeck rejects cross-site writes.
        write!(
            script,
            "wrk.method = 'POST'\nwrk.body = string.rep('x', {UPLOAD})\n\
             wrk.headers['Content-Type'] = 'application/json'\nwrk.headers['Sec-Fetch-Site'] = 'same-origin'\n"
        )?;
    }
    let first = task.paths.first().ok_or("a task without paths")?;
    // Only for several paths, because a script slows wrk down.
    if task.paths.len() > 1 {
        write!(
            script,
            "local paths, turn = {{'{}'}}, 0\n\
         request = function()\n turn = turn % #paths + 1\n return wrk.format(nil, paths[turn])\nend\n",
            task.paths.join("', '")
        )?;
    }
    let before = side.cpu_time();
    let output = Command::new("wrk")
        .args(["--threads", THREADS, "--connections", &task.connections.to_string(), "--latency"])
        .args(["--duration", &format!("{}s", turn.as_secs()), "--header", "Accept-Encoding: gzip"])
        .arg("--script")
        .arg(script.path())
        .arg(format!("http://127.0.0.1:{}{first}", side.port))
        .output()
        .map_err(|cause| format!("wrk, the load generator, cannot be started ({cause}): install it"))?;
    let cpu_time = side.cpu_time().saturating_sub(before);
    let stdout = String::from_utf8_lossy(&output.stdout);
    parse_output(&stdout, cpu_time).ok_or_else(|| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("{} failed at {}: {stdout}{stderr}", side.name, task.name).into()
    })
}
