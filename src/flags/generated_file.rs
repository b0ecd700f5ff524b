//! Files that are written from the code and committed: a test proves that they are what the code says.

use std::path::Path;
use std::{env, fs};

/// Writes the file where `FLAGDECK_UPDATE_TYPES` is set, and fails where it differs from what the code renders.
/// `file` is below the package's folder.
pub(super) fn hold(file: &str, rendered: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if env::var_os("FLAGDECK_UPDATE_TYPES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, rendered).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == rendered, "{file} is not what the code says: run `make types` and commit the file");
}
