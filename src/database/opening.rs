//! Opens a database in the background.

use std::io;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;

use super::OpenError;

/// The pause before a database is opened again that could not be opened: at first, and after many attempts.
pub(super) const MIN_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(15);

/// Opens a database, and again with a growing pause after each failure: it can be locked by a server that ends, or its server may not
/// respond. `report` gets the cause of each failure.
pub(super) async fn open_repeatedly<T: Send + 'static>(
    open: impl Fn() -> Result<T, OpenError> + Clone + Send + 'static,
    mut report: impl FnMut(String),
) -> T {
    let mut pause = MIN_PAUSE;
    loop {
        match run_thread(open.clone()).await {
            Ok(Ok(opened)) => return opened,
            Ok(Err(cause)) => report(cause.to_string()),
            Err(cause) => report(cause.to_string()),
        }
        sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

/// Runs work on a thread of its own: the end of the program waits for those of the runtime, also if a disk hangs.
pub(crate) async fn run_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (sender, outcome) = oneshot::channel();
    // The receiver may be gone.
    thread::Builder::new().name("database".to_owned()).spawn(move || drop(sender.send(work())))?;
    outcome.await.map_err(io::Error::other)
}
