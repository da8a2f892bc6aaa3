//! `MERGE`: finds the rows of the source with the rows of the table that match them, and lets each clause change its share of them
//! as an `INSERT`, `UPDATE` or `DELETE`.

use std::collections::BTreeSet;

use rusqlite::types::Value;
use sqlparser::ast::{self, Ident, MergeAction, MergeClauseKind, SelectItem, SetExpr, TableFactor};
use sqlparser::parser::Parser;

use super::bind::KnownCte;
use super::catalog::{Relation, RelationKind};
use super::dml::Overriding;
use super::dml::is_default;
use super::error::{Report, Result, SqlError, SqlState};
use super::run::{Done, Engine, Returned, known_rows};
use super::source::{self, ROW_NUMBER, Source, name};
use super::touched;
use super::tree::Output;
use super::types::Type;

/// The name under which clauses read their rows. No statement can name it.
const ROWS: &str = "\u{1}merge";

impl Engine<'_> {
    pub(super) fn merge(&mut self, merge: &ast::Merge, known: Vec<KnownCte>) -> Result<Done> {
        check_form(merge)?;
        self.require_write("MERGE")?;
        let TableFactor::Table { name: object, alias, args: None, .. } = &merge.table else {
            return Err(SqlError::unsupported("MERGE into anything but a table"));
        };
        self.wake_target(object)?;
        let relation = self.plain_binder().find_relation(object)?.clone();
        require_table(&relation)?;
        let target =
            alias.as_ref().map_or_else(|| Ident::with_quote('"', &relation.name), |alias| alias.name.clone());
        let Some(from) = alias_of(&merge.source) else {
            return Err(SqlError::unsupported("MERGE from a source without a name"));
        };
        let query = found_rows(merge, &target, &from)?;
        let found = self.raw_rows_of(&query, known).map_err(of_condition)?;
        let shares = shares(merge, found, !relation.triggers.is_empty())?;
        // A trigger may skip rows too.
        let refuses_hidden =
            relation.triggers.is_empty() && self.catalog.secures(&self.settings.role, &relation);
        let count = self.join_merge(&relation, sets(merge, &relation), |engine| {
            let mut count = 0;
            for (at, rows) in shares {
                let clause = &merge.clauses[at];
                if rows.rows.is_empty() && !checks(&clause.action) {
                    continue;
                }
                let statement = engine.statement_of(clause, merge, (&relation, &target, &from))?;
                let Some(statement) = statement else { continue };
                let (wanted, changed) = (rows.rows.len(), engine.change_share(&statement, rows)?);
                if changed < wanted && refuses_hidden && !matches!(clause.action, MergeAction::Insert(_)) {
                    return Err(hidden_row(&relation));
                }
                count += changed;
            }
            Ok(count)
        })?;
        Ok(Done::command(format!("MERGE {count}")))
    }

    /// Runs the statement of a clause for some rows. Returns how many it has changed.
    fn change_share(&mut self, statement: &ast::Statement, rows: Returned) -> Result<usize> {
        let done = self.modify(statement, Overriding::Nothing, vec![known_rows(ROWS.to_owned(), rows)]);
        let done = done.map_err(|error| match error == touched::refusal("updated") {
            true => touched::refusal("updated or deleted"),
            false => error,
        })?;
        Ok(done.tag.rsplit(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0))
    }

    /// The statement that makes the changes of a clause.
    fn statement_of(
        &self,
        clause: &ast::MergeClause,
        merge: &ast::Merge,
        (relation, target, from): (&Relation, &Ident, &Ident),
    ) -> Result<Option<ast::Statement>> {
        let rows = rows_as(from);
        let same = || ast::Expr::BinaryOp {
            left: Box::new(row_number(target)),
            op: ast::BinaryOperator::Eq,
            right: Box::new(row_number(from)),
        };
        let table = ast::TableWithJoins { relation: merge.table.clone(), joins: Vec::new() };
        let rows = ast::TableWithJoins { relation: rows, joins: Vec::new() };
        Ok(Some(match &clause.action {
            MergeAction::DoNothing { .. } => return Ok(None),
            MergeAction::Update(update) => {
                let ast::MergeUpdateKind::Set(assignments) = &update.kind else {
                    return Err(SqlError::unsupported("this kind of UPDATE in MERGE"));
                };
                let mut statement = parsed("UPDATE t SET a = 1 FROM b")?;
                if let ast::Statement::Update(made) = &mut statement {
                    (made.table, made.assignments) = (table, assignments.clone());
                    made.from = Some(ast::UpdateTableFromKind::AfterSet(vec![rows]));
                    made.selection = Some(same());
                }
                statement
            }
            MergeAction::Delete { .. } => {
                let mut statement = parsed("DELETE FROM t USING b")?;
                if let ast::Statement::Delete(made) = &mut statement {
                    made.from = ast::FromTable::WithFromKeyword(vec![table]);
                    made.using = Some(vec![rows]);
                    made.selection = Some(same());
                }
                statement
            }
            MergeAction::Insert(insert) => {
                let (columns, values) = inserted(insert, relation)?;
                let mut statement = parsed("INSERT INTO t SELECT 1 FROM b")?;
                if let (ast::Statement::Insert(made), TableFactor::Table { name, .. }) =
                    (&mut statement, &merge.table)
                {
                    made.table = ast::TableObject::TableName(name.clone());
                    made.columns = columns;
                    let select = made.source.as_mut().map(|query| &mut *query.body);
                    if let Some(SetExpr::Select(select)) = select {
                        select.projection = values.into_iter().map(SelectItem::UnnamedExpr).collect();
                        select.from = vec![rows];
                    }
                }
                statement
            }
        }))
    }
}

/// The refusal of a change of a row that policies show, but let nobody change so.
fn hidden_row(table: &Relation) -> SqlError {
    let name = &table.name;
    let message =
        format!("target row violates row-level security policy (USING expression) for table \"{name}\"");
    SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message)
}

/// Refuses what the parser reads and PostgreSQL 15 does not.
fn check_form(merge: &ast::Merge) -> Result<()> {
    let wrong = |word: &str| {
        Err(SqlError::new(SqlState::SYNTAX_ERROR, format!("syntax error at or near \"{word}\"")))
    };
    if merge.output.is_some() {
        return wrong("returning");
    }
    if merge.clauses.is_empty() {
        return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at end of input"));
    }
    let mut done = BTreeSet::new();
    for clause in &merge.clauses {
        let matched = match clause.clause_kind {
            MergeClauseKind::Matched => true,
            MergeClauseKind::NotMatched => false,
            _ => return wrong("by"),
        };
        if done.contains(&matched) {
            let message = "unreachable WHEN clause specified after unconditional WHEN clause";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        if clause.predicate.is_none() {
            done.insert(matched);
        }
    }
    Ok(())
}

fn require_table(relation: &Relation) -> Result<()> {
    let kind = match relation.kind {
        RelationKind::Table if !relation.rules.is_empty() => "relations with rules",
        RelationKind::Table => return Ok(()),
        RelationKind::View => "views",
        RelationKind::MaterializedView => "materialized views",
        RelationKind::Sequence => "sequences",
        RelationKind::Foreign => "foreign tables",
    };
    let message = format!("cannot execute MERGE on relation \"{}\"", relation.name);
    let what = if kind.ends_with("rules") { "MERGE" } else { "This operation" };
    let detail = format!("{what} is not supported for {kind}.");
    Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(detail))
}

/// Whether a `MERGE` inserts, updates and deletes, with the columns that it sets.
fn sets(merge: &ast::Merge, relation: &Relation) -> [Option<Vec<u32>>; 3] {
    let [mut insert, mut update, mut delete] = [None, None, None];
    for clause in &merge.clauses {
        match &clause.action {
            MergeAction::DoNothing { .. } => {}
            MergeAction::Insert(_) => insert = Some(Vec::new()),
            MergeAction::Delete { .. } => delete = Some(Vec::new()),
            MergeAction::Update(change) => {
                let set: &mut Vec<u32> = update.get_or_insert_default();
                let ast::MergeUpdateKind::Set(assignments) = &change.kind else { continue };
                let names = assignments.iter().flat_map(|assignment| match &assignment.target {
                    ast::AssignmentTarget::ColumnName(name) => std::slice::from_ref(name),
                    ast::AssignmentTarget::Tuple(names) => &names[..],
                });
                let columns = names.filter_map(|object| {
                    let first = source::parts(object).first().map(|ident| name(ident))?;
                    relation.column(&first).map(|column| column.number)
                });
                set.extend(columns);
            }
        }
    }
    [insert, update, delete]
}

/// Whether the statement of a clause is bound even without rows, so that its names are checked.
fn checks(action: &MergeAction) -> bool {
    !matches!(action, MergeAction::DoNothing { .. })
}

/// The name of a source of rows.
fn alias_of(factor: &TableFactor) -> Option<Ident> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. }
        | TableFactor::Derived { alias: Some(alias), .. }
        | TableFactor::Function { alias: Some(alias), .. } => Some(alias.name.clone()),
        TableFactor::Table { name, .. } => source::parts(name).last().map(|ident| (*ident).clone()),
        _ => None,
    }
}

/// The query of the matching row of the table, the condition of each clause, and the columns of the source.
fn found_rows(merge: &ast::Merge, target: &Ident, from: &Ident) -> Result<ast::Query> {
    let mut query = *Source::stored("SELECT 1 FROM a LEFT JOIN b ON true").query()?;
    let SetExpr::Select(select) = &mut *query.body else { return Ok(query) };
    let all = "SELECT a.*";
    let mut source = *Source::stored(all).query()?;
    let SetExpr::Select(wildcard) = &mut *source.body else { return Ok(query) };
    if let Some(SelectItem::QualifiedWildcard(ast::SelectItemQualifiedWildcardKind::ObjectName(object), _)) =
        wildcard.projection.first_mut()
    {
        *object = ast::ObjectName::from(vec![from.clone()]);
    }
    let truth = Source::stored("true").expression()?;
    let conditions = merge.clauses.iter().map(|clause| match &clause.predicate {
        Some(predicate) => ast::Expr::IsTrue(Box::new(predicate.clone())),
        None => truth.clone(),
    });
    let numbers = std::iter::once(row_number(target)).chain(conditions);
    select.projection = numbers.map(SelectItem::UnnamedExpr).chain(wildcard.projection.drain(..)).collect();
    if let Some(ast::TableWithJoins { relation, joins }) = select.from.first_mut()
        && let Some(join) = joins.first_mut()
    {
        relation.clone_from(&merge.source);
        join.relation.clone_from(&merge.table);
        join.join_operator = ast::JoinOperator::Left(ast::JoinConstraint::On((*merge.on).clone()));
    }
    Ok(query)
}

/// The refusal of a condition that has no truth value, in the words for clauses.
fn of_condition(error: SqlError) -> SqlError {
    match error.message.strip_prefix("argument of IS TRUE ") {
        Some(rest) => {
            let message = format!("argument of WHEN {rest}");
            SqlError::from(Report { message, ..Report::clone(&error) })
        }
        None => error,
    }
}

/// The rows of each clause: the number of the row of the table, and the columns of the source.
///
/// A clause has one share of them, or several if they are to change in the order in which they were found.
fn shares(merge: &ast::Merge, found: Returned, in_order: bool) -> Result<Vec<(usize, Returned)>> {
    let clauses = &merge.clauses;
    let width = 1 + clauses.len();
    let mut columns = vec![Output { name: ROW_NUMBER.to_owned(), type_: Type::INT8.plain() }];
    columns.extend(found.columns.iter().skip(width).cloned());
    let empty = || Returned { columns: columns.clone(), rows: Vec::new() };
    let mut shares: Vec<(usize, Returned)> = (0..clauses.len()).map(|at| (at, empty())).collect();
    let mut seen = BTreeSet::new();
    for mut row in found.rows {
        let rest = row.split_off(width);
        let matched = !matches!(row[0], Value::Null);
        let applies = |(at, clause): (usize, &ast::MergeClause)| {
            let of_kind = matched == (clause.clause_kind == MergeClauseKind::Matched);
            (of_kind && row[at + 1] == Value::Integer(1)).then_some(at)
        };
        let Some(at) = clauses.iter().enumerate().find_map(applies) else { continue };
        if let (Value::Integer(number), true) = (&row[0], checks(&clauses[at].action))
            && !seen.insert(*number)
        {
            return Err(SqlError::new(
                SqlState::new("21000"),
                "MERGE command cannot affect row a second time",
            )
            .hint("Ensure that not more than one source row matches any one target row."));
        }
        let last = shares.len() - 1;
        let share = match in_order {
            false => at,
            true if shares[last].0 == at && last >= clauses.len() => last,
            true => {
                shares.push((at, empty()));
                last + 1
            }
        };
        shares[share].1.rows.push(row.drain(..1).chain(rest).collect());
    }
    Ok(shares)
}

/// The columns and values of an `INSERT`, without those that get their defaults.
fn inserted(
    insert: &ast::MergeInsertExpr,
    relation: &Relation,
) -> Result<(Vec<ast::ObjectName>, Vec<ast::Expr>)> {
    let ast::MergeInsertKind::Values(values) = &insert.kind else {
        return Err(SqlError::unsupported("this kind of INSERT in MERGE"));
    };
    let [row] = &values.rows[..] else {
        return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \",\""));
    };
    let row = &row.content;
    let mut columns = insert.columns.clone();
    if !row.iter().any(is_default) {
        return Ok((columns, row.clone()));
    }
    if columns.is_empty() {
        let names = relation.columns.iter().take(row.len());
        columns =
            names.map(|column| ast::ObjectName::from(vec![Ident::with_quote('"', &column.name)])).collect();
    }
    if columns.len() != row.len() {
        return Ok((columns, row.clone()));
    }
    Ok(columns.into_iter().zip(row.iter().cloned()).filter(|(_, value)| !is_default(value)).unzip())
}

/// The rows of a clause as a source, under the name of the statement's source.
fn rows_as(from: &Ident) -> TableFactor {
    let quoted = |name: &str| name.replace('"', "\"\"");
    let text = format!("SELECT 1 FROM \"{ROWS}\" AS \"{}\"", quoted(&name(from)));
    let query = Source::stored(&text).query().expect("it names a table");
    match *query.body {
        SetExpr::Select(mut select) => select.from.remove(0).relation,
        _ => unreachable!("it is a select"),
    }
}

fn row_number(of: &Ident) -> ast::Expr {
    ast::Expr::CompoundIdentifier(vec![of.clone(), Ident::with_quote('"', ROW_NUMBER)])
}

fn parsed(text: &str) -> Result<ast::Statement> {
    let source = Source::stored(text);
    let tokens = source.statements()?.into_iter().next().unwrap_or_default();
    source.parse(&tokens, Parser::parse_statement)
}
