//! Fires triggers: runs their functions with the row before and after a change.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::types::Value;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use super::frame::{Field, Frame, Held, Slot};
use super::run::Wanted;
use super::tree::{Conflict, Fragment, Kind};
use crate::catalog::{Object, Oid, PG_CATALOG, Relation, Routine, Trigger};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::Source;
use crate::types::Type;
use crate::value::array;

/// The places of variables in the frame of a trigger's function.
const FOUND: usize = 0;
const NEW: usize = 1;
const OLD: usize = 2;
const TG_OP: usize = 3;

thread_local! {
    /// The number of triggers that are running inside each other on this thread.
    static DEPTH: Cell<i64> = const { Cell::new(0) };
    /// The depth at which the triggers that fire now were noted, by which their conditions are judged.
    static NOTED: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Runs `call` as the body of one more trigger, or as the change that a foreign key's trigger makes.
pub(crate) fn deeper<T>(call: impl FnOnce() -> T) -> T {
    let (depth, noted) = (DEPTH.get(), NOTED.take());
    DEPTH.set(depth + 1);
    let result = call();
    DEPTH.set(depth);
    NOTED.set(noted);
    result
}

/// Fires triggers that were noted when as many others as `depth` were running.
pub(crate) fn noted_at<T>(depth: i64, fire: impl FnOnce() -> T) -> T {
    let outer = NOTED.replace(Some(depth));
    let result = fire();
    NOTED.set(outer);
    result
}

/// How many triggers are running.
pub(crate) fn depth() -> i64 {
    DEPTH.get()
}

/// A table whose rows change, as its triggers see it.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) relation: Rc<Relation>,
    row_type: Type,
    schema: String,
    /// Whether only triggers fire that are enabled for replicas.
    replica: bool,
    parts: Option<Rc<Parts>>,
    /// The triggers in the order of their names.
    triggers: Rc<[Rc<Trigger>]>,
    /// The variables of the triggers' functions as they are before each call.
    frames: Rc<RefCell<BTreeMap<Oid, Rc<Frame>>>>,
    /// The query of a row by its number.
    pub(crate) row_query: Rc<str>,
}

/// The partitions of a table, as its triggers see them.
#[derive(Clone, Debug)]
struct Parts {
    /// The query of the partition of a row, whose values are the parameters.
    of_row: String,
    /// The triggers of partitions for each row, which fire for rows in them.
    triggers: BTreeMap<Oid, Oid>,
}

/// One firing: the event, and the row before and after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'v> {
    pub(crate) event: &'static str,
    pub(crate) old: Option<&'v [Value]>,
    pub(crate) new: Option<&'v [Value]>,
}

impl Watched {
    /// The triggers of an event in the order of their names. Those of certain columns fire for an `UPDATE` that sets one.
    pub(crate) fn triggers(&self, timing: &str, event: &str, row: bool, set: &[u32]) -> Vec<Rc<Trigger>> {
        let concerned = |trigger: &&Rc<Trigger>| {
            let named =
                |column: &String| self.relation.column(column).is_some_and(|c| set.contains(&c.number));
            event != "UPDATE" || trigger.columns.is_empty() || trigger.columns.iter().any(named)
        };
        let fires = |trigger: &&Rc<Trigger>| {
            trigger.timing == timing
                && trigger.for_each_row == row
                && trigger.fires_in(self.replica)
                && trigger.events.iter().any(|known| known == event)
        };
        self.triggers.iter().filter(fires).filter(concerned).cloned().collect()
    }

    /// Whether what is stored of a row is what was written.
    pub(crate) fn stores_as_written(&self) -> bool {
        self.relation.columns.iter().all(|column| column.generated.is_none())
    }
}

/// The context of an error without the lines about the body as which a rule runs: the last ones.
fn without_rule(context: String) -> String {
    let lines = ["SQL statement \"", "PL/pgSQL function "];
    let start = lines.iter().find_map(|begin| context.rfind(begin)).unwrap_or(context.len());
    context[..start].trim_end().to_owned()
}

/// Declares the rows before and after a change.
fn declare_rows(frame: &mut Frame, relation: &Relation, row_type: Type) {
    for name in ["new", "old"] {
        let fields = relation.columns.iter().map(|column| Field {
            name: column.name.as_str().into(),
            type_: column.type_,
            value: Value::Null,
        });
        let held = Held::Row(Some(fields.collect()));
        frame.declare(Slot { held, absent: true, ..Slot::with(name, row_type, Value::Null) });
    }
}

fn in_order(relation: &Relation) -> Rc<[Rc<Trigger>]> {
    let mut triggers: Vec<Rc<Trigger>> = relation.firing().into_iter().map(Rc::new).collect();
    triggers.sort_by(|a, b| a.name.cmp(&b.name));
    triggers.into()
}

/// Whether a change of rows of `relation` fires a trigger of its own.
pub(crate) fn fires(relation: &Relation, event: &str) -> bool {
    let known =
        |trigger: &Trigger| trigger.enabled != 'D' && trigger.events.iter().any(|known| known == event);
    relation.triggers.iter().any(known)
        || relation.rules.iter().any(|rule| rule.acts() && rule.enabled != 'D' && rule.event == event)
}

/// Whether fields are those of the row that an event does not have.
fn is_missing(fields: &[Field], change: Change<'_>) -> bool {
    let is_null = |value: &Value| *value == Value::Null;
    let row = if change.event == "DELETE" { change.old } else { change.new };
    change.event != "UPDATE"
        && fields.iter().all(|field| is_null(&field.value))
        && row.is_some_and(|row| !row.iter().all(is_null))
}

impl Engine<'_> {
    pub(crate) fn watched(&self, relation: &Relation) -> Watched {
        let mut watched = self.watched_alone(relation);
        if relation.partitioning.is_some() && relation.partition.is_none() {
            self.watch_parts(&mut watched);
        }
        watched
    }

    fn watch_parts(&self, watched: &mut Watched) {
        let mut relation = Relation::clone(&watched.relation);
        let (mut all, mut triggers) = (Vec::new(), BTreeMap::new());
        self.catalog.add_partitions(relation.oid, &mut all);
        for partition in all.iter().filter_map(|oid| self.catalog.relation(*oid)) {
            for trigger in partition.triggers.iter().filter(|trigger| trigger.for_each_row) {
                triggers.insert(trigger.oid, partition.oid);
                relation.triggers.push(trigger.clone());
            }
        }
        if relation.triggers.iter().any(|trigger| trigger.for_each_row)
            && let Ok(of_row) = self.leaf_of_values(&relation)
        {
            watched.parts = Some(Rc::new(Parts { of_row, triggers }));
            watched.triggers = in_order(&relation);
            watched.relation = Rc::new(relation);
        }
    }

    /// The partition that the row of a change is in; for an `UPDATE`, the one that it was in.
    pub(crate) fn part_of(&mut self, watched: &Watched, change: Change<'_>) -> Result<Option<Oid>> {
        let row = if change.event == "UPDATE" { change.old } else { change.new.or(change.old) };
        let (Some(parts), Some(row)) = (&watched.parts, row) else { return Ok(None) };
        let outer = std::mem::replace(&mut self.values, row.to_vec());
        let found = self.fetch(&parts.of_row, 1);
        self.values = outer;
        Ok(match super::fragment::one_value(found?)? {
            Value::Integer(oid) => Oid::try_from(oid).ok(),
            _ => None,
        })
    }

    fn watched_alone(&self, relation: &Relation) -> Watched {
        let columns = relation.columns.iter().map(|column| format!("c{}", column.number));
        let columns = columns.collect::<Vec<_>>().join(", ");
        let row_query = format!("SELECT {columns} FROM {} WHERE rowid = ?1", relation.physical());
        Watched {
            parts: None,
            triggers: in_order(relation),
            frames: Rc::default(),
            row_query: row_query.into(),
            relation: Rc::new(relation.clone()),
            row_type: self.catalog.row_type(relation.oid).unwrap_or(Type::RECORD),
            schema: self.catalog.schema_name(relation.schema).to_owned(),
            replica: self.settings.is_replica(),
        }
    }

    /// Fires triggers for a statement.
    pub(crate) fn fire_for_statement(
        &mut self,
        watched: &Watched,
        timing: &str,
        event: &'static str,
        set: &[u32],
    ) -> Result<()> {
        let change = Change { event, old: None, new: None };
        for trigger in watched.triggers(timing, event, false, set) {
            self.fire(watched, &trigger, change)?;
        }
        Ok(())
    }

    /// Fires one trigger. Returns the row that its function returns; `None` for null, which skips the change of the row.
    pub(crate) fn fire(
        &mut self,
        watched: &Watched,
        trigger: &Trigger,
        change: Change<'_>,
    ) -> Result<Option<Vec<Value>>> {
        let kept = || change.new.or(change.old).map(<[Value]>::to_vec);
        let catalog = self.catalog.clone();
        let rule = watched.relation.rules.iter().find(|rule| rule.oid == trigger.function);
        let builtin = super::builtin_trigger_name(trigger.function);
        let builtin = builtin.map(|name| Routine::new(PG_CATALOG, name.to_owned(), String::new()));
        let own = rule.map(|rule| rule.routine(&watched.relation)).or(builtin);
        let routine = match (&own, catalog.objects.get(&trigger.function)) {
            (Some(routine), _) | (None, Some(Object::Routine(routine))) => routine,
            _ => return Ok(kept()),
        };
        let tables = self.transition_tables(watched, trigger, change.event);
        let outer = std::mem::replace(&mut self.transition, tables);
        let fired = self.fire_routine(watched, trigger, routine, change);
        self.transition = outer;
        match rule {
            Some(_) => fired.map_err(|error| error.with_context(without_rule)),
            None => fired,
        }
    }

    /// Runs the function of an event trigger.
    pub(crate) fn fire_event_function(
        &mut self,
        (function, routine): (Oid, &Routine),
        event: &str,
        tag: &str,
    ) -> Result<()> {
        if routine.language != "plpgsql" {
            let language = &routine.language;
            return Err(SqlError::unsupported(format!("an event trigger function in language {language}")));
        }
        let mut frame = Frame::default();
        frame.enter(Some(routine.name.clone()));
        let found = frame.declare(Slot::with("found", Type::BOOL, 0_i64));
        for (name, text) in [("tg_event", event), ("tg_tag", tag)] {
            frame.declare(Slot::with(name, Type::TEXT, text.to_owned()));
        }
        let defining = std::mem::replace(&mut self.defining, false);
        let outer = self.at_hand.replace(function);
        let done = self.inside_routine(routine, |engine| {
            let body = engine.body(routine)?;
            engine.run_body(&body, frame, (Wanted::Nothing, false, Vec::new(), found))
        });
        self.at_hand = outer;
        self.defining = defining;
        done.map(drop)
    }

    fn fire_routine(
        &mut self,
        watched: &Watched,
        trigger: &Trigger,
        routine: &Routine,
        change: Change<'_>,
    ) -> Result<Option<Vec<Value>>> {
        let kept = || change.new.or(change.old).map(<[Value]>::to_vec);
        let part = if trigger.for_each_row { self.part_of(watched, change)? } else { None };
        let catalog = self.catalog.clone();
        let part = part.and_then(|part| catalog.relation(part));
        let only = watched.parts.as_ref().and_then(|parts| parts.triggers.get(&trigger.oid));
        if only.is_some_and(|only| !part.is_some_and(|part| catalog.is_within(part, *only))) {
            return Ok(kept());
        }
        // A trigger of a partitioned table fires for the partition of the row.
        let of_part = part.map(|part| Watched {
            relation: Rc::new(Relation {
                oid: part.oid,
                name: part.name.clone(),
                ..Relation::clone(&watched.relation)
            }),
            schema: catalog.schema_name(part.schema).to_owned(),
            frames: Rc::default(),
            ..watched.clone()
        });
        let watched = of_part.as_ref().unwrap_or(watched);
        if let Some(condition) = &trigger.condition {
            let (frame, _) = self.frame_of_trigger(watched, trigger, routine, change);
            let depth = DEPTH.get();
            DEPTH.set(NOTED.get().unwrap_or(depth));
            let holds = self.condition_holds(condition, frame, trigger);
            DEPTH.set(depth);
            if !holds? {
                return Ok(kept());
            }
        }
        if routine.body.contains(crate::ddl::MODDATETIME_BODY) {
            return self.moddatetime(watched, trigger, change);
        }
        if super::builtin_trigger_name(trigger.function).is_some() {
            return self.run_builtin_trigger(watched, trigger, change);
        }
        if routine.language != "plpgsql" {
            return Err(SqlError::unsupported(format!(
                "a trigger function in language {}",
                routine.language
            )));
        }
        let (frame, found) = self.frame_of_trigger(watched, trigger, routine, change);
        let wanted = Wanted::Trigger(trigger.for_each_row.then(|| watched.relation.clone()));
        let outer = self.at_hand.replace(trigger.function);
        let done = deeper(|| {
            self.inside_routine(routine, |engine| {
                let body = engine.body(routine)?;
                engine.run_body(&body, frame, (wanted, false, Vec::new(), found))
            })
        });
        self.at_hand = outer;
        let (result, _) = done?;
        match result {
            // There is no new row for a `DELETE`, and no old one for an `INSERT`.
            Some(Held::Row(Some(fields))) if is_missing(&fields, change) => Ok(None),
            Some(Held::Row(Some(fields))) => Ok(Some(fields.into_iter().map(|field| field.value).collect())),
            _ => Ok(None),
        }
    }

    /// The variables of a trigger's function, and the number of `found`.
    fn frame_of_trigger(
        &self,
        watched: &Watched,
        trigger: &Trigger,
        routine: &Routine,
        change: Change<'_>,
    ) -> (Frame, usize) {
        let known = watched.frames.borrow().get(&trigger.oid).cloned();
        let blank = known.unwrap_or_else(|| {
            let blank = Rc::new(self.blank_frame(watched, trigger, routine));
            watched.frames.borrow_mut().insert(trigger.oid, blank.clone());
            blank
        });
        let mut frame = Frame::clone(&blank);
        for (slot, row) in [(NEW, change.new), (OLD, change.old)] {
            frame.slots[slot].absent = row.is_none();
            let (Some(row), Held::Row(Some(fields))) = (row, &mut frame.slots[slot].held) else { continue };
            fields.iter_mut().zip(row).for_each(|(field, value)| field.value.clone_from(value));
        }
        frame.slots[TG_OP].held = Held::Value(Value::Text(change.event.to_owned()));
        (frame, FOUND)
    }

    /// The variables of a trigger's function before there is a change.
    fn blank_frame(&self, watched: &Watched, trigger: &Trigger, routine: &Routine) -> Frame {
        let mut frame = Frame::default();
        frame.enter(Some(routine.name.clone()));
        frame.declare(Slot::with("found", Type::BOOL, 0_i64));
        declare_rows(&mut frame, &watched.relation, watched.row_type);
        let level = if trigger.for_each_row { "ROW" } else { "STATEMENT" };
        let texts = [
            ("tg_op", ""),
            ("tg_name", trigger.name.as_str()),
            ("tg_when", trigger.timing.as_str()),
            ("tg_level", level),
            ("tg_relname", watched.relation.name.as_str()),
            ("tg_table_name", watched.relation.name.as_str()),
            ("tg_table_schema", watched.schema.as_str()),
        ];
        for (name, text) in texts {
            frame.declare(Slot::with(name, Type::TEXT, text.to_owned()));
        }
        frame.declare(Slot::with("tg_relid", Type::OID, i64::from(watched.relation.oid)));
        frame.declare(Slot::with("tg_nargs", Type::INT4, trigger.arguments.len() as i64));
        let arguments = array::of(trigger.arguments.iter().map(|argument| argument.clone().into()).collect());
        let texts = Type::TEXT.array().unwrap_or(Type::TEXT);
        frame.declare(Slot::with("tg_argv", texts, arguments));
        frame
    }

    /// The variables of a rule's command.
    pub(crate) fn frame_of_rows(&self, relation: &Relation) -> Frame {
        let mut frame = Frame::default();
        frame.conflict = Conflict::Column;
        frame.enter(None);
        let row_type = self.catalog.row_type(relation.oid).unwrap_or(Type::RECORD);
        declare_rows(&mut frame, relation, row_type);
        frame
    }

    /// The condition after `WHEN`.
    fn condition_holds(&mut self, condition: &str, mut frame: Frame, trigger: &Trigger) -> Result<bool> {
        let source = Rc::new(Source::stored(condition));
        let word = Word { value: "SELECT".to_owned(), quote_style: None, keyword: Keyword::SELECT };
        let mut tokens = vec![TokenWithSpan { token: Token::Word(word), span: Span::empty() }];
        tokens.extend(source.tokens()?);
        // Bodies are identified by addresses, which are never as small as this number.
        frame.body = trigger.oid as usize;
        let outer_source = std::mem::replace(&mut self.source, source);
        let outer_frame = self.frame.replace(Rc::new(RefCell::new(frame)));
        let value = self.evaluate(&Fragment { at: 0, tokens, kind: Kind::Expression }, Type::BOOL.plain());
        self.source = outer_source;
        self.frame = outer_frame;
        Ok(value.map_err(SqlError::nowhere)? == Value::Integer(1))
    }

    /// Sets the column that the trigger names to the present time.
    fn moddatetime(
        &mut self,
        watched: &Watched,
        trigger: &Trigger,
        change: Change<'_>,
    ) -> Result<Option<Vec<Value>>> {
        let name = trigger.arguments.first().cloned().unwrap_or_default();
        let at = watched.relation.columns.iter().position(|column| column.name == name);
        let (Some(at), Some(new)) = (at, change.new) else {
            let message = format!("\"{}\" has no attribute \"{name}\"", watched.relation.name);
            return Err(SqlError::new(SqlState::new("09000"), message));
        };
        let now = self.fetch("SELECT pg_now()", 1)?;
        let now = super::fragment::one_value(now)?;
        let type_ = watched.relation.columns[at].type_;
        let mut new = new.to_vec();
        new[at] = self.convert(now, Type::TIMESTAMPTZ.plain(), type_)?;
        Ok(Some(new))
    }
}
