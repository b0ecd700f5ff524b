//! Queries and statements of a transaction. Their text is valid for both engines: parameters are `?1`, `?2` and so on, and
//! a few functions of SQLite that have no standard name are defined in the schema for PostgreSQL.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ToSql, params_from_iter};

use super::parameter::Parameter;
use super::row::{FromCell, Row};
use super::{Connection, StoreError, Transaction};
use crate::number::to_u64;

/// Receives each row of a result. Returns false to end the query.
pub(super) type RowVisitor<'v> = &'v mut dyn FnMut(&Row<'_>) -> Result<bool, StoreError>;

impl Transaction<'_> {
    /// Calls `visit` with each row until it returns false. Rows are read one at a time. `visit` must not use the
    /// transaction.
    ///
    /// # Errors
    /// See [`StoreError`]. Also returns the errors of `visit`.
    pub(crate) fn visit_rows(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        visit: RowVisitor<'_>,
    ) -> Result<(), StoreError> {
        match self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                let mut rows = statement.query(params_from_iter(parameters))?;
                while let Some(row) = rows.next()? {
                    if !visit(&Row::Sqlite(row))? {
                        break;
                    }
                }
                Ok(())
            }
            Connection::Postgres(session) => session.visit_rows(sql, parameters, visit),
        }
    }

    /// Returns what `read` returns for each row, as a list or another collection.
    pub(crate) fn query<T, C: Default + Extend<T>>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<C, StoreError> {
        let mut items = C::default();
        self.visit_rows(sql, parameters, &mut |row| {
            items.extend(Some(read(row)?));
            Ok(true)
        })?;
        Ok(items)
    }

    /// Returns what `read` returns for the first row; `None` if there is no row.
    pub(crate) fn query_first<T>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut first = None;
        self.visit_rows(sql, parameters, &mut |row| {
            first = Some(read(row)?);
            Ok(false)
        })?;
        Ok(first)
    }

    /// Returns the first column of the first row; `None` if there is no row.
    pub(crate) fn find_value<T: for<'r> FromCell<'r>>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<T>, StoreError> {
        let mut value = None;
        self.visit_rows(sql, parameters, &mut |row| {
            value = Some(row.get(0)?);
            Ok(false)
        })?;
        Ok(value)
    }

    /// Returns the first column of the only row.
    ///
    /// # Errors
    /// See [`Self::visit_rows`]. Also fails if there is no row.
    pub(crate) fn query_value<T: for<'r> FromCell<'r>>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<T, StoreError> {
        let missing = || StoreError::Database { fault: None, cause: "the query returned no row".into() };
        self.find_value(sql, parameters)?.ok_or_else(missing)
    }

    /// Runs a statement and returns the number of rows that it changed.
    pub(crate) fn execute(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<u64, StoreError> {
        match self.connection {
            Connection::Sqlite(connection) => {
                let changed = connection.prepare_cached(sql)?.execute(params_from_iter(parameters))?;
                Ok(to_u64(changed))
            }
            Connection::Postgres(session) => session.execute(sql, parameters),
        }
    }

    /// Runs a statement with each list of parameters, all of the same types.
    pub(super) fn execute_lists(&self, sql: &str, lists: &[Vec<Parameter<'_>>]) -> Result<(), StoreError> {
        match self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                for parameters in lists {
                    statement.execute(params_from_iter(parameters))?;
                }
            }
            Connection::Postgres(session) => {
                session.execute_each(sql, lists)?;
            }
        }
        Ok(())
    }

    /// Runs a statement with each list of parameters, and returns the number of rows that were changed. PostgreSQL gets
    /// many of them at once, and U+0000 in them is replaced: one invalid name must not prevent the other rows.
    pub(crate) fn execute_each<'v, const N: usize>(
        &self,
        sql: &str,
        mut lists: impl Iterator<Item = Result<[Parameter<'v>; N], StoreError>>,
    ) -> Result<u64, StoreError> {
        match self.connection {
            Connection::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                lists.try_fold(0, |changed, parameters| {
                    let more = statement.execute(params_from_iter(&parameters?))?;
                    Ok(changed + to_u64(more))
                })
            }
            Connection::Postgres(session) => {
                let to_storable = |list: [Parameter<'v>; N]| list.map(Parameter::without_nul).to_vec();
                let lists = lists.map(|list| list.map(to_storable)).collect::<Result<Vec<_>, _>>()?;
                session.execute_each(sql, &lists)
            }
        }
    }
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Integer(Some(number)) => ValueRef::Integer(*number),
            Self::Boolean(Some(is_true)) => ValueRef::Integer(i64::from(*is_true)),
            Self::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
            Self::Text(None) | Self::Integer(None) | Self::Boolean(None) | Self::Bytes(None) => {
                ValueRef::Null
            }
        }))
    }
}
