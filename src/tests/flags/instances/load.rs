//! Clients that send requests all the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crate::support::binary::Wire;
use crate::support::watched::Watched;

/// The result of a request.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) status: u16,
    /// The code of the error; empty for other responses.
    pub(super) code: String,
    /// The seconds since the database has confirmed the response; `None` while it responds.
    pub(super) age: Option<u64>,
}

/// A client that repeats requests on one connection, until it is dropped.
pub(super) struct Load {
    outcomes: Arc<Watched<Vec<Outcome>>>,
    has_ended: Arc<AtomicBool>,
    client: Option<JoinHandle<()>>,
}

impl Load {
    /// Starts a client. `request` returns the method and the path of each request. The connection must not end.
    pub(super) fn start(
        port: u16,
        request: impl Fn(usize) -> (&'static str, String) + Send + 'static,
    ) -> Self {
        let (outcomes, has_ended) = (Arc::<Watched<Vec<Outcome>>>::default(), Arc::<AtomicBool>::default());
        let (record, end) = (Arc::clone(&outcomes), Arc::clone(&has_ended));
        let client = thread::spawn(move || {
            let mut wire = Wire::connect(port).unwrap();
            for number in 0.. {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let (method, path) = request(number);
                let (status, _) = wire.send(method, &path, "").expect("the connection ended");
                let code = wire.header("x-flagdeck-error").unwrap_or_default().to_owned();
                let age = wire.header("x-flagdeck-stale").map(|age| age.parse().unwrap());
                assert_eq!(wire.header("age"), wire.header("x-flagdeck-stale"));
                record.update(|outcomes| outcomes.push(Outcome { status, code, age }));
            }
        });
        Self { outcomes, has_ended, client: Some(client) }
    }

    /// Waits for this number of further outcomes that match.
    pub(super) fn wait_for(&self, count: usize, matches: impl Fn(&Outcome) -> bool) {
        let start = self.outcomes.get().len();
        self.outcomes
            .wait(|outcomes| outcomes[start..].iter().filter(|&outcome| matches(outcome)).count() >= count);
    }

    /// Ends the client and returns all outcomes.
    pub(super) fn end(mut self) -> Vec<Outcome> {
        self.has_ended.store(true, Ordering::Relaxed);
        self.client.take().unwrap().join().unwrap();
        self.outcomes.get().clone()
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }
}
