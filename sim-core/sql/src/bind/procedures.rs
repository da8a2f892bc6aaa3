//! Functions by name and types of arguments, as `regprocedure` has them.

use sqlparser::parser::Parser;

use super::Binder;
use super::names::split_name;
use crate::catalog::{Oid, Routine, quote_identifier};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::functions;
use crate::source::Source;
use crate::types::Type;

impl Binder<'_> {
    /// The function that a text such as `public.f(integer, text)` names.
    pub(super) fn procedure_named(&self, text: &str) -> Result<Oid> {
        let Some((name, list)) = text.trim().strip_suffix(')').and_then(|text| text.split_once('(')) else {
            let message = "expected a left parenthesis";
            return Err(SqlError::new(SqlState::INVALID_TEXT, message));
        };
        let (schema, name) = split_name(name);
        let types = self.types_listed(list)?;
        let in_schema = |routine: &&Routine| match &schema {
            Some(schema) => self.catalog.schema_named(schema) == Some(routine.schema),
            None => self.search_path().contains(&routine.schema),
        };
        let own = self.catalog.routines().find(|(_, routine)| {
            routine.name == name
                && in_schema(routine)
                && routine.inputs().map(|input| input.type_).eq(types.iter().copied())
        });
        let built_in = || {
            let known = functions::overloads(&name).iter().any(|function| function.arguments == types);
            let visible = matches!(schema.as_deref(), None | Some("pg_catalog"));
            (known && visible).then(|| describe::builtin_function_oid(&name)).flatten()
        };
        own.map(|(oid, _)| oid).or_else(built_in).ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("function \"{text}\" does not exist"))
        })
    }

    fn types_listed(&self, list: &str) -> Result<Vec<Type>> {
        if list.trim().is_empty() {
            return Ok(Vec::new());
        }
        let source = Source::sent(list);
        let tokens = source.statements()?.into_iter().next().unwrap_or_default();
        let parsed = source.parse(&tokens, |parser: &mut Parser<'static>| {
            parser.parse_comma_separated(Parser::parse_data_type)
        })?;
        parsed.iter().map(|type_| Ok(self.data_type(type_)?.base)).collect()
    }

    /// A function's name and the types of its arguments: `f(integer,text)`.
    pub(super) fn signature(&self, routine: &Routine) -> String {
        let types: Vec<String> =
            routine.inputs().map(|input| self.catalog.type_name(input.type_, -1)).collect();
        let name = quote_identifier(&routine.name);
        let name = match self.search_path().contains(&routine.schema) {
            true => name,
            false => format!("{}.{name}", quote_identifier(self.catalog.schema_name(routine.schema))),
        };
        format!("{name}({})", types.join(","))
    }
}
