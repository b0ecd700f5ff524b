//! `flagdeck state` and `flagdeck changes`: read the records in the database, also while no server runs.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{CommandError, hold};
use crate::api::past::HeldChanges;
use crate::cli::{ChangesArguments, ScopeArguments, StateArguments};
use crate::config::{Config, DataLocation};
use crate::database::KeptDatabase;
use crate::hold::words::describe_past;
use crate::recorder::reader::{Gap, Interval, PastTime, ReadError, Reader, Selection};
use crate::recorder::{GapReason, Scope};
use crate::terminal::{self, Escaped};

/// Reads records, also while a server writes them.
pub(super) fn read<T>(
    config: &Config,
    find: impl FnOnce(Reader<'_>) -> Result<T, ReadError>,
) -> Result<T, CommandError> {
    let data = match config.backend.data() {
        None | Some(DataLocation::Memory) => return Err(CommandError::NoRecords),
        Some(data) => data,
    };
    let database = KeptDatabase::open_read_only(data)?;
    let found = database.read(|tx| Ok(find(Reader::new(tx, None))));
    Ok(found.map_err(ReadError::from).flatten()?)
}

/// Prints the state at a time, in the format of an export.
pub(super) fn print_state(arguments: &StateArguments, config: &Config) -> Result<(), CommandError> {
    let selection = selection(&arguments.scope);
    let state = read(config, |reader| reader.state_at(Some(arguments.at), &selection))?;
    let json = serde_json::to_string_pretty(&state).map_err(|cause| CommandError::Failed(cause.into()))?;
    warn(&state.recording);
    writeln!(io::stdout(), "{json}").map_err(CommandError::Output)
}

/// Prints the changes between two times.
pub(super) async fn print_changes(arguments: &ChangesArguments, config: &Config) -> Result<(), CommandError> {
    let to = arguments.to.unwrap_or_else(Timestamp::now);
    let selection = selection(&arguments.scope);
    let changes = read(config, |reader| reader.changes(arguments.from, to, &selection))?;
    let list = hold::find_list(config).await;
    let changes = HeldChanges::new(changes, list.as_ref(), (arguments.from, to));
    let printed = if arguments.json {
        let json =
            serde_json::to_string_pretty(&changes).map_err(|cause| CommandError::Failed(cause.into()))?;
        writeln!(io::stdout(), "{json}")
    } else {
        terminal::print(&describe_changes(&changes, &TimeZone::system()))
    };
    printed.map_err(CommandError::Output)
}

pub(super) fn selection(arguments: &ScopeArguments) -> Selection {
    Selection { scope: arguments.scope.clone(), environment: arguments.environment.clone() }
}

/// Warns on standard error if the state at a time is not certain.
fn warn(time: &PastTime) {
    if let Some(gap) = &time.gap {
        // Standard error may be closed, which is not an error.
        drop(writeln!(io::stderr(), "flagdeck: {}", describe_gap(gap, &TimeZone::system())));
    }
}

/// Describes the time and the origin of a state.
pub(super) fn describe_time(time: &PastTime) -> String {
    let zone = TimeZone::system();
    let mut text = format!(
        "As of {}, toggles of {}. {}.",
        local(&time.at, &zone),
        describe_scope(&time.scope, &time.other_scopes),
        describe_change(&time.since, &zone),
    );
    if let Some(gap) = &time.gap {
        text.push(' ');
        text.push_str(&describe_gap(gap, &zone));
    }
    text
}

fn describe_change(since: &Interval, zone: &TimeZone) -> String {
    let by = local(&since.by, zone);
    match &since.after {
        Some(after) => format!("The last change before came between {} and {by}", local(after, zone)),
        None => format!("The last change before came until {by}"),
    }
}

fn describe_scope(scope: &Scope, others: &[Scope]) -> String {
    let others = match others.len() {
        0 => String::new(),
        count => format!(", and {count} other tokens can be selected with --scope"),
    };
    let query = if scope.query.is_empty() { String::new() } else { format!("?{}", scope.query) };
    format!("{}{query} (scope {}{others})", scope.name, scope.id)
}

fn describe_gap(gap: &Gap, zone: &TimeZone) -> String {
    let from = local(&gap.from, zone);
    let time = match &gap.to {
        Some(to) => format!("between {from} and {}", local(to, zone)),
        None => format!("after {from}"),
    };
    let reason = match gap.reason {
        GapReason::NotRunning => "Flagdeck did not run",
        GapReason::NotWritten => "the recorder could not write",
        GapReason::ClockSet => "the clock was set",
        GapReason::HandedOver => "another instance, or this one after a restart, took over the recording",
        GapReason::TooLarge => "the records were removed, because all of them were too large",
        GapReason::NotConfirmed => "there is no later record",
        GapReason::Refused => "the flag service refused the token",
        GapReason::NotRequested => "no SDK had requested these toggles",
    };
    format!("Nothing is recorded {time}: {reason}.")
}

fn describe_changes(HeldChanges { changes, holds }: &HeldChanges, zone: &TimeZone) -> String {
    let scope = describe_scope(&changes.scope, &changes.other_scopes);
    let mut lines =
        vec![format!("{} to {}, toggles of {scope}:", local(&changes.from, zone), local(&changes.to, zone))];
    if changes.changes.is_empty() {
        lines.push("No toggle changed.".to_owned());
    }
    for change in &changes.changes {
        let mut line = format!("{}  {}: {}", local(&change.last.by, zone), change.name, change.summary);
        if change.kind == "segment" {
            line = format!("{}  segment {}: {}", local(&change.last.by, zone), change.name, change.summary);
        }
        if change.count > 1 {
            // Writing to a text cannot fail.
            write!(line, " ({} changes, the first at {})", change.count, local(&change.first.by, zone)).ok();
        }
        if let Some(after) = &change.last.after {
            write!(line, "; not before {}", local(after, zone)).ok();
        }
        lines.push(line);
    }
    lines.extend(holds.iter().map(|hold| format!("{}.", describe_past(hold, "was"))));
    if changes.is_truncated {
        lines.push("More toggles changed than this list contains; ask for a shorter time.".to_owned());
    }
    if changes.missed > 0 {
        lines.push(format!("{} further changes were not recorded.", changes.missed));
    }
    lines.extend(changes.gaps.iter().map(|gap| describe_gap(gap, zone)));
    // Texts of the server must not add lines.
    lines.iter().map(|line| Escaped::line(line).to_string()).collect::<Vec<_>>().join("\n")
}

/// Returns a time of a record as local time.
fn local(time: &str, zone: &TimeZone) -> String {
    time.parse::<Timestamp>().map_or_else(
        |_cause| time.to_owned(),
        |time| time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S%.3f%:z").to_string(),
    )
}
