//! The outcome of a condition: it holds, it does not hold, the application decides, or it holds with a probability. The cause of a
//! result.

/// Outcome of a strategy, of a condition on a parent toggle, or of a toggle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Off, for certain.
    Off,
    /// On, for certain.
    On,
    /// Decided by the application, which alone knows its host name and its custom strategies.
    Application,
    /// On with this probability, between 0 and 1.
    Random(f64),
}

/// Cause of a result. The last of several causes counts, in the order of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The toggle or all of its strategies are disabled.
    Disabled,
    /// Nothing: the result is the same for all contexts.
    Static,
    /// The context: a constraint, a list of users or networks, an override, or a parent toggle.
    Targeting,
    /// A share of all contexts, which a hash of an id or chance selects.
    Split,
    /// A strategy that only an application can evaluate. It counts as off.
    Application,
}

impl Outcome {
    /// Creates an outcome from a probability. 0 is off and 1 is on.
    pub(super) fn from_probability(probability: f64) -> Self {
        if probability >= 1.0 {
            Self::On
        } else if probability > 0.0 {
            Self::Random(probability)
        } else {
            Self::Off
        }
    }

    /// Returns true if the outcome is on, for certain.
    #[must_use]
    pub fn is_on(self) -> bool {
        self == Self::On
    }

    /// Outcome of two independent conditions that must both hold.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Off, _) | (_, Self::Off) => Self::Off,
            (Self::On, outcome) | (outcome, Self::On) => outcome,
            (Self::Application, _) | (_, Self::Application) => Self::Application,
            (Self::Random(one), Self::Random(two)) => Self::from_probability(one * two),
        }
    }

    /// Outcome of two independent conditions of which one must hold.
    pub(super) fn or(self, other: Self) -> Self {
        self.negate().and(other.negate()).negate()
    }

    /// Outcome of the opposite condition.
    pub(super) fn negate(self) -> Self {
        match self {
            Self::Off => Self::On,
            Self::On => Self::Off,
            Self::Application => Self::Application,
            Self::Random(probability) => Self::from_probability(1.0 - probability),
        }
    }
}

impl From<bool> for Outcome {
    fn from(holds: bool) -> Self {
        if holds { Self::On } else { Self::Off }
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Application, Off, On, Random};

    #[test]
    fn certain_outcomes_decide_before_the_application_and_chance() {
        assert_eq!(Application.or(On), On);
        assert_eq!(Application.or(Off), Application);
        assert_eq!(Application.and(Off), Off);
        assert_eq!(Application.and(On), Application);
        assert_eq!(Random(0.5).and(Random(0.5)), Random(0.25));
        assert_eq!(Random(0.5).or(Random(0.5)), Random(0.75));
        assert_eq!(Random(0.5).or(Application), Application);
        assert_eq!(Random(0.25).negate(), Random(0.75));
        assert_eq!(Random(0.5).or(On), On);
    }
}
