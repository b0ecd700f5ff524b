//! The examples for several instances on one PostgreSQL database. The one with nginx needs `FLAGDECK_TEST_ENGINE=postgres`.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;

use actix_web::http::{Method, StatusCode};
use tempfile::TempDir;

use super::{check_with, example, installed, manifest, start_nginx, variables, wait_until_open};
use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::engine::is_postgres;
use crate::support::skip::skipped;

const SECRETS: &str = "/run/secrets/flagdeck";
const TAGS: &str = "/api/admin/tags";

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
    let seconds = |text: &str| text.strip_suffix('s').unwrap().parse::<u64>().unwrap();
    let shutdown = seconds(&settings["FLAGDECK_SHUTDOWN_DELAY"]) + 8;
    assert!(pod["terminationGracePeriodSeconds"].as_u64().unwrap() > shutdown);

    // Each file of the settings is in the secret, and is read.
    assert_eq!(container["volumeMounts"][0]["mountPath"], SECRETS);
    let files = pod["volumes"][0]["secret"]["items"].as_array().unwrap().iter();
    let files: BTreeSet<_> = files.map(|file| file["path"].as_str().unwrap()).collect();
    let named = settings.values().filter_map(|value| value.rsplit_once(&format!("{SECRETS}/")));
    assert_eq!(files, named.map(|(_, file)| file).collect::<BTreeSet<_>>());
    let (folder, authority) = (TempDir::new().unwrap(), Authority::new());
    fs::copy(authority.path("ca.pem"), folder.path().join("ca.crt")).unwrap();
    fs::write(folder.path().join("password"), "hunter2\n").unwrap();
    for value in settings.values_mut() {
        *value = value.replace(SECRETS, folder.path().to_str().unwrap());
        *value = value.replace("@postgres.example.com/", "@127.0.0.1:1/");
    }
    let said = check_with(&settings, 1);
    let failures: Vec<_> = said.lines().filter(|line| line.starts_with("FAIL ")).collect();
    assert!(failures.len() == 1 && failures[0].contains(" database: "), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}

#[actix_web::test]
async fn nginx_distributes_requests_and_replaces_a_stopped_instance() {
    if !is_postgres() {
        return skipped("nginx in front of three instances needs FLAGDECK_TEST_ENGINE=postgres");
    }
    let Some(nginx) = installed("nginx") else { return };
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("flags.db");
    let arguments = ["--data", data.to_str().unwrap(), "--trusted-proxy", "127.0.0.1"];
    let public = ["--public-url", "https://flags.example.com"];
    let start = async || TestApp::with(&[&arguments[..], &public[..]].concat()).await;
    let instances = [start().await, start().await, start().await];
    let front = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut text = example("nginx-instances.conf").replace("127.0.0.1:8080", &front.to_string());
    for (instance, port) in instances.iter().zip(["4242;", "4243;", "4244;"]) {
        text = text.replace(&format!("127.0.0.1:{port}"), &format!("127.0.0.1:{};", instance.port));
    }
    let text = text
        .replace("proxy_buffering off;", "proxy_buffering off; add_header served-by $upstream_addr always;");
    let _running = start_nginx(&nginx, folder.path(), &text);
    wait_until_open(front).await;

    let through = TestApp::at(front.port());
    let headers = [
        ("host", "flags.example.com"),
        ("origin", "https://flags.example.com"),
        ("content-type", "application/json"),
    ];
    // Creates a tag, and returns the addresses of the instances that nginx has sent the request to.
    let create = async |number: usize| {
        let tag = format!(r#"{{"type":"simple","value":"tag {number}"}}"#);
        let created = through.send(Method::POST, TAGS, &headers, &tag).await;
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
        let list = through.send(Method::GET, TAGS, &headers, "").await;
        assert_eq!(list.json()["tags"].as_array().unwrap().len(), 9, "{}", list.body);
    }
}
