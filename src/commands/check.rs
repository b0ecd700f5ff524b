//! `flagdeck check`: whether the program would work with these settings. It prints them, and then what it finds out: whether
//! the ports can be taken, and what the flag service answers where there is one, else how the database is. Nothing is
//! changed.

mod answers;
mod certificate;
mod database;
mod finding;
mod listen;
mod upstream;

use std::io::{self, Write as _};

use self::finding::{Finding, Verdict};
use super::CommandError;
use crate::config::{Backend, Config};

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let mut said = settings(config);
    let mut findings = listen::inspect(config);
    findings.extend(match &config.backend {
        Backend::Upstream(upstream) => upstream::probe(upstream, &config.public).await,
        Backend::Embedded(embedded) => database::inspect(embedded),
    });
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
