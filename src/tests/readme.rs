//! Checks that the tests, files, links and commands that the documents name exist.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use flagdeck::cli::{Arguments, EdgeCommand};

/// README files whose tables name files, and the folder that the names of each table are relative to.
const TABLES: [(&str, &str, &str); 5] = [
    ("src/README.md", "## Where do I change", "src"),
    ("src/README.md", "## Conventions", "src"),
    ("src/README.md", "### A new endpoint", "src"),
    ("frontend/README.md", "## Where do I change", "frontend"),
    ("frontend/README.md", "## Conventions", "frontend/src"),
];

/// Returns the rows of the first table of a text, without its head.
pub(crate) fn table_rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_start_matches('|').trim_end_matches('|').split(" | ").map(str::trim).collect())
}

/// Returns the texts in backticks.
pub(crate) fn quoted(cell: &str) -> impl Iterator<Item = &str> {
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

/// Returns the Markdown files of the project.
fn documents() -> Vec<PathBuf> {
    let examples = fs::read_dir("examples").unwrap().map(|entry| entry.unwrap().path());
    let examples = examples.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let others = [
        "README.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "src/README.md",
        "src/proxy/README.md",
        "src/benches/README.md",
        "frontend/README.md",
    ];
    others.map(PathBuf::from).into_iter().chain(examples).collect()
}

/// Returns the anchor of a heading: lower case, without punctuation, with `-` for spaces.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let letters = text.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    letters.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the lines of a document outside of code blocks, or those inside of blocks of a language.
fn lines_of(text: &str, language: Option<&str>) -> Vec<String> {
    let mut block = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(name) => block = block.is_none().then_some(name),
            None if block == language => lines.push(line.trim_start().to_owned()),
            None => {}
        }
    }
    lines
}

#[test]
fn links_between_documents_have_a_target() {
    let mut count = 0;
    for document in documents() {
        let text = lines_of(&fs::read_to_string(&document).unwrap(), None).join("\n");
        let images = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.chain(images).filter(|link| !link.contains("://")) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}", document.display());
            if !heading.is_empty() {
                let target = lines_of(&fs::read_to_string(&target).unwrap(), None);
                let mut headings = target.iter().filter(|line| line.starts_with('#'));
                assert!(headings.any(|line| anchor(line) == heading), "{}: {link}", document.display());
            }
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// Returns the words of a shell command. A comment, a redirection or another command ends it.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let words = command.split_whitespace().map(|word| word.trim_matches(['\'', '"']));
    let is_end = |word: &str| word.starts_with(['#', '>', '&', '|']) || word.starts_with("2>");
    words.take_while(move |word| !is_end(word))
}

#[test]
fn shown_commands_are_valid() {
    let makefile = include_str!("../../Makefile");
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap().replace("\\\n", " ");
        for line in lines_of(&text, Some("sh")) {
            if line.starts_with("flagdeck ") {
                let words: Vec<_> = words(&line).map(OsString::from).collect();
                let fault = match EdgeCommand::parse(&words) {
                    Ok(None) => Arguments::command().try_get_matches_from(words).err(),
                    parsed => parsed.err(),
                };
                assert!(fault.is_none(), "{}: {line}\n{fault:?}", document.display());
                count += 1;
            }
            for call in line.split("make ").skip(1) {
                let target = call.split([' ', ')', '|']).next().unwrap();
                assert!(makefile.contains(&format!("\n{target}:")), "{}: {line}", document.display());
            }
        }
    }
    assert!(count > 20, "{count}");
}
