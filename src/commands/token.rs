//! `flagdeck token …`: what client libraries show to be answered.

use std::io::{self, Write as _};

use jiff::Timestamp;

use super::CommandError;
use crate::cli::TokenCommand;
use crate::error::ApiError;
use crate::flags::auth::token::Token;
use crate::flags::events::time;
use crate::flags::store::Store;

/// The longest name of a token, in characters.
const LONGEST_NAME: usize = 100;

pub(super) fn run(store: &Store, command: &TokenCommand) -> Result<(), CommandError> {
    let said = match command {
        TokenCommand::Add { name } => add(store, name)?,
        TokenCommand::List => list(store)?,
        TokenCommand::Remove { name } => remove(store, name)?,
    };
    // Nobody has to be there to read it.
    drop(writeln!(io::stdout(), "{said}"));
    Ok(())
}

/// Standard output gets the token alone, ready to be put where it belongs.
fn add(store: &Store, name: &str) -> Result<String, CommandError> {
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let fault = format!("A token's name is 1 to {LONGEST_NAME} characters that can be seen");
        return Err(ApiError::invalid("name", fault).into());
    }
    let token = Token::random()?;
    let now = time(Timestamp::now());
    if !store.write(|tx| Ok(tx.insert_client_token(name, &token.hash(), &now)?))? {
        return Err(ApiError::NameTaken(format!("There is a token {name} already")).into());
    }
    drop(writeln!(
        io::stderr(),
        "This is the one time that the token {name} is shown. Client libraries send it as the header Authorization; \
         those without a token are no longer answered."
    ));
    Ok(token.as_str().to_owned())
}

fn list(store: &Store) -> Result<String, CommandError> {
    let tokens = store.read(|tx| Ok(tx.list_client_tokens()?))?;
    if tokens.is_empty() {
        return Ok("There are no tokens: every client library is answered".to_owned());
    }
    Ok(tokens.iter().map(|(name, added)| format!("{name}, added {added}")).collect::<Vec<_>>().join("\n"))
}

fn remove(store: &Store, name: &str) -> Result<String, CommandError> {
    let (removed, left) = store.write(|tx| {
        let removed = tx.delete_client_token(name)?;
        Ok((removed, tx.list_client_tokens()?.len()))
    })?;
    if !removed {
        let fault = format!("There is no token {name}; `flagdeck token list` shows which there are");
        return Err(ApiError::NotFound(fault).into());
    }
    let rest = if left == 0 { "; it was the last, so every client library is answered" } else { "" };
    Ok(format!("The token {name} was removed{rest}"))
}
