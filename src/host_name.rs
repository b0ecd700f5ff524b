//! The name of this machine.

use std::fs;

/// Returns the name of this machine or container; empty if it is unknown.
pub(crate) fn host_name() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}
