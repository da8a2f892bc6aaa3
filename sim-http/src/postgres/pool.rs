//! The databases on the server: which version each of them is, and how to get another version.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sim_core::engine::Holder;
use sim_core::sql::Outcome;

use super::cluster::Cluster;
use super::database::{Database, quoted};
use super::target::Target;
use super::version::{Garbage, Logged, Name, Node};
use super::wire::Connection;

/// The database for creating and dropping databases.
const MAINTENANCE: &str = "postgres";

/// Connections kept open; each is a process on the server.
const CONNECTIONS_MAX: usize = 16;

/// The most databases dropped during one call.
const SWEPT: usize = 8;

/// Everything that belongs to us on one server.
pub(super) struct Pool {
    /// The role that runs the projects' SQL.
    pub(super) caller: Target,
    /// The server's major version; zero until it is known.
    pub(super) version: u32,
    /// Whether keywords of the clock have replacement functions.
    pub(super) has_clock: bool,
    admin: Mutex<Admin>,
    idle: Mutex<Vec<(u64, Database)>>,
    garbage: Arc<Garbage>,
    /// Roles that projects have created; roles belong to the server, so all projects have them.
    roles: Mutex<BTreeSet<String>>,
    names: Names,
    /// The server itself, if it is ours. Stops last.
    pub(super) cluster: Option<Cluster>,
}

/// Names that no other database has.
struct Names {
    prefix: String,
    next: AtomicU64,
}

/// The user that creates and drops databases.
struct Admin {
    target: Target,
    connection: Option<Connection>,
}

impl Admin {
    fn run(&mut self, text: &str) -> io::Result<Outcome> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(&self.target, MAINTENANCE)?,
        };
        let done = connection.must(text);
        self.connection = Some(connection).filter(|_| done.is_ok());
        done
    }
}

impl Pool {
    /// `admin` creates databases, `caller` runs projects' SQL in them.
    pub(super) fn new(admin: Target, caller: Target, prefix: String, cluster: Option<Cluster>) -> Pool {
        Pool {
            caller,
            version: 0,
            has_clock: false,
            admin: Mutex::new(Admin { target: admin, connection: None }),
            idle: Mutex::default(),
            garbage: Arc::default(),
            roles: Mutex::default(),
            names: Names { prefix, next: AtomicU64::new(1) },
            cluster,
        }
    }

    /// Runs SQL as the user that creates databases.
    pub(super) fn administer(&self, text: &str) -> io::Result<Outcome> {
        self.admin.lock().run(text)
    }

    /// A connection of the user that creates databases.
    pub(super) fn open_as_admin(&self, database: &Name) -> io::Result<Connection> {
        let target = self.admin.lock().target.clone();
        Connection::open(&target, database.as_str())
    }

    /// A copy of the database `template`, which must have no connections.
    pub(super) fn copy(&self, template: &str) -> io::Result<Name> {
        let Names { prefix, next } = &self.names;
        let text = format!("{prefix}{}", next.fetch_add(1, Ordering::Relaxed));
        let strategy = if self.version >= 15 { " strategy file_copy" } else { "" };
        let create = format!("create database {text} template {template}");
        if self.cluster.is_none() {
            self.administer(&format!("{create} owner \"{}\"{strategy}", self.caller.user))?;
            return Ok(Name::new(text, &self.garbage));
        }
        // All projects' SQL runs as one role, so that must not own the databases, which it could drop.
        self.administer(&format!("{create}{strategy}"))?;
        let name = Name::new(text, &self.garbage);
        let text = name.as_str();
        let number = |name: &str| format!("(select oid from pg_database where datname = {})", quoted(name));
        self.administer(&format!(
            "revoke all on database {text} from public; grant temporary on database {text} to public;
             grant create, connect, temporary on database {text} to {};
             set allow_system_table_mods = on;
             insert into pg_db_role_setting select {}, setrole, setconfig from pg_db_role_setting where setdatabase = {};
             update pg_database set datacl = of.datacl from pg_database of where pg_database.datname = {}
                 and of.datname = {} and of.datname not like 'template%';
             reset allow_system_table_mods",
            self.caller.user,
            number(text),
            number(template),
            quoted(text),
            quoted(template)
        ))?;
        Ok(name)
    }

    /// On a server of ours, takes back settings of the role that all projects' SQL runs as: one project's would be in force for all.
    pub(super) fn forget_settings(&self) -> io::Result<()> {
        if self.cluster.is_none() {
            return Ok(());
        }
        let role = quoted(&self.caller.user);
        self.administer(&format!("delete from pg_db_role_setting where setrole = {role}::regrole")).map(drop)
    }

    /// Asks the server for its major version.
    pub(super) fn find_version(&mut self) -> io::Result<u32> {
        let admin = self.admin.get_mut();
        admin.run("select 1")?;
        self.version = admin.connection.as_ref().map_or(0, Connection::major_version);
        Ok(self.version)
    }

    /// Records roles that a project has created.
    pub(super) fn learn_roles(&self, names: impl IntoIterator<Item = String>) {
        self.roles.lock().extend(names);
    }

    /// Whether a project has created that role, and it still exists.
    pub(super) fn has_role(&self, name: &str) -> io::Result<bool> {
        if !self.roles.lock().contains(name) {
            return Ok(false);
        }
        let sql = format!("select 1 as one from pg_roles where rolname = {}", quoted(name));
        Ok(!self.administer(&sql)?.rows.is_empty())
    }

    /// Whether another client is connected to the database. Ask only while we are not connected.
    pub(super) fn is_visited(&self, database: &Name) -> io::Result<bool> {
        let name = database.as_str();
        let sql = format!("select 1 as one from pg_stat_activity where datname = '{name}' limit 1");
        Ok(!self.administer(&sql)?.rows.is_empty())
    }

    /// A database that is this version, reserved until it is put back. A database whose address clients have
    /// is given only to its own world.
    pub(super) fn take(&self, node: &Node, holder: &Holder) -> io::Result<Database> {
        let found = {
            let mut idle = self.idle.lock();
            let place = |fits: &dyn Fn(&Database) -> bool| {
                idle.iter().rposition(|(number, database)| *number == node.number && fits(database))
            };
            let own = place(&|database| database.is_open_to_clients_of(holder));
            let place = own.or_else(|| place(&Database::is_closed_to_clients));
            place.map(|place| idle.remove(place).1)
        };
        found.map_or_else(|| self.bring_back(node), Ok)
    }

    fn bring_back(&self, node: &Node) -> io::Result<Database> {
        let (template, calls) = node.recipe();
        let mut database = Database::new(self.copy(template.as_str())?);
        for call in calls.into_iter().rev() {
            self.repeat(&mut database, call)?;
        }
        Ok(database)
    }

    fn repeat(&self, database: &mut Database, call: &Logged) -> io::Result<()> {
        let answer = database.repeat(self, call)?;
        answer.error.map_or(Ok(()), |error| {
            let text = "the database can't be brought back, because clients changed it over connections of their own";
            Err(io::Error::other(format!("{text}: {}", error.message)))
        })
    }

    /// Puts back a database, which is now the version `number`.
    pub(super) fn put_back(&self, number: u64, database: Database) {
        let mut idle = self.idle.lock();
        idle.push((number, database));
        let open = idle.iter().filter(|(_, database)| database.is_connected()).count();
        if open > CONNECTIONS_MAX
            && let Some((_, oldest)) = idle.iter_mut().find(|(_, database)| database.is_connected())
        {
            oldest.disconnect();
        }
    }

    /// A version that is no longer used.
    pub(super) fn forget(&self, number: u64) {
        let gone: Vec<_> = self.idle.lock().extract_if(.., |(of, _)| *of == number).collect();
        drop(gone);
    }

    /// Drops some of the unused databases. One that can't be dropped is left to the server's administrator.
    pub(super) fn sweep(&self) {
        let names: Vec<String> = {
            let mut garbage = self.garbage.lock();
            let kept = garbage.len().saturating_sub(SWEPT);
            garbage.split_off(kept)
        };
        for name in names {
            let _ = self.administer(&format!("drop database if exists {name} with (force)"));
            if self.cluster.is_some() {
                let _ = self.administer(&format!("drop role if exists {name}"));
            }
        }
    }

    fn drop_all(&self) -> io::Result<()> {
        let sql =
            format!("select datname from pg_database where starts_with(datname, '{}')", self.names.prefix);
        for row in self.administer(&sql)?.rows {
            let name = row.get("datname").and_then(|name| name.as_str()).unwrap_or_default();
            self.administer(&format!("drop database if exists {name} with (force)"))?;
        }
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.idle.get_mut().clear();
        // A server of ours is removed as a whole; one that has stopped has nothing to drop.
        if self.cluster.is_none() {
            let _ = self.drop_all();
        }
    }
}
