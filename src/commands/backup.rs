//! `flagdeck backup FILE`: a copy of the database as it is at one moment, also while a server writes to it.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use super::CommandError;
use crate::flags::store::Store;

pub(super) fn run(store: &Store, file: &Path) -> Result<(), CommandError> {
    create(file).map_err(|cause| CommandError::File { path: file.to_owned(), cause })?;
    store.copy_to(file)?;
    // Nobody has to be there to read it.
    drop(writeln!(io::stdout(), "The database was copied to {}", file.display()));
    Ok(())
}

/// A new file that only its owner reads: a database holds credentials.
fn create(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}
