//! Functions of JSON, and of paths in it.

use sim_values::jsonpath::Path;

use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn call_of_jsonb(&mut self, name: &str, given: &[Expr]) -> Result<Option<Expr>, Refusal> {
        Ok(Some(match (name, given) {
            ("row_to_json", [row]) if matches!(row.type_, Type::Struct(_)) => {
                self.special("to_json", given)?
            }
            ("jsonb_object" | "json_object", [keys, values]) => {
                let both = [self.list_given(name, keys)?, self.list_given(name, values)?];
                let template = self
                    .target
                    .pick("wh_object_of({0}, {1})", "jsonb_object(wh_texts_of({0}), wh_texts_of({1}))");
                Expr::filled(template, &both, Type::Dynamic)
            }
            ("jsonb_object" | "json_object", [pairs]) => {
                let pairs = self.list_given(name, pairs)?;
                let template = self.target.pick("wh_object_of({0})", "jsonb_object(wh_texts_of({0}))");
                Expr::filled(template, &[pairs], Type::Dynamic)
            }
            ("jsonb_insert", [json, path, value]) => self.json_with(json, path, value, false)?,
            ("jsonb_insert", [json, path, value, Expr { sql, .. }])
                if [true, false].iter().any(|after| sql == self.target.boolean(*after)) =>
            {
                let after = sql == self.target.boolean(true);
                self.json_with(json, path, value, after)?
            }
            ("jsonb_set", [json, path, value, Expr { sql, .. }]) if sql == self.target.boolean(false) => {
                let (path, value) = (self.path_text(path)?, self.json_to_put(value)?);
                let template = self
                    .target
                    .pick("wh_json_set({0}, {1}, {2}, 0)", "jsonb_set({0}, ({1})::text[], {2}, false)");
                Expr::filled(template, &[json.clone(), path, value], Type::Dynamic)
            }
            (
                "jsonb_path_query_array"
                | "jsonb_path_exists"
                | "jsonb_path_match"
                | "jsonb_path_query_first",
                [json, path],
            ) => self.along_path(name, json, path)?,
            _ => return self.call_of_bytes(name, given),
        }))
    }

    /// `jsonb_insert(json, path, value, after)`
    fn json_with(&mut self, json: &Expr, path: &Expr, value: &Expr, after: bool) -> Result<Expr, Refusal> {
        let json = self.literal_json(json)?;
        if json.type_ != Type::Dynamic {
            return Err(no_signature("jsonb_insert", &[json]));
        }
        let (path, value) = (self.path_text(path)?, self.json_to_put(value)?);
        let template = self.target.pick(
            format!("wh_json_insert({{0}}, {{1}}, {{2}}, {})", i32::from(after)),
            format!("jsonb_insert({{0}}, ({{1}})::text[], {{2}}, {after})"),
        );
        Ok(Expr::filled(&template, &[json, path, value], Type::Dynamic))
    }

    /// `jsonb_path_query_array(json, path)` and its siblings, with a path in the query.
    pub(in crate::bind::postgres) fn along_path(
        &mut self,
        name: &str,
        json: &Expr,
        path: &Expr,
    ) -> Result<Expr, Refusal> {
        let json = match (&json.type_, &json.origin) {
            (Type::Dynamic, _) => json.clone(),
            (_, Origin::Text(_)) => self.literal_json(json)?,
            _ => return Err(no_signature(name, std::slice::from_ref(json))),
        };
        let Origin::Text(text) = &path.origin else {
            return Err(Refusal::unsupported("a JSON path that is no text in the query"));
        };
        Path::parse(text).map_err(|error| Refusal::invalid(error.message.clone()))?;
        let quoted = format!("'{}'", text.replace('\'', "''"));
        let path = self.target.pick(quoted.clone(), format!("{quoted}::jsonpath"));
        let postgres = |name: &str| format!("{name}({{0}}, {path})");
        let (sqlite, postgres, type_) = match name {
            "jsonb_path_exists" => {
                (format!("wh_json_path_exists({{0}}, {path})"), format!("({{0}} @? {path})"), Type::Bool)
            }
            "jsonb_path_match" => {
                (format!("wh_json_path_match({{0}}, {path})"), format!("({{0}} @@ {path})"), Type::Bool)
            }
            "jsonb_path_query_first" => {
                (format!("(wh_json_path({{0}}, {path}) -> 0)"), postgres(name), Type::Dynamic)
            }
            _ => (
                format!("wh_json_path({{0}}, {path})"),
                postgres("jsonb_path_query_array"),
                Type::Array(Box::new(Type::Dynamic)),
            ),
        };
        Ok(Expr::filled(&self.target.pick(sqlite, postgres), &[json], type_))
    }
}
