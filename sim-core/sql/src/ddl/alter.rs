//! `ALTER`.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::cursor::{Cursor, Written};
use super::dependents::What;
use super::names::relation_taken;
use super::object::reserved_schema;
use super::physical::bare;
use super::privilege::require_own_schema;
use super::table::can_refer;
use crate::bind::{Binder, Clause, Scope, Sequences};
use crate::cast::Context;
use crate::catalog::{ConstraintKind, Identity, Oid, Relation, RelationKind, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{Source, is_word, name};
use crate::types::{Modified, Type};

impl Engine<'_> {
    /// `ALTER TABLE`, after these words.
    pub(super) fn alter_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        cursor.word("only");
        let (schema, name) = cursor.name()?;
        let oid = match self.find(schema.as_deref(), &name) {
            Ok(relation) => relation.oid,
            Err(_) if if_exists => return Ok(Done::command("ALTER TABLE")),
            Err(error) => return Err(error),
        };
        self.require_relation_owner(oid)?;
        if cursor.is("rename") || cursor.is("set") && cursor.is_at(1, "schema") {
            return self.alter_relation(cursor, oid, "ALTER TABLE");
        }
        cursor.list(|cursor| self.alteration(cursor, oid))?;
        cursor.finish()?;
        Ok(Done::command("ALTER TABLE"))
    }

    /// `ALTER` of anything but a table.
    pub(super) fn alter_other(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if cursor.words("materialized view") || cursor.word("view") {
            let if_exists = cursor.words("if exists");
            let (schema, name) = cursor.name()?;
            return match self.find(schema.as_deref(), &name).map(|relation| relation.oid) {
                Ok(oid) => self.alter_relation(cursor, oid, "ALTER VIEW"),
                Err(_) if if_exists => Ok(Done::command("ALTER VIEW")),
                Err(error) => Err(error),
            };
        }
        if cursor.word("sequence") {
            return self.alter_sequence(cursor);
        }
        if let Some(done) = self.alter_recorded(cursor)? {
            return Ok(done);
        }
        if cursor.word("type") {
            return self.alter_type(cursor);
        }
        if cursor.word("domain") {
            return self.alter_domain(cursor);
        }
        if cursor.word("policy") {
            return self.alter_policy(cursor);
        }
        if cursor.word("publication") {
            return self.alter_publication(cursor);
        }
        if cursor.word("index") {
            return self.alter_index(cursor);
        }
        if cursor.word("schema") {
            return self.alter_schema(cursor);
        }
        if cursor.word("function") || cursor.word("procedure") {
            return self.alter_routine(cursor);
        }
        if cursor.word("role") || cursor.word("user") {
            return self.alter_role(cursor);
        }
        if cursor.word("system") {
            return self.alter_system(cursor);
        }
        if cursor.words("text search") {
            return self.alter_text_search(cursor);
        }
        if cursor.words("default privileges") {
            return self.alter_default_privileges(cursor);
        }
        if cursor.word("database") || cursor.word("extension") {
            cursor.rest();
            return Ok(Done::command("ALTER"));
        }
        Err(SqlError::unsupported(format!("ALTER {}", cursor.ident()?.to_uppercase())))
    }

    /// The actions that apply to every kind of relation: rename, set schema.
    pub(super) fn alter_relation(&mut self, cursor: &mut Cursor<'_>, oid: Oid, tag: &str) -> Result<Done> {
        let done = Ok(Done::command(tag));
        self.require_relation_owner(oid)?;
        if cursor.words("rename to") {
            let name = cursor.ident()?;
            let relation = self.relation(oid)?;
            if self.catalog.relation_exists(relation.schema, &name) {
                return Err(relation_taken(&name));
            }
            let row = self.catalog.row_type(oid);
            self.relation_mut(oid).name.clone_from(&name);
            if let Some(row) = row {
                self.user_type_mut(row)?.name = name;
            }
            let schema = self.catalog.schema_name(relation.schema).to_owned();
            self.follow(oid, (&schema, &relation.name))?;
            self.refresh_checks(oid)?;
            return done;
        }
        if cursor.words("rename constraint") {
            let from = cursor.ident()?;
            cursor.expect_word("to")?;
            let to = cursor.ident()?;
            return self.rename_constraint(oid, &from, &to).map(|()| Done::command(tag));
        }
        if cursor.word("rename") {
            cursor.word("column");
            let from = cursor.ident()?;
            cursor.expect_word("to")?;
            let to = cursor.ident()?;
            cursor.finish()?;
            return self.rename_column(oid, &from, &to).map(|()| Done::command(tag));
        }
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            let before = self.relation(oid)?;
            let old = self.catalog.schema_name(before.schema).to_owned();
            self.relation_mut(oid).schema = schema;
            if let Some(row) = self.catalog.row_type(oid) {
                self.user_type_mut(row)?.schema = schema;
            }
            self.follow(oid, (&old, &before.name))?;
            return done;
        }
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
            return done;
        }
        if self.relation(oid)?.kind == RelationKind::View && cursor.word("alter") {
            return self.alter_view_column(cursor, oid).map(|()| Done::command(tag));
        }
        if cursor.word("set") || cursor.word("reset") {
            let from = cursor.at + 1;
            cursor.skip_brackets()?;
            let options = cursor.text(from, cursor.at - 1);
            self.relation_mut(oid).options =
                options.split(',').map(|option| option.replace(' ', "")).collect();
            return done;
        }
        Err(cursor.unexpected())
    }

    /// Changes the default that a column has for rows that are inserted through a view.
    fn alter_view_column(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        cursor.word("column");
        let name = cursor.ident()?;
        let relation = self.relation(oid)?;
        let number = self.column_number(&relation, &name)?;
        if cursor.words("set default") {
            let default = cursor.default_expr()?;
            cursor.finish()?;
            return self.set_default(oid, number, &default);
        }
        if !cursor.words("drop default") {
            return Err(cursor.unexpected());
        }
        cursor.finish()?;
        self.column_mut(oid, number).default = None;
        Ok(())
    }

    fn rename_constraint(&mut self, oid: Oid, from: &str, to: &str) -> Result<()> {
        let relation = self.relation_mut(oid);
        let table = relation.name.clone();
        let Some(constraint) = relation.constraints.iter_mut().find(|constraint| constraint.name == from)
        else {
            let message = format!("constraint \"{from}\" for table \"{table}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        };
        to.clone_into(&mut constraint.name);
        if let ConstraintKind::Primary { index }
        | ConstraintKind::Unique { index }
        | ConstraintKind::Exclude { index, .. } = constraint.kind
        {
            for known in relation.indexes.iter_mut().filter(|known| known.oid == index) {
                to.clone_into(&mut known.name);
            }
        }
        self.refresh_checks(oid)
    }

    fn rename_column(&mut self, oid: Oid, from: &str, to: &str) -> Result<()> {
        let relation = self.relation(oid)?;
        let missing =
            || SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column \"{from}\" does not exist"));
        let number = relation.column(from).map(|column| column.number).ok_or_else(missing)?;
        if relation.column(to).is_some() {
            let message = format!("column \"{to}\" of relation \"{}\" already exists", relation.name);
            return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
        }
        self.column_mut(oid, number).name = to.to_owned();
        let renamed = |text: &mut String| *text = rename_in(text, from, to);
        let relation = self.relation_mut(oid);
        for column in &mut relation.columns {
            column.generated.iter_mut().for_each(renamed);
        }
        for constraint in &mut relation.constraints {
            if let ConstraintKind::Check { expression } = &mut constraint.kind {
                renamed(expression);
            }
        }
        for index in &mut relation.indexes {
            index.predicate.iter_mut().for_each(renamed);
            index.keys.iter_mut().filter_map(|key| key.expression.as_mut()).for_each(renamed);
        }
        let table = relation.name.clone();
        for policy in &mut relation.policies {
            for text in policy.using.iter_mut().chain(policy.check.iter_mut()) {
                *text = rename_column_in(text, Some(&table), from, to);
            }
        }
        if relation.kind == RelationKind::View {
            return Err(SqlError::unsupported("renaming a column of a view"));
        }
        self.follow_column(oid, from, to)?;
        self.refresh_checks(oid)
    }

    fn column_number(&self, relation: &Relation, column: &str) -> Result<u32> {
        relation.column(column).map(|column| column.number).ok_or_else(|| {
            let message = format!("column \"{column}\" of relation \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_COLUMN, message)
        })
    }

    /// One of the actions of `ALTER TABLE`.
    fn alteration(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        if cursor.word("add") {
            return self.add(cursor, oid);
        }
        if cursor.word("drop") {
            return self.drop_from_table(cursor, oid);
        }
        if cursor.word("alter") {
            if cursor.word("constraint") {
                return Err(SqlError::unsupported("ALTER CONSTRAINT"));
            }
            cursor.word("column");
            return self.alter_column(cursor, oid);
        }
        if cursor.words("validate constraint") {
            let name = cursor.ident()?;
            let relation = self.relation(oid)?;
            let constraint =
                relation.constraint(&name).cloned().ok_or_else(|| no_constraint(&name, &relation))?;
            self.validate(oid, &constraint)?;
            for known in self.relation_mut(oid).constraints.iter_mut().filter(|known| known.name == name) {
                known.validated = true;
            }
            return Ok(());
        }
        for (words, security, forced) in [
            ("enable row level security", Some(true), None),
            ("disable row level security", Some(false), None),
            ("no force row level security", None, Some(false)),
            ("force row level security", None, Some(true)),
        ] {
            if cursor.words(words) {
                let relation = self.relation_mut(oid);
                relation.row_security = security.unwrap_or(relation.row_security);
                relation.force_row_security = forced.unwrap_or(relation.force_row_security);
                return Ok(());
            }
        }
        if cursor.is("enable") || cursor.is("disable") {
            let enabled = if cursor.is("enable") { 'O' } else { 'D' };
            cursor.at += 1;
            let _ = cursor.word("replica") || cursor.word("always");
            cursor.expect_word("trigger")?;
            let name = cursor.ident()?;
            for trigger in &mut self.relation_mut(oid).triggers {
                if trigger.name == name || name == "all" || name == "user" {
                    trigger.enabled = enabled;
                }
            }
            return Ok(());
        }
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
            return Ok(());
        }
        if cursor.words("replica identity") {
            let kind = cursor.ident()?;
            if kind == "using" {
                cursor.at += 2;
            }
            self.relation_mut(oid).replica_identity = match kind.as_str() {
                "full" => 'f',
                "nothing" => 'n',
                "using" => 'i',
                _ => 'd',
            };
            return Ok(());
        }
        if cursor.word("set") || cursor.word("reset") {
            if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                return cursor.skip_brackets();
            }
            cursor.at += 2;
            return Ok(());
        }
        if cursor.is("attach") || cursor.is("detach") || cursor.is("inherit") || cursor.is("of") {
            return Err(SqlError::unsupported("partitioning and inheritance of tables"));
        }
        Err(cursor.unexpected())
    }

    fn add(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let starts = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
        if starts.iter().any(|word| cursor.is(word)) {
            let constraint = self.table_constraint(cursor)?;
            self.add_constraint(oid, constraint)?;
            return self.refresh_checks(oid);
        }
        cursor.word("column");
        let if_not_exists = cursor.words("if not exists");
        let mut definition = self.column_definition_of(cursor)?;
        let relation = self.relation(oid)?;
        if if_not_exists && relation.column(&definition.name).is_some() {
            return Ok(());
        }
        let constraints = std::mem::take(&mut definition.constraints);
        self.drop_checks(oid)?;
        let number = self.add_column_entry(oid, definition)?;
        let relation = self.relation(oid)?;
        let column = relation.column_number(number).cloned().expect("the column was added a moment ago");
        self.make_room(&relation, &column)?;
        self.fill_column(&relation, number)?;
        if column.not_null && column.generated.is_none() {
            self.check_not_null(&relation, number)?;
        }
        constraints.into_iter().try_for_each(|constraint| self.add_constraint(oid, constraint))?;
        self.refresh_checks(oid)
    }

    /// Gives a new column its default in every row.
    fn fill_column(&mut self, relation: &Relation, number: u32) -> Result<()> {
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        if column.generated.is_some() {
            return Ok(());
        }
        let value = match (&column.default, column.sequence) {
            (Some(default), _) => {
                bare(&self.row_expression(relation, default, Clause::Default, Some(column))?)
            }
            (None, Some(sequence)) => format!("pg_nextval({sequence})"),
            (None, None) => return Ok(()),
        };
        let sql = format!("UPDATE {} SET c{number} = {value}", relation.physical());
        if !["pg_nextval", "pg_currval", "pg_lastval", "pg_setval"].iter().any(|call| value.contains(call)) {
            return self.execute(&sql);
        }
        self.load_sequences(&Sequences::Any)?;
        self.execute(&sql)?;
        self.store_sequences()
    }

    fn drop_from_table(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let constraint = cursor.word("constraint");
        if !constraint {
            cursor.word("column");
        }
        let if_exists = cursor.words("if exists");
        let name = cursor.ident()?;
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        let relation = self.relation(oid)?;
        if constraint {
            return match relation.constraint(&name).map(|constraint| constraint.oid) {
                Some(constraint) => self.drop_all(vec![What::Constraint(oid, constraint)], cascade),
                None if if_exists => Ok(()),
                None => Err(no_constraint(&name, &relation)),
            };
        }
        match relation.column(&name).map(|column| column.number) {
            Some(number) => self.drop_all(vec![What::Column(oid, number)], cascade),
            None if if_exists => Ok(()),
            None => self.column_number(&relation, &name).map(drop),
        }
    }

    /// Removes a column, and all constraints and indexes that use it.
    pub(super) fn remove_column(&mut self, table: Oid, number: u32) -> Result<()> {
        let Some(relation) = self.catalog.relation(table).cloned() else { return Ok(()) };
        let Some(column) = relation.column_number(number).cloned() else { return Ok(()) };
        for constraint in
            relation.constraints.iter().filter(|constraint| constraint.columns.contains(&number))
        {
            self.remove_constraint(table, constraint.oid)?;
        }
        self.drop_checks(table)?;
        let uses = |text: &str| rename_in(text, &column.name, "\u{1}") != text;
        for index in &relation.indexes {
            let has = index.include.contains(&number)
                || index
                    .keys
                    .iter()
                    .any(|key| key.column == Some(number) || key.expression.as_deref().is_some_and(uses))
                || index.predicate.as_deref().is_some_and(uses);
            if has {
                self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid))?;
                self.relation_mut(table).indexes.retain(|known| known.oid != index.oid);
            }
        }
        self.relation_mut(table).columns.retain(|known| known.number != number);
        // `DROP COLUMN` would make SQLite read its whole schema twice. So the column stays in the table, without values.
        if column.generated.is_none() && relation.is_stored() {
            let name = relation.physical();
            self.execute(&format!("UPDATE {name} SET c{number} = NULL WHERE c{number} IS NOT NULL"))?;
        }
        if let Some(sequence) = column.sequence {
            self.catalog_mut().objects.remove(&sequence);
        }
        self.refresh_checks(table)
    }

    /// Refuses to change the default of an identity column or a generated column.
    fn refuse_default(&self, relation: &Relation, number: u32) -> Result<()> {
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        let what = match (&column.identity, &column.generated) {
            (Some(_), _) => "an identity column",
            (None, Some(_)) => "a generated column",
            (None, None) => return Ok(()),
        };
        let message = format!("column \"{}\" of relation \"{}\" is {what}", column.name, relation.name);
        Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
    }

    fn alter_column(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let name = cursor.ident()?;
        let relation = self.relation(oid)?;
        let number = self.column_number(&relation, &name)?;
        if cursor.is("set") && cursor.is_at(1, "default") || cursor.is("drop") && cursor.is_at(1, "default") {
            self.refuse_default(&relation, number)?;
        }
        if cursor.words("set default") {
            let default = cursor.default_expr()?;
            return self.set_default(oid, number, &default);
        }
        if cursor.words("drop default") {
            self.column_mut(oid, number).default = None;
            return Ok(());
        }
        if cursor.words("set not null") {
            self.check_not_null(&relation, number)?;
            self.column_mut(oid, number).not_null = true;
            return self.refresh_checks(oid);
        }
        if cursor.words("drop not null") {
            if relation.primary_key().is_some_and(|key| key.columns.contains(&number)) {
                let message = format!("column \"{name}\" is in a primary key");
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            self.column_mut(oid, number).not_null = false;
            return self.refresh_checks(oid);
        }
        if cursor.words("set data type") || cursor.word("type") {
            let type_ = self.type_of(cursor)?;
            if cursor.word("collate") {
                cursor.name()?;
            }
            let using = if cursor.word("using") { Some(cursor.expr()?) } else { None };
            return self.change_type(&relation, number, type_, using);
        }
        if cursor.words("drop identity") {
            cursor.words("if exists");
            let sequence = self.column_mut(oid, number).sequence.take();
            self.column_mut(oid, number).identity = None;
            if let Some(sequence) = sequence {
                self.catalog_mut().objects.remove(&sequence);
            }
            return Ok(());
        }
        if cursor.word("add") {
            return self.add_identity(cursor, &relation, number);
        }
        if cursor.words("set generated always") || cursor.words("set generated by default") {
            let always = cursor.tokens.get(cursor.at - 1).is_some_and(|token| is_word(token, "always"));
            self.column_mut(oid, number).identity =
                Some(if always { Identity::Always } else { Identity::ByDefault });
            return Ok(());
        }
        if cursor.words("drop expression") {
            return Err(SqlError::unsupported("DROP EXPRESSION"));
        }
        if cursor.is("restart")
            || cursor.is("set") && !cursor.is_at(1, "statistics") && !cursor.is_at(1, "storage")
        {
            cursor.word("set");
            let option = self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?;
            let identity = relation.column_number(number).filter(|column| column.identity.is_some());
            let sequence = identity.and_then(|column| column.sequence);
            let options = sequence
                .and_then(|oid| self.catalog.relation(oid))
                .and_then(|sequence| sequence.sequence.clone());
            let (Some(sequence), Some(options)) = (sequence, options) else {
                let message =
                    format!("column \"{name}\" of relation \"{}\" is not an identity column", relation.name);
                return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
            };
            return self.change_sequence(sequence, options, &[option], None);
        }
        if cursor.words("set statistics") || cursor.words("set storage") || cursor.words("set compression") {
            cursor.at += 1;
            return Ok(());
        }
        Err(cursor.unexpected())
    }

    fn add_identity(&mut self, cursor: &mut Cursor<'_>, relation: &Relation, number: u32) -> Result<()> {
        cursor.expect_word("generated")?;
        let identity = if cursor.words("by default") {
            Identity::ByDefault
        } else {
            cursor.expect_word("always")?;
            Identity::Always
        };
        cursor.expect_word("as")?;
        cursor.expect_word("identity")?;
        let (mut given, mut named) = (Vec::new(), None);
        if cursor.token(&Token::LParen) {
            while !cursor.token(&Token::RParen) {
                if cursor.words("sequence name") {
                    named = Some(cursor.name()?.1);
                    continue;
                }
                given.push(self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?);
            }
        }
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        if !column.not_null {
            let message = format!(
                "column \"{}\" of relation \"{}\" must be declared NOT NULL before identity can be added",
                column.name, relation.name
            );
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        let options = self.sequence_options(column.type_.base, &given, Some((relation.oid, number)))?;
        let name = named.unwrap_or_else(|| {
            let base = format!("{}_{}_seq", relation.name, column.name);
            super::names::choose(&base, |name| self.catalog.relation_exists(relation.schema, name))
        });
        if self.catalog.relation_exists(relation.schema, &name) {
            return Err(relation_taken(&name));
        }
        let sequence = self.new_sequence(relation.schema, &name, options);
        let column = self.column_mut(relation.oid, number);
        column.identity = Some(identity);
        column.sequence = Some(sequence);
        Ok(())
    }

    /// Refuses a new type of a column that can't be compared with the other columns of its foreign keys.
    fn check_references(&self, relation: &Relation, number: u32, type_: Type) -> Result<()> {
        for child in self.catalog.relations() {
            for constraint in &child.constraints {
                let ConstraintKind::Foreign { table, columns, .. } = &constraint.kind else { continue };
                let Some(parent) = self.catalog.relation(*table) else { continue };
                for (own, referenced) in constraint.columns.iter().zip(columns) {
                    let type_of = |of: &Relation, at: u32| {
                        let known = of.column_number(at).map_or(type_, |column| column.type_.base);
                        self.catalog.base_type(if of.oid == relation.oid && at == number {
                            type_
                        } else {
                            known
                        })
                    };
                    let (a, b) = (type_of(child, *own), type_of(parent, *referenced));
                    if !can_refer(a, b)? {
                        let message =
                            format!("foreign key constraint \"{}\" cannot be implemented", constraint.name);
                        return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(format!(
                            "Key columns \"{}\" and \"{}\" are of incompatible types: {} and {}.",
                            child.column_name(*own),
                            parent.column_name(*referenced),
                            self.catalog.type_name(a, -1),
                            self.catalog.type_name(b, -1)
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    fn change_type(
        &mut self,
        relation: &Relation,
        number: u32,
        type_: Modified,
        using: Option<Written>,
    ) -> Result<()> {
        let oid = relation.oid;
        let Some(before) = relation.column_number(number).cloned() else { return Ok(()) };
        if before.generated.is_some() {
            return Err(SqlError::unsupported("altering the type of a generated column"));
        }
        if before.identity.is_some() && !type_.base.is_integer() {
            let message = "identity column type must be smallint, integer, or bigint";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        if self.views_of(oid).into_iter().any(|view| self.uses_column(view, oid, number)) {
            let message = "cannot alter type of a column used by a view or rule";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        self.check_references(relation, number, type_.base)?;
        let mut target = before.clone();
        target.type_ = type_;
        let shown = self.catalog.type_name(type_.base, -1);
        let quoted = quote_identifier(&before.name);
        let value = match &using {
            Some(using) => {
                let value = self.row_expression(
                    relation,
                    &format!("({})::{shown}", using.text),
                    Clause::Index,
                    None,
                )?;
                self.binder().cast(value, type_)?
            }
            None => {
                self.row_expression(relation, &quoted, Clause::Default, Some(&target)).map_err(|error| {
                    if error.code != SqlState::DATATYPE_MISMATCH {
                        return error;
                    }
                    let message =
                        format!("column \"{}\" cannot be cast automatically to type {shown}", before.name);
                    SqlError::new(SqlState::DATATYPE_MISMATCH, message).hint(format!(
                        "You might need to specify \"USING {quoted}::{}\".",
                        self.catalog.type_name(type_.base, type_.modifier)
                    ))
                })?
            }
        };
        self.drop_triggers(relation)?;
        let indexes: Vec<_> = relation
            .indexes
            .iter()
            .filter(|index| {
                index.predicate.is_some()
                    || index.keys.iter().any(|key| key.column == Some(number) || key.expression.is_some())
            })
            .cloned()
            .collect();
        for index in &indexes {
            self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid))?;
        }
        self.execute(&format!("UPDATE {} SET c{number} = {}", relation.physical(), bare(&value)))?;
        self.column_mut(oid, number).type_ = type_;
        if let Some(default) = &before.default
            && before.sequence.is_none()
        {
            self.default_of_new_type(oid, number, default, type_.base)?;
        }
        let changed = self.relation(oid)?;
        indexes.iter().try_for_each(|index| self.create_index(&changed, index))?;
        self.refresh_triggers(oid)
    }

    fn default_of_new_type(&self, oid: Oid, number: u32, default: &str, type_: Type) -> Result<()> {
        let relation = self.relation(oid)?;
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        let source = std::rc::Rc::new(Source::stored(default));
        let mut binder = Binder::new(&self.catalog, source, &self.settings, &[]);
        let parsed = binder.source.expression()?;
        let given = binder.expr_in(Clause::Default, &Scope::default(), &parsed)?.type_;
        if binder.castable(given, type_).is_none_or(|needed| needed > Context::Assignment) {
            let shown = self.catalog.type_name(type_, -1);
            let message = format!(
                "default for column \"{}\" cannot be cast automatically to type {shown}",
                column.name
            );
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        Ok(())
    }

    fn uses_column(&self, view: Oid, table: Oid, number: u32) -> bool {
        self.views_using(table, number).contains(&view)
    }

    fn alter_index(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let (schema, name) = cursor.name()?;
        let schemas = match &schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.binder().search_path(),
        };
        let found = schemas.into_iter().find_map(|schema| self.catalog.index_named(schema, &name));
        let Some((table, index)) = found.map(|(relation, index)| (relation.oid, index.oid)) else {
            let message = format!("relation \"{name}\" does not exist");
            return if if_exists {
                Ok(Done::command("ALTER INDEX"))
            } else {
                Err(SqlError::new(SqlState::UNDEFINED_TABLE, message))
            };
        };
        if cursor.words("rename to") {
            let to = cursor.ident()?;
            let relation = self.relation_mut(table);
            for known in relation.indexes.iter_mut().filter(|known| known.oid == index) {
                known.name.clone_from(&to);
            }
            for constraint in &mut relation.constraints {
                if matches!(constraint.kind, ConstraintKind::Primary { index: of } | ConstraintKind::Unique { index: of } | ConstraintKind::Exclude { index: of, .. } if of == index)
                {
                    constraint.name.clone_from(&to);
                }
            }
        } else {
            cursor.rest();
        }
        Ok(Done::command("ALTER INDEX"))
    }

    fn alter_schema(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        let oid = self.catalog.schema_named(&name).ok_or_else(|| {
            SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{name}\" does not exist"))
        })?;
        let rename = cursor.words("rename to");
        if !rename && !cursor.words("owner to") {
            return Err(cursor.unexpected());
        }
        let to = if rename { cursor.ident()? } else { self.new_owner(cursor)? };
        let owner = to.clone();
        require_own_schema(oid, &name)?;
        self.require_object_owner(oid)?;
        if rename && to.starts_with("pg_") {
            return Err(reserved_schema(&to));
        }
        if rename {
            if let Some(crate::catalog::Object::Schema(schema)) = self.catalog_mut().objects.get_mut(&oid) {
                schema.name = to;
            }
        } else {
            self.give_object(oid, &owner);
        }
        if rename {
            let relations = self.catalog.relations().filter(|relation| relation.schema == oid);
            let relations: Vec<(Oid, String)> =
                relations.map(|relation| (relation.oid, relation.name.clone())).collect();
            for (relation, table) in &relations {
                self.rename_in_texts(*relation, (&name, table))?;
            }
            relations.iter().try_for_each(|(relation, _)| self.require_views(*relation))?;
        }
        Ok(Done::command("ALTER SCHEMA"))
    }

    fn alter_routine(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let oid = self.find_routine(cursor)??;
        self.require_object_owner(oid)?;
        let rename = cursor.words("rename to");
        let to = if rename { Some(cursor.ident()?) } else { None };
        let schema = if cursor.words("set schema") {
            let schema = cursor.ident()?;
            Some(self.creation_schema(Some(&schema))?)
        } else {
            None
        };
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
        }
        cursor.rest();
        if let Some(crate::catalog::Object::Routine(routine)) = self.catalog_mut().objects.get_mut(&oid) {
            routine.name = to.unwrap_or_else(|| routine.name.clone());
            routine.schema = schema.unwrap_or(routine.schema);
        }
        Ok(Done::command("ALTER FUNCTION"))
    }
}

fn no_constraint(name: &str, relation: &Relation) -> SqlError {
    let message = format!("constraint \"{name}\" of relation \"{}\" does not exist", relation.name);
    SqlError::new(SqlState::UNDEFINED_OBJECT, message)
}

/// The text of an expression in which column `from` is renamed to `to`.
pub(super) fn rename_in(text: &str, from: &str, to: &str) -> String {
    rename_column_in(text, None, from, to)
}

/// The same, where names of other tables' columns stand after their table's name.
pub(super) fn rename_column_in(text: &str, table: Option<&str>, from: &str, to: &str) -> String {
    let source = Source::stored(text);
    let Ok(statements) = source.statements() else { return text.to_owned() };
    let tokens: Vec<TokenWithSpan> = statements.into_iter().flatten().collect();
    let mut renamed = String::new();
    let mut copied = 0;
    for (index, token) in tokens.iter().enumerate() {
        let Token::Word(word) = &token.token else { continue };
        let ident = sqlparser::ast::Ident {
            value: word.value.clone(),
            quote_style: word.quote_style,
            span: Span::empty(),
        };
        let call = tokens.get(index + 1).is_some_and(|next| next.token == Token::LParen);
        let cast = index > 0 && tokens[index - 1].token == Token::DoubleColon;
        if name(&ident) != from || call || cast {
            continue;
        }
        let qualifier = match index >= 2 && tokens[index - 1].token == Token::Period {
            true => Some(tokens[index - 2].token.to_string()),
            false => None,
        };
        if let (Some(table), Some(qualifier)) = (table, qualifier)
            && qualifier.trim_matches('"') != table
        {
            continue;
        }
        let (Some(start), Some(end)) = (source.offset(token.span.start), source.offset(token.span.end))
        else {
            continue;
        };
        renamed.push_str(&text[copied..start]);
        renamed.push_str(&quote_identifier(to));
        copied = end;
    }
    renamed.push_str(&text[copied..]);
    renamed
}
