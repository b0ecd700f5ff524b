//! Which signals end the program.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal as listen};

/// Listens from now on; the future is done at the first SIGTERM or Ctrl-C. A second one ends the program at once.
///
/// # Errors
/// When the system takes no more signal handlers.
pub fn signal() -> io::Result<impl Future<Output = ()>> {
    let mut signals = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    Ok(async move {
        next(&mut signals).await;
        actix_web::rt::spawn(async move {
            next(&mut signals).await;
            std::process::exit(1);
        });
    })
}

async fn next((terminate, interrupt): &mut (Signal, Signal)) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
