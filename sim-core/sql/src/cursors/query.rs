//! The queries of cursors, and the rows that `WHERE CURRENT OF` changes.

use rusqlite::types::ValueRef;
use sqlparser::ast::{self, Ident, OrderByKind, SelectItem, SetExpr, TableFactor};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Asked, Of, Way, bytes_of};
use crate::bind::{Binder, Scope, Sequences};
use crate::catalog::{Oid, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::in_use::tables_in;
use crate::plpgsql;
use crate::print;
use crate::run::{Engine, Returned};
use crate::source::{is_word, name, schema_and_name};
use crate::tree::{Body, From, Output, Query, SetOperator};
use crate::types::Type;
use crate::value;

/// A bound query of a cursor.
pub(crate) struct Bound {
    sql: String,
    columns: Vec<Output>,
    sequences: Option<Sequences>,
    /// Whether it calls `set_config`.
    sets: bool,
    of: Of,
    scrolls: bool,
}

/// The rows of a cursor that is being opened.
pub(crate) struct Opened {
    pub(crate) returned: Returned,
    pub(crate) of: Of,
    /// Whether it goes backward if the statement does not say so.
    pub(crate) scrolls: bool,
    /// The tables that its query reads.
    pub(crate) tables: Vec<Oid>,
}

impl Opened {
    /// Rows that no query of its own has.
    pub(crate) fn of_rows(returned: Returned) -> Opened {
        Opened { returned, of: Of::Nothing, scrolls: false, tables: Vec::new() }
    }
}

impl Engine<'_> {
    /// Binds the query of a cursor, with variables if it is that of a body.
    pub(crate) fn bind_cursor(&mut self, parsed: &ast::Query) -> Result<Bound> {
        if let Some(lock) = parsed.locks.first() {
            self.require_lock(lock)?;
        }
        self.with_variables(|engine| engine.bind_cursor_here(parsed))
    }

    fn bind_cursor_here(&mut self, parsed: &ast::Query) -> Result<Bound> {
        let (of, with_places) = self.with_places(parsed);
        // The numbers of rows cannot be had where a query has groups of them.
        if let Some(Ok(mut bound)) = with_places.map(|query| self.bind_rows(&query)) {
            bound.columns.pop();
            return Ok(Bound { of, ..bound });
        }
        let of = if matches!(of, Of::Table { .. }) { Of::Nothing } else { of };
        Ok(Bound { of, ..self.bind_rows(parsed)? })
    }

    fn bind_rows(&mut self, query: &ast::Query) -> Result<Bound> {
        let (catalog, settings) = (self.catalog.clone(), self.settings.clone());
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        self.begin_binding(&mut binder);
        let mut bound = binder.query(&Scope::default(), query)?;
        binder.permit()?;
        match self.frame {
            Some(_) => drop(plpgsql::expand_row(&binder, &mut bound)),
            None => self.show(&mut binder, &mut bound)?,
        }
        let sql = self.with_system(&binder, &print::query(&bound));
        self.compute_early(&bound)?;
        let scrolls = query.locks.is_empty() && !selects_from_nothing(query) && scrolls(&bound);
        let (sequences, sets) = (binder.sequences.take(), binder.sets);
        self.end_binding();
        Ok(Bound { sql, columns: bound.columns, sequences, sets, of: Of::Nothing, scrolls })
    }

    /// What the rows of a query are of, and the query with the numbers of its rows if they can be changed through a cursor.
    fn with_places(&self, query: &ast::Query) -> (Of, Option<ast::Query>) {
        let locked = !query.locks.is_empty();
        let unknown = if locked { Of::Unknown } else { Of::Nothing };
        let SetExpr::Select(select) = &*query.body else { return (unknown, None) };
        let [from] = &select.from[..] else { return (unknown, None) };
        let TableFactor::Table { name: table, alias, args: None, .. } = &from.relation else {
            return (unknown, None);
        };
        if !from.joins.is_empty() || query.with.is_some() || select.distinct.is_some() {
            return (unknown, None);
        }
        let binder = self.plain_binder();
        let Ok(relation) = binder.find_relation(table) else { return (unknown, None) };
        if relation.partitioning.is_some() {
            return (Of::Unknown, None);
        }
        if !relation.is_stored() || !locked && is_sorted(query, relation) {
            return (Of::Nothing, None);
        }
        let called = match alias {
            Some(alias) => Some(alias.name.clone()),
            None => crate::source::parts(table).last().map(|ident| (*ident).clone()),
        };
        let place = called.into_iter().chain([Ident::new("ctid")]).collect();
        let mut select = select.clone();
        select.projection.push(SelectItem::UnnamedExpr(ast::Expr::CompoundIdentifier(place)));
        let query = ast::Query { body: Box::new(SetExpr::Select(select)), ..query.clone() };
        (Of::Table { oid: relation.oid, locked }, Some(query))
    }

    /// Computes the rows of a cursor.
    pub(crate) fn run_cursor(&mut self, bound: Bound) -> Result<Opened> {
        let Bound { sql, columns, sequences, sets, of, scrolls } = bound;
        if let Some(sequences) = &sequences {
            self.begin_sequences(sequences)?;
        }
        let width = columns.len() + usize::from(matches!(of, Of::Table { .. }));
        let rows = self.fetch(&sql, width);
        self.take_back();
        let rows = rows?;
        self.budget.hold(bytes_of(&rows))?;
        if sequences.is_some() {
            self.store_sequences()?;
        }
        if sets {
            self.take_settings()?;
        }
        let tables = tables_in(&sql);
        Ok(Opened { returned: Returned { columns, rows }, of, scrolls, tables })
    }

    /// Opens a cursor, and returns its name.
    pub(crate) fn open_cursor(
        &mut self,
        name: Option<String>,
        asked: Asked,
        opened: Opened,
    ) -> Result<String> {
        let created = self.connection.query_row("SELECT pg_now()", [], |row| row.get(0))?;
        self.known.cursors.borrow_mut().open(name, Asked { created, ..asked }, opened)
    }

    /// The rows that a cursor passes, at the cost of copying them.
    pub(crate) fn fetch_cursor_rows(&self, name: &str, way: Way) -> Result<Returned> {
        let returned = self.known.cursors.borrow_mut().fetch(name, way)?;
        self.budget.work(bytes_of(&returned.rows) / 16)?;
        Ok(returned)
    }

    /// A change with `WHERE CURRENT OF`, which names the row itself instead.
    pub(crate) fn in_place_of_current(&self, tokens: &[TokenWithSpan]) -> Result<Option<Vec<TokenWithSpan>>> {
        let words = ["where", "current", "of"];
        let found =
            |window: &[TokenWithSpan]| window.iter().zip(words).all(|(token, word)| is_word(token, word));
        let Some(at) = tokens.windows(words.len()).position(found) else { return Ok(None) };
        let Some(TokenWithSpan { token: Token::Word(word), span }) = tokens.get(at + words.len()) else {
            return Ok(None);
        };
        let written = Ident { value: word.value.clone(), quote_style: word.quote_style, span: *span };
        let cursor = match &self.frame {
            Some(frame) => frame.borrow().cursor_named(&name(&written)).unwrap_or_else(|| name(&written)),
            None => name(&written),
        };
        // Any row will do for a statement that does not run.
        let row = if self.describes() { 1 } else { self.row_of_cursor(&cursor, tokens)? };
        let place = value::print(Type::TID, ValueRef::Integer(row));
        let condition = [Token::make_word("ctid", None), Token::Eq, Token::SingleQuotedString(place)];
        let mut changed = tokens.to_vec();
        let condition = condition.map(|token| TokenWithSpan { token, span: *span });
        changed.splice(at + 1..=at + words.len(), condition);
        Ok(Some(changed))
    }

    /// The number of the row that a cursor stands on, for a change of its table.
    fn row_of_cursor(&self, cursor: &str, tokens: &[TokenWithSpan]) -> Result<i64> {
        let (oid, table) = self.changed_by(tokens)?;
        let (of, row) = self.known.cursors.borrow_mut().current(cursor, &table)?;
        let what = match of {
            Of::Table { oid: own, .. } if own == oid => return Ok(row),
            Of::Table { locked: true, .. } => {
                format!("does not have a FOR UPDATE/SHARE reference to table \"{table}\"")
            }
            _ => format!("is not a simply updatable scan of table \"{table}\""),
        };
        Err(SqlError::new(SqlState::new("24000"), format!("cursor \"{cursor}\" {what}")))
    }

    /// The table that an `UPDATE` or `DELETE` changes.
    fn changed_by(&self, tokens: &[TokenWithSpan]) -> Result<(Oid, String)> {
        let mut at = 1;
        at += usize::from(tokens.get(at).is_some_and(|token| is_word(token, "from")));
        at += usize::from(tokens.get(at).is_some_and(|token| is_word(token, "only")));
        let rest = tokens.get(at..).unwrap_or_default();
        let (object, _) =
            self.source.parse_prefix(rest, |parser: &mut Parser<'_>| parser.parse_object_name(false))?;
        let relation = self.plain_binder().find_relation(&object)?.oid;
        Ok((relation, schema_and_name(&object)?.1))
    }
}

/// Refuses a query that also changes rows.
pub(crate) fn refuse_changes(query: &ast::Query) -> Result<()> {
    let changes = |cte: &ast::Cte| {
        matches!(
            &*cte.query.body,
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_)
        )
    };
    if query.with.iter().flat_map(|with| &with.cte_tables).any(changes) {
        let message = "DECLARE CURSOR must not contain data-modifying statements in WITH";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    Ok(())
}

/// Whether rows have to be sorted, because no index has their order.
fn is_sorted(query: &ast::Query, relation: &Relation) -> bool {
    let Some(ast::OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &query.order_by else {
        return query.order_by.is_some();
    };
    let column = match keys.first().map(|key| &key.expr) {
        Some(ast::Expr::Identifier(ident)) => Some(ident),
        Some(ast::Expr::CompoundIdentifier(parts)) => parts.last(),
        _ => None,
    };
    let number = column.and_then(|ident| relation.column(&name(ident))).map(|column| column.number);
    number.is_none()
        || !relation.indexes.iter().any(|index| index.keys.first().and_then(|key| key.column) == number)
}

/// A `SELECT` without `FROM`, which has one row at most unless it calls a function of a set.
fn selects_from_nothing(query: &ast::Query) -> bool {
    matches!(&*query.body, SetExpr::Select(select) if select.from.is_empty()) && query.order_by.is_none()
}

/// Whether PostgreSQL's plan for a query can run backward, as far as the query itself tells.
fn scrolls(query: &Query) -> bool {
    if !query.order.is_empty() {
        return true;
    }
    match &query.body {
        Body::Values(rows) => rows.len() > 1,
        Body::Set { operator: SetOperator::Union, all: true, left, right } => scrolls(left) && scrolls(right),
        Body::Set { .. } => false,
        Body::Select(select) => {
            let grouped = !select.group.is_empty() || select.aggregated || select.having.is_some();
            let distinct = select.distinct || !select.distinct_on.is_empty();
            let windows = select.targets.iter().any(crate::tree::Expr::is_of_many_rows);
            !grouped
                && !distinct
                && !windows
                && match &select.from[..] {
                    [From::Query { query, .. }] => scrolls(query),
                    [From::Table { .. } | From::Named { .. } | From::Elements { .. }] => true,
                    _ => false,
                }
        }
    }
}
