//! The database engine of the tests: SQLite, or PostgreSQL with `FLAGDECK_TEST_ENGINE=postgres`.
//!
//! PostgreSQL is started once for all tests of a run, and each database of a test is a database of its own.

use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use clap::Parser as _;
use flagdeck::cli::Arguments;
use flagdeck::config::{BackendSettings, Config};
use flagdeck::flags::{Flags, OpenError};
use rusqlite::types::Value;

use super::skip::skipped;

/// Creates a temporary server, prints its folder, and removes it when standard input ends. The server listens on a socket
/// in that folder only. Its default order of texts is that of a language, which queries must not use.
const SERVE: &str = "
    folder=$(mktemp -d) && trap 'rm -rf $folder' EXIT && cd $folder || exit 1
    $0/initdb -D data -U flags --auth=trust --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu \\
        --icu-locale=en-US --no-sync >log 2>&1 || { cat log >&2; exit 1; }
    $0/pg_ctl -D data -l log -w -o \"-c listen_addresses= -c unix_socket_directories=$folder -c fsync=off \\
        -c max_connections=400\" start >/dev/null 2>&1 || { cat log >&2; exit 1; }
    echo $folder
    read -r _
    $0/pg_ctl -D data -m immediate stop >/dev/null 2>&1
";

/// The folder of the running server, and its process. It ends with this one, which holds the other end of its input.
static SERVER: LazyLock<(PathBuf, Child)> = LazyLock::new(start);

/// Returns whether the tests use PostgreSQL.
pub fn is_postgres() -> bool {
    std::env::var_os("FLAGDECK_TEST_ENGINE").is_some_and(|engine| engine == "postgres")
}

/// Replaces the values of `--data`: with PostgreSQL, each file and each `:memory:` is a database.
pub fn with_engine(arguments: &[&str]) -> Vec<String> {
    let mut replaced: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    if !is_postgres() {
        return replaced;
    }
    for index in 1..arguments.len() {
        if arguments[index - 1] == "--data" && !arguments[index].is_empty() {
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
    let folder = SERVER.0.display();
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
        let mut psql = psql(file);
        psql.stdin.take().unwrap().write_all(format!("{sql};").as_bytes()).unwrap();
        let output = psql.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return String::from_utf8(output.stdout).unwrap().trim_end().to_owned();
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
    let (url, _) = postgres_database(file.to_str().unwrap());
    let mut psql = Command::new(programs().join("psql"));
    psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", &url]).stdin(Stdio::piped());
    psql.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
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

fn start() -> (PathBuf, Child) {
    let mut serve = Command::new("sh");
    serve.args(["-c", SERVE, programs().to_str().unwrap()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    // PostgreSQL refuses to run as root.
    if let (Some(0), Some(user)) = (id(&["-u"]), id(&["-u", "nobody"])) {
        serve.uid(user).gid(id(&["-g", "nobody"]).unwrap()).current_dir("/");
    }
    let mut server = serve.spawn().unwrap();
    let mut folder = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut folder).unwrap();
    assert!(!folder.is_empty(), "PostgreSQL did not start");
    (PathBuf::from(folder.trim_end()), server)
}

fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim_end().parse().ok()
}

/// Returns the folder of the programs of PostgreSQL, where Debian installs them.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let installed = folders.filter(|folder| folder.join("initdb").exists()).max();
    installed.expect("PostgreSQL is not installed in /usr/lib/postgresql")
}
