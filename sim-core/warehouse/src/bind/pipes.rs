//! The pipe syntax, `FROM t |> WHERE … |> AGGREGATE …`, as queries inside each other.

use sqlparser::ast::{
    self, ExprWithAlias, GroupByExpr, Ident, LimitClause, OrderBy, OrderByKind, PipeOperator, Query, Select,
    SelectItem, SetExpr, TableAlias, TableFactor, TableWithJoins,
};

use crate::refusal::Refusal;

/// The query without pipes.
pub(super) fn plain(query: &Query) -> Result<Query, Refusal> {
    let mut first = query.clone();
    let operators = std::mem::take(&mut first.pipe_operators);
    let mut pipe = Pipe::of(first)?;
    for operator in operators {
        pipe.add(operator)?;
    }
    Ok(pipe.finished())
}

/// A query that grows.
struct Pipe {
    query: Query,
    /// Whether it still has all columns of its tables.
    open: bool,
    /// How many columns were added by `EXTEND`.
    extended: usize,
    /// All columns of its tables, if the query tells them.
    columns: Option<Vec<Ident>>,
}

impl Pipe {
    fn of(query: Query) -> Result<Pipe, Refusal> {
        let open = match &*query.body {
            SetExpr::Select(select) => select.projection.is_empty(),
            _ => false,
        };
        Ok(Pipe { query, open, extended: 0, columns: None })
    }

    fn select(&mut self) -> Result<&mut Select, Refusal> {
        match &mut *self.query.body {
            SetExpr::Select(select) => Ok(select),
            _ => Err(Refusal::unsupported("the pipe syntax after this query")),
        }
    }

    /// Goes on with the rows so far as a table.
    fn wrap(&mut self, alias: Option<Ident>) -> Result<(), Refusal> {
        if self.open && (self.query.limit_clause.is_some() || self.query.order_by.is_some()) {
            return Err(Refusal::unsupported(
                "|> LIMIT or ORDER BY before another step and before SELECT or AGGREGATE",
            ));
        }
        let mut inner = self.query.clone();
        self.query.with = inner.with.take();
        let alias = alias.map(|name| TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        let relation =
            TableFactor::Derived { lateral: false, subquery: Box::new(inner), alias, sample: None };
        let SetExpr::Select(select) = &*self.query.body else {
            return Err(Refusal::unsupported("the pipe syntax after this query"));
        };
        if !self.open {
            let names = select.projection.iter().map(|item| name_of(item).map(Ident::new));
            self.columns = names.collect();
        }
        let mut select = select.clone();
        *select = Select {
            distinct: None,
            projection: Vec::new(),
            from: vec![TableWithJoins { relation, joins: Vec::new() }],
            prewhere: None,
            selection: None,
            group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
            having: None,
            named_window: Vec::new(),
            qualify: None,
            value_table_mode: None,
            ..*select
        };
        *self.query.body = SetExpr::Select(select);
        self.query.order_by = None;
        self.query.limit_clause = None;
        self.open = true;
        Ok(())
    }

    /// Whether the rows so far can't be read on in the same query.
    fn close(&mut self) -> Result<(), Refusal> {
        let done = !self.open || self.query.limit_clause.is_some();
        if done { self.wrap(None) } else { Ok(()) }
    }

    fn add(&mut self, operator: PipeOperator) -> Result<(), Refusal> {
        match operator {
            PipeOperator::Where { expr } => {
                self.close()?;
                let select = self.select()?;
                select.selection = Some(match select.selection.take() {
                    None => expr,
                    Some(before) => ast::Expr::BinaryOp {
                        left: Box::new(ast::Expr::Nested(Box::new(before))),
                        op: ast::BinaryOperator::And,
                        right: Box::new(ast::Expr::Nested(Box::new(expr))),
                    },
                });
            }
            PipeOperator::Select { exprs } => {
                // Behind an order and a limit it only names the columns of the same rows.
                if !self.open {
                    self.wrap(None)?;
                }
                self.select()?.projection = exprs;
                self.open = false;
            }
            PipeOperator::Extend { exprs } => {
                self.close()?;
                for item in exprs {
                    let SelectItem::ExprWithAlias { expr, alias } = item else {
                        return Err(Refusal::unsupported("|> EXTEND of a value without a name"));
                    };
                    self.extend(expr, alias)?;
                }
            }
            PipeOperator::Aggregate { full_table_exprs, group_by_expr } => {
                self.close()?;
                let select = self.select()?;
                let keys = group_by_expr.iter().map(|key| key.expr.clone());
                let values = full_table_exprs.into_iter().map(|value| value.expr);
                select.projection = keys.chain(values).map(item).collect();
                let keys = group_by_expr.iter().map(|key| key.expr.expr.clone()).collect();
                select.group_by = GroupByExpr::Expressions(keys, Vec::new());
                self.open = false;
            }
            PipeOperator::OrderBy { exprs } => {
                if self.query.limit_clause.is_some() {
                    self.wrap(None)?;
                }
                self.query.order_by =
                    Some(OrderBy { kind: OrderByKind::Expressions(exprs), interpolate: None });
            }
            PipeOperator::Limit { expr, offset } => {
                if self.query.limit_clause.is_some() {
                    self.wrap(None)?;
                }
                let offset = offset.map(|value| ast::Offset { value, rows: ast::OffsetRows::None });
                self.query.limit_clause =
                    Some(LimitClause::LimitOffset { limit: Some(expr), offset, limit_by: Vec::new() });
            }
            PipeOperator::As { alias } => self.name(alias)?,
            PipeOperator::Join(join) => {
                self.close()?;
                self.columns = None;
                let from = self.select()?.from.last_mut();
                from.ok_or_else(|| Refusal::unsupported("|> JOIN without a table"))?.joins.push(join);
            }
            PipeOperator::Set { assignments } => {
                for assignment in assignments {
                    let column = assignment.target.to_string().replace('`', "");
                    let changed = self.column("SET", &column)?;
                    *changed =
                        SelectItem::ExprWithAlias { expr: assignment.value, alias: Ident::new(column) };
                }
            }
            PipeOperator::Rename { mappings } => {
                for mapping in mappings {
                    let changed = self.column("RENAME", &mapping.ident.value)?;
                    if let SelectItem::ExprWithAlias { expr, .. } | SelectItem::UnnamedExpr(expr) = changed {
                        *changed = SelectItem::ExprWithAlias { expr: expr.clone(), alias: mapping.alias };
                    }
                }
            }
            PipeOperator::Drop { columns } => {
                for column in columns {
                    self.column("DROP", &column.value)?;
                    self.select()?.projection.retain(|item| name_of(item) != Some(&column.value));
                }
            }
            other => {
                let step = other.to_string();
                let word = step.split(' ').next().unwrap_or_default();
                return Err(Refusal::unsupported(&format!("|> {word}")));
            }
        }
        Ok(())
    }

    /// A column more: the only row of a list for each row.
    fn extend(&mut self, expr: ast::Expr, alias: Ident) -> Result<(), Refusal> {
        self.extended += 1;
        let name = Ident::new(format!("extended_{}", self.extended));
        if let Some(columns) = &mut self.columns {
            columns.push(alias.clone());
        }
        let value = ast::Expr::Struct {
            values: vec![ast::Expr::Named { expr: Box::new(expr), name: alias }],
            fields: Vec::new(),
        };
        let list = ast::Expr::Array(ast::Array { elem: vec![value], named: false });
        let relation = TableFactor::UNNEST {
            alias: Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None }),
            array_exprs: vec![list],
            with_offset: false,
            with_offset_alias: None,
            with_ordinality: false,
        };
        let join = ast::Join {
            relation,
            global: false,
            join_operator: ast::JoinOperator::CrossJoin(ast::JoinConstraint::None),
        };
        let from = self.select()?.from.last_mut();
        from.ok_or_else(|| Refusal::unsupported("|> EXTEND without a table"))?.joins.push(join);
        Ok(())
    }

    /// `|> AS t`
    fn name(&mut self, alias: Ident) -> Result<(), Refusal> {
        if !self.open {
            return self.wrap(Some(alias));
        }
        let refused = || Refusal::unsupported("|> AS of joined tables");
        match self.select()?.from.as_mut_slice() {
            [TableWithJoins { relation: TableFactor::Table { alias: own, .. }, joins }]
            | [TableWithJoins { relation: TableFactor::Derived { alias: own, .. }, joins }]
                if joins.is_empty() =>
            {
                *own = Some(TableAlias { explicit: true, name: alias, columns: Vec::new(), at: None });
                Ok(())
            }
            _ => Err(refused()),
        }
    }

    /// A column by its name, in a query that tells its columns.
    fn column(&mut self, step: &str, name: &str) -> Result<&mut SelectItem, Refusal> {
        if self.open {
            return Err(Refusal::unsupported(&format!("|> {step} before SELECT or AGGREGATE")));
        }
        let found = self.select()?.projection.iter_mut().find(|item| name_of(item) == Some(name));
        found.ok_or_else(|| Refusal::invalid(format!("Column {name} in {step} not found")))
    }

    fn finished(mut self) -> Query {
        if let (true, SetExpr::Select(select)) = (self.open, &mut *self.query.body) {
            select.projection = match self.columns {
                Some(names) => names
                    .into_iter()
                    .map(|name| SelectItem::UnnamedExpr(ast::Expr::Identifier(name)))
                    .collect(),
                None => vec![SelectItem::Wildcard(ast::WildcardAdditionalOptions::default())],
            };
        }
        self.query
    }
}

fn item(value: ExprWithAlias) -> SelectItem {
    match value.alias {
        Some(alias) => SelectItem::ExprWithAlias { expr: value.expr, alias },
        None => SelectItem::UnnamedExpr(value.expr),
    }
}

fn name_of(item: &SelectItem) -> Option<&str> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(&alias.value),
        SelectItem::UnnamedExpr(ast::Expr::Identifier(name)) => Some(&name.value),
        SelectItem::UnnamedExpr(ast::Expr::CompoundIdentifier(names)) => Some(&names.last()?.value),
        _ => None,
    }
}
