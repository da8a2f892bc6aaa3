//! One row for each call, chained by a rolling hash: what was asked, what was answered, and why.

use std::fmt;

use rusqlite::types::{ToSqlOutput, ValueRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::coverage;
use super::db::Db;
use super::error::{Error, Fact, Kind};
use super::operation::Role;
use super::rng::hex;
use super::time::{Timestamp, from_micros, micros};

pub(crate) const TABLES: &str = "
    CREATE TABLE journal (
        call INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        operation TEXT,
        method TEXT NOT NULL,
        target TEXT NOT NULL,
        caller INTEGER,
        headers TEXT,
        request ANY,
        status INTEGER NOT NULL,
        reason TEXT,
        stage TEXT,
        facts TEXT,
        response TEXT NOT NULL,
        hash BLOB NOT NULL,
        sealed ANY,
        fault TEXT,
        role TEXT,
        state TEXT
    ) STRICT;
";

/// The journal's `caller` for control operations; tokens have positive numbers.
const CONTROL: i64 = 0;

/// Calls between two prunings: the journal holds at most this many more than the policy says.
const PRUNE_EVERY: u64 = 64;

/// The stages of a call, in the order in which they may refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Stage {
    Fault,
    Credentials,
    RateLimit,
    Route,
    Validation,
    Permission,
    Existence,
    State,
    Effect,
}

impl Stage {
    /// All stages, first to last.
    pub const ALL: [Stage; 9] = [
        Stage::Fault,
        Stage::Credentials,
        Stage::RateLimit,
        Stage::Route,
        Stage::Validation,
        Stage::Permission,
        Stage::Existence,
        Stage::State,
        Stage::Effect,
    ];

    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::Fault => "fault",
            Stage::Credentials => "credentials",
            Stage::RateLimit => "rate_limit",
            Stage::Route => "route",
            Stage::Validation => "validation",
            Stage::Permission => "permission",
            Stage::Existence => "existence",
            Stage::State => "state",
            Stage::Effect => "effect",
        }
    }

    /// The stage that an operation's own refusal belongs to.
    pub(crate) fn of_refusal(error: &Error) -> Stage {
        match error.kind {
            Kind::Forbidden => Stage::Permission,
            Kind::NotFound => Stage::Existence,
            _ => Stage::State,
        }
    }
}

/// Whose call it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Nobody known: no token, or no good one.
    Nobody,
    /// Whoever drives the simulator.
    Control,
    /// The bearer of the token with this number.
    Token(i64),
}

/// One call, as the journal keeps it. Secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// Its number, from 1.
    pub call: u64,
    /// Its instant.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The operation's id, where the path led to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Whose call.
    pub caller: Origin,
    /// Body sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The caller's role in the organization concerned, where the call got as far as that.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub role: Option<String>,
    /// The status in which it found the project concerned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<String>,
    /// Status answered.
    pub status: u16,
    /// Why it was refused: the `x-sim-reason` word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The stage that refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<Stage>,
    /// What the refusing stage looked at.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
    /// Body answered, as the service made it.
    pub response: String,
    /// The fault rule that struck it, and what that did: `rule 2: lost_answer`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Rolling hash over this and all earlier calls, 64 hex digits.
    pub hash: String,
}

/// What one row is made from.
pub(crate) struct Row<'a> {
    pub call: u64,
    pub at: Timestamp,
    pub operation: Option<&'static str>,
    pub method: &'a str,
    pub target: &'a str,
    pub caller: Origin,
    /// The headers that a replay must send again, as JSON.
    pub headers: Option<String>,
    /// As sent; goes into the hash, and is kept apart when `shown` differs.
    pub request: Option<&'a [u8]>,
    /// As sent, with secrets masked; `None` when nothing was masked.
    pub shown: Option<String>,
    pub role: Option<Role>,
    pub state: Option<String>,
    pub status: u16,
    pub refusal: Option<(&'a Error, Stage)>,
    /// As answered; goes into the hash.
    pub response: &'a [u8],
    /// As answered, with secrets masked; `None` when nothing was masked.
    pub shown_response: Option<String>,
    /// What a fault rule did to it.
    pub fault: Option<String>,
}

impl Origin {
    fn number(self) -> Option<i64> {
        match self {
            Origin::Nobody => None,
            Origin::Control => Some(CONTROL),
            Origin::Token(id) => Some(id),
        }
    }

    pub(super) fn numbered(number: Option<i64>) -> Origin {
        match number {
            None => Origin::Nobody,
            Some(CONTROL) => Origin::Control,
            Some(id) => Origin::Token(id),
        }
    }
}

/// Writes the row; returns the rolling hash with it.
pub(crate) fn write(db: Db<'_>, before: &[u8; 32], row: &Row<'_>, keep: u64) -> [u8; 32] {
    let hash = chain(before, row);
    let facts = row
        .refusal
        .filter(|(error, _)| !error.facts.is_empty())
        .map(|(error, _)| serde_json::to_string(&error.facts).expect("facts are plain data"));
    let text = |bytes| String::from_utf8_lossy(bytes);
    db.run(
        "INSERT INTO journal VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        rusqlite::params![
            row.call as i64,
            micros(row.at),
            row.operation,
            row.method,
            row.target,
            row.caller.number(),
            row.headers,
            row.shown.as_deref().map(|shown| stored(shown.as_bytes())).or(row.request.map(stored)),
            row.status,
            row.refusal.map(|(error, _)| &*error.reason),
            row.refusal.map(|(_, stage)| stage.as_str()),
            facts,
            row.shown_response.as_deref().map_or_else(|| text(row.response), Into::into),
            &hash[..],
            row.shown.as_ref().and(row.request).map(stored),
            row.fault,
            row.role.map(Role::as_str),
            row.state,
        ],
    );
    if row.call.is_multiple_of(PRUNE_EVERY) && row.call > keep {
        coverage::keep(db, (row.call - keep) as i64);
        db.run("DELETE FROM journal WHERE call <= ?1", ((row.call - keep) as i64,));
        db.run("DELETE FROM fetched WHERE call <= ?1", ((row.call - keep) as i64,));
    }
    hash
}

/// Text where it is text, so that SQL over the journal can read it.
fn stored(bytes: &[u8]) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(match std::str::from_utf8(bytes) {
        Ok(_) => ValueRef::Text(bytes),
        Err(_) => ValueRef::Blob(bytes),
    })
}

fn bytes_of(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<Vec<u8>>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_vec()),
        _ => None,
    })
}

fn chain(before: &[u8; 32], row: &Row<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(micros(row.at).to_le_bytes());
    hash.update(row.caller.number().unwrap_or(-1).to_le_bytes());
    hash.update(row.status.to_le_bytes());
    // Lengths keep neighbouring texts apart.
    for part in [row.method.as_bytes(), row.target.as_bytes(), row.request.unwrap_or_default(), row.response]
    {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

const COLUMNS: &str = "call, at, operation, method, target, caller, request, status, reason, stage, facts, response, hash, fault, role, state";

pub(crate) fn read(db: Db<'_>, from: u64, limit: u64) -> Vec<Call> {
    let sql = format!("SELECT {COLUMNS} FROM journal WHERE call >= ?1 ORDER BY call LIMIT ?2");
    let (from, limit) = (from as i64, i64::try_from(limit).unwrap_or(i64::MAX));
    db.all(&sql, (from, limit), |row| {
        Ok(Call {
            call: row.get::<_, i64>(0)? as u64,
            at: from_micros(row.get(1)?),
            operation: row.get(2)?,
            method: row.get(3)?,
            target: row.get(4)?,
            caller: Origin::numbered(row.get(5)?),
            request: bytes_of(row, 6)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            status: row.get(7)?,
            reason: row.get(8)?,
            refused_by: row
                .get::<_, Option<String>>(9)?
                .and_then(|name| Stage::ALL.into_iter().find(|stage| stage.as_str() == name)),
            facts: row
                .get::<_, Option<String>>(10)?
                .map(|text| serde_json::from_str(&text).expect("facts were written as JSON"))
                .unwrap_or_default(),
            response: row.get(11)?,
            hash: hex(&row.get::<_, Vec<u8>>(12)?),
            fault: row.get(13)?,
            role: row.get(14)?,
            state: row.get(15)?,
        })
    })
}

/// The call before: method, target, caller and status.
pub(crate) fn last(db: Db<'_>) -> Option<(String, String, Origin, u16)> {
    let sql = "SELECT method, target, caller, status FROM journal ORDER BY call DESC LIMIT 1";
    db.maybe(sql, (), |row| Ok((row.get(0)?, row.get(1)?, Origin::numbered(row.get(2)?), row.get(3)?)))
}

/// A call as `replay` needs it: with what the journal does not show.
pub(crate) struct Recorded {
    pub at: Timestamp,
    pub method: String,
    pub target: String,
    pub caller: Origin,
    /// JSON object.
    pub headers: Option<String>,
    pub request: Option<Vec<u8>>,
    pub status: u16,
    pub response: String,
    pub hash: String,
}

pub(crate) fn recorded(db: Db<'_>) -> Vec<Recorded> {
    let sql = "SELECT at, method, target, caller, headers, coalesce(sealed, request), status, response, hash
               FROM journal ORDER BY call";
    db.all(sql, (), |row| {
        Ok(Recorded {
            at: from_micros(row.get(0)?),
            method: row.get(1)?,
            target: row.get(2)?,
            caller: Origin::numbered(row.get(3)?),
            headers: row.get(4)?,
            request: bytes_of(row, 5)?,
            status: row.get(6)?,
            response: row.get(7)?,
            hash: hex(&row.get::<_, Vec<u8>>(8)?),
        })
    })
}

/// The decision chain of one call: which check said what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The call as journalled.
    pub call: Call,
    /// The checks in order; the last one is the one that decided.
    pub checks: Vec<Check>,
    /// The earlier calls that the facts point to, oldest first.
    pub because_of: Vec<Call>,
}

/// One check of a decision chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The stage.
    pub stage: Stage,
    /// Whether it let the call pass.
    pub passed: bool,
    /// What it looked at; given for the one that refused.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
}

pub(crate) fn explain(db: Db<'_>, number: u64) -> Option<Explanation> {
    let one = |number| read(db, number, 1).into_iter().find(|call| call.call == number);
    let call = one(number)?;
    let last = call.refused_by.unwrap_or(Stage::Effect);
    let checks = Stage::ALL
        .into_iter()
        .filter(|stage| *stage <= last && (*stage != Stage::Fault || call.fault.is_some()))
        .map(|stage| {
            let passed = call.refused_by != Some(stage);
            Check { stage, passed, facts: if passed { Vec::new() } else { call.facts.clone() } }
        })
        .collect();
    let mut causes: Vec<u64> = call.facts.iter().filter_map(|fact| fact.since_call).collect();
    causes.sort_unstable();
    causes.dedup();
    Some(Explanation { checks, because_of: causes.into_iter().filter_map(one).collect(), call })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { call, at, method, target, status, .. } = &self.call;
        write!(f, "call {call} at {at}: {method} {target} → {status}")?;
        writeln!(
            f,
            "{}",
            self.call.reason.as_deref().map(|reason| format!(" {reason}")).unwrap_or_default()
        )?;
        for check in &self.checks {
            writeln!(
                f,
                "  {:<12} {}",
                check.stage.as_str(),
                if check.passed { "passed" } else { "refused" }
            )?;
            for fact in &check.facts {
                write!(f, "    {} = {}", fact.name, fact.value)?;
                match fact.since_call {
                    Some(since) => writeln!(f, ", since call {since}")?,
                    None => writeln!(f)?,
                }
            }
        }
        for cause in &self.because_of {
            let Call { call, at, method, target, status, .. } = cause;
            writeln!(f, "  call {call} at {at}: {method} {target} → {status}")?;
        }
        Ok(())
    }
}
