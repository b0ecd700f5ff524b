//! Prints the table of results.

use std::time::Duration;

use crate::ROUNDS;
use crate::load::{Figures, Task};
use crate::server::Server;

/// One task with the figures of each side.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) task: Task,
    pub(crate) figures: [Figures; 3],
}

/// Prints all rows. The ratio compares the second side with the first.
pub(crate) fn print_table(names: [String; 3], sides: [&[Server]; 3], rows: &[Row], turn: Duration) {
    println!(
        "Medians of {ROUNDS} turns of {:.1} s. The client shares the machine with the servers.\n",
        turn.as_secs_f64()
    );
    let [a, b, c] = names;
    println!("{:<32}{a:^30}{b:^30}{:^9}{c:^30}", "", "ratio");
    let columns = format!("{:>9} {:>9} {:>9} ", "req/s", "p50 ms", "p99 ms");
    println!("{:<32}{columns}{columns}{:9}{columns}", "", "");
    for Row { task, figures: [one, two, three] } in rows {
        let name = format!("{} ({})", task.name(), task.connections());
        let ratio = format!("{:.2} ×", two.per_second / one.per_second);
        println!("{name:<32}{}{}{ratio:^9}{}", cells(one), cells(two), cells(three));
    }
    let [one, two, three] = sides.map(|servers| servers.iter().map(Server::memory).sum::<u64>() >> 10);
    println!("{:<32}{one:>9}{:21}{two:>9}{:30}{three:>9}", "memory, MB", "", "");
    println!(
        "\nIn parentheses: connections. Memory: after all tasks, including the database processes of Unleash."
    );
}

/// Prints a task that only Flagdeck has.
pub(crate) fn print_alone(task: Task, figures: Figures) {
    let name = format!("{} ({})", task.name(), task.connections());
    println!("{name:<32}{:30}{}", "", cells(&figures));
}

fn cells(figures: &Figures) -> String {
    let [p50, p99] = [figures.p50, figures.p99].map(|time| time.as_secs_f64() * 1_000.0);
    format!("{:>9.0} {p50:>9.2} {p99:>9.2} ", figures.per_second)
}
