//! Checks the database of the flight recorder.

use std::io::ErrorKind;

use super::finding::Finding;
use crate::config::{Config, DataLocation};
use crate::database::{KeptDatabase, OpenError};
use crate::private_file;

/// Returns the finding; `None` without a recorder.
pub(super) fn check(config: &Config) -> Option<Finding> {
    let data = config.recorder.as_ref()?.data.kept();
    let name = data.path().display();
    if let DataLocation::File(file) = &data
        && let Err(cause) = private_file::check_folder(private_file::folder_of(file))
        // The server creates the folder.
        && cause.kind() != ErrorKind::NotFound
    {
        let message = format!("{name} cannot be written: {cause}");
        return Some(Finding::fail("recorder", message, "give Flagdeck write access to the folder of data"));
    }
    Some(match KeptDatabase::open_read_only(&config.recorder.as_ref()?.data) {
        Ok(_) => Finding::pass("recorder", format!("{name} contains the records")),
        // The server creates or migrates it.
        Err(OpenError::Missing { .. } | OpenError::NoTables { .. } | OpenError::Older { .. }) => {
            Finding::pass("recorder", format!("{name} will contain the records"))
        }
        Err(cause) => Finding::fail(
            "recorder",
            cause.to_string(),
            "the server serves SDKs, and records nothing, or in a new file",
        ),
    })
}
