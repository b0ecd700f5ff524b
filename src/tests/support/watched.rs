//! A value that one thread changes while another one waits for a state of it.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// The maximum time of a wait: a reserve for a busy machine.
pub const MAX_WAIT: Duration = Duration::from_mins(2);

#[derive(Debug, Default)]
pub struct Watched<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Watched<T> {
    /// Changes the value.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.get());
        self.changed.notify_all();
    }

    /// Returns the value. It does not change while the guard exists.
    pub fn get(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap()
    }

    /// Waits until the value is in this state.
    pub fn wait(&self, is_reached: impl Fn(&T) -> bool) {
        let waited = self.changed.wait_timeout_while(self.get(), MAX_WAIT, |value| !is_reached(value));
        assert!(!waited.unwrap().1.timed_out(), "the state is never reached");
    }
}
