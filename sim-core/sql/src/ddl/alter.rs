//! `ALTER`.

mod column;
mod enabled;
mod generated;
pub(super) mod kinds;
mod others;
mod retyped;

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::cursor::Cursor;
use super::follow_column::RenamedColumn;
use super::names::{column_taken, refuse_system_name, relation_taken};
use super::table::Deferral;
use crate::catalog::{Constraint, ConstraintKind, Oid, Relation, RelationKind, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{Source, name};

impl Engine<'_> {
    /// `ALTER TABLE`, after these words.
    pub(super) fn alter_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let only = cursor.word("only");
        let (schema, name) = cursor.name()?;
        // A star says that what inherits from the table changes too, as it does anyway.
        cursor.token(&Token::Mul);
        let oid = match self.find(schema.as_deref(), &name) {
            Ok(relation) => relation.oid,
            Err(error) => return self.skip_all(if_exists, error, "ALTER TABLE"),
        };
        self.require_relation_owner(oid)?;
        let before = self.relation(oid)?;
        let partition = before.partition.is_some();
        if partition {
            require_of_partition(cursor)?;
        }
        if cursor.is("rename") || cursor.is("set") && cursor.is_at(1, "schema") {
            self.alter_relation(cursor, oid, "ALTER TABLE")?;
        } else {
            self.require_free(&before, "ALTER TABLE")?;
            let done = cursor.list(|cursor| self.alteration(cursor, oid));
            // What `ONLY` can't add is refused before its rows are looked at.
            if done.is_err() && only && before.partitioning.is_some() {
                self.keep_to_only(&before)?;
            }
            done?;
            cursor.finish()?;
        }
        if only && before.partitioning.is_some() {
            self.keep_to_only(&before)?;
        }
        self.sync_partitions(oid)?;
        Ok(Done::command("ALTER TABLE"))
    }

    /// `ALTER` of anything but a table.
    pub(super) fn alter_other(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let materialized = cursor.words("materialized view");
        if materialized || cursor.word("view") {
            let if_exists = cursor.words("if exists");
            let (schema, name) = cursor.name()?;
            let (kind, called) = match materialized {
                true => (RelationKind::MaterializedView, "materialized view"),
                false => (RelationKind::View, "view"),
            };
            return match self.find(schema.as_deref(), &name).map(|relation| (relation.oid, relation.kind)) {
                Ok((_, other)) if other != kind => {
                    let message = format!("\"{name}\" is not a {called}");
                    Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message))
                }
                Ok((oid, _)) => self.alter_relation(cursor, oid, "ALTER VIEW"),
                Err(error) => self.skip_all(if_exists, error, "ALTER VIEW"),
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
        if cursor.word("trigger") {
            return self.alter_trigger(cursor);
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
        let routines = ["function", "procedure", "routine", "aggregate"];
        if let Some(word) = routines.into_iter().find(|word| cursor.word(word)) {
            return self.alter_routine(cursor, word);
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
        if cursor.word("database") {
            return self.alter_database(cursor);
        }
        if cursor.word("extension") {
            return self.alter_extension(cursor);
        }
        Err(SqlError::unsupported(format!("ALTER {}", cursor.ident()?.to_uppercase())))
    }

    /// The actions that apply to every kind of relation: rename, set schema.
    pub(super) fn alter_relation(&mut self, cursor: &mut Cursor<'_>, oid: Oid, tag: &str) -> Result<Done> {
        let done = Ok(Done::command(tag));
        self.require_relation_owner(oid)?;
        if cursor.words("rename to") {
            let name = cursor.new_name()?;
            let relation = self.relation(oid)?;
            let other =
                self.catalog.relation_named(relation.schema, &name).is_some_and(|known| known.oid != oid);
            if other || self.catalog.relation_exists(relation.schema, &name) {
                return Err(relation_taken(&name));
            }
            let row = self.catalog.row_type(oid);
            self.relation_mut(oid).name.clone_from(&name);
            if let Some(row) = row {
                self.user_type_mut(row)?.name = name;
            }
            let schema = self.catalog.schema_name(relation.schema).to_owned();
            self.follow_sequence(&relation);
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
            let from = cursor.column_name()?;
            cursor.expect_word("to")?;
            let to = cursor.column_name()?;
            cursor.finish()?;
            return self.rename_column(oid, &from, &to).map(|()| Done::command(tag));
        }
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            self.require_no_owner(oid)?;
            self.move_to_schema(oid, schema)?;
            return done;
        }
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.require_creator(&owner, self.relation(oid)?.schema)?;
            self.give_object(oid, &owner);
            return done;
        }
        if self.relation(oid)?.kind == RelationKind::View && cursor.word("alter") {
            return self.alter_view_column(cursor, oid).map(|()| Done::command(tag));
        }
        if cursor.is("set") || cursor.is("reset") {
            return self.change_storage(cursor, oid).and(done);
        }
        self.require_kind_for(cursor, oid)?;
        Err(cursor.unexpected())
    }

    /// Refuses to move a sequence away from the table that owns it.
    fn require_no_owner(&self, oid: Oid) -> Result<()> {
        let sequence = self.relation(oid)?;
        let owner = sequence.sequence.as_ref().and_then(|options| options.owner);
        let Some(table) = owner.and_then(|(table, _)| self.catalog.relation(table)) else { return Ok(()) };
        let message = "cannot move an owned sequence into another schema";
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
            .detail(format!("Sequence \"{}\" is linked to table \"{}\".", sequence.name, table.name)))
    }

    /// Moves a relation to another schema, and with a table the sequences that it owns.
    fn move_to_schema(&mut self, oid: Oid, schema: Oid) -> Result<()> {
        let before = self.relation(oid)?;
        let old = self.catalog.schema_name(before.schema).to_owned();
        // Its indexes and the sequences of its columns go with it.
        let sequences = before.columns.iter().filter_map(|column| self.catalog.relation(column.sequence?));
        let indexes = before.indexes.iter().map(|index| &index.name);
        let mut names = std::iter::once(&before.name).chain(sequences.map(|one| &one.name)).chain(indexes);
        let taken = names.find(|name| schema != before.schema && self.catalog.relation_exists(schema, name));
        if let Some(taken) = taken {
            let message = format!(
                "relation \"{taken}\" already exists in schema \"{}\"",
                self.catalog.schema_name(schema)
            );
            return Err(SqlError::new(SqlState::DUPLICATE_TABLE, message));
        }
        self.relation_mut(oid).schema = schema;
        if let Some(row) = self.catalog.row_type(oid) {
            self.user_type_mut(row)?.schema = schema;
        }
        self.follow_sequence(&before);
        self.follow(oid, (&old, &before.name))?;
        self.sequences_of(oid).into_iter().try_for_each(|sequence| self.move_to_schema(sequence, schema))
    }

    /// Lets the defaults that draw from a sequence name it as it is called now.
    fn follow_sequence(&mut self, before: &Relation) {
        if before.kind != RelationKind::Sequence {
            return;
        }
        let call = |name: String| format!("nextval('{}'::regclass)", name.replace('\'', "''"));
        let old = call(self.catalog.relation_name(before));
        let Some(new) = self.catalog.relation(before.oid).map(|after| self.catalog.relation_name(after))
        else {
            return;
        };
        let new = call(new);
        let draws = |relation: &&Relation| {
            relation
                .columns
                .iter()
                .any(|column| column.default.as_ref().is_some_and(|text| text.contains(&old)))
        };
        let tables: Vec<Oid> = self.catalog.relations().filter(draws).map(|relation| relation.oid).collect();
        for table in tables {
            for default in
                self.relation_mut(table).columns.iter_mut().filter_map(|column| column.default.as_mut())
            {
                *default = default.replace(&old, &new);
            }
        }
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

    /// `ALTER CONSTRAINT`, after these words: when a foreign key is checked.
    fn alter_constraint(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let name = cursor.ident()?;
        let mut deferral = Deferral::default();
        while deferral.read(cursor)? {}
        let relation = self.relation(oid)?;
        let not_foreign = || {
            let message = format!(
                "constraint \"{name}\" of relation \"{}\" is not a foreign key constraint",
                relation.name
            );
            SqlError::new(SqlState::WRONG_OBJECT_TYPE, message)
        };
        let constraint =
            relation.constraint(&name).ok_or_else(|| match relation.constraint_trigger(&name) {
                Some(_) => not_foreign(),
                None => no_constraint(&name, &relation),
            })?;
        if !matches!(constraint.kind, ConstraintKind::Foreign { .. }) {
            return Err(not_foreign());
        }
        if let Some(parent) = constraint.parent {
            return Err(self.refuse_derived(&relation, constraint, parent));
        }
        let (key, chosen) = (constraint.oid, deferral.chosen());
        let mut tables = vec![oid];
        self.catalog.add_partitions(oid, &mut tables);
        let mut keys = vec![key];
        for table in tables {
            for known in &mut self.relation_mut(table).constraints {
                let is_part = known.parent.is_some_and(|parent| keys.contains(&parent));
                if is_part || known.oid == key {
                    keys.push(known.oid);
                    (known.deferrable, known.deferred) = chosen;
                }
            }
        }
        Ok(())
    }

    fn refuse_derived(&self, relation: &Relation, constraint: &Constraint, parent: Oid) -> SqlError {
        let above = self
            .catalog
            .relations()
            .find_map(|above| Some((above, above.constraints.iter().find(|known| known.oid == parent)?)));
        let message =
            format!("cannot alter constraint \"{}\" on relation \"{}\"", constraint.name, relation.name);
        let error = SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message)
            .hint("You may alter the constraint it derives from instead.");
        match above {
            Some((above, known)) => error.detail(format!(
                "Constraint \"{}\" is derived from constraint \"{}\" of relation \"{}\".",
                constraint.name, known.name, above.name
            )),
            None => error,
        }
    }

    fn rename_constraint(&mut self, oid: Oid, from: &str, to: &str) -> Result<()> {
        let relation = self.relation_mut(oid);
        let table = relation.name.clone();
        let part = relation.constraint(from).filter(|known| known.parent.is_some());
        if part.is_some_and(|part| matches!(part.kind, ConstraintKind::Check { .. })) {
            let message = format!("cannot rename inherited constraint \"{from}\"");
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        if relation.constraint_trigger(from).is_some() {
            return Err(SqlError::unsupported(
                "another name for the constraint of a trigger than the trigger's",
            ));
        }
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
        relation.column(from).ok_or_else(missing)?;
        if relation.is_stored() {
            refuse_system_name(to)?;
        }
        if relation.column(to).is_some() {
            return Err(column_taken(to, &relation.name));
        }
        if relation.partition.is_some() {
            let message = format!("cannot rename inherited column \"{from}\"");
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let mut all = vec![oid];
        self.catalog.add_partitions(oid, &mut all);
        let number = |table: &Oid| Some((*table, self.catalog.relation(*table)?.column(from)?.number));
        let columns = all.iter().filter_map(number).collect();
        let before = self.catalog.clone();
        let renamed = RenamedColumn { columns, from, to, before };
        all.into_iter().for_each(|table| self.rename_in_relation(table, &renamed));
        if self.relation(oid)?.partitioning.is_some() {
            self.sync_partitions(oid)?;
        }
        self.follow_column(&renamed)?;
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
        self.require_kind_for(cursor, oid)?;
        if cursor.word("add") {
            return self.add(cursor, oid);
        }
        if cursor.word("drop") {
            return self.drop_from_table(cursor, oid);
        }
        if cursor.word("alter") {
            if cursor.word("constraint") {
                return self.alter_constraint(cursor, oid);
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
            return self.enable(cursor, oid);
        }
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.require_creator(&owner, self.relation(oid)?.schema)?;
            self.give_object(oid, &owner);
            return Ok(());
        }
        if cursor.words("cluster on") {
            let name = cursor.ident()?;
            return self.cluster_on(oid, &name);
        }
        if cursor.words("replica identity") {
            return self.set_replica_identity(cursor, oid);
        }
        if cursor.is("set") || cursor.is("reset") {
            return self.change_storage(cursor, oid);
        }
        if cursor.words("attach partition") {
            return self.attach_partition(cursor, oid);
        }
        if cursor.words("detach partition") {
            return self.detach_partition(cursor, oid);
        }
        if cursor.is("inherit") || cursor.is("no") || cursor.is("of") {
            return Err(SqlError::unsupported("inheritance of tables"));
        }
        Err(cursor.unexpected())
    }
}

/// Refuses what would be different for the rows of one partition.
fn require_of_partition(cursor: &Cursor<'_>) -> Result<()> {
    let constraints = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
    if cursor.is("add") && !constraints.iter().any(|word| cursor.is_at(1, word)) {
        let message = "cannot add column to a partition";
        return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
    }
    let whole = ["rename", "owner", "enable", "disable", "force", "replica", "attach", "detach"];
    let known = whole.iter().any(|word| cursor.is(word));
    let nulls = cursor.is("alter") && (cursor.is_at(4, "null") || cursor.is_at(5, "null"));
    let default = cursor.is("alter") && (cursor.is_at(3, "default") || cursor.is_at(4, "default"));
    let schema = cursor.is("set") && cursor.is_at(1, "schema");
    // What is dropped is looked at later.
    let own = cursor.is("drop");
    let column = if cursor.is_at(1, "column") { 2 } else { 1 };
    let typed = cursor.is_at(column + 1, "type")
        || cursor.is_at(column + 1, "set") && cursor.is_at(column + 2, "data");
    if cursor.is("alter") && typed {
        let name = cursor.tokens.get(cursor.at + column).and_then(super::texts::name_of).unwrap_or_default();
        let message = format!("cannot alter inherited column \"{name}\"");
        return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
    }
    // How a column or the table is stored is said of each by itself.
    let kept_so = cursor.is("alter")
        && (cursor.is_at(column + 1, "set") || cursor.is_at(column + 1, "reset"))
        && (["storage", "statistics", "compression"].iter().any(|word| cursor.is_at(column + 2, word))
            || cursor.tokens.get(cursor.at + column + 2).is_some_and(|token| token.token == Token::LParen));
    let logged = cursor.is("set")
        && ["logged", "unlogged", "tablespace", "without"].iter().any(|word| cursor.is_at(1, word));
    let unforced = cursor.is("no") && cursor.is_at(1, "force");
    let key = cursor.is("add");
    let brackets = cursor.tokens.get(cursor.at + 1).is_some_and(|token| token.token == Token::LParen);
    let stored = brackets && (cursor.is("set") || cursor.is("reset"));
    let kept = cursor.is("validate") || cursor.is("cluster") || stored;
    if known || default || nulls || own || schema || unforced || key || kept || kept_so || logged {
        return Ok(());
    }
    Err(SqlError::unsupported("this change of a partition"))
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
    let meant = |qualifier: Option<&str>| table.is_none() || qualifier.is_none() || qualifier == table;
    rename_where(text, from, to, meant)
}

/// The text of an expression in which column `from` is renamed where `meant` says so of the name before it.
pub(super) fn rename_where(text: &str, from: &str, to: &str, meant: impl Fn(Option<&str>) -> bool) -> String {
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
        if !meant(qualifier.as_deref().map(|qualifier| qualifier.trim_matches('"'))) {
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
