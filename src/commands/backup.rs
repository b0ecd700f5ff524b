//! `flagdeck backup FILE`: a copy of the database as it is at one moment, also while a server writes to it.

use std::io::{self, Write as _};
use std::path::Path;

use super::CommandError;
use crate::flags::DataLocation;
use crate::flags::addons::secrets::key_file;
use crate::flags::store::Store;

pub(super) fn run(store: &Store, data: &DataLocation, file: &Path) -> Result<(), CommandError> {
    store.copy_to(file).map_err(|cause| CommandError::Copy { path: file.to_owned(), cause })?;
    // Nobody has to be there to read it.
    drop(writeln!(io::stdout(), "The database was copied to {}", file.display()));
    if let DataLocation::File(data) = data {
        let key = key_file(data);
        if key.exists() {
            let words = "It does not hold the key of the addons' secrets; keep that too, elsewhere:";
            drop(writeln!(io::stdout(), "{words} {}", key.display()));
        }
    }
    Ok(())
}
