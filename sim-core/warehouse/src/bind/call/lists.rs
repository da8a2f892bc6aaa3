//! Lists from lists, and from the rows of queries.

use sqlparser::ast;

use crate::bind::expr::Expr;
use crate::bind::scope::Scope;
use crate::bind::value::{no_signature, only_column};
use crate::bind::{Binder, Bound};
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Column, Target};

impl Binder<'_> {
    /// Concatenates lists.
    pub(in crate::bind) fn lists(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let dynamic = Type::Array(Box::new(Type::Dynamic));
        let lists: Vec<Expr> = arguments
            .iter()
            .map(|list| match list.type_ {
                Type::Dynamic => self.coerced(list, &dynamic),
                _ => Ok(list.clone()),
            })
            .collect::<Result<_, Refusal>>()?;
        let (type_, lists) = self.unified(&lists, "array_concat")?;
        if !matches!(type_, Type::Array(_)) {
            return Err(no_signature("array_concat", arguments));
        }
        let template = match self.target {
            Target::Sqlite => "wh_array_concat({*})".to_owned(),
            Target::Postgres => {
                let slots: Vec<String> = (0..lists.len()).map(|index| format!("{{{index}}}")).collect();
                format!("({})", slots.join(" || "))
            }
        };
        let shape = Expr::shape_of(arguments);
        Ok(Expr { shape, ..Expr::filled(&template, &lists, type_) })
    }

    /// `ARRAY(SELECT …)`
    pub(super) fn array_of_rows(&mut self, query: &ast::Query, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let (bound, loose) = self.inner_query(query, scope)?;
        self.list_of_rows(&bound, loose)
    }

    /// The values of a query's only column as a list.
    pub(in crate::bind) fn list_of_rows(
        &mut self,
        bound: &Bound,
        loose: Option<String>,
    ) -> Result<Expr, Refusal> {
        let Column { type_: element, shape, .. } = only_column(bound)?;
        let packed = self.target.packed(&element, "c1");
        let sql = match self.target {
            Target::Sqlite => {
                let filter = self.target.collecting("c1", None);
                format!("(SELECT json_group_array({packed}){filter} FROM ({}) AS q)", bound.sql)
            }
            Target::Postgres => {
                format!("(SELECT coalesce(jsonb_agg({packed}), '[]'::jsonb) FROM ({}) AS q)", bound.sql)
            }
        };
        let element = if element == Type::Null { Type::Int64 } else { element };
        Ok(Expr { loose, shape, ..Expr::new(sql, Type::Array(Box::new(element))) })
    }
}
