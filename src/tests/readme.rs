//! Checks that the tests named in the README's table of proxy guarantees exist.

use std::collections::BTreeSet;
use std::fs;

/// Returns the rows of the table: the number of the rule, and its tests as pairs of file and name.
fn rows() -> Vec<(String, Vec<(String, String)>)> {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("## What the proxy promises").unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let table = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| | promise"));
    let mut rule = String::new();
    table
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            if !cells[0].is_empty() {
                cells[0].clone_into(&mut rule);
            }
            let mut file = String::new();
            let tests = cells.last().unwrap().split('`').skip(1).step_by(2).map(|named| {
                let (path, test) = named.split_once(": ").unwrap_or((&file, named));
                file = path.to_owned();
                (file.clone(), test.to_owned())
            });
            (rule.clone(), tests.collect())
        })
        .collect()
}

#[test]
fn tests_named_in_the_readme_exist() {
    let mut rules = BTreeSet::new();
    for (rule, tests) in rows() {
        assert!(!tests.is_empty(), "a guarantee of rule {rule} has no test");
        for (file, test) in tests {
            let start = format!("fn {}", test.trim_end_matches('…'));
            let code = [format!("src/tests/{file}"), format!("src/{file}")]
                .map(|path| fs::read_to_string(path).unwrap_or_default());
            let found = code.iter().flat_map(|code| code.lines()).any(|line| {
                line.split("fn ").nth(1).is_some_and(|rest| {
                    let name = rest.split('(').next().unwrap();
                    if test.ends_with('…') {
                        name.starts_with(test.trim_end_matches('…'))
                    } else {
                        name == test
                    }
                })
            });
            assert!(found, "rule {rule}: {start} in {file}");
        }
        rules.insert(rule);
    }
    for rule in 1..=17 {
        assert!(rules.contains(&rule.to_string()), "rule {rule}");
    }
}
