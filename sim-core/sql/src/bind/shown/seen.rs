//! The catalog as sessions see it whose path lacks `public`, such as those of dumps: names stand with their schema there.

use std::borrow::Cow;
use std::rc::Rc;

use sqlparser::tokenizer::Token;

use crate::bind::{Binder, Settings};
use crate::catalog::{Catalog, ConstraintKind, Object, Oid, TypeDefinition, quote_literal};
use crate::security::session::SEARCH_PATH;
use crate::source::{Source, is_word};
use crate::types::Type;

/// The catalog with the names that this session's path finds. Texts of definitions that are no queries stay as they are.
pub(crate) fn names_seen<'a>(catalog: &'a Catalog, settings: &Settings) -> Cow<'a, Catalog> {
    let has = |name: &str| settings.search_path.iter().any(|schema| schema == name);
    if has("public") && (has("extensions") || catalog.schema_named("extensions").is_none()) {
        return Cow::Borrowed(catalog);
    }
    let path = settings.search_path.iter().filter_map(|schema| catalog.schema_named(schema));
    Cow::Owned(catalog.along(path.collect()))
}

/// The same, with the texts of checks, indexes and defaults.
pub(crate) fn seen<'a>(catalog: &'a Catalog, settings: &Settings) -> Cow<'a, Catalog> {
    let names = match names_seen(catalog, settings) {
        Cow::Owned(names) => names,
        borrowed => return borrowed,
    };
    let speller = Speller { before: catalog, names: &names };
    let mut seen = names.clone();
    let has_operators = has_operators(catalog);
    for (oid, object) in catalog.objects.iter() {
        let mut spelled = object.clone();
        for text in texts_of(&mut spelled) {
            let shown = if has_operators { with_operators(&names, settings, object, text) } else { None };
            match shown {
                Some(shown) => *text = shown,
                None => speller.spell(text),
            }
        }
        if spelled != *object
            && let Some(object) = seen.objects.get_mut(oid)
        {
            *object = spelled;
        }
    }
    Cow::Owned(seen)
}

/// Whether there may be operators that are not the system's.
fn has_operators(catalog: &Catalog) -> bool {
    const WITH_OPERATORS: [&str; 8] =
        ["citext", "cube", "hstore", "intarray", "ltree", "pg_trgm", "postgis", "vector"];
    let mut extensions = catalog.extensions();
    extensions.any(|(_, known)| WITH_OPERATORS.contains(&known.name.as_str()))
        || catalog.own_operators().next().is_some()
}

/// A definition's text with the schemas of its operators, if it has any that need theirs.
fn with_operators(names: &Catalog, settings: &Settings, object: &Object, text: &str) -> Option<String> {
    if !text.contains(|c| "+-*/<>=~!@#%^&|`?".contains(c)) {
        return None;
    }
    let mut binder = Binder::new(names, Rc::new(Source::stored("")), settings, &[]);
    let shown = match object {
        Object::Relation(relation) => binder.policy_text(relation, text),
        Object::Type(known) => {
            let TypeDefinition::Domain { base, .. } = &known.definition else { return None };
            binder.domain_text(*base, text)?
        }
        _ => return None,
    };
    shown.contains("OPERATOR(").then_some(shown)
}

/// The expressions in the definition of an object.
fn texts_of(object: &mut Object) -> Vec<&mut String> {
    match object {
        Object::Relation(relation) => {
            let checks =
                relation.constraints.iter_mut().filter_map(|constraint| match &mut constraint.kind {
                    ConstraintKind::Check { expression } => Some(expression),
                    _ => None,
                });
            let indexes = relation.indexes.iter_mut().flat_map(|index| {
                let keys = index.keys.iter_mut().filter_map(|key| key.expression.as_mut());
                keys.chain(&mut index.predicate)
            });
            let columns = relation.columns.iter_mut();
            let columns = columns.flat_map(|column| column.generated.iter_mut().chain(&mut column.default));
            checks.chain(indexes).chain(columns).collect()
        }
        Object::Routine(routine) => {
            routine.arguments.iter_mut().filter_map(|argument| argument.default.as_mut()).collect()
        }
        Object::Type(known) => match &mut known.definition {
            TypeDefinition::Domain { default, checks, .. } => {
                checks.iter_mut().map(|(_, text)| text).chain(default).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

impl<'a> Binder<'a> {
    /// The catalog as this session sees it.
    pub(crate) fn seen(&self) -> Cow<'a, Catalog> {
        match names_seen(self.catalog, self.settings) {
            Cow::Owned(_) => {
                let spelled = self.once.seen(|| seen(self.catalog, self.settings).into_owned());
                Cow::Owned(Catalog::clone(&spelled))
            }
            usual => usual,
        }
    }
}

struct Speller<'a> {
    before: &'a Catalog,
    names: &'a Catalog,
}

impl Speller<'_> {
    /// Gives the names of types, functions and relations in a text the schemas that this session's path lacks.
    fn spell(&self, text: &mut String) {
        if text.contains("::") || text.contains('(') {
            *text = self.spelled(text);
        }
    }

    fn spelled(&self, text: &str) -> String {
        let source = Source::stored(text);
        let Ok(tokens) = source.tokens() else { return text.to_owned() };
        let token = |at: usize| tokens.get(at).map(|token| &token.token);
        let mut spelled = String::new();
        let mut copied = 0;
        for (at, one) in tokens.iter().enumerate() {
            let follows = |before: &Token| at > 0 && token(at - 1) == Some(before);
            let name = match &one.token {
                Token::Word(_) if token(at + 1) == Some(&Token::Period) || follows(&Token::Period) => None,
                Token::Word(word) if follows(&Token::DoubleColon) => self.type_name(&word.value),
                Token::Word(word) if token(at + 1) == Some(&Token::LParen) => self.function_name(&word.value),
                Token::SingleQuotedString(name) if token(at + 1) == Some(&Token::DoubleColon) => {
                    let to_class = tokens.get(at + 2).is_some_and(|next| is_word(next, "regclass"));
                    self.relation_name(name).filter(|_| to_class).map(|name| quote_literal(&name))
                }
                _ => None,
            };
            let (Some(name), Some(start), Some(end)) =
                (name, source.offset(one.span.start), source.offset(one.span.end))
            else {
                continue;
            };
            spelled.push_str(&text[copied..start]);
            spelled.push_str(&name);
            copied = end;
        }
        spelled.push_str(&text[copied..]);
        spelled
    }

    /// A type of the schemas that texts leave out, as this session sees it.
    fn type_name(&self, name: &str) -> Option<String> {
        if let Some(type_) = Type::named(name).filter(|type_| type_.extension().is_some()) {
            return Some(self.names.type_name(type_, -1));
        }
        let found = self.usual_schemas().find_map(|schema| self.before.type_named(schema, name))?;
        Some(self.names.type_name(found, -1))
    }

    fn function_name(&self, name: &str) -> Option<String> {
        if let Some(schema) = self.names.extension_of_function(name) {
            return (!self.names.shows_bare(schema)).then(|| self.names.qualified(schema, name));
        }
        let named = || self.before.objects.maybe_named(name);
        let is_there = |wanted: &Oid| {
            named().any(|(_, object)| {
                matches!(object, Object::Routine(known) if known.schema == *wanted && known.name == name)
            })
        };
        let schema = self.usual_schemas().find(is_there)?;
        let is_builtin = crate::describe::builtin_function_oid(name).is_some();
        (!is_builtin).then(|| self.names.qualified(schema, name))
    }

    fn relation_name(&self, name: &str) -> Option<String> {
        let bare = name.trim_matches('"');
        let found = self.usual_schemas().find_map(|schema| self.before.relation_named(schema, bare))?;
        Some(self.names.relation_name(found))
    }

    fn usual_schemas(&self) -> impl Iterator<Item = Oid> {
        SEARCH_PATH.iter().filter_map(|name| self.before.schema_named(name))
    }
}
