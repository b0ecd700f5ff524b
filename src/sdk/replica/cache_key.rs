//! Cache keys, and the requests to the upstream that belong to them. Pure.
//!
//! The key contains everything that the response of a flag service depends on. It is a salted hash, so that the
//! database of copies contains no credentials.

use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
};
use bytes::Bytes;
use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};

use crate::api::SegmentFormat;
use crate::config::{TokenKind, Upstream};
use crate::number::to_u64;
use crate::recorder::{ScopeKey, ServedScope};
use crate::upstream::exchange;
use crate::upstream::request_body::Framing;

/// Version of the client specification that the SDK supports. It decides whether segments are inlined.
pub(super) const SPECIFICATION: HeaderName = HeaderName::from_static("unleash-client-spec");
/// Version of the client specification in requests of this program: responses list segments.
pub(super) static OWN_SPECIFICATION: HeaderValue = HeaderValue::from_static("5.2.0");
/// Credential and environment of SDKs at GitLab. Other servers do not use them to select toggles.
const GITLAB_HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("unleash-instanceid"), HeaderName::from_static("unleash-appname")];
/// Path of the toggles.
pub(super) const PATH: &str = "/api/client/features";
/// Path at which servers from 4.15 on say which tokens are valid. It needs no credential.
const VALIDATION_PATH: &str = "/edge/validate";
/// Path of the results for browsers.
const FRONTEND_PATH: &str = "/api/frontend";
/// Part of the path of GitLab's feature flag API, which follows it with the id of the project.
const GITLAB_PATH: &str = "/feature_flags/unleash/";
/// Query parameters that select toggles. Others are ignored, so that they cannot multiply the keys.
const PARAMETERS: [&str; 4] = ["environment", "namePrefix", "project", TAG];
const TAG: &str = "tag";
/// Number of characters of a token that reports and commands show.
const SHOWN_CHARACTERS: usize = 4;

/// Minimum length of the secret in a token whose other part is shown.
const MIN_SECRET: usize = 16;

/// Salt of hashes. The database contains that of its hashes, so that they are useless without the database.
pub(super) type Salt = [u8; 16];

/// Identifies a response: credential, format and selection of toggles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CacheKey {
    /// Hash of the credential alone, which limits the number of keys for each.
    pub(super) credential: [u8; 32],
    /// Hash of everything.
    pub(super) whole: [u8; 32],
}

/// Computes keys, and writes the requests to one upstream.
pub(super) struct Keys {
    salt: Salt,
    /// URL of the toggles, which is part of the keys: another upstream has other toggles.
    url: String,
    target: String,
    validation_target: String,
    frontend_target: String,
    authority: String,
    headers: Vec<HeaderName>,
    /// Headers of `--upstream-header`, which replace headers of clients.
    added_headers: Vec<(HeaderName, HeaderValue)>,
}

/// The parts of a request that the upstream receives.
#[derive(Debug, Clone)]
pub(super) struct FeatureRequest {
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    query: String,
}

impl Keys {
    pub(super) fn new(upstream: &Upstream, salt: Salt) -> Self {
        let is_gitlab = upstream.path.contains(GITLAB_PATH);
        let target = format!("{}{}", upstream.path, if is_gitlab { "/client/features" } else { PATH });
        let own = [AUTHORIZATION, SPECIFICATION].into_iter();
        Self {
            salt,
            url: format!("{}{target}", upstream.origin),
            target,
            validation_target: format!("{}{VALIDATION_PATH}", upstream.path),
            frontend_target: format!("{}{FRONTEND_PATH}", upstream.path),
            authority: upstream.authority.clone(),
            headers: own.chain(GITLAB_HEADERS.into_iter().filter(|_| is_gitlab)).collect(),
            added_headers: upstream.headers_for_sdks().to_vec(),
        }
    }

    /// Returns the URL of the toggles, which identifies the upstream.
    pub(super) fn source(&self) -> &str {
        &self.url
    }

    /// Computes the key of a request with another salt.
    pub(super) fn stored_key(&self, salt: &Salt, request: &FeatureRequest) -> CacheKey {
        self.hash(salt, request.headers.iter().map(|(name, value)| (name, value)), &request.query)
    }

    /// Computes the key of a request with these headers and this query.
    pub(super) fn key(&self, headers: &HeaderMap, query: &str) -> CacheKey {
        self.hash(&self.salt, self.headers_for_upstream(headers), query)
    }

    /// Returns the scope of a request for the flight recorder.
    pub(super) fn scope(&self, request: &FeatureRequest) -> ServedScope {
        let key = self.stored_key(&self.salt, request);
        let token = request.headers.iter().find(|(name, _)| *name == AUTHORIZATION);
        let public = token.and_then(|(_, value)| public_part(value.to_str().ok()?));
        let (name, environment) = match public {
            Some((name, environment)) => (name.to_owned(), Some(environment.to_owned())),
            None => (format!("…{}", request.last_characters()), None),
        };
        ServedScope {
            key: ScopeKey::Credential(key.whole),
            name,
            environment,
            query: request.query.clone(),
            lists_segments: request.headers.iter().any(|(name, _)| *name == SPECIFICATION),
        }
    }

    /// Returns the environment of the token in these headers, if the token names it.
    pub(super) fn environment(&self, headers: &HeaderMap) -> Option<String> {
        self.scope(&self.request(headers, "")).environment
    }

    /// Computes the key of a request. The query may contain parameters that select nothing.
    fn hash<'a>(
        &self,
        salt: &Salt,
        headers: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>,
        query: &str,
    ) -> CacheKey {
        let mut hash = Sha256::new_with_prefix(salt);
        add(&mut hash, self.url.as_bytes());
        let mut credential = hash.clone();
        for (name, value) in headers {
            for hash in [&mut hash].into_iter().chain((name != SPECIFICATION).then_some(&mut credential)) {
                add(hash, name.as_str().as_bytes());
                add(hash, value.as_bytes());
            }
        }
        for parameter in selection(query) {
            add(&mut hash, parameter.as_bytes());
        }
        CacheKey { credential: credential.finalize().into(), whole: hash.finalize().into() }
    }

    /// Returns the request that belongs to the key.
    pub(super) fn request(&self, headers: &HeaderMap, query: &str) -> FeatureRequest {
        let headers = self.headers_for_upstream(headers);
        FeatureRequest {
            headers: headers.map(|(name, value)| (name.clone(), value.clone())).collect(),
            query: selection(query).join("&"),
        }
    }

    /// Writes the head of a request to the upstream. `tag` is the entity tag of the copy, if there is one.
    pub(super) fn head(&self, request: &FeatureRequest, tag: Option<&HeaderValue>) -> Bytes {
        let target = match request.query.as_str() {
            "" => self.target.clone(),
            query => format!("{}?{query}", self.target),
        };
        let headers = request.headers.iter().map(|(name, value)| (name, value));
        let headers = headers.chain(tag.map(|tag| (&IF_NONE_MATCH, tag)));
        self.write_head(&Method::GET, &target, headers, Framing::None)
    }

    /// Writes the head of a report.
    pub(super) fn report_head<'a>(
        &self,
        kind: &str,
        headers: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>,
        framing: Framing,
    ) -> Bytes {
        let target = format!("{}{kind}", self.target.trim_end_matches("features"));
        self.write_head(&Method::POST, &target, headers, framing)
    }

    /// Writes the head of a request with a token to an endpoint for tokens of another kind; `None` if a header cannot contain the token.
    pub(super) fn probe_head(&self, token: &str, kind: TokenKind) -> Option<Bytes> {
        let token = HeaderValue::from_str(token).ok()?;
        let target = match kind {
            TokenKind::Frontend => &self.target,
            TokenKind::Client => &self.frontend_target,
        };
        let added = self.added_headers.iter().map(|(name, value)| (name, value));
        let headers = added.filter(|(name, _)| **name != AUTHORIZATION).chain([(&AUTHORIZATION, &token)]);
        Some(self.write_head(&Method::GET, target, headers, Framing::None))
    }

    /// Writes the head of a request that asks which tokens are valid.
    pub(super) fn validation_head(&self, framing: Framing) -> Bytes {
        let json = HeaderValue::from_static("application/json");
        let added = self.added_headers.iter().map(|(name, value)| (name, value));
        let headers = added.filter(|(name, _)| **name != CONTENT_TYPE).chain([(&CONTENT_TYPE, &json)]);
        self.write_head(&Method::POST, &self.validation_target, headers, framing)
    }

    fn write_head<'a>(
        &self,
        method: &Method,
        target: &str,
        headers: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>,
        framing: Framing,
    ) -> Bytes {
        let mut head = exchange::start_head(method, target);
        let mut put = |name: &HeaderName, value: &[u8]| {
            for piece in [name.as_str().as_bytes(), b": ", value, b"\r\n"] {
                head.extend_from_slice(piece);
            }
        };
        put(&HOST, self.authority.as_bytes());
        put(&ACCEPT, b"application/json");
        headers.for_each(|(name, value)| put(name, value.as_bytes()));
        exchange::finish_head(&mut head, method, framing);
        head.into()
    }

    /// Returns the headers that the upstream receives: the client's headers, and the configured headers, which replace them.
    /// Instead of the client's version of the specification, it receives that of Flagdeck, or none if the client does not know
    /// segments: the responses do not differ otherwise, so that clients of all versions share two copies.
    fn headers_for_upstream<'a>(
        &'a self,
        headers: &'a HeaderMap,
    ) -> impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)> {
        let is_added = |name: &HeaderName| self.added_headers.iter().any(|(added, _)| added == name);
        let of_client = self.headers.iter().filter(move |name| !is_added(name));
        let of_client = of_client.flat_map(|name| {
            headers.get_all(name).filter_map(move |value| Some((name, value_for_upstream(name, value)?)))
        });
        of_client.chain(self.added_headers.iter().map(|(name, value)| (name, value)))
    }
}

/// Returns the value of a client's header that the upstream receives: for each version with segments the same one, and none for others.
fn value_for_upstream<'a>(name: &HeaderName, value: &'a HeaderValue) -> Option<&'a HeaderValue> {
    if *name != SPECIFICATION {
        return Some(value);
    }
    let format = SegmentFormat::of_specification(value.to_str().ok());
    (format == SegmentFormat::Listed).then_some(&OWN_SPECIFICATION)
}

impl FeatureRequest {
    /// Returns the query that selects toggles.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// Returns the last characters of the credential; empty for a short one, which they would reveal.
    pub(super) fn last_characters(&self) -> String {
        let credential = self.headers.iter().find(|(name, _)| *name != SPECIFICATION);
        let text = credential.and_then(|(_, value)| value.to_str().ok()).unwrap_or_default();
        let shown = text.len().checked_sub(SHOWN_CHARACTERS).filter(|start| *start > 2 * SHOWN_CHARACTERS);
        shown.and_then(|start| text.get(start..)).unwrap_or_default().to_owned()
    }
}

/// Returns the projects and the environment of a token `PROJECT:ENVIRONMENT.SECRET`, and the environment; `None` for tokens of
/// another form, of which any part can be secret.
pub(super) fn public_part(token: &str) -> Option<(&str, &str)> {
    let (public, secret) = token.rsplit_once('.')?;
    let (project, environment) = public.split_once(':')?;
    let is_name = |text: &str| {
        !text.is_empty()
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.~*[]".contains(letter))
    };
    let is_secret = secret.len() >= MIN_SECRET && secret.chars().all(|letter| letter.is_ascii_alphanumeric());
    (is_name(project) && is_name(environment) && is_secret).then_some((public, environment))
}

/// Adds a part with its length, so that different parts never have the same hash.
fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update(to_u64(part.len()).to_le_bytes());
    hash.update(part);
}

/// Returns the parameters of a query that select toggles, sorted by name. Those with the same name keep their order.
fn selection(query: &str) -> Vec<&str> {
    let mut parameters: Vec<_> =
        query.split('&').filter_map(|part| Some((parameter_name(part)?, part))).collect();
    parameters.sort_by_key(|(name, _)| *name);
    parameters.into_iter().map(|(_, part)| part).collect()
}

/// Returns true if a query selects toggles.
pub(super) fn is_selection(query: &str) -> bool {
    query.split('&').any(|part| parameter_name(part).is_some())
}

/// Returns a query without the parameters that select toggles by tags.
pub(super) fn without_tags(query: &str) -> String {
    let others = query.split('&').filter(|part| parameter_name(part) != Some(TAG));
    others.collect::<Vec<_>>().join("&")
}

/// Returns the name of a parameter that selects toggles. Servers read `tag[]` and `tag[0]` like `tag`.
fn parameter_name(part: &str) -> Option<&'static str> {
    let name = percent_decode_str(part.split('=').next().unwrap_or_default()).decode_utf8().ok()?;
    let name = name.split('[').next().unwrap_or_default();
    PARAMETERS.into_iter().find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

    use super::{Keys, selection, without_tags};
    use crate::config::Upstream;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let lines = lines.iter();
        lines
            .map(|(name, value)| {
                (HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap())
            })
            .collect()
    }

    #[test]
    fn keys_differ_by_everything_that_the_response_depends_on() {
        let keys = Keys::new(&Upstream::with_path(""), [0; 16]);
        let cases: [(&[(&str, &str)], &str); 9] = [
            (&[], ""),
            (&[("authorization", "a")], ""),
            (&[("authorization", "b")], ""),
            (&[("authorization", "a"), ("authorization", "b")], ""),
            (&[("authorization", "a"), ("unleash-client-spec", "5.2.0")], ""),
            (&[("authorization", "b"), ("unleash-client-spec", "5.2.0")], ""),
            (&[("authorization", "a")], "project=x"),
            (&[("authorization", "a")], "namePrefix=x"),
            (&[("authorization", "a")], "tag[]=x&tag[]=y"),
        ];
        let different: HashSet<_> =
            cases.iter().map(|(lines, query)| keys.key(&headers(lines), query).whole).collect();
        assert_eq!(different.len(), cases.len());
        let same = |lines: &[(&str, &str)], query: &str| {
            keys.key(&headers(lines), query) == keys.key(&headers(&[("authorization", "a")]), "project=x")
        };
        assert!(same(
            &[("authorization", "a"), ("unleash-instanceid", "1"), ("user-agent", "x")],
            "project=x"
        ));
        assert!(same(&[("authorization", "a")], "random=1&project=x&_=2"));
        assert!(!same(&[("authorization", "a")], "project=y"));
        // The version selects one of two formats.
        let of_version = |version: &str| keys.key(&headers(&[("unleash-client-spec", version)]), "").whole;
        for version in ["4.2.0", "4.5.1", "5.1.0", "6.1.0", "10.0.0"] {
            assert_eq!(of_version(version), of_version("5.2.0"), "{version}");
        }
        for version in ["", "3.0.0", "4.1.9", "x"] {
            assert_eq!(of_version(version), keys.key(&headers(&[]), "").whole, "{version}");
        }
        let credential = |lines: &[(&str, &str)], query: &str| keys.key(&headers(lines), query).credential;
        let one = credential(&[("authorization", "a")], "");
        assert_eq!(credential(&[("authorization", "a"), ("unleash-client-spec", "5.2.0")], "tag=x"), one);
        assert_ne!(credential(&[("authorization", "b")], ""), one);
    }

    #[test]
    fn keys_depend_on_the_upstream_and_the_salt() {
        let of = |path: &str, salt: u8| {
            let keys = Keys::new(&Upstream::with_path(path), [salt; 16]);
            keys.key(&headers(&[("authorization", "a")]), "")
        };
        assert_eq!(of("", 1), of("", 1));
        assert_ne!(of("", 1), of("/other", 1));
        assert_ne!(of("", 1), of("", 2));
    }

    #[test]
    fn gitlab_identifies_applications_by_two_more_headers() {
        let path = "/api/v4/feature_flags/unleash/42";
        let gitlab = Keys::new(&Upstream::with_path(path), [0; 16]);
        let one = headers(&[("unleash-instanceid", "secret-id"), ("unleash-appname", "production")]);
        let other = headers(&[("unleash-instanceid", "secret-id"), ("unleash-appname", "staging")]);
        assert_ne!(gitlab.key(&one, ""), gitlab.key(&other, ""));
        let head = gitlab.head(&gitlab.request(&one, ""), None);
        let head = str::from_utf8(&head).unwrap();
        assert!(
            head.starts_with("GET /api/v4/feature_flags/unleash/42/client/features HTTP/1.1\r\n"),
            "{head}"
        );
        assert!(head.contains("unleash-instanceid: secret-id\r\nunleash-appname: production\r\n"), "{head}");
    }

    #[test]
    fn the_upstream_receives_the_credential_the_selection_and_the_entity_tag() {
        let added = (AUTHORIZATION, HeaderValue::from_static("configured"));
        for (added, authorization) in [(vec![], "given"), (vec![added], "configured")] {
            let upstream = Upstream { added_headers: added, ..Upstream::with_path("/up") };
            let keys = Keys::new(&upstream, [0; 16]);
            let lines =
                headers(&[("authorization", "given"), ("unleash-client-spec", "5.2.0"), ("cookie", "x=1")]);
            let request = keys.request(&lines, "tag=b&x=1&environment=a");
            let head = keys.head(&request, Some(&HeaderValue::from_static("W/\"1\"")));
            let head = str::from_utf8(&head).unwrap();
            let mut sorted: Vec<_> = head.lines().filter(|line| !line.is_empty()).collect();
            sorted.sort_unstable();
            let authorization = format!("authorization: {authorization}");
            let expected = [
                "GET /up/api/client/features?environment=a&tag=b HTTP/1.1",
                "accept: application/json",
                &authorization,
                "host: flags:4243",
                "if-none-match: W/\"1\"",
                "unleash-client-spec: 5.2.0",
            ];
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn scope_reveals_only_the_public_part_of_a_token() {
        let keys = Keys::new(&Upstream::with_path(""), [0; 16]);
        for (token, name, environment) in [
            ("*:production.0123456789abcdef", "*:production", Some("production")),
            ("[]:dev.0123456789abcdef0123456789", "[]:dev", Some("dev")),
            ("user:pass.word", "…word", None),
            ("Basic a:b.0123456789abcdef", "…cdef", None),
            ("0123456789abcdef", "…cdef", None),
            ("*:production.short", "…hort", None),
        ] {
            let scope = keys.scope(&keys.request(&headers(&[("authorization", token)]), "tag=a&x=1"));
            assert_eq!((scope.name.as_str(), scope.environment.as_deref()), (name, environment));
            assert_eq!((scope.query.as_str(), scope.lists_segments), ("tag=a", false));
        }
    }

    #[test]
    fn only_the_end_of_a_long_credential_is_shown() {
        let keys = Keys::new(&Upstream::with_path(""), [0; 16]);
        for (token, shown) in [
            ("*:production.0123456789abcdef", "cdef"),
            ("0123456789abc", "9abc"),
            ("short", ""),
            ("012345678901", ""),
        ] {
            let request = keys.request(&headers(&[("authorization", token)]), "");
            assert_eq!(request.last_characters(), shown, "{token}");
        }
    }

    #[test]
    fn other_parameters_are_ignored() {
        for (query, expected) in [
            ("", ""),
            ("x=1&y", ""),
            ("tag=b&project=2&tag=a&project=1", "project=2&project=1&tag=b&tag=a"),
            ("tag%5B%5D=x", "tag%5B%5D=x"),
            ("tags=x&Tag=y", ""),
            ("n%61mePrefix=x", "n%61mePrefix=x"),
        ] {
            assert_eq!(selection(query).join("&"), expected);
        }
        assert_eq!(without_tags("project=a&tag%5B%5D=x:y&namePrefix=b&tag=z"), "project=a&namePrefix=b");
    }
}
