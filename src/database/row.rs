//! The rows that queries return, in the types of either engine.

use rusqlite::types::ValueRef;
use serde::Deserialize;

use super::StoreError;

/// A row of the result of a query. Its values borrow from the engine: reading a row copies nothing.
#[derive(Debug, Clone, Copy)]
pub enum Row<'r> {
    /// A row of SQLite.
    Sqlite(&'r rusqlite::Row<'r>),
    /// A row of PostgreSQL.
    Postgres(&'r tokio_postgres::Row),
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell<'r> {
    /// Null.
    Null,
    /// An integer, or a truth value: 1 or 0.
    Integer(i64),
    /// A text.
    Text(&'r str),
    /// Bytes.
    Bytes(&'r [u8]),
}

/// A column of a row. The index of a column saves the search for its name in each row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column<'n> {
    /// The name of the column.
    Name(&'n str),
    /// The index of the column; the first is 0.
    Index(usize),
}

impl<'n> From<&'n str> for Column<'n> {
    fn from(name: &'n str) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Column<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A type that can be read from a row.
pub(crate) trait FromCell<'r>: Sized {
    /// Converts the value. Returns `None` if it has another type.
    fn from_cell(cell: Cell<'r>) -> Option<Self>;
}

impl<'r> Row<'r> {
    /// Returns the value of a column.
    ///
    /// # Errors
    /// [`StoreError::Database`] if the row has no such column, or its value has another type.
    pub(crate) fn get<'n, T: FromCell<'r>>(&self, column: impl Into<Column<'n>>) -> Result<T, StoreError> {
        let column = column.into();
        T::from_cell(self.cell(column)?).ok_or_else(|| wrong_type(column))
    }

    /// Returns the value of a JSON column. Null is `null`.
    pub(crate) fn json<'n, T: Deserialize<'r>>(
        &self,
        column: impl Into<Column<'n>>,
    ) -> Result<T, StoreError> {
        let json: Option<&'r str> = self.get(column)?;
        Ok(serde_json::from_str(json.unwrap_or("null"))?)
    }

    fn cell(&self, column: Column<'_>) -> Result<Cell<'r>, StoreError> {
        match *self {
            Self::Sqlite(row) => {
                let value = match column {
                    Column::Name(name) => row.get_ref(name)?,
                    Column::Index(index) => row.get_ref(index)?,
                };
                cell_of_sqlite(value).ok_or_else(|| wrong_type(column))
            }
            Self::Postgres(row) => {
                let cell = match column {
                    Column::Name(name) => row.try_get(name),
                    Column::Index(index) => row.try_get(index),
                };
                // An error of this program, unlike the errors of statements.
                cell.map_err(|cause| StoreError::Database { fault: None, cause: cause.into() })
            }
        }
    }
}

fn cell_of_sqlite(value: ValueRef<'_>) -> Option<Cell<'_>> {
    Some(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Text(text) => Cell::Text(str::from_utf8(text).ok()?),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes),
        ValueRef::Real(_) => return None,
    })
}

fn wrong_type(column: Column<'_>) -> StoreError {
    let cause = format!("the column {column:?} has another type").into();
    StoreError::Database { fault: None, cause }
}

impl<'r> FromCell<'r> for &'r str {
    fn from_cell(cell: Cell<'r>) -> Option<Self> {
        if let Cell::Text(text) = cell { Some(text) } else { None }
    }
}

impl FromCell<'_> for String {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        <&str>::from_cell(cell).map(str::to_owned)
    }
}

impl FromCell<'_> for i64 {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Integer(number) = cell { Some(number) } else { None }
    }
}

impl FromCell<'_> for i32 {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell)?.try_into().ok()
    }
}

impl FromCell<'_> for u32 {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell)?.try_into().ok()
    }
}

impl FromCell<'_> for bool {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell).map(|number| number != 0)
    }
}

impl FromCell<'_> for Vec<u8> {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Bytes(bytes) = cell { Some(bytes.to_vec()) } else { None }
    }
}

impl<const N: usize> FromCell<'_> for [u8; N] {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Bytes(bytes) = cell { bytes.try_into().ok() } else { None }
    }
}

impl<'r, T: FromCell<'r>> FromCell<'r> for Option<T> {
    fn from_cell(cell: Cell<'r>) -> Option<Self> {
        if cell == Cell::Null { Some(None) } else { T::from_cell(cell).map(Some) }
    }
}
