//! Connects to the first of several addresses that responds (RFC 8305, Happy Eyeballs): an address that does not respond
//! delays the connection only for a moment.

use std::io;
use std::iter;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::sleep;

/// Time after which the next address is tried as well (RFC 8305, 5: the recommended connection attempt delay).
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);

/// Returns the first connection that `connect` opens to one of the addresses. The other attempts are dropped.
///
/// # Errors
/// The error of the last attempt that failed, if all did; [`io::ErrorKind::AddrNotAvailable`] without addresses.
pub(super) async fn connect_to_first<T, F: Future<Output = io::Result<T>>>(
    addresses: impl IntoIterator<Item = SocketAddr>,
    connect: impl Fn(SocketAddr) -> F,
) -> io::Result<T> {
    let mut addresses = interleave_families(addresses).into_iter();
    let mut attempts = FuturesUnordered::new();
    let mut failure = io::ErrorKind::AddrNotAvailable.into();
    loop {
        attempts.extend(addresses.next().map(&connect));
        let has_more = addresses.len() > 0;
        // The next attempt starts after the delay, or as soon as one has failed.
        tokio::select! {
            attempt = attempts.next() => match attempt {
                Some(Ok(connection)) => return Ok(connection),
                Some(Err(error)) => failure = error,
                None => return Err(failure),
            },
            () = sleep(ATTEMPT_DELAY), if has_more => {}
        }
    }
}

/// Orders addresses so that the families alternate, beginning with the family of the first address (RFC 8305, 4).
fn interleave_families(addresses: impl IntoIterator<Item = SocketAddr>) -> Vec<SocketAddr> {
    let mut addresses = addresses.into_iter().peekable();
    let is_ipv6 = addresses.peek().is_some_and(SocketAddr::is_ipv6);
    let (first, other): (Vec<_>, Vec<_>) = addresses.partition(|address| address.is_ipv6() == is_ipv6);
    let (mut first, mut other) = (first.into_iter(), other.into_iter());
    iter::from_fn(|| {
        let pair = [first.next(), other.next()];
        pair.iter().any(Option::is_some).then_some(pair)
    })
    .flatten()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::future::pending;
    use std::io;
    use std::net::SocketAddr;
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use tokio::time::{Instant, sleep};

    use super::{connect_to_first, interleave_families};

    /// The behaviour of an address.
    #[derive(Clone, Copy)]
    enum Peer {
        Silent,
        Accepts { after: u64 },
        Refuses { after: u64 },
    }

    use Peer::{Accepts, Refuses, Silent};

    /// Connects to peers, whose index is their port. Returns the index of the connection, or `None` after an error, the
    /// milliseconds until then, and the milliseconds after which each attempt started.
    async fn connect(peers: &[Peer]) -> (Option<usize>, u128, Vec<u128>) {
        let (start, starts, open) = (Instant::now(), RefCell::new(Vec::new()), Cell::new(0));
        let addresses =
            (0..peers.len()).map(|n| SocketAddr::from(([192, 0, 2, 1], u16::try_from(n).unwrap())));
        let result = connect_to_first(addresses, |address| {
            starts.borrow_mut().push(start.elapsed().as_millis());
            open.set(open.get() + 1);
            let attempt = scopeguard(&open);
            let index = usize::from(address.port());
            let peer = peers[index];
            async move {
                let _attempt = attempt;
                match peer {
                    Silent => pending().await,
                    Accepts { after } => sleep(Duration::from_millis(after)).map(|()| Ok(index)).await,
                    Refuses { after } => {
                        sleep(Duration::from_millis(after)).await;
                        Err(io::ErrorKind::ConnectionRefused.into())
                    }
                }
            }
        })
        .await;
        assert_eq!(open.get(), 0, "all other attempts are dropped");
        if let Err(error) = &result {
            assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        }
        (result.ok(), start.elapsed().as_millis(), starts.into_inner())
    }

    /// Counts an attempt as ended when it is dropped.
    fn scopeguard(open: &Cell<usize>) -> impl Drop {
        struct Attempt<'c>(&'c Cell<usize>);
        impl Drop for Attempt<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        Attempt(open)
    }

    #[tokio::test(start_paused = true)]
    async fn address_that_does_not_respond_delays_the_next_one_for_a_moment() {
        for (peers, connected, time, starts) in [
            (&[Accepts { after: 1 }, Accepts { after: 0 }][..], Some(0), 1, &[0][..]),
            (&[Silent, Accepts { after: 5 }], Some(1), 255, &[0, 250]),
            (&[Silent, Silent, Silent, Accepts { after: 5 }], Some(3), 755, &[0, 250, 500, 750]),
            (&[Refuses { after: 3 }, Accepts { after: 5 }], Some(1), 8, &[0, 3]),
            (&[Accepts { after: 300 }, Accepts { after: 90 }], Some(0), 300, &[0, 250]),
            (&[Accepts { after: 300 }, Accepts { after: 20 }], Some(1), 270, &[0, 250]),
            (&[Silent, Refuses { after: 10 }, Accepts { after: 1 }], Some(2), 261, &[0, 250, 260]),
            (&[Refuses { after: 600 }, Refuses { after: 10 }], None, 600, &[0, 250]),
            (&[Refuses { after: 1 }], None, 1, &[0]),
        ] {
            assert_eq!(connect(peers).await, (connected, time, starts.to_vec()));
        }
        let none = connect_to_first([], |_| pending::<io::Result<()>>()).await;
        assert_eq!(none.unwrap_err().kind(), io::ErrorKind::AddrNotAvailable);
    }

    #[test]
    fn families_alternate_beginning_with_the_first() {
        for (addresses, ordered) in [
            (&["[::1]:1", "[::2]:1", "192.0.2.1:1"][..], &["[::1]:1", "192.0.2.1:1", "[::2]:1"][..]),
            (
                &["192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1", "[::1]:1"],
                &["192.0.2.1:1", "[::1]:1", "192.0.2.2:1", "192.0.2.3:1"],
            ),
            (&["192.0.2.1:1", "[::1]:1", "[::2]:1"], &["192.0.2.1:1", "[::1]:1", "[::2]:1"]),
            (&[], &[]),
        ] {
            let parse =
                |list: &[&str]| list.iter().map(|text| text.parse().unwrap()).collect::<Vec<SocketAddr>>();
            assert_eq!(interleave_families(parse(addresses)), parse(ordered));
        }
    }
}
