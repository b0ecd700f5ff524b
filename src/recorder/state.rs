//! The state that the records of a segment describe. Pure.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::format::{
    Change, ChangeInterval, Complete, CompleteScope, FileHead, ItemChange, Record, Resumed, Scope,
};

/// SHA-256 of the text of an item.
type Hash = [u8; 32];

/// A toggle or a segment, as it was sent.
#[derive(Debug)]
pub(super) struct Item {
    /// Name of the toggle, or id of the segment.
    pub(super) key: String,
    hash: Hash,
    pub(super) text: Box<RawValue>,
}

/// The kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    Toggle,
    Segment,
}

/// The items of one kind in a scope, sorted by key.
#[derive(Debug, Clone, Default)]
pub(super) struct Items(Vec<Arc<Item>>);

/// The items of one kind that a segment contains, by position.
#[derive(Debug, Default)]
pub(super) struct ItemTable {
    items: Vec<Arc<Item>>,
    positions: HashMap<Hash, usize>,
}

/// The state of a scope.
#[derive(Debug, Clone)]
pub(super) struct ScopeState {
    pub(super) scope: Scope,
    pub(super) since: ChangeInterval,
    pub(super) confirmed: u64,
    /// Time since which its token is refused.
    pub(super) refused: Option<u64>,
    pub(super) toggles: Items,
    pub(super) segments: Items,
}

/// The state after the last applied record.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) scopes: Vec<ScopeState>,
    pub(super) toggles: ItemTable,
    pub(super) segments: ItemTable,
    /// Number of the last change.
    pub(super) sequence: u64,
    /// Time of the last record.
    pub(super) time: u64,
}

/// The definitions in a copy.
pub(super) struct Definitions {
    pub(super) toggles: Vec<Arc<Item>>,
    pub(super) segments: Vec<Arc<Item>>,
}

/// A list of toggles, as `GET /api/client/features` sends it.
#[derive(Deserialize)]
struct List<'b> {
    #[serde(borrow)]
    features: Vec<&'b RawValue>,
    #[serde(borrow, default)]
    segments: Option<Vec<&'b RawValue>>,
}

impl Item {
    /// Creates an item; `None` if it has no key.
    fn new(kind: ItemKind, text: Box<RawValue>) -> Option<Self> {
        #[derive(Deserialize)]
        struct Toggle<'b> {
            #[serde(borrow)]
            name: Cow<'b, str>,
        }
        #[derive(Deserialize)]
        struct Segment {
            id: Value,
        }
        let key = match kind {
            ItemKind::Toggle => serde_json::from_str::<Toggle<'_>>(text.get()).ok()?.name.into_owned(),
            ItemKind::Segment => match serde_json::from_str::<Segment>(text.get()).ok()?.id {
                Value::String(id) => id,
                id => id.to_string(),
            },
        };
        Some(Self { key, hash: hash_of(&text), text })
    }
}

fn hash_of(text: &RawValue) -> Hash {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, text.get().as_bytes()).as_ref());
    hash
}

impl ItemTable {
    /// Returns the item with this text, and creates it if the table does not contain it.
    fn find_or_create(&self, kind: ItemKind, text: &RawValue) -> Option<Arc<Item>> {
        let known = self.positions.get(&hash_of(text)).and_then(|position| self.items.get(*position));
        known.cloned().or_else(|| Item::new(kind, text.to_owned()).map(Arc::new))
    }

    pub(super) fn get(&self, position: usize) -> Option<&Arc<Item>> {
        self.items.get(position)
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn position(&self, item: &Item) -> Option<usize> {
        self.positions.get(&item.hash).copied()
    }

    /// Adds an item, unless its text is known. Returns its position.
    pub(super) fn add(&mut self, item: &Arc<Item>) -> usize {
        let next = self.items.len();
        let position = *self.positions.entry(item.hash).or_insert(next);
        if position == next {
            self.items.push(Arc::clone(item));
        }
        position
    }

    /// Adds the new items of a record at the next positions.
    fn extend(&mut self, kind: ItemKind, texts: Vec<Box<RawValue>>) -> Option<()> {
        for text in texts {
            let item = Arc::new(Item::new(kind, text)?);
            self.positions.insert(item.hash, self.items.len());
            self.items.push(item);
        }
        Some(())
    }

    /// Returns the texts of the items, in their order.
    pub(super) fn texts(&self) -> Vec<Box<RawValue>> {
        self.items.iter().map(|item| item.text.clone()).collect()
    }

    fn select(&self, positions: &[usize]) -> Option<Items> {
        positions
            .iter()
            .map(|position| self.get(*position).cloned())
            .collect::<Option<Vec<_>>>()
            .map(Items::new)
    }
}

impl Items {
    /// Sorts items by key. The last one of a key counts, as in an evaluation.
    pub(super) fn new(mut items: Vec<Arc<Item>>) -> Self {
        items.reverse();
        items.sort_by(|one, other| one.key.cmp(&other.key));
        items.dedup_by(|later, first| later.key == first.key);
        Self(items)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.0.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Arc<Item>> {
        self.0.get(self.search(key).ok()?)
    }

    fn search(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|item| item.key.as_str().cmp(key))
    }

    fn set(&mut self, item: Arc<Item>) {
        match self.search(&item.key) {
            Ok(index) => {
                if let Some(place) = self.0.get_mut(index) {
                    *place = item;
                }
            }
            Err(index) => self.0.insert(index, item),
        }
    }

    fn remove(&mut self, key: &str) {
        if let Ok(index) = self.search(key) {
            self.0.remove(index);
        }
    }

    /// Returns the items that differ in `new`, and the keys of those that it does not contain.
    pub(super) fn difference(&self, new: &Self) -> (Vec<Arc<Item>>, Vec<String>) {
        let is_same = |item: &Item| self.get(&item.key).is_some_and(|old| old.hash == item.hash);
        let changed = new.iter().filter(|item| !is_same(item)).cloned().collect();
        let removed = self.iter().filter(|item| new.get(&item.key).is_none());
        (changed, removed.map(|item| item.key.clone()).collect())
    }

    /// Returns true if the items have the same texts.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        self.0.iter().map(|item| item.hash).eq(other.0.iter().map(|item| item.hash))
    }

    fn apply(&mut self, change: &ItemChange, table: &ItemTable) -> Option<()> {
        for key in &change.removed {
            self.remove(key);
        }
        for position in &change.set {
            self.set(Arc::clone(table.get(*position)?));
        }
        Some(())
    }
}

impl ScopeState {
    /// Creates the state of a scope without definitions.
    pub(super) fn new(scope: Scope, since: ChangeInterval) -> Self {
        let (toggles, segments) = (Items::default(), Items::default());
        Self { scope, since, confirmed: since.by, refused: None, toggles, segments }
    }
}

impl State {
    /// Reads a copy. Items that are known share their memory.
    pub(super) fn read_copy(&self, body: &[u8]) -> Option<Definitions> {
        let list: List<'_> = serde_json::from_slice(body).ok()?;
        let toggles =
            list.features.into_iter().map(|text| self.toggles.find_or_create(ItemKind::Toggle, text));
        let segments = list.segments.unwrap_or_default().into_iter();
        let segments = segments.map(|text| self.segments.find_or_create(ItemKind::Segment, text));
        Some(Definitions {
            toggles: toggles.collect::<Option<_>>()?,
            segments: segments.collect::<Option<_>>()?,
        })
    }

    /// Returns the position of a scope.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.scopes.iter().position(|known| known.scope.id == id)
    }

    /// Applies a record. Returns false if it does not fit to the records before.
    pub(super) fn apply(&mut self, record: Record) -> bool {
        let applied = match record {
            Record::File(FileHead { sequence, time, .. }) => {
                self.sequence = sequence;
                self.advance(time);
                Some(())
            }
            Record::Complete(complete) => self.apply_complete(complete),
            Record::Changed(change) => self.apply_change(change),
            Record::Refused { sequence, time, scope } => {
                self.advance(time);
                self.sequence = sequence;
                self.scopes.get_mut(scope).map(|scope| scope.refused = Some(time))
            }
            Record::Alive { time, confirmed } => {
                self.advance(time);
                confirmed.into_iter().try_for_each(|(scope, time)| {
                    self.scopes.get_mut(scope).map(|scope| scope.confirmed = scope.confirmed.max(time))
                })
            }
            Record::Resumed(Resumed { time, .. }) => {
                self.advance(time);
                Some(())
            }
        };
        applied.is_some()
    }

    fn advance(&mut self, time: u64) {
        self.time = self.time.max(time);
    }

    fn apply_complete(&mut self, complete: Complete) -> Option<()> {
        let mut state = Self { sequence: self.sequence, time: self.time, ..Self::default() };
        state.toggles.extend(ItemKind::Toggle, complete.toggles)?;
        state.segments.extend(ItemKind::Segment, complete.segments)?;
        for CompleteScope { scope, since, confirmed, refused, toggles, segments } in complete.scopes {
            let (toggles, segments) = (state.toggles.select(&toggles)?, state.segments.select(&segments)?);
            state.scopes.push(ScopeState { scope, since, confirmed, refused, toggles, segments });
        }
        *self = state;
        Some(())
    }

    pub(super) fn apply_change(&mut self, mut change: Change) -> Option<()> {
        self.toggles.extend(ItemKind::Toggle, std::mem::take(&mut change.toggles.new))?;
        self.segments.extend(ItemKind::Segment, std::mem::take(&mut change.segments.new))?;
        if let Some(scope) = change.new_scope {
            self.scopes.push(ScopeState::new(scope, change.interval));
        }
        self.advance(change.interval.by);
        self.sequence = change.sequence;
        let scope = self.scopes.get_mut(change.scope)?;
        scope.toggles.apply(&change.toggles, &self.toggles)?;
        scope.segments.apply(&change.segments, &self.segments)?;
        (scope.since, scope.refused) = (change.interval, None);
        scope.confirmed = scope.confirmed.max(change.interval.by);
        Some(())
    }
}
