//! Databases stored outside the world's pages, by a server that the embedder supplies. The core has no such server.
//!
//! A world holds a [`Version`] of such a database. A version is a value: it copies by pointer and goes with the world
//! through fork, snapshot and restore. So a server keeps what it needs to restore every version that is still held, and
//! nothing else. To undo a change is to hold the earlier version.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use sim_values::call::{Limits, Outcome};
use sim_values::error::SqlError;

use super::time::Timestamp;

/// A server of databases, each in any number of versions.
pub trait DatabaseServer: Send + Sync {
    /// A new database, which has only what `sql::INITIAL` creates.
    fn blank(&self) -> Version;

    /// Runs a call's SQL on this version of a database. If that changed the database, `version` is a new version
    /// afterwards. A refused call changes nothing.
    fn run(&self, version: &mut Version, call: &SqlCall<'_>) -> Result<Outcome, SqlError>;

    /// Its size in bytes.
    fn size(&self, version: &Version) -> u64;

    /// Where clients can connect to it with `password`, if they can. Later calls of the same world see what clients
    /// write there. If `version` was shared until now, it becomes a separate version.
    fn address(&self, version: &mut Version, holder: &Holder, password: &str) -> Option<Address>;

    /// Where the embedder's own listener logs in for a client that it has admitted as `user`: the owner `postgres` or a login role,
    /// which the server creates if it can. `own` is the database's address.
    fn entrance(&self, own: &Address, user: &str) -> Address {
        let _ = user;
        own.clone()
    }

    /// The password for [`entrance`](DatabaseServer::entrance), if it needs one.
    fn entrance_password(&self) -> Option<String> {
        None
    }
}

/// The state of one database at some time, as its server knows it. A clone copies a pointer.
#[derive(Clone)]
pub struct Version(pub Arc<dyn Any + Send + Sync>);

impl Version {
    /// Whether both are the same version.
    pub fn is(&self, other: &Version) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Version").finish_non_exhaustive()
    }
}

/// Identifies a world to servers. Each world has its own, and so has a fork.
#[derive(Clone, Debug, Default)]
pub struct Holder(Arc<()>);

impl Holder {
    /// Whether both are the same world.
    pub fn is(&self, other: &Holder) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// One call's SQL and everything that its outcome depends on.
#[derive(Clone, Debug)]
pub struct SqlCall<'a> {
    /// One or more statements. They are one transaction unless they have transaction commands of their own.
    pub text: &'a str,
    /// The timestamp that `now()` returns.
    pub now: Timestamp,
    /// The seed of `random()` and `gen_random_uuid()`.
    pub seed: [u8; 32],
    /// Whether writes are refused.
    pub read_only: bool,
    /// When to give up.
    pub limits: Limits,
    /// The world that calls.
    pub holder: &'a Holder,
}

/// Where clients connect to a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The name of the database user.
    pub user: String,
    /// The database's name on the server.
    pub database: String,
}
