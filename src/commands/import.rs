//! `flagdeck import FILE`: what Unleash 3.x or `flagdeck export` exported, all of it or nothing.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::CommandError;
use crate::flags::rules::{self, ImportError};
use crate::flags::state::{self, ImportMode};
use crate::flags::store::Store;

pub(super) fn run(store: &Store, file: &Path, mode: ImportMode) -> Result<(), CommandError> {
    let unusable = |cause: String| CommandError::Import { path: file.to_owned(), cause };
    let text = fs::read(file).map_err(|cause| CommandError::File { path: file.to_owned(), cause })?;
    let json = serde_json::from_slice(&text).map_err(|cause| unusable(format!("not valid JSON: {cause}")))?;
    let import = rules::import(&json).map_err(|cause| unusable(cause.to_string()))?;
    let actor = state::importer();
    let mut broken = None;
    let outcome = store.write(|tx| {
        state::import(tx, &import, mode, &actor).map_err(|ImportError { place, cause }| {
            broken = Some(place);
            cause
        })
    });
    let imported = outcome.map_err(|cause| match broken {
        Some(place) => unusable(ImportError { place, cause }.to_string()),
        None => cause.into(),
    })?;
    let mut out = io::stdout();
    for left_out in &imported.left_out {
        // Nobody has to be there to read it.
        drop(writeln!(out, "Left out: {left_out}"));
    }
    drop(writeln!(
        out,
        "{} was imported: {} added, {} updated, {} as they were",
        file.display(),
        imported.added,
        imported.updated,
        imported.unchanged
    ));
    Ok(())
}
