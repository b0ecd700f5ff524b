//! `flagdeck import FILE`: imports an export of Unleash 3.x, 4.x or 5.x or of `flagdeck export`, completely or not at all.

use std::fs;
use std::path::Path;

use super::CommandError;
use crate::database::Store;
use crate::flags::state::rules::{ImportError, parse_import};
use crate::flags::state::{self, ImportMode};
use crate::terminal;

pub(super) fn run(
    store: &Store,
    file: &Path,
    environment: Option<&str>,
    mode: ImportMode,
) -> Result<(), CommandError> {
    let unusable = |cause: String| CommandError::Import { path: file.to_owned(), cause };
    let text = fs::read(file).map_err(|cause| CommandError::File { path: file.to_owned(), cause })?;
    let json = serde_json::from_slice(&text).map_err(|cause| unusable(format!("not valid JSON: {cause}")))?;
    let import = parse_import(&json, environment).map_err(|cause| unusable(cause.to_string()))?;
    let actor = state::import_actor();
    let mut broken = None;
    let outcome = store.write(|tx| {
        state::import(tx, &import, mode, &actor).map_err(|ImportError { location, cause }| {
            broken = Some(location);
            cause
        })
    });
    let imported = outcome.map_err(|cause| match broken {
        Some(location) => unusable(ImportError { location, cause }.to_string()),
        None => cause.into(),
    })?;
    for skipped in &imported.skipped {
        // Standard output may be closed, which is not an error.
        drop(terminal::print(&format!("Left out: {skipped}")));
    }
    drop(terminal::print(&format!(
        "{} was imported: {} added, {} updated, {} as they were",
        file.display(),
        imported.added,
        imported.updated,
        imported.unchanged
    )));
    Ok(())
}
