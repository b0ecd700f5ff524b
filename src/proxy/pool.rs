//! Connections to the upstream that are kept from one request to the next, for one worker.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use awc::error::{ConnectError, SendRequestError};
use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connection::{Dialler, Link};
use crate::config::Upstream;

/// The idle connections of one worker, and the permits that limit how many are in use.
pub(super) struct Pool {
    dialler: Dialler,
    /// In the order in which they were last used.
    idle: RefCell<VecDeque<(Link, Instant)>>,
    longest_idle: Duration,
    connect_timeout: Duration,
    idle_timeout: Duration,
    /// How long a request waits for a permit.
    longest_wait: Duration,
    permits: Arc<Semaphore>,
    /// Permits that requests need in addition while their bodies are still arriving. At most half of the connections
    /// are theirs: clients that send slowly cannot occupy the others.
    upload_permits: Arc<Semaphore>,
}

/// Why there is no connection for a request.
pub(super) enum LeaseError {
    /// All permits are in use, and none was returned in time.
    Busy,
    /// The upstream cannot be reached.
    Connect(SendRequestError),
}

impl From<ConnectError> for LeaseError {
    fn from(error: ConnectError) -> Self {
        Self::Connect(error.into())
    }
}

/// A connection for one request; it ends unless it is given back.
pub(super) struct Lease {
    pub(super) link: Link,
    /// Whether it was kept from an earlier request.
    pub(super) is_kept: bool,
    pool: Rc<Pool>,
    _permit: OwnedSemaphorePermit,
    upload_permit: Option<OwnedSemaphorePermit>,
}

impl Pool {
    /// Connects to nothing yet.
    pub(super) fn new(upstream: &Upstream) -> Self {
        Self {
            dialler: Dialler::new(upstream),
            idle: RefCell::default(),
            longest_idle: upstream.pool_idle,
            connect_timeout: upstream.connect_timeout,
            idle_timeout: upstream.idle_timeout,
            longest_wait: upstream.pool_wait,
            permits: Arc::new(Semaphore::new(upstream.pool_size)),
            upload_permits: Arc::new(Semaphore::new(upstream.pool_size.div_ceil(2))),
        }
    }

    /// Leases the connection that was used last, or a new one. `is_arriving` is true for a request whose body has not
    /// arrived completely.
    ///
    /// # Errors
    /// When all connections are in use, or the upstream cannot be reached.
    pub(super) async fn lease(self: &Rc<Self>, is_arriving: bool) -> Result<Lease, LeaseError> {
        let upload_permit = if is_arriving { Some(self.permit(&self.upload_permits).await?) } else { None };
        let permit = self.permit(&self.permits).await?;
        let (link, is_kept) = if let Some(link) = self.kept() {
            (link, true)
        } else {
            // On the heap, because most requests need none of it and each would carry it.
            let dialled = Box::pin(self.dialler.dial());
            let dialled = tokio::time::timeout(self.connect_timeout, dialled).await;
            (dialled.map_err(|_elapsed| ConnectError::Timeout)?.map_err(ConnectError::from)?, false)
        };
        Ok(Lease { link, is_kept, pool: Rc::clone(self), _permit: permit, upload_permit })
    }

    /// Takes a permit, in the order of the requests.
    async fn permit(&self, permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, LeaseError> {
        if let Ok(permit) = Arc::clone(permits).try_acquire_owned() {
            return Ok(permit);
        }
        // On the heap, because most requests do not wait and each would carry it.
        let free = tokio::time::timeout(self.longest_wait, Arc::clone(permits).acquire_owned());
        let free = Box::pin(free).await;
        free.ok().and_then(Result::ok).ok_or(LeaseError::Busy)
    }

    fn kept(&self) -> Option<Link> {
        let mut idle = self.idle.borrow_mut();
        while idle.front().is_some_and(|(_, since)| since.elapsed() >= self.longest_idle) {
            idle.pop_front();
        }
        loop {
            let (mut link, _) = idle.pop_back()?;
            if is_quiet(&mut link) {
                return Some(link);
            }
        }
    }
}

/// Whether nothing came since its last answer: neither an end nor what nobody asked for.
fn is_quiet(link: &mut Link) -> bool {
    let mut byte = [0];
    let mut cx = Context::from_waker(Waker::noop());
    Pin::new(link).poll_read(&mut cx, &mut ReadBuf::new(&mut byte)).is_pending()
}

impl Lease {
    /// How long the upstream may pause in the middle of an answer.
    pub(super) fn idle_timeout(&self) -> Duration {
        self.pool.idle_timeout
    }

    /// Returns the upload permit: the whole body has arrived and was sent.
    pub(super) fn end_upload(&mut self) {
        self.upload_permit = None;
    }

    /// Gives it back for the next request.
    pub(super) fn release(self) {
        self.pool.idle.borrow_mut().push_back((self.link, Instant::now()));
    }
}
