//! Rate limiting of sign-in attempts. Pure: the caller passes the time.
//!
//! Three limits apply to each attempt. Each allows a burst and then one attempt per interval:
//!
//! - **per address**, for all accounts: limits guessing one password for many accounts.
//! - **per account and address**: the limit that affects a user who forgot the password.
//! - **per account**, for all addresses: limits guessing from many addresses.
//!
//! The limit per account is much wider than the limit per account and address, so that an attacker with one address
//! cannot lock out the owner. An attacker with many addresses can delay the owner for seconds.
//!
//! An attempt is counted before its password is verified, so that parallel attempts do not bypass the limit. A
//! successful attempt is not counted, and neither is a rejected one.
//!
//! The counters are in memory, or in a database that several processes share: `sign_in_attempts` then loads the three of
//! an attempt.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use jiff::Timestamp;

use crate::middleware::client::network_of;
use crate::rate::Rate;

/// Maximum number of counters in memory, about 2 MB. Beyond that, the counters closest to expiry are evicted.
pub const MAX_KEYS: usize = 10_000;

/// The account of attempts whose account is not known: only their address is limited. Sign-ins at an identity provider are
/// counted so, because others could otherwise lock out all its users.
pub(super) const UNKNOWN_ACCOUNT: &str = "";

const PER_ADDRESS: Rate = Rate { burst: 30, interval: Duration::from_secs(10) };
const PER_ACCOUNT_AND_ADDRESS: Rate = Rate { burst: 5, interval: Duration::from_secs(30) };
const PER_ACCOUNT: Rate = Rate { burst: 50, interval: Duration::from_secs(3) };

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Address(IpAddr),
    AccountAndAddress(String, IpAddr),
    Account(String),
}

impl Key {
    /// Returns a text that identifies the key.
    fn text(&self) -> String {
        match self {
            Self::Address(address) => format!("address {address}"),
            Self::AccountAndAddress(account, address) => format!("both {address} {account}"),
            Self::Account(account) => format!("account {account}"),
        }
    }
}

/// Counters of sign-in attempts.
#[derive(Debug, Default)]
pub struct SignInLimiter {
    /// Theoretical arrival time of GCRA: the time when the burst of a key is available in full again.
    arrivals: HashMap<Key, Timestamp>,
}

impl SignInLimiter {
    /// Counts an attempt to sign in to `account` from `address`.
    ///
    /// # Errors
    /// The time to wait if a limit is exceeded.
    pub(crate) fn try_acquire(
        &mut self,
        account: &str,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<(), Duration> {
        let (mut arrivals, mut longest_wait) = (Vec::new(), None);
        for (key, rate) in keys(account, address) {
            let recovery = self.arrivals.get(&key).map(|arrival| arrival.duration_since(now));
            // A negative time is over.
            let recovery = recovery.and_then(|recovery| Duration::try_from(recovery).ok());
            // A later arrival was counted before the clock was set back, and would refuse attempts until then.
            let recovery = recovery.filter(|recovery| *recovery <= rate.longest_recovery());
            match rate.count(recovery.unwrap_or_default()) {
                Ok(recovery) => arrivals.push((key, now + recovery)),
                Err(wait) => longest_wait = longest_wait.max(Some(wait)),
            }
        }
        if let Some(wait) = longest_wait {
            return Err(wait);
        }
        if self.arrivals.len() >= MAX_KEYS {
            self.evict(now);
        }
        self.arrivals.extend(arrivals);
        Ok(())
    }

    /// Removes a successful attempt from the counters, and the earlier failures of the same account and address.
    pub fn record_success(&mut self, account: &str, address: IpAddr) {
        for (key, rate) in keys(account, address) {
            if matches!(key, Key::AccountAndAddress(..)) {
                self.arrivals.remove(&key);
            } else if let Some(arrival) = self.arrivals.get_mut(&key) {
                *arrival -= rate.interval;
            }
        }
    }

    /// Loads the counters of an attempt. `find` returns the value that [`Self::save`] stored for a key.
    pub(crate) fn load<E>(
        account: &str,
        address: IpAddr,
        mut find: impl FnMut(&str) -> Result<Option<Timestamp>, E>,
    ) -> Result<Self, E> {
        let mut limiter = Self::default();
        for (key, _) in keys(account, address) {
            if let Some(arrival) = find(&key.text())? {
                limiter.arrivals.insert(key, arrival);
            }
        }
        Ok(limiter)
    }

    /// Stores the counters of an attempt. `store` receives each key with its value; `None` if the counter was removed.
    pub(crate) fn save<E>(
        &self,
        account: &str,
        address: IpAddr,
        mut store: impl FnMut(&str, Option<Timestamp>) -> Result<(), E>,
    ) -> Result<(), E> {
        keys(account, address)
            .iter()
            .try_for_each(|(key, _)| store(&key.text(), self.arrivals.get(key).copied()))
    }

    /// Removes expired counters. If that is not enough, removes the half that expires first, so that this does not
    /// happen with each attempt.
    fn evict(&mut self, now: Timestamp) {
        self.arrivals.retain(|_, arrival| *arrival > now);
        if self.arrivals.len() < MAX_KEYS {
            return;
        }
        let mut arrivals: Vec<Timestamp> = self.arrivals.values().copied().collect();
        let (_, middle, _) = arrivals.select_nth_unstable(MAX_KEYS / 2);
        self.arrivals.retain(|_, arrival| *arrival > *middle);
    }
}

/// Returns the counters of an attempt. Ignores the case of account names and the host part of IPv6 addresses.
fn keys(account: &str, address: IpAddr) -> Vec<(Key, Rate)> {
    let address = network_of(address);
    let mut keys = vec![(Key::Address(address), PER_ADDRESS)];
    if account != UNKNOWN_ACCOUNT {
        let account = account.to_lowercase();
        keys.push((Key::AccountAndAddress(account.clone(), address), PER_ACCOUNT_AND_ADDRESS));
        keys.push((Key::Account(account), PER_ACCOUNT));
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use jiff::Timestamp;

    use super::{MAX_KEYS, SignInLimiter};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn address(number: u32) -> IpAddr {
        std::net::Ipv4Addr::from_bits(0x0a00_0000 + number).into()
    }

    /// Returns how many of `tries` attempts at the same time are allowed.
    fn count_allowed(limiter: &mut SignInLimiter, tries: u32, of: impl Fn(u32) -> (String, IpAddr)) -> usize {
        (0..tries).map(&of).filter(|(account, from)| limiter.try_acquire(account, *from, NOW).is_ok()).count()
    }

    #[test]
    fn each_limit_allows_a_burst() {
        let anna = |_: u32| ("anna".to_owned(), address(1));
        assert_eq!(
            count_allowed(&mut SignInLimiter::default(), 100, anna),
            5,
            "one account from one address"
        );
        let many = |n: u32| (format!("user{n}"), address(1));
        assert_eq!(count_allowed(&mut SignInLimiter::default(), 100, many), 30, "one address");
        let spread = |n: u32| ("anna".to_owned(), address(n));
        assert_eq!(count_allowed(&mut SignInLimiter::default(), 100, spread), 50, "one account");
        let apart = |n: u32| (format!("user{n}"), address(n));
        assert_eq!(count_allowed(&mut SignInLimiter::default(), 100, apart), 100, "nothing in common");
    }

    #[test]
    fn one_attempt_is_allowed_after_the_wait() {
        let mut limiter = SignInLimiter::default();
        while limiter.try_acquire("anna", address(1), NOW).is_ok() {}
        let wait = limiter.try_acquire("anna", address(1), NOW).unwrap_err();
        assert_eq!(wait, Duration::from_secs(30));
        let almost = NOW + wait - Duration::from_secs(1);
        assert_eq!(limiter.try_acquire("anna", address(1), almost), Err(Duration::from_secs(1)));
        assert_eq!(limiter.try_acquire("anna", address(1), NOW + wait), Ok(()));
        assert_eq!(limiter.try_acquire("anna", address(1), NOW + wait), Err(wait));
    }

    #[test]
    fn attempts_before_the_clock_was_set_back_lock_out_nobody() {
        let (mut limiter, later) = (SignInLimiter::default(), NOW + Duration::from_hours(8_760));
        while limiter.try_acquire("anna", address(1), later).is_ok() {}
        assert_eq!(count_allowed(&mut limiter, 10, |_| ("anna".to_owned(), address(1))), 5);
    }

    #[test]
    fn one_address_cannot_lock_out_others() {
        let mut limiter = SignInLimiter::default();
        let mut owner_refused = 0;
        for second in 0..3600 {
            let now = NOW + Duration::from_secs(second);
            while limiter.try_acquire("anna", address(1), now).is_ok() {}
            if second % 600 == 0 {
                owner_refused += usize::from(limiter.try_acquire("anna", address(2), now).is_err());
            }
        }
        assert_eq!(owner_refused, 0);
    }

    #[test]
    fn successful_attempts_are_not_counted() {
        let mut limiter = SignInLimiter::default();
        for _ in 0..100 {
            assert_eq!(limiter.try_acquire("anna", address(1), NOW), Ok(()));
            limiter.record_success("anna", address(1));
        }
        for _ in 0..4 {
            limiter.try_acquire("anna", address(1), NOW).unwrap();
        }
        limiter.try_acquire("anna", address(1), NOW).unwrap();
        limiter.record_success("anna", address(1));
        assert_eq!(count_allowed(&mut limiter, 100, |_| ("anna".to_owned(), address(1))), 5);
    }

    #[test]
    fn account_case_and_address_notation_are_normalized() {
        let mut limiter = SignInLimiter::default();
        let six = |end: u32| format!("2001:db8::{end:x}").parse::<IpAddr>().unwrap();
        assert_eq!(count_allowed(&mut limiter, 20, |n| ("anna".to_owned(), six(n))), 5);
        assert_eq!(count_allowed(&mut limiter, 20, |n| ("ANNA".to_owned(), six(n))), 0);
        let mapped = |_| ("bert".to_owned(), "::ffff:10.0.0.1".parse().unwrap());
        assert_eq!(count_allowed(&mut limiter, 20, mapped), 5);
        assert_eq!(count_allowed(&mut limiter, 20, |_| ("bert".to_owned(), address(1))), 0);
    }

    #[test]
    fn stored_counters_continue_in_another_limiter() {
        let mut stored = std::collections::BTreeMap::new();
        let allowed = (0..100)
            .filter(|_| {
                let find = |key: &str| Ok::<_, ()>(stored.get(key).copied());
                let mut limiter = SignInLimiter::load("anna", address(1), find).unwrap();
                let allowed = limiter.try_acquire("anna", address(1), NOW).is_ok();
                let store = |key: &str, arrival: Option<Timestamp>| {
                    stored.insert(key.to_owned(), arrival.unwrap());
                    Ok::<_, ()>(())
                };
                limiter.save("anna", address(1), store).unwrap();
                allowed
            })
            .count();
        assert_eq!((allowed, stored.len()), (5, 3));
    }

    #[test]
    fn eviction_keeps_the_most_used_counters() {
        let mut limiter = SignInLimiter::default();
        while limiter.try_acquire("anna", address(1), NOW).is_ok() {}
        for n in 0..20_000 {
            limiter.try_acquire(&format!("user{n}"), address(1000 + n), NOW).unwrap();
        }
        assert!(limiter.arrivals.len() <= MAX_KEYS + 2, "{}", limiter.arrivals.len());
        assert!(limiter.try_acquire("anna", address(1), NOW).is_err());
    }
}
