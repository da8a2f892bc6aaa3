//! What depends on an object because a stored text uses it: defaults, constraints, indexes, policies, triggers, rules, views,
//! domains, and defaults of arguments.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::dependents::{Dependent, What};
use super::texts::name_of;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Catalog, ConstraintKind, Oid, Relation, TypeDefinition};
use crate::error::Result;
use crate::run::Engine;
use crate::source::{Source, is_word};
use crate::types::Type;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// How a stored text is bound.
#[derive(Clone, Copy)]
pub(super) enum Form<'r> {
    /// A value that reads no row.
    Value,
    /// A value or a condition about a row of a table.
    OfRow(&'r Relation, Clause),
    /// The query of a view.
    Query,
    /// In a way that only its use knows.
    Other,
}

impl Engine<'_> {
    /// What has a text that uses something.
    pub(super) fn users_in_texts(&self, uses: &dyn Fn(&str, Form<'_>) -> bool) -> Vec<Dependent> {
        let catalog = &self.catalog;
        let mut found = Vec::new();
        let mut add = |what: What| found.push(Dependent::of(what));
        for relation in catalog.relations() {
            for column in &relation.columns {
                if column.default.as_deref().is_some_and(|text| uses(text, Form::Value)) {
                    add(What::Default(relation.oid, column.number));
                }
                let generated = Form::OfRow(relation, Clause::Generated);
                if column.generated.as_deref().is_some_and(|text| uses(text, generated)) {
                    add(What::Column(relation.oid, column.number));
                }
            }
            for constraint in &relation.constraints {
                if let ConstraintKind::Check { expression } = &constraint.kind
                    && uses(expression, Form::OfRow(relation, Clause::Check))
                {
                    add(What::Constraint(relation.oid, constraint.oid));
                }
            }
            for index in &relation.indexes {
                let keys = index.keys.iter().filter_map(|key| key.expression.as_ref());
                let mut texts = keys.chain(&index.predicate);
                if texts.any(|text| uses(text, Form::OfRow(relation, Clause::Index))) {
                    add(What::Index(relation.oid, index.oid));
                }
            }
            for policy in &relation.policies {
                let mut texts = policy.using.iter().chain(&policy.check);
                if texts.any(|text| uses(text, Form::OfRow(relation, Clause::Policy))) {
                    add(What::Constraint(relation.oid, policy.oid));
                }
            }
            for trigger in &relation.triggers {
                if trigger.condition.as_deref().is_some_and(|text| uses(text, Form::Other)) {
                    add(What::Constraint(relation.oid, trigger.oid));
                }
            }
            for rule in &relation.rules {
                if rule.condition.iter().chain(&rule.commands).any(|text| uses(text, Form::Other)) {
                    add(What::Constraint(relation.oid, rule.oid));
                }
            }
            if relation.definition.as_deref().is_some_and(|text| uses(text, Form::Query)) {
                add(What::Object(relation.oid));
            }
        }
        for (domain, user_type) in catalog.types() {
            let TypeDefinition::Domain { default, checks, .. } = &user_type.definition else { continue };
            if default.as_deref().is_some_and(|text| uses(text, Form::Value)) {
                add(What::Object(domain));
            }
            for (check, _) in checks.iter().filter(|(_, text)| uses(text, Form::Other)) {
                add(What::DomainCheck(domain, check.clone()));
            }
        }
        for (other, routine) in catalog.routines() {
            let mut defaults = routine.arguments.iter().filter_map(|argument| argument.default.as_deref());
            if defaults.any(|text| uses(text, Form::Value)) {
                add(What::Object(other));
            }
        }
        found
    }

    /// Whether a stored text calls a function itself.
    pub(super) fn calls_in(&self, text: &str, form: Form<'_>, function: Oid, name: &str) -> bool {
        if !names_call(text, name) {
            return false;
        }
        let mut binder = self.binder();
        binder.calls = Some(BTreeSet::new());
        let Some(bound) = bind_text(&mut binder, text, form) else { return true };
        bound.is_err() || binder.calls.is_some_and(|calls| calls.contains(&function))
    }

    /// Whether a stored text names a type, as casts do.
    pub(super) fn names_type(&self, type_: Type) -> impl Fn(&str, Form<'_>) -> bool {
        let name = self.catalog.user_type(type_).map(|known| known.name.clone());
        let without = OnceCell::new();
        move |text, form| {
            let Some(name) = name.as_ref().filter(|name| text.contains(*name)) else { return false };
            let without = without.get_or_init(|| {
                let mut without = self.catalog.as_ref().clone();
                without.objects.remove(&type_.0);
                without
            });
            let stands = |catalog: &Catalog| {
                let mut binder = Binder::new(catalog, self.source.clone(), &self.settings, &[]);
                bind_text(&mut binder, text, form).map(|bound| bound.is_ok())
            };
            match stands(without) {
                Some(stands_without) => !stands_without && stands(&self.catalog) == Some(true),
                None => casts_to(text, name),
            }
        }
    }
}

/// Binds a stored text, if that is possible without its use.
fn bind_text(binder: &mut Binder<'_>, text: &str, form: Form<'_>) -> Option<Result<()>> {
    Some(match form {
        Form::Value => binder.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            binder.expr_in(Clause::Default, &Scope::default(), &parsed).map(drop)
        }),
        Form::OfRow(relation, clause) => binder.row_of(relation).and_then(|table| {
            binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(clause, &Scope::of(table), &parsed).map(drop)
            })
        }),
        Form::Query => binder.stored(text, |binder| {
            let parsed = binder.source.query()?;
            binder.query(&Scope::default(), &parsed).map(drop)
        }),
        Form::Other => return None,
    })
}

/// Whether a text casts to a type of this name.
fn casts_to(text: &str, name: &str) -> bool {
    let tokens = Source::stored(text).tokens().unwrap_or_default();
    let casts = |before: &TokenWithSpan| before.token == Token::DoubleColon || is_word(before, "as");
    (1..tokens.len()).filter(|at| name_of(&tokens[*at]).as_deref() == Some(name)).any(|at| {
        let qualified = at >= 3 && tokens[at - 1].token == Token::Period;
        let literal = matches!(tokens.get(at + 1).map(|t| &t.token), Some(Token::SingleQuotedString(_)));
        literal || casts(&tokens[if qualified { at - 3 } else { at - 1 }])
    })
}

/// Whether a text may call a function of this name.
fn names_call(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let after = text[at + name.len()..].trim_start_matches('"').trim_start();
        !text[..at].ends_with(part_of_word) && after.starts_with('(')
    })
}
