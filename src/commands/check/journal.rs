//! Checks the file and the key file of the operators' journal.

use std::fs::OpenOptions;
use std::io::ErrorKind;

use super::finding::Finding;
use crate::config::{Config, JournalOutput};
use crate::journal::key::JournalKey;
use crate::journal::{JournalError, check_content};
use crate::private_file;

/// Returns the findings; none without a journal.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let Some(journal) = &config.journal else { return Vec::new() };
    let output = match &journal.output {
        JournalOutput::StandardOutput => Finding::pass("journal", "is written to standard output"),
        JournalOutput::File(path) => {
            let name = path.display();
            let opened = match OpenOptions::new().append(true).open(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    private_file::check_folder(private_file::folder_of(path))
                }
                result => result.map(drop),
            };
            match opened {
                Ok(()) => match check_content(path) {
                    Err(JournalError::Damaged(_)) => Finding::fail(
                        "journal",
                        format!("the last line of {name} is damaged, so that changes are refused"),
                        "verify the file with `flagdeck journal verify`, and move it away to start a new one",
                    ),
                    Err(JournalError::NotAJournal(_)) => Finding::fail(
                        "journal",
                        format!("{name} is not a journal of Flagdeck, which prevents the start"),
                        "set journal to another file, or move this one away",
                    ),
                    // A file that does not exist has no lines.
                    _ => Finding::pass("journal", format!("{name} can be written")),
                },
                Err(cause) => Finding::fail(
                    "journal",
                    format!("{name} cannot be written: {cause}"),
                    "create its folder, and give Flagdeck write access to it",
                ),
            }
        }
    };
    let key = journal.key.display();
    let key = match JournalKey::read(&journal.key) {
        Ok(found) => {
            Finding::pass("journal", format!("checkpoints are signed with the key {}", found.public()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Finding::note("journal", format!("the key file {key} does not exist; the program creates it"), "")
        }
        Err(cause) => Finding::fail(
            "journal",
            format!("the key file {key} cannot be used: {cause}"),
            "restore the key file",
        ),
    };
    vec![output, key]
}
