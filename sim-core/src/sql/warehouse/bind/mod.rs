//! From the parser's tree to the target's text: names are resolved in scopes, every expression gets its type.

use sqlparser::ast::Query;

use super::refusal::Refusal;
use super::{Request, Resolver, Translation};

/// Translates a parsed query, with the consumer's in the place of its last `SELECT`.
pub(super) fn translate(
    _: &Request<'_>,
    query: &Query,
    consumer: Option<&Query>,
    _: &dyn Resolver,
) -> Result<Translation, Refusal> {
    Err(Refusal::unsupported(&consumer.unwrap_or(query).body.to_string()))
}
