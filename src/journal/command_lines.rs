//! Lines of commands that change data, such as `flagdeck user add`. They work without a server, or beside one.
//!
//! A file has one writer: the server keeps its file locked, and knows the end of its chain. Therefore commands write to a file of
//! their own, `FILE.commands`, with a chain of its own. Each command locks it only while it appends, so that two commands wait
//! for each other for milliseconds. With standard output as the destination, commands write no lines.
//!
//! Events between these steps:
//!
//! - The file cannot be written: `prepare` fails before the command changes anything.
//! - The disk gets full, or the lock is not available, after `prepare`: the change is made, and the caller prints its line.
//! - The command is killed after the change: it has no line. Killed while it writes: the next command removes the incomplete line.

use super::key::JournalKey;
use super::output::{Opened, Output, commands_file};
use super::writer::start_line;
use super::{JournalError, JournalLine, Person, PersonSource};
use crate::config::{Journal as Settings, JournalOutput};
use crate::host_name::host_name;

/// Checks that a line can be written, and writes the start line of a new file.
///
/// # Errors
/// If the file or the key file cannot be used.
pub(crate) fn prepare(settings: &Settings) -> Result<(), JournalError> {
    append(settings, None)
}

/// Appends the line of a command, and forces it to the disk.
///
/// # Errors
/// If the line cannot be written.
pub(crate) fn record(settings: &Settings, line: JournalLine) -> Result<(), JournalError> {
    append(settings, Some(line))
}

fn append(settings: &Settings, line: Option<JournalLine>) -> Result<(), JournalError> {
    let JournalOutput::File(journal) = &settings.output else { return Ok(()) };
    let path = commands_file(journal);
    let key = JournalKey::read_or_create(&settings.key)
        .map_err(|cause| JournalError::Key { path: settings.key.clone(), cause })?;
    let Opened { mut output, mut chain, removed } = Output::open_file(&path)?;
    let start = (chain.sequence == 0 || removed > 0).then(|| start_line(&key, removed));
    for mut line in start.into_iter().chain(line) {
        line.limit_texts();
        let fail = |cause| JournalError::File { path: path.clone(), cause };
        let text = chain.append(&mut line, &key).map_err(|cause| fail(cause.into()))?;
        output.append(&text).map_err(fail)?;
    }
    output.sync().map_err(|cause| JournalError::File { path, cause })
}

/// Returns the user of the operating system who runs this program. `sudo_user` is the user who ran `sudo`.
pub(crate) fn operating_system_user(sudo_user: Option<&str>) -> Person {
    let id = own_user_id();
    let sub = match id {
        None => "unknown user".to_owned(),
        Some(id) => std::fs::read_to_string("/etc/passwd")
            .ok()
            .and_then(|users| find_user_name(&users, id))
            .unwrap_or_else(|| format!("user id {id}")),
    };
    // Other users can set the variable to anything.
    let name = sudo_user.filter(|_| id == Some(0)).map(|user| format!("{sub} (sudo by {user})"));
    Person { iss: Some(host_name()), sub: Some(sub), name, known: PersonSource::CommandLine }
}

/// Returns the id of the user of this process, on Linux.
fn own_user_id() -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").ok().map(|metadata| metadata.uid())
}

/// Returns the name of a user in a file in the format of `/etc/passwd`.
fn find_user_name(users: &str, id: u32) -> Option<String> {
    let id = id.to_string();
    let user = users.lines().find(|user| user.split(':').nth(2) == Some(&id))?;
    user.split(':').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::find_user_name;

    #[test]
    fn finds_the_name_of_a_user() {
        let users = "root:x:0:0:root:/root:/bin/sh\nanna:x:1000:1000::/home/anna:/bin/sh\n";
        assert_eq!(find_user_name(users, 1_000).as_deref(), Some("anna"));
        assert_eq!(find_user_name(users, 100), None);
    }
}
