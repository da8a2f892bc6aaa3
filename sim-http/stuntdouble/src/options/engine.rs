//! `--engine`: the engine of project databases.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use sim_core::engine::{DatabaseServer, Profile, near};
use sim_http::PostgresServer;

use crate::Failure;

/// The engine of project databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    /// The server at this URL, or one that is started for the time of the run.
    Postgres(Option<String>),
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        match text.split_once('=') {
            None if text == "sqlite" => Ok(Engine::Sqlite),
            None if text == "postgres" => Ok(Engine::Postgres(None)),
            Some(("postgres", url)) => Ok(Engine::Postgres(Some(url.to_owned()))),
            _ => {
                let name = text.split_once('=').map_or(text, |(name, _)| name);
                let question = near::question(name, ["sqlite", "postgres"]);
                Err(format!("must be sqlite, postgres or postgres=URL{question}"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Engine {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Engine, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Engine {
    /// The server, started if necessary, with the names of a profile; `None` for the embedded engine.
    pub(crate) fn server(&self, profile: &Profile) -> Result<Option<Arc<dyn DatabaseServer>>, Failure> {
        match self {
            Engine::Sqlite => Ok(None),
            Engine::Postgres(url) => postgres(url.as_deref(), &profile.platform).map(Some),
        }
    }
}

fn postgres(url: Option<&str>, platform: &str) -> Result<Arc<dyn DatabaseServer>, Failure> {
    let server = match url {
        None => PostgresServer::start_for(platform),
        Some(url) => PostgresServer::connect_for(url, platform),
    };
    // A URL may have a password in it, so it is not repeated.
    let flag = if url.is_some() { "--engine postgres=URL" } else { "--engine postgres" };
    server.map(|server| server as _).map_err(|error| Failure(format!("{flag}: {error}")))
}
