//! Copies the rows of all tables to a database of the same schema, which may have the other engine.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::dialect::{ColumnType, has_nul, without_nul};
use super::parameter::Parameter;
use super::row::{Cell, FromCell};
use super::{StoreError, Transaction};

/// The tables with the columns of their primary keys. A table follows the tables to which its rows refer. The secrets of
/// addons are not listed, because each database encrypts them with a key of its own, nor is the state of running processes:
/// `sign_in_attempts` and `counted_minutes`.
const TABLES: [(&str, &[&str]); 24] = [
    ("instance", &["id"]),
    ("projects", &["id"]),
    ("strategies", &["name"]),
    ("context_fields", &["name"]),
    ("segments", &["id"]),
    ("tag_types", &["name"]),
    ("tags", &["type", "value"]),
    ("toggles", &["name"]),
    ("toggle_tags", &["toggle", "type", "value"]),
    ("events", &["id"]),
    ("addons", &["id"]),
    ("deliveries", &["id"]),
    ("users", &["name"]),
    ("identities", &["issuer", "subject"]),
    ("sessions", &["token_hash"]),
    ("api_tokens", &["name"]),
    ("applications", &["name"]),
    ("instances", &["application", "id"]),
    ("toggle_uses", &["application", "toggle"]),
    ("toggle_counts", &["minute", "toggle"]),
    ("counted_uses", &["id"]),
    ("minute_counts", &["minute", "use_id"]),
    ("hour_counts", &["hour", "use_id"]),
    ("holds", &["id"]),
];

/// The tables into which the schema inserts rows. Each change of such a row has an event.
const WITH_INITIAL_ROWS: [&str; 5] = ["instance", "projects", "strategies", "context_fields", "tag_types"];
/// The tables whose ids the database assigns, in ascending order.
const WITH_ASSIGNED_IDS: [&str; 4] = ["events", "addons", "deliveries", "counted_uses"];

/// The number of rows that are read and written at once.
const PAGE: usize = 256;
/// The number of rows of a table after which its progress is reported.
const REPORTED: u64 = 400 * 256;

/// A table, with the columns that it has in the target.
#[derive(Debug)]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    key: &'static [&'static str],
    /// The columns of the key come first.
    columns: Vec<(String, ColumnType)>,
}

/// The content of a table. Equal contents have the same rows; their order does not matter.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// The number of rows.
    pub rows: u64,
    /// The sum of the hashes of all rows.
    checksum: u64,
}

/// A value of a row.
#[derive(Debug, Clone, Hash)]
enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The rows of a page.
type Page = Vec<Vec<Value>>;

impl Transaction<'_> {
    /// Returns the name of a table that contains data. Rows that the schema inserts do not count.
    pub(crate) fn find_table_with_data(&self) -> Result<Option<&'static str>, StoreError> {
        for name in TABLES.map(|(name, _)| name).into_iter().filter(|name| !WITH_INITIAL_ROWS.contains(name))
        {
            let first: Option<i64> = self.find_value(&format!("SELECT 1 FROM {name} LIMIT 1"), &[])?;
            if first.is_some() {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

impl Table {
    /// Returns all tables except the one with the secrets of addons, in the order in which they must be copied.
    pub(crate) fn list(target: &Transaction<'_>) -> Result<Vec<Self>, StoreError> {
        let table = |&(name, key): &(&'static str, &'static [&'static str])| {
            let mut columns = target.list_columns(name)?;
            columns
                .sort_by_key(|(column, _)| key.iter().position(|part| part == column).unwrap_or(key.len()));
            Ok(Self { name, key, columns })
        };
        TABLES.iter().map(table).collect()
    }

    /// Replaces the rows of the target by the rows of the source. Returns them, and the number of texts in which U+0000 was
    /// replaced, because PostgreSQL cannot store it. Ids that the target assigns from then on follow the ids of the source.
    /// `report` receives the number of copied rows.
    pub(crate) fn copy(
        &self,
        source: &Transaction<'_>,
        target: &Transaction<'_>,
        report: &mut dyn FnMut(&str, u64),
    ) -> Result<(Content, usize), StoreError> {
        let Self { name, columns, .. } = self;
        target.execute(&format!("DELETE FROM {name}"), &[])?;
        let names = quote(columns.iter().map(|(column, _)| column.as_str()));
        let insert = format!("INSERT INTO {name} ({names}) VALUES ({})", placeholders(columns.len()));
        let (mut content, mut replaced) = (Content::default(), 0);
        self.visit_pages(source, &mut |mut page| {
            if !target.can_store_nul() {
                for value in page.iter_mut().flatten() {
                    replaced += usize::from(value.replace_nul());
                }
            }
            content.add(&page);
            let lists = page.iter().map(|row| {
                row.iter().zip(columns).map(|(value, (_, kind))| value.to_parameter(*kind)).collect()
            });
            target.execute_lists(&insert, &lists.collect::<Vec<Vec<_>>>())?;
            if content.rows.is_multiple_of(REPORTED) {
                report(name, content.rows);
            }
            Ok(())
        })?;
        if WITH_ASSIGNED_IDS.contains(name) {
            target.set_last_id(name, source.read_last_id(name)?)?;
        }
        report(name, content.rows);
        Ok((content, replaced))
    }

    /// Returns the rows of the table.
    pub(crate) fn read_content(&self, tx: &Transaction<'_>) -> Result<Content, StoreError> {
        let mut content = Content::default();
        self.visit_pages(tx, &mut |page| {
            content.add(&page);
            Ok(())
        })?;
        Ok(content)
    }

    /// Calls `visit` with all rows in the order of the key. Pages limit the memory: the client of PostgreSQL reads a whole
    /// result.
    fn visit_pages(
        &self,
        tx: &Transaction<'_>,
        visit: &mut dyn FnMut(Page) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Self { name, key, columns } = self;
        let names = quote(columns.iter().map(|(column, _)| column.as_str()));
        let order = quote(key.iter().copied());
        let after = format!("WHERE ({order}) > ({})", placeholders(key.len()));
        let mut last: Vec<Value> = Vec::new();
        loop {
            let after = if last.is_empty() { "" } else { after.as_str() };
            let sql = format!("SELECT {names} FROM {name} {after} ORDER BY {order} LIMIT {PAGE}");
            let start = last.iter().map(|value| value.to_parameter(ColumnType::Text));
            let page = tx.query::<Vec<Value>, Page>(&sql, &start.collect::<Vec<_>>(), |row| {
                (0..columns.len()).map(|index| row.get(index)).collect()
            })?;
            let Some(end) = page.last() else { return Ok(()) };
            last = end.iter().take(key.len()).cloned().collect();
            visit(page)?;
        }
    }
}

impl Content {
    fn add(&mut self, page: &[Vec<Value>]) {
        for row in page {
            let mut hasher = DefaultHasher::new();
            row.hash(&mut hasher);
            self.rows += 1;
            self.checksum = self.checksum.wrapping_add(hasher.finish());
        }
    }
}

impl Value {
    /// Replaces U+0000. Returns whether it was in the text.
    fn replace_nul(&mut self) -> bool {
        match self {
            Self::Text(text) if has_nul(text) => {
                *text = without_nul(text);
                true
            }
            _ => false,
        }
    }

    fn to_parameter(&self, kind: ColumnType) -> Parameter<'_> {
        match (self, kind) {
            (Self::Integer(number), ColumnType::Boolean) => Parameter::Boolean(Some(*number != 0)),
            (Self::Integer(number), _) => Parameter::Integer(Some(*number)),
            (Self::Text(text), _) => text.into(),
            (Self::Bytes(bytes), _) => bytes.as_slice().into(),
            (Self::Null, ColumnType::Boolean) => Parameter::Boolean(None),
            (Self::Null, ColumnType::Integer) => Parameter::Integer(None),
            (Self::Null, ColumnType::Bytes) => Parameter::Bytes(None),
            (Self::Null, ColumnType::Text) => Parameter::Text(None),
        }
    }
}

impl FromCell<'_> for Value {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        Some(match cell {
            Cell::Null => Self::Null,
            Cell::Integer(number) => Self::Integer(number),
            Cell::Text(text) => Self::Text(text.to_owned()),
            Cell::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
        })
    }
}

/// Returns a list of names for a statement. Some of them are keywords.
fn quote<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns a list of this number of parameters for a statement.
fn placeholders(count: usize) -> String {
    (1..=count).map(|number| format!("?{number}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TABLES, Table};
    use crate::config::DataLocation;
    use crate::database::Store;

    #[test]
    fn all_tables_and_keys_of_the_schema_are_listed() {
        let store = Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap();
        let read = |sql: &str| {
            store.read(|tx| Ok(tx.query::<String, BTreeSet<_>>(sql, &[], |row| row.get(0))?)).unwrap()
        };
        let mut listed: BTreeSet<_> = TABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        listed.extend(["addon_secrets", "sign_in_attempts", "counted_minutes"].map(str::to_owned));
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
        assert_eq!(listed, read(tables));
        for (name, key) in TABLES {
            let found = read(&format!("SELECT name FROM pragma_table_info('{name}') WHERE pk > 0"));
            assert_eq!(found, key.iter().map(|part| (*part).to_owned()).collect::<BTreeSet<_>>(), "{name}");
        }
    }

    #[test]
    fn content_changes_with_a_value() {
        let store = Store::open(&DataLocation::Memory, |_, _| Ok(())).unwrap();
        let outcome = store.write(|tx| {
            for table in Table::list(tx)?.iter().filter(|table| table.name == "projects") {
                let content = table.read_content(tx)?;
                tx.execute("UPDATE projects SET description = NULL", &[])?;
                let changed = table.read_content(tx)?;
                assert_eq!(changed.rows, content.rows);
                assert_ne!(changed, content);
            }
            Ok(())
        });
        outcome.unwrap();
    }
}
