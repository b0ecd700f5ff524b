//! The reasons for which a request is refused because of the journal. `examples/refusals.md` lists them.

use actix_web::http::StatusCode;

use crate::error::DomainError;

/// A reason for a refusal: code, status, and message with the remedy.
#[derive(Debug)]
pub(crate) struct JournalRefusal {
    pub(crate) code: &'static str,
    pub(crate) status: StatusCode,
    pub(crate) message: &'static str,
}

/// The last write has failed.
pub(crate) const UNAVAILABLE: JournalRefusal = JournalRefusal {
    code: "journal_unavailable",
    status: StatusCode::SERVICE_UNAVAILABLE,
    message: "Changes are refused, because the journal cannot be written. Its disk may be full, or its file removed or damaged: the cause is in the log of Flagdeck. Remove the cause, and try again",
};

/// The disk does not respond.
pub(crate) const STALLED: JournalRefusal = JournalRefusal {
    code: "journal_stalled",
    status: StatusCode::SERVICE_UNAVAILABLE,
    message: "Changes are refused, because the disk of the journal does not respond. Check this disk, and try again",
};

/// A request names its user several times.
pub(crate) const SEVERAL_USERS: JournalRefusal = JournalRefusal {
    code: "journal_user_header",
    status: StatusCode::BAD_REQUEST,
    message: "The request contains the header of the setting journal-user-header more than once, so that its user is unknown. Ask your administrator to let the proxy remove this header from requests of browsers",
};

/// The file of a position does not exist.
pub(crate) const REPLACED: JournalRefusal = JournalRefusal {
    code: "journal_replaced",
    status: StatusCode::GONE,
    message: "This part of the journal is in a file that was moved or removed. Load the newest entries again",
};

/// The journal is not in a file.
pub(crate) const NOT_READABLE: JournalRefusal = JournalRefusal {
    code: "journal_not_readable",
    status: StatusCode::NOT_FOUND,
    message: "The journal is written to standard output, where Flagdeck cannot read it; set journal to a file",
};

/// All reasons.
#[cfg(test)]
pub(crate) const ALL: [&JournalRefusal; 5] =
    [&UNAVAILABLE, &STALLED, &SEVERAL_USERS, &REPLACED, &NOT_READABLE];

impl JournalRefusal {
    /// Returns the error.
    pub(crate) fn error(&self) -> DomainError {
        DomainError::new(self.code, self.status, self.message)
    }
}
