//! `flagdeck journal verify`: verifies the hash chain and the checkpoints of the operators' journal.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use serde::de::IgnoredAny;

use super::CommandError;
use crate::cli::{JournalCommand, VerifyArguments};
use crate::config::{Config, key_of};
use crate::journal::key::{JournalKey, find_keys};
use crate::journal::record::{LineKind, StoredLine};
use crate::journal::verify::{Damage, Summary, Verifier};
use crate::terminal;

/// The statement about a journal that is not compared with a checkpoint.
const NO_STORED_CHECKPOINT: &str =
    "Lines at the end could be missing; --checkpoint with a checkpoint from the log rules that out";
/// Exit code if the journal cannot be read, or an argument is wrong.
pub(super) const UNREADABLE: u8 = 2;
/// Exit code if only the last line is incomplete.
const INCOMPLETE: u8 = 3;
/// Exit code if the lines are intact, but the key of the checkpoints could be that of anyone.
const UNTRUSTED: u8 = 4;

pub(super) fn run(command: &JournalCommand, config: &Config) -> Result<ExitCode, CommandError> {
    let JournalCommand::Verify(arguments) = command;
    let wanted = arguments.checkpoint.as_deref().map(parse_checkpoint).transpose()?;
    let key = find_key(arguments, config, wanted.as_ref())?;
    let is_trusted = key.is_some();
    let mut verifier = Verifier::new(key, wanted);
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
            drop(terminal::print(&describe(&summary, arguments, is_trusted)));
            let is_intact = is_trusted || summary.checkpoints == 0;
            Ok(if is_intact { ExitCode::SUCCESS } else { ExitCode::from(UNTRUSTED) })
        }
        Err(damage) => Ok(report(&damage.to_string(), &damage)),
    }
}

/// Returns the public key: the argument, or that of a key file beside the journal, of the journal in the settings, or of the
/// checkpoint that was stored elsewhere. `None` if there is none: all checkpoints then need the key of the first one.
///
/// # Errors
/// If a key file with the name of the journal cannot be read.
fn find_key(
    arguments: &VerifyArguments,
    config: &Config,
    wanted: Option<&StoredLine>,
) -> Result<Option<String>, CommandError> {
    if let Some(key) = &arguments.public_key {
        return Ok(Some(key.clone()));
    }
    let read = |path: &Path| {
        let key = JournalKey::read(path).map(|key| key.public());
        key.map_err(|cause| CommandError::JournalKey { path: path.to_owned(), cause })
    };
    let own = arguments.files.iter().map(|file| key_of(file));
    let of_rotated_files = arguments.files.iter().flat_map(|file| find_keys(file));
    let of_settings = config.journal.iter().map(|journal| journal.key.clone());
    for path in own.chain(of_rotated_files).chain(of_settings) {
        match read(&path) {
            Err(CommandError::JournalKey { cause, .. }) if cause.kind() == ErrorKind::NotFound => {}
            result => return result.map(Some),
        }
    }
    Ok(wanted.and_then(|line| line.line.key.clone()))
}

/// Reads a checkpoint: its line, as it is in the file, or a line of the log that contains it.
fn parse_checkpoint(text: &str) -> Result<StoredLine, CommandError> {
    find_quoted(text)
        .or_else(|| find_object(text).map(str::to_owned))
        .and_then(|line| StoredLine::parse(line.as_bytes()))
        .filter(|stored| stored.line.kind == LineKind::Checkpoint)
        .ok_or(CommandError::Checkpoint)
}

/// Returns the line in a text that contains it as a string of JSON, such as a log in JSON.
fn find_quoted(text: &str) -> Option<String> {
    let start = text.find(r#"{\"sequence\""#)?;
    // The quotes may have been left out.
    let quoted = format!("\"{}\"", text.get(start..)?);
    serde_json::Deserializer::from_str(&quoted).into_iter::<String>().next()?.ok()
}

/// Returns the line in a text that contains it as it is.
fn find_object(text: &str) -> Option<&str> {
    let text = text.get(text.find(r#"{"sequence""#)?..)?;
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    objects.next()?.ok()?;
    text.get(..objects.byte_offset())
}

fn report(message: &str, damage: &Damage) -> ExitCode {
    drop(terminal::print(message));
    if let Damage::Incomplete { .. } = damage { ExitCode::from(INCOMPLETE) } else { ExitCode::FAILURE }
}

fn describe(summary: &Summary, arguments: &VerifyArguments, is_trusted: bool) -> String {
    let Some((first, last)) = summary.range else {
        return format!("The journal is empty, although each start writes a line\n{NO_STORED_CHECKPOINT}");
    };
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
            "Before line number {number}, an incomplete line was removed: the program was killed while it wrote the line, or the end of the file was cut off"
        ));
    }
    if arguments.public_key.is_none()
        && summary.checkpoints > 0
        && let Some(key) = &summary.key
    {
        text.push(if is_trusted {
            format!("The checkpoints are signed with the key {key}; compare it with that in the log")
        } else {
            format!(
                "The signatures were not checked against a trusted key, because there is no key file beside the journal: anyone could have signed them with the key {key}. Set --public-key to the key in the log"
            )
        });
    }
    if summary.unsigned_lines > 0 {
        let first = last + 1 - summary.unsigned_lines;
        let lines = if first == last { format!("line {last}") } else { format!("lines {first} to {last}") };
        text.push(format!("No checkpoint protects {lines}: anyone who can write the file can replace them"));
    }
    if arguments.checkpoint.is_none() {
        text.push(NO_STORED_CHECKPOINT.to_owned());
    }
    text.join("\n")
}
