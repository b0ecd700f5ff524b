//! Connection pool of one worker: keeps connections to the upstream open between requests.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connector::{Connector, UpstreamStream};
use super::error::ExchangeError;
use crate::config::Upstream;

/// The idle connections of one worker, and the permits that limit the number of connections in use.
pub(super) struct Pool {
    connector: Connector,
    /// The most recently used connection is last.
    idle: RefCell<VecDeque<(UpstreamStream, Instant)>>,
    max_idle: Duration,
    /// True while a task closes idle connections.
    is_reaping: Cell<bool>,
    connect_timeout: Duration,
    idle_timeout: Duration,
    /// Maximum time that a request waits for its permits.
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
            is_reaping: Cell::default(),
            connect_timeout: upstream.connect_timeout,
            idle_timeout: upstream.idle_timeout,
            permits: Arc::new(Semaphore::new(upstream.pool_size)),
            upload_permits: Arc::new(Semaphore::new(upstream.pool_size.div_ceil(2))),
        }
    }

    /// Leases the most recently used idle connection, or opens a new one. `is_arriving` is true for a request whose
    /// body has not arrived completely.
    pub(super) async fn lease(self: &Rc<Self>, is_arriving: bool) -> Result<Lease, ExchangeError> {
        let deadline = Instant::now() + self.connect_timeout;
        let upload_permit =
            if is_arriving { Some(acquire(&self.upload_permits, deadline).await?) } else { None };
        let permit = acquire(&self.permits, deadline).await?;
        let (stream, is_reused) = if let Some(stream) = self.take_idle() {
            (stream, true)
        } else {
            // Boxed, because otherwise this future would enlarge the future of every request, and most reuse a connection.
            let connecting = Box::pin(self.connector.connect());
            let connecting = tokio::time::timeout(self.connect_timeout, connecting).await;
            (connecting.map_err(|_elapsed| ExchangeError::ConnectTimeout)??, false)
        };
        Ok(Lease { stream, is_reused, pool: Rc::clone(self), _permit: permit, upload_permit })
    }

    fn take_idle(&self) -> Option<UpstreamStream> {
        // The task that closes idle connections may be late.
        self.close_expired();
        loop {
            let (mut stream, _) = self.idle.borrow_mut().pop_back()?;
            if is_reusable(&mut stream) {
                return Some(stream);
            }
        }
    }

    /// Closes the connections that have been idle for too long. Returns the time when the next one expires; `None` if there
    /// are no idle connections.
    fn close_expired(&self) -> Option<Instant> {
        let (now, mut idle) = (Instant::now(), self.idle.borrow_mut());
        loop {
            let expiry = idle.front().map(|(_, since)| *since + self.max_idle)?;
            if expiry > now {
                return Some(expiry);
            }
            idle.pop_front();
        }
    }

    /// Closes idle connections when they expire, also if no request follows. The task ends when there are none.
    fn start_reaping(self: &Rc<Self>) {
        if self.is_reaping.replace(true) {
            return;
        }
        let pool = Rc::downgrade(self);
        actix_web::rt::spawn(async move {
            while let Some(pool) = pool.upgrade() {
                let expiry = pool.close_expired();
                pool.is_reaping.set(expiry.is_some());
                drop(pool);
                let Some(expiry) = expiry else { break };
                sleep_until(expiry).await;
            }
        });
    }
}

/// Acquires a permit until the deadline. Waiting requests get permits in order of arrival.
async fn acquire(permits: &Arc<Semaphore>, deadline: Instant) -> Result<OwnedSemaphorePermit, ExchangeError> {
    if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
        return Ok(permit);
    }
    // Boxed, because otherwise this future would enlarge the future of every request, and most do not wait.
    let free = Box::pin(timeout_at(deadline, Arc::clone(permits).acquire_owned())).await;
    free.ok().and_then(Result::ok).ok_or(ExchangeError::PoolTimeout)
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
        self.pool.start_reaping();
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;
    use tokio::time::{Instant, pause, sleep, timeout};

    use super::Pool;
    use crate::config::{Settings, Upstream};
    use crate::upstream::error::ExchangeError;

    /// Returns a pool with one connection, and the upstream.
    async fn start() -> (Rc<Pool>, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let upstream = Upstream::for_url(&Settings::default(), &url).unwrap();
        (Rc::new(Pool::new(&Upstream { pool_size: 1, ..upstream })), listener)
    }

    #[actix_web::test]
    async fn upload_waits_for_both_permits_until_one_deadline() {
        let (pool, _upstream) = start().await;
        let mut upload = pool.lease(true).await.unwrap();
        pause();
        let begin = Instant::now();
        let (next, ()) = tokio::join!(pool.lease(true), async {
            sleep(Duration::from_secs(4)).await;
            upload.end_upload();
        });
        assert!(matches!(next, Err(ExchangeError::PoolTimeout)));
        assert_eq!(begin.elapsed().as_secs(), 5);
    }

    #[actix_web::test]
    async fn idle_connections_are_closed_without_another_request() {
        let (pool, upstream) = start().await;
        for _ in 0..2 {
            let lease = pool.lease(false).await.unwrap();
            let (mut peer, _) = upstream.accept().await.unwrap();
            pause();
            lease.release();
            let end = timeout(Duration::from_hours(1), peer.read(&mut [0])).await;
            assert_eq!(end.expect("the connection is still open").unwrap(), 0);
            assert!(pool.idle.borrow().is_empty() && !pool.is_reaping.get());
            tokio::time::resume();
        }
    }
}
