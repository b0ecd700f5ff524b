//! Caches the list of toggles that is derived from a source, and numbers the results.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::Holds;
use super::body::{Derived, HeldToggles, derive};
use super::set::CopyScope;
use crate::error::ApiError;
use crate::log_limit::LogLimit;

/// Toggles cannot be held, because the body is not a list of toggles.
static UNREADABLE: LogLimit = LogLimit::new();

/// A result of the cache.
#[derive(Debug, Clone)]
pub struct Served<T> {
    /// The source, or what is derived from it.
    pub value: T,
    /// Number of the result in its cache: it grows with each other source and each change of the holds.
    pub number: u64,
    /// The held toggles.
    pub held: Arc<HeldToggles>,
}

impl<T> Served<T> {
    /// Returns the source itself while no toggle is held. It has no number.
    pub fn original(value: T) -> Self {
        Self { value, number: 0, held: Arc::default() }
    }
}

/// The last result for one source of lists of toggles.
#[derive(Debug)]
pub struct HeldCache<T>(Mutex<Option<Last<T>>>);

#[derive(Debug)]
struct Last<T> {
    source: T,
    source_number: u64,
    /// Number of the holds.
    holds: u64,
    served: Served<T>,
}

impl<T> Default for HeldCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> HeldCache<T> {
    /// Returns what SDKs get for a source. `source_number` grows with each source; if the cache knows a newer one, that is
    /// used. `body` returns the list of toggles of a source, and `convert` creates a value of another list.
    pub fn get(
        &self,
        holds: &Holds,
        (source, source_number): (&T, u64),
        scope: &CopyScope,
        body: impl Fn(&T) -> &Bytes,
        convert: impl FnOnce(&T, Bytes) -> Result<T, ApiError>,
    ) -> Served<T> {
        // The holds are read under the lock, so that the numbers of the results have the order of the holds.
        let mut last = self.lock();
        let holds = holds.current();
        let newer = last.as_ref().filter(|last| last.source_number > source_number);
        let (source, source_number) = newer.map_or_else(
            || (source.clone(), source_number),
            |last| (last.source.clone(), last.source_number),
        );
        if let Some(last) = last.as_ref()
            && (last.source_number, last.holds) == (source_number, holds.number())
        {
            return last.served.clone();
        }
        let number = last.as_ref().map_or(0, |last| last.served.number) + 1;
        let derived = derive(body(&source), &holds, scope).map_err(ApiError::internal);
        let converted = derived.and_then(|Derived { body, held }| {
            let value = body.map_or_else(|| Ok(source.clone()), |body| convert(&source, body))?;
            Ok(Served { value, number, held: Arc::new(held) })
        });
        let served = converted.unwrap_or_else(|cause| {
            if let Some(repeated) = UNREADABLE.record() {
                tracing::error!(%cause, repeated, "toggles cannot be held for a token, because its toggles cannot be read");
            }
            Served { number, ..Served::original(source.clone()) }
        });
        *last = Some(Last { source, source_number, holds: holds.number(), served: served.clone() });
        served
    }

    /// A poisoned lock is safe to use: results are replaced as a whole.
    fn lock(&self) -> MutexGuard<'_, Option<Last<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
