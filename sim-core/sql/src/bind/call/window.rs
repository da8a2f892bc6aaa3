//! Windows of aggregates, and the order of their rows.

use sqlparser::ast::{self, Spanned as _, WindowFrameBound, WindowType};

use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::readable::EXCLUDES;
use crate::source::name;
use crate::tree::{Key, Order, Window};
use crate::types::Type;
use crate::value::interval::Interval;

impl Binder<'_> {
    pub(super) fn window(&mut self, scope: &Scope<'_>, over: &WindowType) -> Result<Window> {
        let spec = match over {
            WindowType::WindowSpec(spec) => spec.clone(),
            WindowType::NamedWindow(named) => self.named_window(&name(named))?,
        };
        let (spec, exclusion) = excluding(spec);
        let spec = match &spec.window_name {
            Some(base) => {
                let base = self.named_window(&name(base))?;
                ast::WindowSpec {
                    window_name: None,
                    partition_by: base.partition_by,
                    order_by: if spec.order_by.is_empty() { base.order_by } else { spec.order_by },
                    window_frame: spec.window_frame.or(base.window_frame),
                }
            }
            None => spec,
        };
        let partition = self.exprs(scope, &spec.partition_by)?;
        for (key, written) in partition.iter().zip(&spec.partition_by) {
            self.require_equality(key.type_, self.place(written.span().start))?;
        }
        let partition =
            partition.into_iter().map(|expr| Ok(self.keyed(self.settle(expr)?))).collect::<Result<_>>()?;
        let order = self.sort_keys(scope, &spec.order_by)?;
        let frame = spec.window_frame.as_ref().map(|frame| self.frame(frame, &order)).transpose()?;
        let frame = frame.map(|frame| frame + &exclusion);
        Ok(Window { partition, order, frame })
    }

    pub(super) fn frame(&mut self, frame: &ast::WindowFrame, order: &[Order]) -> Result<String> {
        let by_distance = frame.units == ast::WindowFrameUnits::Range
            && [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten().any(|bound| {
                matches!(bound, WindowFrameBound::Preceding(Some(_)) | WindowFrameBound::Following(Some(_)))
            });
        if frame.units == ast::WindowFrameUnits::Groups && order.is_empty() {
            let message = "GROUPS mode requires an ORDER BY clause";
            return Err(SqlError::new(SqlState::new("42P20"), message));
        }
        let type_ = match order.first().map(|order| &order.key) {
            Some(Key::Expr(expr)) => self.catalog.base_type(expr.type_),
            _ => Type::UNKNOWN,
        };
        let distance = match type_ {
            Type::TIMESTAMP | Type::TIMESTAMPTZ if by_distance => Distance::Micros(1),
            Type::DATE if by_distance => Distance::Micros(DAY),
            _ if by_distance && !type_.is_integer() && !type_.is_float() => {
                return Err(SqlError::unsupported("a RANGE frame by distance for this type"));
            }
            _ => Distance::Number,
        };
        let bound = |written: &WindowFrameBound| bound(written, distance);
        let start = bound(&frame.start_bound)?;
        Ok(match &frame.end_bound {
            Some(end) => format!("{} BETWEEN {start} AND {}", frame.units, bound(end)?),
            None => format!("{} {start}", frame.units),
        })
    }

    /// Binds the keys of an `ORDER BY` that can't refer to output columns.
    pub(in crate::bind) fn sort_keys(
        &mut self,
        scope: &Scope<'_>,
        keys: &[ast::OrderByExpr],
    ) -> Result<Vec<Order>> {
        let keys = keys.iter().map(|key| {
            let expr = self.expr(scope, &key.expr)?;
            let expr = self.settle(expr)?;
            self.require_sortable(expr.type_, self.place(key.expr.span().start))?;
            Ok(crate::bind::query::order(key, Key::Expr(self.sortable(expr))))
        });
        keys.collect()
    }
}

/// A window without the exclusion that [`crate::readable`] has written before the name of its base, and this exclusion.
fn excluding(mut spec: ast::WindowSpec) -> (ast::WindowSpec, String) {
    let marked = spec.window_name.as_ref().and_then(|base| base.value.strip_prefix(EXCLUDES));
    let Some((exclusion, base)) = marked.and_then(|marked| marked.split_once(EXCLUDES)) else {
        return (spec, String::new());
    };
    let exclusion = format!(" EXCLUDE {exclusion}");
    let base = (!base.is_empty()).then(|| ast::Ident::with_quote('"', base));
    spec.window_name = base;
    (spec, exclusion)
}

/// How the distance of a bound is written.
#[derive(Clone, Copy)]
enum Distance {
    Number,
    /// As an interval, where the order's unit has this many microseconds.
    Micros(i64),
}

const DAY: i64 = 86_400_000_000;

/// A bound of a window frame. Its distance must be a literal.
fn bound(bound: &WindowFrameBound, distance: Distance) -> Result<String> {
    let distance = |written: &ast::Expr| match (written, distance) {
        (written, Distance::Micros(unit)) => micros(written, unit),
        (ast::Expr::Value(value), Distance::Number) => Ok(value.to_string().trim_matches('\'').to_owned()),
        _ => Err(SqlError::unsupported("a window frame with a computed distance")),
    };
    Ok(match bound {
        WindowFrameBound::CurrentRow => "CURRENT ROW".to_owned(),
        WindowFrameBound::Preceding(None) => "UNBOUNDED PRECEDING".to_owned(),
        WindowFrameBound::Following(None) => "UNBOUNDED FOLLOWING".to_owned(),
        WindowFrameBound::Preceding(Some(by)) => format!("{} PRECEDING", distance(by)?),
        WindowFrameBound::Following(Some(by)) => format!("{} FOLLOWING", distance(by)?),
    })
}

/// An interval of fixed length in units of so many microseconds.
fn micros(written: &ast::Expr, unit: i64) -> Result<String> {
    let value = match written {
        ast::Expr::Interval(interval) => &interval.value,
        ast::Expr::Cast { expr, data_type: ast::DataType::Interval { .. }, .. } => expr,
        other => other,
    };
    let ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::SingleQuotedString(text), .. }) = value
    else {
        return Err(SqlError::unsupported("a window frame with a computed distance"));
    };
    let Interval { months, days, micros } = Interval::parse(text)?;
    if months != 0 {
        return Err(SqlError::unsupported("a RANGE frame by a distance in months"));
    }
    let length = days.saturating_mul(DAY).saturating_add(micros);
    if length < 0 {
        let message = "invalid preceding or following size in window function";
        return Err(SqlError::new(SqlState::new("22013"), message));
    }
    // Dates are whole days: the rest of a day reaches no further one.
    Ok((length / unit).to_string())
}
