//! Translates the parser's tree to a bound one. Names are resolved in scopes, every expression gets its PostgreSQL type, overloads
//! are chosen, and implicit casts are made explicit, by PostgreSQL's rules.

mod call;
mod candidates;
mod coerce;
mod comparison;
mod described;
mod dissimilar;
mod enums;
mod equality;
mod exists;
mod expr;
mod feature;
mod from;
mod hstore;
pub(crate) mod known;
pub(crate) mod named;
mod names;
mod once;
mod operator;
mod own_operator;
mod procedures;
mod query;
mod records;
pub(crate) mod scope;
mod shown;
mod special;
mod stability;
mod system_operators;
mod text_search;
mod types;
mod weight;
mod zone;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sim_values::budget::Budget;

use self::query::{Inside, Locked};
use super::catalog::{Catalog, Oid, PG_CATALOG, Relation};
use super::client::Placeholders;
use super::error::{Result, SqlError, SqlState};
use super::plpgsql::Frame;
use super::security::policy::Readable;
use super::security::session::SEARCH_PATH;
use super::source::{self, Source};
use super::tree::{Expr, Field, Output};
pub(crate) use call::functions_of_operators;
pub(crate) use enums::unsettled;
pub(crate) use expr::assigned::Step;
pub(crate) use expr::{Clause, SYSTEM_COLUMNS, column_name};
pub(crate) use names::split_name;
pub(crate) use once::Once;
pub(crate) use query::expands_row;
pub(crate) use scope::Scope;
pub(crate) use shown::{names_seen, seen, showing};

/// The settings of a session that determine the meaning of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) search_path: Vec<String>,
    /// Values of `SET`, by name. Each statement has a copy of the settings.
    pub(crate) values: Rc<BTreeMap<String, String>>,
    /// Values with which the session began, by the server's configuration, `ALTER DATABASE` and `ALTER ROLE`. `RESET` returns to them.
    pub(crate) first: Rc<BTreeMap<String, String>>,
    /// The role with whose rights it acts: `current_user`.
    pub(crate) role: Rc<str>,
    /// The role that it is of: `session_user`.
    pub(crate) session_role: Rc<str>,
    /// The role of the session within a function that acts with the rights of its owner.
    pub(crate) outside: Option<Rc<str>>,
    /// The labels that the transaction has added to enums. Nothing may use them yet.
    pub(crate) fresh: Rc<BTreeSet<(Oid, String)>>,
}

/// Sequences that a statement uses.
#[derive(Clone, Debug)]
pub(crate) enum Sequences {
    /// Only these.
    These(BTreeSet<Oid>),
    /// Any sequence, because the statement computes its name.
    Any,
}

/// What a function may do, by itself or by one that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    /// Changes rows.
    Changes,
    /// Undoes changes that it has made.
    Undoes,
    /// Asks for its callers.
    AsksForCallers,
}

/// Binds the queries of one statement.
pub(crate) struct Binder<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) source: Rc<Source>,
    pub(crate) settings: &'a Settings,
    /// The search path of the definition that is being bound, if it is not the session's.
    pub(crate) path_inside: Option<Vec<String>>,
    /// The search path of the view or policy whose text comes next.
    path_of_view: Option<Vec<String>>,
    /// Whether the text is a definition, whose names were found when it was made: no right to use their schemas is needed.
    pub(crate) in_definition: bool,
    /// Whether a `LIMIT` or `OFFSET` depends on columns, as that of a function does on its arguments. SQLite knows none there.
    limited_by_columns: bool,
    /// The values of `$1`, `$2` …; `None` for null.
    pub(crate) parameters: &'a [Option<String>],
    /// What is known of their types, if they are those of a client's statement.
    pub(crate) placeholders: Option<Rc<Placeholders>>,
    /// The system relations among the sources.
    systems: BTreeMap<usize, &'static crate::system::System>,
    sources: usize,
    /// The number of sources of elements inside of casts, which count above those of the query.
    inner: std::cell::Cell<usize>,
    /// The weights of the columns of subqueries that SQLite may flatten, by source.
    weights: BTreeMap<usize, Vec<usize>>,
    /// The visible common table expressions, the innermost last.
    ctes: Vec<KnownCte>,
    reads_of_ctes: ReadsOfCtes,
    /// The arguments of the SQL function that is being expanded.
    arguments: Option<Vec<(Option<String>, Expr)>>,
    /// The variables of the PL/pgSQL function that runs the statement.
    pub(crate) frame: Option<Rc<RefCell<Frame>>>,
    /// The system relations that the statement reads.
    pub(crate) system: BTreeSet<&'static str>,
    /// The relations that the statement reads.
    pub(crate) reads: BTreeSet<Oid>,
    /// The views whose queries are being bound, the innermost last.
    views: Vec<Oid>,
    /// The tables whose policies are being bound.
    pub(crate) policies: Vec<Oid>,
    /// The role whose rights count for relations here: that of a view's owner in its query.
    pub(crate) actor: Rc<str>,
    /// The role that `current_user` is here.
    pub(crate) current: Rc<str>,
    /// Why the role may not run the statement: for a relation, or for a call.
    pub(crate) denied: Option<SqlError>,
    pub(crate) denied_call: Option<SqlError>,
    /// The sources of which the role may read some columns only.
    pub(crate) readable: BTreeMap<usize, Readable>,
    /// The named windows of the present query.
    windows: Vec<(String, sqlparser::ast::WindowSpec)>,
    /// The set-returning calls in the present list of targets, with the source that replaces each.
    set_calls: Vec<(usize, Expr)>,
    /// The aggregates of queries around the present one.
    outer_aggregates: Vec<call::OuterAggregate>,
    /// The clause of the statement in which the present query is; `None` outside of queries in expressions.
    outermost: Option<Clause>,
    /// Whether the statement calls `set_config`.
    pub(crate) sets: bool,
    /// Whether a function of the project changes settings, once somebody has asked.
    setters: Option<bool>,
    /// The sequences that the statement uses; `None` if it uses none.
    pub(crate) sequences: Option<Sequences>,
    /// Whether the statement is an `INSERT` that may update existing rows.
    pub(crate) upserts: bool,
    /// Whether the statement deletes rows.
    pub(crate) deletes: bool,
    /// The places of `*` in the present text, and the columns that each stands for; `None` if nobody needs them.
    pub(crate) stars: Option<Vec<(std::ops::Range<usize>, String)>>,
    /// The names of columns in the present text; `None` if nobody needs them.
    pub(crate) named: Option<named::Named>,
    /// Whether these names are all that is asked for: nothing runs, and functions need not work.
    only_names: bool,
    /// Why the statement can't run, though it may be a definition: its rows are on a foreign server, or replicas can't know them.
    pub(crate) stopped: Option<SqlError>,
    /// The budget of the call, if the statement runs.
    pub(crate) budget: Option<Budget>,
    /// What is known of the functions that are called: for each question, its answer.
    deeds: RefCell<BTreeMap<(Oid, Deed), bool>>,
    /// Which rows the query that is being bound locks, and whether the next query is locked whole, as a part of one that locks.
    locked: Locked,
    locks_next: Option<Inside>,
    /// The names of sources before the queries that are being bound, which these cannot read because they are not lateral.
    pub(crate) beside: Vec<String>,
    /// The names of the queries of a `WITH` that come after the one that is being bound.
    later: Vec<String>,
    /// The words of the innermost lock.
    lock_words: &'static str,
    /// Whether a function that the statement calls may undo what it has changed; `None` if nobody asks.
    pub(crate) undoes: Option<bool>,
    /// The functions that a stored text calls itself; `None` if nobody needs them.
    pub(crate) calls: Option<BTreeSet<Oid>>,
    /// The tables that hold the earlier rows of relations that the statement has changed before this part of it.
    pub(crate) before: BTreeMap<Oid, String>,
    /// The sources that an outer join may not find, each with columns that are null only then.
    optional: BTreeMap<usize, Vec<Field>>,
    depth: usize,
    /// The bodies of the functions that are being expanded.
    expanding: Vec<String>,
    /// The nesting of the present expression.
    nesting: usize,
    /// The length of the statement's own text.
    length: usize,
    clause: Clause,
    /// Expressions that are computed once and used several times.
    pub(crate) once: Once,
}

/// A common table expression, as queries refer to it.
#[derive(Clone)]
pub(crate) struct KnownCte {
    pub(crate) name: String,
    pub(crate) source: usize,
    pub(crate) columns: Vec<Output>,
    /// The rows that a data-modifying expression has returned.
    pub(crate) rows: Option<Expr>,
    /// Whether it is being defined, and cannot be referred to here.
    pub(crate) undefined: bool,
    /// The common table expressions that it reads.
    pub(crate) reads: ReadsOfCtes,
}

/// The common table expressions that a query reads. SQLite expands such an expression again for each use, with all expressions that
/// it reads in turn.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadsOfCtes {
    queries: usize,
    depth: usize,
}

impl ReadsOfCtes {
    const QUERIES_MAX: usize = 4_000;
    const DEPTH_MAX: usize = 200;

    /// Adds an expression that is used, and those that it reads.
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
            path_inside: None,
            path_of_view: None,
            in_definition: false,
            limited_by_columns: false,
            parameters,
            placeholders: None,
            systems: BTreeMap::new(),
            sources: 0,
            inner: std::cell::Cell::default(),
            weights: BTreeMap::new(),
            ctes: Vec::new(),
            reads_of_ctes: ReadsOfCtes::default(),
            arguments: None,
            frame: None,
            system: BTreeSet::new(),
            reads: BTreeSet::new(),
            views: Vec::new(),
            policies: Vec::new(),
            actor: settings.role.clone(),
            current: settings.role.clone(),
            denied: None,
            denied_call: None,
            readable: BTreeMap::new(),
            windows: Vec::new(),
            set_calls: Vec::new(),
            outer_aggregates: Vec::new(),
            outermost: None,
            sets: false,
            setters: None,
            sequences: None,
            upserts: false,
            deletes: false,
            stars: None,
            named: None,
            only_names: false,
            stopped: None,
            budget: None,
            deeds: RefCell::default(),
            locked: Locked::default(),
            locks_next: None,
            beside: Vec::new(),
            later: Vec::new(),
            lock_words: "FOR UPDATE",
            undoes: None,
            calls: None,
            before: BTreeMap::new(),
            optional: BTreeMap::new(),
            depth: 0,
            expanding: Vec::new(),
            nesting: 0,
            clause: Clause::Target,
            once: Once::default(),
        }
    }

    /// A binder for the text of a check, an index, a default or the like.
    pub(crate) fn of_definition(catalog: &'a Catalog, text: &str, settings: &'a Settings) -> Binder<'a> {
        let mut binder = Binder::new(catalog, Rc::new(Source::stored(text)), settings, &[]);
        binder.path_inside = Some(binder.path_of_definition());
        binder
    }

    /// Notes that the statement uses a sequence; `None` for one that it computes.
    pub(crate) fn use_sequence(&mut self, oid: Option<Oid>) {
        match (&mut self.sequences, oid) {
            (Some(Sequences::Any), _) => {}
            (Some(Sequences::These(known)), Some(oid)) => drop(known.insert(oid)),
            (None, Some(oid)) => self.sequences = Some(Sequences::These(BTreeSet::from([oid]))),
            (_, None) => self.sequences = Some(Sequences::Any),
        }
    }

    /// The number of a new source of rows.
    pub(crate) fn new_source(&mut self) -> usize {
        self.sources += 1;
        self.sources
    }

    /// Makes the rows of a data-modifying expression available under its name.
    pub(crate) fn know(&mut self, cte: KnownCte) {
        self.ctes.push(cte);
    }

    /// Binds a text from the catalog, in a scope of its own.
    pub(crate) fn stored<T>(&mut self, text: &str, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.once.charge_expansion(self.depth, self.length)?;
        let source = std::mem::replace(&mut self.source, Rc::new(Source::stored(text)));
        let ctes = std::mem::take(&mut self.ctes);
        let arguments = self.arguments.take();
        let (frame, named) = (self.frame.take(), self.named.take());
        if self.clause.is_of_definition() {
            self.setters = Some(false);
        }
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        let path = self.path_of_view.take().unwrap_or_else(|| self.path_of_definition());
        let path = self.path_inside.replace(path);
        let in_definition = std::mem::replace(&mut self.in_definition, true);
        self.depth += 1;
        let result = bind(self);
        self.depth -= 1;
        self.in_definition = in_definition;
        (self.source, self.ctes, self.arguments, self.clause) = (source, ctes, arguments, clause);
        (self.frame, self.named) = (frame, named);
        self.path_inside = path;
        result.map_err(SqlError::nowhere)
    }

    /// The byte offset of the parser's location.
    fn place(&self, location: sqlparser::tokenizer::Location) -> Option<usize> {
        self.source.place(location)
    }

    /// Finds a stored relation or a view that a query names.
    pub(crate) fn find_relation(&self, name: &sqlparser::ast::ObjectName) -> Result<&'a Relation> {
        let (schema, relation) = source::schema_and_name(name)?;
        let at = source::parts(name).first().and_then(|ident| self.place(ident.span.start));
        self.relation_of_query(schema.as_deref(), &relation).map_err(|error| error.at(at))
    }

    /// The same by name. To a query a table is missing, where to a command its schema is.
    fn relation_of_query(&self, schema: Option<&str>, name: &str) -> Result<&'a Relation> {
        self.relation_by_name(schema, name).map_err(|error| match (error.code, schema) {
            (SqlState::INVALID_SCHEMA, Some(schema)) => {
                let message = format!("relation \"{schema}.{name}\" does not exist");
                SqlError::new(SqlState::UNDEFINED_TABLE, message)
            }
            _ => error,
        })
    }

    /// Finds a relation by name, in its schema or along the search path.
    pub(crate) fn relation_by_name(&self, schema: Option<&str>, name: &str) -> Result<&'a Relation> {
        let undefined = || {
            let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
            SqlError::new(SqlState::UNDEFINED_TABLE, format!("relation \"{shown}\" does not exist"))
        };
        let schemas = match schema {
            Some(schema) => match self.schema_to_use(schema)? {
                Some(schema) => vec![schema],
                None => vec![self.catalog.known_schema(schema)?],
            },
            None => self.search_path(),
        };
        self.catalog.first_relation_named(&schemas, name).ok_or_else(undefined)
    }

    /// Whether a table that it reads has an index over some of its rows only.
    pub(crate) fn reads_partly_indexed(&self) -> bool {
        let read = self.reads.iter().filter_map(|oid| self.catalog.relation(*oid));
        read.flat_map(|relation| &relation.indexes).any(|index| index.predicate.is_some())
    }

    /// The names of the schemas that are searched: those of the definition that is being bound, or the session's.
    pub(crate) fn path(&self) -> &[String] {
        self.path_inside.as_ref().unwrap_or(&self.settings.search_path)
    }

    /// Binds the text of a view, or of a policy of a table, whose names were found when it was created.
    pub(crate) fn stored_in<T>(
        &mut self,
        view: &Relation,
        text: &str,
        bind: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.look_from(view);
        self.stored(text, bind)
    }

    /// Lets the names in the next text be found where those of a view are.
    fn look_from(&mut self, view: &Relation) {
        self.path_of_view = Some(self.catalog.path_of_view(view));
    }

    /// The path for a definition, whose names were found when it was made: most likely by the path that a session begins with.
    fn path_of_definition(&self) -> Vec<String> {
        let mut path = self.path().to_vec();
        let more = SEARCH_PATH.iter().filter(|schema| !self.path().iter().any(|known| known == *schema));
        path.extend(more.map(|schema| (*schema).to_owned()));
        path
    }

    /// The schemas that are searched for unqualified names.
    pub(crate) fn search_path(&self) -> Vec<Oid> {
        let path = self.path().iter().filter_map(|schema| self.catalog.schema_named(schema));
        let exempt = self.catalog.is_exempt(&self.current);
        let path = path.filter(|schema| exempt || self.catalog.allows_schema(&self.current, *schema, 'U'));
        self.catalog.temporary().into_iter().chain([PG_CATALOG]).chain(path).collect()
    }

    /// The schemas in which a command looks for a function.
    pub(crate) fn schemas_for_function(&self, schema: Option<&str>) -> Result<Vec<Oid>> {
        match schema {
            Some(schema) => Ok(vec![self.catalog.known_schema(schema)?]),
            None => Ok(self.function_path()),
        }
    }

    /// The schemas that are searched for unqualified names of functions: temporary ones need their schema's name.
    pub(crate) fn function_path(&self) -> Vec<Oid> {
        let temporary = self.catalog.temporary();
        self.search_path().into_iter().filter(|schema| Some(*schema) != temporary).collect()
    }

    /// A schema that a text names. Fails when the role may not use it.
    pub(crate) fn schema_to_use(&self, name: &str) -> Result<Option<Oid>> {
        let Some(schema) = self.catalog.schema_named(name) else { return Ok(None) };
        if !self.in_definition {
            self.catalog.require_schema(&self.current, schema, 'U')?;
        }
        Ok(Some(schema))
    }

    /// The schema in which an unqualified name is created.
    pub(crate) fn creation_schema(&self, schema: Option<&str>) -> Result<Oid> {
        match schema {
            Some(schema) => self.catalog.known_schema(schema),
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
