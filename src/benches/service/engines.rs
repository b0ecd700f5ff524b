//! Compares PostgreSQL with SQLite: one instance on each, and three instances on one PostgreSQL.

use std::path::Path;
use std::slice::from_ref;
use std::time::Duration;

use tempfile::TempDir;

use crate::connection::Connection;
use crate::load::Task;
use crate::postgres_server::Server as Database;
use crate::server::Server;
use crate::{Outcome, USUAL};

const TASKS: [Task; 5] = [Task::Poll, Task::PollAgain, Task::List, Task::SwitchAlone, Task::Switch];

/// Prints the table.
pub(crate) async fn run(turn: Duration) -> Outcome<()> {
    let database = Database::start("on");
    let url = database.url();
    let start = || Server::on(Path::new(&url), TempDir::new()?);
    let file = Server::flagdeck(USUAL).await?;
    let instances = [start()?, start()?, start()?];
    let [first, ..] = &instances;
    let mut editor = Connection::open(first.address).await?;
    for index in 0..USUAL {
        first.create(&mut editor, index).await?;
    }
    let names = ["SQLite", "PostgreSQL", "PostgreSQL, 3 instances"].map(str::to_owned);
    crate::compare(&TASKS, names, [from_ref(&file), from_ref(first), &instances], turn).await
}
