//! A server of our own: a temporary cluster from binaries on this machine.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::target::{Place, Target};
use super::wire::Connection;

/// The owner of the cluster, who can't log in over the network.
const ADMIN: &str = "stuntdouble";

/// How long a server may take to accept connections.
const PATIENCE: Duration = Duration::from_secs(60);

/// Attempts to start a server: another process may take its port between choice and use.
const SERVERS_TRIED: u32 = 3;

/// Folders searched for binaries if PATH has none, newest version first.
const FOLDERS: [(&str, &str); 5] = [
    ("/usr/lib/postgresql", "bin"),
    ("/usr/pgsql", "bin"),
    ("/opt/homebrew/opt", "bin"),
    ("/usr/local/opt", "bin"),
    ("/usr/local/pgsql", ""),
];

/// Who may connect: the owner over the socket, which is in a private folder; others with their password too, to the
/// database of their own name.
const HBA: &str = "\
local all all trust
host all stuntdouble,postgres 127.0.0.1/32 reject
host sameuser all 127.0.0.1/32 scram-sha-256
";

/// Durability is off, because nobody needs it, and so is background work.
const SETTINGS: [&str; 12] = [
    "listen_addresses=127.0.0.1",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "autovacuum=off",
    "jit=off",
    "shared_buffers=32MB",
    "log_timezone=UTC",
    "lc_messages=C",
    "max_connections=400",
];

/// Starts the server, and stops it when its standard input is closed: however this process ends, the server
/// and its folder are removed.
const WATCHDOG: &str = r#"
folder=$1; shift
{ "$@" < /dev/null > "$folder/log" 2>&1; : > "$folder/ended"; } &
read -r _
[ -e "$folder/ended" ] || kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")" 2> /dev/null
wait
rm -rf "$folder"
"#;

/// A server of our own.
pub(super) struct Cluster {
    folder: PathBuf,
    port: u16,
    watchdog: Child,
}

impl Cluster {
    /// Creates and starts one.
    pub(super) fn start() -> io::Result<Cluster> {
        let bin = binaries()?;
        let owner = Owner::of_servers()?;
        let mut cluster = Cluster::make(&bin, &owner);
        for _ in 1..SERVERS_TRIED {
            cluster = cluster.or_else(|_| Cluster::make(&bin, &owner));
        }
        cluster
    }

    fn make(bin: &Path, owner: &Owner) -> io::Result<Cluster> {
        let folder = Folder::make(owner)?;
        initialise(bin, &folder.path, owner)?;
        let cluster = Cluster::run(bin, &folder.path, owner)?;
        folder.keep();
        Ok(cluster)
    }

    fn run(bin: &Path, folder: &Path, owner: &Owner) -> io::Result<Cluster> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut command = owner.command("/bin/sh", folder);
        command.args(["-c", WATCHDOG, "sh"]).arg(folder).arg(bin.join("postgres"));
        command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder).args(["-p", &port.to_string()]);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // This process handles Ctrl-C; the server must not.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let watchdog = command.spawn().map_err(|error| failed("sh", &error.to_string()))?;
        let cluster = Cluster { folder: folder.to_owned(), port, watchdog };
        cluster.wait()?;
        Ok(cluster)
    }

    fn wait(&self) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let Err(error) = Connection::open(&self.admin(), "postgres") else { return Ok(()) };
            if self.folder.join("ended").exists() || Instant::now() > deadline {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(failed("postgres", &format!("{error}; {log}")));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Connects as its owner, over the socket.
    pub(super) fn admin(&self) -> Target {
        let place = Place::Socket(self.folder.clone(), self.port);
        Target { place, user: ADMIN.to_owned(), password: None }
    }

    /// Where clients connect.
    pub(super) fn tcp(&self) -> Place {
        Place::Tcp(Ipv4Addr::LOCALHOST.to_string(), self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        // It ends by itself; its exit status does not matter.
        let _ = self.watchdog.wait();
    }
}

fn failed(program: &str, why: &str) -> io::Error {
    io::Error::other(format!("a PostgreSQL server can't be started, {program}: {}", why.trim()))
}

fn initialise(bin: &Path, folder: &Path, owner: &Owner) -> io::Result<()> {
    let data = folder.join("data");
    let run = |locale: &str| -> io::Result<Output> {
        let mut command = owner.command(bin.join("initdb"), folder);
        command.arg("-D").arg(&data).args(["-U", ADMIN, "-A", "trust", "-E", "UTF8", "--no-sync", locale]);
        command.stdin(Stdio::null()).output()
    };
    // Some systems lack the locale in which texts sort by bytes and letters have case.
    let mut done = run("--locale=C.UTF-8")?;
    if !done.status.success() {
        done = run("--locale=C")?;
    }
    if !done.status.success() {
        return Err(failed("initdb", &String::from_utf8_lossy(&done.stderr)));
    }
    fs::write(data.join("pg_hba.conf"), HBA)
}

/// The folder with `initdb` and `postgres` in it.
fn binaries() -> io::Result<PathBuf> {
    let has_all = |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).is_file());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).find(has_all);
    in_path.or_else(|| installed().into_iter().find(has_all)).ok_or_else(|| {
        let text = "there are no binaries of PostgreSQL, initdb and postgres, in PATH or where packages put them; \
                    install the package postgresql, or name a server by its URL";
        io::Error::new(ErrorKind::NotFound, text)
    })
}

/// Where packages install binaries, the newest version first.
fn installed() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (parent, below) in FOLDERS {
        let children = fs::read_dir(parent).into_iter().flatten().flatten();
        found.extend(
            children.map(|child| (version(&child.file_name().to_string_lossy()), child.path().join(below))),
        );
    }
    found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    found.into_iter().map(|(_, folder)| folder).collect()
}

/// The number at the end of a folder's name: `15`, `postgresql@16`.
fn version(name: &str) -> u32 {
    name.rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// The user that runs the server: ours, unless we are root, which the server refuses.
struct Owner(Option<(u32, u32)>);

impl Owner {
    fn of_servers() -> io::Result<Owner> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Owner(None));
        }
        let users = fs::read_to_string("/etc/passwd")?;
        let found = ["postgres", "nobody"].iter().find_map(|name| ids(&users, name));
        let none =
            || failed("setuid", "it can't run as root, and there is neither a user postgres nor nobody");
        found.map(|ids| Owner(Some(ids))).ok_or_else(none)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new(program);
        command.current_dir(folder);
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        command
    }
}

fn ids(users: &str, name: &str) -> Option<(u32, u32)> {
    let fields: Vec<&str> =
        users.lines().map(|line| line.split(':').collect()).find(|f: &Vec<&str>| f[0] == name)?;
    Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
}

/// A folder that is removed unless it is kept.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn make(owner: &Owner) -> io::Result<Folder> {
        use std::os::unix::fs::{DirBuilderExt as _, chown};
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("stuntdouble-{}-{number}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        let folder = Folder { path };
        if let Some((user, group)) = owner.0 {
            chown(&folder.path, Some(user), Some(group))?;
        }
        Ok(folder)
    }

    fn keep(mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // Anything left behind is in a temporary folder.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_folder_is_the_number_at_its_end() {
        assert_eq!(["15", "postgresql@16", "bin", ""].map(version), [15, 16, 0, 0]);
    }

    #[test]
    fn a_user_s_numbers_are_in_the_third_and_fourth_field() {
        let users = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:102::/var:/bin/sh\nbroken\n";
        assert_eq!(ids(users, "postgres"), Some((101, 102)));
        assert_eq!((ids(users, "broken"), ids(users, "nobody")), (None, None));
    }
}
