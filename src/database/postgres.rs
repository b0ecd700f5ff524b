//! The engine PostgreSQL: a pool of sessions. Several processes can use one database.
//!
//! A write transaction first increases the number in the row of `database_version`. This lock makes write transactions of all
//! processes run one after another, as with SQLite: each sees all earlier ones, so that no rule can be broken by two
//! concurrent changes, and serialisation failures do not occur.
//!
//! The number identifies the state of the database. It counts the commits, and its lowest bits are random
//! (`changes::RANDOM_BITS`): after a failover to a standby without the last commits, and after the restore of a backup, other
//! commits follow, and they must not lead to a number that an instance knows from the lost ones.

mod fault;
mod migrate;
mod observer;
mod session;
mod wait;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio_postgres::config::TargetSessionAttrs;

use self::session::Connector;
pub(super) use self::session::Session;
pub(super) use self::wait::wait;
use super::changes::Changes;
use super::schema::{LIST_SECRETS, StoredSecret, newest_version};
use super::{Access, Connection, OpenError, StorageFault, StoreError, Work};
use crate::config::PostgresLocation;
use crate::error::ApiError;

/// Begins a transaction whose queries all see the same snapshot.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Begins a transaction, and waits until no other write transaction runs. Returns the version to which it leads. Other
/// processes are notified of the version when it commits.
const BEGIN_WRITE: &str = "BEGIN; WITH version AS (
        UPDATE database_version
        SET commits = (((commits >> 24) + 1) << 24) + floor(random() * 16777216)::bigint RETURNING commits
     ) SELECT commits, pg_notify('flagdeck_commits', commits::text) FROM version";
/// Like [`BEGIN_WRITE`], with a notification that wakes no task.
const BEGIN_WRITE_INTERNAL: &str = "BEGIN; WITH version AS (
        UPDATE database_version
        SET commits = (((commits >> 24) + 1) << 24) + floor(random() * 16777216)::bigint RETURNING commits
     ) SELECT commits, pg_notify('flagdeck_commits', commits || ' internal') FROM version";

/// The time for which transactions wait for a server that restarts. During a longer outage they fail at once.
pub(super) const RESTART_TIME: Duration = Duration::from_secs(4);
/// The time between two attempts to connect to a server that restarts.
const RECONNECT_PAUSE: Duration = Duration::from_millis(50);

/// Describes the server, and whether the connection is encrypted.
const DESCRIBE_SERVER: &str = "SELECT 'PostgreSQL ' || current_setting('server_version') || coalesce(
        (SELECT ', ' || version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl), ', not encrypted'
     )";
/// Reads the clock of the server in milliseconds since 1970, its number of free connections and their maximum, whether this
/// user may create tables, and whether the server is a standby or read-only.
const READ_STATE: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        current_setting('max_connections')::bigint
            - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
        current_setting('max_connections')::bigint,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
        pg_is_in_recovery(), current_setting('transaction_read_only')::boolean";

/// The findings of [`inspect`].
#[derive(Debug)]
pub struct PostgresInspection {
    /// The version of the server, and whether the connection is encrypted.
    pub server: String,
    /// The state of the server.
    pub state: ServerState,
    /// The schema version of the database, 0 if it is empty, and the newest version.
    pub schema: (usize, usize),
    /// The encrypted secrets of addons.
    pub secrets: Vec<StoredSecret>,
}

/// The state of a PostgreSQL server.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ServerState {
    /// The clock of the server minus the one of this machine, in milliseconds.
    pub clock_difference: i64,
    /// The number of free connections, and the maximum number of connections.
    pub free_connections: (i64, i64),
    /// Whether the user may create tables.
    pub can_create_tables: bool,
    /// Whether the server is a standby.
    pub is_standby: bool,
    /// Whether the settings of the server, the database or the user make transactions read-only.
    pub is_read_only: bool,
}

/// Inspects a database without changing it, for `flagdeck check`.
pub(super) fn inspect(location: &PostgresLocation) -> Result<PostgresInspection, OpenError> {
    let connected = match connect(location) {
        Err(cause) if cause.fault() == Some(StorageFault::ReadOnlyServer) => {
            let mut location = location.clone();
            location.config.target_session_attrs(TargetSessionAttrs::Any);
            connect(&location)
        }
        connected => connected,
    };
    let (_connector, session) = connected.map_err(|cause| open_error(location, cause))?;
    let found = migrate::check_version(&session, location)?;
    let read = || {
        let (mut server, mut state, mut secrets) = (String::new(), ServerState::default(), Vec::new());
        session.visit_rows(DESCRIBE_SERVER, &[], &mut |row| {
            server = row.get(0)?;
            Ok(true)
        })?;
        session.visit_rows(READ_STATE, &[], &mut |row| {
            state = ServerState {
                clock_difference: row.get::<i64>(0)? - Timestamp::now().as_millisecond(),
                free_connections: (row.get(1)?, row.get(2)?),
                can_create_tables: row.get(3)?,
                is_standby: row.get(4)?,
                is_read_only: row.get(5)?,
            };
            Ok(true)
        })?;
        if found > 0 {
            session.visit_rows(LIST_SECRETS, &[], &mut |row| {
                secrets.push((row.get(0)?, row.get(1)?, row.get(2)?));
                Ok(true)
            })?;
        }
        Ok(PostgresInspection { server, state, schema: (found, newest_version()), secrets })
    };
    read().map_err(|cause| open_error(location, cause))
}

/// Connects to a server and checks its version.
fn connect(location: &PostgresLocation) -> Result<(Connector, Session), StoreError> {
    let connector = Connector::new(location)
        .map_err(|cause| StoreError::Database { fault: None, cause: cause.into() })?;
    let session = connector.connect()?;
    session.check_server()?;
    Ok((connector, session))
}

/// Creates the error for a database that cannot be opened.
pub(super) fn open_error(location: &PostgresLocation, cause: StoreError) -> OpenError {
    let cause = match cause {
        StoreError::Database { fault: Some(fault @ StorageFault::ReadOnlyServer), .. } => fault.into(),
        StoreError::Database { cause, .. } => cause,
        other => other.into(),
    };
    OpenError::Database { path: location.name.clone(), cause }
}

/// An open database.
#[derive(Debug)]
pub(super) struct Postgres {
    connector: Connector,
    idle: Mutex<Vec<Session>>,
    changes: Arc<Changes>,
}

impl Postgres {
    pub(super) fn open(location: &PostgresLocation, changes: Arc<Changes>) -> Result<Self, OpenError> {
        let (connector, session) = connect(location).map_err(|cause| open_error(location, cause))?;
        migrate::migrate_to_newest(&session, location)?;
        Ok(Self { connector, idle: Mutex::new(vec![session]), changes })
    }

    /// Opens a database with sessions of its own for [`Access::WriteKept`], whose tables `migrate` prepares.
    pub(super) fn open_kept(
        location: &PostgresLocation,
        migrate: impl FnOnce(&Session) -> Result<(), OpenError>,
    ) -> Result<Self, OpenError> {
        let (connector, session) = connect(location).map_err(|cause| open_error(location, cause))?;
        migrate(&session)?;
        Ok(Self { connector, idle: Mutex::new(vec![session]), changes: Arc::default() })
    }

    /// Starts to observe the commits of other processes. It ends when this value is dropped.
    pub(super) fn observe(&self) {
        self.connector.observe(Arc::clone(&self.changes));
    }

    /// Runs a transaction. The number of concurrent ones is limited by the callers.
    pub(super) fn run(&self, access: Access, work: Work<'_>) -> Result<(), ApiError> {
        let (session, version) = self.begin(access)?;
        let run = || {
            work(Connection::Postgres(&session), 0)?;
            match access {
                Access::Read => session.end_read()?,
                Access::WriteKept => session.commit()?,
                Access::Write | Access::WriteInternal => {
                    session.commit()?;
                    self.changes.record_commit(version);
                }
            }
            Ok(())
        };
        let outcome = catch_unwind(AssertUnwindSafe(run));
        self.release(session);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Begins a transaction on an idle session, or on a new one. Waits for a server that restarts. Also returns the version
    /// to which the transaction leads.
    fn begin(&self, access: Access) -> Result<(Session, i64), StoreError> {
        let begin = match access {
            Access::Read => BEGIN_READ,
            Access::Write => BEGIN_WRITE,
            Access::WriteInternal => BEGIN_WRITE_INTERNAL,
            Access::WriteKept => "BEGIN",
        };
        let start = Instant::now();
        loop {
            let idle = self.idle.lock().pop();
            let is_new = idle.is_none();
            let connected = idle.map_or_else(|| self.connector.connect(), Ok);
            let started = connected.and_then(|session| match session.begin(begin) {
                Ok(version) => Ok((session, version.unwrap_or_default())),
                Err(cause) => {
                    self.release(session);
                    Err(cause)
                }
            });
            match started {
                // The server ended idle sessions.
                Err(cause) if !is_new && cause.fault() == Some(StorageFault::Unreachable) => {}
                Err(cause) if access != Access::WriteKept && self.can_wait(&cause, start) => {
                    thread::sleep(RECONNECT_PAUSE);
                }
                started => return started,
            }
        }
    }

    /// Returns a session to the pool, without its transaction: a refused request must not cost a connection. Closes it if
    /// the server does not confirm the end of the transaction.
    fn release(&self, session: Session) {
        if session.end_transaction() {
            self.idle.lock().push(session);
        }
    }

    /// Returns whether a transaction waits for the server: while it restarts, or while a standby replaces it. A server that
    /// is read-only without an outage has such a setting, which does not change by itself.
    fn can_wait(&self, cause: &StoreError, start: Instant) -> bool {
        let outage = self.changes.outage();
        let is_replaced = match cause.fault() {
            Some(StorageFault::Unreachable) => true,
            Some(StorageFault::ReadOnlyServer) => !outage.is_zero(),
            _ => false,
        };
        is_replaced && start.elapsed().max(outage) < RESTART_TIME
    }
}
