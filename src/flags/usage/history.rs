//! The stored counts of a toggle in each application: per minute for an hour, per hour for a week.
//!
//! The number of stored pairs of a toggle and an application is limited, because clients can invent applications. The
//! counts of further applications are added to one entry per toggle with an empty name. Stored pairs are never displaced
//! by new ones; a pair is deleted with its last counts, a week after its last report.

use std::ops::Range;

use jiff::Timestamp;

use super::transactions::MAX_EXPIRED;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{Counts, PeriodCounts, UsageHistory};
use crate::database::{StoreError, Transaction};
use crate::error::ApiError;
use crate::flags::endpoint::query_value;
use crate::flags::events::format_time;
use crate::flags::usage::pending::Pending;
use crate::usage_windows::{minute_of, oldest_minute};

/// The number of hours for which counts are stored, including the current one.
pub const HOURS: u32 = 7 * 24;
/// The number of hours in a response without a valid `hoursBack`, as in Unleash.
pub const DEFAULT_HOURS: u32 = 24;
/// The maximum number of applications of a toggle that are counted separately. Limits the size of a response.
pub const MAX_APPLICATIONS_PER_TOGGLE: u32 = 50;
/// The maximum number of pairs of a toggle and an application. Their counts use at most 100 MB in the database.
const MAX_USES: u32 = 20_000;
/// The maximum number of pairs with an empty application, in addition to `MAX_USES`.
const MAX_OTHER_USES: u32 = 10_000;
/// The application of counts that are not stored separately.
const OTHER: &str = "";
const SECONDS_PER_MINUTE: i64 = 60;
const MINUTES_PER_HOUR: i64 = 60;
/// The environment of all counts: the service has only one.
const ENVIRONMENT: &str = "default";

/// The length of the periods of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// One minute.
    Minutes,
    /// One hour.
    Hours,
}

/// The counts of an application during one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCounts {
    /// The number of the period since 1970.
    pub period: i64,
    /// The name of the application, or empty.
    pub application: String,
    /// The counts.
    pub counts: Counts,
}

impl Resolution {
    fn seconds(self) -> i64 {
        match self {
            Self::Minutes => SECONDS_PER_MINUTE,
            Self::Hours => SECONDS_PER_MINUTE * MINUTES_PER_HOUR,
        }
    }
}

/// Parses the number of hours in the query of a URL. Like Unleash, uses the default for an invalid number.
#[must_use]
pub fn parse_hours_back(query: &str) -> u32 {
    query_value(query, "hoursBack")
        .and_then(|hours| hours.parse().ok())
        .filter(|hours| (1..=HOURS).contains(hours))
        .unwrap_or(DEFAULT_HOURS)
}

/// Returns the counts of the last 60 minutes, including the current one.
pub(crate) fn list_minutes(
    tx: &Transaction<'_>,
    toggle: &str,
    now: Timestamp,
) -> Result<UsageHistory, ApiError> {
    let second = now.as_second();
    list(tx, toggle, Resolution::Minutes, oldest_minute(second)..minute_of(second) + 1)
}

/// Returns the counts of the last hours, including the current one.
pub(crate) fn list_hours(
    tx: &Transaction<'_>,
    toggle: &str,
    hours: u32,
    now: Timestamp,
) -> Result<UsageHistory, ApiError> {
    let current = hour_of(minute_of(now.as_second()));
    list(tx, toggle, Resolution::Hours, current - i64::from(hours) + 1..current + 1)
}

fn list(
    tx: &Transaction<'_>,
    toggle: &str,
    resolution: Resolution,
    periods: Range<i64>,
) -> Result<UsageHistory, ApiError> {
    let stored = tx.list_use_counts(toggle, resolution, periods)?;
    let data = stored.into_iter().map(|counts| to_period(toggle, resolution, counts));
    let data = data.collect::<Result<_, _>>().map_err(ApiError::internal)?;
    Ok(UsageHistory { version: ENVELOPE_VERSION, maturity: "stable".to_owned(), data })
}

fn to_period(
    toggle: &str,
    resolution: Resolution,
    stored: StoredCounts,
) -> Result<PeriodCounts, jiff::Error> {
    let start = Timestamp::from_second(stored.period.saturating_mul(resolution.seconds()))?;
    Ok(PeriodCounts {
        feature_name: toggle.to_owned(),
        app_name: stored.application,
        environment: ENVIRONMENT.to_owned(),
        timestamp: format_time(start),
        yes: stored.counts.yes,
        no: stored.counts.no,
    })
}

/// Writes the counts by application of a batch, and deletes expired ones.
pub(super) fn save(tx: &Transaction<'_>, batch: &Pending, now: Timestamp) -> Result<(), StoreError> {
    let oldest_minute = oldest_minute(now.as_second());
    let oldest_hour = hour_of(minute_of(now.as_second())) - i64::from(HOURS) + 1;
    if !batch.use_counts.is_empty() {
        let mut uses = CountedUses { tx, number: tx.count_counted_uses()? };
        for ((minute, toggle, application), counts) in batch.use_counts.entries() {
            let hour = hour_of(*minute);
            let Some(id) = uses.find_or_insert(toggle, application, hour)? else { continue };
            tx.add_use_counts(Resolution::Hours, hour, id, *counts)?;
            if *minute >= oldest_minute {
                tx.add_use_counts(Resolution::Minutes, *minute, id, *counts)?;
            }
        }
    }
    tx.delete_use_counts_before(Resolution::Minutes, oldest_minute, MAX_EXPIRED)?;
    tx.delete_use_counts_before(Resolution::Hours, oldest_hour, MAX_EXPIRED)?;
    tx.delete_counted_uses_before(oldest_hour, MAX_EXPIRED)
}

/// The stored pairs of a toggle and an application, in a write transaction.
struct CountedUses<'t, 'c> {
    tx: &'t Transaction<'c>,
    number: u32,
}

impl CountedUses<'_, '_> {
    /// Returns the id of the pair, or of the toggle's pair with an empty application if there is no room. Returns `None` if
    /// there is no room for that either.
    fn find_or_insert(
        &mut self,
        toggle: &str,
        application: &str,
        hour: i64,
    ) -> Result<Option<i64>, StoreError> {
        let known = self.find(toggle, application, hour)?;
        if known.is_some() {
            return Ok(known);
        }
        if self.number < MAX_USES && self.tx.count_counted_uses_of(toggle)? < MAX_APPLICATIONS_PER_TOGGLE {
            return self.insert(toggle, application, hour).map(Some);
        }
        let other = self.find(toggle, OTHER, hour)?;
        if other.is_none() && self.number < MAX_USES + MAX_OTHER_USES {
            return self.insert(toggle, OTHER, hour).map(Some);
        }
        Ok(other)
    }

    fn find(&self, toggle: &str, application: &str, hour: i64) -> Result<Option<i64>, StoreError> {
        let Some((id, last_hour)) = self.tx.find_counted_use(toggle, application)? else { return Ok(None) };
        if last_hour < hour {
            self.tx.set_last_hour(id, hour)?;
        }
        Ok(Some(id))
    }

    fn insert(&mut self, toggle: &str, application: &str, hour: i64) -> Result<i64, StoreError> {
        self.number += 1;
        self.tx.insert_counted_use(toggle, application, hour)
    }
}

fn hour_of(minute: i64) -> i64 {
    minute.div_euclid(MINUTES_PER_HOUR)
}

#[cfg(test)]
mod tests {
    use super::parse_hours_back;

    #[test]
    fn invalid_hours_back_is_the_default() {
        for (query, hours) in [
            ("", 24),
            ("hoursBack=1", 1),
            ("hoursBack=168", 168),
            ("x=1&hoursBack=48", 48),
            ("hoursBack=0", 24),
            ("hoursBack=169", 24),
            ("hoursBack=-1", 24),
            ("hoursBack=1.5", 24),
            ("hoursBack=", 24),
        ] {
            assert_eq!(parse_hours_back(query), hours, "{query}");
        }
    }
}
