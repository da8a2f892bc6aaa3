//! Functions by name and types of arguments, as `regprocedure` has them.

use std::collections::BTreeMap;

use sqlparser::parser::Parser;

use super::Binder;
use super::names::split_name;
use crate::catalog::{Oid, Routine, quote_identifier};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::{self, Function};
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
        let in_schema = |routine: &Routine| match &schema {
            Some(schema) => self.catalog.schema_named(schema) == Some(routine.schema),
            None => self.search_path().contains(&routine.schema) && !self.is_hidden(routine),
        };
        let own = self.catalog.shown_routines().find(|(_, routine)| {
            routine.name == name
                && in_schema(routine)
                && routine.inputs().map(|input| input.type_).eq(types.iter().copied())
        });
        let built_in = || {
            let visible = matches!(schema.as_deref(), None | Some("pg_catalog"));
            let mut known = describe::named_functions().filter(|_| visible);
            known.find(|(_, known)| known.name == name && known.arguments == types).map(|(oid, _)| oid)
        };
        own.map(|(oid, _)| oid).or_else(built_in).ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("function \"{text}\" does not exist"))
        })
    }

    /// The only function that a text such as `public.f` names.
    pub(super) fn function_named(&self, text: &str) -> Result<Oid> {
        let (schema, name) = split_name(text);
        let path = match &schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.search_path(),
        };
        let routines = self.catalog.shown_routines();
        let own = routines.filter(|(_, routine)| {
            let is_hidden = schema.is_none() && self.is_hidden(routine);
            routine.name == name && path.contains(&routine.schema) && !is_hidden
        });
        let visible = matches!(schema.as_deref(), None | Some("pg_catalog"));
        match own.map(|(oid, _)| oid).collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            [] => describe::builtin_function_oid(&name).filter(|_| visible).ok_or_else(|| {
                let message = format!("function \"{text}\" does not exist");
                SqlError::new(SqlState::UNDEFINED_FUNCTION, message)
            }),
            _ => {
                let message = format!("more than one function named \"{text}\"");
                Err(SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message))
            }
        }
    }

    /// The names of the functions of the project and of its extensions, with the schema unless the search path finds the function, and
    /// no other, without.
    pub(super) fn function_names(&self) -> impl Iterator<Item = (Oid, String)> {
        let path = self.search_path();
        let all: Vec<_> = self.catalog.shown_routines().collect();
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for (_, routine) in all.iter().filter(|(_, routine)| path.contains(&routine.schema)) {
            *found.entry(routine.name.clone()).or_default() += 1;
        }
        all.into_iter().map(move |(oid, routine)| {
            let name = quote_identifier(&routine.name);
            let found =
                found.get(&*routine.name) == Some(&1) && self.of_system(&routine.name).next().is_none();
            let alone = found && path.contains(&routine.schema);
            let schema = quote_identifier(self.catalog.schema_name(routine.schema));
            (oid, if alone { name } else { format!("{schema}.{name}") })
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

    /// The functions of the system that have this name.
    fn of_system(&self, name: &str) -> impl Iterator<Item = &'static Function> {
        let none_is = self.catalog.extension_of_function(name).is_some();
        functions::overloads(name).iter().copied().filter(move |known| !none_is && known.extension.is_none())
    }

    /// Whether the system has a function of this name for the same types of arguments, which every search path finds first.
    fn is_hidden(&self, routine: &Routine) -> bool {
        let is_same =
            |known: &Function| routine.inputs().map(|input| input.type_).eq(known.arguments.iter().copied());
        self.of_system(&routine.name).any(is_same)
    }

    /// A function's name and the types of its arguments: `f(integer,text)`.
    pub(crate) fn signature(&self, routine: &Routine) -> String {
        let types: Vec<String> =
            routine.inputs().map(|input| self.catalog.type_name(input.type_, -1)).collect();
        let name = quote_identifier(&routine.name);
        let name = match self.search_path().contains(&routine.schema) && !self.is_hidden(routine) {
            true => name,
            false => format!("{}.{name}", quote_identifier(self.catalog.schema_name(routine.schema))),
        };
        format!("{name}({})", types.join(","))
    }
}
