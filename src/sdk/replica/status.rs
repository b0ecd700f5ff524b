//! State of the replica for operators.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Replica;
use super::entries::Entry;
use super::entry_state::{Answer, EntryState};
use super::kept_copies::Removal;
use crate::console_api::{Purged, ReplicaSummary};
use crate::request_id::RequestId;

/// State of all copies, for `GET /replica` of the listener for monitoring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaStatus {
    /// Copies that SDKs use or have used.
    pub copies: Vec<CopyStatus>,
    /// Number of reports that wait for the upstream.
    pub waiting_reports: usize,
    /// Why copies are not kept, as the end of a sentence; null if they are, or if `data` is not set.
    pub fault: Option<String>,
}

/// State of one copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CopyStatus {
    /// Last characters of the token; empty for a short one.
    pub token: String,
    /// Number of instances of applications that have used the copy in the last minutes.
    pub instances: u64,
    /// True if there are more instances than are counted.
    pub has_more_instances: bool,
    /// Seconds since the upstream has last confirmed the copy.
    pub age: u64,
    /// True if the upstream does not respond.
    pub is_stale: bool,
    /// False if the copy is not refreshed, because no SDK uses it.
    pub is_active: bool,
    /// Size of the body in bytes.
    pub bytes: usize,
}

impl Replica {
    /// Returns the state of all copies, the most used ones first.
    pub(crate) fn status(&self) -> ReplicaStatus {
        let now = self.0.now();
        let status = |entry: Arc<Entry>| {
            let state = entry.state.borrow();
            let copy = state.copy()?;
            let is_stale = !matches!(state.answer(now, self.0.timing), Answer::Copy(_, age) if !age.is_stale);
            let instances = entry.instances(now);
            Some(CopyStatus {
                token: entry.last_characters.get().cloned().unwrap_or_default(),
                instances: instances.number,
                has_more_instances: instances.has_more,
                age: now.saturating_sub(state.confirmed_at()) / 1000,
                is_stale,
                is_active: state.is_active(),
                bytes: copy.body.len(),
            })
        };
        let mut copies: Vec<_> = self.0.entries.list().into_iter().filter_map(status).collect();
        copies.sort_by(|one, other| (other.instances, &one.token).cmp(&(one.instances, &other.token)));
        let waiting_reports = self.0.reports.len() + self.0.evaluation_reports.len();
        ReplicaStatus { copies, waiting_reports, fault: self.0.kept.fault() }
    }

    /// Returns the state of the copies that SDKs use, for the console.
    pub(crate) fn summary(&self) -> ReplicaSummary {
        let now = self.0.now();
        let mut summary = ReplicaSummary::default();
        let (mut oldest, mut failing_since) = (None, None);
        for entry in self.0.entries.list() {
            let state = entry.state.borrow();
            if state.copy().is_none() {
                continue;
            }
            summary.copies = summary.copies.saturating_add(1);
            if state.is_active() {
                let instances = entry.instances(now);
                let number = u32::try_from(instances.number).unwrap_or(u32::MAX);
                summary.instances = summary.instances.saturating_add(number);
                summary.has_more_instances |= instances.has_more;
                oldest =
                    Some(oldest.map_or(state.confirmed_at(), |time: u64| time.min(state.confirmed_at())));
                failing_since = failing_since.into_iter().chain(state.failing_since()).min();
            }
        }
        summary.fault = self.0.kept.fault();
        let age = oldest.map_or(0, |time| now.saturating_sub(time) / 1000);
        summary.age = u32::try_from(age).unwrap_or(u32::MAX);
        (summary.confirmed_at, summary.failing_since) =
            (oldest.map(format_time), failing_since.map(format_time));
        summary
    }

    /// Updates the metrics that are computed when they are read.
    pub(crate) fn update_metrics(&self) {
        let ReplicaStatus { copies, fault, .. } = self.status();
        self.0.metrics.set_fault(fault.is_some());
        let stale = copies.iter().filter(|copy| copy.is_stale).count();
        let age = copies.iter().filter(|copy| copy.is_active).map(|copy| copy.age).max();
        self.0.metrics.set_copies(copies.len(), stale, age.unwrap_or_default());
    }

    /// Removes all copies, first from the database, and returns their number. The next requests of SDKs wait for the
    /// upstream.
    pub(crate) async fn purge(&self) -> Purged {
        let inner = &self.0;
        let entries = inner.entries.list();
        for entry in &entries {
            // Excludes the copy from the database, until the upstream sends a new one.
            entry.is_purged.store(true, Ordering::SeqCst);
        }
        inner.kept.remove(vec![Removal::All], &inner.entries).await;
        let copies = entries.iter().filter(|entry| entry.copy().is_some()).count();
        let id = RequestId::current();
        tracing::info!(copies, id = id.as_ref().map(RequestId::as_str), "removed the copies of the replica");
        for entry in &entries {
            entry.state.send_modify(EntryState::purge);
            entry.wake.notify_one();
        }
        Purged { copies: u32::try_from(copies).unwrap_or(u32::MAX), fault: inner.kept.fault() }
    }
}

/// Formats milliseconds since 1970 as RFC 3339.
fn format_time(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    time.unwrap_or_default().to_string()
}
