//! Functions that read and set a session's settings.

use serde_json::json;

use super::{is_zero, lookup};
use crate::bind::Binder;
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::security::session::is_custom;
use crate::tree::{Expr, Node};
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn current_schemas(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let implicit = arguments.first().is_some_and(|argument| {
            matches!(argument.node, Node::Literal(rusqlite::types::Value::Integer(1)))
        });
        let path = self.path().iter().filter(|schema| self.catalog.schema_named(schema).is_some());
        let names = implicit.then(|| "pg_catalog".to_owned()).into_iter().chain(path.cloned());
        let names: Vec<String> = names.collect();
        Ok(Expr::literal(json!(names).to_string(), Type::NAME.array().unwrap_or(Type::TEXT)))
    }

    pub(super) fn current_setting(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let missing_ok = arguments.len() > 1 && !is_zero(arguments.get(1));
        let Some(Expr { node: Node::Untyped(name), .. }) = arguments.first() else {
            return self.setting_by_name(arguments.first().cloned().unwrap_or_else(Expr::null), missing_ok);
        };
        let value = describe::setting(self.settings, name);
        if is_custom(name) && self.may_change_settings() {
            let name = Expr::literal(name.to_lowercase(), Type::TEXT);
            let value = value.map_or(rusqlite::types::Value::Null, Into::into);
            let missing_ok = Expr::literal(i64::from(missing_ok), Type::BOOL);
            let operands = vec![name, Expr::literal(value, Type::TEXT), missing_ok];
            return Ok(Expr::template("pg_setting({*})", operands, Type::TEXT));
        }
        match value {
            Some(value) => Ok(Expr::literal(value, Type::TEXT)),
            None if missing_ok => Ok(Expr::literal(rusqlite::types::Value::Null, Type::TEXT)),
            None => {
                // A definition may read a parameter that only a later session has.
                let message = format!("unrecognized configuration parameter \"{name}\"");
                let message = Expr::literal(message, Type::TEXT);
                Ok(Expr::template("pg_raise('42704', {0})", vec![message], Type::TEXT))
            }
        }
    }

    /// Whether the statement at hand may change a setting before it reads it: by itself, or by a function that it calls.
    fn may_change_settings(&mut self) -> bool {
        const CHANGES: [&str; 4] = ["set_config", "SET_CONFIG", "set local", "SET LOCAL"];
        let changes = |text: &str| CHANGES.iter().any(|words| text.contains(words));
        if self.clause.is_of_definition() {
            return false;
        }
        if self.sets || changes(&self.source.text) {
            return true;
        }
        let catalog = self.catalog;
        *self.setters.get_or_insert_with(|| catalog.routines().any(|(_, routine)| changes(&routine.body)))
    }

    /// The value of a setting whose name is computed.
    fn setting_by_name(&mut self, name: Expr, missing_ok: bool) -> Result<Expr> {
        let name = self.implicit(name, Type::TEXT)?;
        let values = json!(describe::settings(self.settings)).to_string();
        self.once(name, |binder, name| {
            let key = Expr::template("lower({0})", vec![name.clone()], Type::TEXT);
            let value = lookup(values, key, Type::TEXT);
            if missing_ok {
                return Ok(value);
            }
            binder.once.charge(&name)?;
            let text = "CASE WHEN {0} IS NULL THEN NULL ELSE pg_raise('42704', 'unrecognized configuration parameter \"' || {0} || '\"') END";
            let refusal = Expr::template(text, vec![name], Type::TEXT);
            Ok(Expr::new(Node::Coalesce(vec![value, refusal]), Type::TEXT))
        })
    }

    /// A change of a setting. The engine makes it when the statement has run.
    pub(super) fn set_config(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let types = [Type::TEXT, Type::TEXT, Type::BOOL];
        if arguments.len() != types.len() {
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, "function set_config does not exist"));
        }
        self.sets = true;
        let given = arguments.iter().zip(types);
        let operands = given.map(|(argument, type_)| self.implicit(argument.clone(), type_));
        Ok(Expr::template("pg_set_config({0},{1},{2})", operands.collect::<Result<_>>()?, Type::TEXT))
    }
}
