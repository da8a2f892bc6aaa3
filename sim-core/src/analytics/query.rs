//! `/api/query`: queries that nobody stored.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::engine::{Cx, Error, Meta, Operation, Resource};
use crate::operations;
use crate::sql::warehouse;

use super::account;
use super::execute::{self, Ask, Wrong};
use super::manner::read;

operations![RunQuery, ParseQuery];

pub(super) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Rows of an answer at most.
const MAX_ROWS: i64 = 1000;

/// Run a query over the user's sources. It has no parameters, and its result is not kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "RunAnalyticsQuery")]
pub struct RunQuery {
    /// The query, in the dialect of the warehouse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wh_sql: Option<String>,
}

impl RunQuery {
    /// That query.
    pub fn sql(text: &str) -> RunQuery {
        RunQuery { sql: Some(text.to_owned()), wh_sql: None }
    }
}

/// Rows of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueryRows {
    /// The rows.
    pub result: Vec<Map<String, Value>>,
}

const fn ad_hoc(id: &'static str, path: &'static str) -> Meta {
    Meta { extension: true, query: &["sql", "wh_sql"], also: &[400, 401, 500], ..read(id, path) }
}

impl Operation for RunQuery {
    type Output = QueryRows;
    const META: Meta = ad_hoc("analytics-run-query", "/api/query");

    fn run(self, cx: &mut Cx<'_>) -> Result<QueryRows, Error> {
        let text = given(self.sql, self.wh_sql)?;
        let (user, mapping) = (account::caller(cx)?, BTreeMap::new());
        let ask = Ask {
            user,
            text: &text,
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
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ParseQuery {
    /// The query, in the dialect of the warehouse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wh_sql: Option<String>,
}

/// What a query was found to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parsed {
    /// What it was found to be.
    pub result: ParsedQuery,
}

/// What a query was found to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ParsedQuery {
    /// The names of its parameters, each once, in the order of their first use.
    pub parameters: Vec<String>,
}

impl Operation for ParseQuery {
    type Output = Parsed;
    const META: Meta = ad_hoc("analytics-parse-query", "/api/query/parse");

    fn run(self, _: &mut Cx<'_>) -> Result<Parsed, Error> {
        let text = given(self.sql, self.wh_sql)?;
        let parameters = warehouse::parameters(&text).map_err(|wrong| refusal(&Wrong::Refused(wrong)))?;
        Ok(Parsed { result: ParsedQuery { parameters } })
    }
}

fn given(sql: Option<String>, wh_sql: Option<String>) -> Result<String, Error> {
    let text = "No query params provided. Supported query params are sql and wh_sql.";
    sql.or(wh_sql).ok_or_else(|| Error::invalid("query_missing", text))
}

fn refusal(wrong: &Wrong) -> Error {
    wrong.lost().unwrap_or_else(|| Error::invalid(wrong.reason(), wrong.text()))
}
