//! The examples for several instances on one PostgreSQL database. The one with nginx needs `FLAGDECK_TEST_ENGINE=postgres`.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use tempfile::TempDir;

use super::{
    Running, check_with, example, installed, manifest, shutdown_seconds, signal, start_nginx, variables,
    wait_until_open, write_nginx_settings,
};
use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::{assert_postgres, with_engine};

const SECRETS: &str = "/run/secrets/flagdeck";
const TAGS: &str = "/api/admin/tags";
/// Headers of the console behind nginx.
const HEADERS: [(&str, &str); 3] = [
    ("host", "flags.example.com"),
    ("origin", "https://flags.example.com"),
    ("content-type", "application/json"),
];

#[test]
fn kubernetes_manifest_has_valid_settings_secrets_and_probes() {
    let documents = manifest("kubernetes-postgres.yaml");
    let kinds: Vec<_> = documents.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["Deployment", "Service", "PodDisruptionBudget"]);
    let (deployment, pod) = (&documents[0]["spec"], &documents[0]["spec"]["template"]["spec"]);
    let labels = &deployment["template"]["metadata"]["labels"];
    for selector in [
        &deployment["selector"]["matchLabels"],
        &documents[1]["spec"]["selector"],
        &documents[2]["spec"]["selector"]["matchLabels"],
        &pod["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"],
    ] {
        assert_eq!(selector, labels);
    }
    assert_eq!((&deployment["replicas"], &documents[2]["spec"]["minAvailable"]), (&3.into(), &2.into()));
    assert_eq!(deployment["strategy"]["rollingUpdate"]["maxUnavailable"], 0);

    let container = &pod["containers"][0];
    let mut settings = variables(container);
    let port = |name: &str| {
        let ports = container["ports"].as_array().unwrap();
        let port = ports.iter().find(|port| port["name"] == name).unwrap();
        format!("0.0.0.0:{}", port["containerPort"])
    };
    for (variable, name) in [("FLAGDECK_LISTEN", "console"), ("FLAGDECK_ADMIN_LISTEN", "monitoring")] {
        assert_eq!(settings[variable], port(name));
        // Another test may use the port.
        settings.insert(variable.to_owned(), "0.0.0.0:0".to_owned());
    }
    for (probe, path) in
        [("startupProbe", "/livez"), ("livenessProbe", "/livez"), ("readinessProbe", "/readyz")]
    {
        let request = serde_json::json!({ "path": path, "port": "monitoring" });
        assert_eq!(container[probe]["httpGet"], request, "{probe}");
    }
    assert!(pod["terminationGracePeriodSeconds"].as_u64().unwrap() > shutdown_seconds(&settings));

    // Each file of the settings is in the secret, and is read.
    assert_eq!(container["volumeMounts"][0]["mountPath"], SECRETS);
    let files = pod["volumes"][0]["secret"]["items"].as_array().unwrap().iter();
    let files: BTreeSet<_> = files.map(|file| file["path"].as_str().unwrap()).collect();
    let named = settings.values().filter_map(|value| value.rsplit_once(&format!("{SECRETS}/")));
    assert_eq!(files, named.map(|(_, file)| file).collect::<BTreeSet<_>>());
    let (folder, authority) = (TempDir::new().unwrap(), Authority::new());
    fs::copy(authority.path("ca.pem"), folder.path().join("ca.crt")).unwrap();
    for value in settings.values_mut() {
        *value = value.replace(SECRETS, folder.path().to_str().unwrap());
        *value = value.replace("@postgres.example.com/", "@127.0.0.1:1/");
    }
    let said = check_with(&settings, 1);
    let failures: Vec<_> = said.lines().filter(|line| line.starts_with("FAIL ")).collect();
    assert!(failures.len() == 1 && failures[0].contains(" database: "), "{said}");
    let password =
        container["env"].as_array().unwrap().iter().find(|one| one["name"] == "PGPASSWORD").unwrap();
    let secret = serde_json::json!({ "name": pod["volumes"][0]["secret"]["secretName"], "key": "password" });
    assert_eq!(password["valueFrom"]["secretKeyRef"], secret);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn nginx_distributes_requests_and_replaces_a_stopped_instance() {
    assert_postgres();
    let Some(nginx) = installed("nginx") else { return };
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("flags.db");
    let arguments = ["--data", data.to_str().unwrap(), "--trusted-proxy", "127.0.0.1"];
    let public = ["--public-url", "https://flags.example.com"];
    let start = async || TestApp::with(&[&arguments[..], &public[..]].concat()).await;
    let instances = [start().await, start().await, start().await];
    let front = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut text = example("nginx-instances.conf").replace("127.0.0.1:8080", &front.to_string());
    for (instance, port) in instances.iter().zip(["4242 ", "4243 ", "4244 "]) {
        text = text
            .replace(&format!("server 127.0.0.1:{port}"), &format!("server 127.0.0.1:{} ", instance.port));
    }
    let text = text
        .replace("proxy_buffering off;", "proxy_buffering off; add_header served-by $upstream_addr always;");
    let _running = start_nginx(&nginx, folder.path(), &text);
    wait_until_open(front).await;

    let through = TestApp::at(front.port());
    // Creates a tag, and returns the addresses of the instances that nginx has sent the request to.
    let create = async |number: usize| {
        let tag = format!(r#"{{"type":"simple","value":"tag {number}"}}"#);
        let created = through.send(Method::POST, TAGS, &HEADERS, &tag).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        created.header("served-by").to_owned()
    };
    let mut served = BTreeSet::new();
    for number in 0..3 {
        served.insert(create(number).await);
    }
    let expected: BTreeSet<_> =
        instances.iter().map(|instance| format!("127.0.0.1:{}", instance.port)).collect();
    assert_eq!(served, expected);
    let [stopped, ..] = instances;
    let address = format!("127.0.0.1:{}", stopped.port);
    stopped.stop().await;
    let mut served = Vec::new();
    for number in 3..9 {
        served.push(create(number).await);
    }
    assert!(served.iter().any(|instances| instances.starts_with(&format!("{address}, "))), "{served:?}");
    for _ in 0..3 {
        let list = through.send(Method::GET, TAGS, &HEADERS, "").await;
        assert_eq!(list.json()["tags"].as_array().unwrap().len(), 9, "{}", list.body);
    }
}

/// The next port of an instance.
static PORT: AtomicU16 = AtomicU16::new(4242);

/// Instances behind nginx with the example's configuration.
struct Fleet {
    nginx: Running,
    front: SocketAddr,
    instances: Vec<Binary>,
    /// Addresses of the instances.
    addresses: Vec<String>,
    folder: TempDir,
}

impl Fleet {
    async fn start(nginx: &Path, count: usize) -> Self {
        let folder = TempDir::new().unwrap();
        // Addresses of this process alone, so that no other test takes a port while an instance restarts.
        let [_, a, b, c] = std::process::id().to_be_bytes();
        let address = |_| format!("127.{}.{b}.{c}:{}", a + 1, PORT.fetch_add(1, Ordering::Relaxed));
        let addresses: Vec<_> = (0..count).map(address).collect();
        let instances = addresses.iter().map(|address| start_instance(&folder, address)).collect();
        let front = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let nginx = start_nginx(nginx, folder.path(), &nginx_settings(&addresses, front, None));
        wait_until_open(front).await;
        Self { nginx, front, instances, addresses, folder }
    }

    /// Restarts an instance: ends it by SIGTERM, waits for its end, and starts it again.
    async fn restart(&mut self, index: usize) {
        signal(&self.instances[index].child, "TERM");
        while self.instances[index].child.try_wait().unwrap().is_none() {
            actix_web::rt::time::sleep(Duration::from_millis(1)).await;
        }
        self.instances[index] = start_instance(&self.folder, &self.addresses[index]);
    }

    /// Marks an instance as down in the settings of nginx, or none. Waits until nginx uses them, and until its workers with
    /// the settings before have sent their last request.
    async fn reload_nginx(&self, down: Option<usize>) {
        let settings = nginx_settings(&self.addresses, self.front, down);
        let expected = format!("{down:?}");
        let read = async || {
            let through = TestApp::at(self.front.port());
            through.send(Method::GET, TAGS, &HEADERS, "").await.header("instance-down").to_owned()
        };
        // The response shows that the worker has started.
        read().await;
        let workers_before = self.workers();
        write_nginx_settings(self.folder.path(), &settings);
        signal(&self.nginx.0, "HUP");
        while read().await != expected || !self.workers().is_disjoint(&workers_before) {
            actix_web::rt::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Returns the process ids of nginx's workers.
    fn workers(&self) -> BTreeSet<String> {
        let master = self.nginx.0.id();
        let children = fs::read_to_string(format!("/proc/{master}/task/{master}/children")).unwrap();
        children.split_whitespace().map(str::to_owned).collect()
    }
}

fn start_instance(folder: &TempDir, address: &str) -> Binary {
    let data = folder.path().join("flags.db");
    let own = ["--listen", address, "--data", data.to_str().unwrap(), "--log-level", "off"];
    let shared = ["--trusted-proxy", "127.0.0.1", "--public-url", "https://flags.example.com"];
    Binary::started(flagdeck().args(with_engine(&[&own[..], &shared].concat())))
}

/// Returns the example's configuration for these instances. A header of all responses contains the instance that is down.
fn nginx_settings(addresses: &[String], front: SocketAddr, down: Option<usize>) -> String {
    let settings = example("nginx-instances.conf").replace("127.0.0.1:8080", &front.to_string());
    let settings = settings.replace(
        "proxy_buffering off;",
        &format!("proxy_buffering off; add_header instance-down {down:?} always;"),
    );
    let lines = settings.lines().filter_map(|line| {
        let example = |index: &usize| line.contains(&format!("server 127.0.0.1:{}", 4242 + index));
        let Some(index) = (0..3).find(example) else { return Some(line.to_owned()) };
        let line = line.replace(&format!("127.0.0.1:{}", 4242 + index), addresses.get(index)?);
        Some(if down == Some(index) { line.replace(';', " down;") } else { line })
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Sends requests from four clients through nginx until `work` is done, and checks that each one succeeds. Each
/// request is a method, a path and a body, in which `#` stands for a number.
async fn assert_no_request_fails(
    front: SocketAddr,
    requests: &'static [(Method, &str, &str)],
    work: impl Future<Output = ()>,
) {
    let is_done = Rc::new(Cell::new(false));
    let clients: Vec<_> = (0..4)
        .map(|client| {
            let is_done = Rc::clone(&is_done);
            actix_web::rt::spawn(async move {
                let mut count = 0;
                while !is_done.get() {
                    for (method, path, body) in requests {
                        count += 1;
                        // A connection of its own: nginx closes idle ones when it reloads its settings.
                        let through = TestApp::at(front.port());
                        let body = body.replace('#', &format!("{client} {count}"));
                        let response = through.send(method.clone(), path, &HEADERS, &body).await;
                        assert!(
                            response.status.is_success(),
                            "{count}: {} {}",
                            response.status,
                            response.body
                        );
                    }
                }
                count
            })
        })
        .collect();
    work.await;
    is_done.set(true);
    for client in clients {
        assert!(client.await.unwrap() > 0);
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn rolling_restart_of_two_and_three_instances_fails_no_request_that_nginx_repeats() {
    const REQUESTS: &[(Method, &str, &str)] = &[
        (Method::GET, TAGS, ""),
        (
            Method::PUT,
            "/api/admin/projects/default",
            r##"{"id":"default","name":"Default","description":"#"}"##,
        ),
    ];
    assert_postgres();
    let Some(nginx) = installed("nginx") else { return };
    for count in [2, 3] {
        let mut fleet = Fleet::start(&nginx, count).await;
        assert_no_request_fails(fleet.front, REQUESTS, async {
            for index in (0..count).cycle().take(2 * count) {
                fleet.restart(index).await;
            }
        })
        .await;
    }
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn restart_of_instances_that_are_down_in_nginx_fails_no_request() {
    const REQUESTS: &[(Method, &str, &str)] =
        &[(Method::POST, TAGS, r#"{"type":"simple","value":"tag #"}"#), (Method::GET, TAGS, "")];
    assert_postgres();
    let Some(nginx) = installed("nginx") else { return };
    let mut fleet = Fleet::start(&nginx, 2).await;
    let front = fleet.front;
    assert_no_request_fails(front, REQUESTS, async {
        for index in [0, 1] {
            fleet.reload_nginx(Some(index)).await;
            fleet.restart(index).await;
            fleet.reload_nginx(None).await;
        }
    })
    .await;
}
