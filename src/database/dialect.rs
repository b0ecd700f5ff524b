//! The differences between the engines that the text of a statement cannot hide.

use jiff::Timestamp;

use super::{Connection, StoreError, Transaction, params};

/// The type of a column, as far as a parameter for it must have another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// An integer.
    Integer,
    /// A truth value. SQLite stores integers instead.
    Boolean,
    /// Bytes.
    Bytes,
    /// A text.
    Text,
}

/// The identity of the snapshot that a transaction reads. Equal ids mean equal data; different ids may also have equal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotId {
    /// The number of the connection: SQLite counts `data_version` separately for each connection. 0 with PostgreSQL.
    connection: usize,
    /// Changes when another connection commits, also a connection of another process.
    data_version: i64,
    /// The number of commits of this process: `data_version` of SQLite does not count a connection's own commits. 0 with
    /// PostgreSQL.
    commits: u64,
}

impl SnapshotId {
    /// Returns whether both ids were read on the same connection.
    #[must_use]
    pub fn is_same_connection(&self, other: &Self) -> bool {
        self.connection == other.connection
    }
}

impl Transaction<'_> {
    /// Returns the id of the snapshot that this transaction reads. `commits` is the value of [`super::Store::commits`]
    /// before the transaction began.
    pub(crate) fn read_snapshot_id(&self, commits: u64) -> Result<SnapshotId, StoreError> {
        match self.connection {
            Connection::Sqlite(_) => {
                // As the first query of a transaction, this also starts its snapshot.
                let data_version = self.query_value("PRAGMA data_version", &[])?;
                Ok(SnapshotId { connection: self.connection_number, data_version, commits })
            }
            Connection::Postgres(_) => {
                // Every write transaction increments it.
                let data_version = self.query_value("SELECT commits FROM database_version", &[])?;
                Ok(SnapshotId { connection: 0, data_version, commits: 0 })
            }
        }
    }

    /// Returns whether other processes may use the database at the same time.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.connection, Connection::Postgres(_))
    }

    /// Returns the time in milliseconds since 1970. With PostgreSQL it is the time of the server, so that all processes have
    /// the same clock.
    pub(crate) fn now_milliseconds(&self) -> Result<i64, StoreError> {
        match self.connection {
            Connection::Sqlite(_) => Ok(Timestamp::now().as_millisecond()),
            Connection::Postgres(_) => {
                self.query_value("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", &[])
            }
        }
    }

    /// Returns whether texts can contain U+0000.
    pub(super) fn can_store_nul(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(_))
    }

    /// Returns the names and types of the columns of a table, sorted by name.
    pub(super) fn list_columns(&self, table: &str) -> Result<Vec<(String, ColumnType)>, StoreError> {
        let sql = match self.connection {
            Connection::Sqlite(_) => "SELECT name, lower(type) FROM pragma_table_info(?1) ORDER BY name",
            Connection::Postgres(_) => {
                "SELECT column_name::text, data_type::text FROM information_schema.columns
                 WHERE table_schema = current_schema() AND table_name = ?1 ORDER BY 1"
            }
        };
        self.query(sql, params![table], |row| {
            let kind = match row.get::<&str>(1)? {
                "integer" | "bigint" => ColumnType::Integer,
                "boolean" => ColumnType::Boolean,
                "blob" | "bytea" => ColumnType::Bytes,
                _ => ColumnType::Text,
            };
            Ok((row.get::<String>(0)?, kind))
        })
    }

    /// Returns the last id that the database assigned in a table, 0 without one. The row may have been deleted.
    pub(super) fn read_last_id(&self, table: &str) -> Result<i64, StoreError> {
        match self.connection {
            Connection::Sqlite(_) => {
                let sql = format!(
                    "SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), 0),
                                coalesce((SELECT max(id) FROM {table}), 0))"
                );
                self.query_value(&sql, params![table])
            }
            Connection::Postgres(_) => {
                let sql =
                    "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(?1, 'id')::regclass), 0)";
                self.query_value(sql, params![table])
            }
        }
    }

    /// Makes the database assign higher ids than `last` in a table.
    pub(super) fn set_last_id(&self, table: &str, last: i64) -> Result<(), StoreError> {
        if last == 0 {
            return Ok(());
        }
        match self.connection {
            Connection::Sqlite(_) => {
                self.execute("DELETE FROM sqlite_sequence WHERE name = ?1", params![table])?;
                // Without AUTOINCREMENT, the next id follows the highest one.
                let sql = "INSERT INTO sqlite_sequence (name, seq) SELECT name, ?2 FROM sqlite_schema
                           WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%'";
                self.execute(sql, params![table, last])?;
            }
            Connection::Postgres(_) => {
                let sql = "SELECT setval(pg_get_serial_sequence(?1, 'id')::regclass, ?2)";
                self.query_value::<i64>(sql, params![table, last])?;
            }
        }
        Ok(())
    }
}

/// Converts the parameters of a statement for PostgreSQL: `?1` becomes `$1`. Question marks in literals stay.
pub(super) fn to_postgres(sql: &str) -> String {
    let mut is_literal = false;
    let mut converted = String::with_capacity(sql.len());
    let mut characters = sql.chars().peekable();
    while let Some(character) = characters.next() {
        is_literal ^= character == '\'';
        let is_parameter =
            character == '?' && !is_literal && characters.peek().is_some_and(char::is_ascii_digit);
        converted.push(if is_parameter { '$' } else { character });
    }
    converted
}

/// Returns whether PostgreSQL cannot store a text, or cannot read the JSON in it: U+0000 has no place in its texts, not
/// even as an escape sequence in JSON whose values a query reads.
pub(super) fn has_nul(text: &str) -> bool {
    if text.contains('\0') {
        return true;
    }
    if !text.starts_with(['[', '{']) {
        return false;
    }
    // An escaped backslash before `u0000` is not an escape sequence of U+0000.
    text.match_indices("\\u0000").any(|(index, _)| {
        let before = text.get(..index).unwrap_or_default();
        (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
    })
}

/// Replaces U+0000 in a text that PostgreSQL cannot store.
pub(super) fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}").replace("\\u0000", "\\ufffd")
}

#[cfg(test)]
mod tests {
    use super::{has_nul, to_postgres, without_nul};

    #[test]
    fn converts_parameters_outside_literals() {
        for (sql, converted) in [
            ("SELECT ?1, ?12 WHERE a = ?1", "SELECT $1, $12 WHERE a = $1"),
            ("SELECT '?1', 'it''s ?1', ?1", "SELECT '?1', 'it''s ?1', $1"),
            ("SELECT ? LIMIT 1", "SELECT ? LIMIT 1"),
        ] {
            assert_eq!(to_postgres(sql), converted);
        }
    }

    #[test]
    fn finds_nul_in_text_and_in_json() {
        for (text, expected) in [
            ("a\0", true),
            (r"\u0000", false),
            (r#"["\u0000"]"#, true),
            (r#"["\\u0000"]"#, false),
            (r#"{"a":"\\\u0000"}"#, true),
            (r#"["\u0001"]"#, false),
        ] {
            assert_eq!(has_nul(text), expected, "{text}");
            assert!(!has_nul(&without_nul(text)), "{text}");
        }
    }
}
