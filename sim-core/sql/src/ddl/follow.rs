//! What views and policies read has another name: their texts follow.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::alter::rename_column_in;
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

    /// Lets views name a column of a table by its new name. Their own columns keep their names.
    pub(super) fn follow_column(&mut self, oid: Oid, from: &str, to: &str) -> Result<()> {
        let table = self.relation(oid)?.name;
        for view in self.views_of(oid) {
            self.budget.work(1_000)?;
            let text = self.relation(view)?.definition.unwrap_or_default();
            for qualifier in [Some(table.as_str()), None] {
                if self.view_stands(view) {
                    break;
                }
                let followed = rename_column_in(&text, qualifier, from, to);
                self.relation_mut(view).definition = Some(followed);
            }
        }
        self.require_views(oid)
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
                let followed = renamed(&text, before, &after);
                self.relation_mut(view).definition = Some(followed);
            }
        }
        let catalog = self.catalog.clone();
        for table in catalog.relations() {
            for (at, policy) in table.policies.iter().enumerate() {
                let follow = |text: &Option<String>| {
                    let text = text.as_ref().filter(|text| text.contains(before.1))?;
                    Some(renamed(text, before, &after)).filter(|followed| followed != text)
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
fn renamed(text: &str, (schema, name): (&str, &str), after: &str) -> String {
    let source = Source::stored(text);
    let Ok(tokens) = source.tokens() else { return text.to_owned() };
    let word = |at: usize| match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) if word.quote_style.is_some() => Some(word.value.clone()),
        Some(Token::Word(word)) => Some(word.value.to_lowercase()),
        _ => None,
    };
    let (mut followed, mut copied) = (String::new(), 0);
    for at in 0..tokens.len() {
        if word(at).as_deref() != Some(name)
            || tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen)
        {
            continue;
        }
        let qualified = at >= 2 && tokens[at - 1].token == Token::Period;
        let first = if qualified { at - 2 } else { at };
        if qualified && word(first).as_deref() != Some(schema)
            || first == 0
            || !begins_source(&tokens[first - 1])
        {
            continue;
        }
        let offsets = source.offset(tokens[first].span.start).zip(source.offset(tokens[at].span.end));
        let Some((start, end)) = offsets else { continue };
        followed.push_str(&text[copied..start]);
        followed.push_str(after);
        let aliased = word(at + 1).is_some_and(|next| !AFTER.contains(&next.as_str()));
        if !aliased {
            followed.push_str(&format!(" AS {}", quote_identifier(name)));
        }
        copied = end;
    }
    followed.push_str(&text[copied..]);
    followed
}

/// Whether a relation may come after a token.
fn begins_source(token: &TokenWithSpan) -> bool {
    matches!(token.token, Token::Comma | Token::LParen)
        || ["from", "join", "only"].iter().any(|word| is_word(token, word))
}
