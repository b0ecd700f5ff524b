//! Looks at the database of the embedded flag service and at the key beside it.

use std::fs;
use std::path::Path;

use super::finding::Finding;
use crate::config::Embedded;
use crate::flags::DataLocation;
use crate::flags::addons::secrets::{Secrets, key_file};
use crate::flags::store::inspect::{Inspection, inspect as look_at};

/// What keeps the flag service from starting, and what is worth knowing.
pub(super) fn inspect(embedded: &Embedded) -> Vec<Finding> {
    let DataLocation::File(path) = &embedded.data else {
        return vec![Finding::note("database", "none: everything is gone when the program ends", "")];
    };
    if !path.exists() {
        return vec![missing(path)];
    }
    match look_at(path) {
        Err(error) => vec![Finding::fault("database", error.to_string(), "see `data` in the README")],
        Ok(inspection) => {
            let mut findings = vec![health(path, &inspection), schema(&inspection)];
            findings.extend(privacy("database", path));
            findings.extend(key(path, &embedded.data, &inspection));
            findings
        }
    }
}

fn missing(path: &Path) -> Finding {
    let what = format!("{} is not there yet; it is created when the program starts", path.display());
    let folder = path.ancestors().skip(1).find(|folder| folder.exists());
    match folder.map(fs::metadata) {
        Some(Ok(folder)) if folder.is_dir() && folder.permissions().readonly() => {
            Finding::fault("database", what, "the folder is read-only: let this user write there")
        }
        Some(Ok(folder)) if !folder.is_dir() => {
            Finding::fault("database", what, "what should be the folder is a file: name another path in data")
        }
        _ => Finding::note("database", what, ""),
    }
}

fn health(path: &Path, inspection: &Inspection) -> Finding {
    match &inspection.damage {
        None => Finding::fine("database", format!("{} is whole", path.display())),
        Some(damage) => Finding::fault(
            "database",
            format!("{} is damaged: {damage}", path.display()),
            "stop the program and put a backup in its place",
        ),
    }
}

fn schema(inspection: &Inspection) -> Finding {
    let (found, newest) = inspection.schema;
    if found == newest {
        return Finding::fine("schema", format!("version {found}"));
    }
    let what = format!("version {found}; it is copied and brought to {newest} when the program starts");
    Finding::note("schema", what, "")
}

/// The key has to open every secret that there is.
fn key(path: &Path, data: &DataLocation, inspection: &Inspection) -> Vec<Finding> {
    let file = key_file(path);
    if inspection.secrets.is_empty() {
        return if file.exists() { privacy("key", &file) } else { Vec::new() };
    }
    let secrets = Secrets::for_database(data);
    let closed = inspection
        .secrets
        .iter()
        .find_map(|(addon, name, sealed)| secrets.decrypt(*addon, name, sealed).err());
    let finding = match closed {
        None => {
            let count = inspection.secrets.len();
            Finding::fine("key", format!("{} opens all {count} secrets of addons", file.display()))
        }
        Some(error) => {
            Finding::fault("key", error.to_string(), format!("the key belongs at {}", file.display()))
        }
    };
    let mut findings = vec![finding];
    if file.exists() {
        findings.extend(privacy("key", &file));
    }
    findings
}

/// Says so where others on the machine may read the file.
fn privacy(about: &'static str, path: &Path) -> Vec<Finding> {
    #[cfg(unix)]
    let open = fs::metadata(path)
        .is_ok_and(|file| std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0);
    #[cfg(not(unix))]
    let open = false;
    if !open {
        return Vec::new();
    }
    let what = format!("other users of this machine can read {}", path.display());
    vec![Finding::note(about, what, format!("chmod 600 {}", path.display()))]
}
