//! Translates the parser's tree to the target's text: resolves names in scopes, and determines the type of every expression.

mod access;
mod aggregate;
mod call;
mod cast;
mod expr;
mod format;
mod forms;
mod from;
mod functions;
mod literal;
mod moment;
mod operator;
mod ordered_set;
mod pipes;
mod pivot;
mod postgres;
mod query;
mod recursive;
mod rollup;
mod scope;
mod select;
mod time_patterns;
mod value;
mod window;
pub(crate) use window::{EXCLUDED, EXCLUSIONS, GROUPS};

use std::collections::BTreeSet;

use expr::Expr;
use sqlparser::ast::Query;

use super::refusal::{Refusal, RefusalKind};
use super::types::Type;
use super::{Column, Dialect, Parameter, Request, Resolver, Target, Translation};

/// The deepest nesting of expressions and queries.
pub(super) const NESTING_MAX: usize = 60;

/// The longest text of an expression or query for the target, in bytes.
const LENGTH_MAX: usize = 4 << 20;

/// The most bytes of text that a translation writes, intermediate texts included.
const WRITTEN_MAX: usize = 64 << 20;

/// The deepest nesting of endpoints that use each other.
const ENDPOINTS_MAX: usize = 10;

/// Binds the queries of one request.
struct Binder<'a> {
    target: Target,
    dialect: Dialect,
    resolver: &'a dyn Resolver,
    parameters: Vec<Parameter>,
    sources: BTreeSet<String>,
    /// Tables that do not exist, or that the query may not read.
    missing: Vec<String>,
    /// The visible common table expressions, the innermost last.
    ctes: Vec<Cte>,
    /// Whether only these can be read.
    sandboxed: bool,
    /// The endpoints whose queries are being bound.
    endpoints: Vec<String>,
    /// The texts of the present query's grouping keys.
    groups: Vec<String>,
    /// The texts of keys of other groupings of the present query. They are null in the rows of this grouping.
    absent: Vec<String>,
    /// The keys of all groupings of the present query that are names, with their texts.
    group_names: Vec<(String, String)>,
    /// The named windows of the present query.
    windows: Vec<(String, sqlparser::ast::WindowSpec)>,
    /// A column of an enclosing query that the present query uses.
    outer: Option<String>,
    /// Whether the next query is the recursive part of a common table expression.
    stepping: bool,
    /// Calls among the targets of the next `SELECT` that give several rows.
    lifted: Vec<postgres::Lifted>,
    /// The names of the recursive table in such a query, one for each time that it is read.
    reached: Vec<String>,
    names: usize,
    nesting: usize,
    /// How many bytes of the target's text were written, including texts that became parts of others.
    written: usize,
    /// The queries that the present query reads.
    reads: Reads,
}

/// A common table expression.
#[derive(Clone)]
struct Cte {
    name: String,
    sql: String,
    columns: Vec<Column>,
    /// Whether its recursive part is being bound now.
    recursive: bool,
    /// The queries that it reads.
    reads: Reads,
}

/// The queries that a query reads. SQLite binds such a query again for each use, with all queries that it reads in turn.
#[derive(Clone, Copy, Default)]
struct Reads {
    queries: usize,
    depth: usize,
}

impl Reads {
    const QUERIES_MAX: usize = 4_000;
    const DEPTH_MAX: usize = 200;

    /// Whether the target would flatten several levels of queries.
    fn is_deep(self) -> bool {
        self.depth >= 2
    }

    /// Adds a query that is used, and the queries that it reads.
    fn add(&mut self, named: Reads) -> Result<(), Refusal> {
        self.queries += 1 + named.queries;
        self.depth = self.depth.max(1 + named.depth);
        let bearable = self.queries <= Reads::QUERIES_MAX && self.depth <= Reads::DEPTH_MAX;
        if bearable { Ok(()) } else { Err(Refusal::unsupported("a query that reads so many others")) }
    }
}

/// A bound query. Its columns are called `c1`, `c2` …
struct Bound {
    sql: String,
    columns: Vec<Column>,
}

/// Translates a parsed query, whose last `SELECT` is replaced by the consumer's query, if there is one.
pub(super) fn translate(
    request: &Request<'_>,
    query: &Query,
    consumer: Option<&Query>,
    resolver: &dyn Resolver,
) -> Result<Translation, Refusal> {
    let mut binder = Binder {
        target: request.target,
        dialect: request.dialect,
        resolver,
        parameters: Vec::new(),
        sources: BTreeSet::new(),
        missing: Vec::new(),
        ctes: Vec::new(),
        sandboxed: false,
        endpoints: Vec::new(),
        groups: Vec::new(),
        absent: Vec::new(),
        group_names: Vec::new(),
        windows: Vec::new(),
        outer: None,
        stepping: false,
        lifted: Vec::new(),
        reached: Vec::new(),
        names: 0,
        nesting: 0,
        written: 0,
        reads: Reads::default(),
    };
    let bound = match consumer {
        None => binder.query(query, None, request.max_rows),
        Some(consumer) => binder.consumed(query, consumer, request.max_rows),
    };
    // A missing table explains most other errors, so it is reported first.
    if !binder.missing.is_empty() {
        return Err(binder.missing_tables());
    }
    let bound = bound?;
    // PostgreSQL allows them; as JSON, the last one is kept.
    if request.dialect != Dialect::Postgres {
        check_names(&bound.columns)?;
    }
    Ok(Translation {
        sql: bound.sql,
        columns: bound.columns,
        parameters: binder.parameters,
        sources: binder.sources,
    })
}

fn check_names(columns: &[Column]) -> Result<(), Refusal> {
    let same = |index: usize, column: &Column| {
        columns[..index].iter().any(|known| scope::same(&known.name, &column.name))
    };
    match columns.iter().enumerate().find(|(index, column)| same(*index, column)) {
        Some((_, twice)) => {
            Err(Refusal::invalid(format!("Duplicate column names in the result: {}", twice.name)))
        }
        None => Ok(()),
    }
}

impl Binder<'_> {
    /// Binds the consumer's query below the endpoint's common table expressions.
    fn consumed(&mut self, query: &Query, consumer: &Query, max_rows: Option<u32>) -> Result<Bound, Refusal> {
        let with = query.with.as_ref().map(|with| self.ctes_of(with, None)).transpose()?;
        self.sandboxed = true;
        let Bound { sql, columns } = self.query(consumer, None, max_rows)?;
        // If it has common table expressions of its own, it must be in brackets.
        let sql = match (with, consumer.with.is_some()) {
            (Some(with), true) => format!("{with} SELECT {} FROM ({sql}) AS q", column_list(columns.len())),
            (Some(with), false) => format!("{with} {sql}"),
            (None, _) => sql,
        };
        Ok(Bound { sql, columns })
    }

    fn is_postgres(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    fn missing_tables(&self) -> Refusal {
        let names = self.missing.join(", ");
        if self.sandboxed {
            return Refusal::new(RefusalKind::OutsideSandbox, format!("Table not found in CTE: ({names})"));
        }
        Refusal::new(RefusalKind::UnknownSource, format!("can't find source {names}"))
    }

    /// A name that is unique in the statement.
    fn fresh(&mut self, first: char) -> String {
        self.names += 1;
        format!("{first}{}", self.names)
    }

    /// The placeholder of a parameter. Each parameter has one, however often it is used.
    fn parameter(&mut self, parameter: Parameter) -> Expr {
        let known = self.parameters.iter().position(|known| *known == parameter);
        let index = known.unwrap_or_else(|| {
            self.parameters.push(parameter.clone());
            self.parameters.len() - 1
        });
        let number = index + 1;
        match parameter {
            Parameter::Named(_) => {
                let sql = self.target.pick(format!("?{number}"), format!("${number}::text"));
                Expr { origin: expr::Origin::Parameter, ..Expr::new(sql, Type::String) }
            }
            Parameter::Now => {
                let sql =
                    self.target.pick(format!("?{number}"), format!("wh_from_micros(${number}::bigint)"));
                Expr::new(sql, Type::Timestamp)
            }
        }
    }

    /// Refuses a text that is too long.
    fn check_length(&mut self, sql: &str) -> Result<(), Refusal> {
        self.written += sql.len();
        if sql.len() > LENGTH_MAX || self.written > WRITTEN_MAX {
            return Err(Refusal::unsupported("a query that repeats itself so often"));
        }
        Ok(())
    }

    /// Binds one level deeper.
    fn nested<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        if self.nesting == NESTING_MAX {
            return Err(Refusal::too_deep());
        }
        self.nesting += 1;
        let bound = bind(self);
        self.nesting -= 1;
        bound
    }
}

/// `c1, c2` …
fn column_list(count: usize) -> String {
    (1..=count).map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ")
}
