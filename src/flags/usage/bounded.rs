//! A map with limited memory.

use std::collections::{BTreeMap, btree_map};

/// The estimated memory of an entry without its texts: tree node, string headers, allocator overhead.
const ENTRY_BYTES: usize = 128;

/// A key of a [`BoundedMap`].
pub trait Key: Ord {
    /// Returns the length of its texts in bytes.
    fn bytes(&self) -> usize;
}

/// A value of a [`BoundedMap`].
pub trait Entry {
    /// Returns the memory of its variable part in bytes.
    fn bytes(&self) -> usize;

    /// Merges a later value for the same key. Without `has_room` the variable part must not grow.
    fn merge(&mut self, later: Self, has_room: bool);
}

/// A sorted map that rejects new keys once its entries use a given number of bytes. Existing keys are always updated.
#[derive(Debug)]
pub struct BoundedMap<K, V> {
    entries: BTreeMap<K, V>,
    bytes: usize,
    limit: usize,
}

impl<K: Key, V: Entry> BoundedMap<K, V> {
    /// Creates an empty map whose entries use at most `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self { entries: BTreeMap::new(), bytes: 0, limit }
    }

    /// Returns whether the map has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key)
    }

    /// Returns the entries, sorted by key.
    pub fn entries(&self) -> btree_map::Iter<'_, K, V> {
        self.entries.iter()
    }

    /// Inserts a value or merges it into the existing one. Drops a new key that exceeds the limit.
    pub fn add(&mut self, key: K, value: V) {
        let size = key.bytes() + value.bytes() + ENTRY_BYTES;
        let has_room = self.bytes.saturating_add(size) <= self.limit;
        if let Some(known) = self.entries.get_mut(&key) {
            let before = known.bytes();
            known.merge(value, has_room);
            self.bytes = self.bytes.saturating_sub(before) + known.bytes();
        } else if has_room {
            self.bytes += size;
            self.entries.insert(key, value);
        }
    }

    /// Adds all entries of a later map.
    pub fn absorb(&mut self, later: Self) {
        for (key, value) in later.entries {
            self.add(key, value);
        }
    }

    /// Removes and returns at most `most` entries with the smallest keys.
    #[must_use]
    pub fn take_first(&mut self, most: usize) -> Self {
        let mut first = Self::new(self.limit);
        while first.len() < most
            && let Some((key, value)) = self.entries.pop_first()
        {
            self.bytes = self.bytes.saturating_sub(key.bytes() + value.bytes() + ENTRY_BYTES);
            first.add(key, value);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::{BoundedMap, ENTRY_BYTES, Entry, Key};

    impl Key for &str {
        fn bytes(&self) -> usize {
            self.len()
        }
    }

    impl Entry for String {
        fn bytes(&self) -> usize {
            self.len()
        }

        fn merge(&mut self, later: Self, has_room: bool) {
            if has_room {
                self.push_str(&later);
            }
        }
    }

    fn entries(map: &BoundedMap<&'static str, String>) -> Vec<(&'static str, String)> {
        map.entries().map(|(key, value)| (*key, value.clone())).collect()
    }

    fn entry(key: &'static str, value: &str) -> (&'static str, String) {
        (key, value.to_owned())
    }

    #[test]
    fn rejects_new_keys_and_growth_above_the_limit() {
        let mut map = BoundedMap::new(2 * (ENTRY_BYTES + 3));
        for (key, value) in [("a", "11"), ("b", "22"), ("c", ""), ("a", "33")] {
            map.add(key, value.to_owned());
        }
        assert_eq!(entries(&map), [entry("a", "11"), entry("b", "22")]);
    }

    #[test]
    fn taking_entries_makes_room_for_new_ones() {
        let mut map = BoundedMap::new(2 * (ENTRY_BYTES + 3));
        map.add("b", "22".to_owned());
        map.add("a", "11".to_owned());
        let first = map.take_first(1);
        assert_eq!(entries(&first), [entry("a", "11")]);
        map.add("c", "33".to_owned());
        assert_eq!(entries(&map), [entry("b", "22"), entry("c", "33")]);
        let mut rest = map.take_first(5);
        assert!(map.is_empty());
        map.absorb(first);
        map.add("a", "44".to_owned());
        assert_eq!(entries(&map), [entry("a", "1144")]);
        map.absorb(rest.take_first(1));
        assert_eq!((map.len(), rest.len()), (1, 1), "the merged value left no room for b");
    }
}
