//! Signals: SIGTERM and SIGINT stop the program, SIGHUP reloads the certificate.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal as listen};
use tokio::task::JoinHandle;

/// Registers signal handlers immediately. The returned future completes at the first SIGTERM or SIGINT (Ctrl-C); a second
/// one terminates the program at once. SIGHUP is ignored until [`on_hangup`] is called: without a handler, it would terminate
/// the program.
///
/// # Errors
/// If the signal handlers cannot be registered.
pub fn wait_for_signal() -> io::Result<impl Future<Output = ()>> {
    let mut signals = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    // The handler stays registered.
    drop(listen(SignalKind::hangup())?);
    Ok(async move {
        wait_for_next(&mut signals).await;
        actix_web::rt::spawn(async move {
            wait_for_next(&mut signals).await;
            std::process::exit(1);
        });
    })
}

/// Spawns a task that runs `action` at each SIGHUP until it is aborted.
pub(crate) fn on_hangup(action: impl Fn() + 'static) -> io::Result<JoinHandle<()>> {
    let mut hangups = listen(SignalKind::hangup())?;
    Ok(actix_web::rt::spawn(async move {
        while hangups.recv().await.is_some() {
            action();
        }
    }))
}

async fn wait_for_next((terminate, interrupt): &mut (Signal, Signal)) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
