//! Documents from outside the world, fetched by a function that the embedder supplies, and only once. In a world of two
//! services, answers of the other service are treated the same way.
//!
//! What a call fetched is a row, even if the call was refused, and is part of the replay file. So a replay gets the
//! same documents and fetches nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::db::Db;
use super::error::Error;

/// The table of fetched documents.
pub const TABLES: &str = "
    CREATE TABLE fetched (
        call INTEGER NOT NULL,
        url TEXT NOT NULL,
        good INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (call, url)
    ) STRICT, WITHOUT ROWID;
";

/// Returns the document at an address, or why there is none.
pub type Fetcher = Arc<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// Fetched documents, by call number and address.
pub type Recorded = BTreeMap<(u64, String), Result<String, String>>;

/// A document that a call fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fetched {
    /// The number of the call.
    pub call: u64,
    /// The address.
    pub url: String,
    /// Whether there was a document.
    pub good: bool,
    /// The document, or why there was none.
    pub text: String,
}

/// The second service of a world, which the first one can ask.
pub trait Beside {
    /// Returns the body of the answer to a GET of `target`, or the refusal as text. Leaves no trace in the service.
    fn answer_to(&self, target: &str) -> Result<String, String>;
}

/// Access to what is outside the world, during one call.
pub struct Outside<'a> {
    fetcher: Option<&'a Fetcher>,
    beside: Option<&'a dyn Beside>,
    recorded: &'a Recorded,
    seen: RefCell<Recorded>,
}

impl<'a> Outside<'a> {
    /// Access through `fetcher` and the second service. What a replay has `recorded` comes first.
    pub fn new(
        fetcher: Option<&'a Fetcher>,
        recorded: &'a Recorded,
        beside: Option<&'a dyn Beside>,
    ) -> Outside<'a> {
        Outside { fetcher, recorded, beside, seen: RefCell::new(Recorded::new()) }
    }

    /// Fetches the document at `url`, which the request gave as `field`.
    pub fn fetch(&self, call: u64, field: &str, url: &str) -> Result<String, Error> {
        let key = (call, url.to_owned());
        let known = self.seen.borrow().get(&key).or_else(|| self.recorded.get(&key)).cloned();
        let Some(answer) = known.or_else(|| self.fetcher.map(|fetch| fetch(url))) else {
            let text = format!(
                "{field}: nothing is fetched here, because this simulator was given no fetcher; PUT /_sim/documents sets what is there"
            );
            return Err(Error::invalid("fetcher_missing", text).because("address", url, None));
        };
        self.seen.borrow_mut().insert(key, answer.clone());
        answer.map_err(|problem| {
            let text = format!("{field}: could not be fetched, {problem}");
            Error::invalid("not_fetched", text).because("address", url, None)
        })
    }

    /// Returns the second service's answer to a GET of `target`, or its refusal; `None` if there is no second service.
    pub fn ask_beside(&self, call: u64, target: &str) -> Option<Result<String, String>> {
        let key = (call, format!("beside:{target}"));
        let known = self.seen.borrow().get(&key).or_else(|| self.recorded.get(&key)).cloned();
        let answer = known.or_else(|| self.beside.map(|beside| beside.answer_to(target)))?;
        self.seen.borrow_mut().insert(key, answer.clone());
        Some(answer)
    }

    /// Stores what was fetched, and deletes what calls before the last `keep` fetched.
    pub fn write_rows(&self, db: Db<'_>, keep: u64) {
        for ((call, url), answer) in &*self.seen.borrow() {
            let (Ok(text) | Err(text)) = answer;
            db.run("DELETE FROM fetched WHERE call <= ?1", (call.saturating_sub(keep) as i64,));
            db.run("INSERT INTO fetched VALUES (?1, ?2, ?3, ?4)", (*call as i64, url, answer.is_ok(), text));
        }
    }
}

/// All fetched documents, as far back as the journal goes.
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

/// The fetched documents by call and address, for a replay to find.
pub fn recorded(fetched: &[Fetched]) -> Recorded {
    let answer = |one: &Fetched| if one.good { Ok(one.text.clone()) } else { Err(one.text.clone()) };
    fetched.iter().map(|one| ((one.call, one.url.clone()), answer(one))).collect()
}
