//! The app, started in this process on a free port, with an HTTP client for it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use clap::Parser as _;
use flagdeck::app::App;
use flagdeck::cli::Arguments;
use flagdeck::config::{BackendSettings, Config, EdgeMode, EdgeValues, Upstream};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::authority::Authority;
use super::engine::with_engine;

/// Maximum time of a request, also on a busy machine. The default of 5 s is too short for requests that take 2 s of CPU.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// A running app. Dropping this value does not stop it.
pub struct TestApp {
    pub port: u16,
    /// The port of the monitoring listener.
    pub admin_port: Option<u16>,
    scheme: &'static str,
    client: awc::Client,
    /// The stop signal and the server task. `None` if the server runs in another process.
    running: Option<(oneshot::Sender<()>, JoinHandle<io::Result<()>>)>,
}

/// A complete response.
pub struct Response {
    pub status: StatusCode,
    pub headers: awc::http::header::HeaderMap,
    pub body: String,
}

/// Returns the settings of the upstream, to change constants of its client.
pub fn upstream_of(config: &mut Config) -> &mut Upstream {
    match &mut config.backend {
        BackendSettings::Upstream(upstream) => upstream,
        BackendSettings::Embedded(_) => panic!("no upstream"),
    }
}

impl TestApp {
    /// Starts the embedded flag service in memory.
    pub async fn embedded() -> Self {
        Self::with(&["--data", ":memory:"]).await
    }

    /// Starts the proxy for an upstream.
    pub async fn beside(upstream: &str) -> Self {
        Self::with(&["--upstream", upstream]).await
    }

    /// Starts the app with these arguments.
    pub async fn with(arguments: &[&str]) -> Self {
        Self::adjusted(arguments, |_| {}).await
    }

    /// Starts the app with this number of workers.
    pub async fn with_workers(workers: usize, arguments: &[&str]) -> Self {
        Self::adjusted(arguments, |config| config.listen.workers = Some(workers)).await
    }

    /// Starts the app with a configuration that `adjust` changes.
    pub async fn adjusted(arguments: &[&str], adjust: impl FnOnce(&mut Config)) -> Self {
        let own = ["flagdeck", "--log-level", "off"];
        let free_port = ["--listen", "127.0.0.1:0"];
        let own = own.iter().chain(if arguments.contains(&"--listen") { &[][..] } else { &free_port });
        let arguments: Vec<_> = own.chain(arguments).copied().collect();
        let arguments = Arguments::parse_from(with_engine(&arguments));
        let mut config = Config::resolve(arguments.config.as_deref(), &arguments.settings, []).unwrap();
        adjust(&mut config);
        Self::run(config).await
    }

    /// Starts `flagdeck edge` on a free port of the loopback address with these variables of Edge, and changes its configuration.
    pub async fn edge(variables: &[(&str, &str)], adjust: impl FnOnce(&mut Config)) -> Self {
        Self::in_mode(EdgeMode::Online, variables, adjust).await
    }

    /// Starts `flagdeck offline` in the same way.
    pub async fn offline(variables: &[(&str, &str)]) -> Self {
        Self::in_mode(EdgeMode::Offline, variables, |_| {}).await
    }

    async fn in_mode(mode: EdgeMode, variables: &[(&str, &str)], adjust: impl FnOnce(&mut Config)) -> Self {
        let own = [("INTERFACE", "127.0.0.1"), ("PORT", "0")];
        let variables =
            own.iter().chain(variables).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut config = Config::resolve_edge(mode, EdgeValues::new(), variables).unwrap();
        adjust(&mut config);
        Self::run(config).await
    }

    async fn run(config: Config) -> Self {
        let app = App::build(config).await.unwrap();
        let (port, admin_port) = (app.port(), app.admin_port());
        let (end, ended) = oneshot::channel();
        let running = actix_web::rt::spawn(app.run_until(async {
            if ended.await.is_err() {
                std::future::pending::<()>().await;
            }
        }));
        Self { running: Some((end, running)), admin_port, ..Self::at(port) }
    }

    /// Returns a client for an app that is already running.
    pub fn at(port: u16) -> Self {
        Self {
            port,
            scheme: "http",
            client: awc::Client::builder().disable_redirects().timeout(MAX_WAIT).finish(),
            admin_port: None,
            running: None,
        }
    }

    /// Uses TLS for the requests. The certificate of the app must be for 127.0.0.1.
    pub fn over_tls(self, authority: &Authority) -> Self {
        let roots = authority.roots();
        let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let connector = awc::Connector::new().rustls_0_23(Arc::new(config));
        let builder = awc::Client::builder().connector(connector);
        Self { scheme: "https", client: builder.disable_redirects().timeout(MAX_WAIT).finish(), ..self }
    }

    /// Stops the app like a signal would.
    pub async fn stop(self) {
        let (end, running) = self.running.unwrap();
        end.send(()).unwrap();
        running.await.unwrap().unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}://127.0.0.1:{}{path}", self.scheme, self.port)
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, &[], "").await
    }

    /// Gets a path of a server that may end; `None` without a complete response.
    pub async fn try_get(&self, path: &str) -> Option<Response> {
        let mut response = self.client.get(self.url(path)).send().await.ok()?;
        let bytes = response.body().await.ok()?;
        let body = String::from_utf8(bytes.to_vec()).unwrap();
        Some(Response { status: response.status(), headers: response.headers().clone(), body })
    }

    /// Posts with a JSON content type, like the console. `Null` sends no body.
    pub async fn post(&self, path: &str, body: &Value) -> Response {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(Method::POST, path, &[("content-type", "application/json")], &body).await
    }

    /// Sends a request as a command of a user of the operating system does.
    pub async fn post_as(&self, person: &str, path: &str, body: &Value) -> Response {
        let headers = [("flagdeck-person", person), ("content-type", "application/json")];
        self.send(Method::POST, path, &headers, &body.to_string()).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &(impl AsRef<[u8]> + ?Sized),
    ) -> Response {
        let mut request = self.client.request(method, self.url(path));
        for header in headers {
            request = request.append_header(*header);
        }
        let mut response = request.send_body(body.as_ref().to_vec()).await.unwrap();
        let bytes = response.body().limit(64 << 20).await.unwrap();
        Response {
            status: response.status(),
            headers: response.headers().clone(),
            body: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// Opens a raw connection, for requests that an HTTP client cannot send.
    pub async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    /// Sends these bytes and returns all bytes until the connection ends.
    pub async fn raw(&self, request: &str) -> String {
        let mut connection = self.connect().await;
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        let reading = tokio::time::timeout(MAX_WAIT, connection.read_to_end(&mut response)).await;
        reading.expect("the connection ends").unwrap();
        String::from_utf8_lossy(&response).into_owned()
    }
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self.body))
    }

    /// Returns the value of a header, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
