//! `SEARCH` and `CYCLE` of a recursive query: columns that say in which order its rows are found, and where it goes in circles.
//!
//! [`crate::forms`] has written each clause as a query after the one to which it belongs, whose columns are its words.

use sqlparser::ast::{self, SelectItem, SetExpr, TableFactor};

use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::forms::CLAUSES;
use crate::source::name;
use crate::tree::{Body, Comparison, Expr, Field, From, Node, Output, Query, Select};
use crate::types::Type;

/// The type of paths.
const RECORDS: Type = Type(2287);

/// The types whose values in a document sort and compare as they do outside, some of them as they are shown.
const KEYS: [Type; 12] = [
    Type::BOOL,
    Type::INT2,
    Type::INT4,
    Type::INT8,
    Type::OID,
    Type::TEXT,
    Type::VARCHAR,
    Type::BPCHAR,
    Type::UUID,
    Type::DATE,
    Type::TIMESTAMP,
    Type::TIMESTAMPTZ,
];

/// Whether the query of a `WITH` is a clause of the one before it.
pub(in crate::bind) fn is_clause(cte: &ast::Cte) -> bool {
    CLAUSES.contains(&&*cte.alias.name.value)
}

/// The clauses of a recursive query.
#[derive(Default)]
pub(super) struct Walk {
    search: Option<Search>,
    cycle: Option<Cycle>,
}

struct Search {
    breadth: bool,
    by: Vec<usize>,
    sequence: String,
}

struct Cycle {
    by: Vec<usize>,
    mark: String,
    found: Expr,
    other: Expr,
    path: String,
}

impl Binder<'_> {
    /// The clauses after a recursive query that has such columns.
    pub(super) fn walk(&mut self, clauses: &[&ast::Cte], columns: &[Output]) -> Result<Walk> {
        let mut walk = Walk::default();
        for clause in clauses {
            let at = self.place(clause.alias.name.span.start);
            let SetExpr::Select(select) = &*clause.query.body else { continue };
            let words = select.projection.iter().filter_map(|item| match item {
                SelectItem::UnnamedExpr(expr) => Some(expr.clone()),
                _ => None,
            });
            let mut words: Vec<ast::Expr> = words.collect();
            let kind = CLAUSES.iter().position(|known| *known == clause.alias.name.value);
            if kind == Some(2) {
                let path = words.pop().map(|word| named(&word)).unwrap_or_default();
                let (other, found) = (words.pop(), words.pop());
                let mark = words.pop().map(|word| named(&word)).unwrap_or_default();
                let by = self.places("cycle", &words, columns).map_err(|error| error.at(at))?;
                let (found, other) = self.marks(found, other)?;
                walk.cycle = Some(Cycle { by, mark, found, other, path });
            } else {
                let sequence = words.pop().map(|word| named(&word)).unwrap_or_default();
                let by = self.places("search", &words, columns).map_err(|error| error.at(at))?;
                walk.search = Some(Search { breadth: kind == Some(1), by, sequence });
            }
            walk.check_names(columns).map_err(|error| error.at(at))?;
        }
        Ok(walk)
    }

    /// The two values of a mark, in one type.
    fn marks(&mut self, found: Option<ast::Expr>, other: Option<ast::Expr>) -> Result<(Expr, Expr)> {
        let scope = Scope::default();
        let mut bind = |written: Option<ast::Expr>| match written {
            Some(written) => self.expr(&scope, &written),
            None => Ok(Expr::null()),
        };
        let (found, other) = (bind(found)?, bind(other)?);
        let type_ = match (found.type_, other.type_) {
            (Type::UNKNOWN, Type::UNKNOWN) => Type::TEXT,
            (Type::UNKNOWN, known) | (known, _) => known,
        };
        Ok((self.implicit(found, type_)?, self.implicit(other, type_)?))
    }

    /// The places of the columns that a clause names.
    fn places(&self, clause: &str, words: &[ast::Expr], columns: &[Output]) -> Result<Vec<usize>> {
        let mut places = Vec::new();
        for word in words.iter().map(named) {
            let Some(place) = columns.iter().position(|column| column.name == word) else {
                let message = format!("{clause} column \"{word}\" not in WITH query column list");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            };
            if places.contains(&place) {
                let message = format!("{clause} column \"{word}\" specified more than once");
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
            let type_ = self.catalog.base_type(columns[place].type_.base);
            if !KEYS.contains(&type_) {
                let name = self.catalog.type_name(type_, -1);
                return Err(SqlError::unsupported(format!("{} by the type {name}", clause.to_uppercase())));
            }
            places.push(place);
        }
        Ok(places)
    }

    /// Whether a path has a step.
    fn is_in(&self, row: Expr, path: Expr) -> Expr {
        Expr::template("(json({0}) IN (SELECT value FROM json_each({1})))", vec![row, path], Type::BOOL)
    }

    /// The first rows, with what the clauses add.
    pub(super) fn begin(&mut self, walk: &Walk, first: Query) -> Query {
        if walk.is_none() {
            return first;
        }
        let source = self.new_source();
        let columns = first.columns.clone();
        let mut targets = columns_of(source, &columns);
        if let Some(search) = &walk.search {
            let depth = search.breadth.then(|| Expr::literal(0, Type::INT8));
            let row = row_of(depth, &search.by, &targets[..columns.len()]);
            targets.push(if search.breadth { row } else { path_of(row) });
        }
        if let Some(cycle) = &walk.cycle {
            let row = row_of(None, &cycle.by, &targets[..columns.len()]);
            targets.extend([cycle.other.clone(), path_of(row)]);
        }
        within(source, first, targets, None, walk.with_columns(columns))
    }

    /// The rows that follow, which have read what the clauses have added to those before them, with what they add.
    pub(super) fn go_on(&mut self, walk: &Walk, next: Query, columns: &[Output]) -> Result<Query> {
        let source = self.new_source();
        let count = columns.len();
        let mut targets = columns_of(source, &next.columns);
        let mut read = targets.split_off(count).into_iter();
        let mut filter = None;
        if let (Some(search), Some(before)) = (&walk.search, walk.search.as_ref().and_then(|_| read.next())) {
            let depth = search
                .breadth
                .then(|| Expr::template("(json_extract({0}, '$[0]') + 1)", vec![before.clone()], Type::INT8));
            let row = row_of(depth, &search.by, &targets[..count]);
            targets.push(if search.breadth { row } else { appended(before, row) });
        }
        if let (Some(cycle), Some(mark), Some(path)) = (&walk.cycle, read.next(), read.next()) {
            let row = row_of(None, &cycle.by, &targets[..count]);
            filter = Some(self.compare(Comparison::NotEqual, mark, cycle.found.clone())?);
            let is_in = self.is_in(row.clone(), path.clone());
            let (branches, otherwise) =
                (vec![(is_in, cycle.found.clone())], Some(Box::new(cycle.other.clone())));
            targets.push(Expr::new(Node::Case { operand: None, branches, otherwise }, cycle.found.type_));
            targets.push(appended(path, row));
        }
        Ok(within(source, next, targets, filter, walk.with_columns(columns.to_vec())))
    }
}

impl Walk {
    pub(super) fn is_none(&self) -> bool {
        self.search.is_none() && self.cycle.is_none()
    }

    /// The columns of a query with those that the clauses add.
    pub(super) fn with_columns(&self, mut columns: Vec<Output>) -> Vec<Output> {
        let mut add = |name: &String, type_: Type| {
            columns.push(Output { name: name.clone(), type_: type_.plain() });
        };
        if let Some(Search { breadth, sequence, .. }) = &self.search {
            add(sequence, if *breadth { Type::RECORD } else { RECORDS });
        }
        if let Some(Cycle { mark, found, path, .. }) = &self.cycle {
            add(mark, found.type_);
            add(path, RECORDS);
        }
        columns
    }

    fn names(&self) -> Vec<(&'static str, &String)> {
        let search = self.search.iter().map(|search| ("search sequence", &search.sequence));
        let cycle =
            self.cycle.iter().flat_map(|cycle| [("cycle mark", &cycle.mark), ("cycle path", &cycle.path)]);
        search.chain(cycle).collect()
    }

    fn check_names(&self, columns: &[Output]) -> Result<()> {
        let names = self.names();
        for (at, (what, name)) in names.iter().enumerate() {
            if columns.iter().any(|column| column.name == **name) {
                let message = format!("{what} column name \"{name}\" already used in WITH query column list");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            if let Some((before, _)) = names[..at].iter().find(|(_, known)| known == name) {
                let message = format!("{before} column name and {what} column name are the same");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
        }
        Ok(())
    }

    /// The second part of a query, which reads what the clauses have added.
    pub(super) fn reading(&self, part: &SetExpr, called: &str) -> Result<SetExpr> {
        if self.is_none() {
            return Ok(part.clone());
        }
        let mut part = match part {
            SetExpr::Query(query) if query.with.is_none() && query.order_by.is_none() => {
                (*query.body).clone()
            }
            part => part.clone(),
        };
        let SetExpr::Select(select) = &mut part else {
            let message = "with a SEARCH or CYCLE clause, the right side of the UNION must be a SELECT";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        };
        let read = select.from.iter().flat_map(|from| {
            std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
        });
        let alias = read.filter_map(|factor| match factor {
            TableFactor::Table { name: object, alias, .. } => match &crate::source::parts(object)[..] {
                [only] if name(only) == called => {
                    Some(alias.as_ref().map_or_else(|| (*only).clone(), |alias| alias.name.clone()))
                }
                _ => None,
            },
            _ => None,
        });
        let Some(alias) = alias.into_iter().next() else {
            let message = format!(
                "with a SEARCH or CYCLE clause, the recursive reference to WITH query \"{called}\" must be at the top level of its right-hand SELECT"
            );
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        };
        for (_, added) in self.names() {
            let column = ast::Ident::with_quote('"', added.clone());
            let column = ast::Expr::CompoundIdentifier(vec![alias.clone(), column]);
            select.projection.push(SelectItem::UnnamedExpr(column));
        }
        Ok(part)
    }
}

fn named(word: &ast::Expr) -> String {
    match word {
        ast::Expr::Identifier(ident) => name(ident),
        other => other.to_string(),
    }
}

fn columns_of(source: usize, columns: &[Output]) -> Vec<Expr> {
    let columns = columns.iter().enumerate().map(|(at, column)| {
        let node = Node::Column { source, field: Field::Column(at as u32 + 1) };
        Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
    });
    columns.collect()
}

/// A step of a path. What is kept in another form than it is shown is shown: its order is the same.
fn row_of(depth: Option<Expr>, by: &[usize], columns: &[Expr]) -> Expr {
    let items = by.iter().map(|place| {
        let column = columns[*place].clone();
        match column.type_ {
            Type::BOOL => {
                let text = "CASE {0} WHEN 1 THEN 't' WHEN 0 THEN 'f' END";
                Expr::template(text, vec![column], Type::TEXT)
            }
            Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ => {
                Expr::new(Node::Cast { expr: Box::new(column), explicit: true }, Type::TEXT)
            }
            _ => column,
        }
    });
    let items: Vec<Expr> = depth.into_iter().chain(items).collect();
    let names = (1..=items.len()).map(|number| format!("f{number}")).collect();
    Expr::new(Node::Row(items, names), Type::RECORD)
}

/// Steps are documents in a document, so that they are compared item by item.
fn path_of(row: Expr) -> Expr {
    Expr::template("json_array(json({0}))", vec![row], RECORDS)
}

fn appended(path: Expr, row: Expr) -> Expr {
    Expr::template("json_insert({0}, '$[#]', json({1}))", vec![path, row], RECORDS)
}

/// A query of values of the rows of another one.
fn within(
    source: usize,
    inner: Query,
    targets: Vec<Expr>,
    filter: Option<Expr>,
    columns: Vec<Output>,
) -> Query {
    let from = vec![From::Query { source, query: Box::new(inner), lateral: false }];
    let body = Body::Select(Box::new(Select { targets, from, filter, ..Select::default() }));
    Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns }
}
