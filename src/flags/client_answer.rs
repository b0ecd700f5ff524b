//! The answer that client libraries ask for over and over, kept ready-made until something changes.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use flate2::Compression;

use super::model::ClientFeaturesAnswer;
use super::model::answers::ENVELOPE_VERSION;
use super::store::Transaction;
use crate::error::ApiError;
use crate::negotiation::{entity_tag, gzip};

/// How late a change by another process on the same file may show: looking costs a thread and a query. What this
/// process changes shows at once.
const OTHERS_SHOW_WITHIN: Duration = Duration::from_millis(200);

/// A body and the tag that changes when it does.
#[derive(Debug, Clone)]
pub struct ClientAnswer {
    /// JSON.
    pub body: Bytes,
    /// The same, compressed: a tenth of it, for the many who take it.
    pub gzip: Bytes,
    /// A weak entity tag, `W/` and quotes included: both bodies mean the same.
    pub tag: HeaderValue,
}

/// The last answer.
#[derive(Debug, Default)]
pub(super) struct ReadyMade {
    last: RwLock<Option<Made>>,
    /// Held while one is made, so that many who ask at once have it made once.
    making: Mutex<()>,
}

/// An answer, and what tells whether it still holds.
#[derive(Debug)]
struct Made {
    answer: ClientAnswer,
    /// The newest event when it was made.
    event: i64,
    /// How many writes this process had kept before the database was looked at.
    commits: u64,
    /// When the database was looked at.
    looked: Instant,
}

impl ReadyMade {
    /// The last answer, where this process wrote nothing since and others were looked after just now.
    pub(super) fn fresh(&self, commits: u64, now: Instant) -> Option<ClientAnswer> {
        let last = self.last.read().unwrap_or_else(PoisonError::into_inner);
        let made = last.as_ref()?;
        let fresh = made.commits >= commits && now.duration_since(made.looked) < OTHERS_SHOW_WITHIN;
        fresh.then(|| made.answer.clone())
    }

    /// The last answer, or a new one: toggles never change without an event, whichever process changes them.
    /// `commits` was asked for before the session began.
    pub(super) fn renew(&self, tx: &Transaction<'_>, commits: u64) -> Result<ClientAnswer, ApiError> {
        let _making = self.making();
        let looked = Instant::now();
        if let Some(answer) = self.fresh(commits, looked) {
            return Ok(answer);
        }
        let event = tx.newest_event_id()?;
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = last.as_mut().filter(|made| made.event == event) {
            (made.commits, made.looked) = (made.commits.max(commits), looked);
            return Ok(made.answer.clone());
        }
        drop(last);
        let answer = make(tx)?;
        let made = Made { answer: answer.clone(), event, commits, looked };
        *self.last.write().unwrap_or_else(PoisonError::into_inner) = Some(made);
        Ok(answer)
    }

    /// Nothing is left half done by a panic: answers are replaced whole.
    fn making(&self) -> MutexGuard<'_, ()> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make(tx: &Transaction<'_>) -> Result<ClientAnswer, ApiError> {
    let features = tx.list_toggles(false)?.into_iter().map(Into::into).collect();
    let answer = ClientFeaturesAnswer { version: ENVELOPE_VERSION, features };
    let body = serde_json::to_vec(&answer).map_err(ApiError::internal)?;
    let tag = entity_tag(&body).map_err(ApiError::internal)?;
    let gzip = gzip(&body, Compression::default()).map_err(ApiError::internal)?;
    Ok(ClientAnswer { body: body.into(), gzip: gzip.into(), tag })
}
