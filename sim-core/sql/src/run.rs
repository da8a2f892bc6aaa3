//! Runs a text: binds, prints and executes its statements in one transaction.

mod early;
mod fetch;
mod functions;
mod kept_before;
mod non_volatile;
mod rows;
pub(crate) mod transaction;
mod values;

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

use self::fetch::store_sequences;
use self::values::parameter;
use super::bind::{Binder, KnownCte, Settings};
use super::catalog::{Catalog, Oid};
use super::client::Placeholders;
use super::ddl::Prepared;
use super::dml::Bound;
use super::dml_after::Joined;
use super::encode;
use super::error::{Result, SqlError, SqlState};
use super::in_use::tables_in;
use super::plpgsql::{self, Carried, Changed, Frame, Known, Plan, Uses};
use super::security::session::Kept;
use super::source::{NAME_MAX, Source, cut_to, is_word};
use super::state::Shared;
use super::tree::Output;
use super::value::datetime::{KeptOrder, read_dates_as};
use super::{Limits, Outcome, ResultColumn};

pub(crate) use self::non_volatile::{changing_command, outside_brackets};
pub(super) use self::rows::known_rows;
pub(super) use self::values::literal;
pub(super) use self::values::several_with_values;
pub use self::values::with_values;

/// The steps that each statement takes from the call's budget, whatever it does.
const STATEMENT_STEPS: usize = 1_000;

/// The units of work to split a text into tokens, for each of them.
pub(super) const TOKEN_WORK: usize = 2;

/// About the units of work to look at an object of the catalog for a system relation.
const SYSTEM_WORK: usize = 5;

/// About the bytes that a token of a statement takes until the statement has run.
const TOKEN_BYTES: usize = 150;

/// About the bytes that a row of an answer takes beside its values, and each value of it.
const ROW_BYTES: usize = 200;
const FIELD_BYTES: usize = 150;

/// What the names of functions of SQLite contain that need the state of the call: they run bodies, read what these have set, or
/// report something.
const CALLING: [&str; 4] = ["pg_call", "pg_setting(", "pg_advisory_unlock", "tsquery_"];

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
    /// Whether the last call used that source; false before the first.
    pub has_drawn: bool,
    /// The role that makes the call.
    pub role: &'a str,
    /// The parameters that the server's configuration sets, and their values. A session begins with them.
    pub server: &'a [(String, String)],
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
    let result = in_call_here(session, text, |mut engine| {
        engine.parameters = parameters.iter().map(parameter).collect::<Result<_>>()?;
        engine.run()
    });
    if result.is_err() && super::ddl::temporary_are_left(session.connection)? {
        within(session, super::ddl::drop_temporary)?;
    }
    result
}

/// Runs something as one call, which an error undoes.
pub(super) fn in_call<'a, T>(
    session: &mut Session<'a>,
    text: &str,
    work: impl FnOnce(Engine<'a>) -> Result<T>,
) -> Result<T> {
    let needed = (text.len() * STACK_OF_A_BYTE).min(STACK / 2);
    stacker::maybe_grow(needed, STACK, || in_call_here(session, text, work))
}

fn in_call_here<'a, T>(
    session: &mut Session<'a>,
    text: &str,
    work: impl FnOnce(Engine<'a>) -> Result<T>,
) -> Result<T> {
    let connection = session.connection;
    let shared = shared_of(connection);
    connection.prepare_cached("SAVEPOINT pg_call")?.execute(())?;
    shared.budget.begin(&session.limits, &session.interrupt);
    let result = Engine::new(session, text, &shared).and_then(|engine| {
        let stored = engine.catalog.stack.min(STACK / 2);
        stacker::maybe_grow(stored, STACK, || work(engine))
    });
    // An error after the budget is used up has that as its cause.
    let result = shared.budget.refusal().map_or(result, Err);
    shared.budget.end();
    session.has_drawn = shared.lock().has_drawn;
    if result.is_ok() {
        connection.prepare_cached("RELEASE pg_call")?.execute(())?;
    } else if !connection.is_autocommit() {
        // An interrupted write has already rolled back the whole transaction, including savepoints.
        connection.execute_batch("ROLLBACK TO pg_call; RELEASE pg_call")?;
    }
    if result.is_err() && !session.read_only {
        // Values drawn from a sequence are not returned to it.
        store_sequences(connection, true)?;
    }
    result.map_err(|error| error.in_text(text))
}

/// Changes the database of a session without a statement.
pub(super) fn within(
    session: &mut Session<'_>,
    change: impl FnOnce(&mut Engine<'_>) -> Result<()>,
) -> Result<()> {
    let shared = shared_of(session.connection);
    change(&mut Engine::new(session, "", &shared)?)
}

fn shared_of(connection: &Connection) -> Arc<Shared> {
    Shared::of(connection).expect("the connection is prepared")
}

/// The state of a running call.
pub(super) struct Engine<'a> {
    pub(super) connection: &'a Connection,
    pub(super) catalog: Arc<Catalog>,
    pub(super) settings: Settings,
    pub(super) source: Rc<Source>,
    pub(super) parameters: Vec<Option<String>>,
    /// What is known of their types, if they are those of a client's statement.
    pub(super) placeholders: Option<Rc<Placeholders>>,
    /// Whether a statement with several changes is only bound, before it runs.
    pub(super) only_binds: bool,
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
    pub(crate) outcome: Outcome,
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
    /// The last query of a function in SQL, if it can be run again as it is bound.
    pub(super) last_query: Option<Rc<Plan>>,
    /// The rows that the present statement has changed, for triggers that read all of them.
    pub(super) changed: Rc<Changed>,
    /// The tables of such rows that the innermost body sees.
    pub(super) transition: Vec<KnownCte>,
    /// The statements that `PREPARE` has named.
    pub(super) prepared: Rc<BTreeMap<String, Prepared>>,
    /// The changes of the parts of the statement at hand, if they are joined.
    pub(super) joined: Option<Joined>,
    /// The state after functions that a statement has called.
    carried_back: RefCell<Option<Carried>>,
    /// The last note in `pg_pending` that is for the statements around the present one to check.
    pub(super) noted: i64,
    /// Copies of relations from before the current statement, for parts of it that read them.
    pub(super) before: BTreeMap<Oid, String>,
    /// Whether the text has begun a transaction of its own.
    pub(super) in_block: bool,
    /// Whether that transaction is read-only.
    read_only_block: bool,
    /// The modes of the transaction that begins when the present one has ended.
    pub(super) chained: Option<Vec<&'static transaction::Mode>>,
    /// The name that the schema of the connection's temporary objects has in the stored catalog.
    pub(super) away: Option<Rc<str>>,
    /// How many statements have written so far.
    pub(super) writes: u64,
    /// Whether the text has one statement only. Then a procedure may end the transaction.
    pub(super) alone: bool,
    /// Whether a definition is being made. Event triggers are told of it as a whole, not of its parts.
    pub(super) defining: bool,
    /// Whether the transaction has run a statement that sees data.
    pub(super) has_seen: bool,
    /// The number of bodies at which the innermost one may end the transaction.
    pub(super) ends_at: Option<usize>,
    /// The number of blocks around the present step that handle errors.
    pub(super) guarded: usize,
    /// Whether the function whose body is running may not change anything.
    pub(super) only_reads: bool,
    /// The function whose body is running; none in a `DO` block.
    pub(super) at_hand: Option<Oid>,
    /// What is running, for the context that a body asks for.
    pub(super) around: Option<Rc<plpgsql::Around>>,
    /// What else runs on this thread reads dates as before, once the call is over.
    _dates: Option<KeptOrder>,
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

/// The commands that are checked and then do nothing that a client could see.
const WITHOUT_EFFECT: [&str; 9] =
    ["VACUUM", "ANALYZE", "CLUSTER", "CHECKPOINT", "REINDEX", "LISTEN", "UNLISTEN", "NOTIFY", "LOCK TABLE"];

/// The first words of statements that see no data.
const SEEING_NOTHING: [&str; 18] = [
    "abort",
    "begin",
    "checkpoint",
    "close",
    "commit",
    "deallocate",
    "discard",
    "end",
    "fetch",
    "lock",
    "notify",
    "release",
    "reset",
    "rollback",
    "savepoint",
    "set",
    "show",
    "start",
];

impl Done {
    pub(super) fn command(tag: impl Into<String>) -> Done {
        Done { tag: tag.into(), returned: None }
    }
}

impl<'a> Engine<'a> {
    fn new(session: &mut Session<'a>, text: &str, shared: &Shared) -> Result<Engine<'a>> {
        let mut seed = [0; 32];
        session.random.fill_bytes(&mut seed);
        shared.begin(seed, session.now.as_microsecond(), session.role, text);
        let catalog = Catalog::load(session.connection)?;
        let mut settings = Settings::of(session.role, session.read_only);
        settings.begin_with(&catalog, session.server);
        let dates = KeptOrder::present();
        read_dates_as(settings.date_order());
        Ok(Engine {
            connection: session.connection,
            catalog,
            opened_by: settings.role.clone(),
            outside: settings.role.clone(),
            settings,
            kept: None,
            definers: 0,
            source: Rc::new(Source::sent(text)),
            parameters: Vec::new(),
            placeholders: None,
            only_binds: false,
            read_only: session.read_only,
            limits: session.limits,
            budget: shared.budget.clone(),
            outcome: Outcome::default(),
            conflict: None,
            calls: 0,
            frame: None,
            running: None,
            known: Rc::default(),
            values: Vec::new(),
            last_bound: None,
            last_query: None,
            changed: Rc::default(),
            transition: Vec::new(),
            prepared: Rc::default(),
            joined: None,
            carried_back: RefCell::default(),
            noted: 0,
            before: BTreeMap::new(),
            in_block: false,
            read_only_block: false,
            chained: None,
            away: None,
            writes: 0,
            alone: false,
            defining: false,
            has_seen: false,
            ends_at: None,
            guarded: 0,
            only_reads: false,
            at_hand: None,
            around: None,
            _dates: Some(dates),
        })
    }

    /// Whether the statement is only described.
    pub(super) fn describes(&self) -> bool {
        self.only_binds || self.placeholders.as_ref().is_some_and(|known| known.describes)
    }

    /// Goes on in a transaction block of earlier calls.
    pub(super) fn enter_block(&mut self, open: bool, read_only: bool) {
        (self.in_block, self.read_only_block) = (open, read_only);
    }

    /// Whether a block around the present step handles errors.
    pub(super) fn is_guarded(&self) -> bool {
        self.guarded > 0
    }

    /// Whether anything may have changed.
    pub(super) fn has_written(&self) -> bool {
        self.outcome.wrote
    }

    /// Begins to bind a statement whose names may be variables.
    pub(super) fn begin_binding(&self, binder: &mut Binder<'_>) {
        binder.placeholders.clone_from(&self.placeholders);
        binder.budget = Some(self.budget.clone());
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
        let _tables = self.using(tables_in(sql));
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
        let tokens = source.most_tokens();
        self.budget.work(TOKEN_WORK * tokens)?;
        self.budget.hold(TOKEN_BYTES * tokens)?;
        let statements = source.statements()?;
        values::require_places(&statements, self.parameters.len())?;
        self.alone = statements.len() == 1;
        self.note_long_names(&statements)?;
        for tokens in &statements {
            let done = self.statement(tokens)?;
            self.take(done)?;
        }
        if self.in_block {
            self.abandon_block()?;
        }
        self.check_new_partitions()?;
        if self.has_written() {
            self.check_deferred()?;
        }
        self.drop_temporary()?;
        // The next call then need not read the catalog again.
        self.catalog.keep();
        Ok(self.outcome)
    }

    fn take(&mut self, done: Done) -> Result<()> {
        if WITHOUT_EFFECT.contains(&done.tag.as_str()) {
            self.outcome.does_nothing(done.tag.clone());
        }
        if let Some(returned) = done.returned {
            // Rows of an earlier statement are not replaced by an empty result.
            if returned.rows.is_empty() && !self.outcome.rows.is_empty() {
                self.outcome.commands.push(done.tag);
                return Ok(());
            }
            let rows = self.json_rows(&returned.columns, returned.rows)?;
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

    fn json_rows(&self, columns: &[Output], found: Vec<Vec<Value>>) -> Result<Vec<Map<String, Json>>> {
        let mut bytes = 0;
        let mut rows = Vec::with_capacity(found.len());
        self.budget.hold(found.len().saturating_mul(ROW_BYTES + FIELD_BYTES * columns.len()))?;
        for row in found {
            let mut object = Map::with_capacity(columns.len());
            for (column, value) in columns.iter().zip(&row) {
                bytes += column.name.len() + 8 + encode::size(value);
                // An array of domains is shown as a text, as the service does for types that it does not know.
                let base = self.catalog.under_domains(column.type_).base;
                let shown = self.settings.shown_instant(base, value);
                object.insert(column.name.clone(), encode::json(base, shown.as_ref().unwrap_or(value)));
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

    /// Tells of the names that are longer than a name can be.
    fn note_long_names(&self, statements: &[Vec<TokenWithSpan>]) -> Result<()> {
        for token in statements.iter().flatten() {
            let Token::Word(word) = &token.token else { continue };
            // The engine's own marks are no names of the text.
            if word.value.len() <= NAME_MAX || word.value.contains(char::is_control) {
                continue;
            }
            let name =
                if word.quote_style.is_some() { word.value.clone() } else { word.value.to_lowercase() };
            let message =
                format!("identifier \"{name}\" will be truncated to \"{}\"", cut_to(&name, NAME_MAX));
            self.report("NOTICE", &SqlError::new(SqlState::new("42622"), message))?;
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        if !self.prepared.is_empty() && super::ddl::shows_prepared(tokens) {
            self.type_prepared();
        }
        if !super::ddl::makes_partition(tokens) {
            self.check_new_partitions()?;
        }
        let done = self.statement_by_its_word(tokens)?;
        self.drop_waiting()?;
        Ok(done)
    }

    fn statement_by_its_word(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        self.budget.work(STATEMENT_STEPS)?;
        let first = match &tokens[0].token {
            Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_lowercase(),
            Token::LParen => "(".to_owned(),
            _ => return Err(self.source.syntax_error_at(&tokens[0])),
        };
        self.has_seen |= !SEEING_NOTHING.contains(&first.as_str());
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
                let of_cursor = if first == "insert" { None } else { self.in_place_of_current(tokens)? };
                let tokens = of_cursor.as_deref().unwrap_or(tokens);
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
                self.keep_for_returning(&parsed, &tokens.tokens)?;
                let done = self.modify(&parsed, tokens.overriding, Vec::new());
                self.before.clear();
                let done = done?;
                if of_cursor.is_some() {
                    // The next one has another row.
                    self.last_bound = None;
                }
                Ok(done)
            }
            "merge" => match self.source.parse(tokens, Parser::parse_statement)? {
                sqlparser::ast::Statement::Merge(merge) if merge.clauses.is_empty() => {
                    Err(self.source.syntax_error_at_end(tokens))
                }
                sqlparser::ast::Statement::Merge(merge) => self.merge(&merge, Vec::new()),
                _ => Err(self.source.syntax_error_at(&tokens[0])),
            },
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
        self.writes += 1;
        if !self.outcome.wrote {
            self.outcome.wrote = true;
            self.connection.prepare_cached("SELECT pg_note_change()")?.query_row([], |_| Ok(()))?;
            self.limit_growth()?;
        }
        Ok(())
    }

    /// Refuses to lock rows in a read-only transaction.
    pub(super) fn require_lock(&self, lock: &ast::LockClause) -> Result<()> {
        self.require_writable(match lock.lock_type {
            ast::LockType::Share => "SELECT FOR SHARE",
            ast::LockType::Update => "SELECT FOR UPDATE",
        })
    }

    /// Refuses a command in a read-only transaction.
    fn require_writable(&self, command: &str) -> Result<()> {
        if self.read_only || self.read_only_block || self.settings.is_read_only() {
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

/// Parses a query, or a statement that changes rows, without running it. Of other statements only what other databases have in
/// them is looked for.
pub(crate) fn check_syntax(source: &Source, tokens: &[TokenWithSpan]) -> Result<()> {
    let Some(first) = tokens.first() else { return Ok(()) };
    source.check_clauses(tokens)?;
    let begins = |words: &[&str]| words.iter().any(|word| is_word(first, word));
    let in_place = tokens.windows(2).any(|pair| is_word(&pair[0], "current") && is_word(&pair[1], "of"));
    let mut readable = tokens.to_vec();
    super::forms::rewrite(&mut readable);
    super::readable::mark_exclusions(&mut readable);
    super::readable::make_readable(&mut readable);
    if begins(&["select", "table", "values", "with"]) || first.token == Token::LParen {
        source.parse(&readable, Parser::parse_query).map(drop)
    } else if begins(&["delete", "insert", "update"]) && !in_place {
        let stripped = super::dml::without_overriding(source, &readable);
        source.parse(&stripped.tokens, Parser::parse_statement).map(drop)
    } else {
        Ok(())
    }
}
