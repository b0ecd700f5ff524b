//! One copy for all tokens of an environment: a client token of the settings that reads more projects than the token of a request
//! supplies its toggles too. The upstream is then asked once for both in each interval, and the first request of another instance is
//! answered during an outage.
//!
//! A token is answered in this way only if the upstream has listed it as valid. Events that can occur in between:
//!
//! - **The token is revoked**: the next answer about tokens refuses it, and its open streams end. Its next request asks the upstream
//!   with the token itself, which responds with a refusal.
//! - **The wider token is revoked**, or its copy is absent for another reason: the next request has a copy of its own.
//! - **The answer arrives after the first request**, because the upstream is asked about many tokens, or was silent: the token has a
//!   copy of its own until then. Its task asks about the token, and ends as soon as the other copy is enough.
//! - **Projects of a token change**: the next answer about tokens contains them. Until then, it gets the toggles of the earlier ones.
//! - **A toggle moves to another project**: it is in the response of the upstream, from which all lists are selected.
//! - **Restart during an outage**: the answers in the database count, and so does the copy of the token of the settings.
//! - **The upstream names no projects**: each token has a copy of its own.

use std::net::IpAddr;

use actix_web::http::header::HeaderMap;

use super::cache_key::{CacheKey, FeatureRequest, SPECIFICATION, is_selection};
use super::entries::Entry;
use super::entry_state::Answer;
use super::token_table::{TokenDetails, Verdict, id_of};
use super::{Inner, Replica, Toggles, own_headers};
use crate::api::SegmentFormat;
use crate::config::{ClientToken, Upstream};
use crate::error::ApiError;
use crate::middleware::sdk_token::token_from_headers;
use crate::sdk::source::TokenId;

/// The complete lists of a client token of the settings.
pub(super) struct OwnLists {
    pub(super) token: ClientToken,
    id: TokenId,
    /// For libraries that know segments, and for others.
    pub(super) listed: OwnList,
    inline: OwnList,
}

/// A list, with the headers of its requests.
pub(super) struct OwnList {
    headers: HeaderMap,
    pub(super) key: CacheKey,
}

impl OwnLists {
    /// Creates the lists of all client tokens of the settings.
    pub(super) fn create(upstream: &Upstream, key: impl Fn(&HeaderMap) -> CacheKey) -> Vec<Self> {
        let list = |headers: HeaderMap| OwnList { key: key(&headers), headers };
        let lists = |token: &ClientToken| {
            let headers = own_headers(&token.value);
            let mut inline = headers.clone();
            inline.remove(SPECIFICATION);
            Self {
                token: token.clone(),
                id: id_of(&token.value),
                listed: list(headers),
                inline: list(inline),
            }
        };
        upstream.client_tokens.iter().map(lists).collect()
    }
}

impl Inner {
    /// Returns the lists of a client token of the settings.
    fn own_lists(&self, id: &TokenId) -> Option<&OwnLists> {
        self.own_lists.iter().find(|lists| lists.id == *id)
    }

    /// Returns the lists of another token of the settings that reads the toggles of this one.
    fn find_wider_lists(&self, id: &TokenId) -> Option<&OwnLists> {
        let wide = self.tokens.as_ref()?.table.find_wide(id).filter(|wide| wide != id)?;
        self.own_lists(&wide)
    }

    /// Returns true if a token of the settings needs no copy, because that of another one contains its toggles. Directly after the
    /// start, that copy is about to arrive.
    pub(super) fn is_covered(&self, id: &TokenId) -> bool {
        self.find_wider_lists(id).is_some_and(|lists| {
            let entry = self.entries.find(&lists.listed.key);
            entry.is_none_or(|entry| entry.copy().is_some() || !entry.state.borrow().has_response())
        })
    }

    /// Returns true if the task of an entry can end, because the requests of its token are answered from another copy. The upstream is
    /// asked about a token that is not known yet.
    pub(super) fn needs_no_copy(&self, entry: &Entry, request: &FeatureRequest) -> bool {
        let (Some(tokens), true) = (&self.tokens, request.query().is_empty()) else { return false };
        let headers: HeaderMap = request.headers.iter().cloned().collect();
        let Some(token) = token_from_headers(&headers) else { return false };
        let (id, now) = (id_of(token), self.now());
        match (tokens.table.find_presented(&id, now), entry.network) {
            (Some(Verdict::Accepted(_)), _) => {
                let entry = self.find_wider_lists(&id).and_then(|lists| self.entries.find(&lists.listed.key));
                entry.is_some_and(|entry| entry.copy().is_some())
            }
            (None, Some(network)) => {
                tokens.table.look_up(&id, token, network, now);
                false
            }
            _ => false,
        }
    }
}

impl Replica {
    /// Finds the toggles of a request without a selection in the copy of a client token of the settings; `None` if the token needs a
    /// copy of its own. `address` is that of the client; `None` for this program. Refuses a frontend token.
    pub(super) async fn find_shared(
        &self,
        headers: &HeaderMap,
        query: &str,
        address: Option<IpAddr>,
    ) -> Result<Option<Toggles>, ApiError> {
        let inner = &self.0;
        let Some(tokens) = &inner.tokens else { return Ok(None) };
        let Some(token) = token_from_headers(headers) else { return Ok(None) };
        let id = id_of(token);
        // It never reads definitions, whatever the upstream responds. One in the settings is refused by the upstream.
        let refuses = |details: &TokenDetails| !details.is_client() && address.is_some();
        if self.learned_token(&id).is_some_and(|details| refuses(&details)) {
            return Err(ApiError::FrontendToken);
        }
        if is_selection(query) {
            return Ok(None);
        }
        let details = match tokens.table.find_presented(&id, inner.now()) {
            Some(Verdict::Accepted(details)) => Some(details),
            Some(Verdict::Refused) => None,
            // A token with a copy does not wait for an answer about it.
            None if inner.entries.find(&inner.keys.key(headers, query)).is_some() => None,
            None => match address {
                Some(address) => self.identify_token(&id, token, address).await.ok(),
                None => None,
            },
        };
        let Some(details) = details else { return Ok(None) };
        if refuses(&details) {
            return Err(ApiError::FrontendToken);
        }
        let wide = tokens.table.find_wide(&id).and_then(|wide| inner.own_lists(&wide));
        match wide {
            Some(lists) => {
                let found = self.find_in(lists, &details, headers).await?;
                Ok(found.map(|toggles| Toggles { token: Some(id), ..toggles }))
            }
            None => Ok(None),
        }
    }

    /// Finds the toggles of a token in a list of another one, or of the same one.
    async fn find_in(
        &self,
        lists: &OwnLists,
        details: &TokenDetails,
        headers: &HeaderMap,
    ) -> Result<Option<Toggles>, ApiError> {
        let specification = headers.get(SPECIFICATION).and_then(|value| value.to_str().ok());
        let list = match SegmentFormat::of_specification(specification) {
            SegmentFormat::Listed => &lists.listed,
            SegmentFormat::Inline => &lists.inline,
        };
        let (entry, answer) = self.find(list.key, &list.headers, "", None).await?;
        let Answer::Copy(copy, age) = answer else { return Ok(None) };
        let of_wide = self.projects_of(&lists.id).unwrap_or_default();
        let projects = &details.scope.projects;
        let is_whole = projects.is_empty()
            || (!of_wide.is_empty() && of_wide.iter().all(|project| projects.contains(project)));
        let served = self.serve(&entry, copy).await;
        if is_whole {
            return Ok(Some(Toggles { entry, list: None, served, age, token: None }));
        }
        let Some(list) = entry.project_lists.find_or_create(projects, self.0.now()) else { return Ok(None) };
        let selected = entry.project_lists.select(&list, &served).await;
        Ok(selected.map(|served| Toggles { entry, list: Some(list), served, age, token: None }))
    }
}
