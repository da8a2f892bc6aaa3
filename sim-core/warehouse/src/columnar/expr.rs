//! Expressions of the columnar dialect.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, CeilFloorKind, DateTimeField, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArguments, Ident, Query, SelectItem, SetExpr, Subscript, TrimWhereField,
    UnaryOperator, Value,
};

use super::call::{interval_of, moved, truth};
use super::convert::{limits, wrapped};
use super::kinds::{Kind, Part, mixed};
use super::text::{PLACE, divided};
use super::{Writer, is_attributes, name};
use crate::bind::NESTING_MAX;
use crate::refusal::Refusal;

/// The most expressions that the translation of a query writes, those that it writes again included.
const WRITTEN_MAX: usize = 50_000;

/// A part of a text. Places are counted from 1, so nothing begins at 0, and a negative length ends before the end.
pub(super) fn part_of(text: &str, parts: &[String]) -> String {
    let is_plain = |part: &String| part.parse::<u64>().is_ok_and(|place| place > 0);
    let word = if parts.iter().all(is_plain) { "substr" } else { "signed_part" };
    format!("{word}({text}, {})", parts.join(", "))
}

/// Whether a column is called by the expression's own name.
pub(super) fn is_name(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

impl Writer {
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<String, Refusal> {
        if self.depth.get() == NESTING_MAX {
            return Err(Refusal::too_deep());
        }
        // Some forms have an argument twice, so nested ones would double with each level.
        self.written.set(self.written.get() + 1);
        if self.written.get() > WRITTEN_MAX {
            return Err(Refusal::unsupported("a query that repeats itself so often"));
        }
        self.depth.set(self.depth.get() + 1);
        let written = self.form_of(expr);
        self.depth.set(self.depth.get() - 1);
        short_enough(written?)
    }

    fn form_of(&mut self, expr: &Expr) -> Result<String, Refusal> {
        if self.rolling && self.rolled.contains(expr) {
            self.rolling = false;
            let sql = self.form_of(expr);
            self.rolling = true;
            let sql = sql?;
            return Ok(format!("coalesce({sql}, zero_of({sql}))"));
        }
        if self.names.is_unclear() {
            return Err(mixed());
        }
        if self.names.is_exhausted() {
            return Err(Refusal::unsupported("a query that repeats itself so often"));
        }
        if !is_name(expr)
            && let Some(parts) = self.names.interval(expr)
        {
            return self.interval_value(&parts);
        }
        if let Some((one, other)) = divided(expr) {
            return Ok(format!("div({}, {})", self.expr(one)?, self.expr(other)?));
        }
        Ok(match expr {
            Expr::Identifier(column) => {
                match self.aliases.get(&column.value).or_else(|| self.elements_of.get(&column.value)) {
                    Some(meaning) => meaning.clone(),
                    None => match (self.meaning_of(&column.value)?, column.value.to_lowercase().as_str()) {
                        (Some(meaning), _) => meaning,
                        (None, "inf" | "infinity") if column.quote_style.is_none() => {
                            "cast('inf' as float64)".to_owned()
                        }
                        (None, "nan") if column.quote_style.is_none() => "float_divide(0, 0)".to_owned(),
                        (None, _) => self.of_table(name(&column.value)),
                    },
                }
            }
            Expr::CompoundIdentifier(parts) => {
                let column = |parts: &[Ident]| {
                    parts.iter().map(|part| name(&part.value)).collect::<Vec<_>>().join(".")
                };
                match parts.split_last() {
                    Some((part, [.., map])) if is_attributes(&map.value) && part.value == "keys" => {
                        format!("map_keys({})", column(&parts[..parts.len() - 1]))
                    }
                    Some((part, [.., map])) if is_attributes(&map.value) && part.value == "values" => {
                        format!("map_values({})", column(&parts[..parts.len() - 1]))
                    }
                    _ => self.of_table(column(parts)),
                }
            }
            Expr::Value(value) => literal(&value.value)?,
            Expr::Nested(inner) => format!("({})", self.expr(inner)?),
            // It asks for the key itself.
            Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("grouping") => {
                let rolling = std::mem::take(&mut self.rolling);
                let sql = self.call(function);
                self.rolling = rolling;
                sql?
            }
            Expr::Function(function) => self.call(function)?,
            Expr::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => format!("(not {})", self.condition(expr)?),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => format!("(-{})", self.expr(expr)?),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right)?,
            Expr::IsNull(inner) => format!("({} is null)", self.expr(inner)?),
            Expr::IsNotNull(inner) => format!("({} is not null)", self.expr(inner)?),
            Expr::IsTrue(inner) => format!("({} is true)", self.expr(inner)?),
            Expr::IsFalse(inner) => format!("({} is false)", self.expr(inner)?),
            Expr::InList { expr, list, negated } if matches!(**expr, Expr::Tuple(_)) => {
                self.tuple_in(expr, list, *negated)?
            }
            Expr::InList { expr, list, negated } => {
                // A null in the list equals nothing, and makes no answer unknown.
                let is_null = |one: &&Expr| matches!(one, Expr::Value(value) if value.value == Value::Null);
                let list: Vec<_> = list.iter().filter(|one| !is_null(one)).cloned().collect();
                match list.is_empty() {
                    true => negated.to_string(),
                    false => format!("({} {}in ({}))", self.expr(expr)?, not(*negated), self.list(&list)?),
                }
            }
            Expr::InSubquery { expr, subquery, negated } if matches!(**expr, Expr::Tuple(_)) => {
                self.tuple_in_query(expr, subquery, *negated)?
            }
            Expr::InSubquery { expr, subquery, negated } => {
                let inner = self.inner().query(subquery)?;
                format!("({} {}in ({inner}))", self.expr(expr)?, not(*negated))
            }
            Expr::Between { expr, negated, low, high } => {
                let (expr, low, high) = (self.expr(expr)?, self.expr(low)?, self.expr(high)?);
                let (_, low) = of_one_kind(&expr, low);
                let (expr, high) = of_one_kind(&expr, high);
                format!("({expr} {}between {low} and {high})", not(*negated))
            }
            Expr::RLike { negated, expr, pattern, .. } => {
                let found = format!("regexp_contains({}, {})", self.expr(expr)?, self.expr(pattern)?);
                if *negated { format!("(not {found})") } else { found }
            }
            Expr::Tuple(values) if self.names.is_mixed(&values.iter().collect::<Vec<_>>()) => {
                return Err(mixed());
            }
            Expr::Tuple(_) => {
                let elements = self.tuple_of(expr)?.unwrap_or_default();
                tuple(&elements)
            }
            Expr::Like { negated, expr, pattern, escape_char: None, any: false } => {
                format!("({} {}like {})", self.expr(expr)?, not(*negated), self.expr(pattern)?)
            }
            Expr::ILike { negated, expr, pattern, escape_char: None, any: false } => {
                format!("(lower({}) {}like lower({}))", self.expr(expr)?, not(*negated), self.expr(pattern)?)
            }
            Expr::Case { conditions, else_result, .. }
                if self.names.is_mixed(
                    &conditions
                        .iter()
                        .map(|when| &when.result)
                        .chain(else_result.as_deref())
                        .collect::<Vec<_>>(),
                ) =>
            {
                return Err(Refusal::unsupported("CASE of intervals: write if or multiIf"));
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                let mut sql = "case".to_owned();
                if let Some(operand) = operand {
                    sql.push_str(&format!(" {}", self.expr(operand)?));
                }
                for when in conditions {
                    let condition = match operand {
                        Some(_) => self.expr(&when.condition)?,
                        None => self.condition(&when.condition)?,
                    };
                    let result = self.expr(&when.result)?;
                    sql.push_str(&format!(" when {condition} then {result}"));
                }
                if let Some(result) = else_result {
                    sql.push_str(&format!(" else {}", self.expr(result)?));
                }
                format!("{sql} end")
            }
            Expr::Cast { kind, expr, data_type, format: None, .. } => {
                let safe = !matches!(kind, CastKind::Cast | CastKind::DoubleColon);
                converted(&self.expr(expr)?, &data_type.to_string(), safe)?
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let parts = [substring_from, substring_for].into_iter().flatten();
                let parts = parts.map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
                part_of(&self.expr(expr)?, &parts)
            }
            Expr::Position { expr, r#in } => format!("strpos({}, {})", self.expr(r#in)?, self.expr(expr)?),
            Expr::Extract { field, expr, .. } => {
                let at = format!("as_moment({})", self.expr(expr)?);
                match field.to_string().to_lowercase().as_str() {
                    "dow" => format!("(extract(dayofweek from {at}) - 1)"),
                    "isodow" => format!("(mod(extract(dayofweek from {at}) + 5, 7) + 1)"),
                    "doy" => format!("extract(dayofyear from {at})"),
                    "epoch" => format!("unix_seconds({at})"),
                    "week" => format!("extract(isoweek from {at})"),
                    _ => format!("extract({} from {at})", unit(field)?),
                }
            }
            Expr::Trim { trim_where, trim_what, expr, trim_characters: None } => {
                let word = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    Some(TrimWhereField::Both) | None => "trim",
                };
                let what = trim_what.as_ref().map(|what| self.expr(what)).transpose()?;
                let what = what.map(|what| format!(", {what}")).unwrap_or_default();
                format!("{word}({}{what})", self.expr(expr)?)
            }
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                format!("ceil({})", self.expr(expr)?)
            }
            Expr::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                format!("floor({})", self.expr(expr)?)
            }
            Expr::Ceil { expr, field: CeilFloorKind::Scale(places) } => {
                self.rounded("ceil", expr, &places.value)?
            }
            Expr::Floor { expr, field: CeilFloorKind::Scale(places) } => {
                self.rounded("floor", expr, &places.value)?
            }
            Expr::IsDistinctFrom(left, right) => {
                format!("({} is distinct from {})", self.expr(left)?, self.expr(right)?)
            }
            Expr::IsNotDistinctFrom(left, right) => {
                format!("({} is not distinct from {})", self.expr(left)?, self.expr(right)?)
            }
            Expr::TypedString(typed) => match typed.data_type.to_string().as_str() {
                "DATE" => format!("date({})", literal(&typed.value.value)?),
                "TIMESTAMP" | "DATETIME" => format!("cast({} as timestamp)", literal(&typed.value.value)?),
                other => return Err(Refusal::unsupported(&format!("a text of the type {other}"))),
            },
            Expr::Array(array) if self.names.is_mixed(&array.elem.iter().collect::<Vec<_>>()) => {
                return Err(Refusal::unsupported("a list of intervals"));
            }
            Expr::Subquery(query)
                if self.kinds_of(query).values().any(|kind| !matches!(kind, Kind::State(_))) =>
            {
                return Err(Refusal::unsupported("a query in brackets that gives an interval"));
            }
            Expr::Array(array) => format!("[{}]", self.list(&array.elem)?),
            Expr::Subquery(query) => format!("({})", self.inner().query(query)?),
            Expr::Exists { subquery, negated } => {
                format!("({}exists ({}))", not(*negated), self.inner().query(subquery)?)
            }
            other => return Err(Refusal::unsupported(&other.to_string())),
        })
    }

    /// A column of a table, as it is written here.
    pub(super) fn of_table(&self, column: String) -> String {
        let after = self.behind.as_ref().and_then(|behind| behind.written(&column));
        after.cloned().unwrap_or(column)
    }

    /// A condition: a number is true unless it is zero.
    pub(super) fn condition(&mut self, expr: &Expr) -> Result<String, Refusal> {
        let sql = self.expr(expr)?;
        let may_be_number = match expr {
            Expr::BinaryOp { op, .. } => matches!(
                op,
                BinaryOperator::Plus
                    | BinaryOperator::Minus
                    | BinaryOperator::Multiply
                    | BinaryOperator::Divide
                    | BinaryOperator::Modulo
            ),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_) | Expr::Function(_) => true,
            Expr::Case { .. } | Expr::Cast { .. } | Expr::Subquery(_) | Expr::CompoundFieldAccess { .. } => {
                true
            }
            _ => false,
        };
        Ok(if may_be_number { truth(&sql) } else { sql })
    }

    /// `floor(x, 2)`
    fn rounded(&mut self, function: &str, expr: &Expr, places: &Value) -> Result<String, Refusal> {
        let Value::Number(places, _) = places else {
            return Err(Refusal::unsupported(&format!("{function} to {places}")));
        };
        let value = self.expr(expr)?;
        Ok(format!("({function}({value} * pow(10, {places})) / pow(10, {places}))"))
    }

    /// The elements of a written tuple.
    pub(super) fn tuple_of(&mut self, expr: &Expr) -> Result<Option<Vec<String>>, Refusal> {
        match expr {
            Expr::Nested(inner) => self.tuple_of(inner),
            Expr::Tuple(values) => {
                values.iter().map(|value| self.expr(value)).collect::<Result<_, _>>().map(Some)
            }
            Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("tuple") => {
                let FunctionArguments::List(list) = &function.args else { return Ok(None) };
                self.arguments(&list.args).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `(a, b) in (select x, y …)`
    fn tuple_in_query(&mut self, tuple: &Expr, query: &Query, negated: bool) -> Result<String, Refusal> {
        let parts = self.tuple_of(tuple)?.unwrap_or_default();
        let SetExpr::Select(select) = &*query.body else {
            return Err(Refusal::unsupported("a tuple in a set operation"));
        };
        let column = |item: &SelectItem| match item {
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => Some(names.last()?.value.clone()),
            SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name.value.clone()),
            SelectItem::UnnamedExpr(expr) => Some(expr.to_string()),
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            _ => None,
        };
        let columns: Option<Vec<_>> = select.projection.iter().map(column).collect();
        let columns = columns.filter(|columns| columns.len() == parts.len()).ok_or_else(|| {
            Refusal::invalid(format!("The query after IN must have {} columns, as {tuple}", parts.len()))
        })?;
        let same =
            parts.iter().zip(&columns).map(|(part, column)| format!("{part} = row_in.{}", name(column)));
        let same = same.collect::<Vec<_>>().join(" and ");
        let inner = self.inner().query(query)?;
        Ok(format!("({}exists (select 1 from ({inner}) as row_in where {same}))", not(negated)))
    }

    /// `(a, b) in ((1, 2), (3, 4))`
    fn tuple_in(&mut self, tuple: &Expr, list: &[Expr], negated: bool) -> Result<String, Refusal> {
        let Expr::Tuple(parts) = tuple else { return Err(Refusal::unsupported(&tuple.to_string())) };
        let parts = parts.iter().map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
        let mut any = Vec::new();
        for one in list {
            let Expr::Tuple(values) = one else { return Err(Refusal::unsupported(&one.to_string())) };
            if values.len() != parts.len() {
                return Err(Refusal::invalid(format!("{one} and {tuple} differ in length")));
            }
            let mut all = Vec::new();
            for (part, value) in parts.iter().zip(values) {
                all.push(format!("{part} = {}", self.expr(value)?));
            }
            any.push(format!("({})", all.join(" and ")));
        }
        Ok(format!("({}({}))", not(negated), any.join(" or ")))
    }

    pub(super) fn list(&mut self, list: &[Expr]) -> Result<String, Refusal> {
        let list = list.iter().map(|one| self.expr(one)).collect::<Result<Vec<_>, _>>()?;
        Ok(list.join(", "))
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<String, Refusal> {
        if let Some(sql) = self.with_interval(left, op, right)? {
            return Ok(sql);
        }
        if let (BinaryOperator::Plus | BinaryOperator::Minus, true) = (op, is_day(left) && !is_day(right)) {
            let (at, count) = (self.expr(left)?, self.expr(right)?);
            return Ok(moved(&at, &count, "day", *op == BinaryOperator::Minus));
        }
        if let (BinaryOperator::Eq | BinaryOperator::NotEq, Some(these), Some(those)) =
            (op, self.tuple_of(left)?, self.tuple_of(right)?)
        {
            if these.len() != those.len() {
                return Err(Refusal::invalid(format!("{left} and {right} differ in length")));
            }
            let same = these.iter().zip(&those).map(|(this, that)| format!("{this} = {that}"));
            let same = same.collect::<Vec<_>>().join(" and ");
            return Ok(format!("({}({same}))", not(*op == BinaryOperator::NotEq)));
        }
        if matches!(op, BinaryOperator::And | BinaryOperator::Or) {
            return self.logic(left, op, right);
        }
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Ok(match op {
            BinaryOperator::Spaceship => format!("({left} is not distinct from {right})"),
            BinaryOperator::Divide => format!("float_divide({left}, {right})"),
            BinaryOperator::StringConcat => format!("plain_concat({left}, {right})"),
            // A timestamp with a number of seconds, or the seconds between two.
            BinaryOperator::Plus => format!("moved_by({left}, {right}, 1)"),
            BinaryOperator::Minus => format!("moved_by({left}, {right}, -1)"),
            BinaryOperator::Gt
            | BinaryOperator::Lt
            | BinaryOperator::GtEq
            | BinaryOperator::LtEq
            | BinaryOperator::Eq
            | BinaryOperator::NotEq => {
                // A list stands in the query on one side.
                let is_list = |sql: &str| sql.starts_with('[') || sql.starts_with("array(");
                if is_list(&left) || is_list(&right) {
                    match op {
                        BinaryOperator::Eq => return Ok(format!("lists_equal({left}, {right})")),
                        BinaryOperator::NotEq => return Ok(format!("(not lists_equal({left}, {right}))")),
                        _ => return Err(Refusal::unsupported("an order of lists")),
                    }
                }
                let (left, right) = of_one_kind(&left, right);
                format!("({left} {op} {right})")
            }
            BinaryOperator::Modulo => format!("plain_mod({left}, {right})"),
            BinaryOperator::MyIntegerDivide => format!("div({left}, {right})"),
            BinaryOperator::Multiply => format!("times({left}, {right})"),
            _ => return Err(Refusal::unsupported(&format!("the operator {op}"))),
        })
    }

    /// An operation with an interval on one of its sides, or a comparison of two.
    fn with_interval(
        &mut self,
        left: &Expr,
        op: &BinaryOperator,
        right: &Expr,
    ) -> Result<Option<String>, Refusal> {
        let parts = (self.names.interval(left), self.names.interval(right));
        let is_sum = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus);
        match parts {
            (None, None) => Ok(None),
            (None, Some(by)) if is_sum => {
                let at = self.expr(left)?;
                self.moved_by(at, &by, *op == BinaryOperator::Minus).map(Some)
            }
            (Some(by), None) if *op == BinaryOperator::Plus => {
                let at = self.expr(right)?;
                self.moved_by(at, &by, false).map(Some)
            }
            (Some(_), Some(_)) => {
                let is_comparison = matches!(
                    op,
                    BinaryOperator::Eq
                        | BinaryOperator::NotEq
                        | BinaryOperator::Lt
                        | BinaryOperator::LtEq
                        | BinaryOperator::Gt
                        | BinaryOperator::GtEq
                );
                match self.intervals_to_compare(left, right)? {
                    Some((left, right)) if is_comparison => Ok(Some(format!("({left} {op} {right})"))),
                    _ => Err(Refusal::unsupported(&format!("the operator {op} of intervals"))),
                }
            }
            _ => Err(Refusal::invalid(format!("Illegal types of the arguments of {op}: {left} and {right}"))),
        }
    }

    /// A timestamp or day moved by the parts of an interval, one after another.
    pub(super) fn moved_by(&mut self, at: String, by: &[Part], back: bool) -> Result<String, Refusal> {
        let mut at = at;
        for (count, unit) in by {
            let count = self.expr(count)?;
            at = short_enough(moved(&at, &count, unit, back))?;
        }
        Ok(at)
    }

    /// A chain of one operator, without brackets inside, so that it nests no deeper than its terms.
    fn logic(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<String, Refusal> {
        let mut operands = vec![right];
        let mut rest = left;
        while let Expr::BinaryOp { left, op: inner, right } = rest
            && inner == op
        {
            operands.push(right);
            rest = left;
        }
        operands.push(rest);
        let terms = operands.iter().rev().map(|operand| self.condition(operand));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        Ok(format!("({})", terms.join(&format!(" {op} "))))
    }

    /// The value of a key in a map, empty where there is none, or the element of a list, counted from 1.
    fn access(&mut self, root: &Expr, chain: &[AccessExpr]) -> Result<String, Refusal> {
        let mut sql = self.expr(root)?;
        for step in chain {
            let index = match step {
                AccessExpr::Subscript(Subscript::Index { index }) => index,
                AccessExpr::Dot(Expr::Identifier(field)) => {
                    sql = format!("{sql}.{}", name(&field.value));
                    continue;
                }
                _ => return Err(Refusal::unsupported(&format!("{root}{step}"))),
            };
            if let Expr::Function(call) = index
                && call.name.to_string() == PLACE
                && let FunctionArguments::List(list) = &call.args
            {
                sql = format!("tuple_element({sql}, {})", self.arguments(&list.args)?.join(", "));
                continue;
            }
            let key = self.expr(index)?;
            sql = match index {
                Expr::Value(value) if matches!(value.value, Value::Number(..)) => {
                    or_empty(format!("{sql}[safe_ordinal({key})]"))
                }
                // Counted from the end.
                Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(&**expr, Expr::Value(value) if matches!(value.value, Value::Number(..))) => {
                    or_empty(format!("array_reverse({sql})[safe_ordinal({})]", self.expr(expr)?))
                }
                // Other values than texts are in maps that the query makes.
                _ if sql.starts_with("map_of(") => format!("map_value({sql}, {key})"),
                _ => format!("coalesce(map_text({sql}, {key}), '')"),
            };
            sql = short_enough(sql)?;
        }
        Ok(sql)
    }
}

/// Refuses what is too long. Many forms have their arguments several times, so nested ones would multiply.
fn short_enough(sql: String) -> Result<String, Refusal> {
    /// The most bytes of an expression.
    const BYTES_MAX: usize = 200_000;
    if sql.len() > BYTES_MAX { Err(Refusal::syntax("the query has too long an expression")) } else { Ok(sql) }
}

/// An element of a list that is not there is an empty text, or zero.
pub(super) fn or_empty(element: String) -> String {
    format!("coalesce({element}, zero_of({element}))")
}

/// A tuple. Its elements have no names, as those of calls have none.
pub(super) fn tuple(elements: &[String]) -> String {
    let elements = elements.iter().map(|element| format!("coalesce({element})"));
    format!("struct({})", elements.collect::<Vec<_>>().join(", "))
}

/// Operands of a comparison: where one may be a day and the other is a timestamp, the day is its beginning.
fn of_one_kind(left: &str, right: String) -> (String, String) {
    if !left.contains("date(") && !right.contains("date(") {
        return (left.to_owned(), right);
    }
    (format!("same_moment({left}, {right})"), format!("same_moment({right}, {left})"))
}

/// Whether it is a call that gives a day.
pub(super) fn is_day(expr: &Expr) -> bool {
    const DAYS: [&str; 8] = [
        "today",
        "yesterday",
        "todate",
        "tomonday",
        "tostartofweek",
        "tostartofmonth",
        "tostartofquarter",
        "tostartofyear",
    ];
    match expr {
        Expr::Nested(inner) => is_day(inner),
        Expr::Function(call) if starts_interval(call).is_some() => {
            matches!(starts_interval(call), Some("week" | "month" | "quarter" | "year"))
        }
        Expr::Function(call) => DAYS.contains(&call.name.to_string().to_lowercase().as_str()),
        _ => false,
    }
}

/// The unit of `toStartOfInterval` or `date_trunc`.
fn starts_interval(call: &Function) -> Option<&'static str> {
    let FunctionArguments::List(list) = &call.args else { return None };
    let argument = |index: usize| match list.args.get(index)? {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    };
    match call.name.to_string().to_lowercase().as_str() {
        "tostartofinterval" => interval_of(argument(1)?).map(|(_, unit)| unit),
        "date_trunc" | "datetrunc" => unit_named(argument(0)?.to_string().trim_matches('\'')),
        _ => None,
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "not " } else { "" }
}

/// A unit of time by the warehouse's name.
pub(super) fn unit(field: &DateTimeField) -> Result<&'static str, Refusal> {
    unit_named(&field.to_string()).ok_or_else(|| Refusal::unsupported(&format!("the unit {field}")))
}

pub(super) fn unit_named(name: &str) -> Option<&'static str> {
    const UNITS: [&str; 10] =
        ["microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    let name = name.to_lowercase();
    let short = match name.as_str() {
        "us" | "u" => "microsecond",
        "ms" => "millisecond",
        "ss" | "s" => "second",
        "mi" | "n" => "minute",
        "hh" | "h" => "hour",
        "dd" | "d" => "day",
        "wk" | "ww" => "week",
        "mm" | "m" => "month",
        "qq" | "q" => "quarter",
        "yyyy" | "yy" => "year",
        name => name,
    };
    UNITS.into_iter().find(|unit| short == *unit || short.strip_suffix('s') == Some(*unit))
}

fn literal(value: &Value) -> Result<String, Refusal> {
    Ok(match value {
        Value::SingleQuotedString(text) => quoted(text),
        Value::DollarQuotedString(text) => quoted(&text.value),
        Value::Number(..) | Value::Boolean(_) | Value::Null => value.to_string(),
        Value::HexStringLiteral(digits) => match i64::from_str_radix(digits, 16) {
            Ok(number) => number.to_string(),
            Err(_) => return Err(Refusal::unsupported(&format!("the literal 0x{digits}"))),
        },
        _ => return Err(Refusal::unsupported(&format!("the literal {value}"))),
    })
}

/// A text as the warehouse quotes it.
pub(super) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{text}'")
}

/// The value in a type by the dialect's name.
pub(super) fn converted(value: &str, type_: &str, safe: bool) -> Result<String, Refusal> {
    let printed = type_.to_lowercase();
    let inner = ["nullable(", "lowcardinality("].into_iter().fold(printed.as_str(), |name, wrap| {
        name.strip_prefix(wrap).map_or(name, |rest| rest.strip_suffix(')').unwrap_or(rest))
    });
    let known = match inner {
        name if name.starts_with("int") || name.starts_with("uint") => "int64",
        name if name.starts_with("float") || name.starts_with("decimal") || name == "double" => "float64",
        "string" | "text" | "varchar" | "uuid" => "string",
        name if name.starts_with("datetime") || name == "timestamp" => "timestamp",
        "date" | "date32" => "date",
        "bool" | "boolean" => "bool",
        _ => return Err(Refusal::unsupported(&format!("the type {type_}"))),
    };
    let bits = inner.trim_start_matches(|sign: char| !sign.is_ascii_digit());
    let unsigned = inner.starts_with('u');
    Ok(match (safe, known) {
        (true, "int64") => {
            let (least, most) = limits(unsigned, bits);
            format!("whole_in(plain_text({value}), {least}, {most})")
        }
        (true, _) => format!("safe_cast({value} as {known})"),
        (false, "int64") => wrapped(value, unsigned, bits),
        (false, "string") => format!("plain_text({value})"),
        (false, _) => format!("cast({value} as {known})"),
    })
}
