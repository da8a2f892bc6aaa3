//! `SELECT`: its targets, groups, windows and order.

use sqlparser::ast::{self, Distinct, SelectItem, SelectItemQualifiedWildcardKind, Spanned as _};

use super::grouped::Grouped;
use super::{order, step};
use crate::bind::call::{refuse_in, refuse_nested};
use crate::bind::expr::column_name;
use crate::bind::scope::Level;
use crate::bind::weight::require_few_copies;
use crate::bind::{Binder, Clause, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{Body, Expr, Key, Node, Order, Output, Query, Select};
use crate::types::Type;

/// Words that are names of columns after `AS` only.
const AFTER_AS: [&str; 19] = [
    "array",
    "char",
    "character",
    "create",
    "day",
    "filter",
    "grant",
    "hour",
    "minute",
    "month",
    "over",
    "overlaps",
    "precision",
    "second",
    "to",
    "varying",
    "within",
    "without",
    "year",
];

impl Binder<'_> {
    /// Refuses a name without `AS` that needs it.
    fn require_as(&self, alias: &ast::Ident) -> Result<()> {
        let word = alias.value.to_ascii_lowercase();
        let Some(at) = self.place(alias.span.start).filter(|_| alias.quote_style.is_none()) else {
            return Ok(());
        };
        let before = self.source.text.get(..at).unwrap_or_default().trim_end();
        let start = before.len().saturating_sub(2);
        let has_as = before.get(start..).is_some_and(|word| word.eq_ignore_ascii_case("as"));
        // A comment may stand between, and the query of a view stands in another text.
        let is_here = self.source.text.get(at..).is_some_and(|text| text.starts_with(&alias.value));
        if !is_here || !AFTER_AS.contains(&&*word) || has_as || before.ends_with('/') {
            return Ok(());
        }
        Err(source::not_a_name(alias).at(Some(at)))
    }

    pub(super) fn select(
        &mut self,
        outer: &Scope<'_>,
        select: &ast::Select,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        if select.into.is_some() {
            return Err(SqlError::unsupported("SELECT INTO"));
        }
        self.windows.clear();
        for ast::NamedWindowDefinition(named, definition) in &select.named_window {
            let called = name(named);
            let at = self.place(named.span.start);
            if self.windows.iter().any(|(known, _)| *known == called) {
                let message = format!("window \"{called}\" is already defined");
                return Err(SqlError::new(SqlState::new("42P20"), message).at(at));
            }
            let spec = match definition {
                ast::NamedWindowExpr::WindowSpec(spec) => self.with_base(spec, true)?,
                ast::NamedWindowExpr::NamedWindow(base) => self.named_window(&name(base))?,
            };
            self.windows.push((called, spec));
        }
        let calls = std::mem::take(&mut self.set_calls);
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        let bound = self.select_parts(outer, select, sort);
        self.set_calls = calls;
        self.clause = clause;
        bound
    }

    pub(super) fn select_parts(
        &mut self,
        outer: &Scope<'_>,
        select: &ast::Select,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        let (mut from, part) = self.bind_from(outer, &select.from)?;
        let (tables, visible) = (part.tables, part.visible);
        let scope = Scope { parent: Some(outer), level: Level::Select, tables, visible };
        let (mut targets, mut columns) = self.targets(&scope, &select.projection)?;
        self.settle_keys(&scope, select, sort, (&mut targets, &mut columns))?;
        let filter = match &select.selection {
            Some(filter) => Some(self.condition_in(Clause::Where, &scope, filter)?),
            None => None,
        };
        let mut groups = self.group_by(&scope, &select.group_by, &targets, &columns)?;
        let group = groups.keys.clone();
        let having = match &select.having {
            Some(having) => Some(self.condition_in(Clause::Having, &scope, having)?),
            None => None,
        };
        let (distinct, distinct_on) = match &select.distinct {
            Some(Distinct::Distinct) => (true, Vec::new()),
            Some(Distinct::On(keys)) => (false, self.distinct_keys(&scope, keys, &targets, &columns)?),
            Some(Distinct::All) | None => (false, Vec::new()),
        };
        let order = self.select_order(&scope, sort, &select.projection, (&targets, &columns), distinct)?;
        if !order.is_empty() {
            require_few_copies(&targets, &order)?;
        }
        self.check_distinct_on(&distinct_on, &order, &targets)?;
        if let Some(Distinct::On(keys)) = &select.distinct {
            for (key, written) in distinct_on.iter().zip(keys) {
                self.require_equality(key.type_, self.place(written.span().start))?;
            }
        }
        if distinct {
            targets.iter().try_for_each(|target| self.require_equality_of(target))?;
        }
        let own = self.aggregates_of(&scope);
        refuse_in(Clause::Where, &own, |found| {
            filter.clone().iter_mut().for_each(|expr| expr.replace(found));
        })?;
        refuse_in(Clause::GroupBy, &own, |found| {
            group.clone().iter_mut().for_each(|expr| expr.replace(found));
        })?;
        targets.iter().try_for_each(|target| refuse_nested(&own, target))?;
        let calls = std::mem::take(&mut self.set_calls);
        let keys = order.iter().filter_map(|order| match &order.key {
            Key::Expr(expr) => Some(expr),
            Key::Output(..) => None,
        });
        let any = |found: &dyn Fn(&Expr) -> bool| {
            targets.iter().chain(keys.clone()).any(found) || calls.iter().any(|(_, call)| found(call))
        };
        let aggregated = groups.written || having.is_some() || !own.is_empty() || any(&Expr::is_aggregated);
        let apart = aggregated || any(&Expr::has_window);
        let framed = any(&Expr::has_frame_apart);
        let windowed = targets.iter().chain(keys.clone()).filter(|expr| expr.has_window());
        let read = group.iter().chain(windowed);
        let (calls, mut later) = if apart { step::needed(calls, read) } else { (calls, Vec::new()) };
        for expr in targets.iter().chain(&having).chain(keys.clone()) {
            groups.check(expr)?;
        }
        if aggregated {
            let later = later.iter().map(|(_, call)| call);
            let grouped = Grouped { keys: &group, common: groups.common(), scope: &scope };
            for expr in targets.iter().chain(&having).chain(keys).chain(later) {
                self.check_grouped(expr, &grouped)?;
            }
        }
        let steps = self.join_calls(&mut from, calls);
        let keys = |exprs: Vec<Expr>| exprs.into_iter().map(|expr| self.key(expr)).collect::<Vec<_>>();
        let apart = distinct && targets.iter().any(|target| self.has_own_key(target));
        // SQLite tells apart rows of columns that hold rows only by keys.
        let (distinct, distinct_on) = if apart { (false, targets.clone()) } else { (distinct, distinct_on) };
        let (group, distinct_on) = (keys(group), keys(distinct_on));
        let targets = match distinct {
            true => targets.into_iter().map(|target| self.keyed(target)).collect(),
            false => targets,
        };
        let bound = Select { distinct, distinct_on, targets, from, filter, group, aggregated, having };
        let body = Body::Select(Box::new(bound));
        let mut query = Query { ctes: Vec::new(), body, order, limit: None, offset: None, columns };
        step::follow(&mut query, &steps);
        groups.keys.iter_mut().for_each(|key| key.replace(&mut |expr| step::moved(expr, &steps)));
        if later.is_empty() && !framed {
            return self.regrouped(query, groups, own, &scope);
        }
        later.iter_mut().for_each(|(_, call)| call.replace(&mut |expr| step::moved(expr, &steps)));
        self.with_sets(query, groups, own, later, &scope)
    }

    pub(in crate::bind) fn named_window(&self, called: &str) -> Result<ast::WindowSpec> {
        let found = self.windows.iter().find(|(known, _)| known == called).map(|(_, spec)| spec.clone());
        found.ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_OBJECT, format!("window \"{called}\" does not exist"))
        })
    }

    /// Binds the targets of a clause other than `SELECT`.
    pub(crate) fn targets_in(
        &mut self,
        clause: Clause,
        scope: &Scope<'_>,
        items: &[SelectItem],
    ) -> Result<(Vec<Expr>, Vec<Output>)> {
        let before = std::mem::replace(&mut self.clause, clause);
        let bound = self.targets(scope, items);
        self.clause = before;
        bound
    }

    /// Binds a list of targets, and expands `*`.
    pub(crate) fn targets(
        &mut self,
        scope: &Scope<'_>,
        items: &[SelectItem],
    ) -> Result<(Vec<Expr>, Vec<Output>)> {
        const TARGETS_MAX: usize = 1_664;
        if items.len() > TARGETS_MAX {
            let message = format!("target lists can have at most {TARGETS_MAX} entries");
            return Err(SqlError::new(SqlState::new("54011"), message));
        }
        let (mut targets, mut columns) = (Vec::new(), Vec::new());
        let mut add = |expr: Expr, name: String| {
            columns.push(Output {
                name,
                type_: crate::types::Modified { base: expr.type_, modifier: expr.modifier },
            });
            targets.push(expr);
        };
        for item in items {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    if let Some((names, items)) = self.expanded(scope, expr)? {
                        names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                        continue;
                    }
                    let bound = self.expr(scope, expr)?;
                    self.note_title(expr);
                    let title = title(expr, &bound);
                    add(bound, title);
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    self.require_as(alias)?;
                    let bound = self.expr(scope, expr)?;
                    add(bound, name(alias));
                }
                SelectItem::Wildcard(options) => {
                    if let Some(alias) = &options.opt_alias {
                        return Err(source::not_a_name(alias).at(self.place(alias.span.start)));
                    }
                    if scope.tables.is_empty() {
                        let message = "SELECT * with no tables specified is not valid";
                        return Err(
                            SqlError::new(SqlState::SYNTAX_ERROR, message).at(self.place(item.span().start))
                        );
                    }
                    let visible = || scope.visible.iter().filter(|visible| !visible.hidden);
                    let at = self.place(item.span().start);
                    for visible in visible() {
                        add(visible.expr.clone().at(at), visible.name.clone());
                    }
                    let names: Vec<_> = visible().map(|visible| scope.written(visible)).collect();
                    let (span, exprs) =
                        (options.wildcard_token.0.span, visible().map(|visible| &visible.expr));
                    self.note_star(scope, span, exprs, &names);
                    self.star(span, names);
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(object), _) => {
                    let (schema, alias) = source::schema_and_name(object)?;
                    let found = scope.table(schema.as_deref(), &alias);
                    let path: Vec<String> = schema.iter().cloned().chain([alias.clone()]).collect();
                    if found.is_none()
                        && let Some(row) = self.given_row(&path)?
                    {
                        let (names, items) = self.fields_of(&row)?;
                        names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                        continue;
                    }
                    if let (None, [ident]) = (found, &source::parts(object)[..])
                        && self.is_in_brackets(ident)
                    {
                        let row = self.identifier(scope, ident)?;
                        let (names, items) = self.fields_of(&row)?;
                        names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                        continue;
                    }
                    let table = found
                        .ok_or_else(|| self.missing_table(scope, &alias).at(self.place(item.span().start)))?;
                    let columns = || table.columns.iter().filter(|column| !column.hidden);
                    let at = self.place(item.span().start);
                    for column in columns() {
                        add(table.column(column).at(at), column.name.clone());
                    }
                    let names: Vec<_> = columns().map(|column| table.written(&column.name)).collect();
                    let exprs: Vec<_> = columns().map(|column| table.column(column)).collect();
                    self.note_star(scope, item.span(), exprs.iter(), &names);
                    self.star(item.span(), names);
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                    let bound = self.expr(scope, expr)?;
                    let (names, items) = self.fields_of(&bound)?;
                    names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                }
                SelectItem::ExprWithAliases { .. } => return Err(SqlError::unsupported("several aliases")),
            }
        }
        targets.iter().for_each(|target| self.touch(target));
        Ok((targets, columns))
    }

    /// The names and items that `(row).*` stands for.
    pub(crate) fn fields_of(&mut self, row: &Expr) -> Result<(Vec<String>, Vec<Expr>)> {
        self.require_composite(row)?;
        let known = self.row_items(row);
        let (names, items) = known.ok_or_else(|| SqlError::unsupported("this row expansion"))?;
        items.iter().try_for_each(|item| self.once.charge(item))?;
        Ok((names, items))
    }

    /// The names and items that an expression stands for if it is `(row).*`.
    pub(crate) fn expanded(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
    ) -> Result<Option<(Vec<String>, Vec<Expr>)>> {
        let row = expanded_row(expr);
        if row.is_none() && !is_star(expr) {
            return Ok(None);
        }
        let bound = match expr {
            ast::Expr::QualifiedWildcard(object, _) if let [ident] = source::parts(object)[..] => {
                match self.given_row(&[name(ident)])? {
                    Some(row) => row,
                    None => self.identifier(scope, ident)?,
                }
            }
            _ => self.expr(scope, row.as_ref().unwrap_or(expr))?,
        };
        self.fields_of(&bound).map(Some)
    }

    /// The row of a source, of a variable or of an argument for `name.*`.
    pub(crate) fn starred_row(&self, scope: &Scope<'_>, name: &str) -> Result<Expr> {
        if let Some(row) = self.whole_row(scope, name) {
            return Ok(row);
        }
        if let Ok(Some(value)) = scope.column(name)
            && self.row_items(&value).is_some()
        {
            return Ok(value);
        }
        self.given_row(&[name.to_owned()])?.ok_or_else(|| self.missing_table(scope, name))
    }

    /// The row in a variable or an argument.
    fn given_row(&self, path: &[String]) -> Result<Option<Expr>> {
        let row = match (self.variable(path)?, path) {
            (None, [name]) => self.argument(name)?,
            (variable, _) => variable,
        };
        let Some(row) = row else { return Ok(None) };
        if row.type_ == Type::RECORD {
            let message = "record type has not been registered";
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        self.require_composite(&row)?;
        Ok(Some(row))
    }

    /// Whether a name stands in brackets, as that of a column before `.*`.
    fn is_in_brackets(&self, ident: &ast::Ident) -> bool {
        let before = self.place(ident.span.start).and_then(|at| self.source.text.get(..at));
        before.is_some_and(|before| before.trim_end().ends_with('('))
    }

    fn require_composite(&self, row: &Expr) -> Result<()> {
        let known = row.type_ == Type::RECORD || self.catalog.attributes(row.type_).is_some();
        if known || self.row_items(row).is_some() {
            return Ok(());
        }
        let message = format!("type {} is not composite", self.catalog.type_name(row.type_, -1));
        Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message))
    }

    /// Records the columns that a `*` stands for, so that a definition keeps its meaning.
    pub(super) fn star(&mut self, span: sqlparser::tokenizer::Span, columns: Vec<String>) {
        let (Some(stars), 0) = (&mut self.stars, self.depth) else { return };
        let (from, to) = (self.source.offset(span.start), self.source.offset(span.end));
        let Some(range) = from.zip(to).map(|(from, to)| from..to) else { return };
        if self.source.text.get(range.clone()).is_some_and(|text| text.ends_with('*')) {
            stars.push((range, columns.join(", ")));
        }
    }

    /// Gives literals without a type the type `text` where rows are told apart, grouped or sorted by them.
    fn settle_keys(
        &self,
        scope: &Scope<'_>,
        select: &ast::Select,
        sort: &[ast::OrderByExpr],
        (targets, columns): (&mut [Expr], &mut [Output]),
    ) -> Result<()> {
        if !columns.iter().any(|column| column.type_.base == Type::UNKNOWN) {
            return Ok(());
        }
        let groups = match &select.group_by {
            ast::GroupByExpr::Expressions(keys, _) => &keys[..],
            ast::GroupByExpr::All(_) => &[],
        };
        let of_input = |key: &&ast::Expr| match key {
            ast::Expr::Identifier(ident) => scope.visible.iter().any(|visible| visible.name == name(ident)),
            _ => false,
        };
        let apart = match &select.distinct {
            Some(Distinct::On(keys)) => &keys[..],
            _ => &[],
        };
        let keys = groups.iter().filter(|key| !of_input(key)).chain(apart);
        let keys = keys.chain(sort.iter().map(|written| &written.expr));
        // A key that is none is refused where keys are bound.
        let keys: Vec<usize> = keys.filter_map(|key| self.output_index(key, columns).ok()?).collect();
        let all = matches!(select.distinct, Some(Distinct::Distinct));
        for (index, (target, column)) in targets.iter_mut().zip(columns).enumerate() {
            if target.type_ == Type::UNKNOWN && (all || keys.contains(&index)) {
                *target = self.settle(target.clone())?;
                column.type_ = Type::TEXT.plain();
            }
        }
        Ok(())
    }

    pub(super) fn distinct_keys(
        &mut self,
        scope: &Scope<'_>,
        keys: &[ast::Expr],
        targets: &[Expr],
        columns: &[Output],
    ) -> Result<Vec<Expr>> {
        let keys = keys.iter().map(|key| match self.output_index(key, columns) {
            Ok(Some(index)) => self.copied(&targets[index]),
            Ok(None) => self.expr(scope, key),
            Err(error) => {
                let message = error.message.replace("ORDER BY", "DISTINCT ON");
                Err(SqlError::new(error.code, message).at(error.position))
            }
        });
        let keys = keys.collect::<Result<Vec<Expr>>>()?;
        // Rows are numbered within groups by these keys, and groups are sorted by them.
        keys.iter().chain(&keys).try_for_each(|key| self.once.charge(key))?;
        Ok(keys)
    }

    pub(super) fn select_order(
        &mut self,
        scope: &Scope<'_>,
        sort: &[ast::OrderByExpr],
        items: &[SelectItem],
        (targets, columns): (&[Expr], &[Output]),
        distinct: bool,
    ) -> Result<Vec<Order>> {
        let mut keys = Vec::new();
        for written in sort {
            let at = self.place(written.expr.span().start);
            let output = self.output_index(&written.expr, columns)?;
            if let (Some(index), ast::Expr::Identifier(ident)) = (output, &written.expr)
                && names_other(index, targets, columns)
            {
                let message = format!("ORDER BY \"{}\" is ambiguous", name(ident));
                return Err(SqlError::new(SqlState::new("42702"), message).at(at));
            }
            // A set is made once, by the target.
            let set = || as_written(&written.expr, items).filter(|_| !self.set_calls.is_empty());
            let output = output.or_else(set);
            let bound = match output {
                Some(index) => targets[index].clone(),
                None => self.expr_in(Clause::OrderBy, scope, &written.expr)?,
            };
            let bound = self.settle(bound)?;
            self.require_sortable(bound.type_, at)?;
            let output = output.or_else(|| targets.iter().position(|target| *target == bound));
            if distinct && output.is_none() {
                let message = "for SELECT DISTINCT, ORDER BY expressions must appear in select list";
                return Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(at));
            }
            let key = match (self.sortable(bound), output) {
                (ranked @ Expr { node: Node::Rank { .. } | Node::Key { .. }, .. }, _) => {
                    self.once.charge(&ranked)?;
                    Key::Expr(ranked)
                }
                (expr, Some(index)) => Key::Output(index, self.catalog.base_type(expr.type_)),
                (expr, None) => Key::Expr(expr),
            };
            keys.push(order(written, key));
        }
        Ok(keys)
    }

    /// Whether an expression is one of the keys. One that rows are sorted by has the type under a domain.
    pub(super) fn is_key(&self, expr: &Expr, keys: &[Expr]) -> bool {
        let base = |expr: &Expr| self.catalog.base_type(expr.type_);
        keys.iter().any(|key| key.node == expr.node && base(key) == base(expr))
    }

    /// Refuses `DISTINCT ON` if the `ORDER BY` does not begin with its expressions.
    fn check_distinct_on(&self, keys: &[Expr], order: &[Order], targets: &[Expr]) -> Result<()> {
        let fits = order.iter().take(keys.len()).all(|order| match &order.key {
            Key::Output(index, _) => self.is_key(&targets[*index], keys),
            Key::Expr(Expr { node: Node::Rank { expr, .. } | Node::Key { expr, .. }, .. }) => {
                self.is_key(expr, keys)
            }
            Key::Expr(expr) => self.is_key(expr, keys),
        });
        match keys.first() {
            Some(first) if !fits => {
                let message = "SELECT DISTINCT ON expressions must match initial ORDER BY expressions";
                Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(first.at.0))
            }
            _ => Ok(()),
        }
    }
}

/// The row of `(row).*`, which the parser reads as a field with the name `*`.
pub(super) fn expanded_row(expr: &ast::Expr) -> Option<ast::Expr> {
    let ast::Expr::CompoundFieldAccess { root, access_chain } = expr else { return None };
    let (ast::AccessExpr::Dot(ast::Expr::Identifier(last)), before) = access_chain.split_last()? else {
        return None;
    };
    if last.value != "*" {
        return None;
    }
    Some(match before {
        [] => (**root).clone(),
        before => ast::Expr::CompoundFieldAccess { root: root.clone(), access_chain: before.to_vec() },
    })
}

/// Whether an expression stands for all columns of a row.
pub(crate) fn expands_row(expr: &ast::Expr) -> bool {
    is_star(expr) || expanded_row(expr).is_some()
}

/// Whether an expression is `(t.*)`.
fn is_star(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Nested(inner) => is_star(inner),
        ast::Expr::QualifiedWildcard(..) => true,
        _ => false,
    }
}

/// The target that is the same call, if the targets are those that are written.
fn as_written(key: &ast::Expr, items: &[SelectItem]) -> Option<usize> {
    if !matches!(key, ast::Expr::Function(_)) {
        return None;
    }
    let shown = key.to_string();
    let targets = items.iter().map(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr.to_string()),
        _ => None,
    });
    let targets = targets.collect::<Option<Vec<String>>>()?;
    targets.iter().position(|target| *target == shown)
}

/// Whether another result, of another value, has the same name.
fn names_other(index: usize, targets: &[Expr], columns: &[Output]) -> bool {
    let mut others = targets.iter().zip(columns).filter(|(_, column)| column.name == columns[index].name);
    others.any(|(target, _)| *target != targets[index])
}

/// The name of a column without an alias. That of a query is the name of its first column.
fn title(expr: &ast::Expr, bound: &Expr) -> String {
    match (expr, &bound.node) {
        (ast::Expr::Nested(inner), _) => title(inner, bound),
        (ast::Expr::Subquery(_), Node::Scalar(query)) => {
            query.columns.first().map_or_else(|| column_name(expr), |column| column.name.clone())
        }
        _ => column_name(expr),
    }
}
