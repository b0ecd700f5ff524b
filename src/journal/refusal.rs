//! The reasons for which a request is refused because of the journal.

use crate::error::refusals;

refusals! {
    /// A reason for a refusal.
    pub(crate) enum Refusal;
    Unavailable "journal_unavailable" SERVICE_UNAVAILABLE "Changes are refused, because the journal cannot be written. Its disk may be full, or its file removed or damaged: the cause is in the log of Flagdeck. Remove the cause, and try again";
    Stalled "journal_stalled" SERVICE_UNAVAILABLE "Changes are refused, because the disk of the journal does not respond. Check this disk, and try again";
    SeveralUsers "journal_user_header" BAD_REQUEST "The request contains the header of the setting journal-user-header more than once, so that its user is unknown. Ask your administrator to let the proxy remove this header from requests of browsers";
    Replaced "journal_replaced" GONE "This part of the journal is in a file that was moved or removed. Load the newest entries again";
    NotReadable "journal_not_readable" NOT_FOUND "The journal is written to standard output, where Flagdeck cannot read it; set journal to a file";
}
