//! The answer that client libraries ask for over and over, kept ready-made until something changes.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::model::ClientFeaturesAnswer;
use super::model::answers::ENVELOPE_VERSION;
use super::store::Session;
use crate::error::ApiError;

/// A body and the tag that changes when it does.
#[derive(Debug, Clone)]
pub struct ClientAnswer {
    /// JSON.
    pub body: Bytes,
    /// A strong entity tag, quotes included.
    pub tag: String,
}

/// The last answer, and the newest event when it was made.
#[derive(Debug, Default)]
pub(super) struct ReadyMade(Mutex<Option<(i64, ClientAnswer)>>);

impl ReadyMade {
    /// The last answer, or a new one: toggles never change without an event, whichever process changes them.
    pub(super) fn get(&self, session: &Session<'_>) -> Result<ClientAnswer, ApiError> {
        // Held while it is made, so that many who ask at once have it made once.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = session.newest_event()?;
        if let Some((event, answer)) = &*last
            && *event == newest
        {
            return Ok(answer.clone());
        }
        let answer = make(session)?;
        *last = Some((newest, answer.clone()));
        Ok(answer)
    }
}

fn make(session: &Session<'_>) -> Result<ClientAnswer, ApiError> {
    let features = session.toggles(false)?.into_iter().map(Into::into).collect();
    let answer = ClientFeaturesAnswer { version: ENVELOPE_VERSION, features };
    let body = serde_json::to_vec(&answer).map_err(ApiError::internal)?;
    let hash =
        Sha256::digest(&body).iter().take(16).fold(0_u128, |hash, byte| (hash << 8) | u128::from(*byte));
    Ok(ClientAnswer { body: body.into(), tag: format!("\"{hash:032x}\"") })
}
