//! `flagdeck token …`: manages the tokens with which SDKs authenticate.

use std::io::{self, IsTerminal as _, Write as _};

use serde_json::json;

use super::CommandError;
use crate::api::{ApiToken, ApiTokenDraft};
use crate::cli::{NewTokenArguments, TokenCommand};
use crate::config::{TokenKind, TokenScope};
use crate::database::Store;
use crate::error::ApiError;
use crate::flags::api_tokens::{create_token, delete_token};
use crate::flags::auth::token::Token;
use crate::flags::events::Actor;
use crate::flags::validation::RequestBody as _;
use crate::terminal;

/// Author of changes in the history.
const ACTOR_NAME: &str = "flagdeck token";

/// Runs a command. `is_required` is true if client libraries need a token also while no client token exists.
pub(super) fn run(store: &Store, is_required: bool, command: &TokenCommand) -> Result<(), CommandError> {
    let output = match command {
        TokenCommand::Add(arguments) => add(store, arguments)?,
        TokenCommand::List => list(store, is_required)?,
        TokenCommand::Remove { name, yes } => remove(store, name, *yes, is_required)?,
    };
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&output));
    Ok(())
}

/// Adds a token. Standard output contains only the token, so that scripts can store it.
fn add(store: &Store, arguments: &NewTokenArguments) -> Result<String, CommandError> {
    let NewTokenArguments { name, kind, origins, projects, tags } = arguments;
    let draft = ApiTokenDraft::parse(&json!({
        "name": name, "kind": kind, "origins": origins, "projects": projects, "tags": tags,
    }))?;
    let token = Token::random()?;
    store.write(|tx| create_token(tx, &draft, &token.hash(), &Actor::now(ACTOR_NAME)))?;
    let effect = match kind {
        TokenKind::Client => "From now on, requests of client libraries without a token are refused.",
        TokenKind::Frontend if origins.is_empty() => {
            "Pages of browsers cannot use it, because no --origin allows one."
        }
        TokenKind::Frontend => "It is public: anyone who opens the page can read it.",
    };
    drop(terminal::print_error(&format!(
        "The token {name} is shown only this one time. Client libraries send it in the header Authorization. {effect}"
    )));
    Ok(token.as_str().to_owned())
}

/// Describes the access of client libraries while no client token exists.
fn access_without_tokens(is_required: bool) -> &'static str {
    if is_required {
        "requests of all client libraries are refused (require-client-tokens)"
    } else {
        "requests of all client libraries are accepted"
    }
}

fn list(store: &Store, is_required: bool) -> Result<String, CommandError> {
    let tokens = store.read(|tx| Ok(tx.list_api_tokens()?))?;
    if tokens.is_empty() {
        return Ok(format!("There are no tokens; {}", access_without_tokens(is_required)));
    }
    Ok(terminal::join_lines(tokens.iter().map(describe)))
}

/// Describes a token in one line.
fn describe(token: &ApiToken) -> String {
    let TokenScope { kind, origins, projects, tags } = &token.draft.scope;
    let list = |label: &str, items: &[String]| match items {
        [] => String::new(),
        items => format!(", {label} {}", items.join(" ")),
    };
    let used =
        token.last_used_at.as_ref().map_or_else(|| "never used".to_owned(), |at| format!("last used {at}"));
    format!(
        "{}, {}{}{}{}, added {}, {used}",
        token.draft.name,
        kind.as_str(),
        list("origins", origins),
        list("projects", projects),
        list("tags", tags),
        token.created_at,
    )
}

/// Removes a token. The last client token needs a confirmation, because requests without a token are accepted afterwards.
fn remove(store: &Store, name: &str, yes: bool, is_required: bool) -> Result<String, CommandError> {
    let mut removed = try_remove(store, name, yes || is_required)?;
    if removed == Removed::Nothing && confirm(name).map_err(CommandError::Confirmation)? {
        removed = try_remove(store, name, true)?;
    }
    match removed {
        Removed::Nothing => Err(CommandError::LastClientToken { name: name.to_owned() }),
        Removed::Token => Ok(format!("The token {name} was removed")),
        Removed::LastClientToken => Ok(format!(
            "The token {name} was removed. It was the last client token: {}",
            access_without_tokens(is_required)
        )),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removed {
    /// The token is the last client token, and its removal is not confirmed.
    Nothing,
    Token,
    LastClientToken,
}

/// Removes a token in one transaction, so that no other process can remove the other client tokens in between.
fn try_remove(store: &Store, name: &str, is_confirmed: bool) -> Result<Removed, ApiError> {
    let removed = store.write(|tx| {
        let tokens = tx.list_api_tokens()?;
        let is_client = |token: &ApiToken| token.draft.scope.kind == TokenKind::Client;
        let mut clients = tokens.iter().filter(|token| is_client(token));
        let is_last =
            clients.next().is_some_and(|token| token.draft.name == name) && clients.next().is_none();
        if is_last && !is_confirmed {
            return Ok(Removed::Nothing);
        }
        delete_token(tx, name, &Actor::now(ACTOR_NAME))?;
        Ok(if is_last { Removed::LastClientToken } else { Removed::Token })
    });
    removed.map_err(|cause| match cause {
        ApiError::NotFound(fault) => ApiError::NotFound(fault + "; `flagdeck token list` lists the tokens"),
        cause => cause,
    })
}

/// Asks on the terminal. Returns false without a terminal.
fn confirm(name: &str) -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    let mut out = io::stderr();
    write!(
        out,
        "{} is the last client token. Without it, {}. Remove it? [y/N] ",
        terminal::Escaped::line(name),
        access_without_tokens(false)
    )?;
    out.flush()?;
    let mut reply = String::new();
    io::stdin().read_line(&mut reply)?;
    Ok(matches!(reply.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
