//! Who may do what: roles, privileges, row security.

pub(crate) mod acl;
mod database;
mod inquiry;
mod modify;
pub(crate) mod policy;
pub(crate) mod rights;
pub(crate) mod session;
