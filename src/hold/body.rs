//! Derives the list of toggles that SDKs get while toggles are held. Pure.
//!
//! The text is edited in place, so that a held body differs from the original only in the value of `enabled` of the held toggles.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::set::{ActiveHolds, CopyScope};
use crate::error::ApiError;
use crate::evaluation::{RawToggles, name_of};

/// Response header with the held toggles.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-flagdeck-hold");
/// Maximum length of its value in bytes.
const MAX_HEADER: usize = 1_000;
/// Characters of names that have another meaning in the header.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b',').add(b'%').add(b'"');

/// State of a toggle at the flag service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleState {
    /// `enabled` is false.
    Off,
    /// `enabled` is true.
    On,
}

/// The held toggles of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldToggles {
    /// Names of the toggles that differ from those of the flag service.
    pub names: Vec<String>,
    /// States at the flag service of all toggles that are held for the scope and that the list contains.
    pub states: BTreeMap<String, ToggleState>,
    /// Names of the toggles that depend on one of these toggles to be on.
    pub children: BTreeSet<String>,
}

/// The toggles that an upstream holds, if it is a Flagdeck too: the values of its [`HEADER`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpstreamHolds(Vec<HeaderValue>);

/// The result of [`derive`].
#[derive(Debug)]
pub(super) struct Derived {
    /// The derived list; `None` if the original is served.
    pub(super) body: Option<Bytes>,
    pub(super) held: HeldToggles,
}

/// The property of a toggle that a hold changes.
#[derive(Deserialize)]
struct Toggle<'b> {
    #[serde(borrow)]
    enabled: Option<&'b RawValue>,
}

/// A toggle with the toggles that it depends on.
#[derive(Deserialize)]
struct Child<'b> {
    #[serde(borrow)]
    name: Cow<'b, str>,
    #[serde(borrow)]
    dependencies: Option<Vec<Dependency<'b>>>,
}

#[derive(Deserialize)]
struct Dependency<'b> {
    #[serde(borrow)]
    feature: Cow<'b, str>,
    enabled: Option<bool>,
}

/// A replacement of a part of the body.
#[derive(Debug)]
pub struct Edit {
    /// Position of the part in bytes.
    pub range: Range<usize>,
    /// The new text.
    pub text: Cow<'static, str>,
}

impl HeldToggles {
    /// Returns the held toggles of several lists together.
    pub(crate) fn merge<'h>(mut lists: impl Iterator<Item = &'h Arc<Self>>) -> Arc<Self> {
        let first = lists.next().cloned().unwrap_or_default();
        lists.fold(first, |merged, list| {
            let mut merged = Arc::unwrap_or_clone(merged);
            merged.names.extend(list.names.iter().cloned());
            merged.names.sort_unstable();
            merged.names.dedup();
            merged.states.extend(list.states.clone());
            merged.children.extend(list.children.iter().cloned());
            Arc::new(merged)
        })
    }

    /// Returns the held toggles of a part of the list, which has toggles with these names.
    pub(crate) fn select(held: &Arc<Self>, part: &BTreeSet<String>) -> Arc<Self> {
        if held.states.is_empty() && held.children.is_empty() {
            return Arc::clone(held);
        }
        let mut selected = Self::clone(held);
        selected.names.retain(|name| part.contains(name));
        selected.states.retain(|name, _| part.contains(name));
        selected.children.retain(|name| part.contains(name));
        Arc::new(selected)
    }

    /// Returns the response header with the names; `None` without held toggles.
    #[must_use]
    pub fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        Some((HEADER, list_names(&self.names)?))
    }

    /// Returns the header with a number of held toggles, for clients that must not learn their names; `None` for 0.
    #[must_use]
    pub fn count_header(count: usize) -> Option<(HeaderName, HeaderValue)> {
        (count > 0).then(|| (HEADER, HeaderValue::from(count)))
    }
}

/// Returns the value of a header with the names of toggles; `None` without names.
#[must_use]
pub fn list_names(names: &[String]) -> Option<HeaderValue> {
    if names.is_empty() {
        return None;
    }
    let mut value = String::new();
    for (index, name) in names.iter().enumerate() {
        let name = utf8_percent_encode(name, ENCODED).to_string();
        if value.len() + name.len() > MAX_HEADER {
            // Writing to a string cannot fail.
            let _infallible = write!(value, ", and {} more", names.len() - index);
            break;
        }
        if index > 0 {
            value.push_str(", ");
        }
        value.push_str(&name);
    }
    HeaderValue::try_from(value).ok()
}

impl UpstreamHolds {
    /// Reads the headers of a response.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Self {
        Self(headers.get_all(HEADER).cloned().collect())
    }

    /// Returns true if the upstream holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the holds of the toggles with these names. The number of further toggles, which a long header ends with, stays.
    #[must_use]
    pub fn select(&self, names: &BTreeSet<String>) -> Self {
        let encoded: BTreeSet<_> =
            names.iter().map(|name| utf8_percent_encode(name, ENCODED).to_string()).collect();
        let select = |value: &HeaderValue| {
            let parts = value.to_str().ok()?.split(", ");
            let parts: Vec<_> = parts.filter(|part| encoded.contains(*part) || is_number(part)).collect();
            if parts.is_empty() { None } else { HeaderValue::try_from(parts.join(", ")).ok() }
        };
        Self(self.0.iter().filter_map(select).collect())
    }

    /// Returns true if the upstream may hold a toggle, so that its state at the flag service is unknown. A long header ends with
    /// the number of further toggles.
    #[must_use]
    pub fn may_contain(&self, toggle: &str) -> bool {
        let encoded = utf8_percent_encode(toggle, ENCODED).to_string();
        let is_toggle = |part: &str| part == encoded || is_number(part);
        self.0.iter().any(|value| value.to_str().map_or(true, |names| names.split(", ").any(is_toggle)))
    }

    /// Returns the header lines for clients, which can be a Flagdeck too.
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        self.0.iter().map(|value| (HEADER, value.clone()))
    }
}

/// Returns true for the number of further toggles in a value of [`HEADER`].
fn is_number(part: &str) -> bool {
    part.starts_with("and ")
}

/// Derives the list of toggles for a scope.
pub(super) fn derive(
    body: &Bytes,
    holds: &ActiveHolds,
    scope: &CopyScope,
) -> Result<Derived, serde_json::Error> {
    let mut held = HeldToggles::default();
    if holds.is_empty() {
        return Ok(Derived { body: None, held });
    }
    let RawToggles { features, .. }: RawToggles<'_> = serde_json::from_slice(body)?;
    let mut edits = Vec::new();
    for raw in &features {
        let name = name_of(raw)?;
        if !holds.is_held(&name, scope) {
            continue;
        }
        let state = state_of(raw);
        // The last toggle of a name counts for SDKs, and a list with two is not expected.
        held.states.insert(name.clone().into_owned(), state);
        if state == ToggleState::Off {
            continue;
        }
        edits.push(switch_off(body, raw)?);
        held.names.push(name.into_owned());
    }
    held.children = find_children(&features, &held.states);
    let body = (!edits.is_empty()).then(|| apply_edits(body, &edits));
    Ok(Derived { body, held })
}

/// Returns the toggles that are off while the held ones are off. A toggle whose dependencies cannot be read has none.
fn find_children(features: &[&RawValue], held: &BTreeMap<String, ToggleState>) -> BTreeSet<String> {
    let mut children = BTreeSet::new();
    if held.is_empty() {
        return children;
    }
    let toggles: Vec<Child<'_>> =
        features.iter().filter_map(|raw| serde_json::from_str(raw.get()).ok()).collect();
    loop {
        let is_off = |name: &str| held.contains_key(name) || children.contains(name);
        let needs_held = |toggle: &&Child<'_>| {
            toggle
                .dependencies
                .iter()
                .flatten()
                .any(|parent| parent.enabled != Some(false) && is_off(&parent.feature))
        };
        let found: Vec<_> = toggles
            .iter()
            .filter(|toggle| !is_off(&toggle.name))
            .filter(needs_held)
            .map(|toggle| toggle.name.clone().into_owned())
            .collect();
        if found.is_empty() {
            return children;
        }
        children.extend(found);
    }
}

/// Returns a toggle of a list of toggles; `None` if the list does not contain it.
#[must_use]
pub fn find_toggle<'b>(body: &'b [u8], name: &str) -> Option<&'b RawValue> {
    find_toggles(body, |found| found == name).remove(name)
}

/// Returns the toggles with these names, by name.
pub fn find_toggles(body: &[u8], has_name: impl Fn(&str) -> bool) -> BTreeMap<String, &RawValue> {
    let Ok(list) = serde_json::from_slice::<RawToggles<'_>>(body) else { return BTreeMap::new() };
    let find = |raw: &'_ RawValue| name_of(raw).ok().filter(|name| has_name(name)).map(Cow::into_owned);
    list.features.into_iter().filter_map(|raw| Some((find(raw)?, raw))).collect()
}

/// Returns the text of [`find_toggle`], which runs on a thread that may block.
///
/// # Errors
/// If the program ends.
pub async fn read_toggle(body: &Bytes, name: &str) -> Result<Option<String>, ApiError> {
    let (body, name) = (body.clone(), name.to_owned());
    let find = move || find_toggle(&body, &name).map(|toggle| toggle.get().to_owned());
    spawn_blocking(find).await.map_err(ApiError::internal)
}

/// Returns the state of a toggle. Every value except `false` and null may be true for some SDK.
pub(super) fn state_of(toggle: &RawValue) -> ToggleState {
    let is_off = |value: &str| matches!(value, "false" | "null");
    match serde_json::from_str::<Toggle<'_>>(toggle.get()) {
        Ok(Toggle { enabled, .. }) if enabled.is_none_or(|value| is_off(value.get())) => ToggleState::Off,
        _ => ToggleState::On,
    }
}

/// Returns the edit that switches a toggle off.
fn switch_off(body: &[u8], toggle: &RawValue) -> Result<Edit, serde_json::Error> {
    if let Ok(Toggle { enabled: Some(value), .. }) = serde_json::from_str(toggle.get()) {
        return Ok(Edit { range: range_of(body, value.get()), text: "false".into() });
    }
    // A property that occurs twice.
    let mut properties: Map<String, Value> = serde_json::from_str(toggle.get())?;
    properties.insert("enabled".to_owned(), Value::Bool(false));
    Ok(Edit { range: range_of(body, toggle.get()), text: serde_json::to_string(&properties)?.into() })
}

/// Returns the position of a part of the body.
#[must_use]
pub fn range_of(body: &[u8], part: &str) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(body.as_ptr().addr());
    start..start + part.len()
}

/// Applies edits, which are in the order of the body.
#[must_use]
pub fn apply_edits(body: &[u8], edits: &[Edit]) -> Bytes {
    let (mut edited, mut end) = (Vec::with_capacity(body.len()), 0);
    for Edit { range, text } in edits {
        edited.extend_from_slice(body.get(end..range.start).unwrap_or_default());
        edited.extend_from_slice(text.as_bytes());
        end = range.end;
    }
    edited.extend_from_slice(body.get(end..).unwrap_or_default());
    edited.into()
}
