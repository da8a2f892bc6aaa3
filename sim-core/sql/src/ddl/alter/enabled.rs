//! `ENABLE` and `DISABLE` of triggers and rules.

use crate::catalog::{ConstraintKind, Oid};
use crate::ddl::cursor::Cursor;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;

impl Engine<'_> {
    /// Says in which sessions a trigger or a rule is in force, from the first word on.
    pub(super) fn enable(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let enables = cursor.is("enable");
        cursor.at += 1;
        let enabled = match enables {
            false => 'D',
            true if cursor.word("replica") => 'R',
            true if cursor.word("always") => 'A',
            true => 'O',
        };
        if cursor.word("rule") {
            let name = cursor.ident()?;
            return self.enable_rule(oid, &name, enabled);
        }
        cursor.expect_word("trigger")?;
        let every = cursor.is("all") || cursor.is("user");
        if every && matches!(enabled, 'R' | 'A') {
            return Err(cursor.unexpected());
        }
        if cursor.is("all") {
            self.refuse_system_triggers(oid)?;
        }
        let name = cursor.ident()?;
        let relation = self.relation_mut(oid);
        if !every && !relation.triggers.iter().any(|trigger| trigger.name == name) {
            let message = format!("trigger \"{name}\" for table \"{}\" does not exist", relation.name);
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        for trigger in &mut relation.triggers {
            if every || trigger.name == name {
                trigger.enabled = enabled;
            }
        }
        Ok(())
    }

    fn enable_rule(&mut self, oid: Oid, name: &str, enabled: char) -> Result<()> {
        let relation = self.relation_mut(oid);
        let Some(rule) = relation.rules.iter_mut().find(|rule| rule.name == name) else {
            let message = format!("rule \"{name}\" for relation \"{}\" does not exist", relation.name);
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        };
        rule.enabled = enabled;
        Ok(())
    }

    /// Refuses to change all triggers of a table together with those by which foreign keys are checked, which belong to the system.
    fn refuse_system_triggers(&self, oid: Oid) -> Result<()> {
        let role = &self.settings.role;
        if self.catalog.role(role).is_some_and(|(_, role)| role.superuser) {
            return Ok(());
        }
        let relation = self.relation(oid)?;
        let foreign = |constraint: &&crate::catalog::Constraint| {
            matches!(constraint.kind, ConstraintKind::Foreign { .. })
        };
        let referring = self.catalog.references_to(oid).map(|(_, constraint)| ('a', constraint.oid));
        let own = relation.constraints.iter().filter(foreign).map(|constraint| ('c', constraint.oid));
        let Some((side, number)) = referring.chain(own).next() else { return Ok(()) };
        let message =
            format!("permission denied: \"RI_ConstraintTrigger_{side}_{number}\" is a system trigger");
        Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message))
    }
}
