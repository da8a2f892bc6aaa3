//! Windows of aggregates, and the order of their rows.

mod apart;
mod frame;

use sqlparser::ast::{self, Spanned as _, WindowType};

use self::apart::Apart;
use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::readable::EXCLUDES;
use crate::source::name;
use crate::tree::{Call, Expr, Key, Order, Window};

const EXCLUDE: &str = " EXCLUDE ";

impl Binder<'_> {
    /// Binds a window. A frame that SQLite can't say comes beside it: the window's own frame is wider then.
    pub(super) fn window(&mut self, scope: &Scope<'_>, over: &WindowType) -> Result<(Window, Option<Apart>)> {
        let spec = match over {
            WindowType::WindowSpec(spec) => self.with_base(spec, false)?,
            WindowType::NamedWindow(named) => {
                let at = self.place(named.span.start);
                self.named_window(&name(named)).map_err(|error| error.at(at))?
            }
        };
        let (spec, exclusion) = excluding(spec);
        let partition = self.exprs(scope, &spec.partition_by)?;
        for (key, written) in partition.iter().zip(&spec.partition_by) {
            self.require_equality(key.type_, self.place(written.span().start))?;
        }
        let partition =
            partition.into_iter().map(|expr| Ok(self.key(self.settle(expr)?))).collect::<Result<_>>()?;
        let order = self.sort_keys(scope, &spec.order_by)?;
        let frame = spec.window_frame.as_ref().map(|frame| self.frame(scope, frame, &order)).transpose()?;
        let (frame, apart) = frame.map_or((None, None), |(text, apart)| (Some(text + &exclusion), apart));
        Ok((Window { partition, order, frame }, apart))
    }

    /// A window with all of the window that it is based on; `named`: one of the `WINDOW` clause.
    pub(in crate::bind) fn with_base(&self, spec: &ast::WindowSpec, named: bool) -> Result<ast::WindowSpec> {
        let (spec, exclusion) = excluding(spec.clone());
        let Some(base) = spec.window_name.clone() else { return Ok(marked(spec, &exclusion)) };
        let called = name(&base);
        // The bracket before it.
        let at = self.place(base.span.start).and_then(|at| at.checked_sub(1));
        let base = self.named_window(&called).map_err(|error| error.at(at))?;
        let refused = |message: String| Err(SqlError::new(SqlState::new("42P20"), message).at(at));
        if !spec.partition_by.is_empty() {
            return refused(format!("cannot override PARTITION BY clause of window \"{called}\""));
        }
        if !spec.order_by.is_empty() && !base.order_by.is_empty() {
            return refused(format!("cannot override ORDER BY clause of window \"{called}\""));
        }
        if base.window_frame.is_some() {
            let message = format!("cannot copy window \"{called}\" because it has a frame clause");
            let bare = !named && spec.order_by.is_empty() && spec.window_frame.is_none();
            return match (refused(message), bare) {
                (Err(error), true) => Err(error.hint("Omit the parentheses in this OVER clause.")),
                (refused, _) => refused,
            };
        }
        let order_by = if spec.order_by.is_empty() { base.order_by } else { spec.order_by };
        let spec = ast::WindowSpec {
            window_name: None,
            partition_by: base.partition_by,
            order_by,
            window_frame: spec.window_frame,
        };
        Ok(marked(spec, &exclusion))
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
    let exclusion = format!("{EXCLUDE}{exclusion}");
    let base = (!base.is_empty()).then(|| ast::Ident::with_quote('"', base));
    spec.window_name = base;
    (spec, exclusion)
}

/// The same window with its exclusion written as [`excluding`] reads it.
fn marked(mut spec: ast::WindowSpec, exclusion: &str) -> ast::WindowSpec {
    if let Some(exclusion) = exclusion.strip_prefix(EXCLUDE) {
        spec.window_name = Some(ast::Ident::with_quote('"', format!("{EXCLUDES}{exclusion}{EXCLUDES}")));
    }
    spec
}

/// Refuses calls over windows where they would be computed before their windows are.
pub(super) fn refuse_windows(call: &Call, window: Option<&Window>) -> Result<()> {
    let keys = |order: &Order| matches!(&order.key, Key::Expr(key) if key.has_window());
    if let Some(window) = window
        && (window.partition.iter().any(Expr::has_window) || window.order.iter().any(keys))
    {
        let message = "window functions are not allowed in window definitions";
        return Err(SqlError::new(SqlState::new("42P20"), message));
    }
    if !call.arguments.iter().any(Expr::has_window) {
        return Ok(());
    }
    Err(match (window, call.function.kind) {
        (Some(_), _) => SqlError::new(SqlState::new("42P20"), "window function calls cannot be nested"),
        (None, Kind::Aggregate { .. }) => {
            let message = "aggregate function calls cannot contain window function calls";
            SqlError::new(SqlState::GROUPING_ERROR, message)
        }
        _ => return Ok(()),
    })
}
