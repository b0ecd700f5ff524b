//! Output for terminals: texts of servers and files must not control the terminal.

use std::fmt::{self, Write};
use std::io;

/// A text whose control characters are visible escapes such as `\u{1b}`. Other characters do not change.
pub struct Escaped<'t> {
    text: &'t str,
    keeps_lines: bool,
}

impl<'t> Escaped<'t> {
    /// Escapes a text of several lines. Line feeds are kept.
    #[must_use]
    pub fn lines(text: &'t str) -> Self {
        Self { text, keeps_lines: true }
    }

    /// Escapes a text that is part of one line. Line feeds are escaped, so that it cannot add lines.
    #[must_use]
    pub fn line(text: &'t str) -> Self {
        Self { text, keeps_lines: false }
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_escaped = |letter: char| is_control(letter) && !(self.keeps_lines && letter == '\n');
        let mut rest = self.text;
        while let Some((start, control)) = rest.char_indices().find(|(_, letter)| is_escaped(*letter)) {
            let (plain, tail) = rest.split_at_checked(start).unwrap_or((rest, ""));
            write!(formatter, "{plain}{}", control.escape_unicode())?;
            rest = tail.strip_prefix(control).unwrap_or_default();
        }
        formatter.write_str(rest)
    }
}

/// Writes escaped texts to another writer.
pub(crate) struct EscapedWriter<W>(pub(crate) W);

impl<W: Write> Write for EscapedWriter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write!(self.0, "{}", Escaped::line(text))
    }
}

/// Returns true for C0, DEL and C1, for line and paragraph separators, and for characters that change the direction of
/// the text.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

/// Prints a text and a line feed on standard output.
///
/// # Errors
/// If standard output cannot be written, for example because it is closed.
pub fn print(text: &str) -> io::Result<()> {
    io::Write::write_fmt(&mut io::stdout(), format_args!("{}\n", Escaped::lines(text)))
}

/// Prints a text and a line feed on standard error.
///
/// # Errors
/// As for [`print`].
pub fn print_error(text: &str) -> io::Result<()> {
    io::Write::write_fmt(&mut io::stderr(), format_args!("{}\n", Escaped::lines(text)))
}

#[cfg(test)]
mod tests {
    use super::Escaped;

    #[test]
    fn escapes_characters_that_control_a_terminal() {
        for (text, escaped) in [
            ("shop.pay – 25 %, café, \u{1f600}\n", "shop.pay – 25 %, café, \u{1f600}\n"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\r\t\0\u{7f}\u{9b}2J", "\\u{d}\\u{9}\\u{0}\\u{7f}\\u{9b}2J"),
            ("a\u{202e}b\u{2066}\u{2028}\u{2029}", "a\\u{202e}b\\u{2066}\\u{2028}\\u{2029}"),
        ] {
            assert_eq!(Escaped::lines(text).to_string(), escaped);
        }
        assert_eq!(Escaped::line("a\nok").to_string(), "a\\u{a}ok");
    }
}
