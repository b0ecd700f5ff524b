//! What several turns come to: what else the machine does hits some of them.

/// The value in the middle, the greater of two; the default where there is none.
pub(crate) fn median<T: PartialOrd + Copy + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len() / 2).copied().unwrap_or_default()
}
