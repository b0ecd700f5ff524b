//! How often somebody may try to sign in. Pure: time comes from outside.
//!
//! Three limits hold together; each allows a burst and then one attempt every so often.
//!
//! - **An address**, whatever accounts it tries: a guesser does not get far by trying one password on many names.
//! - **An account from one address**: the limit that a person meets who forgot the password.
//! - **An account from everywhere**: a guesser with many addresses does not get far either.
//!
//! The last one is much wider than the one before: a single address uses up its own share of an account long before it
//! uses up the account's, so that it locks out itself and nobody else. Only somebody with many addresses can make the
//! owner wait, and then for seconds at a time. An attempt counts before its password is looked at, so that many at once
//! are no way around; one that was right is taken back. What is refused does not count, so waiting always helps.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};

use jiff::{SignedDuration, Timestamp};

/// How many counts are kept: some 2 MB. Beyond, those make room that are soonest forgotten anyway.
const MOST: usize = 10_000;

/// A burst, then one attempt per interval.
#[derive(Debug, Clone, Copy)]
struct Rate {
    burst: i32,
    interval: SignedDuration,
}

const OF_ADDRESS: Rate = Rate { burst: 30, interval: SignedDuration::from_secs(10) };
const OF_ACCOUNT_FROM_ADDRESS: Rate = Rate { burst: 5, interval: SignedDuration::from_secs(30) };
const OF_ACCOUNT: Rate = Rate { burst: 50, interval: SignedDuration::from_secs(3) };

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Address(IpAddr),
    AccountFromAddress(String, IpAddr),
    Account(String),
}

/// The attempts that still count.
#[derive(Debug, Default)]
pub struct Attempts {
    /// When each count will be used up, if nobody tries again.
    until: HashMap<Key, Timestamp>,
}

impl Attempts {
    /// Counts an attempt to sign in to `account` from `address`, or answers how long to wait before the next.
    ///
    /// # Errors
    /// The time to wait.
    pub fn begin(&mut self, account: &str, address: IpAddr, now: Timestamp) -> Result<(), SignedDuration> {
        let counts = keys(account, address).map(|(key, rate)| {
            (self.until.get(&key).copied().unwrap_or(now).max(now) + rate.interval, key, rate)
        });
        let wait = counts
            .iter()
            .map(|(until, _, rate)| until.duration_since(now) - rate.interval * rate.burst)
            .max()
            .filter(SignedDuration::is_positive);
        if let Some(wait) = wait {
            return Err(wait);
        }
        if self.until.len() >= MOST {
            self.make_room(now);
        }
        self.until.extend(counts.map(|(until, key, _)| (key, until)));
        Ok(())
    }

    /// Takes an attempt back that was right, and with it what the same person got wrong before.
    pub fn succeeded(&mut self, account: &str, address: IpAddr) {
        for (key, rate) in keys(account, address) {
            if matches!(key, Key::AccountFromAddress(..)) {
                self.until.remove(&key);
            } else if let Some(until) = self.until.get_mut(&key) {
                *until -= rate.interval;
            }
        }
    }

    /// Forgets what no longer counts, and where that is not enough the half that counts least: half, so that this is not
    /// done again with each attempt.
    fn make_room(&mut self, now: Timestamp) {
        self.until.retain(|_, until| *until > now);
        if self.until.len() < MOST {
            return;
        }
        let mut ends: Vec<Timestamp> = self.until.values().copied().collect();
        let (_, middle, _) = ends.select_nth_unstable(MOST / 2);
        self.until.retain(|_, until| *until > *middle);
    }
}

/// Case does not count in names, nor which of its 2⁶⁴ addresses somebody on IPv6 uses.
fn keys(account: &str, address: IpAddr) -> [(Key, Rate); 3] {
    let account = account.to_lowercase();
    let address = match address.to_canonical() {
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & (u128::MAX << 64))),
        four @ IpAddr::V4(_) => four,
    };
    [
        (Key::Address(address), OF_ADDRESS),
        (Key::AccountFromAddress(account.clone(), address), OF_ACCOUNT_FROM_ADDRESS),
        (Key::Account(account), OF_ACCOUNT),
    ]
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use jiff::{SignedDuration, Timestamp};

    use super::{Attempts, MOST};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn address(number: u32) -> IpAddr {
        std::net::Ipv4Addr::from_bits(0x0a00_0000 + number).into()
    }

    /// How many of `tries` are let through at one moment.
    fn passed(attempts: &mut Attempts, tries: u32, of: impl Fn(u32) -> (String, IpAddr)) -> usize {
        (0..tries).map(&of).filter(|(account, from)| attempts.begin(account, *from, NOW).is_ok()).count()
    }

    #[test]
    fn each_limit_lets_a_burst_through() {
        let anna = |_: u32| ("anna".to_owned(), address(1));
        assert_eq!(passed(&mut Attempts::default(), 100, anna), 5, "one account from one address");
        let many = |n: u32| (format!("user{n}"), address(1));
        assert_eq!(passed(&mut Attempts::default(), 100, many), 30, "one address");
        let spread = |n: u32| ("anna".to_owned(), address(n));
        assert_eq!(passed(&mut Attempts::default(), 100, spread), 50, "one account");
        let apart = |n: u32| (format!("user{n}"), address(n));
        assert_eq!(passed(&mut Attempts::default(), 100, apart), 100, "nothing in common");
    }

    #[test]
    fn after_the_wait_the_next_attempt_passes_and_only_that() {
        let mut attempts = Attempts::default();
        while attempts.begin("anna", address(1), NOW).is_ok() {}
        let wait = attempts.begin("anna", address(1), NOW).unwrap_err();
        assert_eq!(wait, SignedDuration::from_secs(30));
        let almost = NOW + wait - SignedDuration::from_secs(1);
        assert_eq!(attempts.begin("anna", address(1), almost), Err(SignedDuration::from_secs(1)));
        assert_eq!(attempts.begin("anna", address(1), NOW + wait), Ok(()));
        assert_eq!(attempts.begin("anna", address(1), NOW + wait), Err(wait));
    }

    #[test]
    fn one_address_locks_out_itself_and_nobody_else() {
        let mut attempts = Attempts::default();
        let mut owner_refused = 0;
        for second in 0..3600 {
            let now = NOW + SignedDuration::from_secs(second);
            while attempts.begin("anna", address(1), now).is_ok() {}
            if second % 600 == 0 {
                owner_refused += usize::from(attempts.begin("anna", address(2), now).is_err());
            }
        }
        assert_eq!(owner_refused, 0);
    }

    #[test]
    fn what_was_right_is_taken_back() {
        let mut attempts = Attempts::default();
        for _ in 0..100 {
            assert_eq!(attempts.begin("anna", address(1), NOW), Ok(()));
            attempts.succeeded("anna", address(1));
        }
        for _ in 0..4 {
            attempts.begin("anna", address(1), NOW).unwrap();
        }
        attempts.begin("anna", address(1), NOW).unwrap();
        attempts.succeeded("anna", address(1));
        assert_eq!(passed(&mut attempts, 100, |_| ("anna".to_owned(), address(1))), 5);
    }

    #[test]
    fn other_spellings_are_the_same_account_and_the_same_address() {
        let mut attempts = Attempts::default();
        let six = |end: u32| format!("2001:db8::{end:x}").parse::<IpAddr>().unwrap();
        assert_eq!(passed(&mut attempts, 20, |n| ("anna".to_owned(), six(n))), 5);
        assert_eq!(passed(&mut attempts, 20, |n| ("ANNA".to_owned(), six(n))), 0);
        let mapped = |_| ("bert".to_owned(), "::ffff:10.0.0.1".parse().unwrap());
        assert_eq!(passed(&mut attempts, 20, mapped), 5);
        assert_eq!(passed(&mut attempts, 20, |_| ("bert".to_owned(), address(1))), 0);
    }

    #[test]
    fn memory_is_bounded_and_the_worst_are_not_forgotten() {
        let mut attempts = Attempts::default();
        while attempts.begin("anna", address(1), NOW).is_ok() {}
        for n in 0..20_000 {
            attempts.begin(&format!("user{n}"), address(1000 + n), NOW).unwrap();
        }
        assert!(attempts.until.len() <= MOST + 2, "{}", attempts.until.len());
        assert!(attempts.begin("anna", address(1), NOW).is_err());
    }
}
