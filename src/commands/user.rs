//! `flagdeck user …`: who signs in with a password. The database is all that it touches, so that it holds for a server
//! that runs on it from the next call on.

use std::io::{self, Write as _};

use super::{CommandError, password};
use crate::cli::{NewUserArguments, UserCommand};
use crate::flags::auth::password::{check, hash};
use crate::flags::auth::{Permission, users};
use crate::flags::model::{self, User};
use crate::flags::store::Store;

pub(super) fn run(store: &Store, command: &UserCommand) -> Result<(), CommandError> {
    let said = match command {
        UserCommand::Add(arguments) => add(store, arguments)?,
        UserCommand::List => list(store)?,
        UserCommand::Remove { name } => {
            store.write(|tx| users::remove(tx, name))?;
            format!("{name} was removed and is signed out everywhere")
        }
        UserCommand::Passwd { name } => {
            store.read(|tx| users::find(tx, name))?;
            let hash = hash(&new_password(name)?)?;
            store.write(|tx| users::set_password(tx, name, &hash))?;
            format!("{name} has a new password and is signed out everywhere")
        }
        UserCommand::Grant { name, permissions } => change(store, name, permissions, &[])?,
        UserCommand::Revoke { name, permissions } => change(store, name, &[], permissions)?,
    };
    // Nobody has to be there to read it.
    drop(writeln!(io::stdout(), "{said}"));
    Ok(())
}

fn add(store: &Store, arguments: &NewUserArguments) -> Result<String, CommandError> {
    let NewUserArguments { name, email, full_name, permissions, admin } = arguments;
    store.read(|tx| users::check_new(tx, name, email.as_deref()))?;
    let hash = hash(&new_password(name)?)?;
    let permissions = if *admin { &[Permission::Admin][..] } else { permissions };
    let user = User {
        username: Some(name.clone()),
        name: full_name.clone(),
        email: email.clone(),
        ..User::default()
    };
    let user = store.write(|tx| users::add(tx, user, permissions, &hash))?;
    Ok(format!("{name} was added and {}", abilities(&user)))
}

fn change(
    store: &Store,
    name: &str,
    more: &[Permission],
    fewer: &[Permission],
) -> Result<String, CommandError> {
    let user = store.write(|tx| users::change_permissions(tx, name, more, fewer))?;
    Ok(format!("{name} {}", abilities(&user)))
}

fn list(store: &Store) -> Result<String, CommandError> {
    let users = store.read(|tx| Ok(tx.list_users()?))?;
    if users.is_empty() {
        return Ok("There are no users; `flagdeck user add NAME` adds one".to_owned());
    }
    let lines = users.iter().map(|user| {
        let name = user.username.as_deref().unwrap_or_default();
        let email = user.email.as_deref().map(|email| format!(" <{email}>")).unwrap_or_default();
        format!("{name}{email} {}", abilities(user))
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The end of a sentence about a user.
fn abilities(user: &User) -> String {
    let names: Vec<&str> = user.permissions.iter().flatten().map(model::Permission::name).collect();
    if user.may(Permission::Admin) {
        "may do everything (ADMIN)".to_owned()
    } else if names.is_empty() {
        "may see everything and change nothing".to_owned()
    } else {
        format!("may see everything and {}", names.join(", "))
    }
}

fn new_password(name: &str) -> Result<String, CommandError> {
    let password = password::ask(name)?;
    check(&password)?;
    Ok(password)
}
