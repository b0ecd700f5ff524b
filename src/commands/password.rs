//! Asks for a new password: on a terminal twice and without showing it, else it is the first line of standard input. It
//! is no argument, because everybody on a machine can read those.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use super::CommandError;
use crate::flags::auth::password::MAX_BYTES;

/// The password, whatever it is.
///
/// # Errors
/// [`CommandError::Password`] when it cannot be read, [`CommandError::PasswordsDiffer`].
pub(super) fn ask(name: &str) -> Result<String, CommandError> {
    let password = if io::stdin().is_terminal() { twice(name) } else { first_line().map(Some) };
    password.map_err(CommandError::Password)?.ok_or(CommandError::PasswordsDiffer)
}

/// Nothing where the two differ.
fn twice(name: &str) -> io::Result<Option<String>> {
    let password = rpassword::prompt_password(format!("New password of {name}: "))?;
    let again = rpassword::prompt_password("The same again: ")?;
    Ok((password == again).then_some(password))
}

/// Without its end. No more is read than a password can be long, so that one that is longer is seen to be.
fn first_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(u64::try_from(MAX_BYTES + 2).unwrap_or(u64::MAX)).read_line(&mut line)?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
