//! Simulates many instances of applications, each with its own connection: they register, poll and report at the default
//! intervals of SDKs.

use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use serde_json::{Map, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::connection::Connection;
use crate::load::Figures;
use crate::server::Server;
use crate::{Outcome, USUAL};

const INSTANCES: usize = 10_000;
const INSTANCES_PER_APPLICATION: usize = 200;
const POLLING: Duration = Duration::from_secs(15);
/// The number of polls per usage report.
const POLLS_PER_REPORT: usize = 4;
/// The number of toggles in each usage report.
const TOGGLES: usize = 12;
/// The number of other files that this process has open.
const OTHER_FILES: usize = 100;

/// Runs all instances and returns a sentence with the measurements after all have started.
pub(crate) async fn run(server: &Server, window: Duration) -> Outcome<String> {
    let count = INSTANCES.min(max_open_files().saturating_sub(OTHER_FILES));
    let tag: Arc<str> = server.tag().await?.into();
    // The instances start evenly within the first polling interval.
    let (start, gap) = (Instant::now(), POLLING / u32::try_from(count)?);
    let measured = start + POLLING;
    let end = measured + window;
    let mut instances = JoinSet::new();
    for index in 0..count {
        let first = start + gap * u32::try_from(index)?;
        let instance = Instance::new(server, index, &tag);
        instances.spawn(instance.run(first, measured, end));
    }
    sleep_until(measured).await;
    let before = server.cpu_time();
    sleep_until(end).await;
    let busy = server.cpu_time().saturating_sub(before);
    let (mut times, mut reconnects) = (Vec::new(), 0);
    while let Some(outcome) = instances.join_next().await {
        let result = outcome?.map_err(|fault| format!("an instance failed: {fault}"))?;
        times.extend(result.times);
        reconnects += result.reconnects;
    }
    let Figures { per_second, p50, p99 } = Figures::new(times, window);
    Ok(format!(
        "{count} instances with a connection each, polling every {} s and reporting every {} s: {per_second:.0} requests \
         per second for {:.0} s,\nlatency {:.1} ms (p50) and {:.1} ms (p99), {reconnects} reconnects. Flagdeck uses \
         {:.1} % of one core and {} MB.",
        POLLING.as_secs(),
        POLLING.as_secs() * u64::try_from(POLLS_PER_REPORT)?,
        window.as_secs_f64(),
        p50.as_secs_f64() * 1_000.0,
        p99.as_secs_f64() * 1_000.0,
        busy.as_secs_f64() / window.as_secs_f64() * 100.0,
        server.memory() >> 10,
    ))
}

#[derive(Debug)]
struct Instance {
    address: std::net::SocketAddr,
    registration: Vec<u8>,
    poll: Vec<u8>,
    report: Vec<u8>,
    /// The number of polls, with a different start for each instance, so that they do not report all at once.
    turn: usize,
    results: Results,
}

#[derive(Debug, Default)]
struct Results {
    times: Vec<Duration>,
    reconnects: usize,
}

impl Instance {
    fn new(server: &Server, index: usize, tag: &str) -> Self {
        let application = index / INSTANCES_PER_APPLICATION;
        let (app_name, instance_id) = (format!("application-{application}"), format!("host-{index}"));
        let toggles: Map<_, _> = (0..TOGGLES)
            .map(|toggle| crate::toggles::name((application * 31 + toggle) % USUAL))
            .map(|name| (name, json!({ "yes": index % 7, "no": index % 5, "variants": {} })))
            .collect();
        let registration = json!({
            "appName": app_name, "instanceId": instance_id, "sdkVersion": "unleash-client-node:3.21.0",
            "strategies": ["default", "flexibleRollout", "userWithId"], "started": "2026-01-01T00:00:00Z",
            "interval": 60_000,
        });
        let report = json!({
            "appName": app_name, "instanceId": instance_id,
            "bucket": { "start": "2026-01-01T00:00:00Z", "stop": "2026-01-01T00:01:00Z", "toggles": toggles },
        });
        Self {
            address: server.address,
            registration: server.request("POST", "/api/client/register", "", &registration.to_string()),
            poll: server.poll(tag),
            report: server.request("POST", "/api/client/metrics", "", &report.to_string()),
            turn: index,
            results: Results::default(),
        }
    }

    async fn run(mut self, mut next: Instant, measured: Instant, end: Instant) -> io::Result<Results> {
        sleep_until(next).await;
        let mut connection = Connection::open(self.address).await?;
        self.results.send(&mut connection, &self.registration, 202, false).await?;
        while next < end {
            sleep_until(next).await;
            let counts = next >= measured;
            self.results.send(&mut connection, &self.poll, 304, counts).await?;
            if self.turn.is_multiple_of(POLLS_PER_REPORT) {
                self.results.send(&mut connection, &self.report, 202, counts).await?;
            }
            self.turn += 1;
            next += POLLING;
        }
        Ok(self.results)
    }
}

impl Results {
    /// Sends a request, on a new connection if the server has closed the old one.
    async fn send(
        &mut self,
        connection: &mut Connection,
        request: &[u8],
        expected: u16,
        counts: bool,
    ) -> io::Result<()> {
        let start = Instant::now();
        let status = if let Ok(response) = connection.exchange(request).await {
            response.status
        } else {
            self.reconnects += usize::from(counts);
            connection.reopen().await?;
            connection.exchange(request).await?.status
        };
        if status != expected {
            return Err(io::Error::other(format!("{status} instead of {expected}")));
        }
        if counts {
            self.times.push(start.elapsed());
        }
        Ok(())
    }
}

/// Returns the limit of open files of this process.
pub(crate) fn max_open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(1_024)
}
