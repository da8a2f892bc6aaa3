//! `ALTER TYPE … RENAME VALUE`: the rows and the definitions that have the label.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use serde_json::Value as Json;
use sqlparser::tokenizer::Token;

use super::attribute::contains;
use super::cursor::Cursor;
use super::object::check_label;
use super::rule::rows_of_rule;
use super::texts::{TEXTS_WORK, texts_of};
use crate::bind::{Clause, Scope};
use crate::cast::Context;
use crate::catalog::{
    Bound, Catalog, Column, ConstraintKind, Datum, Index, Object, PartitionKey, Relation, Routine,
    TypeDefinition, UserType, quote_literal,
};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::Source;
use crate::types::{Modified, Type};

/// The work to bind a text once more, to see whether a literal in it is a label.
const PROBE_WORK: usize = 1_000;

/// The characters around the label within the text of an array, a row or a range.
const AROUND: [char; 10] = ['{', '}', '(', ')', '[', ']', ',', '"', '\\', ' '];

/// A label of an enum that gets another name.
struct Renamed {
    type_: Type,
    from: String,
    to: String,
    /// What binding says of the new name while the enum does not have it.
    refusal: String,
}

impl Renamed {
    /// Whether a text may have the label in it. Quotes are doubled there.
    fn may_be_in(&self, text: &str) -> bool {
        self.from.contains(['\'', '"', '\\']) || text.contains(&self.from)
    }

    fn to_datum(&self, datum: &mut Datum) {
        if let Datum::Value(text) = datum
            && *text == self.from
        {
            text.clone_from(&self.to);
        }
    }

    /// The label within the text of a literal: each place, with the ways to write the new name there, the best one last.
    fn places(&self, literal: &str) -> Vec<(Range<usize>, Vec<String>)> {
        if literal == self.from {
            return vec![(0..literal.len(), vec![self.to.clone()])];
        }
        // An empty label is between quotes, where nothing else tells it from no label.
        if self.from.is_empty() {
            return Vec::new();
        }
        let from = escaped(&self.from);
        let bare = escaped(&self.to);
        let quoted = format!("\"{bare}\"");
        let mut ways = vec![escaped(&quoted), quoted, bare];
        if self.to.contains(char::is_whitespace) {
            ways.swap(1, 2);
        }
        let found = literal.match_indices(from.as_str()).filter_map(|(at, _)| {
            let end = at + from.len();
            let (before, after) = (literal[..at].chars().next_back()?, literal[end..].chars().next()?);
            let apart = AROUND.contains(&before) && AROUND.contains(&after);
            apart.then(|| (at..end, ways.clone()))
        });
        found.collect()
    }
}

/// A text as it is within quotes, in the text of an array or a row.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Binds a text in the way in which its definition does.
type Bind<'b> = &'b dyn Fn(&mut Engine<'_>, &str) -> Result<()>;

impl Engine<'_> {
    /// Renames a label, after these words.
    pub(super) fn rename_label(&mut self, cursor: &mut Cursor<'_>, type_: Type) -> Result<()> {
        let label = self.renamed_label(cursor, type_)?;
        let catalog = self.catalog.clone();
        let mut changed = BTreeMap::new();
        for (oid, object) in catalog.objects.iter() {
            self.budget.work(TEXTS_WORK)?;
            let mut followed = object.clone();
            self.follow_label(&mut followed, &label)?;
            if followed != *object {
                changed.insert(*oid, followed);
            }
        }
        let name = catalog.user_type(type_).map_or("", |known| &known.name);
        let names =
            |relation: &Relation| texts_of(&mut relation.clone()).iter().any(|text| text.contains(name));
        let has = |column: &Column| contains(&catalog, column.type_.base, type_);
        let concerns = |relation: &&Relation| {
            changed.contains_key(&relation.oid) || relation.columns.iter().any(has) || names(relation)
        };
        let there = catalog.relations().filter(|relation| !relation.dormant);
        let there = there.filter(|relation| relation.is_stored() || relation.partition.is_some());
        let concerned: Vec<&Relation> = there.filter(concerns).collect();
        for relation in &concerned {
            self.drop_triggers(relation)?;
            computed_indexes(relation)
                .try_for_each(|index| self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid)))?;
        }
        for (oid, object) in changed.iter() {
            self.catalog_mut().objects.insert(*oid, object.clone());
        }
        if let TypeDefinition::Enum { labels } = &mut self.user_type_mut(type_)?.definition {
            labels.iter_mut().filter(|known| **known == label.from).for_each(|known| {
                known.clone_from(&label.to);
            });
        }
        if self.settings.fresh.contains(&(type_.0, label.from.clone())) {
            self.note_label(type_, &label.to);
        }
        self.rename_in_rows(&concerned, &label)?;
        for relation in &concerned {
            let relation = self.relation(relation.oid)?;
            computed_indexes(&relation).try_for_each(|index| self.create_index(&relation, index))?;
            match relation.partition {
                Some(_) => self.sync_partitions(self.catalog.root_of(&relation))?,
                None => self.refresh_triggers(relation.oid)?,
            }
        }
        Ok(())
    }

    fn renamed_label(&mut self, cursor: &mut Cursor<'_>, type_: Type) -> Result<Renamed> {
        let from = cursor.string()?;
        cursor.expect_word("to")?;
        let to = cursor.string()?;
        check_label(&to)?;
        let Some(labels) = self.catalog.labels(type_) else {
            return Err(SqlError::unsupported("ALTER TYPE RENAME VALUE of what is no enum"));
        };
        if !labels.contains(&from) {
            let message = format!("\"{from}\" is not an existing enum label");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        if labels.contains(&to) {
            let message = format!("enum label \"{to}\" already exists");
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let name = self.catalog.type_name(type_, -1);
        let refusal = format!("invalid input value for enum {name}: \"{to}\"");
        Ok(Renamed { type_, from, to, refusal })
    }

    /// Renames the label in the rows of tables, whose generated columns have their new definitions first.
    fn rename_in_rows(&mut self, concerned: &[&Relation], label: &Renamed) -> Result<()> {
        let catalog = self.catalog.clone();
        for relation in concerned.iter().filter(|relation| relation.is_stored()) {
            let relation = self.relation(relation.oid)?;
            for column in &relation.columns {
                if column.generated.is_some() {
                    self.define_column_again(&relation, column)?;
                } else if catalog.base_type(column.type_.base) == label.type_ {
                    let (table, own) = (relation.physical(), format!("c{}", column.number));
                    let sql = format!("UPDATE {table} SET {own} = ?2 WHERE {own} = ?1");
                    self.connection.execute(&sql, (&label.from, &label.to))?;
                }
            }
        }
        self.change_values(label.type_, &|value| {
            if *value == label.from {
                *value = Json::String(label.to.clone());
            }
        })
    }

    fn follow_label(&mut self, object: &mut Object, label: &Renamed) -> Result<()> {
        match object {
            Object::Relation(relation) => self.relabel_relation(relation, label),
            Object::Type(known) => self.relabel_type(known, label),
            Object::Routine(routine) => self.relabel_routine(routine, label),
            _ => Ok(()),
        }
    }

    fn relabel_relation(&mut self, relation: &mut Relation, label: &Renamed) -> Result<()> {
        let known = relation.clone();
        let of_row = |clause: Clause, column: Option<&Column>| {
            let (known, column) = (&known, column.cloned());
            move |engine: &mut Engine<'_>, text: &str| {
                engine.row_expression(known, text, clause, column.as_ref()).map(drop)
            }
        };
        for column in &mut relation.columns {
            let own = column.clone();
            self.relabel(&mut column.default, label, &of_row(Clause::Default, Some(&own)))?;
            self.relabel(&mut column.generated, label, &of_row(Clause::Generated, Some(&own)))?;
        }
        for constraint in &mut relation.constraints {
            if let ConstraintKind::Check { expression } = &mut constraint.kind {
                self.relabel(Some(expression), label, &of_row(Clause::Check, None))?;
            }
        }
        for index in &mut relation.indexes {
            let keys = index.keys.iter_mut().filter_map(|key| key.expression.as_mut());
            for text in keys.chain(&mut index.predicate) {
                self.relabel(Some(text), label, &of_row(Clause::Index, None))?;
            }
        }
        for text in
            relation.policies.iter_mut().flat_map(|policy| policy.using.iter_mut().chain(&mut policy.check))
        {
            self.relabel(Some(text), label, &|engine, text| engine.bind_policy(&known, text))?;
        }
        for trigger in &mut relation.triggers {
            let rows = ["old", "new"];
            self.relabel(&mut trigger.condition, label, &|engine, text| {
                engine.bind_of_rows(&known, &rows, text)
            })?;
        }
        for rule in &mut relation.rules {
            let rows = rows_of_rule(&rule.event);
            self.relabel(&mut rule.condition, label, &|engine, text| {
                engine.bind_of_rows(&known, rows, text)
            })?;
            self.relabel(&mut rule.commands, label, &|engine, text| {
                let source = Rc::new(Source::stored(text));
                let tokens = source.tokens()?;
                engine.bind_command(&known, source, &tokens).map(drop)
            })?;
        }
        for key in relation.partitioning.iter_mut().flat_map(|of| &mut of.keys) {
            self.relabel(&mut key.expression, label, &of_row(Clause::Index, None))?;
        }
        // The query of a partition is written anew.
        match &mut relation.partition {
            Some(partition) => {
                let parent = self.relation(partition.parent)?;
                let keys = parent.partitioning.map(|of| of.keys).unwrap_or_default();
                relabel_bound(&self.catalog, &mut partition.bound, &keys, label);
            }
            None => self.relabel(&mut relation.definition, label, &|engine, text| {
                let view = Relation { definition: Some(text.to_owned()), ..known.clone() };
                engine.binder().view_query(&view).map(drop)
            })?,
        }
        Ok(())
    }

    fn relabel_type(&mut self, known: &mut UserType, label: &Renamed) -> Result<()> {
        let TypeDefinition::Domain { base, default, checks, .. } = &mut known.definition else {
            return Ok(());
        };
        let base = *base;
        self.relabel(default, label, &|engine, text| engine.bind_value(base, text))?;
        checks.iter_mut().try_for_each(|(_, check)| {
            self.relabel(Some(check), label, &|engine, text| {
                let mut binder = engine.binder();
                binder.stored(text, |binder| {
                    let parsed = binder.source.expression()?;
                    binder.take_value_for(base);
                    binder.condition_in(Clause::Check, &Scope::default(), &parsed).map(drop)
                })
            })
        })
    }

    fn relabel_routine(&mut self, routine: &mut Routine, label: &Renamed) -> Result<()> {
        for argument in &mut routine.arguments {
            let type_ = argument.type_.plain();
            self.relabel(&mut argument.default, label, &|engine, text| engine.bind_value(type_, text))?;
        }
        if routine.settled.is_none() {
            return Ok(());
        }
        let known = routine.clone();
        self.relabel(Some(&mut routine.body), label, &|engine, text| {
            engine.bind_body(&engine.catalog, &Routine { body: text.to_owned(), ..known.clone() })
        })
    }

    /// Binds a condition of a policy.
    fn bind_policy(&self, relation: &Relation, text: &str) -> Result<()> {
        let mut binder = self.binder();
        let table = binder.row_of(relation)?;
        binder.stored_in(relation, text, |binder| {
            let parsed = binder.source.expression()?;
            binder.condition_in(Clause::Policy, &Scope::of(table), &parsed).map(drop)
        })
    }

    /// Binds a default of a type.
    fn bind_value(&self, type_: Modified, text: &str) -> Result<()> {
        self.binder().stored(text, |binder| {
            let parsed = binder.source.expression()?;
            let value = binder.expr_in(Clause::Default, &Scope::default(), &parsed)?;
            binder.coerce(value, type_, Context::Assignment).map(drop)
        })
    }

    /// Puts the new name into a text where the old one is a label of the enum: where binding refuses the new one still.
    fn relabel<'t>(
        &mut self,
        text: impl IntoIterator<Item = &'t mut String>,
        label: &Renamed,
        bind: Bind<'_>,
    ) -> Result<()> {
        for text in text.into_iter().filter(|text| label.may_be_in(text)) {
            let source = Source::stored(text);
            let mut followed = text.clone();
            for token in source.tokens().unwrap_or_default().iter().rev() {
                let literal = match &token.token {
                    Token::SingleQuotedString(literal) | Token::EscapedStringLiteral(literal) => literal,
                    Token::DollarQuotedString(quoted) => &quoted.value,
                    _ => continue,
                };
                let place = source.offset(token.span.start).zip(source.offset(token.span.end));
                let Some((start, end)) = place else { continue };
                let mut own = literal.clone();
                for (range, mut ways) in label.places(literal).into_iter().rev() {
                    while let Some(to) = ways.pop() {
                        let mut other = literal.clone();
                        other.replace_range(range.clone(), &to);
                        let mut probe = text.clone();
                        probe.replace_range(start..end, &quote_literal(&other));
                        self.budget.work(PROBE_WORK + text.len())?;
                        if bind(self, &probe).is_err_and(|error| error.message == label.refusal) {
                            own.replace_range(range.clone(), &to);
                            ways.clear();
                        }
                    }
                }
                if own != *literal {
                    followed.replace_range(start..end, &quote_literal(&own));
                }
            }
            *text = followed;
        }
        Ok(())
    }
}

/// The indexes whose keys or conditions are computed.
fn computed_indexes(relation: &Relation) -> impl Iterator<Item = &Index> {
    let computed =
        |number: u32| relation.column_number(number).is_some_and(|column| column.generated.is_some());
    relation.indexes.iter().filter(move |index| {
        index.predicate.is_some() || index.keys.iter().any(|key| key.column.is_none_or(computed))
    })
}

fn relabel_bound(catalog: &Catalog, bound: &mut Bound, keys: &[PartitionKey], label: &Renamed) {
    let of_label = |key: &PartitionKey| catalog.base_type(key.type_) == label.type_;
    match bound {
        Bound::List(values) if keys.first().is_some_and(of_label) => {
            values.iter_mut().for_each(|value| label.to_datum(value));
        }
        Bound::Range { from, to } => {
            for side in [from, to] {
                let ends = side.iter_mut().zip(keys).filter(|(_, key)| of_label(key));
                ends.for_each(|(end, _)| label.to_datum(end));
            }
        }
        _ => {}
    }
}
