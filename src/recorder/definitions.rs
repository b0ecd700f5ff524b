//! The toggles and segments in a list, as SDKs get it. Pure.

use std::collections::BTreeMap;

use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::evaluation::{RawToggles, name_of};

/// SHA-256 of the text of an item.
pub(super) type Hash = [u8; 32];

/// The kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ItemKind {
    Toggle,
    Segment,
}

/// Identifies an item in a scope: its kind, and the name of the toggle or the id of the segment.
pub(super) type ItemKey = (ItemKind, String);

/// The text of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'b> {
    pub(super) hash: Hash,
    pub(super) text: &'b str,
}

impl ItemKind {
    /// Returns the number of the kind in the database.
    pub(super) fn number(self) -> i64 {
        i64::from(self == Self::Segment)
    }

    /// Returns the kind with this number.
    pub(super) fn from_number(number: i64) -> Self {
        if number == Self::Segment.number() { Self::Segment } else { Self::Toggle }
    }
}

/// Reads the items of a list; `None` if it is no list of toggles. The last item of a key counts, as in an evaluation.
pub(super) fn parse(body: &[u8]) -> Option<BTreeMap<ItemKey, Item<'_>>> {
    let list: RawToggles<'_> = serde_json::from_slice(body).ok()?;
    let segments = list.segments::<&RawValue>().ok()?.into_iter().map(|text| (ItemKind::Segment, text));
    let features = list.features.into_iter().map(|text| (ItemKind::Toggle, text));
    features
        .chain(segments)
        .map(|(kind, text)| Some(((kind, key_of(kind, text)?), Item::new(text))))
        .collect()
}

/// Returns the key of an item; `None` if it has none.
fn key_of(kind: ItemKind, text: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Segment {
        id: Value,
    }
    let key = match kind {
        ItemKind::Toggle => name_of(text).ok()?.into_owned(),
        ItemKind::Segment => match serde_json::from_str::<Segment>(text.get()).ok()?.id {
            Value::String(id) => id,
            id => id.to_string(),
        },
    };
    // PostgreSQL cannot store U+0000.
    Some(key.replace('\0', "\u{fffd}"))
}

impl<'b> Item<'b> {
    fn new(text: &'b RawValue) -> Self {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, text.get().as_bytes()).as_ref());
        Self { hash, text: text.get() }
    }
}
