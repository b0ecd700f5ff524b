//! Clients that send requests all the time.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::CLIENT;
use crate::flags::{FEATURES, plain};
use crate::support::binary::{Binary, Wire, flagdeck};
use crate::support::watched::{MAX_WAIT, Watched};

/// The code of a write whose result is unknown.
pub(super) const UNCONFIRMED: &str = "storage_unconfirmed";

/// The result of a request.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) status: u16,
    /// The code of the error; empty for other responses.
    pub(super) code: String,
    /// The seconds since the database has confirmed the response; `None` while it responds.
    pub(super) age: Option<u64>,
}

/// Returns the method and the path of the request with this number.
pub(super) type Requests = fn(usize) -> (&'static str, String);

/// A client that repeats requests on one connection, until it is dropped.
pub(super) struct Load {
    outcomes: Arc<Watched<Vec<Outcome>>>,
    has_ended: Arc<AtomicBool>,
    client: Option<JoinHandle<()>>,
}

impl Load {
    /// Starts a client. The connection must not end.
    pub(super) fn start(port: u16, request: Requests) -> Self {
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

    /// Starts a client of each instance.
    pub(super) fn start_on<const N: usize>(instances: &[Binary; N], requests: Requests) -> [Self; N] {
        instances.each_ref().map(|instance| Self::start(instance.port, requests))
    }

    /// Waits for this number of further outcomes that match.
    pub(super) fn wait_for(&self, count: usize, matches: impl Fn(&Outcome) -> bool) {
        let (seen, found) = (Cell::new(self.outcomes.get().len()), Cell::new(0));
        self.outcomes.wait(|outcomes| {
            let new = &outcomes[seen.replace(outcomes.len())..];
            found.set(found.get() + new.iter().filter(|&outcome| matches(outcome)).count());
            found.get() >= count
        });
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

/// Returns the arguments of a process on this database, without its key file.
pub(super) fn process_arguments(url: &str) -> [&str; 7] {
    ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", url, "--data-key"]
}

/// Starts a process on this database. All processes with one folder have the same key.
pub(super) fn start_process(url: &str, folder: &Path) -> Binary {
    Binary::started(flagdeck().args(process_arguments(url)).arg(folder.join("key")))
}

/// Returns the requests of a client that reads toggles like an SDK.
pub(super) fn polls(_number: usize) -> (&'static str, String) {
    ("GET", CLIENT.to_owned())
}

/// Returns the requests of a client that lists toggles like the console.
pub(super) fn reads(_number: usize) -> (&'static str, String) {
    ("GET", FEATURES.to_owned())
}

/// Returns the requests of a client that switches a toggle on and off.
pub(super) fn switches(number: usize) -> (&'static str, String) {
    let action = if number.is_multiple_of(2) { "on" } else { "off" };
    ("POST", format!("{FEATURES}/probe/toggle/{action}"))
}

pub(super) fn is_current(outcome: &Outcome) -> bool {
    outcome.status == 200 && outcome.age.is_none()
}

/// Creates a toggle on an instance, and waits until the SDK responses of all instances contain it.
pub(super) fn create_everywhere(instances: &[Binary], name: &str) {
    let created = instances[0].wire().send("POST", FEATURES, &plain(name).to_string()).unwrap();
    assert_eq!(created.0, 201, "{}", created.1);
    let deadline = Instant::now() + MAX_WAIT;
    for instance in instances {
        let mut wire = instance.wire();
        while !wire.send("GET", CLIENT, "").unwrap().1.to_string().contains(name) {
            assert!(Instant::now() < deadline, "{name} is not in the SDK response");
        }
    }
}

/// Checks that all failures have the status 503 and one of these codes.
pub(super) fn assert_unavailable(outcomes: &[Outcome], codes: &[&str]) {
    let is_expected = |outcome: &Outcome| {
        outcome.status == 200 || (outcome.status == 503 && codes.contains(&outcome.code.as_str()))
    };
    let unexpected = outcomes.iter().find(|&outcome| !is_expected(outcome));
    assert!(unexpected.is_none(), "{unexpected:?}");
}
