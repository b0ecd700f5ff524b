//! Adds, changes and removes users. Works on the database only, also while a server uses it.

use jiff::Timestamp;

use super::Permission;
use crate::api::limits::USER_NAME_LENGTH;
use crate::api::{self, User};
use crate::config::MAX_SESSION_LIFETIME;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::auth::rules::{is_email, is_user_name};
use crate::flags::auth::sessions::Owner;
use crate::flags::events::format_time;

/// A user to be inserted.
#[derive(Debug)]
pub struct NewUser<'u> {
    /// The user with name, email and permissions.
    pub user: &'u User,
    /// The password.
    pub password: &'u StoredPassword,
    /// The creation time: RFC 3339 in UTC.
    pub now: &'u str,
}

/// A password as it is stored.
#[derive(Debug, Clone)]
pub struct StoredPassword {
    /// The hash as a PHC string.
    pub hash: String,
    /// The end of a one-time password, in seconds since 1970; `None` if the user has chosen the password.
    pub one_time_until: Option<i64>,
}

impl StoredPassword {
    /// Creates a password that the user has chosen.
    pub(crate) fn chosen(hash: String) -> Self {
        Self { hash, one_time_until: None }
    }
}

/// A user with the state of the account.
#[derive(Debug, Clone)]
pub struct StoredAccount {
    /// The user.
    pub user: User,
    /// True if an administrator has disabled the account.
    pub is_disabled: bool,
    /// The end of the one-time password, in seconds since 1970; `None` if the user has chosen the password.
    pub one_time_until: Option<i64>,
    /// The creation time: RFC 3339 in UTC.
    pub created_at: String,
}

/// Checks the name and the email of a new user. The history and the journal name users by either, so that neither can be the name or
/// the email of another user.
///
/// # Errors
/// [`ApiError::Invalid`] for an invalid name or email, [`ApiError::NameTaken`] if a user has it already.
pub(crate) fn check_new(tx: &Transaction<'_>, name: &str, email: Option<&str>) -> Result<(), ApiError> {
    if !is_user_name(name) {
        let (min, max) = USER_NAME_LENGTH;
        let message =
            format!("{name:?} cannot be a user name: use {min} to {max} letters, digits and . _ - @ +");
        return Err(ApiError::invalid("username", message));
    }
    if let Some(email) = email.filter(|email| !is_email(email)) {
        return Err(ApiError::invalid("email", format!("{email:?} is not an email address")));
    }
    if tx.find_user(name)?.is_some() {
        return Err(ApiError::NameTaken(format!("A user named {name} already exists")));
    }
    if tx.has_email(name)? {
        return Err(ApiError::NameTaken(format!(
            "Another user has the email {name}; choose another user name"
        )));
    }
    if let Some(email) = email {
        if tx.has_email(email)? {
            return Err(ApiError::NameTaken(format!("Another user has the email {email}; use another one")));
        }
        if tx.find_user(email)?.is_some() {
            return Err(ApiError::NameTaken(format!("Another user is named {email}; use another email")));
        }
    }
    Ok(())
}

/// Adds a user with exactly these permissions.
pub(crate) fn add(
    tx: &Transaction<'_>,
    user: User,
    permissions: &[Permission],
    password: &StoredPassword,
) -> Result<User, ApiError> {
    check_new(tx, user.username.as_deref().unwrap_or_default(), user.email.as_deref())?;
    let user = User { permissions: Some(to_wire(permissions)), ..user };
    tx.insert_user(&NewUser { user: &user, password, now: &format_time(Timestamp::now()) })?;
    Ok(user)
}

/// Adds and removes permissions of a user. Returns the changed user.
pub(crate) fn change_permissions(
    tx: &Transaction<'_>,
    name: &str,
    added: &[Permission],
    removed: &[Permission],
) -> Result<User, ApiError> {
    let mut user = find(tx, name)?;
    let mut permissions = user.permissions.take().unwrap_or_default();
    permissions.extend(to_wire(added));
    permissions.retain(|permission| !to_wire(removed).contains(permission));
    permissions.sort_by(|a, b| a.name().cmp(b.name()));
    permissions.dedup();
    tx.set_permissions(name, &permissions)?;
    Ok(User { permissions: Some(permissions), ..user })
}

/// Changes the password of a user and ends their sessions.
pub(crate) fn set_password(
    tx: &Transaction<'_>,
    name: &str,
    password: &StoredPassword,
) -> Result<(), ApiError> {
    tx.delete_sessions_of_user(name)?;
    if tx.set_password(name, password)? { Ok(()) } else { Err(not_found(name)) }
}

/// Disables an account, and revokes its sessions and those of the persons who are linked to it; or enables it.
pub(crate) fn set_disabled(tx: &Transaction<'_>, name: &str, is_disabled: bool) -> Result<(), ApiError> {
    if !tx.set_disabled(name, is_disabled)? {
        return Err(not_found(name));
    }
    if is_disabled {
        let owner = Owner { name: Some(name), identity: None };
        tx.revoke_sessions_of(owner, Timestamp::now().as_second(), MAX_SESSION_LIFETIME)?;
    }
    Ok(())
}

/// Checks that somebody can still administer the program after a change: an enabled user with ADMIN. A user with a one-time password
/// does not count, because the password can expire or be lost.
///
/// # Errors
/// [`ApiError::Conflict`] otherwise.
pub(crate) fn check_administrator_remains(tx: &Transaction<'_>) -> Result<(), ApiError> {
    let is_administrator = |account: &StoredAccount| {
        let can_sign_in = !account.is_disabled && account.one_time_until.is_none();
        can_sign_in && account.user.has_permission(Permission::Admin)
    };
    if tx.list_accounts()?.iter().any(is_administrator) {
        return Ok(());
    }
    let message = "This is the last enabled user with ADMIN; another one must have signed in before";
    Err(ApiError::Conflict(message.to_owned()))
}

/// Removes a user and their sessions, also those of persons of an identity provider who are linked to the user.
pub(crate) fn remove(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    tx.delete_sessions_of_linked(name)?;
    if tx.delete_user(name)? { Ok(()) } else { Err(not_found(name)) }
}

/// Returns an account.
pub(crate) fn find_account(tx: &Transaction<'_>, name: &str) -> Result<StoredAccount, ApiError> {
    tx.find_account(name)?.ok_or_else(|| not_found(name))
}

/// Returns a user.
pub(crate) fn find(tx: &Transaction<'_>, name: &str) -> Result<User, ApiError> {
    tx.find_user(name)?.ok_or_else(|| not_found(name))
}

fn not_found(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no user named {name}; `flagdeck user list` lists all users"))
}

/// Returns permissions as the API writes them.
pub(super) fn to_wire(permissions: &[Permission]) -> Vec<api::Permission> {
    permissions.iter().map(|permission| api::Permission::Name(permission.to_string())).collect()
}
