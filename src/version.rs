//! What `flagdeck --version` says: enough to tell two binaries apart.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

use crate::assets;

/// As many digits as nobody takes one for another by.
const DIGITS: usize = 12;

/// Version, commit of the sources (`make build` tells it to the compiler) and hash of the console inside.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("FLAGDECK_COMMIT").unwrap_or("unknown");
    format!("{} (commit {commit}, console {})", env!("CARGO_PKG_VERSION"), console())
});

/// One hash over the names and hashes of all files, in the order of their names.
fn console() -> String {
    let mut files: Vec<_> = assets::hashes().collect();
    files.sort_unstable();
    let mut all = Sha256::new();
    for (name, hash) in files {
        all.update(name.as_bytes());
        all.update(hash);
    }
    let mut digits = all.finalize().iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
    digits.truncate(DIGITS);
    digits
}
