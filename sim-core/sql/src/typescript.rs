//! TypeScript types of a project's database, as the service generates them from the catalog.

mod layout;
mod relations;
mod routines;

use std::borrow::Cow;
use std::collections::BTreeMap;

use layout::{Lines, key, quoted};
use rusqlite::Connection;

use super::catalog::{Catalog, Oid, RelationKind, TypeDefinition};
use super::error::Result;
use super::types::Type;

/// The content of an empty part of a schema.
const EMPTY: &str = "[_ in never]: never";

const JSON: &str = "\
export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]
";

const HELPERS: &str = include_str!("typescript/helpers.ts");

/// What newer generators write in front of the schemas, for clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Internals {
    /// The member's name: `__InternalPlatform`.
    pub name: String,
    /// The version of the REST server.
    pub version: String,
}

/// The types of the schemas in `included`, ordered by name. Unknown schemas are left out. With internals, the layout is that of
/// newer generators.
///
/// Fails only when the database cannot be read.
pub fn typescript(
    connection: &Connection,
    included: &[&str],
    internals: Option<&Internals>,
) -> Result<String> {
    Ok(of_catalog(&*Catalog::load(connection)?, included, internals))
}

/// The same for a catalog that is already loaded.
pub(super) fn of_catalog(catalog: &Catalog, included: &[&str], internals: Option<&Internals>) -> String {
    let schemas: BTreeMap<&str, Oid> =
        included.iter().filter_map(|name| Some((*name, catalog.schema_named(name)?))).collect();
    Generator { catalog, schemas, internals }.print()
}

struct Generator<'a> {
    catalog: &'a Catalog,
    schemas: BTreeMap<&'a str, Oid>,
    internals: Option<&'a Internals>,
}

impl Generator<'_> {
    fn print(&self) -> String {
        let mut lines = Lines::default();
        lines.open("export type Database = ");
        if let Some(Internals { name, version }) = self.internals {
            lines.open(&format!("{}: ", key(name)));
            lines.line(&format!("PostgrestVersion: {}", quoted(version)));
            lines.close("");
        }
        if self.schemas.is_empty() {
            lines.line(EMPTY);
        }
        for (name, schema) in &self.schemas {
            lines.open(&format!("{}: ", key(name)));
            self.schema(&mut lines, *schema);
            lines.close("");
        }
        lines.close("");
        let mut constants = Lines::default();
        self.constants(&mut constants);
        format!("{JSON}\n{}\n{}\n{}", lines.text(), self.helpers(), constants.text())
    }

    /// The helper types. They leave out the internals, which are no schema.
    fn helpers(&self) -> Cow<'static, str> {
        let Some(internals) = self.internals else { return Cow::Borrowed(HELPERS) };
        let schemas = HELPERS
            .replace("Database[", "DatabaseWithoutInternals[")
            .replace("keyof Database }", "keyof DatabaseWithoutInternals }");
        let name = quoted(&internals.name);
        Cow::Owned(format!("type DatabaseWithoutInternals = Omit<Database, {name}>\n\n{schemas}"))
    }

    fn schema(&self, lines: &mut Lines, schema: Oid) {
        self.part(lines, "Tables", |generator, lines| generator.tables(lines, schema));
        self.part(lines, "Views", |generator, lines| generator.views(lines, schema));
        self.part(lines, "Functions", |generator, lines| generator.functions(lines, schema));
        self.part(lines, "Enums", |generator, lines| generator.enums(lines, schema));
        self.part(lines, "CompositeTypes", |generator, lines| generator.composites(lines, schema));
    }

    /// One of the five members of a schema. `print` returns how many items it has written.
    fn part(&self, lines: &mut Lines, name: &str, print: impl Fn(&Self, &mut Lines) -> usize) {
        lines.open(&format!("{name}: "));
        if print(self, lines) == 0 {
            lines.line(EMPTY);
        }
        lines.close("");
    }

    /// The enums of a schema with their labels, by name.
    fn enums_of(&self, schema: Oid) -> BTreeMap<String, &[String]> {
        let of_schema = self.catalog.types().filter(|(_, type_)| type_.schema == schema);
        of_schema
            .filter_map(|(_, type_)| match &type_.definition {
                TypeDefinition::Enum { labels } => Some((type_.name.clone(), labels.as_slice())),
                _ => None,
            })
            .collect()
    }

    fn enums(&self, lines: &mut Lines, schema: Oid) -> usize {
        let enums = self.enums_of(schema);
        for (name, labels) in &enums {
            lines.union(&key(name), &labels.iter().map(|label| quoted(label)).collect::<Vec<_>>());
        }
        enums.len()
    }

    fn composites(&self, lines: &mut Lines, schema: Oid) -> usize {
        let of_schema = self.catalog.types().filter(|(_, type_)| type_.schema == schema);
        let mut composites: Vec<_> = of_schema
            .filter_map(|(_, type_)| match &type_.definition {
                TypeDefinition::Composite { attributes } => Some((&type_.name, attributes)),
                _ => None,
            })
            .collect();
        composites.sort_by_key(|(name, _)| layout::order(name));
        for (name, attributes) in &composites {
            lines.open(&format!("{}: ", key(name)));
            for attribute in *attributes {
                lines.union(&key(&attribute.name), &[self.type_(attribute.type_.base), "null".to_owned()]);
            }
            lines.close("");
        }
        composites.len()
    }

    fn constants(&self, lines: &mut Lines) {
        lines.open("export const Constants = ");
        for (name, schema) in &self.schemas {
            lines.open(&format!("{}: ", key(name)));
            let enums = self.enums_of(*schema);
            if enums.is_empty() {
                lines.line("Enums: {},");
            } else {
                lines.open("Enums: ");
                for (name, labels) in &enums {
                    lines.list(
                        &key(name),
                        &labels.iter().map(|label| quoted(label)).collect::<Vec<_>>(),
                        ",",
                    );
                }
                lines.close(",");
            }
            lines.close(",");
        }
        lines.close(" as const");
    }

    /// The TypeScript type of values of `type_`.
    fn type_(&self, type_: Type) -> String {
        if let Some(element) = type_.element() {
            let element = self.type_(element);
            return if element.contains(" | ") { format!("({element})[]") } else { format!("{element}[]") };
        }
        let name = match type_ {
            Type::BOOL => "boolean",
            Type::INT2 | Type::INT4 | Type::INT8 | Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC => "number",
            Type::TEXT
            | Type::VARCHAR
            | Type::BPCHAR
            | Type::CITEXT
            | Type::UUID
            | Type::BYTEA
            | Type::DATE
            | Type::TIME
            | Type::TIMETZ
            | Type::TIMESTAMP
            | Type::TIMESTAMPTZ
            | Type::VECTOR => "string",
            Type::INTERVAL if self.internals.is_some() => "string",
            Type::JSON | Type::JSONB => "Json",
            Type::VOID => "undefined",
            Type::RECORD => "Record<string, unknown>",
            _ => return self.user_type(type_),
        };
        name.to_owned()
    }

    fn user_type(&self, type_: Type) -> String {
        let Some(user_type) = self.catalog.user_type(type_) else { return "unknown".to_owned() };
        let schema = self.catalog.schema_name(user_type.schema);
        let included = self.schemas.contains_key(schema);
        let reference = |part: &str, name: &str| {
            let path = [schema, part, name].map(|step| format!("[{}]", quoted(step)));
            format!("Database{}", path.concat())
        };
        match &user_type.definition {
            TypeDefinition::Enum { .. } if included => reference("Enums", &user_type.name),
            TypeDefinition::Enum { labels } => {
                labels.iter().map(|label| quoted(label)).collect::<Vec<_>>().join(" | ")
            }
            TypeDefinition::Composite { .. } if included => reference("CompositeTypes", &user_type.name),
            TypeDefinition::Row { relation } if included => match self.catalog.relation(*relation) {
                Some(relation) if relation.shown_kind() == RelationKind::Table => {
                    format!("{}[\"Row\"]", reference("Tables", &relation.name))
                }
                Some(relation) => format!("{}[\"Row\"]", reference("Views", &relation.name)),
                None => "unknown".to_owned(),
            },
            _ => "unknown".to_owned(),
        }
    }
}
