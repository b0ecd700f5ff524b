//! Asks for a new password: on a terminal twice and without showing it, else it is the first line of standard input. It
//! is no argument, because everybody on a machine can read those.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use crate::flags::auth::password::LONGEST;

/// The password, whatever it is.
///
/// # Errors
/// When it cannot be read, or the second one differs from the first.
pub(super) fn ask(name: &str) -> io::Result<String> {
    if !io::stdin().is_terminal() {
        return first_line();
    }
    let password = rpassword::prompt_password(format!("New password of {name}: "))?;
    if rpassword::prompt_password("The same again: ")? != password {
        return Err(io::Error::other("the two passwords differ"));
    }
    Ok(password)
}

/// Without its end. No more is read than a password can be long, so that one that is longer is seen to be.
fn first_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(u64::try_from(LONGEST + 2).unwrap_or(u64::MAX)).read_line(&mut line)?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
