//! A session of PostgreSQL, with its prepared statements, and the thread that runs the connections.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bytes::{BufMut as _, BytesMut};
use futures_util::TryStreamExt as _;
use futures_util::future::try_join_all;
use rustls::ClientConfig;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Config, SimpleQueryMessage, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::{lost_connection, unconfirmed};
use super::observer;
use super::wait::wait;
use crate::config::PostgresLocation;
use crate::database::changes::Changes;
use crate::database::dialect::{has_nul, to_postgres};
use crate::database::parameter::Parameter;
use crate::database::query::RowVisitor;
use crate::database::row::{Cell as Field, Row};
use crate::database::{StorageFault, StoreError};

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The maximum time to connect and sign in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum time until a transaction begins: longer than `lock_timeout` below. A server that hangs is detected here.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(8);
/// The maximum time until the server responds. It is longer than its own limits below, whose errors name the cause.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(40);
/// The maximum time until the server ends a transaction after a failure.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(5);
/// Settings of a session. A process that hangs must not keep the lock of write transactions.
const SESSION_SETTINGS: &str = "SET lock_timeout = '5s'; SET statement_timeout = '30s'; \
     SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = 'warning'";
/// The oldest supported version, as `server_version_num`.
const MIN_VERSION: i64 = 140_000;
/// The maximum number of prepared statements of a session; larger than the number of statements in this program.
const MAX_STATEMENTS: usize = 256;
/// The number of statements that are sent before the first response is read.
const PIPELINED: usize = 256;

/// Opens sessions. Their connections run on one thread, which ends when this value is dropped.
#[derive(Debug)]
pub(super) struct Connector {
    config: Config,
    tls: Arc<ClientConfig>,
    connections: Handle,
    /// Ends the thread when it is dropped.
    _stop: oneshot::Sender<()>,
}

impl Connector {
    pub(super) fn new(location: &PostgresLocation) -> Result<Self, std::io::Error> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let connections = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        thread::Builder::new().name("postgres".to_owned()).spawn(move || {
            // An error means that the sender was dropped.
            runtime.block_on(async { drop(stopped.await) });
        })?;
        let mut config = location.config.clone();
        config.connect_timeout(CONNECT_TIMEOUT);
        Ok(Self { config, tls: Arc::clone(&location.tls), connections, _stop: stop })
    }

    /// Starts to observe the commits of other processes, on a session of its own.
    pub(super) fn observe(&self, changes: Arc<Changes>) {
        self.connections.spawn(observer::run(self.config.clone(), self.tls(), changes));
    }

    fn tls(&self) -> MakeRustlsConnect {
        MakeRustlsConnect::new(ClientConfig::clone(&self.tls))
    }

    /// Opens a session.
    pub(super) fn connect(&self) -> Result<Session, StoreError> {
        let (sender, connected) = oneshot::channel();
        let (config, tls) = (self.config.clone(), self.tls());
        let task = self.connections.spawn(async move {
            match config.connect(tls).await {
                Ok((client, connection)) => {
                    drop(sender.send(Ok(client)));
                    // The statements that wait for a response fail with its error.
                    drop(connection.await);
                }
                Err(cause) => drop(sender.send(Err(cause))),
            }
        });
        let Some(connected) = wait(connected, CONNECT_TIMEOUT) else {
            task.abort();
            return Err(lost_connection());
        };
        let client = connected.map_err(|_ended| lost_connection())??;
        let session = Session {
            client,
            statements: RefCell::default(),
            state: Cell::new(SessionState::Idle),
            connection: task.abort_handle(),
        };
        session.run(SESSION_SETTINGS)?;
        Ok(session)
    }
}

/// A connection to the server.
pub(in crate::database) struct Session {
    client: Client,
    /// The prepared statements by the text before its conversion.
    statements: RefCell<HashMap<String, Statement>>,
    state: Cell<SessionState>,
    /// Closes the connection.
    connection: AbortHandle,
}

/// The state of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionState {
    /// No transaction is open.
    Idle,
    /// A transaction is open.
    Open,
    /// A statement failed. The server refuses the rest of the transaction.
    Failed,
    /// The server does not respond, or became read-only. A new connection may lead to another server.
    Unusable,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Session {
    /// Checks the version of the server and the encoding of the database.
    pub(super) fn check_server(&self) -> Result<(), StoreError> {
        let sql = "SELECT current_setting('server_version_num')::bigint, current_setting('server_encoding')";
        let mut fault = None;
        self.visit_rows(sql, &[], &mut |row| {
            let (version, encoding) = (row.get::<i64>(0)?, row.get::<&str>(1)?);
            if version < MIN_VERSION {
                fault =
                    Some(format!("the server has version {}; Flagdeck needs 14 or newer", version / 10_000));
            } else if encoding != "UTF8" {
                fault = Some(format!("its encoding is {encoding}; create a database with the encoding UTF8"));
            }
            Ok(true)
        })?;
        fault.map_or(Ok(()), |fault| Err(StoreError::Database { fault: None, cause: fault.into() }))
    }

    /// Runs statements without parameters, separated by semicolons.
    pub(in crate::database) fn run(&self, sql: &str) -> Result<(), StoreError> {
        self.wait(self.client.batch_execute(sql))
    }

    /// Begins a transaction with these statements, and returns the number in the first column of their last row.
    pub(super) fn begin(&self, sql: &str) -> Result<Option<i64>, StoreError> {
        self.state.set(SessionState::Open);
        let messages = self.wait_for(self.client.simple_query(sql), BEGIN_TIMEOUT)?;
        Ok(messages.iter().rev().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.try_get(0).ok()??.parse().ok(),
            _ => None,
        }))
    }

    /// Sets a savepoint in the transaction.
    pub(in crate::database) fn set_savepoint(&self) -> Result<(), StoreError> {
        self.run("SAVEPOINT write")
    }

    /// Undoes what the transaction has written since the last savepoint.
    pub(in crate::database) fn roll_back_to_savepoint(&self) -> Result<(), StoreError> {
        if self.state.get() == SessionState::Unusable {
            return Err(lost_connection());
        }
        self.forget_statements_after_failure();
        self.run("ROLLBACK TO SAVEPOINT write")?;
        self.state.set(SessionState::Open);
        Ok(())
    }

    /// Commits the transaction.
    pub(super) fn commit(&self) -> Result<(), StoreError> {
        if self.state.get() != SessionState::Open {
            // The server would respond to COMMIT with a rollback, and not with an error.
            let cause = "a statement of the transaction failed".into();
            return Err(StoreError::Database { fault: None, cause });
        }
        self.end_read().map_err(|cause| match cause {
            StoreError::Database { fault: Some(StorageFault::Unreachable), cause } => unconfirmed(cause),
            other => other,
        })
    }

    /// Ends a transaction that changes nothing.
    pub(super) fn end_read(&self) -> Result<(), StoreError> {
        let has_failed = self.state.get() != SessionState::Open;
        self.run("COMMIT")?;
        if !has_failed {
            self.state.set(SessionState::Idle);
        }
        Ok(())
    }

    /// Rolls back the transaction if it is still open. Returns whether the session can be used for another transaction.
    pub(super) fn end_transaction(&self) -> bool {
        self.forget_statements_after_failure();
        if matches!(self.state.get(), SessionState::Open | SessionState::Failed)
            && self.wait_for(self.client.batch_execute("ROLLBACK"), ROLLBACK_TIMEOUT).is_ok()
        {
            self.state.set(SessionState::Idle);
        }
        self.state.get() == SessionState::Idle
    }

    /// Forgets the prepared statements if one failed, which may be because another process has changed the schema since.
    fn forget_statements_after_failure(&self) {
        if self.state.get() == SessionState::Failed {
            self.statements.borrow_mut().clear();
        }
    }

    /// Calls `visit` with each row until it returns false.
    pub(in crate::database) fn visit_rows(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
        visit: RowVisitor<'_>,
    ) -> Result<(), StoreError> {
        check_parameters(parameters)?;
        let statement = self.prepare(sql, parameters)?;
        let mut rows = pin!(self.wait(self.client.query_raw(&statement, parameters))?);
        let mut is_open = true;
        // Reads all rows: an error of the statement may follow the last one.
        while let Some(row) = self.wait(rows.try_next())? {
            is_open = is_open && visit(&Row::Postgres(&row))?;
        }
        Ok(())
    }

    /// Runs a statement and returns the number of rows that it changed.
    pub(in crate::database) fn execute(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, StoreError> {
        check_parameters(parameters)?;
        let statement = self.prepare(sql, parameters)?;
        self.wait(self.client.execute_raw(&statement, parameters))
    }

    /// Runs a statement with each list of parameters. The next ones are sent before the response to the first arrives.
    pub(in crate::database) fn execute_each(
        &self,
        sql: &str,
        lists: &[Vec<Parameter<'_>>],
    ) -> Result<u64, StoreError> {
        let Some(first) = lists.first() else { return Ok(0) };
        let statement = self.prepare(sql, first)?;
        let mut changed = 0;
        for lists in lists.chunks(PIPELINED) {
            let responses = lists.iter().map(|list| self.client.execute_raw(&statement, list));
            changed += self.wait(try_join_all(responses))?.into_iter().sum::<u64>();
        }
        Ok(changed)
    }

    /// Returns the prepared statement. Each is prepared once for each session.
    fn prepare(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Statement, StoreError> {
        if let Some(statement) = self.statements.borrow().get(sql) {
            return Ok(statement.clone());
        }
        let types: Vec<Type> = parameters.iter().map(type_of).collect();
        let statement = self.wait(self.client.prepare_typed(&to_postgres(sql), &types))?;
        let mut statements = self.statements.borrow_mut();
        if statements.len() >= MAX_STATEMENTS {
            statements.clear();
        }
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn wait<T>(
        &self,
        response: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        self.wait_for(response, RESPONSE_TIMEOUT)
    }

    fn wait_for<T>(
        &self,
        response: impl Future<Output = Result<T, tokio_postgres::Error>>,
        limit: Duration,
    ) -> Result<T, StoreError> {
        let outcome = wait(response, limit).map_or_else(|| Err(lost_connection()), |it| Ok(it?));
        if let Err(cause) = &outcome {
            self.state.set(match cause.fault() {
                Some(StorageFault::Unreachable | StorageFault::ReadOnlyServer) => SessionState::Unusable,
                _ if self.state.get() == SessionState::Unusable => SessionState::Unusable,
                _ => SessionState::Failed,
            });
        }
        outcome
    }
}

impl Drop for Session {
    /// Closes the connection at once if its state is unknown, also if the server has not responded.
    fn drop(&mut self) {
        if self.state.get() != SessionState::Idle {
            self.connection.abort();
        }
    }
}

/// Refuses texts that PostgreSQL cannot store.
fn check_parameters(parameters: &[Parameter<'_>]) -> Result<(), StoreError> {
    let has_nul = |value: &Parameter<'_>| matches!(value, Parameter::Text(Some(text)) if has_nul(text));
    if parameters.iter().any(has_nul) { Err(StoreError::Nul) } else { Ok(()) }
}

fn type_of(value: &Parameter<'_>) -> Type {
    match value {
        Parameter::Text(_) => Type::TEXT,
        Parameter::Integer(_) => Type::INT8,
        Parameter::Boolean(_) => Type::BOOL,
        Parameter::Bytes(_) => Type::BYTEA,
    }
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self, _of: &Type, out: &mut BytesMut) -> Result<IsNull, Cause> {
        match self {
            Self::Text(Some(text)) => out.put_slice(text.as_bytes()),
            Self::Integer(Some(number)) => out.put_i64(*number),
            Self::Boolean(Some(is_true)) => out.put_u8(u8::from(*is_true)),
            Self::Bytes(Some(bytes)) => out.put_slice(bytes),
            Self::Text(None) | Self::Integer(None) | Self::Boolean(None) | Self::Bytes(None) => {
                return Ok(IsNull::Yes);
            }
        }
        Ok(IsNull::No)
    }

    /// Statements are prepared with the types of their parameters.
    fn accepts(_of: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Field<'r> {
    fn from_sql(of: &Type, raw: &'r [u8]) -> Result<Self, Cause> {
        Ok(match *of {
            Type::BOOL => Self::Integer(bool::from_sql(of, raw)?.into()),
            Type::INT8 => Self::Integer(i64::from_sql(of, raw)?),
            Type::INT4 => Self::Integer(i32::from_sql(of, raw)?.into()),
            Type::BYTEA => Self::Bytes(raw),
            _ => Self::Text(str::from_utf8(raw)?),
        })
    }

    fn from_sql_null(_of: &Type) -> Result<Self, Cause> {
        Ok(Self::Null)
    }

    fn accepts(of: &Type) -> bool {
        matches!(
            *of,
            Type::BOOL | Type::INT8 | Type::INT4 | Type::BYTEA | Type::TEXT | Type::VARCHAR | Type::NAME
        )
    }
}
