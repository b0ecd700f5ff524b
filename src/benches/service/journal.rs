//! Compares switching a toggle with and without the operators' journal. The third side is without a journal again: its
//! difference from the first one is the noise of the measurement.

use std::slice::from_ref;
use std::time::Duration;

use crate::load::Task;
use crate::server::Server;
use crate::{Outcome, USUAL};

const TASKS: [Task; 2] = [Task::Switch, Task::SwitchAlone];

/// Prints the table.
pub(crate) async fn run(turn: Duration) -> Outcome<()> {
    let (without, with) = (Server::flagdeck(USUAL).await?, Server::with_journal(USUAL).await?);
    let again = Server::flagdeck(USUAL).await?;
    let names = ["without journal", "with journal", "without journal, again"].map(str::to_owned);
    crate::compare(&TASKS, names, [from_ref(&without), from_ref(&with), from_ref(&again)], turn).await
}
