//! Change events of OFREP: a stream tells a client that results may have changed, and the client evaluates again.
//!
//! Browsers cannot send headers with the request of a stream. Its URL contains an id instead, which the response to an
//! evaluation contains: an expiry and the beginning of the token's hash, signed with the hash. Every instance that knows
//! the token accepts the id. It is in the query, because queries are not logged.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actix_web::http::header::HeaderName;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use ring::hmac;
use serde::Serialize;
use serde_json::json;

use crate::config::BasePath;
use crate::error::ApiError;
use crate::event_stream::{Channel, Check, Streams, Subscription};
use crate::sdk::source::{Caller, TokenId};
use crate::sdk::{SdkApi, access};

/// Path of the streams.
pub(in crate::sdk) const PATH: &str = "/ofrep/v1/events";
/// Header with which a browser names the last event that it has received.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Seconds for which all ids of a token are the same, so that results keep their entity tag. An id is valid for one to two
/// of these periods.
const PERIOD: u64 = 12 * 60 * 60;
/// Seconds without interaction after which clients close their stream, as the protocol recommends.
const INACTIVITY_DELAY: u32 = 120;
/// Stands for the token of a client that needs none.
pub(in crate::sdk) const WITHOUT_TOKEN: TokenId = [0; 32];
const EXPIRY_LENGTH: usize = size_of::<u64>();
/// Number of bytes of the hash in an id, which find the token.
const SELECTOR_LENGTH: usize = 8;

/// The open streams, and the version of the toggles that their clients know.
pub(in crate::sdk) struct FlagEvents {
    streams: Streams,
    channel: Arc<Channel>,
    /// Entity tag of the toggles of the last event.
    last: Mutex<Option<String>>,
}

/// A stream, in the response to an evaluation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventStream {
    #[serde(rename = "type")]
    kind: &'static str,
    endpoint: Endpoint,
    inactivity_delay_sec: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Endpoint {
    request_uri: String,
}

/// Opens a stream.
pub(in crate::sdk) async fn open(request: HttpRequest, sdk: Data<SdkApi>) -> Result<HttpResponse, ApiError> {
    let Caller { token, .. } = access::caller(&request)?;
    let version = sdk.source.version().await?;
    let mut subscription = sdk.events.subscribe(&version)?;
    if request.headers().get(LAST_EVENT_ID).is_some_and(|id| *id == *version) {
        subscription = subscription.without_first();
    }
    let source = sdk.clone();
    let check: Check = Box::new(move || {
        let sdk = source.clone();
        // While the tokens cannot be read, streams stay open.
        async move { !matches!(sdk.source.find_scope(token).await, Ok(None)) }.boxed_local()
    });
    sdk.events.streams.respond(subscription, check)
}

impl EventStream {
    /// Returns the stream of a client, for its evaluation.
    pub(super) fn for_token(token: Option<TokenId>, base_path: &BasePath) -> Self {
        let id = create_id(token.unwrap_or(WITHOUT_TOKEN), seconds_since_1970());
        Self {
            kind: "sse",
            endpoint: Endpoint { request_uri: format!("{}{PATH}?id={id}", base_path.as_str()) },
            inactivity_delay_sec: INACTIVITY_DELAY,
        }
    }
}

impl FlagEvents {
    /// Creates the state without streams.
    pub(in crate::sdk) fn new(streams: Streams) -> Self {
        Self { streams, channel: Arc::default(), last: Mutex::default() }
    }

    /// Returns true if a stream is open.
    pub(in crate::sdk) fn has_streams(&self) -> bool {
        self.channel.streams() > 0
    }

    /// Tells all streams that the toggles have this entity tag.
    pub(in crate::sdk) fn publish(&self, tag: &str) {
        let mut last = self.last.lock();
        if last.as_deref() != Some(tag) {
            let event = encode(tag, seconds_since_1970());
            self.channel.publish(Some(event.clone()), event);
            *last = Some(tag.to_owned());
        }
    }

    /// Starts to receive events. The first one makes the client evaluate again, because a change after its evaluation is
    /// not known to it.
    fn subscribe(&self, tag: &str) -> Result<Subscription, ApiError> {
        self.publish(tag);
        self.channel.subscribe().ok_or_else(|| ApiError::internal("the channel has no event"))
    }
}

/// Returns which of the tokens the id in a query belongs to; `None` if the id is wrong or has expired.
pub(in crate::sdk) fn find_token(query: &str, tokens: &[TokenId]) -> Option<TokenId> {
    let id = query.split('&').find_map(|parameter| parameter.strip_prefix("id="))?;
    verify_id(id, tokens, seconds_since_1970())
}

fn create_id(token: TokenId, now: u64) -> String {
    let expiry = (now / PERIOD + 2) * PERIOD;
    let mut id: Vec<u8> =
        expiry.to_be_bytes().into_iter().chain(token.into_iter().take(SELECTOR_LENGTH)).collect();
    let signature = hmac::sign(&key_of(&token), &id);
    id.extend_from_slice(signature.as_ref());
    BASE64URL_NOPAD.encode(&id)
}

fn verify_id(id: &str, tokens: &[TokenId], now: u64) -> Option<TokenId> {
    let bytes = BASE64URL_NOPAD.decode(id.as_bytes()).ok()?;
    let (signed, signature) = bytes.split_at_checked(EXPIRY_LENGTH + SELECTOR_LENGTH)?;
    let (expiry, selector) = signed.split_first_chunk()?;
    let token = tokens.iter().find(|token| token.starts_with(selector))?;
    hmac::verify(&key_of(token), signed, signature).ok()?;
    (now < u64::from_be_bytes(*expiry)).then_some(*token)
}

fn key_of(token: &TokenId) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, token)
}

fn encode(tag: &str, last_modified: u64) -> Bytes {
    let data = json!({ "type": "refetchEvaluation", "etag": tag, "lastModified": last_modified });
    format!("event: message\nid: {tag}\ndata: {data}\n\n").into()
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).as_ref().map_or(0, Duration::as_secs)
}

#[cfg(test)]
mod tests {
    use super::{PERIOD, WITHOUT_TOKEN, create_id, find_token, verify_id};

    #[test]
    fn ids_are_stable_for_a_period_and_expire() {
        let start = 1_000 * PERIOD;
        let tokens = [WITHOUT_TOKEN, [8; 32], [7; 32]];
        for token in tokens {
            let id = create_id(token, start);
            assert_eq!(create_id(token, start + PERIOD - 1), id);
            assert_ne!(create_id(token, start + PERIOD), id);
            assert_eq!(verify_id(&id, &tokens, start), Some(token));
            assert_eq!(verify_id(&id, &tokens, start + 2 * PERIOD - 1), Some(token));
            assert_eq!(verify_id(&id, &tokens, start + 2 * PERIOD), None);
        }
        assert_ne!(create_id([7; 32], start), create_id([8; 32], start));
    }

    #[test]
    fn ids_of_unknown_tokens_and_changed_ids_are_wrong() {
        let (token, mut similar) = ([7; 32], [7; 32]);
        similar[31] = 8;
        let id = create_id(token, 0);
        assert_eq!(verify_id(&id, &[WITHOUT_TOKEN, similar], 0), None);
        for changed in
            ["", "AAAA", &id[1..], &id[..id.len() - 4], &id.replacen('A', "B", 1), &format!("{id}AAAA")]
        {
            assert_eq!(verify_id(changed, &[token], 0), None, "{changed}");
        }
        assert_eq!(find_token("a=1&id=x", &[token]), None);
    }
}
