//! Finding objects: by identifier, by name, by kind.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::quoting::quote_identifier;
use super::{
    Attribute, Catalog, Column, Constraint, ConstraintKind, Extension, INFORMATION_SCHEMA, Index, Object,
    Oid, OwnRange, PG_CATALOG, PUBLIC, Publication, Recorded, RecordedKind, Relation, RelationKind, Role,
    Routine, Schema, SessionStart, TEMPORARY, TextSearch, TypeDefinition, UserType,
};
use crate::describe::OF_SYSTEM_TOO;
use crate::error::{Result, SqlError, SqlState};
use crate::objects::Few;
use crate::security::session::SEARCH_PATH;
use crate::system::functions_of_extension;
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};
use crate::value::order::Parts;
use crate::value::{geometry, interval};

impl Catalog {
    pub(crate) fn schemas(&self) -> impl Iterator<Item = (Oid, &Schema)> {
        self.objects.few(Few::Schema).filter_map(|(oid, object)| match object {
            Object::Schema(schema) => Some((*oid, schema)),
            _ => None,
        })
    }

    /// The project's routines, and the functions of its extensions that the engine has code of its own for.
    pub(crate) fn shown_routines(&self) -> impl Iterator<Item = (Oid, Cow<'_, Routine>)> {
        let own = self.routines().map(|(oid, routine)| (oid, Cow::Borrowed(routine)));
        let owner = self.roles().find(|(_, role)| role.superuser).map(|(_, role)| role.name.clone());
        let owner = owner.unwrap_or_default();
        let of_extensions = self.extensions().flat_map(move |(_, extension)| {
            let owner = owner.clone();
            functions_of_extension(&extension.name).iter().map(move |(oid, routine)| {
                let owner = owner.clone();
                (*oid, Cow::Owned(Routine { schema: extension.schema, owner, ..routine.clone() }))
            })
        });
        own.chain(of_extensions)
    }

    /// Whether the extension is created.
    pub(crate) fn has_extension(&self, name: &str) -> bool {
        self.extensions().any(|(_, extension)| extension.name == name)
    }

    pub(crate) fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.objects.values().filter_map(|object| match object {
            Object::Relation(relation) => Some(relation),
            _ => None,
        })
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = (Oid, &UserType)> {
        self.objects.iter().filter_map(|(oid, object)| match object {
            Object::Type(type_) => Some((*oid, type_)),
            _ => None,
        })
    }

    pub(crate) fn routine(&self, oid: Oid) -> Option<&Routine> {
        match self.objects.get(&oid) {
            Some(Object::Routine(routine)) => Some(routine),
            _ => None,
        }
    }

    pub(crate) fn routines(&self) -> impl Iterator<Item = (Oid, &Routine)> {
        self.objects.iter().filter_map(|(oid, object)| match object {
            Object::Routine(routine) => Some((*oid, routine)),
            _ => None,
        })
    }

    pub(crate) fn extensions(&self) -> impl Iterator<Item = (Oid, &Extension)> {
        self.objects.few(Few::Extension).filter_map(|(oid, object)| match object {
            Object::Extension(extension) => Some((*oid, extension)),
            _ => None,
        })
    }

    pub(crate) fn configurations(&self) -> impl Iterator<Item = (Oid, &TextSearch)> {
        self.objects.few(Few::TextSearch).filter_map(|(oid, object)| match object {
            Object::TextSearch(configuration) => Some((*oid, configuration)),
            _ => None,
        })
    }

    pub(crate) fn publications(&self) -> impl Iterator<Item = (Oid, &Publication)> {
        self.objects.few(Few::Publication).filter_map(|(oid, object)| match object {
            Object::Publication(publication) => Some((*oid, publication)),
            _ => None,
        })
    }

    /// The recorded objects of a kind.
    pub(crate) fn recorded(&self, kind: RecordedKind) -> impl Iterator<Item = (Oid, &Recorded)> {
        self.objects.few(Few::Recorded(kind)).filter_map(|(oid, object)| match object {
            Object::Recorded(recorded) => Some((*oid, recorded)),
            _ => None,
        })
    }

    /// What later sessions begin with.
    pub(crate) fn session_starts(&self) -> impl Iterator<Item = (Oid, &SessionStart)> {
        self.objects.few(Few::SessionStart).filter_map(|(oid, object)| match object {
            Object::SessionStart(start) => Some((*oid, start)),
            _ => None,
        })
    }

    /// The schema of temporary objects, if the call has made any.
    pub(crate) fn temporary(&self) -> Option<Oid> {
        self.schema_named(TEMPORARY)
    }

    pub(crate) fn roles(&self) -> impl Iterator<Item = (Oid, &Role)> {
        self.objects.few(Few::Role).filter_map(|(oid, object)| match object {
            Object::Role(role) => Some((*oid, role)),
            _ => None,
        })
    }

    /// A role by name, with its identifier.
    pub(crate) fn role(&self, name: &str) -> Option<(Oid, &Role)> {
        self.objects.maybe_named(name).find_map(|(oid, object)| match object {
            Object::Role(role) if role.name == name => Some((oid, role)),
            _ => None,
        })
    }

    pub(crate) fn role_mut(&mut self, name: &str) -> Option<&mut Role> {
        let (oid, _) = self.role(name)?;
        match self.objects.get_mut(&oid) {
            Some(Object::Role(role)) => Some(role),
            _ => None,
        }
    }

    pub(crate) fn schema_named(&self, name: &str) -> Option<Oid> {
        let name = if name == "pg_temp" { TEMPORARY } else { name };
        match name {
            "pg_catalog" => Some(PG_CATALOG),
            "information_schema" => Some(INFORMATION_SCHEMA),
            name => self.objects.maybe_named(name).find_map(|(oid, object)| match object {
                Object::Schema(schema) if schema.name == name => Some(oid),
                _ => None,
            }),
        }
    }

    /// The schema that a command names.
    pub(crate) fn known_schema(&self, name: &str) -> Result<Oid> {
        self.schema_named(name).ok_or_else(|| {
            SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{name}\" does not exist"))
        })
    }

    pub(crate) fn schema_name(&self, oid: Oid) -> &str {
        match (oid, self.objects.get(&oid)) {
            (_, Some(Object::Schema(schema))) => &schema.name,
            (INFORMATION_SCHEMA, _) => "information_schema",
            _ => "pg_catalog",
        }
    }

    pub(crate) fn relation(&self, oid: Oid) -> Option<&Relation> {
        match self.objects.get(&oid) {
            Some(Object::Relation(relation)) => Some(relation),
            _ => None,
        }
    }

    pub(crate) fn relation_mut(&mut self, oid: Oid) -> Option<&mut Relation> {
        match self.objects.get_mut(&oid) {
            Some(Object::Relation(relation)) => Some(relation),
            _ => None,
        }
    }

    /// Whether that is a type that a user has created.
    pub(crate) fn has_type(&self, type_: Type) -> bool {
        self.user_type(type_).is_some()
    }

    /// The names of the schemas in which the names in a view's query are found.
    pub(crate) fn path_of_view(&self, view: &Relation) -> Vec<String> {
        let mut path: Vec<String> =
            view.path.iter().map(|schema| self.schema_name(*schema).to_owned()).collect();
        path.extend(SEARCH_PATH.map(str::to_owned));
        path
    }

    pub(crate) fn user_type(&self, type_: Type) -> Option<&UserType> {
        match self.objects.get(&type_.0) {
            Some(Object::Type(user_type)) => Some(user_type),
            _ => None,
        }
    }

    pub(crate) fn relation_named(&self, schema: Oid, name: &str) -> Option<&Relation> {
        let mut relations = self.maybe_named(schema, name);
        relations.find(|relation| relation.name == name)
    }

    /// The relation with a name in the first of these schemas that has one.
    pub(crate) fn first_relation_named(&self, schemas: &[Oid], name: &str) -> Option<&Relation> {
        let named = self.objects.maybe_named(name).filter_map(|(_, object)| match object {
            Object::Relation(relation) if relation.name == name => Some(relation),
            _ => None,
        });
        let place = |relation: &Relation| schemas.iter().position(|schema| *schema == relation.schema);
        named
            .filter_map(|relation| Some((place(relation)?, relation)))
            .min_by_key(|(place, _)| *place)
            .map(|(_, relation)| relation)
    }

    /// Relations of a schema that may have this name, or an index of this name.
    pub(super) fn maybe_named(&self, schema: Oid, name: &str) -> impl Iterator<Item = &Relation> {
        self.objects.maybe_named(name).filter_map(move |(_, object)| match object {
            Object::Relation(relation) if relation.schema == schema => Some(relation),
            _ => None,
        })
    }

    /// The composite type with a name, which has a row among the relations.
    pub(crate) fn composite_named(&self, schema: Oid, name: &str) -> Option<Oid> {
        let mut found = self.objects.maybe_named(name).filter(|(_, object)| {
            matches!(object, Object::Type(known) if known.schema == schema
                && known.name == name
                && matches!(known.definition, TypeDefinition::Composite { .. }))
        });
        found.next().map(|(oid, _)| oid)
    }

    /// The index with a name, and its table.
    pub(crate) fn index_named(&self, schema: Oid, name: &str) -> Option<(&Relation, &Index)> {
        let relations = self.maybe_named(schema, name);
        relations
            .flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)))
            .find(|(_, index)| index.name == name)
    }

    pub(crate) fn type_named(&self, schema: Oid, name: &str) -> Option<Type> {
        self.objects.maybe_named(name).find_map(|(oid, object)| match object {
            Object::Type(type_) if type_.schema == schema && type_.name == name => Some(Type(oid)),
            _ => None,
        })
    }

    /// The labels of an enum, in order.
    pub(crate) fn labels(&self, type_: Type) -> Option<&[String]> {
        match &self.user_type(type_)?.definition {
            TypeDefinition::Enum { labels } => Some(labels),
            _ => None,
        }
    }

    /// The type under a domain, through nested domains; of an array of domains the array of their base type. For any other
    /// type, the type itself.
    pub(crate) fn base_type(&self, type_: Type) -> Type {
        let base = self.under_domains(type_.plain()).base;
        let element = base.element().filter(|element| element.is_user());
        let under = element.map(|element| self.under_domains(element.plain()).base);
        match under {
            Some(under) if Some(under) != element => under.array().unwrap_or(base),
            _ => base,
        }
    }

    /// The type that decides which functions and operators take a value: that under a domain. An array of a domain's values keeps its
    /// type, which no operator for two arrays of one type mixes with another.
    pub(crate) fn operand_type(&self, type_: Type) -> Type {
        let base = self.under_domains(type_.plain()).base;
        let element = base.element().filter(|element| element.is_user());
        let is_domain = |element| self.named_base(element) != element;
        if element.is_some_and(is_domain) { base } else { self.base_type(type_) }
    }

    /// The type under a domain with its modifier: `char(3)`; the one of the system under a range. For any other type, the type itself.
    pub(crate) fn under_domains(&self, type_: Modified) -> Modified {
        let mut type_ = type_;
        while let Some(base) = self.next_under(type_.base) {
            type_ = base;
        }
        type_
    }

    /// The type that a domain or a range of a user is made of.
    pub(crate) fn next_under(&self, type_: Type) -> Option<Modified> {
        match &self.user_type(type_)?.definition {
            TypeDefinition::Domain { base, .. } => Some(*base),
            TypeDefinition::Range { base, .. } => Some(base.plain()),
            _ => None,
        }
    }

    /// The same as [`Catalog::base_type`], but a range of a user is its own type, as it is for clients.
    pub(crate) fn named_base(&self, type_: Type) -> Type {
        if let Some(element) = type_.element().filter(|element| element.is_user()) {
            return self.named_base(element).array().unwrap_or(type_);
        }
        match self.user_type(type_).map(|known| &known.definition) {
            Some(TypeDefinition::Domain { base, .. }) => self.named_base(base.base),
            _ => type_,
        }
    }

    /// The range of a user that functions of this name make, and the type under it.
    pub(crate) fn range_made_by(&self, schemas: &[Oid], name: &str) -> Option<(Type, Type)> {
        let made = self.types().filter_map(|(oid, known)| match &known.definition {
            TypeDefinition::Range { base, maker, .. } if maker == name => {
                let at = schemas.iter().position(|schema| *schema == known.schema)?;
                Some((at, (Type(oid), *base)))
            }
            _ => None,
        });
        made.min_by_key(|(at, _)| *at).map(|(_, made)| made)
    }

    /// Whether there are ranges of users.
    pub(crate) fn has_own_ranges(&self) -> bool {
        self.types().any(|(_, known)| matches!(known.definition, TypeDefinition::Range { .. }))
    }

    /// The range of a user, or several of them, that a type is or is made of.
    pub(crate) fn own_range(&self, type_: Type) -> Option<(Type, OwnRange)> {
        let named = self.named_base(type_);
        match self.user_type(named)?.definition {
            TypeDefinition::Range { base, pair, .. } => Some((named, OwnRange { base, pair })),
            _ => None,
        }
    }

    /// The default of a column: its own, or that of its domain.
    pub(crate) fn default_of<'c>(&'c self, column: &'c Column) -> Option<&'c str> {
        if column.default.is_some() || column.sequence.is_some() || column.generated.is_some() {
            return column.default.as_deref();
        }
        self.default_of_domain(column.type_.base)
    }

    pub(crate) fn default_of_domain(&self, type_: Type) -> Option<&str> {
        match &self.user_type(type_)?.definition {
            TypeDefinition::Domain { default, .. } => default.as_deref(),
            _ => None,
        }
    }

    /// The named fields of a row type, or of a domain over one.
    pub(crate) fn attributes(&self, type_: Type) -> Option<Vec<Attribute>> {
        match &self.user_type(self.under_domains(type_.plain()).base)?.definition {
            TypeDefinition::Composite { attributes } => Some(attributes.clone()),
            TypeDefinition::Row { relation } => Some(self.row_attributes(*relation)),
            _ => None,
        }
    }

    /// How the values of a type compare.
    pub(crate) fn parts(&self, type_: Type) -> Parts {
        let type_ = self.base_type(type_);
        if type_ == Type::RECORD {
            return Parts::Row(Vec::new());
        }
        if let Some(element) = type_.element() {
            return Parts::Each(Box::new(self.parts(element)));
        }
        if let Some(labels) = self.labels(type_) {
            return Parts::Labels(labels.to_vec());
        }
        match (self.attributes(type_), type_.collation()) {
            (Some(attributes), _) => {
                Parts::Row(attributes.iter().map(|attribute| self.parts(attribute.type_.base)).collect())
            }
            (None, Some(collation)) => Parts::By(collation.to_owned()),
            (None, None) => Parts::Plain,
        }
    }

    /// A key for comparisons of values whose parts compare so. Rows compare as arrays do: item by item, and null is greater than any
    /// value.
    pub(crate) fn key_by(&self, parts: Parts, expr: Expr) -> Expr {
        match parts {
            Parts::Row(_) if parts.are_plain() => Expr { type_: Type::RECORD, ..expr },
            _ if parts.need_key() => {
                Expr::new(Node::Key { expr: Box::new(expr), parts: parts.written() }, Type::RECORD)
            }
            _ => Expr { type_: self.base_type(expr.type_), ..expr },
        }
    }

    /// A key of an index.
    pub(crate) fn index_key(&self, expr: Expr) -> Expr {
        let parts = self.parts(expr.type_).told_apart();
        if parts.need_key() { self.key_by(parts, expr) } else { expr }
    }

    pub(super) fn row_attributes(&self, relation: Oid) -> Vec<Attribute> {
        let columns = self.relation(relation).map_or(&[][..], |relation| &relation.columns);
        columns.iter().map(|column| Attribute { name: column.name.clone(), type_: column.type_ }).collect()
    }

    /// The row type of a relation.
    pub(crate) fn row_type(&self, relation: Oid) -> Option<Type> {
        let is_row = |definition: &TypeDefinition| matches!(definition, TypeDefinition::Row { relation: of } if *of == relation);
        let relation = self.relation(relation)?;
        // It has the same name.
        self.objects.maybe_named(&relation.name).find_map(|(oid, object)| match object {
            Object::Type(type_) if is_row(&type_.definition) => Some(Type(oid)),
            _ => None,
        })
    }

    /// The foreign keys that refer to `table`, each with its own table.
    pub(crate) fn references_to(&self, table: Oid) -> impl Iterator<Item = (&Relation, &Constraint)> {
        let constraints =
            self.relations().flat_map(|relation| relation.constraints.iter().map(move |c| (relation, c)));
        // A part of the foreign key of a partitioned table is in force with that key.
        constraints.filter(move |(_, constraint)| {
            constraint.parent.is_none()
                && matches!(&constraint.kind, ConstraintKind::Foreign { table: of, .. } if *of == table)
        })
    }

    /// A type's name as in messages and `format_type`: `character varying(20)`, `mood[]`.
    pub(crate) fn type_name(&self, type_: Type, modifier: i32) -> String {
        if let Some(element) = type_.element() {
            return format!("{}[]", self.type_name(element, modifier));
        }
        if let Some(user_type) = self.user_type(type_) {
            let name = quote_identifier(&user_type.name);
            return match self.leaves_out(user_type.schema, &[PUBLIC]) {
                true => name,
                false => format!("{}.{name}", quote_identifier(self.schema_name(user_type.schema))),
            };
        }
        let Some(builtin) = type_.builtin() else { return "???".to_owned() };
        if let Some(schema) = self.extension_of_type(type_).filter(|schema| !self.shows_bare(*schema)) {
            let usual = Catalog::default().type_name(type_, modifier);
            return format!("{}.{usual}", quote_identifier(self.schema_name(schema)));
        }
        let display = builtin.display;
        match type_ {
            _ if modifier < 0 => display.to_owned(),
            Type::VARCHAR | Type::BPCHAR => format!("{display}({})", modifier - 4),
            Type::INTERVAL => format!("{display}{}", interval::words(modifier)),
            Type::NUMERIC => format!("{display}({},{})", (modifier - 4) >> 16, (modifier - 4) & 0xffff),
            Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::TIME | Type::TIMETZ => {
                let (word, rest) = display.split_once(' ').unwrap_or((display, ""));
                format!("{word}({modifier}) {rest}")
            }
            Type::GEOMETRY | Type::GEOGRAPHY => format!("{display}{}", geometry::shown(modifier)),
            Type::BIT | Type::VARBIT | Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC => {
                format!("{display}({modifier})")
            }
            _ => display.to_owned(),
        }
    }

    /// A relation's name, qualified if its schema is not searched by default.
    pub(crate) fn relation_name(&self, relation: &Relation) -> String {
        self.qualified(relation.schema, &relation.name)
    }

    /// The name of a relation with its schema.
    pub(crate) fn quoted_name(&self, relation: &Relation) -> String {
        let schema = quote_identifier(self.schema_name(relation.schema));
        format!("{schema}.{}", quote_identifier(&relation.name))
    }

    /// A name, qualified if its schema is not searched by default.
    pub(crate) fn qualified(&self, schema: Oid, name: &str) -> String {
        let bare = self.leaves_out(schema, &[PUBLIC, PG_CATALOG]) || self.schema_name(schema) == TEMPORARY;
        match bare {
            true => quote_identifier(name),
            false => format!("{}.{}", quote_identifier(self.schema_name(schema)), quote_identifier(name)),
        }
    }

    /// The catalog as a session with this path sees it. The texts of definitions stay as they are.
    pub(crate) fn along(&self, path: Vec<Oid>) -> Catalog {
        Catalog { left_out: Some(path), ..self.clone() }
    }

    /// Whether names of this schema stand without it; `usual`: the schemas of which this holds in the texts of definitions.
    pub(crate) fn leaves_out(&self, schema: Oid, usual: &[Oid]) -> bool {
        match &self.left_out {
            None => usual.contains(&schema),
            Some(path) => schema == PG_CATALOG || path.contains(&schema),
        }
    }

    /// Whether the types, functions and operator classes that an extension has in a schema stand without it.
    pub(crate) fn shows_bare(&self, schema: Oid) -> bool {
        self.left_out.is_none() || self.leaves_out(schema, &[])
    }

    /// The schema of the extension that a built-in function belongs to.
    pub(crate) fn extension_of_function(&self, name: &str) -> Option<Oid> {
        // Without their extensions, these are there as well.
        const ALWAYS: [&str; 2] = ["pgcrypto", "uuid-ossp"];
        let known = crate::functions::overloads(name);
        let of = match known.first()?.extension {
            Some(of) => known.iter().all(|one| one.extension == Some(of)).then_some(of)?,
            None if name == OF_SYSTEM_TOO => return None,
            None => ALWAYS.into_iter().find(|of| crate::ddl::functions_of(of).any(|known| known == name))?,
        };
        self.extensions().find(|(_, extension)| extension.name == of).map(|(_, extension)| extension.schema)
    }

    /// Whether a view names a relation that it reads, and does not only read it through other views.
    pub(crate) fn reads_directly(&self, view: &Relation, relation: &Relation) -> bool {
        let mut others = view.reads.iter().filter_map(|other| self.relation(*other));
        view.definition.as_ref().is_some_and(|query| has_word(query, &relation.name))
            || !others.any(|other| other.reads.contains(&relation.oid))
    }

    /// The relations that a view names.
    pub(crate) fn read_directly(&self, view: &Relation) -> impl Iterator<Item = Oid> {
        let read = view.reads.iter().filter_map(|oid| self.relation(*oid));
        read.filter(|read| self.reads_directly(view, read)).map(|read| read.oid)
    }

    /// Whether `does` is true for a function or for one that it calls. Each body has its length charged before it is read; where that
    /// can't be afforded, the answer is yes.
    pub(crate) fn does_or_calls(
        &self,
        routine: &Routine,
        does: fn(&Routine) -> bool,
        affords: &dyn Fn(usize) -> bool,
    ) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![routine]);
        while let Some(next) = waiting.pop() {
            if !affords(next.body.len()) || does(next) {
                return true;
            }
            let called = self.routines_called_in(&next.body).into_iter().filter(|oid| seen.insert(*oid));
            waiting.extend(called.filter_map(|oid| self.routine(oid)));
        }
        false
    }

    /// The routines whose names are called in a text.
    pub(crate) fn routines_called_in(&self, text: &str) -> BTreeSet<Oid> {
        let part = |c: char| !(c.is_alphanumeric() || c == '_');
        let calls = text.match_indices('(').filter_map(|(at, _)| {
            let before = text[..at].trim_end_matches('"');
            let start = before.rfind(part).map_or(0, |place| place + 1);
            before.get(start..).filter(|name| !name.is_empty())
        });
        let calls: BTreeSet<&str> = calls.collect();
        let named = calls.into_iter().flat_map(|name| self.objects.maybe_named(name));
        named.filter(|(_, object)| matches!(object, Object::Routine(_))).map(|(oid, _)| oid).collect()
    }

    /// Whether a default takes the next number of a sequence.
    pub(crate) fn is_drawn_in(&self, sequence: &Relation, default: &str) -> bool {
        let names = [self.relation_name(sequence), self.quoted_name(sequence)];
        names.iter().any(|name| default.contains(&format!("nextval('{name}'")))
    }

    /// The sequences of whose next numbers a default is made.
    pub(crate) fn sequences_in(&self, default: &str) -> Vec<Oid> {
        if !default.contains("nextval(") {
            return Vec::new();
        }
        let sequences = self.relations().filter(|relation| relation.kind == RelationKind::Sequence);
        sequences
            .filter(|sequence| self.is_drawn_in(sequence, default))
            .map(|sequence| sequence.oid)
            .collect()
    }

    /// The unique index over these columns of a table, to which a foreign key refers.
    pub(crate) fn index_of_key(&self, table: Oid, columns: &[u32]) -> Option<Oid> {
        let table = self.relation(table)?;
        let is_over = |index: &&Index| {
            index.unique
                && index.predicate.is_none()
                && index.keys.len() == columns.len()
                && index.keys.iter().all(|key| key.column.is_some_and(|column| columns.contains(&column)))
        };
        let mut over = table.indexes.iter().filter(is_over);
        let first = over.clone().next().map(|index| index.oid);
        let primary = table.primary_key().and_then(|key| match key.kind {
            ConstraintKind::Primary { index } => Some(index),
            _ => None,
        });
        over.find(|index| Some(index.oid) == primary).map(|index| index.oid).or(first)
    }

    /// Whether a relation or index has this name, so that a new relation can't have it.
    pub(crate) fn relation_exists(&self, schema: Oid, name: &str) -> bool {
        self.relation_named(schema, name).is_some() || self.index_named(schema, name).is_some()
    }
}

/// Whether a text has a name as a word.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}
