//! Checks the folder of the flight recorder.

use std::io::ErrorKind;

use super::finding::Finding;
use crate::config::Config;
use crate::private_file;

/// Returns the finding; `None` without a recorder.
pub(super) fn check(config: &Config) -> Option<Finding> {
    let folder = &config.recorder.as_ref()?.folder;
    let name = folder.display();
    let checked = match private_file::check_folder(folder) {
        // The program creates the folder.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            private_file::check_folder(private_file::folder_of(folder))
        }
        result => result,
    };
    Some(match checked {
        Ok(()) => Finding::pass("recorder", format!("{name} can be written")),
        Err(cause) => Finding::fail(
            "recorder",
            format!("{name} cannot be written: {cause}"),
            "create the folder that contains it, and give Flagdeck write access",
        ),
    })
}
