//! Names of objects as values: `regclass` and its like, from text and to text.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::split_name;
use crate::bind::Binder;
use crate::catalog::{INFORMATION_SCHEMA, Oid, PG_CATALOG, RecordedKind, TypeDefinition, quote_identifier};
use crate::collations::{OF_SERVER, numbered_others};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Function;
use crate::functions::text_search::{UNACCENT, dictionaries};
use crate::source::Source;
use crate::types::{BUILTINS, Type};

impl Binder<'_> {
    /// The object with the given name, as text of a `reg` type.
    pub(in crate::bind) fn named_object(&self, type_: Type, text: &str) -> Result<Oid> {
        if let Ok(number) = text.trim().parse::<Oid>() {
            return Ok(number);
        }
        let (schema, name) = split_name(text);
        if let Some(schema) = schema.as_deref().filter(|_| is_in_schema(type_)) {
            self.catalog.known_schema(schema)?;
        }
        let missing = |code: SqlState, message: String| Err(SqlError::new(code, message));
        match type_ {
            Type::REGCLASS => {
                if let Some(oid) = describe::system_oid(schema.as_deref(), &name) {
                    return Ok(oid);
                }
                if let Ok(relation) = self.relation_by_name(schema.as_deref(), &name) {
                    return Ok(relation.oid);
                }
                let schemas: Vec<Oid> = schema.as_deref().map_or_else(
                    || self.search_path(),
                    |schema| self.catalog.schema_named(schema).into_iter().collect(),
                );
                let index = schemas.iter().find_map(|schema| self.catalog.index_named(*schema, &name));
                let composite = || {
                    let schemas = schemas.iter();
                    let mut found = schemas.filter_map(|schema| self.catalog.composite_named(*schema, &name));
                    found.next()
                };
                match index.map(|(_, index)| index.oid).or_else(composite) {
                    Some(oid) => Ok(oid),
                    None => {
                        let shown = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
                        missing(SqlState::UNDEFINED_TABLE, format!("relation \"{shown}\" does not exist"))
                    }
                }
            }
            Type::REGTYPE if text.trim() == "\"char\"" => Ok(Type::QCHAR.0),
            Type::REGTYPE => {
                let source = Source::sent(text);
                let tokens = source.statements()?.into_iter().next().unwrap_or_default();
                let parsed = source.parse(&tokens, sqlparser::parser::Parser::parse_data_type)?;
                Ok(self.data_type(&parsed).map_err(SqlError::nowhere)?.base.0)
            }
            Type::REGNAMESPACE => match self.catalog.schema_named(&crate::names::single_name(text)?) {
                Some(oid) => Ok(oid),
                None => missing(SqlState::INVALID_SCHEMA, format!("schema \"{name}\" does not exist")),
            },
            Type::REGROLE => match self.catalog.role(&crate::names::single_name(text)?) {
                Some((oid, _)) => Ok(oid),
                None => missing(SqlState::UNDEFINED_OBJECT, format!("role \"{name}\" does not exist")),
            },
            Type::REGDICTIONARY => match self.dictionary_named(schema.as_deref(), &name) {
                Some(oid) => Ok(oid),
                None => {
                    let shown = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
                    let message = format!("text search dictionary \"{shown}\" does not exist");
                    missing(SqlState::UNDEFINED_OBJECT, message)
                }
            },
            Type::REGCOLLATION => match self.collation(schema.as_deref(), &name)?.oid(self.catalog) {
                0 => Err(SqlError::unsupported(format!("the number of the collation {name}"))),
                oid => Ok(oid),
            },
            Type::REGPROCEDURE => self.procedure_named(text),
            _ => self.function_named(text),
        }
    }

    /// The dictionary of a name, which is one of the server's or that of the extension `unaccent`.
    fn dictionary_named(&self, schema: Option<&str>, name: &str) -> Option<Oid> {
        let extension = self.catalog.extensions().find(|(_, known)| known.name == "unaccent");
        let (oid, _) = dictionaries(extension.is_some()).find(|(_, known)| known == name)?;
        let at = match extension {
            Some((_, extension)) if oid == UNACCENT => extension.schema,
            _ => PG_CATALOG,
        };
        let is_seen = match schema {
            Some(schema) => self.catalog.schema_name(at) == schema,
            None => at == PG_CATALOG || self.search_path().contains(&at),
        };
        is_seen.then_some(oid)
    }

    /// The name of a relation or index, qualified unless it is what `path` finds by the bare name.
    fn shown_relation(&self, path: &[Oid], schema: Oid, name: &str) -> String {
        let earlier = path.iter().position(|one| *one == schema).map(|at| &path[..at]);
        let hides = |one: &Oid| *one != PG_CATALOG && self.catalog.relation_exists(*one, name);
        let bare = quote_identifier(name);
        match earlier {
            Some(earlier) if !earlier.iter().any(hides) => bare,
            _ => format!("{}.{bare}", quote_identifier(self.catalog.schema_name(schema))),
        }
    }

    /// The name of one object of a `reg` type, as this session sees it.
    pub(in crate::bind) fn object_name(&self, type_: Type, oid: i64) -> Option<String> {
        let names: Map<String, Json> = serde_json::from_str(&self.object_names(type_)).ok()?;
        names.get(&oid.to_string())?.as_str().map(str::to_owned)
    }

    /// The names of all objects of a `reg` type, as a JSON map from identifiers.
    pub(in crate::bind) fn object_names(&self, type_: Type) -> String {
        let mut names: Map<String, Json> = match type_ {
            Type::REGCLASS => {
                let path = self.search_path();
                let path = &path;
                let relations = self.catalog.relations().flat_map(|relation| {
                    let shown = |name: &str| self.shown_relation(path, relation.schema, name);
                    let indexes = relation.indexes.iter().map(move |index| (index.oid, shown(&index.name)));
                    std::iter::once((relation.oid, shown(&relation.name))).chain(indexes)
                });
                let composites = self
                    .catalog
                    .types()
                    .filter(|(_, known)| matches!(known.definition, TypeDefinition::Composite { .. }));
                let composites = composites
                    .map(|(oid, known)| (oid, self.shown_relation(path, known.schema, &known.name)));
                relations
                    .chain(composites)
                    .chain(describe::system_names())
                    .map(|(oid, name)| (oid.to_string(), name.into()))
                    .collect()
            }
            Type::REGNAMESPACE => {
                let schemas = self
                    .catalog
                    .schemas()
                    .map(|(oid, schema)| (oid.to_string(), quote_identifier(&schema.name).into()));
                let system = [(PG_CATALOG, "pg_catalog"), (INFORMATION_SCHEMA, "information_schema")];
                schemas.chain(system.map(|(oid, name)| (oid.to_string(), name.into()))).collect()
            }
            Type::REGTYPE => {
                let builtins = BUILTINS.iter().map(|builtin| builtin.id.0);
                let arrays = BUILTINS.iter().map(|builtin| builtin.array).filter(|array| *array != 0);
                let own = self.catalog.types().flat_map(|(oid, _)| [oid, oid + 1]);
                let all = builtins.chain(arrays).chain(own);
                let catalog = crate::bind::names_seen(self.catalog, self.settings);
                all.map(|oid| (oid.to_string(), catalog.type_name(Type(oid), -1).into())).collect()
            }
            Type::REGROLE => {
                let roles = self.catalog.roles();
                roles.map(|(oid, role)| (oid.to_string(), quote_identifier(&role.name).into())).collect()
            }
            Type::REGDICTIONARY => {
                let catalog = &*crate::bind::names_seen(self.catalog, self.settings);
                let schema = catalog.extensions().find(|(_, known)| known.name == "unaccent");
                let schema = schema.map(|(_, known)| known.schema);
                let shown = |name: &str| match schema.filter(|schema| !catalog.shows_bare(*schema)) {
                    Some(schema) if name == "unaccent" => catalog.qualified(schema, name),
                    _ => name.to_owned(),
                };
                let all = dictionaries(schema.is_some());
                all.map(|(oid, name)| (oid.to_string(), shown(&name).into())).collect()
            }
            Type::REGCOLLATION => {
                let of_server = OF_SERVER.iter().map(|(oid, name, ..)| (*oid, quote_identifier(name)));
                let others = numbered_others(self.catalog).map(|(oid, name)| (oid, quote_identifier(name)));
                let own = self.catalog.recorded(RecordedKind::Collation).map(|(oid, known)| {
                    (oid, self.catalog.qualified(known.schema.unwrap_or(PG_CATALOG), &known.name))
                });
                let all = of_server.chain(others).chain(own);
                all.map(|(oid, name)| (oid.to_string(), name.into())).collect()
            }
            Type::REGPROCEDURE => {
                let shown = |known: &Function| {
                    let types = known.arguments.iter().map(|type_| self.catalog.type_name(*type_, -1));
                    format!("{}({})", quote_identifier(known.name), types.collect::<Vec<_>>().join(","))
                };
                let built_in = describe::named_functions().map(|(oid, known)| (oid, shown(known)));
                let routines = self.catalog.shown_routines();
                let routines = routines.map(|(oid, routine)| (oid, self.signature(&routine)));
                built_in.chain(routines).map(|(oid, name)| (oid.to_string(), name.into())).collect()
            }
            _ => {
                let all = describe::builtin_functions().chain(self.function_names());
                all.map(|(oid, name)| (oid.to_string(), name.into())).collect()
            }
        };
        names.insert("0".to_owned(), "-".into());
        Json::Object(names).to_string()
    }

    /// The identifiers of all objects of a `reg` type, as a JSON map from all their names.
    /// Names are quoted where PostgreSQL quotes them, as `pg_object_name` writes them.
    pub(crate) fn object_numbers(&self, type_: Type) -> String {
        let mut numbers = Map::new();
        if is_in_schema(type_) {
            let known = self.catalog.schemas().map(|(_, schema)| schema.name.as_str());
            for schema in known.chain(["pg_catalog", "information_schema"]) {
                numbers.insert(format!("{}.", quote_identifier(schema)), Json::Null);
            }
        }
        match type_ {
            Type::REGCLASS => {
                for (oid, name) in describe::system_names() {
                    numbers.insert(format!("pg_catalog.{name}"), oid.into());
                    numbers.insert(name, oid.into());
                }
                let path = self.search_path();
                for relation in self.catalog.relations() {
                    let indexes = relation.indexes.iter().map(|index| (&index.name, index.oid));
                    for (name, oid) in std::iter::once((&relation.name, relation.oid)).chain(indexes) {
                        let name = quote_identifier(name);
                        let schema = quote_identifier(self.catalog.schema_name(relation.schema));
                        numbers.insert(format!("{schema}.{name}"), oid.into());
                        if path.contains(&relation.schema) {
                            numbers.insert(name, oid.into());
                        }
                    }
                }
            }
            Type::REGPROC => {
                for (oid, name) in describe::builtin_functions() {
                    numbers.insert(format!("pg_catalog.{}", quote_identifier(&name)), oid.into());
                    numbers.insert(quote_identifier(&name), oid.into());
                }
                let path = self.search_path();
                for (oid, routine) in self.catalog.shown_routines() {
                    let name = quote_identifier(&routine.name);
                    let schema = quote_identifier(self.catalog.schema_name(routine.schema));
                    numbers.insert(format!("{schema}.{name}"), oid.into());
                    let is_own = matches!(routine, Cow::Borrowed(_));
                    if path.contains(&routine.schema) && (is_own || !numbers.contains_key(&name)) {
                        numbers.insert(name, oid.into());
                    }
                }
            }
            _ => {
                let names: Map<String, Json> =
                    serde_json::from_str(&self.object_names(type_)).unwrap_or_default();
                for (oid, name) in names {
                    let name = name.as_str().unwrap_or_default().to_owned();
                    numbers.insert(name, oid.parse::<Oid>().unwrap_or(0).into());
                }
                if type_ == Type::REGTYPE {
                    self.number_types(&mut numbers);
                }
                if type_ == Type::REGPROCEDURE {
                    for (oid, routine) in self.catalog.shown_routines() {
                        let name = self.signature(&routine);
                        let schema = quote_identifier(self.catalog.schema_name(routine.schema));
                        if self.search_path().contains(&routine.schema) {
                            numbers.insert(format!("{schema}.{name}"), oid.into());
                        }
                    }
                }
                let of_types = type_ == Type::REGTYPE;
                for builtin in BUILTINS.iter().filter(|_| of_types) {
                    numbers.insert(builtin.name.to_owned(), builtin.id.0.into());
                    numbers.insert(format!("pg_catalog.{}", builtin.name), builtin.id.0.into());
                    if builtin.array > 0 {
                        numbers.insert(format!("{}[]", builtin.name), builtin.array.into());
                    }
                }
                for (alias, type_) in ALIASES.iter().filter(|_| of_types) {
                    numbers.insert((*alias).to_owned(), type_.0.into());
                    let array = type_.array().map_or(0, |array| array.0);
                    numbers.insert(format!("{alias}[]"), array.into());
                }
            }
        }
        Json::Object(numbers).to_string()
    }

    /// Adds the project's types by all their names, and by those of their arrays.
    fn number_types(&self, numbers: &mut Map<String, Json>) {
        let path = self.search_path();
        for (oid, type_) in self.catalog.types() {
            let schema = quote_identifier(self.catalog.schema_name(type_.schema));
            let (name, array) =
                (quote_identifier(&type_.name), quote_identifier(&format!("_{}", type_.name)));
            for (name, oid) in [(format!("{name}[]"), oid + 1), (name, oid), (array, oid + 1)] {
                numbers.insert(format!("{schema}.{name}"), oid.into());
                if path.contains(&type_.schema) {
                    numbers.entry(name).or_insert_with(|| oid.into());
                }
            }
        }
    }
}

/// Other names of types.
const ALIASES: &[(&str, Type)] = &[
    ("int", Type::INT4),
    ("decimal", Type::NUMERIC),
    ("dec", Type::NUMERIC),
    ("float", Type::FLOAT8),
    ("char", Type::BPCHAR),
];

/// Whether the names of a `reg` type are those of objects in schemas.
fn is_in_schema(type_: Type) -> bool {
    ![Type::REGNAMESPACE, Type::REGROLE, Type::REGTYPE].contains(&type_)
}
