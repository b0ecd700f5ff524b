//! Locks files that only one process may use at a time.
//!
//! The operating system releases a lock when the process ends, also after a kill.

use std::fs::{File, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time for which a start waits for a process that is ending.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// Locks a file for this process. Waits some seconds for a process that is ending.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process keeps the lock, and [`TryLockError::Error`] if the file system has no locks,
/// as some network file systems.
pub(crate) fn acquire(file: &File) -> Result<(), TryLockError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < MAX_WAIT => sleep(PAUSE),
            result => return result,
        }
    }
}
