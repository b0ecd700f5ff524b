//! The rows of persons whom an identity provider has identified.

use super::users;
use crate::api::User;
use crate::database::{Row, StoreError, Transaction, params};
use crate::flags::auth::ProviderUser;
use crate::flags::auth::identities::Identity;

const SELECT: &str =
    "SELECT issuer, subject, full_name, email, signed_in_at, \"user\" AS account FROM identities";

impl Transaction<'_> {
    /// Stores that a person has signed in at `now`, with the newest name and email address.
    pub(crate) fn save_identity(&self, user: &ProviderUser, now: i64) -> Result<(), StoreError> {
        let ProviderUser { issuer, subject, name, email, .. } = user;
        self.execute(
            "INSERT INTO identities (issuer, subject, full_name, email, signed_in_at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (issuer, subject) DO UPDATE SET full_name = excluded.full_name,
                 email = excluded.email, signed_in_at = excluded.signed_in_at",
            params![issuer, subject, name.as_deref(), email.as_deref(), now],
        )?;
        Ok(())
    }

    /// Deletes persons without an account who have not signed in since this time.
    pub(crate) fn delete_old_identities(&self, before: i64) -> Result<(), StoreError> {
        let sql = "DELETE FROM identities WHERE \"user\" IS NULL AND signed_in_at < ?1";
        self.execute(sql, params![before])?;
        Ok(())
    }

    /// Returns all persons, the last sign-in first.
    pub(crate) fn list_identities(&self) -> Result<Vec<Identity>, StoreError> {
        let sql = format!("{SELECT} ORDER BY coalesce(signed_in_at, 0) DESC, issuer, subject");
        self.query(&sql, &[], identity_from_row)
    }

    /// Returns the persons with this id at this provider, or at any provider without one.
    pub(crate) fn find_identities(
        &self,
        subject: &str,
        issuer: Option<&str>,
    ) -> Result<Vec<Identity>, StoreError> {
        let sql = format!("{SELECT} WHERE subject = ?1 AND issuer = coalesce(?2, issuer) ORDER BY issuer");
        self.query(&sql, params![subject, issuer], identity_from_row)
    }

    /// Returns the account to which a person is linked.
    pub(crate) fn find_linked_user(&self, issuer: &str, subject: &str) -> Result<Option<User>, StoreError> {
        let columns = users::COLUMNS;
        let sql = format!(
            "SELECT {columns} FROM identities JOIN users ON users.name = identities.\"user\"
             WHERE issuer = ?1 AND subject = ?2"
        );
        self.query_first(&sql, params![issuer, subject], users::user_from_row)
    }

    /// Links a person, who may not have signed in yet, to an account.
    pub(crate) fn link_identity(&self, issuer: &str, subject: &str, name: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO identities (issuer, subject, \"user\") VALUES (?1, ?2, ?3)
                   ON CONFLICT (issuer, subject) DO UPDATE SET \"user\" = excluded.\"user\"";
        self.execute(sql, params![issuer, subject, name])?;
        Ok(())
    }

    /// Removes the links of an account to the person with this id, or to all persons without one. Returns their number.
    pub(crate) fn unlink_identities(&self, name: &str, subject: Option<&str>) -> Result<u64, StoreError> {
        let name = name.to_ascii_lowercase();
        let sql = "UPDATE identities SET \"user\" = NULL
                   WHERE lower(\"user\") = ?1 AND subject = coalesce(?2, subject)";
        let unlinked = self.execute(sql, params![name, subject])?;
        self.execute("DELETE FROM identities WHERE \"user\" IS NULL AND signed_in_at IS NULL", &[])?;
        Ok(unlinked)
    }
}

fn identity_from_row(row: &Row<'_>) -> Result<Identity, StoreError> {
    Ok(Identity {
        issuer: row.get("issuer")?,
        subject: row.get("subject")?,
        name: row.get("full_name")?,
        email: row.get("email")?,
        signed_in_at: row.get("signed_in_at")?,
        account: row.get("account")?,
    })
}
