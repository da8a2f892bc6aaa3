//! From the parser's tree to a bound one: names are resolved in scopes, every expression gets its PostgreSQL type, overloads are
//! chosen and implicit casts written out, as PostgreSQL does it.

mod call;
mod coerce;
mod exists;
mod expr;
mod from;
mod known;
mod names;
mod once;
mod operator;
mod query;
pub(crate) mod scope;
mod shown;
mod special;
mod stability;
mod types;
mod weight;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::catalog::{Catalog, Oid, PG_CATALOG, Relation};
use super::error::{Result, SqlError, SqlState};
use super::source::{self, Source};
use super::tree::{Expr, Output};
pub(crate) use expr::Clause;
pub(crate) use once::Once;
pub(crate) use scope::Scope;

/// What the words of a session mean.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) search_path: Vec<String>,
    /// Values of `SET`, by name.
    pub(crate) values: BTreeMap<String, String>,
}

/// Binds the queries of one statement.
pub(crate) struct Binder<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) source: Rc<Source>,
    pub(crate) settings: &'a Settings,
    /// The values of `$1`, `$2` …; `None` for null.
    pub(crate) parameters: &'a [Option<String>],
    sources: usize,
    /// How heavy the columns of subqueries are that SQLite may take apart, by their source.
    weights: BTreeMap<usize, Vec<usize>>,
    /// The common table expressions in reach, the innermost last.
    ctes: Vec<KnownCte>,
    reads_of_ctes: ReadsOfCtes,
    /// What stands for the parameters of the SQL function being expanded.
    arguments: Option<Vec<(Option<String>, Expr)>>,
    /// The system relations that the statement reads.
    pub(crate) system: BTreeSet<&'static str>,
    /// The relations that the statement reads.
    pub(crate) reads: BTreeSet<Oid>,
    /// The windows that the query at hand names.
    windows: Vec<(String, sqlparser::ast::WindowSpec)>,
    /// The calls among the targets at hand that return sets, by the source that stands for them.
    set_calls: Vec<(usize, Expr)>,
    /// What `set_config` sets.
    pub(crate) set: Vec<(String, String)>,
    /// Whether the statement takes values from sequences.
    pub(crate) uses_sequences: bool,
    /// Whether the statement inserts rows or updates those in their way.
    pub(crate) upserts: bool,
    /// Where the text at hand says `*`, and the columns that this means; `None` when nobody asks.
    pub(crate) stars: Option<Vec<(std::ops::Range<usize>, String)>>,
    /// What stands for relations that the statement changes before this part of it: their rows as they were.
    pub(crate) before: BTreeMap<Oid, String>,
    depth: usize,
    /// How deep the expression at hand is.
    nesting: usize,
    /// How long the statement's own text is.
    length: usize,
    clause: Clause,
    /// What is computed once so that it can be used several times.
    pub(crate) once: Once,
}

/// A common table expression as queries refer to it.
#[derive(Clone)]
pub(crate) struct KnownCte {
    pub(crate) name: String,
    pub(crate) source: usize,
    pub(crate) columns: Vec<Output>,
    /// The rows that a data-modifying one has returned.
    pub(crate) rows: Option<Expr>,
    /// Whether it may not be referred to here: it is what is being defined.
    pub(crate) undefined: bool,
    /// What it reads itself.
    pub(crate) reads: ReadsOfCtes,
}

/// What SQLite makes of the common table expressions that a query reads: it takes one anew wherever it is named, with all that
/// this one reads in turn.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadsOfCtes {
    queries: usize,
    depth: usize,
}

impl ReadsOfCtes {
    const QUERIES_MAX: usize = 4_000;
    const DEPTH_MAX: usize = 200;

    /// Adds one that is named, and what it reads.
    fn add(&mut self, named: ReadsOfCtes) -> Result<()> {
        self.queries += 1 + named.queries;
        self.depth = self.depth.max(1 + named.depth);
        let bearable = self.queries <= Self::QUERIES_MAX && self.depth <= Self::DEPTH_MAX;
        if bearable { Ok(()) } else { Err(once::too_deep()) }
    }
}

impl<'a> Binder<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        source: Rc<Source>,
        settings: &'a Settings,
        parameters: &'a [Option<String>],
    ) -> Binder<'a> {
        Binder {
            catalog,
            length: source.text.len(),
            source,
            settings,
            parameters,
            sources: 0,
            weights: BTreeMap::new(),
            ctes: Vec::new(),
            reads_of_ctes: ReadsOfCtes::default(),
            arguments: None,
            system: BTreeSet::new(),
            reads: BTreeSet::new(),
            windows: Vec::new(),
            set_calls: Vec::new(),
            set: Vec::new(),
            uses_sequences: false,
            upserts: false,
            stars: None,
            before: BTreeMap::new(),
            depth: 0,
            nesting: 0,
            clause: Clause::Target,
            once: Once::default(),
        }
    }

    /// A name for one more source of rows.
    pub(crate) fn new_source(&mut self) -> usize {
        self.sources += 1;
        self.sources
    }

    /// Makes the rows of a data-modifying expression known under its name.
    pub(crate) fn know(&mut self, cte: KnownCte) {
        self.ctes.push(cte);
    }

    /// Does something with a text out of the catalog, in a scope of its own.
    pub(crate) fn stored<T>(&mut self, text: &str, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.once.charge_expansion(self.depth, self.length)?;
        let source = std::mem::replace(&mut self.source, Rc::new(Source::stored(text)));
        let ctes = std::mem::take(&mut self.ctes);
        let arguments = self.arguments.take();
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        self.depth += 1;
        let result = bind(self);
        self.depth -= 1;
        (self.source, self.ctes, self.arguments, self.clause) = (source, ctes, arguments, clause);
        result.map_err(SqlError::nowhere)
    }

    /// The place of a location of the parser.
    fn place(&self, location: sqlparser::tokenizer::Location) -> Option<usize> {
        self.source.place(location)
    }

    /// Finds a relation that is stored or a view.
    pub(crate) fn find_relation(&self, name: &sqlparser::ast::ObjectName) -> Result<&'a Relation> {
        let (schema, relation) = source::schema_and_name(name)?;
        let at = source::parts(name).first().and_then(|ident| self.place(ident.span.start));
        self.relation_by_name(schema.as_deref(), &relation).map_err(|error| error.at(at))
    }

    /// Finds a relation by name, in its schema or along the search path.
    pub(crate) fn relation_by_name(&self, schema: Option<&str>, name: &str) -> Result<&'a Relation> {
        let undefined = || {
            let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
            SqlError::new(SqlState::UNDEFINED_TABLE, format!("relation \"{shown}\" does not exist"))
        };
        let schemas = match schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.search_path(),
        };
        let mut found = schemas.into_iter().filter_map(|schema| self.catalog.relation_named(schema, name));
        found.next().ok_or_else(undefined)
    }

    /// The schemas in which unqualified names are looked for.
    pub(crate) fn search_path(&self) -> Vec<Oid> {
        let path = self.settings.search_path.iter().filter_map(|schema| self.catalog.schema_named(schema));
        std::iter::once(PG_CATALOG).chain(path).collect()
    }

    /// Where an unqualified name is created.
    pub(crate) fn creation_schema(&self, schema: Option<&str>) -> Result<Oid> {
        match schema {
            Some(schema) => self.catalog.schema_named(schema).ok_or_else(|| {
                SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist"))
            }),
            None => self
                .settings
                .search_path
                .iter()
                .find_map(|schema| self.catalog.schema_named(schema))
                .ok_or_else(|| {
                    SqlError::new(SqlState::INVALID_SCHEMA, "no schema has been selected to create in")
                }),
        }
    }
}
