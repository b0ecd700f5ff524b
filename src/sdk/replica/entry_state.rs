//! State of a cache entry: when it asks the upstream, and what clients get. Pure; all times are milliseconds.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use super::copy::{Reply, ToggleCopy};
use crate::config;
use crate::hold::{Source, SourceNumber};
use crate::negotiation::CopyAge;
use crate::number::to_millis;

/// Time for which a refusal is cached. It protects the upstream from clients with a wrong token.
pub(super) const REFUSAL: u64 = 30_000;
/// Time for which requests wait for the upstream if there is a copy that has not been confirmed recently: after a
/// restart, or after a pause without requests.
const CONFIRMATION_WAIT: u64 = 1_000;
/// Time without requests after which a copy is not refreshed any more.
const IDLE: u64 = 300_000;

/// The intervals of the replica.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) refresh: u64,
    pub(super) max_stale: u64,
    pub(super) idle: u64,
}

/// The last response of the upstream for a key.
#[derive(Debug, Clone, Default)]
pub(super) enum Content {
    /// Nothing yet, or no response.
    #[default]
    Empty,
    /// Toggles.
    Copy(Arc<ToggleCopy>),
    /// A refusal of the credential, or another error without toggles.
    Reply(Arc<Reply>),
}

/// State of an entry. An active entry has a task that asks the upstream in each interval.
#[derive(Debug, Clone, Default)]
pub(super) struct EntryState {
    content: Content,
    /// Time of the request with which the upstream has last confirmed the copy.
    confirmed_at: u64,
    /// Number of copies so far.
    number: SourceNumber,
    /// Earliest time of the next request to the upstream.
    next_attempt: u64,
    /// Time of the first failure since the last response.
    failing_since: Option<u64>,
    /// Reason of the last failure.
    fault: Fault,
    is_active: bool,
    /// Time until which requests wait for the result of the task's first request.
    wait_until: u64,
}

/// Reason why a request to the upstream has provided no toggles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Fault {
    /// No response, or one that says that the upstream does not work.
    #[default]
    Silent,
    /// A response that is no list of toggles.
    Unusable,
    /// The memory for copies is full.
    FullCache,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Silent => "the upstream does not respond",
            Self::Unusable => "the response of the upstream cannot be used",
            Self::FullCache => "the memory for copies is full",
        })
    }
}

/// Result of a request to the upstream.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// 200 with toggles.
    Changed(Arc<ToggleCopy>),
    /// 304, or the same toggles again.
    Unchanged,
    /// A response without toggles.
    Reply(Arc<Reply>),
    /// No toggles.
    Failed(Fault),
}

/// The next step for a request of a client.
#[derive(Debug)]
pub(super) enum Step {
    /// Start a task, then wait.
    Start,
    /// Wait for a change of the state until this time, then respond.
    Wait(u64),
    /// Respond now.
    Respond(Answer),
}

/// The response to a request of a client.
#[derive(Debug)]
pub(super) enum Answer {
    /// Toggles.
    Copy(Source<Arc<ToggleCopy>>, CopyAge),
    /// The response of the upstream that contains no toggles.
    Reply(Arc<Reply>),
    /// There are no toggles, or they are too old.
    Unavailable(Fault),
}

impl Outcome {
    /// Returns the label of the metrics.
    pub(super) fn result(&self) -> &'static str {
        match self {
            Self::Changed(_) => "changed",
            Self::Unchanged => "unchanged",
            Self::Reply(reply) if reply.is_refusal() => "refused",
            Self::Reply(_) | Self::Failed(_) => "failed",
        }
    }
}

impl From<&config::Replica> for Timing {
    fn from(settings: &config::Replica) -> Self {
        Self { refresh: to_millis(settings.refresh), max_stale: to_millis(settings.max_stale), idle: IDLE }
    }
}

impl EntryState {
    /// Sets a copy from the database, which the upstream has not confirmed in this process. Requests that wait for the upstream
    /// then do so only for a moment.
    pub(super) fn restore(&mut self, copy: Arc<ToggleCopy>, confirmed_at: u64, now: u64) {
        (self.content, self.confirmed_at) = (Content::Copy(copy), confirmed_at);
        if self.awaits_result() {
            self.wait_until = now.saturating_add(CONFIRMATION_WAIT);
        }
    }

    /// Returns the time until which requests wait; 0 if they do not.
    pub(super) fn wait_until(&self) -> u64 {
        self.wait_until
    }

    pub(super) fn copy(&self) -> Option<&Arc<ToggleCopy>> {
        if let Content::Copy(copy) = &self.content { Some(copy) } else { None }
    }

    /// Returns the copy with its number.
    pub(super) fn source(&self) -> Option<Source<Arc<ToggleCopy>>> {
        Some(Source { list: Arc::clone(self.copy()?), number: self.number })
    }

    pub(super) fn confirmed_at(&self) -> u64 {
        self.confirmed_at
    }

    pub(super) fn failing_since(&self) -> Option<u64> {
        self.failing_since
    }

    /// Returns the reason of the last failure.
    pub(super) fn fault(&self) -> Fault {
        self.fault
    }

    pub(super) fn next_attempt(&self) -> u64 {
        self.next_attempt
    }

    /// Returns true until the first request of the task has a result.
    pub(super) fn awaits_result(&self) -> bool {
        self.wait_until != 0
    }

    pub(super) fn is_active(&self) -> bool {
        self.is_active
    }

    /// Returns true if the upstream has not been asked yet.
    pub(super) fn is_new(&self) -> bool {
        self.next_attempt == 0 && self.confirmed_at == 0
    }

    /// Returns true if the upstream has sent a response of any kind.
    pub(super) fn has_response(&self) -> bool {
        !matches!(self.content, Content::Empty)
    }

    /// Returns the next step for a request.
    pub(super) fn step(&self, now: u64, timing: Timing) -> Step {
        if self.is_active && now < self.wait_until {
            Step::Wait(self.wait_until)
        } else if !self.is_active && now >= self.next_attempt {
            Step::Start
        } else {
            Step::Respond(self.answer(now, timing))
        }
    }

    /// Returns the response to a request that has waited.
    pub(super) fn answer(&self, now: u64, timing: Timing) -> Answer {
        match &self.content {
            Content::Copy(copy) => {
                let millis = now.saturating_sub(self.confirmed_at);
                if millis > timing.max_stale {
                    return Answer::Unavailable(self.fault);
                }
                let is_stale = self.failing_since.is_some() || millis >= timing.refresh.saturating_mul(2);
                let source = Source { list: Arc::clone(copy), number: self.number };
                Answer::Copy(source, CopyAge { millis, is_stale })
            }
            Content::Reply(reply) => Answer::Reply(Arc::clone(reply)),
            Content::Empty => Answer::Unavailable(self.fault),
        }
    }

    /// Makes the entry active. Returns false if it is active already, so that each entry has one task.
    pub(super) fn activate(&mut self, now: u64) -> bool {
        if self.is_active || now < self.next_attempt {
            return false;
        }
        self.is_active = true;
        self.wait_until = match self.content {
            Content::Copy(_) => now.saturating_add(CONFIRMATION_WAIT),
            Content::Empty | Content::Reply(_) => u64::MAX,
        };
        true
    }

    /// Lets all requests wait until the result of the task is applied.
    pub(super) fn hold(&mut self) {
        self.wait_until = u64::MAX;
    }

    /// Ends the task of an entry that is not used any more.
    pub(super) fn deactivate(&mut self) {
        self.is_active = false;
        // A purge may have let requests wait for this task.
        self.wait_until = 0;
    }

    /// Removes the copy, if there is one. The next request reads a new one.
    pub(super) fn purge(&mut self) {
        if self.copy().is_some() {
            self.content = Content::Empty;
            self.next_attempt = 0;
            self.wait_until = if self.is_active { u64::MAX } else { 0 };
        }
    }

    /// Applies the result of a request that was sent at `sent` and has ended `now`.
    pub(super) fn apply(&mut self, outcome: Outcome, sent: u64, now: u64, timing: Timing) {
        self.wait_until = 0;
        self.next_attempt = sent.saturating_add(timing.refresh);
        match (outcome, self.copy().is_some()) {
            (Outcome::Changed(copy), _) => {
                self.content = Content::Copy(copy);
                self.number.0 += 1;
                (self.confirmed_at, self.failing_since) = (sent, None);
            }
            (Outcome::Unchanged, true) => (self.confirmed_at, self.failing_since) = (sent, None),
            (Outcome::Reply(reply), _) if reply.is_refusal() => {
                self.content = Content::Reply(reply);
                self.failing_since = None;
                self.next_attempt = now.saturating_add(REFUSAL.max(timing.refresh));
            }
            (Outcome::Reply(reply), false) => self.content = Content::Reply(reply),
            (outcome @ (Outcome::Failed(_) | Outcome::Unchanged | Outcome::Reply(_)), _) => {
                self.fault = if let Outcome::Failed(fault) = outcome { fault } else { Fault::Unusable };
                self.failing_since.get_or_insert(now);
                self.next_attempt = now.saturating_add(timing.refresh);
            }
        }
        // Without a copy, the next request of a client asks again.
        self.is_active &= self.copy().is_some();
    }
}
