//! Frames of windows.

use rusqlite::types::Value;
use sqlparser::ast::{self, BinaryOperator, DataType, Spanned as _, WindowFrameBound, WindowFrameUnits};

use super::apart::{Apart, Reach};
use crate::bind::{Binder, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::plpgsql::PARAMETER;
use crate::tree::{Expr, Key, Node, Order};
use crate::types::Type;
use crate::value::interval::Interval;

const DAY: i64 = 86_400_000_000;

const INTERVAL: &str = "interval";

const NEGATIVE: &str = "invalid preceding or following size in window function";

/// The state of refused sizes of frames.
const INVALID_SIZE: SqlState = SqlState::new("22013");

/// A distance of a bound.
enum Distance {
    /// As SQLite has it.
    Fixed(String),
    /// One that SQLite can't compute, and one that is at least as long, if it is known.
    Computed(Expr, Option<String>),
}

/// A bound: how SQLite has it, which may be wider, and the distance if it is.
struct Bound {
    text: String,
    reach: Option<Reach>,
}

/// What a distance is added to.
#[derive(Clone, Copy)]
struct Measure {
    units: WindowFrameUnits,
    /// The type of the rows' order.
    key: Type,
}

impl Binder<'_> {
    /// A frame as SQLite has it, and what it can't say of it.
    pub(super) fn frame(
        &mut self,
        scope: &Scope<'_>,
        frame: &ast::WindowFrame,
        order: &[Order],
    ) -> Result<(String, Option<Apart>)> {
        self.check_ends(frame)?;
        let by_distance = [Some(&frame.start_bound), frame.end_bound.as_ref()]
            .into_iter()
            .flatten()
            .any(|bound| distance_of(bound).is_some());
        if frame.units == WindowFrameUnits::Groups && order.is_empty() {
            return Err(windowing("GROUPS mode requires an ORDER BY clause"));
        }
        if frame.units == WindowFrameUnits::Range && by_distance && order.len() != 1 {
            let message = "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column";
            return Err(windowing(message));
        }
        let key = match order.first().map(|order| &order.key) {
            Some(Key::Expr(expr)) => self.catalog.base_type(expr.type_),
            _ => Type::UNKNOWN,
        };
        let measure = Measure { units: frame.units, key };
        let start = self.bound(scope, &frame.start_bound, measure, true)?;
        let end = frame.end_bound.as_ref().map(|end| self.bound(scope, end, measure, false)).transpose()?;
        let (end, end_reach) = end.map_or((None, None), |end| (Some(end.text), end.reach));
        let end = end.or_else(|| start.reach.is_some().then(|| "CURRENT ROW".to_owned()));
        let text = match end {
            Some(end) => format!("{} BETWEEN {} AND {end}", frame.units, start.text),
            None => format!("{} {}", frame.units, start.text),
        };
        let computed = start.reach.is_some() || end_reach.is_some();
        let apart = order.first().filter(|_| computed).map(|key| Apart {
            key: key.clone(),
            start: start.reach,
            end: end_reach,
        });
        Ok((text, apart))
    }

    /// Refuses frames whose end is before their start.
    fn check_ends(&self, frame: &ast::WindowFrame) -> Result<()> {
        use WindowFrameBound::{CurrentRow, Following, Preceding};
        let (start, end) = (&frame.start_bound, frame.end_bound.as_ref());
        let (message, at) = match (start, end.unwrap_or(&CurrentRow)) {
            (Following(None), _) => ("frame start cannot be UNBOUNDED FOLLOWING", start),
            (_, Preceding(None)) => ("frame end cannot be UNBOUNDED PRECEDING", start),
            (Following(Some(_)), CurrentRow) if end.is_none() => {
                ("frame starting from following row cannot end with current row", start)
            }
            (CurrentRow, end @ Preceding(_)) => {
                ("frame starting from current row cannot have preceding rows", end)
            }
            (Following(_), end @ (CurrentRow | Preceding(_))) => {
                ("frame starting from following row cannot have preceding rows", end)
            }
            _ => return Ok(()),
        };
        let at = distance_of(at).and_then(|distance| self.place(distance.span().start));
        Err(windowing(message).at(at))
    }

    fn bound(
        &mut self,
        scope: &Scope<'_>,
        written: &WindowFrameBound,
        measure: Measure,
        starts: bool,
    ) -> Result<Bound> {
        let preceding = matches!(written, WindowFrameBound::Preceding(_));
        let word = if preceding { "PRECEDING" } else { "FOLLOWING" };
        let plain = |text: String| Bound { text, reach: None };
        let Some(distance) = distance_of(written) else {
            return Ok(plain(match written {
                WindowFrameBound::CurrentRow => "CURRENT ROW".to_owned(),
                _ => format!("UNBOUNDED {word}"),
            }));
        };
        let (distance, wider) = match self.distance(scope, distance, measure, starts)? {
            Distance::Fixed(text) => return Ok(plain(format!("{text} {word}"))),
            Distance::Computed(distance, wider) => (distance, wider),
        };
        let text = match wider {
            Some(wider) if starts == preceding => format!("{wider} {word}"),
            // A bound on the other side of the row.
            Some(_) => "CURRENT ROW".to_owned(),
            None => format!("UNBOUNDED {}", if starts { "PRECEDING" } else { "FOLLOWING" }),
        };
        Ok(Bound { text, reach: Some(Reach { distance, preceding }) })
    }

    fn distance(
        &mut self,
        scope: &Scope<'_>,
        written: &ast::Expr,
        measure: Measure,
        starts: bool,
    ) -> Result<Distance> {
        let at = match written {
            // An interval itself has no place.
            ast::Expr::Interval(interval) => self.place(interval.value.span().start),
            written => self.place(written.span().start),
        };
        let text = at.and_then(|at| self.source.text.get(..at)).unwrap_or_default().trim_end();
        // The parser takes any text for an interval.
        let (written, at) = match written {
            ast::Expr::Interval(_) if ends_with_word(text, INTERVAL) => {
                (written, Some(text.len() - INTERVAL.len()))
            }
            ast::Expr::Interval(interval) => (&*interval.value, at),
            written => (written, at),
        };
        let expr = self.expr(scope, written)?.at(at);
        let by_value = measure.units == WindowFrameUnits::Range;
        let expr = if by_value { self.of_values(expr, measure.key) } else { self.of_rows(expr, measure) }
            .map_err(|error| error.at(at))?;
        if expr.any(&mut |part| matches!(part.node, Node::Column { .. })) {
            let message = format!("argument of {} must not contain variables", measure.units);
            return Err(SqlError::new(SqlState::new("42P10"), message).at(at));
        }
        let which = if starts { "starting" } else { "ending" };
        if expr.is_null_literal() {
            if matches!(
                written,
                ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Placeholder(_), .. })
            ) {
                return Err(SqlError::unsupported("a frame whose distance is not known yet"));
            }
            let message = format!("frame {which} offset must not be null");
            return Ok(self.never(SqlError::new(SqlState::new("22004"), message)));
        }
        let fixed = match (&expr.node, whole(written)) {
            (Node::Literal(Value::Integer(number)), _) => Some(*number),
            (_, whole) if expr.type_ == Type::INT8 => whole,
            _ => None,
        };
        match fixed {
            Some(..0) if by_value => return Ok(self.never(SqlError::new(INVALID_SIZE, NEGATIVE))),
            Some(..0) => {
                let message = format!("frame {which} offset must not be negative");
                return Ok(self.never(SqlError::new(INVALID_SIZE, message)));
            }
            Some(number) => return Ok(Distance::Fixed(number.to_string())),
            None => {}
        }
        match (&expr.node, expr.type_) {
            (Node::Literal(Value::Real(number)), _) if *number < 0.0 => {
                Ok(self.never(SqlError::new(INVALID_SIZE, NEGATIVE)))
            }
            (Node::Literal(Value::Real(number)), Type::FLOAT8) => Ok(Distance::Fixed(format!("{number:?}"))),
            (_, Type::INTERVAL) => self.span(expr, folded(written)?, measure.key),
            _ if by_value => Ok(Distance::Computed(self.not_negative(expr)?, None)),
            _ => match parameter(&expr) {
                Some(number) => Ok(Distance::Fixed(format!("?{number}"))),
                None => Err(SqlError::unsupported("a window frame with a computed distance")),
            },
        }
    }

    /// A distance that no row can have: the statement is refused when it runs.
    fn never(&mut self, refusal: SqlError) -> Distance {
        self.refuse(refusal);
        Distance::Fixed("0".to_owned())
    }

    /// The distance of a frame by values of a type.
    fn of_values(&self, expr: Expr, key: Type) -> Result<Expr> {
        let wanted = match key {
            Type::NUMERIC => Type::NUMERIC,
            Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::INTERVAL => Type::INTERVAL,
            key if key.is_integer() => Type::INT8,
            key if key.is_float() => Type::FLOAT8,
            Type::TIME | Type::TIMETZ => {
                return Err(SqlError::unsupported("a RANGE frame by distance for this type"));
            }
            key => return Err(not_by_distance(&self.catalog.type_name(key, -1), None)),
        };
        let given = expr.type_;
        match self.coerce(expr, wanted.plain(), Context::Implicit)? {
            Some(expr) => Ok(expr),
            None => {
                let names = [key, given].map(|type_| self.catalog.type_name(type_, -1));
                Err(not_by_distance(&names[0], Some(&names[1])))
            }
        }
    }

    /// The distance of a frame by rows or groups.
    fn of_rows(&self, expr: Expr, measure: Measure) -> Result<Expr> {
        let given = expr.type_;
        self.coerce(expr, Type::INT8.plain(), Context::Assignment)?.ok_or_else(|| {
            let name = self.catalog.type_name(given, -1);
            let message = format!("argument of {} must be type bigint, not type {name}", measure.units);
            SqlError::new(SqlState::DATATYPE_MISMATCH, message)
        })
    }

    /// A distance in time, and its value if it is known.
    fn span(&mut self, expr: Expr, known: Option<Interval>, key: Type) -> Result<Distance> {
        let Some(interval) = known else { return Ok(Distance::Computed(self.not_negative(expr)?, None)) };
        if interval.length() < 0 {
            return Ok(self.never(SqlError::new(INVALID_SIZE, NEGATIVE)));
        }
        let Interval { months, days, micros } = interval;
        let length = |days: i64| days.saturating_mul(DAY).saturating_add(micros);
        // Dates are whole days: the rest of a day reaches no further one.
        let unit = if key == Type::DATE { DAY } else { 1 };
        let clear = months >= 0 && days >= 0 && micros >= 0;
        Ok(match months {
            0 if key != Type::INTERVAL && length(days) >= 0 => {
                Distance::Fixed((length(days) / unit).to_string())
            }
            // A month has at most 31 days, and a day may have some more hours.
            _ if clear && key != Type::INTERVAL => {
                let days = months.saturating_mul(31).saturating_add(days).saturating_add(2);
                Distance::Computed(expr, Some((length(days) / unit).to_string()))
            }
            _ => Distance::Computed(expr, None),
        })
    }

    /// The distance, if it is not negative when the query runs.
    fn not_negative(&mut self, distance: Expr) -> Result<Expr> {
        let type_ = distance.type_;
        self.once(distance, |binder, distance| {
            let zero = binder.implicit(Expr::new(Node::Untyped("0".to_owned()), Type::UNKNOWN), type_)?;
            let negative = binder.operation("<", distance.clone(), zero)?;
            let text = "(CASE WHEN {0} THEN pg_raise('22013', \
                        'invalid preceding or following size in window function', NULL) ELSE {1} END)";
            Ok(Expr::template(text, vec![negative, distance], type_))
        })
    }
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let start = text.len().saturating_sub(word.len());
    text.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word))
}

fn windowing(message: &str) -> SqlError {
    SqlError::new(SqlState::new("42P20"), message)
}

fn not_by_distance(key: &str, distance: Option<&str>) -> SqlError {
    let message = format!("RANGE with offset PRECEDING/FOLLOWING is not supported for column type {key}");
    match distance {
        None => SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message),
        Some(distance) => {
            let message = format!("{message} and offset type {distance}");
            SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                .hint("Cast the offset value to an appropriate type.")
        }
    }
}

fn distance_of(bound: &WindowFrameBound) -> Option<&ast::Expr> {
    match bound {
        WindowFrameBound::Preceding(distance) | WindowFrameBound::Following(distance) => distance.as_deref(),
        WindowFrameBound::CurrentRow => None,
    }
}

/// The number of the parameter that stands for a variable.
fn parameter(expr: &Expr) -> Option<i64> {
    match &expr.node {
        Node::Template { text: PARAMETER, operands } => match &operands[..] {
            [Expr { node: Node::Literal(Value::Integer(number)), .. }] => Some(*number),
            _ => None,
        },
        Node::Cast { expr, .. } if expr.type_.is_integer() => parameter(expr),
        _ => None,
    }
}

/// The value of integers that are written out and added or multiplied.
fn whole(written: &ast::Expr) -> Option<i64> {
    match written {
        ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Number(digits, _), .. }) => {
            digits.to_string().parse().ok()
        }
        ast::Expr::Nested(inner) => whole(inner),
        ast::Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr } => whole(expr)?.checked_neg(),
        ast::Expr::BinaryOp { left, op, right } => {
            let (left, right) = (whole(left)?, whole(right)?);
            match op {
                BinaryOperator::Plus => left.checked_add(right),
                BinaryOperator::Minus => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of intervals that are written out and added.
fn folded(written: &ast::Expr) -> Result<Option<Interval>> {
    let value = match written {
        ast::Expr::Interval(interval) if interval.leading_field.is_none() => &interval.value,
        ast::Expr::Cast { expr, data_type: DataType::Interval { fields: None, precision: None }, .. } => expr,
        ast::Expr::Nested(inner) => return folded(inner),
        ast::Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
            let (Some(left), Some(right)) = (folded(left)?, folded(right)?) else { return Ok(None) };
            let minus = *op == BinaryOperator::Minus;
            let sum = |a: i64, b: i64| if minus { a.checked_sub(b) } else { a.checked_add(b) };
            let parts = (sum(left.months, right.months), sum(left.days, right.days));
            let ((Some(months), Some(days)), Some(micros)) = (parts, sum(left.micros, right.micros)) else {
                return Ok(None);
            };
            return Ok(Some(Interval { months, days, micros }));
        }
        other => other,
    };
    match value {
        ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::SingleQuotedString(text), .. }) => {
            Interval::parse(text).map(Some)
        }
        _ => Ok(None),
    }
}
