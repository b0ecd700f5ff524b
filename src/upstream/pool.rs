//! Connection pool of one worker: keeps connections to the upstream open between requests.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connector::{Connector, UpstreamStream};
use super::error::ExchangeError;
use crate::config::Upstream;

/// The idle connections of one worker, and the permits that limit the number of connections in use.
pub(super) struct Pool {
    connector: Connector,
    /// The most recently used connection is last.
    idle: RefCell<VecDeque<(UpstreamStream, Instant)>>,
    max_idle: Duration,
    connect_timeout: Duration,
    idle_timeout: Duration,
    /// Maximum time that a request waits for a permit.
    max_wait: Duration,
    permits: Arc<Semaphore>,
    /// Additional permits for requests whose bodies are still arriving. They cover at most half of the connections, so
    /// that slow clients cannot occupy all of them.
    upload_permits: Arc<Semaphore>,
}

/// A connection for one request. Dropping it closes the connection, [`Lease::release`] returns it to the pool.
pub(super) struct Lease {
    pub(super) stream: UpstreamStream,
    /// True if an earlier request used the connection.
    pub(super) is_reused: bool,
    pool: Rc<Pool>,
    _permit: OwnedSemaphorePermit,
    upload_permit: Option<OwnedSemaphorePermit>,
}

impl Pool {
    /// Creates an empty pool.
    pub(super) fn new(upstream: &Upstream) -> Self {
        Self {
            connector: Connector::new(upstream),
            idle: RefCell::default(),
            max_idle: upstream.pool_idle,
            connect_timeout: upstream.connect_timeout,
            idle_timeout: upstream.idle_timeout,
            max_wait: upstream.pool_wait,
            permits: Arc::new(Semaphore::new(upstream.pool_size)),
            upload_permits: Arc::new(Semaphore::new(upstream.pool_size.div_ceil(2))),
        }
    }

    /// Leases the most recently used idle connection, or opens a new one. `is_arriving` is true for a request whose
    /// body has not arrived completely.
    ///
    /// # Errors
    /// If all connections are in use, or the upstream cannot be reached.
    pub(super) async fn lease(self: &Rc<Self>, is_arriving: bool) -> Result<Lease, ExchangeError> {
        let upload_permit = if is_arriving { Some(self.acquire(&self.upload_permits).await?) } else { None };
        let permit = self.acquire(&self.permits).await?;
        let (stream, is_reused) = if let Some(stream) = self.take_idle() {
            (stream, true)
        } else {
            // Boxed, because otherwise this future would enlarge that of every request, and most reuse a connection.
            let connecting = Box::pin(self.connector.connect());
            let connecting = tokio::time::timeout(self.connect_timeout, connecting).await;
            (connecting.map_err(|_elapsed| ExchangeError::ConnectTimeout)??, false)
        };
        Ok(Lease { stream, is_reused, pool: Rc::clone(self), _permit: permit, upload_permit })
    }

    /// Acquires a permit. Waiting requests get permits in order of arrival.
    async fn acquire(&self, permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ExchangeError> {
        if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
            return Ok(permit);
        }
        // Boxed, because otherwise this future would enlarge that of every request, and most do not wait.
        let free = tokio::time::timeout(self.max_wait, Arc::clone(permits).acquire_owned());
        let free = Box::pin(free).await;
        free.ok().and_then(Result::ok).ok_or(ExchangeError::PoolTimeout)
    }

    fn take_idle(&self) -> Option<UpstreamStream> {
        let mut idle = self.idle.borrow_mut();
        while idle.front().is_some_and(|(_, since)| since.elapsed() >= self.max_idle) {
            idle.pop_front();
        }
        loop {
            let (mut stream, _) = idle.pop_back()?;
            if is_reusable(&mut stream) {
                return Some(stream);
            }
        }
    }
}

/// Returns true if nothing has arrived since the last response: neither the end of the connection nor unexpected bytes.
fn is_reusable(stream: &mut UpstreamStream) -> bool {
    let mut byte = [0];
    let mut cx = Context::from_waker(Waker::noop());
    Pin::new(stream).poll_read(&mut cx, &mut ReadBuf::new(&mut byte)).is_pending()
}

impl Lease {
    /// Maximum time between two parts of a response body.
    pub(super) fn idle_timeout(&self) -> Duration {
        self.pool.idle_timeout
    }

    /// Returns the upload permit early: the whole body has arrived and has been sent.
    pub(super) fn end_upload(&mut self) {
        self.upload_permit = None;
    }

    /// Returns the connection to the pool.
    pub(super) fn release(self) {
        self.pool.idle.borrow_mut().push_back((self.stream, Instant::now()));
    }
}
