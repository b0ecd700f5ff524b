//! A temporary server of PostgreSQL.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

/// Creates the data of an empty server in a temporary folder, prints the folder, and removes it when the input ends. The default
/// order of texts depends on a language, which queries must not use.
const PREPARE: &str = "
    folder=$(mktemp -d) && trap 'rm -rf $folder' EXIT && cd $folder || exit 1
    $0/initdb -D data -U flags --auth=trust --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu \\
        --icu-locale=en-US --no-sync >log 2>&1 || { cat log >&2; exit 1; }
    echo $folder
    cat >/dev/null
";
/// The folder with the data that new servers copy, because its creation takes longer than most tests.
static PREPARED: LazyLock<Server> =
    LazyLock::new(|| Server::run(&mut Server::shell(PREPARE)).expect("initdb failed"));

/// Creates a temporary server, prints its folder, runs the commands of `pg_ctl` in the lines of standard input, and removes
/// the server when the input ends. The server listens on a socket in that folder only. Its messages are in the language of
/// `FLAGDECK_TEST_LANGUAGE`, such as `de_DE.UTF-8`. The arguments are the folder with prepared data, `fsync`, and the folder of
/// another server of which it is a standby.
const SERVE: &str = "
    folder=$(mktemp -d) && trap 'rm -rf $folder' EXIT && cd $folder || exit 1
    control() { $0/pg_ctl -D data -l log -w \"$@\" >/dev/null 2>&1; }
    create() {
        [ -z \"$2\" ] || exec $0/pg_basebackup -D data -h $2 -U flags --write-recovery-conf --checkpoint=fast --no-sync
        exec cp -a $1/data .
    }
    (create $1 $3) >log 2>&1 || { cat log >&2; exit 1; }
    echo \"listen_addresses = ''
        unix_socket_directories = '$folder'
        fsync = ${2:-off}
        max_connections = 400
        lc_messages = '${FLAGDECK_TEST_LANGUAGE:-C}'\" >>data/postgresql.conf
    control start || { cat log >&2; exit 1; }
    echo $folder
    while read -r command; do control $command; echo $?; done
    control stop -m immediate
";
/// Runs `SERVE` as another user, with a small file system of its own at a folder.
const SERVE_WITH_SMALL_DISK: &str = "
    mount -t tmpfs -o size=24m,mode=700,uid=$1,gid=$2 tmpfs \"$0\" &&
        exec setpriv --reuid=$1 --regid=$2 --clear-groups sh -c \"$3\" \"$4\" \"$5\"
";

/// A running server. It ends with this process, which holds the other end of its input.
pub struct Server {
    /// The folder of its socket.
    pub folder: PathBuf,
    child: Child,
    replies: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server. With `fsync` "on" its commits are on disk, with "off" in the memory of the system.
    pub fn start(fsync: &str) -> Self {
        Self::create(&[fsync])
    }

    /// Starts a server that also listens on this port of localhost, with TLS and a password.
    pub fn with_tls(port: u16, certificate: &str, key: &str, password: &str) -> Self {
        let mut server = Self::start("off");
        let data = server.folder.join("data");
        let owner = fs::metadata(&data).unwrap();
        for (source, name) in [(certificate, "server.crt"), (key, "server.key")] {
            let file = data.join(name);
            fs::copy(source, &file).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            chown(&file, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let access = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(data.join("pg_hba.conf"), access).unwrap();
        run_sql(&server.url(), &format!("ALTER ROLE flags PASSWORD '{password}'"));
        let settings = format!("listen_addresses = '127.0.0.1'\nport = {port}\nssl = on\n");
        fs::write(data.join("postgresql.auto.conf"), settings).unwrap();
        server.control("restart");
        server
    }

    /// Starts a standby, which copies all changes of this server and is read-only until its promotion.
    pub fn start_standby(&self) -> Self {
        Self::create(&["off", self.folder.to_str().unwrap()])
    }

    /// Starts a server with arguments of `SERVE`.
    fn create(arguments: &[&str]) -> Self {
        let mut serve = Self::shell(SERVE);
        serve.arg(&PREPARED.folder).args(arguments);
        Self::run(&mut serve).expect("PostgreSQL did not start")
    }

    /// Returns the command for a shell script, whose `$0` is the folder of the programs.
    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, programs().to_str().unwrap()]);
        // PostgreSQL refuses to run as root.
        if let Some([user, group]) = unprivileged_user() {
            shell.uid(user).gid(group).current_dir("/");
        }
        shell
    }

    /// Starts a server for which `folder` is a file system of 24 MB. Returns `None` if this user may not mount one.
    pub fn with_small_disk(folder: &Path) -> Option<Self> {
        let [user, group] = unprivileged_user()?.map(|id| id.to_string());
        let mut serve = Command::new("unshare");
        serve.args(["-m", "sh", "-c", SERVE_WITH_SMALL_DISK, folder.to_str().unwrap(), &user, &group]);
        serve.args([SERVE, programs().to_str().unwrap()]).arg(&PREPARED.folder);
        Self::run(serve.current_dir("/"))
    }

    fn run(serve: &mut Command) -> Option<Self> {
        let mut child = serve.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let mut replies = BufReader::new(child.stdout.take().unwrap());
        let mut folder = String::new();
        replies.read_line(&mut folder).unwrap();
        (!folder.is_empty()).then(|| Self { folder: folder.trim_end().into(), child, replies })
    }

    /// Runs a command of `pg_ctl`, such as `stop -m fast`, and waits for its end.
    pub fn control(&mut self, command: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{command}").unwrap();
        let mut status = String::new();
        self.replies.read_line(&mut status).unwrap();
        assert_eq!(status, "0\n", "{command}");
    }

    /// Suspends all processes of the server: it accepts connections and does not respond.
    pub fn suspend(&self) {
        self.signal("STOP");
    }

    /// Ends [`Self::suspend`].
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let main = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let main = main.lines().next().unwrap().trim();
        let children = Command::new("pgrep").args(["-P", main]).output().unwrap();
        let children = String::from_utf8(children.stdout).unwrap();
        let processes: Vec<_> = [main].into_iter().chain(children.split_whitespace()).collect();
        let sent = Command::new("kill").arg(format!("-{signal}")).args(&processes).status().unwrap();
        assert!(sent.success(), "{processes:?}");
    }

    /// Returns the URL of an empty database.
    pub fn url(&self) -> String {
        format!("postgres:///postgres?host={}&user=flags", self.folder.display())
    }

    /// Returns the path of a file in the file system of the server.
    pub fn path_of(&self, file: &Path) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{}", self.child.id(), file.display()))
    }
}

/// Ends the other sessions of a database, and returns their number.
pub const END_SESSIONS: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()";

/// Runs statements on a database, and returns the rows of the last one.
pub fn run_sql(url: &str, sql: &str) -> String {
    let mut psql = psql(url);
    psql.stdin.take().unwrap().write_all(format!("{sql};").as_bytes()).unwrap();
    let output = psql.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Starts the client of PostgreSQL, which reads statements from its standard input.
pub fn psql(url: &str) -> Child {
    let mut psql = Command::new(programs().join("psql"));
    psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", url]).stdin(Stdio::piped());
    psql.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the user and the group that run PostgreSQL if this user is root.
fn unprivileged_user() -> Option<[u32; 2]> {
    (id(&["-u"])? == 0).then_some([id(&["-u", "nobody"])?, id(&["-g", "nobody"])?])
}

fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim_end().parse().ok()
}

/// Returns the folder of the programs of PostgreSQL, where Debian installs them.
pub(super) fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let installed = folders.filter(|folder| folder.join("initdb").exists()).max();
    installed.expect("PostgreSQL is not installed in /usr/lib/postgresql")
}
