//! Asks the upstream which tokens are valid (`POST /edge/validate`): about unknown tokens when requests present them, and about all
//! known tokens in each interval, which is longer with many tokens.
//!
//! Each request contains a client token of the settings. Only a response that lists this token is an answer: an empty list of a
//! server that has lost its database, or a page of another server, refuses nobody.
//!
//! Unleash 8.2 lists a token that was deleted until the server is restarted. Each listed token is therefore also sent to an endpoint
//! for tokens of the other kind, which costs the server little: it refuses a valid token with 403, and a deleted one with 401.

use std::iter;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::body::to_bytes_limited;
use actix_web::http::{Method, StatusCode};
use bytes::Bytes;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::kept_copies::Removal;
use super::token_table::{Asked, ListedToken, LookUp, MAX_ASKED, TokenDetails, TokenTable, Verdict, id_of};
use super::{Inner, Replica};
use crate::config::TokenKind;
use crate::error::{ApiError, DomainError};
use crate::log_limit::LogLimit;
use crate::middleware::client::network_of;
use crate::sdk::source::TokenId;
use crate::upstream::client::UpstreamClient;
use crate::upstream::request_body::RequestBody;

/// The upstream does not say which tokens are valid.
static NO_ANSWER: LogLimit = LogLimit::new();

/// Maximum size of a response in bytes.
const MAX_RESPONSE: usize = 1 << 20;
/// Time after which no more tokens of a response are sent to the other endpoint. A slow server delays no unknown tokens for longer.
const MAX_PROBE_TIME: Duration = Duration::from_secs(5);

/// Number of tokens for which an interval is long enough: each is also sent to the other endpoint.
const TOKENS_PER_INTERVAL: usize = 50;
/// Maximum factor of the interval.
const MAX_FACTOR: usize = 6;

/// Returns the time until the upstream is asked about all known tokens again.
fn round_interval(interval: Duration, known: usize) -> Duration {
    let factor = known.div_ceil(TOKENS_PER_INTERVAL).clamp(1, MAX_FACTOR);
    interval.saturating_mul(u32::try_from(factor).unwrap_or(1))
}

/// The tokens that the upstream is asked about, and when.
pub(super) struct TokenValidation {
    pub(super) table: Arc<TokenTable>,
    /// Interval in which the upstream is asked about all known tokens; longer with many.
    pub(super) interval: Duration,
    /// Minimum time between two requests about tokens that requests present.
    pub(super) pause: Duration,
    /// Index of the client token of the settings in the next request.
    pub(super) witness: AtomicUsize,
}

#[derive(Deserialize)]
struct ListedTokens {
    tokens: Vec<ListedToken>,
}

impl TokenValidation {
    /// Returns the client token whose presence in the response makes it an answer.
    fn witness(&self) -> Option<&String> {
        let own = &self.table.own;
        own.get(self.witness.load(Ordering::Relaxed) % own.len().max(1)).map(|(_, token)| token)
    }
}

impl Replica {
    /// Returns the properties of a token that a request presents, and asks the upstream about an unknown one.
    pub(super) async fn identify_token(
        &self,
        id: &TokenId,
        token: &str,
        address: IpAddr,
    ) -> Result<Arc<TokenDetails>, ApiError> {
        let table = self.0.tokens.as_ref().map(|tokens| &tokens.table).ok_or(ApiError::TokenNeeded)?;
        let network = network_of(address);
        let mut found = table.look_up(id, token, network, self.0.now());
        if !matches!(found, LookUp::Known(_)) && !self.0.kept.is_read() {
            // Directly after the start, the stored answers are not known yet.
            self.0.kept.wait_until_read().await;
            found = table.look_up(id, token, network, self.0.now());
        }
        let verdict = match found {
            LookUp::Known(verdict) => Some(verdict),
            LookUp::TooMany => return Err(self.too_many_tokens()),
            LookUp::Wait(until) => {
                let mut answers = table.answers.subscribe();
                let answered = async { while table.is_wanted(id) && answers.changed().await.is_ok() {} };
                let pause = Duration::from_millis(until.saturating_sub(self.0.now()));
                drop(timeout(pause, answered).await);
                table.verdict(id, self.0.now())
            }
        };
        match verdict {
            Some(Verdict::Accepted(details)) => Ok(details),
            Some(Verdict::Refused) => Err(ApiError::TokenNeeded),
            None => Err(self.undecided_token()),
        }
    }

    /// Returns those of the tokens that the upstream accepts, in its notation.
    pub(crate) async fn list_accepted(
        &self,
        tokens: &[String],
        address: IpAddr,
    ) -> Result<Vec<Value>, ApiError> {
        let identify =
            tokens.iter().map(async |token| match self.identify_token(&id_of(token), token, address).await {
                Ok(details) => Ok(Some(details.to_listed(token))),
                Err(ApiError::TokenNeeded) => Ok(None),
                Err(error) => Err(error),
            });
        let listed = join_all(identify).await.into_iter().filter_map(Result::transpose);
        listed.collect()
    }

    /// Returns the properties of an accepted token.
    pub(super) fn learned_token(&self, id: &TokenId) -> Option<Arc<TokenDetails>> {
        self.0.tokens.as_ref()?.table.find(id, self.0.now())
    }

    /// Returns the ids of all tokens that the upstream has accepted.
    pub(super) fn learned_tokens(&self) -> Vec<TokenId> {
        self.0.tokens.as_ref().map(|tokens| tokens.table.ids()).unwrap_or_default()
    }

    /// Returns true if the upstream is asked about unknown tokens.
    pub(super) fn learns_tokens(&self) -> bool {
        self.0.tokens.is_some()
    }

    /// Returns true if pages of this origin may use frontend tokens of the upstream.
    pub(super) fn allows_learned_origin(&self, origin: &str) -> bool {
        self.0.tokens.as_ref().is_some_and(|tokens| tokens.table.allows_origin(origin))
    }

    /// Returns the projects whose toggles a client token of the settings reads; empty: all. `None` if they are not known.
    pub(super) fn projects_of(&self, id: &TokenId) -> Option<Vec<String>> {
        self.0.tokens.as_ref()?.table.projects(id)
    }

    /// Creates the error for a request whose token the upstream has not decided about.
    fn undecided_token(&self) -> ApiError {
        let message = format!(
            "The flag service at {} has not said yet whether this token is valid. Try again in a moment",
            self.0.upstream.authority
        );
        let error = DomainError::new("token_undecided", StatusCode::SERVICE_UNAVAILABLE, message);
        error.retry_after(1).into()
    }
}

impl Inner {
    /// Asks the upstream about tokens until the future is dropped.
    pub(super) async fn validate_tokens(&self, client: &UpstreamClient) {
        let Some(tokens) = &self.tokens else { return };
        let TokenValidation { table, interval, pause, .. } = tokens;
        let mut next_round = Instant::now() + *interval;
        loop {
            let waits = async {
                while !table.has_wanted() {
                    table.wanted.notified().await;
                }
            };
            // The interval also ends while unknown tokens wait all the time.
            if timeout_at(next_round, waits).await.is_err() || Instant::now() >= next_round {
                table.sweep(self.now());
                let known = table.list_known();
                next_round = Instant::now() + round_interval(*interval, known.len());
                for asked in known.chunks(MAX_ASKED - 1) {
                    self.validate(client, tokens, asked).await;
                }
            } else {
                self.validate(client, tokens, &table.list_wanted()).await;
                sleep(*pause).await;
            }
        }
    }

    /// Asks the upstream about tokens, and applies its answer.
    async fn validate(&self, client: &UpstreamClient, tokens: &TokenValidation, asked: &[Asked]) {
        let sent = self.now();
        let answer = self.ask(client, tokens, asked).await;
        self.metrics.record_validation(answer.is_ok());
        match answer {
            Ok(mut listed) => {
                self.remove_deleted(client, tokens, &mut listed).await;
                if let Some(repeated) = NO_ANSWER.end() {
                    tracing::info!(repeated, "replica: the upstream says again which tokens are valid");
                }
                let revoked = tokens.table.apply(asked, &listed, sent);
                if !revoked.is_empty() {
                    tracing::warn!(
                        number = revoked.len(),
                        "replica: the upstream does not accept tokens any more"
                    );
                    self.kept.remove(revoked.into_iter().map(Removal::Token).collect(), &self.entries).await;
                    self.streams.check_tokens();
                }
                self.kept.changed.notify_one();
            }
            Err(fault) => {
                tokens.table.fail(asked);
                if let Some(repeated) = NO_ANSWER.record() {
                    tracing::warn!(
                        fault,
                        repeated,
                        "replica: the upstream does not say which tokens are valid; its last answers count"
                    );
                }
            }
        }
    }

    /// Returns the valid tokens of a request, or why there is no answer. The reason contains no token.
    async fn ask(
        &self,
        client: &UpstreamClient,
        tokens: &TokenValidation,
        asked: &[Asked],
    ) -> Result<Vec<ListedToken>, String> {
        let witness = tokens.witness().ok_or("there is no client token")?;
        let others = asked.iter().map(|(_, token)| token).filter(|token| *token != witness);
        let body = json!({ "tokens": iter::once(witness).chain(others).collect::<Vec<_>>() }).to_string();
        let body = RequestBody::from_bytes(body.into(), &self.limits);
        let head = self.keys.validation_head(body.framing());
        let response = client.send(&Method::POST, &head, &body).await.map_err(|error| error.to_string())?;
        if response.status() != StatusCode::OK {
            return Err(response.status().to_string());
        }
        let body = to_bytes_limited(response.into_body(), MAX_RESPONSE).await;
        let body = body.map_err(|_too_large| format!("it has more than {MAX_RESPONSE} bytes"))?;
        let body = body.map_err(|error| error.to_string())?;
        // The error could contain a token.
        let ListedTokens { tokens: listed } =
            serde_json::from_slice(&body).map_err(|_invalid| "its body is no list of tokens")?;
        // Elsewhere, a list without projects stands for all of them, and names of projects are in lines.
        let is_name = |name: &String| !name.is_empty() && !name.contains(char::is_control);
        if listed.iter().any(|token| token.projects.is_empty() || !token.projects.iter().all(is_name)) {
            return Err("it lists a token without valid projects".to_owned());
        }
        if listed.iter().all(|token| token.token != *witness) {
            tokens.witness.fetch_add(1, Ordering::Relaxed);
            return Err("it does not list a token of upstream-token".to_owned());
        }
        Ok(listed)
    }

    /// Removes listed tokens that the upstream does not accept any more. Removes none if it does not tell valid tokens of the wrong kind
    /// from others.
    async fn remove_deleted(
        &self,
        client: &UpstreamClient,
        tokens: &TokenValidation,
        listed: &mut Vec<ListedToken>,
    ) {
        let Some(witness) = tokens.witness() else { return };
        match self.probe(client, witness, TokenKind::Client).await {
            Some(StatusCode::FORBIDDEN) => {}
            Some(StatusCode::UNAUTHORIZED) => {
                tokens.witness.fetch_add(1, Ordering::Relaxed);
                return;
            }
            _ => return,
        }
        let start = Instant::now();
        // If there is not enough time for all, they are others in each interval.
        fastrand::shuffle(listed);
        let mut deleted = Vec::new();
        for (index, token) in listed.iter().enumerate() {
            let Some(kind) = token.kind().filter(|_| start.elapsed() < MAX_PROBE_TIME) else { continue };
            if self.probe(client, &token.token, kind).await == Some(StatusCode::UNAUTHORIZED) {
                deleted.push(index);
            }
        }
        for index in deleted.into_iter().rev() {
            listed.swap_remove(index);
        }
    }

    /// Returns the status of the response to a token at an endpoint for tokens of another kind; `None` without a response.
    async fn probe(&self, client: &UpstreamClient, token: &str, kind: TokenKind) -> Option<StatusCode> {
        let head = self.keys.probe_head(token, kind)?;
        let body = RequestBody::from_bytes(Bytes::new(), &self.limits);
        let response = client.send(&Method::GET, &head, &body).await.ok()?;
        let status = response.status();
        // The connection can be used again.
        drop(to_bytes_limited(response.into_body(), MAX_RESPONSE).await);
        Some(status)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::round_interval;

    #[test]
    fn many_tokens_prolong_the_interval() {
        for (known, seconds) in [(0, 10), (1, 10), (50, 10), (51, 20), (300, 60), (10_000, 60)] {
            let interval = round_interval(Duration::from_secs(10), known);
            assert_eq!(interval, Duration::from_secs(seconds), "{known}");
        }
    }
}
