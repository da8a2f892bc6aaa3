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

    /// The row that its function returns.
    fn row(&self) -> &'static str {
        if self.event == "DELETE" { "old" } else { "new" }
    }

    /// Its condition as an expression of its function.
    fn condition_in_body(&self) -> Option<String> {
        self.condition.as_ref().map(|condition| match &*self.event {
            "UPDATE" => condition.clone(),
            // Names without a table are those of the row.
            _ => format!("(select {condition} from (select {}.*) as r)", self.row()),
        })
    }

    /// What it runs, and then `more`, under its condition.
    fn steps(&self, more: &str) -> String {
        let command = |command: &String| match self.returning && returns(command) {
            true => format!("{command} into {};\n", self.row()),
            false => format!("{command};\n"),
        };
        let commands: String = self.commands.iter().map(command).collect();
        match self.condition_in_body() {
            Some(condition) => format!("if {condition} then\n{commands}{more}end if;\n"),
            None => format!("{commands}{more}"),
        }
    }

    /// The text of the function of the trigger as which it runs.
    fn body(&self, relation: &Relation) -> String {
        const KEPT: &str = "\"kept by a rule\"";
        let row = self.row();
        let joined = relation.joined_rules(self);
        if joined.is_empty() || !self.instead {
            let is_table = relation.kind != RelationKind::View;
            let end = if self.instead && is_table { "return null;\n" } else { "" };
            return format!("begin\n{}return {row};\nend", self.steps(end));
        }
        let keeps = |rule: &&Rule| match rule.condition_in_body() {
            Some(condition) => format!("({condition}) is true"),
            None => "true".to_owned(),
        };
        let keeps: Vec<String> =
            joined.iter().copied().filter(|rule| rule.instead).map(|rule| keeps(&rule)).collect();
        let steps: String = joined.iter().map(|rule| rule.steps("")).collect();
        let steps = match &*self.event {
            // What is done besides an insertion is done after it, so here it is for the rows alone that are not inserted.
            "INSERT" => format!("if {KEPT} then\n{steps}return null;\nend if;\n"),
            _ => format!("{steps}if {KEPT} then\nreturn null;\nend if;\n"),
        };
        format!("declare {KEPT} boolean := {};\nbegin\n{steps}return {row};\nend", keeps.join(" or "))
    }

    /// The function of the trigger as which it runs. It has the rights of the relation's owner.
    pub(crate) fn routine(&self, relation: &Relation) -> Routine {
        Routine {
            schema: relation.schema,
            name: self.name.clone(),
            procedure: false,
            arguments: Vec::new(),
            returns: Type::TRIGGER,
            returns_set: false,
            language: "plpgsql".to_owned(),
            body: format!("#variable_conflict use_column\n{}", self.body(relation)),
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
        let rules = self.rules.iter().filter(|rule| self.runs_itself(rule)).map(|rule| rule.trigger(self));
        self.triggers.iter().cloned().chain(rules).collect()
    }

    /// Whether a rule runs as a trigger of its own, or leads the rules that run as one.
    fn runs_itself(&self, rule: &Rule) -> bool {
        let joined = self.joined_rules(rule);
        let lead = joined.iter().find(|known| known.instead);
        match lead {
            None => rule.runs(),
            Some(lead) => lead.oid == rule.oid || !rule.instead && rule.runs() && rule.event == "INSERT",
        }
    }

    /// The rules of a table that run together with a rule, in the order of their names: one that keeps a row from being changed
    /// does not keep the others from running for it. There are none if it runs alone.
    pub(crate) fn joined_rules(&self, rule: &Rule) -> Vec<&Rule> {
        let alike =
            |known: &&Rule| known.acts() && known.event == rule.event && known.enabled == rule.enabled;
        let mut joined: Vec<&Rule> = self.rules.iter().filter(alike).collect();
        let together = joined.len() > 1 && joined.iter().any(|known| known.instead);
        if !together || self.kind == RelationKind::View {
            return Vec::new();
        }
        joined.sort_by(|a, b| a.name.cmp(&b.name));
        joined
    }
}
