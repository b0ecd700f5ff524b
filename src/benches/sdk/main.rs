//! Compares the APIs for SDKs with Unleash Edge, if it is installed, and the replica with its upstream, an embedded flag
//! service: same toggles, same load generator (`wrk`), same machine, alternating runs. It also compares both with and without
//! the flight recorder; `BENCH_ONLY=recorder` measures nothing else. Run it with `make bench`; `BENCH_SECONDS` is the total duration.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

#[path = "../listening.rs"]
mod listening;
#[path = "../machine.rs"]
mod machine;
#[path = "../median.rs"]
mod median;
mod server;
#[path = "../wrk_output.rs"]
mod wrk_output;

use std::error::Error;
use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;

use self::median::median;
use self::server::Server;
use self::wrk_output::{Figures, parse_output};

type Outcome<T> = Result<T, Box<dyn Error>>;

const SECONDS: u64 = 60;
const TURN_SECONDS: u64 = 1;
const CONNECTIONS: &str = "32";
/// Numbers of toggles for which Edge publishes figures.
const EDGE_COUNTS: [usize; 2] = [350, 5];
/// Number of toggles of a large installation.
const LARGE_COUNT: usize = 2_000;

/// A repeated request.
struct Task {
    name: &'static str,
    path: &'static str,
    /// Whether it sends the frontend token, and otherwise the client token.
    is_frontend: bool,
    /// Body of a POST request; a GET request has none.
    body: Option<&'static str>,
}

const FEATURES: Task =
    Task { name: "definitions", path: "/api/client/features", is_frontend: false, body: None };
const FRONTEND: Task =
    Task { name: "browser", path: "/api/frontend?userId=7", is_frontend: true, body: None };
const CONTEXT: &str = r#"{"context":{"targetingKey":"7"}}"#;
const ONE_FLAG: Task = Task {
    name: "OFREP, one flag",
    path: "/ofrep/v1/evaluate/flags/shop.toggle-1",
    is_frontend: true,
    body: Some(CONTEXT),
};
const ALL_FLAGS: Task = Task {
    name: "OFREP, all flags",
    path: "/ofrep/v1/evaluate/flags",
    is_frontend: true,
    body: Some(CONTEXT),
};

fn main() -> Outcome<()> {
    let seconds = std::env::var("BENCH_SECONDS").ok().map_or(Ok(SECONDS), |text| text.parse())?;
    println!("{}\n", machine::describe());
    println!(
        "{:<20} {:>7}  {:<17} {:>9} {:>8} {:>8} {:>8} {:>10} {:>8} {:>8}",
        "", "toggles", "", "req/s", "p50 ms", "p99 ms", "CPU µs", "memory MB", "req/s", "CPU"
    );
    let rounds = (seconds / (TURN_SECONDS * 24)).max(1);
    for count in EDGE_COUNTS {
        let (recorded, plain) = (Server::recorded(count)?, Server::flagdeck(count)?);
        compare(&FEATURES, count, &[recorded, plain], rounds)?;
        let upstream = Server::flagdeck(count)?;
        let sides = [Server::recorded_replica(&upstream)?, Server::replica(&upstream)?];
        compare(&FEATURES, count, &sides, rounds)?;
    }
    if std::env::var("BENCH_ONLY").is_ok_and(|only| only == "recorder") {
        return Ok(());
    }
    for count in EDGE_COUNTS {
        let mut sides = vec![Server::flagdeck(count)?];
        sides.extend(Server::edge(count)?);
        for task in [FEATURES, FRONTEND] {
            compare(&task, count, &sides, rounds)?;
        }
    }
    for count in EDGE_COUNTS {
        let upstream = Server::flagdeck(count)?;
        compare(&FEATURES, count, &[Server::replica(&upstream)?, upstream], rounds)?;
    }
    let sides = [Server::flagdeck(LARGE_COUNT)?];
    for task in [ONE_FLAG, ALL_FLAGS] {
        compare(&task, LARGE_COUNT, &sides, rounds)?;
    }
    println!(
        "\nMedians of {rounds} rounds with {CONNECTIONS} connections. The ratios of req/s and CPU are to the second program in the same round."
    );
    Ok(())
}

/// Measures a task on all sides in turns, and prints a row for each, with the ratio to the second side if there is one.
fn compare(task: &Task, count: usize, sides: &[Server], rounds: u64) -> Outcome<()> {
    let mut figures: Vec<Vec<Figures>> = sides.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (side, figures) in sides.iter().zip(&mut figures) {
            figures.push(run(task, side)?);
        }
    }
    let reference = figures.get(1);
    for (side, figures) in sides.iter().zip(&figures) {
        let middle = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure));
        let ratio = |figure: fn(&Figures) -> f64| {
            reference.map_or_else(String::new, |reference| {
                let ratios = figures.iter().zip(reference).map(|(one, other)| figure(one) / figure(other));
                format!("{:.3}", median(ratios))
            })
        };
        println!(
            "{:<20} {count:>7}  {:<17} {:>9.0} {:>8.2} {:>8.2} {:>8.1} {:>10} {:>8} {:>8}",
            task.name,
            side.name,
            middle(|turn| turn.per_second),
            middle(|turn| turn.p50.as_secs_f64()) * 1e3,
            middle(|turn| turn.p99.as_secs_f64()) * 1e3,
            middle(|turn| turn.cpu_time.as_secs_f64()) * 1e6,
            side.memory() >> 10,
            ratio(|turn| turn.per_second),
            ratio(|turn| turn.cpu_time.as_secs_f64()),
        );
    }
    Ok(())
}

fn run(task: &Task, side: &Server) -> Outcome<Figures> {
    let mut script = NamedTempFile::with_suffix(".lua")?;
    if let Some(body) = task.body {
        writeln!(
            script,
            "wrk.method = 'POST'\nwrk.body = '{body}'\nwrk.headers['Content-Type'] = 'application/json'"
        )?;
    }
    let token = if task.is_frontend { &side.frontend_token } else { &side.client_token };
    let before = side.cpu_time();
    let output = Command::new("wrk")
        .args(["--threads", "2", "--connections", CONNECTIONS, "--latency"])
        .args(["--duration", &format!("{TURN_SECONDS}s"), "--header", &format!("Authorization: {token}")])
        .arg("--script")
        .arg(script.path())
        .arg(format!("http://127.0.0.1:{}{}", side.port, task.path))
        .output()
        .map_err(|cause| format!("wrk, the load generator, cannot be started ({cause}): install it"))?;
    let cpu_time: Duration = side.cpu_time().saturating_sub(before);
    let stdout = String::from_utf8_lossy(&output.stdout);
    parse_output(&stdout, cpu_time)
        .ok_or_else(|| format!("{} failed at {}: {stdout}", side.name, task.name).into())
}
