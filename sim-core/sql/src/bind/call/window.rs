//! Windows of aggregates, and the order of their rows.

use sqlparser::ast::{self, WindowFrameBound, WindowType};

use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError};
use crate::source::name;
use crate::tree::{Key, Order, Window};

impl Binder<'_> {
    pub(super) fn window(&mut self, scope: &Scope<'_>, over: &WindowType) -> Result<Window> {
        let spec = match over {
            WindowType::WindowSpec(spec) => spec.clone(),
            WindowType::NamedWindow(named) => self.named_window(&name(named))?,
        };
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
        let partition = partition.into_iter().map(|expr| self.settle(expr)).collect::<Result<_>>()?;
        let order = self.sort_keys(scope, &spec.order_by)?;
        let frame = spec.window_frame.as_ref().map(|frame| self.frame(frame, &order)).transpose()?;
        Ok(Window { partition, order, frame })
    }

    pub(super) fn frame(&mut self, frame: &ast::WindowFrame, order: &[Order]) -> Result<String> {
        let by_distance = frame.units == ast::WindowFrameUnits::Range
            && [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten().any(|bound| {
                matches!(bound, WindowFrameBound::Preceding(Some(_)) | WindowFrameBound::Following(Some(_)))
            });
        let numeric = matches!(&order.first().map(|order| &order.key), Some(Key::Expr(expr)) if expr.type_.is_integer() || expr.type_.is_float());
        if by_distance && !numeric {
            return Err(SqlError::unsupported("a RANGE frame by distance for this type"));
        }
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
            Ok(crate::bind::query::order(key, Key::Expr(self.sortable(expr))))
        });
        keys.collect()
    }
}

/// A bound of a window frame. Its distance must be a literal.
pub(super) fn bound(bound: &WindowFrameBound) -> Result<String> {
    let distance = |distance: &ast::Expr| match distance {
        ast::Expr::Value(value) => Ok(value.to_string().trim_matches('\'').to_owned()),
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
