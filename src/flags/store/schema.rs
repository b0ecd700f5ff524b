//! The schema's history. A step that was released is never edited; changes are further steps.

use rusqlite_migration::{M, Migrations};

/// Every step from an empty database to what this version reads.
pub(super) const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The version of a database that has taken every step.
pub(super) const fn newest() -> usize {
    STEPS.len()
}

const STEPS: &[M<'static>] = &[
    M::up(include_str!("schema/01-toggles-and-events.sql")),
    M::up(include_str!("schema/02-built-in-strategies-and-context.sql")),
    M::up(include_str!("schema/03-what-applications-report.sql")),
    M::up(include_str!("schema/04-tags.sql")),
    M::up(include_str!("schema/05-projects.sql")),
    M::up(include_str!("schema/06-users-sessions-and-tokens.sql")),
    M::up(include_str!("schema/07-addons.sql")),
];

#[cfg(test)]
mod tests {
    use super::MIGRATIONS;

    #[test]
    fn every_step_can_be_taken() {
        MIGRATIONS.validate().unwrap();
    }
}
