//! Bounds of partitions: how they are written, and which do not go together.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rusqlite::types::Value;
use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::is_default;
use crate::bind::{Clause, Scope};
use crate::cast::Context;
use crate::catalog::{Bound, Datum, PartitionKey, Partitioning, Relation, Strategy};
use crate::ddl::cursor::Cursor;
use crate::ddl::physical::{bare, printed};
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::types::Type;

/// Whether rows can be divided by the hash of values of a type.
pub(super) fn can_hash(type_: Type) -> bool {
    type_.is_integer()
        || matches!(
            type_,
            Type::TEXT
                | Type::VARCHAR
                | Type::UUID
                | Type::DATE
                | Type::TIMESTAMP
                | Type::TIMESTAMPTZ
                | Type::BOOL
        )
}

impl Engine<'_> {
    /// Reads the bound of a partition.
    pub(super) fn bound(&self, cursor: &mut Cursor<'_>, parent: &Relation) -> Result<Bound> {
        let Some(Partitioning { strategy, keys }) = &parent.partitioning else {
            let message = format!("\"{}\" is not partitioned", parent.name);
            return Err(SqlError::new(SqlState::new("42P17"), message));
        };
        if cursor.word("default") {
            if *strategy == Strategy::Hash {
                let message = "a hash-partitioned table may not have a default partition";
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            return Ok(Bound::Default);
        }
        if !cursor.words("for values") {
            return Err(cursor.unexpected());
        }
        let wrong = |word: &str| {
            let message = format!("invalid bound specification for a {word} partition");
            Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
        };
        let word = strategy.word().to_lowercase();
        if cursor.word("in") {
            let Some(key) = keys.first().filter(|_| *strategy == Strategy::List) else { return wrong(&word) };
            cursor.expect(&Token::LParen)?;
            let mut values = cursor.list(|cursor| self.datum(cursor, parent, key))?;
            let mut known = BTreeSet::new();
            values.retain(|value| known.insert(value.clone()));
            cursor.expect(&Token::RParen)?;
            return Ok(Bound::List(values));
        }
        if cursor.word("from") {
            if *strategy != Strategy::Range {
                return wrong(&word);
            }
            let from = self.data(cursor, parent, keys, "FROM")?;
            cursor.expect_word("to")?;
            let to = self.data(cursor, parent, keys, "TO")?;
            return Ok(Bound::Range { from, to });
        }
        cursor.expect_word("with")?;
        if *strategy != Strategy::Hash {
            return wrong(&word);
        }
        cursor.expect(&Token::LParen)?;
        let (mut modulus, mut remainder) = (None, None);
        for (name, number) in cursor.list(|cursor| Ok((cursor.ident()?, cursor.integer()?)))? {
            match name.as_str() {
                "modulus" => modulus = Some(number),
                "remainder" => remainder = Some(number),
                _ => {
                    let message = format!("unrecognized hash partition bound specification \"{name}\"");
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
            }
        }
        cursor.expect(&Token::RParen)?;
        let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
        let invalid = |message: &str| SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message);
        let modulus = number(modulus).filter(|modulus| *modulus > 0);
        let modulus = modulus.ok_or_else(|| {
            invalid("modulus for hash partition must be an integer value greater than zero")
        })?;
        let remainder = number(remainder).ok_or_else(|| {
            invalid("remainder for hash partition must be an integer value greater than or equal to zero")
        })?;
        if remainder >= modulus {
            return Err(invalid("remainder for hash partition must be less than modulus"));
        }
        Ok(Bound::Hash { modulus, remainder })
    }

    fn data(
        &self,
        cursor: &mut Cursor<'_>,
        parent: &Relation,
        keys: &[PartitionKey],
        word: &str,
    ) -> Result<Vec<Datum>> {
        cursor.expect(&Token::LParen)?;
        let mut at = 0;
        let data = cursor.list(|cursor| {
            let key = keys.get(at);
            at += 1;
            match key {
                Some(key) => self.datum(cursor, parent, key),
                None => cursor.expr().map(|_| Datum::Null),
            }
        })?;
        cursor.expect(&Token::RParen)?;
        if data.len() != keys.len() {
            let message = format!("{word} must specify exactly one value per partitioning column");
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        if data.contains(&Datum::Null) {
            let message = "cannot specify NULL in range bound";
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        Ok(data)
    }

    fn datum(&self, cursor: &mut Cursor<'_>, parent: &Relation, key: &PartitionKey) -> Result<Datum> {
        let range = parent.partitioning.as_ref().is_some_and(|by| by.strategy == Strategy::Range);
        for (word, datum) in [("minvalue", Datum::Minimum), ("maxvalue", Datum::Maximum)] {
            if range && cursor.word(word) {
                return Ok(datum);
            }
        }
        let written = cursor.expr()?;
        if matches!(&*written.expr, ast::Expr::Value(value) if value.value == ast::Value::Null) {
            return Ok(Datum::Null);
        }
        let mut binder = self.binder();
        let value = binder.expr_in(Clause::Default, &Scope::default(), &written.expr)?;
        let type_ = key.type_;
        let value = binder.coerce(value, type_.plain(), Context::Assignment)?.ok_or_else(|| {
            let message = format!(
                "specified value cannot be cast to type {} for column \"{}\"",
                self.catalog.type_name(type_, -1),
                parent.key_text(key)
            );
            SqlError::new(SqlState::DATATYPE_MISMATCH, message)
        })?;
        let text = printed(&binder, value)?;
        let row = self.fetch(&format!("SELECT {}", print::expression(&text, Names::default())), 1)?;
        Ok(match row.into_iter().next().and_then(|row| row.into_iter().next()) {
            Some(Value::Text(text)) => Datum::Value(text),
            _ => Datum::Null,
        })
    }

    /// Refuses a bound that is empty or has values of another partition.
    pub(super) fn check_bound(&self, parent: &Relation, name: &str, bound: &Bound) -> Result<()> {
        let Some(Partitioning { keys, .. }) = &parent.partitioning else { return Ok(()) };
        let invalid = |message: String| SqlError::new(SqlState::new("42P17"), message);
        if let Bound::Range { from, to } = bound
            && compare(keys, from, to) != Ordering::Less
        {
            let shown = |data: &[Datum]| {
                let text = data.iter().map(|datum| match datum {
                    Datum::Minimum => "MINVALUE".to_owned(),
                    Datum::Maximum => "MAXVALUE".to_owned(),
                    Datum::Null => "NULL".to_owned(),
                    Datum::Value(text) => crate::catalog::quote_literal(text),
                });
                text.collect::<Vec<_>>().join(", ")
            };
            return Err(invalid(format!("empty range bound specified for partition \"{name}\"")).detail(
                format!(
                    "Specified lower bound ({}) is greater than or equal to upper bound ({}).",
                    shown(from),
                    shown(to)
                ),
            ));
        }
        let catalog = self.catalog.clone();
        self.require_factors(parent, bound)?;
        let listed = match bound {
            Bound::List(values) => values.iter().collect(),
            _ => BTreeSet::new(),
        };
        for (other, known) in catalog.partitions_of(parent.oid) {
            if is_default(bound) && is_default(known) {
                return Err(invalid(format!(
                    "partition \"{name}\" conflicts with existing default partition \"{}\"",
                    other.name
                )));
            }
            if overlap(keys, (bound, &listed), known) {
                return Err(invalid(format!(
                    "partition \"{name}\" would overlap partition \"{}\"",
                    other.name
                )));
            }
        }
        Ok(())
    }

    /// Refuses a modulus that is neither a multiple nor a factor of those next to it.
    fn require_factors(&self, parent: &Relation, bound: &Bound) -> Result<()> {
        let Bound::Hash { modulus, remainder } = bound else { return Ok(()) };
        let mut known: Vec<(u32, u32, &str)> = self
            .catalog
            .partitions_of(parent.oid)
            .filter_map(|(other, known)| match known {
                Bound::Hash { modulus, remainder } => Some((*modulus, *remainder, other.name.as_str())),
                _ => None,
            })
            .collect();
        known.sort_unstable();
        let next = known.partition_point(|known| (known.0, known.1) <= (*modulus, *remainder));
        let before = next.checked_sub(1).map(|before| known[before]).filter(|known| modulus % known.0 != 0);
        let after = known.get(next).filter(|known| known.0 % modulus != 0);
        let detail = match (before, after) {
            (Some((other, _, name)), _) => format!(
                "The new modulus {modulus} is not divisible by {other}, the modulus of existing partition \"{name}\"."
            ),
            (None, Some((other, _, name))) => format!(
                "The new modulus {modulus} is not a factor of {other}, the modulus of existing partition \"{name}\"."
            ),
            (None, None) => return Ok(()),
        };
        let message = "every hash partition modulus must be a factor of the next larger modulus";
        Err(SqlError::new(SqlState::new("42P17"), message).detail(detail))
    }

    /// Refuses a bound for which the default partition has rows.
    pub(super) fn check_default(&self, parent: &Relation, bound: &Bound) -> Result<()> {
        let catalog = self.catalog.clone();
        let default = catalog.partitions_of(parent.oid).find(|(_, bound)| is_default(bound));
        let Some((default, _)) = default.filter(|_| !is_default(bound)) else { return Ok(()) };
        let root = self.relation(catalog.root_of(parent))?;
        // The bound overlaps that of no other partition, so the parent's rows within it are in the default partition.
        let inside = catalog.condition_of_partition(parent);
        let taken = catalog.condition_of_bound(parent, 0, bound);
        let condition =
            self.row_expression(&root, &format!("({inside}) AND ({taken})"), Clause::Check, None)?;
        let sql = format!("SELECT 1 FROM {} WHERE {} LIMIT 1", root.physical(), bare(&condition));
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let name = &default.name;
        let message = format!(
            "updated partition constraint for default partition \"{name}\" would be violated by some row"
        );
        Err(SqlError::new(SqlState::CHECK_VIOLATION, message))
    }

    /// Refuses a table with rows that a bound does not let in.
    pub(super) fn check_rows_of(&self, parent: &Relation, child: &Relation, bound: &Bound) -> Result<()> {
        let mut condition = self.catalog.condition_of_bound(parent, 0, bound);
        if parent.partition.is_some() {
            condition = format!("({condition}) AND ({})", self.catalog.condition_of_partition(parent));
        }
        let condition = self.row_expression(child, &condition, Clause::Check, None)?;
        let sql =
            format!("SELECT 1 FROM {} WHERE NOT coalesce({}, 0) LIMIT 1", child.physical(), bare(&condition));
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let message = format!("partition constraint of relation \"{}\" is violated by some row", child.name);
        Err(SqlError::new(SqlState::CHECK_VIOLATION, message))
    }
}

/// Whether a bound, whose list has these values, has values of another one.
fn overlap(keys: &[PartitionKey], (one, listed): (&Bound, &BTreeSet<&Datum>), other: &Bound) -> bool {
    match (one, other) {
        (Bound::List(_), Bound::List(other)) => other.iter().any(|value| listed.contains(value)),
        (Bound::Range { from, to }, Bound::Range { from: start, to: end }) => {
            compare(keys, from, end) == Ordering::Less && compare(keys, start, to) == Ordering::Less
        }
        (Bound::Hash { modulus, remainder }, Bound::Hash { modulus: of, remainder: rest }) => {
            let common = greatest_divisor(*modulus, *of);
            remainder % common == rest % common
        }
        _ => false,
    }
}

fn greatest_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

/// Compares bounds of ranges.
fn compare(keys: &[PartitionKey], one: &[Datum], other: &[Datum]) -> Ordering {
    for ((left, right), key) in one.iter().zip(other).zip(keys) {
        let order = match (left, right) {
            (Datum::Minimum, Datum::Minimum) | (Datum::Maximum, Datum::Maximum) => return Ordering::Equal,
            (Datum::Minimum, _) | (_, Datum::Maximum) => return Ordering::Less,
            (Datum::Maximum, _) | (_, Datum::Minimum) => return Ordering::Greater,
            (Datum::Value(left), Datum::Value(right)) => compare_texts(key.type_, left, right),
            _ => Ordering::Equal,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

fn compare_texts(type_: Type, left: &str, right: &str) -> Ordering {
    match (crate::value::parse(type_, left), crate::value::parse(type_, right)) {
        (Ok(Value::Integer(left)), Ok(Value::Integer(right))) => left.cmp(&right),
        (Ok(Value::Real(left)), Ok(Value::Real(right))) => left.total_cmp(&right),
        (Ok(_), Ok(_)) if type_ == Type::NUMERIC => {
            let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
            number(left).total_cmp(&number(right))
        }
        _ => left.cmp(right),
    }
}
