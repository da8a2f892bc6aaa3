//! Errors in the body of a function in SQL that PostgreSQL has as well. Others can be about what this engine lacks, so they do not
//! prevent the function, and its call is refused.

use crate::catalog::{Routine, TypeDefinition};
use crate::error::{SqlError, SqlState};
use crate::run::Engine;
use crate::types::Type;

/// The types that the engine compares with all that PostgreSQL compares them with.
const COMPARED: &[&str] = &[
    "bigint",
    "boolean",
    "bytea",
    "character",
    "character varying",
    "date",
    "double precision",
    "integer",
    "interval",
    "json",
    "jsonb",
    "numeric",
    "real",
    "smallint",
    "text",
    "time without time zone",
    "timestamp with time zone",
    "timestamp without time zone",
    "uuid",
];

impl Engine<'_> {
    /// Whether PostgreSQL has the error as well, in the body of a function of that name.
    pub(crate) fn is_certain(&self, error: &SqlError, routine: &str) -> bool {
        match error.code {
            SqlState::UNDEFINED_TABLE
            | SqlState::UNDEFINED_COLUMN
            | SqlState::INVALID_SCHEMA
            | SqlState::DATATYPE_MISMATCH
            | SqlState::GENERATED_ALWAYS => true,
            SqlState::SYNTAX_ERROR => error.message.starts_with("INSERT has more "),
            SqlState::UNDEFINED_FUNCTION => {
                self.names_no_function(&error.message, routine) || self.compares_others(&error.message)
            }
            _ => false,
        }
    }

    /// Whether an error is about a call that none of the functions in this database can take, which are all of that name.
    fn names_no_function(&self, message: &str, routine: &str) -> bool {
        let Some((called, _)) = message.strip_prefix("function ").and_then(|rest| rest.split_once('('))
        else {
            return false;
        };
        let name = called.rsplit('.').next().unwrap_or(called).trim_matches('"');
        // What the service or an extension brings may be less here than there.
        let is_partial = |known: &Routine| {
            let owner = self.catalog.role(&known.owner);
            known.is_polymorphic() || owner.is_none_or(|(_, owner)| owner.superuser)
        };
        name != routine
            && !crate::bind::known::is_known_function(name)
            && !self.catalog.routines().any(|(_, known)| known.name == name && is_partial(known))
    }

    /// Whether an error is about a comparison of types that can't be compared with each other.
    fn compares_others(&self, message: &str) -> bool {
        let Some(written) = message.strip_prefix("operator does not exist: ") else { return false };
        let operators = [" = ", " <> ", " < ", " > ", " <= ", " >= "];
        let operands = operators.iter().find_map(|operator| written.split_once(operator));
        operands.is_some_and(|(left, right)| self.is_compared(left) && self.is_compared(right))
    }

    fn is_compared(&self, shown: &str) -> bool {
        let element = shown.trim_end_matches("[]");
        let is_enum = |definition: &TypeDefinition| matches!(definition, TypeDefinition::Enum { .. });
        let mut enums = self.catalog.types().filter(|(_, type_)| is_enum(&type_.definition));
        COMPARED.contains(&element) || enums.any(|(oid, _)| self.catalog.type_name(Type(oid), -1) == element)
    }
}
