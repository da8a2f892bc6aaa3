//! Functions that read, make and change JSON.

use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn json_call(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        match (name, arguments) {
            ("json_array", _) => Ok(self.json_of("json_array", "jsonb_build_array", arguments)),
            ("json_object", _) => self.json_object(arguments),
            ("json_set", [json, changes @ ..]) if !changes.is_empty() && changes.len().is_multiple_of(2) => {
                let mut json = self.json_given(json)?;
                for pair in changes.chunks(2) {
                    let [path, value] = pair else { continue };
                    let steps = self.members_of(name, path)?;
                    let value = self.as_json(value);
                    json = Expr::filled("wh_json_put({0}, {1}, {2})", &[json, steps, value], Type::Dynamic);
                }
                Ok(json)
            }
            ("json_remove", [json, paths @ ..]) if !paths.is_empty() => {
                let mut json = self.json_given(json)?;
                for path in paths {
                    let steps = self.members_of(name, path)?;
                    json = Expr::filled("wh_json_cut({0}, {1})", &[json, steps], Type::Dynamic);
                }
                Ok(json)
            }
            ("string" | "int64" | "float64" | "bool", [value]) => self.out_of_json(name, value, false),
            ("lax_string" | "lax_int64" | "lax_float64" | "lax_bool", [value]) => {
                self.out_of_json(name.trim_start_matches("lax_"), value, true)
            }
            // Searches are written with this.
            ("values_along", [value, path]) => {
                let value = if value.type_ == Type::Dynamic { value.clone() } else { self.as_json(value) };
                let found = Type::Array(Box::new(Type::Dynamic));
                let path = self.coerced(path, &Type::String)?;
                Ok(Expr::filled("wh_along({0}, {1})", &[value, path], found))
            }
            ("to_json", [value]) => Ok(self.as_json(value)),
            ("to_json_string", [value]) if !matches!(value.type_, Type::Dynamic) => {
                let json = self.as_json(value);
                Ok(Expr::filled("wh_json_text({0})", &[json], Type::String))
            }
            ("json_value" | "json_query" | "json_extract" | "json_extract_scalar", [json]) => {
                let path = Expr::new(self.target.text("$"), Type::String);
                self.function(name, &[json.clone(), path])
            }
            _ => self.columnar_call(name, arguments),
        }
    }

    /// `INT64(json)` and similar functions, and `STRING(moment)`.
    pub(super) fn out_of_json(&mut self, name: &str, value: &Expr, safe: bool) -> Result<Expr, Refusal> {
        let to = match name {
            "string" => Type::String,
            "int64" => Type::Int64,
            "float64" => Type::Float64,
            _ => Type::Bool,
        };
        match &value.type_ {
            Type::Dynamic => self.cast(value, &to, safe),
            moment if moment.reads_literals() && to == Type::String && !safe => self.cast(value, &to, false),
            _ => Err(no_signature(name, std::slice::from_ref(value))),
        }
    }

    /// The first argument of a function that changes JSON.
    fn json_given(&mut self, json: &Expr) -> Result<Expr, Refusal> {
        match json.type_ {
            Type::Dynamic | Type::Null => self.coerced(json, &Type::Dynamic),
            _ => Err(no_signature("json", std::slice::from_ref(json))),
        }
    }

    /// The names of members in a path such as `$.a.b`, separated by dots.
    fn members_of(&self, function: &str, path: &Expr) -> Result<Expr, Refusal> {
        let is_name =
            |step: &str| !step.is_empty() && step.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        let steps = match &path.origin {
            Origin::Text(path) => path.strip_prefix("$.").filter(|steps| steps.split('.').all(is_name)),
            _ => None,
        };
        let steps = steps.ok_or_else(|| {
            Refusal::unsupported(&format!("{} with another path than $.name", function.to_uppercase()))
        })?;
        Ok(Expr::new(self.target.text(steps), Type::String))
    }

    /// `JSON_OBJECT('key', value, …)`
    fn json_object(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let keys_are_texts = arguments.iter().step_by(2).all(|key| matches!(key.origin, Origin::Text(_)));
        if !keys_are_texts || !arguments.len().is_multiple_of(2) {
            return Err(Refusal::unsupported(
                "JSON_OBJECT without texts in the query as keys, each with a value",
            ));
        }
        Ok(self.json_of("json_object", "jsonb_build_object", arguments))
    }

    fn json_of(&self, sqlite: &str, postgres: &str, arguments: &[Expr]) -> Expr {
        let keyed = sqlite == "json_object";
        let part = |(index, argument): (usize, &Expr)| match keyed && index.is_multiple_of(2) {
            true => argument.sql.clone(),
            false => self.target.packed(&Type::Dynamic, &self.as_json(argument).sql),
        };
        let parts: Vec<String> = arguments.iter().enumerate().map(part).collect();
        let sql = format!("{}({})", self.target.pick(sqlite, postgres), parts.join(", "));
        Expr::of(sql, Type::Dynamic, arguments)
    }
}
