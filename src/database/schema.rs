//! The schema as a list of migrations. The tables of a released migration are never edited; changes are new migrations.

use rusqlite_migration::{M, Migrations};

/// An encrypted secret: addon id, parameter name, ciphertext.
pub type StoredSecret = (i64, String, Vec<u8>);

/// Selects the [`StoredSecret`]s.
pub(crate) const LIST_SECRETS: &str =
    "SELECT addon, parameter, sealed FROM addon_secrets ORDER BY addon, parameter";

/// All migrations, from an empty database to the newest schema.
pub(super) const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// Returns the schema version of a database on which all migrations were run.
pub(super) const fn newest_version() -> usize {
    STEPS.len()
}

const STEPS: &[M<'static>] = &[
    M::up(include_str!("schema/01-toggles-and-events.sql")),
    M::up(include_str!("schema/02-built-in-strategies-and-context.sql")),
    M::up(include_str!("schema/03-reported-usage.sql")),
    M::up(include_str!("schema/04-tags.sql")),
    M::up(include_str!("schema/05-projects.sql")),
    M::up(include_str!("schema/06-users-sessions-and-tokens.sql")),
    M::up(include_str!("schema/07-addons.sql")),
    M::up(include_str!("schema/08-plain-descriptions.sql")),
    M::up(include_str!("schema/09-usage-history.sql")),
    M::up(include_str!("schema/10-segments-and-dependencies.sql")),
    M::up(include_str!("schema/11-token-scopes.sql")),
    M::up(include_str!("schema/12-api-of-instances.sql")),
    M::up(include_str!("schema/13-shared-state.sql")),
    M::up(include_str!("schema/14-provider-sessions.sql")),
    M::up(include_str!("schema/15-session-details.sql")),
    M::up(include_str!("schema/16-identities.sql")),
    M::up(include_str!("schema/17-holds.sql")),
    M::up(include_str!("schema/18-accounts.sql")),
];

#[cfg(test)]
mod tests {
    use super::MIGRATIONS;

    #[test]
    fn all_migrations_run() {
        MIGRATIONS.validate().unwrap();
    }
}
