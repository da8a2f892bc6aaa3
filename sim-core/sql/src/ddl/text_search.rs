//! `CREATE`, `ALTER` and `DROP TEXT SEARCH CONFIGURATION`.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Object, Oid, TextSearch};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::text_search::{check_dictionary, check_kind, mappings_of};
use crate::run::{Done, Engine};

impl Engine<'_> {
    /// `CREATE`, after `TEXT SEARCH`.
    pub(super) fn create_text_search(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if !cursor.word("configuration") {
            let what = cursor.ident()?.to_uppercase();
            return Err(SqlError::unsupported(format!("CREATE TEXT SEARCH {what}")));
        }
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.configurations().any(|(_, known)| known.schema == schema && known.name == name) {
            let message = "duplicate key value violates unique constraint \"pg_ts_config_cfgname_index\"";
            return Err(SqlError::new(SqlState::UNIQUE_VIOLATION, message)
                .detail(format!("Key (cfgname, cfgnamespace)=({name}, {schema}) already exists.")));
        }
        cursor.expect(&Token::LParen)?;
        let copied = cursor.word("copy");
        if !copied {
            cursor.expect_word("parser")?;
        }
        cursor.expect(&Token::Eq)?;
        // The usual parser has a reserved word for its name, which is allowed here.
        let usual = !copied && cursor.is("default");
        let (from_schema, from) = if usual { (None, cursor.ident()?) } else { cursor.name()? };
        cursor.expect(&Token::RParen)?;
        cursor.finish()?;
        let mappings = match (copied, from.as_str()) {
            (true, _) => self.mappings(from_schema.as_deref(), &from)?,
            (false, "default") => String::new(),
            (false, _) => {
                let message = format!("text search parser \"{from}\" does not exist");
                return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
            }
        };
        let oid = self.new_oid();
        let owner = self.settings.role.to_string();
        let made = TextSearch { name, schema, mappings, owner, comment: None };
        self.catalog_mut().objects.insert(oid, Object::TextSearch(made));
        Ok(Done::command("CREATE TEXT SEARCH CONFIGURATION"))
    }

    /// The mappings of a configuration, of PostgreSQL or of a user.
    fn mappings(&self, schema: Option<&str>, name: &str) -> Result<String> {
        match self.own_configuration(schema, name) {
            Some((_, known)) => Ok(known.mappings.clone()),
            None => mappings_of(name),
        }
    }

    fn own_configuration(&self, schema: Option<&str>, name: &str) -> Option<(Oid, &TextSearch)> {
        let schemas = match schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self
                .settings
                .search_path
                .iter()
                .filter_map(|name| self.catalog.schema_named(name))
                .collect::<Vec<_>>(),
        };
        let mut all = self.catalog.configurations();
        all.find(|(_, known)| known.name == name && schemas.contains(&known.schema))
    }

    /// `ALTER`, after `TEXT SEARCH`.
    pub(super) fn alter_text_search(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if !cursor.word("configuration") {
            let what = cursor.ident()?.to_uppercase();
            return Err(SqlError::unsupported(format!("ALTER TEXT SEARCH {what}")));
        }
        let (schema, name) = cursor.name()?;
        let Some((oid, known)) = self.own_configuration(schema.as_deref(), &name) else {
            mappings_of(&name)?;
            let message = format!("must be owner of text search configuration {name}");
            return Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message));
        };
        let mut mappings = Mappings::read(&known.mappings);
        let done = Done::command("ALTER TEXT SEARCH CONFIGURATION");
        self.require_object_owner(oid)?;
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            cursor.finish()?;
            self.give_object(oid, &owner);
            return Ok(done);
        }
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            cursor.finish()?;
            let schema = self.creation_schema(Some(&schema))?;
            if let Some(Object::TextSearch(known)) = self.catalog_mut().objects.get_mut(&oid) {
                known.schema = schema;
            }
            return Ok(done);
        }
        if cursor.words("rename to") {
            let new = cursor.ident()?;
            cursor.finish()?;
            if let Some(Object::TextSearch(known)) = self.catalog_mut().objects.get_mut(&oid) {
                known.name = new;
            }
            return Ok(done);
        }
        if cursor.words("drop mapping") {
            let if_exists = cursor.words("if exists");
            cursor.expect_word("for")?;
            for kind in kinds(cursor)? {
                let before = mappings.0.len();
                mappings.0.retain(|(known, _)| *known != kind);
                if before == mappings.0.len() {
                    let message = format!("mapping for token type \"{kind}\" does not exist");
                    self.skip(if_exists, SqlError::new(SqlState::UNDEFINED_OBJECT, message))?;
                }
            }
        } else if cursor.words("alter mapping replace") {
            let from = self.dictionary(cursor)?;
            cursor.expect_word("with")?;
            let to = self.dictionary(cursor)?;
            for (_, dictionaries) in &mut mappings.0 {
                dictionaries.iter_mut().filter(|name| **name == from).for_each(|name| name.clone_from(&to));
            }
        } else {
            let add = cursor.words("add mapping");
            if !add && !cursor.words("alter mapping") {
                return Err(SqlError::unsupported("this form of ALTER TEXT SEARCH CONFIGURATION"));
            }
            cursor.expect_word("for")?;
            let kinds = kinds(cursor)?;
            let replaced = if cursor.word("replace") { Some(self.dictionary(cursor)?) } else { None };
            cursor.expect_word("with")?;
            let with = cursor.list(|cursor| self.dictionary(cursor))?;
            for kind in kinds {
                mappings.set(kind, add, replaced.as_deref(), &with)?;
            }
        }
        cursor.finish()?;
        if let Some(Object::TextSearch(known)) = self.catalog_mut().objects.get_mut(&oid) {
            known.mappings = mappings.write();
        }
        Ok(done)
    }

    /// The comment on a configuration, after `TEXT SEARCH`.
    pub(super) fn comment_text_search(
        &mut self,
        cursor: &mut Cursor<'_>,
        text: impl Fn(&mut Cursor<'_>) -> Result<Option<String>>,
    ) -> Result<()> {
        if !cursor.word("configuration") {
            let what = cursor.ident()?.to_uppercase();
            return Err(SqlError::unsupported(format!("COMMENT ON TEXT SEARCH {what}")));
        }
        let (schema, name) = cursor.name()?;
        let found = self.own_configuration(schema.as_deref(), &name).map(|(oid, _)| oid);
        let Some(oid) = found else {
            mappings_of(&name)?;
            let message = format!("must be owner of text search configuration {name}");
            return Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message));
        };
        self.require_object_owner(oid)?;
        let comment = text(cursor)?;
        if let Some(Object::TextSearch(known)) = self.catalog_mut().objects.get_mut(&oid) {
            known.comment = comment;
        }
        Ok(())
    }

    fn dictionary(&self, cursor: &mut Cursor<'_>) -> Result<String> {
        let (_, name) = cursor.name()?;
        let created = self.catalog.has_extension("unaccent");
        check_dictionary(&name, created)?;
        Ok(name)
    }

    /// `DROP`, after `TEXT SEARCH`.
    pub(super) fn drop_text_search(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if !cursor.word("configuration") {
            return self.drop_absent_of_text_search(cursor);
        }
        let if_exists = cursor.words("if exists");
        for (schema, name) in cursor.list(Cursor::name)? {
            match self.own_configuration(schema.as_deref(), &name).map(|(oid, _)| oid) {
                Some(oid) => {
                    self.require_object_owner(oid)?;
                    self.catalog_mut().objects.remove(&oid);
                }
                None => {
                    let message = format!("text search configuration \"{name}\" does not exist");
                    self.skip(if_exists, SqlError::new(SqlState::UNDEFINED_OBJECT, message))?;
                }
            }
        }
        if !cursor.word("cascade") {
            cursor.word("restrict");
        }
        cursor.finish()?;
        Ok(Done::command("DROP TEXT SEARCH CONFIGURATION"))
    }
}

fn kinds(cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
    cursor.list(|cursor| {
        let kind = cursor.ident()?;
        check_kind(&kind)?;
        Ok(kind)
    })
}

/// The dictionaries for each kind of token.
struct Mappings(Vec<(String, Vec<String>)>);

impl Mappings {
    fn read(text: &str) -> Mappings {
        let mappings = text.split(';').filter_map(|mapping| mapping.split_once(':'));
        let names = |names: &str| names.split(',').map(str::to_owned).collect();
        Mappings(mappings.map(|(kind, dictionaries)| (kind.to_owned(), names(dictionaries))).collect())
    }

    fn write(&self) -> String {
        let mappings = self.0.iter().map(|(kind, names)| format!("{kind}:{}", names.join(",")));
        mappings.collect::<Vec<_>>().join(";")
    }

    fn set(&mut self, kind: String, add: bool, replaced: Option<&str>, with: &[String]) -> Result<()> {
        match self.0.iter_mut().find(|(known, _)| *known == kind) {
            Some(_) if add => {
                let message = "duplicate key value violates unique constraint \"pg_ts_config_map_index\"";
                Err(SqlError::new(SqlState::UNIQUE_VIOLATION, message))
            }
            Some((_, names)) => {
                match (replaced, with) {
                    (Some(from), [to, ..]) => {
                        names.iter_mut().filter(|name| *name == from).for_each(|name| name.clone_from(to));
                    }
                    _ => *names = with.to_vec(),
                }
                Ok(())
            }
            None => {
                if replaced.is_none() {
                    self.0.push((kind, with.to_vec()));
                }
                Ok(())
            }
        }
    }
}
