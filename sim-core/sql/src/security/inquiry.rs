//! `has_table_privilege` and its siblings: what roles may do, as queries ask it.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::acl::{self, Guarded};
use crate::bind::Binder;
use crate::catalog::{Catalog, Object, Oid, PG_CATALOG};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Expr, Node};
use crate::types::Type;

/// A privilege by name, and whether it is asked with the right to grant it.
type Asked = (char, bool);

/// The objects that a question about each role is about.
#[derive(Clone, Copy)]
enum Of {
    Object(Oid),
    All,
}

/// The most answers about roles and objects that a statement looks up.
const ANSWERS_MAX: usize = 300_000;

fn check_answers(number: usize) -> Result<()> {
    if number > ANSWERS_MAX {
        return Err(SqlError::new(SqlState::PROGRAM_LIMIT, "too many roles and objects to compare")
            .hint("Name the role or the object whose privileges are asked for."));
    }
    Ok(())
}

impl Binder<'_> {
    /// A function that asks for privileges: `[role,] object, privilege`.
    pub(crate) fn privilege_function(&mut self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let (kind, type_) = match called {
            "has_table_privilege" | "has_any_column_privilege" | "has_column_privilege" => {
                (Guarded::Table, Type::REGCLASS)
            }
            "has_sequence_privilege" => (Guarded::Sequence, Type::REGCLASS),
            "has_schema_privilege" => (Guarded::Schema, Type::REGNAMESPACE),
            "has_function_privilege" => (Guarded::Routine, Type::REGPROCEDURE),
            "has_database_privilege" => (Guarded::Database, Type::OID),
            "has_type_privilege" => (Guarded::Type, Type::REGTYPE),
            "pg_has_role" => return self.membership(arguments).map(Some),
            _ => return Ok(None),
        };
        let column = called == "has_column_privilege";
        let width = 2 + usize::from(column);
        let (role, rest) = match arguments {
            [role, rest @ ..] if rest.len() == width => (Some(role), rest),
            rest if rest.len() == width => (None, rest),
            _ => return Ok(None),
        };
        let role = role.map(|role| self.role_of(role)).transpose()?.flatten();
        let role = match (role, arguments.len() == width) {
            (Some(role), _) => role,
            (None, true) => self.current.to_string(),
            // The role is computed: the answer is looked up for each.
            (None, false) => return self.privilege_of_each(kind, type_, column, arguments).map(Some),
        };
        let asked = privileges(kind, &rest[width - 1])?;
        let limit = if column { Some(self.column_asked(&rest[0], &rest[1])?) } else { None };
        let map = self.map_of(&[role], None, kind, (called, limit), &asked)?;
        if matches!(kind, Guarded::Database | Guarded::Type) {
            return Ok(Some(Expr::literal(1, Type::BOOL)));
        }
        let key = self.object_asked(&rest[0], type_)?;
        Ok(Some(lookup(map, key)))
    }

    fn privilege_of_each(
        &mut self,
        kind: Guarded,
        type_: Type,
        column: bool,
        arguments: &[Expr],
    ) -> Result<Expr> {
        if matches!(kind, Guarded::Database | Guarded::Type) {
            return Err(SqlError::unsupported("this question about privileges"));
        }
        let asked = privileges(kind, &arguments[arguments.len() - 1])?;
        let roles: Vec<String> = self.catalog.roles().map(|(_, role)| role.name.clone()).collect();
        let role = self.name_of_role(&arguments[0])?;
        let object = self.object_asked(&arguments[1], type_)?;
        if column {
            let map = self.map_of_columns(&roles, &asked)?;
            let operands = vec![role, object, arguments[2].clone()];
            return Ok(lookup(
                map,
                Expr::template("({0} || '.' || {1} || '.' || {2})", operands, Type::TEXT),
            ));
        }
        let of = match object.node {
            Node::Literal(Value::Integer(oid)) => Of::Object(Oid::try_from(oid).unwrap_or(0)),
            _ => Of::All,
        };
        let map = self.map_of(&roles, Some(of), kind, ("", None), &asked)?;
        Ok(lookup(map, Expr::template("({0} || '.' || {1})", vec![role, object], Type::TEXT)))
    }

    /// The name of a role that is a name or a number.
    fn name_of_role(&mut self, role: &Expr) -> Result<Expr> {
        if role.type_ != Type::OID {
            return self.implicit(role.clone(), Type::TEXT);
        }
        let names = self.catalog.roles().map(|(oid, role)| (oid.to_string(), role.name.clone().into()));
        let map = Json::Object(names.collect()).to_string();
        Ok(Expr::new(Node::Lookup { map, key: Box::new(role.clone()) }, Type::TEXT))
    }

    /// For each role and column, by its name and by its number, whether the role has one of the privileges.
    fn map_of_columns(&self, roles: &[String], asked: &[Asked]) -> Result<String> {
        let columns: usize = self.catalog.relations().map(|relation| relation.columns.len()).sum();
        check_answers(roles.len().saturating_mul(columns))?;
        let mut map = Map::new();
        for (role, relation) in
            roles.iter().flat_map(|role| self.catalog.relations().map(move |of| (role, of)))
        {
            let any = |number| {
                asked.iter().any(|(letter, _)| self.catalog.allows_column(role, relation, number, *letter))
            };
            for column in &relation.columns {
                for name in [&column.name, &column.number.to_string()] {
                    map.insert(
                        format!("{role}.{}.{name}", relation.oid),
                        u8::from(any(column.number)).into(),
                    );
                }
            }
        }
        Ok(Json::Object(map).to_string())
    }

    /// The number of the object that an argument means.
    fn object_asked(&mut self, object: &Expr, type_: Type) -> Result<Expr> {
        match object.type_ {
            Type::UNKNOWN => self.implicit(object.clone(), type_),
            written if written.is_string() => {
                let key = self.implicit(object.clone(), Type::TEXT)?;
                let map = self.object_numbers(type_);
                Ok(Expr::new(Node::Lookup { map, key: Box::new(key) }, type_))
            }
            _ => Ok(object.clone()),
        }
    }

    fn column_asked(&mut self, table: &Expr, column: &Expr) -> Result<u32> {
        let table = self.object_asked(table, Type::REGCLASS)?;
        match (&table.node, &column.node) {
            (Node::Literal(Value::Integer(oid)), Node::Untyped(name)) => {
                let relation = Oid::try_from(*oid).ok().and_then(|oid| self.catalog.relation(oid));
                let column = relation.and_then(|relation| relation.column(name));
                column.map(|column| column.number).ok_or_else(|| {
                    let relation = relation.map_or("", |relation| &relation.name);
                    let message = format!("column \"{name}\" of relation \"{relation}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })
            }
            (_, Node::Literal(Value::Integer(number))) => Ok(u32::try_from(*number).unwrap_or(0)),
            _ => Err(SqlError::unsupported("this question about privileges")),
        }
    }

    /// The role that an argument names, if that is known now.
    fn role_of(&self, role: &Expr) -> Result<Option<String>> {
        match &role.node {
            Node::Untyped(name) if name == "public" => Ok(Some(String::new())),
            Node::Untyped(name) => match self.catalog.role(name) {
                Some(_) => Ok(Some(name.clone())),
                None => Err(crate::ddl::no_role(name)),
            },
            Node::Literal(Value::Text(name)) => Ok(Some(name.clone())),
            Node::Literal(Value::Integer(oid)) => Ok(self
                .catalog
                .roles()
                .find(|(known, _)| i64::from(*known) == *oid)
                .map(|(_, r)| r.name.clone())),
            Node::Template { text: "{role}", .. } => Ok(Some(self.current.to_string())),
            Node::Cast { expr, .. } => self.role_of(expr),
            _ => Ok(None),
        }
    }

    /// For each object, whether the roles have one of the privileges. With `each`, the roles are part of the keys.
    fn map_of(
        &self,
        roles: &[String],
        each: Option<Of>,
        kind: Guarded,
        (called, column): (&str, Option<u32>),
        asked: &[Asked],
    ) -> Result<String> {
        let catalog = self.catalog;
        let only = match each {
            Some(Of::Object(oid)) => Some(oid),
            _ => None,
        };
        let is_asked = |(_, object): &(Oid, &Object)| match object {
            Object::Relation(_) => matches!(kind, Guarded::Table | Guarded::Sequence),
            Object::Schema(_) => kind == Guarded::Schema,
            Object::Routine(_) => kind == Guarded::Routine,
            _ => false,
        };
        let objects: Vec<(Oid, &Object)> = match only {
            Some(oid) => catalog.objects.get(&oid).map(|object| (oid, object)).into_iter().collect(),
            None => catalog.objects.iter().map(|(oid, object)| (*oid, object)).filter(is_asked).collect(),
        };
        let reads = asked.iter().any(|(letter, _)| *letter == 'r');
        let mut known: Vec<(Oid, bool)> = match kind {
            Guarded::Table => {
                describe::system_names().map(|(oid, name)| (oid, reads && name != "pg_authid")).collect()
            }
            Guarded::Routine => describe::builtin_functions().map(|(oid, _)| (oid, true)).collect(),
            _ => Vec::new(),
        };
        known.retain(|(oid, _)| only.is_none_or(|only| only == *oid));
        // An answer about what is always there costs little.
        check_answers(roles.len().saturating_mul(objects.len() + known.len() / 10))?;
        let mut map = Map::new();
        for role in roles {
            let mut add = |oid: Oid, has: bool| {
                if only.is_some_and(|only| only != oid) {
                    return;
                }
                let key = if each.is_some() { format!("{role}.{oid}") } else { oid.to_string() };
                map.insert(key, u8::from(has).into());
            };
            let any = |has: &dyn Fn(char) -> bool, owner: &str, list: &acl::Acl| {
                let granter = || {
                    catalog.has_privileges_of(role, owner)
                        || !list.grantable(&|known| catalog.has_privileges_of(role, known)).is_empty()
                };
                asked.iter().any(|(letter, option)| has(*letter) && (!option || granter()))
            };
            for &(oid, object) in &objects {
                match object {
                    Object::Relation(relation) if matches!(kind, Guarded::Table | Guarded::Sequence) => {
                        let has = |letter| match (called, column) {
                            (_, Some(number)) => catalog.allows_column(role, relation, number, letter),
                            ("has_any_column_privilege", None) => relation
                                .columns
                                .iter()
                                .any(|column| catalog.allows_column(role, relation, column.number, letter)),
                            _ => catalog.allows_relation(role, relation, letter),
                        };
                        add(oid, any(&has, &relation.owner, &relation.acl));
                    }
                    Object::Schema(schema) if kind == Guarded::Schema => {
                        let has = |letter| catalog.allows_schema(role, oid, letter);
                        add(oid, any(&has, &schema.owner, &schema.acl));
                    }
                    Object::Routine(routine) if kind == Guarded::Routine => {
                        let has = |letter| catalog.allows(role, routine.guarded(), letter);
                        add(oid, any(&has, &routine.owner, &routine.acl));
                    }
                    _ => {}
                }
            }
            if kind == Guarded::Schema {
                add(PG_CATALOG, asked.iter().any(|(letter, _)| *letter == 'U'));
            }
            known.iter().for_each(|(oid, has)| add(*oid, *has));
        }
        Ok(Json::Object(map).to_string())
    }

    /// `pg_has_role` of a user that differs by row.
    fn memberships(&mut self, member: &Expr, [role, privilege]: [&Expr; 2]) -> Result<Expr> {
        let asked = way_of_membership(privilege)?;
        let Some(role) = self.role_of(role)? else {
            return Err(SqlError::unsupported("pg_has_role of a computed user and a computed role"));
        };
        let answers = self.catalog.roles().flat_map(|(oid, known)| {
            let has = Json::from(u8::from(asked(self.catalog, &known.name, &role)));
            [(oid.to_string(), has.clone()), (known.name.clone(), has)]
        });
        Ok(lookup(Json::Object(answers.collect()).to_string(), member.clone()))
    }

    /// `pg_has_role([user,] role, privilege)`.
    fn membership(&mut self, arguments: &[Expr]) -> Result<Expr> {
        let (member, rest) = match arguments {
            [role, privilege] => (self.current.to_string(), [role, privilege]),
            [member, role, privilege] => {
                let Some(name) = self.role_of(member)? else {
                    return self.memberships(member, [role, privilege]);
                };
                (name, [role, privilege])
            }
            _ => {
                return Err(SqlError::new(
                    SqlState::UNDEFINED_FUNCTION,
                    "function pg_has_role does not exist",
                ));
            }
        };
        let asked = way_of_membership(rest[1])?;
        let has = |catalog: &Catalog, role: &str| asked(catalog, &member, role);
        if let Some(role) = self.role_of(rest[0])? {
            return Ok(Expr::literal(i64::from(has(self.catalog, &role)), Type::BOOL));
        }
        let roles = self.catalog.roles().flat_map(|(oid, role)| {
            let has = Json::from(u8::from(has(self.catalog, &role.name)));
            [(oid.to_string(), has.clone()), (role.name.clone(), has)]
        });
        Ok(lookup(Json::Object(roles.collect()).to_string(), rest[0].clone()))
    }
}

/// Whether a role is a member of another one.
type Membership = fn(&Catalog, &str, &str) -> bool;

/// What `pg_has_role` is asked for: `USAGE` asks for privileges that need no `SET ROLE`.
fn way_of_membership(asked: &Expr) -> Result<Membership> {
    let Node::Untyped(words) = &asked.node else {
        return Err(SqlError::unsupported("pg_has_role of a computed privilege"));
    };
    match words.to_uppercase().as_str() {
        "USAGE" => Ok(Catalog::has_privileges_of),
        "MEMBER" | "SET" | "MEMBER WITH ADMIN OPTION" | "MEMBER WITH GRANT OPTION" => {
            Ok(Catalog::is_member_of)
        }
        "USAGE WITH ADMIN OPTION" | "USAGE WITH GRANT OPTION" => Ok(Catalog::is_member_of),
        _ => {
            let message = format!("unrecognized privilege type: \"{words}\"");
            Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
        }
    }
}

/// The privileges that a text names: `SELECT, INSERT WITH GRANT OPTION`.
fn privileges(kind: Guarded, asked: &Expr) -> Result<Vec<Asked>> {
    let text = match &asked.node {
        Node::Untyped(text) => text.clone(),
        Node::Literal(Value::Text(text)) => text.clone(),
        _ => return Err(SqlError::unsupported("a question about a computed privilege")),
    };
    let each = text.split(',').map(|part| {
        let word = part.trim().to_uppercase();
        let (word, option) = match word.strip_suffix(" WITH GRANT OPTION") {
            Some(word) => (word.to_owned(), true),
            None => (word, false),
        };
        acl::letter(&word)
            .filter(|letter| kind.letters().contains(*letter))
            .map(|letter| (letter, option))
            .ok_or_else(|| {
                let message = format!("unrecognized privilege type: \"{}\"", part.trim());
                SqlError::new(SqlState::INVALID_PARAMETER, message)
            })
    });
    each.collect()
}

fn lookup(map: String, key: Expr) -> Expr {
    Expr::new(Node::Lookup { map, key: Box::new(key) }, Type::BOOL)
}
