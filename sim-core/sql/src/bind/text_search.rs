//! Configurations of text search: `regconfig`.

use rusqlite::types::Value;

use super::Binder;
use crate::describe;
use crate::error::Result;
use crate::functions::text_search::mappings_of;
use crate::tree::Expr;
use crate::types::Type;

impl Binder<'_> {
    /// The value for the name of a configuration.
    ///
    /// # Errors
    ///
    /// 42704 if there is none, 0A000 if its language has no stemmer here.
    pub(crate) fn configuration(&self, name: &str) -> Result<String> {
        let name = name.trim();
        let (schema, own) = super::names::split_name(name);
        let schemas = match &schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.search_path(),
        };
        let mut known = self.catalog.configurations();
        if let Some((_, known)) =
            known.find(|(_, known)| known.name == own && schemas.contains(&known.schema))
        {
            return Ok(format!("{own}={}", known.mappings));
        }
        match schema.as_deref() {
            None | Some("pg_catalog") => mappings_of(&own).map(|_| own),
            Some(_) => mappings_of(name),
        }
    }

    /// The configuration of `default_text_search_config`.
    pub(super) fn session_configuration(&self) -> Result<Expr> {
        let name = describe::setting(self.settings, "default_text_search_config").unwrap_or_default();
        Ok(Expr::literal(Value::Text(self.configuration(&name)?), Type::REGCONFIG))
    }

    /// The configuration whose name is only known when the statement runs.
    pub(super) fn configuration_named(&self, name: Expr) -> Expr {
        let path = self.search_path();
        let mut known = serde_json::Map::new();
        for (_, own) in self.catalog.configurations() {
            let value = format!("{}={}", own.name, own.mappings);
            if path.contains(&own.schema) {
                known.insert(own.name.clone(), value.clone().into());
            }
            known.insert(format!("{}.{}", self.catalog.schema_name(own.schema), own.name), value.into());
        }
        let known = Expr::literal(serde_json::Value::Object(known).to_string(), Type::TEXT);
        Expr::template("pg_ts_configuration_text_text({0},{1})", vec![name, known], Type::REGCONFIG)
    }
}
