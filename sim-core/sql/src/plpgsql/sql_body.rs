//! Functions in SQL: their statements are parsed and bound once per call of the engine, with arguments as parameters.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::types::Value;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::fragment::FRAGMENT_WORK;
use super::frame::{Frame, Held};
use super::run::Wanted;
use super::tree::Conflict;
use crate::catalog::{CallNumber, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned, TOKEN_WORK};
use crate::security::session::names_of_path;
use crate::source::{Source, is_word};
use crate::tree::Output;
use crate::types::{Modified, Type};
use crate::value::array;

/// The work to call a function in SQL, and to run one of its statements, besides what SQLite does for it.
const CALL_WORK: usize = 1_000;

/// The statements of a function.
#[derive(Debug)]
pub(super) struct SqlBody {
    source: Rc<Source>,
    statements: Vec<Vec<TokenWithSpan>>,
}

impl Engine<'_> {
    /// Runs the statements of a function in SQL. The rows of the last one are its result.
    pub(super) fn run_sql(
        &mut self,
        number: CallNumber,
        routine: &Routine,
        mut frame: Frame,
        wanted: &Wanted,
    ) -> Result<(Option<Held>, Vec<Vec<Value>>)> {
        frame.conflict = Conflict::Column;
        frame.apart = self.catalog.attributes(routine.returns).is_some();
        let called = format!("SQL function \"{}\"", routine.name);
        let body = self.sql_body(number, routine, &called)?;
        frame.body = Rc::as_ptr(&body).addr();
        let outer_source = std::mem::replace(&mut self.source, body.source.clone());
        let outer_frame = self.frame.replace(Rc::new(RefCell::new(frame)));
        let outer_parameters = std::mem::take(&mut self.parameters);
        let path = routine.settled.as_ref().map(|settled| names_of_path(&settled.path));
        let outer_path = path.map(|path| std::mem::replace(&mut self.settings.search_path, path));
        let replaced = matches!(&body.statements[..], [only] if !routine.strict && !routine.is_caller(only));
        let run = |(tokens, number): (&Vec<TokenWithSpan>, usize)| {
            if replaced {
                return self.statement_of_sql(tokens, number).map_err(SqlError::nowhere);
            }
            let line = format!("{called} statement {number}");
            self.as_text(line, |engine| engine.statement_of_sql(tokens, number).map_err(SqlError::nowhere))
        };
        let done: Result<Vec<Done>> = body.statements.iter().zip(1..).map(run).collect();
        if let Some(path) = outer_path {
            self.settings.search_path = path;
        }
        self.source = outer_source;
        self.frame = outer_frame;
        self.parameters = outer_parameters;
        let last = done?.pop().and_then(|done| done.returned);
        let Returned { columns, rows } = last.unwrap_or_else(Returned::nothing);
        let (columns, rows) = self.fields_of_rows(routine.returns, columns, rows);
        if let (Wanted::Row(wanted), Type::RECORD) = (wanted, routine.returns) {
            self.require_columns(&columns, wanted)?;
        }
        // The call that stands in place of it has a value, also if that function returns nothing.
        if let (Wanted::Nothing, [only], [row]) = (wanted, &columns[..], &rows[..])
            && replaced
            && only.type_.base == Type::VOID
        {
            return Ok((row.first().cloned().map(Held::Value), Vec::new()));
        }
        self.results_of_sql(&columns, rows, wanted, routine.returns_set)
    }

    /// Rows of a single column that is the row which a function returns, as rows of its fields.
    fn fields_of_rows(
        &self,
        returns: Type,
        columns: Vec<Output>,
        rows: Vec<Vec<Value>>,
    ) -> (Vec<Output>, Vec<Vec<Value>>) {
        let attributes = match &columns[..] {
            [only] if only.type_.base == returns => self.catalog.attributes(returns),
            _ => None,
        };
        let Some(attributes) = attributes else { return (columns, rows) };
        let field =
            |attribute: crate::catalog::Attribute| Output { name: attribute.name, type_: attribute.type_ };
        let fields = |mut row: Vec<Value>| {
            let fields = self.fields_of(returns, &row.swap_remove(0)).unwrap_or_default();
            fields.into_iter().map(|field| field.value).collect()
        };
        (attributes.into_iter().map(field).collect(), rows.into_iter().map(fields).collect())
    }

    /// Refuses rows that are not those of the record that the caller has defined.
    fn require_columns(&self, columns: &[Output], wanted: &[Output]) -> Result<()> {
        if wanted.is_empty() {
            return Ok(());
        }
        let fits = |given: Type, wanted: Type| {
            let needed = self.plain_binder().castable(given, wanted);
            given == wanted || needed.is_some_and(|needed| needed <= crate::cast::Context::Assignment)
        };
        let mut pairs = columns.iter().zip(wanted).zip(1..);
        let other = pairs.find(|((given, wanted), _)| !fits(given.type_.base, wanted.type_.base));
        let detail = match other {
            _ if columns.len() > wanted.len() => "Final statement returns too many columns.".to_owned(),
            _ if columns.len() < wanted.len() => "Final statement returns too few columns.".to_owned(),
            Some(((given, wanted), place)) => {
                let shown = |type_: Modified| self.catalog.type_name(type_.base, -1);
                let (given, wanted) = (shown(given.type_), shown(wanted.type_));
                format!("Final statement returns {given} instead of {wanted} at column {place}.")
            }
            None => return Ok(()),
        };
        let message = "return type mismatch in function declared to return record";
        Err(SqlError::new(SqlState::new("42P13"), message).detail(detail))
    }

    fn results_of_sql(
        &mut self,
        columns: &[Output],
        rows: Vec<Vec<Value>>,
        wanted: &Wanted,
        set: bool,
    ) -> Result<(Option<Held>, Vec<Vec<Value>>)> {
        let types: Vec<Modified> = match wanted {
            Wanted::Nothing => return Ok((None, Vec::new())),
            Wanted::Value(type_) => vec![*type_],
            Wanted::Row(wanted) if !wanted.is_empty() => wanted.iter().map(|column| column.type_).collect(),
            _ => columns.iter().map(|column| column.type_).collect(),
        };
        let mut converted = Vec::with_capacity(rows.len());
        for row in rows {
            if !set && !converted.is_empty() {
                break;
            }
            let mut values = Vec::with_capacity(types.len());
            for ((column, value), type_) in columns.iter().zip(row).zip(&types) {
                values.push(self.convert(value, column.type_, *type_)?);
            }
            converted.push(values);
        }
        if set {
            return Ok((None, converted));
        }
        let Some(row) = converted.into_iter().next() else { return Ok((None, Vec::new())) };
        let value = match wanted {
            Wanted::Value(_) => row.into_iter().next().unwrap_or(Value::Null),
            _ => array::of(row.iter().map(|value| array::element(value.into())).collect()),
        };
        Ok((Some(Held::Value(value)), Vec::new()))
    }

    /// The statements of a function, which may have been parsed before.
    fn sql_body(&self, number: CallNumber, routine: &Routine, called: &str) -> Result<Rc<SqlBody>> {
        let known =
            |bodies: &[Rc<SqlBody>]| bodies.iter().find(|body| body.source.text == routine.body).cloned();
        let known = self.known.sql_bodies.borrow().get(&number.0).and_then(|bodies| known(bodies));
        let body = match known {
            Some(body) => body,
            None => {
                let source = Rc::new(Source::stored(&routine.body));
                self.budget.work(TOKEN_WORK * source.most_tokens())?;
                let statements = source.statements()?;
                let body = Rc::new(SqlBody { source, statements });
                self.known.sql_bodies.borrow_mut().entry(number.0).or_default().push(body.clone());
                body
            }
        };
        let allowed = body.statements.iter().try_for_each(|tokens| self.require_volatile(tokens));
        allowed.map_err(|error| error.inside(&format!("{called} during startup")))?;
        Ok(body)
    }

    /// Runs a statement of the function whose variables are in the frame. Queries and changes of rows are bound once.
    fn statement_of_sql(&mut self, tokens: &[TokenWithSpan], number: usize) -> Result<Done> {
        self.budget.work(CALL_WORK)?;
        let frame = self.frame.clone().unwrap_or_default();
        let key = (frame.borrow().body, number);
        if changes(tokens) {
            return self.change_at(key, tokens);
        }
        if let Some(plan) = self.known_plan(key, &frame.borrow()) {
            self.check_new_partitions()?;
            self.budget.work(FRAGMENT_WORK)?;
            let returned = self.planned_rows(&plan)?;
            return Ok(Done { tag: format!("SELECT {}", returned.rows.len()), returned: Some(returned) });
        }
        self.last_query = None;
        let done = self.statement(tokens)?;
        if let Some(plan) = self.last_query.take().filter(|_| selects(tokens)) {
            self.know_plan(key, plan);
        }
        Ok(done)
    }
}

/// Whether a statement changes rows, without a `WITH` before.
fn changes(tokens: &[TokenWithSpan]) -> bool {
    let first = tokens.first();
    first.is_some_and(|first| ["insert", "update", "delete"].iter().any(|word| is_word(first, word)))
}

/// Whether a statement begins as a query.
fn selects(tokens: &[TokenWithSpan]) -> bool {
    let words = ["select", "values", "table", "with"];
    let query = |first: &TokenWithSpan| words.iter().any(|word| is_word(first, word));
    tokens.first().is_some_and(|first| first.token == Token::LParen || query(first))
}
