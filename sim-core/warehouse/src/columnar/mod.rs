//! Translates the columnar store's dialect to the warehouse's dialect, which is then bound like any other query.
//!
//! A table of events is `logs`, whose `log_attributes` is a map from the path of a field to its value as text.

mod call;
mod expr;
mod fill;
mod functions;

use std::collections::BTreeMap;

use sqlparser::ast::{
    Distinct, FunctionArg, FunctionArgExpr, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause,
    NamedWindowDefinition, NamedWindowExpr, OrderByExpr, OrderByKind, OrderBySort, Query, Select, SelectItem,
    SetExpr, SetOperator, SetQuantifier, TableAlias, TableFactor, WildcardAdditionalOptions, WindowSpec,
};

pub(super) use self::fill::{KEYS, ROWS};
use super::parse;
use super::refusal::Refusal;

/// A common table expression of this name tells the binder that outer joins give zeros and empty texts.
pub(super) const ZEROS: &str = "zeros_outside_joins";

/// The table of all events, and its columns.
const LOGS: &str = "logs";
const COLUMNS: [&str; 6] = ["id", "timestamp", "event_message", "severity_text", "source", "log_attributes"];

/// The query in the warehouse's dialect. `tables` are common table expressions of that dialect for it to read, separated by commas.
pub(super) fn rewritten(text: &str, tables: &str) -> Result<String, Refusal> {
    let query = parse::columnar(text)?;
    let (ctes, body) = Writer::default().query_parts(&query)?;
    let zeros = if joins_outside(&body) || joins_outside(&ctes) {
        format!("{ZEROS} as (select 0 as `zero`)")
    } else {
        String::new()
    };
    let all: Vec<_> = [tables, &zeros, &ctes].into_iter().filter(|ctes| !ctes.is_empty()).collect();
    Ok(if all.is_empty() { body } else { format!("with {} {body}", all.join(", ")) })
}

/// Whether a written query may have an outer join. A text in it that looks like one does no harm.
fn joins_outside(sql: &str) -> bool {
    [" left join ", " right join ", " full join "].iter().any(|join| sql.contains(join))
}

/// The first and the last place that `LIMIT … BY` keeps, and its keys.
type LimitBy = (String, Vec<String>);

/// Writes one query, and those inside it.
#[derive(Default)]
struct Writer {
    /// The expressions of the present SELECT's column names, for places where a name is not allowed.
    aliases: BTreeMap<String, String>,
    /// The lists of `arrayJoin`.
    unnested: Vec<String>,
    /// The windows with a name.
    windows: BTreeMap<String, WindowSpec>,
    /// The functions of elements so far.
    lambdas: usize,
    /// The conditions of joins that only test.
    tests: Vec<String>,
}

impl Writer {
    fn query(&mut self, query: &Query) -> Result<String, Refusal> {
        let (ctes, body) = self.query_parts(query)?;
        Ok(if ctes.is_empty() { body } else { format!("with {ctes} {body}") })
    }

    /// The common table expressions, and what follows them.
    fn query_parts(&mut self, query: &Query) -> Result<(String, String), Refusal> {
        if query.format_clause.is_some() || query.fetch.is_some() || !query.locks.is_empty() {
            return Err(Refusal::unsupported("FORMAT, FETCH or FOR"));
        }
        let ctes = query.with.iter().flat_map(|with| &with.cte_tables).map(|cte| {
            let inner = Writer::default().query(&cte.query)?;
            Ok(format!("{} as ({inner})", name(&cte.alias.name.value)))
        });
        let mut ctes = ctes.collect::<Result<Vec<_>, Refusal>>()?;
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(keys)) => keys.as_slice(),
            Some(OrderByKind::All(_)) => return Err(Refusal::unsupported("ORDER BY ALL")),
            None => &[],
        };
        if query.order_by.as_ref().is_some_and(|order| order.interpolate.is_some()) {
            return Err(Refusal::unsupported("INTERPOLATE"));
        }
        let (limit, by) = self.limit(query.limit_clause.as_ref())?;
        if order.iter().any(|key| key.with_fill.is_some()) {
            let (SetExpr::Select(select), None) = (&*query.body, &by) else {
                return Err(Refusal::unsupported("WITH FILL here"));
            };
            let rows = self.select(select, None, &[])?;
            let (more, body) = self.filled(select, &rows, order)?;
            ctes.extend(more);
            return Ok((ctes.join(", "), format!("{body}{limit}")));
        }
        let ctes = ctes.join(", ");
        let mut body = match (&*query.body, &by) {
            (SetExpr::Select(select), by) => self.select(select, by.as_ref(), order)?,
            (body, None) => part(body)?,
            _ => return Err(Refusal::unsupported("LIMIT BY of a set operation")),
        };
        let keys = self.order(order)?;
        if !keys.is_empty() {
            body.push_str(&format!(" order by {keys}"));
        }
        body.push_str(&limit);
        Ok((ctes, body))
    }

    /// `LIMIT` and `OFFSET`, printed, and the count and the keys of `LIMIT … BY`.
    fn limit(&mut self, clause: Option<&LimitClause>) -> Result<(String, Option<LimitBy>), Refusal> {
        let (limit, offset, by) = match clause {
            None => return Ok((String::new(), None)),
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value), limit_by.as_slice())
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset), &[][..]),
        };
        let limit = limit.map(|limit| self.expr(limit)).transpose()?;
        let offset = offset.map(|offset| self.expr(offset)).transpose()?;
        if let (false, Some(count)) = (by.is_empty(), &limit) {
            let keys = by.iter().map(|key| self.expr(key)).collect::<Result<_, _>>()?;
            let kept = match offset {
                Some(offset) => format!("between {offset} + 1 and {offset} + {count}"),
                None => format!("<= {count}"),
            };
            return Ok((String::new(), Some((kept, keys))));
        }
        let limit = limit.map(|limit| format!(" limit {limit}")).unwrap_or_default();
        let offset = offset.map(|offset| format!(" offset {offset}")).unwrap_or_default();
        Ok((format!("{limit}{offset}"), None))
    }

    fn select(
        &mut self,
        select: &Select,
        by: Option<&LimitBy>,
        order: &[OrderByExpr],
    ) -> Result<String, Refusal> {
        for NamedWindowDefinition(name, window) in &select.named_window {
            let NamedWindowExpr::WindowSpec(window) = window else {
                return Err(Refusal::unsupported("a window named after another"));
            };
            self.windows.insert(name.value.clone(), window.clone());
        }
        let columns = self.columns(select)?.join(", ");
        let aliases = self.aliases.clone();
        let conditions = select.prewhere.iter().chain(&select.selection);
        let conditions = conditions.map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
        // From here on the names of columns may be used.
        self.aliases.clear();
        let groups = match &select.group_by {
            GroupByExpr::Expressions(keys, modifiers) if modifiers.is_empty() => {
                keys.iter().map(|key| self.expr(key)).collect::<Result<Vec<_>, _>>()?
            }
            _ => return Err(Refusal::unsupported("GROUP BY ALL or WITH TOTALS")),
        };
        let having = select.having.as_ref().map(|having| self.expr(having)).transpose()?;
        let mut qualify = select.qualify.as_ref().map(|qualify| self.expr(qualify)).transpose()?;
        let by = match &select.distinct {
            Some(Distinct::On(_)) if by.is_some() => {
                return Err(Refusal::unsupported("DISTINCT ON and LIMIT BY"));
            }
            Some(Distinct::On(keys)) => {
                let keys = keys.iter().map(|key| self.expr(key)).collect::<Result<_, _>>()?;
                Some(("= 1".to_owned(), keys))
            }
            _ => by.cloned(),
        };
        if let Some((kept, keys)) = by {
            if qualify.is_some() {
                return Err(Refusal::unsupported("QUALIFY and LIMIT BY"));
            }
            self.aliases = aliases;
            let order = self.order(order)?;
            self.aliases.clear();
            let order = if order.is_empty() { order } else { format!(" order by {order}") };
            qualify = Some(format!("row_number() over (partition by {}{order}) {kept}", keys.join(", ")));
        }
        let mut from = self.from(select)?;
        let conditions = [conditions, std::mem::take(&mut self.tests)].concat();
        for (index, list) in self.unnested.iter().enumerate() {
            from.push_str(if from.is_empty() { "" } else { " cross join " });
            from.push_str(&format!("unnest({list}) as {}", element(index)));
        }
        let distinct = if matches!(select.distinct, Some(Distinct::Distinct)) { "distinct " } else { "" };
        let mut sql = format!("select {distinct}{columns}");
        let clauses = [
            (" from ", from),
            (" where ", conditions.join(" and ")),
            (" group by ", groups.join(", ")),
            (" having ", having.unwrap_or_default()),
            (" qualify ", qualify.unwrap_or_default()),
        ];
        for (word, clause) in clauses.iter().filter(|(_, clause)| !clause.is_empty()) {
            sql.push_str(word);
            sql.push_str(clause);
        }
        Ok(sql)
    }

    fn columns(&mut self, select: &Select) -> Result<Vec<String>, Refusal> {
        let mut columns = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(expr) if expr::is_name(expr) => columns.push(self.expr(expr)?),
                SelectItem::UnnamedExpr(expr) => {
                    columns.push(format!("{} as {}", self.expr(expr)?, name(&expr.to_string())));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let sql = self.expr(expr)?;
                    columns.push(format!("{sql} as {}", name(&alias.value)));
                    if !COLUMNS.contains(&alias.value.as_str()) {
                        self.aliases.insert(alias.value.clone(), format!("({sql})"));
                    }
                }
                SelectItem::Wildcard(options) => {
                    let but = left_out(options)?;
                    if reads_logs(select) {
                        let kept = COLUMNS.iter().filter(|column| !but.iter().any(|one| one == *column));
                        columns.extend(kept.map(|column| name(column)));
                    } else if but.is_empty() {
                        columns.push("*".to_owned());
                    } else {
                        let but: Vec<_> = but.iter().map(|column| name(column)).collect();
                        columns.push(format!("* except ({})", but.join(", ")));
                    }
                }
                _ => return Err(Refusal::unsupported(&item.to_string())),
            }
        }
        Ok(columns)
    }

    fn from(&mut self, select: &Select) -> Result<String, Refusal> {
        let mut tables = Vec::new();
        for item in &select.from {
            let mut sql = table(&item.relation)?;
            for join in &item.joins {
                sql.push_str(&self.join(join)?);
            }
            tables.push(sql);
        }
        Ok(tables.join(", "))
    }

    fn join(&mut self, join: &Join) -> Result<String, Refusal> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => ("join", Some(constraint)),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                ("left join", Some(constraint))
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("right join", Some(constraint))
            }
            JoinOperator::FullOuter(constraint) => ("full join", Some(constraint)),
            JoinOperator::CrossJoin(_) => ("cross join", None),
            JoinOperator::ArrayJoin | JoinOperator::InnerArrayJoin => {
                return Ok(format!(" cross join {}", self.unnest(&join.relation)?));
            }
            JoinOperator::LeftArrayJoin => {
                return Ok(format!(" left join {} on true", self.unnest(&join.relation)?));
            }
            JoinOperator::LeftSemi(on) | JoinOperator::Semi(on) => return self.test(&join.relation, on, ""),
            JoinOperator::LeftAnti(on) | JoinOperator::Anti(on) => {
                return self.test(&join.relation, on, "not ");
            }
            _ => return Err(Refusal::unsupported("this kind of JOIN")),
        };
        let condition = match constraint {
            Some(JoinConstraint::On(condition)) => format!(" on {}", self.expr(condition)?),
            Some(JoinConstraint::Using(columns)) => {
                let columns: Vec<_> = columns.iter().map(ToString::to_string).collect();
                format!(" using ({})", columns.join(", "))
            }
            _ => String::new(),
        };
        Ok(format!(" {word} {}{condition}", table(&join.relation)?))
    }

    /// A join that tests whether there is a partner: a condition.
    fn test(&mut self, table: &TableFactor, on: &JoinConstraint, not: &str) -> Result<String, Refusal> {
        let JoinConstraint::On(condition) = on else {
            return Err(Refusal::unsupported("SEMI or ANTI JOIN without ON"));
        };
        let condition = self.expr(condition)?;
        self.tests.push(format!("({not}exists (select 1 from {} where {condition}))", self::table(table)?));
        Ok(String::new())
    }

    /// The list of an `ARRAY JOIN`.
    fn unnest(&mut self, list: &TableFactor) -> Result<String, Refusal> {
        let TableFactor::Table { name: list, alias: Some(alias), args, .. } = list else {
            return Err(Refusal::unsupported("ARRAY JOIN without a list and its alias"));
        };
        let list = match args {
            Some(args) => self.named_call(&list.to_string(), &args.args)?,
            None => name(&list.to_string()),
        };
        Ok(format!("unnest({list}) as {}", name(&alias.name.value)))
    }

    fn order(&mut self, order: &[OrderByExpr]) -> Result<String, Refusal> {
        let mut keys = Vec::new();
        for key in order {
            let mut sql = self.expr(&key.expr)?;
            let descending = key.options.sort == Some(OrderBySort::Desc);
            sql.push_str(if descending { " desc" } else { "" });
            // Nulls are last in either direction.
            let first = key.options.nulls_first.unwrap_or(false);
            sql.push_str(if first { " nulls first" } else { " nulls last" });
            keys.push(sql);
        }
        Ok(keys.join(", "))
    }
}

/// A part of a query, which nothing sorts or cuts.
fn part(body: &SetExpr) -> Result<String, Refusal> {
    match body {
        SetExpr::Select(select) => Writer::default().select(select, None, &[]),
        SetExpr::Query(query) => Ok(format!("({})", Writer::default().query(query)?)),
        SetExpr::SetOperation { left, op, set_quantifier, right } => {
            let word = match (op, set_quantifier) {
                (SetOperator::Union, SetQuantifier::All) => "union all",
                (SetOperator::Union, SetQuantifier::Distinct) => "union distinct",
                (SetOperator::Intersect, SetQuantifier::None | SetQuantifier::Distinct) => {
                    "intersect distinct"
                }
                (SetOperator::Except, SetQuantifier::None | SetQuantifier::Distinct) => "except distinct",
                (SetOperator::Union, SetQuantifier::None) => {
                    return Err(Refusal::syntax("Expected keyword ALL or keyword DISTINCT after UNION"));
                }
                _ => return Err(Refusal::unsupported(&format!("{op} {set_quantifier}"))),
            };
            Ok(format!("{} {word} {}", part(left)?, part(right)?))
        }
        _ => Err(Refusal::unsupported("a query without SELECT")),
    }
}

fn table(table: &TableFactor) -> Result<String, Refusal> {
    match table {
        TableFactor::Table { name: table, alias, args: None, .. } => {
            Ok(format!("{}{}", name(&table.to_string().replace(['`', '"'], "")), alias_of(alias.as_ref())))
        }
        TableFactor::Table { name, alias: None, args: Some(args), .. }
            if name.to_string().eq_ignore_ascii_case("numbers") =>
        {
            match args.args.as_slice() {
                [FunctionArg::Unnamed(FunctionArgExpr::Expr(count))] => {
                    let count = Writer::default().expr(count)?;
                    Ok(format!("unnest(generate_array(0, {count} - 1)) as `number`"))
                }
                _ => Err(Refusal::unsupported("numbers of other than a count")),
            }
        }
        TableFactor::Derived { subquery, alias, .. } => {
            Ok(format!("({}){}", Writer::default().query(subquery)?, alias_of(alias.as_ref())))
        }
        other => Err(Refusal::unsupported(&format!("{other} in FROM"))),
    }
}

/// The columns that `* EXCEPT` leaves out.
fn left_out(options: &WildcardAdditionalOptions) -> Result<Vec<String>, Refusal> {
    let plain = WildcardAdditionalOptions { opt_except: options.opt_except.clone(), ..Default::default() };
    if options.to_string() != plain.to_string() {
        return Err(Refusal::unsupported(&format!("*{options}")));
    }
    let names = options
        .opt_except
        .iter()
        .flat_map(|except| std::iter::once(&except.first_element).chain(&except.additional_elements));
    Ok(names.map(|name| name.value.clone()).collect())
}

/// Whether the only table is that of all events.
fn reads_logs(select: &Select) -> bool {
    matches!(&select.from[..], [only] if only.joins.is_empty()
        && matches!(&only.relation, TableFactor::Table { name, .. } if name.to_string() == LOGS))
}

fn alias_of(alias: Option<&TableAlias>) -> String {
    alias.map(|alias| format!(" as {}", name(&alias.name.value))).unwrap_or_default()
}

/// The name of an element of the list at that place among those of `arrayJoin`.
fn element(index: usize) -> String {
    format!("element_{}", index + 1)
}

/// A name as the warehouse quotes it.
fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', ""))
}
