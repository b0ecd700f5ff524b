//! `flagdeck journal verify`: verifies the hash chain and the checkpoints of the operators' journal.

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use super::CommandError;
use crate::cli::{JournalCommand, VerifyArguments};
use crate::config::{Config, default_key};
use crate::journal::key::JournalKey;
use crate::journal::record::{LineKind, StoredLine};
use crate::journal::verify::{Damage, Summary, Verifier};
use crate::terminal;

/// Exit code if the journal cannot be read, or an argument is wrong.
pub(super) const UNREADABLE: u8 = 2;
/// Exit code if only the last line is incomplete.
const INCOMPLETE: u8 = 3;

pub(super) fn run(command: &JournalCommand, config: &Config) -> Result<ExitCode, CommandError> {
    let JournalCommand::Verify(arguments) = command;
    let wanted = arguments.checkpoint.as_deref().map(parse_checkpoint).transpose()?;
    let mut verifier = Verifier::new(find_key(arguments, config), wanted);
    for path in &arguments.files {
        let fail = |cause| CommandError::File { path: path.clone(), cause };
        match verifier.read(BufReader::new(File::open(path).map_err(fail)?)) {
            Ok(()) => {}
            Err(Damage::Read(cause)) => return Err(fail(cause)),
            Err(damage) => return Ok(report(&format!("{}: {damage}", path.display()), &damage)),
        }
    }
    match verifier.finish() {
        Ok(summary) => {
            // Standard output may be closed, which is not an error.
            drop(terminal::print(&describe(&summary, arguments)));
            Ok(ExitCode::SUCCESS)
        }
        Err(damage) => Ok(report(&damage.to_string(), &damage)),
    }
}

/// Returns the public key: the argument, or that of the key file. `None` if neither exists: the key in the first checkpoint then
/// counts.
fn find_key(arguments: &VerifyArguments, config: &Config) -> Option<String> {
    arguments.public_key.clone().or_else(|| {
        let file = match (&config.journal, arguments.files.first()) {
            (Some(journal), _) => journal.key.clone(),
            (None, Some(file)) => default_key(file.clone()),
            (None, None) => return None,
        };
        JournalKey::read(&file).ok().map(|key| key.public())
    })
}

fn parse_checkpoint(text: &str) -> Result<StoredLine, CommandError> {
    StoredLine::parse(text.trim().as_bytes())
        .filter(|stored| stored.line.kind == LineKind::Checkpoint)
        .ok_or(CommandError::Checkpoint)
}

fn report(message: &str, damage: &Damage) -> ExitCode {
    drop(terminal::print(message));
    if let Damage::Incomplete { .. } = damage { ExitCode::from(INCOMPLETE) } else { ExitCode::FAILURE }
}

fn describe(summary: &Summary, arguments: &VerifyArguments) -> String {
    let Some((first, last)) = summary.range else { return "The journal is empty".to_owned() };
    let lines = if first == last {
        format!("Line {first} is intact")
    } else {
        format!("{} lines are intact: numbers {first} to {last}", summary.lines)
    };
    let checkpoints = match summary.checkpoints {
        0 => "without a signed checkpoint".to_owned(),
        1 => "with 1 signed checkpoint".to_owned(),
        count => format!("with {count} signed checkpoints"),
    };
    let mut text = vec![format!("{lines}, {checkpoints}")];
    if !summary.has_start {
        text.push(format!("Lines before number {first} are in other files"));
    }
    if summary.lost > 0 {
        text.push(format!(
            "{} lines are missing, because the disk was full or faulty, or too many requests without a known person were refused",
            summary.lost
        ));
    }
    for number in &summary.removed {
        text.push(format!(
            "Before line number {number}, the program was killed while it wrote a line, which was removed"
        ));
    }
    if arguments.public_key.is_none()
        && summary.checkpoints > 0
        && let Some(key) = &summary.key
    {
        text.push(format!("The checkpoints are signed with the key {key}; compare it with that in the log"));
    }
    if arguments.checkpoint.is_none() {
        text.push(
            "Lines at the end could be missing; --checkpoint with a checkpoint from the log rules that out"
                .to_owned(),
        );
    } else if summary.unsigned_lines > 0 {
        text.push(format!("{} lines follow the last checkpoint", summary.unsigned_lines));
    }
    text.join("\n")
}
