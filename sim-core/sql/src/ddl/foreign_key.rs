//! What keeps foreign keys and exclusions true: triggers that note keys and act on them, and the checks at the end of a statement or
//! transaction.

use rusqlite::types::Value;

use super::physical::ROW;
use crate::catalog::{Action, Constraint, ConstraintKind, Oid, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::print::Names;
use crate::run::{Engine, literal};
use crate::types::Type;
use crate::value;

/// The side of a key in `pg_pending` whose check is not deferred, because of `RESTRICT`.
const RESTRICTED: i64 = 2;

/// The side of a note that rows with a key that can be deferred are new, whatever their keys are.
const NEW_ROWS: i64 = -1;

impl Engine<'_> {
    /// Creates the triggers of a constraint of the table `child`, if it is a foreign key, an exclusion or a key that can be deferred.
    pub(super) fn create_foreign_triggers(&self, child: Oid, constraint: &Constraint) -> Result<()> {
        // That of the table above is in force for the rows of a partition.
        if constraint.parent.is_some() {
            return Ok(());
        }
        if constraint.is_noted() {
            return self.create_exclusion_triggers(&self.relation(child)?, constraint);
        }
        let ConstraintKind::Foreign { table, columns, on_delete, on_update, set, full } = &constraint.kind
        else {
            return Ok(());
        };
        let child = &self.relation(child)?;
        if child.dormant {
            return Ok(());
        }
        let parent = self.relation(*table)?;
        self.refuse_actions_of_partition(&parent, constraint)?;
        let prefix = format!("{}_f{}", child.physical(), constraint.oid);
        let (child, parent) = (self.stored_side(child)?, self.stored_side(&parent)?);
        let (own, referenced) = (child.numbers(&constraint.columns), parent.numbers(columns));
        let set = child.numbers(set);
        let pairs =
            Pairs { child: &child.stored, parent: &parent.stored, own: &own, referenced: &referenced };
        let (c, p, oid) = (child.stored.physical(), parent.stored.physical(), constraint.oid);
        let own = pairs.own.iter().map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ");
        let key = pairs.referenced.iter().map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ");
        let present = pairs
            .own
            .iter()
            .map(|number| format!("NEW.c{number} IS NOT NULL"))
            .collect::<Vec<_>>()
            .join(" AND ");
        let missing = format!(
            "{present}{} AND NOT EXISTS (SELECT 1 FROM {p} AS p WHERE {}{})",
            child.and_within("NEW"),
            pairs.equal("p", "NEW"),
            parent.and_within("p")
        );
        let missing = match full {
            true => {
                let any = present.replace(" AND ", " OR ");
                format!("({missing} OR ({any}){} AND NOT ({present}))", child.and_within("NEW"))
            }
            false => missing,
        };
        let record =
            format!("INSERT INTO pg_pending VALUES ({oid}, json_array({}), 0)", pairs.own_values("NEW"));
        // A row comes into a partition by a change of other columns.
        let changes = if child.within.is_some() { "UPDATE".to_owned() } else { format!("UPDATE OF {own}") };
        for (suffix, event) in [("i", "INSERT"), ("u", &changes)] {
            self.execute(&format!(
                "CREATE TRIGGER {prefix}{suffix} AFTER {event} ON {c} WHEN {missing} BEGIN {record}; END"
            ))?;
        }
        if constraint.deferrable {
            let known = format!("SELECT 1 FROM pg_pending WHERE key = {oid} AND side = {NEW_ROWS}");
            let note = format!("INSERT INTO pg_pending VALUES ({oid}, '', {NEW_ROWS})");
            let new = format!("{present}{} AND NOT EXISTS ({known})", child.and_within("NEW"));
            for (suffix, event) in [("n", "INSERT"), ("m", &changes)] {
                self.execute(&format!(
                    "CREATE TRIGGER {prefix}{suffix} AFTER {event} ON {c} WHEN {new} BEGIN {note}; END"
                ))?;
            }
        }
        let kept = format!(
            "WHERE EXISTS (SELECT 1 FROM {c} WHERE {}{})",
            pairs.children("OLD"),
            child.and_within(&c)
        );
        let kept = |side: i64| {
            let values = pairs.key_values("OLD");
            format!("INSERT INTO pg_pending SELECT {oid}, json_array({values}), {side} {kept}")
        };
        // Rows that fire triggers change later.
        let at_once = |action: Action| match action {
            Action::NoAction | Action::Restrict => "true".to_owned(),
            _ => format!("pg_cascades({oid})"),
        };
        let act = |action: Action, update: bool| -> Result<String> {
            let assign = |value: &dyn Fn(usize) -> Result<String>| -> Result<String> {
                let numbers = pairs
                    .own
                    .iter()
                    .enumerate()
                    .filter(|(_, number)| set.is_empty() || update || set.contains(number));
                let set = numbers.map(|(index, number)| Ok(format!("c{number} = {}", value(index)?)));
                Ok(format!(
                    "UPDATE {c} SET {} WHERE {}{}",
                    set.collect::<Result<Vec<_>>>()?.join(", "),
                    pairs.children("OLD"),
                    child.and_within(&c)
                ))
            };
            match action {
                Action::NoAction => Ok(kept(1)),
                Action::Restrict => Ok(kept(RESTRICTED)),
                Action::Cascade if update => assign(&|index| Ok(format!("NEW.c{}", pairs.referenced[index]))),
                Action::Cascade => {
                    Ok(format!("DELETE FROM {c} WHERE {}{}", pairs.children("OLD"), child.and_within(&c)))
                }
                Action::SetNull => assign(&|_| Ok("NULL".to_owned())),
                // Rows whose default is the key itself still want the row to which they refer.
                Action::SetDefault => Ok(format!(
                    "{}; UPDATE pg_pending SET side = 1 WHERE key = {oid} AND side = 0 AND value = json_array({})",
                    assign(&|index| self.default_sql(&child.of, constraint.columns[index]))?,
                    pairs.key_values("OLD")
                )),
            }
        };
        self.execute(&format!(
            "CREATE TRIGGER {prefix}d AFTER DELETE ON {p} WHEN {}{} BEGIN {}; END",
            at_once(*on_delete),
            parent.and_within("OLD"),
            act(*on_delete, false)?
        ))?;
        let changed = pairs.referenced.iter().map(|number| format!("OLD.c{number} IS NOT NEW.c{number}"));
        let mut changed = changed.collect::<Vec<_>>().join(" OR ");
        let mut changes = format!("UPDATE OF {key}");
        if parent.within.is_some() {
            // A row that leaves the partition is as good as deleted from it.
            changed.push_str(&format!(" OR (true{}) IS NOT TRUE", parent.and_within("NEW")));
            "UPDATE".clone_into(&mut changes);
        }
        self.execute(&format!(
            "CREATE TRIGGER {prefix}k AFTER {changes} ON {p} WHEN {}{} AND ({changed}) BEGIN {}; END",
            at_once(*on_update),
            parent.and_within("OLD"),
            act(*on_update, true)?
        ))
    }

    /// Checks the foreign keys and exclusions that a statement may have broken. With `at_end`, also checks the deferred ones.
    pub(crate) fn check_pending(&mut self, at_end: bool) -> Result<()> {
        let after = if at_end { 0 } else { self.noted };
        let mut any =
            self.connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM pg_pending WHERE rowid > ?1)")?;
        if !any.query_row([after], |row| row.get::<_, bool>(0))? {
            return Ok(());
        }
        let pending = format!(
            "SELECT DISTINCT key, value, side FROM pg_pending WHERE rowid > {after} ORDER BY min(side, 1), rowid"
        );
        let pending = self.fetch(&pending, 3)?;
        for row in in_order(pending) {
            let [Value::Integer(oid), Value::Text(values), Value::Integer(side)] = &row[..] else { continue };
            let catalog = self.catalog.clone();
            let found = catalog.relations().find_map(|relation| {
                let constraint = relation.constraints.iter().find(|c| i64::from(c.oid) == *oid)?;
                Some((relation, constraint))
            });
            let Some((child, constraint)) = found.filter(|_| !values.is_empty()) else { continue };
            if !at_end && *side != RESTRICTED && self.is_deferred(constraint) {
                continue;
            }
            if self.settings.is_replica() && !constraint.is_noted() {
                continue;
            }
            match constraint.is_noted() {
                true => self.check_exclusion(child, constraint, values)?,
                false => self.check_foreign(child, constraint, values, *side)?,
            }
        }
        let kept: Vec<String> = self
            .catalog
            .relations()
            .flat_map(|relation| &relation.constraints)
            .filter(|constraint| !at_end && self.is_deferred(constraint))
            .map(|constraint| constraint.oid.to_string())
            .collect();
        self.execute(&format!(
            "DELETE FROM pg_pending WHERE rowid > {after} AND (side = {RESTRICTED} OR key NOT IN ({}))",
            kept.join(",")
        ))
    }

    /// Checks the constraints that are deferred to the end of the transaction.
    pub(crate) fn check_deferred(&mut self) -> Result<()> {
        self.fire_deferred(true)?;
        self.check_pending(true)
    }

    /// Refuses a row of which only some columns of a key with `MATCH FULL` are null.
    fn refuse_mixed(&self, child: &Relation, constraint: &Constraint, values: &str) -> Result<()> {
        let nulls: Vec<bool> =
            value::array::elements(values).iter().map(serde_json::Value::is_null).collect();
        if nulls.iter().all(|null| *null) || !nulls.contains(&true) {
            return Ok(());
        }
        let columns = constraint.columns.iter().enumerate();
        let equal = columns
            .map(|(index, number)| format!("c{number} IS json_extract({}, '$[{index}]')", literal(values)));
        let equal = equal.collect::<Vec<_>>().join(" AND ");
        let sql = format!("SELECT 1 FROM {} WHERE {equal} LIMIT 1", self.source_of_rows(child)?);
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let message = format!(
            "insert or update on table \"{}\" violates foreign key constraint \"{}\"",
            child.name, constraint.name
        );
        Err(SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message)
            .detail("MATCH FULL does not allow mixing of null and nonnull key values."))
    }

    pub(crate) fn check_foreign(
        &self,
        child: &Relation,
        constraint: &Constraint,
        values: &str,
        side: i64,
    ) -> Result<()> {
        let ConstraintKind::Foreign { table, columns, full, .. } = &constraint.kind else { return Ok(()) };
        if *full && side == 0 {
            self.refuse_mixed(child, constraint, values)?;
        }
        let parent = self.relation(*table)?;
        let pairs = Pairs { child, parent: &parent, own: &constraint.columns, referenced: columns };
        let value = |index: usize| match child.column_number(constraint.columns[index]) {
            Some(column) if column.type_.base == Type::BYTEA => {
                format!("pg_cast(json_extract({}, '$[{index}]'),25,17,-1,1)", literal(values))
            }
            _ => format!("json_extract({}, '$[{index}]')", literal(values)),
        };
        let of_child = pairs.compared(|index| format!("x.c{}", pairs.own[index]), value);
        let of_parent = pairs.compared(|index| format!("p.c{}", pairs.referenced[index]), value);
        let rows = self.source_of_rows(child)?;
        // RESTRICT refuses to take a row away even if another one gets its key.
        let missing = match side {
            RESTRICTED => "true".to_owned(),
            _ => {
                let parents = self.source_of_rows(&parent)?;
                format!("NOT EXISTS (SELECT 1 FROM {parents} AS p WHERE {of_parent})")
            }
        };
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {rows} AS x WHERE {of_child}) AND {missing}");
        let broken = matches!(self.fetch(&sql, 1)?.first().map(Vec::as_slice), Some([Value::Integer(1)]));
        if !broken {
            return Ok(());
        }
        let texts = self.key_texts(child, &constraint.columns, values);
        let partition = match child.partitioning {
            Some(_) => {
                let leaf = self.name_of_leaf(child, Names::of(ROW, "x"))?;
                let sql = format!("SELECT {leaf} FROM {rows} AS x WHERE {of_child}");
                self.fetch(&sql, 1)?.into_iter().flatten().next()
            }
            None => None,
        };
        let named = match partition {
            Some(Value::Text(name)) => name,
            _ => child.name.clone(),
        };
        let names = |relation: &Relation, numbers: &[u32]| {
            let names = numbers.iter().map(|number| relation.column_name(*number));
            names.collect::<Vec<_>>().join(", ")
        };
        let key = |relation: &Relation, numbers: &[u32]| match self
            .shows_columns(relation, numbers.iter().copied())
        {
            true => format!("Key ({})=({texts})", names(relation, numbers)),
            false => "Key".to_owned(),
        };
        let violation = if side == 0 {
            let message = format!(
                "insert or update on table \"{named}\" violates foreign key constraint \"{}\"",
                constraint.name
            );
            SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message).detail(format!(
                "{} is not present in table \"{}\".",
                key(child, &constraint.columns),
                parent.name
            ))
        } else {
            let message = format!(
                "update or delete on table \"{}\" violates foreign key constraint \"{}\" on table \"{}\"",
                parent.name, constraint.name, child.name
            );
            SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message).detail(format!(
                "{} is still referenced from table \"{}\".",
                key(&parent, columns),
                child.name
            ))
        };
        // It is about the table that has the key, also where rows of the other one change.
        Err(violation
            .of_table(self.catalog.schema_name(child.schema), if side == 0 { &named } else { &child.name }))
    }

    fn key_texts(&self, child: &Relation, numbers: &[u32], values: &str) -> String {
        let items = crate::value::array::elements(values);
        let texts = numbers.iter().zip(&items).map(|(number, item)| {
            let type_ = child
                .column_number(*number)
                .map_or(Type::TEXT, |column| self.catalog.base_type(column.type_.base));
            let value = crate::value::array::value(type_, item);
            crate::value::print(type_, (&value).into())
        });
        texts.collect::<Vec<_>>().join(", ")
    }
}

/// The columns of a foreign key, each with the column that it refers to.
struct Pairs<'r> {
    child: &'r Relation,
    parent: &'r Relation,
    own: &'r [u32],
    referenced: &'r [u32],
}

impl Pairs<'_> {
    fn compared(&self, left: impl Fn(usize) -> String, right: impl Fn(usize) -> String) -> String {
        let pairs = (0..self.own.len()).map(|index| {
            let column = self.parent.column_number(self.referenced[index]);
            let collation = column.and_then(|column| column.type_.base.collation());
            let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
            format!("{} = {}{collation}", left(index), right(index))
        });
        pairs.collect::<Vec<_>>().join(" AND ")
    }

    /// The condition that the parent's row `parent` has the key to which the child's row `child` refers.
    fn equal(&self, parent: &str, child: &str) -> String {
        self.compared(
            |index| format!("{parent}.c{}", self.referenced[index]),
            |index| format!("{child}.c{}", self.own[index]),
        )
    }

    /// The child's rows that refer to the parent's row `row`.
    fn children(&self, row: &str) -> String {
        self.compared(
            |index| format!("{}.c{}", self.child.physical(), self.own[index]),
            |index| format!("{row}.c{}", self.referenced[index]),
        )
    }

    fn own_values(&self, row: &str) -> String {
        noted_values(self.child, self.own, row)
    }

    fn key_values(&self, row: &str) -> String {
        noted_values(self.parent, self.referenced, row)
    }
}

/// The values of a key as a document holds them. It cannot hold bytes.
pub(super) fn noted_values(of: &Relation, numbers: &[u32], row: &str) -> String {
    let values = numbers.iter().map(|number| match of.column_number(*number) {
        Some(column) if column.type_.base == Type::BYTEA => format!("pg_cast({row}.c{number},17,25,-1,1)"),
        _ => format!("{row}.c{number}"),
    });
    values.collect::<Vec<_>>().join(", ")
}

/// Notes about keys in PostgreSQL's order: SQLite notes the keys of a row from the newest to the oldest.
fn in_order(mut pending: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    let place = |row: &[Value]| match row {
        [Value::Integer(key), _, Value::Integer(side)] => ((*side).min(1), *key),
        _ => (0, 0),
    };
    let of_one_row = |a: &Vec<Value>, b: &Vec<Value>| place(a).0 == place(b).0 && place(b).1 < place(a).1;
    pending.chunk_by_mut(of_one_row).for_each(<[Vec<Value>]>::reverse);
    pending
}
