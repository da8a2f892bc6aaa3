//! Errors in the body of a function in SQL that PostgreSQL has as well. Others can be about what this engine lacks, so they do not
//! prevent the function, and its call is refused.

use crate::catalog::Routine;
use crate::error::{SqlError, SqlState};
use crate::run::Engine;
use crate::types::{BUILTINS, Type};

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
                self.names_no_function(&error.message, routine) || self.names_no_operator(&error.message)
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

    /// Whether an error is about an operator that the system has for no such operands.
    fn names_no_operator(&self, message: &str) -> bool {
        let Some(written) = message.strip_prefix("operator does not exist: ") else { return false };
        let words: Vec<&str> = written.split(' ').collect();
        let is_symbol = |word: &&str| word.chars().all(|c| "+-*/<>=~!@#%^&|`?".contains(c));
        let Some(at) = words.iter().position(is_symbol) else { return false };
        let operand = |words: &[&str]| self.type_shown(&words.join(" "));
        let left = if at == 0 { Some(None) } else { operand(&words[..at]).map(Some) };
        match (left, operand(&words[at + 1..])) {
            (Some(left), Some(right)) => {
                let operands: Vec<Type> = left.into_iter().chain([right]).collect();
                !self.binder().system_has_operator(words[at], &operands)
            }
            _ => false,
        }
    }

    /// The type that messages show so. Those of extensions may have operators that are not here.
    fn type_shown(&self, shown: &str) -> Option<Type> {
        if let Some(element) = shown.strip_suffix("[]") {
            return self.type_shown(element)?.array();
        }
        let of_system = BUILTINS.iter().map(|builtin| builtin.id).filter(|id| id.extension().is_none());
        let own = self.catalog.types().map(|(oid, _)| Type(oid));
        of_system.chain(own).find(|type_| self.catalog.type_name(*type_, -1) == shown)
    }
}
