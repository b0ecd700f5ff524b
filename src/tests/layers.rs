//! Checks that imports of modules point in one direction.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate, highest layer first. A module uses only modules of lower layers. The modules of one layer are
/// independent of each other.
const LAYERS: [&str; 18] = [
    "main",
    "app commands",
    "routes",
    "admin",
    "backend",
    "compat files openapi",
    "assets console flags proxy sdk sign_in",
    "event_stream evaluation_queue impact_metrics json_body middleware usage_windows",
    "api",
    "hold journal recorder",
    "database",
    "error",
    "telemetry upstream",
    "cli",
    "config",
    "api_path version",
    "avatar clock console_api embedded_files evaluation field_differences file_lock host_name listener log_limit metrics negotiation path_rules private_file rate request_id sdk_instances shutdown state_export terminal",
    "generated_file number",
];

/// Folders and files of `src` that are not modules of the crate.
const OTHER_TARGETS: [&str; 5] = ["benches", "examples", "fuzz", "lib.rs", "tests"];

/// The module whose submodules have layers of their own.
const LAYERED_MODULE: &str = "flags";

/// The submodules of [`LAYERED_MODULE`], highest layer first. `flags.rs` itself is above all of them.
const FLAGS_LAYERS: [&str; 11] = [
    "console demo",
    "examples",
    "service transfer",
    "addons api_tokens client state",
    "applications segments tags",
    "toggles usage",
    "context history installation projects session strategies users",
    "endpoint",
    "auth",
    "events",
    "media_type tagged_json validation",
];

/// Groups of submodules of one module that use each other. The settings file contains tables of targets, and a target is a set of
/// settings.
const CIRCLES: [&str; 1] = ["config::settings config::target"];

/// The use of a module in a source file.
#[derive(Debug)]
struct Import {
    file: PathBuf,
    line: usize,
    /// The line of the source file.
    code: String,
    /// The module of the file, and its submodule. The root of a module has no submodule.
    user: ModulePath,
    target: ModulePath,
}

/// The first two names of a path below the crate.
type ModulePath = Vec<String>;

/// Returns the layer of each module; the highest is 0.
fn layers(rows: &[&'static str]) -> BTreeMap<&'static str, usize> {
    let mut layers = BTreeMap::new();
    for (layer, row) in rows.iter().enumerate() {
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

/// Returns the names of the module that a path below `src` belongs to.
fn module_path(file: &Path) -> Vec<String> {
    let path = file.strip_prefix("src").unwrap().with_extension("");
    path.iter().map(|name| name.to_str().unwrap().to_owned()).collect()
}

/// Removes comments. Returns each line with the number of modules inside the file that contain it, such as `mod tests`.
fn code_lines(text: &str) -> Vec<(&str, usize)> {
    let (mut ends, mut lines) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if ends.last().is_some_and(|end: &String| end == line) {
            ends.pop();
        }
        let code = line.split("//").next().unwrap();
        lines.push((code, ends.len()));
        let declaration = code.trim_start();
        if declaration.ends_with('{') && (declaration.starts_with("mod ") || declaration.contains(" mod ")) {
            ends.push(format!("{}}}", &code[..code.len() - declaration.len()]));
        }
    }
    lines
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

/// Returns the paths of a list in braces, or the only path, with the offset of its first name: the first two names of each.
fn first_two_names(path: &str) -> Vec<(usize, ModulePath)> {
    let with_rest = |(offset, name): (usize, String)| {
        let Some(rest) = path[offset + name.len()..].strip_prefix("::") else {
            return vec![(offset, vec![name])];
        };
        let start = path.len() - rest.len();
        let pairs = first_names(rest).into_iter();
        pairs.map(|(inner, second)| (start + inner, vec![name.clone(), second])).collect()
    };
    first_names(path).into_iter().flat_map(with_rest).collect()
}

/// Returns the uses of modules in a source file. `main.rs` is another crate and uses the name of the library.
fn imports(file: &Path, text: &str) -> Vec<Import> {
    let lines = code_lines(text);
    let code: String = lines.iter().flat_map(|(line, _)| [*line, "\n"]).collect();
    let module = module_path(file);
    let root = if module == ["main"] { "flagdeck::" } else { "crate::" };
    let is_use = |start: usize| {
        let before = &code[..start];
        let is_inside_path = before.ends_with(|last: char| last.is_alphanumeric() || "_:".contains(last));
        let is_visibility = before.ends_with("pub(in ");
        !is_inside_path && !is_visibility
    };
    let (roots, parents) = (code.match_indices(root), code.match_indices("super::"));
    let mut imports = Vec::new();
    for (start, prefix) in roots.chain(parents).filter(|(start, _)| is_use(*start)) {
        let mut path = &code[start + prefix.len()..];
        let base = if prefix == root {
            &[]
        } else {
            let mut parents = 1;
            while let Some(rest) = path.strip_prefix("super::") {
                (path, parents) = (rest, parents + 1);
            }
            let (_, nesting) = lines[code[..start].matches('\n').count()];
            // A path that stays inside the file.
            let Some(above) = usize::checked_sub(parents, nesting) else { continue };
            &module[..module.len() - above]
        };
        let path_start = code.len() - path.len();
        for (offset, names) in first_two_names(path) {
            let line = code[..path_start + offset].matches('\n').count();
            let target = base.iter().cloned().chain(names).take(2).collect();
            let user = module.iter().take(2).cloned().collect();
            let code = lines[line].0.trim().to_owned();
            imports.push(Import { file: file.to_owned(), line: line + 1, code, user, target });
        }
    }
    imports
}

/// Returns all uses of modules in the crate, including its unit tests.
fn all_imports() -> Vec<Import> {
    let entries = fs::read_dir("src").unwrap().map(|entry| entry.unwrap());
    let modules = entries.filter(|entry| !OTHER_TARGETS.iter().any(|other| entry.file_name() == *other));
    let files = modules.flat_map(|entry| source_files(&entry.path()));
    files.flat_map(|file| imports(&file, &fs::read_to_string(&file).unwrap())).collect()
}

/// The remedy for an import that points to a higher or to the same layer.
const REMEDY: &str = "Move the shared part into a lower layer, or pass the value in from a module that uses both, such \
    as routes.rs for request handlers. src/tests/layers.rs lists the layers.";

/// Returns the fault of an import; `None` if it points to a lower layer or stays in its module.
fn fault(import: &Import, (user, target): (&str, &str), layers: &BTreeMap<&str, usize>) -> Option<String> {
    let at = format!("{}:{}: `{}`", import.file.display(), import.line, import.code);
    if user == target {
        return None;
    }
    let (Some(own), Some(other)) = (layers.get(user), layers.get(target)) else {
        return Some(format!("{at}: `{user}` or `{target}` is in no layer"));
    };
    match other.cmp(own) {
        Ordering::Greater => None,
        Ordering::Equal => {
            Some(format!("{at}: `{user}` and `{target}` are in the same layer and must stay independent"))
        }
        Ordering::Less => Some(format!("{at}: `{target}` is in a higher layer than `{user}`")),
    }
}

fn assert_no_faults(faults: &[String]) {
    let list = faults.join("\n");
    assert!(faults.is_empty(), "{} imports do not point to a lower layer:\n{list}\n{REMEDY}", faults.len());
}

#[test]
fn modules_use_only_modules_of_lower_layers() {
    let (layers, imports) = (layers(&LAYERS), all_imports());
    assert!(imports.len() > 100, "{} imports", imports.len());
    let faults: Vec<_> = imports
        .iter()
        .filter_map(|import| fault(import, (&import.user[0], &import.target[0]), &layers))
        .collect();
    assert_no_faults(&faults);
}

#[test]
fn modules_of_flags_use_only_modules_of_lower_layers() {
    let rows = [&[LAYERED_MODULE], &FLAGS_LAYERS[..]].concat();
    let layers = layers(&rows);
    let mut faults = Vec::new();
    for import in all_imports() {
        if let ([top, user], [target_top, rest @ ..]) = (import.user.as_slice(), import.target.as_slice())
            && top == LAYERED_MODULE
            && target_top == LAYERED_MODULE
        {
            let module = rest.first().filter(|name| layers.contains_key(name.as_str()));
            // Other names are items of `flags.rs`.
            let target = module.map_or(LAYERED_MODULE, String::as_str);
            faults.extend(fault(&import, (user, target), &layers));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn submodules_of_a_module_do_not_use_each_other_in_a_circle() {
    let mut uses: BTreeMap<ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
    for Import { user, target, .. } in all_imports() {
        // Without a second name, it is the module itself or another module.
        if user.len() == 2 && target.len() == 2 && user[0] == target[0] && user != target {
            uses.entry(user).or_default().insert(target);
        }
    }
    // Removes modules that are in no circle: they use none of the others, or none of the others uses them. Names of items, which
    // look like modules here, use nothing.
    loop {
        let before = uses.clone();
        let all_targets: BTreeSet<_> = uses.values().flatten().cloned().collect();
        uses.retain(|user, targets| {
            targets.retain(|target| before.contains_key(target));
            !targets.is_empty() && all_targets.contains(user)
        });
        if uses == before {
            break;
        }
    }
    let left: Vec<_> = uses.keys().map(|path| path.join("::")).collect();
    assert_eq!(left.join(" "), CIRCLES.join(" "), "{uses:#?}\n{REMEDY}");
}

/// Returns the names of the modules whose files are in a folder.
fn modules_in(folder: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_module_has_a_layer() {
    let mut modules = modules_in("src");
    modules.retain(|module| !OTHER_TARGETS.iter().any(|other| other.trim_end_matches(".rs") == module));
    for (modules, rows) in [(modules, &LAYERS[..]), (modules_in("src/flags"), &FLAGS_LAYERS)] {
        let listed: BTreeSet<_> = layers(rows).into_keys().map(str::to_owned).collect();
        assert_eq!(modules, listed);
    }
}

#[test]
fn readme_shows_the_layers() {
    let readme = fs::read_to_string("src/README.md").unwrap();
    let rows: Vec<_> =
        readme.lines().map(|line| line.split("  ").next().unwrap_or_default().trim()).collect();
    for pair in LAYERS.windows(2).chain(FLAGS_LAYERS.windows(2)) {
        let position = |row: &str| rows.iter().position(|found| *found == row);
        assert!(position(pair[0]).is_some() && position(pair[0]) < position(pair[1]), "{pair:?}");
    }
}

#[test]
fn finds_imports_in_paths_lists_and_relative_paths() {
    let text = "use crate::app::{self, x};\nuse crate::{\n    config::{Config, cli},\n    flags, proxy};\n\
        // crate::comment\npub(in crate::flags) fn f() { crate::error::f(); super::super::metrics::f(); super::own(); }\n\
        #[cfg(test)]\nmod tests {\n    use super::super::other;\n    use super::inner;\n}\n\
        use crate::admin;\n";
    let mut found: Vec<_> = imports(Path::new("src/flags/store.rs"), text)
        .into_iter()
        .map(|import| (import.line, import.target.join("::")))
        .collect();
    found.sort();
    let expected = [
        (1, "app::self"),
        (1, "app::x"),
        (3, "config::Config"),
        (3, "config::cli"),
        (4, "flags"),
        (4, "proxy"),
        (6, "error::f"),
        (6, "flags::own"),
        (6, "metrics::f"),
        (9, "flags::other"),
        (10, "flags::store"),
        (12, "admin"),
    ];
    assert_eq!(found, expected.map(|(line, target)| (line, target.to_owned())));
}
