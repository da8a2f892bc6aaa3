//! `ALTER DOMAIN`.

use super::cursor::{Cursor, Written};
use super::names::choose;
use crate::bind::{Clause, Scope};
use crate::catalog::{Column, Relation, TypeDefinition, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::Source;
use crate::tree::Node;
use crate::types::{Modified, Type};

impl Engine<'_> {
    /// `ALTER DOMAIN`, after these words.
    pub(super) fn alter_domain(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let done = Done::command("ALTER DOMAIN");
        let start = cursor.at;
        let domain = self.find_type(cursor)?;
        let shown = self.catalog.type_name(domain, -1);
        let definition = self.catalog.user_type(domain).map(|known| known.definition.clone());
        let Some(TypeDefinition::Domain { base, mut not_null, mut default, mut checks }) = definition else {
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("\"{shown}\" is not a domain")));
        };
        let for_any_type = cursor.is("owner")
            || cursor.is("rename") && cursor.is_at(1, "to")
            || cursor.is("set") && cursor.is_at(1, "schema");
        if for_any_type {
            cursor.at = start;
            return self.alter_type(cursor).map(|_| done);
        }
        self.require_object_owner(domain.0)?;
        let missing = |name: &str| {
            let message = format!("constraint \"{name}\" of domain \"{shown}\" does not exist");
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        };
        let mut validated = false;
        if cursor.words("set default") {
            let written = cursor.expr()?;
            default = Some(self.domain_default_text(base, written)?);
        } else if cursor.words("drop default") {
            default = None;
        } else if cursor.words("set not null") {
            not_null = true;
            self.refuse_nulls(domain)?;
        } else if cursor.words("drop not null") {
            not_null = false;
        } else if cursor.word("add") {
            let name = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
            cursor.expect_word("check")?;
            let written = cursor.bracketed()?;
            validated = !cursor.words("not valid");
            let taken = |name: &str| checks.iter().any(|(known, _)| known == name);
            if let Some(name) = name.as_ref().filter(|name| taken(name)) {
                let message = format!("constraint \"{name}\" for domain \"{shown}\" already exists");
                return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
            }
            let name = name.unwrap_or_else(|| choose(&shown, "", "check", taken));
            checks.push((name, self.domain_check_text(base, &written)?));
        } else if cursor.words("drop constraint") {
            let if_exists = cursor.words("if exists");
            let name = cursor.ident()?;
            let _ = cursor.word("cascade") || cursor.word("restrict");
            let before = checks.len();
            self.user_type_mut(domain)?.check_comments.remove(&name);
            checks.retain(|(known, _)| *known != name);
            if checks.len() == before {
                self.skip(if_exists, missing(&name))?;
            }
        } else if cursor.words("validate constraint") {
            let name = cursor.ident()?;
            if !checks.iter().any(|(known, _)| *known == name) {
                return Err(missing(&name));
            }
            validated = true;
        } else if cursor.words("rename constraint") {
            let from = cursor.ident()?;
            cursor.expect_word("to")?;
            let to = cursor.ident()?;
            let found = checks.iter_mut().find(|(known, _)| *known == from);
            found.ok_or_else(|| missing(&from))?.0.clone_from(&to);
            let comments = &mut self.user_type_mut(domain)?.check_comments;
            if let Some(comment) = comments.remove(&from) {
                comments.insert(to, comment);
            }
        } else {
            return Err(cursor.unexpected());
        }
        cursor.finish()?;
        self.user_type_mut(domain)?.definition = TypeDefinition::Domain { base, not_null, default, checks };
        if validated {
            self.validate_domain(domain)?;
        }
        Ok(done)
    }

    /// The condition of a domain as the catalog shows it.
    pub(super) fn domain_check_text(&self, base: Modified, written: &Written) -> Result<String> {
        let mut binder = self.binder();
        binder.take_value_for(base);
        binder.condition_in(Clause::Check, &Scope::default(), &written.expr)?;
        Ok(binder.shown_condition(&Scope::default(), &written.expr, &written.text))
    }

    /// The default of a domain as the catalog shows it. Refuses a literal that is no value of its type.
    pub(super) fn domain_default_text(&self, base: Modified, written: Written) -> Result<String> {
        let mut binder = self.binder();
        let value = binder.expr_in(Clause::Default, &Scope::default(), &written.expr)?;
        if let Node::Untyped(text) = &value.node {
            let at = value.at.0;
            binder.literal(text, self.catalog.under_domains(base)).map_err(|error| error.at(at))?;
        }
        Ok(binder.shown(&Scope::default(), &written.expr, base.base).unwrap_or(written.text))
    }

    /// The columns of a domain, each with its table.
    fn columns_of_domain(&self, domain: Type) -> Vec<(Relation, Column)> {
        let relations = self.catalog.relations().filter(|relation| relation.is_stored() && !relation.dormant);
        let columns =
            relations.flat_map(|relation| relation.columns.iter().map(move |column| (relation, column)));
        let of_domain = columns.filter(|(_, column)| column.type_.base == domain);
        of_domain.map(|(relation, column)| (relation.clone(), column.clone())).collect()
    }

    fn refuse_nulls(&self, domain: Type) -> Result<()> {
        for (relation, column) in self.columns_of_domain(domain) {
            let sql =
                format!("SELECT 1 FROM {} WHERE c{} IS NULL LIMIT 1", relation.physical(), column.number);
            if !self.fetch(&sql, 1)?.is_empty() {
                let message =
                    format!("column \"{}\" of table \"{}\" contains null values", column.name, relation.name);
                return Err(SqlError::new(SqlState::NOT_NULL_VIOLATION, message));
            }
        }
        Ok(())
    }

    /// Checks that all values of a domain satisfy its constraints.
    fn validate_domain(&mut self, domain: Type) -> Result<()> {
        let base = self.catalog.type_name(self.catalog.base_type(domain), -1);
        let shown = self.catalog.type_name(domain, -1);
        for (relation, column) in self.columns_of_domain(domain) {
            let schema = quote_identifier(self.catalog.schema_name(relation.schema));
            let (table, name) = (quote_identifier(&relation.name), quote_identifier(&column.name));
            let query = format!("SELECT ({name}::{base})::{shown} FROM {schema}.{table}");
            let parsed = Source::stored(&query).query()?;
            self.rows_raw(&parsed).map_err(|error| match error.code {
                SqlState::CHECK_VIOLATION => {
                    let message = format!(
                        "column \"{}\" of table \"{}\" contains values that violate the new constraint",
                        column.name, relation.name
                    );
                    SqlError::new(SqlState::CHECK_VIOLATION, message)
                }
                _ => error,
            })?;
        }
        Ok(())
    }
}
