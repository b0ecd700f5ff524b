//! Checks the file and the key file of the operators' journal.

use std::fs::OpenOptions;
use std::io::ErrorKind;

use super::finding::Finding;
use crate::config::{Config, JournalOutput};
use crate::journal::key::JournalKey;
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
                Ok(()) => Finding::pass("journal", format!("{name} can be written")),
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
            Finding::pass("journal-key", format!("checkpoints are signed with the key {}", found.public()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Finding::note("journal-key", format!("{key} does not exist; the program creates it"), "")
        }
        Err(cause) => {
            Finding::fail("journal-key", format!("{key} cannot be used: {cause}"), "restore the key file")
        }
    };
    vec![output, key]
}
