//! Queries and expressions of a body: bound once per call of the engine, with variables as parameters.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rusqlite::types::Value;
use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::aggregate::Fold;
use super::frame::{Field, Found, Frame, PARAMETER, Used};
use super::parse::name_of;
use super::sql_body::SqlBody;
use super::tree::{Body, Fragment, Kind};
use crate::bind::{Binder, Scope, Sequences, Settings, Step as Part};
use crate::cast::Context;
use crate::catalog::{Catalog, Oid, Routine};
use crate::cursors::{self, Portals};
use crate::dml::Bound;
use crate::error::{Result, SqlError, SqlState};
use crate::in_use::tables_in;
use crate::notice::Notice;
use crate::print::{self, Names};
use crate::run::{Done, Engine, Returned};
use crate::source::is_word;
use crate::tree::{self, Expr, Node, Output};
use crate::types::{Modified, Type};
use crate::value::array;

/// The work that each fragment costs besides that of SQLite.
pub(super) const FRAGMENT_WORK: usize = 300;

/// What the columns of a fragment are needed as.
#[derive(Clone, Copy, Debug)]
pub(super) enum To<'t> {
    /// As they are. A row in a single column becomes its fields.
    Fields,
    /// As they are, with a row in a single column as one value.
    Columns,
    /// One value for a variable of this type.
    Type(Modified),
    /// Texts for people.
    Shown,
    /// The value of a variable, or of a field of one, with the expression's value in a part of it. The text is the variable's name.
    Part(Found, &'t str, &'t [Part]),
}

/// A bound fragment.
#[derive(Debug)]
pub(crate) struct Plan {
    sql: String,
    columns: Vec<Output>,
    sequences: Option<Sequences>,
    /// Whether it calls `set_config`.
    sets: bool,
    uses: Uses,
    /// Whether the value depends on variables.
    computed: bool,
    /// Whether the columns are the fields of a row.
    of_row: bool,
    /// Whether its rows are what `ROW_COUNT` tells then.
    counts: bool,
}

/// What a bound fragment depends on.
#[derive(Debug)]
pub(crate) struct Uses {
    used: Vec<Used>,
    /// The names and types of the variables that it uses.
    shapes: Vec<(String, Modified)>,
    /// The rows that it uses as a whole, with the numbers of their fields: another row may begin with the same fields.
    whole: Vec<(usize, usize)>,
    catalog: Arc<Catalog>,
    settings: Settings,
}

/// What was made of fragments of bodies, by body and place.
type ByPlace<T> = RefCell<BTreeMap<(usize, usize), Rc<T>>>;

/// A parsed body with its text.
type KnownBody = (Rc<str>, Rc<Body>);

/// The parsed bodies and bound fragments of a call of the engine.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(super) bodies: RefCell<BTreeMap<String, Vec<KnownBody>>>,
    /// The statements of functions in SQL, by the number of the function.
    pub(super) sql_bodies: RefCell<BTreeMap<i64, Vec<Rc<SqlBody>>>>,
    plans: ByPlace<Plan>,
    changes: ByPlace<(Bound, Uses)>,
    /// The sequences whose values the functions of SQLite have.
    pub(crate) loaded: RefCell<BTreeSet<Oid>>,
    pub(super) folds: RefCell<BTreeMap<String, Rc<Fold>>>,
    /// What statements reported to the client.
    pub(crate) notices: RefCell<Vec<Notice>>,
    /// Tables and indexes of SQLite that go at the end of the statement: none can go while a statement runs that called theirs.
    pub(crate) waiting: RefCell<Vec<String>>,
    /// The open cursors of the session.
    pub(crate) cursors: RefCell<Portals>,
    /// Partitioned tables whose checks are those of other partitions than they have now.
    pub(crate) unchecked: RefCell<BTreeSet<Oid>>,
    /// The tables that running queries and changes use, the innermost last.
    pub(crate) in_use: RefCell<Vec<Vec<Oid>>>,
}

impl Plan {
    /// The tables that it reads.
    pub(super) fn tables(&self) -> Vec<Oid> {
        tables_in(&self.sql)
    }

    /// A query of a function in SQL.
    pub(crate) fn of_query(
        sql: String,
        columns: Vec<Output>,
        (sequences, sets): (Option<Sequences>, bool),
        uses: Uses,
    ) -> Plan {
        Plan { sql, columns, sequences, sets, uses, computed: true, of_row: false, counts: false }
    }
}

impl Uses {
    /// What the variables that `frame` has noted are.
    pub(crate) fn of(frame: &Frame, catalog: Arc<Catalog>, settings: Settings) -> Uses {
        let shapes = frame.used.iter().filter_map(|used| frame.shape(*used));
        let shapes = shapes.map(|(name, type_)| (name.to_owned(), type_)).collect();
        let slots: BTreeSet<usize> = frame.used.iter().map(|(slot, _)| *slot).collect();
        let whole = slots.into_iter().filter_map(|slot| Some((slot, frame.width(slot)?)));
        let whole = whole.filter(|(slot, width)| frame.uses_all(*slot, *width)).collect();
        Uses { used: frame.used.clone(), shapes, whole, catalog, settings }
    }

    fn fits(&self, engine: &Engine<'_>, frame: &Frame) -> bool {
        let same = |(used, (name, type_)): (&Used, &(String, Modified))| {
            frame.shape(*used) == Some((name.as_str(), *type_))
        };
        Arc::ptr_eq(&self.catalog, &engine.catalog)
            && self.settings == engine.settings
            && self.used.iter().zip(&self.shapes).all(same)
            && self.whole.iter().all(|(slot, width)| frame.width(*slot) == Some(*width))
    }
}

impl Engine<'_> {
    /// The rows of a query or an expression.
    pub(super) fn fragment_rows(&mut self, fragment: &Fragment, to: To<'_>) -> Result<Returned> {
        self.fragment_fields(fragment, to).map(|(returned, _)| returned)
    }

    /// The same, and whether the columns are the fields of a row.
    pub(super) fn fragment_fields(&mut self, fragment: &Fragment, to: To<'_>) -> Result<(Returned, bool)> {
        self.budget.work(FRAGMENT_WORK)?;
        let plan = self.plan(fragment, to).map_err(|error| self.told(error, fragment, false))?;
        let outer = self.enter_query(fragment);
        let returned = self.planned_rows(&plan);
        self.around = outer;
        let returned =
            returned.map_err(|error| self.told(error, fragment, plan.computed || fragment.is_read()))?;
        if let Some(frame) = self.frame.as_ref().filter(|_| plan.counts) {
            frame.borrow_mut().affected = returned.rows.len();
        }
        Ok((returned, plan.of_row))
    }

    pub(super) fn planned_rows(&mut self, plan: &Plan) -> Result<Returned> {
        if let Some(sequences) = &plan.sequences {
            self.begin_sequences(sequences)?;
        }
        if let Some(frame) = &self.frame {
            let frame = frame.borrow();
            self.values = plan.uses.used.iter().map(|used| frame.value(*used)).collect();
        }
        let rows = self.fetch(&plan.sql, plan.columns.len());
        self.take_back();
        let rows = rows?;
        self.budget.make(rows.iter().flatten().map(crate::encode::size).sum())?;
        if plan.sequences.is_some() {
            self.store_sequences()?;
        }
        if plan.sets {
            self.take_settings()?;
        }
        Ok(Returned { columns: plan.columns.clone(), rows })
    }

    /// The value of an expression as one of type `type_`.
    pub(super) fn evaluate(&mut self, fragment: &Fragment, type_: Modified) -> Result<Value> {
        let returned = self.fragment_rows(fragment, To::Type(type_))?;
        let given = only_type(&returned)?;
        let value = one_value(returned.rows)?;
        match given {
            given if given == type_ => Ok(value),
            given => self.convert(value, given, type_),
        }
    }

    /// The value of an expression as text for people; `None` for null.
    pub(super) fn evaluate_shown(&mut self, fragment: &Fragment) -> Result<Option<String>> {
        let returned = self.fragment_rows(fragment, To::Shown)?;
        let base = self.catalog.base_type(only_type(&returned)?.base);
        Ok(match one_value(returned.rows)? {
            Value::Null => None,
            value => {
                let shown = self.settings.shown_instant(base, &value);
                Some(crate::value::print(base, shown.as_ref().unwrap_or(&value).into()))
            }
        })
    }

    /// Runs a change of rows, which is bound once like a query.
    pub(super) fn change_fragment(&mut self, statement: &Fragment) -> Result<Done> {
        let frame = self.frame.clone().unwrap_or_default();
        let tokens = expanded(&statement.tokens, &frame.borrow());
        let key = (frame.borrow().body, statement.at);
        self.change_at(key, &tokens)
    }

    /// The same for the tokens of a statement at a place of a body.
    pub(super) fn change_at(&mut self, key: (usize, usize), tokens: &[TokenWithSpan]) -> Result<Done> {
        let frame = self.frame.clone().unwrap_or_default();
        let known = self.known.changes.borrow().get(&key).cloned();
        let fits =
            |change: &Rc<(Bound, Uses)>| self.transition.is_empty() && change.1.fits(self, &frame.borrow());
        if let Some(change) = known.filter(fits) {
            let (bound, uses) = &*change;
            self.budget.work(FRAGMENT_WORK)?;
            self.require_write(bound.verb)?;
            self.values = uses.used.iter().map(|used| frame.borrow().value(*used)).collect();
            return self.run_modification(bound);
        }
        let done = self.statement(tokens)?;
        if let Some(bound) = self.last_bound.take() {
            self.known.changes.borrow_mut().insert(key, bound);
        }
        Ok(done)
    }

    fn plan(&mut self, fragment: &Fragment, to: To<'_>) -> Result<Rc<Plan>> {
        let frame = self.frame.clone().unwrap_or_default();
        let key = (frame.borrow().body, fragment.at);
        if let Some(plan) = self.known_plan(key, &frame.borrow()) {
            return Ok(plan);
        }
        match self.bind_fragment(fragment, to, &frame) {
            Ok(plan) => {
                let plan = Rc::new(plan);
                self.know_plan(key, plan.clone());
                Ok(plan)
            }
            Err(error) if error.code == SqlState::FEATURE_NOT_SUPPORTED => {
                frame.borrow_mut().inline = true;
                let plan = self.bind_fragment(fragment, to, &frame);
                frame.borrow_mut().inline = false;
                Ok(Rc::new(plan?))
            }
            Err(error) => Err(error),
        }
    }

    /// The bound query of a place, if it would be bound in the same way again.
    pub(super) fn known_plan(&self, key: (usize, usize), frame: &Frame) -> Option<Rc<Plan>> {
        let known = self.known.plans.borrow().get(&key).cloned();
        known.filter(|plan| self.transition.is_empty() && plan.uses.fits(self, frame))
    }

    /// Keeps a bound query for the next time, unless rows are part of it: those of transition tables, or of the view of cursors.
    pub(super) fn know_plan(&self, key: (usize, usize), plan: Rc<Plan>) {
        if self.transition.is_empty() && !plan.sql.contains(cursors::VIEW) {
            self.known.plans.borrow_mut().insert(key, plan);
        }
    }

    fn bind_fragment(&self, fragment: &Fragment, to: To<'_>, frame: &Rc<RefCell<Frame>>) -> Result<Plan> {
        self.require_volatile(&fragment.tokens)?;
        let mut tokens = expanded(&fragment.tokens, &frame.borrow());
        let mut parsed = self.source.parse(&tokens, Parser::parse_query)?;
        let is_call = matches!(to, To::Fields) && self.gives_record(&parsed);
        if is_call {
            // The columns of the record are known in `FROM`.
            let span = tokens[0].span;
            let words = [Token::Mul, Token::make_keyword("from")];
            tokens.splice(1..1, words.map(|token| TokenWithSpan { token, span }));
            parsed = self.source.parse(&tokens, Parser::parse_query)?;
        }
        let (catalog, settings) = (self.catalog.clone(), self.settings.clone());
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &self.parameters);
        binder.budget = Some(self.budget.clone());
        binder.frame = Some(frame.clone());
        frame.borrow_mut().used.clear();
        self.know_transition(&mut binder);
        let mut query = match to {
            To::Type(type_) => {
                let mut query = binder.untyped_query(&Scope::default(), &parsed)?;
                self.require_one_column(fragment, query.columns.len())?;
                assign_targets(&binder, &mut query, type_)?;
                query
            }
            To::Part(..) => binder.untyped_query(&Scope::default(), &parsed)?,
            To::Fields | To::Columns | To::Shown => binder.query(&Scope::default(), &parsed)?,
        };
        binder.permit()?;
        if !is_call {
            self.require_one_column(fragment, query.columns.len())?;
        }
        let mut of_row = false;
        let computed = matches!(to, To::Part(..)) || !frame.borrow().used.is_empty();
        match to {
            To::Part(found, name, parts) => {
                let base = frame.borrow_mut().of_found(found);
                let start = fragment.start(&self.source);
                put_part(&mut binder, &mut query, (base, name, parts), start)?;
            }
            To::Fields => of_row = is_call || expand_row(&binder, &mut query),
            To::Shown => self.show(&mut binder, &mut query)?,
            To::Type(_) | To::Columns => {}
        }
        let sql = self.with_system(&binder, &print::query(&query));
        self.compute_early(&query)?;
        let (sequences, sets) = (binder.sequences.take(), binder.sets);
        let columns = query.columns;
        let uses = Uses::of(&frame.borrow(), catalog.clone(), settings.clone());
        Ok(Plan { sql, columns, sequences, sets, uses, computed, of_row, counts: !fragment.is_plain() })
    }

    /// Refuses an expression that is a list, such as all columns of a row.
    fn require_one_column(&self, fragment: &Fragment, count: usize) -> Result<()> {
        let message = match fragment.kind {
            _ if count == 1 => return Ok(()),
            Kind::Expression => format!("query returned {count} columns"),
            Kind::Assignment(_) => format!("assignment source returned {count} columns"),
            Kind::Statement | Kind::Rows | Kind::Perform => return Ok(()),
        };
        Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
    }

    /// Whether a query is nothing but the call of a function with parameters for its results.
    fn gives_record(&self, query: &ast::Query) -> bool {
        let ast::SetExpr::Select(select) = &*query.body else { return false };
        let [ast::SelectItem::UnnamedExpr(ast::Expr::Function(call))] = &select.projection[..] else {
            return false;
        };
        let plain = select.from.is_empty()
            && select.selection.is_none()
            && query.order_by.is_none()
            && call.over.is_none();
        let Ok((_, name)) = crate::source::schema_and_name(&call.name) else { return false };
        let mut known = self.catalog.routines().filter(|(_, routine)| routine.name == name).peekable();
        let results = |routine: &Routine| {
            let modes = routine.arguments.iter().map(|argument| argument.mode);
            routine.returns == Type::RECORD
                && !routine.returns_set
                && modes.filter(|mode| matches!(mode, 'o' | 'b' | 't')).count() > 1
        };
        plain && known.peek().is_some() && known.all(|(_, routine)| results(routine))
    }

    /// A value of type `from` as one of type `to`, as an assignment converts it.
    pub(super) fn convert(&mut self, value: Value, from: Modified, to: Modified) -> Result<Value> {
        if from.base == to.base && (to.modifier < 0 || to.modifier == from.modifier)
            || to.base == Type::RECORD
            || from.base == Type::VOID
        {
            return Ok(value);
        }
        let number = Expr::literal(1, Type::INT4);
        let parameter =
            Expr { modifier: from.modifier, ..Expr::template(PARAMETER, vec![number], from.base) };
        let catalog = self.catalog.clone();
        let binder = Binder::new(&catalog, self.source.clone(), &self.settings, &[]);
        let converted = assigned(&binder, parameter, to)?;
        let sql = format!("SELECT {}", print::expression(&converted, Names::default()));
        self.values = vec![value];
        one_value(self.fetch(&sql, 1)?)
    }

    /// The text that a client sees for a value whose format depends on the catalog.
    pub(super) fn shown_value(&mut self, value: Value, type_: Modified) -> Result<Value> {
        let number = Expr::literal(1, Type::INT4);
        let parameter = Expr::template(PARAMETER, vec![number], type_.base);
        let catalog = self.catalog.clone();
        let binder = Binder::new(&catalog, self.source.clone(), &self.settings, &[]);
        let Some(text) = self.shown_text(&binder, &parameter)? else { return Ok(value) };
        let sql = format!("SELECT {}", print::expression(&text, Names::default()));
        self.values = vec![value];
        one_value(self.fetch(&sql, 1)?)
    }

    /// The fields of a row that is in one piece.
    pub(super) fn fields_of(&self, type_: Type, value: &Value) -> Option<Vec<Field>> {
        let attributes = self.catalog.attributes(type_)?;
        let items = match value {
            Value::Text(text) => array::elements(text),
            _ => Vec::new(),
        };
        let fields = attributes.into_iter().enumerate().map(|(at, attribute)| Field {
            value: items
                .get(at)
                .map_or(Value::Null, |item| array::value(self.catalog.base_type(attribute.type_.base), item)),
            name: attribute.name.into(),
            type_: attribute.type_,
        });
        Some(fields.collect())
    }
}

/// The type of the first column.
pub(super) fn only_type(returned: &Returned) -> Result<Modified> {
    let first = returned.columns.first().map(|column| column.type_);
    first.ok_or_else(|| SqlError::new(SqlState::SYNTAX_ERROR, "query returned 0 columns"))
}

/// The only value of the only row; null if there is no row.
pub(super) fn one_value(rows: Vec<Vec<Value>>) -> Result<Value> {
    if rows.len() > 1 {
        let message = "query returned more than one row";
        return Err(SqlError::new(SqlState::CARDINALITY_VIOLATION, message));
    }
    Ok(rows.into_iter().next().and_then(|row| row.into_iter().next()).unwrap_or(Value::Null))
}

/// Converts the only target of a query.
fn assign_targets(binder: &Binder<'_>, query: &mut tree::Query, type_: Modified) -> Result<()> {
    match &mut query.body {
        tree::Body::Select(select) if !select.distinct && select.targets.len() == 1 => {
            let target = select.targets.remove(0);
            select.targets.push(assigned(binder, target, type_)?);
            query.columns[0].type_ = type_;
        }
        _ if query.columns[0].type_.base == Type::UNKNOWN => query.columns[0].type_ = Type::TEXT.plain(),
        _ => {}
    }
    Ok(())
}

/// Puts the only target of a query into a part of a value, as a value of that value's type.
fn put_part(
    binder: &mut Binder<'_>,
    query: &mut tree::Query,
    (base, name, parts): (Expr, &str, &[Part]),
    start: Option<usize>,
) -> Result<()> {
    let type_ = Modified { base: base.type_, modifier: base.modifier };
    let wanted = binder.type_of_part(type_.base, parts);
    let (alone, value) = match &mut query.body {
        tree::Body::Select(select)
            if !select.distinct && select.targets.len() == 1 && query.columns.len() == 1 =>
        {
            let value = select.targets.remove(0);
            (query, value)
        }
        _ if query.columns.len() == 1 => return Err(SqlError::unsupported("assigning this query to a part")),
        _ => {
            let count = query.columns.len();
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, format!("query returned {count} columns")));
        }
    };
    let value = if wanted == Type::UNKNOWN { value } else { assigned(binder, value, wanted.plain())? };
    let whole = binder.with_part(&Scope::default(), name, (base, parts), value);
    let about_type = [SqlState::DATATYPE_MISMATCH, SqlState::UNDEFINED_COLUMN];
    let whole = whole.map_err(|error| match about_type.contains(&error.code) {
        true => error.at(start),
        false => error,
    })?;
    let whole = assigned(binder, whole, type_)?;
    let tree::Body::Select(select) = &mut alone.body else { return Ok(()) };
    select.targets.push(whole);
    alone.columns[0].type_ = type_;
    Ok(())
}

/// An expression as a value of another type. Where no cast exists it is read from its text.
fn assigned(binder: &Binder<'_>, expr: Expr, to: Modified) -> Result<Expr> {
    if to.base == Type::VOID || to.base == Type::RECORD {
        return binder.settle(expr);
    }
    match binder.coerce(expr.clone(), to, Context::Assignment)? {
        Some(assigned) => Ok(assigned),
        None => {
            let text = binder.cast(expr, Type::TEXT.plain())?;
            binder.cast(text, to)
        }
    }
}

/// Makes columns of the fields of a row that is the only target. Says whether it is one.
pub(crate) fn expand_row(binder: &Binder<'_>, query: &mut tree::Query) -> bool {
    if let Some(inner) = only_subquery(query) {
        *query = inner;
    }
    let tree::Body::Select(select) = &mut query.body else { return false };
    let [target] = &select.targets[..] else { return false };
    let by_output = query.order.iter().any(|order| matches!(order.key, tree::Key::Output(..)));
    if !matches!(target.node, Node::Row(..)) || select.distinct || by_output {
        return false;
    }
    let Some((names, items)) = binder.row_items(target) else { return false };
    let columns = names.into_iter().zip(&items);
    query.columns = columns
        .map(|(name, item)| Output { name, type_: Modified { base: item.type_, modifier: item.modifier } })
        .collect();
    select.targets = items;
    true
}

/// The sub-select that is all of a query and gives a row.
fn only_subquery(query: &tree::Query) -> Option<tree::Query> {
    let tree::Body::Select(select) = &query.body else { return None };
    let [Expr { node: Node::Scalar(inner), .. }] = &select.targets[..] else { return None };
    let alone = select.from.is_empty() && select.filter.is_none() && query.ctes.is_empty();
    let tree::Body::Select(found) = &inner.body else { return None };
    let row = matches!(&found.targets[..], [Expr { node: Node::Row(..), .. }]);
    (alone && row && query.limit.is_none() && query.offset.is_none()).then(|| tree::Query::clone(inner))
}

/// Tokens with `row.*` of a variable written out, and the subscripts of `TG_ARGV` counted from one.
pub(crate) fn expanded(tokens: &[TokenWithSpan], frame: &Frame) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len() + 4);
    let mut at = 0;
    while at < tokens.len() {
        let next = |ahead: usize| tokens.get(at + ahead).map(|token| &token.token);
        let fields = match (&tokens[at].token, next(1), next(2)) {
            (Token::Word(word), Some(Token::Period), Some(Token::Mul)) => frame.fields_of(&name_of(word)),
            _ => None,
        };
        if let Some(fields) = fields {
            out.push(tokens[at].clone());
            if !stands_for_row(&out, tokens.get(at + 3)) {
                let row = out.pop().expect("it was pushed");
                push_fields(&mut out, &row, &fields);
            }
            at += 3;
            continue;
        }
        out.push(tokens[at].clone());
        if is_word(&tokens[at], "tg_argv") && next(1) == Some(&Token::LBracket) {
            out.push(tokens[at + 1].clone());
            out.extend([punctuation(Token::Number("1".to_owned(), false)), punctuation(Token::Plus)]);
            at += 1;
        }
        at += 1;
    }
    crate::forms::rewrite(&mut out);
    crate::readable::make_readable(&mut out);
    out
}

fn push_fields(out: &mut Vec<TokenWithSpan>, row: &TokenWithSpan, fields: &[String]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(punctuation(Token::Comma));
        }
        out.extend([row.clone(), punctuation(Token::Period), quoted(field)]);
    }
}

fn compares(token: &TokenWithSpan) -> bool {
    use Token::{Eq, Gt, GtEq, Lt, LtEq, Neq};
    matches!(token.token, Eq | Neq | Lt | LtEq | Gt | GtEq)
}

/// Whether `row.*` is the row itself: the argument of a function, or an operand of `IS` or a comparison.
fn stands_for_row(before: &[TokenWithSpan], after: Option<&TokenWithSpan>) -> bool {
    let cast = after.is_some_and(|token| token.token == Token::DoubleColon);
    let [.., third, second, _] = before else {
        let compared = |token| is_word(token, "is") || compares(token);
        return cast || after.is_some_and(compared) || before.iter().rev().nth(1).is_some_and(compared);
    };
    let lists = ["values", "row", "in", "select", "array"];
    let argument = second.token == Token::LParen
        && matches!(third.token, Token::Word(_))
        && !lists.iter().any(|word| is_word(third, word));
    let distinct = is_word(second, "from") && is_word(third, "distinct");
    let compared = distinct || compares(second) || after.is_some_and(compares);
    cast || argument || compared || after.is_some_and(|token| is_word(token, "is"))
}

fn punctuation(token: Token) -> TokenWithSpan {
    TokenWithSpan { token, span: Span::empty() }
}

fn quoted(name: &str) -> TokenWithSpan {
    punctuation(Token::make_word(name, Some('"')))
}
