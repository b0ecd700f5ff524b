//! Generated files in the repository. Tests check that they are up to date.

use std::path::Path;
use std::{env, fs};

/// Checks that a generated file, relative to the package folder, has this content. Writes it instead if
/// `FLAGDECK_UPDATE_TYPES` is set.
pub(crate) fn check_or_update(file: &str, rendered: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if env::var_os("FLAGDECK_UPDATE_TYPES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, rendered).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == rendered, "{file} is out of date: run `make types` and commit the file");
}
