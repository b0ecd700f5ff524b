//! `flagdeck backup FILE`: writes a consistent copy of the database, also while a server uses it.

use std::path::Path;

use super::CommandError;
use crate::config::DataLocation;
use crate::database::Store;
use crate::terminal;

pub(super) fn run(store: &Store, data: &DataLocation, file: &Path) -> Result<(), CommandError> {
    store.copy_to(file).map_err(|cause| CommandError::Copy { path: file.to_owned(), cause })?;
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&format!("The database was copied to {}", file.display())));
    if let Some(key) = data.key_file().filter(|key| key.exists()) {
        let hint = "The copy does not contain the key of the addons' secrets. Back up the key as well, in another place:";
        drop(terminal::print(&format!("{hint} {}", key.display())));
    }
    Ok(())
}
