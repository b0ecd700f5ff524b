//! The replica as the source of the SDK APIs: toggles of the client tokens of the upstream (`--upstream-token`), and the
//! frontend tokens of a file, each of which belongs to one client token.
//!
//! The upstream selects the toggles of a limited frontend token, because its responses contain no tags, and responses of older
//! versions contain no projects. A server that ignores this selection would reveal all toggles. For each kind of limit there
//! is therefore a control: a selection that must be empty. Otherwise the limited tokens get no toggles.

use std::collections::BTreeSet;
use std::future::ready;
use std::iter::once;
use std::sync::Arc;

use actix_web::http::header::{HeaderMap, HeaderValue};
use futures_util::FutureExt as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::form_urlencoded::Serializer;

use super::backlog::{ReportKind, ReportSender};
use super::cache_key::PATH;
use super::{Replica, own_headers};
use crate::config::{FrontendToken, TokenKind, TokenScope, Upstream};
use crate::error::ApiError;
use crate::impact_metrics::ImpactSender;
use crate::middleware::sdk_token::token_from_headers;
use crate::sdk::definitions::Definitions;
use crate::sdk::source::{Caller, CompiledCache, CurrentDefinitions, Reply, Source, TokenId};

/// Selection of a project that does not exist.
const PROJECT_CONTROL: &str = "project=flagdeck-no-such-project";
/// Selection of a tag that does not exist.
const TAG_CONTROL: &str = "tag=flagdeck%3Ano-such-tag";

/// Serves toggles of a replica to browsers and OpenFeature clients.
pub(crate) struct ReplicaSource {
    replica: Replica,
    tokens: Vec<KnownToken>,
}

/// A token that clients may send.
struct KnownToken {
    id: TokenId,
    scope: Arc<TokenScope>,
    environment: Arc<Environment>,
    /// The toggles in the scope. Tokens of an environment with the same projects and tags share them.
    compiled: Arc<CompiledCache>,
}

/// All toggles that the upstream sends for a client token.
struct Environment {
    /// Headers with the client token.
    headers: HeaderMap,
    compiled: Arc<CompiledCache>,
}

/// Returns the headers and the queries of all copies that the settings need.
pub(super) fn own_requests(upstream: &Upstream) -> Vec<(HeaderMap, String)> {
    let requests = upstream.client_tokens.iter().flat_map(|token| {
        let queries = queries(frontend_tokens(upstream, &token.value)).into_iter();
        queries.map(|query| (own_headers(&token.value), query))
    });
    requests.collect()
}

/// Returns the frontend tokens with the toggles of a client token.
fn frontend_tokens<'u>(
    upstream: &'u Upstream,
    client_token: &HeaderValue,
) -> impl Iterator<Item = &'u FrontendToken> {
    let tokens = upstream.replica.iter().flat_map(|replica| &replica.frontend_tokens);
    tokens.filter(move |token| token.client_token == client_token)
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
        let mut tokens: Vec<KnownToken> = Vec::new();
        for client_token in upstream.client_tokens.iter() {
            let value = &client_token.value;
            let environment = Arc::new(Environment { headers: own_headers(value), compiled: Arc::default() });
            tokens.push(KnownToken {
                id: Sha256::digest(value.as_bytes()).into(),
                scope: Arc::new(TokenScope::unlimited(TokenKind::Client)),
                compiled: Arc::clone(&environment.compiled),
                environment: Arc::clone(&environment),
            });
            for token in frontend_tokens(upstream, value) {
                let same = tokens.iter().find(|known| known.has_toggles_of(&environment, &token.scope));
                tokens.push(KnownToken {
                    id: token.hash,
                    scope: Arc::clone(&token.scope),
                    compiled: same.map_or_else(Arc::default, |known| Arc::clone(&known.compiled)),
                    environment: Arc::clone(&environment),
                });
            }
        }
        Self { replica, tokens }
    }

    /// Reads the definitions of a token. Fails if a copy is absent or too old.
    async fn read_definitions(&self, token: &KnownToken) -> Result<CurrentDefinitions, ApiError> {
        let KnownToken { scope, environment, compiled, .. } = token;
        let read = async |query: &str| {
            let (served, age) = self.replica.copy_for(&environment.headers, query).await?;
            Ok::<_, ApiError>((served.value.body.clone(), age, served.held))
        };
        let (body, age, held) = read("").await?;
        let parsed = body.clone();
        let definitions = environment.compiled.get(vec![body.clone()], move || parse(&parsed)).await;
        let definitions = definitions.map_err(unusable)?;
        if scope.includes_all() {
            return Ok(CurrentDefinitions { definitions, age: Some(age), held });
        }
        let (selection, selection_age, _) = read(&selection_of(scope)).await?;
        let mut controls = Vec::new();
        for query in controls_of(scope) {
            controls.push(read(query).await?.0);
        }
        let bodies = [body, selection.clone()].into_iter().chain(controls.iter().cloned()).collect();
        let limited_scope = Arc::clone(scope);
        let compile = move || {
            for control in &controls {
                if !parse(control)?.is_empty() {
                    return Err(
                        "it ignores the parameters project and tag, so that tokens cannot be limited to them"
                            .to_owned(),
                    );
                }
            }
            definitions.with_selection(&selection, &limited_scope).map_err(|error| error.to_string())
        };
        let definitions = compiled.get(bodies, compile).await.map_err(unusable)?;
        Ok(CurrentDefinitions { definitions, age: Some(age.max(selection_age)), held })
    }

    /// Finds a token. All tokens are compared, so that the time does not depend on the position of the token.
    fn find(&self, id: &TokenId) -> Option<&KnownToken> {
        self.tokens.iter().fold(None, |found, known| {
            if is_equal_in_constant_time(&known.id, id) { Some(known) } else { found }
        })
    }

    /// Finds the token of a request that has been checked.
    fn token_of(&self, caller: &Caller) -> Result<&KnownToken, ApiError> {
        let token = caller.token.and_then(|token| self.find(&token));
        token.ok_or_else(|| ApiError::internal("the token of the request is unknown"))
    }

    /// Adds a report to those that wait for the upstream. The client token of the environment authenticates it there.
    fn keep(&self, caller: &Caller, kind: ReportKind, report: &Value) -> Result<(), ApiError> {
        let body = serde_json::to_vec(report).map_err(ApiError::internal)?;
        let (inner, headers) = (&self.replica.0, &self.token_of(caller)?.environment.headers);
        let reports = &inner.evaluation_reports;
        if inner.store_report(reports, kind, headers, &body.into(), ReportSender::Known) {
            inner.impact_metrics.record(report, ImpactSender::Browser);
            Ok(())
        } else {
            Err(ApiError::invalid("appName", "must be the name of the application".to_owned()))
        }
    }
}

impl Source for ReplicaSource {
    fn current<'s>(&'s self, caller: &'s Caller) -> Reply<'s, CurrentDefinitions> {
        async move { self.read_definitions(self.token_of(caller)?).await }.boxed_local()
    }

    fn version(&self) -> Reply<'_, String> {
        async {
            let (mut version, mut failure) = (String::new(), None);
            let mut read: Vec<&Arc<CompiledCache>> = Vec::new();
            for token in &self.tokens {
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
        let known = token.and_then(|token| self.find(&token));
        ready(Ok(known.map(|known| Arc::clone(&known.scope)))).boxed_local()
    }

    fn find_caller<'s>(&'s self, headers: &'s HeaderMap) -> Reply<'s, Option<Caller>> {
        async move {
            let Some(token) = token_from_headers(headers) else { return Ok(None) };
            let id: TokenId = Sha256::digest(token).into();
            let known = self.find(&id).ok_or(ApiError::TokenNeeded)?;
            Ok(Some(Caller { scope: Arc::clone(&known.scope), token: Some(id) }))
        }
        .boxed_local()
    }

    fn tokens(&self) -> Reply<'_, Vec<TokenId>> {
        ready(Ok(self.tokens.iter().map(|known| known.id).collect())).boxed_local()
    }

    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool> {
        async move { Ok(self.tokens.iter().any(|known| known.scope.allows_origin(origin))) }.boxed_local()
    }

    fn has_frontend_tokens(&self) -> bool {
        self.tokens.iter().any(|known| known.scope.kind == TokenKind::Frontend)
    }

    fn register<'s>(&'s self, caller: &'s Caller, registration: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(caller, ReportKind::Registration, registration) }.boxed_local()
    }

    fn count<'s>(&'s self, caller: &'s Caller, report: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(caller, ReportKind::Counts, report) }.boxed_local()
    }
}

impl KnownToken {
    /// Returns true if the token has this environment, and the projects and tags of this scope.
    fn has_toggles_of(&self, environment: &Arc<Environment>, scope: &TokenScope) -> bool {
        let is_same_scope = (&self.scope.projects, &self.scope.tags) == (&scope.projects, &scope.tags);
        is_same_scope && Arc::ptr_eq(&self.environment, environment)
    }
}

fn parse(body: &[u8]) -> Result<Definitions, String> {
    Definitions::from_json(body).map_err(|error| error.to_string())
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
