//! Caches the list of toggles that is derived from a source, and numbers the results.

use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::task::spawn_blocking;

use super::Holds;
use super::body::{Derived, HeldToggles, derive};
use super::set::{ActiveHolds, CopyScope, HoldsNumber};
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

/// Number of a list of toggles before holds. It grows with each other list of the same toggles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceNumber(pub u64);

/// A list of toggles before holds.
#[derive(Debug, Clone)]
pub struct Source<T> {
    /// The list.
    pub list: T,
    /// Its number.
    pub number: SourceNumber,
}

/// Number of a list as SDKs get it. It grows with each other source and each change of the holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServedNumber(pub u64);

/// A result of the cache.
#[derive(Debug, Clone)]
pub struct Served<T> {
    /// The list of the source, or what is derived from it.
    pub value: T,
    /// Its number.
    pub number: ServedNumber,
    /// The held toggles.
    pub held: Arc<HeldToggles>,
}

impl<T> Served<T> {
    /// Returns the list of the source while no toggle is held. It has no number.
    pub fn original(value: T) -> Self {
        Self { value, number: ServedNumber::default(), held: Arc::default() }
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
    source: Source<T>,
    holds: HoldsNumber,
    served: Served<T>,
}

impl<T> Default for HeldCache<T> {
    fn default() -> Self {
        Self { last: Arc::default(), turn: Arc::default() }
    }
}

impl<T: ToggleList> HeldCache<T> {
    /// Returns what SDKs get for a source. If the cache knows a newer one, that is used.
    ///
    /// A new result is derived on a thread that may block; requests that need it wait there for it. The work continues after
    /// the request that has started it, so that clients that disconnect do not repeat it.
    pub async fn get(&self, holds: &Holds, source: &Source<T>, scope: &CopyScope) -> Served<T> {
        if let Some(served) = find(&self.last, source.number, holds.current().number()) {
            return served;
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        // The holds are read in the turn, so that the numbers of the results have the order of the holds.
        let holds = holds.current();
        if let Some(served) = find(&self.last, source.number, holds.number()) {
            return served;
        }
        let source = newest(&self.last, source);
        let original = source.list.clone();
        if holds.is_empty() {
            return replace(&self.last, source, holds.number(), original, HeldToggles::default());
        }
        let (last, scope) = (Arc::clone(&self.last), scope.clone());
        let work = move || {
            let _turn = turn;
            let (value, held) = derive_list(&source.list, &holds, &scope);
            replace(&last, source, holds.number(), value, held)
        };
        // An error means that the work has panicked.
        spawn_blocking(work).await.unwrap_or_else(|_panic| Served::original(original))
    }
}

/// Returns the last result if it belongs to this source, or a newer one, and to these holds.
fn find<T: Clone>(
    last: &Mutex<Option<Last<T>>>,
    source: SourceNumber,
    holds: HoldsNumber,
) -> Option<Served<T>> {
    let last = last.lock();
    let last = last.as_ref().filter(|last| last.source.number >= source && last.holds == holds)?;
    Some(last.served.clone())
}

/// Returns the newer one of a source and the last one.
fn newest<T: Clone>(last: &Mutex<Option<Last<T>>>, source: &Source<T>) -> Source<T> {
    let last = last.lock();
    let newer = last.as_ref().map(|last| &last.source).filter(|last| last.number > source.number);
    newer.unwrap_or(source).clone()
}

/// Derives the list for a source. A list that cannot be read is served as it is.
fn derive_list<T: ToggleList>(source: &T, holds: &ActiveHolds, scope: &CopyScope) -> (T, HeldToggles) {
    let derived = derive(source.body(), holds, scope).map_err(ApiError::internal);
    let converted = derived.and_then(|Derived { body, held }| {
        Ok((body.map_or_else(|| Ok(source.clone()), |body| source.with_body(body))?, held))
    });
    converted.unwrap_or_else(|cause| {
        if let Some(repeated) = UNREADABLE.record() {
            tracing::error!(%cause, repeated, "toggles cannot be held for a token, because its toggles cannot be read");
        }
        (source.clone(), HeldToggles::default())
    })
}

/// Replaces the last result. The caller has the turn.
fn replace<T: Clone>(
    last: &Mutex<Option<Last<T>>>,
    source: Source<T>,
    holds: HoldsNumber,
    value: T,
    held: HeldToggles,
) -> Served<T> {
    let mut last = last.lock();
    let number = ServedNumber(last.as_ref().map_or(0, |last| last.served.number.0) + 1);
    let served = Served { value, number, held: Arc::new(held) };
    *last = Some(Last { source, holds, served: served.clone() });
    served
}
