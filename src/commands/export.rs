//! `flagdeck export [FILE]`: exports toggles, strategies, projects and tags in the format of Unleash 3.x.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use super::CommandError;
use crate::database::Store;
use crate::error::ApiError;
use crate::flags::state::{self, Section};
use crate::terminal;

pub(super) fn run(store: &Store, file: Option<&Path>) -> Result<(), CommandError> {
    let state = store.read(|tx| Ok(state::export(tx, &Section::ALL)?))?;
    let toggles = state.features.as_ref().map_or(0, Vec::len);
    let mut json = serde_json::to_string_pretty(&state).map_err(ApiError::internal)?;
    json.push('\n');
    let Some(file) = file else {
        return io::stdout().write_all(json.as_bytes()).map_err(CommandError::Output);
    };
    write_new(file, &json).map_err(|cause| CommandError::File { path: file.to_owned(), cause })?;
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&format!("{toggles} toggles were exported to {}", file.display())));
    Ok(())
}

/// Writes a new file. An existing file is not overwritten, and an incomplete one is removed.
fn write_new(file: &Path, text: &str) -> io::Result<()> {
    let mut new = OpenOptions::new().write(true).create_new(true).open(file)?;
    let written = new.write_all(text.as_bytes()).and_then(|()| new.sync_all());
    if written.is_err() {
        drop(fs::remove_file(file));
    }
    written
}
