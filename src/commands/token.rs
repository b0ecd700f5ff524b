//! `flagdeck token …`: manages the tokens with which SDKs authenticate.

use std::io::{self, Write as _};

use serde_json::json;

use super::CommandError;
use crate::cli::{NewTokenArguments, TokenCommand};
use crate::config::{TokenKind, TokenScope};
use crate::error::ApiError;
use crate::flags::api_tokens::{rules, service};
use crate::flags::auth::token::Token;
use crate::flags::database::Store;
use crate::flags::events::Actor;
use crate::flags::model::ApiToken;

/// Author of changes in the history.
const ACTOR_NAME: &str = "flagdeck token";

pub(super) fn run(store: &Store, command: &TokenCommand) -> Result<(), CommandError> {
    let output = match command {
        TokenCommand::Add(arguments) => add(store, arguments)?,
        TokenCommand::List => list(store)?,
        TokenCommand::Remove { name } => remove(store, name)?,
    };
    // Standard output may be closed, which is not an error.
    drop(writeln!(io::stdout(), "{output}"));
    Ok(())
}

/// Adds a token. Standard output contains only the token, so that scripts can store it.
fn add(store: &Store, arguments: &NewTokenArguments) -> Result<String, CommandError> {
    let NewTokenArguments { name, kind, origins, projects, tags } = arguments;
    let draft = rules::parse_new_token(&json!({
        "name": name, "kind": kind, "origins": origins, "projects": projects, "tags": tags,
    }))?;
    let token = Token::random()?;
    store.write(|tx| service::create(tx, &draft, &token.hash(), &Actor::now(ACTOR_NAME)))?;
    let effect = match kind {
        TokenKind::Client => "From now on, requests of client libraries without a token are refused.",
        TokenKind::Frontend if origins.is_empty() => {
            "Pages of browsers cannot use it, because no --origin allows one."
        }
        TokenKind::Frontend => "It is public: anyone who opens the page can read it.",
    };
    drop(writeln!(
        io::stderr(),
        "The token {name} is shown only this one time. Client libraries send it in the header Authorization. {effect}"
    ));
    Ok(token.as_str().to_owned())
}

fn list(store: &Store) -> Result<String, CommandError> {
    let tokens = store.read(|tx| Ok(tx.list_api_tokens()?))?;
    if tokens.is_empty() {
        return Ok("There are no tokens; requests of all client libraries are accepted".to_owned());
    }
    Ok(tokens.iter().map(describe).collect::<Vec<_>>().join("\n"))
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

fn remove(store: &Store, name: &str) -> Result<String, CommandError> {
    let removed = store.write(|tx| {
        let had_client_tokens = has_client_tokens(&tx.list_api_tokens()?);
        service::delete(tx, name, &Actor::now(ACTOR_NAME))?;
        Ok(had_client_tokens && !has_client_tokens(&tx.list_api_tokens()?))
    });
    let is_last = removed.map_err(|cause| match cause {
        ApiError::NotFound(fault) => ApiError::NotFound(fault + "; `flagdeck token list` lists the tokens"),
        cause => cause,
    })?;
    let rest = if is_last {
        ". It was the last client token: requests of all client libraries are accepted"
    } else {
        ""
    };
    Ok(format!("The token {name} was removed{rest}"))
}

fn has_client_tokens(tokens: &[ApiToken]) -> bool {
    tokens.iter().any(|token| token.draft.scope.kind == TokenKind::Client)
}
