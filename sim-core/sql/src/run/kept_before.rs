//! Copies of tables for the parts of one statement, which all see the rows from before it.

use std::collections::BTreeSet;

use sqlparser::ast;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::Engine;
use super::rows::change_of;
use crate::catalog::{Object, Oid, Relation};
use crate::error::Result;
use crate::source::is_word;

impl Engine<'_> {
    /// Copies the tables that a `WITH` changes, itself or by triggers, if another part of the statement may read them.
    pub(super) fn keep_before(&mut self, query: &ast::Query, tokens: &[TokenWithSpan]) -> Result<()> {
        let words = words_of(tokens);
        let reads = self.reads_beside(&words);
        let statements = query.with.iter().flat_map(|with| &with.cte_tables).filter_map(change_of);
        for statement in statements {
            let Some(relation) = self.target(statement)? else { continue };
            let again = words.iter().filter(|word| **word == relation.name).count() > 1;
            if again || reads {
                self.copy_before(relation.oid)?;
            }
            self.keep_written_by_triggers(&relation, &words)?;
        }
        Ok(())
    }

    /// Copies the tables that `RETURNING` reads in queries of its own, and that triggers of a statement may change.
    pub(super) fn keep_for_returning(
        &mut self,
        statement: &ast::Statement,
        tokens: &[TokenWithSpan],
    ) -> Result<()> {
        let Some(at) = tokens.iter().position(|token| is_word(token, "returning")) else { return Ok(()) };
        if !tokens[at..].iter().any(|token| is_word(token, "select")) {
            return Ok(());
        }
        match self.target(statement)? {
            Some(relation) => self.keep_written_by_triggers(&relation, &words_of(&tokens[at..])),
            None => Ok(()),
        }
    }

    fn target(&mut self, statement: &ast::Statement) -> Result<Option<Relation>> {
        let Some(target) = crate::dml::target_of(statement) else { return Ok(None) };
        self.wake_target(target)?;
        Ok(self.plain_binder().find_relation(target).ok().cloned())
    }

    /// Whether a view or a function stands among the words, which may read any table.
    fn reads_beside(&self, words: &[String]) -> bool {
        let is_one = |word: &String| {
            self.catalog.relations().any(|known| known.definition.is_some() && known.name == *word)
                || self.catalog.routines().any(|(_, known)| known.name == *word)
        };
        words.iter().any(is_one)
    }

    fn keep_written_by_triggers(&mut self, target: &Relation, words: &[String]) -> Result<()> {
        if target.triggers.is_empty() {
            return Ok(());
        }
        let named = self.words_of_triggers(target);
        let reads = self.reads_beside(words);
        let is_read = |relation: &&Relation| {
            relation.oid != target.oid
                && relation.is_stored()
                && named.contains(&relation.name)
                && (reads || words.contains(&relation.name))
        };
        let found: Vec<Oid> = self.catalog.relations().filter(is_read).map(|relation| relation.oid).collect();
        found.into_iter().try_for_each(|oid| self.copy_before(oid))
    }

    /// The words of the functions of a table's triggers, and of those that these may run in turn.
    fn words_of_triggers(&self, target: &Relation) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut next: Vec<Oid> = target.triggers.iter().map(|trigger| trigger.function).collect();
        while let Some(oid) = next.pop() {
            let Some(Object::Routine(routine)) = self.catalog.objects.get(&oid).filter(|_| seen.insert(oid))
            else {
                continue;
            };
            let text = routine.body.to_lowercase();
            let found = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.extend(found.map(str::to_owned));
            next.extend(self.catalog.routines_called_in(&text));
            let changed = self.catalog.relations().filter(|relation| words.contains(&relation.name));
            next.extend(changed.flat_map(|relation| &relation.triggers).map(|trigger| trigger.function));
        }
        words
    }

    fn copy_before(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if !relation.is_stored() || self.before.contains_key(&oid) {
            return Ok(());
        }
        let kept = format!("before_{}_{}", self.known.waiting.borrow().len(), relation.physical());
        let columns: String = relation.columns.iter().map(|column| format!(", c{}", column.number)).collect();
        self.execute(&format!(
            "CREATE TABLE {kept} (number INTEGER PRIMARY KEY{columns});
             INSERT INTO {kept} SELECT rowid{columns} FROM {}",
            relation.physical()
        ))?;
        self.known.waiting.borrow_mut().push(format!("TABLE IF EXISTS {kept}"));
        self.before.insert(oid, kept);
        Ok(())
    }
}

fn words_of(tokens: &[TokenWithSpan]) -> Vec<String> {
    let words = tokens.iter().filter_map(|token| match &token.token {
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    });
    words.collect()
}
