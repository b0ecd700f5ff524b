//! Sends the same requests repeatedly, and measures throughput and latency.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::median::median;
use crate::server::Server;
use crate::{CONNECTIONS, Outcome};

/// Path of the evaluation by OpenFeature, and a body.
const FLAGS: &str = "/ofrep/v1/evaluate/flags";
const CONTEXT: &str = r#"{"context":{"targetingKey":"4711","region":"eu"}}"#;

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// The first poll of an SDK: returns all toggles.
    Poll,
    /// A later poll of an SDK: nothing has changed.
    PollAgain,
    /// The console's list of toggles.
    List,
    /// Switching a toggle on or off, durable when the response arrives.
    Switch,
    /// The same on a single connection.
    SwitchAlone,
    /// The evaluation of one flag by OpenFeature.
    EvaluateOne,
    /// The evaluation of all flags by OpenFeature.
    EvaluateAll,
}

impl Task {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Poll => "SDK poll, all toggles (200)",
            Self::PollAgain => "SDK poll, nothing new (304)",
            Self::List => "toggle list of the console",
            Self::Switch | Self::SwitchAlone => "toggle on or off, on disk",
            Self::EvaluateOne => "OpenFeature, one flag",
            Self::EvaluateAll => "OpenFeature, all flags",
        }
    }

    /// One connection for lists, because their figure is the latency of a single user.
    pub(crate) fn connections(self) -> usize {
        if matches!(self, Self::List | Self::SwitchAlone | Self::EvaluateAll) { 1 } else { CONNECTIONS }
    }

    fn status(self) -> u16 {
        if self == Self::PollAgain { 304 } else { 200 }
    }

    /// Returns the requests that one connection sends in turn.
    async fn requests(self, server: &Server, connection: usize) -> Outcome<Vec<Vec<u8>>> {
        let switch = |action: &str| {
            let name = crate::toggles::name(connection);
            server.request("POST", &format!("/api/admin/features/{name}/toggle/{action}"), "", "")
        };
        Ok(match self {
            Self::Poll => vec![server.poll("")],
            Self::PollAgain => vec![server.poll(&server.tag().await?)],
            Self::List => vec![server.request("GET", "/api/admin/features", "", "")],
            Self::Switch | Self::SwitchAlone => vec![switch("off"), switch("on")],
            Self::EvaluateOne => {
                vec![server.request(
                    "POST",
                    &format!("{FLAGS}/{}", crate::toggles::name(connection)),
                    "",
                    CONTEXT,
                )]
            }
            Self::EvaluateAll => vec![server.request("POST", FLAGS, "", CONTEXT)],
        })
    }
}

/// The results of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

impl Figures {
    pub(crate) fn new(mut times: Vec<Duration>, elapsed: Duration) -> Self {
        times.sort_unstable();
        let count = f64::from(u32::try_from(times.len()).unwrap_or(u32::MAX));
        let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
        Self { per_second: count / elapsed.as_secs_f64(), p50: at(50), p99: at(99) }
    }

    /// Returns the median of each figure.
    pub(crate) fn median(runs: &[Self]) -> Self {
        Self {
            per_second: median(runs.iter().map(|run| run.per_second)),
            p50: median(runs.iter().map(|run| run.p50)),
            p99: median(runs.iter().map(|run| run.p99)),
        }
    }
}

/// Runs a task on all its connections for `duration`. Several servers share the connections.
pub(crate) async fn run(task: Task, servers: &[Server], duration: Duration) -> Outcome<Figures> {
    let mut connections = JoinSet::new();
    let start = Instant::now();
    let end = start + duration;
    for (index, server) in servers.iter().cycle().take(task.connections()).enumerate() {
        let requests = task.requests(server, index).await?;
        let connection = Connection::open(server.address).await?;
        connections.spawn(run_connection(connection, requests, task.status(), end));
    }
    let mut times = Vec::new();
    while let Some(outcome) = connections.join_next().await {
        times.extend(outcome?.map_err(|fault| format!("{}: {fault}", task.name()))?);
    }
    Ok(Figures::new(times, start.elapsed()))
}

/// Sends requests on one connection until `end`, and returns the latency of each response.
async fn run_connection(
    mut connection: Connection,
    requests: Vec<Vec<u8>>,
    status: u16,
    end: Instant,
) -> Result<Vec<Duration>, String> {
    let mut times = Vec::new();
    for request in requests.iter().cycle() {
        let start = Instant::now();
        if start >= end {
            break;
        }
        let response = connection.exchange(request).await.map_err(|fault| fault.to_string())?;
        if response.status != status {
            let body = String::from_utf8_lossy(response.body);
            return Err(format!("{} instead of {status}: {body}", response.status));
        }
        times.push(start.elapsed());
    }
    Ok(times)
}
