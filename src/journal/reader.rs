//! Reads pages of the journal for the console, newest line first. A page continues in older files (`rotated_files`).
//!
//! # What can happen between two pages
//!
//! - Lines are appended: positions in the file stay valid.
//! - The file is rotated: a position names its file by a hash of the first line, so that the renamed file is found.
//! - The file is removed, or its first line is changed: the request gets [`ReadError::Replaced`].
//! - Between the renaming of the file and the signal, the current file does not exist: also [`ReadError::Replaced`].

use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::line_files::{ReverseLines, Step};
use super::record::{JournalLine, LineKind, StoredLine};
use super::rotated_files::{LinesFile, RotatedFiles};

/// Maximum number of lines of a page.
const MAX_LINES: usize = 200;
/// Number of lines of a page, unless the request states one.
const DEFAULT_LINES: usize = 50;
/// Bytes of lines that one request reads, also of damaged ones. A page can therefore have fewer lines than requested, also none.
const MAX_READ: u64 = 8 << 20;
/// Tolerance of the bounds of the time, because clocks are corrected.
const CLOCK_TOLERANCE: Duration = Duration::from_hours(1);
/// Number of successive lines before the first time of a query after which older lines are not read. The clock may have been wrong
/// for a while, for example after a start of the machine.
const MAX_OLD_LINES: usize = 1_000;

/// The query of a page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JournalQuery {
    /// Continues a page: its `next`.
    pub before: Option<String>,
    /// Maximum number of lines.
    pub limit: Option<usize>,
    /// Which lines to read.
    pub source: LineSource,
    /// Part of the name or identifier of the person.
    pub person: Option<String>,
    /// Part of the name of the item.
    pub item: Option<String>,
    /// Result of the request.
    pub result: Option<LineResult>,
    /// First time.
    pub from: Option<Timestamp>,
    /// Last time.
    pub to: Option<Timestamp>,
}

/// The file whose lines are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LineSource {
    /// The file of the server.
    #[default]
    Requests,
    /// The file of commands of `flagdeck`, such as `flagdeck user add`.
    Commands,
}

/// The result of a request, for filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LineResult {
    /// The change was made.
    Accepted,
    /// The request was refused.
    Refused,
    /// The request failed, or its result is unknown.
    Failed,
}

/// A page of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalPage {
    /// Lines that match the query, newest first. Checkpoints, and kinds of newer versions, are left out.
    pub lines: Vec<JournalLine>,
    /// The value of `before` for older lines; null if there are none to read.
    pub next: Option<String>,
    /// The reason why there are no older lines to read; null if there are some.
    pub end: Option<JournalEnd>,
    /// Time of the oldest line that was searched; null if there was none.
    pub searched_until: Option<String>,
}

/// The reason why a journal ends at a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum JournalEnd {
    /// The journal starts there.
    Start,
    /// Older lines are in files that are not beside the journal, or are compressed or damaged.
    Missing,
    /// All older lines are before the first time of the query.
    Period,
}

/// The reasons why a page cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The file of the position, or the current file, does not exist.
    #[error("a file of the journal was replaced")]
    Replaced,
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl JournalQuery {
    fn matches(&self, line: &JournalLine) -> bool {
        let contains = |text: Option<&str>, part: &str| {
            text.is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
        };
        let person = |part: &String| {
            let person = line.person.as_ref();
            contains(person.and_then(|person| person.sub.as_deref()), part)
                || contains(person.and_then(|person| person.name.as_deref()), part)
        };
        let item = |part: &String| contains(line.item.as_ref().map(|item| item.name.as_str()), part);
        let time = || time_of(line);
        !matches!(line.kind, LineKind::Checkpoint | LineKind::Other)
            && self.person.as_ref().is_none_or(person)
            && self.item.as_ref().is_none_or(item)
            && self.result.is_none_or(|result| LineResult::from_line(line) == Some(result))
            && self.from.is_none_or(|from| time().is_some_and(|time| time >= from))
            && self.to.is_none_or(|to| time().is_some_and(|time| time <= to))
    }

    /// Returns true if a line is too old, and lines before it are so too unless the clock was wrong.
    fn ends_before(&self, line: &JournalLine) -> bool {
        self.from.is_some_and(|from| time_of(line).is_some_and(|time| time + tolerance() < from))
    }

    /// Returns true if a line is too new, and lines after it are so too unless the clock was wrong.
    fn starts_after(&self, line: &JournalLine) -> bool {
        self.to.is_some_and(|to| time_of(line).is_some_and(|time| time - tolerance() > to))
    }

    /// Returns true if all lines of a file are too new. If its first line is later than its last one, the clock was set back between
    /// them, and says nothing about the others.
    fn skips(&self, file: &LinesFile) -> io::Result<bool> {
        let Some(first) = file.first.as_ref().filter(|first| self.starts_after(&first.line)) else {
            return Ok(false);
        };
        let last = file.read_last()?;
        Ok(last
            .is_some_and(|last| self.starts_after(&last.line) && time_of(&first.line) <= time_of(&last.line)))
    }
}

fn time_of(line: &JournalLine) -> Option<Timestamp> {
    line.time.parse().ok()
}

fn tolerance() -> SignedDuration {
    SignedDuration::try_from(CLOCK_TOLERANCE).unwrap_or_default()
}

impl LineResult {
    fn from_line(line: &JournalLine) -> Option<Self> {
        Some(match line.status? {
            ..400 => Self::Accepted,
            // The client has disconnected.
            499 | 500.. => Self::Failed,
            _ => Self::Refused,
        })
    }
}

/// Reads a page of a journal. Reads a bounded part of its files.
pub(crate) fn read_page(journal: &Path, query: &JournalQuery) -> Result<JournalPage, ReadError> {
    let (mut file, mut position) = match &query.before {
        Some(cursor) => find_cursor(journal, cursor)?,
        None => match LinesFile::open(journal) {
            Err(error) if error.kind() == ErrorKind::NotFound && query.source == LineSource::Commands => {
                return Ok(JournalPage::new(Some(JournalEnd::Start)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(ReadError::Replaced),
            opened => {
                let opened = opened?;
                let end = opened.length;
                (opened, end)
            }
        },
    };
    let mut page = JournalPage::new(None);
    let mut budget = MAX_READ;
    // Only needed at the start of a file.
    let mut rotated = None;
    let mut old_lines = 0;
    loop {
        if !query.skips(&file)? {
            match page.read(&file, position, budget, &mut old_lines, query)? {
                Stop::Full(next) => {
                    page.next = Some(next);
                    return Ok(page);
                }
                Stop::Period => {
                    page.end = Some(JournalEnd::Period);
                    return Ok(page);
                }
                Stop::Start(left) => budget = left,
            }
        }
        let rotated = match &mut rotated {
            Some(rotated) => rotated,
            none => none.insert(RotatedFiles::list(journal)?),
        };
        let Some(older) = rotated.find_older(&file)? else {
            page.end = Some(match file.starts_chain() {
                _ if old_lines > 0 => JournalEnd::Period,
                true => JournalEnd::Start,
                false => JournalEnd::Missing,
            });
            return Ok(page);
        };
        position = older.length;
        file = older;
        if page.lines.len() >= query.max_lines() {
            page.next = Some(cursor(&file, position));
            return Ok(page);
        }
    }
}

/// The reason why the reading of a file ended.
enum Stop {
    /// The page is full, or the budget is used. Contains the cursor for the next page.
    Full(String),
    /// All older lines are too old.
    Period,
    /// The start of the file was reached. Contains the rest of the budget.
    Start(u64),
}

impl JournalQuery {
    fn max_lines(&self) -> usize {
        self.limit.unwrap_or(DEFAULT_LINES).clamp(1, MAX_LINES)
    }
}

impl JournalPage {
    fn new(end: Option<JournalEnd>) -> Self {
        Self { lines: Vec::new(), next: None, end, searched_until: None }
    }

    /// Adds the lines of a file before a position. Continues the count of successive lines that are too old.
    fn read(
        &mut self,
        file: &LinesFile,
        position: u64,
        budget: u64,
        old_lines: &mut usize,
        query: &JournalQuery,
    ) -> io::Result<Stop> {
        let mut lines = ReverseLines::before(&file.file, position, budget)?;
        loop {
            let found = match lines.next_step()? {
                Step::Line(found) => found,
                Step::TooLong => continue,
                Step::BudgetUsed => return Ok(Stop::Full(cursor(file, lines.position()))),
                Step::Start => return Ok(Stop::Start(lines.budget())),
            };
            // A damaged line is for `flagdeck journal verify`.
            let Some(StoredLine { line, .. }) = StoredLine::parse(&found.text) else { continue };
            self.searched_until = Some(line.time.clone());
            *old_lines = if query.ends_before(&line) { *old_lines + 1 } else { 0 };
            if *old_lines >= MAX_OLD_LINES {
                return Ok(Stop::Period);
            }
            if query.matches(&line) {
                self.lines.push(line);
            }
            if found.position > 0 && self.lines.len() >= query.max_lines() {
                return Ok(Stop::Full(cursor(file, found.position)));
            }
        }
    }
}

/// Returns the value of `before` for the lines before a position.
fn cursor(file: &LinesFile, position: u64) -> String {
    format!("{}.{position}", file.id)
}

/// Returns the file and the position of a cursor. The file may have been renamed.
fn find_cursor(journal: &Path, cursor: &str) -> Result<(LinesFile, u64), ReadError> {
    let parsed = cursor.split_once('.').and_then(|(id, position)| Some((id, position.parse::<u64>().ok()?)));
    let (id, position) = parsed.ok_or(ReadError::Replaced)?;
    if let Ok(current) = LinesFile::open(journal)
        && current.id == id
        && current.length >= position
    {
        return Ok((current, position));
    }
    let file = RotatedFiles::list(journal)?.find(id, position).ok_or(ReadError::Replaced)?;
    Ok((file, position))
}
