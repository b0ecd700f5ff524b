//! Adding, changing and removing users. Each works on the database alone, so that it holds for a running server too.

use jiff::Timestamp;

use super::Permission;
use crate::error::ApiError;
use crate::flags::events::time;
use crate::flags::model::{self, User};
use crate::flags::rules::{is_email, is_user_name};
use crate::flags::store::{NewUser, Transaction};

/// Checks what somebody is to be called and reached by, before a password is asked for.
///
/// # Errors
/// [`ApiError::Invalid`] for odd names and addresses, [`ApiError::NameTaken`].
pub fn check_new(tx: &Transaction<'_>, name: &str, email: Option<&str>) -> Result<(), ApiError> {
    if !is_user_name(name) {
        let fault = format!("{name:?} cannot be a user name: use 1 to 100 letters, digits and . _ - @ +");
        return Err(ApiError::invalid("username", fault));
    }
    if let Some(email) = email.filter(|email| !is_email(email)) {
        return Err(ApiError::invalid("email", format!("{email:?} is not an email address")));
    }
    if tx.find_user(name)?.is_some() {
        return Err(ApiError::NameTaken(format!("There is a user {name} already")));
    }
    if let Some(email) = email
        && tx.has_email(email)?
    {
        return Err(ApiError::NameTaken(format!("Another user has the email {email}")));
    }
    Ok(())
}

/// Adds a user with these permissions and no other.
///
/// # Errors
/// Those of [`check_new`].
pub fn add(
    tx: &Transaction<'_>,
    user: User,
    permissions: &[Permission],
    password_hash: &str,
) -> Result<User, ApiError> {
    check_new(tx, user.username.as_deref().unwrap_or_default(), user.email.as_deref())?;
    let user = User { permissions: Some(stored(permissions)), ..user };
    tx.insert_user(&NewUser { user: &user, password_hash, now: &time(Timestamp::now()) })?;
    Ok(user)
}

/// Gives a user more permissions and takes others away. Answers the user as they are then.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn change_permissions(
    tx: &Transaction<'_>,
    name: &str,
    more: &[Permission],
    fewer: &[Permission],
) -> Result<User, ApiError> {
    let mut user = find(tx, name)?;
    let mut permissions = user.permissions.take().unwrap_or_default();
    permissions.extend(stored(more));
    permissions.retain(|permission| !stored(fewer).contains(permission));
    permissions.sort_by(|a, b| a.name().cmp(b.name()));
    permissions.dedup();
    tx.set_permissions(name, &permissions)?;
    Ok(User { permissions: Some(permissions), ..user })
}

/// Gives a user another password, and ends their sessions.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn set_password(tx: &Transaction<'_>, name: &str, password_hash: &str) -> Result<(), ApiError> {
    if tx.set_password_hash(name, password_hash)? { Ok(()) } else { Err(nobody(name)) }
}

/// Removes a user, and ends their sessions.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn remove(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    if tx.delete_user(name)? { Ok(()) } else { Err(nobody(name)) }
}

/// One user.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn find(tx: &Transaction<'_>, name: &str) -> Result<User, ApiError> {
    tx.find_user(name)?.ok_or_else(|| nobody(name))
}

fn nobody(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no user {name}; `flagdeck user list` shows who there is"))
}

fn stored(permissions: &[Permission]) -> Vec<model::Permission> {
    permissions.iter().map(|permission| model::Permission::Name(permission.to_string())).collect()
}
