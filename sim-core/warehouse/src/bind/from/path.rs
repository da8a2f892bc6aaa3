//! Columns and their fields, named by a path.

use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::bind::scope::{Scope, same, unknown, unknown_inside};
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a path of names, which may include fields of values.
    pub(in crate::bind) fn path(&mut self, path: &[String], scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let (start, fields) = scope.resolve(self.target, path)?;
        if start.outer {
            self.outer.get_or_insert_with(|| path.join("."));
        }
        self.fields(start, fields, &path[..path.len() - fields.len()].join("."))
    }

    /// Fields of a value, which is named so, one inside the previous one.
    pub(in crate::bind) fn fields(
        &mut self,
        start: Expr,
        fields: &[String],
        of: &str,
    ) -> Result<Expr, Refusal> {
        if !matches!(&start.type_, Type::Dynamic) {
            return self.declared(start, fields, of);
        }
        let (mut shape, mut path) = (start.shape.clone(), Vec::new());
        for (index, name) in fields.iter().enumerate() {
            let record = [&[of.to_owned()], &fields[..index]].concat().join(".");
            let (stored, inside) = shape.named(name).ok_or_else(|| unknown_inside(name, &record))?;
            path.push(stored);
            shape = inside;
        }
        let sql = match path.as_slice() {
            [] => return Ok(start),
            [only] => self.target.field(&start.sql, only),
            several => {
                let path = several.iter().map(|name| format!("\"{}\"", name.replace(['"', '\\'], "")));
                let path = format!("$.{}", path.collect::<Vec<_>>().join("."));
                let path = self
                    .target
                    .pick(self.target.text(&path), format!("'{}'::jsonpath", path.replace('\'', "''")));
                let function = self.target.pick("wh_path", "jsonb_path_query_first");
                format!("{function}({}, {path})", start.sql)
            }
        };
        Ok(Expr { shape, ..start.with(sql, Type::Dynamic) })
    }

    /// Fields of a value whose type says them.
    fn declared(&mut self, start: Expr, fields: &[String], of: &str) -> Result<Expr, Refusal> {
        match (&start.type_, fields) {
            (_, []) => Ok(start),
            (Type::Struct(known), _) if known.is_empty() => {
                let event = start.with(&start.sql, Type::Dynamic);
                self.fields(event, fields, of)
            }
            (Type::Struct(known), [first, rest @ ..]) => {
                let found = known.iter().find(|(name, _)| same(name, first));
                let (key, type_) = found.ok_or_else(|| unknown(first))?;
                let sql = self.target.unpacked(type_, &self.target.field(&start.sql, key));
                let shape = start.shape.field(first).unwrap_or_default();
                let field = Expr { shape, ..start.with(sql, type_.clone()) };
                self.fields(field, rest, &format!("{of}.{first}"))
            }
            (_, [first, ..]) => Err(Refusal::invalid(format!(
                "Cannot access field {first} on a value with type {}",
                start.type_
            ))),
        }
    }
}
