//! Storage parameters: `WITH (fillfactor = 70)`, and `SET` and `RESET` of them. Nothing here is stored in another way because of
//! them; the catalog shows them.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::tablespace;
use crate::catalog::{ConstraintKind, Index, Oid, Relation, RelationKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::types::Type;

/// The values that a parameter takes.
#[derive(Clone, Copy)]
enum Values {
    Flag,
    Whole(i64, i64),
    Number(f64, f64),
    Word(&'static [&'static str]),
}

use Values::{Flag, Number, Whole, Word};

/// The largest whole number of a parameter.
const MOST: i64 = i32::MAX as i64;

/// The parameters that a table has besides those of its rows' vacuum.
const OF_TABLES: &[(&str, Values)] = &[
    ("fillfactor", Whole(10, 100)),
    ("toast_tuple_target", Whole(128, 8160)),
    ("parallel_workers", Whole(0, 1024)),
    ("user_catalog_table", Flag),
    ("autovacuum_analyze_threshold", Whole(0, MOST)),
    ("autovacuum_analyze_scale_factor", Number(0.0, 100.0)),
];

/// The parameters about vacuum, which the table of long values has too.
const OF_VACUUM: &[(&str, Values)] = &[
    ("autovacuum_enabled", Flag),
    ("vacuum_index_cleanup", Word(&["auto", "on", "off", "true", "false", "yes", "no", "1", "0"])),
    ("vacuum_truncate", Flag),
    ("autovacuum_vacuum_threshold", Whole(0, MOST)),
    ("autovacuum_vacuum_insert_threshold", Whole(-1, MOST)),
    ("autovacuum_vacuum_cost_limit", Whole(1, 10_000)),
    ("autovacuum_freeze_min_age", Whole(0, 1_000_000_000)),
    ("autovacuum_multixact_freeze_min_age", Whole(0, 1_000_000_000)),
    ("autovacuum_freeze_max_age", Whole(100_000, 2_000_000_000)),
    ("autovacuum_multixact_freeze_max_age", Whole(10_000, 2_000_000_000)),
    ("autovacuum_freeze_table_age", Whole(0, 2_000_000_000)),
    ("autovacuum_multixact_freeze_table_age", Whole(0, 2_000_000_000)),
    ("log_autovacuum_min_duration", Whole(-1, MOST)),
    ("autovacuum_vacuum_cost_delay", Number(0.0, 100.0)),
    ("autovacuum_vacuum_scale_factor", Number(0.0, 100.0)),
    ("autovacuum_vacuum_insert_scale_factor", Number(0.0, 100.0)),
];

const OF_VIEWS: &[(&str, Values)] =
    &[("security_barrier", Flag), ("security_invoker", Flag), ("check_option", Word(&["local", "cascaded"]))];

/// The parameters of columns, about how queries are planned.
const OF_COLUMNS: &[(&str, Values)] =
    &[("n_distinct", Number(-1.0, f64::MAX)), ("n_distinct_inherited", Number(-1.0, f64::MAX))];

/// The parameters of indexes, by their method.
const OF_INDEXES: &[(&str, &[(&str, Values)])] = &[
    ("btree", &[("fillfactor", Whole(10, 100)), ("deduplicate_items", Flag)]),
    ("hash", &[("fillfactor", Whole(10, 100))]),
    ("gist", &[("fillfactor", Whole(10, 100)), ("buffering", Word(&["on", "off", "auto"]))]),
    ("spgist", &[("fillfactor", Whole(10, 100))]),
    ("gin", &[("fastupdate", Flag), ("gin_pending_list_limit", Whole(64, MOST))]),
    ("brin", &[("pages_per_range", Whole(1, 131_072)), ("autosummarize", Flag)]),
    ("hnsw", &[("m", Whole(2, 100)), ("ef_construction", Whole(4, 1000))]),
    ("ivfflat", &[("lists", Whole(1, 32_768))]),
];

/// What has parameters.
#[derive(Clone, Copy)]
pub(super) enum Of<'m> {
    Table,
    PartitionedTable,
    View,
    Column,
    /// An index of this method.
    Index(&'m str),
}

impl Of<'_> {
    fn relation(relation: &Relation) -> Of<'static> {
        match relation.kind {
            RelationKind::View if relation.partition.is_none() => Of::View,
            _ if relation.partitioning.is_some() => Of::PartitionedTable,
            _ => Of::Table,
        }
    }

    fn values(self, name: &str) -> Option<Values> {
        let known: &[&[(&str, Values)]] = match self {
            Of::Table => &[OF_TABLES, OF_VACUUM],
            Of::PartitionedTable => &[],
            Of::View => &[OF_VIEWS],
            Of::Column => &[OF_COLUMNS],
            Of::Index(method) => {
                let (_, known) = OF_INDEXES.iter().find(|(of, _)| *of == method)?;
                &[*known]
            }
        };
        known.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, values)| *values)
    }
}

/// A parameter as written: its name, after `toast.` if it is about the table of long values, and its value.
pub(super) struct Parameter {
    name: String,
    value: Option<String>,
}

/// How a new table is stored.
#[derive(Default)]
pub(super) struct Storage {
    pub(super) parameters: Vec<Parameter>,
    /// What happens to a temporary table when the transaction ends.
    pub(super) on_commit: Option<char>,
}

/// Reads how a new table is stored.
pub(super) fn storage_options(cursor: &mut Cursor<'_>) -> Result<Storage> {
    let mut storage = Storage::default();
    loop {
        if cursor.word("with") {
            storage.parameters = parameters(cursor)?;
        } else if cursor.words("without oids") || cursor.words("using heap") {
        } else if cursor.word("tablespace") {
            tablespace(cursor)?;
        } else if cursor.words("on commit") {
            if !cursor.temporary {
                let message = "ON COMMIT can only be used on temporary tables";
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            storage.on_commit = if cursor.word("drop") {
                Some('d')
            } else if cursor.words("delete rows") {
                Some('r')
            } else if cursor.words("preserve rows") {
                None
            } else {
                return Err(cursor.unexpected());
            };
        } else {
            return Ok(storage);
        }
    }
}

/// Reads parameters in brackets.
pub(super) fn parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Parameter>> {
    cursor.expect(&Token::LParen)?;
    let parameters = cursor.list(|cursor| {
        let mut name = cursor.ident()?;
        if cursor.token(&Token::Period) {
            name = format!("{name}.{}", cursor.ident()?);
        }
        let value = if cursor.token(&Token::Eq) { Some(value(cursor)?) } else { None };
        Ok(Parameter { name, value })
    })?;
    cursor.expect(&Token::RParen)?;
    Ok(parameters)
}

/// Reads a value: a text, a word or a number.
fn value(cursor: &mut Cursor<'_>) -> Result<String> {
    let sign = if cursor.token(&Token::Minus) { "-" } else { "" };
    cursor.token(&Token::Plus);
    match cursor.peek().map(|token| &token.token) {
        Some(Token::Number(number, _)) => {
            cursor.at += 1;
            Ok(format!("{sign}{number}"))
        }
        Some(Token::Word(_)) if sign.is_empty() => cursor.ident(),
        _ if sign.is_empty() => cursor.string(),
        _ => Err(cursor.unexpected()),
    }
}

/// The parameters of a new object as the catalog has them: `fillfactor=70`.
pub(super) fn new_options(of: Of<'_>, given: &[Parameter]) -> Result<Vec<String>> {
    changed_options(of, &[], given)
}

/// The parameters of an object after some of them are set.
fn changed_options(of: Of<'_>, before: &[String], given: &[Parameter]) -> Result<Vec<String>> {
    let mut options: Vec<String> = before
        .iter()
        .filter(|known| !given.iter().any(|parameter| is_of(known, &parameter.name)))
        .cloned()
        .collect();
    for (index, Parameter { name, value }) in given.iter().enumerate() {
        let value = value.as_deref().unwrap_or("true");
        if let Some(own) = name.strip_prefix("toast.").filter(|_| matches!(of, Of::Table)) {
            let known = OF_VACUUM.iter().find(|(known, _)| *known == own).map(|(_, values)| *values);
            check(own, known, value)?;
            continue;
        }
        if let Some((space, _)) = name.split_once('.') {
            return Err(invalid(format!("unrecognized parameter namespace \"{space}\"")));
        }
        if name == "oids" && matches!(of, Of::Table) && matches!(value, "false" | "off") {
            continue;
        }
        check(name, of.values(name), value)?;
        if given[..index].iter().any(|other| other.name == *name) {
            return Err(invalid(format!("parameter \"{name}\" specified more than once")));
        }
        options.push(format!("{name}={value}"));
    }
    Ok(options)
}

/// Whether an option is of this name.
fn is_of(option: &str, name: &str) -> bool {
    option.split_once('=').is_some_and(|(known, _)| known == name)
}

fn invalid(message: String) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message)
}

/// Refuses a value that the parameter does not take.
fn check(name: &str, values: Option<Values>, value: &str) -> Result<()> {
    let Some(values) = values else { return Err(invalid(format!("unrecognized parameter \"{name}\""))) };
    let out_of_bounds = |low: String, high: String| {
        invalid(format!("value {value} out of bounds for option \"{name}\""))
            .detail(format!("Valid values are between \"{low}\" and \"{high}\"."))
    };
    let of_type = |type_: &str| invalid(format!("invalid value for {type_} option \"{name}\": {value}"));
    match values {
        Flag => crate::parameters::boolean(value).map(drop).ok_or_else(|| of_type("boolean")),
        Whole(low, high) => match value.parse::<i64>() {
            Ok(number) if (low..=high).contains(&number) => Ok(()),
            Ok(_) => Err(out_of_bounds(low.to_string(), high.to_string())),
            Err(_) => Err(of_type("integer")),
        },
        Number(low, high) => match value.parse::<f64>() {
            Ok(number) if (low..=high).contains(&number) => Ok(()),
            Ok(_) => Err(out_of_bounds(format!("{low:.6}"), format!("{high:.6}"))),
            Err(_) => Err(of_type("floating point")),
        },
        Word(known) if known.contains(&value.to_lowercase().as_str()) => Ok(()),
        Word(known) => {
            let shown: Vec<String> = known.iter().take(3).map(|word| format!("\"{word}\"")).collect();
            let shown = match &shown[..] {
                [first, second] => format!("{first} and {second}"),
                [first, second, third] => format!("{second}, {third}, and {first}"),
                _ => shown.join(", "),
            };
            Err(of_type("enum").detail(format!("Valid values are {shown}.")))
        }
    }
}

impl Engine<'_> {
    /// What `ALTER TABLE` sets and resets of a table as a whole.
    pub(super) fn change_storage(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let sets = cursor.is("set");
        cursor.at += 1;
        if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
            return self.change_options(cursor, oid, sets);
        }
        if !sets {
            return Err(cursor.unexpected());
        }
        if cursor.word("logged") {
            return self.set_unlogged(oid, false);
        }
        if cursor.word("unlogged") {
            return self.set_unlogged(oid, true);
        }
        if cursor.words("without cluster") {
            self.relation_mut(oid).clustered = None;
            return Ok(());
        }
        if cursor.words("without oids") {
            return Ok(());
        }
        if cursor.word("tablespace") {
            return tablespace(cursor);
        }
        if cursor.words("access method") {
            let name = cursor.ident()?;
            if name == "heap" {
                return Ok(());
            }
            let message = format!("access method \"{name}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        Err(cursor.unexpected())
    }

    /// What `ALTER COLUMN` sets of the storage of a column; returns `false` if it sets something else.
    pub(super) fn change_stored(
        &mut self,
        cursor: &mut Cursor<'_>,
        relation: &Relation,
        number: u32,
    ) -> Result<bool> {
        let Some(column) = relation.column_number(number) else { return Ok(false) };
        let mut stored = column.stored.clone();
        let base = self.catalog.base_type(column.type_.base);
        let has_length = base.element().is_some() || base.builtin().is_none_or(|known| known.length < 0);
        let shown = self.catalog.type_name(column.type_.base, -1);
        let bracket = cursor.tokens.get(cursor.at + 1).is_some_and(|token| token.token == Token::LParen);
        if cursor.words("set statistics") {
            let target = cursor.integer()?;
            if target < -1 {
                return Err(invalid(format!("statistics target {target} is too low")));
            }
            stored.statistics = Some(target.min(10_000)).filter(|target| *target >= 0);
        } else if cursor.words("set storage") {
            let word = cursor.ident()?;
            let known = [("plain", 'p'), ("external", 'e'), ("extended", 'x'), ("main", 'm')];
            let found = known.iter().find(|(known, _)| *known == word);
            let (_, letter) = found.ok_or_else(|| invalid(format!("invalid storage type \"{word}\"")))?;
            if *letter != 'p' && !has_length {
                let message = format!("column data type {shown} can only have storage PLAIN");
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
            stored.storage = Some(*letter);
        } else if cursor.words("set compression") {
            let word = cursor.ident()?;
            stored.compression = self.compression(&word, column.type_.base)?;
        } else if bracket && (cursor.is("set") || cursor.is("reset")) {
            let sets = cursor.is("set");
            cursor.at += 1;
            stored.options = altered(cursor, Of::Column, &stored.options, sets)?;
        } else {
            return Ok(false);
        }
        let before = std::mem::replace(&mut self.column_mut(relation.oid, number).stored, stored.clone());
        // Partitions take over these two, the others each has for itself.
        let mut below = Vec::new();
        if (&before.statistics, &before.storage) != (&stored.statistics, &stored.storage) {
            self.catalog.add_partitions(relation.oid, &mut below);
        }
        for partition in below {
            let columns = &mut self.relation_mut(partition).columns;
            let own = columns.iter_mut().find(|own| own.name == column.name);
            own.into_iter().for_each(|own| {
                (own.stored.statistics, own.stored.storage) = (stored.statistics, stored.storage);
            });
        }
        Ok(true)
    }

    /// How values of a type are compressed by a method; `None` for the usual one.
    pub(super) fn compression(&self, method: &str, type_: Type) -> Result<Option<char>> {
        let base = self.catalog.base_type(type_);
        if base.element().is_none() && base.builtin().is_some_and(|known| known.length >= 0) {
            let shown = self.catalog.type_name(type_, -1);
            let message = format!("column data type {shown} does not support compression");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        match method {
            "pglz" => Ok(Some('p')),
            "lz4" => Ok(Some('l')),
            "default" => Ok(None),
            _ => Err(invalid(format!("invalid compression method \"{method}\""))),
        }
    }

    fn set_unlogged(&mut self, oid: Oid, unlogged: bool) -> Result<()> {
        let relation = self.relation(oid)?;
        if Some(relation.schema) == self.catalog.temporary() {
            let message =
                format!("cannot change logged status of table \"{}\" because it is temporary", relation.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let refers = |child: &Relation, parent: Oid| {
            child
                .constraints
                .iter()
                .any(|known| matches!(known.kind, ConstraintKind::Foreign { table, .. } if table == parent))
        };
        // What is logged may refer only to what is logged.
        let stands_against = |other: &&Relation| {
            other.oid != oid
                && match unlogged {
                    true => !other.unlogged && refers(other, oid),
                    false => other.unlogged && refers(&relation, other.oid),
                }
        };
        if let Some(other) = self.catalog.relations().find(stands_against) {
            let (to, of) = if unlogged { ("unlogged", "logged") } else { ("logged", "unlogged") };
            let message = format!(
                "could not change table \"{}\" to {to} because it references {of} table \"{}\"",
                relation.name, other.name
            );
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        self.relation_mut(oid).unlogged = unlogged;
        Ok(())
    }

    /// Notes the index by which the rows of a table are ordered.
    pub(super) fn cluster_on(&mut self, oid: Oid, name: &str) -> Result<()> {
        let relation = self.relation(oid)?;
        let index = index_of(&relation, name)?;
        let what = match () {
            () if !matches!(index.method.as_str(), "btree" | "gist") => {
                "because access method does not support clustering"
            }
            () if index.predicate.is_some() => "",
            () => {
                self.relation_mut(oid).clustered = Some(index.oid);
                return Ok(());
            }
        };
        let message = match what {
            "" => format!("cannot cluster on partial index \"{name}\""),
            what => format!("cannot cluster on index \"{name}\" {what}"),
        };
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
    }

    /// `REPLICA IDENTITY`, after these words.
    pub(super) fn set_replica_identity(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let (identity, index) = if cursor.words("using index") {
            let name = cursor.ident()?;
            let relation = self.relation(oid)?;
            let index = index_of(&relation, &name)?;
            if let Some(refusal) = not_an_identity(&relation, index) {
                return Err(refusal);
            }
            ('i', Some(index.oid))
        } else {
            let words = [("full", 'f'), ("nothing", 'n'), ("default", 'd')];
            let found = words.into_iter().find(|(word, _)| cursor.word(word));
            (found.ok_or_else(|| cursor.unexpected())?.1, None)
        };
        let relation = self.relation_mut(oid);
        (relation.replica_identity, relation.replica_index) = (identity, index);
        Ok(())
    }

    /// Reads `DEPENDS ON EXTENSION`. What it is about goes with the extension on a server only.
    pub(super) fn extension_depended_on(&self, cursor: &mut Cursor<'_>) -> Result<()> {
        for word in ["depends", "on", "extension"] {
            cursor.expect_word(word)?;
        }
        let name = cursor.ident()?;
        if name == "plpgsql" || self.catalog.has_extension(&name) {
            return Ok(());
        }
        Err(SqlError::new(SqlState::UNDEFINED_OBJECT, format!("extension \"{name}\" does not exist")))
    }

    /// `SET (…)` and `RESET (…)` of a relation, after the first word.
    pub(super) fn change_options(&mut self, cursor: &mut Cursor<'_>, oid: Oid, sets: bool) -> Result<()> {
        let relation = self.relation(oid)?;
        let options = altered(cursor, Of::relation(&relation), &relation.options, sets)?;
        self.relation_mut(oid).options = options;
        Ok(())
    }

    /// The same of an index.
    pub(super) fn change_index_options(
        &mut self,
        cursor: &mut Cursor<'_>,
        (table, index): (Oid, Oid),
        sets: bool,
    ) -> Result<()> {
        let relation = self.relation_mut(table);
        let Some(known) = relation.indexes.iter_mut().find(|known| known.oid == index) else { return Ok(()) };
        known.options = altered(cursor, Of::Index(&known.method), &known.options, sets)?;
        Ok(())
    }
}

fn index_of<'r>(relation: &'r Relation, name: &str) -> Result<&'r Index> {
    relation.indexes.iter().find(|known| known.name == name).ok_or_else(|| {
        let message = format!("index \"{name}\" for table \"{}\" does not exist", relation.name);
        SqlError::new(SqlState::UNDEFINED_OBJECT, message)
    })
}

/// Why replicas can't know rows by an index.
fn not_an_identity(relation: &Relation, index: &Index) -> Option<SqlError> {
    let name = &index.name;
    let cannot = |what: &str| format!("cannot use {what} \"{name}\" as replica identity");
    let mut columns = index.keys.iter().filter_map(|key| relation.column_number(key.column?));
    let nullable = columns.find(|column| !column.not_null);
    let unsupported = |what: &str| Some(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, cannot(what)));
    if !index.unique {
        return Some(SqlError::new(SqlState::WRONG_OBJECT_TYPE, cannot("non-unique index")));
    }
    if index.deferrable {
        return unsupported("non-immediate index");
    }
    if index.keys.iter().any(|key| key.column.is_none()) {
        return unsupported("expression index");
    }
    if index.predicate.is_some() {
        return unsupported("partial index");
    }
    let column = &nullable?.name;
    let message = format!(
        "index \"{name}\" cannot be used as replica identity because column \"{column}\" is nullable"
    );
    Some(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message))
}

/// The options of an object after `SET (…)` or `RESET (…)`, which it reads.
fn altered(cursor: &mut Cursor<'_>, of: Of<'_>, before: &[String], sets: bool) -> Result<Vec<String>> {
    let given = parameters(cursor)?;
    if sets {
        return changed_options(of, before, &given);
    }
    if given.iter().any(|parameter| parameter.value.is_some()) {
        let message = "RESET must not include values for parameters";
        return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
    }
    let is_reset = |known: &&String| !given.iter().any(|parameter| is_of(known, &parameter.name));
    Ok(before.iter().filter(is_reset).cloned().collect())
}
