//! Queries over events: translates and runs them, and returns their rows as JSON.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use sim_base::{Cx, Error, EventParameter, Timestamp, micros};
use sim_warehouse::{
    self, Cell, Column, Dialect, Parameter, Refusal, RefusalKind, Relation, Request, Resolver, Table,
    Translation,
};

use crate::endpoint::Language;
use crate::event_store::{self, Failure};
use crate::{account, alert, endpoint, events_on_server, lql_sql, source, warehouse as warehouse_backend};

/// A query of a user.
pub(crate) struct Ask<'a> {
    pub user: i64,
    pub text: &'a str,
    /// Its dialect, and that of the caller's query.
    pub language: Language,
    /// A caller's query over the common table expressions of `text`.
    pub consumer: Option<&'a str>,
    /// Sources by their names at the time when the query was written, with their tokens.
    pub mapping: &'a BTreeMap<String, String>,
    /// The values of `@name`; missing ones are null.
    pub parameters: &'a BTreeMap<String, String>,
    pub max_rows: i64,
}

/// Rows of an answer.
pub(crate) type Rows = Vec<Map<String, Value>>;

/// The reason why a query has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It did not run.
    Refused(Refusal),
    /// It ran and failed.
    Failed(Failure),
}

impl Wrong {
    /// The machine-readable reason.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Wrong::Failed(Failure::TooSlow) => "query_timeout",
            Wrong::Failed(Failure::TooLarge) => "result_too_large",
            Wrong::Failed(Failure::Sql(_)) => "query_failed",
            Wrong::Failed(Failure::Lost(_)) => "event_server_lost",
            Wrong::Refused(refusal) => match refusal.kind {
                RefusalKind::Syntax => "query_syntax",
                RefusalKind::NotAQuery => "query_not_select",
                RefusalKind::NotSingular => "query_not_singular",
                RefusalKind::RestrictedFunction => "query_restricted_function",
                RefusalKind::Wildcard => "query_wildcard",
                RefusalKind::UnknownSource => "query_unknown_source",
                RefusalKind::OutsideSandbox => "query_outside_sandbox",
                RefusalKind::UnknownField => "query_unknown_field",
                RefusalKind::Invalid => "query_invalid",
                RefusalKind::Unsupported => "query_unsupported",
            },
        }
    }

    /// The error message.
    pub(crate) fn text(&self) -> String {
        match self {
            Wrong::Refused(refusal) => refusal.message.clone(),
            Wrong::Failed(Failure::TooSlow) => {
                "Query timed out. Retry your query or reduce the time range.".to_owned()
            }
            Wrong::Failed(Failure::TooLarge) => "Result is too large. Select less.".to_owned(),
            Wrong::Failed(Failure::Sql(text) | Failure::Lost(text)) => text.clone(),
        }
    }

    /// The refusal of the whole call, if no query could run.
    pub(crate) fn lost(&self) -> Option<Error> {
        match self {
            Wrong::Failed(Failure::Lost(text)) => Some(events_on_server::lost(text)),
            Wrong::Failed(_) | Wrong::Refused(_) => None,
        }
    }

    /// The newest servers' message for it.
    pub(crate) fn short_text(&self) -> String {
        let told = match self {
            Wrong::Refused(refusal) => refusal.kind == RefusalKind::UnknownField,
            Wrong::Failed(failure) => *failure == Failure::TooSlow,
        };
        match told {
            true => self.text(),
            false => "Backend error! Retry your query. Please contact support if this continues.".to_owned(),
        }
    }
}

/// Translates the query, without running it.
pub(crate) fn translate(cx: &Cx<'_>, ask: &Ask<'_>) -> Result<Translation, Refusal> {
    let text = in_sql(ask.language, ask.text, cx.now)?;
    let request = Request {
        text: &text,
        dialect: dialect(ask.language),
        consumer: ask.consumer,
        target: event_store::target(cx),
        max_rows: u32::try_from(ask.max_rows).ok(),
    };
    let names = Names { dialect: request.dialect, ..Names::of(cx, ask.user, ask.mapping) };
    sim_warehouse::translate(&request, &names)
}

/// The SQL dialect in which a query of the language runs.
pub(crate) fn dialect(language: Language) -> Dialect {
    match language {
        Language::WhSql | Language::Lql => Dialect::Warehouse,
        Language::PgSql => Dialect::Postgres,
    }
}

/// The query in that dialect.
fn in_sql(language: Language, text: &str, now: Timestamp) -> Result<Cow<'_, str>, Refusal> {
    match language {
        Language::WhSql | Language::PgSql => Ok(text.into()),
        Language::Lql => searched(text, None, &[], now).map(Cow::Owned),
    }
}

/// A search as a query; without a source it reads `default`.
pub(crate) fn searched(
    text: &str,
    default: Option<&str>,
    lacking: &[&str],
    now: Timestamp,
) -> Result<String, Refusal> {
    let refusal =
        |problem| Refusal { kind: RefusalKind::Syntax, message: format!("lql parser error: {problem}") };
    lql_sql::query(text, default, lacking, now).map_err(refusal)
}

/// Runs the query.
pub(crate) fn run(cx: &Cx<'_>, ask: &Ask<'_>) -> Result<Rows, Wrong> {
    typed_rows(cx, ask).map(|(_, rows)| rows)
}

/// Runs a query that was in the columnar dialect, and returns its values as that store does.
pub(crate) fn run_columnar(cx: &Cx<'_>, ask: &Ask<'_>) -> Result<Rows, Wrong> {
    let (columns, mut rows) = typed_rows(cx, ask)?;
    let types: BTreeMap<_, _> = columns.into_iter().map(|column| (column.name, column.type_)).collect();
    for (name, value) in rows.iter_mut().flatten() {
        if let Some(type_) = types.get(name) {
            *value = sim_warehouse::columnar_value(type_, value.take());
        }
    }
    Ok(rows)
}

fn typed_rows(cx: &Cx<'_>, ask: &Ask<'_>) -> Result<(Vec<Column>, Rows), Wrong> {
    let translation = translate(cx, ask).map_err(Wrong::Refused)?;
    warehouse_backend::require_query(cx, ask.user)
        .map_err(|error| Wrong::Failed(Failure::Sql(error.message)))?;
    mark_lost(cx, &translation.columns);
    let value = |parameter: &Parameter| match parameter {
        Parameter::Named(name) => EventParameter::Text(ask.parameters.get(name).cloned()),
        Parameter::Now => EventParameter::Whole(micros(cx.now)),
    };
    let parameters: Vec<_> = translation.parameters.iter().map(value).collect();
    let (mut rows, mut bytes) = (Rows::new(), 0);
    let read = |cells: &[Cell<'_>]| {
        bytes += cells.iter().map(size).sum::<usize>();
        if bytes > cx.policy.sql_result_bytes {
            return Err(Failure::TooLarge);
        }
        rows.push(sim_warehouse::row(&translation.columns, cells.iter().copied()));
        Ok(())
    };
    event_store::query(cx, &translation, &parameters, read).map_err(Wrong::Failed)?;
    Ok((translation.columns, rows))
}

/// Marks the columns that JSON loses because a later one has the same name. Only PostgreSQL's dialect has such columns.
fn mark_lost(cx: &Cx<'_>, columns: &[Column]) {
    for (place, column) in columns.iter().enumerate() {
        if columns[place + 1..].iter().any(|later| later.name == column.name) {
            cx.not_shown(|| format!("columns.{place}.{}", column.name));
        }
    }
}

fn size(cell: &Cell<'_>) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::Blob(bytes) => bytes.len(),
        Cell::Null | Cell::Integer(_) | Cell::Real(_) => 8,
    }
}

/// The sources that the query reads, by name, with their tokens.
pub(crate) fn sources(
    cx: &Cx<'_>,
    user: i64,
    mapping: &BTreeMap<String, String>,
    read: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let names = Names::of(cx, user, mapping);
    read.iter().filter_map(|name| Some((name.clone(), names.source(name)?.token))).collect()
}

/// Resolves table names for a user.
struct Names<'a> {
    cx: &'a Cx<'a>,
    user: i64,
    mapping: &'a BTreeMap<String, String>,
    dialect: Dialect,
}

impl<'a> Names<'a> {
    fn of(cx: &'a Cx<'a>, user: i64, mapping: &'a BTreeMap<String, String>) -> Names<'a> {
        Names { cx, user, mapping, dialect: Dialect::Warehouse }
    }

    /// A source by its earlier name, by its present name, or by its table in the warehouse.
    fn source(&self, name: &str) -> Option<source::Row> {
        let of_token = |token: &str| source::of_token(self.cx, self.user, token);
        let mapped = self.mapping.get(name).and_then(|token| of_token(token));
        let table = || {
            let dataset = account::dataset(self.cx, self.user);
            let prefix = format!("{}.{dataset}.", account::warehouse_project(self.cx));
            of_token(&name.strip_prefix(&prefix)?.replace('_', "-"))
        };
        mapped.or_else(|| source::named(self.cx, self.user, name).into_iter().next()).or_else(table)
    }
}

impl Names<'_> {
    /// An alert by its name is a table, too, if nothing else has the name: it may be called like the source that it reads.
    fn alert(&self, name: &str) -> Option<Relation> {
        let mut alerts = alert::named(self.cx, self.user, name).into_iter();
        let alert = alerts.find(|one| dialect(one.language) == self.dialect)?;
        let query = in_sql(alert.language, &alert.query, self.cx.now).map(Cow::into_owned);
        query.ok().map(Relation::Query)
    }
}

impl Resolver for Names<'_> {
    fn relation(&self, name: &str) -> Option<Relation> {
        // An endpoint is a table for queries of its own dialect.
        let mut endpoints = endpoint::named(self.cx, self.user, name).into_iter();
        if let Some(endpoint) = endpoints.find(|one| dialect(one.settings.language) == self.dialect) {
            let query = in_sql(endpoint.settings.language, &endpoint.query, self.cx.now).map(Cow::into_owned);
            return query.ok().map(Relation::Query);
        }
        let Some(source) = self.source(name) else { return self.alert(name) };
        let table = Table::of_events(event_store::table(self.cx, &source.token));
        let (fields, shape) = warehouse_backend::fields(self.cx, &source).unzip();
        Some(Relation::Table(Table { fields, shape: shape.unwrap_or_default(), ..table }))
    }
}
