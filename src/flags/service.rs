//! The service as handlers hold it: work on the database that does not hold up the threads that serve HTTP.

use std::sync::Arc;

use actix_web::web;

use super::events::Actor;
use super::examples;
use super::store::{DataLocation, OpenError, Session, Store};
use crate::error::ApiError;

/// The embedded flag service. Clones share one database.
#[derive(Debug, Clone)]
pub struct Flags {
    store: Arc<Store>,
    instance_id: Arc<str>,
}

impl Flags {
    /// Opens, or creates, the database. Blocks: meant for the start of the program.
    ///
    /// # Errors
    /// See [`OpenError`]: each reads as one sentence that names the setting.
    pub fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let store = Store::open(data)?;
        let instance_id = store
            .read(|session| Ok(session.instance_id()?))
            .map_err(|cause| OpenError::unreadable(data, cause))?;
        Ok(Self { store: Arc::new(store), instance_id: instance_id.into() })
    }

    /// Adds the example toggles in the name of `actor`; names that exist, also in the archive, are left alone.
    /// Answers how many are new.
    ///
    /// # Errors
    /// [`ApiError::Internal`] when they cannot be kept.
    pub async fn load_examples(&self, actor: &str) -> Result<usize, ApiError> {
        let actor = Actor::now(actor);
        self.write(move |session| examples::load(session, &actor)).await
    }

    /// The UUID of this installation.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.instance_id
    }

    /// Does work that changes nothing, on a thread that may block.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn read<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        web::block(move || store.read(work)).await.map_err(ApiError::internal)?
    }

    /// Does work that is kept as a whole or not at all, on a thread that may block. It goes on to its end also when
    /// the client leaves.
    ///
    /// # Errors
    /// Those of the work, and [`ApiError::Internal`] when it cannot be kept.
    pub async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Session<'_>) -> Result<T, ApiError> + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        web::block(move || store.write(work)).await.map_err(ApiError::internal)?
    }
}
