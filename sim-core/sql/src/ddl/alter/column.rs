//! `ALTER TABLE`: columns are added, changed and dropped.

use sqlparser::tokenizer::Token;

use super::no_constraint;
use crate::bind::{Binder, Clause, Scope, Sequences};
use crate::cast::Context;
use crate::catalog::{ConstraintKind, Identity, Oid, Relation, quote_identifier};
use crate::ddl::cursor::{Cursor, Written};
use crate::ddl::dependents::What;
use crate::ddl::names::{column_taken, relation_taken};
use crate::ddl::physical::bare;
use crate::ddl::table::can_refer;
use crate::ddl::texts::name_of;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::Source;
use crate::types::{Modified, Type};

impl Engine<'_> {
    pub(super) fn add(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let starts = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
        if starts.iter().any(|word| cursor.is(word)) {
            let constraint = self.table_constraint(cursor)?;
            if self.relation(oid)?.partition.is_some() {
                return self.add_to_partition(oid, constraint);
            }
            self.add_constraint(oid, constraint)?;
            return self.refresh_checks(oid);
        }
        cursor.word("column");
        let if_not_exists = cursor.words("if not exists");
        let mut definition = self.column_definition_of(cursor)?;
        let relation = self.relation(oid)?;
        if if_not_exists && relation.column(&definition.name).is_some() {
            return self.skip(true, column_taken(&definition.name, &relation.name));
        }
        let constraints = std::mem::take(&mut definition.constraints);
        let generation = definition.generated.as_ref().map(|written| written.expr.clone());
        self.drop_checks(oid)?;
        let number = self.add_column_entry(oid, definition)?;
        generation.map_or(Ok(()), |expr| self.check_generation(oid, &expr))?;
        self.show_generated(oid, number)?;
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
    pub(super) fn fill_column(&mut self, relation: &Relation, number: u32) -> Result<()> {
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        if column.generated.is_some() {
            return Ok(());
        }
        let value = match (self.catalog.default_of(column), column.sequence) {
            (Some(default), _) => {
                bare(&self.row_expression(relation, default, Clause::Default, Some(column))?)
            }
            (None, Some(sequence)) => format!("pg_nextval({sequence})"),
            (None, None) => return Ok(()),
        };
        let sql = format!("UPDATE {} SET c{number} = {value}", relation.physical());
        const DRAWING: [&str; 6] =
            ["pg_nextval", "pg_currval", "pg_lastval", "pg_setval", "pg_txid_", "pg_pg_current_xact"];
        if !DRAWING.iter().any(|call| value.contains(call)) {
            return self.execute(&sql);
        }
        self.load_sequences(&Sequences::Any)?;
        self.execute(&sql)?;
        self.store_sequences()
    }

    /// Refuses to change a column by which a table or one of its partitions is partitioned.
    fn refuse_key_column(&self, oid: Oid, number: u32, change: &str) -> Result<()> {
        let mut all = vec![oid];
        self.catalog.add_partitions(oid, &mut all);
        for table in all.into_iter().filter_map(|table| self.catalog.relation(table)) {
            let name = table.column_name(number);
            let keys = table.partitioning.iter().flat_map(|partitioning| &partitioning.keys);
            let mut named = keys.filter(|key| {
                let text = key.expression.as_deref().unwrap_or_default();
                let tokens = Source::stored(text).tokens().unwrap_or_default();
                key.column == Some(number)
                    || tokens.iter().any(|token| name_of(token).as_deref() == Some(name))
            });
            if named.next().is_some() {
                let of = &table.name;
                let message = format!(
                    "cannot {change} column \"{name}\" because it is part of the partition key of relation \"{of}\""
                );
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
        }
        Ok(())
    }

    pub(super) fn drop_from_table(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
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
            self.refuse_inherited(&relation, &name)?;
            return match relation.constraint(&name).map(|constraint| constraint.oid) {
                Some(constraint) => self.drop_all(vec![What::Constraint(oid, constraint)], cascade),
                None if relation.constraint_trigger(&name).is_some() => {
                    Err(required_by_trigger(&name, &relation))
                }
                None => self.skip(if_exists, no_constraint(&name, &relation)),
            };
        }
        match relation.column(&name).map(|column| column.number) {
            Some(_) if relation.partition.is_some() => {
                let message = format!("cannot drop inherited column \"{name}\"");
                Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
            }
            Some(number) => {
                self.refuse_key_column(oid, number, "drop")?;
                self.drop_all(vec![What::Column(oid, number)], cascade)
            }
            None => {
                self.column_number(&relation, &name).map(drop).or_else(|error| self.skip(if_exists, error))
            }
        }
    }

    /// Removes a column, and all constraints and indexes that use it.
    pub(in crate::ddl) fn remove_column(&mut self, table: Oid, number: u32) -> Result<()> {
        let Some(relation) = self.catalog.relation(table).cloned() else { return Ok(()) };
        let Some(column) = relation.column_number(number).cloned() else { return Ok(()) };
        for constraint in
            relation.constraints.iter().filter(|constraint| constraint.columns.contains(&number))
        {
            self.remove_constraint(table, constraint.oid)?;
        }
        self.drop_checks(table)?;
        for index in &relation.indexes {
            let uses = |text: &str| self.reads_column(&relation, text, number);
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
    pub(super) fn refuse_default(&self, relation: &Relation, number: u32) -> Result<()> {
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        let what = match (&column.identity, &column.generated) {
            (Some(_), _) => "an identity column",
            (None, Some(_)) => "a generated column",
            (None, None) => return Ok(()),
        };
        let message = format!("column \"{}\" of relation \"{}\" is {what}", column.name, relation.name);
        Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
    }

    pub(super) fn alter_column(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let name = cursor.ident()?;
        let relation = self.relation(oid)?;
        let number = self.column_number(&relation, &name)?;
        if cursor.is("set") && cursor.is_at(1, "default") || cursor.is("drop") && cursor.is_at(1, "default") {
            self.refuse_default(&relation, number)?;
        }
        if cursor.words("set default") {
            let default = cursor.default_expr()?;
            self.set_default(oid, number, &default)?;
            self.share_default(oid, &name);
            return Ok(());
        }
        if cursor.words("drop default") {
            self.column_mut(oid, number).default = None;
            self.share_default(oid, &name);
            return Ok(());
        }
        if cursor.words("set not null") {
            self.check_not_null(&relation, number)?;
            self.column_mut(oid, number).not_null = true;
            if relation.partition.is_some() || relation.partitioning.is_some() {
                return self.sync_partitions(oid);
            }
            return self.refresh_checks(oid);
        }
        if cursor.words("drop not null") {
            if relation.primary_key().is_some_and(|key| key.columns.contains(&number)) {
                let message = format!("column \"{name}\" is in a primary key");
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            self.require_nulls_above(&relation, &name)?;
            self.column_mut(oid, number).not_null = false;
            self.allow_nulls_below(oid, &name)?;
            if relation.partition.is_some() || relation.partitioning.is_some() {
                return self.sync_partitions(oid);
            }
            return self.refresh_checks(oid);
        }
        if cursor.words("set data type") || cursor.word("type") {
            let type_ = self.type_of(cursor)?;
            let collation = self.collation_of(cursor, type_)?;
            let using = if cursor.word("using") { Some(cursor.expr()?) } else { None };
            self.change_type(&relation, number, type_, using)?;
            self.column_mut(oid, number).collation = collation;
            return Ok(());
        }
        if cursor.words("drop identity") {
            let if_exists = cursor.words("if exists");
            if relation.column_number(number).is_none_or(|column| column.identity.is_none()) {
                let message =
                    format!("column \"{name}\" of relation \"{}\" is not an identity column", relation.name);
                return self
                    .leave_alone(if_exists, SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
            }
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
        if cursor.words("drop expression") {
            let if_exists = cursor.words("if exists");
            return self.drop_expression(&relation, number, if_exists);
        }
        if self.change_stored(cursor, &relation, number)? {
            return Ok(());
        }
        if cursor.is("restart") || cursor.is("set") {
            return self.change_identity(cursor, &relation, number);
        }
        Err(cursor.unexpected())
    }

    /// Makes a generated column an ordinary one, with the values that it has.
    fn drop_expression(&mut self, relation: &Relation, number: u32, if_exists: bool) -> Result<()> {
        if relation.column_number(number).is_none_or(|column| column.generated.is_none()) {
            let message = format!(
                "column \"{}\" of relation \"{}\" is not a stored generated column",
                relation.column_name(number),
                relation.name
            );
            return self.leave_alone(if_exists, SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        if relation.partitioning.is_some() {
            return Err(SqlError::unsupported("DROP EXPRESSION of a partitioned table"));
        }
        self.column_mut(relation.oid, number).generated = None;
        self.store_anew(relation)
    }

    /// `RESTART`, `SET GENERATED` and `SET` with an option of the sequence, as often as they are given.
    fn change_identity(&mut self, cursor: &mut Cursor<'_>, relation: &Relation, number: u32) -> Result<()> {
        let identity = relation.column_number(number).filter(|column| column.identity.is_some());
        let (mut always, mut given) = (None, Vec::new());
        while cursor.is("restart") || cursor.is("set") {
            if cursor.words("set generated") {
                always = Some(cursor.word("always"));
                if always == Some(false) {
                    cursor.expect_word("by")?;
                    cursor.expect_word("default")?;
                }
            } else {
                cursor.word("set");
                given.push(self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?);
            }
        }
        let sequence = identity.and_then(|column| column.sequence);
        let options = sequence.and_then(|oid| self.catalog.relation(oid));
        let options = options.and_then(|sequence| sequence.sequence.clone());
        let (Some(sequence), Some(options)) = (sequence, options) else {
            let message = format!(
                "column \"{}\" of relation \"{}\" is not an identity column",
                relation.column_name(number),
                relation.name
            );
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        };
        if let Some(always) = always {
            let identity = if always { Identity::Always } else { Identity::ByDefault };
            self.column_mut(relation.oid, number).identity = Some(identity);
        }
        if given.is_empty() {
            return Ok(());
        }
        self.change_sequence(sequence, options, &given, None)
    }

    pub(super) fn add_identity(
        &mut self,
        cursor: &mut Cursor<'_>,
        relation: &Relation,
        number: u32,
    ) -> Result<()> {
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
        let taken = match (&column.identity, &column.default) {
            (Some(_), _) => Some("is already an identity column"),
            (None, Some(_)) => Some("already has a default value"),
            (None, None) => None,
        };
        if let Some(taken) = taken {
            let message = format!("column \"{}\" of relation \"{}\" {taken}", column.name, relation.name);
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        if !column.not_null {
            let message = format!(
                "column \"{}\" of relation \"{}\" must be declared NOT NULL before identity can be added",
                column.name, relation.name
            );
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        let options = self.sequence_options(column.type_.base, &given, Some((relation.oid, number)))?;
        let name = named.unwrap_or_else(|| {
            let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
            crate::ddl::names::choose(&relation.name, &column.name, "seq", taken)
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
    pub(super) fn check_references(&self, relation: &Relation, number: u32, type_: Type) -> Result<()> {
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

    pub(super) fn change_type(
        &mut self,
        relation: &Relation,
        number: u32,
        type_: Modified,
        using: Option<Written>,
    ) -> Result<()> {
        let oid = relation.oid;
        self.refuse_key_column(oid, number, "alter")?;
        let Some(before) = relation.column_number(number).cloned() else { return Ok(()) };
        if before.identity.is_some() && !type_.base.is_integer() {
            let message = "identity column type must be smallint, integer, or bigint";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        let reads = |text: &String| self.reads_column(relation, text, number);
        if let Some(generated) =
            relation.columns.iter().find(|column| column.generated.as_ref().is_some_and(reads))
        {
            let message = "cannot alter type of a column used by a generated column";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(format!(
                "Column \"{}\" is used by generated column \"{}\".",
                before.name, generated.name
            )));
        }
        self.refuse_other_type(oid, number)?;
        self.check_references(relation, number, type_.base)?;
        if before.generated.is_some() {
            return self.retype_generated(relation, &before, type_, using.is_some());
        }
        let mut target = before.clone();
        target.type_ = type_;
        let shown = self.catalog.type_name(type_.base, -1);
        let quoted = quote_identifier(&before.name);
        let value = match &using {
            Some(using) => {
                let value = self.row_expression(
                    relation,
                    &format!("({})::{shown}", using.text),
                    Clause::Transform,
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
        self.refuse_users_of_row(relation)?;
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
        if let (Some(_), Some(sequence)) = (before.identity, before.sequence) {
            self.retype_identity(sequence, type_.base)?;
        }
        if let Some(default) = &before.default
            && before.sequence.is_none()
        {
            self.default_of_new_type(oid, number, default, type_.base)?;
        }
        let changed = self.relation(oid)?;
        if let Some(column) = changed.column_number(number) {
            self.define_column_again(&changed, column)?;
        }
        self.create_indexes_again(&changed, indexes)?;
        self.refresh_triggers(oid)
    }

    pub(super) fn default_of_new_type(
        &self,
        oid: Oid,
        number: u32,
        default: &str,
        type_: Type,
    ) -> Result<()> {
        let relation = self.relation(oid)?;
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        let mut binder = Binder::of_definition(&self.catalog, default, &self.settings);
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
}

/// The error for the constraint of a constraint trigger, which goes with the trigger.
fn required_by_trigger(name: &str, relation: &Relation) -> SqlError {
    let table = &relation.name;
    let message = format!(
        "cannot drop constraint {name} on table {table} because trigger {name} on table {table} requires it"
    );
    SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
        .hint(format!("You can drop trigger {name} on table {table} instead."))
}
