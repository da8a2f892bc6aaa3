//! The tables of a shown query, and how they are joined.

use sqlparser::ast::{self, JoinConstraint, JoinOperator, TableFactor, TableWithJoins};

use super::query::{Names, Text, below};
use crate::bind::from::rows;
use crate::bind::scope::Table;
use crate::bind::{Binder, Scope};
use crate::catalog::quote_identifier;
use crate::pretty::pretty;
use crate::source;
use crate::tree::Node;
use crate::types::Type;

impl Text {
    /// A table with those that are joined to it. `place` is that of the next table in the scope.
    pub(super) fn joined(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        table: &TableWithJoins,
        place: &mut usize,
    ) -> Option<String> {
        let first = *place;
        let mut text = self.table(binder, scope, &table.relation, place)?;
        for join in &table.joins {
            let (word, constraint) = match &join.join_operator {
                JoinOperator::Join(on) | JoinOperator::Inner(on) => ("JOIN", Some(on)),
                JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => ("LEFT JOIN", Some(on)),
                JoinOperator::Right(on) | JoinOperator::RightOuter(on) => ("RIGHT JOIN", Some(on)),
                JoinOperator::FullOuter(on) => ("FULL JOIN", Some(on)),
                JoinOperator::CrossJoin(_) => ("CROSS JOIN", None),
                _ => return None,
            };
            let right = *place;
            let mut other = self.table(binder, scope, &join.relation, place)?;
            if self.plain && matches!(join.relation, TableFactor::NestedJoin { .. }) {
                other = format!("({other})");
            }
            let on = match constraint {
                None | Some(JoinConstraint::None) => String::new(),
                Some(JoinConstraint::On(condition)) => {
                    let shown = self.expr(binder, scope, condition, Type::BOOL)?;
                    if self.plain { format!(" ON {shown}") } else { format!(" ON ({shown})") }
                }
                Some(JoinConstraint::Using(columns)) => {
                    let names = columns.iter().map(|column| {
                        source::schema_and_name(column).ok().map(|(_, name)| quote_identifier(&name))
                    });
                    format!(" USING ({})", names.collect::<Option<Vec<_>>>()?.join(", "))
                }
                Some(JoinConstraint::Natural) => {
                    let (left, right) = (&scope.tables[first..right], &scope.tables[right..*place]);
                    format!(" USING ({})", shared(left, right)?.join(", "))
                }
            };
            text = match self.plain {
                true => format!("{text}\n     {word} {other}{on}"),
                false => format!("({text}\n     {word} {other}{on})"),
            };
        }
        Some(text)
    }

    fn table(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        table: &TableFactor,
        place: &mut usize,
    ) -> Option<String> {
        if let TableFactor::NestedJoin { table_with_joins, alias: None } = table {
            return self.joined(binder, scope, table_with_joins, place);
        }
        let bound = scope.tables.get(*place)?;
        *place += 1;
        let name = quote_identifier(binder.once.texts.name(bound));
        let columns: Vec<String> = bound
            .columns
            .iter()
            .filter(|column| !column.hidden)
            .map(|column| quote_identifier(&column.name))
            .collect();
        let columns = format!("({})", columns.join(", "));
        if let TableFactor::NestedJoin { table_with_joins, .. } = table {
            let (functions, numbered) = rows::functions(table_with_joins)?;
            let ordinality = if numbered { " WITH ORDINALITY" } else { "" };
            let shown = self.rows_from(binder, scope, &functions, numbered)?;
            return Some(match shown {
                (call, None) => format!("{call}{ordinality} {name}{columns}"),
                (call, Some(defined)) => format!("{call} {name}{defined}"),
            });
        }
        match table {
            TableFactor::Table { name: object, alias, args: None, sample: None, .. } => {
                let renames = alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
                let shown = self.table_name(binder, object)?;
                let bare = shown.rsplit('.').next().unwrap_or_default();
                // A name that was given is shown, though it be that of the table.
                Some(match (renames, bare == name && alias.is_none()) {
                    (true, _) => format!("{shown} {name}{columns}"),
                    (false, true) => shown,
                    (false, false) => format!("{shown} {name}"),
                })
            }
            TableFactor::Derived { lateral, subquery, alias: Some(alias), sample: None } => {
                let none = Scope::default();
                let outer = if *lateral { scope } else { scope.parent.unwrap_or(&none) };
                let names = binder.subquery(outer, subquery).ok()?.columns;
                let names = names.into_iter().map(|column| column.name).collect();
                let shown = self.query(binder, outer, subquery, &Names::of(names, false))?;
                let lateral = if *lateral { "LATERAL " } else { "" };
                let columns = if alias.columns.is_empty() { "" } else { &columns };
                Some(format!("{lateral}({}) {name}{columns}", below(&shown)))
            }
            TableFactor::Table { name: object, args: Some(args), with_ordinality, alias, .. } => {
                let call = self.table_call(binder, scope, object, &args.args)?;
                let columns = defined(binder, alias.as_ref())?.unwrap_or(columns);
                let ordinality = if *with_ordinality { " WITH ORDINALITY" } else { "" };
                Some(format!("{call}{ordinality} {name}{columns}"))
            }
            TableFactor::Function { name: object, args, with_ordinality, alias, .. } => {
                let call = self.table_call(binder, scope, object, args)?;
                let columns = defined(binder, alias.as_ref())?.unwrap_or(columns);
                let ordinality = if *with_ordinality { " WITH ORDINALITY" } else { "" };
                Some(format!("{call}{ordinality} {name}{columns}"))
            }
            TableFactor::UNNEST { array_exprs, with_ordinality, .. } => {
                let [array] = &array_exprs[..] else { return None };
                let unnest = ast::ObjectName::from(vec![ast::Ident::new("unnest")]);
                let args = [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array.clone()))];
                let call = self.table_call(binder, scope, &unnest, &args)?;
                let ordinality = if *with_ordinality { " WITH ORDINALITY" } else { "" };
                Some(format!("{call}{ordinality} {name}{columns}"))
            }
            _ => None,
        }
    }

    /// The functions of a `ROWS FROM`. A single one needs these words only if its rows have defined columns and numbers; its columns
    /// without numbers are returned beside it.
    fn rows_from(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        functions: &[&TableFactor],
        numbered: bool,
    ) -> Option<(String, Option<String>)> {
        let (mut parts, mut lateral, mut arrays) = (Vec::new(), false, 0);
        for function in functions {
            let (call, alias) = match function {
                TableFactor::Table { name, args: Some(args), alias, .. } => {
                    (self.table_call(binder, scope, name, &args.args)?, alias)
                }
                TableFactor::Function { name, args, alias, .. } => {
                    (self.table_call(binder, scope, name, args)?, alias)
                }
                TableFactor::UNNEST { array_exprs, alias, .. } => {
                    let [array] = &array_exprs[..] else { return None };
                    arrays += 1;
                    let unnest = ast::ObjectName::from(vec![ast::Ident::new("unnest")]);
                    let args = [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array.clone()))];
                    (self.table_call(binder, scope, &unnest, &args)?, alias)
                }
                _ => return None,
            };
            lateral |= call.starts_with("LATERAL ");
            let call = call.strip_prefix("LATERAL ").unwrap_or(&call).to_owned();
            parts.push((call, defined(binder, alias.as_ref())?));
        }
        let lateral = if lateral { "LATERAL " } else { "" };
        if let [(call, columns)] = &parts[..]
            && (columns.is_none() || !numbered)
        {
            return Some((format!("{lateral}{call}"), columns.clone()));
        }
        if arrays == parts.len() {
            let arrays = parts.iter().filter_map(|(call, _)| call.strip_prefix("unnest(")?.strip_suffix(')'));
            return Some((format!("{lateral}UNNEST({})", arrays.collect::<Vec<_>>().join(", ")), None));
        }
        let part = |(call, columns): (String, Option<String>)| match columns {
            Some(columns) => format!("{call} AS {columns}"),
            None => call,
        };
        let parts: Vec<String> = parts.into_iter().map(part).collect();
        Some((format!("{lateral}ROWS FROM({})", parts.join(", ")), None))
    }

    /// A function that is a source of rows. One that reads other sources is lateral.
    fn table_call(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        object: &ast::ObjectName,
        args: &[ast::FunctionArg],
    ) -> Option<String> {
        let mut reads = false;
        for arg in args {
            let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = arg else { return None };
            let bound = binder.expr(scope, expr).ok()?;
            reads |= bound.any(&mut |expr| {
                matches!(expr.node, Node::Column { source, .. }
                    if scope.tables.iter().any(|table| table.source == source))
            });
        }
        if let Some(shown) = self.record_call(binder, scope, object, args) {
            return Some(if reads { format!("LATERAL {shown}") } else { shown });
        }
        let list =
            ast::FunctionArgumentList { duplicate_treatment: None, args: args.to_vec(), clauses: Vec::new() };
        let call = ast::Expr::Function(ast::Function {
            name: object.clone(),
            uses_odbc_syntax: false,
            parameters: ast::FunctionArguments::None,
            args: ast::FunctionArguments::List(list),
            within_group: Vec::new(),
            filter: None,
            null_treatment: None,
            over: None,
        });
        let shown = self.expr(binder, scope, &call, Type::TEXT)?;
        Some(if reads { format!("LATERAL {shown}") } else { shown })
    }

    /// A function that reads records out of a document, whose columns stand after it.
    fn record_call(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        object: &ast::ObjectName,
        args: &[ast::FunctionArg],
    ) -> Option<String> {
        let (None | Some("pg_catalog"), called) = source::schema_and_name(object)
            .ok()
            .as_ref()
            .map(|(schema, called)| (schema.as_deref(), called.clone()))?
        else {
            return None;
        };
        let type_ = match called.as_str() {
            "json_to_record" | "json_to_recordset" => Type::JSON,
            "jsonb_to_record" | "jsonb_to_recordset" => Type::JSONB,
            _ => return None,
        };
        let [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(document))] = args else { return None };
        let shown = binder.shown_as(scope, document, type_)?;
        Some(format!("{called}({})", if self.plain { pretty(&shown) } else { shown }))
    }

    /// The name of a table, or of a query of `WITH`.
    pub(super) fn table_name(&self, binder: &Binder<'_>, object: &ast::ObjectName) -> Option<String> {
        if let Ok((None, name)) = source::schema_and_name(object)
            && binder.ctes.iter().any(|known| known.name == name)
        {
            return Some(quote_identifier(&name));
        }
        let (schema, name) = source::schema_and_name(object).ok()?;
        if crate::describe::system_oid(schema.as_deref(), &name).is_some() {
            let standard = schema.as_deref() == Some("information_schema");
            return Some(format!(
                "{}{}",
                if standard { "information_schema." } else { "" },
                quote_identifier(&name)
            ));
        }
        let relation = binder.find_relation(object).ok()?;
        let shown = quote_identifier(&relation.name);
        Some(match self.path.contains(&relation.schema) {
            true => shown,
            false => format!("{}.{shown}", quote_identifier(binder.catalog.schema_name(relation.schema))),
        })
    }
}

/// The columns that a natural join compares.
fn shared(left: &[Table], right: &[Table]) -> Option<Vec<String>> {
    let names = |tables: &[Table]| -> Vec<String> {
        let columns = tables.iter().flat_map(|table| &table.columns);
        columns.filter(|column| !column.hidden).map(|column| column.name.clone()).collect()
    };
    let right = names(right);
    let mut shared: Vec<String> = Vec::new();
    for name in names(left).into_iter().filter(|name| right.contains(name)) {
        let name = quote_identifier(&name);
        if !shared.contains(&name) {
            shared.push(name);
        }
    }
    (!shared.is_empty()).then_some(shared)
}

/// The columns that a query defines for a function, with their types.
#[expect(clippy::option_option, reason = "the outer one is that of texts that can't be shown")]
fn defined(binder: &Binder<'_>, alias: Option<&ast::TableAlias>) -> Option<Option<String>> {
    let columns = alias.map(|alias| &alias.columns[..]).unwrap_or_default();
    if columns.iter().all(|column| column.data_type.is_none()) {
        return Some(None);
    }
    let shown = columns.iter().map(|column| {
        let type_ = binder.data_type(column.data_type.as_ref()?).ok()?;
        Some(format!("{} {}", quote_identifier(&source::name(&column.name)), binder.shown_type(type_)))
    });
    Some(Some(format!("({})", shown.collect::<Option<Vec<_>>>()?.join(", "))))
}

/// The names of columns after an alias.
pub(super) fn listed(columns: &[ast::TableAliasColumnDef]) -> String {
    let names: Vec<String> =
        columns.iter().map(|column| quote_identifier(&source::name(&column.name))).collect();
    if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) }
}
