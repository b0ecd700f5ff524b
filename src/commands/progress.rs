//! Progress of long work, on standard error.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};

use crate::terminal::{Escaped, print_error};

/// Number of items from which on work is long.
const MIN_ITEMS: usize = 100;

/// Shows how many items are done: in one line that changes on a terminal, or in one line for each tenth otherwise.
pub(super) struct Progress<'a> {
    /// Name of the target.
    target: &'a str,
    /// Past participle, such as `read`.
    verb: &'static str,
    total: usize,
    done: Cell<usize>,
    is_terminal: bool,
}

impl<'a> Progress<'a> {
    /// Starts with no items done. Shows nothing if there are only few.
    pub(super) fn new(target: &'a str, verb: &'static str, total: usize) -> Self {
        Self { target, verb, total, done: Cell::new(0), is_terminal: io::stderr().is_terminal() }
    }

    /// Counts an item. Errors of the output are ignored, because the work continues.
    pub(super) fn advance(&self) {
        let done = self.done.get() + 1;
        self.done.set(done);
        let steps = if self.is_terminal { 100 } else { 10 };
        let step = |done: usize| (done * steps).checked_div(self.total);
        if self.total < MIN_ITEMS || step(done) == step(done - 1) {
            return;
        }
        let Self { target, verb, total, .. } = self;
        let percent = (done * 100).checked_div(*total).unwrap_or(100);
        let text = format!("{target}: {done} of {total} toggles {verb} ({percent} %)");
        if self.is_terminal {
            drop(write!(io::stderr(), "\r{}\x1b[K", Escaped::line(&text)));
        } else {
            drop(print_error(&text));
        }
    }
}

impl Drop for Progress<'_> {
    /// Clears the line of the terminal for the output of the command.
    fn drop(&mut self) {
        if self.is_terminal && self.total >= MIN_ITEMS && self.done.get() > 0 {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
