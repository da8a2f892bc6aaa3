//! Projects' databases on a PostgreSQL server.
//!
//! A version of a database is a value ([`version`]): either a copy on the server, or an earlier version and
//! the call that made the difference. A database on the server ([`pool`], [`database`]) is one version at a
//! time; a call moves it to the next version. To use an older version, a copy is made and the calls since are
//! repeated on it, with their own timestamps and seeds. So forks, snapshots, backups and undone calls cost a
//! pointer until they are used.

#[cfg_attr(not(unix), path = "cluster_elsewhere.rs")]
mod cluster;
mod database;
mod events;
mod pool;
mod rewrite;
mod scan;
mod shapes;
mod target;
mod template;
#[cfg(test)]
mod tests;
mod value;
mod version;
mod wire;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sim_core::engine::{Address, DatabaseServer, Holder, Profile, SqlCall, Version};
use sim_core::sql::{Outcome, SqlError, SqlState};

pub use events::PostgresEvents;
pub(crate) use rewrite::rewritten_for_connection;

use cluster::Cluster;
use database::{Database, Done, lost};
use pool::Pool;
use target::{Place, Target};
use version::{Logged, Node, Past};

/// Calls, by weight, after which a copy is made, so that never more calls have to be repeated.
const REPEATED_MAX: u32 = 128;

/// The duration of a call of weight two; a call of one second is worth a copy.
const HEAVY: Duration = Duration::from_millis(8);

/// The oldest supported major version of PostgreSQL.
const OLDEST: u32 = 14;

/// A PostgreSQL server that stores projects' databases.
///
/// ```no_run
/// use sim_core::Simulator;
/// use sim_http::{PostgresServer, Server};
///
/// let databases = PostgresServer::start()?;
/// let server = Server::spawn(Simulator::builder().database_server(databases).build());
/// # drop(server);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PostgresServer {
    pool: Arc<Pool>,
    blank: Arc<Node>,
}

impl PostgresServer {
    /// A server of its own, from binaries on this machine; it is removed with the last world that uses it.
    ///
    /// It listens on the loopback and on a socket in a temporary folder, which contains all its files. Under
    /// root it runs as the user `postgres`, or else `nobody`.
    ///
    /// Fails if there are no binaries or they don't start; the error says which.
    pub fn start() -> io::Result<Arc<PostgresServer>> {
        PostgresServer::start_for(&Profile::default().platform)
    }

    /// Like [`start`](PostgresServer::start), with another beginning of the platform's own names in its databases: that of
    /// [`Profile::platform`](sim_core::engine::Profile::platform).
    pub fn start_for(platform: &str) -> io::Result<Arc<PostgresServer>> {
        let cluster = Cluster::start()?;
        let admin = cluster.admin();
        let caller = admin.called_by(template::CALLER);
        PostgresServer::on(Pool::new(admin, caller, "project_".to_owned(), Some(cluster)), platform)
    }

    /// A running server: `postgres://USER[:PASSWORD]@HOST[:PORT]`. The user must be allowed to create
    /// databases; projects' SQL runs as that user. All databases created there are dropped at the end.
    ///
    /// Fails if the URL is invalid, the server does not respond, or it is older than version 14.
    pub fn connect(url: &str) -> io::Result<Arc<PostgresServer>> {
        PostgresServer::connect_for(url, &Profile::default().platform)
    }

    /// Like [`connect`](PostgresServer::connect), with another beginning of the platform's own names.
    pub fn connect_for(url: &str, platform: &str) -> io::Result<Arc<PostgresServer>> {
        let target = Target::parse(url).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
        PostgresServer::on(Pool::new(target.clone(), target, template::prefix(), None), platform)
    }

    fn on(mut pool: Pool, platform: &str) -> io::Result<Arc<PostgresServer>> {
        if pool.find_version()? < OLDEST {
            return Err(io::Error::other(format!("the server is older than PostgreSQL {OLDEST}")));
        }
        let (blank, size) = template::make(&mut pool, platform)?;
        let pool = Arc::new(pool);
        let blank = Arc::new(Node::new(&pool, Past::Copy(blank), size));
        Ok(Arc::new(PostgresServer { pool, blank }))
    }

    fn done(
        &self,
        before: &Arc<Node>,
        mut database: Database,
        call: Logged,
        done: Done,
    ) -> io::Result<Option<Node>> {
        if done.is_spoilt {
            return Ok(None);
        }
        if done.answer.error.is_some() || !done.changed {
            self.pool.put_back(before.number, database);
            return Ok(None);
        }
        let size = database.size(&self.pool)?;
        let past = match self.copy_of(&mut database, before.weight + call.weight)? {
            Some(copy) => Past::Copy(copy),
            None => Past::After(Arc::clone(before), Some(call)),
        };
        let after = Node::new(&self.pool, past, size);
        self.pool.put_back(after.number, database);
        Ok(Some(after))
    }

    /// Makes a copy if it is due. It can wait while clients are connected, because they would block it.
    fn copy_of(&self, database: &mut Database, weight: u32) -> io::Result<Option<version::Name>> {
        if weight < REPEATED_MAX {
            return Ok(None);
        }
        database.disconnect();
        if self.pool.is_visited(&database.name)? {
            return Ok(None);
        }
        self.pool.copy(database.name.as_str()).map(Some)
    }

    fn try_run(&self, version: &mut Version, call: &SqlCall<'_>) -> io::Result<Result<Outcome, SqlError>> {
        let before = Node::of(version);
        self.pool.sweep();
        let mut database = self.pool.take(&before, call.holder)?;
        let mut logged = Logged::of(call);
        let began = Instant::now();
        let mut done = database.run(&self.pool, &logged, call.limits)?;
        logged.weight += (began.elapsed().as_millis() / HEAVY.as_millis()) as u32;
        let mut outcome = std::mem::take(&mut done.answer.outcome);
        let error = done.answer.error.clone();
        if let Some(after) = self.done(&before, database, logged, done)? {
            *version = Version(Arc::new(after));
            outcome.wrote = true;
        }
        Ok(error.map_or(Ok(outcome), Err))
    }

    fn try_address(&self, version: &mut Version, holder: &Holder, password: &str) -> io::Result<Address> {
        let mut node = Node::of(version);
        if Arc::ptr_eq(&node, &self.blank) {
            // New databases must not contain what clients write.
            node = Arc::new(Node::new(&self.pool, Past::After(Arc::clone(&node), None), node.size));
            *version = Version(Arc::clone(&node) as _);
        }
        let mut database = self.pool.take(&node, holder)?;
        let name = database.name.as_str().to_owned();
        let (place, user) = match &self.pool.cluster {
            Some(cluster) => {
                template::let_in(&self.pool, &name, password)?;
                (cluster.tcp(), name.clone())
            }
            None => (self.pool.caller.place.clone(), self.pool.caller.user.clone()),
        };
        database.open_to_clients_of(holder);
        self.pool.put_back(node.number, database);
        let (host, port) = match place {
            Place::Tcp(host, port) => (host, port),
            Place::Socket(folder, port) => (folder.display().to_string(), port),
        };
        Ok(Address { host, port, user, database: name })
    }
}

impl DatabaseServer for PostgresServer {
    fn blank(&self) -> Version {
        Version(Arc::clone(&self.blank) as _)
    }

    fn run(&self, version: &mut Version, call: &SqlCall<'_>) -> Result<Outcome, SqlError> {
        if call.text.contains('\0') {
            let message = "invalid byte sequence for encoding \"UTF8\": 0x00";
            return Err(SqlError::new(SqlState::new("22021"), message));
        }
        self.try_run(version, call).unwrap_or_else(|error| Err(lost(&error)))
    }

    fn size(&self, version: &Version) -> u64 {
        Node::of(version).size
    }

    fn address(&self, version: &mut Version, holder: &Holder, password: &str) -> Option<Address> {
        self.try_address(version, holder, password).ok()
    }

    fn entrance(&self, own: &Address, user: &str) -> Address {
        // On a server of others, a role would be in all its databases; there everybody is the user of the URL.
        let Some(cluster) = &self.pool.cluster else { return own.clone() };
        let admin = cluster.admin();
        let Place::Socket(folder, port) = admin.place else { return own.clone() };
        let user = match user == template::CALLER || template::admit(&self.pool, user).is_err() {
            true => template::CALLER.to_owned(),
            false => user.to_owned(),
        };
        Address { host: folder.display().to_string(), port, user, database: own.database.clone() }
    }

    fn entrance_password(&self) -> Option<String> {
        let is_ours = self.pool.cluster.is_some();
        self.pool.caller.password.clone().filter(|_| !is_ours)
    }
}
