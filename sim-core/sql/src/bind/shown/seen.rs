//! The catalog as sessions see it whose path lacks `public`, such as those of dumps: names stand with their schema there.

use std::borrow::Cow;
use std::rc::Rc;

use sqlparser::tokenizer::Token;

use crate::bind::{Binder, Scope, Settings};
use crate::catalog::{
    Catalog, ConstraintKind, Object, Oid, Relation, RelationKind, Routine, TypeDefinition, quote_literal,
};
use crate::security::session::SEARCH_PATH;
use crate::source::{Source, is_word};
use crate::types::Type;

/// The catalog with the names that this session's path finds. Texts of definitions that are no queries stay as they are.
pub(crate) fn names_seen<'a>(catalog: &'a Catalog, settings: &Settings) -> Cow<'a, Catalog> {
    if settings.search_path.iter().any(|schema| schema == "public") {
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
    let usual = Settings { search_path: SEARCH_PATH.map(str::to_owned).into(), ..settings.clone() };
    let speller = Speller { before: catalog, names: &names, usual: &usual };
    let mut seen = names.clone();
    for relation in catalog.relations().filter(|relation| relation.kind != RelationKind::Sequence) {
        if let Some(relation_seen) = seen.relation_mut(relation.oid) {
            speller.relation(relation, relation_seen);
        }
    }
    let with_default = |(oid, routine): (Oid, &Routine)| {
        routine.arguments.iter().any(|argument| argument.default.is_some()).then_some(oid)
    };
    for oid in catalog.routines().filter_map(with_default).collect::<Vec<_>>() {
        if let Some(Object::Routine(routine)) = seen.objects.get_mut(&oid) {
            for argument in &mut routine.arguments {
                let wanted = argument.type_;
                argument.default.iter_mut().for_each(|text| {
                    *text = speller.again(text, wanted, |_| Some(Scope::default()));
                });
            }
        }
    }
    let domains: Vec<Oid> = catalog.types().map(|(oid, _)| oid).collect();
    for oid in domains {
        if let Some(Object::Type(known)) = seen.objects.get(&oid)
            && let TypeDefinition::Domain { checks, .. } = &known.definition
            && !checks.is_empty()
            && let Some(Object::Type(known)) = seen.objects.get_mut(&oid)
            && let TypeDefinition::Domain { base, checks, .. } = &mut known.definition
        {
            let base = *base;
            for (_, text) in checks {
                *text = speller.again(text, Type::BOOL, |binder| {
                    binder.take_value_for(base);
                    Some(Scope::default())
                });
            }
        }
    }
    Cow::Owned(seen)
}

struct Speller<'a> {
    before: &'a Catalog,
    names: &'a Catalog,
    usual: &'a Settings,
}

impl Speller<'_> {
    fn relation(&self, relation: &Relation, seen: &mut Relation) {
        let row = |text: &str, wanted: Type| {
            self.again(text, wanted, |binder| {
                let source = binder.new_source();
                Some(Scope::of(binder.table_of(relation, source, None).ok()?))
            })
        };
        for constraint in &mut seen.constraints {
            if let ConstraintKind::Check { expression } = &mut constraint.kind {
                *expression = row(expression, Type::BOOL);
            }
        }
        for index in &mut seen.indexes {
            let keys = index.keys.iter_mut().filter_map(|key| key.expression.as_mut());
            keys.for_each(|key| *key = row(key, Type::TEXT));
            index.predicate.iter_mut().for_each(|predicate| *predicate = row(predicate, Type::BOOL));
        }
        for column in &mut seen.columns {
            let wanted = column.type_.base;
            column.generated.iter_mut().for_each(|text| *text = row(text, wanted));
            column.default.iter_mut().for_each(|text| *text = row(text, wanted));
        }
    }

    /// A text with the names of this session. One that would not be shown as it is now stays as it is.
    fn again(
        &self,
        text: &str,
        wanted: Type,
        scope: impl Fn(&mut Binder<'_>) -> Option<Scope<'static>>,
    ) -> String {
        let show = |catalog: &Catalog| {
            let mut binder = Binder::new(catalog, Rc::new(Source::stored("")), self.usual, &[]);
            let shown = binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                let Some(scope) = scope(binder) else { return Ok(None) };
                Ok(binder.shown(&scope, &parsed, wanted))
            });
            shown.ok().flatten()
        };
        let same = show(self.before).is_some_and(|shown| shown == text);
        let shown = if same { show(self.names) } else { None };
        self.with_schemas(shown.as_deref().unwrap_or(text))
    }

    /// A text whose names of types, functions and relations have the schemas that this session's path lacks.
    fn with_schemas(&self, text: &str) -> String {
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
        let found = self.usual_schemas().find_map(|schema| self.before.type_named(schema, name))?;
        Some(self.names.type_name(found, -1))
    }

    fn function_name(&self, name: &str) -> Option<String> {
        if crate::describe::builtin_function_oid(name).is_some() {
            return None;
        }
        let known = |schema: &Oid| {
            self.before.routines().any(|(_, known)| known.schema == *schema && known.name == name)
        };
        Some(self.names.qualified(self.usual_schemas().find(known)?, name))
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
