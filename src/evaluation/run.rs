//! The evaluation of toggles for one context: its work is bounded, and each segment is evaluated once.

use std::fmt;

use super::Context;
use super::constraint::Constraint;
use super::library::{Library, Match};
use super::strategy::Segment;

/// Number of comparisons after which [`Work::until`] calls its function: a fraction of a millisecond.
const CHECK_INTERVAL: usize = 10_000;
/// Number of bytes of memory that are filled in the time of a comparison.
const FILL_SPEED: usize = 64;

/// Counts the comparisons of evaluations, and stops the evaluations at a bound.
pub struct Work {
    /// Number of comparisons until the next call of `is_over`.
    left: usize,
    is_over: Box<dyn FnMut() -> bool>,
    is_stopped: bool,
}

/// The error of an evaluation that was stopped by its [`Work`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the evaluation was stopped")]
pub struct Stopped;

/// An evaluation of toggles for one context. All toggles must be of the same [`super::Toggles`].
#[derive(Debug)]
pub struct Run<'r> {
    pub(super) context: &'r Context,
    /// Results of segments, as far as they are known.
    segments: Vec<Option<Match>>,
    /// The library whose rules apply; `None` for those of this program.
    pub(super) library: Option<Library>,
    work: &'r mut Work,
}

impl Work {
    /// Creates work without a bound.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { left: usize::MAX, is_over: Box::new(|| false), is_stopped: false }
    }

    /// Creates work that stops after this number of comparisons.
    #[must_use]
    pub fn limited(comparisons: usize) -> Self {
        Self { left: comparisons, is_over: Box::new(|| true), is_stopped: false }
    }

    /// Creates work that stops soon after `is_over` returns true, which is called regularly. It compares the clock, for
    /// example.
    #[must_use]
    pub fn until(is_over: impl FnMut() -> bool + 'static) -> Self {
        Self { left: 0, is_over: Box::new(is_over), is_stopped: false }
    }

    /// Counts comparisons before they happen. Returns false if they must not happen.
    pub(super) fn add(&mut self, comparisons: usize) -> bool {
        if let Some(left) = self.left.checked_sub(comparisons) {
            self.left = left;
            return true;
        }
        self.check().is_ok()
    }

    /// Checks the bound.
    pub(crate) fn check(&mut self) -> Result<(), Stopped> {
        self.is_stopped = self.is_stopped || (self.is_over)();
        self.left = if self.is_stopped { 0 } else { CHECK_INTERVAL };
        self.result()
    }

    fn result(&self) -> Result<(), Stopped> {
        if self.is_stopped { Err(Stopped) } else { Ok(()) }
    }
}

impl<'r> Run<'r> {
    /// Starts an evaluation for a context.
    pub fn new(context: &'r Context, work: &'r mut Work) -> Self {
        Self { context, segments: Vec::new(), library: None, work }
    }

    /// Starts an evaluation for the same context with the rules of a library.
    pub(super) fn with_library(&mut self, library: Library) -> Run<'_> {
        Run { context: self.context, segments: Vec::new(), library: Some(library), work: &mut *self.work }
    }

    /// Returns the context.
    #[must_use]
    pub fn context(&self) -> &'r Context {
        self.context
    }

    /// Returns the result of an evaluation. After a stop, constraints do not match, so that it is worthless.
    pub(super) fn finish<T>(&self, result: T) -> Result<T, Stopped> {
        self.work.result().map(|()| result)
    }

    /// Counts comparisons before they happen. Returns false if they must not happen.
    pub(super) fn add(&mut self, comparisons: usize) -> bool {
        self.work.add(comparisons)
    }

    /// Returns whether all constraints match.
    pub(super) fn match_all(&mut self, constraints: &[Constraint]) -> Match {
        let mut all = Match::Yes;
        for constraint in constraints {
            if all == Match::No || !self.add(constraint.cost(self.context)) {
                return Match::No;
            }
            all = all.min(constraint.decide(self.context, self.library));
        }
        all
    }

    /// Returns whether the segment with this index matches. It is evaluated once.
    pub(super) fn match_segment(&mut self, segments: &[Segment], index: Option<usize>) -> Match {
        let Some((index, segment)) = index.and_then(|index| Some((index, segments.get(index)?))) else {
            return Match::No;
        };
        if let Some(known) = self.segments.get(index).copied().flatten() {
            return if self.add(1) { known } else { Match::No };
        }
        let matches = self.match_all(&segment.constraints);
        if self.segments.is_empty() && self.add(segments.len() / FILL_SPEED) {
            self.segments.resize(segments.len(), None);
        }
        if let Some(known) = self.segments.get_mut(index) {
            *known = Some(matches);
        }
        matches
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, is_stopped, .. } = self;
        formatter
            .debug_struct("Work")
            .field("left", left)
            .field("is_stopped", is_stopped)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use serde_json::json;

    use super::{CHECK_INTERVAL, Run, Stopped, Work};
    use crate::evaluation::{Context, Toggles, VARIANT_SEED};

    /// A toggle with this number of strategies, none of which matches, and a segment of constraints that match.
    fn toggles(strategies: usize, constraints: usize) -> Toggles {
        let constraint = json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] });
        let other = json!({ "contextName": "plan", "operator": "IN", "values": ["free"] });
        let segments = json!([
            { "id": 1, "constraints": vec![constraint; constraints] }, { "id": 2, "constraints": [other] },
        ]);
        let strategy = json!({ "name": "default", "segments": [1, 2] });
        let toggle = json!({ "name": "a", "enabled": true, "strategies": vec![strategy; strategies] });
        let definitions = json!({ "features": [toggle], "segments": segments });
        Toggles::compile(&serde_json::from_value(definitions).unwrap(), VARIANT_SEED)
    }

    #[test]
    fn segments_are_evaluated_once_for_each_context() {
        let (toggles, context) = (toggles(1_000, 1_000), Context::from_pairs([("plan", "gold")]));
        let toggle = toggles.find("a").unwrap();
        let mut work = Work::limited(20_000);
        let mut run = Run::new(&context, &mut work);
        assert!(!toggles.evaluate_in(toggle, &mut run).unwrap().outcome.is_on());
        // Once for each library.
        let mut work = Work::limited(60_000);
        let explanation = toggles.explain_in(toggle, &mut Run::new(&context, &mut work)).unwrap();
        assert_eq!(explanation.strategies[999], explanation.strategies[0]);
        assert_eq!(explanation.strategies[0].segments[0].constraints.len(), 1_000);
    }

    #[test]
    fn evaluation_stops_inside_a_toggle() {
        let (toggles, context) = (toggles(1, 1_000_000), Context::from_pairs([("plan", "gold")]));
        let toggle = toggles.find("a").unwrap();
        let checks = Rc::new(Cell::new(0));
        let count = Rc::clone(&checks);
        let mut work = Work::until(move || {
            count.set(count.get() + 1);
            count.get() == 3
        });
        let mut run = Run::new(&context, &mut work);
        assert_eq!(toggles.evaluate_in(toggle, &mut run).unwrap_err(), Stopped);
        assert_eq!(toggles.explain_in(toggle, &mut run).unwrap_err(), Stopped);
        assert_eq!(toggles.resolve(toggle, &mut run, || 0.0).unwrap_err(), Stopped);
        assert_eq!(checks.get(), 3, "a check after each {CHECK_INTERVAL} comparisons");
    }
}
