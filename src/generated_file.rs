//! Generated files in the repository. Tests check that they are up to date.

use std::path::Path;
use std::{env, fs};

use serde_json::Value;

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

/// Removes the keywords of schemas that only the TypeScript types need (`openapi/typescript.rs`).
pub(crate) fn remove_typescript_keywords(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.starts_with("x-"));
            fields.values_mut().for_each(remove_typescript_keywords);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_typescript_keywords),
        _ => {}
    }
}
