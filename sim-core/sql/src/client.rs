//! Calls of a client that has a connection: its settings stay between calls, and results are as its protocol sends them.
//!
//! A call runs one statement. Who holds the connection also holds the state of its transaction: see [`Kind`].

mod copy;
mod cursors;
mod placeholders;
mod sequences;
mod statements;
mod stored;

use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::types::{Value, ValueRef};
use serde::{Deserialize, Serialize};

pub use self::sequences::{Sequences, keep_sequences, sequences};
use self::stored::Stored;
use crate::cursors::Portals;
use crate::ddl::Shape;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned, Session, in_call};
use crate::security::session::Kept;
use crate::types::Type;
use crate::value;

pub use self::copy::{Copying, copy_from, copy_of, copy_to};
pub use self::cursors::{CursorRows, WantedRows};
pub(crate) use self::placeholders::Placeholders;
pub use self::statements::{Kind, Statement, statements};
pub use crate::notice::Notice;

/// What stays between the calls of one connection. The default is that of a new one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientState {
    settings: Option<Stored>,
    /// What to return to at the end of the transaction: those at its beginning, and those that outlive it.
    kept: Option<(Stored, Stored)>,
    /// The texts of `PREPARE`, by the names that they give.
    prepared: BTreeMap<String, String>,
    /// The columns of their rows.
    shapes: BTreeMap<String, Shape>,
    /// The name that the schema of its temporary objects has between its statements.
    temporary: Option<String>,
    /// What it has drawn from sequences, for `currval` and `lastval`.
    drawn: Option<String>,
    /// What the last statement reported before it failed.
    #[serde(skip)]
    reported: Vec<Notice>,
    /// Its open cursors.
    #[serde(skip_serializing_if = "Portals::is_untouched")]
    cursors: Portals,
}

impl ClientState {
    /// Takes what the last statement reported before it failed.
    pub fn take_reported(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.reported)
    }

    /// The modes of its transaction, as `BEGIN` takes them.
    pub fn modes(&self) -> String {
        let settings = self.settings.as_ref().map(Stored::settings);
        settings.map_or_else(String::new, |settings| {
            crate::run::transaction::written_modes(&crate::run::transaction::modes_of(&settings))
        })
    }

    /// This state, to which a client returns from `later`. Parameters of the client's own stay known, with empty values.
    #[must_use]
    pub fn returning_from(&self, later: &ClientState) -> ClientState {
        let cursors = self.cursors.returning_from(&later.cursors);
        let read = |drawn: &Option<String>| -> crate::state::Session {
            drawn.as_deref().and_then(|drawn| serde_json::from_str(drawn).ok()).unwrap_or_default()
        };
        let drawn = read(&later.drawn).with_transaction_of(&read(&self.drawn));
        let drawn = if drawn.is_empty() { None } else { serde_json::to_string(&drawn).ok() };
        let mut state = ClientState { drawn, cursors, ..self.clone() };
        let (Some(settings), Some(known)) = (&mut state.settings, &later.settings) else {
            return state;
        };
        *settings = Stored::of(&settings.settings().knowing(&known.settings()));
        state
    }
}

/// The value of a parameter, as text, and the identifier of its type; 0 if the client has declared none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The value; `None` is null.
    pub value: Option<String>,
    /// The identifier of its type.
    pub type_oid: u32,
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientColumn {
    /// Its name.
    pub name: String,
    /// The identifier of its type.
    pub type_oid: u32,
    /// The size of its type in bytes; -1 if it varies.
    pub length: i16,
    /// The modifier of its type; -1 if there is none.
    pub modifier: i32,
}

/// The result of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The command tag: `INSERT 0 1`.
    pub tag: String,
    /// The columns of its rows; `None` if it is a statement without rows.
    pub columns: Option<Vec<ClientColumn>>,
    /// Its rows, as texts.
    pub rows: Vec<Vec<Option<String>>>,
    /// Whether anything may have changed.
    pub wrote: bool,
    /// What the statement reported.
    pub notices: Vec<Notice>,
    /// Whether the rows are those of a cursor that was declared to be binary.
    pub binary: bool,
    /// What the client gets by `NOTIFY`: channels and texts.
    pub notifications: Vec<(String, String)>,
}

/// What a statement takes and returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The types of its parameters.
    pub parameters: Vec<u32>,
    /// Its columns; `None` if it returns no rows.
    pub columns: Option<Vec<ClientColumn>>,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Whether it is in a transaction block.
    pub open: bool,
    /// Whether that is read-only.
    pub read_only: bool,
}

/// Runs one statement of a client.
///
/// An error undoes it, and tells its position in the text.
pub fn run_for_client(
    session: &mut Session<'_>,
    state: &mut ClientState,
    block: Block,
    text: &str,
    parameters: &[Parameter],
) -> Result<Reply> {
    let mut known = Rc::default();
    let done = in_call(session, text, |mut engine| {
        known = engine.known.clone();
        engine.begin_for_client(state, block)?;
        engine.placeholders = Some(Placeholders::given(&engine.catalog, parameters));
        engine.parameters = parameters.iter().map(|parameter| parameter.value.clone()).collect();
        engine.run_one(state)
    });
    state.reported = known.notices.take();
    if done.is_err() {
        state.cursors.want(known.cursors.borrow_mut().take_wanted());
    }
    done
}

/// Drops the temporary objects of a client that goes.
pub fn end_of_client(session: &mut Session<'_>, state: &ClientState) -> Result<()> {
    if state.temporary.is_none() {
        return Ok(());
    }
    in_call(session, "", |mut engine| {
        engine.begin_for_client(state, Block::default())?;
        engine.drop_temporary()
    })
}

/// Finds out what a statement takes and returns, without running it.
pub fn describe_for_client(
    session: &mut Session<'_>,
    state: &ClientState,
    block: Block,
    text: &str,
    types: &[u32],
) -> Result<Description> {
    let mut state = state.clone();
    // An error ends the call's savepoint, so what binding has changed is undone in either case.
    let mut found = None;
    let done = in_call(session, text, |mut engine| {
        engine.begin_for_client(&state, block)?;
        let source = engine.source.clone();
        let statements = source.statements()?;
        let count = statements.iter().flatten().filter_map(crate::ddl::parameter_number).max().unwrap_or(0);
        let placeholders = Placeholders::asked(&engine.catalog, types, count.max(types.len()));
        engine.placeholders = Some(placeholders.clone());
        engine.parameters = vec![None; count.max(types.len())];
        let columns = match &statements[..] {
            [] => None,
            [tokens] if statements::is_described(tokens) => {
                engine.prepare_again(&state, tokens)?;
                let returned = engine.statement(tokens)?.returned;
                returned.map(|returned| engine.client_columns(&returned))
            }
            [_] => None,
            _ => return Err(crate::run::several_with_values()),
        };
        state.settings = None;
        found = Some(Description { parameters: placeholders.types(), columns });
        Err::<Reply, _>(SqlError::new(SqlState::SUCCESSFUL_COMPLETION, ""))
    });
    found.map_or_else(|| Err(done.err().unwrap_or_else(|| SqlError::unsupported("this statement"))), Ok)
}

impl Engine<'_> {
    fn begin_for_client(&mut self, state: &ClientState, block: Block) -> Result<()> {
        if let Some(name) = &state.temporary {
            self.take_temporary(name);
            self.away = Some(name.as_str().into());
        }
        if let Some(drawn) = &state.drawn {
            self.connection.query_row("SELECT pg_resume(?1)", [drawn], |_| Ok(()))?;
        }
        if let Some(settings) = &state.settings {
            let opened = std::mem::replace(&mut self.settings, settings.settings());
            let read_only = opened.values.iter().filter(|(name, _)| name.ends_with("transaction_read_only"));
            let read_only = read_only.map(|(name, value)| (name.clone(), value.clone()));
            Rc::make_mut(&mut self.settings.values).extend(read_only);
            self.tell_role()?;
        }
        let kept = state.kept.as_ref();
        self.kept = kept.map(|(begun, lasting)| Box::new(Kept::again(begun.settings(), lasting.settings())));
        self.enter_block(block.open, block.read_only);
        self.known.cursors.borrow_mut().clone_from(&state.cursors);
        Ok(())
    }

    /// Repeats the definitions of prepared statements, for a statement that may name one. Returns whether it is such a statement.
    fn prepare_again(
        &mut self,
        state: &ClientState,
        tokens: &[sqlparser::tokenizer::TokenWithSpan],
    ) -> Result<bool> {
        // The last two run bodies, which may name one.
        let names = ["execute", "prepare", "deallocate", "explain", "discard", "do", "call"];
        let fills = |pair: &[sqlparser::tokenizer::TokenWithSpan]| {
            crate::source::is_word(&pair[0], "as") && crate::source::is_word(&pair[1], "execute")
        };
        let is_filled = crate::source::is_word(&tokens[0], "create") && tokens.windows(2).any(fills);
        if !crate::ddl::shows_prepared(tokens)
            && !is_filled
            && !names.iter().any(|word| crate::source::is_word(&tokens[0], word))
        {
            return Ok(false);
        }
        let own = self.source.clone();
        let mut all = state.prepared.iter();
        let done = all.try_for_each(|(name, text)| self.prepare_text(text, state.shapes.get(name)));
        self.source = own;
        match done {
            // A body need not name a statement that can't be prepared any more.
            Err(_) if ["do", "call"].iter().any(|word| crate::source::is_word(&tokens[0], word)) => Ok(false),
            done => done.map(|()| true),
        }
    }

    fn prepare_text(&mut self, text: &str, shape: Option<&Shape>) -> Result<()> {
        self.source = Rc::new(crate::source::Source::sent(text));
        let statements = self.source.statements()?;
        let mut prepares = statements.iter().filter(|tokens| crate::source::is_word(&tokens[0], "prepare"));
        prepares.try_for_each(|tokens| self.prepare_unchecked(tokens, shape))
    }

    fn run_one(mut self, state: &mut ClientState) -> Result<Reply> {
        let source = self.source.clone();
        let statements = source.statements()?;
        self.alone = true;
        let tokens = match &statements[..] {
            [] => return Ok(Reply::default()),
            [tokens] => tokens,
            _ => return Err(crate::run::several_with_values()),
        };
        let names_prepared = self.prepare_again(state, tokens)?;
        let done = self.statement(tokens)?;
        self.check_new_partitions()?;
        if !self.in_block {
            self.check_deferred()?;
        }
        if !self.in_block {
            self.commit_temporary()?;
        }
        state.temporary = self.put_temporary_away()?;
        if !self.in_block {
            self.end_transaction(true)?;
            self.known.cursors.borrow_mut().commit();
        }
        let mut reply = self.reply(done)?;
        if !self.in_block {
            let told: String =
                self.connection.query_row("SELECT pg_take_notified()", [], |row| row.get(0))?;
            reply.notifications = serde_json::from_str(&told).unwrap_or_default();
        }
        state.drawn = self.connection.query_row("SELECT pg_drawn()", [], |row| row.get(0))?;
        if names_prepared {
            let texts =
                self.prepared.iter().map(|(name, prepared)| (name.clone(), prepared.text().to_owned()));
            state.prepared = texts.collect();
            let shapes = self
                .prepared
                .iter()
                .filter_map(|(name, prepared)| prepared.shape().map(|shape| (name.clone(), shape.clone())));
            state.shapes = shapes.collect();
        }
        state.settings = Some(Stored::of(&self.settings));
        state.kept = self.kept.as_deref().map(|kept| {
            let (begun, lasting) = kept.outer();
            (Stored::of(begun), Stored::of(lasting))
        });
        state.cursors.clone_from(&self.known.cursors.borrow());
        self.catalog.keep();
        Ok(reply)
    }

    fn client_columns(&self, returned: &Returned) -> Vec<ClientColumn> {
        let column = |column: &crate::tree::Output| {
            let shown = match self.catalog.named_base(column.type_.base) {
                Type::UNKNOWN | Type::AS_TEXT | Type::AS_OUTPUT => Type::TEXT,
                other => other,
            };
            let length = match shown.builtin() {
                Some(builtin) => builtin.length,
                None if self.catalog.labels(shown).is_some() => 4,
                None => -1,
            };
            let modifier = column.type_.modifier;
            ClientColumn { name: column.name.clone(), type_oid: shown.0, length, modifier }
        };
        returned.columns.iter().map(column).collect()
    }

    fn reply(&self, done: Done) -> Result<Reply> {
        let notices = std::mem::take(&mut *self.known.notices.borrow_mut());
        let wrote = self.has_written();
        let Some(returned) = done.returned else {
            return Ok(Reply { tag: done.tag, wrote, notices, ..Reply::default() });
        };
        let bases: Vec<Type> =
            returned.columns.iter().map(|column| self.catalog.base_type(column.type_.base)).collect();
        let shown = |(base, value): (&Type, &Value)| match value {
            Value::Null => None,
            value => {
                let shown = self.settings.shown_instant(*base, value);
                Some(value::print(*base, ValueRef::from(shown.as_ref().unwrap_or(value))))
            }
        };
        let rows = returned.rows.iter().map(|row| bases.iter().zip(row).map(shown).collect()).collect();
        let columns = Some(self.client_columns(&returned));
        let binary = done.tag.starts_with("FETCH") && self.known.cursors.borrow().is_binary;
        Ok(Reply { tag: done.tag, columns, rows, wrote, notices, binary, ..Reply::default() })
    }
}
