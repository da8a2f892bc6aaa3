//! Reasons for refusing a query.

use std::fmt;

/// A refusal of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule that the query breaks.
    pub kind: RefusalKind,
    /// The message for people.
    pub message: String,
}

/// The rules that a query can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// It is not in the dialect.
    Syntax,
    /// It would write, or is not a query.
    NotAQuery,
    /// It is not exactly one statement.
    NotSingular,
    /// It calls a function that reveals more than the data.
    RestrictedFunction,
    /// It has `*` as a result column.
    Wildcard,
    /// It reads a table that is not a source of the caller.
    UnknownSource,
    /// A consumer's query reads a table that the endpoint does not offer.
    OutsideSandbox,
    /// It names a column or field that does not exist, or that is ambiguous.
    UnknownField,
    /// Types, arguments or grouping do not fit.
    Invalid,
    /// The translation does not know the construct.
    Unsupported,
}

impl Refusal {
    pub(super) fn new(kind: RefusalKind, message: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into() }
    }

    pub(super) fn syntax(message: impl fmt::Display) -> Refusal {
        let message = message.to_string();
        // The parser begins its errors so, the tokenizer does not.
        let message = message.strip_prefix("sql parser error: ").unwrap_or(&message);
        Refusal::new(RefusalKind::Syntax, format!("sql parser error: {message}"))
    }

    pub(super) fn not_a_query() -> Refusal {
        Refusal::new(RefusalKind::NotAQuery, "Only SELECT queries allowed")
    }

    pub(super) fn restricted(function: &str) -> Refusal {
        Refusal::new(RefusalKind::RestrictedFunction, format!("Restricted function {function}"))
    }

    pub(super) fn invalid(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::Invalid, message)
    }

    pub(super) fn unsupported(construct: &str) -> Refusal {
        Refusal::new(RefusalKind::Unsupported, format!("{construct} is not supported"))
    }

    pub(super) fn too_deep() -> Refusal {
        Refusal::unsupported("a query nested as deep as this one")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
