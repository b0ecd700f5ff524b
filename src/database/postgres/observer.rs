//! Observes the commits of other processes, on a session of its own.
//!
//! Each write transaction sends a notification with the version that it leads to. In addition the version is read every
//! second: a connection pooler may drop notifications, and a server that hangs must be detected.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::lost_connection;
use crate::database::StoreError;
use crate::database::changes::Changes;

/// Subscribes to the notifications that `BEGIN_WRITE` sends.
const LISTEN: &str = "LISTEN flagdeck_commits";
const READ_VERSION: &str = "SELECT commits FROM database_version";
/// The time between two reads of the version.
const READ_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum time of a read of the version.
const READ_TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum time to connect and sign in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(8);
/// The time before a lost connection is replaced.
const RECONNECT_DELAY: Duration = Duration::from_millis(20);
/// The time between two attempts to connect to a server that does not respond.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Observes the database until the future is dropped.
pub(super) async fn run(config: Config, tls: MakeRustlsConnect, changes: Arc<Changes>) {
    loop {
        let mut has_responded = false;
        let connected = timeout(CONNECT_TIMEOUT, config.connect(tls.clone())).await;
        let cause = match connected {
            Ok(Ok((client, connection))) => follow(&client, connection, &changes, &mut has_responded).await,
            Ok(Err(cause)) => cause.into(),
            Err(_late) => lost_connection(),
        };
        if has_responded {
            tracing::debug!(%cause, "the connection for changes of other instances ended");
            sleep(RECONNECT_DELAY).await;
            continue;
        }
        changes.mark_unreachable(&cause);
        sleep(RETRY_DELAY).await;
    }
}

/// Records changes until the connection fails, and returns the cause.
async fn follow(
    client: &Client,
    mut connection: Connection<Socket, impl AsyncRead + AsyncWrite + Unpin>,
    changes: &Changes,
    has_responded: &mut bool,
) -> StoreError {
    let notifications = async {
        loop {
            match poll_fn(|context| connection.poll_message(context)).await {
                Some(Ok(AsyncMessage::Notification(notification))) => {
                    let payload = notification.payload();
                    let (version, is_internal) =
                        payload.strip_suffix(" internal").map_or((payload, false), |version| (version, true));
                    if let Ok(version) = version.parse() {
                        changes.record_notification(version, is_internal);
                    }
                }
                Some(Ok(_)) => {}
                Some(Err(cause)) => return StoreError::from(cause),
                None => return lost_connection(),
            }
        }
    };
    let reads = async {
        loop {
            let time = Instant::now();
            // Subscribes first: a commit between the two is in the version, or has a notification.
            let version = timeout(READ_TIMEOUT, read_version(client, !*has_responded)).await;
            match version {
                Ok(Ok(version)) => {
                    if !*has_responded {
                        changes.count_reconnect();
                    }
                    *has_responded = true;
                    changes.confirm(version, time);
                }
                Ok(Err(cause)) => return StoreError::from(cause),
                Err(_late) => {
                    let cause = lost_connection();
                    changes.mark_unreachable(&cause);
                    return cause;
                }
            }
            sleep(READ_INTERVAL).await;
        }
    };
    tokio::select! {
        cause = notifications => cause,
        cause = reads => cause,
    }
}

async fn read_version(client: &Client, subscribes: bool) -> Result<i64, tokio_postgres::Error> {
    if subscribes {
        client.batch_execute(LISTEN).await?;
    }
    client.query_one(READ_VERSION, &[]).await?.try_get(0)
}
