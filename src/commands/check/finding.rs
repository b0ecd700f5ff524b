//! The result of one check, with its remedy.

use std::fmt;

use crate::terminal::Escaped;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The check passed.
    Pass,
    /// A hint. The program works.
    Note,
    /// The check failed. The program would not work.
    Fail,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// Subject of the check, such as a setting.
    pub(super) subject: &'static str,
    pub(super) message: String,
    /// Empty if nothing has to be done.
    pub(super) remedy: String,
}

impl Finding {
    pub(super) fn pass(subject: &'static str, message: impl Into<String>) -> Self {
        Self { verdict: Verdict::Pass, subject, message: message.into(), remedy: String::new() }
    }

    pub(super) fn note(subject: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Note, subject, message: message.into(), remedy: remedy.into() }
    }

    pub(super) fn fail(subject: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fail, subject, message: message.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Pass => "ok  ",
            Verdict::Note => "note",
            Verdict::Fail => "FAIL",
        };
        // Texts of the server must not add lines.
        write!(formatter, "{mark}  {}: {}", self.subject, Escaped::line(&self.message))?;
        if self.remedy.is_empty() {
            return Ok(());
        }
        write!(formatter, "\n      → {}", Escaped::line(&self.remedy))
    }
}
