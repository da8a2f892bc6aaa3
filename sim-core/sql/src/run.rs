//! Runs a text: binds, prints and executes its statements in one transaction.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Statement};
use serde_json::{Map, Value as Json};
use sim_values::budget::{Budget, Interrupt};
use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::bind::{Binder, KnownCte, Scope, Sequences, Settings};
use super::catalog::{Catalog, Oid, Relation, quote_identifier};
use super::ddl::Prepared;
use super::dml::Bound;
use super::dml_rows::Later;
use super::encode;
use super::error::{Result, SqlError, SqlState};
use super::plpgsql::{self, Carried, Changed, Frame, Known, Uses};
use super::print::{self, text_literal};
use super::security::session::Kept;
use super::source::{Source, is_word};
use super::system;
use super::tree::{self, Body, Expr, Field, Node, Output, Query, Select};
use super::types::Type;
use super::value::array;
use super::{Limits, Outcome, ResultColumn};

/// The steps that each statement takes from the call's budget, whatever it does.
const STATEMENT_STEPS: usize = 1_000;

/// The size limit of a database in bytes.
const DATABASE_MAX: i64 = 1 << 30;

/// The stack that one byte of a text may take, in bytes. Queries in each other take a fourth of it, unoptimised.
const STACK_OF_A_BYTE: usize = 12 << 10;

/// The size of the stack for texts that need more than the thread has. Its pages are allocated when they are used.
const STACK: usize = 96 << 20;

/// The input of a call to the engine.
pub struct Session<'a> {
    /// One project's database, on a connection that [`super::prepare_connection`] has prepared.
    pub connection: &'a Connection,
    /// The time that `now()` returns.
    pub now: Timestamp,
    /// The source of `random()` and `gen_random_uuid()`.
    pub random: &'a mut dyn rand::Rng,
    /// The role that makes the call.
    pub role: &'a str,
    /// Whether writes are refused.
    pub read_only: bool,
    /// The limits of the call.
    pub limits: Limits,
    /// Lets the embedder end the call before it reaches its limits.
    pub interrupt: Interrupt,
}

/// Runs `text`, with values for `$1`, `$2` ….
///
/// The text is one transaction, unless it contains its own transaction commands. An error undoes everything, and tells its
/// position in the text.
pub fn run(session: &mut Session<'_>, text: &str, parameters: &[Json]) -> Result<Outcome> {
    let needed = (text.len() * STACK_OF_A_BYTE).min(STACK / 2);
    stacker::maybe_grow(needed, STACK, || run_here(session, text, parameters))
}

fn run_here(session: &mut Session<'_>, text: &str, parameters: &[Json]) -> Result<Outcome> {
    let connection = session.connection;
    let budget = Budget::of(connection);
    connection.execute_batch("SAVEPOINT pg_call")?;
    budget.begin(&session.limits, &session.interrupt);
    let result = Engine::new(session, text, parameters, budget.clone()).and_then(Engine::run);
    // An error after the budget is used up has that as its cause.
    let result = budget.refusal().map_or(result, Err);
    budget.end();
    let end = if result.is_ok() { "RELEASE pg_call" } else { "ROLLBACK TO pg_call; RELEASE pg_call" };
    // An interrupted write has already rolled back the whole transaction, including savepoints.
    if result.is_ok() || !connection.is_autocommit() {
        connection.execute_batch(end)?;
    }
    if result.is_err() {
        // Values drawn from a sequence are not returned to it.
        store_sequences(connection)?;
        if super::ddl::temporary_are_left(connection)? {
            within(session, super::ddl::drop_temporary)?;
        }
    }
    result.map_err(|error| error.in_text(text))
}

/// Changes the database of a session without a statement.
pub(super) fn within(
    session: &mut Session<'_>,
    change: impl FnOnce(&mut Engine<'_>) -> Result<()>,
) -> Result<()> {
    let budget = Budget::of(session.connection);
    change(&mut Engine::new(session, "", &[], budget)?)
}

/// Puts the parameters into the text, for a server that accepts only texts.
pub fn with_values<'t>(text: &'t str, parameters: &[Json]) -> Result<Cow<'t, str>> {
    if parameters.is_empty() {
        return Ok(text.into());
    }
    if Source::sent(text).statements()?.len() > 1 {
        return Err(several_with_values());
    }
    let literal = |value: &Option<String>| match value {
        Some(text) => format!("'{}'", text.replace('\'', "''")),
        None => "null".to_owned(),
    };
    let values = parameters.iter().map(|value| Ok(literal(&parameter(value)?)));
    let values = values.collect::<Result<Vec<_>>>()?;
    let statement = text.trim_end().trim_end_matches(';');
    Ok(format!("prepare call_with_values as {statement}\n; execute call_with_values ({})", values.join(", "))
        .into())
}

fn several_with_values() -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement")
}

/// The state of a running call.
pub(super) struct Engine<'a> {
    pub(super) connection: &'a Connection,
    pub(super) catalog: Arc<Catalog>,
    pub(super) settings: Settings,
    pub(super) source: Rc<Source>,
    pub(super) parameters: Vec<Option<String>>,
    pub(super) read_only: bool,
    /// The settings to return to when the transaction ends.
    pub(super) kept: Option<Box<Kept>>,
    /// The role that opened the session.
    pub(super) opened_by: Rc<str>,
    /// The role outside of the functions at hand that run with their owners' rights, and how many these are.
    pub(super) outside: Rc<str>,
    pub(super) definers: usize,
    limits: Limits,
    pub(super) budget: Budget,
    outcome: Outcome,
    /// The conflict target of the current `INSERT`, if the parser can't read it.
    pub(super) conflict: Option<(String, Option<String>)>,
    /// The number of function bodies around the current statement.
    pub(super) calls: usize,
    /// The variables of the innermost body.
    pub(super) frame: Option<Rc<RefCell<Frame>>>,
    /// The innermost body in PL/pgSQL.
    pub(super) running: Option<Rc<plpgsql::Body>>,
    /// The bodies that the call has parsed, and their bound queries.
    pub(super) known: Rc<Known>,
    /// The values of the parameters `?1`, `?2` … of the statement for SQLite.
    pub(super) values: Vec<Value>,
    /// The last change of rows as it was bound.
    pub(super) last_bound: Option<Rc<(Bound, Uses)>>,
    /// The rows that the present statement has changed, for triggers that read all of them.
    pub(super) changed: Rc<Changed>,
    /// The tables of such rows that the innermost body sees.
    pub(super) transition: Vec<KnownCte>,
    /// The statements that `PREPARE` has named.
    pub(super) prepared: BTreeMap<String, Prepared>,
    /// The triggers that wait for the end of the transaction.
    pub(super) deferred: Vec<Later>,
    /// The state after functions that a statement has called.
    carried_back: RefCell<Option<Carried>>,
    /// Copies of relations from before the current statement, for parts of it that read them.
    pub(super) before: BTreeMap<Oid, String>,
    /// Whether the text has begun a transaction of its own.
    pub(super) in_block: bool,
    /// Whether that transaction is read-only.
    read_only_block: bool,
}

/// The rows that a statement returns, in their SQLite representation.
pub(super) struct Returned {
    pub(super) columns: Vec<Output>,
    pub(super) rows: Vec<Vec<Value>>,
}

/// The result of one statement.
pub(super) struct Done {
    pub(super) tag: String,
    pub(super) returned: Option<Returned>,
}

impl Done {
    pub(super) fn command(tag: impl Into<String>) -> Done {
        Done { tag: tag.into(), returned: None }
    }
}

impl<'a> Engine<'a> {
    fn new(session: &mut Session<'a>, text: &str, parameters: &[Json], budget: Budget) -> Result<Engine<'a>> {
        let mut seed = [0; 32];
        session.random.fill_bytes(&mut seed);
        let now = session.now.as_microsecond();
        let mut begin = session.connection.prepare_cached("SELECT pg_begin(?1, ?2, ?3)")?;
        begin.query_row((&seed[..], now, session.role), |_| Ok(()))?;
        let settings = Settings::of(session.role, session.read_only);
        Ok(Engine {
            connection: session.connection,
            catalog: Catalog::load(session.connection)?,
            opened_by: settings.role.clone(),
            outside: settings.role.clone(),
            settings,
            kept: None,
            definers: 0,
            source: Rc::new(Source::sent(text)),
            parameters: parameters.iter().map(parameter).collect::<Result<_>>()?,
            read_only: session.read_only,
            limits: session.limits,
            budget,
            outcome: Outcome::default(),
            conflict: None,
            calls: 0,
            frame: None,
            running: None,
            known: Rc::default(),
            values: Vec::new(),
            last_bound: None,
            changed: Rc::default(),
            transition: Vec::new(),
            prepared: BTreeMap::new(),
            deferred: Vec::new(),
            carried_back: RefCell::default(),
            before: BTreeMap::new(),
            in_block: false,
            read_only_block: false,
        })
    }

    /// The engine for a function that a statement calls.
    pub(super) fn inside(connection: &'a Connection, carried: &Carried) -> Engine<'a> {
        let outcome = Outcome { wrote: carried.wrote, ..Outcome::default() };
        Engine {
            connection,
            catalog: carried.catalog.clone(),
            settings: carried.settings.clone(),
            source: Rc::new(Source::stored("")),
            parameters: Vec::new(),
            read_only: carried.read_only,
            kept: carried.kept.clone(),
            opened_by: carried.opened_by.clone(),
            outside: carried.outside.clone(),
            definers: carried.definers,
            limits: carried.limits,
            budget: carried.budget.clone(),
            outcome,
            conflict: None,
            calls: carried.calls,
            frame: None,
            running: None,
            known: carried.known.clone(),
            values: Vec::new(),
            last_bound: None,
            changed: Rc::default(),
            transition: Vec::new(),
            prepared: BTreeMap::new(),
            deferred: Vec::new(),
            carried_back: RefCell::default(),
            before: BTreeMap::new(),
            in_block: false,
            read_only_block: false,
        }
    }

    /// The state that functions share with the statements that call them.
    pub(super) fn carried(&self) -> Carried {
        Carried {
            catalog: self.catalog.clone(),
            settings: self.settings.clone(),
            read_only: self.read_only || self.read_only_block,
            kept: self.kept.clone(),
            opened_by: self.opened_by.clone(),
            outside: self.outside.clone(),
            definers: self.definers,
            limits: self.limits,
            budget: self.budget.clone(),
            wrote: self.outcome.wrote,
            calls: self.calls,
            known: self.known.clone(),
        }
    }

    /// Runs `query` on SQLite, which may call functions with bodies. [`Engine::take_back`] then takes over what they changed.
    fn calling<T>(&self, query: impl FnOnce() -> T) -> T {
        let (result, carried) = plpgsql::calling(self.connection, self.carried(), query);
        *self.carried_back.borrow_mut() = Some(carried);
        result
    }

    /// Takes over the state that functions have changed.
    pub(super) fn take_back(&mut self) {
        if let Some(carried) = self.carried_back.take() {
            self.catalog = carried.catalog;
            self.settings = carried.settings;
            self.kept = carried.kept;
            self.outcome.wrote |= carried.wrote;
        }
    }

    /// Begins to bind a statement whose names may be variables.
    pub(super) fn begin_binding(&self, binder: &mut Binder<'_>) {
        if let Some(frame) = &self.frame {
            let mut variables = frame.borrow_mut();
            variables.used.clear();
            variables.inlined = false;
            binder.frame = Some(frame.clone());
        }
        self.know_transition(binder);
    }

    /// Takes the values of the variables in the statement that has been bound.
    pub(super) fn end_binding(&mut self) {
        self.values = self.frame.as_ref().map_or_else(Vec::new, |frame| {
            let frame = frame.borrow();
            frame.used.iter().map(|used| frame.value(*used)).collect()
        });
    }

    /// Gives a statement the values of its parameters.
    pub(super) fn give_values(&self, statement: &mut Statement<'_>) -> Result<()> {
        let count = statement.parameter_count();
        for (index, value) in self.values.iter().take(count).enumerate() {
            statement.raw_bind_parameter(index + 1, value)?;
        }
        Ok(())
    }

    /// Runs a statement without rows, and returns the number of rows that it changed.
    pub(super) fn change(&self, sql: &str) -> Result<usize> {
        let mut statement = self.connection.prepare_cached(sql).map_err(untranslatable)?;
        self.give_values(&mut statement)?;
        Ok(self.calling(|| statement.raw_execute())?)
    }

    /// Tries to bind with variables as parameters, and then, for what needs constants, with their values.
    pub(super) fn with_variables<T>(&mut self, mut bind: impl FnMut(&mut Self) -> Result<T>) -> Result<T> {
        let bound = bind(self);
        match (bound, self.frame.clone()) {
            (Err(error), Some(frame)) if error.code == SqlState::FEATURE_NOT_SUPPORTED => {
                frame.borrow_mut().inline = true;
                let bound = bind(self);
                frame.borrow_mut().inline = false;
                bound
            }
            (bound, _) => bound,
        }
    }

    /// A binder for names that are no variables.
    pub(super) fn plain_binder(&self) -> Binder<'_> {
        Binder::new(&self.catalog, self.source.clone(), &self.settings, &[])
    }

    fn run(mut self) -> Result<Outcome> {
        let source = self.source.clone();
        let statements = source.statements()?;
        if statements.len() > 1 && !self.parameters.is_empty() {
            return Err(several_with_values());
        }
        for tokens in &statements {
            let done = self.statement(tokens)?;
            self.take(done)?;
        }
        self.check_deferred()?;
        self.drop_temporary()?;
        // The next call then need not read the catalog again.
        self.catalog.keep();
        Ok(self.outcome)
    }

    fn take(&mut self, done: Done) -> Result<()> {
        if let Some(returned) = done.returned {
            let rows = self.json_rows(&returned)?;
            // Rows of an earlier statement are not replaced by an empty result.
            if rows.is_empty() && !self.outcome.rows.is_empty() {
                self.outcome.commands.push(done.tag);
                return Ok(());
            }
            let columns = returned.columns.iter();
            self.outcome.columns = columns
                .map(|column| ResultColumn {
                    name: column.name.clone(),
                    type_name: self.catalog.type_name(column.type_.base, column.type_.modifier),
                })
                .collect();
            self.outcome.rows = rows;
        }
        self.outcome.commands.push(done.tag);
        Ok(())
    }

    fn json_rows(&self, returned: &Returned) -> Result<Vec<Map<String, Json>>> {
        let mut bytes = 0;
        let mut rows = Vec::with_capacity(returned.rows.len());
        for row in &returned.rows {
            let mut object = Map::new();
            for (column, value) in returned.columns.iter().zip(row) {
                bytes += column.name.len() + 8 + encode::size(value);
                let base = self.catalog.base_type(column.type_.base);
                object.insert(column.name.clone(), encode::json(base, value));
            }
            if bytes > self.limits.result_bytes {
                let limit = self.limits.result_bytes;
                let message = format!(
                    "Query result size ({bytes} bytes) exceeded the configured limit ({limit} bytes)"
                );
                return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
            }
            rows.push(object);
        }
        Ok(rows)
    }

    /// Runs one statement.
    pub(super) fn statement(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        self.budget.work(STATEMENT_STEPS)?;
        let first = match &tokens[0].token {
            Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_lowercase(),
            Token::LParen => "(".to_owned(),
            _ => return Err(self.source.syntax_error_at(&tokens[0])),
        };
        let selects = first == "select" || first == "with";
        if selects
            && self.frame.is_none()
            && let Some(table) = super::ddl::into_table(tokens)
        {
            return super::ddl::execute(self, &table);
        }
        match first.as_str() {
            "select" | "values" | "with" | "table" | "(" => self.query(tokens),
            "insert" | "update" | "delete" => {
                let tokens = super::dml::without_overriding(&self.source, tokens);
                let second = if first == "insert" { "into" } else { "from" };
                if let Some(wrong) =
                    tokens.tokens.get(1).filter(|_| first != "update").filter(|token| !is_word(token, second))
                {
                    return Err(self.source.syntax_error_at(wrong));
                }
                let parsed = self.source.parse(&tokens.tokens, Parser::parse_statement)?;
                self.require_write(&first.to_uppercase())?;
                self.conflict = tokens.conflict;
                self.modify(&parsed, tokens.overriding, Vec::new())
            }
            "begin" | "start" => self.begin(tokens),
            "commit" | "end" => self.commit(tokens),
            "rollback" | "abort" => self.rollback(tokens),
            "savepoint" | "release" => self.savepoint(tokens),
            "do" => self.do_block(tokens),
            "call" => self.call_statement(tokens),
            _ => super::ddl::execute(self, tokens),
        }
    }

    /// Refuses a write in a read-only transaction, and limits the growth of the database.
    pub(super) fn require_write(&mut self, command: &str) -> Result<()> {
        self.require_writable(command)?;
        if !self.outcome.wrote {
            self.outcome.wrote = true;
            self.limit_growth()?;
        }
        Ok(())
    }

    /// Refuses a command in a read-only transaction.
    fn require_writable(&self, command: &str) -> Result<()> {
        if self.read_only || self.read_only_block {
            let message = format!("cannot execute {command} in a read-only transaction");
            return Err(SqlError::new(SqlState::READ_ONLY, message));
        }
        Ok(())
    }

    /// Limits the database to its present size and the bytes that a call may write, and to the greatest size.
    fn limit_growth(&self) -> Result<()> {
        let number =
            |name: &str| self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        let (pages, size) = (number("page_count")?, number("page_size")?);
        let written = i64::try_from(self.limits.written_bytes).unwrap_or(DATABASE_MAX);
        let most = (pages + written / size).min(DATABASE_MAX / size).max(pages);
        Ok(self.connection.query_row(&format!("PRAGMA max_page_count = {most}"), [], |_| Ok(()))?)
    }

    fn begin(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let read = if is_word(&tokens[0], "start") {
            expected(tokens, 1, &["transaction"]).max(1)
        } else {
            expected(tokens, 1, &["work"]).max(expected(tokens, 1, &["transaction"])).max(1)
        };
        if is_word(&tokens[0], "start") && read == 1 {
            return Err(self.unexpected_at(tokens, 1));
        }
        transaction_modes(tokens, read).map_err(|at| self.unexpected_at(tokens, at))?;
        self.in_block = true;
        self.read_only_block =
            tokens.windows(2).any(|pair| is_word(&pair[0], "read") && is_word(&pair[1], "only"));
        Ok(Done::command("BEGIN"))
    }

    fn unexpected_at(&self, tokens: &[TokenWithSpan], at: usize) -> SqlError {
        tokens.get(at).map_or_else(
            || self.source.syntax_error_at_end(tokens),
            |token| self.source.syntax_error_at(token),
        )
    }

    /// Refuses everything after `COMMIT` or `ROLLBACK` except `TO` a savepoint.
    fn check_end(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        let read = expected(tokens, 1, &["work"]).max(expected(tokens, 1, &["transaction"])).max(1);
        let read = expected(tokens, read, &["and", "no", "chain"]).max(read);
        if tokens.get(read).is_some_and(|token| is_word(token, "and")) {
            return Err(SqlError::unsupported("AND CHAIN"));
        }
        if read < tokens.len() { Err(self.unexpected_at(tokens, read)) } else { Ok(()) }
    }

    fn commit(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        if tokens.get(1).is_some_and(|token| is_word(token, "prepared")) {
            return Err(SqlError::unsupported("COMMIT PREPARED"));
        }
        self.check_end(tokens)?;
        self.check_deferred()?;
        self.commit_temporary()?;
        self.in_block = false;
        self.read_only_block = false;
        self.end_settings(true)?;
        self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?;
        Ok(Done::command("COMMIT"))
    }

    fn rollback(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let named = tokens.iter().rev().find_map(|token| match &token.token {
            Token::Word(word) => Some(word.value.to_lowercase()),
            _ => None,
        });
        let to = tokens.iter().any(|token| is_word(token, "to"));
        if !to {
            self.check_end(tokens)?;
        }
        match named.filter(|_| to) {
            Some(name) => {
                self.connection
                    .execute_batch(&format!("ROLLBACK TO \"sp_{}\"", name.replace('"', "")))
                    .map_err(|_| no_savepoint(&name))?;
                self.settings_of_savepoint(&name)?;
            }
            None => {
                self.in_block = false;
                self.read_only_block = false;
                self.connection.execute_batch("ROLLBACK TO pg_call")?;
                self.end_settings(false)?;
            }
        }
        self.catalog = Catalog::load(self.connection)?;
        Ok(Done::command("ROLLBACK"))
    }

    fn savepoint(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let release = is_word(&tokens[0], "release");
        let name = match tokens.last().map(|token| &token.token) {
            Some(Token::Word(word)) if tokens.len() > 1 => word.value.to_lowercase(),
            _ => return Err(self.source.syntax_error_at_end(tokens)),
        };
        if !self.in_block {
            let command = if release { "RELEASE SAVEPOINT" } else { "SAVEPOINT" };
            let message = format!("{command} can only be used in transaction blocks");
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        let verb = if release { "RELEASE" } else { "SAVEPOINT" };
        let done = self.connection.execute_batch(&format!("{verb} \"sp_{}\"", name.replace('"', "")));
        done.map_err(|_| no_savepoint(&name))?;
        if !release {
            self.settings_at_savepoint(&name);
        }
        Ok(Done::command(verb))
    }

    fn query(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let parsed = self.source.parse(tokens, Parser::parse_query)?;
        if let Some(lock) = parsed.locks.first() {
            self.require_writable(match lock.lock_type {
                ast::LockType::Share => "SELECT FOR SHARE",
                ast::LockType::Update => "SELECT FOR UPDATE",
            })?;
        }
        self.keep_before(&parsed, tokens)?;
        let done = self.query_with_changes(&parsed);
        let kept = std::mem::take(&mut self.before);
        let done = done?;
        // After an error, the rollback removes them.
        for kept in kept.into_values() {
            self.execute(&format!("DROP TABLE {kept}"))?;
        }
        Ok(done)
    }

    /// Copies the tables that a `WITH` changes if another part of the statement may read them: all parts see the rows from
    /// before.
    fn keep_before(&mut self, query: &ast::Query, tokens: &[TokenWithSpan]) -> Result<()> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let (ast::SetExpr::Insert(statement)
            | ast::SetExpr::Update(statement)
            | ast::SetExpr::Delete(statement)) = &*cte.query.body
            else {
                continue;
            };
            let Some(target) = super::dml::target_of(statement) else { continue };
            self.wake_target(target)?;
            let settings = self.settings.clone();
            let binder = Binder::new(&self.catalog, self.source.clone(), &settings, &[]);
            let Ok(relation) = binder.find_relation(target) else { continue };
            let words = tokens.iter().filter_map(|token| match &token.token {
                Token::Word(word) => Some(word.value.to_lowercase()),
                _ => None,
            });
            let reads = |word: &String| {
                self.catalog.relations().any(|known| known.definition.is_some() && known.name == *word)
                    || self.catalog.routines().any(|(_, known)| known.name == *word)
            };
            let words: Vec<String> = words.collect();
            let again = words.iter().filter(|word| **word == relation.name).count() > 1;
            if relation.is_stored()
                && !self.before.contains_key(&relation.oid)
                && (again || words.iter().any(reads))
            {
                let (oid, kept) = (relation.oid, format!("before_{}", relation.physical()));
                self.execute(&format!("CREATE TABLE {kept} AS SELECT * FROM {}", relation.physical()))?;
                self.before.insert(oid, kept);
            }
        }
        Ok(())
    }

    fn query_with_changes(&mut self, parsed: &ast::Query) -> Result<Done> {
        let ctes = self.modifying_ctes(parsed)?;
        match &*parsed.body {
            ast::SetExpr::Insert(statement)
            | ast::SetExpr::Update(statement)
            | ast::SetExpr::Delete(statement) => {
                self.require_write("INSERT")?;
                let ctes = self.query_ctes(parsed, ctes)?;
                self.modify(statement, false, ctes)
            }
            _ => {
                let returned = self.rows_of(parsed, ctes)?;
                Ok(Done { tag: format!("SELECT {}", returned.rows.len()), returned: Some(returned) })
            }
        }
    }

    /// Runs the data-modifying statements of a `WITH`, and returns their rows for the query.
    fn modifying_ctes(&mut self, query: &ast::Query) -> Result<Vec<KnownCte>> {
        let mut known: Vec<KnownCte> = Vec::new();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let (ast::SetExpr::Insert(statement)
            | ast::SetExpr::Update(statement)
            | ast::SetExpr::Delete(statement)) = &*cte.query.body
            else {
                continue;
            };
            self.require_write("INSERT")?;
            let done = self.modify(statement, false, known.clone())?;
            let name = super::source::name(&cte.alias.name);
            let returned = done.returned.unwrap_or(Returned { columns: Vec::new(), rows: Vec::new() });
            let rows = returned
                .rows
                .iter()
                .map(|row| row.iter().map(|value| array::element(value.into())).collect());
            let rows = Expr::new(Node::Literal(array::of(rows.collect())), Type::JSON);
            known.push(KnownCte {
                name,
                source: 0,
                columns: returned.columns,
                rows: Some(rows),
                undefined: false,
                reads: Default::default(),
            });
        }
        Ok(known)
    }

    /// Runs the queries of a `WITH` before a data-modifying statement, and returns their rows for it.
    fn query_ctes(&mut self, query: &ast::Query, mut known: Vec<KnownCte>) -> Result<Vec<KnownCte>> {
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = super::source::name(&cte.alias.name);
            if known.iter().any(|done| done.name == name) {
                continue;
            }
            let mut all = Source::stored(&format!("SELECT * FROM {}", quote_identifier(&name))).query()?;
            all.with =
                query.with.as_ref().map(|with| ast::With { cte_tables: vec![cte.clone()], ..with.clone() });
            let returned = self.raw_rows_of(&all, known.clone())?;
            known.push(known_rows(name, returned));
        }
        Ok(known)
    }

    /// Binds and runs a query.
    pub(super) fn rows_of(&mut self, query: &ast::Query, ctes: Vec<KnownCte>) -> Result<Returned> {
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.before.clone_from(&self.before);
        for cte in ctes {
            binder.know(cte);
        }
        self.begin_binding(&mut binder);
        let mut bound = binder.query(&Scope::default(), query)?;
        binder.permit()?;
        if let Some(sequences) = &binder.sequences {
            self.require_write("nextval()")?;
            self.load_sequences(sequences)?;
        }
        let sets = binder.sets;
        // Inside of a body the values are wanted, not their texts.
        if self.frame.is_none() {
            self.show(&mut binder, &mut bound)?;
        }
        let sql = self.with_system(&binder, &print::query(&bound));
        self.end_binding();
        let rows = self.fetch(&sql, bound.columns.len());
        self.take_back();
        let rows = rows?;
        if binder.sequences.is_some() {
            self.store_sequences()?;
        }
        if sets {
            self.take_settings()?;
        }
        Ok(Returned { columns: bound.columns, rows })
    }

    /// Converts values to text whose format depends on the catalog.
    pub(super) fn show(&self, binder: &mut Binder<'_>, query: &mut Query) -> Result<()> {
        // Values that are sorted by or compared with those of other queries must not be converted. With `DISTINCT` alone,
        // different rows also have different texts.
        let apart = match &query.body {
            Body::Select(select) => {
                select.distinct && !query.order.is_empty() || !select.distinct_on.is_empty()
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
            let row = target.type_ == Type::RECORD || self.catalog.attributes(target.type_).is_some();
            if target.type_.is_reg() {
                *target = binder.cast(target.clone(), Type::TEXT.plain())?;
                column.type_ = Type::TEXT.plain();
            } else if row && let Some(text) = binder.row_as_text(target)? {
                *target = text;
                column.type_ = Type::TEXT.plain();
            } else if let Some(texts) = binder.rows_as_text(target) {
                *target = binder.cast(texts, Type::TEXT.plain())?;
                column.type_ = Type::TEXT.plain();
            }
        }
        Ok(())
    }

    /// Whether values of a type are shown as texts that depend on the catalog.
    fn is_shown(&self, type_: Type) -> bool {
        let row = |type_: Type| self.catalog.attributes(type_).is_some();
        type_.is_reg() || row(type_) || type_.element().is_some_and(row)
    }

    /// A query of all columns of another query.
    fn around(&self, binder: &mut Binder<'_>, query: &Query) -> Query {
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

    /// Adds the system relations that a statement reads as common table expressions.
    pub(super) fn with_system(&self, binder: &Binder<'_>, sql: &str) -> String {
        if binder.system.is_empty() {
            return sql.to_owned();
        }
        let definitions = system::ALL.iter().filter(|system| binder.system.contains(system.name));
        let definitions = definitions.map(|system| system.definition(&self.catalog, &self.settings));
        let definitions = definitions.collect::<Vec<_>>().join(", ");
        // A `WITH` of the query itself is continued.
        match (sql.strip_prefix("WITH RECURSIVE "), sql.strip_prefix("WITH ")) {
            (Some(rest), _) => format!("WITH RECURSIVE {definitions}, {rest}"),
            (None, Some(rest)) => format!("WITH {definitions}, {rest}"),
            (None, None) => format!("WITH {definitions} {sql}"),
        }
    }

    /// Runs a statement on SQLite and returns its rows.
    pub(super) fn fetch(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        if sql.contains("pg_call") {
            return self.calling(|| self.fetch_here(sql, width));
        }
        self.fetch_here(sql, width)
    }

    /// The same for a change, whose checks may call functions.
    pub(super) fn fetch_calling(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        self.calling(|| self.fetch_here(sql, width))
    }

    fn fetch_here(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(untranslatable)?;
        self.give_values(&mut statement)?;
        let mut rows = statement.raw_query();
        let (mut fetched, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.next()? {
            let row =
                (0..width).map(|index| row.get::<_, Value>(index)).collect::<rusqlite::Result<Vec<_>>>()?;
            bytes += row.iter().map(encode::size).sum::<usize>();
            if bytes > self.limits.result_bytes {
                let limit = self.limits.result_bytes;
                let message = format!(
                    "Query result size ({bytes} bytes) exceeded the configured limit ({limit} bytes)"
                );
                return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
            }
            fetched.push(row);
        }
        Ok(fetched)
    }

    /// Runs SQL that returns no rows.
    pub(super) fn execute(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(untranslatable)
    }

    /// Loads sequences for `nextval` and similar functions.
    pub(super) fn load_sequences(&self, sequences: &Sequences) -> Result<()> {
        let relations: Vec<&Relation> = match sequences {
            Sequences::These(oids) => oids.iter().filter_map(|oid| self.catalog.relation(*oid)).collect(),
            Sequences::Any => self.catalog.relations().collect(),
        };
        for relation in relations {
            let Some(options) = &relation.sequence else { continue };
            // The table of a dormant relation does not exist, so nothing can draw from its sequence.
            let owner = options.owner.and_then(|(table, _)| self.catalog.relation(table));
            if owner.is_some_and(|table| table.dormant) {
                continue;
            }
            let (value, called) =
                Catalog::sequence_state(self.connection, relation.oid)?.unwrap_or((options.start, false));
            let mut load =
                self.connection.prepare_cached("SELECT pg_load_sequence(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
            load.query_row(
                rusqlite::params![
                    relation.oid,
                    relation.name,
                    value,
                    called,
                    options.increment,
                    options.minimum,
                    options.maximum,
                    options.cycle
                ],
                |_| Ok(()),
            )?;
        }
        Ok(())
    }

    /// Stores the values of the sequences.
    pub(super) fn store_sequences(&self) -> Result<()> {
        store_sequences(self.connection)
    }
}

/// The position after `words` if they are at `at`, otherwise 0.
fn expected(tokens: &[TokenWithSpan], at: usize, words: &[&str]) -> usize {
    let found = words
        .iter()
        .enumerate()
        .all(|(ahead, word)| tokens.get(at + ahead).is_some_and(|token| is_word(token, word)));
    if found { at + words.len() } else { 0 }
}

/// Reads transaction modes at `at`. Fails with the position of the first token that is none.
fn transaction_modes(tokens: &[TokenWithSpan], mut at: usize) -> std::result::Result<(), usize> {
    const MODES: &[&[&str]] = &[
        &["isolation", "level", "serializable"],
        &["isolation", "level", "repeatable", "read"],
        &["isolation", "level", "read", "committed"],
        &["isolation", "level", "read", "uncommitted"],
        &["read", "only"],
        &["read", "write"],
        &["deferrable"],
        &["not", "deferrable"],
    ];
    while at < tokens.len() {
        let comma = usize::from(tokens[at].token == Token::Comma);
        let read = |mode: &[&str]| {
            let pairs = mode.iter().zip(tokens.iter().skip(at + comma));
            pairs.take_while(|(word, token)| is_word(token, word)).count()
        };
        match MODES.iter().find(|mode| read(mode) == mode.len()) {
            Some(mode) => at += comma + mode.len(),
            None => return Err(at + comma + MODES.iter().map(|mode| read(mode)).max().unwrap_or(0)),
        }
    }
    Ok(())
}

/// Rows as a common table expression.
pub(super) fn known_rows(name: String, returned: Returned) -> KnownCte {
    let rows = returned.rows.iter().map(|row| row.iter().map(|value| array::element(value.into())).collect());
    let rows = Expr::new(Node::Literal(array::of(rows.collect())), Type::JSON);
    let (source, undefined, reads) = (0, false, Default::default());
    KnownCte { name, source, columns: returned.columns, rows: Some(rows), undefined, reads }
}

/// Stores the values of the sequences that still exist.
fn store_sequences(connection: &Connection) -> Result<()> {
    let mut read = connection.prepare_cached("SELECT pg_sequence_values()")?;
    let values: String = read.query_row([], |row| row.get(0))?;
    let values: Vec<(Oid, i64, bool)> =
        serde_json::from_str(&values).expect("the state prints its sequences");
    let mut write = connection.prepare_cached(
        "INSERT INTO pg_sequence_state SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM pg_object WHERE oid = ?1)
         ON CONFLICT (oid) DO UPDATE SET value = excluded.value, called = excluded.called
         WHERE value <> excluded.value OR called <> excluded.called",
    )?;
    values.into_iter().try_for_each(|value| Ok(write.execute(value).map(drop)?))
}

fn no_savepoint(name: &str) -> SqlError {
    SqlError::new(SqlState::new("3B001"), format!("savepoint \"{name}\" does not exist"))
}

/// A statement that SQLite can't prepare is not supported by this engine.
pub(super) fn untranslatable(error: rusqlite::Error) -> SqlError {
    untranslatable_message(SqlError::from(error))
}

/// Like `untranslatable`, for an error that was already converted.
pub(super) fn untranslatable_message(converted: SqlError) -> SqlError {
    if converted.code == SqlState::INTERNAL {
        return SqlError::unsupported("this statement").detail(converted.message.clone());
    }
    converted
}

/// A parameter as text, as a driver sends it.
fn parameter(value: &Json) -> Result<Option<String>> {
    let text = match value {
        Json::Null => return Ok(None),
        Json::String(text) => text.clone(),
        Json::Array(items) => array_parameter(items),
        other => other.to_string(),
    };
    if text.contains('\0') { Err(super::source::zero_byte()) } else { Ok(Some(text)) }
}

fn array_parameter(items: &[Json]) -> String {
    let items = items.iter().map(|item| match item {
        Json::Null => "NULL".to_owned(),
        Json::Array(nested) => array_parameter(nested),
        Json::String(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        Json::Object(_) => format!("\"{}\"", item.to_string().replace('\\', "\\\\").replace('"', "\\\"")),
        other => other.to_string(),
    });
    format!("{{{}}}", items.collect::<Vec<_>>().join(","))
}

/// A text as a literal in the engine's own SQL.
pub(super) fn literal(text: &str) -> String {
    text_literal(text)
}
