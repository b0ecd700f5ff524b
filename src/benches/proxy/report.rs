//! The table.

use std::time::Duration;

use crate::ROUNDS;
use crate::server::Server;
use crate::wrk::{Figures, Task};

/// One task with the figures of each side, in the order of the sides.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) figures: Vec<Option<Figures>>,
    /// In kilobytes, after it and what came before.
    pub(crate) memory: Vec<u64>,
}

/// Prints all rows. Ratios are to nginx, the first of those that stand in front of the upstream.
pub(crate) fn table(sides: &[Server], rows: &[Row], turn: Duration) {
    println!(
        "Medians of {ROUNDS} turns of {:.0} s, each after one that does not count. The load generator and the upstream share the machine.\n",
        turn.as_secs_f64()
    );
    println!(
        "{:<22} {:<9} {:>9} {:>7} {:>9} {:>9} {:>12} {:>10}",
        "", "", "req/s", "ratio", "p50 ms", "p99 ms", "CPU/req µs", "memory MB"
    );
    for Row { task, figures, memory } in rows {
        let anchor = sides
            .iter()
            .zip(figures)
            .find_map(|(side, figures)| side.forwards().then_some(figures.as_ref()?.per_second));
        for ((side, figures), memory) in sides.iter().zip(figures).zip(memory) {
            let Some(Figures { per_second, p50, p99, busy }) = figures else { continue };
            let name = format!("{} ({})", task.name, task.connections);
            let ratio = anchor.map_or(0.0, |anchor| per_second / anchor);
            let [p50, p99] = [p50, p99].map(|time| time.as_secs_f64() * 1e3);
            let busy = busy.as_secs_f64() * 1e6;
            println!(
                "{name:<22} {:<9} {per_second:>9.0} {ratio:>7.2} {p50:>9.2} {p99:>9.2} {busy:>12.1} {:>10}",
                side.name,
                memory >> 10
            );
        }
    }
    println!(
        "\nIn brackets: connections. The ratio is to nginx. Memory is what a server has after this and all before it."
    );
}
