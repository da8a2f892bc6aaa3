//! Translates the columnar store's dialect to the warehouse's dialect, which is then bound like any other query.
//!
//! A table of events is `logs`, whose `log_attributes` is a map from the path of a field to its value as text.

mod aggregate;
mod applied;
mod behind;
mod call;
mod columns;
mod convert;
mod expr;
mod fill;
mod format;
mod from;
mod functions;
mod group_lists;
mod inner_names;
mod joins;
mod json;
mod kinds;
mod more_functions;
mod names;
mod rarer;
mod special;
mod states;
mod tables;
pub(super) mod text;
mod type_names;
mod unions;
mod windows;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, GroupByExpr, GroupByWithModifier, LimitClause, NamedWindowDefinition,
    NamedWindowExpr, OrderByExpr, OrderByKind, OrderBySort, Query, Select, SelectItem, SetExpr, SetOperator,
    SetQuantifier, TableFactor, TopQuantity, Value, WindowSpec,
};

use self::behind::Behind;
use self::columns::name_in;
pub(super) use self::fill::{KEYS, ROWS, STEPS};
use self::from::columns_of_alias;
use self::kinds::{Kind, Names};
use super::parse;
use super::parse::FORMAT_REFUSED;
use super::refusal::Refusal;

/// A common table expression of this name tells the binder that outer joins give zeros and empty texts.
pub(super) const ZEROS: &str = "zeros_outside_joins";

/// The table of all events, and its columns.
const LOGS: &str = "logs";
const COLUMNS: [&str; 6] = ["id", "timestamp", "event_message", "severity_text", "source", "log_attributes"];

/// The query in the warehouse's dialect. `tables` gives common table expressions of that dialect for it to read, separated by
/// commas; it is told which sources of `logs` the query reads, or nothing if it may read all.
pub(super) fn rewritten(
    text: &str,
    tables: impl FnOnce(Option<&BTreeSet<String>>) -> String,
) -> Result<String, Refusal> {
    let query = parse::columnar(text)?;
    let mut writer = Writer::default();
    let (ctes, body) = writer.query_parts(&query)?;
    if let Some((column, _)) = writer.kinds_of(&query).iter().find(|(_, kind)| matches!(kind, Kind::State(_)))
    {
        return Err(Refusal::unsupported(&format!(
            "the state of an aggregate in an answer (column {column}): merge it in a query around"
        )));
    }
    let read = writer.read.borrow();
    let tables = &tables(if read.all { None } else { Some(&read.sources) });
    let zeros = if joins_outside(&body) || joins_outside(&ctes) {
        format!("{ZEROS} as (select 0 as `zero`)")
    } else {
        String::new()
    };
    let all: Vec<_> = [tables.as_str(), &zeros, &ctes].into_iter().filter(|ctes| !ctes.is_empty()).collect();
    let recursive = if read.recursive { "recursive " } else { "" };
    Ok(if all.is_empty() { body } else { format!("with {recursive}{} {body}", all.join(", ")) })
}

/// Whether a written query may have an outer join. A text in it that looks like one does no harm.
fn joins_outside(sql: &str) -> bool {
    [" left join ", " right join ", " full join "].iter().any(|join| sql.contains(join))
}

/// The first and the last place that `LIMIT … BY` keeps, and its keys; without keys, the places that `WITH TIES` keeps.
type LimitBy = (String, Vec<String>);

/// The sources of events that a query and those inside it read.
#[derive(Default)]
struct Read {
    /// Whether it may read every source.
    all: bool,
    /// Whether a query of its WITH refers to itself.
    recursive: bool,
    /// The columns of the queries of WITH, by name.
    columns: BTreeMap<String, Vec<String>>,
    /// What else is known of these columns.
    kinds: BTreeMap<String, BTreeMap<String, Kind>>,
    sources: BTreeSet<String>,
}

/// Writes one query, and those inside it.
#[derive(Default)]
struct Writer {
    read: Rc<RefCell<Read>>,
    /// How deep the present expression is in others, those of queries around included.
    depth: Rc<Cell<usize>>,
    /// How many expressions it has written.
    written: Rc<Cell<usize>>,
    /// The elements of columns that are tuples, by name.
    tuples: BTreeMap<String, Vec<String>>,
    /// Whether the present SELECT has groups, so that no aggregate is without rows.
    grouped: bool,
    /// The expressions of the present SELECT's column names, for places where a name is not allowed.
    aliases: BTreeMap<String, String>,
    /// The expressions of the columns with a name that are not yet written; nothing while one is.
    meanings: BTreeMap<String, Option<Expr>>,
    /// What the elements of lists are called that `ARRAY JOIN` gives no other name.
    elements_of: BTreeMap<String, String>,
    /// The lists of `arrayJoin`.
    unnested: Vec<String>,
    /// The windows with a name.
    windows: BTreeMap<String, WindowSpec>,
    /// The functions of elements so far.
    lambdas: usize,
    /// The lists of groups whose elements something looks through. A query around this one does that.
    of_groups: Vec<String>,
    /// The keys of several groupings: each is zero or empty in the rows of a grouping without it.
    rolled: Vec<Expr>,
    /// Whether the present expression is of groups, where such a key may be missing.
    rolling: bool,
    /// What the names of the present SELECT mean.
    names: Rc<Names>,
    /// The columns before an `ANY JOIN` that is not the first join, for what stands after it.
    behind: Option<Rc<Behind>>,
    /// The columns of all its tables.
    all: Option<Vec<(String, String)>>,
    /// Whether the present expression is a column of its own, and may be the state of an aggregate.
    state_here: bool,
    /// The conditions of joins that only test.
    tests: Vec<String>,
}

impl Writer {
    /// The writer of a query inside this one.
    fn inner(&self) -> Writer {
        Writer {
            read: Rc::clone(&self.read),
            depth: Rc::clone(&self.depth),
            written: Rc::clone(&self.written),
            ..Writer::default()
        }
    }

    fn query(&mut self, query: &Query) -> Result<String, Refusal> {
        let (ctes, body) = self.query_parts(query)?;
        let recursive = if self.read.borrow().recursive { "recursive " } else { "" };
        Ok(if ctes.is_empty() { body } else { format!("with {recursive}{ctes} {body}") })
    }

    /// The common table expressions, and what follows them.
    fn query_parts(&mut self, query: &Query) -> Result<(String, String), Refusal> {
        check_query(query)?;
        self.read.borrow_mut().recursive |= query.with.as_ref().is_some_and(|with| with.recursive);
        let mut ctes = Vec::new();
        for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
            let own = cte.alias.name.value.clone();
            let names = columns_of_alias(Some(&cte.alias));
            if let Some(columns) = names.or_else(|| self.columns_of(&cte.query)) {
                self.read.borrow_mut().columns.insert(own.clone(), columns);
            }
            let kinds = self.kinds_of(&cte.query);
            self.read.borrow_mut().kinds.insert(own.clone(), kinds);
            let inner = self.inner().query(&cte.query)?;
            if query.with.as_ref().is_some_and(|with| with.recursive) && !cte.alias.columns.is_empty() {
                return Err(Refusal::unsupported(
                    "a list of columns after WITH RECURSIVE: name them in the query",
                ));
            }
            let inner = self.with_names(&cte.query, inner, Some(&cte.alias))?;
            ctes.push(format!("{} as ({inner})", name(&own)));
        }
        let mut order_by_all = None;
        let order = match query.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(keys)) => keys.as_slice(),
            Some(OrderByKind::All(options)) => {
                order_by_all = Some(options);
                &[]
            }
            None => &[],
        };
        let interpolate = query.order_by.as_ref().and_then(|order| order.interpolate.as_ref());
        if interpolate.is_some() && !order.iter().any(|key| key.with_fill.is_some()) {
            return Err(Refusal::invalid("INTERPOLATE without WITH FILL"));
        }
        let (mut limit, mut by) = self.limit(query.limit_clause.as_ref())?;
        match first_rows(query) {
            None => {}
            Some(count) if query.fetch.as_ref().is_some_and(|fetch| fetch.with_ties) => {
                if by.is_some() || !limit.is_empty() || order.is_empty() {
                    return Err(Refusal::unsupported("WITH TIES without ORDER BY, or beside another LIMIT"));
                }
                by = Some((format!("<= {count}"), Vec::new()));
            }
            Some(count) if limit.is_empty() || limit.starts_with(" offset") => {
                limit = format!(" limit {count}{limit}");
            }
            Some(_) => return Err(Refusal::invalid("LIMIT beside TOP or FETCH")),
        }
        if order.iter().any(|key| key.with_fill.is_some()) {
            let (SetExpr::Select(select), None) = (&*query.body, &by) else {
                return Err(Refusal::unsupported("WITH FILL here"));
            };
            let rows = self.select(select, None, &[])?;
            let (more, body) = self.filled(select, &rows, order, interpolate)?;
            ctes.extend(more);
            return Ok((ctes.join(", "), format!("{body}{limit}")));
        }
        let ctes = ctes.join(", ");
        let mut body = match (&*query.body, &by) {
            (SetExpr::Select(select), by) => self.select(select, by.as_ref(), order)?,
            (body, None) => self.part(body)?,
            _ => return Err(Refusal::unsupported("LIMIT BY of a set operation")),
        };
        let keys = match (order_by_all, &*query.body) {
            (Some(options), SetExpr::Select(select)) => {
                if by.is_some() {
                    return Err(Refusal::unsupported("ORDER BY ALL and LIMIT BY"));
                }
                let direction = if options.sort == Some(OrderBySort::Desc) { " desc" } else { "" };
                let nulls = if options.nulls_first == Some(true) { "first" } else { "last" };
                let keys = (1..=select.projection.len()).map(|key| format!("{key}{direction} nulls {nulls}"));
                keys.collect::<Vec<_>>().join(", ")
            }
            (Some(_), _) => return Err(Refusal::unsupported("ORDER BY ALL of a set operation")),
            (None, _) => self.order(order)?,
        };
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
        check_select(select)?;
        self.names = Rc::new(self.names_of(select));
        self.behind = self.behind(select).map(Rc::new);
        self.note_sources(select);
        self.rolled = keys_of_several(&select.group_by);
        self.grouped = match &select.group_by {
            GroupByExpr::All(_) => true,
            GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
        };
        self.of_groups.clear();
        let columns = self.columns(select)?;
        let looked_through = self.of_groups.len();
        let several = self.groupings(&select.group_by)?;
        let aliases = self.aliases.clone();
        // From here on the names of columns may be used, but for those that columns of the tables have too.
        let of_tables = self.all_columns(select, None).unwrap_or_default();
        let conditions = select.prewhere.iter().chain(&select.selection);
        let conditions = conditions.map(|part| self.condition(part)).collect::<Result<Vec<_>, _>>()?;
        self.aliases.retain(|alias, _| of_tables.iter().any(|(_, column)| column == alias));
        let groups = match &select.group_by {
            GroupByExpr::Expressions(..) if several.is_some() => several.into_iter().collect(),
            // The totals are beside the rows.
            GroupByExpr::Expressions(keys, modifiers) if modifiers.iter().all(is_totals) => {
                let keys = keys.iter().map(|key| self.elements(key)).collect::<Result<Vec<_>, _>>()?;
                keys.concat()
            }
            GroupByExpr::All(modifiers) if modifiers.iter().all(is_totals) => {
                let columns = select.projection.iter().enumerate();
                let keys = columns.filter(|(_, item)| !aggregates(&item.to_string()));
                keys.map(|(index, _)| (index + 1).to_string()).collect()
            }
            _ => return Err(Refusal::unsupported("GROUP BY ALL with ROLLUP or CUBE")),
        };
        self.rolling = !self.rolled.is_empty();
        let having = select.having.as_ref().map(|having| self.condition(having)).transpose()?;
        self.rolling = false;
        self.aliases.clear();
        let mut qualify = select.qualify.as_ref().map(|qualify| self.condition(qualify)).transpose()?;
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
            qualify = Some(match keys.as_slice() {
                [] => format!("rank() over ({}) {kept}", order.trim_start()),
                keys => format!("row_number() over (partition by {}{order}) {kept}", keys.join(", ")),
            });
        }
        let mut from = self.from(select)?;
        let conditions = [conditions, std::mem::take(&mut self.tests)].concat();
        let of_lists = (1..=self.of_groups.len()).map(group_list).collect::<BTreeSet<_>>();
        let (of_groups, of_rows): (Vec<_>, Vec<_>) =
            self.unnested.iter().enumerate().partition(|(_, list)| of_lists.contains(*list));
        for (index, list) in of_rows {
            from.push_str(if from.is_empty() { "" } else { " cross join " });
            from.push_str(&format!("unnest({list}) as {}", element(index)));
        }
        if self.of_groups.len() > looked_through {
            return Err(Refusal::unsupported(
                "a function of a group's elements outside of the list of columns",
            ));
        }
        let distinct = if matches!(select.distinct, Some(Distinct::Distinct)) { "distinct " } else { "" };
        let (around, columns) = match looked_through {
            0 => (None, columns),
            _ if distinct.is_empty() && qualify.is_none() => {
                let (outside, inside) = self.around_groups(select, columns)?;
                (Some(outside), inside)
            }
            _ => {
                return Err(Refusal::unsupported(
                    "a function of a group's elements beside DISTINCT or LIMIT BY",
                ));
            }
        };
        let mut sql = format!("select {distinct}{}", columns.join(", "));
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
        Ok(match around {
            Some(columns) => {
                let lists = of_groups.iter();
                let lists =
                    lists.map(|(index, list)| format!(" cross join unnest({list}) as {}", element(*index)));
                format!("select {} from ({sql}){}", columns.join(", "), lists.collect::<String>())
            }
            None => sql,
        })
    }

    /// The columns of a query around the groups, and those of the groups: the databases have no aggregates inside the subquery that
    /// looks through a list.
    fn around_groups(
        &self,
        select: &Select,
        columns: Vec<String>,
    ) -> Result<(Vec<String>, Vec<String>), Refusal> {
        let lists: Vec<_> = (1..=self.of_groups.len()).map(group_list).collect();
        let mut inside: Vec<_> =
            self.of_groups.iter().zip(&lists).map(|(list, name)| format!("{list} as {name}")).collect();
        let joined = self.joined_columns(select);
        let mut outside = Vec::new();
        for (item, sql) in select.projection.iter().zip(columns) {
            let own = match item {
                SelectItem::UnnamedExpr(expr) => name(&name_in(&joined, expr)),
                SelectItem::ExprWithAlias { alias, .. } => name(&alias.value),
                _ => return Err(Refusal::unsupported("* beside a function of a group's elements")),
            };
            let of_elements = self
                .unnested
                .iter()
                .enumerate()
                .any(|(index, list)| lists.contains(list) && sql.contains(&element(index)));
            if of_elements || lists.iter().any(|list| sql.contains(list.as_str())) {
                outside.push(sql);
            } else {
                inside.push(sql);
                outside.push(own);
            }
        }
        Ok((outside, inside))
    }

    /// The list that something looks through: by its name if it is one of a group.
    fn list_to_look_through(&mut self, list: &str) -> String {
        if !list.contains("array_agg(") || list.starts_with("array(") {
            return list.to_owned();
        }
        let known = self.of_groups.iter().position(|known| known == list);
        let index = known.unwrap_or_else(|| {
            self.of_groups.push(list.to_owned());
            self.of_groups.len() - 1
        });
        group_list(index + 1)
    }

    /// Notes which sources a SELECT reads.
    fn note_sources(&self, select: &Select) {
        let is_logs = |table: &TableFactor| matches!(table, TableFactor::Table { name, .. } if name.to_string().replace(['`', '"'], "") == LOGS);
        let tables = select.from.iter().flat_map(|from| {
            std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
        });
        let tables: Vec<_> = tables.collect();
        if !tables.iter().any(|table| is_logs(table)) {
            return;
        }
        let conditions = select.prewhere.iter().chain(&select.selection);
        let renames = select
            .projection
            .iter()
            .any(|item| matches!(item, SelectItem::ExprWithAlias { alias, .. } if alias.value == "source"));
        let sources = conditions.filter_map(sources_of).next().filter(|_| tables.len() == 1 && !renames);
        let mut read = self.read.borrow_mut();
        match sources {
            Some(sources) => read.sources.extend(sources),
            None => read.all = true,
        }
    }

    /// `ROLLUP`, `CUBE` and `GROUPING SETS`, whose keys are expressions and no names of columns.
    fn groupings(&mut self, group_by: &GroupByExpr) -> Result<Option<String>, Refusal> {
        let GroupByExpr::Expressions(keys, modifiers) = group_by else { return Ok(None) };
        let mut set = |keys: &[Expr]| -> Result<String, Refusal> {
            // In brackets it is no name of a column.
            let keys = keys.iter().map(|key| Ok(format!("({})", self.expr(key)?)));
            Ok(format!("({})", keys.collect::<Result<Vec<_>, Refusal>>()?.join(", ")))
        };
        let (word, sets) = match (keys.as_slice(), modifiers.as_slice()) {
            ([Expr::Rollup(sets)], []) => {
                ("rollup", sets.iter().map(|keys| set(keys)).collect::<Result<Vec<_>, _>>()?)
            }
            ([Expr::Cube(sets)], []) => {
                ("cube", sets.iter().map(|keys| set(keys)).collect::<Result<Vec<_>, _>>()?)
            }
            ([Expr::GroupingSets(sets)], []) => {
                ("grouping sets", sets.iter().map(|keys| set(keys)).collect::<Result<Vec<_>, _>>()?)
            }
            (keys, [modifier @ (GroupByWithModifier::Rollup | GroupByWithModifier::Cube)]) => {
                let word = if *modifier == GroupByWithModifier::Cube { "cube" } else { "rollup" };
                (word, keys.iter().map(|key| set(std::slice::from_ref(key))).collect::<Result<Vec<_>, _>>()?)
            }
            _ => return Ok(None),
        };
        Ok(Some(format!("{word}({})", sets.join(", "))))
    }

    /// The elements of a tuple, or else the expression itself.
    fn elements(&mut self, expr: &Expr) -> Result<Vec<String>, Refusal> {
        if let Expr::Identifier(column) = expr
            && let Some(elements) = self.tuples.get(&column.value)
        {
            return Ok(elements.clone());
        }
        match self.tuple_of(expr)? {
            Some(elements) => Ok(elements),
            None => Ok(vec![self.expr(expr)?]),
        }
    }

    /// A part of a query, which nothing sorts or cuts.
    fn part(&mut self, body: &SetExpr) -> Result<String, Refusal> {
        match body {
            SetExpr::Select(select) if select.top.is_some() => Err(Refusal::unsupported("TOP here")),
            SetExpr::Select(select) => self.inner().select(select, None, &[]),
            SetExpr::Query(query) => Ok(format!("({})", self.inner().query(query)?)),
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let word = match (op, set_quantifier) {
                    (SetOperator::Union, SetQuantifier::All) => "union all",
                    (SetOperator::Union, SetQuantifier::Distinct) => "union distinct",
                    (SetOperator::Intersect, SetQuantifier::Distinct) => "intersect distinct",
                    (SetOperator::Except, SetQuantifier::Distinct) => "except distinct",
                    (SetOperator::Union, SetQuantifier::None) => {
                        return Err(Refusal::syntax("Expected keyword ALL or keyword DISTINCT after UNION"));
                    }
                    // These keep equal rows.
                    (SetOperator::Intersect, SetQuantifier::None | SetQuantifier::All) => {
                        return self.counted(left, "intersect distinct", right);
                    }
                    (SetOperator::Except, SetQuantifier::None | SetQuantifier::All) => {
                        return self.counted(left, "except distinct", right);
                    }
                    _ => return Err(Refusal::unsupported(&format!("{op} {set_quantifier}"))),
                };
                let grouped = |side: &SetExpr, text: String| match side {
                    SetExpr::SetOperation { op: of, set_quantifier: by, .. }
                        if (of, by) != (op, set_quantifier) =>
                    {
                        format!("({text})")
                    }
                    _ => text,
                };
                let (left, right) = (grouped(left, self.part(left)?), grouped(right, self.part(right)?));
                Ok(format!("{left} {word} {right}"))
            }
            _ => Err(Refusal::unsupported("a query without SELECT")),
        }
    }

    /// `INTERSECT` and `EXCEPT` of all rows: equal ones are told apart by their number.
    fn counted(&mut self, left: &SetExpr, word: &str, right: &SetExpr) -> Result<String, Refusal> {
        let mut parts = Vec::new();
        let mut shown = Vec::new();
        for side in [left, right] {
            let columns = self.columns_of_body(side).ok_or_else(columns::wildcard)?;
            let columns: Vec<_> = columns.iter().map(|column| name(column)).collect();
            let (columns, rows) = (columns.join(", "), self.part(side)?);
            parts.push(format!(
                "select {columns}, row_number() over (partition by {columns}) as `nth_row` from ({rows})"
            ));
            shown.push(columns);
        }
        Ok(format!("select {} from ({})", shown[0], parts.join(&format!(" {word} "))))
    }

    fn order(&mut self, order: &[OrderByExpr]) -> Result<String, Refusal> {
        let mut keys = Vec::new();
        for key in order {
            for mut sql in self.elements(&key.expr)? {
                let descending = key.options.sort == Some(OrderBySort::Desc);
                sql.push_str(if descending { " desc" } else { "" });
                // Nulls are last in either direction.
                let first = key.options.nulls_first.unwrap_or(false);
                sql.push_str(if first { " nulls first" } else { " nulls last" });
                keys.push(sql);
            }
        }
        Ok(keys.join(", "))
    }
}

/// Refuses what a query may not have.
fn check_query(query: &Query) -> Result<(), Refusal> {
    if query.format_clause.is_some() {
        return Err(Refusal::invalid(FORMAT_REFUSED));
    }
    if query.for_clause.is_some() || !query.locks.is_empty() {
        return Err(Refusal::unsupported("FOR"));
    }
    if query.fetch.as_ref().is_some_and(|fetch| fetch.percent) {
        return Err(Refusal::unsupported("FETCH PERCENT"));
    }
    // These bound the work, not the rows.
    let is_bound = |name: &str| name.starts_with("max_") || name.starts_with("use_") || name == "readonly";
    let mut settings = query.settings.iter().flatten().map(|setting| setting.key.value.to_lowercase());
    match settings.find(|name| !is_bound(name)) {
        Some(name) => Err(Refusal::unsupported(&format!("the setting {name}"))),
        None => Ok(()),
    }
}

fn check_select(select: &Select) -> Result<(), Refusal> {
    let is_more = select.into.is_some()
        || !select.lateral_views.is_empty()
        || !select.sort_by.is_empty()
        || !select.cluster_by.is_empty()
        || !select.distribute_by.is_empty();
    if is_more {
        return Err(Refusal::unsupported("INTO, LATERAL VIEW, SORT BY, CLUSTER BY or DISTRIBUTE BY"));
    }
    match &select.top {
        Some(top) if top.with_ties || top.percent => Err(Refusal::unsupported("TOP WITH TIES or PERCENT")),
        _ => Ok(()),
    }
}

/// The keys of `ROLLUP`, `CUBE` and `GROUPING SETS`.
fn keys_of_several(group_by: &GroupByExpr) -> Vec<Expr> {
    let GroupByExpr::Expressions(keys, modifiers) = group_by else { return Vec::new() };
    match keys.as_slice() {
        [Expr::Rollup(sets) | Expr::Cube(sets) | Expr::GroupingSets(sets)] => sets.concat(),
        keys if modifiers.iter().any(|modifier| !is_totals(modifier)) => keys.to_vec(),
        _ => Vec::new(),
    }
}

fn is_totals(modifier: &GroupByWithModifier) -> bool {
    matches!(modifier, GroupByWithModifier::Totals)
}

/// The count of `FETCH FIRST 2 ROWS ONLY` or `SELECT TOP 2`.
fn first_rows(query: &Query) -> Option<String> {
    let fetched = query.fetch.as_ref().map(|fetch| match &fetch.quantity {
        Some(count) => count.to_string(),
        None => "1".to_owned(),
    });
    let SetExpr::Select(select) = &*query.body else { return fetched };
    let top = select.top.as_ref().and_then(|top| top.quantity.as_ref());
    fetched.or_else(|| {
        top.map(|count| match count {
            TopQuantity::Expr(count) => count.to_string(),
            TopQuantity::Constant(count) => count.to_string(),
        })
    })
}

/// The sources to which a condition limits events; `None` if it does not.
fn sources_of(condition: &Expr) -> Option<Vec<String>> {
    let is_source = |expr: &Expr| match expr {
        Expr::Identifier(name) => name.value == "source",
        Expr::CompoundIdentifier(names) => names.last().is_some_and(|name| name.value == "source"),
        _ => false,
    };
    let text = |expr: &Expr| match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    match condition {
        Expr::Nested(inner) => sources_of(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            sources_of(left).or_else(|| sources_of(right))
        }
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            Some([sources_of(left)?, sources_of(right)?].concat())
        }
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_source(left) => Some(vec![text(right)?]),
        Expr::InList { expr, list, negated: false } if is_source(expr) => list.iter().map(text).collect(),
        _ => None,
    }
}

/// Whether an expression has an aggregate, as far as the names of its functions tell.
fn aggregates(expr: &str) -> bool {
    let expr = expr.to_lowercase();
    let mut names = expr.split('(').map(|part| {
        part.rsplit(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').next().unwrap_or_default()
    });
    names.any(functions::is_aggregate)
}

/// Whether that is the map of an event's attributes.
fn is_attributes(column: &str) -> bool {
    let column = column.replace(['`', '"'], "");
    column == "log_attributes" || column.ends_with(".log_attributes")
}

/// The name of an element of the list at that place among those of `arrayJoin`.
fn element(index: usize) -> String {
    format!("element_{}", index + 1)
}

/// The name of a list of a group.
fn group_list(number: usize) -> String {
    format!("`list_{number}`")
}

/// A name as the warehouse quotes it.
fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', ""))
}
