//! The events of one source that a search finds, for browsing: their number, their times, a page of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sim_base::{Cx, Error};

use super::execute::{self, Ask, Wrong};
use crate::endpoint::Language;
use crate::lql_sql;
use crate::source::Row;

/// The source's name in the queries.
const NAME: &str = "searched";

/// A search in a source.
pub(crate) struct SourceSearch<'a> {
    cx: &'a Cx<'a>,
    user: i64,
    mapping: BTreeMap<String, String>,
    /// The condition, as the end of a query.
    condition: String,
}

/// The number of events that a search finds, and the times of the first and the last in microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    pub total: u64,
    pub ends: Option<(i64, i64)>,
}

impl<'a> SourceSearch<'a> {
    /// The filter in the source; 400 if it can't be understood.
    pub(crate) fn new(cx: &'a Cx<'a>, source: &Row, filter: &str) -> Result<SourceSearch<'a>, Error> {
        let wrong = |problem| Error::invalid("invalid_query.search", format!("search: {problem}"));
        let condition = lql_sql::condition_of(filter, cx.now).map_err(wrong)?;
        let mapping = BTreeMap::from([(NAME.to_owned(), source.token.clone())]);
        Ok(SourceSearch { cx, user: source.user, mapping, condition })
    }

    /// How many events there are, from when to when.
    pub(crate) fn summary(&self) -> Result<Summary, Error> {
        let rows =
            self.rows("count(*) as total, min(t.timestamp) as first, max(t.timestamp) as last", "", 1)?;
        let number = |name: &str| rows.first().and_then(|row| row[name].as_i64());
        Ok(Summary {
            total: number("total").and_then(|total| u64::try_from(total).ok()).unwrap_or_default(),
            ends: number("first").zip(number("last")),
        })
    }

    /// The events after the first `offset`, by their time.
    pub(crate) fn page(&self, offset: u32, limit: u32) -> Result<Vec<Value>, Error> {
        let tail = format!(" order by t.timestamp, t.id limit {limit} offset {offset}");
        let rows = self.rows("to_json_string(t) as event", &tail, i64::from(limit))?;
        let event = |row: &Map<String, Value>| serde_json::from_str(row["event"].as_str()?).ok();
        Ok(rows.iter().filter_map(event).collect())
    }

    /// The number of events in each of `stretches` equal intervals from `first` on.
    pub(crate) fn volume(&self, first: i64, stretch_us: i64, stretches: usize) -> Result<Vec<u64>, Error> {
        let columns =
            format!("div(unix_micros(t.timestamp) - ({first}), {stretch_us}) as place, count(*) as events");
        let mut counts = vec![0; stretches];
        for row in self.rows(&columns, " group by place", i64::try_from(stretches).unwrap_or(i64::MAX))? {
            let place = row["place"].as_u64().and_then(|place| usize::try_from(place).ok());
            if let Some((count, events)) =
                place.and_then(|place| counts.get_mut(place)).zip(row["events"].as_u64())
            {
                *count = events;
            }
        }
        Ok(counts)
    }

    fn rows(&self, columns: &str, tail: &str, max_rows: i64) -> Result<execute::Rows, Error> {
        let text = format!("select {columns} from `{NAME}` as t{}{tail}", self.condition);
        let none = BTreeMap::new();
        let ask = Ask {
            user: self.user,
            text: &text,
            language: Language::WhSql,
            consumer: None,
            mapping: &self.mapping,
            parameters: &none,
            max_rows,
        };
        let refusal =
            |wrong: Wrong| wrong.lost().unwrap_or_else(|| Error::invalid(wrong.reason(), wrong.text()));
        execute::run(self.cx, &ask).map_err(refusal)
    }
}
