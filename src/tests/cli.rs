//! The binary: settings, errors about them, and shutdown.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

use tempfile::NamedTempFile;

pub(super) fn flagdeck(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagdeck"));
    command.args(arguments).env_clear().stdin(Stdio::null());
    command
}

/// Runs the binary until it exits, and returns its exit code and its output.
pub(super) fn fault(command: &mut Command) -> (Option<i32>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    if !line.is_empty() {
        child.kill().unwrap();
    }
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    assert_eq!(line, "", "it started");
    (status.code(), String::from_utf8(stderr).unwrap())
}

/// Starts the binary and waits for the printed URL.
pub(super) fn start(command: &mut Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim_end().trim_start_matches("Flagdeck is ready on ").to_owned())
}

pub(super) fn settings_file(text: &str) -> NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

#[test]
fn invalid_setting_is_reported_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let _guard = TcpListener::bind(taken).unwrap();
    let taken = taken.to_string();
    let no_folder = NamedTempFile::new().unwrap();
    let below_a_file = no_folder.path().join("x.db");
    let cases: &[(&[&str], &str)] = &[
        (&["--listen", "nowhere"], "listen: "),
        (&["--listen", &taken, "--data", ":memory:"], "listen: cannot listen on"),
        (&["--upstream", "localhost:4242"], "upstream: "),
        (
            &["--upstream", "http://localhost:4242"],
            "upstream: localhost:4242 is the address on which this program listens",
        ),
        (
            &["--upstream", "https://[::1]", "--listen", "[::]:443", "--open-to-network"],
            "upstream: [::1] is the address on which",
        ),
        (&["--upstream", "http://x", "--upstream-head-timeout", "soon"], "upstream-head-timeout: "),
        (
            &["--upstream", "http://x", "--upstream-head-timeout", "9223372036854775807s"],
            "upstream-head-timeout: \"9223372036854775807s\" is not a duration from 1ms to 24h",
        ),
        (&["--shutdown-delay=-1s"], "shutdown-delay: \"-1s\" is not a duration from 0s to 24h"),
        (&["--shutdown-timeout", "999ms"], "shutdown-timeout: \"999ms\" is not a duration from 1s to 24h"),
        (
            &["--session-lifetime", "9223372036854775807s"],
            "session-lifetime: \"9223372036854775807s\" is not a duration from 1s to 720h",
        ),
        (
            &["--body-limit", "1073741825"],
            "body-limit: \"1073741825\" is not a whole number from 0 to 1073741824",
        ),
        (&["--upstream", "http://x:0"], "upstream: "),
        (&["--public-url", "https://x:0"], "public-url: "),
        (&["--admin-listen", "65536"], "admin-listen: "),
        (&["--listen", "127.0.0.1:65536"], "listen: "),
        (&["--data", ""], "data: "),
        (
            &["--data", "sqlite:///x"],
            "data: begins with sqlite:, which is not supported; write the path of a file, postgres://",
        ),
        (&["--data", "sqlite:x.db"], "data: begins with sqlite:, "),
        (&["--data", "file:x.db"], "data: begins with file:, "),
        (&["--data", "mysql://anna@db/flags"], "data: begins with mysql:, "),
        (&["--data", "POSTGRES://anna@db/flags"], "data: begins with POSTGRES:, "),
        (&["--data", "postgresql:flags"], "data: begins with postgresql:, "),
        (&["--data", "other+x://flags"], "data: begins with other+x:, "),
        (&["--log-level", "x"], "log-level: \"x\" is not a level"),
        (&["--log-level", "["], "log-level: \"[\" is not a level"),
        (&["--log-level", ""], "log-level: \"\" is not a level"),
        (&["--log-level", "info,flagdeck=loud"], "log-level: "),
        (&["--upstream", "http://x", "--demo"], "demo: "),
        (&["--upstream", "http://x", "--auth", "none"], "auth: "),
        (&["--auth", "ldap"], "auth: "),
        (&["--auth", "password", "--data", ":memory:"], "auth: "),
        (&["--session-lifetime", "forever"], "session-lifetime: "),
        (&["--listen", "0.0.0.0:0", "--data", ":memory:"], "listen: "),
        (&["--base-path", "/a b"], "base-path: "),
        (&["--public-url", "flags.example"], "public-url: "),
        (&["--trusted-proxy", "everybody"], "trusted-proxy: "),
        (&["--trusted-origin", "https://x/y"], "trusted-origin: "),
        (&["--image-origin", "https://x;y"], "image-origin: "),
        (&["--tls-cert", "/no/such/file"], "tls-cert: "),
        (&["--upstream", "https://x", "--upstream-ca", "/no/such/file"], "upstream-ca: "),
        (&["--upstream", "http://x", "--upstream-insecure"], "upstream-insecure: "),
        (&["--upstream", "http://x", "--proxy-prefix", "/-"], "proxy-prefix: "),
        (&["--upstream", "http://x", "--upstream-header", "Authorization=x"], "upstream-header: "),
        (&["--env-label", ""], "env-label: "),
        (&["--log-format", "xml"], "log-format: "),
        (&["--listen", "127.0.0.1:0", "--data", below_a_file.to_str().unwrap()], "data: "),
        (&["--config", "/no/such/file.toml"], "The settings file /no/such/file.toml "),
    ];
    for (arguments, start) in cases {
        let (code, said) = fault(&mut flagdeck(arguments));
        assert_eq!(code, Some(1), "{arguments:?}: {said}");
        assert!(
            said.starts_with(&format!("flagdeck: {start}")) && said.lines().count() == 1,
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn unknown_arguments_exit_with_code_64() {
    let (code, said) = fault(&mut flagdeck(&["--lsten", "x"]));
    assert_eq!(code, Some(64));
    assert!(said.contains("--lsten") && said.contains("--listen"), "{said}");
    for document in [include_str!("../../examples/settings.md"), include_str!("../../examples/files.md")] {
        let words = document.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!words.contains("2 for unknown flags") && words.contains("64"), "exit codes are documented");
    }
}

#[test]
fn settings_file_error_names_the_file_the_line_and_the_closest_key() {
    for (text, expected) in [
        ("# Address\nlsten = \"127.0.0.1:0\"\n", "line 2: \"lsten\" is not a setting; did you mean listen?"),
        (
            "read-only = true\nupstream_header = []\n",
            "line 2: \"upstream_header\" is not a setting; did you mean upstream-header?",
        ),
        ("[server]\nlisten = \"127.0.0.1:0\"\n", "line 1: \"server\" is not a setting"),
        ("\n\nlisten = 127.0.0.1:0\n", "line 3: "),
        ("listen\n", "line 1: "),
    ] {
        let file = settings_file(text);
        let path = file.path().to_str().unwrap();
        let (code, said) = fault(&mut flagdeck(&["--config", path]));
        assert_eq!(code, Some(1));
        let start = format!("flagdeck: The settings file {path} cannot be used: {expected}");
        assert!(said.starts_with(&start) && said.lines().count() == 1, "{said}");
        assert!(!said.contains("127.0.0.1"), "the text may be a secret: {said}");
    }
}

#[test]
fn misspelt_environment_variables_are_reported_with_the_closest_name() {
    let variables = [
        ("FLAGDECK_LISTN", "127.0.0.1:1"),
        ("FLAGDECK_PUBLICURL", "https://flags.example.com"),
        ("FLAGDECK_COLOR_OF_THE_MOON", "grey"),
        // `make run` with a finished build of the console sets it.
        ("FLAGDECK_FRONTEND_DIST", "dist"),
        // Kubernetes sets these for a service of this name.
        ("FLAGDECK_PORT", "tcp://10.0.0.1:4242"),
        ("FLAGDECK_PORT_4242_TCP_ADDR", "10.0.0.1"),
        ("FLAGDECK_SERVICE_HOST", "10.0.0.1"),
        ("FLAGDECK_SERVICE_PORT_HTTP", "4242"),
    ];
    let expected = [
        "FLAGDECK_COLOR_OF_THE_MOON is not a setting and is ignored",
        "FLAGDECK_LISTN is not a setting and is ignored; FLAGDECK_LISTEN is",
        "FLAGDECK_PUBLICURL is not a setting and is ignored; FLAGDECK_PUBLIC_URL is",
    ];
    let said = |command: &mut Command, from: &str| -> Vec<String> {
        let Output { stdout, stderr, .. } = command.envs(variables).output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        let lines = text.lines().filter_map(|line| line.split_once(from));
        lines.map(|(_, variable)| variable.to_owned()).collect()
    };
    let arguments = ["--listen", "127.0.0.1:0", "--data", ":memory:"];
    let check = flagdeck(&[&["check"][..], &arguments].concat());
    assert_eq!(said(&mut { check }, "note  settings: the environment variable "), expected);
    // `health` fails, because port 0 is unknown.
    let health = flagdeck(&[&["health"][..], &arguments].concat());
    assert_eq!(said(&mut { health }, " WARN the environment variable "), expected);
}

#[test]
fn upstream_url_with_the_path_of_the_api_is_reported() {
    for (path, before) in [("/api", ""), ("/flags/api/", "/flags"), ("/api/admin", "")] {
        let url = format!("http://127.0.0.1:1{path}");
        let output = flagdeck(&["check", "--listen", "127.0.0.1:0", "--upstream", &url]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let remedy = format!("set upstream to http://127.0.0.1:1{before}\n");
        assert!(said.contains("note  settings: upstream: ") && said.contains(&remedy), "{said}");
    }
    for path in ["", "/apis", "/unleash", "/api/v2"] {
        let url = format!("http://127.0.0.1:1{path}");
        let output = flagdeck(&["check", "--listen", "127.0.0.1:0", "--upstream", &url]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(!said.contains("note  settings: upstream: "), "{said}");
    }
}

#[test]
fn settings_without_effect_are_reported() {
    let embedded = ["--data", ":memory:"];
    let upstream = ["--upstream", "http://127.0.0.1:1"];
    let changed = ["--upstream-head-timeout", "9s", "--replica-refresh", "9s"];
    for (arguments, hints) in [
        (
            [&embedded[..], &changed, &["--upstream-token", "@/no/such/file"]].concat(),
            &[
                "upstream-head-timeout has no effect without upstream",
                "upstream-token has no effect without upstream",
                "replica-refresh has no effect without upstream",
            ][..],
        ),
        ([&upstream[..], &changed].concat(), &["replica-refresh has no effect without replica"]),
        ([&upstream[..], &changed, &["--replica"]].concat(), &[]),
        ([&embedded[..], &["--upstream-head-timeout", "30s"]].concat(), &[]),
    ] {
        let output = flagdeck(&[&["check", "--listen", "127.0.0.1:0"], &arguments[..]].concat()).output();
        let said = String::from_utf8(output.unwrap().stdout).unwrap();
        let noted: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("note  settings: ")).collect();
        assert_eq!(noted, hints, "{arguments:?}");
    }
}

#[test]
fn value_of_another_type_error_names_the_key_and_the_type() {
    for (key, value, expected) in [
        ("listen", "[\"x\"]", "expected a string"),
        ("read-only", "\"maybe\"", "expected a boolean"),
        ("trusted-proxy", "[[\"x\"]]", "expected a string"),
    ] {
        let file = settings_file(&format!("{key} = {value}\n"));
        let path = file.path().to_str().unwrap();
        let (code, said) = fault(&mut flagdeck(&["--config", path]));
        assert_eq!(code, Some(1));
        assert!(said.contains(path) && said.contains(&format!("{expected} for key `{key}`")), "{said}");
    }
}

#[test]
fn precedence_is_flag_environment_file_default() {
    let file = settings_file("data = \":memory:\"\nlisten = \"127.0.0.1:0\"\nbase-path = \"/file\"\n");
    let path = file.path().to_str().unwrap();
    let base_of = |command: &mut Command| {
        let (mut child, url) = start(command);
        child.kill().unwrap();
        child.wait().unwrap();
        url.trim_end_matches('/').rsplit_once(':').unwrap().1.split_once('/').unwrap().1.to_owned()
    };
    assert_eq!(base_of(flagdeck(&["--config", path]).env("FLAGDECK_PORT", "tcp://10.0.0.1:1")), "file");
    assert_eq!(base_of(flagdeck(&[]).env("FLAGDECK_CONFIG", path)), "file");
    assert_eq!(base_of(flagdeck(&["--config", path]).env("FLAGDECK_BASE_PATH", "/variable")), "variable");
    let flag = ["--config", path, "--base-path", "/flag"];
    assert_eq!(base_of(flagdeck(&flag).env("FLAGDECK_BASE_PATH", "/variable")), "flag");
}

#[test]
fn signals_shut_down_cleanly() {
    for signal in ["TERM", "INT"] {
        let (mut child, url) = start(&mut flagdeck(&["--listen", "127.0.0.1:0", "--data", ":memory:"]));
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        let sent =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn hangup_does_not_end_a_server_without_tls() {
    let (mut child, url) = start(&mut flagdeck(&["--listen", "127.0.0.1:0", "--data", ":memory:"]));
    let send = |signal: &str| {
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    };
    for _ in 0..3 {
        send("-HUP");
        let address = url.trim_end_matches('/').rsplit('/').next().unwrap();
        let mut connection = TcpStream::connect(address).unwrap();
        write!(connection, "GET /-/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    send("-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn paths_with_a_colon_are_files() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["a:b.db", "./file:x.db", "./sqlite:x.db", "c:/d.db"] {
        let mut command = flagdeck(&["--listen", "127.0.0.1:0", "--data", path]);
        let (mut child, url) = start(command.current_dir(&folder));
        assert!(url.starts_with("http://"), "{path}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(folder.path().join(path).is_file(), "{path}");
    }
}

#[test]
fn sdk_requests_are_logged_only_on_errors() {
    let mut child = flagdeck(&["--listen", "127.0.0.1:0", "--data", ":memory:"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().trim_end_matches('/').rsplit('/').next().unwrap();
    for path in ["/api/client/features", "/api/client/none", "/-/health"] {
        let mut connection = TcpStream::connect(address).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        connection.read_to_string(&mut String::new()).unwrap();
    }
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut log: Vec<String> = Vec::new();
    // Each worker writes its lines in order.
    while !["/-/health", "/api/client/none"].iter().all(|path| log.iter().any(|line| line.contains(path))) {
        log.push(lines.next().unwrap());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    log.retain(|line| line.contains("/api/client"));
    assert!(log.len() == 1 && log[0].contains("404"), "{log:?}");
}

#[test]
fn errors_about_settings_do_not_contain_secrets() {
    const SECRET: &str = "hunter2-0123456789abcdef";
    let upstream = ["--upstream", "http://127.0.0.1:9"];
    let tokens = |text: &str| {
        let file = settings_file(&text.replace("SECRET", SECRET));
        let value = format!("@{}", file.path().display());
        (file, [&upstream[..], &["--frontend-tokens"]].concat(), value)
    };
    let settings = |more: &[&'static str], text: &str| {
        let file = settings_file(&text.replace("SECRET", SECRET));
        let path = file.path().display().to_string();
        (file, [more, &["--config"]].concat(), path)
    };
    for ((_file, arguments, last), place) in [
        (tokens("[web]\nsecret = \"SECRET\norigins = []"), "line 2"),
        (tokens("[web]\nsecret = SECRET\n"), "line 2"),
        (tokens("secret = \"SECRET\""), "cannot be used"),
        (tokens("[web]\nsecret = \"0123456789abcdef\"\norigins = \"SECRET\""), "origins"),
        (tokens("[web]\nsecret = [\"SECRET\"]"), "secret"),
        (settings(&[], "listen = \"SECRET\nread-only = 1"), "line 1"),
        (settings(&upstream, "upstream-header = { Authorization = \"SECRET\" }"), "upstream-header"),
        (settings(&[], "read-only = \"SECRET\""), "read-only"),
        (settings(&upstream, "upstream-header = \"Authorization: SECRET\""), "upstream-header"),
    ] {
        let (code, text) = fault(flagdeck(&arguments).arg(last));
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(place) && !text.contains("hunter2"), "{place}: {text}");
    }
    for (more, variable) in [(&[][..], "FLAGDECK_READ_ONLY"), (&upstream, "FLAGDECK_UPSTREAM_HEADER")] {
        let (code, text) = fault(flagdeck(more).env(variable, SECRET));
        assert_eq!(code, Some(1), "{text}");
        assert!(!text.contains("hunter2"), "{variable}: {text}");
    }
    let url = format!("https://anna:{SECRET}@flags.example");
    for setting in ["public-url", "allowed-host", "image-origin", "trusted-origin", "upstream-project"] {
        let (code, text) = fault(flagdeck(&upstream).args([&format!("--{setting}"), &url]));
        assert_eq!(code, Some(1), "{text}");
        assert!(
            text.contains(&format!("{setting}: the value is not")) && !text.contains("hunter2"),
            "{text}"
        );
    }
}
