//! The operators' journal (`--journal`): who changed something, when, from where, and with which result.
//!
//! Each changing request, each sign-in and each sign-out is one line of JSON in an append-only file. Each line contains the
//! hash of the line before it, so that a changed, lost, added or swapped line is found (`flagdeck journal verify`). Hourly and
//! last lines are checkpoints, signed with Ed25519 and also logged: a checkpoint that is stored elsewhere makes a missing end of
//! the file detectable. `record` describes the lines.
//!
//! # When a line is written
//!
//! A line contains the status of the response. Therefore it is written when the response is decided, and the client gets the
//! response after the line is in the file. Nothing is written before the request is handled. Instead, two checks ensure that a
//! change has a line:
//!
//! 1. Before a change is handled, the middleware refuses it with 503 if the journal cannot be written (`journal_unavailable`) or
//!    its disk does not respond (`journal_stalled`), unless `journal-required` is `false`.
//! 2. A file with the suffix `.reserve` next to the journal occupies space on its disk. If the disk is full, the writer removes
//!    it and uses the space for the lines of the changes that are being handled. From then on changes are refused, until the
//!    reserve exists again.
//!
//! If a line cannot be written for another reason, such as a fault of the disk, the changes that are being handled at that
//! moment are already made. Their lines go to the log, stay in memory, and are written as soon as the disk works again. The same
//! applies if the file was removed, which the writer checks before each write and once a second, until SIGHUP opens a new one; and
//! at the start, because a full disk must not take the toggles away from SDKs. Sign-ins and sign-outs are never refused, so that
//! operators can investigate; a `gap` line counts those that could not be recorded.
//!
//! Requests whose person is not known have a limited number of lines, whatever their response is: anyone can send them, and could
//! fill the disk and thereby stop all changes. A `gap` line counts the others. A sign-out that ends no session has no line.
//!
//! # The end of the program
//!
//! The journal is closed last and within a limit, because its disk may not respond. Requests whose lines wait for it got no response.
//!
//! # Crashes
//!
//! - Killed before the response: the change may be made and have no line. The client got no response either.
//! - Killed while a line is written: the last line is incomplete. `verify` reports it. The next start removes it, and its
//!   `start` line states the number of removed bytes.
//! - Loss of power: the lines of the last second can be lost. The writer calls `fdatasync` once a second and after each
//!   checkpoint, and not for each line: that halves the number of changes per second, because the length of the file changes.
//!   `output` describes what happens if it fails.

pub mod command_lines;
pub mod key;
mod line_files;
pub mod notes;
mod output;
pub mod reader;
pub mod record;
mod refusal;
pub mod request_words;
mod rotated_files;
pub mod verify;
mod writer;

pub(crate) use self::notes::Attempt;
pub use self::notes::Notes;
pub(crate) use self::output::check_content;
pub use self::record::{Item, JournalLine, LineKind, Person, PersonSource};
pub(crate) use self::refusal::Refusal;
pub use self::writer::{Journal, JournalError};
