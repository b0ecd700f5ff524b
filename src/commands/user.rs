//! `flagdeck user …`: manages the users for `--auth password` and `oidc`. It only changes the database; a running server applies the
//! changes from the next request on.

use jiff::Timestamp;

use super::{CommandError, password};
use crate::api::{self, User};
use crate::cli::{NewUserArguments, UserCommand};
use crate::database::Store;
use crate::flags::auth::password::{check, hash};
use crate::flags::auth::users::{StoredAccount, StoredPassword};
use crate::flags::auth::{Permission, identities, users};
use crate::terminal;

pub(super) fn run(store: &Store, command: &UserCommand) -> Result<(), CommandError> {
    let output = match command {
        UserCommand::Add(arguments) => add(store, arguments)?,
        UserCommand::List => list(store)?,
        UserCommand::Remove { name } => {
            store.write(|tx| users::remove(tx, name))?;
            format!("{name} was removed and is signed out everywhere")
        }
        UserCommand::Passwd { name } => {
            store.read(|tx| users::find(tx, name))?;
            let password = StoredPassword::chosen(hash(&new_password(name)?)?);
            store.write(|tx| users::set_password(tx, name, &password))?;
            format!("{name} has a new password and is signed out everywhere")
        }
        UserCommand::Disable { name } => {
            store.write(|tx| users::set_disabled(tx, name, true))?;
            format!("{name} was disabled and is signed out everywhere")
        }
        UserCommand::Enable { name } => {
            store.write(|tx| users::set_disabled(tx, name, false))?;
            format!("{name} was enabled")
        }
        UserCommand::Grant { name, permissions } => change(store, name, permissions, &[])?,
        UserCommand::Revoke { name, permissions } => change(store, name, &[], permissions)?,
        UserCommand::Identities => list_identities(store)?,
        UserCommand::Link { name, subject, issuer } => {
            let person = store.write(|tx| identities::link(tx, name, subject, issuer.as_deref()))?;
            terminal::join_lines([format!(
                "{person} is linked to {}",
                person.account.as_deref().unwrap_or(name)
            )])
        }
        UserCommand::Unlink { name, subject } => {
            let unlinked = store.write(|tx| identities::unlink(tx, name, subject.as_deref()))?;
            let persons = if unlinked == 1 { "1 person".to_owned() } else { format!("{unlinked} persons") };
            format!("{persons} of the identity provider no longer linked to {name}")
        }
    };
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&output));
    Ok(())
}

fn add(store: &Store, arguments: &NewUserArguments) -> Result<String, CommandError> {
    let NewUserArguments { name, email, full_name, permissions, admin } = arguments;
    store.read(|tx| users::check_new(tx, name, email.as_deref()))?;
    let password = StoredPassword::chosen(hash(&new_password(name)?)?);
    let permissions = if *admin { &[Permission::Admin][..] } else { permissions };
    let user = User {
        username: Some(name.clone()),
        name: full_name.clone(),
        email: email.clone(),
        ..User::default()
    };
    let user = store.write(|tx| users::add(tx, user, permissions, &password))?;
    Ok(format!("{name} was added and {}", describe_permissions(&user)))
}

fn change(
    store: &Store,
    name: &str,
    more: &[Permission],
    fewer: &[Permission],
) -> Result<String, CommandError> {
    let user = store.write(|tx| users::change_permissions(tx, name, more, fewer))?;
    Ok(format!("{name} {}", describe_permissions(&user)))
}

fn list(store: &Store) -> Result<String, CommandError> {
    let accounts = store.read(|tx| Ok(tx.list_accounts()?))?;
    if accounts.is_empty() {
        return Ok("There are no users; add one with `flagdeck user add NAME`".to_owned());
    }
    let lines = accounts.iter().map(|StoredAccount { user, is_disabled, one_time_until, .. }| {
        let name = user.username.as_deref().unwrap_or_default();
        let email = user.email.as_deref().map(|email| format!(" <{email}>")).unwrap_or_default();
        let state = match (is_disabled, one_time_until) {
            (true, _) => ", and is disabled",
            (false, Some(_)) => ", and has a one-time password",
            (false, None) => "",
        };
        format!("{name}{email} {}{state}", describe_permissions(user))
    });
    Ok(terminal::join_lines(lines))
}

fn list_identities(store: &Store) -> Result<String, CommandError> {
    let persons = store.read(|tx| Ok(tx.list_identities()?))?;
    if persons.is_empty() {
        return Ok("Nobody has signed in at an identity provider in the last 90 days".to_owned());
    }
    let lines = persons.iter().map(|person| {
        let time = person.signed_in_at.and_then(|time| Timestamp::from_second(time).ok());
        let time = time.map_or_else(|| "has not signed in".to_owned(), |time| format!("signed in at {time}"));
        let account = person.account.as_deref().map(|name| format!(", linked to {name}")).unwrap_or_default();
        format!("{person} {time}{account}")
    });
    Ok(terminal::join_lines(lines))
}

/// Describes the permissions of a user, as the end of a sentence.
fn describe_permissions(user: &User) -> String {
    let names: Vec<&str> = user.permissions.iter().flatten().map(api::Permission::name).collect();
    if user.has_permission(Permission::Admin) {
        "has all permissions (ADMIN)".to_owned()
    } else if names.is_empty() {
        "has read access and no permissions".to_owned()
    } else {
        format!("has read access and the permissions {}", names.join(", "))
    }
}

fn new_password(name: &str) -> Result<String, CommandError> {
    let password = password::ask(name)?;
    check(&password)?;
    Ok(password)
}
