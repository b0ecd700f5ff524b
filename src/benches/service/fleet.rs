//! Many instances of applications, each with a connection of its own: they register, ask for news and report, as often
//! as client libraries do by themselves.

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
/// Every fourth poll comes with a report.
const POLLS_PER_REPORT: usize = 4;
/// How many toggles an application asks about.
const TOGGLES: usize = 12;
/// Files that this program has open besides.
const OTHER_FILES: usize = 100;

/// Runs all of them, and tells in a sentence what they cost once all have started.
pub(crate) async fn run(server: &Server, window: Duration) -> Outcome<String> {
    let count = INSTANCES.min(open_files().saturating_sub(OTHER_FILES));
    let tag: Arc<str> = server.tag().await?.into();
    // Everybody starts within the first period, evenly, and asks at that time of every period.
    let (start, gap) = (Instant::now(), POLLING / u32::try_from(count)?);
    let measured = start + POLLING;
    let end = measured + window;
    let mut instances = JoinSet::new();
    for index in 0..count {
        let first = start + gap * u32::try_from(index)?;
        let instance = Instance::new(server, index, &tag);
        instances.spawn(instance.live(first, measured, end));
    }
    sleep_until(measured).await;
    let before = server.busy();
    sleep_until(end).await;
    let busy = server.busy().saturating_sub(before);
    let (mut times, mut reconnects) = (Vec::new(), 0);
    while let Some(outcome) = instances.join_next().await {
        let lived = outcome?.map_err(|fault| format!("an instance could not go on: {fault}"))?;
        times.extend(lived.times);
        reconnects += lived.reconnects;
    }
    let Figures { per_second, p50, p99 } = Figures::of(times, window);
    Ok(format!(
        "{count} instances with a connection each, polling every {} s and reporting every {} s: {per_second:.0} requests \
         a second for {:.0} s,\nanswered in {:.1} ms (p50) and {:.1} ms (p99), with {reconnects} reconnects. Flagdeck \
         kept {:.1} % of one core busy and takes {} MB.",
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
    /// So that not all report at once.
    turn: usize,
    lived: Lived,
}

#[derive(Debug, Default)]
struct Lived {
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
            lived: Lived::default(),
        }
    }

    async fn live(mut self, mut next: Instant, measured: Instant, end: Instant) -> io::Result<Lived> {
        sleep_until(next).await;
        let mut connection = Connection::open(self.address).await?;
        self.lived.ask(&mut connection, &self.registration, 202, false).await?;
        while next < end {
            sleep_until(next).await;
            let counts = next >= measured;
            self.lived.ask(&mut connection, &self.poll, 304, counts).await?;
            if self.turn.is_multiple_of(POLLS_PER_REPORT) {
                self.lived.ask(&mut connection, &self.report, 202, counts).await?;
            }
            self.turn += 1;
            next += POLLING;
        }
        Ok(self.lived)
    }
}

impl Lived {
    /// Asks, on a new connection where the server has ended the old one.
    async fn ask(
        &mut self,
        connection: &mut Connection,
        request: &[u8],
        expected: u16,
        counts: bool,
    ) -> io::Result<()> {
        let start = Instant::now();
        let status = if let Ok(answer) = connection.exchange(request).await {
            answer.status
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

/// How many files this process may have open.
fn open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(1_024)
}
