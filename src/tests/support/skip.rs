//! Reports tests that cannot run on this machine.

use std::io::{self, Write as _};

/// Writes `SKIPPED: reason` to standard error, where `make test` finds it. The line is written directly, because the
/// test runner captures `eprintln!` and drops the output of passing tests.
pub fn skipped(reason: &str) {
    drop(writeln!(io::stderr(), "SKIPPED: {reason}"));
}
