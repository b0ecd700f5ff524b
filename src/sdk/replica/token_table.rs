//! The tokens of SDKs that this program knows, with the answers of the upstream about them. Pure; all times are milliseconds.
//!
//! Requests of SDKs look tokens up; one task asks the upstream ([`super::token_validation`]). Events that can occur in between:
//!
//! - **Outage**: only an answer changes what is known. The last answer counts up to `replica-max-stale`, then the token is unknown.
//! - **Restart**: the database contains the hashes of accepted tokens and the answers. An answer counts for event streams at once. When
//!   the token is presented, the upstream is asked; the request waits for a moment, and the stored answer counts without another one.
//! - **Revoked token**: it is refused from the answer on. Its row is deleted, and cannot be written any more.
//! - **Requests with the same token**: they wait for one answer. Another answer ends the wait of all.
//! - **Clock step**: times are those of the monotonic clock, and rows contain those of the database.
//! - **Another instance**: its answers are its own. It writes and deletes the same rows.
//! - **Other settings after a restart**: rows of environments without a client token are not used, nor rows of another upstream.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::RwLock;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Notify, watch};

use super::cache_key::public_part;
use super::entries::{Bounds, MAX_ACCEPTED};
use super::entry_state::REFUSAL;
use super::rows::TokenRow;
use crate::config::{self, ALL_PROJECTS, ClientToken, TokenKind, TokenScope};
use crate::number::to_millis;
use crate::sdk::source::TokenId;

/// Maximum number of tokens in one request to the upstream.
pub(super) const MAX_ASKED: usize = 100;
/// Maximum number of unknown tokens in one request.
const MAX_UNKNOWN: usize = 20;
/// Maximum time for which requests with an unknown token wait.
const MAX_WAIT: u64 = 5_000;
/// Maximum time for which requests with a token from the database wait: longer than the pause between two requests.
const STORED_WAIT: u64 = 2_000;

/// The properties of an accepted token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TokenDetails {
    pub(super) environment: String,
    pub(super) scope: Arc<TokenScope>,
}

impl TokenDetails {
    /// Returns true if the token is for servers, which read definitions.
    pub(super) fn is_client(&self) -> bool {
        self.scope.kind == TokenKind::Client
    }

    /// Returns the properties in the notation of the upstream.
    pub(super) fn to_listed(&self, token: &str) -> Value {
        self.scope.to_listed(token, Some(&self.environment))
    }
}

/// The answer of the upstream about a token.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    Accepted(Arc<TokenDetails>),
    Refused,
}

/// Result of the look-up of a token for a request.
#[derive(Debug)]
pub(super) enum LookUp {
    Known(Verdict),
    /// The upstream is asked. The request waits for the answer until this time.
    Wait(u64),
    /// The upstream is asked about too many tokens.
    TooMany,
}

/// A token with its id. Not `Debug`, because it is secret.
pub(super) type Asked = (TokenId, String);

/// A token in the response of the upstream.
#[derive(Deserialize)]
pub(super) struct ListedToken {
    pub(super) token: String,
    #[serde(rename = "type")]
    kind: String,
    pub(super) projects: Vec<String>,
    /// Servers of version 5 leave it out.
    environment: Option<String>,
}

impl ListedToken {
    /// Returns the kind; `None` if no SDK can use the token here.
    pub(super) fn kind(&self) -> Option<TokenKind> {
        match self.kind.to_ascii_lowercase().as_str() {
            "frontend" => Some(TokenKind::Frontend),
            "client" | "backend" => Some(TokenKind::Client),
            _ => None,
        }
    }
}

/// State of a token.
#[derive(Default)]
struct Record {
    /// `None` before the first answer.
    verdict: Option<Verdict>,
    /// Time of the request with this answer.
    answered_at: u64,
    /// `None` for an answer from the database, until the token is presented.
    secret: Option<String>,
    /// Network that has presented the token first; `None` for tokens of the settings and of the database.
    network: Option<IpAddr>,
    /// Time since which requests wait for an answer.
    wanted_since: Option<u64>,
    /// Time of the answer that the database contains.
    written_at: u64,
    /// True for a client token of the settings.
    is_own: bool,
}

/// The known tokens, which all workers share.
pub(super) struct TokenTable {
    /// Client tokens of the settings.
    pub(super) own: Vec<Asked>,
    environments: BTreeSet<String>,
    /// Rights of a frontend token of all projects.
    frontend_scope: TokenScope,
    max_stale: u64,
    bounds: Bounds,
    records: RwLock<HashMap<TokenId, Record>>,
    /// Notifies requests that wait for an answer.
    pub(super) answers: watch::Sender<()>,
    /// Wakes the task that asks the upstream.
    pub(super) wanted: Notify,
}

/// Returns the id of a token.
pub(super) fn id_of(token: impl AsRef<[u8]>) -> TokenId {
    Sha256::digest(token).into()
}

impl Record {
    /// Returns the answer that counts now.
    fn verdict(&self, now: u64, max_stale: u64) -> Option<&Verdict> {
        let age = now.saturating_sub(self.answered_at);
        self.verdict.as_ref().filter(|verdict| match verdict {
            Verdict::Accepted(_) => age <= max_stale,
            Verdict::Refused => age < REFUSAL,
        })
    }

    fn details(&self) -> Option<&Arc<TokenDetails>> {
        if let Some(Verdict::Accepted(details)) = &self.verdict { Some(details) } else { None }
    }

    /// Returns the environment and the projects whose toggles the token reads; no projects: all. Before the first answer, the token
    /// itself may name one project. `None` if they are not known, or if the upstream refuses the token or says that it is for browsers.
    fn selection(&self) -> Option<(&str, Vec<&str>)> {
        match &self.verdict {
            Some(Verdict::Accepted(details)) if details.is_client() => {
                let projects = details.scope.projects.iter().map(String::as_str);
                Some((&details.environment, projects.collect()))
            }
            Some(_) => None,
            None => {
                let (public, environment) = public_part(self.secret.as_deref()?)?;
                let projects = match public.split_once(':')?.0 {
                    // A token of several projects.
                    "[]" => return None,
                    ALL_PROJECTS => Vec::new(),
                    project => vec![project],
                };
                Some((environment, projects))
            }
        }
    }

    /// Returns true if the token is not limited: it is one of the settings, or the upstream has accepted it.
    fn is_known(&self) -> bool {
        self.is_own || self.details().is_some()
    }
}

impl TokenTable {
    /// Creates the table with the client tokens of the settings, about which the upstream is asked first.
    pub(super) fn new(client_tokens: &[ClientToken], settings: &config::Replica, bounds: Bounds) -> Self {
        let tokens = client_tokens.iter().filter(|token| token.environment.is_some());
        let secrets = tokens.clone().filter_map(|token| token.value.to_str().ok());
        let own: Vec<_> = secrets.map(|secret| (id_of(secret), secret.to_owned())).collect();
        let record = |secret: &String| {
            let secret = Some(secret.clone());
            Record { secret, wanted_since: Some(0), is_own: true, ..Record::default() }
        };
        Self {
            records: RwLock::new(own.iter().map(|(id, secret)| (*id, record(secret))).collect()),
            own,
            environments: tokens.filter_map(|token| token.environment.clone()).collect(),
            frontend_scope: TokenScope {
                origins: settings.frontend_origins.clone(),
                ..TokenScope::unlimited(TokenKind::Frontend)
            },
            max_stale: to_millis(settings.max_stale),
            bounds,
            answers: watch::Sender::default(),
            wanted: Notify::new(),
        }
    }

    /// Returns true if a learned token may allow pages of this origin.
    pub(super) fn allows_origin(&self, origin: &str) -> bool {
        self.frontend_scope.allows_origin(origin)
    }

    /// Returns what is known about a token. If the upstream has to be asked, the token waits for that. Tokens of another form, and
    /// of an environment whose toggles are not known, are refused.
    pub(super) fn look_up(&self, id: &TokenId, token: &str, network: IpAddr, now: u64) -> LookUp {
        if let Some(verdict) = self.find_presented(id, now) {
            return LookUp::Known(verdict);
        }
        if !public_part(token).is_some_and(|(_, environment)| self.environments.contains(environment)) {
            return LookUp::Known(Verdict::Refused);
        }
        let mut records = self.records.write();
        if !records.contains_key(id) && !self.has_room(&records, network) {
            self.remove_expired(&mut records, now);
            if !self.has_room(&records, network) && !self.make_room(&mut records, network) {
                return LookUp::TooMany;
            }
        }
        let record =
            records.entry(*id).or_insert_with(|| Record { network: Some(network), ..Record::default() });
        record.secret.get_or_insert_with(|| token.to_owned());
        let wait = if record.verdict(now, self.max_stale).is_some() { STORED_WAIT } else { MAX_WAIT };
        // The tokens of the settings are wanted since the start, without a request.
        let since = record.wanted_since.filter(|since| *since > 0).unwrap_or(now);
        record.wanted_since = Some(since);
        self.wanted.notify_one();
        LookUp::Wait(since.saturating_add(wait))
    }

    /// Returns the answer about a token that was presented in this process, unless the upstream is being asked.
    pub(super) fn find_presented(&self, id: &TokenId, now: u64) -> Option<Verdict> {
        let records = self.records.read();
        let record = records.get(id)?;
        let is_decided = record.secret.is_some() && record.wanted_since.is_none();
        record.verdict(now, self.max_stale).filter(|_| is_decided).cloned()
    }

    /// Returns the client token of the settings that reads all toggles of a client token, and more than the others that do; `None`
    /// without one. It can be the same token.
    pub(super) fn find_wide(&self, id: &TokenId) -> Option<TokenId> {
        let records = self.records.read();
        let (environment, projects) = records.get(id)?.selection()?;
        let mut wide: Option<(&TokenId, usize)> = None;
        for (own, _) in &self.own {
            let Some((of_own, read)) = records.get(own).and_then(Record::selection) else { continue };
            let reads = |project: &&str| read.contains(project);
            let is_wide = read.is_empty() || (!projects.is_empty() && projects.iter().all(reads));
            let width = if read.is_empty() { usize::MAX } else { read.len() };
            if of_own == environment && is_wide && wide.is_none_or(|(_, most)| width > most) {
                wide = Some((own, width));
            }
        }
        wide.map(|(id, _)| *id)
    }

    /// Returns true if another unknown token can be added.
    fn has_room(&self, records: &HashMap<TokenId, Record>, network: IpAddr) -> bool {
        let (mut unknown, mut of_network) = (0, 0);
        for record in records.values().filter(|record| !record.is_known()) {
            unknown += 1;
            of_network += usize::from(record.network == Some(network));
        }
        records.len() - unknown < MAX_ACCEPTED
            && unknown < self.bounds.unknown
            && of_network < self.bounds.unknown_per_network
    }

    /// Removes an unknown token of the network with most of them, if this network has fewer. Many networks with unknown tokens
    /// then do not lock out others.
    fn make_room(&self, records: &mut HashMap<TokenId, Record>, network: IpAddr) -> bool {
        let mut networks: HashMap<Option<IpAddr>, (usize, TokenId)> = HashMap::new();
        for (id, record) in records.iter().filter(|(_, record)| !record.is_known()) {
            networks.entry(record.network).or_insert((0, *id)).0 += 1;
        }
        let own = networks.get(&Some(network)).map_or(0, |(count, _)| *count);
        let most = networks.into_values().max_by_key(|(count, _)| *count);
        let Some((_, id)) = most.filter(|(count, _)| *count > own + 1) else { return false };
        let removed = records.remove(&id);
        if self.has_room(records, network) {
            return true;
        }
        // Another bound is exceeded.
        records.extend(removed.map(|record| (id, record)));
        false
    }

    /// Removes records that nothing needs any more.
    pub(super) fn sweep(&self, now: u64) {
        self.remove_expired(&mut self.records.write(), now);
    }

    fn remove_expired(&self, records: &mut HashMap<TokenId, Record>, now: u64) {
        records.retain(|_, record| {
            record.is_own || record.wanted_since.is_some() || record.verdict(now, self.max_stale).is_some()
        });
    }

    /// Returns true while a request for an answer about the token has no result.
    pub(super) fn is_wanted(&self, id: &TokenId) -> bool {
        self.records.read().get(id).is_some_and(|record| record.wanted_since.is_some())
    }

    /// Returns true if the upstream has to be asked about any token.
    pub(super) fn has_wanted(&self) -> bool {
        self.records.read().values().any(|record| record.wanted_since.is_some())
    }

    /// Returns the answer that counts now; `None` without one.
    pub(super) fn verdict(&self, id: &TokenId, now: u64) -> Option<Verdict> {
        self.records.read().get(id)?.verdict(now, self.max_stale).cloned()
    }

    /// Returns the properties of an accepted token, also before it is presented after a restart.
    pub(super) fn find(&self, id: &TokenId, now: u64) -> Option<Arc<TokenDetails>> {
        match self.verdict(id, now)? {
            Verdict::Accepted(details) => Some(details),
            Verdict::Refused => None,
        }
    }

    /// Returns the ids of all accepted tokens.
    pub(super) fn ids(&self) -> Vec<TokenId> {
        let records = self.records.read();
        records.iter().filter(|(_, record)| record.details().is_some()).map(|(id, _)| *id).collect()
    }

    /// Returns the projects whose toggles a client token of the settings reads; empty: all. Before the first answer, the token itself
    /// may name one project. `None` if they are not known, or the upstream refuses the token.
    pub(super) fn projects(&self, id: &TokenId) -> Option<Vec<String>> {
        let records = self.records.read();
        let (_, projects) = records.get(id)?.selection()?;
        Some(projects.into_iter().map(ToOwned::to_owned).collect())
    }

    /// Returns all tokens that the upstream is asked about in each interval.
    pub(super) fn list_known(&self) -> Vec<Asked> {
        let records = self.records.read();
        let known = records.iter().filter(|(_, record)| record.is_known());
        known.filter_map(|(id, record)| Some((*id, record.secret.clone()?))).collect()
    }

    /// Returns tokens that requests wait for: those that were accepted before, and some unknown ones. Networks with few unknown
    /// tokens precede others.
    pub(super) fn list_wanted(&self) -> Vec<Asked> {
        let records = self.records.read();
        let wanted = records
            .iter()
            .filter_map(|(id, record)| Some((record.wanted_since?, (*id, record.secret.clone()?), record)));
        let (mut known, mut unknown): (Vec<_>, Vec<_>) = wanted.partition(|(.., record)| record.is_known());
        unknown.sort_by_key(|(since, ..)| *since);
        let mut networks: HashMap<Option<IpAddr>, usize> = HashMap::new();
        for refused in records.values().filter(|record| !record.is_known() && record.wanted_since.is_none()) {
            *networks.entry(refused.network).or_default() += 1;
        }
        let ranked = unknown.into_iter().map(|(_, asked, record)| {
            let rank = networks.entry(record.network).or_default();
            *rank += 1;
            (*rank, asked)
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let unknown = ranked.into_iter().take(MAX_UNKNOWN).map(|(_, asked)| asked);
        known.truncate(MAX_ASKED - 1 - MAX_UNKNOWN);
        known.into_iter().map(|(_, asked, _)| asked).chain(unknown).collect()
    }

    /// Applies the response to a request about tokens, which was sent at `sent`. Returns those that were accepted before, and are
    /// refused now.
    pub(super) fn apply(&self, asked: &[Asked], listed: &[ListedToken], sent: u64) -> Vec<TokenId> {
        let listed: HashMap<_, _> = listed.iter().map(|listed| (listed.token.as_str(), listed)).collect();
        let mut revoked = Vec::new();
        let mut records = self.records.write();
        for (id, secret) in asked {
            let Some(record) = records.get_mut(id) else { continue };
            let details = listed.get(secret.as_str()).and_then(|listed| self.details(listed));
            if details.is_none() && record.details().is_some() {
                revoked.push(*id);
            }
            let accepted = details.map(|details| Verdict::Accepted(Arc::new(details)));
            record.verdict = Some(accepted.unwrap_or(Verdict::Refused));
            (record.answered_at, record.wanted_since) = (sent, None);
        }
        drop(records);
        self.answers.send_replace(());
        revoked
    }

    /// Ends the wait for an answer about tokens, without one. The client tokens of the settings go on waiting for their first answer.
    pub(super) fn fail(&self, asked: &[Asked]) {
        let mut records = self.records.write();
        for (id, _) in asked {
            if let Some(record) = records.get_mut(id)
                && (record.verdict.is_some() || !record.is_own)
            {
                record.wanted_since = None;
            }
        }
        records.retain(|_, record| record.verdict.is_some() || record.wanted_since.is_some());
        drop(records);
        self.answers.send_replace(());
    }

    /// Returns the properties of a listed token; `None` if no SDK can use it here.
    fn details(&self, listed: &ListedToken) -> Option<TokenDetails> {
        let kind = listed.kind()?;
        let in_token = || public_part(&listed.token).map(|(_, environment)| environment);
        let environment = listed.environment.as_deref().or_else(in_token)?;
        let all = listed.projects.iter().any(|project| project == ALL_PROJECTS);
        let projects = if all { Vec::new() } else { listed.projects.clone() };
        self.environments.contains(environment).then(|| TokenDetails {
            environment: environment.to_owned(),
            scope: Arc::new(self.scope(kind, projects)),
        })
    }

    fn scope(&self, kind: TokenKind, projects: Vec<String>) -> TokenScope {
        match kind {
            TokenKind::Frontend => TokenScope { projects, ..self.frontend_scope.clone() },
            TokenKind::Client => TokenScope { projects, ..TokenScope::unlimited(kind) },
        }
    }

    /// Adds the answers in the database, unless the upstream has answered in this process. `confirmed_at` of the rows is a time of
    /// this process.
    pub(super) fn restore(&self, rows: Vec<TokenRow>) {
        let mut records = self.records.write();
        for TokenRow { id, kind, environment, projects, confirmed_at } in rows {
            let record = records.entry(id).or_default();
            if record.verdict.is_none() && self.environments.contains(&environment) {
                let scope = Arc::new(self.scope(kind, projects));
                record.verdict = Some(Verdict::Accepted(Arc::new(TokenDetails { environment, scope })));
                (record.answered_at, record.written_at) = (confirmed_at, confirmed_at);
            }
        }
        records.retain(|_, record| record.verdict.is_some() || record.wanted_since.is_some());
    }

    /// Returns the answers that the database does not contain. Tokens of an unusual form are not stored, because they can be short.
    pub(super) fn list_unwritten(&self) -> Vec<TokenRow> {
        let records = self.records.read();
        let unwritten = records.iter().filter_map(|(id, record)| {
            let details = record.details().filter(|_| record.written_at < record.answered_at)?;
            public_part(record.secret.as_deref()?)?;
            Some(TokenRow {
                id: *id,
                kind: details.scope.kind,
                environment: details.environment.clone(),
                projects: details.scope.projects.clone(),
                confirmed_at: record.answered_at,
            })
        });
        unwritten.collect()
    }

    /// Returns true if the upstream has not refused the token since.
    pub(super) fn is_storable(&self, id: &TokenId) -> bool {
        self.records.read().get(id).is_some_and(|record| record.details().is_some())
    }

    /// Records that the database contains the answers of these times.
    pub(super) fn mark_written(&self, written: &[(TokenId, u64)]) {
        let mut records = self.records.write();
        for (id, at) in written {
            if let Some(record) = records.get_mut(id) {
                record.written_at = *at;
            }
        }
    }

    /// Records that the database contains no answers any more.
    pub(super) fn forget_written(&self) {
        self.records.write().values_mut().for_each(|record| record.written_at = 0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use actix_web::http::header::HeaderValue;

    use super::{Bounds, LookUp, TokenTable, id_of};
    use crate::config::{ClientToken, Replica};

    #[test]
    fn networks_with_many_unknown_tokens_leave_room_for_others() {
        let value = HeaderValue::from_static("*:production.0123456789");
        let own = ClientToken { environment: Some("production".to_owned()), value };
        let settings = Replica {
            refresh: Duration::ZERO,
            max_stale: Duration::from_secs(1),
            report_interval: Duration::ZERO,
            toggle_metrics: false,
            frontend_tokens: Vec::new(),
            frontend_origins: Vec::new(),
            token_interval: Duration::ZERO,
            token_pause: Duration::ZERO,
        };
        let bounds = Bounds { copies: 0, bytes: 0, per_credential: 0, unknown: 20, unknown_per_network: 5 };
        let table = TokenTable::new(&[own], &settings, bounds);
        let mut number = 0;
        let mut try_from = |network: u8| {
            number += 1;
            let token = format!("*:production.fedcba9876543210{number:04}");
            let found = table.look_up(&id_of(&token), &token, IpAddr::from([10, 0, 0, network]), 0);
            assert!(matches!(found, LookUp::Wait(_) | LookUp::TooMany), "{found:?}");
            matches!(found, LookUp::Wait(_))
        };
        // 10 networks flood the table.
        for round in 0..10 {
            for network in 0..10 {
                let is_asked = try_from(network);
                assert!(is_asked || round >= 2, "network {network} in round {round}");
            }
        }
        assert!(try_from(77), "another network");
        assert!(!try_from(0), "a network of the flood");
    }
}
