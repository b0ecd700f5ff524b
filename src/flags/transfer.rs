//! Copies all data to an empty database, which may have the other engine, for `flagdeck move`.

use super::addons::secrets::Secrets;
use crate::database::transfer::{Content, Table};
use crate::database::{Store, StoreError, Transaction};
use crate::error::ApiError;

/// The table of the encrypted secrets of addons.
const SECRETS: &str = "addon_secrets";

/// A database, and the encryption of its secrets.
#[derive(Debug)]
pub struct KeyedStore {
    /// The open database.
    pub store: Store,
    /// The encryption of the secrets of addons.
    pub secrets: Secrets,
}

/// The result of a transfer.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TransferSummary {
    /// The number of tables.
    pub tables: usize,
    /// The number of rows.
    pub rows: u64,
    /// The number of secrets of addons among the rows.
    pub secrets: u64,
    /// The number of texts in which U+0000 was replaced, because PostgreSQL cannot store it.
    pub replaced: usize,
}

/// The reason why a transfer is refused. The target is then empty as before, unless it contained data.
#[derive(Debug, thiserror::Error)]
enum TransferError {
    #[error("the target contains data in the table {0}, and was not changed; move into an empty database")]
    NotEmpty(&'static str),
    #[error("the table {table} cannot be copied, and the target is still empty: {cause}")]
    Table { table: &'static str, cause: StoreError },
    #[error("the table {0} of the target differs from the source after the copy, which was undone")]
    Differs(&'static str),
    #[error(
        "the source was changed during the move, and the target is still empty; stop the server of the source first"
    )]
    SourceChanged,
}

impl From<TransferError> for ApiError {
    fn from(cause: TransferError) -> Self {
        Self::internal(cause)
    }
}

/// Copies all data to an empty database in one transaction, and compares the result. Reads one snapshot of the source.
/// `report` receives the names of tables and the numbers of their copied rows.
///
/// # Errors
/// [`ApiError::Internal`] if the target contains data, if a table cannot be copied, or if the source was changed meanwhile;
/// [`ApiError::Domain`] if a secret cannot be decrypted or encrypted.
pub(crate) fn transfer(
    source: &KeyedStore,
    target: &KeyedStore,
    report: &mut dyn FnMut(&str, u64),
) -> Result<TransferSummary, ApiError> {
    target.store.write(|to| {
        if let Some(table) = to.find_table_with_data()? {
            return Err(TransferError::NotEmpty(table).into());
        }
        let mut summary = TransferSummary { tables: 1, ..TransferSummary::default() };
        let (snapshot, copied) = source.store.read(|from| {
            let snapshot = from.read_snapshot_id(0)?;
            let copied = copy_tables(from, to, &mut summary, report)?;
            summary.secrets = copy_secrets(from, &source.secrets, to, &target.secrets)?;
            summary.rows += summary.secrets;
            report(SECRETS, summary.secrets);
            Ok((snapshot, copied))
        })?;
        // After the last table, because a row of a later one could change an earlier one.
        for (table, content) in copied {
            if table.read_content(to)? != content {
                return Err(TransferError::Differs(table.name).into());
            }
        }
        if source.store.read(|from| Ok(from.read_snapshot_id(0)?))? != snapshot {
            return Err(TransferError::SourceChanged.into());
        }
        Ok(summary)
    })
}

/// Copies all tables except the one with secrets, and returns their contents.
fn copy_tables(
    from: &Transaction<'_>,
    to: &Transaction<'_>,
    summary: &mut TransferSummary,
    report: &mut dyn FnMut(&str, u64),
) -> Result<Vec<(Table, Content)>, ApiError> {
    let mut copied = Vec::new();
    for table in Table::list(to)? {
        let outcome = table.copy(from, to, report);
        let (content, replaced) =
            outcome.map_err(|cause| TransferError::Table { table: table.name, cause })?;
        summary.tables += 1;
        summary.rows += content.rows;
        summary.replaced += replaced;
        copied.push((table, content));
    }
    Ok(copied)
}

/// Copies the secrets of addons: decrypts them with the key of the source, and encrypts them with the key of the target.
fn copy_secrets(
    from: &Transaction<'_>,
    source_key: &Secrets,
    to: &Transaction<'_>,
    target_key: &Secrets,
) -> Result<u64, ApiError> {
    let mut copied = 0;
    for (addon, name, sealed) in from.list_secrets()? {
        let secret = source_key.decrypt(addon, &name, &sealed)?;
        to.save_secret(addon, &name, &target_key.encrypt(addon, &name, &secret)?)?;
        let stored = to.find_secret(addon, &name)?.unwrap_or_default();
        if target_key.decrypt(addon, &name, &stored)? != secret {
            return Err(TransferError::Differs(SECRETS).into());
        }
        copied += 1;
    }
    Ok(copied)
}
