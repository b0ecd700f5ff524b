//! The database engine of the tests: SQLite, or PostgreSQL with `FLAGDECK_TEST_ENGINE=postgres`.
//!
//! PostgreSQL is started once for all tests of a run, and each database of a test is a database of its own.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use clap::Parser as _;
use flagdeck::cli::Arguments;
use flagdeck::config::{BackendSettings, Config};
use flagdeck::database::OpenError;
use flagdeck::flags::Flags;
use rusqlite::types::Value;

use super::postgres_server::{self, Server, programs};
use super::skip::skipped;

/// The server of all tests of a run.
static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("off"));

/// Returns the number of rounds of a test that kills servers: the value of an environment variable, or else the default, which is small
/// because each round starts a server.
pub fn rounds(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |rounds| rounds.parse().unwrap())
}

/// Returns whether the tests use PostgreSQL.
pub fn is_postgres() -> bool {
    std::env::var_os("FLAGDECK_TEST_ENGINE").is_some_and(|engine| engine == "postgres")
}

/// Panics unless the tests use PostgreSQL. For tests with the attribute `#[ignore = "needs PostgreSQL"]`.
pub fn assert_postgres() {
    assert!(is_postgres(), "this test needs FLAGDECK_TEST_ENGINE=postgres");
}

/// Replaces the values of `--data`: with PostgreSQL, each file and each `:memory:` is a database.
pub fn with_engine(arguments: &[&str]) -> Vec<String> {
    let mut replaced: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    if !is_postgres() {
        return replaced;
    }
    for index in 1..arguments.len() {
        let is_place = !arguments[index].is_empty() && !arguments[index].starts_with("postgres:");
        if arguments[index - 1] == "--data" && is_place {
            let (url, key) = postgres_database(arguments[index]);
            replaced[index] = url;
            replaced.extend(["--data-key".to_owned(), key]);
        }
    }
    replaced
}

/// Returns the URL of a PostgreSQL database and the path of its key file. A file always has the same database.
pub fn postgres_database(data: &str) -> (String, String) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    static CREATED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);
    let (name, key) = if data == ":memory:" {
        let name = format!("memory_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let key = std::env::temp_dir().join(format!("flagdeck-{}-{name}.key", std::process::id()));
        (name, key.to_str().unwrap().to_owned())
    } else {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(data);
        (format!("file_{hash:x}"), format!("{data}.key"))
    };
    let folder = SERVER.folder.display();
    let mut created = CREATED.lock().unwrap();
    if created.insert(name.clone()) {
        let create = programs().join("createdb");
        let arguments = ["-h", &folder.to_string(), "-U", "flags", &name];
        let output = Command::new(create).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    (format!("postgres:///{name}?host={folder}&user=flags"), key)
}

/// Opens the database like another process.
pub fn open_flags(file: &Path) -> Result<Flags, OpenError> {
    let arguments = with_engine(&["flagdeck", "--data", file.to_str().unwrap()]);
    let settings = Arguments::parse_from(arguments).settings;
    match Config::resolve(None, &settings, []).unwrap().backend {
        BackendSettings::Embedded(embedded) => Flags::open(&embedded.data),
        BackendSettings::Upstream(_) => unreachable!("the arguments name no upstream"),
    }
}

/// Runs statements on the database, and returns the rows of the last one: a line for each row, with `|` between values.
pub fn run_sql(file: &Path, sql: &str) -> String {
    if is_postgres() {
        return postgres_server::run_sql(&postgres_database(file.to_str().unwrap()).0, sql);
    }
    let database = rusqlite::Connection::open(file).unwrap();
    let (first, last) = sql.trim_end().trim_end_matches(';').rsplit_once(';').unwrap_or(("", sql));
    database.execute_batch(first).unwrap();
    let mut statement = database.prepare(last).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut lines = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let values = (0..columns).map(|column| match row.get(column).unwrap() {
            Value::Null => String::new(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Blob(bytes) => format!("{bytes:x?}"),
        });
        lines.push(values.collect::<Vec<_>>().join("|"));
    }
    lines.join("\n")
}

/// Starts the client of PostgreSQL, which reads statements from its standard input.
pub fn psql(file: &Path) -> Child {
    postgres_server::psql(&postgres_database(file.to_str().unwrap()).0)
}

/// Returns the name of the PostgreSQL database of a file, and the URL of the server's own database.
fn name_and_server(file: &Path) -> (String, String) {
    let (url, _) = postgres_database(file.to_str().unwrap());
    let name = url.strip_prefix("postgres:///").unwrap().split('?').next().unwrap();
    (name.to_owned(), url.replace(name, "postgres"))
}

/// Copies an unreachable database of PostgreSQL to the database of another file.
pub fn copy_unreachable(file: &Path, copy: &Path) {
    let ((name, server), (copy, _)) = (name_and_server(file), name_and_server(copy));
    let sql = format!("DROP DATABASE {copy}; CREATE DATABASE {copy} TEMPLATE {name}_away");
    postgres_server::run_sql(&server, &sql);
}

/// Replaces an unreachable database of PostgreSQL by the database of another file.
pub fn replace_unreachable(file: &Path, other: &Path) {
    let ((name, server), (other_name, _)) = (name_and_server(file), name_and_server(other));
    set_reachable(other, false);
    let sql = format!("DROP DATABASE {name}_away; ALTER DATABASE {other_name}_away RENAME TO {name}_away");
    postgres_server::run_sql(&server, &sql);
}

/// Makes a database of PostgreSQL unreachable and ends its connections, or makes it reachable again.
pub fn set_reachable(file: &Path, is_reachable: bool) {
    let (name, server) = name_and_server(file);
    let sql = if is_reachable {
        format!("ALTER DATABASE {name}_away RENAME TO {name}; ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    } else {
        format!(
            "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
             SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}';
             ALTER DATABASE {name} RENAME TO {name}_away"
        )
    };
    postgres_server::run_sql(&server, &sql);
}

/// Returns the expression for a random hash of a token.
pub fn random_token() -> &'static str {
    if is_postgres() { "decode(md5(random()::text) || md5(random()::text), 'hex')" } else { "randomblob(32)" }
}

/// Returns true, and reports it, if a test about the file of SQLite must be skipped.
pub fn skips_file_tests() -> bool {
    if is_postgres() {
        skipped("this test is about the file of SQLite");
    }
    is_postgres()
}
