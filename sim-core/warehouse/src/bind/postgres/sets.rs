//! Functions that give several rows: in `FROM`, and among the targets of a `SELECT`, where they are bound as if they stood in `FROM`.

use sqlparser::ast::{self, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::super::aggregate::is_aggregate;
use super::super::expr::{Expr, Origin};
use super::super::from::Factor;
use super::super::ordered_set::ORDERED;
use super::super::query::{Tail, with_names};
use super::super::scope::{Kind, Range, Scope};
use super::super::value::no_signature;
use super::super::{Binder, Bound, call};
use crate::encode::field_key;
use crate::refusal::Refusal;
use crate::types::Type;

/// The functions that give a row for each element of a list.
const SETS: [&str; 10] = [
    "generate_series",
    "generate_subscripts",
    "jsonb_array_elements",
    "jsonb_array_elements_text",
    "jsonb_object_keys",
    "jsonb_path_query",
    "regexp_matches",
    "regexp_split_to_table",
    "string_to_table",
    "unnest",
];

/// Functions that give rows of several columns, which are known in `FROM` only.
const WIDE_SETS: [&str; 6] = [
    "json_to_record",
    "json_to_recordset",
    "jsonb_each",
    "jsonb_each_text",
    "jsonb_to_record",
    "jsonb_to_recordset",
];

/// Whether a function gives several rows.
pub(in crate::bind) fn gives_rows(name: &str) -> bool {
    SETS.contains(&name) || WIDE_SETS.contains(&name)
}

/// A call among the targets, whose rows are those of a source with this name.
pub(in crate::bind) struct Lifted {
    name: String,
    /// How many such calls are inside each other in its arguments.
    level: usize,
    call: ast::Function,
}

/// The only column of such a source.
const COLUMN: &str = "element";

/// The calls that were found, and replaced by columns.
#[derive(Default)]
struct Lift {
    found: Vec<Lifted>,
}

impl Lift {
    /// Replaces the calls in an expression, and returns how deep they are in each other. Where PostgreSQL allows none they stay, and are
    /// refused when they are bound.
    fn take(&mut self, expr: &mut ast::Expr) -> usize {
        use ast::Expr as E;
        match expr {
            E::Function(function) => self.take_call(function).map_or_else(
                |level| level,
                |(column, level)| {
                    *expr = column;
                    level
                },
            ),
            E::Nested(inner)
            | E::UnaryOp { expr: inner, .. }
            | E::Cast { expr: inner, .. }
            | E::IsNull(inner)
            | E::IsNotNull(inner)
            | E::Extract { expr: inner, .. }
            | E::AtTimeZone { timestamp: inner, .. } => self.take(inner),
            E::BinaryOp { left, right, .. } => self.take(left).max(self.take(right)),
            E::Array(array) => self.take_all(&mut array.elem),
            E::InList { expr, list, .. } => self.take(expr).max(self.take_all(list)),
            E::CompoundFieldAccess { root, access_chain } => {
                let inside = access_chain.iter_mut().map(|access| match access {
                    ast::AccessExpr::Subscript(ast::Subscript::Index { index }) => self.take(index),
                    _ => 0,
                });
                let inside = inside.max().unwrap_or_default();
                self.take(root).max(inside)
            }
            _ => 0,
        }
    }

    fn take_all(&mut self, exprs: &mut [ast::Expr]) -> usize {
        exprs.iter_mut().map(|expr| self.take(expr)).max().unwrap_or_default()
    }

    /// The column for a call that gives rows, or how deep such calls are in the arguments of another.
    fn take_call(&mut self, function: &mut ast::Function) -> Result<(ast::Expr, usize), usize> {
        let name = function.name.to_string().to_lowercase();
        let name = super::of_jsonb(&name).unwrap_or(name);
        let is_aggregate = is_aggregate(&name)
            || super::aggregate_of(&name).is_some()
            || ORDERED.contains(&&*name)
            || name.ends_with("_agg");
        if function.over.is_some() || is_aggregate || name == "coalesce" {
            return Err(0);
        }
        let mut level = 0;
        if let FunctionArguments::List(list) = &mut function.args {
            for argument in &mut list.args {
                if let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument {
                    level = level.max(self.take(argument));
                }
            }
        }
        if !SETS.contains(&&*name) {
            return Err(level);
        }
        let known = self.found.iter().find(|known| known.call == *function);
        let source =
            known.map_or_else(|| format!("rows of {name} {}", self.found.len()), |known| known.name.clone());
        if known.is_none() {
            self.found.push(Lifted { name: source.clone(), level, call: function.clone() });
        }
        let names = [source.as_str(), COLUMN].map(ast::Ident::new);
        Ok((ast::Expr::CompoundIdentifier(names.into()), level + 1))
    }
}

impl Binder<'_> {
    /// Binds a `SELECT` whose targets call functions that give several rows; `None` if none does.
    pub(in crate::bind) fn select_of_sets(
        &mut self,
        select: &ast::Select,
        tail: &Tail<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Option<Bound>, Refusal> {
        let mut lift = Lift::default();
        let mut select = select.clone();
        for item in &mut select.projection {
            match item {
                ast::SelectItem::UnnamedExpr(expr) => {
                    let name = super::implied_name(expr);
                    let before = lift.found.len();
                    lift.take(expr);
                    if lift.found.len() > before || is_lifted(expr) {
                        let alias = ast::Ident::new(name);
                        *item = ast::SelectItem::ExprWithAlias { expr: expr.clone(), alias };
                    }
                }
                ast::SelectItem::ExprWithAlias { expr, .. } => {
                    lift.take(expr);
                }
                _ => {}
            }
        }
        if let ast::GroupByExpr::Expressions(keys, _) = &mut select.group_by {
            lift.take_all(keys);
        }
        let mut order = tail.order.to_vec();
        for key in &mut order {
            lift.take(&mut key.expr);
        }
        if lift.found.is_empty() {
            return Ok(None);
        }
        self.lifted = lift.found;
        self.select(&select, &Tail { order: &order, limit: tail.limit.clone() }, parent).map(Some)
    }

    /// Adds the rows of the calls to `FROM`. Calls that are not in each other's arguments give their rows side by side.
    pub(in crate::bind) fn with_sets(
        &mut self,
        sql: &mut String,
        scope: &mut Scope<'_>,
        lifted: &[Lifted],
    ) -> Result<(), Refusal> {
        let deepest = lifted.iter().map(|one| one.level).max().unwrap_or_default();
        for level in 0..=deepest {
            let calls: Vec<&Lifted> = lifted.iter().filter(|one| one.level == level).collect();
            let factor = match calls.as_slice() {
                [] => continue,
                [only] => self.rows_of(only, scope)?,
                several => self.rows_side_by_side(several, scope)?,
            };
            sql.push_str(if sql.is_empty() { " FROM " } else { " CROSS JOIN " });
            self.join(sql, scope, factor)?;
        }
        Ok(())
    }

    fn rows_of(&mut self, lifted: &Lifted, scope: &Scope<'_>) -> Result<Factor, Refusal> {
        let list = self.list_of_call(&lifted.call, scope)?;
        let mut factor = self.elements(&list, lifted.name.clone(), None)?;
        for range in &mut factor.ranges {
            if let Kind::Value(value) = &range.kind {
                *range = named_range(lifted, value.clone());
            }
        }
        Ok(factor)
    }

    fn rows_side_by_side(&mut self, calls: &[&Lifted], scope: &Scope<'_>) -> Result<Factor, Refusal> {
        let lists = calls.iter().map(|lifted| self.list_of_call(&lifted.call, scope));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        let (mut factor, _, values) = self.side_by_side(lists)?;
        let ranges = calls.iter().zip(values).map(|(lifted, value)| named_range(lifted, value));
        factor.ranges = ranges.collect();
        Ok(factor)
    }

    /// A row for each place of the longest list; where a list is shorter, its value is null. Also returns the place, from 0, and the
    /// values.
    fn side_by_side(&mut self, lists: Vec<Expr>) -> Result<(Factor, Expr, Vec<Expr>), Refusal> {
        let lists = lists.into_iter().map(|list| match &list.type_ {
            Type::Array(_) => list,
            _ => list.with(self.list_of(&list.sql), Type::Array(Box::new(Type::Dynamic))),
        });
        let lists: Vec<Expr> = lists.collect();
        let zero = self.target.integer(0);
        let length = self.target.pick("json_array_length({0})", "jsonb_array_length({0})::bigint");
        let lengths = lists.iter().map(|list| {
            Expr::filled(&format!("coalesce({length}, {zero})"), std::slice::from_ref(list), Type::Int64)
        });
        let lengths: Vec<Expr> = lengths.collect();
        let longest = if lengths.len() == 1 { "{0}" } else { self.target.pick("max({*})", "greatest({*})") };
        let last = Expr::filled(&format!("({longest} - 1)"), &lengths, Type::Int64);
        let places = self.function("generate_array", &[Expr::new(zero, Type::Int64), last])?;
        let factor = self.elements(&places, String::new(), None)?;
        let place = factor.ranges.iter().find_map(|range| match &range.kind {
            Kind::Value(place) => Some(place.clone()),
            Kind::Columns { .. } => None,
        });
        let place = place.expect("the elements of a list have a value");
        let yes = self.target.boolean(true);
        let values = lists.iter().map(|list| {
            let Type::Array(of) = &list.type_ else { return list.clone() };
            let template = format!("wh_at({{0}}, {{1}}, {yes})");
            let json = Expr::filled(&template, &[list.clone(), place.clone()], Type::Dynamic);
            let value = json.with(self.target.unpacked(of, &json.sql), (**of).clone());
            Expr { shape: list.shape.clone(), ..value }
        });
        let values = values.collect();
        Ok((factor, place, values))
    }

    /// A list that `unnest` takes in `FROM`.
    pub(in crate::bind) fn array_in_from(
        &mut self,
        array: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let array = self.expr(array, scope)?.plain("FROM")?;
        if matches!(array.type_, Type::Array(_)) { Ok(array) } else { Err(no_signature("unnest", &[array])) }
    }

    /// Functions in `FROM` whose rows stand side by side, with the numbers of the rows if the query wants them.
    pub(in crate::bind) fn sets_in_from(
        &mut self,
        lists: Vec<Expr>,
        function: &str,
        alias: Option<&ast::TableAlias>,
        with_ordinality: bool,
    ) -> Result<Factor, Refusal> {
        let given = alias.map_or(&[][..], |alias| &alias.columns);
        let most = lists.len() + usize::from(with_ordinality);
        let name = alias.map_or(function, |alias| &alias.name.value).to_owned();
        if given.len() > most {
            return Err(Refusal::invalid(format!(
                "table \"{name}\" has {most} columns available but {} columns specified",
                given.len()
            )));
        }
        if let ([list], false) = (lists.as_slice(), with_ordinality) {
            return match alias.filter(|alias| !alias.columns.is_empty()) {
                Some(alias) => self.elements_as(list, alias),
                // Its only column has a name of its own.
                None if alias.is_none() && name.starts_with("jsonb_array_elements") => {
                    self.elements(list, "value".to_owned(), None)
                }
                None => self.elements(list, name, None),
            };
        }
        // The only function gives its column the name of the table.
        let own = if lists.len() == 1 { name.as_str() } else { "unnest" };
        let own = std::iter::repeat_n(own, lists.len()).chain(["ordinality"]);
        let names =
            own.enumerate().map(|(place, own)| given.get(place).map_or(own, |given| &given.name.value));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let (mut factor, place, mut values) = self.side_by_side(lists)?;
        if with_ordinality {
            values.push(Expr::filled("({0} + 1)", &[place], Type::Int64));
        }
        let columns = names.into_iter().zip(values);
        let columns = columns.map(|(name, value)| (name.clone(), Expr { loose: Some(name), ..value }));
        factor.ranges = vec![Range { name, kind: Kind::Columns { columns: columns.collect(), body: None } }];
        Ok(factor)
    }

    /// `LATERAL (SELECT …)`: its rows are the elements of a list that is made for each row before it.
    pub(in crate::bind) fn rows_of_query(
        &mut self,
        (bound, loose): (Bound, Option<String>),
        alias: Option<&ast::TableAlias>,
    ) -> Result<Factor, Refusal> {
        let columns = match alias {
            Some(alias) => with_names(bound.columns.clone(), alias)?,
            None => bound.columns.clone(),
        };
        let rows = self.as_struct(&bound);
        let list = self.list_of_rows(&rows, loose)?;
        let mut factor = self.elements(&list, String::new(), None)?;
        for range in &mut factor.ranges {
            let Kind::Value(row) = &range.kind else { continue };
            let value = |(place, column): (usize, &crate::Column)| {
                let old = field_key(&bound.columns[place].name, place);
                let sql = self.target.unpacked(&column.type_, &self.target.field(&row.sql, &old));
                let value = row.with(sql, column.type_.clone());
                let loose = Some(column.name.clone());
                (column.name.clone(), Expr { loose, shape: column.shape.clone(), ..value })
            };
            let columns = columns.iter().enumerate().map(value).collect();
            let name = alias.map_or_else(String::new, |alias| alias.name.value.clone());
            *range = Range { name, kind: Kind::Columns { columns, body: None } };
        }
        Ok(factor)
    }

    /// `jsonb_to_recordset(json) AS r(a int, b text)`: the members of objects, as columns of the given types.
    pub(in crate::bind) fn records(
        &mut self,
        name: &str,
        given: &FunctionArg,
        alias: Option<&ast::TableAlias>,
        scope: &Scope<'_>,
    ) -> Result<Factor, Refusal> {
        let FunctionArg::Unnamed(FunctionArgExpr::Expr(json)) = given else {
            return Err(call::unknown_table_function(name));
        };
        let alias = alias.filter(|alias| !alias.columns.is_empty()).ok_or_else(|| {
            Refusal::invalid("a column definition list is required for functions returning \"record\"")
        })?;
        let json = self.expr(json, scope)?.plain("FROM")?;
        let json = if matches!(json.origin, Origin::Text(_)) { self.literal_json(&json)? } else { json };
        if json.type_ != Type::Dynamic {
            return Err(no_signature(name, &[json]));
        }
        let list = match name.ends_with("set") {
            true => Expr::filled("wh_only_list({0})", &[json], Type::Dynamic),
            false => self.array(&[json])?,
        };
        let mut factor = self.elements(&list, String::new(), None)?;
        for range in &mut factor.ranges {
            let Kind::Value(object) = &range.kind else { continue };
            let mut columns = Vec::new();
            for column in &alias.columns {
                let column_name = column.name.value.clone();
                let data_type = column
                    .data_type
                    .as_ref()
                    .ok_or_else(|| Refusal::invalid(format!("the column \"{column_name}\" needs a type")))?;
                let member = self.target.field(&object.sql, &column_name);
                let member = object.with(self.target.unpacked(&Type::Dynamic, &member), Type::Dynamic);
                let value = self.typed(member, data_type)?;
                columns.push((column_name.clone(), Expr { loose: Some(column_name), ..value }));
            }
            let kind = Kind::Columns { columns, body: None };
            *range = Range { name: alias.name.value.clone(), kind };
        }
        Ok(factor)
    }

    fn list_of_call(&mut self, call: &ast::Function, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let name = call.name.to_string().to_lowercase();
        let name = super::of_jsonb(&name).unwrap_or(name);
        match &call.args {
            FunctionArguments::List(list) => self.list_in_from(&name, &list.args, scope),
            _ => Err(call::unknown_table_function(&name)),
        }
    }

    /// A function with a row for each element of a list.
    pub(in crate::bind) fn list_in_from(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let given = arguments.iter().map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(given)) => Some(given),
            _ => None,
        });
        let given: Vec<&ast::Expr> =
            given.collect::<Option<_>>().ok_or_else(|| call::unknown_table_function(name))?;
        if name == "generate_series" && matches!(given.len(), 2 | 3) {
            return self.series(&given, scope);
        }
        if !SETS.contains(&name) {
            return Err(call::unknown_table_function(name));
        }
        let given = given.into_iter().map(|argument| self.expr(argument, scope)?.plain("FROM"));
        let given = given.collect::<Result<Vec<Expr>, Refusal>>()?;
        match (name, given.as_slice()) {
            ("jsonb_array_elements", [list]) if list.type_ == Type::Dynamic => {
                Ok(Expr::filled("wh_only_list({0})", &given, Type::Dynamic))
            }
            ("unnest", [list]) if matches!(list.type_, Type::Array(_)) => Ok(list.clone()),
            ("generate_subscripts", [list, dimension]) if dimension.sql == self.target.integer(1) => {
                let length = self.function("array_length", std::slice::from_ref(list))?;
                let one = Expr::new(self.target.integer(1), Type::Int64);
                self.function("generate_array", &[one, length])
            }
            ("jsonb_array_elements_text" | "jsonb_object_keys", [_]) => self.relational(name, &given),
            ("string_to_table", [_, _]) => self.relational("string_to_array", &given),
            ("regexp_split_to_table", [_, _]) => self.relational("regexp_split_to_array", &given),
            ("jsonb_path_query", [json, path]) => self.along_path(name, json, path),
            ("regexp_matches", [text, pattern, flags @ ..]) if flags.len() < 2 => {
                self.matches_in(text, pattern, flags.first())
            }
            _ => Err(no_signature(name, &given)),
        }
    }

    /// `regexp_matches(text, pattern, flags)`: a list of lists. Without `g` it has one at most.
    fn matches_in(&mut self, text: &Expr, pattern: &Expr, flags: Option<&Expr>) -> Result<Expr, Refusal> {
        let flags = match flags.map(|flags| &flags.origin) {
            None => "",
            Some(Origin::Text(flags)) if flags.chars().all(|flag| matches!(flag, 'g' | 'i')) => flags,
            Some(_) => return Err(Refusal::unsupported("regexp_matches with other flags than g and i")),
        };
        let pattern = match (&pattern.origin, flags.contains('i')) {
            (Origin::Text(pattern), true) => self.literal_text(&format!("(?i){pattern}")),
            (_, true) => {
                return Err(Refusal::unsupported("a flag beside a pattern that is no text in the query"));
            }
            _ => pattern.clone(),
        };
        let name = if flags.contains('g') { "regexp_all_matches" } else { "regexp_first_matches" };
        let rows = self.relational(name, &[text.clone(), pattern])?;
        let groups = Type::Array(Box::new(Type::String));
        Ok(rows.with(&rows.sql, Type::Array(Box::new(groups))))
    }

    /// `generate_series(first, last, step)` of whole numbers or timestamps, as a list.
    fn series(&mut self, ends: &[&ast::Expr], scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let first = self.expr(ends[0], scope)?.plain("FROM")?;
        if first.type_ != Type::Int64 {
            return self.series_of_moments(ends, first.type_ == Type::Date, scope);
        }
        let mut numbers = vec![first];
        for end in &ends[1..] {
            numbers.push(self.expr(end, scope)?.plain("FROM")?);
        }
        self.function("generate_array", &numbers)
    }

    /// The step is an interval, or the text of one.
    fn series_of_moments(
        &mut self,
        ends: &[&ast::Expr],
        of_days: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut given: Vec<ast::Expr> = ends.iter().map(|end| (*end).clone()).collect();
        for end in given.iter_mut().take(if of_days { 2 } else { 0 }) {
            let (kind, zone) = (ast::CastKind::DoubleColon, ast::TimezoneInfo::None);
            let data_type = ast::DataType::Timestamp(None, zone);
            *end = ast::Expr::Cast { kind, expr: Box::new(end.clone()), data_type, format: None };
        }
        if let Some(step) = given.get_mut(2) {
            let inner = match &*step {
                ast::Expr::Cast { expr, data_type: ast::DataType::Interval { .. }, .. } => &**expr,
                other => other,
            };
            if matches!(inner, ast::Expr::Value(_)) {
                let interval = ast::Interval {
                    value: Box::new(inner.clone()),
                    leading_field: None,
                    leading_precision: None,
                    last_field: None,
                    fractional_seconds_precision: None,
                };
                *step = ast::Expr::Interval(interval);
            }
        }
        let given: Vec<&ast::Expr> = given.iter().collect();
        let call = self.moment_call("generate_timestamp_array", &given, scope)?;
        call.ok_or_else(|| no_signature("generate_series", &[]))
    }
}

/// Whether it is a column that stands for a call.
fn is_lifted(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::CompoundIdentifier(names) if names.len() == 2 && names[1].value == COLUMN && names[0].value.starts_with("rows of "))
}

fn named_range(lifted: &Lifted, value: Expr) -> Range {
    let loose = Some(lifted.call.name.to_string());
    let columns = vec![(COLUMN.to_owned(), Expr { loose, ..value })];
    Range { name: lifted.name.clone(), kind: Kind::Columns { columns, body: None } }
}
