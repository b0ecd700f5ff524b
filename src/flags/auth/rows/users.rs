//! The rows of users who sign in with a password.

use rusqlite::{OptionalExtension as _, Row, named_params};

use crate::flags::auth::users::NewUser;
use crate::flags::database::{StoreError, Transaction};
use crate::flags::model::{Permission, User};

const COLUMNS: &str = "users.name, users.full_name, users.email, users.permissions";

impl Transaction<'_> {
    /// Returns all users, sorted by name.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_users(&self) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users ORDER BY name");
        self.connection.prepare_cached(&sql)?.query_and_then([], user_from_row)?.collect()
    }

    /// Returns whether any user exists.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_users(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users)";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    /// Returns a user. Names are case-insensitive.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE name = ?1");
        self.connection.prepare_cached(&sql)?.query_and_then([name], user_from_row)?.next().transpose()
    }

    /// Returns whether a user has this email address.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn has_email(&self, email: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE email = ?1)";
        Ok(self.connection.prepare_cached(sql)?.query_row([email], |row| row.get(0))?)
    }

    /// Returns the password hash of a user as a PHC string.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn find_password_hash(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT password_hash FROM users WHERE name = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Inserts a user.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name or the email address is taken.
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

    /// Replaces a user's permissions. Returns false if the user does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_permissions(&self, name: &str, permissions: &[Permission]) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET permissions = ?2 WHERE name = ?1";
        let permissions = serde_json::to_string(permissions)?;
        Ok(self.connection.prepare_cached(sql)?.execute((name, permissions))? > 0)
    }

    /// Replaces a user's password hash. Returns false if the user does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn set_password_hash(&self, name: &str, password_hash: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE users SET password_hash = ?2 WHERE name = ?1";
        Ok(self.connection.prepare_cached(sql)?.execute((name, password_hash))? > 0)
    }

    /// Deletes a user and the user's sessions. Returns false if the user does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn delete_user(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.connection.prepare_cached("DELETE FROM users WHERE name = ?1")?.execute([name])? > 0)
    }
}

/// Reads the columns of a user from a row, which may have other columns too.
pub(super) fn user_from_row(row: &Row<'_>) -> Result<User, StoreError> {
    let permissions: String = row.get("permissions")?;
    Ok(User {
        username: row.get("name")?,
        name: row.get("full_name")?,
        email: row.get("email")?,
        permissions: Some(serde_json::from_str(&permissions)?),
        image_url: None,
    })
}
