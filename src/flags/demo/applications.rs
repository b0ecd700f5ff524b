//! The applications of the demo: what they poll, and what they report about it.

use std::collections::BTreeMap;

use actix_web::http::header::HeaderValue;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::dice::{Dice, wave};
use super::history::days_before;
use super::odds::{self, ALL, Polled};
use crate::error::ApiError;
use crate::flags::model::Counts;
use crate::flags::store::{ApplicationTexts, Transaction};
use crate::flags::usage::report::{Registration, Report};
use crate::flags::{Flags, applications};

/// Where everything in this program comes from.
const ADDRESS: &str = "127.0.0.1";
/// How many seconds one report covers.
const REPORTING: u64 = 5;
const MINUTE: u64 = 60;
/// The instances are younger than their applications: the last release was some hours ago.
const LAST_RELEASE: SignedDuration = SignedDuration::from_hours(19);

/// An application, as it stands in the data.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Application {
    name: String,
    description: String,
    url: String,
    icon: String,
    sdk: String,
    /// When it was first heard of.
    days_ago: f64,
    instances: Vec<String>,
    /// Those that it implements besides those that come with its library.
    strategies: Vec<String>,
    /// How often it asks for each toggle, by name.
    per_minute: BTreeMap<String, u64>,
}

/// All of them, with what they polled last.
#[derive(Debug)]
pub(super) struct Fleet {
    applications: Vec<Application>,
    tag: HeaderValue,
    polled: BTreeMap<String, Polled>,
    dice: Dice,
}

#[derive(Deserialize)]
struct Answer {
    features: Vec<Polled>,
}

impl Fleet {
    /// Makes the applications known, and says what people say about them.
    pub(super) async fn register(
        flags: &Flags,
        applications: Vec<Application>,
        now: Timestamp,
    ) -> Result<Self, ApiError> {
        let built_in = flags.read(built_in_strategies).await?;
        for application in &applications {
            application.register(flags, &built_in, days_before(now, application.days_ago)?);
        }
        // What is written together was seen at one time only.
        flags.write_usage().await?;
        for application in &applications {
            application.register(flags, &built_in, now - LAST_RELEASE);
        }
        flags.write_usage().await?;
        for application in &applications {
            let (name, texts) = (application.name.clone(), application.texts());
            flags.write(move |tx| applications::update_texts(tx, &name, &texts)).await?;
        }
        Ok(Self {
            applications,
            tag: HeaderValue::from_static(""),
            polled: BTreeMap::new(),
            dice: Dice::new(1),
        })
    }

    /// Asks for the toggles as client libraries do, and reads them when they changed.
    pub(super) async fn poll(&mut self, flags: &Flags) -> Result<(), ApiError> {
        let answer = flags.client_answer().await?;
        if answer.tag != self.tag {
            let Answer { features } = serde_json::from_slice(&answer.body).map_err(ApiError::internal)?;
            self.polled = features.into_iter().map(|toggle| (toggle.name.clone(), toggle)).collect();
            self.tag = answer.tag;
        }
        Ok(())
    }

    /// Reports as if it had done so all the time: whole minutes first, then as often as it is going to.
    pub(super) async fn report_last_hour(&mut self, flags: &Flags, now: Timestamp) {
        let minutes = (1..60).rev().map(|minute| (minute * MINUTE, MINUTE));
        let seconds = (1..=MINUTE / REPORTING).rev().map(|report| (report * REPORTING, REPORTING));
        for (ago, covered) in minutes.chain(seconds) {
            let at = now - SignedDuration::from_secs(ago.cast_signed());
            self.report(flags, at, covered, |_| true).await;
        }
    }

    /// Reports for the instances whose turn it is in this second.
    pub(super) async fn report_due(&mut self, flags: &Flags, now: Timestamp) {
        let second = seconds(now);
        self.report(flags, now, REPORTING, |place| (second + place).is_multiple_of(REPORTING)).await;
    }

    async fn report(&mut self, flags: &Flags, now: Timestamp, covered: u64, is_due: impl Fn(u64) -> bool) {
        let mut place = 0;
        for application in &self.applications {
            for instance in &application.instances {
                place += 1;
                if is_due(place) {
                    let toggles = application.counts(&self.polled, &mut self.dice, now, covered);
                    let (app_name, instance_id) = (application.name.clone(), instance.clone());
                    flags.count(&Report { app_name, instance_id, toggles }, ADDRESS, now).await;
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
            };
            flags.register(registration, ADDRESS, at);
        }
    }

    fn texts(&self) -> ApplicationTexts {
        let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        ApplicationTexts {
            icon: said(&self.icon),
            url: said(&self.url),
            description: said(&self.description),
        }
    }

    /// What one instance counted in the seconds that a report covers.
    fn counts(
        &self,
        polled: &BTreeMap<String, Polled>,
        dice: &mut Dice,
        now: Timestamp,
        covered: u64,
    ) -> BTreeMap<String, Counts> {
        let instances = self.instances.iter().map(|_| 1).sum::<u64>();
        let mut phase = seconds(now);
        let mut counts = BTreeMap::new();
        for (name, per_minute) in &self.per_minute {
            // No two toggles are in step, and none of them stands still.
            phase += 37;
            let traffic = 70 + wave(phase, 240, 60);
            let asked = dice.share(per_minute * covered * traffic, MINUTE * instances * 100);
            let odds = odds::of_yes(polled.get(name), &self.strategies);
            let drift = odds.min(ALL - odds) / 4;
            let odds = odds - drift / 2 + wave(phase, 90, drift);
            let yes = dice.share(asked * odds, ALL).min(asked);
            counts.insert(name.clone(), Counts { yes, no: asked - yes });
        }
        counts
    }
}

fn built_in_strategies(tx: &Transaction<'_>) -> Result<Vec<String>, ApiError> {
    let strategies = tx.list_strategies()?;
    Ok(strategies.into_iter().filter(|strategy| !strategy.editable).map(|strategy| strategy.name).collect())
}

fn seconds(moment: Timestamp) -> u64 {
    moment.as_second().unsigned_abs()
}
