//! Which profiles are refused: values with which no world can be built, and names that say nothing or two things.

use super::{LOG_SOURCES, Profile, TOKENS};
use crate::error::Error;
use crate::near;

impl Profile {
    /// Refuses values with which no world can be built.
    pub fn check(&self) -> Result<(), Error> {
        if self.postgres_versions.is_empty() {
            let text = "a profile offers at least one version of Postgres";
            return Err(wrong("postgres_versions", text));
        }
        if self.certificate_authorities.is_empty() {
            return Err(wrong("certificate_authorities", "must have at least one"));
        }
        let engines = || self.postgres_versions.iter().map(|one| one.engine.as_str());
        if let Some(engine) =
            self.default_engine.as_deref().filter(|one| engines().all(|known| known != *one))
        {
            let question = near::question(engine, engines());
            return Err(wrong("default_engine", format!("postgres_versions has no such engine{question}")));
        }
        self.check_texts()?;
        self.check_variables()?;
        let pooler = self.pooler_host("", "");
        if let Some((_, rest)) = pooler.split_once('{') {
            let name = rest.split('}').next().unwrap_or_default();
            let question = near::question(name, ["region", "project_domain"]);
            let text =
                format!("{{{name}}} stands for nothing; use {{region}} and {{project_domain}}{question}");
            return Err(wrong("pooler_host", text));
        }
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let begins = self.platform.starts_with(|first: char| first.is_ascii_lowercase());
        if !begins || self.platform.len() > WIRE_MAX / 2 || !self.platform.bytes().all(letter) {
            let text = format!(
                "must be at most {} lower-case letters, digits or `_`, and begin with a letter, received {:?}",
                WIRE_MAX / 2,
                self.platform
            );
            return Err(wrong("platform", text));
        }
        for (field, name) in [("platform", &self.platform), ("migrations_schema", &self.migrations_schema)] {
            if name == "pg" || name.starts_with("pg_") {
                let text =
                    format!("PostgreSQL keeps names that begin with `pg_` for itself, received {name:?}");
                return Err(wrong(field, text));
            }
        }
        self.check_log_sources()?;
        self.check_forms()?;
        self.names.iter().try_for_each(|(token, wire)| check_name(token, wire))
    }

    /// Refuses names of variables that are unknown, that no environment can have, or that two variables have.
    fn check_variables(&self) -> Result<(), Error> {
        for (name, other) in &self.variables {
            let field = format!("variables.{name}");
            if !Profile::VARIABLES.contains(&name.as_str()) {
                let question = near::question(name, Profile::VARIABLES);
                return Err(wrong(&field, format!("there is no such variable{question}")));
            }
            let is_word = other.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_word || !other.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
                let text = format!("must be letters, digits or `_`, not a digit first, received {other:?}");
                return Err(wrong(&field, text));
            }
            let is_taken = |one: &&&str| **one != name.as_str() && self.variable(one) == other;
            if let Some(taken) = Profile::VARIABLES.iter().find(is_taken) {
                return Err(wrong(&field, format!("{other:?} is the name of {taken} already")));
            }
        }
        Ok(())
    }

    /// Refuses unknown tables, and two whose rows would be in one source.
    fn check_log_sources(&self) -> Result<(), Error> {
        let tables = || LOG_SOURCES.iter().map(|(table, _)| *table);
        for (name, source) in &self.log_sources {
            let field = format!("log_sources.{name}");
            if tables().all(|table| table != *name) {
                return Err(wrong(
                    &field,
                    format!("there is no such table{}", near::question(name, tables())),
                ));
            }
            if source.trim().is_empty() {
                return Err(wrong(&field, "must not be empty"));
            }
            let is_taken = |other: &(&String, &String)| other.0 < name && other.1 == source;
            if let Some((taken, _)) = self.log_sources.iter().find(is_taken) {
                return Err(wrong(&field, format!("{source:?} is the source of {taken} already")));
            }
        }
        Ok(())
    }

    /// Refuses other names of forms that are unknown, and names that a form has itself.
    fn check_forms(&self) -> Result<(), Error> {
        for (name, form) in &self.ingest_forms {
            let field = format!("ingest_forms.{name}");
            if !Profile::INGEST_FORMS.contains(&form.as_str()) {
                let question = near::question(form, Profile::INGEST_FORMS);
                return Err(wrong(&field, format!("there is no form {form:?}{question}")));
            }
            if Profile::INGEST_FORMS.contains(&name.as_str()) && name != form {
                return Err(wrong(&field, "is the name of another form"));
            }
            if !name.split('/').all(|word| !word.is_empty() && word.bytes().all(is_name_byte)) {
                let text =
                    format!("must be words of a path: letters, digits, `_`, `-` or `.`, received {name:?}");
                return Err(wrong(&field, text));
            }
        }
        Ok(())
    }

    /// Refuses names that could not travel in a header, a URL or an address.
    fn check_texts(&self) -> Result<(), Error> {
        if !self.token_prefix.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(wrong("token_prefix", "must be visible ASCII characters without blanks"));
        }
        for (field, text) in [
            ("reserved_prefix", &self.reserved_prefix),
            ("migrations_schema", &self.migrations_schema),
            ("default_branch", &self.default_branch),
            ("directives_key", &self.directives_key),
        ] {
            if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                return Err(wrong(field, "must not be empty"));
            }
        }
        for (field, host) in [
            ("project_domain", &self.project_domain),
            ("pooler_host", &self.pooler_host),
            ("embeds_host", &self.embeds_host),
        ] {
            if host.is_empty() || host.bytes().any(|byte| byte == b'/' || !byte.is_ascii_graphic()) {
                let text =
                    format!("must be a host without scheme and path, as in platform.test, received {host:?}");
                return Err(wrong(field, text));
            }
        }
        for (field, label) in [
            ("hostname_ownership_label", &self.hostname_ownership_label),
            ("warehouse_project", &self.warehouse_project),
            ("dataset_suffix", &self.dataset_suffix),
        ] {
            let may_be_empty = field == "dataset_suffix";
            if (label.is_empty() && !may_be_empty) || !label.bytes().all(is_name_byte) {
                let text = format!("must be letters, digits, `_`, `-` or `.`, received {label:?}");
                return Err(wrong(field, text));
            }
        }
        Ok(())
    }
}

/// Refuses an unknown token, and a name that can't be part of a name on the wire.
fn check_name(token: &str, wire: &str) -> Result<(), Error> {
    let known = || TOKENS.iter().map(|(name, _)| *name);
    let field = format!("names.{token}");
    if !known().any(|name| name == token) {
        let question = near::question(token, known());
        let text = format!("there is no such token; `stuntdouble profile --template` lists them{question}");
        return Err(wrong(&field, text));
    }
    if wire.is_empty() || wire.len() > WIRE_MAX || !wire.bytes().all(is_name_byte) {
        let text = format!("must be 1 to {WIRE_MAX} letters, digits, `_`, `-` or `.`, received {wire:?}");
        return Err(wrong(&field, text));
    }
    Ok(())
}

/// The longest name that a profile gives, in bytes.
const WIRE_MAX: usize = 60;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn wrong(field: &str, text: impl std::fmt::Display) -> Error {
    Error::invalid(format!("invalid_profile.{field}"), format!("{field}: {text}"))
}
