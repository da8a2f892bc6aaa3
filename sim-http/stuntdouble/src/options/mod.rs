//! What the user asks for: flags, environment and file as one set of options, and the values among them that are more than a
//! word: engine, fault rules, the environment of a self-hosted analytics server with its key file.

mod analytics;
mod engine;
mod faults;
mod flags;
mod key_file;

pub(crate) use self::engine::Engine;
pub(crate) use self::flags::{Log, Options, read_or_default, token_secret};
