//! The journal page by page, for people who look through it: calls without their bodies, those that a filter lets through.

use rusqlite::ToSql;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::db::Db;
use super::journal::{Origin, Stage};
use super::time::{Timestamp, from_micros};

/// Which calls are wanted: those that fit all that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Part of path, query, operation, reason or fault, in any case.
    pub text: Option<String>,
    /// An HTTP method.
    pub method: Option<String>,
    /// The least status.
    pub status_from: Option<u16>,
    /// The greatest status.
    pub status_to: Option<u16>,
    /// The stage that refused.
    pub refused_by: Option<Stage>,
    /// Whether calls that drive the simulator are left out.
    pub without_control: bool,
}

/// A call without what was sent and answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallHead {
    /// Its number, from 1.
    pub call: u64,
    /// Its instant.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The operation's id, where the path led to one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub operation: Option<String>,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Whose call.
    pub caller: Origin,
    /// Status answered.
    pub status: u16,
    /// Why it was refused: the `x-sim-reason` word.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The stage that refused it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refused_by: Option<Stage>,
    /// The fault rule that struck it, and what that did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
}

/// Some of the calls that a filter lets through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallPage {
    /// The number of the oldest call that the journal still holds.
    pub first: u64,
    /// How many it lets through in all.
    pub total: u64,
    /// These, oldest first.
    pub calls: Vec<CallHead>,
}

const COLUMNS: &str = "call, at, operation, method, target, caller, status, reason, stage, fault";

const FITS: &str = "
    (:text IS NULL OR instr(lower(target), :text) OR instr(lower(operation), :text)
        OR instr(lower(reason), :text) OR instr(lower(fault), :text))
    AND (:method IS NULL OR method = :method)
    AND status BETWEEN :status_from AND :status_to
    AND (:stage IS NULL OR stage = :stage)
    AND NOT (:without_control AND caller IS 0)";

/// The first call and the last; one query for each, because the two together would look at all between.
const ENDS: &str = "
    SELECT ifnull((SELECT min(call) FROM journal), 1), ifnull((SELECT max(call) FROM journal), 0)";

pub(super) fn search(db: Db<'_>, filter: &Filter, offset: u64, limit: u64) -> CallPage {
    let (offset, limit) = (signed(offset), signed(limit));
    let (first, last): (i64, i64) = db.one(ENDS, (), |row| Ok((row.get(0)?, row.get(1)?)));
    if *filter == Filter::default() {
        // Their numbers have no gaps, so no page costs more than another.
        let sql = format!("SELECT {COLUMNS} FROM journal WHERE call >= ?1 ORDER BY call LIMIT ?2");
        let calls = db.all(&sql, (first.saturating_add(offset), limit), head);
        return CallPage { first: first as u64, total: (last + 1 - first) as u64, calls };
    }
    let text = filter.text.as_ref().map(|text| text.to_lowercase());
    let method = filter.method.as_ref().map(|method| method.to_uppercase());
    let stage = filter.refused_by.map(Stage::as_str);
    let mut values: Vec<(&str, &dyn ToSql)> = vec![
        (":text", &text),
        (":method", &method),
        (":status_from", filter.status_from.as_ref().unwrap_or(&u16::MIN)),
        (":status_to", filter.status_to.as_ref().unwrap_or(&u16::MAX)),
        (":stage", &stage),
        (":without_control", &filter.without_control),
    ];
    let count = format!("SELECT count(*) FROM journal WHERE {FITS}");
    let total: i64 = db.one(&count, &*values, |row| row.get(0));
    values.extend([(":limit", &limit as &dyn ToSql), (":offset", &offset)]);
    let page =
        format!("SELECT {COLUMNS} FROM journal WHERE {FITS} ORDER BY call LIMIT :limit OFFSET :offset");
    let calls = db.all(&page, &*values, head);
    CallPage { first: first as u64, total: total as u64, calls }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn head(row: &rusqlite::Row<'_>) -> rusqlite::Result<CallHead> {
    let stage: Option<String> = row.get(8)?;
    Ok(CallHead {
        call: row.get::<_, i64>(0)? as u64,
        at: from_micros(row.get(1)?),
        operation: row.get(2)?,
        method: row.get(3)?,
        target: row.get(4)?,
        caller: Origin::numbered(row.get(5)?),
        status: row.get(6)?,
        reason: row.get(7)?,
        refused_by: stage.and_then(|name| Stage::ALL.into_iter().find(|stage| stage.as_str() == name)),
        fault: row.get(9)?,
    })
}
