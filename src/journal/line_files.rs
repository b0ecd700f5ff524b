//! Reads the lines of a file from its end, in blocks.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use crate::number::to_u64;

/// Bytes that one read gets.
const BLOCK: u64 = 64 * 1024;
/// A longer line is not a line of a journal: its texts are limited. Bytes.
pub(super) const MAX_LINE: u64 = 256 * 1024;

/// Complete lines of a file, last line first. Needs a bounded amount of memory for any file.
#[derive(Debug)]
pub(super) struct ReverseLines<'f> {
    file: &'f File,
    /// Position in the file at which `buffer` starts.
    start: u64,
    /// Bytes that were read and not returned.
    buffer: Vec<u8>,
    /// True if the end of the line at the end of `buffer` is missing.
    has_cut_line: bool,
    /// Number of bytes that may still be read.
    budget: u64,
}

/// A step towards the start of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A line.
    Line(PositionedLine),
    /// A line that is too long was skipped.
    TooLong,
    /// No more bytes may be read. [`ReverseLines::position`] is the position at which to continue.
    BudgetUsed,
    /// There are no more lines.
    Start,
}

/// A line without its line feed, and the position of its first byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PositionedLine {
    pub(super) position: u64,
    pub(super) text: Vec<u8>,
}

impl PositionedLine {
    /// Returns the position after the line feed.
    pub(super) fn end(&self) -> u64 {
        self.position + to_u64(self.text.len()) + 1
    }
}

impl<'f> ReverseLines<'f> {
    /// Starts at a position. If it is inside a line, that line is left out. At most `budget` bytes are read:
    /// more than [`MAX_LINE`] and a block, so that each search makes progress.
    pub(super) fn before(file: &'f File, position: u64, budget: u64) -> io::Result<Self> {
        let mut last = [b'\n'];
        if let Some(before) = position.checked_sub(1) {
            file.read_exact_at(&mut last, before)?;
        }
        let has_cut_line = last != [b'\n'];
        Ok(Self { file, start: position, buffer: Vec::new(), has_cut_line, budget })
    }

    /// Returns the position before which no line was returned yet.
    pub(super) fn position(&self) -> u64 {
        self.start + to_u64(self.buffer.len())
    }

    /// Returns the number of bytes that may still be read.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    /// Returns the next line towards the start of the file.
    pub(super) fn next_step(&mut self) -> io::Result<Step> {
        let mut is_too_long = false;
        loop {
            // The last byte of a complete line is its line feed.
            let content = self.buffer.len().saturating_sub(usize::from(!self.has_cut_line));
            let feed =
                self.buffer.get(..content).and_then(|bytes| bytes.iter().rposition(|byte| *byte == b'\n'));
            if let Some(feed) = feed {
                let text = self.buffer.split_off(feed + 1);
                if !std::mem::take(&mut self.has_cut_line) {
                    return Ok(Step::Line(self.line(text)));
                }
                if is_too_long {
                    return Ok(Step::TooLong);
                }
                continue;
            }
            if to_u64(self.buffer.len()) > MAX_LINE {
                self.buffer.clear();
                (self.has_cut_line, is_too_long) = (true, true);
            }
            if self.start == 0 {
                let text = std::mem::take(&mut self.buffer);
                let is_line = !std::mem::take(&mut self.has_cut_line) && !text.is_empty();
                return Ok(if is_line { Step::Line(self.line(text)) } else { Step::Start });
            }
            if !self.read_block()? {
                return Ok(Step::BudgetUsed);
            }
        }
    }

    /// Returns the line that follows the buffer in the file.
    fn line(&self, mut text: Vec<u8>) -> PositionedLine {
        text.pop();
        PositionedLine { position: self.position(), text }
    }

    /// Reads the block before the buffer; false if that exceeds the budget.
    fn read_block(&mut self) -> io::Result<bool> {
        let size = BLOCK.min(self.start);
        let Some(budget) = self.budget.checked_sub(size) else { return Ok(false) };
        let mut block = vec![0; usize::try_from(size).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut block, self.start - size)?;
        block.append(&mut self.buffer);
        self.buffer = block;
        self.start -= size;
        self.budget = budget;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;

    use super::{BLOCK, MAX_LINE, ReverseLines, Step};

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file
    }

    /// Returns the lines before a position as text, with `-` for a line that is too long.
    fn lines_before(file: &File, position: u64) -> Vec<(u64, String)> {
        let mut lines = ReverseLines::before(file, position, u64::MAX).unwrap();
        let mut found = Vec::new();
        loop {
            match lines.next_step().unwrap() {
                Step::Line(line) => found.push((line.position, String::from_utf8(line.text).unwrap())),
                Step::TooLong => found.push((lines.position(), "-".to_owned())),
                Step::BudgetUsed => panic!("there is no limit"),
                Step::Start => return found,
            }
        }
    }

    #[test]
    fn reads_lines_from_the_end_with_their_positions() {
        let long = "x".repeat(200_000);
        let content = format!("first\n\n{long}\nlast\ntorn");
        let file = file(content.as_bytes());
        let expected = [(200_008, "last"), (7, &long), (6, ""), (0, "first")]
            .map(|(position, text)| (position, text.to_owned()));
        let end = u64::try_from(content.len()).unwrap();
        assert_eq!(lines_before(&file, end), expected, "after an incomplete line");
        assert_eq!(lines_before(&file, end - 4), expected, "after a line feed");
        assert_eq!(lines_before(&file, 200_000), expected[2..], "inside a line");
        assert_eq!(lines_before(&file, 0), []);
    }

    #[test]
    fn file_without_a_line_feed_has_no_complete_line() {
        assert_eq!(lines_before(&file(b"torn"), 4), []);
        assert_eq!(lines_before(&file(b""), 0), []);
    }

    #[test]
    fn long_lines_are_skipped_in_bounded_memory_and_a_search_continues_where_it_ended() {
        let long = usize::try_from(2 * MAX_LINE + 3 * BLOCK).unwrap();
        let content = [b"first\n".as_slice(), &vec![b'x'; long], b"\nlast\n"].concat();
        let file = file(&content);
        let end = u64::try_from(content.len()).unwrap();
        let found: Vec<_> = lines_before(&file, end).into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, ["last", "-", "first"]);

        let (mut position, mut found) = (end, Vec::new());
        for _request in 0..20 {
            let mut lines = ReverseLines::before(&file, position, MAX_LINE + 2 * BLOCK).unwrap();
            loop {
                assert!(u64::try_from(lines.buffer.len()).unwrap() <= MAX_LINE + BLOCK);
                match lines.next_step().unwrap() {
                    Step::Line(line) => found.push(String::from_utf8(line.text).unwrap()),
                    Step::TooLong => {}
                    Step::BudgetUsed => break,
                    Step::Start => {
                        assert_eq!(found, ["last", "first"]);
                        return;
                    }
                }
            }
            assert!(lines.position() < position, "each search makes progress");
            position = lines.position();
        }
        panic!("the search does not end");
    }
}
