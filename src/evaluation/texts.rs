//! Lists of texts in one piece of memory, so that a search reads few cache lines.

use std::cmp::Ordering;

/// An immutable list of texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Texts {
    /// All texts without separators.
    joined: Box<str>,
    /// End of each text.
    ends: Box<[usize]>,
}

/// An immutable set of texts: a list that is sorted by [`order`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextSet(Texts);

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|index| self.get(index))
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).and_then(|previous| self.ends.get(previous)).copied();
        self.joined.get(start.unwrap_or_default()..end)
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let (mut joined, mut ends) = (String::new(), Vec::new());
        for text in texts {
            joined.push_str(text.as_ref());
            ends.push(joined.len());
        }
        Self { joined: joined.into(), ends: ends.into() }
    }
}

impl TextSet {
    pub(super) fn contains(&self, text: &str) -> bool {
        self.position(text).is_some()
    }

    /// Returns the index of a text.
    pub(super) fn position(&self, text: &str) -> Option<usize> {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = usize::midpoint(start, end);
            match order(self.0.get(middle)?, text) {
                Ordering::Less => start = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => end = middle,
            }
        }
        None
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of texts that a search compares.
    pub(super) fn search_cost(&self) -> usize {
        self.len().checked_ilog2().map_or(1, |steps| usize::try_from(steps).unwrap_or_default() + 2)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter()
    }
}

impl<T: AsRef<str>> FromIterator<T> for TextSet {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut texts: Vec<T> = texts.into_iter().collect();
        texts.sort_by(|one, other| order(one.as_ref(), other.as_ref()));
        Self(texts.into_iter().collect())
    }
}

/// Orders texts by length, which is faster to compare, and then by content.
pub(super) fn order(one: &str, other: &str) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}
