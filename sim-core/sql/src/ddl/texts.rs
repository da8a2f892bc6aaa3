//! The texts of definitions, in which what they name may get another name.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::catalog::{
    Object, Oid, Relation, RelationKind, Routine, TypeDefinition, quote_identifier, quote_literal,
};
use crate::error::Result;
use crate::run::Engine;
use crate::source::{Source, is_word};

/// The units of work to look at the texts of one object.
pub(super) const TEXTS_WORK: usize = 100;

impl Engine<'_> {
    /// Rewrites the expressions and queries of all objects: `rewrite` returns the texts that change.
    pub(super) fn rewrite_texts(&mut self, rewrite: &dyn Fn(&str) -> Option<String>) -> Result<()> {
        let catalog = self.catalog.clone();
        for relation in catalog.relations() {
            self.budget.work(TEXTS_WORK)?;
            let mut changed = relation.clone();
            if rewritten(texts_of(&mut changed), rewrite) {
                *self.relation_mut(relation.oid) = changed;
            }
        }
        for (oid, object) in catalog.objects.iter() {
            if let Object::Routine(known) = object {
                let mut changed = known.clone();
                if rewritten(texts_of_routine(&mut changed), rewrite) {
                    self.catalog_mut().objects.insert(*oid, Object::Routine(changed));
                }
            }
            let Object::Type(known) = object else { continue };
            let mut changed = known.clone();
            let TypeDefinition::Domain { default, checks, .. } = &mut changed.definition else { continue };
            let texts = default.iter_mut().chain(checks.iter_mut().map(|(_, check)| check)).collect();
            if rewritten(texts, rewrite) {
                self.catalog_mut().objects.insert(*oid, Object::Type(changed));
            }
        }
        Ok(())
    }

    /// Lets definitions call a function by its new name, if no other one has the old name.
    pub(super) fn follow_routine(&mut self, oid: Oid, (schema, name): (&str, &str)) -> Result<()> {
        let Some(routine) = self.catalog.routine(oid) else { return Ok(()) };
        let after = self.catalog.qualified(routine.schema, &routine.name);
        let rewrite = |text: &str| {
            with_names(text, (schema, name), &after, |_, next| {
                next.is_some_and(|next| next.token == Token::LParen)
            })
        };
        if self.catalog.routines().any(|(other, known)| other != oid && known.name == name) {
            return self.follow_routine_in_bodies(name, &rewrite);
        }
        self.rewrite_texts(&rewrite)
    }

    /// Lets definitions name a type by its new name.
    pub(super) fn follow_type(&mut self, (schema, name): (&str, &str), after: &str) -> Result<()> {
        let is_type = |before: Option<&TokenWithSpan>, next: Option<&TokenWithSpan>| {
            let cast = before.is_some_and(|before| is_word(before, "as"))
                && next.is_some_and(|next| matches!(next.token, Token::RParen | Token::LBracket));
            let literal = next.is_some_and(|next| matches!(next.token, Token::SingleQuotedString(_)));
            before.is_some_and(|before| before.token == Token::DoubleColon) || cast || literal
        };
        self.rewrite_texts(&|text| with_names(text, (schema, name), after, is_type))
    }

    /// Lets definitions name a schema by its new name, also within the names of sequences.
    pub(super) fn follow_schema(&mut self, name: &str, to: &str) -> Result<()> {
        let quoted = format!("{}.", quote_identifier(name));
        let after = format!("{}.", quote_identifier(to));
        self.rewrite_texts(&|text| {
            edited(text, |tokens, at| {
                let token = &tokens[at];
                let next = |ahead: usize| tokens.get(at + ahead);
                match &token.token {
                    Token::Word(_) if name_of(token).as_deref() == Some(name) => {
                        let begins = at == 0 || tokens[at - 1].token != Token::Period;
                        let qualifies = next(1).is_some_and(|next| next.token == Token::Period);
                        (begins && qualifies).then(|| quote_identifier(to))
                    }
                    Token::SingleQuotedString(text) => {
                        let rest = text.strip_prefix(&quoted)?;
                        let named = next(1).is_some_and(|next| next.token == Token::DoubleColon)
                            && next(2).is_some_and(|next| is_word(next, "regclass"));
                        named.then(|| quote_literal(&format!("{after}{rest}")))
                    }
                    _ => None,
                }
            })
        })
    }

    /// The default of a column, with the sequences that it names found now: they may be renamed later.
    pub(super) fn with_sequences_found(&self, default: &str) -> String {
        let found = edited(default, |tokens, at| {
            let Token::SingleQuotedString(text) = &tokens[at].token else { return None };
            let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
            let is_cast = tokens.get(at + 1).is_some_and(|next| next.token == Token::DoubleColon);
            let regclass = is_cast && is(at + 2, "regclass");
            let drawn = at >= 2
                && is(at - 2, "nextval")
                && tokens[at - 1].token == Token::LParen
                && tokens.get(at + 1).is_some_and(|next| next.token == Token::RParen);
            if !regclass && !drawn {
                return None;
            }
            let relation = self.sequence_named(text)?;
            let name = quote_literal(&self.catalog.relation_name(relation));
            Some(if drawn { format!("{name}::regclass") } else { name })
        });
        found.unwrap_or_else(|| default.to_owned())
    }

    fn sequence_named(&self, text: &str) -> Option<&Relation> {
        let (schema, name) = crate::bind::split_name(text);
        let found = self.find(schema.as_deref(), &name).ok()?;
        (found.kind == RelationKind::Sequence).then_some(found)
    }
}

/// Applies `rewrite` to texts. Says whether one has changed.
fn rewritten(texts: Vec<&mut String>, rewrite: &dyn Fn(&str) -> Option<String>) -> bool {
    let mut any = false;
    for text in texts {
        if let Some(changed) = rewrite(text).filter(|changed| changed != text) {
            *text = changed;
            any = true;
        }
    }
    any
}

/// The defaults of a routine's parameters, and its body if the names in it are settled.
fn texts_of_routine(routine: &mut Routine) -> Vec<&mut String> {
    let body = routine.settled.is_some().then_some(&mut routine.body);
    let defaults = routine.arguments.iter_mut().filter_map(|argument| argument.default.as_mut());
    body.into_iter().chain(defaults).collect()
}

/// The expressions and queries of a relation.
pub(super) fn texts_of(relation: &mut Relation) -> Vec<&mut String> {
    use crate::catalog::ConstraintKind;
    let mut texts: Vec<&mut String> = Vec::new();
    texts.extend(relation.definition.as_mut());
    for column in &mut relation.columns {
        texts.extend(column.default.iter_mut().chain(column.generated.as_mut()));
    }
    for constraint in &mut relation.constraints {
        if let ConstraintKind::Check { expression } = &mut constraint.kind {
            texts.push(expression);
        }
    }
    for index in &mut relation.indexes {
        texts.extend(index.predicate.as_mut());
        texts.extend(index.keys.iter_mut().filter_map(|key| key.expression.as_mut()));
    }
    for policy in &mut relation.policies {
        texts.extend(policy.using.iter_mut().chain(policy.check.as_mut()));
    }
    texts.extend(relation.triggers.iter_mut().filter_map(|trigger| trigger.condition.as_mut()));
    texts
}

/// A text with another name in place of `schema.name` or `name`, where `fits` says what stands before and after it.
fn with_names(
    text: &str,
    (schema, name): (&str, &str),
    after: &str,
    fits: impl Fn(Option<&TokenWithSpan>, Option<&TokenWithSpan>) -> bool,
) -> Option<String> {
    if !text.contains(name) {
        return None;
    }
    let qualified = |tokens: &[TokenWithSpan], at: usize| {
        let period = |token: &TokenWithSpan| token.token == Token::Period;
        at >= 2
            && tokens.get(at - 1).is_some_and(period)
            && name_of(&tokens[at - 2]).as_deref() == Some(schema)
    };
    let is_name = |tokens: &[TokenWithSpan], at: usize, first: usize| {
        tokens.get(at).is_some_and(|token| name_of(token).as_deref() == Some(name))
            && fits(first.checked_sub(1).map(|before| &tokens[before]), tokens.get(at + 1))
    };
    edited(text, |tokens, at| {
        // The schema goes with the name after it.
        if qualified(tokens, at + 2) && is_name(tokens, at + 2, at) {
            return Some(String::new());
        }
        if tokens[at].token == Token::Period
            && at > 0
            && qualified(tokens, at + 1)
            && is_name(tokens, at + 1, at - 1)
        {
            return Some(String::new());
        }
        let first = if qualified(tokens, at) { at - 2 } else { at };
        let other = first == at && at > 0 && tokens[at - 1].token == Token::Period;
        (!other && is_name(tokens, at, first)).then(|| after.to_owned())
    })
}

/// A text in which `replace` gives other texts for some of its tokens; `None` if it gives none.
pub(super) fn edited(
    text: &str,
    replace: impl Fn(&[TokenWithSpan], usize) -> Option<String>,
) -> Option<String> {
    let source = Source::stored(text);
    let tokens = source.tokens().ok()?;
    let (mut out, mut copied) = (String::new(), 0);
    for (at, token) in tokens.iter().enumerate() {
        let Some(other) = replace(&tokens, at) else { continue };
        let (start, end) = source.offset(token.span.start).zip(source.offset(token.span.end))?;
        out.push_str(text.get(copied..start)?);
        out.push_str(&other);
        copied = end;
    }
    (copied > 0).then(|| out + &text[copied..])
}

/// The name that a token is.
pub(super) fn name_of(token: &TokenWithSpan) -> Option<String> {
    match &token.token {
        Token::Word(word) if word.quote_style.is_some() => Some(word.value.clone()),
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    }
}
