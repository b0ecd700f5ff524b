//! Builds and runs the server: opens the backend, binds the listeners and composes the middleware and the routes.

use std::cell::RefCell;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{Next, from_fn};
use actix_web::web;
use futures_util::FutureExt as _;
use futures_util::future::OptionFuture;
use tokio::sync::oneshot;

use crate::admin::Admin;
use crate::assets::Site;
use crate::backend::{Backend, BackendError};
use crate::config::{BasePath, Config, ConfigError, Definitions, ListenTls, Operation};
use crate::console::evaluation::Evaluations;
use crate::database::KeptDatabase;
use crate::flags::demo::Demo;
use crate::hold::{self, HoldWebhook};
use crate::journal::{Journal, JournalError};
use crate::listener::{self, Listener, bind_error_reason};
use crate::metrics::Metrics;
use crate::recorder::Recorder;
use crate::{admin, console, middleware, routes, shutdown, telemetry};

/// Keep-alive timeout. It exceeds the polling interval of client libraries (15 s) and the keep-alive timeout of proxies
/// (60 s), so that the client closes the connection. Otherwise a request could be sent while the server closes it.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// Maximum time in which event streams are closed during the shutdown, in random order: their clients then do not all
/// reconnect to another instance at the same time.
const MAX_CLOSING_TIME: Duration = Duration::from_secs(5);

/// A server that is bound and not yet running.
pub struct App {
    server: Server,
    address: SocketAddr,
    base_path: BasePath,
    tls: Option<Arc<ListenTls>>,
    admin: Admin,
    admin_server: Option<(Server, SocketAddr)>,
    operation: Operation,
    backend: Backend,
    journal: Option<Journal>,
    recorder: Option<Recorder>,
    demo: Option<Demo>,
    hold_webhook: Option<HoldWebhook>,
}

/// The reasons why the program cannot start. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The backend cannot start.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The journal cannot be opened.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The flight recorder cannot be started.
    #[error("recorder: its thread cannot be started: {0}")]
    Recorder(io::Error),
    /// The TLS configuration cannot be used.
    #[error("tls-cert: {0}")]
    Tls(rustls::Error),
    /// An address cannot be bound.
    #[error("{setting}: cannot listen on {address}: {reason}")]
    Listen {
        /// Name of the setting.
        setting: &'static str,
        /// The address.
        address: SocketAddr,
        /// Cause and remedy.
        reason: String,
    },
}

impl App {
    /// Opens the backend and binds the ports.
    ///
    /// # Errors
    /// [`StartError`], which names the setting to change.
    pub async fn build(config: Config) -> Result<Self, StartError> {
        // awc 3.11 panics while it builds a TLS connector if no provider is installed. A second installation has no effect.
        drop(rustls::crypto::ring::default_provider().install_default());
        let kept = config.kept.as_ref().map(KeptDatabase::new);
        let start = |(settings, kept)| Recorder::start(settings, KeptDatabase::clone(kept));
        let recorder = config.recorder.as_ref().zip(kept.as_ref()).map(start);
        let recorder = recorder.transpose().map_err(StartError::Recorder)?;
        let backend = Backend::open(&config, recorder.as_ref(), kept)?;
        let journal = config.journal.as_ref().map(Journal::open).transpose()?;
        let demo = backend.prepare().await?;
        let mut metrics = backend.add_metrics(Metrics::default());
        if let Some(journal) = &journal {
            metrics = metrics.with_journal(journal.metrics());
        }
        if let Some(recorder) = &recorder {
            metrics = metrics.with_recorder(recorder.metrics());
        }
        let admin = Admin {
            metrics: web::Data::new(metrics),
            is_ready: Arc::new(AtomicBool::new(true)),
            backend: backend.clone(),
            journal: journal.clone(),
        };
        let hold_webhook = config.hold.webhook.as_ref().zip(backend.holds());
        let hold_webhook =
            hold_webhook.map(|(settings, holds)| HoldWebhook::new(settings, &config.deployment, holds));
        let (server, address) = bind(&config, &backend, recorder.as_ref(), &admin)?;
        let admin_server = config.operation.admin.map(|address| {
            admin::listen(address, &admin).map_err(|error| StartError::Listen {
                setting: "admin-listen",
                address,
                reason: bind_error_reason(&error),
            })
        });
        Ok(Self {
            server,
            address,
            base_path: config.listen.base_path,
            tls: config.listen.tls,
            admin,
            admin_server: admin_server.transpose()?,
            operation: config.operation,
            backend,
            journal,
            recorder,
            demo,
            hold_webhook,
        })
    }

    /// Returns the bound port, which differs from the setting if that is 0.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the bound port for monitoring; `None` without `--admin-listen`.
    #[must_use]
    pub fn admin_port(&self) -> Option<u16> {
        self.admin_server.as_ref().map(|(_, address)| address.port())
    }

    /// Returns the URL of the console.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}{}/", self.address, self.base_path.as_str())
    }

    /// Serves until `shutdown` is done, then lets running requests end.
    ///
    /// # Errors
    /// Faults of the listening socket, the end of the server before `shutdown`, and faults of the database when the last
    /// reports cannot be written.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> io::Result<()> {
        let (handle, backend) = (self.server.handle(), self.backend.clone());
        let (end, ended) = oneshot::channel::<Infallible>();
        let monitoring = self.admin_server.map(|(server, address)| {
            tracing::info!(%address, "monitoring is ready");
            actix_web::rt::spawn(server.map(drop))
        });
        let (running, failed) = oneshot::channel::<Infallible>();
        let serve = async move {
            let served = self.server.await;
            drop(running);
            served
        };
        let stop = async move {
            let is_requested = tokio::select! {
                () = shutdown => true,
                _ = failed => false,
            };
            self.admin.is_ready.store(false, Ordering::Relaxed);
            tracing::info!("shutting down");
            if is_requested {
                tokio::time::sleep(self.operation.delay).await;
            }
            drop(end);
            // Half of the time for requests in flight, so that slow clients do not prolong the shutdown.
            let period = (self.operation.timeout / 2).min(MAX_CLOSING_TIME);
            tokio::join!(handle.stop(true), backend.close_streams(period));
            is_requested
        };
        let ended = ended.map(drop).shared();
        let deliver = self.backend.deliver(ended.clone());
        let announce = OptionFuture::from(self.hold_webhook.map(|webhook| webhook.run(ended)));
        let demo = self.demo.map(|demo| actix_web::rt::spawn(demo.run()));
        let tasks = self.backend.spawn_tasks();
        let recorder = self.journal.as_ref().map(|journal| {
            actix_web::rt::spawn(self.backend.clone().record_checkpoints(journal.checkpoints()))
        });
        let (tls, journal) = (self.tls, self.journal.clone());
        let reloader = shutdown::on_hangup(move || {
            if let Some(tls) = &tls {
                reload_certificate(tls);
            }
            if let Some(journal) = &journal {
                journal.reopen();
            }
            if tls.is_none() && journal.is_none() {
                tracing::info!("SIGHUP is ignored, because there is no certificate to reload");
            }
        })?;
        let (served, is_requested, (), _) = tokio::join!(serve, stop, deliver, announce);
        for task in demo.into_iter().chain(monitoring).chain(recorder).chain([reloader]).chain(tasks) {
            task.abort();
        }
        let flushed = self.backend.flush().await;
        if let Some(recorder) = self.recorder {
            recorder.close().await;
        }
        // Last, because its disk may not respond.
        if let Some(journal) = self.journal {
            close_journal(journal, &self.backend).await;
        }
        self.backend.close().await;
        flushed.map_err(io::Error::other)?;
        served?;
        if is_requested {
            Ok(())
        } else {
            Err(io::Error::other("the server ended without a request to stop"))
        }
    }
}

/// Writes the last checkpoint, and queues it for addons: the next start delivers it.
async fn close_journal(journal: Journal, backend: &Backend) {
    let checkpoints = journal.checkpoints();
    journal.close().await;
    let last = checkpoints.borrow().clone();
    if let Err(cause) = backend.record_checkpoint(last).await {
        tracing::error!(%cause, "the last checkpoint of the journal cannot be queued for addons");
    }
}

/// Binds the port of the console and the API.
fn bind(
    config: &Config,
    backend: &Backend,
    recorder: Option<&Recorder>,
    admin: &Admin,
) -> Result<(Server, SocketAddr), StartError> {
    let settings = console::settings::from_config(config);
    let path = config.listen.base_path.clone();
    let site = web::Data::new(Site::new(&path, &settings));
    let settings = web::Data::new(settings);
    let evaluations = web::Data::new(Evaluations::new(recorder.cloned(), backend.holds().cloned()));
    let (public, limits) = (config.public.clone(), config.limits.clone());
    let (metrics, is_ready) = (admin.metrics.clone(), Arc::clone(&admin.is_ready));
    let journal = admin.journal.clone();
    let (served, recorder) = (backend.clone(), recorder.cloned());
    let (edge, probed) = (config.edge.clone(), web::Data::new(admin.clone()));
    let overridden = config.backend.definitions().map(Definitions::overridden);
    let overridden = overridden.and_then(|names| hold::list_names(&names));
    let was_healthy = web::Data::<routes::WasHealthy>::default();
    let factory = move || {
        actix_web::rt::spawn(telemetry::flush_log_buffer());
        let state = Rc::new(middleware::MiddlewareState {
            public: public.clone(),
            limits: limits.clone(),
            base_path: path.clone(),
            journal: journal.clone(),
            metrics: metrics.clone(),
            is_ready: Arc::clone(&is_ready),
            overridden: overridden.clone(),
            accepted_host: RefCell::default(),
        });
        actix_web::App::new()
            .wrap(from_fn(move |request, next: Next<_>| middleware::apply(Rc::clone(&state), request, next)))
            .app_data(site.clone())
            .app_data(settings.clone())
            .app_data(evaluations.clone())
            .app_data(web::Data::new(path.clone()))
            .app_data(web::Data::new(public.clone()))
            .configure(|services| match &edge {
                Some(edge) => {
                    services.app_data(probed.clone()).app_data(was_healthy.clone());
                    routes::configure_edge(services, &path, &served, edge);
                }
                None => routes::configure(services, &path, &served, journal.as_ref(), recorder.as_ref()),
            })
    };
    let address = config.listen.address;
    let workers = config.listen.workers.or_else(|| available_parallelism().ok().map(NonZero::get));
    let listener = Listener {
        workers: workers.unwrap_or(1),
        tls: config.listen.tls.as_ref().map(ListenTls::server_config).transpose().map_err(StartError::Tls)?,
        limits: listener::ConnectionLimits {
            keep_alive: KEEP_ALIVE,
            head_timeout: config.listen.head_timeout,
            write_timeout: config.limits.write_timeout,
            allow_half_closed: backend.completes_requests(),
        },
        shutdown_timeout: config.operation.timeout,
    };
    let fault = |error: io::Error| StartError::Listen {
        setting: "listen",
        address,
        reason: bind_error_reason(&error),
    };
    listener.bind(address, factory).map_err(fault)
}

fn reload_certificate(tls: &ListenTls) {
    match tls.reload() {
        Ok(()) => tracing::info!("the certificate was reloaded"),
        Err(fault) => {
            tracing::error!(%fault, "the certificate cannot be reloaded; the previous one stays in use");
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::App;
    use crate::cli::Arguments;
    use crate::config::Config;

    #[actix_web::test]
    async fn end_of_the_server_ends_the_program_with_an_error() {
        let arguments = Arguments::parse_from(["flagdeck", "--data", ":memory:", "--listen", "127.0.0.1:0"]);
        let config = Config::resolve(None, &arguments.settings, []).unwrap();
        let app = App::build(config).await.unwrap();
        let server = app.server.handle();
        let running = actix_web::rt::spawn(app.run_until(std::future::pending()));
        server.stop(true).await;
        let fault = running.await.unwrap().unwrap_err();
        assert!(fault.to_string().contains("without a request to stop"), "{fault}");
    }
}
