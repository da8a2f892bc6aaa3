//! `GRANT`, `REVOKE` and `ALTER DEFAULT PRIVILEGES`.

use super::cursor::Cursor;
use super::hosted::SCHEMAS_OF_EXTENSIONS;
use crate::catalog::{DATABASE, Database, DefaultAcl, Object, Oid, Relation, RelationKind, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::objects::Few;
use crate::run::{Done, Engine};
use crate::security::acl::{self, Acl, Change, Guarded};
use crate::security::rights::denied;

/// The privileges that a statement names, as letters, each with the columns that it is limited to.
struct Asked {
    /// Empty for all.
    privileges: Vec<(char, Vec<String>)>,
    /// The columns of `ALL (a, b)`.
    columns: Vec<String>,
    /// Whether it names `MAINTAIN`, which only later versions have.
    later: bool,
}

/// An object with privileges.
#[derive(Clone, Copy, PartialEq)]
enum On {
    Relation(Oid),
    Schema(Oid),
    Routine(Oid),
    Type(Oid),
    Database,
}

impl Engine<'_> {
    /// `GRANT` and `REVOKE` of privileges, after this word.
    pub(super) fn grant_privileges(&mut self, cursor: &mut Cursor<'_>, grant: bool) -> Result<()> {
        let mut option = !grant && cursor.words("grant option for");
        let asked = asked(cursor)?;
        cursor.expect_word("on")?;
        let (kind, objects) = self.granted_objects(cursor)?;
        cursor.expect_word(if grant { "to" } else { "from" })?;
        let grantees = self.grantees(cursor)?;
        option |= grant && cursor.words("with grant option");
        if cursor.words("granted by") {
            self.role_name(cursor)?;
        }
        let cascade = cursor.word("cascade");
        let _ = cascade || cursor.word("restrict");
        cursor.finish()?;
        let Some(kind) = kind else { return Ok(()) };
        if !self.leaves_any(&asked)? {
            return Ok(());
        }
        for object in objects {
            if !self.grants_something(object, kind, &asked, grant)? {
                continue;
            }
            for grantee in &grantees {
                self.grant_on(object, kind, &asked, (grantee, grant, option, cascade))?;
            }
        }
        Ok(())
    }

    /// Reports what a statement names of later versions. Returns whether it names anything else.
    fn leaves_any(&self, asked: &Asked) -> Result<bool> {
        if asked.later {
            let message = "this server has no privilege MAINTAIN, which later versions have";
            self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))?;
        }
        Ok(!asked.later || !asked.privileges.is_empty())
    }

    /// Passes the name of a function that other versions of the service have, which began at `start`: a notice says that it is not
    /// there.
    fn pass_missing_function(
        &mut self,
        cursor: &mut Cursor<'_>,
        start: usize,
        error: SqlError,
    ) -> Result<()> {
        let is_missing = [SqlState::UNDEFINED_FUNCTION, SqlState::UNDEFINED_OBJECT, SqlState::INVALID_SCHEMA]
            .contains(&error.code);
        cursor.at = start;
        let (schema, name) = cursor.name()?;
        if !is_missing || !schema.is_some_and(|schema| SCHEMAS_OF_EXTENSIONS.contains(&schema.as_str())) {
            return Err(error);
        }
        if cursor.peek().is_some_and(|next| next.token == sqlparser::tokenizer::Token::LParen) {
            cursor.skip_brackets()?;
        }
        self.outcome.does_nothing(format!("PRIVILEGES ON FUNCTION {name}"));
        let message = format!("{}, skipping", error.message);
        self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))
    }

    /// The objects that a statement names, and their kind; no kind for those whose privileges are not kept.
    fn granted_objects(&mut self, cursor: &mut Cursor<'_>) -> Result<(Option<Guarded>, Vec<On>)> {
        if cursor.word("all") {
            return self.all_objects(cursor).map(|(kind, objects)| (Some(kind), objects));
        }
        if cursor.word("schema") {
            let schemas = cursor.list(|cursor| self.schema_by_name(cursor))?;
            return Ok((Some(Guarded::Schema), schemas.into_iter().map(On::Schema).collect()));
        }
        let routines = ["function", "procedure", "routine"];
        if let Some(word) = routines.into_iter().find(|word| cursor.word(word)) {
            let mut routines = Vec::new();
            loop {
                if self.passes_extension_function(cursor)? {
                    if !cursor.token(&sqlparser::tokenizer::Token::Comma) {
                        return Ok((Some(Guarded::Routine), routines));
                    }
                    continue;
                }
                let start = cursor.at;
                match self.find_routine(cursor, word).flatten() {
                    Ok(oid) => routines.push(On::Routine(oid)),
                    // Everybody may call the system's own functions.
                    Err(error) if error.code == SqlState::INSUFFICIENT_PRIVILEGE => {}
                    Err(error) => self.pass_missing_function(cursor, start, error)?,
                }
                if !cursor.token(&sqlparser::tokenizer::Token::Comma) {
                    return Ok((Some(Guarded::Routine), routines));
                }
            }
        }
        for word in ["type", "domain"] {
            if cursor.word(word) {
                let types = cursor.list(|cursor| self.granted_type(cursor, word))?;
                if types.contains(&None) {
                    self.outcome.does_nothing("PRIVILEGES ON TYPE".to_owned());
                }
                return Ok((Some(Guarded::Type), types.into_iter().flatten().collect()));
            }
        }
        if cursor.word("database") {
            let names = cursor.list(Cursor::ident)?;
            names.iter().try_for_each(|name| super::session_start::require_database(name))?;
            return Ok((Some(Guarded::Database), vec![On::Database]));
        }
        for word in ["language", "foreign", "tablespace", "parameter", "large"] {
            if cursor.is(word) {
                while !cursor.is_end() && !cursor.is("to") && !cursor.is("from") {
                    cursor.at += 1;
                }
                self.outcome.does_nothing(format!("PRIVILEGES ON {}", word.to_uppercase()));
                return Ok((None, Vec::new()));
            }
        }
        let sequences = cursor.word("sequence");
        let _ = sequences || cursor.word("table");
        let names = cursor.list(Cursor::name)?;
        let mut relations = Vec::new();
        for (schema, name) in names {
            let relation = match self.find(schema.as_deref(), &name) {
                Err(error) if error.code == SqlState::INSUFFICIENT_PRIVILEGE => continue,
                found => found?,
            };
            if sequences && relation.kind != RelationKind::Sequence {
                let message = format!("\"{name}\" is not a sequence");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
            relations.push(On::Relation(relation.oid));
        }
        Ok((Some(if sequences { Guarded::Sequence } else { Guarded::Table }), relations))
    }

    /// A type whose privileges change; `None` for those of the system, which everybody may use.
    fn granted_type(&self, cursor: &mut Cursor<'_>, word: &str) -> Result<Option<On>> {
        let (schema, name) = cursor.name()?;
        let type_ = self.binder().find_type(schema.as_deref(), &name).map_err(SqlError::nowhere)?;
        if type_.element().is_some() {
            let message = "cannot set privileges of array types";
            return Err(SqlError::new(SqlState::new("0LP01"), message)
                .hint("Set the privileges of the element type instead."));
        }
        let known = self.catalog.user_type(type_);
        let is_domain = known.is_some_and(|known| matches!(known.definition, TypeDefinition::Domain { .. }));
        if word == "domain" && !is_domain {
            let message = format!("\"{name}\" is not a domain");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        Ok(known.filter(|known| !known.is_row()).map(|_| On::Type(type_.0)))
    }

    /// `ALL TABLES IN SCHEMA a, b`, after the first word.
    fn all_objects(&mut self, cursor: &mut Cursor<'_>) -> Result<(Guarded, Vec<On>)> {
        // Of the words for routines, two name only a part of them.
        let only = ["functions", "procedures"].into_iter().position(|word| cursor.is(word));
        let kind = guarded_plural(cursor)?;
        cursor.expect_word("in")?;
        cursor.expect_word("schema")?;
        let schemas = cursor.list(|cursor| self.schema_by_name(cursor))?;
        let objects = self.catalog.objects.iter().filter_map(|(oid, object)| match object {
            Object::Relation(relation) if schemas.contains(&relation.schema) => {
                (relation.guarded().0 == kind).then_some(On::Relation(*oid))
            }
            Object::Routine(routine) if kind == Guarded::Routine && schemas.contains(&routine.schema) => {
                only.is_none_or(|only| routine.procedure == (only == 1)).then_some(On::Routine(*oid))
            }
            _ => None,
        });
        Ok((kind, objects.collect()))
    }

    fn schema_by_name(&self, cursor: &mut Cursor<'_>) -> Result<Oid> {
        let name = cursor.ident()?;
        self.catalog.known_schema(&name)
    }

    /// Roles, of which the empty one is everybody.
    fn grantees(&self, cursor: &mut Cursor<'_>) -> Result<Vec<String>> {
        let roles = cursor.list(|cursor| self.role_name(cursor))?;
        for role in roles.iter().filter(|role| *role != "public") {
            self.known_role(role)?;
        }
        Ok(roles.into_iter().map(|role| if role == "public" { String::new() } else { role }).collect())
    }

    /// Whether the current role has the privileges of an object's owner.
    fn owns_object(&self, object: On, owner: &str) -> bool {
        let role = &self.settings.role;
        match object {
            On::Relation(oid) => {
                self.catalog.relation(oid).is_some_and(|known| self.catalog.owns(role, known))
            }
            _ => self.catalog.has_privileges_of(role, owner),
        }
    }

    /// The letters of the privileges that the current role may grant.
    fn grantable(&self, object: On, list: &Acl, owner: &str) -> String {
        let role = &self.settings.role;
        match self.owns_object(object, owner) {
            true => acl::LETTERS.to_owned(),
            false => list.grantable(&|known| self.catalog.has_privileges_of(role, known)),
        }
    }

    /// Whether the current role may grant any of what is asked. Who has a privilege, but not the right to grant it, is warned.
    fn grants_something(&self, object: On, named: Guarded, asked: &Asked, grant: bool) -> Result<bool> {
        let role = &self.settings.role;
        let Some((kind, owner, list, name)) = self.guarded(object) else { return Ok(false) };
        let may = self.grantable(object, &list, &owner);
        let some = |letter| self.catalog.allows(role, (kind, &list, &owner), letter);
        if may.is_empty() && !kind.letters().chars().any(some) {
            return Err(denied(format!("permission denied for {} {name}", self.word_of(object, kind))));
        }
        let letters = asked.privileges.iter().filter(|(_, columns)| columns.is_empty());
        let letters: String = letters.map(|(letter, _)| *letter).collect();
        let all = asked.privileges.is_empty() && asked.columns.is_empty();
        let letters = if all { kind.letters() } else { &letters };
        let given = letters.chars().filter(|letter| may.contains(*letter)).count();
        let invalid = letters.chars().any(|letter| !admits(kind, named, letter));
        if invalid || letters.is_empty() || given == letters.len() {
            return Ok(true);
        }
        let amount = match (given, all) {
            (0, _) => "no",
            (_, true) => return Ok(true),
            _ => "not all",
        };
        let (state, done) = match grant {
            true => ("01007", "were granted"),
            false => ("01006", "could be revoked"),
        };
        let message = format!("{amount} privileges {done} for \"{name}\"");
        self.report("WARNING", &SqlError::new(SqlState::new(state), message))?;
        if let On::Relation(oid) = object
            && !grant
            && all
            && kind == Guarded::Table
        {
            self.warn_of_columns(&self.relation(oid)?)?;
        }
        Ok(given > 0)
    }

    /// What is taken from a table as a whole is taken from its columns, also from those of the system.
    fn warn_of_columns(&self, relation: &Relation) -> Result<()> {
        const OF_SYSTEM: [&str; 6] = ["tableoid", "cmax", "xmax", "cmin", "xmin", "ctid"];
        let own = relation.columns.iter().map(|column| column.name.as_str());
        let of_system = OF_SYSTEM.into_iter().filter(|_| relation.kind != RelationKind::View);
        for column in of_system.chain(own) {
            let message = format!(
                "no privileges could be revoked for column \"{column}\" of relation \"{}\"",
                relation.name
            );
            self.report("WARNING", &SqlError::new(SqlState::new("01006"), message))?;
        }
        Ok(())
    }

    fn grant_on(
        &mut self,
        object: On,
        named: Guarded,
        asked: &Asked,
        (grantee, grant, option, cascade): (&str, bool, bool, bool),
    ) -> Result<()> {
        let of_columns = asked.privileges.iter().filter(|(_, columns)| !columns.is_empty());
        if let Some((letter, _)) = of_columns.into_iter().find(|(letter, _)| !"arwx".contains(*letter)) {
            let message = format!("invalid privilege type {} for column", acl::word(*letter));
            return Err(SqlError::new(SqlState::new("0LP01"), message));
        }
        let role = self.settings.role.clone();
        let Some((kind, owner, list, _)) = self.guarded(object) else { return Ok(()) };
        let owns = self.owns_object(object, &owner);
        let may = self.grantable(object, &list, &owner);
        let grantor = if owns { owner.clone() } else { role.to_string() };
        let known = |letter: &char| may.contains(*letter);
        let letters: String = match asked.privileges.is_empty() {
            true if asked.columns.is_empty() => kind.letters().chars().filter(known).collect(),
            true => String::new(),
            false => {
                let whole = asked.privileges.iter().filter(|(_, columns)| columns.is_empty());
                let whole: String = whole.map(|(letter, _)| *letter).collect();
                if let Some(letter) = whole.chars().find(|letter| !admits(kind, named, *letter)) {
                    // A privilege of sequences is one of relations, but not of this one.
                    let word = acl::word(letter);
                    let what = if kind == Guarded::Table && letter != 'U' { "relation" } else { kind.word() };
                    let message = format!("invalid privilege type {word} for {what}");
                    return Err(SqlError::new(SqlState::new("0LP01"), message));
                }
                whole.chars().filter(known).collect()
            }
        };
        let change = Change { grantee, grantor: &grantor, letters: &letters, grant, option };
        if !grant && !cascade && list.has_dependents(kind, &owner, change) {
            let message = "dependent privileges exist";
            return Err(
                SqlError::new(SqlState::DEPENDENT_OBJECTS, message).hint("Use CASCADE to revoke them too.")
            );
        }
        if let Some(list) = self.acl_mut(object) {
            list.change(kind, &owner, change);
        }
        let On::Relation(oid) = object else { return Ok(()) };
        let relation = self.relation(oid)?;
        // What is taken from the table as a whole is taken from its columns too.
        if !grant && kind == Guarded::Table && !letters.is_empty() {
            let all: String = letters.chars().filter(|letter| "arwx".contains(*letter)).collect();
            for column in &mut self.relation_mut(oid).columns {
                if !column.acl.is_unwritten() {
                    column.acl.change(Guarded::Column, &owner, Change { letters: &all, ..change });
                }
            }
        }
        let by_column = asked
            .privileges
            .iter()
            .flat_map(|(letter, columns)| columns.iter().map(|column| (letter.to_string(), column.clone())));
        let all = asked.columns.iter().map(|column| ("arwx".to_owned(), column.clone()));
        for (letters, name) in by_column.chain(all) {
            let number = self.column_of(&relation, &name)?;
            let change = Change { letters: &letters, ..change };
            self.column_mut(oid, number).acl.change(Guarded::Column, &owner, change);
        }
        Ok(())
    }

    fn column_of(&self, relation: &Relation, name: &str) -> Result<u32> {
        relation.column(name).map(|column| column.number).ok_or_else(|| {
            let message = format!("column \"{name}\" of relation \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_COLUMN, message)
        })
    }

    /// An object's kind, owner, privileges and name.
    fn guarded(&self, object: On) -> Option<(Guarded, String, Acl, String)> {
        let (On::Relation(oid) | On::Schema(oid) | On::Routine(oid) | On::Type(oid)) = object else {
            let (kind, acl, owner) = self.catalog.database_guarded();
            return Some((kind, owner.to_owned(), acl, DATABASE.to_owned()));
        };
        match self.catalog.objects.get(&oid)? {
            Object::Relation(relation) => {
                let (kind, acl, owner) = relation.guarded();
                Some((kind, owner.to_owned(), acl.clone(), relation.name.clone()))
            }
            Object::Schema(schema) => {
                Some((Guarded::Schema, schema.owner.clone(), schema.acl.clone(), schema.name.clone()))
            }
            Object::Routine(routine) => {
                Some((Guarded::Routine, routine.owner.clone(), routine.acl.clone(), routine.name.clone()))
            }
            Object::Type(known) => {
                Some((Guarded::Type, known.owner.clone(), known.acl.clone(), known.name.clone()))
            }
            _ => None,
        }
    }

    fn word_of(&self, object: On, kind: Guarded) -> &'static str {
        match object {
            On::Relation(oid) => self.catalog.relation(oid).map_or("table", Relation::word),
            _ => kind.word(),
        }
    }

    fn acl_mut(&mut self, object: On) -> Option<&mut Acl> {
        let oid = match object {
            On::Relation(oid) | On::Schema(oid) | On::Routine(oid) | On::Type(oid) => oid,
            On::Database => self.recorded_database(),
        };
        match self.catalog_mut().objects.get_mut(&oid)? {
            Object::Database(database) => Some(&mut database.acl),
            Object::Relation(relation) => Some(&mut relation.acl),
            Object::Schema(schema) => Some(&mut schema.acl),
            Object::Routine(routine) => Some(&mut routine.acl),
            Object::Type(known) => Some(&mut known.acl),
            _ => None,
        }
    }

    /// The object that the database's privileges are kept with.
    fn recorded_database(&mut self) -> Oid {
        if let Some((oid, _)) = self.catalog.database() {
            return oid;
        }
        let oid = self.new_oid();
        self.catalog_mut().objects.insert(oid, Object::Database(Database::default()));
        oid
    }

    /// `ALTER DEFAULT PRIVILEGES`, after these words.
    pub(super) fn alter_default_privileges(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (mut roles, mut schemas) = (vec![self.settings.role.to_string()], vec![None]);
        loop {
            if cursor.words("for role") || cursor.words("for user") {
                roles = cursor.list(|cursor| self.role_name(cursor))?;
            } else if cursor.words("in schema") {
                schemas = cursor.list(|cursor| self.schema_by_name(cursor).map(Some))?;
            } else {
                break;
            }
        }
        let grant = cursor.word("grant");
        if !grant {
            cursor.expect_word("revoke")?;
        }
        let mut option = !grant && cursor.words("grant option for");
        let asked = asked(cursor)?;
        cursor.expect_word("on")?;
        let kind = guarded_plural(cursor)?;
        cursor.expect_word(if grant { "to" } else { "from" })?;
        let grantees = self.grantees(cursor)?;
        option |= grant && cursor.words("with grant option");
        let _ = cursor.word("cascade") || cursor.word("restrict");
        cursor.finish()?;
        if !self.leaves_any(&asked)? {
            return Ok(Done::command("ALTER DEFAULT PRIVILEGES"));
        }
        let letters: String = asked.privileges.iter().map(|(letter, _)| *letter).collect();
        let letters = if letters.is_empty() { kind.letters().to_owned() } else { letters };
        for role in &roles {
            self.known_role(role)?;
            let current = self.settings.role.clone();
            if !self.catalog.is_member_of(&current, role) {
                return Err(denied(format!("must be member of role \"{role}\"")));
            }
            for schema in &schemas {
                for grantee in &grantees {
                    let change = Change { grantee, grantor: role, letters: &letters, grant, option };
                    self.change_default(role, *schema, kind, change);
                }
            }
        }
        Ok(Done::command("ALTER DEFAULT PRIVILEGES"))
    }

    fn change_default(&mut self, role: &str, schema: Option<Oid>, kind: Guarded, change: Change<'_>) {
        let known = self.catalog.objects.few(Few::DefaultAcl).find_map(|(oid, object)| match object {
            Object::DefaultAcl(known)
                if known.role == role && known.schema == schema && known.kind == kind =>
            {
                Some((*oid, known.acl.clone()))
            }
            _ => None,
        });
        // Those of a schema are added to what objects begin with everywhere.
        let first = || if schema.is_some() { Acl(Some(Vec::new())) } else { Acl::default() };
        let (oid, mut list) = match known {
            Some((oid, list)) => (oid, list),
            None => (self.new_oid(), first()),
        };
        list.change(kind, role, change);
        let usual = if schema.is_some() {
            list.0.as_ref().is_none_or(Vec::is_empty)
        } else {
            list.is_usual(kind, role)
        };
        if usual {
            self.catalog_mut().objects.remove(&oid);
        } else {
            let known = DefaultAcl { role: role.to_owned(), schema, kind, acl: list };
            self.catalog_mut().objects.insert(oid, Object::DefaultAcl(known));
        }
    }

    /// Forgets what new objects in a schema would be granted.
    pub(super) fn remove_defaults_in(&mut self, schema: Oid) {
        let defaults = self.catalog.objects.few(Few::DefaultAcl).filter(
            |(_, object)| matches!(object, Object::DefaultAcl(known) if known.schema == Some(schema)),
        );
        let defaults: Vec<Oid> = defaults.map(|(oid, _)| *oid).collect();
        defaults.iter().for_each(|oid| self.catalog_mut().objects.remove(oid));
    }
}

/// The privileges before `ON`.
fn asked(cursor: &mut Cursor<'_>) -> Result<Asked> {
    let bracket = |cursor: &Cursor<'_>| {
        cursor.peek().is_some_and(|token| token.token == sqlparser::tokenizer::Token::LParen)
    };
    if cursor.word("all") {
        cursor.word("privileges");
        let columns = if bracket(cursor) { cursor.names()? } else { Vec::new() };
        return Ok(Asked { privileges: Vec::new(), columns, later: false });
    }
    let mut later = false;
    let privileges = cursor.list(|cursor| {
        if cursor.word("maintain") {
            later = true;
            return Ok(None);
        }
        let word = cursor.ident()?;
        let letter = acl::letter(&word.to_uppercase()).ok_or_else(|| {
            SqlError::new(SqlState::SYNTAX_ERROR, format!("unrecognized privilege type \"{word}\""))
        })?;
        let columns = if bracket(cursor) { cursor.names()? } else { Vec::new() };
        Ok(Some((letter, columns)))
    })?;
    Ok(Asked { privileges: privileges.into_iter().flatten().collect(), columns: Vec::new(), later })
}

fn guarded_plural(cursor: &mut Cursor<'_>) -> Result<Guarded> {
    for (word, kind) in [
        ("tables", Guarded::Table),
        ("sequences", Guarded::Sequence),
        ("functions", Guarded::Routine),
        ("procedures", Guarded::Routine),
        ("routines", Guarded::Routine),
        ("types", Guarded::Type),
        ("schemas", Guarded::Schema),
    ] {
        if cursor.word(word) {
            return Ok(kind);
        }
    }
    Err(cursor.unexpected())
}

/// Whether a privilege may be named for a kind of object. A sequence that is called a table may have those of tables named too.
fn admits(kind: Guarded, named: Guarded, letter: char) -> bool {
    let is_called_table = named == Guarded::Table && kind == Guarded::Sequence;
    kind.letters().contains(letter) || is_called_table && named.letters().contains(letter)
}
