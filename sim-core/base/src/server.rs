//! Databases kept outside the world's pages: by a server that the embedder supplies, never by the core itself.
//!
//! What a world holds of such a database is a [`Version`], a value: it copies by pointer and goes with the world through
//! fork, snapshot and restore. So a server keeps whatever it needs to bring back every version that somebody still
//! holds, and nothing else; undoing is holding the version of before.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use sim_values::call::{Limits, Outcome};
use sim_values::error::SqlError;

use super::time::Timestamp;

/// Databases by version.
pub trait DatabaseServer: Send + Sync {
    /// A new database: what [`sql::INITIAL`](crate::sql::INITIAL) puts in, and no more.
    fn blank(&self) -> Version;

    /// Runs a call's SQL on the database that is as `version` says. Where that changed it, `version` is another one
    /// afterwards. A refused call has changed nothing.
    fn run(&self, version: &mut Version, call: &SqlCall<'_>) -> Result<Outcome, SqlError>;

    /// Its size in bytes.
    fn size(&self, version: &Version) -> u64;

    /// Where clients connect to it with `password`, if they can. What they write there is seen by later calls of the
    /// same world; `version` becomes one of its own where it was shared until now.
    fn address(&self, version: &mut Version, holder: &Holder, password: &str) -> Option<Address>;
}

/// What one database is like at some instant, as its server knows it. A clone copies a pointer.
#[derive(Clone)]
pub struct Version(pub Arc<dyn Any + Send + Sync>);

impl Version {
    /// Whether both are the very same.
    pub fn is(&self, other: &Version) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Version").finish_non_exhaustive()
    }
}

/// A world as servers tell worlds apart: each is its own, a fork too.
#[derive(Clone, Debug, Default)]
pub struct Holder(Arc<()>);

impl Holder {
    /// Whether both are the same world.
    pub fn is(&self, other: &Holder) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// One call's SQL and all that its outcome depends on.
#[derive(Clone, Debug)]
pub struct SqlCall<'a> {
    /// One statement or several, one transaction unless they have commands of their own for that.
    pub text: &'a str,
    /// The instant that `now()` answers.
    pub now: Timestamp,
    /// Where `random()` and `gen_random_uuid()` draw from.
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
    /// Who they are there.
    pub user: String,
    /// The database's name on the server.
    pub database: String,
}
