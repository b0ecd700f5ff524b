//! Writes a JSON list with a limited size, item by item.

use serde::Serialize;

/// A JSON list that rejects items once it has reached its maximum size. The first item always fits.
#[derive(Debug)]
pub(crate) struct JsonList {
    json: Vec<u8>,
    max_bytes: usize,
}

impl JsonList {
    /// Creates an empty list of at most `max_bytes`, not counting the closing bracket.
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { json: vec![b'['], max_bytes }
    }

    /// Appends an item. Returns false if the list has no room for it; the list is unchanged then.
    pub(crate) fn push(&mut self, item: &impl Serialize) -> Result<bool, serde_json::Error> {
        let before = self.json.len();
        let is_first = before == 1;
        if !is_first {
            self.json.push(b',');
        }
        serde_json::to_writer(&mut self.json, item)?;
        let fits = is_first || self.json.len() < self.max_bytes;
        if !fits {
            self.json.truncate(before);
        }
        Ok(fits)
    }

    /// Returns the complete list.
    pub(crate) fn into_json(mut self) -> Vec<u8> {
        self.json.push(b']');
        self.json
    }
}

#[cfg(test)]
mod tests {
    use super::JsonList;

    /// Each case: the maximum size, the items, and the list.
    #[test]
    fn items_beyond_the_limit_are_omitted() {
        let cases: [(usize, &[u32], &str); 6] = [
            (usize::MAX, &[], "[]"),
            (usize::MAX, &[1], "[1]"),
            (usize::MAX, &[1, 22, 333], "[1,22,333]"),
            (0, &[12345, 6], "[12345]"),
            (5, &[1, 22], "[1]"),
            (6, &[1, 22, 3], "[1,22]"),
        ];
        for (max_bytes, items, expected) in cases {
            let mut list = JsonList::new(max_bytes);
            for item in items {
                if !list.push(item).unwrap() {
                    break;
                }
            }
            assert_eq!(String::from_utf8(list.into_json()).unwrap(), expected, "{items:?} in {max_bytes}");
        }
    }
}
