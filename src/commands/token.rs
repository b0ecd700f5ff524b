//! `flagdeck token …`: manages the tokens of client libraries.

use std::io::{self, Write as _};

use jiff::Timestamp;

use super::CommandError;
use crate::cli::TokenCommand;
use crate::error::ApiError;
use crate::flags::auth::token::Token;
use crate::flags::database::Store;
use crate::flags::events::format_time;

/// The longest name of a token, in characters.
const MAX_NAME_LENGTH: usize = 100;

pub(super) fn run(store: &Store, command: &TokenCommand) -> Result<(), CommandError> {
    let output = match command {
        TokenCommand::Add { name } => add(store, name)?,
        TokenCommand::List => list(store)?,
        TokenCommand::Remove { name } => remove(store, name)?,
    };
    // Standard output may be closed, which is not an error.
    drop(writeln!(io::stdout(), "{output}"));
    Ok(())
}

/// Adds a token. Standard output contains only the token, so that scripts can store it.
fn add(store: &Store, name: &str) -> Result<String, CommandError> {
    if !(1..=MAX_NAME_LENGTH).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let fault = format!(
            "The name of a token must have 1 to {MAX_NAME_LENGTH} characters and no control characters"
        );
        return Err(ApiError::invalid("name", fault).into());
    }
    let token = Token::random()?;
    let now = format_time(Timestamp::now());
    if !store.write(|tx| Ok(tx.insert_client_token(name, &token.hash(), &now)?))? {
        return Err(ApiError::NameTaken(format!(
            "A token with the name {name} already exists; choose another name"
        ))
        .into());
    }
    drop(writeln!(
        io::stderr(),
        "The token {name} is shown only this one time. Client libraries send it in the header Authorization. From now \
         on, requests without a token are refused."
    ));
    Ok(token.as_str().to_owned())
}

fn list(store: &Store) -> Result<String, CommandError> {
    let tokens = store.read(|tx| Ok(tx.list_client_tokens()?))?;
    if tokens.is_empty() {
        return Ok("There are no tokens; requests of all client libraries are accepted".to_owned());
    }
    Ok(tokens.iter().map(|(name, added)| format!("{name}, added {added}")).collect::<Vec<_>>().join("\n"))
}

fn remove(store: &Store, name: &str) -> Result<String, CommandError> {
    let (removed, left) = store.write(|tx| {
        let removed = tx.delete_client_token(name)?;
        Ok((removed, tx.list_client_tokens()?.len()))
    })?;
    if !removed {
        let fault = format!("There is no token {name}; `flagdeck token list` lists the tokens");
        return Err(ApiError::NotFound(fault).into());
    }
    let rest =
        if left == 0 { ". It was the last one: requests of all client libraries are accepted" } else { "" };
    Ok(format!("The token {name} was removed{rest}"))
}
