//! Documents from outside: through what the embedder supplies, never by itself, and once only. So are answers of the service
//! beside, in a world of two.
//!
//! What a call fetched is a row, whether the call was refused or not, and travels in the replay file. So a replay
//! meets the same documents and fetches nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use serde::{Deserialize, Serialize};

use super::builder::Setup;
use super::db::Db;
use super::error::Error;
use super::simulator::Simulator;

pub(crate) const TABLES: &str = "
    CREATE TABLE fetched (
        call INTEGER NOT NULL,
        url TEXT NOT NULL,
        good INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (call, url)
    ) STRICT, WITHOUT ROWID;
";

/// Turns an address into the document there, or says why there is none.
pub type Fetcher = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// Documents by the call that fetched them and their address.
pub(crate) type Recorded = BTreeMap<(u64, String), Result<String, String>>;

/// A document that a call fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fetched {
    /// The number of the call.
    pub call: u64,
    /// The address.
    pub url: String,
    /// Whether there was one.
    pub good: bool,
    /// The document; else why there was none.
    pub text: String,
}

/// The way to outside, during one call.
pub(crate) struct Outside<'a> {
    fetcher: Option<&'a Fetcher>,
    /// The service beside.
    beside: Option<&'a Simulator>,
    recorded: &'a Recorded,
    seen: RefCell<Recorded>,
}

impl<'a> Outside<'a> {
    pub(crate) fn new(setup: &'a Setup, beside: Option<&'a Simulator>) -> Outside<'a> {
        Outside {
            beside,
            fetcher: setup.fetcher.as_ref(),
            recorded: &setup.recorded,
            seen: RefCell::new(Recorded::new()),
        }
    }

    /// The document at `url`, which the request gave as `field`.
    pub(crate) fn fetch(&self, call: u64, field: &str, url: &str) -> Result<String, Error> {
        let key = (call, url.to_owned());
        let known = self.seen.borrow().get(&key).or_else(|| self.recorded.get(&key)).cloned();
        let Some(answer) = known.or_else(|| self.fetcher.map(|fetch| fetch(url))) else {
            let text =
                format!("{field}: nothing is fetched here, because this simulator was given no fetcher");
            return Err(Error::invalid("fetcher_missing", text).because("address", url, None));
        };
        self.seen.borrow_mut().insert(key, answer.clone());
        answer.map_err(|problem| {
            let text = format!("{field}: could not be fetched, {problem}");
            Error::invalid("not_fetched", text).because("address", url, None)
        })
    }

    /// What the service beside answers to a GET of `target`, or its refusal; `None` where there is none.
    pub(crate) fn ask_beside(&self, call: u64, target: &str) -> Option<Result<String, String>> {
        let key = (call, format!("beside:{target}"));
        let known = self.seen.borrow().get(&key).or_else(|| self.recorded.get(&key)).cloned();
        let answer = known.or_else(|| self.beside.map(|beside| peek(beside, target)))?;
        self.seen.borrow_mut().insert(key, answer.clone());
        Some(answer)
    }

    /// Remembers what was fetched, and forgets what calls before the last `keep` did.
    pub(crate) fn write_rows(&self, db: Db<'_>, keep: u64) {
        for ((call, url), answer) in &*self.seen.borrow() {
            let (Ok(text) | Err(text)) = answer;
            db.run("DELETE FROM fetched WHERE call <= ?1", (call.saturating_sub(keep) as i64,));
            db.run("INSERT INTO fetched VALUES (?1, ?2, ?3, ?4)", (*call as i64, url, answer.is_ok(), text));
        }
    }
}

fn peek(beside: &Simulator, target: &str) -> Result<String, String> {
    let request = Request::get(target).body(Bytes::new()).map_err(|problem| problem.to_string())?;
    let reply = beside.peek(&request);
    let text = String::from_utf8_lossy(reply.body()).into_owned();
    if reply.status().is_success() { Ok(text) } else { Err(format!("{} {text}", reply.status().as_u16())) }
}

/// Everything fetched so far, as far back as the journal goes.
pub(crate) fn read(db: Db<'_>) -> Vec<Fetched> {
    db.all("SELECT call, url, good, text FROM fetched ORDER BY call, url", (), |row| {
        Ok(Fetched {
            call: row.get::<_, i64>(0)? as u64,
            url: row.get(1)?,
            good: row.get(2)?,
            text: row.get(3)?,
        })
    })
}

/// The same, for the calls of a replay to find.
pub(crate) fn recorded(fetched: &[Fetched]) -> Recorded {
    let answer = |one: &Fetched| if one.good { Ok(one.text.clone()) } else { Err(one.text.clone()) };
    fetched.iter().map(|one| ((one.call, one.url.clone()), answer(one))).collect()
}
