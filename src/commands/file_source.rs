//! The files that commands read: paths, folders, and standard input.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::CommandError;
use crate::api::NamedText;
use crate::files::document::Document;
use crate::files::exports::{Export, is_export};
use crate::files::managed::check_name;
use crate::files::plan::Plan;
use crate::files::source;

/// Extensions of files in folders.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];
/// The path of standard input.
const STANDARD_INPUT: &str = "-";

/// The content of files.
pub(super) enum FileSource {
    /// Files with toggles, and their texts.
    Document(Document, Vec<NamedText>),
    /// An export of a flag service, and the names of its file.
    Export(Export, String),
}

/// Returns true if the target of a command is a file with toggles, a folder with such files, or standard input.
pub(super) fn is_file_target(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && has_known_extension(path)) || is_standard_input(path)
}

/// Returns true for the path that stands for standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// Returns the name of a file in messages.
pub(super) fn name_of_path(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// Reads files, the files of folders and of their folders, and standard input.
pub(super) fn read_texts(paths: &[PathBuf]) -> Result<Vec<NamedText>, CommandError> {
    if paths.iter().filter(|path| is_standard_input(path)).count() > 1 {
        return Err(CommandError::Files("- is standard input, and can be read only once".to_owned()));
    }
    let mut files = Vec::new();
    for path in paths {
        if is_standard_input(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        list_folder(path, &mut Vec::new(), &mut files)?;
        if files.len() == before {
            return Err(CommandError::Files(format!(
                "{} contains no files with the extension {}",
                path.display(),
                EXTENSIONS.join(", ")
            )));
        }
    }
    let read = |path: PathBuf| {
        let text = if is_standard_input(&path) {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).map(|_length| text)
        } else {
            fs::read_to_string(&path)
        };
        let name = name_of_path(&path);
        text.map(|text| NamedText { name, text }).map_err(|cause| CommandError::File { path, cause })
    };
    files.into_iter().map(read).collect()
}

/// Adds the files of a folder in the order of their names. Hidden files and folders, whose names start with a dot, are left out.
/// `ancestors` are the folders that contain this one.
fn list_folder(
    folder: &Path,
    ancestors: &mut Vec<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> Result<(), CommandError> {
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |cause| CommandError::File { path, cause }
    };
    let resolved = folder.canonicalize().map_err(fault(folder))?;
    if ancestors.contains(&resolved) {
        return Err(CommandError::Files(format!(
            "{} is a link to a folder that contains it; remove it",
            folder.display()
        )));
    }
    ancestors.push(resolved);
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(fault(folder))?.collect();
    let mut paths: Vec<_> = entries.map_err(fault(folder))?.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    paths.sort();
    for path in paths {
        // Fails for links to files that do not exist.
        let metadata = fs::metadata(&path).map_err(fault(&path))?;
        if metadata.is_dir() {
            list_folder(&path, ancestors, files)?;
        } else if metadata.is_file() && has_known_extension(&path) {
            files.push(path);
        }
    }
    ancestors.pop();
    Ok(())
}

/// Returns the plan if the only file is one.
pub(super) fn find_plan(texts: &[NamedText]) -> Result<Option<Plan>, CommandError> {
    match texts {
        [NamedText { name, text }] => source::read_plan(name, text).map_err(CommandError::Files),
        _ => Ok(None),
    }
}

/// Reads files and exports as toggles of files, with their texts. The text of an export is empty, because it contains the toggles at
/// other places. The toggles get the mark of files with the name `managed_by`.
pub(super) fn read_files(
    texts: Vec<NamedText>,
    environment: Option<&str>,
    managed_by: Option<&str>,
) -> Result<(Document, Vec<NamedText>), CommandError> {
    if let Some(name) = managed_by {
        check_name(name).map_err(|reason| CommandError::Files(format!("--managed-by {reason}")))?;
    }
    let (files, texts) = match read_source(texts, environment)? {
        FileSource::Document(document, texts) => (document, texts),
        FileSource::Export(export, name) => {
            let document =
                export.to_document().map_err(|cause| CommandError::Files(format!("{name}: {cause}")))?;
            (document, vec![NamedText { name, text: String::new() }])
        }
    };
    let files = match managed_by {
        Some(name) => files.managed_by(name),
        None => files,
    };
    Ok((files, texts))
}

/// Reads the content of files, which must not contain a toggle twice. An export must be the only file.
pub(super) fn read_source(
    texts: Vec<NamedText>,
    environment: Option<&str>,
) -> Result<FileSource, CommandError> {
    let mut documents = Vec::new();
    for NamedText { name, text } in &texts {
        if let Some(export) = serde_json::from_str::<Value>(text).ok().filter(is_export) {
            let fault = |text: &str| CommandError::Files(format!("{name}: {text}"));
            if texts.len() > 1 {
                return Err(fault("it is an export, which must be the only file"));
            }
            let export = Export::read(&export, environment).map_err(|cause| fault(&cause.to_string()))?;
            return Ok(FileSource::Export(export, name.clone()));
        }
        if source::read_plan(name, text).is_ok_and(|plan| plan.is_some()) {
            return Err(CommandError::Files(format!(
                "{name} is a plan, not a file with toggles; apply it alone with flagdeck apply {name}, or move it out of the folder"
            )));
        }
        let document = source::read_document(name, text).map_err(CommandError::Files)?;
        documents.push((name.clone(), document));
    }
    if environment.is_some() {
        return Err(CommandError::Files(
            "--environment selects the environment of an export, and these files are none; remove it"
                .to_owned(),
        ));
    }
    let document = source::join(documents).map_err(CommandError::Files)?;
    Ok(FileSource::Document(document, texts))
}
