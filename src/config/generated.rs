//! Generates the tables of `examples/settings.md` from the declarations, or checks that they are up to date.

use std::fs;
use std::path::Path;

use super::{Declaration, headings};
use crate::generated_file;

const FILE: &str = "examples/settings.md";
/// Separates the text, which is written by hand, from the tables.
const MARKER: &str = "<!-- The rest is generated from src/config. After a change there: make types -->\n";

/// Escapes the characters that Markdown would interpret in a table.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|c| ['*', '<', '_', '|'].contains(&c).then_some('\\').into_iter().chain([c]))
        .collect()
}

fn row(setting: &dyn Declaration) -> String {
    let default = if setting.form().has_default() {
        format!("`{}`", setting.default())
    } else {
        plain(setting.default())
    };
    let help = setting.help();
    let (description, _) = help.rsplit_once(" [default: ").unwrap();
    format!(
        "| `{}` | `{}` | {default} | {} |\n",
        setting.name(),
        setting.placeholder().replace('|', " or "),
        plain(description)
    )
}

fn table((heading, settings): (&str, Vec<&dyn Declaration>)) -> String {
    let rows: String = settings.into_iter().map(row).collect();
    format!("\n## {heading}\n\n| setting | value | default | description |\n|---|---|---|---|\n{rows}")
}

#[test]
fn settings_page_is_generated() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).unwrap();
    let (text, _) = page.split_once(MARKER).unwrap();
    let tables: String = headings().map(table).collect();
    generated_file::check_or_update(FILE, &format!("{text}{MARKER}{tables}"));
}
