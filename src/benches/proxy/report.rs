//! The table.

use crate::TURN;
use crate::median::median;
use crate::server::Server;
use crate::wrk::{Figures, Task};

/// One task with what each side reached in each round, in the order of the sides; nothing of those that cannot do it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) rounds: Vec<Vec<Figures>>,
    /// In kilobytes, after it and what came before.
    pub(crate) memory: Vec<u64>,
}

/// Prints all rows. Ratios are to nginx, the first of those that stand in front of the upstream.
pub(crate) fn table(sides: &[Server], rows: &[Row], count: u64) {
    println!(
        "Rounds: {count}, in which each side has a turn of {} s, after one that does not count; the figures are medians. \
         The load generator and the upstream share the machine.\n",
        TURN.as_secs()
    );
    println!(
        "{:<22} {:<9} {:>9} {:>8} {:>8} {:>8} {:>10}   {:>6} {:>6} {:>6}",
        "", "", "req/s", "p50 ms", "p99 ms", "CPU µs", "memory MB", "req/s", "p99", "CPU"
    );
    for Row { task, rounds, memory } in rows {
        let nginx = sides.iter().zip(rounds).find(|(side, _)| side.forwards());
        let Some((_, nginx)) = nginx else { continue };
        for ((side, rounds), memory) in sides.iter().zip(rounds).zip(memory) {
            if rounds.is_empty() {
                continue;
            }
            let name = format!("{} ({})", task.name, task.connections);
            let middle = |figure: fn(&Figures) -> f64| median(rounds.iter().map(figure));
            let ratio = |figure: fn(&Figures) -> f64| {
                median(rounds.iter().zip(nginx).map(|(one, other)| figure(one) / figure(other)))
            };
            println!(
                "{name:<22} {:<9} {:>9.0} {:>8.2} {:>8.2} {:>8.1} {:>10}   {:>6.2} {:>6.2} {:>6.2}",
                side.name,
                middle(|turn| turn.per_second),
                middle(|turn| turn.p50.as_secs_f64()) * 1e3,
                middle(|turn| turn.p99.as_secs_f64()) * 1e3,
                middle(|turn| turn.busy.as_secs_f64()) * 1e6,
                memory >> 10,
                ratio(|turn| turn.per_second),
                ratio(|turn| turn.p99.as_secs_f64()),
                ratio(|turn| turn.busy.as_secs_f64()),
            );
        }
    }
    println!(
        "\nIn brackets: connections. CPU is for one request. Memory is what a server has after this and all before it. \
         The last three are ratios to nginx in the same round."
    );
}
