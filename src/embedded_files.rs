//! The files of the console, which the binary contains.

use rust_embed::RustEmbed;

/// The output of the Vite build (see `build.rs`). Scripts and styles are embedded in compressed form only, because almost
/// all clients accept compression.
#[derive(RustEmbed)]
#[folder = "$FLAGDECK_FRONTEND"]
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
pub(crate) struct Files;

impl Files {
    /// Returns the name and the hash of every file.
    pub(crate) fn hashes() -> impl Iterator<Item = (String, [u8; 32])> {
        Self::iter().filter_map(|name| Some((name.to_string(), Self::get(&name)?.metadata.sha256_hash())))
    }
}
