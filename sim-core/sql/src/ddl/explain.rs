//! `EXPLAIN`: the plan that PostgreSQL would probably choose, from the form of the statement and the sizes of its tables.

mod options;
mod plan;

use rusqlite::types::Value;
use serde_json::{Map, json};
use sqlparser::ast::{self, BinaryOperator, JoinConstraint, JoinOperator, SetExpr, TableFactor};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use self::options::{Format, Options, options};
use self::plan::{Plan, pretty};
use super::cursor::Cursor;
use crate::bind::Scope;
use crate::catalog::{Relation, RelationKind};
use crate::error::{Result, SqlError};
use crate::run::{Done, Engine, Returned};
use crate::source::{is_word, name, schema_and_name};
use crate::tree::Output;
use crate::types::Type;

impl Engine<'_> {
    /// `EXPLAIN`, after that word.
    pub(super) fn explain_statement(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let options = options(cursor)?;
        if !cursor.word("execute") {
            return self.explain_tokens(&options, cursor.rest(), cursor);
        }
        let (source, tokens) = self.prepared_statement(cursor)?;
        let outer = std::mem::replace(&mut self.source, source);
        let done = self.explain_tokens(&options, &tokens, cursor);
        self.source = outer;
        done
    }

    fn explain_tokens(
        &mut self,
        options: &Options,
        tokens: &[TokenWithSpan],
        cursor: &Cursor<'_>,
    ) -> Result<Done> {
        let Some(first) = tokens.first() else { return Err(cursor.unexpected()) };
        let first = first.token.to_string().to_lowercase();
        let plan = match first.as_str() {
            "select" | "values" | "with" | "table" | "(" => {
                let parsed = self.source.parse(tokens, Parser::parse_query)?;
                let mut binder = self.binder();
                binder.query(&Scope::default(), &parsed)?;
                binder.permit()?;
                self.plan_of_query(&parsed)?
            }
            "insert" | "update" | "delete" => {
                let stripped = crate::dml::without_overriding(&self.source, tokens);
                let parsed = self.source.parse(&stripped.tokens, Parser::parse_statement)?;
                let given = (stripped.overriding, false);
                self.bind_modification(&parsed, given, Vec::new(), stripped.conflict)?;
                self.plan_of_change(&parsed)?
            }
            "create" | "declare" => {
                let begins = if first == "create" { "as" } else { "for" };
                let at = tokens.iter().position(|token| is_word(token, begins));
                let query = at.map(|at| &tokens[at + 1..]).filter(|_| !options.analyze);
                let query = query.ok_or_else(|| SqlError::unsupported("EXPLAIN of this statement"))?;
                let parsed = self.source.parse(query, Parser::parse_query)?;
                let mut binder = self.binder();
                binder.query(&Scope::default(), &parsed)?;
                binder.permit()?;
                self.plan_of_query(&parsed)?
            }
            _ => return Err(SqlError::unsupported("EXPLAIN of this statement")),
        };
        let mut done = None;
        if options.analyze {
            let ran = self.statement(tokens)?;
            done = ran.returned.map(|returned| returned.rows.len()).or(Some(0));
        }
        let column = |base: Type| vec![Output { name: "QUERY PLAN".to_owned(), type_: base.plain() }];
        let summary = options.summary.unwrap_or(options.analyze);
        let (columns, rows) = if options.format == Format::Json {
            let mut whole = Map::new();
            whole.insert("Plan".to_owned(), plan.json(options, None, done));
            if summary {
                whole.insert("Planning Time".to_owned(), json!(0.05));
            }
            if options.analyze {
                whole.insert("Triggers".to_owned(), json!([]));
                whole.insert("Execution Time".to_owned(), json!(0.1));
            }
            (column(Type::JSON), vec![vec![Value::Text(pretty(&json!([whole]), 0))]])
        } else {
            let mut lines = Vec::new();
            plan.lines(options, 0, done, &mut lines);
            if summary {
                lines.push("Planning Time: 0.050 ms".to_owned());
            }
            if options.analyze && summary {
                lines.push("Execution Time: 0.100 ms".to_owned());
            }
            (column(Type::TEXT), lines.into_iter().map(|line| vec![Value::Text(line)]).collect())
        };
        Ok(Done { tag: "EXPLAIN".to_owned(), returned: Some(Returned { columns, rows }) })
    }

    fn plan_of_change(&mut self, statement: &ast::Statement) -> Result<Plan> {
        let (operation, source) = match statement {
            ast::Statement::Insert(insert) => (
                "Insert",
                match &insert.source {
                    Some(query) => self.plan_of_query(query)?,
                    None => Plan::new("Result", "Result", Vec::new()),
                },
            ),
            ast::Statement::Update(update) => {
                ("Update", self.plan_of_source(&update.table, update.selection.as_ref())?)
            }
            ast::Statement::Delete(delete) => {
                let (ast::FromTable::WithFromKeyword(from) | ast::FromTable::WithoutKeyword(from)) =
                    &delete.from;
                let table = from.first().ok_or_else(|| SqlError::unsupported("EXPLAIN of this statement"))?;
                ("Delete", self.plan_of_source(table, delete.selection.as_ref())?)
            }
            _ => return Err(SqlError::unsupported("EXPLAIN of this statement")),
        };
        let target = crate::dml::target_of(statement);
        let target = target.map(schema_and_name).transpose()?.map(|(_, name)| name).unwrap_or_default();
        let plan = Plan::new(format!("{operation} on {target}"), "ModifyTable", vec![source]);
        Ok(plan.with("Operation", operation).with("Relation Name", target.clone()).with("Alias", target))
    }

    fn plan_of_query(&mut self, query: &ast::Query) -> Result<Plan> {
        self.budget.work(1_000)?;
        let mut plan = self.plan_of_body(&query.body)?;
        if let Some(ast::OrderBy { kind: ast::OrderByKind::Expressions(keys), .. }) = &query.order_by {
            let keys = keys.iter().map(|key| {
                let expr = of_output(&key.expr, &query.body);
                let descending = matches!(&key.options.sort, Some(ast::OrderBySort::Desc));
                let nulls = match key.options.nulls_first {
                    Some(first) if first != descending && first => " NULLS FIRST",
                    Some(first) if first != descending => " NULLS LAST",
                    _ => "",
                };
                format!("{expr}{}{nulls}", if descending { " DESC" } else { "" })
            });
            plan = Plan::new("Sort", "Sort", vec![plan]).detail("Sort Key", keys.collect());
        }
        if !query.locks.is_empty() {
            plan = Plan::new("LockRows", "LockRows", vec![plan]);
        }
        if query.limit_clause.is_some() || query.fetch.is_some() {
            plan = Plan::new("Limit", "Limit", vec![plan]);
        }
        Ok(plan)
    }

    fn plan_of_body(&mut self, body: &SetExpr) -> Result<Plan> {
        Ok(match body {
            SetExpr::Select(select) => self.plan_of_select(select)?,
            SetExpr::Query(query) => self.plan_of_query(query)?,
            SetExpr::Values(values) if values.rows.len() == 1 => Plan::new("Result", "Result", Vec::new()),
            SetExpr::Values(values) => {
                let rows = i64::try_from(values.rows.len()).unwrap_or(i64::MAX);
                let plan = Plan::new("Values Scan on \"*VALUES*\"", "Values Scan", Vec::new());
                plan.with("Alias", "*VALUES*").rows(rows)
            }
            SetExpr::SetOperation { op, set_quantifier, left, right } => {
                let children = vec![self.plan_of_body(left)?, self.plan_of_body(right)?];
                let rows = children.iter().map(|child| child.rows).sum();
                let appended = Plan::new("Append", "Append", children).rows(rows);
                match (op, set_quantifier) {
                    (ast::SetOperator::Union, ast::SetQuantifier::All) => appended,
                    (ast::SetOperator::Union, _) => aggregate("HashAggregate", "Hashed", appended),
                    (op, _) => {
                        let word = op.to_string();
                        let command = word[..1].to_owned() + &word[1..].to_lowercase();
                        let plan = Plan::new(format!("HashSetOp {command}"), "SetOp", vec![appended]);
                        plan.with("Strategy", "Hashed").with("Command", command)
                    }
                }
            }
            _ => Plan::new("Result", "Result", Vec::new()),
        })
    }

    fn plan_of_select(&mut self, select: &ast::Select) -> Result<Plan> {
        let mut plan: Option<Plan> = None;
        let single = select.from.len() == 1 && select.from[0].joins.is_empty();
        for table in &select.from {
            let condition = select.selection.as_ref().filter(|_| single);
            let next = self.plan_of_source(table, condition)?;
            plan = Some(match plan {
                None => next,
                Some(before) => {
                    let rows = before.rows.saturating_mul(next.rows);
                    Plan::new("Nested Loop", "Nested Loop", vec![before, next])
                        .with("Join Type", "Inner")
                        .rows(rows)
                }
            });
        }
        let mut plan = plan.unwrap_or_else(|| Plan::new("Result", "Result", Vec::new()));
        if let Some(condition) = select.selection.as_ref().filter(|_| !single) {
            let name = if plan.children.len() == 2 { "Join Filter" } else { "One-Time Filter" };
            plan = plan.detail(name, vec![format!("({condition})")]);
        }
        let aggregated = select.projection.iter().any(|item| calls_aggregate(&item.to_string()));
        match &select.group_by {
            ast::GroupByExpr::Expressions(keys, _) if !keys.is_empty() => {
                let body = SetExpr::Select(Box::new(select.clone()));
                let keys = keys.iter().map(|key| of_output(key, &body)).collect();
                plan = aggregate("HashAggregate", "Hashed", plan).detail("Group Key", keys);
            }
            _ if aggregated || select.having.is_some() => {
                plan = aggregate("Aggregate", "Plain", plan);
                plan.rows = 1;
            }
            _ => {}
        }
        if let Some(having) = &select.having {
            plan = plan.detail("Filter", vec![format!("({having})")]);
        }
        if select.projection.iter().any(|item| item.to_string().to_lowercase().contains(" over (")) {
            plan = Plan::new("WindowAgg", "WindowAgg", vec![plan]);
        }
        if matches!(select.distinct, Some(ast::Distinct::Distinct)) {
            let keys = select.projection.iter().map(ToString::to_string).collect();
            plan = aggregate("HashAggregate", "Hashed", plan).detail("Group Key", keys);
        } else if matches!(select.distinct, Some(ast::Distinct::On(_))) {
            plan = Plan::new("Unique", "Unique", vec![plan]);
        }
        Ok(plan)
    }

    fn plan_of_source(&mut self, table: &ast::TableWithJoins, condition: Option<&ast::Expr>) -> Result<Plan> {
        let alone = table.joins.is_empty();
        let mut plan = self.plan_of_factor(&table.relation, condition.filter(|_| alone))?;
        for join in &table.joins {
            let right = self.plan_of_factor(&join.relation, None)?;
            let (word, kind, constraint) = match &join.join_operator {
                JoinOperator::Join(on) | JoinOperator::Inner(on) => ("", "Inner", Some(on)),
                JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => (" Left", "Left", Some(on)),
                JoinOperator::Right(on) | JoinOperator::RightOuter(on) => (" Right", "Right", Some(on)),
                JoinOperator::FullOuter(on) => (" Full", "Full", Some(on)),
                _ => ("", "Inner", None),
            };
            let on = match constraint {
                Some(JoinConstraint::On(on)) => Some(on),
                _ => None,
            };
            let hashed = matches!(
                (on, constraint),
                (Some(ast::Expr::BinaryOp { op: BinaryOperator::Eq, .. }), _)
                    | (None, Some(JoinConstraint::Using(_)))
            );
            let rows = plan.rows.max(right.rows);
            let text = on.map(|on| vec![format!("({on})")]);
            plan = if hashed {
                let hash = Plan::new("Hash", "Hash", vec![right]);
                let joined = Plan::new(format!("Hash{word} Join"), "Hash Join", vec![plan, hash]);
                let joined = joined.with("Join Type", kind).rows(rows);
                match text {
                    Some(text) => joined.detail("Hash Cond", text),
                    None => joined,
                }
            } else {
                let title = if word.is_empty() {
                    "Nested Loop".to_owned()
                } else {
                    format!("Nested Loop{word} Join")
                };
                let joined =
                    Plan::new(title, "Nested Loop", vec![plan, right]).with("Join Type", kind).rows(rows);
                match text {
                    Some(text) => joined.detail("Join Filter", text),
                    None => joined,
                }
            };
        }
        if let Some(condition) = condition.filter(|_| !alone) {
            plan = plan.detail("Filter", vec![format!("({condition})")]);
        }
        Ok(plan)
    }

    fn plan_of_factor(&mut self, factor: &TableFactor, condition: Option<&ast::Expr>) -> Result<Plan> {
        let filtered = |plan: Plan| match condition {
            Some(condition) => plan.detail("Filter", vec![format!("({condition})")]),
            None => plan,
        };
        Ok(match factor {
            TableFactor::Table { name: object, alias, args: None, .. } => {
                let (schema, called) = schema_and_name(object)?;
                let found = self.binder().relation_by_name(schema.as_deref(), &called).ok().cloned();
                let shown = alias.as_ref().map_or_else(|| called.clone(), |alias| name(&alias.name));
                match found {
                    Some(relation)
                        if relation.kind == RelationKind::Table
                            || relation.kind == RelationKind::MaterializedView =>
                    {
                        self.plan_of_scan(&relation, &shown, condition)?
                    }
                    Some(relation) => {
                        let scan =
                            Plan::new(format!("Subquery Scan on {shown}"), "Subquery Scan", Vec::new());
                        filtered(scan.with("Alias", relation.name))
                    }
                    None => filtered(
                        Plan::new(format!("CTE Scan on {shown}"), "CTE Scan", Vec::new())
                            .with("Alias", shown),
                    ),
                }
            }
            TableFactor::Derived { subquery, .. } => {
                let plan = self.plan_of_query(subquery)?;
                filtered(plan)
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.plan_of_source(table_with_joins, condition)?
            }
            TableFactor::Table { name: object, alias, .. }
            | TableFactor::Function { name: object, alias, .. } => {
                let (_, called) = schema_and_name(object)?;
                let shown = alias.as_ref().map_or_else(|| called.clone(), |alias| name(&alias.name));
                let title = if shown == called {
                    format!("Function Scan on {called}")
                } else {
                    format!("Function Scan on {called} {shown}")
                };
                filtered(
                    Plan::new(title, "Function Scan", Vec::new())
                        .with("Function Name", called)
                        .with("Alias", shown)
                        .rows(1_000),
                )
            }
            _ => filtered(Plan::new("Function Scan on unnest", "Function Scan", Vec::new()).rows(10)),
        })
    }

    fn plan_of_scan(
        &mut self,
        relation: &Relation,
        shown: &str,
        condition: Option<&ast::Expr>,
    ) -> Result<Plan> {
        let count = if relation.dormant {
            Vec::new()
        } else {
            self.fetch(&format!("SELECT count(*) FROM {}", relation.physical()), 1)?
        };
        let count = match count.first().map(|row| &row[..]) {
            Some([Value::Integer(count)]) => *count,
            _ => 0,
        };
        let on = if shown == relation.name { shown.to_owned() } else { format!("{} {shown}", relation.name) };
        let mut conditions = Vec::new();
        condition.into_iter().for_each(|condition| conjuncts(condition, &mut conditions));
        let key = conditions.iter().enumerate().find_map(|(at, condition)| {
            let column = relation.column(&equal_column(condition)?)?.number;
            let fits = |index: &&crate::catalog::Index| {
                index.unique
                    && index.predicate.is_none()
                    && matches!(&index.keys[..], [key] if key.column == Some(column))
            };
            relation.indexes.iter().find(fits).map(|index| (at, index.name.clone()))
        });
        let catalog = self.catalog.clone();
        let mut binder =
            crate::bind::Binder::new(&catalog, self.source.clone(), &self.settings, &self.parameters);
        let source = binder.new_source();
        let mut table = binder.table_of(relation, source, None)?;
        table.alias = shown.to_owned();
        let scope = Scope::of(table);
        let mut text = |condition: &ast::Expr| {
            let known = binder.shown(&scope, condition, Type::BOOL);
            known.unwrap_or_else(|| format!("({condition})"))
        };
        let texts: Vec<String> = conditions.iter().map(|condition| text(condition)).collect();
        let mut scan = match &key {
            Some((at, index)) => {
                let scan = Plan::new(format!("Index Scan using {index} on {on}"), "Index Scan", Vec::new());
                let scan = scan.with("Scan Direction", "Forward").with("Index Name", index.clone());
                scan.rows(1).detail("Index Cond", vec![texts[*at].clone()])
            }
            None => {
                let rows = if conditions.is_empty() { count } else { count / 3 };
                Plan::new(format!("Seq Scan on {on}"), "Seq Scan", Vec::new()).rows(rows)
            }
        };
        scan = scan.with("Relation Name", relation.name.clone()).with("Alias", shown);
        let used = key.map(|(at, _)| at);
        let rest: Vec<String> =
            texts.into_iter().enumerate().filter(|(at, _)| Some(*at) != used).map(|(_, text)| text).collect();
        Ok(match &rest[..] {
            [] => scan,
            [only] => scan.detail("Filter", vec![only.clone()]),
            several => scan.detail("Filter", vec![format!("({})", several.join(" AND "))]),
        })
    }
}

fn aggregate(title: &str, strategy: &str, input: Plan) -> Plan {
    Plan::new(title, "Aggregate", vec![input]).with("Strategy", strategy).with("Partial Mode", "Simple")
}

/// Whether a text calls an aggregate function.
fn calls_aggregate(text: &str) -> bool {
    let text = text.to_lowercase();
    let known = ["count(", "sum(", "avg(", "min(", "max(", "_agg(", "bool_and(", "bool_or(", "every("];
    !text.contains(" over ") && known.iter().any(|call| text.contains(call))
}

/// A sort or group key, which may be the number of an output column.
fn of_output(key: &ast::Expr, body: &SetExpr) -> String {
    if let (ast::Expr::Value(value), SetExpr::Select(select)) = (key, body)
        && let ast::Value::Number(number, _) = &value.value
        && let Some(item) =
            number.parse::<usize>().ok().and_then(|number| select.projection.get(number.checked_sub(1)?))
    {
        return match item {
            ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. } => {
                expr.to_string()
            }
            other => other.to_string(),
        };
    }
    match key {
        ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) => key.to_string(),
        other => format!("({other})"),
    }
}

/// The conditions that `AND` joins.
fn conjuncts<'e>(condition: &'e ast::Expr, all: &mut Vec<&'e ast::Expr>) {
    match condition {
        ast::Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            conjuncts(left, all);
            conjuncts(right, all);
        }
        ast::Expr::Nested(inner) => conjuncts(inner, all),
        other => all.push(other),
    }
}

/// The column that a condition compares with a constant.
fn equal_column(condition: &ast::Expr) -> Option<String> {
    let ast::Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
    let constant = |expr: &ast::Expr| match expr {
        ast::Expr::Value(_) | ast::Expr::TypedString(_) => true,
        ast::Expr::Cast { expr, .. } => matches!(&**expr, ast::Expr::Value(_)),
        _ => false,
    };
    match (&**left, &**right) {
        (ast::Expr::Identifier(column), other) | (other, ast::Expr::Identifier(column))
            if constant(other) =>
        {
            Some(name(column))
        }
        (ast::Expr::CompoundIdentifier(parts), other) if constant(other) => parts.last().map(name),
        _ => None,
    }
}
