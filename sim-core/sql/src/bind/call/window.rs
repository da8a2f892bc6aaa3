//! Windows of aggregates, and the order of their rows.

mod apart;
mod frame;

use sqlparser::ast::{self, Spanned as _, WindowType};

use self::apart::Apart;
use crate::bind::{Binder, Scope};
use crate::error::Result;
use crate::readable::EXCLUDES;
use crate::source::name;
use crate::tree::{Key, Order, Window};

impl Binder<'_> {
    /// Binds a window. A frame that SQLite can't say comes beside it: the window's own frame is wider then.
    pub(super) fn window(&mut self, scope: &Scope<'_>, over: &WindowType) -> Result<(Window, Option<Apart>)> {
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
        let frame = spec.window_frame.as_ref().map(|frame| self.frame(scope, frame, &order)).transpose()?;
        let (frame, apart) = frame.map_or((None, None), |(text, apart)| (Some(text + &exclusion), apart));
        Ok((Window { partition, order, frame }, apart))
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
