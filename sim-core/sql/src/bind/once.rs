//! Operands that are used several times in an expression. Each is bound, printed and computed once.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::Binder;
use super::shown::Texts;
use crate::catalog::{Catalog, Oid};
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::tree::{Expr, Field, LETS, Node};

/// The deepest nesting of views, functions and domains that refer to others.
const EXPANSION_MAX: usize = 32;

/// The most views, functions and domains that others refer to, in addition to a number in proportion to the statement's length.
const EXPANSIONS_MAX: usize = 1_000;

/// The most expressions of a statement, in addition to a number in proportion to its length. Most of them come from definitions.
/// Named windows are bound for each use.
const EXPRESSIONS_MAX: usize = 100_000;

/// The most bytes of a definition's text in the catalog, including texts that became parts of others.
const SHOWN_MAX: usize = 1 << 18;

/// The most bytes of SQL for operands that are copied in spite of this module.
const COPIES_MAX: usize = 1 << 20;

/// The most bytes of the bodies of functions that are looked through, for what a call may do.
const BODIES_MAX: usize = 1 << 20;

/// Counts the costs of binding a statement. A binder that works for another one copies these counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Once {
    /// The number of [`Node::Let`] around the present expression.
    around: Cell<usize>,
    expansions: Cell<usize>,
    expressions: Cell<usize>,
    copies: Cell<usize>,
    shown: Cell<usize>,
    bodies: Cell<usize>,
    /// The refusal of a function that the check of a domain calls.
    denied: RefCell<Option<SqlError>>,
    /// The primary keys for which columns need not be among those of a grouping.
    grouping: RefCell<BTreeSet<Oid>>,
    /// The catalog with the names that the session's path finds: a statement may ask for a thousand definitions.
    seen: OnceCell<Rc<Catalog>>,
    /// Whether the statement asks for the version of a row, and for the number of a transaction.
    version: Cell<bool>,
    transaction: Cell<bool>,
    /// Whether the expression belongs to an index or a generated column, where SQLite allows no query.
    pub(crate) without_queries: bool,
    /// Whether columns are shown with their tables.
    pub(crate) qualified: bool,
    /// The names under which the tables of a view are shown.
    pub(super) texts: Texts,
}

impl Once {
    /// Counts a view, function or domain that another one at this depth refers to. `length` is that of the statement's text.
    pub(super) fn charge_expansion(&self, depth: usize, length: usize) -> Result<()> {
        if depth > 0 {
            self.expansions.set(self.expansions.get() + 1);
        }
        let room = EXPANSIONS_MAX + (length / 4).min(10 * EXPANSIONS_MAX);
        let bearable = depth <= EXPANSION_MAX && self.expansions.get() <= room;
        if bearable { Ok(()) } else { Err(too_deep()) }
    }

    /// Counts an expression. `length` is that of the statement's text.
    pub(super) fn charge_expression(&self, length: usize) -> Result<()> {
        self.expressions.set(self.expressions.get() + 1);
        if self.expressions.get() > EXPRESSIONS_MAX + length { Err(too_deep()) } else { Ok(()) }
    }

    /// Counts a body that is about to be looked through. Returns whether it may be.
    pub(super) fn affords_body(&self, cost: usize) -> bool {
        self.bodies.set(self.bodies.get().saturating_add(cost));
        self.bodies.get() <= BODIES_MAX
    }

    /// Notes that the role may not call a function which the check of a domain calls.
    pub(super) fn deny(&self, refusal: SqlError) {
        self.denied.borrow_mut().get_or_insert(refusal);
    }

    pub(crate) fn take_denied(&self) -> Option<SqlError> {
        self.denied.take()
    }

    /// Notes that a grouping has the whole primary key of a table.
    pub(super) fn uses_key(&self, constraint: Oid) {
        self.grouping.borrow_mut().insert(constraint);
    }

    /// Notes that the statement asks for the version of a row, which is not the number of the transaction that has written it.
    pub(super) fn asks_version(&self) -> Result<()> {
        self.version.set(true);
        self.refuse_both()
    }

    /// Notes that the statement asks for the number of a transaction.
    pub(super) fn asks_transaction(&self) -> Result<()> {
        self.transaction.set(true);
        self.refuse_both()
    }

    fn refuse_both(&self) -> Result<()> {
        match self.version.get() && self.transaction.get() {
            true => Err(SqlError::unsupported("the system column xmin beside the number of a transaction")),
            false => Ok(()),
        }
    }

    /// The primary keys that groupings have as a whole, and need.
    pub(crate) fn grouping_keys(&self) -> Vec<Oid> {
        self.grouping.borrow().iter().copied().collect()
    }

    /// The catalog that `spell` makes, once.
    pub(super) fn seen(&self, spell: impl FnOnce() -> Catalog) -> Rc<Catalog> {
        self.seen.get_or_init(|| Rc::new(spell())).clone()
    }

    /// Counts a text for the catalog. Returns `None` if there are too many.
    pub(super) fn shown(&self, words: String) -> Option<String> {
        self.shown.set(self.shown.get() + words.len());
        (self.shown.get() <= SHOWN_MAX).then_some(words)
    }

    /// Counts an operand that is about to be copied.
    pub(crate) fn charge(&self, copied: &Expr) -> Result<()> {
        if copied.is_cheap() {
            return Ok(());
        }
        let bytes = print::expression(copied, Names::default()).len();
        self.copies.set(self.copies.get() + bytes);
        if self.copies.get() > COPIES_MAX { Err(too_deep()) } else { Ok(()) }
    }

    /// The counts for a definition that is only checked.
    fn for_check() -> Once {
        /// The most views, functions and domains that others refer to, in a check.
        const CHECKED_MAX: usize = 100;
        Once { expansions: Cell::new(EXPANSIONS_MAX - CHECKED_MAX), ..Once::default() }
    }

    /// Takes over the counts of a binder that worked for this one.
    pub(super) fn take_from(&self, other: &Once) {
        self.expansions.set(other.expansions.get());
        self.expressions.set(other.expressions.get());
        self.copies.set(other.copies.get());
        self.bodies.set(other.bodies.get());
        if let Some(denied) = &*other.denied.borrow() {
            self.deny(denied.clone());
        }
    }
}

impl Binder<'_> {
    /// Limits this binder to a check of a definition, with lower limits.
    pub(crate) fn only_check(&mut self) {
        self.once = Once::for_check();
        self.length = 0;
    }

    /// The result of `build`, which may use the operand several times.
    pub(crate) fn once(
        &mut self,
        operand: Expr,
        build: impl FnOnce(&mut Self, Expr) -> Result<Expr>,
    ) -> Result<Expr> {
        let (mut operands, values) = self.bind_once(vec![operand])?;
        let operand = operands.pop().expect("one operand gives one column");
        self.around(values, |binder| build(binder, operand))
    }

    /// Replaces operands that are expensive to compute by columns. Also returns these operands.
    pub(super) fn bind_once(&self, operands: Vec<Expr>) -> Result<(Vec<Expr>, Vec<Expr>)> {
        let mut values = Vec::new();
        let columns = operands.into_iter().map(|operand| self.column_for(operand, &mut values));
        let columns = columns.collect::<Result<_>>()?;
        Ok((columns, values))
    }

    fn column_for(&self, operand: Expr, values: &mut Vec<Expr>) -> Result<Expr> {
        if let Node::Row(items, names) = operand.node {
            let items = items.into_iter().map(|item| self.column_for(item, values));
            let node = Node::Row(items.collect::<Result<_>>()?, names);
            return Ok(Expr { node, ..operand });
        }
        if operand.is_cheap()
            || operand.type_ == crate::types::Type::UNKNOWN
            || self.once.without_queries
            || operand.is_of_many_rows()
        {
            self.once.charge(&operand)?;
            return Ok(operand);
        }
        let field = Field::Column(values.len() as u32 + 1);
        let node = Node::Column { source: self.next_let(), field };
        let column = Expr { node, ..operand.clone() };
        values.push(operand);
        Ok(column)
    }

    /// The number of the next [`Node::Let`]. Two equal expressions get the same number.
    pub(super) fn next_let(&self) -> usize {
        LETS + self.once.around.get()
    }

    /// Builds an expression that uses the columns of [`Binder::bind_once`], and wraps it with the values.
    pub(super) fn around(
        &mut self,
        values: Vec<Expr>,
        build: impl FnOnce(&mut Self) -> Result<Expr>,
    ) -> Result<Expr> {
        let around = self.begin_around(&values);
        let body = build(self);
        self.end_around(around, values, body)
    }

    /// The first part of [`around`](Binder::around), for callers that need two steps.
    pub(super) fn begin_around(&self, values: &[Expr]) -> usize {
        let around = self.once.around.get();
        self.once.around.set(around + usize::from(!values.is_empty()));
        around
    }

    pub(super) fn end_around(&self, around: usize, values: Vec<Expr>, body: Result<Expr>) -> Result<Expr> {
        self.once.around.set(around);
        let body = body?;
        if values.is_empty() {
            return Ok(body);
        }
        let (type_, modifier, at) = (body.type_, body.modifier, body.at);
        let node = Node::Let { source: LETS + around, values, body: Box::new(body) };
        Ok(Expr { node, type_, modifier, at })
    }
}

pub(crate) fn too_deep() -> SqlError {
    SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded")
}
