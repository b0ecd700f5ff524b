//! The rows of users who sign in with a password.

use crate::api::{Permission, User};
use crate::database::{Row, StoreError, Transaction, params};
use crate::flags::auth::users::NewUser;

pub(super) const COLUMNS: &str = "users.name, users.full_name, users.email, users.permissions";

impl Transaction<'_> {
    /// Returns all users, sorted by name.
    pub(crate) fn list_users(&self) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users ORDER BY lower(name)");
        self.query(&sql, &[], user_from_row)
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
            "INSERT INTO users (name, full_name, email, password_hash, permissions, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                &new.user.username,
                &new.user.name,
                &new.user.email,
                new.password_hash,
                serde_json::to_string(&new.user.permissions.as_deref().unwrap_or_default())?,
                new.now
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

    /// Replaces a user's password hash. Returns false if the user does not exist.
    pub(crate) fn set_password_hash(&self, name: &str, password_hash: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET password_hash = ?2 WHERE lower(name) = ?1";
        Ok(self.execute(sql, params![name.to_ascii_lowercase(), password_hash])? > 0)
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
