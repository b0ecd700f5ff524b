//! Limits of reported usage: every client of the client API can report invented applications, instances and toggles.

use crate::database::{StoreError, Transaction};

/// A maximum number of rows, and the number that is left after it was exceeded. It is lower where finding the oldest rows
/// is slow.
#[derive(Debug, Clone, Copy)]
struct RowLimit {
    max: u32,
    kept: u32,
}

impl RowLimit {
    const fn new(max: u32) -> Self {
        Self { max, kept: max }
    }

    /// Returns the number of rows to delete from a table with `count` rows.
    fn surplus(self, count: u32) -> u32 {
        if count > self.max { count.saturating_sub(self.kept) } else { 0 }
    }
}

const APPLICATIONS: RowLimit = RowLimit::new(5_000);
/// The instances of all applications.
const INSTANCES: RowLimit = RowLimit::new(50_000);
/// Pairs of an application and a toggle that it uses.
const USES: RowLimit = RowLimit { max: 200_000, kept: 180_000 };
/// Pairs whose toggle does not exist.
const UNKNOWN_USES: RowLimit = RowLimit { max: 5_000, kept: 4_000 };
/// The maximum total length of all lists of strategies, in bytes.
const MAX_STRATEGY_BYTES: u32 = 4 << 20;

/// Enforces the limits of applications: deletes those with the oldest report, except those with a description, URL or
/// icon, and empties the longest lists of strategies.
pub(super) fn enforce_application_limits(tx: &Transaction<'_>) -> Result<(), StoreError> {
    let surplus = APPLICATIONS.surplus(tx.count_applications()?);
    if surplus > 0 {
        tx.delete_oldest_undescribed_applications(surplus)?;
    }
    tx.clear_longest_strategy_lists(MAX_STRATEGY_BYTES)
}

/// Enforces the limit of instances: deletes those with the oldest report.
pub(super) fn enforce_instance_limit(tx: &Transaction<'_>) -> Result<(), StoreError> {
    let surplus = INSTANCES.surplus(tx.count_instances()?);
    if surplus > 0 { tx.delete_oldest_instances(surplus) } else { Ok(()) }
}

/// Enforces the limits of toggle uses: deletes uses of unknown toggles, first uses without a report in the last hour,
/// and then uses of the applications with the oldest report.
pub(super) fn enforce_toggle_use_limits(tx: &Transaction<'_>) -> Result<(), StoreError> {
    if UNKNOWN_USES.surplus(tx.count_unknown_uses()?) > 0 {
        tx.delete_uncounted_unknown_uses()?;
        tx.delete_oldest_unknown_uses(tx.count_unknown_uses()?.saturating_sub(UNKNOWN_USES.kept))?;
    }
    let surplus = USES.surplus(tx.count_toggle_uses()?);
    if surplus > 0 { tx.delete_oldest_uses(surplus) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::RowLimit;

    /// Each case: the maximum, the number of kept rows, the number of rows, and the number to delete.
    #[test]
    fn surplus_is_deleted_only_above_the_maximum() {
        for (max, kept, count, surplus) in [
            (10, 10, 0, 0),
            (10, 10, 10, 0),
            (10, 10, 11, 1),
            (10, 8, 8, 0),
            (10, 8, 9, 0),
            (10, 8, 10, 0),
            (10, 8, 11, 3),
            (10, 8, u32::MAX, u32::MAX - 8),
        ] {
            assert_eq!(RowLimit { max, kept }.surplus(count), surplus, "{count} of {max}, keeping {kept}");
        }
    }
}
