//! One thing that was looked at, what was found, and what to do about it.

use std::fmt;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As it should be.
    Fine,
    /// Worth knowing; the program works.
    Note,
    /// The program would not work.
    Fault,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// What was looked at.
    pub(super) about: &'static str,
    pub(super) what: String,
    /// Empty where nothing has to be done.
    pub(super) remedy: String,
}

impl Finding {
    pub(super) fn fine(about: &'static str, what: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fine, about, what: what.into(), remedy: String::new() }
    }

    pub(super) fn note(about: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Note, about, what: what.into(), remedy: remedy.into() }
    }

    pub(super) fn fault(about: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fault, about, what: what.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Fine => "ok  ",
            Verdict::Note => "note",
            Verdict::Fault => "FAIL",
        };
        write!(formatter, "{mark}  {}: {}", self.about, self.what)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(formatter, "\n      → {}", self.remedy) }
    }
}
