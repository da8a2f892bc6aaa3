//! What has a column in it whose type changes.

use std::collections::BTreeSet;

use sqlparser::tokenizer::Token;

use crate::bind::{Clause, Scope};
use crate::catalog::{Index, Oid, Relation, Rule, TypeDefinition};
use crate::ddl::texts::name_of;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::{Source, is_word};
use crate::types::Type;

impl Engine<'_> {
    /// Creates indexes of a table whose columns have other types than before. Their expressions mean what they mean with these.
    pub(super) fn create_indexes_again(&mut self, relation: &Relation, indexes: Vec<Index>) -> Result<()> {
        for mut index in indexes {
            let mut binder = self.binder();
            let scope = Scope::of(binder.row_of(relation)?);
            for key in &mut index.keys {
                let Some(text) = &mut key.expression else { continue };
                let shown = binder.stored(text, |binder| {
                    let parsed = binder.source.expression()?;
                    binder.expr_in(Clause::Index, &scope, &parsed)?;
                    Ok(binder.shown(&scope, &parsed, Type::TEXT))
                })?;
                *text = shown.unwrap_or_else(|| text.clone());
            }
            if let Some(text) = &mut index.predicate {
                *text = binder.stored(text, |binder| {
                    let parsed = binder.source.expression()?;
                    binder.condition_in(Clause::Where, &scope, &parsed)?;
                    Ok(binder.shown_condition(&scope, &parsed, text))
                })?;
            }
            self.check_classes(relation, &index)?;
            self.create_index(relation, &index)?;
            let known = &mut self.relation_mut(relation.oid).indexes;
            known
                .iter_mut()
                .filter(|known| known.oid == index.oid)
                .for_each(|known| known.clone_from(&index));
        }
        Ok(())
    }

    /// Refuses a change of a table whose rows are values of a column.
    pub(super) fn refuse_users_of_row(&self, relation: &Relation) -> Result<()> {
        let Some(row) = self.catalog.row_type(relation.oid) else { return Ok(()) };
        let mut types = BTreeSet::from([row]);
        loop {
            self.budget.work(100)?;
            let has =
                |type_: Type| types.contains(&type_) || type_.element().is_some_and(|of| types.contains(&of));
            let more = self.catalog.types().filter(|(oid, known)| {
                !types.contains(&Type(*oid))
                    && match &known.definition {
                        TypeDefinition::Domain { .. } => has(self.catalog.base_type(Type(*oid))),
                        TypeDefinition::Row { .. } => false,
                        _ => {
                            let attributes = self.catalog.attributes(Type(*oid)).unwrap_or_default();
                            attributes.iter().any(|attribute| has(attribute.type_.base))
                        }
                    }
            });
            let more: Vec<Type> = more.map(|(oid, _)| Type(oid)).collect();
            if more.is_empty() {
                break;
            }
            types.extend(more);
        }
        let has =
            |type_: Type| types.contains(&type_) || type_.element().is_some_and(|of| types.contains(&of));
        for user in self.catalog.relations().filter(|user| user.is_stored() || user.partition.is_some()) {
            if let Some(column) = user.columns.iter().find(|column| has(column.type_.base)) {
                let (table, user, column) = (&relation.name, &user.name, &column.name);
                let message = format!(
                    "cannot alter table \"{table}\" because column \"{user}.{column}\" uses its row type"
                );
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
        }
        Ok(())
    }

    /// The rule that uses a column: of its table's rows, or of a table that it changes.
    pub(in crate::ddl) fn rule_using(&self, table: Oid, number: u32) -> Option<String> {
        let relation = self.catalog.relation(table)?;
        let column = relation.column_name(number);
        self.catalog.relations().find_map(|of| {
            let rule = of.rules.iter().find(|rule| self.uses(rule, of.oid == table, relation, column))?;
            Some(format!("rule {} on {} {}", rule.name, of.word(), self.catalog.relation_name(of)))
        })
    }

    fn uses(&self, rule: &Rule, own: bool, relation: &Relation, column: &str) -> bool {
        let mut texts =
            rule.condition.iter().map(|text| (text, true)).chain(rule.commands.iter().map(|t| (t, false)));
        texts.any(|(text, is_condition)| {
            let Ok(tokens) = Source::stored(text).tokens() else { return false };
            let named = |at: usize| tokens.get(at).and_then(name_of);
            let mentions = |other: bool| {
                (0..tokens.len()).any(|at| {
                    if named(at).as_deref() != Some(column) {
                        return false;
                    }
                    let qualified = at >= 2 && tokens[at - 1].token == Token::Period;
                    let of_row = qualified && ["new", "old"].iter().any(|row| is_word(&tokens[at - 2], row));
                    if other { !of_row } else { of_row || is_condition && !qualified }
                })
            };
            if own && mentions(false) {
                return true;
            }
            let changes = (0..tokens.len()).any(|at| {
                named(at).as_deref() == Some(relation.name.as_str())
                    && at > 0
                    && ["into", "update", "from"].iter().any(|word| is_word(&tokens[at - 1], word))
            });
            // An INSERT without a list of columns names them all.
            let all = changes
                && is_word(&tokens[0], "insert")
                && !tokens.iter().take(6).any(|token| {
                    token.token == Token::LParen && {
                        let at = tokens.iter().position(|known| std::ptr::eq(known, token)).unwrap_or(0);
                        at > 0 && !is_word(&tokens[at - 1], "values")
                    }
                });
            changes && (all || mentions(true))
        })
    }
}
