//! Features of PostgreSQL that this engine does not have. They are refused by name, so that users can tell them from mistakes.

use super::Binder;
use crate::ddl::functions_of;
use crate::error::SqlError;
use crate::functions;
use crate::types::Type;

/// The functions of PostgreSQL 15, one name on each line.
static FUNCTIONS: &str = include_str!("known.txt");

const OPERATORS: &[&str] = &[
    "!!", "##", "&<", "&<|", "&>", "*<", "*<=", "*<>", "*=", "*>", "*>=", "-|-", "<->", "<<|", "<@", "<^",
    ">^", "?#", "?-", "?-|", "?|", "?||", "@-@", "@>", "@?", "@@", "@@@", "^@", "|&>", "|>>", "~<=~", "~<~",
    "~=", "~>=~", "~>~", "&&",
];

const TYPES: &[&str] = &[
    "aclitem",
    "box",
    "cid",
    "circle",
    "gtsvector",
    "line",
    "lseg",
    "oidvector",
    "path",
    "pg_lsn",
    "polygon",
    "regoper",
    "regoperator",
    "xid",
];

/// Types of extensions that the engine does not have.
const TYPES_OF_EXTENSIONS: &[(&str, &str)] = &[
    ("box2df", "postgis"),
    ("box3d", "postgis"),
    ("geometry_dump", "postgis"),
    ("gidx", "postgis"),
    ("spheroid", "postgis"),
    ("valid_detail", "postgis"),
];

/// The refusal of a call, if PostgreSQL has such a function for arguments of `types`.
pub(super) fn function(binder: &Binder<'_>, called: &str, types: &[Type]) -> Option<SqlError> {
    if let Some(type_) = opaque(types) {
        return Some(unread(binder, type_));
    }
    let casts = types.len() == 1 && Type::named(called).is_some();
    // How old a row is would be the number of transactions since.
    if called == "age" && types == [Type::OID] {
        return Some(SqlError::unsupported("the age of a transaction"));
    }
    // These are known for all arguments that they take.
    let known = !casts
        && !["pg_typeof", "enum_first", "enum_last", "enum_range"].contains(&called)
        && functions::overloads(called).is_empty()
        && (FUNCTIONS.lines().any(|known| known == called) || is_of_an_extension(binder, called));
    known.then(|| SqlError::unsupported(format!("the function {called}")))
}

/// Whether an extension of the database has a function of that name, which the database itself does not have.
fn is_of_an_extension(binder: &Binder<'_>, called: &str) -> bool {
    binder.catalog.extensions().any(|(_, extension)| functions_of(&extension.name).any(|name| name == called))
        && !binder.catalog.routines().any(|(_, routine)| routine.name == called)
}

/// Whether PostgreSQL has a function of that name.
pub(crate) fn is_known_function(name: &str) -> bool {
    !functions::overloads(name).is_empty()
        || FUNCTIONS.lines().any(|known| known == name)
        || Type::named(name).is_some()
}

/// Whether PostgreSQL has an operator of that name.
pub(crate) fn is_operator(symbol: &str) -> bool {
    OPERATORS.contains(&symbol)
}

/// The refusal of an operator, if PostgreSQL has it.
pub(super) fn operator(binder: &Binder<'_>, symbol: &str, types: &[Type]) -> Option<SqlError> {
    if let Some(type_) = opaque(types) {
        return Some(unread(binder, type_));
    }
    let known = functions::overloads(symbol).is_empty() && OPERATORS.contains(&symbol);
    known.then(|| SqlError::unsupported(format!("the operator {symbol}")))
}

/// The refusal of a cast, if PostgreSQL has it.
pub(super) fn cast(binder: &Binder<'_>, types: &[Type]) -> Option<SqlError> {
    opaque(types).map(|type_| unread(binder, type_))
}

/// The refusal of a type, if PostgreSQL has it.
pub(super) fn type_named(binder: &Binder<'_>, name: &str, has_schema: bool) -> Option<SqlError> {
    let of_extensions = TYPES_OF_EXTENSIONS.iter().filter(|(type_, _)| *type_ == name);
    let known = !has_schema && TYPES.contains(&name)
        || of_extensions.clone().any(|(_, extension)| binder.catalog.has_extension(extension));
    known.then(|| SqlError::unsupported(format!("type {name}")))
}

fn unread(binder: &Binder<'_>, type_: Type) -> SqlError {
    SqlError::unsupported(format!("type {}", binder.catalog.type_name(type_, -1)))
}

/// A type whose values the engine cannot read. Columns can have the type, but hold only nulls.
fn opaque(types: &[Type]) -> Option<Type> {
    types.iter().copied().find(|type_| type_.element().unwrap_or(*type_).is_opaque())
}
