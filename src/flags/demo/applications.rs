//! Demo applications: they poll toggles and report usage.

use std::collections::BTreeMap;

use actix_web::http::header::EntityTag;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::history::days_before;
use super::random::{Random, triangle_wave};
use super::yes_rate::{PER_MILLE, PolledToggle, yes_rate};
use crate::api::{ClientApi, Counts, SegmentFormat};
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::applications;
use crate::flags::applications::rules::ApplicationTexts;
use crate::flags::service::Flags;
use crate::flags::usage::history::HOURS;
use crate::flags::usage::report::{Registration, UsageReport};
use crate::usage_windows::{minute_of, oldest_minute};

/// Client address of all reports.
const CLIENT_ADDRESS: &str = "127.0.0.1";
/// Seconds that one report covers.
const REPORT_SECONDS: i64 = 5;
const MINUTE_SECONDS: i64 = 60;
const HOUR_SECONDS: i64 = 3_600;
const DAY_SECONDS: u64 = 86_400;
/// Age of the instances, which is less than the age of their applications.
const INSTANCE_AGE: SignedDuration = SignedDuration::from_hours(19);

/// An application in the demo data.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Application {
    name: String,
    description: String,
    url: String,
    icon: String,
    sdk: String,
    /// Age of the application in days.
    days_ago: f64,
    instances: Vec<String>,
    /// Custom strategies that it implements besides the built-in ones.
    strategies: Vec<String>,
    /// Evaluations per minute by toggle name.
    per_minute: BTreeMap<String, u64>,
}

/// All applications, and the toggles of the last poll.
#[derive(Debug)]
pub(super) struct Fleet {
    applications: Vec<Application>,
    etag: Option<EntityTag>,
    polled: BTreeMap<String, PolledToggle>,
    random: Random,
}

#[derive(Deserialize)]
struct PolledToggles {
    features: Vec<PolledToggle>,
}

impl Fleet {
    /// Registers the applications and sets their descriptions.
    pub(super) async fn register(
        flags: &Flags,
        applications: Vec<Application>,
        now: Timestamp,
    ) -> Result<Self, ApiError> {
        let built_in = flags.database.read(list_built_in_strategies).await?;
        for application in &applications {
            application.register(flags, &built_in, days_before(now, application.days_ago)?);
        }
        // Registrations in one write have the same time, so that each is written separately.
        flags.usage.write_pending().await?;
        for application in &applications {
            application.register(flags, &built_in, now - INSTANCE_AGE);
        }
        flags.usage.write_pending().await?;
        for application in &applications {
            let (name, texts) = (application.name.clone(), application.texts());
            flags
                .database
                .write(move |tx| applications::transactions::update_texts(tx, &name, &texts))
                .await?;
        }
        Ok(Self { applications, etag: None, polled: BTreeMap::new(), random: Random::new(1) })
    }

    /// Polls the toggles and reads them if they changed, as client libraries do.
    pub(super) async fn poll(&mut self, flags: &Flags) -> Result<(), ApiError> {
        let snapshot = flags.snapshots.for_client(SegmentFormat::Listed).await?.list;
        if self.etag.as_ref() != Some(&snapshot.etag) {
            let PolledToggles { features } =
                serde_json::from_slice(&snapshot.body).map_err(ApiError::internal)?;
            self.polled = features.into_iter().map(|toggle| (toggle.name.clone(), toggle)).collect();
            self.etag = Some(snapshot.etag);
        }
        Ok(())
    }

    /// Reports the usage of the last week: first per hour, then per minute, then in the normal interval. Each minute has
    /// the reports of one minute, so that the counts have no peaks at the transitions.
    pub(super) async fn report_last_week(&mut self, flags: &Flags, now: Timestamp) {
        let second = now.as_second();
        let minute = minute_of(second);
        let minutes = oldest_minute(second)..minute - 1;
        let first_second = minutes.start * MINUTE_SECONDS;
        let current_hour = second.div_euclid(HOUR_SECONDS);
        for hour in current_hour - i64::from(HOURS) + 1..=current_hour {
            let start = hour * HOUR_SECONDS;
            self.report_period(flags, start, first_second.min(start + HOUR_SECONDS)).await;
        }
        for minute in minutes.clone() {
            self.report_period(flags, minute * MINUTE_SECONDS, (minute + 1) * MINUTE_SECONDS).await;
        }
        let mut start = minutes.end * MINUTE_SECONDS;
        while start < second {
            let end = start + REPORT_SECONDS;
            self.report_period(flags, start, end.min(second)).await;
            start = end;
        }
    }

    /// Reports the usage of all instances from second `start` to second `end`.
    async fn report_period(&mut self, flags: &Flags, start: i64, end: i64) {
        if end > start
            && let Ok(at) = Timestamp::from_second(end - 1)
        {
            self.report(flags, at, end.abs_diff(start), |_| true).await;
        }
    }

    /// Reports for the instances that are due in this second.
    pub(super) async fn report_due(&mut self, flags: &Flags, now: Timestamp) {
        let (second, interval) = (unix_seconds(now), REPORT_SECONDS.unsigned_abs());
        self.report(flags, now, interval, |position| (second + position).is_multiple_of(interval)).await;
    }

    async fn report(&mut self, flags: &Flags, now: Timestamp, duration: u64, is_due: impl Fn(u64) -> bool) {
        let mut position = 0;
        for application in &self.applications {
            for instance in &application.instances {
                position += 1;
                if is_due(position) {
                    let toggles = application.counts(&self.polled, &mut self.random, now, duration);
                    let (app_name, instance_id) = (application.name.clone(), instance.clone());
                    let report = UsageReport { app_name, instance_id, toggles, api: ClientApi::Server };
                    flags.usage.count(&report, CLIENT_ADDRESS, now).await;
                }
            }
        }
    }
}

impl Application {
    fn register(&self, flags: &Flags, built_in: &[String], at: Timestamp) {
        for instance in &self.instances {
            let registration = Registration {
                app_name: self.name.clone(),
                instance_id: instance.clone(),
                sdk_version: Some(self.sdk.clone()),
                strategies: built_in.iter().chain(&self.strategies).cloned().collect(),
                api: ClientApi::Server,
            };
            flags.usage.register(registration, CLIENT_ADDRESS, at);
        }
    }

    fn texts(&self) -> ApplicationTexts {
        let non_empty = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        ApplicationTexts {
            icon: non_empty(&self.icon),
            url: non_empty(&self.url),
            description: non_empty(&self.description),
        }
    }

    /// Returns the counts of one instance during a report.
    fn counts(
        &self,
        polled: &BTreeMap<String, PolledToggle>,
        random: &mut Random,
        now: Timestamp,
        duration: u64,
    ) -> BTreeMap<String, Counts> {
        let instances = self.instances.iter().map(|_| 1).sum::<u64>();
        let mut phase = unix_seconds(now);
        let mut counts = BTreeMap::new();
        for (name, per_minute) in &self.per_minute {
            // A different phase for each toggle, so that their traffic varies independently.
            phase += 37;
            // All factors are percentages. Traffic at noon, UTC, is twice that at midnight.
            let (wave, noise) = (70 + triangle_wave(phase, 240, 60), 80 + random.below(41));
            let daytime = 70 + triangle_wave(unix_seconds(now), DAY_SECONDS, 70);
            let unit = MINUTE_SECONDS.unsigned_abs() * instances * 1_000_000;
            let requests = random.divide(per_minute * duration * wave * noise * daytime, unit);
            let rate = yes_rate(polled.get(name), &self.strategies);
            let drift = rate.min(PER_MILLE - rate) / 4;
            let rate = rate - drift / 2 + triangle_wave(phase, 90, drift);
            let yes = random.divide(requests * rate, PER_MILLE).min(requests);
            counts.insert(name.clone(), Counts { yes, no: requests - yes });
        }
        counts
    }
}

fn list_built_in_strategies(tx: &Transaction<'_>) -> Result<Vec<String>, ApiError> {
    let strategies = tx.list_strategies()?;
    Ok(strategies.into_iter().filter(|strategy| !strategy.editable).map(|strategy| strategy.name).collect())
}

fn unix_seconds(moment: Timestamp) -> u64 {
    moment.as_second().unsigned_abs()
}
