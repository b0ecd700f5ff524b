//! Measures the binary as a proxy beside nginx and haproxy: the same upstream, the same load generator (`wrk`), the
//! same machine, in turns. Run it by `make bench`; `BENCH_SECONDS` is how long the measuring takes in all.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

#[path = "../machine.rs"]
mod machine;
#[path = "../median.rs"]
mod median;
mod report;
mod server;
mod wrk;

use std::error::Error;
use std::time::Duration;

use tempfile::TempDir;

use self::report::Row;
use self::server::{Server, files};
use self::wrk::{Figures, Task};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Enough for eleven rounds: a machine that others share moves by more than what there is to be seen between two sides.
const SECONDS: u64 = 500;
/// How long each side is measured in each round: the shorter, the more what else the machine does hits all alike.
const TURN: Duration = Duration::from_secs(1);
/// What is not counted of each turn: some keep connections to the upstream for longer than the others' turns take, and
/// some open them anew.
const WARM_UP: Duration = Duration::from_secs(1);

fn main() -> Outcome<()> {
    let seconds = match std::env::var("BENCH_SECONDS") {
        Ok(text) => text.parse()?,
        Err(_) => SECONDS,
    };
    println!("{}\n", machine::describe());
    let folder = TempDir::new()?;
    let page = files(folder.path())?;
    let upstream = Server::nginx_with_files(folder.path())?;
    let mut sides = vec![Server::nginx(upstream.port, folder.path())?];
    sides.extend(Server::haproxy(upstream.port)?);
    sides.push(Server::flagdeck(upstream.port)?);
    // Straight to the files: what there is to be had.
    sides.insert(0, upstream);

    let tasks = Task::all(&page);
    let turns: usize = tasks.iter().map(|task| sides.iter().filter(|side| side.does(task)).count()).sum();
    let round = (WARM_UP + TURN) * u32::try_from(turns)?;
    let rounds = (seconds / round.as_secs()).max(1);
    let mut rows = Vec::new();
    for task in tasks {
        rows.push(in_turns(task, &sides, rounds)?);
    }
    report::table(&sides, &rows, rounds);
    Ok(())
}

/// What each side that can do it reaches in each round, and the memory it has then.
fn in_turns(task: Task, sides: &[Server], count: u64) -> Outcome<Row> {
    let mut rounds: Vec<Vec<Figures>> = sides.iter().map(|_| Vec::new()).collect();
    for _ in 0..count {
        for (side, figures) in sides.iter().zip(&mut rounds) {
            if side.does(&task) {
                wrk::run(&task, side, WARM_UP)?;
                figures.push(wrk::run(&task, side, TURN)?);
            }
        }
    }
    Ok(Row { task, rounds, memory: sides.iter().map(Server::memory).collect() })
}
