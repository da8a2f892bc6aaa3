//! Expressions with a grammar of their own: `EXTRACT`, `COALESCE`, `CURRENT_DATE`, JSON of rows.

use sqlparser::ast::{self, FunctionArguments, Spanned as _, TrimWhereField};

use super::call::Given;
use super::{Binder, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Comparison, Expr, Node};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// Calls that are written as a word without brackets.
    pub(super) fn keyword_call(&mut self, word: &str) -> Result<Option<Expr>> {
        Ok(Some(match word {
            "current_timestamp" => Expr::template("{now}", Vec::new(), Type::TIMESTAMPTZ),
            "current_date" | "localtimestamp" | "localtime" if self.settings.zone().is_some() => {
                let now = Expr::template("{now}", Vec::new(), Type::TIMESTAMPTZ);
                let type_ = match word {
                    "current_date" => Type::DATE,
                    "localtimestamp" => Type::TIMESTAMP,
                    _ => Type::TIME,
                };
                self.cast(now, type_.plain())?
            }
            "current_date" => Expr::template("{today}", Vec::new(), Type::DATE),
            "localtimestamp" => Expr::template("{now}", Vec::new(), Type::TIMESTAMP),
            "localtime" => Expr::template("({now} % 86400000000)", Vec::new(), Type::TIME),
            "current_time" => {
                let now = Expr::template("{now}", Vec::new(), Type::TIMESTAMPTZ);
                Expr::new(Node::Cast { expr: Box::new(now), explicit: false }, Type::TIMETZ)
            }
            "current_user" | "user" | "current_role" => match self.is_definer() {
                true => Expr::literal(self.current.to_string(), Type::NAME),
                false => Expr::template("{role}", Vec::new(), Type::NAME),
            },
            "session_user" => Expr::template("{session}", Vec::new(), Type::NAME),
            "current_catalog" => Expr::literal("postgres".to_owned(), Type::NAME),
            "current_schema" => Expr::literal(self.current_schema(), Type::NAME),
            _ => return Ok(None),
        }))
    }

    pub(super) fn current_schema(&self) -> String {
        let found = self.path().iter().find(|schema| self.catalog.schema_named(schema).is_some());
        found.cloned().unwrap_or_default()
    }

    /// Functions whose arguments have a grammar of their own.
    pub(super) fn grammar_function(
        &mut self,
        scope: &Scope<'_>,
        called: &str,
        function: &ast::Function,
    ) -> Result<Option<Expr>> {
        let none = matches!(function.args, FunctionArguments::None);
        if none && let Some(expr) = self.keyword_call(called)? {
            return Ok(Some(expr));
        }
        Ok(Some(match called {
            "current_timestamp" | "localtimestamp" | "localtime" | "current_time" => {
                let digits = self.given(scope, &function.args)?.positional;
                let Some(expr) = self.keyword_call(called)? else { return Ok(None) };
                match digits.first().map(|digits| &digits.node) {
                    Some(Node::Literal(rusqlite::types::Value::Integer(digits))) => {
                        let modifier = i32::try_from(*digits).unwrap_or(6).clamp(0, 6);
                        self.cast(expr.clone(), Modified { base: expr.type_, modifier })?
                    }
                    _ => expr,
                }
            }
            "coalesce" => {
                let operands = self.given(scope, &function.args)?.positional;
                self.refuse_sets(&operands, "set-returning functions are not allowed in COALESCE")?;
                // A row that an outer join did not find is null.
                let operands =
                    operands.into_iter().map(|row| self.unless_absent(&row.clone(), row)).collect();
                let (operands, type_) = self.unify(operands, "COALESCE")?;
                let typed = operands.iter().filter(|operand| !operand.is_null_literal());
                let modifier = Self::common_modifier(typed);
                Expr { modifier, ..Expr::new(Node::Coalesce(operands), type_) }
            }
            "normalize" => {
                let mut arguments = Vec::new();
                if let FunctionArguments::List(list) = &function.args {
                    for (index, argument) in list.args.iter().enumerate() {
                        arguments.push(match argument {
                            // The form is a word.
                            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Identifier(
                                form,
                            ))) if index == 1 => Expr::literal(form.value.clone(), Type::TEXT),
                            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => {
                                self.expr(scope, expr)?
                            }
                            _ => return Ok(None),
                        });
                    }
                }
                self.plain_call("normalize", arguments)?
            }
            "greatest" | "least" => self.greatest(scope, called, function)?,
            "nullif" => self.nullif(scope, function)?,
            "row" => {
                let items = self.items_of_row(scope, function)?;
                Expr::new(Node::Row(items, Vec::new()), Type::RECORD)
            }
            "array" => match &function.args {
                FunctionArguments::Subquery(query) => self.array_query(scope, query)?,
                _ => return Ok(None),
            },
            "count" if self.counts_rows(scope, function)? => self.count_call(scope, function)?,
            "grouping" => self.grouping_call(scope, function)?,
            _ => return Ok(None),
        }))
    }

    /// The items of `ROW (…)`, where `t.*` stands for all columns.
    fn items_of_row(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Vec<Expr>> {
        let FunctionArguments::List(list) = &function.args else { return Ok(Vec::new()) };
        let mut given = Given::default();
        for argument in &list.args {
            if let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) = argument
                && let Some((_, items)) = self.expanded(scope, expr)?
            {
                given.positional.extend(items);
                continue;
            }
            self.one_given(scope, argument, &mut given)?;
            if let ast::FunctionArg::Unnamed(ast::FunctionArgExpr::QualifiedWildcard(_)) = argument
                && let Some(row) = given.positional.pop()
            {
                let (_, items) = self.fields_of(&row)?;
                given.positional.extend(items);
            }
        }
        Ok(given.positional)
    }

    fn counts_rows(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<bool> {
        let FunctionArguments::List(list) = &function.args else { return Ok(false) };
        if let [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Wildcard), _, ..] = &list.args[..] {
            let at = self.source.place_of(',', function.name.span().end);
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \",\"").at(at));
        }
        match &list.args[..] {
            [argument @ ast::FunctionArg::Unnamed(kind)]
                if !matches!(kind, ast::FunctionArgExpr::Expr(_)) =>
            {
                let mut given = Given::default();
                self.one_given(scope, argument, &mut given)?;
                Ok(given.wildcard)
            }
            _ => Ok(false),
        }
    }

    fn greatest(&mut self, scope: &Scope<'_>, called: &str, function: &ast::Function) -> Result<Expr> {
        let operands = self.given(scope, &function.args)?.positional;
        self.greatest_of(called, operands)
    }

    /// The greatest or the least of several values.
    pub(super) fn greatest_of(&mut self, called: &str, operands: Vec<Expr>) -> Result<Expr> {
        /// The most arguments of a call in SQLite, not counting the collation.
        const ARGUMENTS_MAX: usize = 100;
        let (mut operands, type_) = self.unify(operands, &called.to_uppercase())?;
        if let [only] = &mut operands[..] {
            return Ok(std::mem::replace(only, Expr::null()));
        }
        self.require_order(type_, if called == "greatest" { ">" } else { "<" })?;
        let modifier = Self::common_modifier(operands.iter());
        let labels = self.catalog.labels(self.catalog.base_type(type_));
        let compared = if labels.is_some() { Type::INT4 } else { type_ };
        let mut operands: Vec<Expr> = operands
            .into_iter()
            .map(|operand| if labels.is_some() { self.sortable(operand) } else { self.keyed(operand) })
            .collect();
        let text = if called == "greatest" { "pg_greatest({*})" } else { "pg_least({*})" };
        while operands.len() > 1 {
            let rest = operands.split_off(operands.len().min(ARGUMENTS_MAX));
            operands.insert(0, self.collation_of(compared));
            operands = std::iter::once(Expr::template(text, operands, compared)).chain(rest).collect();
        }
        let best = operands.remove(0);
        Ok(match labels {
            None => Expr { modifier, ..best },
            Some(labels) => {
                let labels = Expr::literal(serde_json::json!(labels).to_string(), Type::TEXT);
                Expr::template("json_extract({1}, '$[' || {0} || ']')", vec![best, labels], type_)
            }
        })
    }

    fn nullif(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let operands = self.given(scope, &function.args)?.positional;
        let [left, right] = <[Expr; 2]>::try_from(operands)
            .map_err(|_| SqlError::new(SqlState::SYNTAX_ERROR, "syntax error: NULLIF takes two arguments"))?;
        let type_ = left.type_;
        let null = |type_| Expr::literal(rusqlite::types::Value::Null, type_);
        // The result is the first operand as converted for the comparison, unless there is an operator for the original types.
        let instant = |type_: Type| matches!(type_, Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ);
        let across = |a: Type, b: Type| {
            (a.is_integer() && b.is_integer()) || (a.is_float() && b.is_float()) || (instant(a) && instant(b))
        };
        let common = self.comparison_type(left.type_, right.type_);
        let kept = common.is_some_and(|common| across(type_, common));
        if kept && common != Some(type_) && instant(type_) {
            // A day is converted to a timestamp for the comparison, but the result must be the day.
            return self.once(left, |binder, left| {
                let same = binder.compare(Comparison::Equal, left.clone(), right)?;
                let branches = vec![(same, null(type_))];
                Ok(Expr::new(Node::Case { operand: None, branches, otherwise: Some(Box::new(left)) }, type_))
            });
        }
        let same = self.compare(Comparison::Equal, left.clone(), right)?;
        match same.node {
            Node::Compare { left, right, .. } if !matches!(left.node, Node::Key { .. }) => {
                let compared = left.type_;
                let operands = vec![self.collation_of(compared), *left, *right];
                Ok(Expr::template("pg_nullif({*})", operands, if kept { type_ } else { compared }))
            }
            _ => {
                let otherwise = Some(Box::new(self.settle(left)?));
                let type_ = otherwise.as_ref().map_or(type_, |left| left.type_);
                let branches = vec![(same, null(type_))];
                Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_))
            }
        }
    }

    fn array_query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Expr> {
        let query = self.subquery(scope, query)?;
        let [column] = &query.columns[..] else {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "subquery must return only one column"));
        };
        let element = column.type_.base;
        let type_ = element.array().ok_or_else(|| SqlError::unsupported("an array of this type"))?;
        Ok(Expr::new(Node::ArrayQuery(Box::new(query)), type_))
    }

    /// A call by name with bound arguments.
    pub(super) fn plain_call(&mut self, called: &str, arguments: Vec<Expr>) -> Result<Expr> {
        let given = Given { positional: arguments, ..Given::default() };
        let bound = self.call_named(Some("pg_catalog"), called, given)?;
        bound.ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("function {called} does not exist"))
        })
    }

    pub(super) fn special(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        match expr {
            ast::Expr::Extract { field, expr, .. } => {
                let unit =
                    Expr::literal(field.to_string().to_lowercase().trim_matches('\'').to_owned(), Type::TEXT);
                let value = self.expr(scope, expr)?;
                self.plain_call("extract", vec![unit, value])
            }
            ast::Expr::Position { expr, r#in } => {
                let (part, whole) = (self.expr(scope, expr)?, self.expr(scope, r#in)?);
                self.plain_call("position", vec![whole, part])
            }
            ast::Expr::Substring { expr, substring_from, substring_for, shorthand, .. } => {
                let mut arguments = vec![self.expr(scope, expr)?];
                match substring_from {
                    Some(from) => arguments.push(self.expr(scope, from)?),
                    None => arguments.push(Expr::literal(1, Type::INT4)),
                }
                if let Some(length) = substring_for {
                    arguments.push(self.expr(scope, length)?);
                }
                self.plain_call(if *shorthand { "substr" } else { "substring" }, arguments)
            }
            ast::Expr::Trim { expr, trim_where, trim_what, trim_characters } => {
                let called = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    Some(TrimWhereField::Both) | None => "btrim",
                };
                let mut arguments = vec![self.expr(scope, expr)?];
                if let Some(what) = trim_what {
                    arguments.push(self.expr(scope, what)?);
                }
                for characters in trim_characters.iter().flatten() {
                    arguments.push(self.expr(scope, characters)?);
                }
                self.plain_call(called, arguments)
            }
            ast::Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let mut arguments = vec![
                    self.expr(scope, expr)?,
                    self.expr(scope, overlay_what)?,
                    self.expr(scope, overlay_from)?,
                ];
                if let Some(length) = overlay_for {
                    arguments.push(self.expr(scope, length)?);
                }
                self.plain_call("overlay", arguments)
            }
            ast::Expr::Ceil { expr, .. } => {
                let value = self.expr(scope, expr)?;
                self.plain_call("ceil", vec![value])
            }
            ast::Expr::Floor { expr, .. } => {
                let value = self.expr(scope, expr)?;
                self.plain_call("floor", vec![value])
            }
            ast::Expr::AtTimeZone { timestamp, time_zone } => {
                let (value, zone) = (self.expr(scope, timestamp)?, self.expr(scope, time_zone)?);
                self.plain_call("timezone", vec![zone, value])
            }
            ast::Expr::IsNormalized { expr, form, negated } => {
                let form = form.as_ref().map_or_else(|| "NFC".to_owned(), ToString::to_string);
                let arguments = vec![self.expr(scope, expr)?, Expr::literal(form, Type::TEXT)];
                let normalized = self.plain_call("is_normalized", arguments)?;
                Ok(if *negated { Expr::boolean(Node::Not(Box::new(normalized))) } else { normalized })
            }
            ast::Expr::IsJson { .. } => Err(SqlError::unsupported("IS JSON")),
            ast::Expr::GroupingSets(_) | ast::Expr::Cube(_) | ast::Expr::Rollup(_) => {
                Err(SqlError::unsupported("GROUPING SETS"))
            }
            other => Err(SqlError::unsupported(format!("the expression {other}"))),
        }
    }

    /// A value as JSON, as written by `to_json` and `to_jsonb`.
    pub(super) fn json_of(&mut self, expr: Expr, json: Type) -> Result<Expr> {
        let expr = self.settle(expr)?;
        let expr = self.rows_as_json(expr, json)?;
        let type_ = self.catalog.base_type(expr.type_);
        if type_ == Type::JSONB || type_ == json {
            return Ok(Expr { type_: json, ..expr });
        }
        if type_ == Type::JSON {
            return self.cast(expr, json.plain());
        }
        if type_ == Type::OID || type_.is_reg() {
            let text = self.cast(expr, Type::TEXT.plain())?;
            return self.json_of(text, json);
        }
        if type_.element().is_some_and(Type::is_reg) {
            let names = self.names_of_elements(expr);
            return self.json_of(names, json);
        }
        if type_ == Type::TIMESTAMPTZ
            && let Some(text) = self.json_in_zone(&expr)
        {
            return self.json_of(text, json);
        }
        if matches!(expr.node, Node::Row(..)) {
            let built = self.json_of_row(&expr, json)?;
            return Ok(self.unless_absent(&expr, built));
        }
        if self.catalog.attributes(expr.type_).is_some() {
            return self.once(expr, |binder, row| {
                let built = binder.json_of_row(&row, json)?;
                Ok(super::coerce::unless_null(row, built))
            });
        }
        if let Some(element) = type_.element().filter(|element| self.catalog.attributes(*element).is_some()) {
            let fields = serde_json::json!(crate::row_json::fields(self.catalog, element));
            let shape = Expr::literal(fields.to_string(), Type::TEXT);
            let operands = vec![expr, shape, Expr::literal(i64::from(json == Type::JSONB), Type::INT4)];
            return Ok(Expr::template("pg_rows_to_json({*})", operands, json));
        }
        let operands = vec![
            expr,
            Expr::literal(i64::from(type_.0), Type::INT4),
            Expr::literal(i64::from(json == Type::JSONB), Type::INT4),
        ];
        Ok(Expr::template("pg_to_json({*})", operands, json))
    }

    /// Rows that are written out and collected in an array, as documents; any other value as it is.
    fn rows_as_json(&mut self, expr: Expr, json: Type) -> Result<Expr> {
        let Node::Call(call) = &expr.node else { return Ok(expr) };
        let mut call = call.clone();
        let written = |row: &&mut Expr| matches!(row.node, Node::Row(..)) && row.type_ == Type::RECORD;
        let Some(row) = call.collected().filter(written) else { return Ok(expr) };
        let document = self.json_of_row(row, json)?;
        *row = self.unless_absent(row, document);
        Ok(Expr::new(Node::Call(call), json.array().unwrap_or(json)))
    }

    fn json_of_row(&mut self, row: &Expr, json: Type) -> Result<Expr> {
        let (names, items) = self.row_items(row).unwrap_or_default();
        self.enter()?;
        let mut operands = vec![Expr::literal(i64::from(json == Type::JSONB), Type::INT4)];
        for (name, item) in names.into_iter().zip(items) {
            self.once.charge(&item)?;
            operands.push(Expr::literal(name, Type::TEXT));
            operands.push(self.json_of(item, json)?);
        }
        self.nesting -= 1;
        Ok(Expr::template("pg_json_row({*})", operands, json))
    }
}
