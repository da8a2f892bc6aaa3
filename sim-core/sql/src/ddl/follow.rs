//! What views and policies read has another name: their texts follow.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::texts::{edited, name_of};
use crate::catalog::{Oid, quote_identifier};
use crate::error::{Result, SqlError};
use crate::run::Engine;
use crate::source::{Source, is_word};

/// The words that come after a relation in a query and are no alias of it.
const AFTER: [&str; 22] = [
    "where",
    "join",
    "left",
    "right",
    "inner",
    "full",
    "cross",
    "natural",
    "on",
    "using",
    "group",
    "having",
    "window",
    "order",
    "limit",
    "offset",
    "fetch",
    "for",
    "union",
    "intersect",
    "except",
    "tablesample",
];

/// The words that begin a part of a query that has no sources.
const ENDS: [&str; 9] =
    ["select", "where", "group", "having", "window", "order", "limit", "offset", "returning"];

impl Engine<'_> {
    /// Lets views and policies name a relation by its new name. `before` are its old schema and name.
    pub(super) fn follow(&mut self, oid: Oid, before: (&str, &str)) -> Result<()> {
        self.rename_in_texts(oid, before)?;
        self.require_views(oid)
    }

    /// Refuses a change after which a view that reads a relation can't be bound.
    pub(super) fn require_views(&self, oid: Oid) -> Result<()> {
        match self.views_of(oid).into_iter().find(|view| !self.view_stands(*view)) {
            None => Ok(()),
            Some(view) => {
                let view = self.relation(view)?.name;
                Err(SqlError::unsupported(format!("renaming what the view {view} reads")))
            }
        }
    }

    pub(super) fn rename_in_texts(&mut self, oid: Oid, before: (&str, &str)) -> Result<()> {
        self.budget.work(self.catalog.objects.len())?;
        let relation = self.relation(oid)?;
        let schema = quote_identifier(self.catalog.schema_name(relation.schema));
        let after = format!("{schema}.{}", quote_identifier(&relation.name));
        for view in self.views_of(oid) {
            self.budget.work(1_000)?;
            let known = self.relation(view)?;
            let text = known.definition.unwrap_or_default();
            if !self.view_stands(view) {
                let throughout = renamed_throughout(&text, before, &after, &relation.name);
                self.relation_mut(view).definition = throughout.or(Some(text.clone()));
            }
            if !self.view_stands(view) {
                self.relation_mut(view).definition = Some(renamed(&text, before, &after));
            }
        }
        self.follow_in_bodies(oid, before, &after, |text| {
            let throughout = renamed_throughout(text, before, &after, &relation.name);
            [Some(text.to_owned()), throughout, Some(renamed(text, before, &after))]
                .into_iter()
                .flatten()
                .collect()
        })?;
        let catalog = self.catalog.clone();
        for table in catalog.relations() {
            for (at, policy) in table.policies.iter().enumerate() {
                let follow = |text: &Option<String>| {
                    let text = text.as_ref().filter(|text| text.contains(before.1))?;
                    let followed = renamed_throughout(text, before, &after, &relation.name);
                    let followed = followed.unwrap_or_else(|| renamed(text, before, &after));
                    Some(followed).filter(|followed| followed != text)
                };
                let (using, check) = (follow(&policy.using), follow(&policy.check));
                if using.is_some() || check.is_some() {
                    let policy = &mut self.relation_mut(table.oid).policies[at];
                    policy.using = using.or(policy.using.take());
                    policy.check = check.or(policy.check.take());
                }
            }
        }
        Ok(())
    }
}

/// A query in which a relation has another name. Its columns are still qualified by the old one, as an alias.
fn renamed(text: &str, before: (&str, &str), after: &str) -> String {
    let alias = quote_identifier(before.1);
    let followed = edited(text, |tokens, at| {
        if is_qualifier(tokens, at, before) {
            return (at > 0 && tokens[at - 1].token == Token::Period).then(|| alias.clone());
        }
        if begins_name(tokens, at, before) {
            return Some(String::new());
        }
        is_source(tokens, at, before).then(|| match is_aliased(tokens, at) {
            true => after.to_owned(),
            false => format!("{after} AS {alias}"),
        })
    });
    followed.unwrap_or_else(|| text.to_owned())
}

/// The same without an alias: its columns are qualified by the new name. `None` if the text has that name already.
fn renamed_throughout(text: &str, before: (&str, &str), after: &str, name: &str) -> Option<String> {
    let tokens = Source::stored(text).tokens().ok()?;
    let known = |name: &str| tokens.iter().filter(|token| name_of(token).as_deref() == Some(name)).count();
    // An alias of this name may be in another part of the text.
    let uses =
        (0..tokens.len()).filter(|at| is_qualifier(&tokens, *at, before) || is_source(&tokens, *at, before));
    if name != before.1 && known(name) > 0 || known(before.1) != uses.count() {
        return None;
    }
    edited(text, |tokens, at| {
        if begins_name(tokens, at, before) {
            return Some(String::new());
        }
        if is_qualifier(tokens, at, before) {
            return Some(quote_identifier(name));
        }
        is_source(tokens, at, before).then(|| after.to_owned())
    })
}

fn is_qualified(tokens: &[TokenWithSpan], at: usize, schema: &str) -> bool {
    let period = |token: &TokenWithSpan| token.token == Token::Period;
    at >= 2 && tokens.get(at - 1).is_some_and(period) && name_of(&tokens[at - 2]).as_deref() == Some(schema)
}

/// Whether a token is a relation's name before a column.
fn is_qualifier(tokens: &[TokenWithSpan], at: usize, (schema, name): (&str, &str)) -> bool {
    tokens.get(at).is_some_and(|token| name_of(token).as_deref() == Some(name))
        && tokens.get(at + 1).is_some_and(|next| next.token == Token::Period)
        && (at == 0 || tokens[at - 1].token != Token::Period || is_qualified(tokens, at, schema))
}

/// Whether a token is the schema or the period before a relation's name.
fn begins_name(tokens: &[TokenWithSpan], at: usize, before: (&str, &str)) -> bool {
    let of = |place: usize| {
        is_qualified(tokens, place, before.0)
            && (is_qualifier(tokens, place, before) || is_source(tokens, place, before))
    };
    of(at + 2) || tokens[at].token == Token::Period && of(at + 1)
}

/// Whether a token is a relation's name where a query reads it.
fn is_source(tokens: &[TokenWithSpan], at: usize, (schema, name): (&str, &str)) -> bool {
    if tokens.get(at).is_none_or(|token| name_of(token).as_deref() != Some(name))
        || tokens.get(at + 1).is_some_and(|next| matches!(next.token, Token::LParen | Token::Period))
    {
        return false;
    }
    let qualified = is_qualified(tokens, at, schema);
    if !qualified && at > 0 && tokens[at - 1].token == Token::Period {
        return false;
    }
    let first = if qualified { at - 2 } else { at };
    first > 0 && begins_source(tokens, first - 1)
}

fn is_aliased(tokens: &[TokenWithSpan], at: usize) -> bool {
    tokens.get(at + 1).and_then(name_of).is_some_and(|next| !AFTER.contains(&next.as_str()))
}

/// Whether a relation may come after a token.
fn begins_source(tokens: &[TokenWithSpan], at: usize) -> bool {
    let words = ["from", "join", "only"];
    match tokens[at].token {
        Token::LParen => at > 0 && begins_source(tokens, at - 1),
        // Of a list of sources, not of targets.
        Token::Comma => {
            let mut depth = 0_usize;
            for token in tokens[..at].iter().rev() {
                match token.token {
                    Token::RParen => depth += 1,
                    Token::LParen if depth == 0 => return false,
                    Token::LParen => depth -= 1,
                    _ if depth > 0 => {}
                    _ if ["from", "join", "using"].iter().any(|word| is_word(token, word)) => return true,
                    _ if ENDS.iter().any(|word| is_word(token, word)) => return false,
                    _ => {}
                }
            }
            false
        }
        _ => words.iter().any(|word| is_word(&tokens[at], word)),
    }
}
