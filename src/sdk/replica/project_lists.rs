//! Lists of the toggles of some projects, selected from the copy of a token that reads more projects.
//!
//! After a change of the copy, the first request for one of its lists updates all of them that are used: the copy is read once, on a
//! thread that may block, and other requests wait there. The servers respond to a token of these projects with the same toggles and
//! all segments; only the revision of the whole list remains of `meta`, because the other fields identify another response.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::copy::ToggleCopy;
use crate::error::ApiError;
use crate::event_stream::ToggleChannel;
use crate::hold::{Edit, HeldToggles, Served, ToggleList as _, apply_edits, range_of};

/// Maximum number of lists of one copy. Tokens with other projects have copies of their own.
const MAX_LISTS: usize = 200;
/// Maximum size of all lists of one copy in bytes.
const MAX_BYTES: usize = 64 << 20;

/// The lists of one copy.
#[derive(Debug, Default)]
pub(super) struct ProjectLists {
    /// By their projects.
    lists: RwLock<BTreeMap<Vec<String>, Arc<ProjectList>>>,
    /// The lists are updated by one thread at a time.
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// The toggles of some projects.
#[derive(Debug)]
pub(super) struct ProjectList {
    projects: Vec<String>,
    last: Mutex<Option<Selected>>,
    /// Event streams of the list.
    pub(super) channel: ToggleChannel,
    last_used: AtomicU64,
}

/// Result of a selection.
#[derive(Debug)]
struct Selected {
    source: Arc<ToggleCopy>,
    /// The list, and the names of its toggles; `None` if the source does not name the project of each toggle, or if there is no room.
    list: Option<(Arc<ToggleCopy>, Arc<BTreeSet<String>>)>,
}

/// The parts of a response that a selection changes.
#[derive(Deserialize)]
struct Parts<'b> {
    #[serde(borrow)]
    features: &'b RawValue,
    #[serde(borrow)]
    query: Option<&'b RawValue>,
    #[serde(borrow)]
    meta: Option<&'b RawValue>,
}

#[derive(Deserialize)]
struct Toggle<'b> {
    #[serde(borrow)]
    name: Cow<'b, str>,
    #[serde(borrow)]
    project: Cow<'b, str>,
}

impl ProjectLists {
    /// Returns the list of these projects; `None` if there are too many.
    pub(super) fn find_or_create(&self, projects: &[String], now: u64) -> Option<Arc<ProjectList>> {
        let known = self.lists.read().get(projects).cloned();
        let list = known.or_else(|| {
            let mut lists = self.lists.write();
            if lists.len() >= MAX_LISTS && !lists.contains_key(projects) {
                return None;
            }
            let list = lists.entry(projects.to_vec()).or_insert_with_key(|projects| {
                Arc::new(ProjectList {
                    projects: projects.clone(),
                    last: Mutex::default(),
                    channel: ToggleChannel::default(),
                    last_used: AtomicU64::new(0),
                })
            });
            Some(Arc::clone(list))
        })?;
        list.last_used.fetch_max(now, Ordering::Relaxed);
        Some(list)
    }

    /// Returns the number of open event streams of all lists.
    pub(super) fn streams(&self) -> usize {
        self.lists.read().values().map(|list| list.channel.streams()).sum()
    }

    pub(super) fn has_streams(&self) -> bool {
        self.lists.read().values().any(|list| list.channel.is_in_use())
    }

    /// Returns all lists.
    pub(super) fn list(&self) -> Vec<Arc<ProjectList>> {
        self.lists.read().values().cloned().collect()
    }

    /// Removes lists that were not used for this time in milliseconds, and have no event streams.
    pub(super) fn sweep(&self, now: u64, idle: u64) {
        let is_used = |list: &ProjectList| {
            list.channel.is_in_use() || now.saturating_sub(list.last_used.load(Ordering::Relaxed)) <= idle
        };
        if self.lists.read().values().any(|list| !is_used(list)) {
            self.lists.write().retain(|_, list| is_used(list));
        }
    }

    /// Returns the part of a list that SDKs get; `None` if it cannot be selected.
    pub(super) async fn select(
        &self,
        list: &Arc<ProjectList>,
        served: &Served<Arc<ToggleCopy>>,
    ) -> Option<Served<Arc<ToggleCopy>>> {
        if let ControlFlow::Break(selected) = list.find(served) {
            return selected;
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if let ControlFlow::Break(selected) = list.find(served) {
            return selected;
        }
        let mut lists = self.list();
        // The list may have been removed meanwhile.
        if !lists.iter().any(|other| Arc::ptr_eq(other, list)) {
            lists.push(Arc::clone(list));
        }
        let source = Arc::clone(&served.value);
        // The work continues after the request, so that clients that disconnect do not repeat it.
        let work = spawn_blocking(move || {
            let _turn = turn;
            update(&source, &lists);
        });
        // An error means that the work has panicked.
        work.await.ok()?;
        list.find(served).break_value().flatten()
    }
}

impl ProjectList {
    /// Returns the part of a list, if it was selected last; `None` in `Break` if it cannot be selected.
    fn find(&self, served: &Served<Arc<ToggleCopy>>) -> ControlFlow<Option<Served<Arc<ToggleCopy>>>> {
        let last = self.last.lock();
        let selected = last.as_ref().filter(|last| Arc::ptr_eq(&last.source, &served.value));
        let Some(selected) = selected else { return ControlFlow::Continue(()) };
        ControlFlow::Break(selected.list.as_ref().map(|(value, names)| Served {
            value: Arc::clone(value),
            number: served.number,
            held: HeldToggles::select(&served.held, names),
        }))
    }
}

/// Updates all lists that are not selected from this source.
fn update(source: &Arc<ToggleCopy>, lists: &[Arc<ProjectList>]) {
    let toggles = read_toggles(source);
    let mut bytes = 0;
    for list in lists {
        let mut last = list.last.lock();
        if let Some(Selected { list, .. }) = last.as_ref().filter(|last| Arc::ptr_eq(&last.source, source)) {
            bytes += list.as_ref().map_or(0, |(list, _)| list.size());
            continue;
        }
        let selected = toggles.as_ref().ok().and_then(|toggles| select(source, toggles, &list.projects).ok());
        let selected = selected.filter(|(list, _)| bytes + list.size() <= MAX_BYTES);
        bytes += selected.as_ref().map_or(0, |(list, _)| list.size());
        *last = Some(Selected { source: Arc::clone(source), list: selected });
    }
}

/// Returns the toggles of a list with their texts. Fails if one of them does not name its project.
fn read_toggles(source: &ToggleCopy) -> Result<Vec<(Toggle<'_>, &RawValue)>, serde_json::Error> {
    let Parts { features, .. } = serde_json::from_slice(&source.body)?;
    let features: Vec<&RawValue> = serde_json::from_str(features.get())?;
    features.into_iter().map(|raw| Ok((serde_json::from_str(raw.get())?, raw))).collect()
}

/// Selects the toggles of some projects.
fn select(
    source: &Arc<ToggleCopy>,
    toggles: &[(Toggle<'_>, &RawValue)],
    projects: &[String],
) -> Result<(Arc<ToggleCopy>, Arc<BTreeSet<String>>), ApiError> {
    let parts: Parts<'_> = serde_json::from_slice(&source.body).map_err(ApiError::internal)?;
    let (mut names, mut features) = (BTreeSet::new(), String::from("["));
    let is_selected = |toggle: &Toggle<'_>| projects.iter().any(|project| *project == toggle.project);
    for (toggle, raw) in toggles.iter().filter(|(toggle, _)| is_selected(toggle)) {
        features.push_str(if names.is_empty() { "" } else { "," });
        features.push_str(raw.get());
        names.insert(toggle.name.clone().into_owned());
    }
    features.push(']');
    let edit = |part: &RawValue, text: String| Edit {
        range: range_of(&source.body, part.get()),
        text: Cow::Owned(text),
    };
    let object = |part: &RawValue| serde_json::from_str::<Map<String, Value>>(part.get()).ok();
    let mut edits = vec![edit(parts.features, features)];
    if let Some((part, mut query)) = parts.query.and_then(|part| Some((part, object(part)?))) {
        query.insert("project".to_owned(), projects.into());
        edits.push(edit(part, Value::Object(query).to_string()));
    }
    if let Some((part, mut meta)) = parts.meta.and_then(|part| Some((part, object(part)?))) {
        meta.retain(|name, _| name == "revisionId");
        edits.push(edit(part, Value::Object(meta).to_string()));
    }
    edits.sort_by_key(|edit| edit.range.start);
    let list = source.with_body(apply_edits(&source.body, &edits))?;
    let mut list = Arc::unwrap_or_clone(list);
    list.upstream_holds = list.upstream_holds.select(&names);
    Ok((Arc::new(list), Arc::new(names)))
}
