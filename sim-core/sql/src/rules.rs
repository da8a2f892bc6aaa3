//! Rules that run commands. The engine runs them as triggers for each row, which no view of the catalog shows.

use crate::catalog::{Relation, RelationKind, Routine, Rule, Trigger};
use crate::source::{Source, is_word};
use crate::types::Type;

/// Stands before all names of triggers: what a rule runs is run before the change, and what it keeps from happening fires none.
const FIRST: char = '\u{1}';

/// Stands behind all names of triggers.
const LAST: char = '\u{10FFFF}';

/// Whether a command has `RETURNING`.
pub(crate) fn returns(command: &str) -> bool {
    let tokens = Source::stored(command).tokens().unwrap_or_default();
    tokens.iter().any(|token| is_word(token, "returning"))
}

impl Rule {
    /// Whether it runs something, or keeps some rows from being changed.
    pub(crate) fn runs(&self) -> bool {
        !self.commands.is_empty() || self.instead && self.condition.is_some()
    }

    /// Whether a change is another one with it than without it.
    pub(crate) fn acts(&self) -> bool {
        self.instead || self.runs()
    }

    /// Whether it leaves nothing of a change: no command of the same kind either.
    pub(crate) fn replaces(&self) -> bool {
        let same = |command: &String| command.len() > 6 && command[..6].eq_ignore_ascii_case(&self.event);
        self.instead && self.condition.is_none() && !self.commands.iter().any(same)
    }

    /// Whether it turns each change into nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.instead && !self.runs()
    }

    fn trigger(&self, relation: &Relation) -> Trigger {
        let timing = match (relation.kind, self.instead, self.event.as_str()) {
            (RelationKind::View, ..) => "INSTEAD OF",
            (_, false, "INSERT") => "AFTER",
            _ => "BEFORE",
        };
        let place = if timing == "AFTER" { LAST } else { FIRST };
        Trigger {
            oid: self.oid,
            name: format!("{place}{}", self.name),
            timing: timing.to_owned(),
            events: vec![self.event.clone()],
            for_each_row: true,
            condition: None,
            function: self.oid,
            arguments: Vec::new(),
            enabled: self.enabled,
            definition: String::new(),
            comment: None,
            columns: Vec::new(),
            deferred: false,
            old_table: None,
            new_table: None,
            constraint: false,
            deferrable: false,
            refers_to: None,
        }
    }

    /// The function of the trigger as which it runs. It has the rights of the relation's owner.
    pub(crate) fn routine(&self, relation: &Relation) -> Routine {
        let row = if self.event == "DELETE" { "old" } else { "new" };
        let mut commands: String = self
            .commands
            .iter()
            .map(|command| match self.returning && returns(command) {
                true => format!("{command} into {row};\n"),
                false => format!("{command};\n"),
            })
            .collect();
        let is_table = relation.kind != RelationKind::View;
        if self.instead && is_table {
            commands.push_str("return null;\n");
        }
        let body = match &self.condition {
            // Names without a table are those of the row.
            Some(condition) if self.event != "UPDATE" => {
                format!("if (select {condition} from (select {row}.*) as r) then\n{commands}end if;\n")
            }
            Some(condition) => format!("if {condition} then\n{commands}end if;\n"),
            None => commands,
        };
        Routine {
            schema: relation.schema,
            name: self.name.clone(),
            procedure: false,
            arguments: Vec::new(),
            returns: Type::TRIGGER,
            returns_set: false,
            language: "plpgsql".to_owned(),
            body: format!("#variable_conflict use_column\nbegin\n{body}return {row};\nend"),
            volatility: 'v',
            strict: false,
            security_definer: true,
            settings: self.path.iter().map(|path| format!("search_path TO {path}")).collect(),
            comment: None,
            acl: Default::default(),
            owner: relation.owner.clone(),
            parallel: 'u',
            leakproof: false,
            cost: None,
            rows: None,
            aggregation: None,
            settled: None,
        }
    }
}

impl Relation {
    /// The triggers that fire for a change of its rows: its own, and those as which its rules run.
    pub(crate) fn firing(&self) -> Vec<Trigger> {
        let rules = self.rules.iter().filter(|rule| rule.runs()).map(|rule| rule.trigger(self));
        self.triggers.iter().cloned().chain(rules).collect()
    }
}
