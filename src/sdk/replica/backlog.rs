//! Reports of SDKs that the upstream has not received: merged and bounded, in the order of their arrival. Pure.
//!
//! Reports wait for the end of an interval, or for the end of an outage. In each case they become due, and are taken in batches of
//! requests. Reports that are not delivered are put back.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};

use super::bulk::{self, BulkList};
use super::queued_report::{Credential, QueuedReport, ReportKind, ReportSender};

/// Bounds of the reports of one class: number of reports, and their approximate size in memory in bytes.
#[derive(Debug, Clone, Copy)]
struct Share {
    reports: usize,
    bytes: usize,
}

/// Bounds of all reports. At a bound, the counts of an hour are merged, and else the oldest reports of the class are dropped.
#[derive(Debug, Clone, Copy)]
struct Shares {
    /// Share of the credentials that the upstream has accepted.
    known: Share,
    /// Share of all other credentials. It is separate, so that their reports never displace reports of accepted credentials.
    unknown: Share,
    /// Share of the unknown credentials of one network.
    unknown_of_network: Share,
}

const SHARES: Shares = Shares {
    known: Share { reports: 2_000, bytes: 16 << 20 },
    unknown: Share { reports: 200, bytes: 2 << 20 },
    unknown_of_network: Share { reports: 50, bytes: 1 << 20 },
};
/// Maximum number of reports in a request. It exceeds the number of entries that fit.
const MAX_JOINED: usize = 2_048;

/// The reports, oldest first.
#[derive(Debug)]
pub(super) struct Backlog {
    reports: VecDeque<QueuedReport>,
    /// Number of reports that were taken and are being delivered.
    taken: usize,
    /// Number of accepted reports that are neither delivered nor dropped.
    accepted: usize,
    /// Number of reports that were counted as dropped with a part, and of which another part still has the number.
    dropped_early: usize,
    shares: Shares,
}

/// The reports that may be taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct BatchLimits {
    /// Maximum number of requests.
    pub(super) requests: usize,
    /// True if reports of unknown credentials may be taken.
    pub(super) includes_unknown: bool,
}

/// The reports of one request.
#[derive(Debug, Clone)]
pub(super) struct Delivery {
    /// Credential of a request in bulk; `None` if the only report is sent alone.
    pub(super) carrier: Option<Credential>,
    pub(super) reports: Vec<QueuedReport>,
}

/// Reports of the same group can be in one request: credential of the request, list, and whether they have failed alone.
type Group = (Credential, BulkList, bool);

impl Default for Backlog {
    fn default() -> Self {
        Self { reports: VecDeque::new(), taken: 0, accepted: 0, dropped_early: 0, shares: SHARES }
    }
}

impl Share {
    /// Returns true if reports of this number and size do not fit.
    fn is_exceeded(self, reports: usize, bytes: usize) -> bool {
        reports > self.reports || bytes > self.bytes
    }
}

impl Backlog {
    /// Adds a report, or merges it with an earlier one. Returns the number of reports that were dropped to make room.
    pub(super) fn add(&mut self, report: QueuedReport) -> usize {
        let class = report.class;
        self.accepted += report.accepted;
        if class == ReportSender::Known {
            // The upstream may have accepted the credential since its earlier reports.
            self.mark_known(|credential| *credential == report.source.credential);
        }
        // The newest one: a report that was put back is older, and its gauges are delivered first.
        if let Some(known) = self.reports.iter_mut().rfind(|known| known.has_source_of(&report)) {
            known.merge(report);
            let class = known.class;
            return self.make_room(class);
        }
        self.reports.push_back(report);
        self.make_room(class)
    }

    fn mark_known(&mut self, is_known: impl Fn(&Credential) -> bool) {
        let known = self.reports.iter_mut().filter(|report| is_known(&report.source.credential));
        known.for_each(|report| report.class = ReportSender::Known);
    }

    /// Makes all reports due, at the end of an interval. `is_accepted` tells which credentials the upstream has accepted.
    ///
    /// The presence of an instance waits for another interval if its application is being registered: Unleash writes what arrives
    /// within some seconds together, and would store a new application without its strategies, which only the registration has.
    pub(super) fn start_round(&mut self, is_accepted: impl Fn(&Credential) -> bool) {
        self.mark_known(is_accepted);
        let registrations = self.reports.iter().filter(|report| report.kind == ReportKind::Registration);
        let registering: HashSet<_> = registrations.map(|report| report.source.application.clone()).collect();
        for report in &mut self.reports {
            let waits = report.kind == ReportKind::Presence
                && !report.has_waited
                && registering.contains(&report.source.application);
            (report.is_due, report.has_waited) = (report.is_due || !waits, report.has_waited || waits);
        }
    }

    /// Returns true if the reports of accepted credentials take half of their share.
    pub(super) fn is_half_full(&self) -> bool {
        let known = self.reports.iter().filter(|report| report.class == ReportSender::Known);
        let half = Share { reports: self.shares.known.reports / 2, bytes: self.shares.known.bytes / 2 };
        half.is_exceeded(known.clone().count(), known.map(|report| report.bytes).sum())
    }

    /// Takes due reports that can be delivered at the same time: an application must be registered before its counts arrive, and the
    /// last value of a gauge counts. Accepted credentials come first. Reports that have failed alone are taken only if there are no
    /// others.
    ///
    /// The oldest reports are taken, and one of the application that reported last, so that a later report does not wait
    /// for the reports of all other applications. `carrier` returns the credential with which a report can be sent in bulk: other
    /// reports of this credential are in the same request. The reports are being delivered until [`Self::end_batch`].
    pub(super) fn take_batch(
        &mut self,
        limits: BatchLimits,
        carrier: impl Fn(&QueuedReport) -> Option<Credential>,
    ) -> Vec<Delivery> {
        let is_taken = |report: &QueuedReport| {
            report.is_due && (limits.includes_unknown || report.class == ReportSender::Known)
        };
        // The place of the last report of each application.
        let mut last = HashMap::new();
        let mut instances = HashSet::new();
        let mut next = Vec::new();
        let mut registering = HashSet::new();
        let mut groups: HashMap<Group, Vec<usize>> = HashMap::new();
        let mut group_of = HashMap::new();
        for (place, report) in self.reports.iter().enumerate().filter(|(_, report)| is_taken(report)) {
            let listed = bulk::list_of(report).filter(|_| report.class == ReportSender::Known);
            if let Some((list, carrier)) = listed.and_then(|list| Some((list, carrier(report)?))) {
                let group = (carrier, list, report.attempts > 0);
                groups.entry(group).or_default().push(place);
                group_of.insert(place, group);
            }
            if report.kind == ReportKind::Registration {
                registering.insert(report.application());
            }
            // A presence depends on no other report.
            let is_presence = report.kind == ReportKind::Presence;
            let is_first = !is_presence && last.insert(report.application(), place).is_none();
            let is_of_instance = is_presence || report.kind == ReportKind::Registration;
            let is_first_of_instance =
                instances.insert((report.application(), &report.source.instance, report.kind));
            // Registrations of different instances do not depend on each other.
            if is_first || (is_of_instance && is_first_of_instance) {
                next.push((place, report));
            }
        }
        let rank = |report: &QueuedReport| (report.attempts > 0, report.class != ReportSender::Known);
        next.sort_by_key(|(_, report)| (rank(report), report.failures));
        let best = next.first().map(|(_, report)| rank(report));
        let has_failed = best.is_some_and(|(has_failed, _)| has_failed);
        next.retain(|(_, report)| (report.attempts > 0) == has_failed);
        let of_best = next.iter().enumerate().filter(|(_, (_, report))| Some(rank(report)) == best);
        let latest = of_best.max_by_key(|(_, (_, report))| last.get(&report.application()).copied());
        if let Some(index) = latest.map(|(index, _)| index) {
            let latest = next.remove(index);
            next.insert(index.min(1), latest);
        }
        // Place of each report that is taken, with the number of its request.
        let mut requests = HashMap::new();
        let mut carriers = Vec::new();
        for (place, first) in next {
            if carriers.len() == limits.requests {
                break;
            }
            if requests.contains_key(&place) {
                continue;
            }
            requests.insert(place, carriers.len());
            let group = group_of.get(&place);
            if let Some(places) = group.and_then(|group| groups.get(group)) {
                let mut size = bulk::EMPTY_BODY + bulk::size_of(first);
                // A report that fails again and again is finally alone in its request.
                let count = (MAX_JOINED >> (2 * first.attempts).min(MAX_JOINED.ilog2())).max(1);
                let others = places.iter().filter_map(|place| Some((*place, self.reports.get(*place)?)));
                let mut joined = 1;
                for (place, other) in others {
                    let waits =
                        other.kind == ReportKind::Counts && registering.contains(&other.application());
                    if waits || requests.contains_key(&place) {
                        continue;
                    }
                    size += bulk::size_of(other);
                    joined += 1;
                    if size > bulk::MAX_BODY || joined > count {
                        break;
                    }
                    requests.insert(place, carriers.len());
                }
            }
            carriers.push(group.map(|(carrier, ..)| *carrier));
        }
        self.remove(&requests, carriers)
    }

    /// Removes reports from the queue. `requests` has the number of the request of each place, and `carriers` their credentials.
    fn remove(
        &mut self,
        requests: &HashMap<usize, usize>,
        carriers: Vec<Option<Credential>>,
    ) -> Vec<Delivery> {
        let mut batch: Vec<_> =
            carriers.into_iter().map(|carrier| Delivery { carrier, reports: Vec::new() }).collect();
        let all = std::mem::take(&mut self.reports);
        for (place, mut report) in all.into_iter().enumerate() {
            let delivery = requests.get(&place).and_then(|request| batch.get_mut(*request));
            let Some(delivery) = delivery else {
                self.reports.push_back(report);
                continue;
            };
            // A report that is too large for one request.
            while delivery.carrier.is_some()
                && bulk::EMPTY_BODY + bulk::size_of(&report) > bulk::MAX_BODY
                && let Some(rest) = report.split()
            {
                self.reports.push_back(rest);
            }
            delivery.reports.push(report);
        }
        self.taken = batch.iter().map(|delivery| delivery.reports.len()).sum();
        batch
    }

    /// Puts back a report that was not delivered, before later ones of its application. Returns the number of dropped
    /// reports.
    pub(super) fn put_back(&mut self, mut report: QueuedReport) -> usize {
        report.failures += 1;
        let class = report.class;
        if let Some(later) = self.reports.iter().position(|later| later.has_source_of(&report))
            && report.fits_bulk()
            && let Some(later) = self.reports.remove(later)
        {
            report.merge(later);
        }
        self.reports.push_front(report);
        self.make_room(class)
    }

    /// Ends the delivery of a batch, after the reports that were not delivered were put back.
    pub(super) fn end_batch(&mut self) {
        self.taken = 0;
    }

    /// Forgets earlier failures, because the upstream receives reports again.
    pub(super) fn end_outage(&mut self) {
        self.reports.iter_mut().for_each(|report| report.failures = 0);
    }

    /// Counts a dropped report or part. Returns the number of accepted reports that are counted as dropped with it: at least one, unless
    /// its report was counted before.
    pub(super) fn count_dropped(&mut self, accepted: usize) -> usize {
        if accepted == 0 && self.accepted > 0 {
            self.accepted -= 1;
            self.dropped_early += 1;
            return 1;
        }
        self.count_delivered(accepted)
    }

    /// Counts delivered reports. Returns the number of accepted reports that are counted with them: those of which no part was dropped.
    pub(super) fn count_delivered(&mut self, accepted: usize) -> usize {
        let early = accepted.min(self.dropped_early);
        self.dropped_early -= early;
        self.accepted = self.accepted.saturating_sub(accepted - early);
        accepted - early
    }

    /// Returns the number of accepted reports that wait: registrations, and others.
    pub(super) fn count_waiting(&self) -> (usize, usize) {
        let (registrations, others): (Vec<_>, Vec<_>) =
            self.reports.iter().partition(|report| report.kind == ReportKind::Registration);
        let sum = |reports: Vec<&QueuedReport>| reports.iter().map(|report| report.accepted).sum();
        (sum(registrations), sum(others))
    }

    /// Returns the number of reports that wait.
    pub(super) fn len(&self) -> usize {
        self.reports.len()
    }

    /// Returns true if no report waits or is being delivered.
    pub(super) fn is_idle(&self) -> bool {
        self.reports.is_empty() && self.taken == 0
    }

    /// Keeps the share of a class: merges the counts of an hour, or else drops the oldest reports. Returns the number of
    /// dropped ones.
    fn make_room(&mut self, class: ReportSender) -> usize {
        match class {
            ReportSender::Known => self.reduce_to(self.shares.known, |other| other == ReportSender::Known),
            ReportSender::Unknown(_) => {
                self.reduce_to(self.shares.unknown_of_network, |other| other == class)
                    + self.reduce_to(self.shares.unknown, |other| other != ReportSender::Known)
            }
        }
    }

    fn reduce_to(&mut self, share: Share, is_concerned: impl Fn(ReportSender) -> bool) -> usize {
        let mut dropped = 0;
        loop {
            let concerned = self.reports.iter().enumerate().filter(|(_, report)| is_concerned(report.class));
            let bytes = concerned.clone().map(|(_, report)| report.bytes).sum();
            if !share.is_exceeded(concerned.clone().count(), bytes) {
                return dropped;
            }
            let oldest = concerned.clone().next().map(|(place, _)| place);
            let mut hours = HashMap::new();
            let mut same_hour =
                concerned.filter_map(|(place, report)| Some((hours.insert(report.hour(), place)?, place)));
            if let Some((earlier, later)) = same_hour.next() {
                let later = self.reports.remove(later);
                if let (Some(earlier), Some(later)) = (self.reports.get_mut(earlier), later) {
                    earlier.merge(later);
                }
            } else {
                let oldest = oldest.and_then(|place| self.reports.remove(place));
                dropped += oldest.map_or(0, |oldest| self.count_dropped(oldest.accepted));
            }
        }
    }
}
