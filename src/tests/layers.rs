//! Checks that imports of modules point in one direction.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate, highest layer first. A module uses only modules of lower layers. The modules of one layer are
/// independent of each other.
const LAYERS: [&str; 13] = [
    "main",
    "app commands",
    "admin routes",
    "backend",
    "compat",
    "assets console flags proxy sdk",
    "event_stream evaluation_queue json_body middleware",
    "error",
    "telemetry upstream",
    "cli",
    "config",
    "version",
    "avatar console_api embedded_files evaluation generated_file listener log_limit metrics negotiation private_file request_id shutdown state_export terminal",
];

/// Folders and files of `src` that are not modules of the crate.
const OTHER_TARGETS: [&str; 5] = ["benches", "examples", "fuzz", "lib.rs", "tests"];

/// A module of the crate that a source file uses.
#[derive(Debug)]
struct Import {
    file: PathBuf,
    line: usize,
    /// The line of the source file.
    code: String,
    user: String,
    used: String,
}

/// Returns the layer of each module; the highest is 0.
fn layers() -> BTreeMap<&'static str, usize> {
    let mut layers = BTreeMap::new();
    for (layer, row) in LAYERS.iter().enumerate() {
        for module in row.split(' ') {
            assert!(layers.insert(module, layer).is_none(), "{module} is in two layers");
        }
    }
    layers
}

/// Returns all Rust files below a path.
fn source_files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.flat_map(|entry| source_files(&entry)).collect();
    }
    if path.extension().is_some_and(|extension| extension == "rs") {
        vec![path.to_owned()]
    } else {
        Vec::new()
    }
}

/// Returns the name of the top-level module that a path below `src` belongs to.
fn module_of(file: &Path) -> String {
    let top = file.strip_prefix("src").unwrap().iter().next().unwrap();
    Path::new(top).file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Removes comments and test modules, and keeps the line breaks. Returns the code, and the names of test modules in files
/// of their own.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let (mut code, mut test_modules) = (String::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            code.push('\n');
            let declaration = lines.next().unwrap_or_default();
            let module = declaration.trim().trim_start_matches("pub ").strip_prefix("mod ");
            if let Some(name) = module.and_then(|name| name.strip_suffix(';')) {
                test_modules.push(name.to_owned());
            } else if declaration.ends_with('{') {
                let indentation = &declaration[..declaration.len() - declaration.trim_start().len()];
                let end = format!("{indentation}}}");
                let skipped = lines.by_ref().take_while(|line| *line != end).count();
                code.push_str(&"\n".repeat(skipped + 1));
            }
        } else {
            code.push_str(line.split("//").next().unwrap());
        }
        code.push('\n');
    }
    (code, test_modules)
}

/// Returns the first names of a path or of a list of paths in braces, each with its offset.
fn first_names(path: &str) -> Vec<(usize, String)> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name_at = |offset: usize| {
        let rest = &path[offset..];
        (offset, rest[..rest.find(|letter| !is_name(letter)).unwrap_or(rest.len())].to_owned())
    };
    if !path.starts_with('{') {
        return vec![name_at(0)];
    }
    let (mut depth, mut expects_name, mut names) = (0, false, Vec::new());
    for (offset, letter) in path.char_indices() {
        match letter {
            '{' => (depth, expects_name) = (depth + 1, depth == 0),
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' => expects_name = depth == 1,
            _ if expects_name && is_name(letter) => {
                names.push(name_at(offset));
                expects_name = false;
            }
            _ => {}
        }
    }
    names
}

/// Returns the modules that a source file uses. `main.rs` is another crate and uses the name of the library.
fn imports(file: &Path, code: &str) -> Vec<Import> {
    let user = module_of(file);
    let depth = file.with_extension("").iter().count() - 1;
    let to_root = "super::".repeat(depth);
    let root = if user == "main" { "flagdeck::" } else { "crate::" };
    let mut imports = Vec::new();
    for prefix in [root, &to_root] {
        for (start, _) in code.match_indices(prefix) {
            let path = &code[start + prefix.len()..];
            for (offset, used) in first_names(path) {
                let line = code[..start + prefix.len() + offset].matches('\n').count();
                let text = code.lines().nth(line).unwrap_or_default().trim().to_owned();
                let (file, user) = (file.to_owned(), user.clone());
                imports.push(Import { file, line: line + 1, code: text, user, used });
            }
        }
    }
    imports
}

/// Returns all imports between modules of the crate, without the imports of tests.
fn all_imports() -> Vec<Import> {
    let mut files = BTreeMap::new();
    let mut test_files = BTreeSet::new();
    for entry in fs::read_dir("src").unwrap().map(|entry| entry.unwrap()) {
        if OTHER_TARGETS.iter().any(|other| entry.file_name() == *other) {
            continue;
        }
        for file in source_files(&entry.path()) {
            let (code, test_modules) = without_tests(&fs::read_to_string(&file).unwrap());
            let folder = file.with_extension("");
            test_files.extend(test_modules.iter().map(|name| folder.join(name).with_extension("rs")));
            files.insert(file, code);
        }
    }
    let is_test = |file: &Path| {
        file.ancestors()
            .any(|path| test_files.contains(path) || test_files.contains(&path.with_extension("rs")))
    };
    let sources = files.iter().filter(|(file, _)| !is_test(file));
    sources.flat_map(|(file, code)| imports(file, code)).filter(|import| import.user != import.used).collect()
}

/// The remedy for an import that points to a higher or to the same layer.
const REMEDY: &str = "Move the shared part into a lower layer, or pass the value in from a module that uses both, such \
    as routes.rs for request handlers. LAYERS in src/tests/layers.rs lists the layers.";

/// Returns the fault of an import; `None` if it points to a lower layer.
fn fault(import: &Import, layers: &BTreeMap<&str, usize>) -> Option<String> {
    let Import { file, line, code, user, used } = import;
    let at = format!("{}:{line}: `{code}`", file.display());
    let (Some(own), Some(other)) = (layers.get(user.as_str()), layers.get(used.as_str())) else {
        return Some(format!("{at}: `{user}` or `{used}` is in no layer"));
    };
    match other.cmp(own) {
        Ordering::Greater => None,
        Ordering::Equal => {
            Some(format!("{at}: `{user}` and `{used}` are in the same layer and must stay independent"))
        }
        Ordering::Less => Some(format!("{at}: `{used}` is in a higher layer than `{user}`")),
    }
}

#[test]
fn modules_use_only_modules_of_lower_layers() {
    let (layers, imports) = (layers(), all_imports());
    assert!(imports.len() > 100, "{} imports", imports.len());
    let faults: Vec<_> = imports.iter().filter_map(|import| fault(import, &layers)).collect();
    let list = faults.join("\n");
    assert!(faults.is_empty(), "{} imports do not point to a lower layer:\n{list}\n{REMEDY}", faults.len());
}

#[test]
fn every_module_has_a_layer() {
    let layers = layers();
    let entries = fs::read_dir("src").unwrap().map(|entry| entry.unwrap().path());
    let sources = entries.filter(|path| {
        path.extension().is_some_and(|extension| extension == "rs")
            && !OTHER_TARGETS.iter().any(|other| path.ends_with(other))
    });
    let modules: BTreeSet<_> = sources.map(|path| module_of(&path)).collect();
    let listed: BTreeSet<_> = layers.keys().map(|module| (*module).to_owned()).collect();
    assert_eq!(modules, listed);
}

#[test]
fn readme_shows_the_layers() {
    let readme = fs::read_to_string("src/README.md").unwrap();
    let rows: Vec<_> =
        readme.lines().map(|line| line.split("  ").next().unwrap_or_default().trim()).collect();
    for pair in LAYERS.windows(2) {
        let position = |row: &str| rows.iter().position(|found| *found == row);
        assert!(position(pair[0]).is_some() && position(pair[0]) < position(pair[1]), "{pair:?}");
    }
}

#[test]
fn finds_imports_in_paths_lists_and_relative_paths() {
    let text = "use crate::app::{self, x};\nuse crate::{\n    config::{Config, cli},\n    flags, proxy};\n\
        // crate::comment\nfn f() { crate::error::f(); super::super::metrics::f(); super::own(); }\n\
        #[cfg(test)]\nmod tests {\n    use crate::tests;\n}\n#[cfg(test)]\nmod fixtures;\nuse crate::admin;\n";
    let (code, test_modules) = without_tests(text);
    let mut found: Vec<_> = imports(Path::new("src/flags/store.rs"), &code)
        .into_iter()
        .map(|import| (import.line, import.used))
        .collect();
    found.sort();
    let expected =
        [(1, "app"), (3, "config"), (4, "flags"), (4, "proxy"), (6, "error"), (6, "metrics"), (13, "admin")];
    assert_eq!(found, expected.map(|(line, used)| (line, used.to_owned())));
    assert_eq!(test_modules, ["fixtures"]);
}
