//! The subcommands, one file for each.

pub(crate) mod analytics;
pub(crate) mod coverage;
pub(crate) mod doctor;
pub(crate) mod documents;
pub(crate) mod exec;
pub(crate) mod lens;
pub(crate) mod messages;
pub(crate) mod plans;
pub(crate) mod profile;
pub(crate) mod remote;
pub(crate) mod replay;
pub(crate) mod scenario;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod shrink;
pub(crate) mod sweep;
pub(crate) mod tools;
