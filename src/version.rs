//! The output of `flagdeck --version`, which identifies a build.

use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::embedded_files::Files;

/// Enough hex digits to make collisions unlikely.
const DIGITS: usize = 12;

/// Version, commit (set by `make build`) and hash of the embedded console.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("FLAGDECK_COMMIT").unwrap_or("unknown");
    format!("{} (commit {commit}, console {})", env!("CARGO_PKG_VERSION"), console_hash())
});

/// Returns a hash over the names and hashes of all embedded files, in the order of their names.
fn console_hash() -> String {
    let mut files: Vec<_> = Files::hashes().collect();
    files.sort_unstable();
    let mut all = Sha256::new();
    for (name, hash) in files {
        all.update(name.as_bytes());
        all.update(hash);
    }
    let mut digits = HEXLOWER.encode(&all.finalize());
    digits.truncate(DIGITS);
    digits
}
