//! The replica as the source of the SDK APIs: toggles of one token of the upstream (`--evaluate-token`), and the frontend
//! tokens of a file.
//!
//! The upstream selects the toggles of a limited frontend token, because its responses contain no tags, and those of
//! older versions no projects. A server that ignores this selection would reveal all toggles. For each kind of limit
//! there is therefore a control: a selection that must be empty. Otherwise the limited tokens get no toggles.

use std::collections::BTreeSet;
use std::future::ready;
use std::iter::once;
use std::sync::Arc;

use actix_web::http::header::HeaderMap;
use bytes::Bytes;
use futures_util::FutureExt as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::form_urlencoded::Serializer;

use super::backlog::{ReportKind, ReportSender};
use super::cache_key::PATH;
use super::{Replica, own_headers};
use crate::config::{Evaluate, TokenKind, TokenScope};
use crate::error::ApiError;
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
    /// Headers with the token of the upstream.
    headers: HeaderMap,
    tokens: Vec<(TokenId, Arc<TokenScope>)>,
    all: Arc<CompiledCache>,
    limited: Vec<LimitedToggles>,
}

/// The toggles of the tokens with the same projects and tags.
struct LimitedToggles {
    scope: Arc<TokenScope>,
    compiled: Arc<CompiledCache>,
}

/// Returns the queries of all copies that the evaluation needs.
pub(super) fn queries(settings: &Evaluate) -> BTreeSet<String> {
    let scopes = settings.frontend_tokens.iter().map(|token| &*token.scope);
    let limited = scopes.filter(|scope| !scope.includes_all());
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
    pub(crate) fn new(replica: Replica, settings: &Evaluate) -> Self {
        let server = TokenScope::unlimited(TokenKind::Client);
        let hash = Sha256::digest(settings.token.as_bytes()).into();
        let frontend = settings.frontend_tokens.iter().map(|token| (token.hash, Arc::clone(&token.scope)));
        let tokens: Vec<_> = once((hash, Arc::new(server))).chain(frontend).collect();
        let mut limited: Vec<LimitedToggles> = Vec::new();
        for (_, scope) in tokens.iter().filter(|(_, scope)| !scope.includes_all()) {
            if !limited.iter().any(|toggles| toggles.is_for(scope)) {
                limited.push(LimitedToggles { scope: Arc::clone(scope), compiled: Arc::default() });
            }
        }
        let headers = own_headers(&settings.token);
        Self { replica, headers, tokens, all: Arc::default(), limited }
    }

    /// Reads the body of a copy. Fails if it is absent or too old.
    async fn read(&self, query: &str) -> Result<(Bytes, CopyAge), ApiError> {
        let (copy, age) = self.replica.copy_for(&self.headers, query).await?;
        Ok((copy.body.clone(), age))
    }

    async fn read_definitions(&self, scope: &TokenScope) -> Result<CurrentDefinitions, ApiError> {
        let (body, age) = self.read("").await?;
        let parsed = body.clone();
        let definitions = self.all.get(vec![body.clone()], move || parse(&parsed)).await.map_err(unusable)?;
        if scope.includes_all() {
            return Ok(CurrentDefinitions { definitions, age: Some(age) });
        }
        let limited = self.limited.iter().find(|toggles| toggles.is_for(scope));
        let limited = limited.ok_or_else(|| ApiError::internal("there is no selection for the token"))?;
        let (selection, selection_age) = self.read(&selection_of(scope)).await?;
        let mut controls = Vec::new();
        for query in controls_of(scope) {
            controls.push(self.read(query).await?.0);
        }
        let bodies = [body, selection.clone()].into_iter().chain(controls.iter().cloned()).collect();
        let limited_scope = Arc::clone(&limited.scope);
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
        let definitions = limited.compiled.get(bodies, compile).await.map_err(unusable)?;
        Ok(CurrentDefinitions { definitions, age: Some(age.max(selection_age)) })
    }

    /// Returns the scope of a token. All tokens are compared, so that the time does not depend on the position of the token.
    fn scope_of(&self, token: &TokenId) -> Option<Arc<TokenScope>> {
        let matching = self.tokens.iter().fold(None, |found, (known, scope)| {
            if is_equal_in_constant_time(known, token) { Some(scope) } else { found }
        });
        matching.map(Arc::clone)
    }

    /// Adds a report to those that wait for the upstream. The token of the upstream authenticates it there.
    fn keep(&self, kind: ReportKind, report: &Value) -> Result<(), ApiError> {
        let body = serde_json::to_vec(report).map_err(ApiError::internal)?;
        let inner = &self.replica.0;
        if inner.store_report(
            &inner.evaluation_reports,
            kind,
            &self.headers,
            &body.into(),
            ReportSender::Known,
        ) {
            Ok(())
        } else {
            Err(ApiError::invalid("appName", "must be the name of the application".to_owned()))
        }
    }
}

impl Source for ReplicaSource {
    fn current<'s>(&'s self, scope: &'s TokenScope) -> Reply<'s, CurrentDefinitions> {
        self.read_definitions(scope).boxed_local()
    }

    fn version(&self) -> Reply<'_, String> {
        async {
            let mut tags = vec![self.current(&TokenScope::unlimited(TokenKind::Client)).await?];
            for toggles in &self.limited {
                tags.push(self.current(&toggles.scope).await?);
            }
            Ok(tags.iter().map(|current| current.definitions.tag()).collect())
        }
        .boxed_local()
    }

    fn find_scope(&self, token: Option<TokenId>) -> Reply<'_, Option<Arc<TokenScope>>> {
        ready(Ok(token.and_then(|token| self.scope_of(&token)))).boxed_local()
    }

    fn find_caller<'s>(&'s self, headers: &'s HeaderMap) -> Reply<'s, Option<Caller>> {
        async move {
            let Some(token) = token_from_headers(headers) else { return Ok(None) };
            let hash: TokenId = Sha256::digest(token).into();
            let scope = self.scope_of(&hash).ok_or(ApiError::TokenNeeded)?;
            Ok(Some(Caller { scope, token: Some(hash) }))
        }
        .boxed_local()
    }

    fn tokens(&self) -> Reply<'_, Vec<TokenId>> {
        ready(Ok(self.tokens.iter().map(|(token, _)| *token).collect())).boxed_local()
    }

    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool> {
        async move { Ok(self.tokens.iter().any(|(_, scope)| scope.allows_origin(origin))) }.boxed_local()
    }

    fn register<'s>(&'s self, registration: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(ReportKind::Registration, registration) }.boxed_local()
    }

    fn count<'s>(&'s self, report: &'s Value, _: &'s str) -> Reply<'s, ()> {
        async move { self.keep(ReportKind::Counts, report) }.boxed_local()
    }
}

impl LimitedToggles {
    /// Returns true if a scope has the same projects and tags.
    fn is_for(&self, scope: &TokenScope) -> bool {
        (&self.scope.projects, &self.scope.tags) == (&scope.projects, &scope.tags)
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
