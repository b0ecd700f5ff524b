//! The row with the id and the key of this installation.

use super::parameter::params;
use super::{Database, StoreError, Transaction};
use crate::error::ApiError;

/// Length of the key that signs plans, in bytes.
const PLAN_KEY_LENGTH: usize = 32;

/// The key that signs plans.
pub(crate) type PlanKey = [u8; PLAN_KEY_LENGTH];

impl Database {
    /// Returns the key that signs plans. All instances with this database use it; the first one generates it.
    ///
    /// # Errors
    /// [`ApiError::Storage`] if the database cannot be used.
    pub(crate) async fn plan_key(&self) -> Result<PlanKey, ApiError> {
        if let Some(key) = self.read(|tx| Ok(tx.find_plan_key()?)).await? {
            return Ok(key);
        }
        let mut new: PlanKey = [0; PLAN_KEY_LENGTH];
        getrandom::fill(&mut new).map_err(ApiError::internal)?;
        self.write(move |tx| {
            // Another instance may have generated one meanwhile.
            if let Some(key) = tx.find_plan_key()? {
                return Ok(key);
            }
            tx.execute("UPDATE instance SET plan_key = ?1", params![&new[..]])?;
            Ok(new)
        })
        .await
    }
}

impl Transaction<'_> {
    /// Returns the UUID of this installation, which was generated when the database was created.
    pub(crate) fn read_instance_id(&self) -> Result<String, StoreError> {
        self.query_value("SELECT id FROM instance", &[])
    }

    /// Returns the key that signs plans; `None` before the first plan.
    fn find_plan_key(&self) -> Result<Option<PlanKey>, StoreError> {
        self.find_value("SELECT plan_key FROM instance WHERE plan_key IS NOT NULL", &[])
    }
}
