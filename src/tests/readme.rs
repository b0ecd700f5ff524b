//! Checks that the tests and files that the README files name exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// README files whose tables name files, and the folder that the names of each table are relative to.
const TABLES: [(&str, &str, &str); 5] = [
    ("src/README.md", "## Where do I change", "src"),
    ("src/README.md", "## Conventions", "src"),
    ("src/README.md", "### A new endpoint", "src"),
    ("frontend/README.md", "## Where do I change", "frontend"),
    ("frontend/README.md", "## Conventions", "frontend/src"),
];

/// Returns the rows of the first table of a text, without its head.
fn table_rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_start_matches('|').trim_end_matches('|').split(" | ").map(str::trim).collect())
}

/// Returns the texts in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Returns the rule of each row of the guarantees, and the tests that it names, each with its file.
fn guarantees() -> Vec<(String, Vec<(String, String)>)> {
    let mut rule = String::new();
    table_rows(include_str!("../proxy/README.md"))
        .map(|cells| {
            if !cells[0].is_empty() {
                cells[0].clone_into(&mut rule);
            }
            let mut file = String::new();
            let tests = quoted(cells.last().unwrap()).map(|test| {
                let (path, name) = test.split_once(": ").unwrap_or((&file, test));
                file = path.to_owned();
                (file.clone(), name.to_owned())
            });
            (rule.clone(), tests.collect())
        })
        .collect()
}

#[test]
fn tests_of_all_guarantees_exist() {
    let mut rules = BTreeSet::new();
    for (rule, tests) in guarantees() {
        assert!(!tests.is_empty(), "a guarantee of rule {rule} has no test");
        for (file, test) in tests {
            let function = format!("fn {test}(");
            let exists = [format!("src/tests/{file}"), format!("src/{file}")]
                .iter()
                .any(|path| fs::read_to_string(path).is_ok_and(|code| code.contains(&function)));
            assert!(exists, "rule {rule}: {test} in {file}");
        }
        rules.insert(rule);
    }
    for rule in 1..=17 {
        assert!(rules.contains(&rule.to_string()), "rule {rule}");
    }
}

#[test]
fn files_in_tables_exist() {
    for (readme, heading, root) in TABLES {
        let text = fs::read_to_string(readme).unwrap();
        let (_, section) = text.split_once(heading).unwrap();
        let mut count = 0;
        for cells in table_rows(section) {
            let mut folder = Path::new(root).to_owned();
            for name in quoted(cells[1]).filter(|name| name.contains(['.', '/']) && !name.contains(' ')) {
                // A name without a folder is beside the file before it.
                let path = if name.contains('/') { Path::new(root).join(name) } else { folder.join(name) };
                assert!(path.exists() || Path::new(root).join(name).exists(), "{readme}: {name}");
                path.parent().unwrap().clone_into(&mut folder);
                count += 1;
            }
        }
        assert!(count > 5, "{readme}: {heading}");
    }
}
