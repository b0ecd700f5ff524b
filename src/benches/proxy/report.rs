//! Prints the table of results.

use crate::TURN;
use crate::median::median;
use crate::server::Server;
use crate::wrk::Task;
use crate::wrk_output::Figures;

/// The results of a task: for each side, its rounds, empty if it cannot run the task.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) rounds: Vec<Vec<Figures>>,
    /// The memory of each side in kilobytes, after this task and all before it.
    pub(crate) memory: Vec<u64>,
}

/// Prints all rows. Ratios are to nginx, the first proxy.
pub(crate) fn print_table(sides: &[Server], rows: &[Row], count: u64) {
    println!(
        "Medians of {count} rounds of {} s per side, each after a warm-up. The load generator and the upstream share \
         the machine.\n",
        TURN.as_secs()
    );
    println!(
        "{:<22} {:<9} {:>9} {:>8} {:>8} {:>8} {:>10}   {:>6} {:>6} {:>6}",
        "", "", "req/s", "p50 ms", "p99 ms", "CPU µs", "memory MB", "req/s", "p99", "CPU"
    );
    for Row { task, rounds, memory } in rows {
        let nginx = sides.iter().zip(rounds).find(|(side, _)| side.is_proxy());
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
                middle(|turn| turn.cpu_time.as_secs_f64()) * 1e6,
                memory >> 10,
                ratio(|turn| turn.per_second),
                ratio(|turn| turn.p99.as_secs_f64()),
                ratio(|turn| turn.cpu_time.as_secs_f64()),
            );
        }
    }
    println!(
        "\nIn parentheses: connections. CPU: processor time per request. Memory: after this task and all before it. The \
         last three columns are ratios to nginx in the same round."
    );
}
