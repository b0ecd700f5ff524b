//! Reads a new password: on a terminal twice and without echo, otherwise from the first line of standard input. It is not
//! an argument, because all users of a machine can read the arguments of a process.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use super::CommandError;
use crate::flags::auth::password::MAX_BYTES;
use crate::number::to_u64;

/// Reads a password without validating it.
///
/// # Errors
/// [`CommandError::Password`] if it cannot be read, [`CommandError::PasswordsDiffer`] if it is not repeated correctly.
pub(super) fn ask(name: &str) -> Result<String, CommandError> {
    let password = if io::stdin().is_terminal() { twice(name) } else { first_line().map(Some) };
    password.map_err(CommandError::Password)?.ok_or(CommandError::PasswordsDiffer)
}

/// Reads the password twice from the terminal; `None` if the two differ.
fn twice(name: &str) -> io::Result<Option<String>> {
    let password = rpassword::prompt_password(format!("New password of {name}: "))?;
    let again = rpassword::prompt_password("Repeat the password: ")?;
    Ok((password == again).then_some(password))
}

/// Reads the first line of standard input without the line break. At most two bytes more than the maximum length are read,
/// so that longer passwords are recognized as too long.
fn first_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(to_u64(MAX_BYTES + 2)).read_line(&mut line)?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
