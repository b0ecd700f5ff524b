//! The running program: what is built from the settings, and in which order a request passes it.

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
use crate::proxy::{Forwarding, Proxy};
use crate::{admin, console, middleware, routes, shutdown, telemetry};

/// How long a connection may be idle. Longer than client libraries pause between two polls (15 s) and than proxies keep
/// what they do not use (60 s), so that whoever asks is the one that ends it, and never asks on a connection that is
/// just being closed.
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

/// Who answers the API, ready to be given to each worker.
#[derive(Clone)]
pub enum Service {
    /// A flag service elsewhere.
    Upstream(Box<Forwarding>),
    /// The one inside.
    Embedded {
        /// Its data.
        flags: Flags,
        /// Its door; one for all workers, which count attempts to sign in together.
        access: web::Data<Access>,
    },
}

/// Why the program cannot start: a sentence for the person who started it.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// What the demo shows could not be written.
    #[error("demo: what it shows cannot be loaded: {0}")]
    Demo(crate::error::ApiError),
    /// The library cannot do it.
    #[error("tls-cert: {0}")]
    Tls(rustls::Error),
    /// There are no random numbers.
    #[error("the system has no random numbers: {0}")]
    Random(crate::error::ApiError),
    /// The users could not be read.
    #[error("data: the users cannot be read: {0}")]
    Users(crate::error::ApiError),
    /// The address.
    #[error("{setting}: cannot listen on {address}: {reason}")]
    Listen {
        /// Its setting.
        setting: &'static str,
        /// What was to be listened on.
        address: SocketAddr,
        /// Why not, and what to do.
        reason: String,
    },
}

impl App {
    /// Opens the database where there is one, and takes the port.
    ///
    /// # Errors
    /// [`StartError`], which names the setting to change.
    pub async fn build(config: Config) -> Result<Self, StartError> {
        // awc panics while it builds a TLS connector when no provider was chosen; a second choice changes nothing.
        drop(rustls::crypto::ring::default_provider().install_default());
        let service = Service::open(&config)?;
        let demo = service.demo(&config.backend).await?;
        service.check_users().await?;
        let admin = Admin {
            metrics: web::Data::new(Metrics::default()),
            takes_requests: Arc::new(AtomicBool::new(true)),
            service: service.clone(),
        };
        let (server, address) = serve(&config, &service, admin.metrics.clone())?;
        let watched = config.operation.admin.map(|address| {
            admin::listen(address, &admin).map_err(|error| StartError::Listen {
                setting: "admin-listen",
                address,
                reason: reason(&error),
            })
        });
        Ok(Self {
            server,
            address,
            base_path: config.listen.base_path,
            tls: config.listen.tls,
            admin,
            admin_server: watched.transpose()?,
            delay: config.operation.delay,
            service,
            demo,
        })
    }

    /// The port that was taken, which differs from the setting when that was 0.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The port that monitoring asks, where there is one.
    #[must_use]
    pub fn admin_port(&self) -> Option<u16> {
        self.admin_server.as_ref().map(|(_, address)| address.port())
    }

    /// Where a browser finds the console.
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
        let watching = self.admin_server.map(|(server, address)| {
            tracing::info!(%address, "monitoring is answered");
            actix_web::rt::spawn(server.map(drop))
        });
        let stop = async move {
            shutdown.await;
            tracing::info!("shutting down");
            self.admin.takes_requests.store(false, Ordering::Relaxed);
            tokio::time::sleep(self.delay).await;
            drop(end);
            handle.stop(true).await;
        };
        let deliver = async {
            if let Service::Embedded { flags, .. } = &self.service {
                // awc's client stays on one thread: this one.
                flags.deliver(ended.map(drop)).await;
            }
        };
        let demo = self.demo.map(|demo| actix_web::rt::spawn(demo.run()));
        let watching_files = match &self.service {
            Service::Embedded { flags, .. } => Some(actix_web::rt::spawn(flags.clone().watch_files())),
            Service::Upstream(_) => None,
        };
        let reading = self.tls.map(|tls| shutdown::at_each_hangup(move || read_again(&tls))).transpose()?;
        let (served, (), ()) = tokio::join!(self.server, stop, deliver);
        for task in demo.into_iter().chain(reading).chain(watching).chain(watching_files) {
            task.abort();
        }
        if let Service::Embedded { flags, .. } = &self.service {
            flags.write_usage().await.map_err(io::Error::other)?;
        }
        served
    }
}

/// Takes the port on which the console and the API are served.
fn serve(
    config: &Config,
    service: &Service,
    metrics: web::Data<Metrics>,
) -> Result<(Server, SocketAddr), StartError> {
    let settings = console::settings::of(config);
    let path = config.listen.base_path.clone();
    let site = web::Data::new(Site::new(&path, &settings));
    let settings = web::Data::new(settings);
    let (public, limits) = (web::Data::new(config.public.clone()), web::Data::new(config.limits.clone()));
    let served = service.clone();
    let base = web::Data::new(path.clone());
    let factory = move || {
        actix_web::rt::spawn(telemetry::write_in_turns());
        let app = actix_web::App::new()
            .wrap(from_fn(middleware::around))
            .app_data(site.clone())
            .app_data(settings.clone())
            .app_data(base.clone())
            .app_data(metrics.clone())
            .app_data(public.clone())
            .app_data(limits.clone());
        let app = match &served {
            // awc's client counts its references without locks: each worker has its own.
            Service::Upstream(forwarding) => app.app_data(web::Data::new(Proxy::new(forwarding))),
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
        tls: config.listen.tls.as_ref().map(ListenTls::server).transpose().map_err(StartError::Tls)?,
        limits: listener::Limits {
            keep_alive: KEEP_ALIVE,
            head_timeout: config.listen.head_timeout,
            write_timeout: config.limits.write_timeout,
            // Requests to the upstream are cancelled if their client leaves. Changes of the embedded service are completed.
            allow_half_closed: matches!(service, Service::Embedded { .. }),
        },
        shutdown_timeout: config.operation.timeout,
    };
    let fault = |error: io::Error| StartError::Listen { setting: "listen", address, reason: reason(&error) };
    listener.bind(address, factory).map_err(fault)
}

fn read_again(tls: &ListenTls) {
    match tls.read_again() {
        Ok(()) => tracing::info!("the certificate was read again"),
        Err(fault) => tracing::error!(%fault, "the certificate stays what it was"),
    }
}

impl Service {
    fn open(config: &Config) -> Result<Self, StartError> {
        let base_path = &config.listen.base_path;
        match &config.backend {
            Backend::Upstream(upstream) => Forwarding::new(upstream, base_path, &config.limits)
                .map(|forwarding| Self::Upstream(Box::new(forwarding)))
                .map_err(StartError::Random),
            Backend::Embedded(embedded) => Ok(Self::Embedded {
                flags: Flags::open(&embedded.data)?.paced(embedded.pace.clone()),
                access: web::Data::new(Access::new(&embedded.auth, base_path)),
            }),
        }
    }

    /// Tells whoever started the program what to do next where nobody could sign in.
    async fn check_users(&self) -> Result<(), StartError> {
        if let Self::Embedded { flags, access } = self
            && access.lacks_users(flags).await.map_err(StartError::Users)?
        {
            tracing::warn!("nobody can sign in yet; add a user with: flagdeck user add NAME");
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

/// Why an address cannot be listened on, and what to do.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "another program uses it; end that one or choose another port".to_owned(),
        io::ErrorKind::PermissionDenied => "this user may not; choose a port above 1023".to_owned(),
        io::ErrorKind::AddrNotAvailable => "this machine has no such address".to_owned(),
        _ => error.to_string(),
    }
}
