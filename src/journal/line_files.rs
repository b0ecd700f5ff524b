//! Reads the lines of a file from its end, in blocks.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

/// Bytes that one read gets.
const BLOCK: u64 = 64 * 1024;

/// Complete lines of a file, last line first.
#[derive(Debug)]
pub(super) struct ReverseLines<'f> {
    file: &'f File,
    /// Position in the file at which `buffer` starts.
    start: u64,
    /// Bytes that were read and not returned.
    buffer: Vec<u8>,
}

/// A line without its line feed, and the position of its first byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PositionedLine {
    pub(super) position: u64,
    pub(super) text: Vec<u8>,
}

impl<'f> ReverseLines<'f> {
    /// Starts at a position, which must follow a line feed. Call [`Self::skip_incomplete`] at the end of a file.
    pub(super) fn before(file: &'f File, position: u64) -> Self {
        Self { file, start: position, buffer: Vec::new() }
    }

    /// Skips the bytes after the last line feed. Returns their number.
    pub(super) fn skip_incomplete(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            if let Some(end) = self.buffer.iter().rposition(|byte| *byte == b'\n') {
                skipped += u64::try_from(self.buffer.len() - end - 1).unwrap_or_default();
                self.buffer.truncate(end + 1);
                return Ok(skipped);
            }
            skipped += u64::try_from(self.buffer.len()).unwrap_or_default();
            self.buffer.clear();
            if !self.read_block()? {
                return Ok(skipped);
            }
        }
    }

    /// Returns the next line towards the start of the file; `None` at the start.
    pub(super) fn next_line(&mut self) -> io::Result<Option<PositionedLine>> {
        loop {
            // The last byte is the line feed of the line itself.
            let content = self.buffer.len().saturating_sub(1);
            let start =
                self.buffer.get(..content).and_then(|bytes| bytes.iter().rposition(|byte| *byte == b'\n'));
            if let Some(start) = start {
                let mut text = self.buffer.split_off(start + 1);
                text.pop();
                let position = self.start + u64::try_from(self.buffer.len()).unwrap_or_default();
                return Ok(Some(PositionedLine { position, text }));
            }
            if self.read_block()? {
                continue;
            }
            if self.buffer.is_empty() {
                return Ok(None);
            }
            let mut text = std::mem::take(&mut self.buffer);
            text.pop();
            return Ok(Some(PositionedLine { position: 0, text }));
        }
    }

    /// Reads the block before the buffer; false at the start of the file.
    fn read_block(&mut self) -> io::Result<bool> {
        let length = BLOCK.min(self.start);
        if length == 0 {
            return Ok(false);
        }
        let mut block = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.seek(SeekFrom::Start(self.start - length))?;
        self.file.read_exact(&mut block)?;
        block.append(&mut self.buffer);
        self.buffer = block;
        self.start -= length;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::ReverseLines;

    #[test]
    fn reads_lines_from_the_end_with_their_positions() {
        let mut file = tempfile::tempfile().unwrap();
        let long = "x".repeat(200_000);
        let content = format!("first\n\n{long}\nlast\ntorn");
        file.write_all(content.as_bytes()).unwrap();
        let mut lines = ReverseLines::before(&file, content.len().try_into().unwrap());
        assert_eq!(lines.skip_incomplete().unwrap(), 4);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.position, String::from_utf8(line.text).unwrap()));
        }
        let expected = [(200_008, "last"), (7, &long), (6, ""), (0, "first")];
        assert_eq!(found, expected.map(|(position, text)| (position, text.to_owned())));
    }

    #[test]
    fn file_without_a_line_feed_has_no_complete_line() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"torn").unwrap();
        let mut lines = ReverseLines::before(&file, 4);
        assert_eq!(lines.skip_incomplete().unwrap(), 4);
        assert_eq!(lines.next_line().unwrap(), None);
    }
}
