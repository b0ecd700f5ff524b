//! Random numbers for results that depend on chance. They protect nothing: speed counts, because a request can need one for
//! each toggle.

use std::hash::{BuildHasher as _, RandomState};

/// Returns a random number. Each [`RandomState`] has other keys, which a thread derives from random bytes of the system.
pub(super) fn number() -> u64 {
    RandomState::new().hash_one(())
}

/// Returns a random number from 0 (included) to 1 (excluded).
pub(super) fn fraction() -> f64 {
    f64::from(u32::try_from(number() >> 32).unwrap_or_default()) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn fractions_are_spread_evenly() {
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            let drawn = fraction();
            let tenth = (0..10).rev().find(|tenth| drawn >= f64::from(*tenth) / 10.0).unwrap();
            counts[usize::try_from(tenth).unwrap()] += 1;
        }
        // The standard deviation of each count is 30.
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }
}
