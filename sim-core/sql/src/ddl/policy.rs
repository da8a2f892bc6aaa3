//! Policies of row security.

use super::alter::rename_column_in;
use super::cursor::Cursor;
use super::dependents::{Dependent, What};
use super::follow_column::TEXT_WORK;
use crate::bind::{Clause, Scope};
use crate::catalog::{Object, Oid, Policy, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    pub(super) fn create_policy(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let table = self.find_table(cursor)?;
        self.require_relation_owner(table)?;
        let mut policy = Policy {
            oid: 0,
            name,
            permissive: true,
            command: "ALL".to_owned(),
            roles: vec!["public".to_owned()],
            using: None,
            check: None,
            comment: None,
        };
        if cursor.word("as") {
            policy.permissive = match cursor.ident()?.as_str() {
                "permissive" => true,
                "restrictive" => false,
                other => {
                    // A word of the grammar is no name of an option.
                    if other == "strict" {
                        cursor.at -= 1;
                        return Err(cursor.unexpected());
                    }
                    let message = format!("unrecognized row security option \"{other}\"");
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message)
                        .hint("Only PERMISSIVE or RESTRICTIVE policies are supported currently."));
                }
            };
        }
        if cursor.word("for") {
            let known = ["all", "select", "insert", "update", "delete"];
            let command = known.iter().find(|word| cursor.word(word));
            policy.command = command.ok_or_else(|| cursor.unexpected())?.to_uppercase();
        }
        self.policy_rest(cursor, table, &mut policy)?;
        self.refuse_policy_name(table, &policy.name)?;
        policy.oid = self.new_oid();
        self.relation_mut(table).policies.push(policy);
        Ok(Done::command("CREATE POLICY"))
    }

    fn refuse_policy_name(&self, table: Oid, name: &str) -> Result<()> {
        let relation = self.relation(table)?;
        if relation.policies.iter().all(|policy| policy.name != name) {
            return Ok(());
        }
        let message = format!("policy \"{name}\" for table \"{}\" already exists", relation.name);
        Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message))
    }

    fn policy_rest(&mut self, cursor: &mut Cursor<'_>, table: Oid, policy: &mut Policy) -> Result<()> {
        if cursor.word("to") {
            let roles = cursor.list(|cursor| self.role_name(cursor))?;
            // Those beside everybody do not count.
            policy.roles = match roles.iter().any(|role| role == "public") {
                true => vec!["public".to_owned()],
                false => roles,
            };
        }
        let wrong = |message: &str| Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        let using = cursor.word("using").then(|| cursor.bracketed()).transpose()?;
        let check = cursor.words("with check").then(|| cursor.bracketed()).transpose()?;
        cursor.finish()?;
        if check.is_some() && matches!(policy.command.as_str(), "SELECT" | "DELETE") {
            return wrong(match policy.oid {
                0 => "WITH CHECK cannot be applied to SELECT or DELETE",
                _ => "only USING expression allowed for SELECT, DELETE",
            });
        }
        if using.is_some() && policy.command == "INSERT" {
            return wrong("only WITH CHECK expression allowed for INSERT");
        }
        for role in policy.roles.iter().filter(|role| *role != "public") {
            self.known_role(role)?;
        }
        let relation = self.relation(table)?;
        let condition = |written: super::cursor::Written| {
            let mut binder = self.binder();
            binder.runs_nothing();
            let scope = Scope::of(binder.row_of(&relation)?);
            // What this engine can't bind is refused where the policy decides.
            match binder.condition_in(Clause::Policy, &scope, &written.expr) {
                Err(error) if !error.is_unsupported() => Err(error.nowhere()),
                Err(_) => Ok(format!("({})", written.text)),
                Ok(_) => Ok(binder.shown_condition(&scope, &written.expr, &written.text)),
            }
        };
        let (using, check) = (using.map(condition).transpose()?, check.map(condition).transpose()?);
        let path = self.path_of_new_view();
        let known = &mut self.relation_mut(table).path;
        let new: Vec<_> = path.into_iter().filter(|schema| !known.contains(schema)).collect();
        known.extend(new);
        policy.using = using.or(policy.using.take());
        policy.check = check.or(policy.check.take());
        Ok(())
    }

    /// The policies that depend on something.
    pub(super) fn dependent_policies(&self, what: &What) -> Vec<Dependent> {
        match what {
            What::Object(oid) => match self.catalog.objects.get(oid) {
                Some(Object::Relation(_)) => self.policies_reading(*oid),
                _ => Vec::new(),
            },
            What::Column(table, number) => self.policies_about(*table, *number),
            _ => Vec::new(),
        }
    }

    /// The policies of other tables that read a relation.
    fn policies_reading(&self, oid: Oid) -> Vec<Dependent> {
        let Some(read) = self.catalog.relation(oid) else { return Vec::new() };
        self.policies_that(|relation, text| {
            relation.oid != oid
                && text.contains(&read.name)
                && self.budget.draw(TEXT_WORK)
                && self.binder().names_of_policy(relation, text).is_ok_and(|names| names.reads(oid))
        })
    }

    /// The policies that need a column of a table.
    fn policies_about(&self, table: Oid, number: u32) -> Vec<Dependent> {
        let Some(read) = self.catalog.relation(table) else { return Vec::new() };
        let column = read.column_name(number);
        self.policies_that(|relation, text| {
            let may = text.contains(column) || text.contains('*');
            if !(may && self.budget.draw(TEXT_WORK)) {
                return false;
            }
            match self.binder().names_of_policy(relation, text) {
                Ok(names) => names.needs((table, number)),
                Err(_) => {
                    let renamed = || rename_column_in(text, Some(&relation.name), column, "\u{1}");
                    relation.oid == table && renamed() != text
                }
            }
        })
    }

    fn policies_that(&self, depends: impl Fn(&Relation, &str) -> bool) -> Vec<Dependent> {
        let mut found = Vec::new();
        for relation in self.catalog.relations() {
            for policy in &relation.policies {
                let mut texts = policy.using.iter().chain(&policy.check);
                if texts.any(|text| depends(relation, text)) {
                    found.push(Dependent::of(What::Constraint(relation.oid, policy.oid)));
                }
            }
        }
        found
    }

    pub(super) fn alter_policy(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let table = self.find_table(cursor)?;
        self.require_relation_owner(table)?;
        let relation = self.relation(table)?;
        let at = relation.policies.iter().position(|policy| policy.name == name).ok_or_else(|| {
            let message = format!("policy \"{name}\" for table \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })?;
        let mut policy = relation.policies[at].clone();
        if cursor.words("rename to") {
            policy.name = cursor.ident()?;
            cursor.finish()?;
            self.refuse_policy_name(table, &policy.name)?;
        } else {
            self.policy_rest(cursor, table, &mut policy)?;
        }
        self.relation_mut(table).policies[at] = policy;
        Ok(Done::command("ALTER POLICY"))
    }
}
