//! `PARTITION BY`, `PARTITION OF`, `ATTACH PARTITION`, `DETACH PARTITION`.

mod bound;
mod inherited;
mod own;

use sqlparser::ast;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::{Cursor, Written};
use super::operator_class::{ClassOf, WrittenClass};
use super::storage::{Of, new_options, storage_options};
use crate::bind::{Clause, Scope};
use crate::catalog::{
    Bound, Column, ConstraintKind, IN_BOUND, Oid, Partition, PartitionKey, Partitioning, Relation,
    RelationKind, Stored, Strategy, quote_identifier,
};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{self, is_word};
use crate::tree::{Expr, Field, Node};

/// `PARTITION BY` as it is written.
pub(super) struct WrittenKeys {
    strategy: Strategy,
    keys: Vec<(Written, Option<WrittenClass>)>,
}

impl Engine<'_> {
    /// Reads `PARTITION BY …`, if it is there.
    pub(super) fn partition_by(&self, cursor: &mut Cursor<'_>) -> Result<Option<WrittenKeys>> {
        if !cursor.words("partition by") {
            return Ok(None);
        }
        let strategies = [("range", Strategy::Range), ("list", Strategy::List), ("hash", Strategy::Hash)];
        let Some((_, strategy)) = strategies.into_iter().find(|(word, _)| cursor.word(word)) else {
            let name = cursor.ident()?;
            let message = format!("unrecognized partitioning strategy \"{name}\"");
            return Err(SqlError::new(SqlState::new("22023"), message));
        };
        cursor.expect(&Token::LParen)?;
        let keys = cursor.list(|cursor| {
            let key = cursor.expr()?;
            if cursor.word("collate") {
                cursor.name()?;
            }
            let has_class = cursor.peek().is_some_and(|token| matches!(token.token, Token::Word(_)));
            let class = if has_class { Some(WrittenClass::read(cursor)?) } else { None };
            Ok((key, class))
        })?;
        cursor.expect(&Token::RParen)?;
        if strategy == Strategy::List && keys.len() > 1 {
            let message = "cannot use \"list\" partition strategy with more than one column";
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        Ok(Some(WrittenKeys { strategy, keys }))
    }

    /// Makes a new relation a partitioned one.
    pub(super) fn set_partitioning(&mut self, oid: Oid, written: WrittenKeys) -> Result<()> {
        let relation = self.relation(oid)?;
        let WrittenKeys { strategy, keys } = written;
        let method = if strategy == Strategy::Hash { "hash" } else { "btree" };
        let read = |(key, class): &(Written, Option<WrittenClass>)| {
            let key = self.partition_key(&relation, key)?;
            self.fit_class(class.as_ref(), key.type_, (ClassOf::Partition, method))?;
            Ok(key)
        };
        let keys = keys.iter().map(read).collect::<Result<Vec<_>>>()?;
        if strategy == Strategy::Hash
            && let Some(key) = keys.iter().find(|key| !bound::can_hash(self.catalog.base_type(key.type_)))
        {
            let name = self.catalog.type_name(key.type_, -1);
            return Err(SqlError::unsupported(format!("PARTITION BY HASH of type {name}")));
        }
        for constraint in &relation.constraints {
            check_key(&relation, &keys, &constraint.kind, &constraint.columns)?;
        }
        self.relation_mut(oid).partitioning = Some(Partitioning { strategy, keys });
        self.sync_partitions(oid)
    }

    fn partition_key(&self, relation: &Relation, written: &Written) -> Result<PartitionKey> {
        let mut expr = &*written.expr;
        while let ast::Expr::Nested(inner) = expr {
            expr = inner;
        }
        if let ast::Expr::Identifier(ident) = expr {
            let name = source::name(ident);
            let column = relation.column(&name).ok_or_else(|| {
                let message = format!("column \"{name}\" named in partition key does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })?;
            if column.generated.is_some() {
                let message = "cannot use generated column in partition key";
                return Err(SqlError::new(SqlState::new("42P17"), message)
                    .detail(format!("Column \"{name}\" is a generated column.")));
            }
            return Ok(PartitionKey {
                column: Some(column.number),
                expression: None,
                type_: column.type_.base,
            });
        }
        let mut binder = self.binder();
        let scope = Scope::of(binder.row_of(relation)?);
        let bound = binder.expr_in(Clause::Index, &scope, expr)?;
        let bound = binder.settle(bound)?;
        if !bound.is_immutable() {
            let message = "functions in partition key expression must be marked IMMUTABLE";
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        let shown = binder.shown(&scope, expr, bound.type_).unwrap_or_else(|| written.text.clone());
        let call = matches!(expr, ast::Expr::Function(_));
        let text =
            if call { shown } else { format!("({})", shown.trim_start_matches('(').trim_end_matches(')')) };
        let text = if call || balanced(&text) { text } else { written.text.clone() };
        Ok(PartitionKey { column: None, expression: Some(text), type_: bound.type_ })
    }

    /// `CREATE TABLE … PARTITION OF`, after these words.
    pub(super) fn create_partition(
        &mut self,
        cursor: &mut Cursor<'_>,
        schema: Oid,
        name: &str,
    ) -> Result<Done> {
        let (of, parent) = cursor.name()?;
        let parent = self.find(of.as_deref(), &parent)?.clone();
        self.require_relation_owner(parent.oid)?;
        let own = self.partition_elements(cursor, &parent)?;
        let bound = self.bound(cursor, &parent)?;
        let below = self.partition_by(cursor)?;
        let storage = storage_options(cursor)?;
        cursor.finish()?;
        let of = if below.is_some() { Of::PartitionedTable } else { Of::Table };
        let options = new_options(of, &storage.parameters)?;
        self.check_bound(&parent, name, &bound)?;
        self.check_default(&parent, &bound)?;
        let oid = self.new_relation(schema, name, RelationKind::View);
        self.store_as(oid, options, cursor.unlogged, &storage);
        self.become_partition(oid, Partition { parent: parent.oid, bound })?;
        if let Some(below) = below {
            self.set_partitioning(oid, below)?;
        }
        own.into_iter().try_for_each(|own| self.add_own(oid, own))?;
        Ok(Done::command("CREATE TABLE"))
    }

    fn become_partition(&mut self, oid: Oid, partition: Partition) -> Result<()> {
        let parent = partition.parent;
        let relation = self.relation_mut(oid);
        relation.kind = RelationKind::View;
        relation.reads = vec![parent];
        relation.partition = Some(partition);
        // Of the others only the default partition has other rows than before.
        let relation = self.relation(parent)?;
        self.sync_below(&relation, false, |partition, bound| partition == oid || is_default(bound))?;
        self.known.unchecked.borrow_mut().insert(self.catalog.root_of(&relation));
        self.inherit(&self.relation(parent)?, oid, true)
    }

    /// Takes a partition that is dropped out of the definitions of others.
    pub(super) fn forget_partition(&mut self, parent: Oid) -> Result<()> {
        let Some(parent) = self.catalog.relation(parent).cloned() else { return Ok(()) };
        self.sync_below(&parent, false, |_, bound| is_default(bound))?;
        self.known.unchecked.borrow_mut().insert(self.catalog.root_of(&parent));
        Ok(())
    }

    /// Writes the checks of partitioned tables whose partitions have changed. Their text is as long as there are partitions, so
    /// they are not written for each of many that follow each other.
    pub(crate) fn check_new_partitions(&mut self) -> Result<()> {
        let unchecked = self.known.unchecked.take();
        let there = unchecked.into_iter().filter(|oid| self.catalog.relation(*oid).is_some());
        there.collect::<Vec<_>>().into_iter().try_for_each(|oid| self.refresh_checks(oid))
    }

    /// Writes the definitions of all partitions below a table anew, and the checks of the table that has the rows.
    pub(super) fn sync_partitions(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if relation.partitioning.is_some() {
            self.sync_below(&relation, false, all)?;
        }
        let root = self.catalog.root_of(&relation);
        if self.relation(root)?.partitioning.is_some() { self.refresh_checks(root) } else { Ok(()) }
    }

    /// `moved` says whether other rows may be in the partitions than before, and `which` the partitions to write.
    fn sync_below(
        &mut self,
        parent: &Relation,
        moved: bool,
        which: impl Fn(Oid, &Bound) -> bool + Copy,
    ) -> Result<()> {
        let catalog = self.catalog.clone();
        let from = format!(
            "{}.{}",
            quote_identifier(catalog.schema_name(parent.schema)),
            quote_identifier(&parent.name)
        );
        let partitions = catalog.partitions_of(parent.oid);
        for (partition, bound) in partitions.filter(|(partition, bound)| which(partition.oid, bound)) {
            self.budget.work(100 + parent.columns.len())?;
            let condition = catalog.condition_of_bound(parent, partition.oid, bound);
            let columns = columns_of_partition(parent, partition);
            self.renumber(partition, &columns)?;
            let names: Vec<String> = columns.iter().map(|column| quote_identifier(&column.name)).collect();
            let relation = self.relation_mut(partition.oid);
            relation.next_column = columns.len() as u32 + 1;
            relation.columns = columns;
            relation.definition = Some(format!("SELECT {} FROM {from} WHERE {condition}", names.join(", ")));
            relation.options.retain(|option| option != IN_BOUND);
            relation.options.push(IN_BOUND.to_owned());
            self.inherit(parent, partition.oid, false)?;
            let moved = moved || is_default(bound);
            if moved {
                self.create_own_indexes(partition.oid)?;
                self.create_references(partition.oid)?;
            }
            let relation = self.relation(partition.oid)?;
            if relation.partitioning.is_some() {
                self.sync_below(&relation, moved, all)?;
            }
        }
        Ok(())
    }

    /// `ATTACH PARTITION`, after these words.
    pub(super) fn attach_partition(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let (schema, name) = cursor.name()?;
        let parent = self.relation(oid)?;
        let child = self.find(schema.as_deref(), &name)?.clone();
        self.require_relation_owner(child.oid)?;
        let bound = self.bound(cursor, &parent)?;
        if child.partition.is_some() {
            let message = format!("\"{name}\" is already a partition");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        if child.kind != RelationKind::Table {
            let message = format!("\"{name}\" is not a table");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        self.check_attached(&parent, &child)?;
        self.check_bound(&parent, &child.name, &bound)?;
        self.check_default(&parent, &bound)?;
        let root = self.relation(self.catalog.root_of(&parent))?;
        self.check_rows_of(&parent, &child, &bound)?;
        let stored = |relation: &Relation| -> Vec<(String, u32)> {
            let columns = relation.columns.iter().filter(|column| column.generated.is_none());
            columns.map(|column| (column.name.clone(), column.number)).collect()
        };
        let mut into = Vec::new();
        let mut from = Vec::new();
        for (name, number) in stored(&root) {
            let own = child.column(&name).map_or(number, |column| column.number);
            into.push(format!("c{number}"));
            from.push(format!("c{own}"));
        }
        let rows = "attached_rows";
        self.execute(&format!(
            "CREATE TABLE {rows} AS SELECT {} FROM {}",
            from.join(", "),
            child.physical()
        ))?;
        self.drop_references(&child)?;
        self.execute(&format!("DROP TABLE {}", child.physical()))?;
        self.relation_mut(child.oid).room = 0;
        self.become_partition(child.oid, Partition { parent: oid, bound })?;
        self.check_new_partitions()?;
        let sql = format!("INSERT INTO {} ({}) SELECT * FROM {rows}", root.physical(), into.join(", "));
        let done = self.change(&sql).map_err(|error| self.explain(error, &sql));
        self.take_back();
        done?;
        self.execute(&format!("DROP TABLE {rows}"))?;
        self.check_pending(true)?;
        let own = self.relation(child.oid)?.constraints;
        if own.iter().any(|known| known.parent.is_none() && known.is_noted()) {
            let what = "attaching a table with an exclusion constraint or a deferrable key of its own";
            return Err(SqlError::unsupported(what));
        }
        self.create_own_indexes(child.oid)?;
        self.create_references(child.oid)
    }

    /// Refuses a table that can't become a partition.
    fn check_attached(&self, parent: &Relation, child: &Relation) -> Result<()> {
        for column in &child.columns {
            if parent.column(&column.name).is_none() {
                let message = format!(
                    "table \"{}\" contains column \"{}\" not found in parent \"{}\"",
                    child.name, column.name, parent.name
                );
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                    .detail("The new partition may contain only the columns present in parent."));
            }
        }
        for column in &parent.columns {
            let Some(own) = child.column(&column.name) else {
                let message = format!("child table is missing column \"{}\"", column.name);
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            };
            if own.type_ != column.type_ {
                let message = format!(
                    "child table \"{}\" has different type for column \"{}\"",
                    child.name, column.name
                );
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            }
            if column.not_null && !own.not_null {
                let message = format!("column \"{}\" in child table must be marked NOT NULL", column.name);
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            }
        }
        for above in &parent.constraints {
            let ConstraintKind::Check { .. } = above.kind else { continue };
            let message = match child.constraint(&above.name) {
                Some(own) if own.kind == above.kind => continue,
                Some(_) => format!(
                    "child table \"{}\" has different definition for check constraint \"{}\"",
                    child.name, above.name
                ),
                None => format!("child table is missing constraint \"{}\"", above.name),
            };
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        if child.partitioning.is_some() || child.dormant {
            return Err(SqlError::unsupported("attaching a table with partitions"));
        }
        Ok(())
    }

    /// `DETACH PARTITION`, after these words.
    pub(super) fn detach_partition(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let (schema, name) = cursor.name()?;
        let concurrently = cursor.word("concurrently");
        let _ = concurrently || cursor.word("finalize");
        let parent = self.relation(oid)?;
        if concurrently && self.catalog.partitions_of(oid).any(|(_, bound)| matches!(bound, Bound::Default)) {
            let message = "cannot detach partitions concurrently when a default partition exists";
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        let child = self.find(schema.as_deref(), &name)?.clone();
        if child.partition.as_ref().is_none_or(|partition| partition.parent != oid) {
            let message = format!("relation \"{name}\" is not a partition of relation \"{}\"", parent.name);
            return Err(SqlError::new(SqlState::UNDEFINED_TABLE, message));
        }
        if child.partitioning.is_some() {
            return Err(SqlError::unsupported("detaching a partition with partitions"));
        }
        let root = self.relation(self.catalog.root_of(&parent))?;
        let condition = self.partition_condition(&root, &child)?;
        self.refuse_referenced(&child)?;
        self.inherit(&parent, child.oid, false)?;
        self.drop_own_indexes(&child)?;
        self.drop_references(&child)?;
        let relation = self.relation_mut(child.oid);
        relation.indexes.iter_mut().for_each(|index| index.parent = None);
        relation.constraints.iter_mut().for_each(|known| known.parent = None);
        relation.kind = RelationKind::Table;
        (relation.partition, relation.definition) = (None, None);
        (relation.reads, relation.options) = (Vec::new(), Vec::new());
        self.create_storage(child.oid)?;
        let columns: Vec<&Column> = root.columns.iter().filter(|column| column.generated.is_none()).collect();
        let of_root = columns.iter().map(|column| format!("c{}", column.number)).collect::<Vec<_>>();
        let own = columns.iter().map(|column| child.column(&column.name).map_or(0, |own| own.number));
        let own = own.map(|number| format!("c{number}")).collect::<Vec<_>>();
        self.execute(&format!(
            "INSERT INTO {} ({}) SELECT {} FROM {} WHERE {condition}",
            child.physical(),
            own.join(", "),
            of_root.join(", "),
            root.physical()
        ))?;
        self.delete_partition_rows(&root, &condition)?;
        self.create_references(child.oid)?;
        self.refresh_checks(child.oid)?;
        self.sync_partitions(oid)
    }

    fn delete_partition_rows(&mut self, root: &Relation, condition: &str) -> Result<()> {
        let done = self.change(&format!("DELETE FROM {} WHERE {condition}", root.physical()));
        self.take_back();
        done.map(drop)
    }

    /// Deletes the rows of a partition from the table that has them.
    pub(super) fn empty_partition(&mut self, partition: &Relation) -> Result<()> {
        let root = self.catalog.root_of(partition);
        let Some(root) = self.catalog.relation(root).filter(|root| root.is_stored()).cloned() else {
            return Ok(());
        };
        let condition = self.partition_condition(&root, partition)?;
        self.delete_partition_rows(&root, &condition)
    }

    /// The condition of a partition as SQL about rows of the table that has them.
    pub(super) fn partition_condition(&self, root: &Relation, partition: &Relation) -> Result<String> {
        let condition = self.catalog.condition_of_partition(partition);
        let condition = self.row_expression(root, &condition, Clause::Check, None)?;
        Ok(super::physical::bare(&condition))
    }

    /// SQL for the name of the partition of a row; null if there is none.
    pub(super) fn name_of_leaf(&self, root: &Relation, names: crate::print::Names<'_>) -> Result<String> {
        let catalog = self.catalog.clone();
        let mut branches = String::new();
        for (leaf, condition) in catalog.leaves(root.oid) {
            self.budget.work(1_000)?;
            let condition = self.row_expression(root, &condition, Clause::Check, None)?;
            let condition = crate::print::expression(&condition, names);
            branches.push_str(&format!(" WHEN {condition} THEN {}", crate::run::literal(&leaf.name)));
        }
        Ok(if branches.is_empty() { "NULL".to_owned() } else { format!("CASE{branches} END") })
    }

    /// The query of the number of the partition that a row is in, whose values are the parameters in the order of the columns.
    pub(crate) fn leaf_of_values(&self, root: &Relation) -> Result<String> {
        let names = crate::print::Names::of(super::physical::ROW, "x");
        let mut branches = String::new();
        for (leaf, condition) in self.catalog.clone().leaves(root.oid) {
            self.budget.work(1_000)?;
            let condition = self.row_expression(root, &condition, Clause::Check, None)?;
            let condition = crate::print::expression(&condition, names);
            branches.push_str(&format!(" WHEN {condition} THEN {}", leaf.oid));
        }
        let values = root.columns.iter().enumerate();
        let values = values.map(|(at, column)| format!("?{} AS c{}", at + 1, column.number));
        let values = values.collect::<Vec<_>>().join(", ");
        let leaf = if branches.is_empty() { "NULL".to_owned() } else { format!("CASE{branches} END") };
        Ok(format!("SELECT {leaf} FROM (SELECT {values}) AS x"))
    }

    /// SQL that refuses a row for which there is no partition, and SQL for the name of the partition of a row.
    pub(super) fn routing(&self, root: &Relation) -> Result<Option<(String, String)>> {
        let Some(partitioning) = &root.partitioning else { return Ok(None) };
        let names = crate::print::Names::of(super::physical::ROW, "NEW");
        let leaf = self.name_of_leaf(root, names)?;
        let binder = self.binder();
        let keys: Vec<String> = partitioning.keys.iter().map(|key| root.key_text(key)).collect();
        let texts = partitioning.keys.iter().map(|key| {
            let value = match (key.column, &key.expression) {
                (Some(number), _) => {
                    let node = Node::Column { source: super::physical::ROW, field: Field::Column(number) };
                    Expr::new(node, key.type_)
                }
                (None, Some(text)) => self.row_expression(root, text, Clause::Index, None)?,
                (None, None) => Expr::null(),
            };
            let text = super::physical::printed(&binder, value)?;
            Ok(format!("coalesce({}, 'null')", crate::print::expression(&text, names)))
        });
        let texts = texts.collect::<Result<Vec<_>>>()?.join(" || ', ' || ");
        let message = format!("no partition of relation \"{}\" found for row", root.name);
        let detail = format!("Partition key of the failing row contains ({}) = (", keys.join(", "));
        let refusal = format!(
            "SELECT pg_raise('23514', {}, {} || {texts} || ').') WHERE {leaf} IS NULL;",
            crate::run::literal(&message),
            crate::run::literal(&detail)
        );
        Ok(Some((refusal, leaf)))
    }
}

/// The columns of a partition: its own, in their order, as its table has them, and those that are new in the table.
fn columns_of_partition(parent: &Relation, partition: &Relation) -> Vec<Column> {
    let own = partition.columns.iter().filter_map(|own| Some((parent.column(&own.name)?, Some(own))));
    let is_new = |column: &&Column| partition.column(&column.name).is_none();
    let new = parent.columns.iter().filter(is_new).map(|column| (column, None));
    let columns = own.chain(new).enumerate().map(|(at, (column, own))| Column {
        number: at as u32 + 1,
        // A partition has no identity columns of its own.
        identity: None,
        sequence: None,
        default: own.map_or_else(|| column.default.clone(), |own| own.default.clone()),
        not_null: column.not_null || own.is_some_and(|own| own.not_null),
        acl: own.map(|own| own.acl.clone()).unwrap_or_default(),
        comment: own.and_then(|own| own.comment.clone()),
        stored: own.map_or_else(
            || Stored { statistics: None, options: Vec::new(), ..column.stored.clone() },
            |own| own.stored.clone(),
        ),
        ..column.clone()
    });
    columns.collect()
}

/// Refuses a key that could have the same value in two partitions.
pub(super) fn check_key(
    relation: &Relation,
    keys: &[PartitionKey],
    kind: &ConstraintKind,
    columns: &[u32],
) -> Result<()> {
    let word = match kind {
        ConstraintKind::Primary { .. } => "PRIMARY KEY",
        ConstraintKind::Unique { .. } => "UNIQUE",
        ConstraintKind::Exclude { .. } => {
            let message = "exclusion constraints are not supported on partitioned tables";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        _ => return Ok(()),
    };
    for key in keys {
        let Some(number) = key.column else {
            let message = format!("unsupported {word} constraint with partition key definition");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(format!(
                "{word} constraints cannot be used when partition keys include expressions."
            )));
        };
        if !columns.contains(&number) {
            let message = "unique constraint on partitioned table must include all partitioning columns";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(format!(
                "{word} constraint on table \"{}\" lacks column \"{}\" which is part of the partition key.",
                relation.name,
                relation.column_name(number)
            )));
        }
    }
    Ok(())
}

fn balanced(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth >= 0
    }) && depth == 0
}

/// Whether a statement is `CREATE TABLE … PARTITION OF`.
pub(crate) fn makes_partition(tokens: &[TokenWithSpan]) -> bool {
    let pair = |one: &str, other: &str| {
        tokens.windows(2).take(10).any(|pair| is_word(&pair[0], one) && is_word(&pair[1], other))
    };
    tokens.first().is_some_and(|first| is_word(first, "create")) && pair("partition", "of")
}

/// Whether a bound is that of the default partition.
fn is_default(bound: &Bound) -> bool {
    *bound == Bound::Default
}

/// All partitions.
fn all(_: Oid, _: &Bound) -> bool {
    true
}
