//! Collations that projects create.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::RecordedKind;
use crate::collations::is_of_system;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// The encoding of databases.
const UTF8: i32 = 6;

/// What `CREATE COLLATION` says.
#[derive(Default)]
struct Written {
    locale: Option<String>,
    collate: Option<String>,
    character: Option<String>,
    provider: Option<String>,
    deterministic: bool,
    version: Option<String>,
    seen: Vec<String>,
}

fn invalid(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::new("42P17"), message)
}

fn read(cursor: &mut Cursor<'_>) -> Result<Written> {
    let mut written = Written { deterministic: true, ..Written::default() };
    cursor.expect(&Token::LParen)?;
    loop {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let name = cursor.ident()?;
        cursor.expect(&Token::Eq)?;
        if written.seen.contains(&name) {
            let error = SqlError::new(SqlState::SYNTAX_ERROR, "conflicting or redundant options");
            return Err(error.at(at));
        }
        let value = match cursor.peek().map(|token| &token.token) {
            Some(Token::SingleQuotedString(_)) => cursor.string()?,
            _ => cursor.ident()?,
        };
        match name.as_str() {
            "locale" => written.locale = Some(value),
            "lc_collate" => written.collate = Some(value),
            "lc_ctype" => written.character = Some(value),
            "provider" => written.provider = Some(value.to_lowercase()),
            "deterministic" => {
                written.deterministic = crate::parameters::boolean(&value).ok_or_else(|| {
                    SqlError::new(SqlState::SYNTAX_ERROR, "deterministic requires a Boolean value")
                })?;
            }
            "version" => written.version = Some(value),
            _ => {
                let message = format!("collation attribute \"{name}\" not recognized");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(at));
            }
        }
        written.seen.push(name);
        if !cursor.token(&Token::Comma) {
            break;
        }
    }
    cursor.expect(&Token::RParen)?;
    Ok(written)
}

impl Written {
    /// The provider and the locale, as the catalog has them.
    fn checked(&self) -> Result<(&'static str, String, String)> {
        if self.locale.is_some() && (self.collate.is_some() || self.character.is_some()) {
            let error = SqlError::new(SqlState::SYNTAX_ERROR, "conflicting or redundant options");
            return Err(error.detail("LOCALE cannot be specified together with LC_COLLATE or LC_CTYPE."));
        }
        let provider = match self.provider.as_deref() {
            Some("icu") => "i",
            Some("libc") | None => "c",
            Some(other) => return Err(invalid(format!("unrecognized collation provider: {other}"))),
        };
        if provider == "i" {
            let locale = self.locale.clone();
            let locale = locale.ok_or_else(|| invalid("parameter \"locale\" must be specified"))?;
            if !self.deterministic {
                return Err(SqlError::unsupported(format!("a nondeterministic collation ({locale})"))
                    .hint("The extension citext has a type of texts that are compared without case."));
            }
            // Settings of a locale, such as numeric order, are for another order than that of bytes.
            if locale.contains("-u-") || locale.contains('@') {
                return Err(SqlError::unsupported(format!("the order of the locale {locale}")));
            }
            return Ok((provider, locale.clone(), locale));
        }
        if !self.deterministic {
            let message = "nondeterministic collations not supported with this provider";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let part = |own: &Option<String>, name: &str| {
            let part = own.clone().or_else(|| self.locale.clone());
            part.ok_or_else(|| invalid(format!("parameter \"{name}\" must be specified")))
        };
        let (collate, character) = (part(&self.collate, "lc_collate")?, part(&self.character, "lc_ctype")?);
        for locale in [&collate, &character] {
            let known = ["C", "POSIX", "C.utf8", "C.UTF-8"].contains(&locale.as_str());
            if !known && !is_of_system(locale) {
                let message = format!("could not create locale \"{locale}\": No such file or directory");
                let detail = format!(
                    "The operating system could not find any locale data for the locale name \"{locale}\"."
                );
                return Err(SqlError::new(SqlState::new("22023"), message).detail(detail));
            }
        }
        Ok((provider, collate, character))
    }
}

impl Engine<'_> {
    /// `CREATE COLLATION`, after these words.
    pub(super) fn create_collation(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        let mut recorded = self.new_recorded(RecordedKind::Collation, name.clone());
        recorded.schema = Some(schema);
        if cursor.word("from") {
            let (schema, from) = cursor.name()?;
            let from = self.binder().collation(schema.as_deref(), &from)?;
            recorded.words = self.words_of_collation(&from)?;
        } else {
            let written = read(cursor)?;
            let (provider, collate, character) = written.checked()?;
            let words = [("provider", provider.to_owned()), ("collate", collate), ("character", character)];
            recorded.words = words.map(|(word, value)| (word.to_owned(), value)).into();
            let encoding = if provider == "i" { -1 } else { UTF8 };
            recorded.words.insert("encoding".to_owned(), encoding.to_string());
        }
        cursor.finish()?;
        let mut known = self.catalog.recorded(RecordedKind::Collation);
        if known.any(|(_, known)| known.schema == Some(schema) && known.name == name) {
            let message = match recorded.words.get("provider").map(String::as_str) {
                Some("i") => format!("collation \"{name}\" already exists"),
                _ => format!("collation \"{name}\" for encoding \"UTF8\" already exists"),
            };
            let taken = SqlError::new(SqlState::DUPLICATE_OBJECT, message);
            return self.skip_all(if_not_exists, taken, "CREATE COLLATION");
        }
        drop(known);
        self.record(recorded);
        Ok(Done::command("CREATE COLLATION"))
    }

    fn words_of_collation(
        &self,
        from: &crate::collations::Collation,
    ) -> Result<std::collections::BTreeMap<String, String>> {
        let mut own = self.catalog.recorded(RecordedKind::Collation);
        if let Some((_, known)) = own.find(|(oid, _)| from.is_own(*oid)) {
            return Ok(known.words.clone());
        }
        let (_, name) = from.name(&self.catalog);
        if name == "default" {
            return Err(invalid("collation \"default\" cannot be copied"));
        }
        let (provider, locale) = match name.strip_suffix("-x-icu") {
            Some(locale) => ("i", locale),
            None if name == "unicode" => ("i", "und"),
            None => ("c", if name == "ucs_basic" { "C" } else { name }),
        };
        let every = provider == "i" || ["C", "POSIX"].contains(&name);
        let encoding = if every { -1 } else { UTF8 }.to_string();
        let words =
            [("provider", provider), ("collate", locale), ("character", locale), ("encoding", &encoding)];
        Ok(words.map(|(word, value)| (word.to_owned(), value.to_owned())).into())
    }

    /// Refuses to rename a collation that a view or a constraint may name.
    pub(super) fn require_unwritten(&self, name: &str) -> Result<()> {
        let names = |text: &str| text.to_lowercase().contains("collate") && text.contains(name);
        let written = self.catalog.relations().find(|relation| {
            let checks = relation.constraints.iter().filter_map(|known| match &known.kind {
                crate::catalog::ConstraintKind::Check { expression } => Some(expression.as_str()),
                _ => None,
            });
            let policies = relation.policies.iter().flat_map(|policy| [&policy.using, &policy.check]);
            let keys = relation.indexes.iter().flat_map(|index| &index.keys);
            let expressions = keys.filter_map(|key| key.expression.as_deref());
            let policies = policies.filter_map(|text| text.as_deref());
            relation
                .definition
                .as_deref()
                .into_iter()
                .chain(checks)
                .chain(expressions)
                .chain(policies)
                .any(names)
        });
        written.map_or(Ok(()), |relation| {
            let what = format!("renaming a collation that the definition of {} names", relation.name);
            Err(SqlError::unsupported(what))
        })
    }

    /// Gives the collation of the keys of indexes its new name.
    pub(super) fn rename_in_indexes(&mut self, from: &str, to: &str) {
        let uses = |relation: &&crate::catalog::Relation| {
            let mut keys = relation.indexes.iter().flat_map(|index| &index.keys);
            keys.any(|key| key.collation.as_deref() == Some(from))
        };
        let tables: Vec<u32> = self.catalog.relations().filter(uses).map(|relation| relation.oid).collect();
        for table in tables {
            let keys = self.relation_mut(table).indexes.iter_mut().flat_map(|index| &mut index.keys);
            for key in keys.filter(|key| key.collation.as_deref() == Some(from)) {
                key.collation = Some(to.to_owned());
            }
        }
    }

    /// A collation of the project by name, for `ALTER`, `DROP` and `COMMENT`.
    pub(super) fn find_collation(&self, (schema, name): (Option<&str>, &str)) -> Result<u32> {
        let found = self.binder().collation(schema, name)?;
        let mut own = self.catalog.recorded(RecordedKind::Collation);
        let own = own.find(|(oid, _)| found.is_own(*oid)).map(|(oid, _)| oid);
        own.ok_or_else(|| {
            SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, format!("must be owner of collation {name}"))
        })
    }
}
