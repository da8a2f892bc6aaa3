//! `/api/query`: queries that are not stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, ToSchema};

use crate::endpoint::Language;
use crate::execute::{self, Ask, Wrong};
use crate::manner::read;
use crate::{account, backend};

operations![RunQuery, ParseQuery];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The most rows of a response.
const MAX_ROWS: i64 = 1000;

/// Run a query over the user's sources. It has no parameters, and its result is not cached.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
#[schemars(rename = "RunAnalyticsQuery")]
pub struct RunQuery {
    /// The query, in the dialect of the warehouse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The same query, under another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wh_sql: Option<String>,
    /// The query, in PostgreSQL's dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pg_sql: Option<String>,
    /// The number of the backend. It must be omitted: the backend that stores the events runs the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_id: Option<i64>,
}

impl RunQuery {
    /// That query.
    pub fn sql(text: &str) -> RunQuery {
        RunQuery { sql: Some(text.to_owned()), ..RunQuery::default() }
    }
}

/// Rows of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct QueryRows {
    /// The rows.
    pub result: Vec<Map<String, Value>>,
}

const fn ad_hoc(id: &'static str, path: &'static str) -> Meta {
    Meta {
        since: Edition::V2026_11,
        query: &["sql", "wh_sql", "pg_sql"],
        also: &[400, 401, 500],
        ..read(id, path)
    }
}

impl Operation for RunQuery {
    type Output = QueryRows;
    const META: Meta = Meta {
        query: &["sql", "wh_sql", "pg_sql", "backend_id"],
        ..ad_hoc("analytics-run-query", "/api/query")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<QueryRows, Error> {
        if let Some(id) = self.backend_id {
            return Err(match backend::is_own(cx, id)? {
                true => {
                    Error::invalid("backend_without_events", "backend_id: this backend stores no events here")
                }
                false => Error::invalid("backend_not_found", "Backend not found"),
            });
        }
        let (text, language) = given(cx, self.sql, self.wh_sql, self.pg_sql)?;
        let user = account::caller(cx)?;
        // What can't be read is refused in other words.
        let named = sim_warehouse::parameters(&text, execute::dialect(language)).unwrap_or_default();
        if let Some(name) = named.first() {
            return Err(Error::invalid("query_failed", format!("Query parameter '{name}' not found")));
        }
        let mapping = BTreeMap::new();
        let ask = Ask {
            user,
            text: &text,
            language,
            consumer: None,
            mapping: &mapping,
            parameters: &mapping,
            max_rows: MAX_ROWS,
        };
        let rows = execute::run(cx, &ask).map_err(|wrong| refusal(&wrong))?;
        Ok(QueryRows { result: rows })
    }
}

/// Get the names of a query's parameters.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct ParseQuery {
    /// The query, in the dialect of the warehouse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The same query, under another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wh_sql: Option<String>,
    /// The query, in PostgreSQL's dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pg_sql: Option<String>,
}

/// The analysis of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Parsed {
    /// The analysis.
    pub result: ParsedQuery,
}

/// The analysis of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ParsedQuery {
    /// The names of its parameters, each once, in the order of their first use.
    pub parameters: Vec<String>,
}

impl Operation for ParseQuery {
    type Output = Parsed;
    const META: Meta = ad_hoc("analytics-parse-query", "/api/query/parse");

    fn run(self, cx: &mut Cx<'_>) -> Result<Parsed, Error> {
        let (text, language) = given(cx, self.sql, self.wh_sql, self.pg_sql)?;
        let dialect = execute::dialect(language);
        let parameters =
            sim_warehouse::parameters(&text, dialect).map_err(|wrong| refusal(&Wrong::Refused(wrong)))?;
        Ok(Parsed { result: ParsedQuery { parameters } })
    }
}

/// The first query that is given. Others have no effect.
fn given(
    cx: &Cx<'_>,
    sql: Option<String>,
    wh_sql: Option<String>,
    pg_sql: Option<String>,
) -> Result<(String, Language), Error> {
    let text = "No query params provided. Supported query params are sql, wh_sql and pg_sql.";
    let all = [
        ("sql", Language::WhSql, sql),
        ("wh_sql", Language::WhSql, wh_sql),
        ("pg_sql", Language::PgSql, pg_sql),
    ];
    let mut all = all.into_iter().filter_map(|(name, language, text)| Some((name, text?, language)));
    let (first, asked, language) = all.next().ok_or_else(|| Error::invalid("query_missing", text))?;
    for (name, ..) in all {
        cx.not_as_sent(|| format!("query.{name}"), &format!("Is not run beside {first}"))?;
    }
    Ok((asked, language))
}

fn refusal(wrong: &Wrong) -> Error {
    wrong.lost().unwrap_or_else(|| Error::invalid(wrong.reason(), wrong.text()))
}
