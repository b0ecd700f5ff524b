//! The rows of users who sign in with a password.

use crate::api::{Permission, User};
use crate::database::{Row, StoreError, Transaction, params};
use crate::flags::auth::users::{NewUser, StoredAccount, StoredPassword};

pub(super) const COLUMNS: &str = "users.name, users.full_name, users.email, users.permissions";
/// Columns of an account besides those of its user.
const STATE_COLUMNS: &str = "users.is_disabled, users.one_time_until, users.created_at";

impl Transaction<'_> {
    /// Returns all accounts, sorted by name.
    pub(crate) fn list_accounts(&self) -> Result<Vec<StoredAccount>, StoreError> {
        let sql = format!("SELECT {COLUMNS}, {STATE_COLUMNS} FROM users ORDER BY lower(name)");
        self.query(&sql, &[], account_from_row)
    }

    /// Returns an account. Names are case-insensitive.
    pub(crate) fn find_account(&self, name: &str) -> Result<Option<StoredAccount>, StoreError> {
        let sql = format!("SELECT {COLUMNS}, {STATE_COLUMNS} FROM users WHERE lower(name) = ?1");
        self.query_first(&sql, params![name.to_ascii_lowercase()], account_from_row)
    }

    /// Returns whether any user exists.
    pub(crate) fn has_users(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users)";
        self.query_value(sql, &[])
    }

    /// Returns a user. Names are case-insensitive.
    pub(crate) fn find_user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE lower(name) = ?1");
        self.query_first(&sql, params![name.to_ascii_lowercase()], user_from_row)
    }

    /// Returns whether a user has this email address.
    pub(crate) fn has_email(&self, email: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE lower(email) = ?1)";
        self.query_value(sql, params![email.to_ascii_lowercase()])
    }

    /// Returns the password hash of a user as a PHC string.
    pub(crate) fn find_password_hash(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT password_hash FROM users WHERE lower(name) = ?1";
        self.find_value(sql, params![name.to_ascii_lowercase()])
    }

    /// Inserts a user.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name or the email address is taken.
    pub(crate) fn insert_user(&self, new: &NewUser<'_>) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO users (name, full_name, email, password_hash, permissions, created_at, one_time_until)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                &new.user.username,
                &new.user.name,
                &new.user.email,
                &new.password.hash,
                serde_json::to_string(&new.user.permissions.as_deref().unwrap_or_default())?,
                new.now,
                new.password.one_time_until
            ],
        )?;
        Ok(())
    }

    /// Replaces a user's permissions. Returns false if the user does not exist.
    pub(crate) fn set_permissions(&self, name: &str, permissions: &[Permission]) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET permissions = ?2 WHERE lower(name) = ?1";
        let permissions = serde_json::to_string(permissions)?;
        Ok(self.execute(sql, params![name.to_ascii_lowercase(), permissions])? > 0)
    }

    /// Replaces a user's password. Returns false if the user does not exist.
    pub(crate) fn set_password(&self, name: &str, password: &StoredPassword) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET password_hash = ?2, one_time_until = ?3 WHERE lower(name) = ?1";
        let StoredPassword { hash, one_time_until } = password;
        Ok(self.execute(sql, params![name.to_ascii_lowercase(), hash, *one_time_until])? > 0)
    }

    /// Disables or enables an account. Returns false if it does not exist.
    pub(crate) fn set_disabled(&self, name: &str, is_disabled: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET is_disabled = ?2 WHERE lower(name) = ?1";
        Ok(self.execute(sql, params![name.to_ascii_lowercase(), is_disabled])? > 0)
    }

    /// Deletes a user and the user's sessions. Returns false if the user does not exist.
    pub(crate) fn delete_user(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM users WHERE lower(name) = ?1", params![name.to_ascii_lowercase()])? > 0)
    }
}

/// Reads the columns of a user from a row, which may have other columns too.
pub(super) fn user_from_row(row: &Row<'_>) -> Result<User, StoreError> {
    Ok(User {
        username: row.get("name")?,
        name: row.get("full_name")?,
        email: row.get("email")?,
        permissions: Some(row.json("permissions")?),
        image_url: None,
        is_administrator: None,
        grants: None,
    })
}

fn account_from_row(row: &Row<'_>) -> Result<StoredAccount, StoreError> {
    Ok(StoredAccount {
        user: user_from_row(row)?,
        is_disabled: row.get("is_disabled")?,
        one_time_until: row.get("one_time_until")?,
        created_at: row.get("created_at")?,
    })
}
