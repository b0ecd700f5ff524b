//! Caches the list of toggles that is derived from a source, and numbers the results.

use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::task::spawn_blocking;

use super::Holds;
use super::body::{Derived, HeldToggles, derive};
use super::set::{ActiveHolds, CopyScope};
use crate::error::ApiError;
use crate::log_limit::LogLimit;

/// Toggles cannot be held, because the body is not a list of toggles.
static UNREADABLE: LogLimit = LogLimit::new();

/// A list of toggles that SDKs get, in all forms in which they get it.
pub trait ToggleList: Clone + Send + Sync + 'static {
    /// Returns the list as JSON.
    fn body(&self) -> &Bytes;

    /// Creates a value of another list, in which toggles are held. Can take milliseconds.
    ///
    /// # Errors
    /// If the other forms of the list cannot be created.
    fn with_body(&self, body: Bytes) -> Result<Self, ApiError>;
}

impl ToggleList for Bytes {
    fn body(&self) -> &Bytes {
        self
    }

    fn with_body(&self, body: Bytes) -> Result<Self, ApiError> {
        Ok(body)
    }
}

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
pub struct HeldCache<T> {
    last: Arc<Mutex<Option<Last<T>>>>,
    /// One result is derived at a time, so that each is derived once.
    turn: Arc<tokio::sync::Mutex<()>>,
}

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
        Self { last: Arc::default(), turn: Arc::default() }
    }
}

impl<T: ToggleList> HeldCache<T> {
    /// Returns what SDKs get for a source. `source_number` grows with each source; if the cache knows a newer one, that is used.
    ///
    /// A new result is derived on a thread that may block; requests that need it wait there for it. The work continues after
    /// the request that has started it, so that clients that disconnect do not repeat it.
    pub async fn get(
        &self,
        holds: &Holds,
        (source, source_number): (&T, u64),
        scope: &CopyScope,
    ) -> Served<T> {
        if let Some(served) = find(&self.last, source_number, holds.current().number()) {
            return served;
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        // The holds are read in the turn, so that the numbers of the results have the order of the holds.
        let holds = holds.current();
        if let Some(served) = find(&self.last, source_number, holds.number()) {
            return served;
        }
        let (source, source_number) = newest(&self.last, source, source_number);
        if holds.is_empty() {
            return replace(&self.last, (source.clone(), source_number), &holds, (source, Arc::default()));
        }
        let (last, scope, original) = (Arc::clone(&self.last), scope.clone(), source.clone());
        let work = move || {
            let _turn = turn;
            let served = derive_list(&source, &holds, &scope);
            replace(&last, (source, source_number), &holds, served)
        };
        // An error means that the work has panicked.
        spawn_blocking(work).await.unwrap_or_else(|_panic| Served::original(original))
    }
}

/// Returns the last result if it belongs to this source, or a newer one, and to these holds.
fn find<T: Clone>(last: &Mutex<Option<Last<T>>>, source_number: u64, holds: u64) -> Option<Served<T>> {
    let last = last.lock();
    let last = last.as_ref().filter(|last| last.source_number >= source_number && last.holds == holds)?;
    Some(last.served.clone())
}

/// Returns the newer one of a source and the last one.
fn newest<T: Clone>(last: &Mutex<Option<Last<T>>>, source: &T, source_number: u64) -> (T, u64) {
    let last = last.lock();
    let newer = last.as_ref().filter(|last| last.source_number > source_number);
    newer.map_or_else(|| (source.clone(), source_number), |last| (last.source.clone(), last.source_number))
}

/// Derives the list for a source. A list that cannot be read is served as it is.
fn derive_list<T: ToggleList>(source: &T, holds: &ActiveHolds, scope: &CopyScope) -> (T, Arc<HeldToggles>) {
    let derived = derive(source.body(), holds, scope).map_err(ApiError::internal);
    let converted = derived.and_then(|Derived { body, held }| {
        Ok((body.map_or_else(|| Ok(source.clone()), |body| source.with_body(body))?, Arc::new(held)))
    });
    converted.unwrap_or_else(|cause| {
        if let Some(repeated) = UNREADABLE.record() {
            tracing::error!(%cause, repeated, "toggles cannot be held for a token, because its toggles cannot be read");
        }
        (source.clone(), Arc::default())
    })
}

/// Replaces the last result. The caller has the turn.
fn replace<T: Clone>(
    last: &Mutex<Option<Last<T>>>,
    (source, source_number): (T, u64),
    holds: &ActiveHolds,
    (value, held): (T, Arc<HeldToggles>),
) -> Served<T> {
    let mut last = last.lock();
    let number = last.as_ref().map_or(0, |last| last.served.number) + 1;
    let served = Served { value, number, held };
    *last = Some(Last { source, source_number, holds: holds.number(), served: served.clone() });
    served
}
