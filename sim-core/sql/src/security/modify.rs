//! Privileges and row security of statements that change a table.

use crate::bind::Clause;
use crate::bind::scope::{Scope, Table};
use crate::cast::Context;
use crate::catalog::{Column, Relation};
use crate::dml::Modifier;
use crate::error::Result;
use crate::print::{self, Names};
use crate::security::policy::both;
use crate::tree::{Body, Expr, Field, From, Node, Query, Select};
use crate::types::Type;

impl Modifier<'_> {
    /// Asks for the right to insert: into the named columns, or into all.
    pub(crate) fn require_insert(&mut self, relation: &Relation, named: &[&Column]) {
        if named.is_empty() {
            self.binder.require_columns(relation, &relation.columns, 'a');
        } else {
            self.binder.require_columns(relation, named.iter().copied(), 'a');
        }
    }

    /// Asks for the right to change the columns that are set.
    pub(crate) fn require_assigned(&mut self, relation: &Relation, assignments: &[(u32, Expr)]) {
        let columns = assignments.iter().filter_map(|(number, _)| relation.column_number(*number));
        self.binder.require_columns(relation, columns.collect::<Vec<_>>(), 'w');
    }

    /// The condition of a change, and that the role may see and change the row.
    pub(crate) fn seen(
        &mut self,
        relation: &Relation,
        table: &Table,
        command: &str,
        (condition, reads): (Option<Expr>, bool),
    ) -> Result<Option<Expr>> {
        let condition = self.in_views(table.source, condition)?;
        let relation = self.stored_table(relation);
        let condition = self.as_before(relation, table.source, condition);
        let relation = self.secured(relation);
        if !relation.row_security {
            return Ok(condition);
        }
        let scope = self.policy_scope(relation, table)?;
        Ok(match self.as_secured(|modifier| modifier.binder.filter(relation, &scope, command, reads))? {
            Some(filter) => Some(both(filter, condition)),
            None => condition,
        })
    }

    /// `condition`, and that no other part of the statement has inserted or changed the row.
    fn as_before(&mut self, relation: &Relation, source: usize, condition: Option<Expr>) -> Option<Expr> {
        let Some(kept) = self.binder.before.get(&relation.oid).cloned() else { return condition };
        let copy = self.binder.new_source();
        let fields = relation.columns.iter().filter(|column| column.generated.is_none());
        let fields = fields.map(|column| Field::Column(column.number)).chain([Field::Row]);
        let same = fields.map(|field| {
            let of = |source| Expr::new(Node::Column { source, field }, Type::INT8);
            Expr::template("({0} IS {1})", vec![of(copy), of(source)], Type::BOOL)
        });
        let select = Select {
            distinct: false,
            distinct_on: Vec::new(),
            targets: vec![Expr::literal(1, Type::INT4)],
            from: vec![From::Table { source: copy, name: kept }],
            filter: same.fold(None, |all, next| Some(both(next, all))),
            group: Vec::new(),
            aggregated: false,
            having: None,
        };
        let (body, columns) = (Body::Select(Box::new(select)), Vec::new());
        let query = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let there = Expr::boolean(Node::Exists { query: Box::new(query), negated: false });
        Some(both(there, condition))
    }

    /// Rows to insert, which are refused where a policy does not let them in.
    pub(crate) fn checked_rows(
        &mut self,
        relation: &Relation,
        stored: &[&Column],
        command: &str,
        rows: String,
        reads: bool,
    ) -> Result<String> {
        let relation = self.stored_table(relation);
        let secured = self.secured(relation);
        if !(secured.row_security || self.is_of_partition()) || stored.is_empty() {
            return Ok(rows);
        }
        let source = self.binder.new_source();
        let scope = Scope::of(self.binder.table_of(relation, source, None)?);
        let generated = self.generated(relation, &scope, &[], source)?;
        let names = Names { renamed: None, replaced: Some((source, &generated)) };
        let scope = Scope::of(self.binder.table_of(secured, source, None)?);
        let place = (secured, &scope, names);
        let check = self.as_secured(|modifier| modifier.binder.checked(place, command, reads, "1"))?;
        if check.is_none() && !self.is_of_partition() {
            return Ok(rows);
        }
        let check =
            self.check_options(secured, source, names, true, check.unwrap_or_else(|| "1".to_owned()))?;
        let check = after_generated(&generated, check);
        let columns: Vec<String> = stored.iter().map(|column| format!("c{}", column.number)).collect();
        let columns = columns.join(",");
        Ok(format!(
            "WITH w{source}({columns}) AS MATERIALIZED ({rows}) SELECT {columns} FROM w{source} AS s{source} WHERE {check}"
        ))
    }

    /// The query that refuses one row, whose stored values are its parameters, where a policy does not let it in.
    pub(crate) fn check_of_row(
        &mut self,
        relation: &Relation,
        stored: &[&Column],
        command: &str,
        reads: bool,
    ) -> Result<Option<String>> {
        // The parameters are in the order of the table's columns, which may not be that of a view.
        let table = self.stored_table(relation);
        let mut stored = stored.to_vec();
        stored.sort_by_key(|column| table.columns.iter().position(|known| known.number == column.number));
        let places: Vec<String> = (1..=stored.len()).map(|number| format!("?{number}")).collect();
        let row = format!("SELECT {}", places.join(","));
        let checked = self.checked_rows(relation, &stored, command, row.clone(), reads)?;
        Ok((checked != row).then_some(checked))
    }

    /// Refuses rows as an update leaves them where a policy does not let them.
    pub(crate) fn check_update(
        &mut self,
        relation: &Relation,
        table: &Table,
        set: &mut [(u32, String)],
        reads: bool,
    ) -> Result<()> {
        let relation = self.stored_table(relation);
        let secured = self.secured(relation);
        if !(secured.row_security || self.is_of_partition()) {
            return Ok(());
        }
        let scope = self.policy_scope(relation, table)?;
        let mut values = set.to_vec();
        let set_before = values.len();
        values.extend(self.generated(relation, &scope, set, table.source)?);
        let names = Names { renamed: None, replaced: Some((table.source, &values)) };
        let scope = self.policy_scope(secured, table)?;
        // The check is part of a value that is set, so it runs for the rows that are updated and no others.
        let Some((_, first)) = set.first_mut() else { return Ok(()) };
        let place = (secured, &scope, names);
        if let Some(checked) =
            self.as_secured(|modifier| modifier.binder.checked(place, "UPDATE", reads, first))?
        {
            *first = checked;
        }
        *first = self.check_options(secured, table.source, names, true, first.clone())?;
        *first = after_generated(&values[set_before..], std::mem::take(first));
        Ok(())
    }

    /// The same for the update of an upsert, whose present row must be one that the role may update, too.
    pub(crate) fn check_upsert(
        &mut self,
        relation: &Relation,
        table: &Table,
        set: &mut [(u32, String)],
    ) -> Result<()> {
        self.check_update(relation, table, set, true)?;
        let relation = self.secured(self.stored_table(relation));
        if !relation.row_security {
            return Ok(());
        }
        let scope = self.policy_scope(relation, table)?;
        let Some((_, first)) = set.first_mut() else { return Ok(()) };
        let place = (relation, &scope, Names::default());
        if let Some(checked) = self.as_secured(|modifier| modifier.binder.checked_conflict(place, first))? {
            *first = checked;
        }
        Ok(())
    }

    /// The scope of a table's policies: its own name, whatever the statement calls it.
    fn policy_scope(&self, relation: &Relation, table: &Table) -> Result<Scope<'static>> {
        Ok(Scope::of(self.binder.table_of(relation, table.source, None)?))
    }

    /// The values of generated columns of a new row, as SQL.
    fn generated(
        &mut self,
        relation: &Relation,
        scope: &Scope<'_>,
        set: &[(u32, String)],
        source: usize,
    ) -> Result<Vec<(u32, String)>> {
        let mut values = Vec::new();
        for column in &relation.columns {
            let Some(text) = &column.generated else { continue };
            let value = self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Generated, scope, &parsed)
            })?;
            let value =
                self.binder.coerce(value, column.type_, Context::Assignment)?.unwrap_or_else(Expr::null);
            let names = Names { renamed: None, replaced: Some((source, set)) };
            values.push((column.number, print::expression(&value, names)));
        }
        Ok(values)
    }
}

/// A check that runs when the generated columns of a row are computed, which may fail.
fn after_generated(generated: &[(u32, String)], check: String) -> String {
    if generated.is_empty() {
        return check;
    }
    let values: Vec<&str> = generated.iter().map(|(_, value)| value.as_str()).collect();
    format!("CASE WHEN pg_computed(json_array({})) THEN {check} END", values.join(", "))
}
