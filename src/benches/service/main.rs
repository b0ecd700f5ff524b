//! Compares the embedded flag service with Unleash 3.17.6: same client, same toggles, same machine, alternating runs.
//! Run it with `make bench`; `BENCH_SECONDS` is the total duration. `BENCH_ONLY=journal` measures the cost of the journal only.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

mod connection;
mod engines;
mod fleet;
mod instances;
mod journal;
mod load;
#[path = "../machine.rs"]
mod machine;
#[path = "../median.rs"]
mod median;
#[path = "../../tests/support/postgres_server.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "shared with the tests"
)]
mod postgres_server;
mod report;
mod restart;
mod server;
mod streams;
mod toggles;

use std::error::Error;
use std::slice::from_ref;
use std::time::Duration;

use self::load::{Figures, Task};
use self::report::Row;
use self::server::Server;

type Outcome<T> = Result<T, Box<dyn Error>>;

const SECONDS: u32 = 300;
/// The number of measurements of each figure. They alternate between the sides, so that other load affects all alike.
const ROUNDS: u32 = 3;
/// The numbers of toggles: typical, and very large.
const USUAL: usize = 2_000;
const MANY: usize = 50_000;
const CONNECTIONS: usize = 16;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let seconds = match std::env::var("BENCH_SECONDS") {
        Ok(text) => text.parse()?,
        Err(_) => SECONDS,
    };
    println!("{}\n", machine::describe());
    if std::env::var("BENCH_ONLY").as_deref() == Ok("journal") {
        return journal::run(Duration::from_secs(u64::from(seconds))).await;
    }
    let real = Server::real(USUAL).await?;
    let usual = Server::flagdeck(USUAL).await?;
    let many = Server::flagdeck(MANY).await?;
    for server in [&real, &usual, &many] {
        println!("{}: {}", server.name, server.describe().await?);
    }
    println!();

    // One fifth of the time is for the fleet.
    let tasks = [Task::Poll, Task::PollAgain, Task::List, Task::Switch];
    let sides = [&real, &usual, &many].map(from_ref);
    let turns = u32::try_from(tasks.len() * sides.len())? * ROUNDS;
    let turn = Duration::from_secs(u64::from(seconds)) * 4 / 5 / turns;
    let names = [(real.name, USUAL), (usual.name, USUAL), (many.name, MANY)];
    let names = names.map(|(name, count)| format!("{name}, {count} toggles"));
    compare(&tasks, names, sides, turn).await?;
    println!();
    for task in [Task::EvaluateOne, Task::EvaluateAll] {
        report::print_alone(task, load::run(task, from_ref(&usual), turn).await?);
    }
    drop(real);
    drop(many);

    println!();
    let window = Duration::from_secs(u64::from(seconds / 5).max(10));
    println!("{}", fleet::run(&usual, window).await?);
    drop(usual);
    println!("{}", streams::run().await?);
    println!("{}", restart::run().await?);
    println!("{}\n", instances::run().await?);
    journal::run(Duration::from_secs(u64::from(seconds)) / 3).await?;
    println!();
    engines::run(turn).await
}

/// Measures tasks on all sides in turns, and prints a table of the medians. A side is one or more servers.
async fn compare(tasks: &[Task], names: [String; 3], sides: [&[Server]; 3], turn: Duration) -> Outcome<()> {
    let mut rows = Vec::new();
    for &task in tasks {
        let mut all = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (servers, figures) in sides.iter().zip(&mut all) {
                figures.push(load::run(task, servers, turn).await?);
            }
        }
        rows.push(Row { task, figures: all.map(|runs| Figures::median(&runs)) });
    }
    report::print_table(names, sides, &rows, turn);
    Ok(())
}
