//! Compares the binary as a proxy with nginx and haproxy: same upstream, same load generator (`wrk`), same machine,
//! alternating runs. Run it with `make bench`; `BENCH_SECONDS` is the total duration.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

#[path = "../listening.rs"]
mod listening;
#[path = "../machine.rs"]
mod machine;
#[path = "../median.rs"]
mod median;
mod report;
mod server;
mod wrk;
#[path = "../wrk_output.rs"]
mod wrk_output;

use std::error::Error;
use std::time::Duration;

use tempfile::TempDir;

use self::report::Row;
use self::server::{Server, create_files};
use self::wrk::Task;
use self::wrk_output::Figures;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Enough for eleven rounds, because the noise of a shared machine exceeds the differences between the sides.
const SECONDS: u64 = 500;
/// The duration of each measurement. Short, so that other load affects all sides alike.
const TURN: Duration = Duration::from_secs(1);
/// The warm-up before each measurement, because some proxies have closed their upstream connections in the meantime.
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> Outcome<()> {
    let seconds = match std::env::var("BENCH_SECONDS") {
        Ok(text) => text.parse()?,
        Err(_) => SECONDS,
    };
    println!("{}\n", machine::describe());
    let folder = TempDir::new()?;
    let page = create_files(folder.path())?;
    let upstream = Server::nginx_with_files(folder.path())?;
    let mut sides = vec![Server::nginx(upstream.port, folder.path())?];
    sides.extend(Server::haproxy(upstream.port)?);
    sides.push(Server::flagdeck(upstream.port)?);
    // Without a proxy: the upper bound.
    sides.insert(0, upstream);

    let tasks = Task::all(&page);
    let turns: usize = tasks.iter().map(|task| sides.iter().filter(|side| side.can_run(task)).count()).sum();
    let round = (WARM_UP + TURN) * u32::try_from(turns)?;
    let rounds = (seconds / round.as_secs()).max(1);
    let mut rows = Vec::new();
    for task in tasks {
        rows.push(measure_in_turns(task, &sides, rounds)?);
    }
    report::print_table(&sides, &rows, rounds);
    Ok(())
}

/// Measures a task on all sides in turns.
fn measure_in_turns(task: Task, sides: &[Server], count: u64) -> Outcome<Row> {
    let mut rounds: Vec<Vec<Figures>> = sides.iter().map(|_| Vec::new()).collect();
    for _ in 0..count {
        for (side, figures) in sides.iter().zip(&mut rounds) {
            if side.can_run(&task) {
                wrk::run(&task, side, WARM_UP)?;
                figures.push(wrk::run(&task, side, TURN)?);
            }
        }
    }
    Ok(Row { task, rounds, memory: sides.iter().map(Server::memory).collect() })
}
