//! `flagdeck check`: whether the program would work with these settings. It prints them, and then what it finds out by
//! asking: the flag service where there is one, else the database. Nothing is changed.

mod answers;
mod database;
mod finding;
mod upstream;

use std::io::{self, Write as _};

use self::finding::{Finding, Verdict};
use super::CommandError;
use crate::config::{Backend, Config};

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let mut said = settings(config);
    let findings = match &config.backend {
        Backend::Upstream(upstream) => upstream::probe(upstream, &config.public).await,
        Backend::Embedded(embedded) => database::inspect(embedded),
    };
    said.extend(findings.iter().map(Finding::to_string));
    // Nobody has to be there to read it.
    drop(writeln!(io::stdout(), "{}", said.join("\n")));
    match findings.iter().filter(|finding| finding.verdict == Verdict::Fault).count() {
        0 => Ok(()),
        faults => Err(CommandError::Check { faults, checks: findings.len() }),
    }
}

/// One a line, and who set it.
fn settings(config: &Config) -> Vec<String> {
    let width = config.written.iter().map(|one| one.name.len()).max().unwrap_or_default();
    config.written.iter().map(|one| format!("{:width$}  {}  ({})", one.name, one.value, one.by)).collect()
}
