//! Reads pages of the journal for the console, newest line first.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::line_files::ReverseLines;
use super::record::{JournalLine, LineKind, StoredLine};

/// Maximum number of lines of a page.
const MAX_LINES: usize = 200;
/// Number of lines of a page, unless the request states one.
const DEFAULT_LINES: usize = 50;
/// Bytes of the file that one request reads. A page can therefore have fewer lines than requested, also none.
const MAX_READ: u64 = 8 << 20;
/// Tolerance of the lower bound of the time, because clocks can be set back.
const CLOCK_TOLERANCE: Duration = Duration::from_hours(1);

/// The query of a page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JournalQuery {
    /// Continues a page: its `next`.
    pub before: Option<String>,
    /// Maximum number of lines.
    pub limit: Option<usize>,
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
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct JournalPage {
    /// Lines that match the query, newest first. Checkpoints are left out.
    pub lines: Vec<JournalLine>,
    /// The value of `before` for older lines; null at the start of the file.
    pub next: Option<String>,
    /// Time of the oldest line that was searched; null if there was none.
    pub searched_until: Option<String>,
}

/// The reasons why a page cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The position is not a line of this file: it was replaced by a new one.
    #[error("the file of the journal was replaced")]
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
        let time = || line.time.parse::<Timestamp>().ok();
        line.kind != LineKind::Checkpoint
            && self.person.as_ref().is_none_or(person)
            && self.item.as_ref().is_none_or(item)
            && self.result.is_none_or(|result| LineResult::from_line(line) == Some(result))
            && self.from.is_none_or(|from| time().is_some_and(|time| time >= from))
            && self.to.is_none_or(|to| time().is_some_and(|time| time <= to))
    }

    /// Returns true if all lines before this one are too old.
    fn ends_before(&self, line: &JournalLine) -> bool {
        let tolerance = SignedDuration::try_from(CLOCK_TOLERANCE).unwrap_or_default();
        self.from.is_some_and(|from| line.time.parse::<Timestamp>().is_ok_and(|time| time + tolerance < from))
    }
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

/// Reads a page. Reads a bounded part of the file.
pub(crate) fn read_page(path: &Path, query: &JournalQuery) -> Result<JournalPage, ReadError> {
    let file = File::open(path)?;
    let end = match &query.before {
        None => file.metadata()?.len(),
        Some(cursor) => find_cursor(&file, cursor)?,
    };
    let mut lines = ReverseLines::before(&file, end);
    if query.before.is_none() {
        // The writer may be appending a line.
        lines.skip_incomplete()?;
    }
    let limit = query.limit.unwrap_or(DEFAULT_LINES).clamp(1, MAX_LINES);
    let mut page = JournalPage { lines: Vec::new(), next: None, searched_until: None };
    while let Some(found) = lines.next_line()? {
        // A damaged line is for `flagdeck journal verify`.
        let Some(StoredLine { line, .. }) = StoredLine::parse(&found.text) else { continue };
        page.searched_until = Some(line.time.clone());
        let cursor = format!("{}.{}", found.position, line.sequence);
        if query.ends_before(&line) {
            return Ok(page);
        }
        if query.matches(&line) {
            page.lines.push(line);
        }
        if found.position > 0 && (page.lines.len() >= limit || end - found.position >= MAX_READ) {
            page.next = Some(cursor);
            return Ok(page);
        }
    }
    Ok(page)
}

/// Returns the position of a line whose position and number a page has returned.
fn find_cursor(file: &File, cursor: &str) -> Result<u64, ReadError> {
    let parsed = cursor.split_once('.').and_then(|(position, sequence)| {
        Some((position.parse::<u64>().ok()?, sequence.parse::<u64>().ok()?))
    });
    let (position, sequence) = parsed.ok_or(ReadError::Replaced)?;
    let line = read_line_at(file, position)?;
    let is_same = StoredLine::parse(&line).is_some_and(|stored| stored.line.sequence == sequence);
    if is_same { Ok(position) } else { Err(ReadError::Replaced) }
}

fn read_line_at(mut file: &File, position: u64) -> io::Result<Vec<u8>> {
    use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
    let mut line = Vec::new();
    file.seek(SeekFrom::Start(position))?;
    BufReader::new(file.take(MAX_READ)).read_until(b'\n', &mut line)?;
    line.pop();
    Ok(line)
}
