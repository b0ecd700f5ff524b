//! The database engine is an implementation detail of `src/database/` and of the rows of nouns.

use std::fs;
use std::path::{Path, PathBuf};

/// Words of the engine and its queries.
const ENGINE: [&str; 7] =
    ["SQLite", "sqlite", ".connection", "prepare_cached", "SELECT ", "INSERT INTO", "PRAGMA"];

/// Returns all Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Returns whether a file may contain queries: `database.rs`, `database/`, and `rows.rs` or `rows/` of a noun.
fn may_contain_queries(path: &Path) -> bool {
    let path = path.with_extension("");
    path.starts_with("src/database")
        || path.starts_with("src/flags") && path.iter().any(|part| part == "rows")
}

#[test]
fn only_rows_and_database_use_the_engine() {
    let files = rust_files(Path::new("src"));
    let is_test = |path: &Path| path.starts_with("src/tests") || path.ends_with("tests.rs");
    let program = files.iter().filter(|path| !is_test(path) && !path.starts_with("src/benches"));
    let (storage, other): (Vec<_>, Vec<_>) = program.partition(|path| may_contain_queries(path));
    assert!(!storage.is_empty());
    for path in other {
        let code = fs::read_to_string(path).unwrap();
        // A small noun has its rows at the end of its file.
        let code = code.split("impl Transaction<'_> {").next().unwrap();
        let is_of_the_service = path.starts_with("src/flags") || path.ends_with("flags.rs");
        let words: &[&str] = if is_of_the_service { &ENGINE } else { &["rusqlite::"] };
        for word in words {
            assert!(!code.contains(word), "{} contains {word:?}", path.display());
        }
    }
}
