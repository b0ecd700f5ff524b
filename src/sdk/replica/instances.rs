//! Counts the different instances of applications that use a cache entry, by linear counting. Pure.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of words of 64 bits. The count is exact to about one percent for up to 20,000 instances.
const WORDS: usize = 256;
/// Period of a bitmap in milliseconds. An instance counts for one to two periods after its last request.
const PERIOD: u64 = 120_000;

/// Two bitmaps: that of the current period, and that of the previous one.
#[derive(Debug)]
pub(super) struct Instances {
    hash: RandomState,
    maps: [Box<[AtomicU64]>; 2],
    /// Number of the current period.
    period: AtomicU64,
}

impl Default for Instances {
    fn default() -> Self {
        let map = || (0..WORDS).map(|_| AtomicU64::new(0)).collect();
        Self { hash: RandomState::new(), maps: [map(), map()], period: AtomicU64::new(0) }
    }
}

impl Instances {
    /// Records a request of an instance.
    pub(super) fn record(&self, instance: &[u8], now: u64) {
        self.advance(now);
        let hash = self.hash.hash_one(instance);
        let [even, odd] = &self.maps;
        let map = if (now / PERIOD).is_multiple_of(2) { even } else { odd };
        let word = usize::try_from(hash >> 32).unwrap_or_default() % WORDS;
        let bit = 1 << (hash % 64);
        // Most bits are set already, and reading does not slow down other workers.
        if let Some(word) = map.get(word)
            && word.load(Ordering::Relaxed) & bit == 0
        {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Returns the approximate number of instances.
    pub(super) fn count(&self, now: u64) -> u64 {
        self.advance(now);
        let [even, odd] = &self.maps;
        let pairs = even.iter().zip(odd.iter());
        let zeros = |(one, other): (&AtomicU64, &AtomicU64)| {
            (one.load(Ordering::Relaxed) | other.load(Ordering::Relaxed)).count_zeros()
        };
        let zeros: u32 = pairs.map(zeros).sum();
        let bits = f64::from(u32::try_from(WORDS * 64).unwrap_or(u32::MAX));
        let estimate = bits * (bits / f64::from(zeros.max(1))).ln();
        // A positive number of five digits.
        format!("{estimate:.0}").parse().unwrap_or_default()
    }

    /// Clears the bitmaps whose period has ended.
    fn advance(&self, now: u64) {
        let current = now / PERIOD;
        let known = self.period.load(Ordering::Relaxed);
        if current <= known || self.period.swap(current, Ordering::Relaxed) == current {
            return;
        }
        for (index, map) in (0..).zip(&self.maps) {
            let is_current = current % 2 == index;
            if is_current || current > known + 1 {
                map.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Instances, PERIOD};

    #[test]
    fn counts_different_instances_of_the_last_periods() {
        let instances = Instances::default();
        assert_eq!(instances.count(0), 0);
        let record = |range: std::ops::Range<u32>, now: u64| {
            range.for_each(|instance| instances.record(&instance.to_le_bytes(), now));
        };
        record(0..1, 10 * PERIOD);
        record(0..1, 10 * PERIOD + 1);
        assert_eq!(instances.count(10 * PERIOD + 1), 1);
        record(0..400, 10 * PERIOD + 2);
        let count = instances.count(10 * PERIOD + 3);
        assert!((390..=410).contains(&count), "{count}");
        record(0..10_000, 11 * PERIOD);
        let count = instances.count(11 * PERIOD);
        assert!((9_700..=10_300).contains(&count), "{count}");
        assert_eq!(instances.count(12 * PERIOD), count, "the previous period counts");
        assert_eq!(instances.count(13 * PERIOD), 0);
    }
}
