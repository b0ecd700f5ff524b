//! The rows of those who sign in with a password.

use rusqlite::{OptionalExtension as _, Row, named_params};

use super::{Session, StoreError};
use crate::flags::model::{Permission, User};

const COLUMNS: &str = "users.name, users.full_name, users.email, users.permissions";

/// A user who is about to be added.
#[derive(Debug)]
pub struct NewUser<'u> {
    /// Name, email and permissions.
    pub user: &'u User,
    /// A PHC string.
    pub password_hash: &'u str,
    /// When: RFC 3339 in UTC.
    pub now: &'u str,
}

impl Session<'_> {
    /// Everybody, by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn users(&self) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users ORDER BY name");
        self.connection.prepare_cached(&sql)?.query_and_then([], user)?.collect()
    }

    /// Whether there is anybody.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_users(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users)";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    /// One user; case does not count in names.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE name = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([name], user)?.next().transpose()
    }

    /// Whether a user has this email.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_email(&self, email: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE email = ?1)";
        Ok(self.connection.prepare_cached(sql)?.query_row([email], |row| row.get(0))?)
    }

    /// The stored hash of a user's password.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn password_hash(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT password_hash FROM users WHERE name = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Adds a user.
    ///
    /// # Errors
    /// See [`StoreError`]; a name or an email that is taken is one.
    pub fn insert_user(&self, new: &NewUser<'_>) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "INSERT INTO users (name, full_name, email, password_hash, permissions, created_at)
                 VALUES (:name, :full_name, :email, :password_hash, :permissions, :created_at)",
            )?
            .execute(named_params! {
                ":name": new.user.username,
                ":full_name": new.user.name,
                ":email": new.user.email,
                ":password_hash": new.password_hash,
                ":permissions": serde_json::to_string(&new.user.permissions.as_deref().unwrap_or_default())?,
                ":created_at": new.now,
            })?;
        Ok(())
    }

    /// Replaces a user's permissions. Answers whether there is such a user.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_permissions(&self, name: &str, permissions: &[Permission]) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET permissions = ?2 WHERE name = ?1";
        let permissions = serde_json::to_string(permissions)?;
        Ok(self.connection.prepare_cached(sql)?.execute((name, permissions))? > 0)
    }

    /// Replaces a user's password and ends the sessions that began with the old one. Answers whether there is such a
    /// user.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_password_hash(&self, name: &str, password_hash: &str) -> Result<bool, StoreError> {
        self.connection.prepare_cached("DELETE FROM sessions WHERE user = ?1")?.execute([name])?;
        let sql = "UPDATE users SET password_hash = ?2 WHERE name = ?1";
        Ok(self.connection.prepare_cached(sql)?.execute((name, password_hash))? > 0)
    }

    /// Removes a user, and with them their sessions. Answers whether there was one.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_user(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM users WHERE name = ?1")?.execute([name])? > 0)
    }
}

/// Reads the columns of a user, also out of a wider row.
pub(super) fn user(row: &Row<'_>) -> Result<User, StoreError> {
    let permissions: String = row.get("permissions")?;
    Ok(User {
        username: row.get("name")?,
        name: row.get("full_name")?,
        email: row.get("email")?,
        permissions: Some(serde_json::from_str(&permissions)?),
        image_url: None,
    })
}
