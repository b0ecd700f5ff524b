//! Measures how much slower switching a toggle is with the operators' journal. The third side is without a journal again: its
//! difference from the first one is the noise of the measurement.
//!
//! Other load on the machine changes within seconds. Therefore the sides alternate in short rounds, each side is the first one in
//! a third of the rounds, and the result is the median of the ratios within a round.

use std::slice::from_ref;
use std::time::Duration;

use crate::load::{self, Task};
use crate::median::median;
use crate::server::Server;
use crate::{Outcome, USUAL};

const TASKS: [Task; 2] = [Task::SwitchAlone, Task::Switch];
/// A multiple of the number of sides.
const ROUNDS: u32 = 45;
const MIN_TURN: Duration = Duration::from_millis(100);

/// A measured server.
struct Side {
    name: &'static str,
    server: Server,
    /// Requests per second of each round.
    rates: Vec<f64>,
    /// Processor time of all rounds, and the number of their requests.
    processor: Duration,
    requests: f64,
}

impl Side {
    fn new(name: &'static str, server: Server) -> Self {
        Self { name, server, rates: Vec::new(), processor: Duration::ZERO, requests: 0.0 }
    }

    async fn measure(&mut self, task: Task, turn: Duration) -> Outcome<()> {
        let before = self.server.cpu_time();
        let rate = load::run(task, from_ref(&self.server), turn).await?.per_second;
        self.processor += self.server.cpu_time().saturating_sub(before);
        self.requests += rate * turn.as_secs_f64();
        self.rates.push(rate);
        Ok(())
    }

    fn reset(&mut self) {
        self.rates.clear();
        (self.processor, self.requests) = (Duration::ZERO, 0.0);
    }

    /// Returns the processor time of a request in seconds.
    fn processor_per_request(&self) -> f64 {
        self.processor.as_secs_f64() / self.requests
    }
}

/// Prints the table. `total` is the approximate duration.
pub(crate) async fn run(total: Duration) -> Outcome<()> {
    let mut sides = [
        Side::new("without journal", Server::flagdeck(USUAL).await?),
        Side::new("with journal", Server::with_journal(USUAL).await?),
        Side::new("without journal, again", Server::flagdeck(USUAL).await?),
    ];
    let turns = ROUNDS * u32::try_from(sides.len() * TASKS.len())?;
    let turn = (total / turns).max(MIN_TURN);
    println!(
        "Switching a toggle: {ROUNDS} alternating rounds of {:.2} s for each side.\n",
        turn.as_secs_f64()
    );
    println!(
        "{:<14}{:<26}{:>9}{:>18}{:>22}{:>20}",
        "connections", "", "req/s", "time per request", "half of the rounds", "processor time"
    );
    for task in TASKS {
        for side in &mut sides {
            // Fills the caches.
            side.measure(task, turn).await?;
            side.reset();
        }
        for _ in 0..ROUNDS {
            for side in &mut sides {
                side.measure(task, turn).await?;
            }
            sides.rotate_left(1);
        }
        let [first, ..] = &sides;
        for side in &sides {
            print_side(task, first, side);
        }
    }
    Ok(())
}

/// Prints a side, compared with the first one.
fn print_side(task: Task, first: &Side, side: &Side) {
    let mut ratios: Vec<f64> =
        first.rates.iter().zip(&side.rates).map(|(first, rate)| first / rate).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |part: usize| ratios.get(ratios.len() * part / 4).copied().unwrap_or_default();
    let percent = |ratio: f64| format!("{:+.1} %", (ratio - 1.0) * 100.0);
    println!(
        "{:<14}{:<26}{:>9.0}{:>18}{:>22}{:>20}",
        task.connections(),
        side.name,
        median(side.rates.iter().copied()),
        percent(median(ratios.iter().copied())),
        format!("{} to {}", percent(at(1)), percent(at(3))),
        percent(side.processor_per_request() / first.processor_per_request()),
    );
}
