//! Which signals end the program, or have it read its files again.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal as listen};
use tokio::task::JoinHandle;

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

/// Does something at each SIGHUP, until the task is aborted.
///
/// # Errors
/// When the system takes no more signal handlers.
pub fn at_each_hangup(act: impl Fn() + 'static) -> io::Result<JoinHandle<()>> {
    let mut hangups = listen(SignalKind::hangup())?;
    Ok(actix_web::rt::spawn(async move {
        while hangups.recv().await.is_some() {
            act();
        }
    }))
}

async fn next((terminate, interrupt): &mut (Signal, Signal)) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
