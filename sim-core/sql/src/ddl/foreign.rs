//! Foreign data: wrappers, servers, user mappings and foreign tables. They are kept with all their options. Nothing is behind
//! them, so a query of a foreign table is refused.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::dependents::What;
use super::names::relation_taken;
use super::privilege::denied;
use crate::catalog::{Catalog, Foreign, ForeignOptions, Object, Oid, RecordedKind, Relation, RelationKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// Reads `OPTIONS (…)`, if it is there.
pub(super) fn options(cursor: &mut Cursor<'_>) -> Result<ForeignOptions> {
    let mut options = ForeignOptions::new();
    let bracket = cursor.tokens.get(cursor.at + 1).is_some_and(|token| token.token == Token::LParen);
    if !cursor.is("options") || !bracket {
        return Ok(options);
    }
    cursor.at += 2;
    let given = cursor.list(|cursor| Ok((cursor.ident()?, cursor.string()?)))?;
    cursor.expect(&Token::RParen)?;
    for (name, value) in given {
        if options.iter().any(|(known, _)| *known == name) {
            return Err(given_twice(&name));
        }
        options.push((name, value));
    }
    Ok(options)
}

/// Reads `OPTIONS (SET …, ADD …, DROP …)` and applies it.
fn change_options(cursor: &mut Cursor<'_>, options: &mut ForeignOptions) -> Result<bool> {
    if !cursor.word("options") {
        return Ok(false);
    }
    cursor.expect(&Token::LParen)?;
    loop {
        let verb = ["set", "add", "drop"].into_iter().find(|verb| {
            cursor.is(verb)
                && !matches!(
                    cursor.tokens.get(cursor.at + 1).map(|t| &t.token),
                    Some(Token::SingleQuotedString(_))
                )
        });
        cursor.at += usize::from(verb.is_some());
        let name = cursor.ident()?;
        let at = options.iter().position(|(known, _)| *known == name);
        let missing = || SqlError::new(SqlState::UNDEFINED_OBJECT, format!("option \"{name}\" not found"));
        match verb {
            Some("drop") => drop(options.remove(at.ok_or_else(missing)?)),
            Some("set") => options[at.ok_or_else(missing)?].1 = cursor.string()?,
            _ if at.is_some() => return Err(given_twice(&name)),
            _ => {
                let value = cursor.string()?;
                options.push((name, value));
            }
        }
        if !cursor.token(&Token::Comma) {
            cursor.expect(&Token::RParen)?;
            return Ok(true);
        }
    }
}

fn given_twice(name: &str) -> SqlError {
    SqlError::new(SqlState::DUPLICATE_OBJECT, format!("option \"{name}\" provided more than once"))
}

impl Catalog {
    /// The refusal of a statement that reads or changes a foreign table.
    pub(crate) fn unreachable(&self, relation: &Relation) -> SqlError {
        let of = |oid: Option<Oid>| match oid.and_then(|oid| self.objects.get(&oid)) {
            Some(Object::Recorded(recorded)) => Some(recorded),
            _ => None,
        };
        let server = of(relation.foreign.as_ref().map(|far| far.server));
        let wrapper = of(server.and_then(|server| server.of));
        match wrapper.filter(|wrapper| !wrapper.words.contains_key("handler")) {
            Some(wrapper) => no_handler(&wrapper.name),
            None => {
                let server = server.map_or("", |server| &server.name);
                let table = &relation.name;
                SqlError::unsupported(format!(
                    "reaching the server \"{server}\" of the foreign table {table}"
                ))
            }
        }
    }
}

fn no_handler(wrapper: &str) -> SqlError {
    let message = format!("foreign-data wrapper \"{wrapper}\" has no handler");
    SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message)
}

impl Engine<'_> {
    pub(super) fn create_wrapper(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        if !self.catalog.is_exempt(&self.settings.role) {
            let message = format!("permission denied to create foreign-data wrapper \"{name}\"");
            return Err(denied(message).hint("Must be superuser to create a foreign-data wrapper."));
        }
        self.refuse_recorded(RecordedKind::Wrapper, &name)?;
        let mut wrapper = self.new_recorded(RecordedKind::Wrapper, name);
        while let Some((word, function)) = self.wrapper_function(cursor)? {
            wrapper.words.extend(function.map(|function| (word.to_owned(), function)));
        }
        wrapper.options = options(cursor)?;
        cursor.finish()?;
        self.record(wrapper);
        Ok(Done::command("CREATE FOREIGN DATA WRAPPER"))
    }

    /// Reads the handler or the validator of a wrapper; `None` in the pair for `NO HANDLER`.
    fn wrapper_function(&self, cursor: &mut Cursor<'_>) -> Result<Option<(&'static str, Option<String>)>> {
        for (word, without) in [("handler", "no handler"), ("validator", "no validator")] {
            if cursor.words(without) {
                return Ok(Some((word, None)));
            }
            if cursor.word(word) {
                let (schema, name) = cursor.name()?;
                // The extension has a handler for each kind of service; which ones depends on its version.
                let wrappers = self.catalog.has_extension("wrappers");
                if !wrappers && !self.catalog.routines().any(|(_, known)| known.name == name) {
                    let arguments = if word == "handler" { "" } else { "text[], oid" };
                    let message = format!("function {name}({arguments}) does not exist");
                    return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message));
                }
                let name = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
                return Ok(Some((word, Some(name))));
            }
        }
        Ok(None)
    }

    pub(super) fn create_server(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let name = cursor.ident()?;
        let mut server = self.new_recorded(RecordedKind::Server, name.clone());
        for word in ["type", "version"] {
            if cursor.word(word) {
                server.words.insert(word.to_owned(), cursor.string()?);
            }
        }
        if !cursor.words("foreign data wrapper") {
            return Err(cursor.unexpected());
        }
        let wrapper = cursor.ident()?;
        server.options = options(cursor)?;
        cursor.finish()?;
        if let Err(error) = self.refuse_recorded(RecordedKind::Server, &name) {
            return self.skip_all(if_not_exists, error, "CREATE SERVER");
        }
        server.of = Some(self.find_recorded(RecordedKind::Wrapper, (None, &wrapper))?);
        self.record(server);
        Ok(Done::command("CREATE SERVER"))
    }

    /// Changes what wrappers and servers have.
    pub(super) fn alter_foreign(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let Some(Object::Recorded(mut changed)) = self.catalog.objects.get(&oid).cloned() else {
            return Ok(());
        };
        let start = cursor.at;
        if changed.kind == RecordedKind::Wrapper {
            while let Some((word, function)) = self.wrapper_function(cursor)? {
                changed.words.remove(word);
                changed.words.extend(function.map(|function| (word.to_owned(), function)));
            }
        } else if cursor.word("version") {
            changed.words.insert("version".to_owned(), cursor.string()?);
        }
        if !change_options(cursor, &mut changed.options)? && cursor.at == start {
            return Err(cursor.unexpected());
        }
        self.catalog_mut().objects.insert(oid, Object::Recorded(changed));
        Ok(())
    }

    /// Reads `FOR role SERVER name`.
    fn mapped(&self, cursor: &mut Cursor<'_>) -> Result<(String, String)> {
        cursor.expect_word("for")?;
        let role = match cursor.ident()? {
            word if ["current_user", "current_role", "user"].contains(&word.as_str()) => {
                self.settings.role.to_string()
            }
            word if word == "session_user" => self.settings.session_role.to_string(),
            role if role == "public" || self.catalog.role(&role).is_some() => role,
            role => return Err(super::role::no_role(&role)),
        };
        cursor.expect_word("server")?;
        Ok((role, cursor.ident()?))
    }

    fn mapping(&self, role: &str, server: &str) -> Result<(Oid, Option<Oid>)> {
        let of = self.find_recorded(RecordedKind::Server, (None, server))?;
        let mut known = self.catalog.recorded(RecordedKind::Mapping);
        Ok((of, known.find(|(_, known)| known.name == role && known.of == Some(of)).map(|(oid, _)| oid)))
    }

    pub(super) fn create_mapping(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (role, server) = self.mapped(cursor)?;
        let options = options(cursor)?;
        cursor.finish()?;
        let (of, known) = self.mapping(&role, &server)?;
        if known.is_some() {
            let message = format!("user mapping for \"{role}\" already exists for server \"{server}\"");
            self.skip(if_not_exists, SqlError::new(SqlState::DUPLICATE_OBJECT, message))?;
        } else {
            let mut mapping = self.new_recorded(RecordedKind::Mapping, role);
            (mapping.of, mapping.options) = (Some(of), options);
            self.record(mapping);
        }
        Ok(Done::command("CREATE USER MAPPING"))
    }

    fn require_mapping(&self, role: &str, server: &str) -> Result<Oid> {
        self.mapping(role, server)?.1.ok_or_else(|| {
            let message = format!("user mapping for \"{role}\" does not exist for server \"{server}\"");
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })
    }

    pub(super) fn alter_mapping(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (role, server) = self.mapped(cursor)?;
        let oid = self.require_mapping(&role, &server)?;
        self.alter_foreign(cursor, oid)?;
        cursor.finish()?;
        Ok(Done::command("ALTER USER MAPPING"))
    }

    pub(super) fn drop_mapping(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let found = self.mapped(cursor).and_then(|(role, server)| self.require_mapping(&role, &server));
        match found {
            Ok(oid) => {
                cursor.finish()?;
                self.drop_all(vec![What::Object(oid)], false)?;
            }
            Err(error) => self.skip(if_exists, error)?,
        }
        Ok(Done::command("DROP USER MAPPING"))
    }

    pub(super) fn create_foreign_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            return self.skip_all(if_not_exists, relation_taken(&name), "CREATE FOREIGN TABLE");
        }
        if cursor.words("partition of") {
            return Err(SqlError::unsupported("a foreign table as a partition"));
        }
        cursor.expect(&Token::LParen)?;
        let mut columns = Vec::new();
        if !cursor.token(&Token::RParen) {
            columns = cursor.list(|cursor| self.column_definition_of(cursor))?;
            cursor.expect(&Token::RParen)?;
        }
        if cursor.is("inherits") {
            return Err(SqlError::unsupported("inheritance of a foreign table"));
        }
        cursor.expect_word("server")?;
        let server = cursor.ident()?;
        let options = options(cursor)?;
        cursor.finish()?;
        columns.iter().try_for_each(refuse_constraints)?;
        let server = self.find_recorded(RecordedKind::Server, (None, &server))?;
        let oid = self.new_relation(schema, &name, RelationKind::Foreign);
        self.relation_mut(oid).foreign = Some(Foreign { server, options, columns: Vec::new() });
        columns.into_iter().try_for_each(|column| self.add_foreign_column(oid, column))?;
        Ok(Done::command("CREATE FOREIGN TABLE"))
    }

    fn add_foreign_column(&mut self, oid: Oid, column: super::table::ColumnDefinition) -> Result<()> {
        let options = column.options.clone();
        let number = self.add_column_entry(oid, column)?;
        if let Some(far) = &mut self.relation_mut(oid).foreign {
            far.columns.push((number, options));
        }
        Ok(())
    }

    pub(super) fn alter_foreign_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        cursor.word("only");
        let (schema, name) = cursor.name()?;
        let done = Done::command("ALTER FOREIGN TABLE");
        let found =
            self.find(schema.as_deref(), &name).map(|relation| (relation.oid, relation.foreign.clone()));
        let (oid, mut far) = match found {
            Ok((oid, Some(far))) => (oid, far),
            Ok(_) => {
                let message = format!("\"{name}\" is not a foreign table");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
            Err(error) => return self.skip(if_exists, error).map(|()| done),
        };
        self.require_relation_owner(oid)?;
        if cursor.is("rename") || cursor.is("owner") || cursor.is("set") {
            return self.alter_relation(cursor, oid, "ALTER FOREIGN TABLE");
        }
        loop {
            if change_options(cursor, &mut far.options)? {
                self.relation_mut(oid).foreign = Some(far.clone());
            } else if cursor.word("add") {
                cursor.word("column");
                let column = self.column_definition_of(cursor)?;
                refuse_constraints(&column)?;
                self.add_foreign_column(oid, column)?;
            } else if cursor.word("drop") {
                self.drop_foreign_column(cursor, oid)?;
            } else {
                return Err(SqlError::unsupported("this form of ALTER FOREIGN TABLE"));
            }
            if !cursor.token(&Token::Comma) {
                cursor.finish()?;
                return Ok(done);
            }
        }
    }

    fn drop_foreign_column(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        cursor.word("column");
        let if_exists = cursor.words("if exists");
        let name = cursor.ident()?;
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        let relation = self.relation(oid)?;
        match relation.column(&name) {
            Some(column) => self.drop_all(vec![What::Column(oid, column.number)], cascade),
            None => {
                let message = format!("column \"{name}\" of relation \"{}\" does not exist", relation.name);
                self.skip(if_exists, SqlError::new(SqlState::UNDEFINED_COLUMN, message))
            }
        }
    }

    /// `IMPORT FOREIGN SCHEMA`, after these words: nothing tells what the other server has.
    pub(super) fn import_foreign_schema(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.ident()?;
        if cursor.words("limit to") || cursor.word("except") {
            cursor.skip_brackets()?;
        }
        cursor.expect_word("from")?;
        cursor.expect_word("server")?;
        let server = cursor.ident()?;
        let oid = self.find_recorded(RecordedKind::Server, (None, &server))?;
        let of = |oid: Oid| match self.catalog.objects.get(&oid) {
            Some(Object::Recorded(recorded)) => Some(recorded),
            _ => None,
        };
        let wrapper = of(oid).and_then(|server| of(server.of?));
        match wrapper.filter(|wrapper| !wrapper.words.contains_key("handler")) {
            Some(wrapper) => Err(no_handler(&wrapper.name)),
            None => Err(SqlError::unsupported(format!("reaching the server \"{server}\""))),
        }
    }
}

/// Refuses constraints that a foreign table can't have, and checks, which nothing would enforce.
fn refuse_constraints(column: &super::table::ColumnDefinition) -> Result<()> {
    use super::table::WrittenKind;
    let Some(constraint) = column.constraints.first() else { return Ok(()) };
    let what = match constraint.kind {
        WrittenKind::Primary(_) => "primary key constraints are not supported on foreign tables",
        WrittenKind::Unique(_) | WrittenKind::UniqueNulls(_) => {
            "unique constraints are not supported on foreign tables"
        }
        WrittenKind::Foreign { .. } => "foreign key constraints are not supported on foreign tables",
        _ => return Err(SqlError::unsupported("a check of a foreign table")),
    };
    Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, what))
}
