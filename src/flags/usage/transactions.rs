//! Operations on reported usage: writing a part of a batch, and reading the counts back at the next start.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::{SignedDuration, Timestamp};

use super::limits::{enforce_application_limits, enforce_instance_limit, enforce_toggle_use_limits};
use super::names::{NamesVersion, ToggleNames};
use super::{BatchPart, MinuteCounts, history};
use crate::database::{StoreError, Transaction};
use crate::flags::events::format_time;
use crate::usage_windows::{Windows, oldest_minute};

/// The time after an instance's last report when it is deleted.
const INSTANCE_LIFETIME: SignedDuration = SignedDuration::from_hours(48);
/// The maximum number of counts that are read at the start: the number that a window has.
const MAX_RESTORED: u32 = 1_000_000;
/// The maximum number of expired rows of a table that one transaction deletes. Larger than the number that it adds.
pub(super) const MAX_EXPIRED: u32 = 4_000;

/// Writes a part of a batch, deletes expired rows and enforces the limits. Returns the number of new uses of toggles.
pub(in crate::flags) fn write_part(
    tx: &Transaction<'_>,
    part: &BatchPart,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let BatchPart { rows, checks_uses } = part;
    if !rows.applications.is_empty() {
        tx.save_applications(rows)?;
        enforce_application_limits(tx)?;
    }
    if !rows.instances.is_empty() {
        tx.save_instances(rows)?;
        tx.delete_instances_before(&format_time(now - INSTANCE_LIFETIME), MAX_EXPIRED)?;
        enforce_instance_limit(tx)?;
    }
    let new_uses = tx.save_toggle_uses(rows)?;
    tx.save_last_seen(rows)?;
    if *checks_uses {
        enforce_toggle_use_limits(tx)?;
    }
    tx.add_counts(rows)?;
    if tx.is_shared() {
        let minutes: BTreeSet<i64> = rows.counts.entries().map(|((minute, _), _)| *minute).collect();
        minutes.into_iter().try_for_each(|minute| tx.save_counted_minute(minute))?;
        tx.delete_counted_minutes_before(oldest_minute(now.as_second()))?;
    }
    tx.delete_counts_before(oldest_minute(now.as_second()), MAX_EXPIRED)?;
    history::save(tx, rows, now)?;
    Ok(new_uses)
}

/// Returns the counts of these minutes, or of the newest of them if there are more than [`MAX_RESTORED`].
pub(in crate::flags) fn load_windows(
    tx: &Transaction<'_>,
    names: &ToggleNames,
    minutes: Range<i64>,
) -> Result<Windows, StoreError> {
    let mut windows = Windows::default();
    tx.visit_counts(minutes, MAX_RESTORED, |minute, toggle, counts| {
        windows.restore(minute, toggle, counts, names.contains(toggle));
    })?;
    Ok(windows)
}

/// Returns the counts of all processes in the minutes from `oldest` on that changed after a commit, and the number of the
/// last commit.
pub(in crate::flags) fn list_changed_counts(
    tx: &Transaction<'_>,
    oldest: i64,
    commit: i64,
) -> Result<(Vec<MinuteCounts>, i64), StoreError> {
    let last = tx.last_commit()?;
    let mut stored = Vec::new();
    for minute in tx.list_counted_minutes(oldest, commit)? {
        let room = MAX_RESTORED.saturating_sub(u32::try_from(stored.len()).unwrap_or(u32::MAX));
        tx.visit_counts(minute..minute + 1, room, |minute, toggle, counts| {
            stored.push(((minute, toggle.to_owned()), counts));
        })?;
    }
    Ok((stored, last))
}

/// Reads the names of all toggles. `commits` must have been read before the transaction began.
pub(in crate::flags) fn read_toggle_names(
    tx: &Transaction<'_>,
    commits: u64,
) -> Result<ToggleNames, StoreError> {
    let version = NamesVersion { event: Some(tx.newest_change()?), commits };
    Ok(ToggleNames::new(tx.list_toggle_names()?, version))
}
