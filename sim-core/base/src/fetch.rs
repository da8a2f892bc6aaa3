//! Documents from outside: through what the embedder supplies, never by itself, and once only. So are answers of the service
//! beside, in a world of two.
//!
//! What a call fetched is a row, whether the call was refused or not, and travels in the replay file. So a replay
//! meets the same documents and fetches nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::db::Db;
use super::error::Error;

pub const TABLES: &str = "
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
pub type Recorded = BTreeMap<(u64, String), Result<String, String>>;

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

/// The second service of a world, as the first one asks it.
pub trait Beside {
    /// The body of its answer to a GET of `target`, or its refusal as text. Leaves no trace there.
    fn answer_to(&self, target: &str) -> Result<String, String>;
}

/// The way to outside, during one call.
pub struct Outside<'a> {
    fetcher: Option<&'a Fetcher>,
    beside: Option<&'a dyn Beside>,
    recorded: &'a Recorded,
    seen: RefCell<Recorded>,
}

impl<'a> Outside<'a> {
    /// The way through `fetcher` and the second service, after what a replay has recorded.
    pub fn new(
        fetcher: Option<&'a Fetcher>,
        recorded: &'a Recorded,
        beside: Option<&'a dyn Beside>,
    ) -> Outside<'a> {
        Outside { fetcher, recorded, beside, seen: RefCell::new(Recorded::new()) }
    }

    /// The document at `url`, which the request gave as `field`.
    pub fn fetch(&self, call: u64, field: &str, url: &str) -> Result<String, Error> {
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
    pub fn ask_beside(&self, call: u64, target: &str) -> Option<Result<String, String>> {
        let key = (call, format!("beside:{target}"));
        let known = self.seen.borrow().get(&key).or_else(|| self.recorded.get(&key)).cloned();
        let answer = known.or_else(|| self.beside.map(|beside| beside.answer_to(target)))?;
        self.seen.borrow_mut().insert(key, answer.clone());
        Some(answer)
    }

    /// Remembers what was fetched, and forgets what calls before the last `keep` did.
    pub fn write_rows(&self, db: Db<'_>, keep: u64) {
        for ((call, url), answer) in &*self.seen.borrow() {
            let (Ok(text) | Err(text)) = answer;
            db.run("DELETE FROM fetched WHERE call <= ?1", (call.saturating_sub(keep) as i64,));
            db.run("INSERT INTO fetched VALUES (?1, ?2, ?3, ?4)", (*call as i64, url, answer.is_ok(), text));
        }
    }
}

/// Everything fetched so far, as far back as the journal goes.
pub fn read(db: Db<'_>) -> Vec<Fetched> {
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
pub fn recorded(fetched: &[Fetched]) -> Recorded {
    let answer = |one: &Fetched| if one.good { Ok(one.text.clone()) } else { Err(one.text.clone()) };
    fetched.iter().map(|one| ((one.call, one.url.clone()), answer(one))).collect()
}
