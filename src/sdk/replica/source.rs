//! The replica as the source of the SDK APIs: toggles of the client tokens of the upstream (`--upstream-token`), the frontend
//! tokens of a file, and tokens that the upstream knows. Each belongs to an environment, whose client tokens supply the toggles.
//!
//! The upstream selects the toggles of a limited token of the file, because its responses contain no tags, and responses of older
//! versions contain no projects. A server that ignores this selection would reveal all toggles. For each kind of limit there
//! is therefore a control: a selection that must be empty. Otherwise the limited tokens get no toggles.

use std::collections::BTreeSet;
use std::future::ready;
use std::iter::once;
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use serde_json::Value;
use url::form_urlencoded::Serializer;

use super::cache_key::PATH;
use super::queued_report::{ReportKind, ReportSender};
use super::token_table::id_of;
use super::{Replica, own_headers};
use crate::config::{FrontendToken, TokenKind, TokenScope, Upstream};
use crate::error::{ApiError, DomainError};
use crate::hold::HeldToggles;
use crate::impact_metrics::ImpactSender;
use crate::middleware::client;
use crate::middleware::sdk_token::token_from_headers;
use crate::negotiation::CopyAge;
use crate::sdk::definitions::Definitions;
use crate::sdk::source::{Caller, CompiledCache, CurrentDefinitions, Reply, Source, TokenId};

/// Selection of a project that does not exist.
const PROJECT_CONTROL: &str = "project=flagdeck-no-such-project";
/// Selection of a tag that does not exist.
const TAG_CONTROL: &str = "tag=flagdeck%3Ano-such-tag";

/// Serves toggles of a replica to browsers and OpenFeature clients.
pub(crate) struct ReplicaSource {
    replica: Replica,
    /// Tokens of the settings.
    tokens: Vec<KnownToken>,
    /// The toggles of all client tokens of an environment.
    environments: Vec<(Option<String>, Arc<ToggleSource>)>,
}

/// A token that clients may send.
#[derive(Clone)]
struct KnownToken {
    id: TokenId,
    scope: Arc<TokenScope>,
    toggles: Arc<ToggleSource>,
    /// The toggles in the scope. Tokens of an environment with the same projects and tags share them.
    compiled: Arc<CompiledCache>,
    /// True for a token about which the upstream was asked. Such a server names the project of each toggle.
    is_learned: bool,
}

/// The toggles that the upstream sends for some client tokens.
struct ToggleSource {
    clients: Vec<ToggleClient>,
    compiled: Arc<CompiledCache>,
}

/// A client token.
#[derive(Clone)]
struct ToggleClient {
    id: TokenId,
    /// Headers with the token.
    headers: HeaderMap,
}

/// A list of toggles for a client token.
struct ToggleList {
    body: Bytes,
    age: CopyAge,
    held: Arc<HeldToggles>,
}

/// A request for a copy that the settings need.
pub(super) struct OwnRequest {
    /// Id of the client token.
    pub(super) token: TokenId,
    pub(super) headers: HeaderMap,
    pub(super) query: String,
}

/// Returns the requests for all copies that the settings need.
pub(super) fn own_requests(upstream: &Upstream) -> Vec<OwnRequest> {
    let requests = upstream.client_tokens.iter().flat_map(|token| {
        let queries = queries(frontend_tokens(upstream, token.environment.as_deref())).into_iter();
        let id = id_of(&token.value);
        queries.map(move |query| OwnRequest { token: id, headers: own_headers(&token.value), query })
    });
    requests.collect()
}

/// Returns the frontend tokens of an environment.
fn frontend_tokens<'u>(
    upstream: &'u Upstream,
    environment: Option<&str>,
) -> impl Iterator<Item = &'u FrontendToken> {
    let tokens = upstream.replica.iter().flat_map(|replica| &replica.frontend_tokens);
    tokens.filter(move |token| token.environment.as_deref() == environment)
}

/// Returns the queries of all copies that the evaluation with these tokens needs.
fn queries<'t>(tokens: impl Iterator<Item = &'t FrontendToken>) -> BTreeSet<String> {
    let limited = tokens.map(|token| &*token.scope).filter(|scope| !scope.includes_all());
    let queries = limited.flat_map(|scope| {
        once(selection_of(scope)).chain(controls_of(scope).into_iter().map(ToOwned::to_owned))
    });
    once(String::new()).chain(queries).collect()
}

/// Returns the query with which servers select the toggles of a scope.
fn selection_of(scope: &TokenScope) -> String {
    let mut query = Serializer::new(String::new());
    query.extend_pairs(scope.projects.iter().map(|project| ("project", project)));
    query.extend_pairs(scope.tags.iter().map(|tag| ("tag", tag)));
    query.finish()
}

/// Returns the queries whose results must be empty, if the server supports the selection of a scope.
fn controls_of(scope: &TokenScope) -> Vec<&'static str> {
    let project = (!scope.projects.is_empty()).then_some(PROJECT_CONTROL);
    project.into_iter().chain((!scope.tags.is_empty()).then_some(TAG_CONTROL)).collect()
}

impl ReplicaSource {
    /// Creates the source. The replica must have been created with the same settings.
    pub(crate) fn new(replica: Replica, upstream: &Upstream) -> Self {
        let (mut tokens, mut environments): (Vec<KnownToken>, Vec<_>) = (Vec::new(), Vec::new());
        let names: BTreeSet<_> = upstream.client_tokens.iter().map(|token| &token.environment).collect();
        for environment in names {
            let of_environment =
                upstream.client_tokens.iter().filter(|token| token.environment == *environment);
            let clients = of_environment
                .map(|token| ToggleClient { id: id_of(&token.value), headers: own_headers(&token.value) });
            let all = Arc::new(ToggleSource::new(clients.collect()));
            for client in &all.clients {
                // A client token gets the toggles that it can read itself.
                let is_only = all.clients.len() == 1;
                let own = || Arc::new(ToggleSource::new(vec![client.clone()]));
                let toggles = if is_only { Arc::clone(&all) } else { own() };
                let scope = Arc::new(TokenScope::unlimited(TokenKind::Client));
                tokens.push(KnownToken::new(client.id, scope, toggles, false));
            }
            for token in frontend_tokens(upstream, environment.as_deref()) {
                let mut known =
                    KnownToken::new(token.hash, Arc::clone(&token.scope), Arc::clone(&all), false);
                if !token.scope.includes_all() {
                    let same = tokens.iter().find(|known| known.has_toggles_of(&all, &token.scope));
                    known.compiled = same.map_or_else(Arc::default, |known| Arc::clone(&known.compiled));
                }
                tokens.push(known);
            }
            environments.push((environment.clone(), all));
        }
        Self { replica, tokens, environments }
    }

    /// Reads the definitions of a token. Fails if a copy is absent or too old.
    async fn read_definitions(&self, token: &KnownToken) -> Result<CurrentDefinitions, ApiError> {
        let KnownToken { scope, toggles, compiled, is_learned, .. } = token;
        let read = self.needed(toggles).map(async |client| (client, self.read(client, "").await));
        let (mut clients, mut lists, mut refusal) = (Vec::new(), Vec::new(), None);
        for (client, list) in join_all(read).await {
            match list {
                Ok(list) => {
                    clients.push(client);
                    lists.push(list);
                }
                // The upstream refuses one of several client tokens. The toggles of the others are still served.
                Err(error @ ApiError::UnexpectedResponse { .. }) => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        let mut age = match (lists.iter().map(|list| list.age).reduce(CopyAge::max), refusal) {
            (Some(age), _) => age,
            (None, Some(refusal)) => return Err(refusal),
            (None, None) => return Err(ApiError::internal("an environment has no client token")),
        };
        if *is_learned {
            self.check_coverage(scope, &clients)?;
        }
        let held = HeldToggles::merge(lists.iter().map(|list| &list.held));
        let bodies: Vec<_> = lists.into_iter().map(|list| list.body).collect();
        let parsed = bodies.clone();
        let definitions = toggles.compiled.get(bodies.clone(), move || parse(&parsed)).await;
        let definitions = definitions.map_err(unusable)?;
        if *is_learned || scope.includes_all() {
            return Ok(CurrentDefinitions { definitions, age: Some(age), held });
        }
        let (mut selections, mut controls) = (Vec::new(), Vec::new());
        for client in clients {
            let selection = self.read(client, &selection_of(scope)).await?;
            age = age.max(selection.age);
            selections.push(selection.body);
            for query in controls_of(scope) {
                controls.push(self.read(client, query).await?.body);
            }
        }
        let bodies = [bodies, selections.clone(), controls.clone()].concat();
        let limited_scope = Arc::clone(scope);
        let compile = move || {
            for control in &controls {
                if !parse(std::slice::from_ref(control))?.is_empty() {
                    return Err(
                        "it ignores the parameters project and tag, so that tokens cannot be limited to them"
                            .to_owned(),
                    );
                }
            }
            definitions.with_selection(&selections, &limited_scope).map_err(|error| error.to_string())
        };
        let definitions = compiled.get(bodies, compile).await.map_err(unusable)?;
        Ok(CurrentDefinitions { definitions, age: Some(age), held })
    }

    /// Returns the client tokens that read all toggles together, without those whose toggles another one reads too.
    fn needed<'t>(&self, toggles: &'t ToggleSource) -> impl Iterator<Item = &'t ToggleClient> {
        let is_only = toggles.clients.len() == 1;
        toggles.clients.iter().filter(move |client| is_only || !self.replica.0.is_covered(&client.id))
    }

    /// Reads a list of toggles with a client token.
    async fn read(&self, client: &ToggleClient, query: &str) -> Result<ToggleList, ApiError> {
        let (served, age) = self.replica.copy_for(&client.headers, query).await?;
        Ok(ToggleList { body: served.value.body.clone(), age, held: served.held })
    }

    /// Refuses a learned token with projects that no client token reads: its toggles would be missing.
    fn check_coverage(&self, scope: &TokenScope, clients: &[&ToggleClient]) -> Result<(), ApiError> {
        let mut covered = BTreeSet::new();
        for projects in clients.iter().filter_map(|client| self.replica.projects_of(&client.id)) {
            if projects.is_empty() {
                return Ok(());
            }
            covered.extend(projects);
        }
        let is_missing = |project: &&String| !covered.contains(*project);
        let missing: Vec<_> = scope.projects.iter().filter(is_missing).map(String::as_str).collect();
        let missing = if scope.projects.is_empty() { vec!["all (*)"] } else { missing };
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!(
            "This token has projects that no client token of Flagdeck reads: {}. Add a client token with them to the file of \
             upstream-token",
            missing.join(", ")
        );
        Err(DomainError::new("projects_not_covered", StatusCode::SERVICE_UNAVAILABLE, message).into())
    }

    /// Finds a token. All tokens are compared, so that the time does not depend on the position of the token.
    fn find(&self, id: &TokenId) -> Option<&KnownToken> {
        self.tokens.iter().fold(None, |found, known| {
            if is_equal_in_constant_time(&known.id, id) { Some(known) } else { found }
        })
    }

    /// Finds the token of a request that has been checked. It may have been revoked since.
    fn token_of(&self, caller: &Caller) -> Result<KnownToken, ApiError> {
        caller.token.and_then(|token| self.resolve(&token)).ok_or(ApiError::TokenNeeded)
    }

    /// Finds a token of the settings, or one that the upstream has accepted.
    fn resolve(&self, id: &TokenId) -> Option<KnownToken> {
        self.find(id).cloned().or_else(|| {
            let details = self.replica.learned_token(id)?;
            let is_same = |(name, _): &&(Option<String>, _)| name.as_ref() == Some(&details.environment);
            let (_, toggles) = self.environments.iter().find(is_same)?;
            Some(KnownToken::new(*id, Arc::clone(&details.scope), Arc::clone(toggles), true))
        })
    }

    /// Adds a report to those that wait for the upstream. The client token of the environment authenticates it there.
    fn keep(&self, caller: &Caller, kind: ReportKind, report: &Value) -> Result<(), ApiError> {
        let body = serde_json::to_vec(report).map_err(ApiError::internal)?;
        let (inner, toggles) = (&self.replica.0, self.token_of(caller)?.toggles);
        // The upstream may have refused one of several.
        let is_usable = |client: &&ToggleClient| self.replica.projects_of(&client.id).is_some();
        let client = toggles.clients.iter().find(is_usable).or(toggles.clients.first());
        let client = client.ok_or_else(|| ApiError::internal("an environment has no client token"))?;
        let reports = &inner.evaluation_reports;
        if inner.store_report(reports, kind, &client.headers, &body.into(), ReportSender::Known) {
            inner.impact_metrics.record(report, ImpactSender::Browser);
            Ok(())
        } else {
            Err(ApiError::invalid("appName", "must be the name of the application".to_owned()))
        }
    }
}

impl Source for ReplicaSource {
    fn current<'s>(&'s self, caller: &'s Caller) -> Reply<'s, CurrentDefinitions> {
        async move { self.read_definitions(&self.token_of(caller)?).await }.boxed_local()
    }

    fn version(&self) -> Reply<'_, String> {
        async {
            let (mut version, mut failure) = (String::new(), None);
            let mut read: Vec<&Arc<CompiledCache>> = Vec::new();
            let environments = self.environments.iter().map(|(_, toggles)| {
                let scope = Arc::new(TokenScope::unlimited(TokenKind::Client));
                KnownToken::new(TokenId::default(), scope, Arc::clone(toggles), false)
            });
            let environments: Vec<_> = environments.collect();
            for token in environments.iter().chain(&self.tokens) {
                if read.iter().any(|other| Arc::ptr_eq(other, &token.compiled)) {
                    continue;
                }
                read.push(&token.compiled);
                match self.read_definitions(token).await {
                    Ok(current) => version.push_str(current.definitions.tag()),
                    // Clients of other tokens still learn of changes.
                    Err(error) => failure = Some(error),
                }
            }
            match failure {
                Some(error) if version.is_empty() => Err(error),
                _ => Ok(version),
            }
        }
        .boxed_local()
    }

    fn find_scope(&self, token: Option<TokenId>) -> Reply<'_, Option<Arc<TokenScope>>> {
        let known = token.and_then(|token| self.resolve(&token));
        ready(Ok(known.map(|known| known.scope))).boxed_local()
    }

    fn find_caller<'s>(&'s self, request: &'s HttpRequest) -> Reply<'s, Option<Caller>> {
        async move {
            let Some(token) = token_from_headers(request.headers()) else { return Ok(None) };
            let id = id_of(token);
            let scope = if let Some(known) = self.find(&id) {
                Arc::clone(&known.scope)
            } else {
                let address = client::from_request(request)?.address;
                Arc::clone(&self.replica.identify_token(&id, token, address).await?.scope)
            };
            Ok(Some(Caller { scope, token: Some(id) }))
        }
        .boxed_local()
    }

    fn tokens(&self) -> Reply<'_, Vec<TokenId>> {
        let own = self.tokens.iter().map(|known| known.id);
        ready(Ok(own.chain(self.replica.learned_tokens()).collect())).boxed_local()
    }

    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool> {
        let is_allowed = self.tokens.iter().any(|known| known.scope.allows_origin(origin));
        ready(Ok(is_allowed || self.replica.allows_learned_origin(origin))).boxed_local()
    }

    fn has_frontend_tokens(&self) -> bool {
        self.replica.learns_tokens()
            || self.tokens.iter().any(|known| known.scope.kind == TokenKind::Frontend)
    }

    fn register<'s>(&'s self, caller: &'s Caller, registration: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(caller, ReportKind::Registration, registration) }.boxed_local()
    }

    fn count<'s>(&'s self, caller: &'s Caller, report: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(caller, ReportKind::Counts, report) }.boxed_local()
    }
}

impl ToggleSource {
    fn new(clients: Vec<ToggleClient>) -> Self {
        Self { clients, compiled: Arc::default() }
    }
}

impl KnownToken {
    /// Creates a token that gets all toggles, unless its scope is limited.
    fn new(id: TokenId, scope: Arc<TokenScope>, toggles: Arc<ToggleSource>, is_learned: bool) -> Self {
        Self { id, scope, compiled: Arc::clone(&toggles.compiled), toggles, is_learned }
    }

    /// Returns true if the token has the toggles of this source, and the projects and tags of this scope.
    fn has_toggles_of(&self, toggles: &Arc<ToggleSource>, scope: &TokenScope) -> bool {
        let is_same_scope = (&self.scope.projects, &self.scope.tags) == (&scope.projects, &scope.tags);
        is_same_scope && Arc::ptr_eq(&self.toggles, toggles)
    }
}

fn parse(bodies: &[Bytes]) -> Result<Definitions, String> {
    Definitions::from_lists(bodies).map_err(|error| error.to_string())
}

fn unusable(fault: String) -> ApiError {
    ApiError::UnexpectedResponse { path: PATH.to_owned(), fault }
}

fn is_equal_in_constant_time(one: &TokenId, other: &TokenId) -> bool {
    one.iter().zip(other).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, TokenScope, controls_of, is_equal_in_constant_time, selection_of};

    #[test]
    fn queries_select_by_project_and_tag() {
        for (projects, tags, query, controls) in [
            (&[][..], &[][..], "", 0),
            (&["a b", "c"], &[], "project=a+b&project=c", 1),
            (&[], &["team:a&b"], "tag=team%3Aa%26b", 1),
            (&["a"], &["team:b", "team:c"], "project=a&tag=team%3Ab&tag=team%3Ac", 2),
        ] {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            let (projects, tags) = (texts(projects), texts(tags));
            let scope = TokenScope { kind: TokenKind::Frontend, origins: Vec::new(), projects, tags };
            assert_eq!((selection_of(&scope).as_str(), controls_of(&scope).len()), (query, controls));
        }
    }

    #[test]
    fn compares_every_byte() {
        for index in 0..32 {
            let mut other = [7; 32];
            assert!(is_equal_in_constant_time(&[7; 32], &other));
            other[index] ^= 128;
            assert!(!is_equal_in_constant_time(&[7; 32], &other));
        }
    }
}
