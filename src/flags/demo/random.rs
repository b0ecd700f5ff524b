//! Deterministic pseudo-random numbers, the same at each start.

use fastrand::Rng;

/// A generator with a seed.
#[derive(Debug)]
pub(super) struct Random(Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Returns a number from 0 to `bound`, exclusive; 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound.max(1))
    }

    /// Returns `amount / unit`, rounded up with the probability of the fraction, so that the average is exact.
    pub(super) fn divide(&mut self, amount: u64, unit: u64) -> u64 {
        (amount + self.below(unit)).checked_div(unit).unwrap_or(0)
    }
}

/// Returns a triangle wave from 0 to `height` with a period in seconds.
pub(super) fn triangle_wave(second: u64, period: u64, height: u64) -> u64 {
    let half = period / 2;
    let phase = second.checked_rem(period).unwrap_or(0);
    let distance = if phase < half { phase } else { period - phase };
    (distance * height).checked_div(half).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Random, triangle_wave};

    #[test]
    fn rounds_randomly_with_an_exact_average() {
        let mut random = Random::new(1);
        let sum: u64 = (0..10_000).map(|_| random.divide(5, 12)).sum();
        assert!((4_000..4_340).contains(&sum), "{sum}");
        assert!((0..1_000).all(|_| random.divide(24, 12) == 2 && random.divide(0, 12) == 0));
        assert_eq!((random.below(0), random.divide(1, 0)), (0, 0));
    }

    #[test]
    fn triangle_wave_rises_and_falls() {
        let heights: Vec<_> = [0, 30, 60, 90, 119, 120].map(|second| triangle_wave(second, 120, 40)).into();
        assert_eq!(heights, [0, 20, 40, 20, 0, 0]);
        assert_eq!((triangle_wave(5, 0, 40), triangle_wave(5, 1, 40)), (0, 0));
    }
}
