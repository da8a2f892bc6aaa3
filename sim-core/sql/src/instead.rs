//! `INSTEAD OF` triggers: changes of a view's rows that triggers make.

use rusqlite::types::Value;

use crate::bind::scope::Table;
use crate::catalog::{Relation, RelationKind};
use crate::dml::Modifier;
use crate::dml_rows::Rows;
use crate::error::Result;
use crate::plpgsql::{Change, Watched};
use crate::print::{self, Names, Printer};
use crate::run::Engine;
use crate::tree::{Expr, From};
use crate::types::Type;

/// Whether triggers make the changes of a view, in a session of a replica or not.
pub(crate) fn has_instead(relation: &Relation, event: &str, replica: bool) -> bool {
    relation.kind == RelationKind::View
        && relation.firing().iter().any(|trigger| {
            trigger.timing == "INSTEAD OF"
                && trigger.fires_in(replica)
                && trigger.events.iter().any(|known| known == event)
        })
}

impl Modifier<'_> {
    /// The rows of a view that change: their columns, and the values that they get.
    pub(crate) fn view_rows(
        &mut self,
        relation: &Relation,
        (view, table): (&From, &Table),
        set: &[(u32, String)],
        from: &[From],
        condition: Option<&Expr>,
    ) -> Result<Rows> {
        let source = table.source;
        let mut printer = Printer::new(Names::default());
        let columns = relation.columns.iter().map(|column| format!("s{source}.c{}", column.number));
        printer.push(&format!("SELECT {}", columns.collect::<Vec<_>>().join(", ")));
        set.iter().for_each(|(_, value)| printer.push(&format!(", {value}")));
        let beside = self.beside(&mut printer);
        printer.push(" FROM ");
        printer.from(view);
        printer.beside_and_where(from, condition);
        Ok(Rows {
            partition: None,
            table: relation.oid,
            event: "UPDATE",
            queries: vec![printer.out],
            numbers: set.iter().map(|(number, _)| *number).collect(),
            conflict: None,
            returning: self.returned.take(),
            source,
            beside,
            check: None,
            views: None,
        })
    }
}

impl Engine<'_> {
    /// Lets the triggers of a view make a change. Returns the rows of `RETURNING` and the number of changed rows.
    pub(crate) fn change_view(&mut self, watched: &Watched, rows: &Rows) -> Result<(Vec<Vec<Value>>, usize)> {
        let columns = watched.relation.columns.clone();
        let values = self.values.clone();
        let old_width = if rows.event == "INSERT" { 0 } else { columns.len() };
        let mut found = Vec::new();
        for query in &rows.queries {
            self.values.clone_from(&values);
            let beside = rows.beside.map_or(0, |(_, values)| values);
            let more = self.fetch(query, old_width + rows.numbers.len() + beside);
            self.take_back();
            found.extend(more?);
        }
        self.store_sequences()?;
        let (mut returned, mut count) = (Vec::new(), 0);
        for row in found {
            self.budget.work(1_000)?;
            let (old, set) = row.split_at(old_width);
            let (set, beside) = set.split_at(rows.numbers.len());
            let old = (rows.event != "INSERT").then(|| old.to_vec());
            let mut new = old.clone().unwrap_or_else(|| vec![Value::Null; columns.len()]);
            for (number, value) in rows.numbers.iter().zip(set) {
                if let Some(at) = columns.iter().position(|column| column.number == *number) {
                    new[at] = value.clone();
                }
            }
            let new = (rows.event != "DELETE").then_some(new);
            let Some(done) = self.fire_instead(watched, rows.event, (old, new))? else { continue };
            count += 1;
            if let Some((targets, width)) = &rows.returning {
                self.values.clone_from(&values);
                let cells = columns.iter().zip(&done).map(|(column, value)| {
                    let literal = Expr::literal(value.clone(), Type::TEXT);
                    format!("{} AS c{}", print::expression(&literal, Names::default()), column.number)
                });
                let cells = cells.collect::<Vec<_>>().join(", ");
                let (source, beside) = (rows.source, rows.source_beside(beside));
                let sql = format!("SELECT {targets} FROM (SELECT {cells}) AS s{source}{beside}");
                let shown = self.fetch(&sql, *width);
                self.take_back();
                returned.extend(shown?);
            }
        }
        Ok((returned, count))
    }

    /// Fires the triggers for a row; `None` when one skips it.
    fn fire_instead(
        &mut self,
        watched: &Watched,
        event: &'static str,
        (old, mut new): (Option<Vec<Value>>, Option<Vec<Value>>),
    ) -> Result<Option<Vec<Value>>> {
        for trigger in watched.triggers("INSTEAD OF", event, true, &[]) {
            let change = Change { event, old: old.as_deref(), new: new.as_deref() };
            let Some(answer) = self.fire(watched, &trigger, change)? else { return Ok(None) };
            if new.is_some() {
                new = Some(answer);
            }
        }
        Ok(new.or(old))
    }
}
