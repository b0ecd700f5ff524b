//! Numbers that look like chance and are the same at each start.

/// The generator known as splitmix64: one addition and a few shifts a number, which is all that a demo needs.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to `bound`, without it; 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)).checked_rem(bound).unwrap_or(0)
    }

    /// `amount / unit` in whole numbers, right on average: the rest is a chance to get one more.
    pub(super) fn share(&mut self, amount: u64, unit: u64) -> u64 {
        (amount + self.below(unit)).checked_div(unit).unwrap_or(0)
    }
}

/// Goes from 0 up to `height` and back again, once in every `period` seconds.
pub(super) fn wave(second: u64, period: u64, height: u64) -> u64 {
    let half = period / 2;
    let place = second.checked_rem(period).unwrap_or(0);
    let distance = if place < half { place } else { period - place };
    (distance * height).checked_div(half).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Dice, wave};

    #[test]
    fn shares_are_right_on_average_and_whole_ones_always() {
        let mut dice = Dice::new(1);
        let sum: u64 = (0..10_000).map(|_| dice.share(5, 12)).sum();
        assert!((4_000..4_340).contains(&sum), "{sum}");
        assert!((0..1_000).all(|_| dice.share(24, 12) == 2 && dice.share(0, 12) == 0));
        assert_eq!((dice.below(0), dice.share(1, 0)), (0, 0));
    }

    #[test]
    fn waves_rise_and_fall() {
        let heights: Vec<_> = [0, 30, 60, 90, 119, 120].map(|second| wave(second, 120, 40)).into();
        assert_eq!(heights, [0, 20, 40, 20, 0, 0]);
        assert_eq!((wave(5, 0, 40), wave(5, 1, 40)), (0, 0));
    }
}
