//! Row security and privileges where a statement is bound: a table stands for the rows that its policies let the role see.

use std::collections::BTreeSet;

use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Callee, Column, Policy, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::security::rights::denied;
use crate::source::{Source, is_word};
use crate::tree::{Body, Expr, Field, Node, Query, Select};

/// The columns of a source that a role may read, where it may not read all.
pub(crate) struct Readable {
    columns: BTreeSet<u32>,
    refusal: SqlError,
}

/// What the policies of a table say about one command.
pub(crate) struct Conditions {
    /// One of them must hold.
    permissive: Vec<Expr>,
    /// All of them must hold, each with its policy's name.
    restrictive: Vec<(String, Expr)>,
}

/// How often the policies of a relation apply inside each other.
const RECURSIONS_MAX: usize = 3;

impl Binder<'_> {
    /// Whether what is being bound is in a function that runs with its owner's rights.
    pub(crate) fn is_definer(&self) -> bool {
        self.current != self.settings.role
    }

    /// Notes that the statement is to be refused, unless something else is wrong with it.
    pub(crate) fn refuse(&mut self, error: SqlError) {
        self.denied.get_or_insert(error);
    }

    /// Fails when the role may not run the statement.
    pub(crate) fn permit(&mut self) -> Result<()> {
        let of_domain = self.once.take_denied();
        let denied = self.denied.take().or(self.denied_call.take()).or(of_domain);
        denied.or(self.stopped.take()).map_or(Ok(()), Err)
    }

    /// Asks for a privilege on a whole relation.
    pub(crate) fn require(&mut self, relation: &Relation, letter: char) {
        if !self.catalog.allows_relation(&self.actor, relation, letter) {
            self.refuse(relation.denied());
        }
    }

    /// Asks for a privilege on columns of a relation.
    pub(crate) fn require_columns<'c>(
        &mut self,
        relation: &Relation,
        columns: impl IntoIterator<Item = &'c Column>,
        letter: char,
    ) {
        if self.catalog.is_exempt(&self.actor) && !self.catalog.is_of_server(relation) {
            return;
        }
        let mut columns = columns.into_iter().peekable();
        let allowed = if columns.peek().is_none() {
            relation
                .columns
                .iter()
                .any(|column| self.catalog.allows_column(&self.actor, relation, column.number, letter))
                || self.catalog.allows_relation(&self.actor, relation, letter)
        } else {
            columns.all(|column| self.catalog.allows_column(&self.actor, relation, column.number, letter))
        };
        if !allowed {
            self.refuse(relation.denied());
        }
    }

    /// Asks for the right to call a function.
    pub(crate) fn require_call(&mut self, callee: &Callee) {
        let admitted = self.frame.as_ref().and_then(|frame| frame.borrow().admitted);
        let asked = admitted != Some(callee.number.oid());
        if asked && !self.catalog.allows(&self.current, callee.routine.guarded(), 'X') {
            self.denied_call.get_or_insert(callee.routine.denied());
        }
        self.note_call(callee);
    }

    /// Asks for the right to read a source: all of it, or the columns that are named later.
    pub(crate) fn require_read(&mut self, relation: &Relation, source: usize) {
        if self.catalog.allows_relation(&self.actor, relation, 'r') {
            return;
        }
        let columns = self.readable_columns(relation);
        if columns.is_empty() {
            return self.refuse(relation.denied());
        }
        self.readable.insert(source, Readable { columns, refusal: relation.denied() });
    }

    /// Watches which columns of a source are read, of one that need not be.
    pub(crate) fn watch(&mut self, relation: &Relation, source: usize) {
        if !self.catalog.allows_relation(&self.actor, relation, 'r') {
            let columns = self.readable_columns(relation);
            self.readable.insert(source, Readable { columns, refusal: relation.denied() });
        }
    }

    fn readable_columns(&self, relation: &Relation) -> BTreeSet<u32> {
        let numbers = relation.columns.iter().map(|column| column.number);
        numbers.filter(|number| self.catalog.allows_column(&self.actor, relation, *number, 'r')).collect()
    }

    /// Notes that an expression is read.
    pub(crate) fn touch(&mut self, expr: &Expr) {
        if self.readable.is_empty() {
            return;
        }
        let mut refusal = None;
        expr.any(&mut |part| {
            if let Node::Column { source, field: Field::Column(number) } = part.node
                && let Some(known) =
                    self.readable.get(&source).filter(|known| !known.columns.contains(&number))
            {
                refusal.get_or_insert(known.refusal.clone());
            }
            false
        });
        if let Some(refusal) = refusal {
            self.refuse(refusal);
        }
    }

    /// Asks for a privilege on a sequence; several functions are content with one of two.
    pub(crate) fn require_sequence(&mut self, relation: &Relation, called: &str) {
        let letters = match called {
            "nextval" => "Uw",
            "setval" => "w",
            _ => "Ur",
        };
        if !letters.chars().any(|letter| self.catalog.allows_relation(&self.actor, relation, letter)) {
            self.denied_call.get_or_insert(relation.denied());
        }
    }

    /// For each relation, whether its policies are in force for the role.
    pub(crate) fn active_policies(&self) -> String {
        let relations = self.catalog.relations();
        let active =
            relations.map(|relation| (relation.oid.to_string(), u8::from(self.is_secured(relation)).into()));
        serde_json::Value::Object(active.collect()).to_string()
    }

    /// Whether policies decide what the role sees of a relation.
    fn is_secured(&self, relation: &Relation) -> bool {
        self.catalog.secures(&self.actor, relation)
    }

    /// The rows of a partition that the role sees where the partition is named itself. Policies of the table are in force for the
    /// table only.
    pub(crate) fn visible_in_partition(&mut self, relation: &Relation, query: Query) -> Result<Query> {
        if relation.partition.is_none() || !self.is_secured(relation) {
            return Ok(query);
        }
        let columns = query.columns.clone();
        let (from, mut scope) = self.derived(query, None, &relation.name, false)?;
        for table in &mut scope.tables {
            table.schema = Some(self.catalog.schema_name(relation.schema).to_owned());
        }
        let Some(conditions) = self.conditions(relation, &scope, "SELECT", false)? else {
            return Err(SqlError::unsupported("this partition with row security"));
        };
        let targets = scope.tables.iter().flat_map(|table| {
            table.columns.iter().map(|column| {
                let node = Node::Column { source: table.source, field: column.field };
                Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
            })
        });
        let select = Select {
            distinct: false,
            distinct_on: Vec::new(),
            targets: targets.collect(),
            from: vec![from],
            filter: Some(conditions.filter()),
            group: Vec::new(),
            aggregated: false,
            having: None,
        };
        let body = Body::Select(Box::new(select));
        Ok(Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns })
    }

    /// The conditions on which a role can do something with rows of a table; `None` if there are none.
    ///
    /// With `checks`, they are about rows as they will be.
    pub(crate) fn conditions(
        &mut self,
        relation: &Relation,
        scope: &Scope<'_>,
        command: &str,
        checks: bool,
    ) -> Result<Option<Conditions>> {
        if !self.is_secured(relation) {
            return Ok(None);
        }
        if self.settings.values.get("row_security").is_some_and(|value| matches!(&**value, "off" | "false")) {
            let name = &relation.name;
            return Err(denied(format!(
                "query would be affected by row-level security policy for table \"{name}\""
            )));
        }
        let policies = self.policies_for(relation, command, checks);
        let inside = self.policies.iter().filter(|oid| **oid == relation.oid).count();
        if inside > RECURSIONS_MAX || inside > 0 && policies.iter().any(|(_, text)| has_query(text)) {
            let message = format!("infinite recursion detected in policy for relation \"{}\"", relation.name);
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        self.policies.push(relation.oid);
        let found = self.conditions_of(relation, scope, &policies);
        self.policies.pop();
        found.map(Some)
    }

    /// The policies that decide, with their conditions, in the order of their names.
    fn policies_for<'r>(
        &self,
        relation: &'r Relation,
        command: &str,
        checks: bool,
    ) -> Vec<(&'r Policy, &'r str)> {
        // A policy that says nothing about the rows at hand grants nothing.
        let text = |policy: &'r Policy| match checks {
            true => policy.check.as_deref().or(policy.using.as_deref()),
            false => policy.using.as_deref(),
        };
        let policies = relation.policies.iter().filter(|policy| self.is_for(policy, command));
        let mut policies: Vec<(&Policy, &str)> =
            policies.filter_map(|policy| Some((policy, text(policy)?))).collect();
        // Where nothing grants a row, PostgreSQL doesn't look at what else it must be.
        if !policies.iter().any(|(policy, _)| policy.permissive) {
            policies.clear();
        }
        policies.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        policies
    }

    fn conditions_of(
        &mut self,
        relation: &Relation,
        scope: &Scope<'_>,
        policies: &[(&Policy, &str)],
    ) -> Result<Conditions> {
        let mut conditions = Conditions { permissive: Vec::new(), restrictive: Vec::new() };
        for (policy, text) in policies {
            let condition = self.stored_in(relation, text, |binder| {
                let parsed = binder.source.expression()?;
                binder.condition_in(Clause::Policy, scope, &parsed)
            })?;
            if policy.permissive {
                conditions.permissive.push(condition);
            } else {
                conditions.restrictive.push((policy.name.clone(), condition));
            }
        }
        Ok(conditions)
    }

    fn is_for(&self, policy: &Policy, command: &str) -> bool {
        (policy.command == "ALL" || policy.command == command)
            && policy
                .roles
                .iter()
                .any(|role| role == "public" || self.catalog.has_privileges_of(&self.actor, role))
    }

    /// The rows of a stored table that the role sees, as SQLite's name for a source; if it `locks` them, those that it may change.
    pub(crate) fn visible_rows(
        &mut self,
        relation: &Relation,
        physical: &str,
        locks: bool,
    ) -> Result<Option<String>> {
        if !self.is_secured(relation) {
            return Ok(None);
        }
        let source = self.new_source();
        let scope = Scope::of(self.table_of(relation, source, None)?);
        let command = if locks { "UPDATE" } else { "SELECT" };
        let Some(filter) = self.filter(relation, &scope, command, locks)? else { return Ok(None) };
        let filter = print::condition(&filter, Names::default());
        Ok(Some(format!(
            "(SELECT s{source}.rowid AS rowid, s{source}.* FROM {physical} AS s{source} WHERE {filter})"
        )))
    }

    /// The rows that a role can change or delete; `reads`: among those that it sees.
    pub(crate) fn filter(
        &mut self,
        relation: &Relation,
        scope: &Scope<'_>,
        command: &str,
        reads: bool,
    ) -> Result<Option<Expr>> {
        let Some(conditions) = self.conditions(relation, scope, command, false)? else { return Ok(None) };
        let filter = conditions.filter();
        let seen = if reads { self.conditions(relation, scope, "SELECT", false)? } else { None };
        Ok(Some(both(filter, seen.map(Conditions::filter))))
    }

    /// What must hold of a new row of a table, as SQL about `names`, which is `value` then and fails otherwise; `None` if nothing.
    pub(crate) fn checked(
        &mut self,
        (relation, scope, names): (&Relation, &Scope<'_>, Names<'_>),
        command: &str,
        reads: bool,
        value: &str,
    ) -> Result<Option<String>> {
        let Some(conditions) = self.conditions(relation, scope, command, true)? else { return Ok(None) };
        let mut sql = value.to_owned();
        if reads && let Some(seen) = self.conditions(relation, scope, "SELECT", false)? {
            sql = seen.or_raise(relation, names, "", sql);
        }
        Ok(Some(conditions.or_raise(relation, names, "", sql)))
    }

    /// What must hold of the row that an upsert finds, in the same form.
    pub(crate) fn checked_conflict(
        &mut self,
        (relation, scope, names): (&Relation, &Scope<'_>, Names<'_>),
        value: &str,
    ) -> Result<Option<String>> {
        let Some(conditions) = self.conditions(relation, scope, "UPDATE", false)? else { return Ok(None) };
        let using = " (USING expression)";
        let mut sql = value.to_owned();
        if let Some(seen) = self.conditions(relation, scope, "SELECT", false)? {
            sql = seen.or_raise(relation, names, using, sql);
        }
        Ok(Some(conditions.or_raise(relation, names, using, sql)))
    }
}

impl Conditions {
    /// All of them as one condition.
    fn filter(self) -> Expr {
        let any = any_of(self.permissive);
        let all = balanced(self.restrictive.into_iter().map(|(_, next)| next).collect(), Node::And);
        both(any, all)
    }

    /// `value` where they hold of a row; otherwise the refusal of the row. One `CASE` for all, because SQLite limits how deep they nest.
    fn or_raise(self, relation: &Relation, names: Names<'_>, using: &str, value: String) -> String {
        let table = &relation.name;
        let refused = |condition: &Expr, policy: &str| {
            let message =
                format!("new row violates row-level security policy{policy}{using} for table \"{table}\"");
            format!(
                "WHEN ({}) IS NOT TRUE THEN pg_raise('42501', {})",
                print::condition(condition, names),
                print::text_literal(&message)
            )
        };
        let mut branches = vec![refused(&any_of(self.permissive), "")];
        let named = |(name, condition): &(String, Expr)| refused(condition, &format!(" \"{name}\""));
        branches.extend(self.restrictive.iter().map(named));
        format!("CASE {} ELSE {value} END", branches.join(" "))
    }
}

fn has_query(condition: &str) -> bool {
    let tokens = Source::stored(condition).tokens();
    tokens.is_ok_and(|tokens| tokens.iter().any(|token| is_word(token, "select")))
}

fn any_of(conditions: Vec<Expr>) -> Expr {
    let none = || Expr::literal(0, crate::types::Type::BOOL);
    balanced(conditions, Node::Or).unwrap_or_else(none)
}

/// Joins conditions in their order, nested as little as possible; `None` if there are none.
fn balanced(mut conditions: Vec<Expr>, join: fn(Box<Expr>, Box<Expr>) -> Node) -> Option<Expr> {
    if conditions.len() < 2 {
        return conditions.pop();
    }
    let right = balanced(conditions.split_off(conditions.len() / 2), join)?;
    let left = balanced(conditions, join)?;
    Some(Expr::boolean(join(Box::new(left), Box::new(right))))
}

/// Both conditions, if there is a second one.
pub(crate) fn both(left: Expr, right: Option<Expr>) -> Expr {
    match right {
        Some(right) => Expr::boolean(Node::And(Box::new(left), Box::new(right))),
        None => left,
    }
}

/// Whether an expression reads a column of a source, or may do so in a query.
pub(crate) fn reads(expr: &Expr, source: usize) -> bool {
    expr.any(&mut |part| match &part.node {
        Node::Column { source: of, .. } => *of == source,
        Node::Scalar(_) | Node::Exists { .. } | Node::ArrayQuery(_) | Node::InQuery { .. } => true,
        _ => false,
    })
}
