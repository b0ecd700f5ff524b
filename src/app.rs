//! Builds and runs the server: opens the backend, binds the listeners and composes the middleware and the routes.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web;
use futures_util::FutureExt as _;
use tokio::sync::oneshot;

use crate::admin::Admin;
use crate::assets::Site;
use crate::config::{Backend, BasePath, Config, ConfigError, Embedded, ListenTls};
use crate::flags::auth::Access;
use crate::flags::demo::Demo;
use crate::flags::{Flags, OpenError};
use crate::listener::{self, Listener};
use crate::metrics::Metrics;
use crate::proxy::{Proxy, ProxyState};
use crate::{admin, console, middleware, routes, shutdown, telemetry};

/// Keep-alive timeout. It exceeds the polling interval of client libraries (15 s) and the keep-alive timeout of proxies
/// (60 s), so that the client closes the connection. Otherwise a request could be sent while the server closes it.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// A server that is bound and not yet running.
pub struct App {
    server: Server,
    address: SocketAddr,
    base_path: BasePath,
    tls: Option<Arc<ListenTls>>,
    admin: Admin,
    admin_server: Option<(Server, SocketAddr)>,
    delay: Duration,
    service: Service,
    demo: Option<Demo>,
}

/// The backend of the API, which is cloned for each worker.
#[derive(Clone)]
pub enum Service {
    /// An upstream flag service.
    Upstream(Box<ProxyState>),
    /// The embedded flag service.
    Embedded {
        /// The service.
        flags: Flags,
        /// Access control; shared by all workers, so that sign-in attempts are counted together.
        access: web::Data<Access>,
    },
}

/// The reasons why the program cannot start. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings are invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database cannot be opened.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// The data of the demo cannot be written.
    #[error("demo: the demo data cannot be written: {0}")]
    Demo(crate::error::ApiError),
    /// The TLS configuration cannot be used.
    #[error("tls-cert: {0}")]
    Tls(rustls::Error),
    /// The system provides no random numbers.
    #[error("the system provides no random numbers: {0}")]
    Random(crate::error::ApiError),
    /// The users cannot be read.
    #[error("data: the users cannot be read: {0}")]
    Users(crate::error::ApiError),
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
        // awc panics while it builds a TLS connector if no provider is installed. A second installation has no effect.
        drop(rustls::crypto::ring::default_provider().install_default());
        let service = Service::open(&config)?;
        let demo = service.demo(&config.backend).await?;
        service.check_users().await?;
        let admin = Admin {
            metrics: web::Data::new(Metrics::default()),
            is_ready: Arc::new(AtomicBool::new(true)),
            service: service.clone(),
        };
        let (server, address) = bind(&config, &service, admin.metrics.clone())?;
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
            delay: config.operation.delay,
            service,
            demo,
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
    /// Faults of the listening socket, and of the database when the last reports cannot be written.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> io::Result<()> {
        let handle = self.server.handle();
        let (end, ended) = oneshot::channel::<Infallible>();
        let monitoring = self.admin_server.map(|(server, address)| {
            tracing::info!(%address, "monitoring is ready");
            actix_web::rt::spawn(server.map(drop))
        });
        let stop = async move {
            shutdown.await;
            tracing::info!("shutting down");
            self.admin.is_ready.store(false, Ordering::Relaxed);
            tokio::time::sleep(self.delay).await;
            drop(end);
            handle.stop(true).await;
        };
        let deliver = async {
            if let Service::Embedded { flags, .. } = &self.service {
                // The awc client cannot move to another thread.
                flags.deliver(ended.map(drop)).await;
            }
        };
        let demo = self.demo.map(|demo| actix_web::rt::spawn(demo.run()));
        let file_watcher = match &self.service {
            Service::Embedded { flags, .. } => Some(actix_web::rt::spawn(flags.clone().watch_files())),
            Service::Upstream(_) => None,
        };
        let reloader =
            self.tls.map(|tls| shutdown::on_hangup(move || reload_certificate(&tls))).transpose()?;
        let (served, (), ()) = tokio::join!(self.server, stop, deliver);
        for task in demo.into_iter().chain(reloader).chain(monitoring).chain(file_watcher) {
            task.abort();
        }
        if let Service::Embedded { flags, .. } = &self.service {
            flags.write_usage().await.map_err(io::Error::other)?;
        }
        served
    }
}

/// Binds the port of the console and the API.
fn bind(
    config: &Config,
    service: &Service,
    metrics: web::Data<Metrics>,
) -> Result<(Server, SocketAddr), StartError> {
    let settings = console::settings::from_config(config);
    let path = config.listen.base_path.clone();
    let site = web::Data::new(Site::new(&path, &settings));
    let settings = web::Data::new(settings);
    let (public, limits) = (web::Data::new(config.public.clone()), web::Data::new(config.limits.clone()));
    let served = service.clone();
    let base = web::Data::new(path.clone());
    let factory = move || {
        actix_web::rt::spawn(telemetry::flush_log_buffer());
        let app = actix_web::App::new()
            .wrap(from_fn(middleware::apply))
            .app_data(site.clone())
            .app_data(settings.clone())
            .app_data(base.clone())
            .app_data(metrics.clone())
            .app_data(public.clone())
            .app_data(limits.clone());
        let app = match &served {
            // Each worker has its own connection pool, which needs no locks.
            Service::Upstream(state) => app.app_data(web::Data::new(Proxy::new(state))),
            Service::Embedded { flags, access } => {
                app.app_data(web::Data::new(flags.clone())).app_data(access.clone())
            }
        };
        app.configure(|services| routes::configure(services, &path, &served))
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
            // Forwarded requests are cancelled if the client disconnects. Changes of the embedded service are completed.
            allow_half_closed: matches!(service, Service::Embedded { .. }),
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

impl Service {
    fn open(config: &Config) -> Result<Self, StartError> {
        let base_path = &config.listen.base_path;
        match &config.backend {
            Backend::Upstream(upstream) => ProxyState::new(upstream, base_path, &config.limits)
                .map(|state| Self::Upstream(Box::new(state)))
                .map_err(StartError::Random),
            Backend::Embedded(embedded) => Ok(Self::Embedded {
                flags: Flags::open(&embedded.data)?.with_retry_policy(embedded.retry_policy.clone()),
                access: web::Data::new(Access::new(&embedded.auth, base_path)),
            }),
        }
    }

    /// Warns if sign-in is required and there are no users.
    async fn check_users(&self) -> Result<(), StartError> {
        if let Self::Embedded { flags, access } = self
            && access.has_no_users(flags).await.map_err(StartError::Users)?
        {
            tracing::warn!("there are no users who can sign in; add one with: flagdeck user add NAME");
        }
        Ok(())
    }

    async fn demo(&self, backend: &Backend) -> Result<Option<Demo>, StartError> {
        match (self, backend) {
            (Self::Embedded { flags, .. }, Backend::Embedded(Embedded { demo: true, .. })) => {
                Demo::prepare(flags).await.map(Some).map_err(StartError::Demo)
            }
            _ => Ok(None),
        }
    }
}

/// Describes why an address cannot be bound, with the remedy.
pub(crate) fn bind_error_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program uses it; stop that program or choose another port".to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "this user lacks the permission; choose a port above 1023".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => {
            "this machine has no such address; choose one of its own".to_owned()
        }
        _ => error.to_string(),
    }
}
