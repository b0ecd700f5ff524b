//! The deployment examples: each is started, or checked by the tool that reads it. A test whose tool is not installed
//! prints `SKIPPED`.

mod instances;
mod pipelines;
mod walkthrough;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::skip::skipped;

const PUBLIC: [(&str, &str); 2] = [("host", "flags.example.com"), ("accept", "text/html")];

/// A process that is ended by SIGTERM when the test ends, so that it ends its own processes.
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        signal(&self.0, "TERM");
        drop(self.0.wait());
    }
}

fn signal(process: &Child, name: &str) {
    drop(Command::new("kill").args([format!("-{name}"), process.id().to_string()]).status());
}

pub(crate) fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)).unwrap()
}

pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&folders).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let found = places.map(|folder| folder.join(program)).find(|file| file.is_file());
    if found.is_none() {
        skipped(&format!("{program} is not installed; its example is not tested"));
    }
    found
}

/// Checks that every environment variable of an example is a setting with a valid value.
fn check_with(variables: &BTreeMap<String, String>, code: i32) -> String {
    let output = flagdeck().arg("check").envs(variables).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for (name, value) in variables {
        let line = said.lines().find(|line| line.ends_with(&format!("({name})")));
        assert!(line.is_some_and(|line| line.contains(value.as_str())), "{name} is no setting:\n{said}");
    }
    said
}

/// Returns the documents of a Kubernetes manifest.
fn manifest(name: &str) -> Vec<Value> {
    example(name).split("\n---\n").map(|one| serde_saphyr::from_str(one).unwrap()).collect()
}

/// Returns the environment variables of a container, without those from a secret.
fn variables(container: &Value) -> BTreeMap<String, String> {
    let variables = container["env"].as_array().unwrap().iter().filter(|one| one["valueFrom"].is_null());
    variables
        .map(|one| [&one["name"], &one["value"]].map(|text| text.as_str().unwrap().to_owned()).into())
        .collect()
}

#[test]
fn systemd_unit_is_valid() {
    let Some(analyze) = installed("systemd-analyze") else { return };
    let folder = TempDir::new().unwrap();
    let unit = folder.path().join("flagdeck.service");
    let text = example("flagdeck.service");
    fs::write(&unit, text.replace("/usr/local/bin/flagdeck", env!("CARGO_BIN_EXE_flagdeck"))).unwrap();
    let run = |arguments: &[&str]| Command::new(&analyze).args(arguments).arg(&unit).output().unwrap();
    let output = run(&["verify", "--man=no"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("flagdeck.service"), "{said}");
    // The exposure in percent; a unit without hardening has 96.
    let output = run(&["security", "--offline=true", "--threshold=15"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn container_has_only_the_binary_and_valid_settings() {
    let text = example("Dockerfile").replace("\\\n", " ");
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap().trim();
    assert_eq!(line("FROM "), "scratch");
    assert_eq!(line("ENTRYPOINT "), r#"["/flagdeck"]"#);
    assert!(line("HEALTHCHECK ").ends_with(r#"CMD ["/flagdeck", "health"]"#));
    let user = line("USER ").split(':').map(|id| id.parse().unwrap()).collect::<Vec<u32>>();
    assert!(user.len() == 2 && user.iter().all(|id| *id > 0), "{user:?}");
    assert!(text.contains(&format!(
        "COPY --chown={} --chmod=0700 data {}\n",
        line("USER "),
        line("VOLUME ")
    )));
    let known = ["FROM", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"];
    let steps = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for step in steps {
        assert!(known.contains(&step.split(' ').next().unwrap()), "{step}");
    }
    let mut variables: BTreeMap<_, _> = line("ENV ")
        .split_whitespace()
        .map(|pair| pair.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let folder = TempDir::new().unwrap();
    assert!(variables["FLAGDECK_LISTEN"].ends_with(&format!(":{}", line("EXPOSE "))));
    assert_eq!(variables.remove("XDG_DATA_HOME").as_deref(), Some(line("VOLUME ")));
    let data = variables.get_mut("FLAGDECK_DATA").unwrap();
    assert!(data.starts_with(line("VOLUME ")), "{data}");
    *data = folder.path().join("flagdeck.db").to_str().unwrap().to_owned();
    check_with(&variables, 0);
}

#[test]
fn kubernetes_manifest_has_valid_settings_and_probes() {
    let documents = manifest("kubernetes.yaml");
    assert_eq!(
        documents.iter().map(|one| one["kind"].as_str().unwrap()).collect::<Vec<_>>(),
        ["Deployment", "Service"]
    );
    let containers = documents[0].pointer("/spec/template/spec/containers").unwrap().as_array().unwrap();
    let sidecar = containers.iter().find(|one| one["name"] == "flagdeck").unwrap();
    let said = check_with(&variables(sidecar), 1);
    assert!(said.contains("FAIL  connection: 127.0.0.1:4243"), "{said}");
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        assert_eq!(sidecar[probe]["exec"]["command"], serde_json::json!(["/flagdeck", "health"]), "{probe}");
    }
    // The flag service ends after Flagdeck, and both before the pod is killed.
    let upstream = containers.iter().find(|one| one["name"] == "unleash").unwrap();
    let wait = &upstream["lifecycle"]["preStop"]["exec"]["command"];
    let [sleep, seconds] = wait.as_array().unwrap().as_slice() else { panic!("{wait}") };
    assert_eq!(sleep, "sleep");
    let wait: u64 = seconds.as_str().unwrap().parse().unwrap();
    let period = &documents[0]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"];
    assert!((shutdown_seconds(&variables(sidecar)) + 1..period.as_u64().unwrap()).contains(&wait), "{wait}");
}

/// Returns the maximum time in which a server ends after SIGTERM, in seconds: the delay, and the default for its requests.
fn shutdown_seconds(settings: &BTreeMap<String, String>) -> u64 {
    settings["FLAGDECK_SHUTDOWN_DELAY"].strip_suffix('s').unwrap().parse::<u64>().unwrap() + 8
}

/// Starts a server with the delay of a manifest, and sends it the requests of Kubernetes and of clients while its pod ends.
#[actix_web::test]
async fn pod_that_ends_is_not_ready_and_serves_requests_until_the_delay_has_passed() {
    let documents = manifest("kubernetes-postgres.yaml");
    let container = documents[0].pointer("/spec/template/spec/containers/0").unwrap();
    let delay = &variables(container)["FLAGDECK_SHUTDOWN_DELAY"];
    let arguments = ["--listen", "127.0.0.1:0", "--admin-listen", "0", "--data", ":memory:"];
    let mut command = flagdeck();
    // The log of requests would fill the pipe.
    let log = ["--log-format", "json", "--log-level", "off,flagdeck::app=info"];
    command.args(arguments).args(log).args(["--shutdown-delay", delay]);
    let mut server = Binary::started(command.stderr(Stdio::piped()));
    let mut log = BufReader::new(server.child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = log.find(|line| line.contains("monitoring is ready")).unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    let admin = line["fields"]["address"].as_str().unwrap().rsplit_once(':').unwrap().1.parse().unwrap();
    let (console, probe) = (TestApp::at(server.port), TestApp::at(admin));
    assert_eq!(probe.get("/readyz").await.status, StatusCode::OK);

    signal(&server.child, "TERM");
    log.find(|line| line.contains("shutting down")).unwrap();
    let stopping = Instant::now();
    let mut served = 0;
    loop {
        let Some(response) = console.try_get("/-/health").await else { break };
        let Some(ready) = probe.try_get("/readyz").await else { break };
        let Some(live) = probe.try_get("/livez").await else { break };
        assert_eq!((response.status, response.header("connection")), (StatusCode::OK, "close"));
        assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(live.status, StatusCode::OK, "it is not restarted");
        served += 1;
    }
    let delay = Duration::from_secs(delay.strip_suffix('s').unwrap().parse().unwrap());
    assert!(
        stopping.elapsed() > delay.checked_sub(Duration::from_secs(1)).unwrap() && served > 0,
        "{:?}",
        stopping.elapsed()
    );
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn oauth2_proxy_settings_are_valid_toml() {
    let file = config::File::from_str(&example("oauth2-proxy.cfg"), config::FileFormat::Toml);
    let settings = config::Config::builder().add_source(file).build().unwrap();
    assert_eq!(settings.get_array("upstreams").unwrap()[0].to_string(), "http://127.0.0.1:4242/");
    installed("oauth2-proxy");
}

#[actix_web::test]
async fn nginx_serves_the_console_below_a_path() {
    let Some(nginx) = installed("nginx") else { return };
    let folder = TempDir::new().unwrap();
    let (app, front) = start_behind_proxy().await;
    let text = example("nginx.conf")
        .replace("127.0.0.1:4242", &format!("127.0.0.1:{}", app.port))
        .replace("127.0.0.1:8080", &front.to_string());
    let _running = start_nginx(&nginx, folder.path(), &text);
    assert_serves_console(front, "max-age=31536000").await;
}

#[actix_web::test]
async fn caddy_serves_the_console_below_a_path() {
    let Some(caddy) = installed("caddy") else { return };
    let folder = TempDir::new().unwrap();
    let (app, front) = start_behind_proxy().await;
    let text = example("Caddyfile")
        .replace("127.0.0.1:4242", &format!("127.0.0.1:{}", app.port))
        // Caddy must not request certificates from the internet.
        .replace("\nflags.example.com {", &format!("\nhttp://flags.example.com:{} {{", front.port()));
    let file = folder.path().join("Caddyfile");
    fs::write(&file, format!("{{\n\tadmin off\n}}\n{text}")).unwrap();
    let mut command = Command::new(caddy);
    command
        .args([OsStr::new("run"), "--adapter".as_ref(), "caddyfile".as_ref(), "--config".as_ref()])
        .arg(file);
    let _running = start(command.env("HOME", folder.path()));
    // Caddy reports that the client used http.
    assert_serves_console(front, "").await;
}

/// Starts the program as both examples describe it, and returns it with a free address for the reverse proxy.
async fn start_behind_proxy() -> (TestApp, SocketAddr) {
    let arguments = ["--data", ":memory:", "--base-path", "/flags"];
    let public = ["--public-url", "https://flags.example.com", "--trusted-proxy", "127.0.0.1"];
    let app = TestApp::with(&[&arguments[..], &public[..]].concat()).await;
    (app, TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap())
}

/// Starts nginx with this configuration. Its files are in the folder.
pub(crate) fn start_nginx(nginx: &Path, folder: &Path, text: &str) -> Running {
    let here = folder.display();
    let file = write_nginx_settings(folder, text);
    // Without privileges, nginx ignores the user.
    let globals = format!("daemon off; user root root; pid {here}/pid; error_log stderr crit;");
    let arguments = ["-p", folder.to_str().unwrap(), "-e", "stderr", "-g", &globals, "-c"];
    start(Command::new(nginx).args(arguments).arg(file))
}

/// Writes the settings of nginx, with all temporary files in `folder`, and returns their path.
fn write_nginx_settings(folder: &Path, text: &str) -> PathBuf {
    let here = folder.display();
    let places: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {here}/{kind};\n"))
        .concat();
    let file = folder.join("nginx.conf");
    fs::write(&file, text.replace("\nhttp {", &format!("\nhttp {{ access_log off;\n{places}"))).unwrap();
    file
}

fn start(command: &mut Command) -> Running {
    Running(command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().unwrap())
}

pub(crate) async fn wait_until_open(address: SocketAddr) {
    while tokio::net::TcpStream::connect(address).await.is_err() {
        tokio::task::yield_now().await;
    }
}

/// Sends the requests of a browser to the reverse proxy when it listens. `hsts` is the expected
/// `Strict-Transport-Security` header.
async fn assert_serves_console(front: SocketAddr, hsts: &str) {
    wait_until_open(front).await;
    let through = TestApp::at(front.port());
    let page = through.send(Method::GET, "/flags/features", &PUBLIC, "").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    assert!(page.body.contains(r#"<base href="/flags/" />"#), "{}", page.body);
    assert_eq!(page.header("strict-transport-security"), hsts, "{:?}", page.headers);
    let bare = through.send(Method::GET, "/flags", &PUBLIC, "").await;
    assert_eq!(bare.status, StatusCode::PERMANENT_REDIRECT);
    assert!(bare.header("location").ends_with("/flags/"), "{}", bare.header("location"));
    let headers = [PUBLIC[0], ("origin", "https://flags.example.com"), ("content-type", "application/json")];
    let tag = r#"{"type":"simple","value":"a/b"}"#;
    let made = through.send(Method::POST, "/flags/api/admin/tags", &headers, tag).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    // The path must arrive unchanged: if it were decoded, it would be another path.
    let gone = through.send(Method::DELETE, "/flags/api/admin/tags/simple/a%2Fb", &headers, "").await;
    assert_eq!(gone.status, StatusCode::OK, "{}", gone.body);
}

/// Prefix of metrics that exist only with a shared database (PostgreSQL).
const OPTIONAL_METRICS: &str = "flagdeck_database_";

/// Returns the names of this program's metrics in a text.
fn metric_names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    // A name that ends with an underscore is a prefix of names.
    words.filter(|word| word.starts_with("flagdeck_") && !word.ends_with('_')).collect()
}

#[actix_web::test]
async fn dashboard_and_alert_rules_use_metrics_that_exist() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let admin = ["--admin-listen", "0"];
    let (journal, data) = (path("journal"), path("flags.db"));
    let files = ["--data", &data, "--journal", &journal, "--recorder"];
    let webhook = ["--hold-webhook", "http://127.0.0.1:1/"];
    let embedded = TestApp::with(&[&files[..], &webhook, &admin].concat()).await;
    let replica =
        TestApp::with(&[&["--upstream", "http://127.0.0.1:1", "--replica"][..], &admin].concat()).await;
    let toggles = path("toggles.json");
    fs::write(&toggles, r#"{"features":[]}"#).unwrap();
    let definitions = TestApp::with(&[&["--definitions", &toggles], &admin[..]].concat()).await;
    // Metrics with labels exist after their first use: requests, errors, and reports that wait.
    let report = json!({ "appName": "shop", "bucket": { "toggles": {} } });
    assert_eq!(replica.get("/api/client/features").await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(replica.post("/api/client/metrics", &report).await.status, StatusCode::ACCEPTED);
    let mut known = BTreeSet::new();
    for app in [&embedded, &replica, &definitions] {
        let text = TestApp::at(app.admin_port.unwrap()).get("/metrics").await.body;
        for (name, kind) in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')) {
            let suffixes: &[&str] = match kind {
                "counter" => &["_total"],
                "histogram" => &["_bucket", "_sum", "_count"],
                "info" => &["_info"],
                _ => &[""],
            };
            known.extend(suffixes.iter().map(|suffix| format!("{name}{suffix}")));
        }
    }
    for name in ["grafana/dashboard.json", "prometheus-rules.yml"] {
        let text = example(name);
        let used = metric_names(&text);
        assert!(used.len() > 10, "{name}: {used:?}");
        for metric in used {
            assert!(
                metric.starts_with(OPTIONAL_METRICS) || known.contains(metric),
                "{name} uses {metric}, which does not exist: {known:?}"
            );
        }
    }
    let dashboard: Value = serde_json::from_str(&example("grafana/dashboard.json")).unwrap();
    assert!(dashboard["panels"].as_array().unwrap().len() > 10);
    embedded.stop().await;
    replica.stop().await;
}
