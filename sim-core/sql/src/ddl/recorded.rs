//! Objects of which the engine only keeps the definition: wrappers, servers and user mappings of foreign data, event triggers,
//! statistics.

use super::cursor::Cursor;
use crate::catalog::{Object, Oid, OwnCast, OwnOperator, Recorded, RecordedKind, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// The words of the kinds that have names.
const KINDS: [(&str, RecordedKind); 5] = [
    ("foreign data wrapper", RecordedKind::Wrapper),
    ("server", RecordedKind::Server),
    ("event trigger", RecordedKind::EventTrigger),
    ("statistics", RecordedKind::Statistics),
    ("collation", RecordedKind::Collation),
];

/// Reads the word of an operator, unless a class or a family of them is meant.
fn is_operator(cursor: &mut Cursor<'_>) -> bool {
    let other = cursor.is_at(1, "class") || cursor.is_at(1, "family");
    !other && cursor.word("operator")
}

impl Engine<'_> {
    /// Creates a recorded object, a foreign table or a rule if that is what the statement is about.
    pub(super) fn create_recorded(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Option<Done>> {
        let done = if cursor.words("foreign data wrapper") {
            self.create_wrapper(cursor)?
        } else if cursor.words("foreign table") {
            self.create_foreign_table(cursor)?
        } else if cursor.word("server") {
            self.create_server(cursor)?
        } else if cursor.words("user mapping") {
            self.create_mapping(cursor)?
        } else if cursor.words("event trigger") {
            self.create_event_trigger(cursor)?
        } else if cursor.word("statistics") {
            self.create_statistics(cursor)?
        } else if cursor.word("collation") {
            self.create_collation(cursor)?
        } else if cursor.word("cast") {
            self.create_cast(cursor)?
        } else if is_operator(cursor) {
            self.create_operator(cursor)?
        } else if cursor.word("rule") {
            self.create_rule(cursor, replace)?
        } else {
            return Ok(None);
        };
        Ok(Some(done))
    }

    /// `ALTER` of one.
    pub(super) fn alter_recorded(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Done>> {
        if cursor.words("user mapping") {
            return self.alter_mapping(cursor).map(Some);
        }
        if cursor.words("foreign table") {
            return self.alter_foreign_table(cursor).map(Some);
        }
        if cursor.word("rule") {
            return self.alter_rule(cursor).map(Some);
        }
        if is_operator(cursor) {
            return self.alter_operator(cursor).map(Some);
        }
        let Some((words, kind)) = KINDS.into_iter().find(|(words, _)| cursor.words(words)) else {
            return Ok(None);
        };
        let name = cursor.name()?;
        let oid = self.find_recorded(kind, (name.0.as_deref(), &name.1))?;
        self.require_object_owner(oid)?;
        if cursor.words("rename to") {
            let to = cursor.ident()?;
            self.refuse_recorded(kind, &to)?;
            if kind == RecordedKind::Collation {
                self.require_unwritten(&name.1)?;
                self.rename_in_indexes(&name.1, &to);
            }
            if let Some(Object::Recorded(recorded)) = self.catalog_mut().objects.get_mut(&oid) {
                recorded.name = to;
            }
        } else if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
        } else if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            if let Some(Object::Recorded(recorded)) = self.catalog_mut().objects.get_mut(&oid) {
                recorded.schema = Some(schema);
            }
        } else if kind == RecordedKind::Collation {
            cursor.expect_word("refresh")?;
            cursor.expect_word("version")?;
        } else if kind == RecordedKind::EventTrigger {
            self.alter_event_trigger(cursor, oid)?;
        } else if kind == RecordedKind::Statistics {
            cursor.expect_word("set")?;
            cursor.expect_word("statistics")?;
            cursor.integer()?;
        } else {
            self.alter_foreign(cursor, oid)?;
        }
        cursor.finish()?;
        Ok(Some(Done::command(format!("ALTER {}", words.to_uppercase()))))
    }

    /// `DROP` of one.
    pub(super) fn drop_recorded(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Done>> {
        if cursor.words("user mapping") {
            return self.drop_mapping(cursor).map(Some);
        }
        if cursor.word("rule") {
            return self.drop_rule(cursor).map(Some);
        }
        let Some((words, kind)) = KINDS.into_iter().find(|(words, _)| cursor.words(words)) else {
            return Ok(None);
        };
        let skips = cursor.is("if");
        self.drop_listed(cursor, |engine, cursor| {
            let name = cursor.name()?;
            let found = engine.find_recorded(kind, (name.0.as_deref(), &name.1));
            // A notice says less than an error of a collation.
            Ok(found.map_err(|error| match skips {
                _ if error.code == SqlState::INSUFFICIENT_PRIVILEGE => {
                    let name = quote_identifier(&name.1);
                    let message =
                        format!("cannot drop collation {name} because it is required by the database system");
                    SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                }
                true => SqlError::new(error.code, error.message.replace(" for encoding \"UTF8\"", "")),
                false => error,
            }))
        })?;
        Ok(Some(Done::command(format!("DROP {}", words.to_uppercase()))))
    }

    /// The comment of one, if a statement is about that.
    pub(super) fn recorded_for_comment(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Oid>> {
        if is_operator(cursor) {
            return self.operator_named(cursor, false)?.map(Some);
        }
        if cursor.word("cast") {
            return self.cast_named(cursor)?.map(Some);
        }
        let Some((_, kind)) = KINDS.into_iter().find(|(words, _)| cursor.words(words)) else {
            return Ok(None);
        };
        let name = cursor.name()?;
        self.find_recorded(kind, (name.0.as_deref(), &name.1)).map(Some)
    }

    /// A recorded object by name.
    pub(super) fn find_recorded(
        &self,
        kind: RecordedKind,
        (schema, name): (Option<&str>, &str),
    ) -> Result<Oid> {
        if kind == RecordedKind::Collation {
            return self.find_collation((schema, name));
        }
        let within = schema.map(|schema| self.catalog.schema_named(schema));
        let mut known = self.catalog.recorded(kind);
        let found =
            known.find(|(_, known)| known.name == name && within.is_none_or(|schema| known.schema == schema));
        let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
        found.map(|(oid, _)| oid).ok_or_else(|| {
            let message = format!("{} \"{shown}\" does not exist", kind.word());
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })
    }

    /// Refuses a name that another object of the kind has.
    pub(super) fn refuse_recorded(&self, kind: RecordedKind, name: &str) -> Result<()> {
        if !self.catalog.recorded(kind).any(|(_, known)| known.name == name) {
            return Ok(());
        }
        let message = format!("{} \"{name}\" already exists", kind.word());
        Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message))
    }

    pub(super) fn new_recorded(&self, kind: RecordedKind, name: String) -> Recorded {
        Recorded {
            kind,
            name,
            schema: None,
            owner: self.settings.role.to_string(),
            of: None,
            options: Vec::new(),
            words: Default::default(),
            comment: None,
        }
    }

    pub(super) fn record(&mut self, recorded: Recorded) {
        let oid = self.new_oid();
        self.catalog_mut().objects.insert(oid, Object::Recorded(recorded));
    }

    /// Its description in messages.
    pub(super) fn name_of_recorded(&self, recorded: &Recorded) -> String {
        let word = recorded.kind.word();
        if recorded.kind == RecordedKind::Mapping {
            let server = recorded.of.and_then(|server| self.catalog.objects.get(&server));
            let server = if let Some(Object::Recorded(server)) = server { &server.name } else { "" };
            return format!("{word} for {} on server {server}", recorded.name);
        }
        if let Some(cast) = OwnCast::of(recorded) {
            let [from, to] = [cast.source, cast.target].map(|type_| self.catalog.type_name(type_, -1));
            return format!("cast from {from} to {to}");
        }
        if let Some(operator) = OwnOperator::of(0, recorded) {
            let left = operator.left.map_or_else(|| "NONE".into(), |type_| self.catalog.type_name(type_, -1));
            let right = self.catalog.type_name(operator.right, -1);
            return format!("operator {}({left},{right})", self.shown_operator(&operator));
        }
        match recorded.schema {
            Some(schema) => format!("{word} {}", self.catalog.qualified(schema, &recorded.name)),
            None => format!("{word} {}", quote_identifier(&recorded.name)),
        }
    }
}
