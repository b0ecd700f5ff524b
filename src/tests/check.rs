//! The commands `flagdeck check`, `flagdeck health` and `flagdeck --version`.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::json;
use tempfile::{NamedTempFile, TempDir};

use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::skips_file_tests;
use crate::support::stub::{Reply, Stub, ok};

const UNAUTHORIZED: &str = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}";
/// The user and the group `nobody`.
const NOBODY: u32 = 65_534;

/// Returns the exit code and the text of both output streams.
fn said(output: &Output) -> (Option<i32>, String) {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (output.status.code(), out + &err)
}

/// Runs the command on another thread, so that the servers of this thread continue.
async fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = flagdeck();
    command.args(arguments).env("FLAGDECK_LOG_LEVEL", "off");
    said(&actix_web::web::block(move || command.output().unwrap()).await.unwrap())
}

#[actix_web::test]
async fn check_prints_settings_with_their_source_and_the_server_version() {
    let body = r#"{"type":"password","path":"/auth/simple/login"}"#;
    let reply = format!(
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: {}\r\nSet-Cookie: s=1; HttpOnly\r\n\r\n{body}",
        body.len()
    );
    let stub = Stub::start(Reply::Bytes(reply)).await;
    let (code, text) = run(&["check", "--upstream", &stub.url, "--base-path", "/flags"]).await;
    assert_eq!(code, Some(0), "{text}");
    let line = |start: &str| {
        text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"))
    };
    assert!(line("listen ").ends_with("127.0.0.1:4242  (default)"), "{text}");
    assert!(line("base-path ").ends_with("/flags  (flag)"), "{text}");
    assert!(line("log-level ").ends_with("off  (FLAGDECK_LOG_LEVEL)"), "{text}");
    assert!(line("ok    connection: ").contains(stub.authority()), "{text}");
    assert!(line("ok    sign-in: ").contains("password"), "{text}");
    assert!(line("ok    cookies: ").contains('s'), "{text}");
    let requests = stub.requests();
    assert!(requests.iter().all(|request| request.starts_with("GET /api/admin/")), "{requests:?}");
}

#[actix_web::test]
async fn check_names_the_setting_that_turns_the_replica_on() {
    let folder = TempDir::new().unwrap();
    let [token, tokens] = ["token", "tokens"].map(|name| folder.path().join(name));
    fs::write(&token, "*:production.s3cret\n").unwrap();
    fs::write(&tokens, "[web]\nsecret = \"s3cret-0123456789abcdef\"\n").unwrap();
    let [token, tokens] = [token, tokens].map(|path| format!("@{}", path.display()));
    let stub = Stub::start(ok("", "{}")).await;
    let upstream = ["check", "--upstream", &stub.url, "--upstream-token", &token];
    for (more, replica) in [
        (&[][..], "false  (default)"),
        (&["--replica"], "true  (flag)"),
        (&["--frontend-tokens", &tokens], "true  (frontend-tokens)"),
        (&["--frontend-origin", "*"], "true  (frontend-origin)"),
        (&["--replica", "--frontend-tokens", &tokens], "true  (flag)"),
    ] {
        let (_, text) = run(&[&upstream, more].concat()).await;
        let line = text.lines().find(|line| line.starts_with("replica "));
        assert!(line.is_some_and(|line| line.ends_with(replica)) && !text.contains("s3cret"), "{text}");
    }
}

#[actix_web::test]
async fn check_tests_each_client_token() {
    let folder = TempDir::new().unwrap();
    let tokens = folder.path().join("tokens");
    fs::write(&tokens, "*:production.s3cret\n*:staging.s3cret\n").unwrap();
    let reply = |request: &str| {
        let is_refused = request.contains("*:staging.s3cret");
        if is_refused { Reply::Bytes(UNAUTHORIZED.to_owned()) } else { ok("", "{}") }
    };
    let stub = Stub::start(Reply::Computed(Arc::new(reply))).await;
    let token = format!("@{}", tokens.display());
    let (code, text) = run(&["check", "--upstream", &stub.url, "--upstream-token", &token]).await;
    assert_eq!(code, Some(1), "{text}");
    for line in [
        "ok    upstream-token: the flag service accepts the token of the environment production",
        "FAIL  upstream-token: the flag service refuses the token of the environment staging (401 Unauthorized)",
    ] {
        assert!(text.lines().any(|found| found == line) && !text.contains("s3cret"), "{text}");
    }
}

#[actix_web::test]
async fn check_asks_about_tokens_if_they_are_learned() {
    let folder = TempDir::new().unwrap();
    let tokens = folder.path().join("tokens");
    fs::write(&tokens, "*:production.s3cret\n").unwrap();
    let token = format!("@{}", tokens.display());
    for (listed, line) in [
        ("[{}]", "ok    frontend-origin: the flag service says which frontend tokens are valid"),
        ("[]", "FAIL  frontend-origin: the flag service does not say which frontend tokens are valid"),
    ] {
        let body = format!("{{\"tokens\":{listed}}}");
        let stub = Stub::start(ok("Content-Type: application/json\r\n", &body)).await;
        let own = ["check", "--upstream", &stub.url, "--upstream-token", &token];
        let (_, text) = run(&[&own[..], &["--frontend-origin", "*"]].concat()).await;
        assert!(text.lines().any(|found| found == line) && !text.contains("s3cret"), "{text}");
        let asked = stub.requests().into_iter().find(|request| request.starts_with("POST /edge/validate "));
        assert!(asked.unwrap().contains("*:production.s3cret"));
        let before = stub.requests().len();
        run(&own).await;
        let later = stub.requests().split_off(before);
        assert!(!later.iter().any(|request| request.starts_with("POST ")), "only with frontend-origin");
    }
}

#[actix_web::test]
async fn check_fails_with_a_remedy_for_each_connection_error() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let silent = Stub::start(Reply::Silence).await;
    let closing = Stub::start(Reply::BytesThenEnd(String::new())).await;
    let page = Stub::start(ok("", "<html>")).await;
    for (upstream, words) in [
        (format!("http://{nobody}"), "refuses connections\n      → check whether the flag service runs"),
        (silent.url.clone(), "did not respond within 0.2 s\n      → check whether it is overloaded"),
        (
            closing.url.clone(),
            "closed the connection without a response\n      → check whether the flag service uses http",
        ),
        (page.url.replace("http:", "https:"), "FAIL  connection: "),
        (page.url.clone(), "FAIL  API: "),
        ("unix:/no/such/flags.sock".to_owned(), "FAIL  connection: /no/such/flags.sock cannot be reached"),
    ] {
        let (code, text) = run(&["check", "--upstream", &upstream, "--upstream-head-timeout", "200ms"]).await;
        assert!(code == Some(1) && text.contains(words) && text.contains("checks failed"), "{text}");
    }
}

const SIGNED_IN: &str = concat!(
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 49\r\nConnection: close\r\n\r\n",
    r#"{"user":{},"permissions":[],"version":"3.17.6"}  "#
);

#[actix_web::test]
async fn check_reports_the_tls_settings_of_the_upstream() {
    let authority = Authority::new();
    let ca = authority.path("ca.pem");
    let trusted = ["--upstream-ca", ca.as_str()];
    for (name, days, asks, more, code, words) in [
        ("127.0.0.1", (-1, 90), false, &trusted[..], 0, "ok    certificate: it is valid until "),
        ("127.0.0.1", (-1, 13), false, &trusted, 0, "note  certificate: it expires in 12 days, on "),
        ("127.0.0.1", (-9, -1), false, &trusted, 1, "→ ask the operator of the flag service to renew"),
        ("127.0.0.1", (2, 90), false, &trusted, 1, "→ check the clock of this machine"),
        ("127.0.0.1", (-1, 90), false, &[], 1, "for a private authority set upstream-ca"),
        ("flags.internal", (-1, 90), false, &trusted, 1, "or set upstream-server-name"),
        ("127.0.0.1", (-1, 90), true, &trusted, 1, "requires upstream-client-cert"),
    ] {
        authority.sign_for(name, days);
        let url = authority.upstream(asks, SIGNED_IN).await;
        let arguments: Vec<_> =
            ["check", "--upstream", &url].into_iter().chain(more.iter().copied()).collect();
        let (found, text) = run(&arguments).await;
        assert!(found == Some(code) && text.contains(words), "{words}: {text}");
        assert_eq!(code == 0, text.contains("ok    TLS: the certificate chain is trusted"), "{text}");
    }
}

#[actix_web::test]
async fn check_inspects_ports_and_the_server_certificate() {
    let authority = Authority::new();
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let https = ["--tls-cert", certificate.as_str(), "--tls-key", key.as_str()];
    let public = ["--public-url", "https://other.example:8443"];
    for (days, arguments, code, words) in [
        (
            (-1, 90),
            [&["--listen", "127.0.0.1:0"], &https[..]].concat(),
            0,
            "ok    tls-cert: it is valid until ",
        ),
        ((-1, 13), https.to_vec(), 0, "note  tls-cert: it expires in 12 days"),
        ((-9, -1), https.to_vec(), 1, "FAIL  tls-cert: it expired on "),
        ((-1, 90), [&https[..], &public].concat(), 0, "note  tls-cert: it is not valid for other.example,"),
        ((-1, 90), vec!["--listen", listen.as_str()], 0, "\n      → nothing to do if it is this program"),
        ((-1, 90), vec!["--listen", "192.0.2.1:4242", "--open-to-network"], 1, "no such address"),
        (
            (-1, 90),
            vec!["--admin-listen", listen.as_str()],
            0,
            "note  admin-listen: a program already listens",
        ),
    ] {
        authority.sign_for("flags.example", days);
        let all = [&["check", "--data", ":memory:"][..], &arguments].concat();
        let (found, text) = run(&all).await;
        assert!(found == Some(code) && text.contains(words), "{words}: {text}");
    }
}

#[actix_web::test]
async fn check_prints_no_secret() {
    let folder = TempDir::new().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "Bearer s3cret\n").unwrap();
    let header = format!("Authorization=@{}", token.display());
    let stub = Stub::start(ok("Set-Cookie: session=s3cret; HttpOnly\r\n", "{\"user\":{}}")).await;
    let sidecar = ["check", "--log-level", "trace", "--upstream", &stub.url, "--upstream-header", &header];
    let (code, text) = run(&sidecar).await;
    assert!(code == Some(0) && text.contains(&header) && !text.contains("s3cret"), "{text}");
    for arguments in [
        &["--upstream", "http://user:s3cret@flags"][..],
        &["--upstream", "http://flags/?token=s3cret"],
        &["--public-url", "https://user:s3cret@flags"],
        &["--upstream", "http://flags", "--upstream-header", "Authorization=s3cret"],
        &["--upstream", "http://flags", "--upstream-header", "Authorization: s3cret=@/x"],
        &["--upstream", "http://flags", "--hold-webhook", "https://chat/s3cret"],
        &["--hold-webhook", "chat:s3cret"],
    ] {
        let (code, text) = run(&[&["check"], arguments].concat()).await;
        assert!(code == Some(1) && text.lines().count() == 1 && !text.contains("s3cret"), "{text}");
    }
}

#[actix_web::test]
async fn check_connects_to_the_webhook_of_holds_without_a_message() {
    let (folder, authority) = (TempDir::new().unwrap(), Authority::new());
    authority.sign("127.0.0.1");
    let refusing = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";
    let encrypted = authority.upstream(false, refusing).await;
    let stub = Stub::start(Reply::Bytes(refusing.to_owned())).await;
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let file = folder.path().join("webhook");
    for (origin, roots, code, words) in [
        (stub.url.as_str(), "", 0, " responded after "),
        (&encrypted, &*authority.path("ca.pem"), 0, " responded after "),
        (&encrypted, "", 1, "certificate"),
        (&format!("http://{closed}"), "", 1, " cannot be reached: it refuses connections"),
        ("http://chat.invalid", "", 1, " cannot be reached: its host name cannot be resolved"),
    ] {
        let url = format!("{origin}/hooks/s3cret");
        fs::write(&file, &url).unwrap();
        let at_file = format!("@{}", file.display());
        let shown = format!("{origin}/…");
        for (value, shown) in [(&url, &shown), (&at_file, &at_file)] {
            let mut command = flagdeck();
            command.args(["check", "--log-level", "trace", "--listen", "127.0.0.1:0", "--data", ":memory:"]);
            command.args(["--hold-webhook", value]).env("SSL_CERT_FILE", roots);
            let output = actix_web::web::block(move || command.output().unwrap()).await.unwrap();
            let (exit, text) = said(&output);
            let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default();
            let setting = line("hold-webhook ");
            assert!(setting.ends_with(&format!("{shown}  (flag)")) && !text.contains("s3cret"), "{text}");
            let finding = line(if code == 0 { "ok    hold-webhook: " } else { "FAIL  hold-webhook: " });
            assert!(exit == Some(code) && finding.contains(origin) && finding.contains(words), "{text}");
        }
    }
    assert!(stub.requests().iter().all(|request| request.starts_with("HEAD /hooks/s3cret ")));
    let (code, text) = run(&["check", "--upstream", "http://flags", "--hold-webhook", &stub.url]).await;
    let remedy = "hold-webhook: needs replica with upstream, because SDKs get toggles from Flagdeck only with it; set replica";
    assert!(code == Some(1) && text.contains(remedy), "{text}");
}

#[actix_web::test]
async fn check_inspects_the_database_without_changing_it() {
    if skips_file_tests() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flagdeck.db");
    let path = file.to_str().unwrap();
    let (code, text) = run(&["check", "--data", path]).await;
    assert!(code == Some(0) && text.contains("does not exist yet"), "{text}");
    assert!(!file.exists());
    let below_a_file = file.join("x.db");
    drop(Binary::on(&file));
    let (code, text) = run(&["check", "--data", path]).await;
    assert!(code == Some(0) && text.contains("is intact") && text.contains("ok    schema: "), "{text}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, text) = run(&["check", "--data", path]).await;
    assert!(code == Some(0) && text.contains("→ chmod 600 "), "{text}");
    let (code, text) = run(&["check", "--data", below_a_file.to_str().unwrap()]).await;
    assert!(code == Some(1) && text.contains("set data to another path"), "{text}");
    let other = folder.path().join("other");
    fs::write(&other, "not a database, and long enough to be looked at as one".repeat(40)).unwrap();
    let (code, text) = run(&["check", "--data", other.to_str().unwrap()]).await;
    assert!(code == Some(1) && text.contains("is not a Flagdeck database"), "{text}");
}

#[test]
fn check_fails_if_the_server_could_not_write_the_database() {
    if skips_file_tests() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let (data, closed) = (folder.path().join("data"), folder.path().join("closed"));
    let set_mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for folder in [&data, &closed] {
        fs::create_dir(folder).unwrap();
        drop(Binary::on(&folder.join("flagdeck.db")));
        for suffix in ["", "-wal", "-shm"] {
            // A killed server leaves its files.
            set_mode(&folder.join(format!("flagdeck.db{suffix}")), 0o666);
        }
    }
    set_mode(folder.path(), 0o755);
    set_mode(&data, 0o555);
    set_mode(&closed, 0o700);
    let check = |file: &Path| {
        let mut command = flagdeck();
        command.args(["check", "--listen", "127.0.0.1:0", "--data", file.to_str().unwrap()]);
        // Permissions have no effect for root.
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            let binary = folder.path().join("flagdeck");
            // A copy by this process would be open for writing in processes that other tests start meanwhile ("text file busy").
            assert!(Command::new("cp").arg(command.get_program()).arg(&binary).status().unwrap().success());
            let mut unprivileged = Command::new(binary);
            unprivileged.args(command.get_args()).env_clear().current_dir("/").uid(NOBODY).gid(NOBODY);
            command = unprivileged;
        } else {
            set_mode(&closed, 0o000);
        }
        let (code, text) = said(&command.output().unwrap());
        set_mode(&closed, 0o700);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("→ give the user of this process write access"), "{text}");
        text
    };
    for (file, named) in [
        (data.join("flagdeck.db"), &data),
        (data.join("new.db"), &data),
        (data.join("new/folder/flagdeck.db"), &data),
        (closed.join("flagdeck.db"), &closed.join("flagdeck.db")),
        (closed.join("new/flagdeck.db"), &closed.join("new/flagdeck.db")),
    ] {
        let text = check(&file);
        let expected = format!("FAIL  database: {} cannot be written: Permission denied", named.display());
        assert!(text.contains(&expected), "{expected} in {text}");
    }
    set_mode(&data, 0o755);
    set_mode(&data.join("flagdeck.db"), 0o444);
    assert!(check(&data.join("flagdeck.db")).contains("flagdeck.db cannot be written"));
}

#[actix_web::test]
async fn check_decrypts_every_secret() {
    if skips_file_tests() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flagdeck.db");
    let path = file.to_str().unwrap();
    let app = TestApp::with(&["--data", path]).await;
    let addon = json!({
        "provider": "webhook", "enabled": false, "description": "", "events": ["feature-created"],
        "parameters": { "url": "https://hook.example/secret" },
    });
    assert_eq!(app.post("/api/admin/addons", &addon).await.status.as_u16(), 201);
    app.stop().await;
    let (code, text) = run(&["check", "--data", path]).await;
    assert!(code == Some(0) && text.contains("decrypts all 1 secrets"), "{text}");
    assert!(!text.contains("hook.example"), "{text}");
    fs::rename(folder.path().join("flagdeck.db.key"), folder.path().join("elsewhere")).unwrap();
    let (code, text) = run(&["check", "--data", path]).await;
    assert!(code == Some(1) && text.contains("FAIL  key: ") && text.contains("is missing"), "{text}");
}

#[actix_web::test]
async fn health_command_queries_the_configured_server() {
    let app = TestApp::with(&["--data", ":memory:", "--base-path", "/flags"]).await;
    let listen = format!("127.0.0.1:{}", app.port);
    let (code, text) = run(&["health", "--listen", &listen, "--base-path", "/flags"]).await;
    assert_eq!((code, text.as_str()), (Some(0), "ok\n"));
    let everywhere = format!("0.0.0.0:{}", app.port);
    let arguments = ["health", "--listen", &everywhere, "--base-path", "/flags", "--open-to-network"];
    assert_eq!(run(&arguments).await.0, Some(0));
    let public = TestApp::with(&["--data", ":memory:", "--public-url", "https://flags.example"]).await;
    let listen_public = format!("127.0.0.1:{}", public.port);
    let arguments = ["health", "--listen", &listen_public, "--public-url", "https://flags.example"];
    assert_eq!(run(&arguments).await.0, Some(0));
    let authority = Authority::new();
    authority.sign("flags.example");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let https = ["--tls-cert", certificate.as_str(), "--tls-key", key.as_str()];
    let tls = TestApp::with(&[&["--data", ":memory:"], &https[..]].concat()).await;
    let listen_tls = format!("127.0.0.1:{}", tls.port);
    let arguments = [&["health", "--listen", listen_tls.as_str()][..], &https].concat();
    assert_eq!(run(&arguments).await, (Some(0), "ok\n".to_owned()));
    assert_eq!(run(&["health", "--listen", &listen_tls]).await.0, Some(1), "the request uses http");
    let (code, text) = run(&["health", "--listen", &listen]).await;
    assert!(code == Some(1) && text.contains("404"), "{text}");
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (code, text) = run(&["health", "--listen", &nobody]).await;
    assert!(code == Some(1) && text.lines().count() == 1, "{text}");
    assert_eq!(run(&["health", "--listen", "127.0.0.1:0"]).await.0, Some(1));
}

#[actix_web::test]
async fn ready_command_queries_the_listener_for_monitoring() {
    let stub = Stub::start(Reply::End).await;
    let embedded = TestApp::with(&["--data", ":memory:", "--admin-listen", "0"]).await;
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(b"*:production.0123456789").unwrap();
    let token = format!("@{}", file.path().display());
    let own = ["--upstream", &stub.url, "--replica", "--upstream-token", &token, "--admin-listen", "0"];
    let waiting = TestApp::with(&own).await;
    for (app, expected) in [(&embedded, (Some(0), "ok\n")), (&waiting, (Some(1), "503"))] {
        let (code, text) = run(&["ready", "--admin-listen", &app.admin_port.unwrap().to_string()]).await;
        assert!(code == expected.0 && text.contains(expected.1), "{text}");
    }
    let (code, text) = run(&["ready"]).await;
    assert!(code == Some(1) && text.contains("set admin-listen"), "{text}");
}

#[actix_web::test]
async fn version_contains_the_commit_and_the_console() {
    let (code, text) = run(&["--version"]).await;
    assert_eq!(code, Some(0));
    let rest = text.strip_prefix(concat!("flagdeck ", env!("CARGO_PKG_VERSION"), " (commit ")).unwrap();
    let (_, console) = rest.split_once(", console ").unwrap();
    let digits = console.trim_end().trim_end_matches(')');
    assert!(digits.len() == 12 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()), "{text}");
    assert_eq!(run(&["-V"]).await.1, concat!("flagdeck ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[actix_web::test]
async fn texts_of_the_server_cannot_control_the_terminal() {
    let body = r#"{"type":"other","path":"\u001b[2J\nok    forged"}"#;
    let head = "HTTP/1.1 401 Unauthorized\r\nContent-Length: ";
    let stub = Stub::start(Reply::Bytes(format!("{head}{}\r\n\r\n{body}", body.len()))).await;
    let (_, text) = run(&["check", "--upstream", &stub.url]).await;
    assert!(!text.contains(|letter: char| letter != '\n' && letter.is_control()), "{text:?}");
    assert!(text.contains("at \\u{1b}[2J\\nok    forged"), "{text}");
}
