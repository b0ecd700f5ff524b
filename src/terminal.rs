//! Output for terminals: texts of servers and files must not control the terminal.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::{self, Write};
use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;

/// Whether standard output has colours.
static HAS_COLOURS: OnceLock<bool> = OnceLock::new();

/// Decides whether standard output has colours: on a terminal that knows them, unless `NO_COLOR` is set and not empty
/// (<https://no-color.org>).
pub fn set_colours(no_color: Option<OsString>, term: Option<OsString>) {
    let is_refused = no_color.is_some_and(|value| !value.is_empty());
    let is_dumb = term.is_some_and(|term| term == "dumb");
    let has_colours = !is_refused && !is_dumb && io::stdout().is_terminal();
    // The first call decides.
    let _is_first = HAS_COLOURS.set(has_colours);
}

/// Colour of a line, as an SGR parameter of ECMA-48.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Removals.
    Red,
    /// Additions.
    Green,
    /// Changes.
    Yellow,
}

impl Colour {
    fn code(self) -> u8 {
        match self {
            Self::Red => 31,
            Self::Green => 32,
            Self::Yellow => 33,
        }
    }
}

/// A text whose control characters are visible escapes such as `\n` and `\u{1b}`. Other characters do not change.
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
            match control {
                '\n' | '\r' | '\t' => write!(formatter, "{plain}{}", control.escape_default())?,
                _ => write!(formatter, "{plain}{}", control.escape_unicode())?,
            }
            rest = tail.strip_prefix(control).unwrap_or_default();
        }
        formatter.write_str(rest)
    }
}

/// Escapes control characters in the strings of JSON, such as `\u009b`. Line feeds, which separate objects, are kept.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |letter: char| is_control(letter) && letter != '\n';
    if !json.contains(is_escaped) {
        return json.into();
    }
    let mut escaped = String::with_capacity(json.len() * 2);
    for letter in json.chars() {
        // All of them have four digits.
        let _infallible = if is_escaped(letter) {
            write!(escaped, "\\u{:04x}", u32::from(letter))
        } else {
            escaped.write_char(letter)
        };
    }
    escaped.into()
}

/// Joins texts to lines, so that a line feed in one of them adds no line.
pub fn join_lines(texts: impl IntoIterator<Item = String>) -> String {
    let lines: Vec<_> = texts.into_iter().map(|text| Escaped::line(&text).to_string()).collect();
    lines.join("\n")
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

/// Prints lines on standard output, in colours if it has them.
///
/// # Errors
/// As for [`print`].
pub fn print_lines(text: &str, colour_of: impl Fn(&str) -> Option<Colour>) -> io::Result<()> {
    if !HAS_COLOURS.get().copied().unwrap_or_default() {
        return print(text);
    }
    let lines = text.lines().map(|line| {
        let line = Escaped::line(line);
        match colour_of(line.text) {
            Some(colour) => format!("\u{1b}[{}m{line}\u{1b}[0m\n", colour.code()),
            None => format!("{line}\n"),
        }
    });
    io::Write::write_all(&mut io::stdout(), lines.collect::<String>().as_bytes())
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
    use super::{Escaped, escape_json, join_lines};

    #[test]
    fn escapes_characters_that_control_a_terminal() {
        for (text, escaped) in [
            ("shop.pay – 25 %, café, \u{1f600}\n", "shop.pay – 25 %, café, \u{1f600}\n"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\r\t\0\u{7f}\u{9b}2J", "\\r\\t\\u{0}\\u{7f}\\u{9b}2J"),
            ("a\u{202e}b\u{2066}\u{2028}\u{2029}", "a\\u{202e}b\\u{2066}\\u{2028}\\u{2029}"),
        ] {
            assert_eq!(Escaped::lines(text).to_string(), escaped);
        }
        assert_eq!(Escaped::line("a\nok").to_string(), "a\\nok");
        assert_eq!(join_lines(["a\nok".to_owned(), "b".to_owned()]), "a\\nok\nb");
    }

    #[test]
    fn escaped_json_has_the_same_content() {
        let hostile = "é\u{7f}\u{9b}2J\u{61c}\u{200e}\u{202a}\u{202e}\u{2066}\u{2069}\u{2028}\u{1f600}\"\\";
        let json = serde_json::json!({ "a": hostile }).to_string();
        let escaped = escape_json(&json);
        assert!(!escaped.contains(super::is_control), "{escaped:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap()["a"], hostile);
        assert_eq!(escape_json("{\"a\":\"é\"}\n"), "{\"a\":\"é\"}\n");
    }
}
