//! `has_table_privilege` and its siblings: what roles may do, as queries ask it.

use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::acl::{self, Guarded};
use crate::bind::Binder;
use crate::catalog::{Catalog, Object, Oid, PG_CATALOG, RecordedKind};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Expr, Node};
use crate::types::{BUILTINS, FIRST_USER, Type};

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
        if let Some(kind) = Fixed::of(called) {
            return self.fixed_privilege(kind, called, arguments);
        }
        let (kind, type_) = match called {
            "has_table_privilege" | "has_any_column_privilege" | "has_column_privilege" => {
                (Guarded::Table, Type::REGCLASS)
            }
            "has_sequence_privilege" => (Guarded::Sequence, Type::REGCLASS),
            "has_schema_privilege" => (Guarded::Schema, Type::REGNAMESPACE),
            "has_type_privilege" => (Guarded::Type, Type::REGTYPE),
            "has_function_privilege" => (Guarded::Routine, Type::REGPROCEDURE),
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
        if arguments.iter().any(Expr::is_null_literal) {
            return Ok(Some(Expr::literal(Value::Null, Type::BOOL)));
        }
        if !is_known(&rest[width - 1]) {
            let words = words_with_options(kind.letters());
            return self.by_privilege(called, arguments, &words).map(Some);
        }
        let role = role.map(|role| self.role_of(role)).transpose()?.flatten();
        let role = match (role, arguments.len() == width) {
            (Some(role), _) => role,
            (None, true) => self.current.to_string(),
            // The role is computed: the answer is looked up for each.
            (None, false) => return self.privilege_of_each(kind, type_, column, arguments).map(Some),
        };
        let asked = privileges(kind, &rest[width - 1])?;
        let limit = if column { self.column_asked(&rest[0], &rest[1])? } else { None };
        if column && limit.is_none() {
            let map = self.map_of_columns(std::slice::from_ref(&role), &asked)?;
            let operands =
                vec![Expr::literal(role, Type::TEXT), self.object_asked(&rest[0], type_)?, rest[1].clone()];
            let key = Expr::template("({0} || '.' || {1} || '.' || {2})", operands, Type::TEXT);
            return Ok(Some(lookup(map, key)));
        }
        let map = self.map_of(&[role], None, kind, (called, limit), &asked)?;
        let key = self.object_asked(&rest[0], type_)?;
        Ok(Some(lookup(map, key)))
    }

    /// A question about a privilege that is known when the statement runs: one of `words`.
    fn by_privilege(&mut self, called: &str, arguments: &[Expr], words: &[String]) -> Result<Expr> {
        let Some((asked, rest)) = arguments.split_last() else { return Ok(Expr::null()) };
        let asked = self.implicit(asked.clone(), Type::TEXT)?;
        self.once(asked, |binder, asked| {
            let mut branches = Vec::new();
            for word in words {
                rest.iter().try_for_each(|argument| binder.once.charge(argument))?;
                let known = Expr::new(Node::Untyped(word.clone()), Type::UNKNOWN);
                let arguments: Vec<Expr> = rest.iter().cloned().chain([known]).collect();
                let answer = binder.privilege_function(called, &arguments)?.unwrap_or_else(Expr::null);
                branches.push((Expr::literal(word.clone(), Type::TEXT), answer));
            }
            let refusal = "CASE WHEN {0} IS NULL THEN NULL ELSE pg_raise('22023', 'unrecognized privilege type: \"' || {0} || '\"') END";
            let otherwise = Expr::template(refusal, vec![asked.clone()], Type::BOOL);
            let operand = Some(Box::new(Expr::template("upper(trim({0}))", vec![asked], Type::TEXT)));
            Ok(Expr::new(Node::Case { operand, branches, otherwise: Some(Box::new(otherwise)) }, Type::BOOL))
        })
    }

    /// A question about something whose privileges are not changed here.
    fn fixed_privilege(&mut self, kind: Fixed, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let (role, object, privilege) = match arguments {
            [role, object, privilege] => (Some(role), object, privilege),
            [object, privilege] => (None, object, privilege),
            _ => return Ok(None),
        };
        if arguments.iter().any(Expr::is_null_literal) {
            return Ok(Some(Expr::literal(Value::Null, Type::BOOL)));
        }
        if !is_known(privilege) {
            let words = words_with_options(kind.letters());
            return self.by_privilege(called, arguments, &words).map(Some);
        }
        let asked = privileges_of(kind.letters(), privilege)?;
        let owner = self.owner_of_fixed(kind, object)?;
        let catalog = self.catalog;
        let has = |role: &str| {
            if kind == Fixed::Database {
                return asked.iter().any(|(letter, option)| match option {
                    true => catalog.may_grant_on_database(role, *letter),
                    false => catalog.allows_database(role, *letter),
                });
            }
            asked.iter().any(|(letter, option)| !option && kind.public_letters().contains(*letter))
                || catalog.has_privileges_of(role, &owner)
        };
        if matches!(kind, Fixed::Wrapper | Fixed::Server) {
            // Nobody else's privileges on these are kept.
            let known = role.map_or(Ok(Some(self.current.to_string())), |role| self.role_of(role))?;
            if !known.is_some_and(|known| has(&known)) {
                let what =
                    format!("a question about privileges of others than the owner on a {}", kind.word());
                return Err(SqlError::unsupported(what));
            }
        }
        let known = match role {
            None => Some(self.current.to_string()),
            Some(role) => self.role_of(role)?,
        };
        if let Some(known) = known {
            return Ok(Some(Expr::literal(i64::from(has(&known)), Type::BOOL)));
        }
        let answers: Map<String, Json> =
            catalog.roles().map(|(_, role)| (role.name.clone(), u8::from(has(&role.name)).into())).collect();
        let role = self.name_of_role(role.unwrap_or(object))?;
        Ok(Some(lookup(Json::Object(answers).to_string(), role)))
    }

    /// The owner of such a thing. Fails if there is none with the name.
    fn owner_of_fixed(&self, kind: Fixed, object: &Expr) -> Result<String> {
        let owner = || "postgres".to_owned();
        let name = match &object.node {
            Node::Untyped(name) | Node::Literal(Value::Text(name)) => name,
            _ => return Ok(owner()),
        };
        let recorded = |kind| {
            let mut known = self.catalog.recorded(kind).filter(|(_, known)| known.name == *name);
            known.next().map(|(_, known)| known.owner.clone())
        };
        let among = |names: &[&str]| names.contains(&name.as_str()).then(owner);
        let (found, code) = match kind {
            Fixed::Database => (among(&["postgres", "template0", "template1"]), SqlState::new("3D000")),
            Fixed::Language => (among(&["internal", "c", "sql", "plpgsql"]), SqlState::UNDEFINED_OBJECT),
            Fixed::Tablespace => (among(&["pg_default", "pg_global"]), SqlState::UNDEFINED_OBJECT),
            Fixed::Wrapper => (recorded(RecordedKind::Wrapper), SqlState::UNDEFINED_OBJECT),
            Fixed::Server => (recorded(RecordedKind::Server), SqlState::UNDEFINED_OBJECT),
        };
        found.ok_or_else(|| SqlError::new(code, format!("{} \"{name}\" does not exist", kind.word())))
    }

    fn privilege_of_each(
        &mut self,
        kind: Guarded,
        type_: Type,
        column: bool,
        arguments: &[Expr],
    ) -> Result<Expr> {
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

    /// The number of the column that an argument names, if that is known now.
    fn column_asked(&mut self, table: &Expr, column: &Expr) -> Result<Option<u32>> {
        let table = self.object_asked(table, Type::REGCLASS)?;
        match (&table.node, &column.node) {
            (Node::Literal(Value::Integer(oid)), Node::Untyped(name)) => {
                let relation = Oid::try_from(*oid).ok().and_then(|oid| self.catalog.relation(oid));
                let column = relation.and_then(|relation| relation.column(name));
                column.map(|column| Some(column.number)).ok_or_else(|| {
                    let relation = relation.map_or("", |relation| &relation.name);
                    let message = format!("column \"{name}\" of relation \"{relation}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })
            }
            (_, Node::Literal(Value::Integer(number))) => Ok(Some(u32::try_from(*number).unwrap_or(0))),
            _ => Ok(None),
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
            Object::Type(_) => kind == Guarded::Type,
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
            Guarded::Routine => {
                let of_extensions =
                    catalog.shown_routines().map(|(oid, _)| oid).filter(|oid| *oid < FIRST_USER);
                let built_in = describe::builtin_functions().map(|(oid, _)| oid);
                built_in.chain(of_extensions).map(|oid| (oid, true)).collect()
            }
            Guarded::Type => {
                let arrays = BUILTINS.iter().filter_map(|builtin| builtin.id.array());
                BUILTINS.iter().map(|builtin| builtin.id).chain(arrays).map(|type_| (type_.0, true)).collect()
            }
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
                    Object::Type(known) if kind == Guarded::Type => {
                        let has = |letter| catalog.allows(role, known.guarded(), letter);
                        let has = any(&has, &known.owner, &known.acl);
                        add(oid, has);
                        add(oid + 1, has);
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
        let Some(role_name) = self.role_of(role)? else {
            return self.memberships_of_each(member, role, asked);
        };
        let answers = self.catalog.roles().flat_map(|(oid, known)| {
            let has = Json::from(u8::from(asked(self.catalog, &known.name, &role_name)));
            [(oid.to_string(), has.clone()), (known.name.clone(), has)]
        });
        Ok(lookup(Json::Object(answers.collect()).to_string(), member.clone()))
    }

    /// `pg_has_role` of a user and a role that both differ by row.
    fn memberships_of_each(&mut self, member: &Expr, role: &Expr, asked: Membership) -> Result<Expr> {
        let count = self.catalog.roles().count();
        check_answers(count.saturating_mul(count))?;
        let (member, role) = (self.name_of_role(member)?, self.name_of_role(role)?);
        let pairs = self.catalog.roles().flat_map(|(_, member)| {
            let member = &member.name;
            self.catalog.roles().map(move |(_, role)| (member, &role.name))
        });
        let answers = pairs.map(|(member, role)| {
            (format!("{member}.{role}"), u8::from(asked(self.catalog, member, role)).into())
        });
        let answers = Json::Object(answers.collect()).to_string();
        Ok(lookup(answers, Expr::template("({0} || '.' || {1})", vec![member, role], Type::TEXT)))
    }

    /// `pg_has_role([user,] role, privilege)`.
    fn membership(&mut self, arguments: &[Expr]) -> Result<Expr> {
        if arguments.iter().any(Expr::is_null_literal) {
            return Ok(Expr::literal(Value::Null, Type::BOOL));
        }
        if arguments.last().is_some_and(|asked| !is_known(asked)) {
            let words = ["USAGE", "MEMBER"].into_iter().flat_map(|word| {
                ["", " WITH GRANT OPTION", " WITH ADMIN OPTION"].map(|option| format!("{word}{option}"))
            });
            return self.by_privilege("pg_has_role", arguments, &words.collect::<Vec<_>>());
        }
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
    let (Node::Untyped(words) | Node::Literal(Value::Text(words))) = &asked.node else {
        return Err(SqlError::unsupported("pg_has_role of a computed privilege"));
    };
    match words.to_uppercase().as_str() {
        "USAGE" => Ok(Catalog::has_privileges_of),
        "MEMBER" | "MEMBER WITH ADMIN OPTION" | "MEMBER WITH GRANT OPTION" => Ok(Catalog::is_member_of),
        "USAGE WITH ADMIN OPTION" | "USAGE WITH GRANT OPTION" => Ok(Catalog::is_member_of),
        _ => {
            let message = format!("unrecognized privilege type: \"{words}\"");
            Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
        }
    }
}

/// What has the privileges that it began with, and the owner's.
#[derive(Clone, Copy, PartialEq)]
enum Fixed {
    Database,
    Language,
    Tablespace,
    Wrapper,
    Server,
}

impl Fixed {
    fn of(called: &str) -> Option<Fixed> {
        Some(match called {
            "has_database_privilege" => Fixed::Database,
            "has_language_privilege" => Fixed::Language,
            "has_tablespace_privilege" => Fixed::Tablespace,
            "has_foreign_data_wrapper_privilege" => Fixed::Wrapper,
            "has_server_privilege" => Fixed::Server,
            _ => return None,
        })
    }

    const fn letters(self) -> &'static str {
        match self {
            Fixed::Database => "CTc",
            Fixed::Tablespace => "C",
            Fixed::Language | Fixed::Wrapper | Fixed::Server => "U",
        }
    }

    /// The privileges that everybody has.
    const fn public_letters(self) -> &'static str {
        match self {
            Fixed::Database => "Tc",
            Fixed::Language => "U",
            Fixed::Tablespace | Fixed::Wrapper | Fixed::Server => "",
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Fixed::Database => "database",
            Fixed::Language => "language",
            Fixed::Tablespace => "tablespace",
            Fixed::Wrapper => "foreign-data wrapper",
            Fixed::Server => "server",
        }
    }
}

/// Whether the text of an argument is known now.
fn is_known(asked: &Expr) -> bool {
    matches!(asked.node, Node::Untyped(_) | Node::Literal(Value::Text(_)))
}

/// The words of privileges, with and without the right to grant them.
fn words_with_options(letters: &str) -> Vec<String> {
    let words = letters.chars().map(acl::word).chain(letters.contains('T').then_some("TEMP"));
    words.flat_map(|word| ["", " WITH GRANT OPTION"].map(|option| format!("{word}{option}"))).collect()
}

fn privileges(kind: Guarded, asked: &Expr) -> Result<Vec<Asked>> {
    privileges_of(kind.letters(), asked)
}

/// The privileges that a text names: `SELECT, INSERT WITH GRANT OPTION`.
fn privileges_of(letters: &str, asked: &Expr) -> Result<Vec<Asked>> {
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
            .filter(|letter| letters.contains(*letter))
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
