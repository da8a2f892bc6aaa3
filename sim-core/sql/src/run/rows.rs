//! Statements that return rows.

use std::rc::Rc;

use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Done, Engine, Returned};
use crate::bind::{Binder, KnownCte, Scope};
use crate::catalog::quote_identifier;
use crate::dml::Overriding;
use crate::error::Result;
use crate::plpgsql::{Plan, Uses};
use crate::print;
use crate::source::Source;
use crate::tree::{self, Body, Expr, Field, Key, Node, Order, Output, Query, Select};
use crate::types::Type;
use crate::value::array;

impl<'a> Engine<'a> {
    pub(super) fn query(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let parsed = self.source.parse(tokens, Parser::parse_query)?;
        if let Some(lock) = parsed.locks.first() {
            self.require_lock(lock)?;
        }
        if !parsed.with.iter().flat_map(|with| &with.cte_tables).any(changes) {
            let done = self.query_with_changes(&parsed, &[]);
            // A lock is asked for at each run.
            self.last_query = self.last_query.take().filter(|_| parsed.locks.is_empty());
            return done;
        }
        self.keep_before(&parsed, tokens)?;
        let unread = unread_changes(&parsed, tokens);
        self.bind_before(&parsed, &unread)?;
        let done = self.join_changes(|engine| engine.query_with_changes(&parsed, &unread));
        self.before.clear();
        self.last_query = None;
        done
    }

    /// Finds the mistakes in all parts of a statement before the first part changes anything.
    fn bind_before(&mut self, parsed: &ast::Query, unread: &[usize]) -> Result<()> {
        if self.only_binds || self.frame.is_some() || matches!(*parsed.body, ast::SetExpr::Merge(_)) {
            return Ok(());
        }
        self.only_binds = true;
        let bound = self.query_with_changes(parsed, unread);
        self.only_binds = false;
        bound.map(drop)
    }

    /// Drops what waited for the end of a statement outside of all bodies: copies, and tables that functions have dropped. After an
    /// error, the rollback does.
    pub(super) fn drop_waiting(&mut self) -> Result<()> {
        if self.calls > 0 {
            return Ok(());
        }
        let waiting = self.known.waiting.take();
        waiting.iter().try_for_each(|what| self.execute(&format!("DROP {what}")))
    }

    /// Runs a query or a change. Those changes of its `WITH` that nothing reads run last, the last one first.
    fn query_with_changes(&mut self, parsed: &ast::Query, unread: &[usize]) -> Result<Done> {
        let known = self.modifying_ctes(parsed, unread)?;
        let ctes = known.iter().map(|(_, cte)| cte.clone()).collect();
        let done = match &*parsed.body {
            ast::SetExpr::Insert(statement)
            | ast::SetExpr::Update(statement)
            | ast::SetExpr::Delete(statement) => {
                self.require_write("INSERT")?;
                let ctes = self.query_ctes(parsed, ctes)?;
                self.modify(statement, Overriding::Nothing, ctes)?
            }
            ast::SetExpr::Merge(ast::Statement::Merge(merge)) => {
                let ctes = self.query_ctes(parsed, ctes)?;
                self.merge(merge, ctes)?
            }
            _ => {
                let returned = self.rows_of(parsed, ctes)?;
                Done { tag: format!("SELECT {}", returned.rows.len()), returned: Some(returned) }
            }
        };
        for index in unread.iter().rev() {
            let cte = parsed.with.as_ref().and_then(|with| with.cte_tables.get(*index));
            if let Some(statement) = cte.and_then(change_of) {
                let earlier = known.iter().filter(|(at, _)| at < index).map(|(_, cte)| cte.clone());
                self.modify(statement, Overriding::Nothing, earlier.collect())?;
            }
        }
        Ok(done)
    }

    /// Runs the data-modifying statements of a `WITH` that others read, and returns the rows of all that may be read, each with
    /// its place.
    fn modifying_ctes(&mut self, query: &ast::Query, unread: &[usize]) -> Result<Vec<(usize, KnownCte)>> {
        let mut known: Vec<(usize, KnownCte)> = Vec::new();
        let all = query.with.as_ref().map_or(&[][..], |with| &with.cte_tables[..]);
        for (index, cte) in all.iter().enumerate() {
            let (name, rest) = (crate::source::name(&cte.alias.name), &all[index + 1..]);
            let earlier = known.iter().map(|(_, cte)| cte.clone()).collect();
            let Some(statement) = change_of(cte) else {
                if changes_with(rest, &name) {
                    let rows = self.rows_of_cte(query, cte, earlier)?;
                    known.push((index, rows));
                }
                continue;
            };
            self.require_write("INSERT")?;
            let returned = match unread.contains(&index) {
                true => None,
                false => self.modify_as(statement, Overriding::Nothing, earlier, false)?.returned,
            };
            known.push((index, known_rows(name, returned.unwrap_or_else(Returned::nothing))));
        }
        Ok(known)
    }

    /// Runs one query of a `WITH`, and returns its rows.
    fn rows_of_cte(&mut self, query: &ast::Query, cte: &ast::Cte, known: Vec<KnownCte>) -> Result<KnownCte> {
        let name = crate::source::name(&cte.alias.name);
        let mut all = Source::stored(&format!("SELECT * FROM {}", quote_identifier(&name))).query()?;
        all.with =
            query.with.as_ref().map(|with| ast::With { cte_tables: vec![cte.clone()], ..with.clone() });
        Ok(known_rows(name, self.raw_rows_of(&all, known)?))
    }

    /// Runs the queries of a `WITH` before a data-modifying statement, and returns their rows for it.
    fn query_ctes(&mut self, query: &ast::Query, mut known: Vec<KnownCte>) -> Result<Vec<KnownCte>> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = crate::source::name(&cte.alias.name);
            if known.iter().any(|done| done.name == name) {
                continue;
            }
            known.push(self.rows_of_cte(query, cte, known.clone())?);
        }
        Ok(known)
    }

    /// Binds and runs a query.
    pub(crate) fn rows_of(&mut self, query: &ast::Query, ctes: Vec<KnownCte>) -> Result<Returned> {
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.before.clone_from(&self.before);
        let known_rows = !ctes.is_empty();
        for cte in ctes {
            binder.know(cte);
        }
        self.begin_binding(&mut binder);
        let mut bound = binder.query(&Scope::default(), query)?;
        binder.permit()?;
        let record = matches!(&bound.columns[..], [only] if only.type_.base == Type::RECORD);
        if record && self.frame.as_ref().is_some_and(|frame| frame.borrow().apart) {
            crate::plpgsql::expand_row(&binder, &mut bound);
        }
        if let Some(sequences) = &binder.sequences {
            self.begin_sequences(sequences)?;
        }
        let sets = binder.sets;
        // Inside of a body the values are wanted, not their texts.
        if self.frame.is_none() {
            self.show(&mut binder, &mut bound)?;
        }
        if self.describes() {
            return Ok(Returned { columns: bound.columns, rows: Vec::new() });
        }
        let (sql, constants) = match self.frame {
            // SQLite uses a partial index only if it sees the constants.
            None if !binder.reads_partly_indexed() => print::query_with_values(&bound),
            _ => (print::query(&bound), Vec::new()),
        };
        let sql = self.with_system(&binder, &sql);
        // What stands for earlier rows, and the rows of system relations, are there for this statement only.
        let lasts = self.before.is_empty() && !known_rows && binder.system.is_empty();
        let uses = self.frame.as_ref().map(|frame| frame.borrow()).filter(|frame| lasts && !frame.inlined);
        let uses = uses.map(|frame| Uses::of(&frame, catalog.clone(), settings.clone()));
        self.compute_early(&bound)?;
        self.end_binding();
        self.values.extend(constants);
        let rows = self.fetch(&sql, bound.columns.len());
        self.take_back();
        let rows = rows?;
        if binder.sequences.is_some() {
            self.store_sequences()?;
        }
        if sets {
            self.take_settings()?;
        }
        let made = (binder.sequences.take(), sets);
        self.last_query = uses.map(|uses| Rc::new(Plan::of_query(sql, bound.columns.clone(), made, uses)));
        Ok(Returned { columns: bound.columns, rows })
    }

    /// Converts values to text whose format depends on the catalog.
    pub(crate) fn show(&self, binder: &mut Binder<'_>, query: &mut Query) -> Result<()> {
        // Values that are sorted by or compared with those of other queries must not be converted. With `DISTINCT` alone,
        // different rows also have different texts.
        let apart = match &query.body {
            Body::Select(select) => {
                let sorts = |order: &Order| matches!(order.key, Key::Output(_, type_) if type_ == Type::RECORD || type_.is_reg());
                select.distinct && !query.order.is_empty()
                    || !select.distinct_on.is_empty()
                    || query.order.iter().any(sorts)
            }
            _ => true,
        };
        if apart && !query.columns.iter().any(|column| self.is_shown(column.type_.base)) {
            return Ok(());
        }
        if apart {
            *query = self.around(binder, query);
        }
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        for (target, column) in select.targets.iter_mut().zip(&mut query.columns) {
            if let Some(text) = self.shown_text(binder, target)? {
                *target = text;
                column.type_ = Type::TEXT.plain();
            }
        }
        Ok(())
    }

    /// The text of a value whose format depends on the catalog; `None` for any other value.
    pub(crate) fn shown_text(&self, binder: &Binder<'_>, target: &Expr) -> Result<Option<Expr>> {
        let row = target.type_ == Type::RECORD || self.catalog.attributes(target.type_).is_some();
        let named = |type_: Type| type_.is_reg() || type_.element().is_some_and(Type::is_reg);
        if named(target.type_) {
            return binder.cast(target.clone(), Type::TEXT.plain()).map(Some);
        }
        if row && let Some(text) = binder.row_as_text(target)? {
            return Ok(Some(text));
        }
        let texts = match binder.records_as_text(target)? {
            None => binder.rows_as_text(target),
            texts => texts,
        };
        texts.map(|texts| binder.cast(texts, Type::TEXT.plain())).transpose()
    }

    /// Whether values of a type are shown as texts that depend on the catalog.
    pub(crate) fn is_shown(&self, type_: Type) -> bool {
        let row = |type_: Type| self.catalog.attributes(type_).is_some();
        let element = type_.element();
        type_.is_reg() || row(type_) || element.is_some_and(|element| row(element) || element.is_reg())
    }

    /// A query of all columns of another query.
    pub(super) fn around(&self, binder: &mut Binder<'_>, query: &Query) -> Query {
        let source = binder.new_source();
        let column = |(index, column): (usize, &Output)| {
            let field = Field::Column(index as u32 + 1);
            let value = Expr::new(Node::Column { source, field }, column.type_.base);
            Expr { modifier: column.type_.modifier, ..value }
        };
        let targets = query.columns.iter().enumerate().map(column).collect();
        let columns = query.columns.clone();
        let from = vec![tree::From::Query { source, query: Box::new(query.clone()), lateral: false }];
        let select = Select {
            distinct: false,
            distinct_on: Vec::new(),
            targets,
            from,
            filter: None,
            group: Vec::new(),
            aggregated: false,
            having: None,
        };
        let body = Body::Select(Box::new(select));
        Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns }
    }
}

/// The statement that changes rows, if a query of a `WITH` is one.
pub(super) fn change_of(cte: &ast::Cte) -> Option<&ast::Statement> {
    match &*cte.query.body {
        ast::SetExpr::Insert(statement)
        | ast::SetExpr::Update(statement)
        | ast::SetExpr::Delete(statement) => Some(statement),
        _ => None,
    }
}

fn changes(cte: &ast::Cte) -> bool {
    change_of(cte).is_some()
}

/// The places of the data-modifying statements of a `WITH` whose names stand nowhere else.
fn unread_changes(query: &ast::Query, tokens: &[TokenWithSpan]) -> Vec<usize> {
    let all = query.with.as_ref().map_or(&[][..], |with| &with.cte_tables[..]);
    let count = |name: &str| {
        let is_name = |token: &&TokenWithSpan| matches!(&token.token, Token::Word(word) if word.value.eq_ignore_ascii_case(name));
        tokens.iter().filter(is_name).count()
    };
    let unread = all.iter().enumerate().filter(|(_, cte)| changes(cte) && count(&cte.alias.name.value) < 2);
    unread.map(|(index, _)| index).collect()
}

/// Whether one of these queries changes rows and may read `name`.
fn changes_with(ctes: &[ast::Cte], name: &str) -> bool {
    // Those in between may hand it on.
    ctes.iter().any(changes) && ctes.iter().any(|cte| cte.query.to_string().contains(name))
}

/// Rows as a common table expression.
pub(crate) fn known_rows(name: String, returned: Returned) -> KnownCte {
    let rows = returned.rows.iter().map(|row| row.iter().map(|value| array::element(value.into())).collect());
    let rows = Expr::new(Node::Literal(array::of(rows.collect())), Type::JSON);
    let (source, undefined, reads) = (0, false, Default::default());
    KnownCte { name, source, columns: returned.columns, rows: Some(rows), undefined, reads }
}
