//! Records commands that change data in the operators' journal. Commands for a running server have no lines of their own, because the
//! server records their requests.

use actix_web::ResponseError as _;
use actix_web::http::{Method, StatusCode};
use serde_json::Value;

use super::CommandError;
use crate::cli::{Command, NewTokenArguments, NewUserArguments, TokenCommand, UserCommand};
use crate::config::{Config, Journal, Permission, is_postgres_url};
use crate::journal::{Item, JournalLine, LineKind, Person, command_lines, request_words};
use crate::terminal;

/// A command that has a line in the journal.
#[derive(Debug)]
pub(super) struct CommandRecording<'c> {
    settings: &'c Journal,
    line: JournalLine,
}

impl<'c> CommandRecording<'c> {
    /// Checks that the line of a command can be written, before the command changes anything. Returns `None` without a journal,
    /// and if the command changes nothing.
    ///
    /// # Errors
    /// If the journal is required and cannot be written.
    pub(super) fn start(command: &Command, config: &'c Config) -> Result<Option<Self>, CommandError> {
        let (Some(settings), Some((item, change))) = (&config.journal, describe(command)) else {
            return Ok(None);
        };
        let person = command_lines::operating_system_user(config.sudo_user.as_deref());
        Self::prepare(settings, person, item, change).map(Some)
    }

    /// Does the same for a change of a database that no server uses.
    ///
    /// # Errors
    /// If the journal is required and cannot be written.
    pub(super) fn start_request(
        settings: &'c Journal,
        person: Person,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Self, CommandError> {
        let request = request_words::describe(method, path);
        // The path of a new toggle does not contain its name.
        let name = || body?.get("name")?.as_str();
        let item = request.item.or_else(|| Some(item("toggle", name()?)));
        Self::prepare(settings, person, item, request.words)
    }

    fn prepare(
        settings: &'c Journal,
        person: Person,
        item: Option<Item>,
        change: String,
    ) -> Result<Self, CommandError> {
        if let Err(cause) = command_lines::prepare(settings) {
            if settings.is_required {
                return Err(CommandError::Journal(cause));
            }
            drop(terminal::print_error(&cause.to_string()));
        }
        let (person, change) = (Some(person), Some(change));
        let line = JournalLine { person, item, change, ..JournalLine::now(LineKind::Change) };
        Ok(Self { settings, line })
    }

    /// Writes the line with the result of the command.
    ///
    /// # Errors
    /// The error of the command, or else [`CommandError::Unrecorded`].
    pub(super) fn finish<T>(self, result: Result<T, CommandError>) -> Result<T, CommandError> {
        let status = match &result {
            Ok(_) => StatusCode::OK,
            Err(error) => status_of(error),
        };
        let line = JournalLine {
            status: Some(status.as_u16()),
            time: JournalLine::now(LineKind::Change).time,
            ..self.line
        };
        let text = serde_json::to_string(&line).unwrap_or_default();
        match (command_lines::record(self.settings, line), result) {
            (Err(cause), Ok(_)) if self.settings.is_required => {
                Err(CommandError::Unrecorded { cause, line: text })
            }
            (Err(cause), result) => {
                drop(terminal::print_error(&cause.to_string()));
                result
            }
            (Ok(()), result) => result,
        }
    }
}

/// Returns the status of a request that fails for this reason.
fn status_of(error: &CommandError) -> StatusCode {
    match error {
        CommandError::Refused(refusal) => refusal.status_code(),
        CommandError::Target(refusal) => refusal.status,
        CommandError::Failed(_) | CommandError::Open(_) | CommandError::Output(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        _ => StatusCode::BAD_REQUEST,
    }
}

fn item(kind: &str, name: &str) -> Item {
    Item { kind: kind.to_owned(), name: name.to_owned() }
}

/// Returns the item and the change in words of a command; `None` if it changes no data.
fn describe(command: &Command) -> Option<(Option<Item>, String)> {
    Some(match command {
        Command::Check
        | Command::Health
        | Command::Ready
        | Command::Edge
        | Command::Offline
        | Command::Backup { .. }
        | Command::Export { .. }
        | Command::Why(_)
        | Command::Toggle(_)
        | Command::Pull(_)
        | Command::Plan(_)
        | Command::Apply(_)
        | Command::Drift(_)
        | Command::State(_)
        | Command::Changes(_)
        | Command::Replica(_)
        | Command::Hold(_)
        | Command::Release(_)
        | Command::Journal(_)
        | Command::Token(TokenCommand::List) => return None,
        Command::Import { file, drop_before_import, .. } => {
            let first = if *drop_before_import { ", after removing all items" } else { "" };
            (None, format!("import {}{first}", file.display()))
        }
        Command::Move(arguments) => {
            let engine = |location: &str| if is_postgres_url(location) { "PostgreSQL" } else { "SQLite" };
            let (from, to) = (engine(&arguments.from), engine(&arguments.to));
            (None, format!("copy all data from {from} to {to}"))
        }
        Command::User(command) => {
            let (name, words) = describe_user_command(command)?;
            (Some(item("user", name)), words)
        }
        Command::Token(TokenCommand::Add(NewTokenArguments { name, kind, .. })) => {
            (Some(item("API token", name)), format!("create the {} token {name}", kind.as_str()))
        }
        Command::Token(TokenCommand::Remove { name, .. }) => {
            (Some(item("API token", name)), format!("delete the API token {name}"))
        }
    })
}

fn describe_user_command(command: &UserCommand) -> Option<(&str, String)> {
    Some(match command {
        UserCommand::List | UserCommand::Identities => return None,
        UserCommand::Add(NewUserArguments { name, permissions, admin, .. }) => {
            let permissions = if *admin { &[Permission::Admin] } else { permissions.as_slice() };
            let with = if permissions.is_empty() {
                String::new()
            } else {
                format!(" with the permissions {}", list(permissions))
            };
            (name, format!("create the user {name}{with}"))
        }
        UserCommand::Remove { name } => (name, format!("delete the user {name}")),
        UserCommand::Passwd { name } => (name, format!("change the password of the user {name}")),
        UserCommand::Disable { name } => (name, format!("disable the user {name}")),
        UserCommand::Enable { name } => (name, format!("enable the user {name}")),
        UserCommand::Grant { name, permissions } => {
            (name, format!("grant {} to the user {name}", list(permissions)))
        }
        UserCommand::Revoke { name, permissions } => {
            (name, format!("revoke {} of the user {name}", list(permissions)))
        }
        UserCommand::Link { name, subject, .. } => {
            (name, format!("link the person {subject} to the user {name}"))
        }
        UserCommand::Unlink { name, subject } => {
            let persons =
                subject.as_ref().map_or_else(|| "all persons".to_owned(), |id| format!("the person {id}"));
            (name, format!("remove the link of {persons} to the user {name}"))
        }
    })
}

fn list(permissions: &[Permission]) -> String {
    permissions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
