//! Types of ranges that users create.

use sqlparser::tokenizer::{Location, Token};

use super::cursor::Cursor;
use crate::catalog::{Distance, Oid, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::tree::Expr;
use crate::types::Type;
use crate::value::range;

/// The attributes of `CREATE TYPE … AS RANGE`.
#[derive(Default)]
struct Attributes {
    subtype: Option<Type>,
    difference: Option<(Option<String>, String)>,
    several: Option<(Option<String>, String)>,
    seen: Vec<String>,
}

/// The name for several ranges, if the statement gives none.
fn name_of_several(name: &str) -> String {
    match name.contains("range") {
        true => name.replacen("range", "multirange", 1),
        false => format!("{name}_multirange"),
    }
}

impl Engine<'_> {
    /// `CREATE TYPE name AS RANGE`, after these words.
    pub(super) fn create_range(
        &mut self,
        name: (Option<String>, String),
        cursor: &mut Cursor<'_>,
    ) -> Result<Done> {
        let schema = self.creation_schema(name.0.as_deref())?;
        if self.catalog.type_named(schema, &name.1).is_some() {
            return Err(SqlError::new(
                SqlState::DUPLICATE_OBJECT,
                format!("type \"{}\" already exists", name.1),
            ));
        }
        let attributes = self.range_attributes(cursor)?;
        cursor.finish()?;
        let Some(subtype) = attributes.subtype else {
            let message = "type attribute \"subtype\" is required";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        };
        let Some(under) = range::under_range_of(subtype) else { return Err(self.no_ranges_of(subtype)) };
        let difference = attributes.difference.map(|called| self.distance(called, subtype)).transpose()?;
        let several = attributes.several.unwrap_or_else(|| (name.0.clone(), name_of_several(&name.1)));
        let maker = name.1.clone();
        let one = self.new_type(
            name,
            TypeDefinition::Range { base: under.range, pair: Type::UNKNOWN, maker, distance: difference },
        )?;
        let maker = several.1.clone();
        let pair = self.new_type(
            several,
            TypeDefinition::Range { base: under.multirange, pair: one, maker, distance: None },
        )?;
        if let TypeDefinition::Range { pair: other, .. } = &mut self.user_type_mut(one)?.definition {
            *other = pair;
        }
        Ok(Done::command("CREATE TYPE"))
    }

    fn range_attributes(&mut self, cursor: &mut Cursor<'_>) -> Result<Attributes> {
        let mut attributes = Attributes::default();
        cursor.expect(&Token::LParen)?;
        loop {
            let at = cursor.peek().map(|token| token.span.start);
            let name = cursor.ident()?;
            cursor.expect(&Token::Eq)?;
            if attributes.seen.contains(&name) {
                let error = SqlError::new(SqlState::SYNTAX_ERROR, "conflicting or redundant options");
                return Err(error.at(at.and_then(|at: Location| cursor.source.place(at))));
            }
            match name.as_str() {
                "subtype" => attributes.subtype = Some(self.type_of(cursor)?.base),
                "subtype_diff" => attributes.difference = Some(cursor.name()?),
                "multirange_type_name" => attributes.several = Some(cursor.name()?),
                "subtype_opclass" => drop(cursor.name()?),
                "collation" => {
                    let (schema, name) = cursor.name()?;
                    self.binder().collation(schema.as_deref(), &name)?;
                }
                "canonical" => return Err(SqlError::unsupported("a canonical function of a range type")),
                _ => {
                    let message = format!("type attribute \"{name}\" not recognized");
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
            }
            attributes.seen.push(name);
            if !cursor.token(&Token::Comma) {
                break;
            }
        }
        cursor.expect(&Token::RParen)?;
        Ok(attributes)
    }

    fn no_ranges_of(&self, subtype: Type) -> SqlError {
        let name = self.catalog.type_name(subtype, -1);
        if self.binder().require_order(subtype, "<").is_ok() {
            return SqlError::unsupported(format!("a range type over {name}"));
        }
        let message = format!("data type {name} has no default operator class for access method \"btree\"");
        SqlError::new(SqlState::UNDEFINED_OBJECT, message)
            .hint("You must specify an operator class for the range type or define a default operator class for the subtype.")
    }

    /// The function that tells how far two bounds are apart. Only indexes of PostgreSQL call it.
    fn distance(&self, (schema, called): (Option<String>, String), subtype: Type) -> Result<Distance> {
        let arguments = vec![Expr::literal(rusqlite::types::Value::Null, subtype); 2];
        let mut binder = self.binder();
        binder.only_check();
        let found = match binder.function_of_types(schema.as_deref(), &called, arguments) {
            Err(error) if error.code == SqlState::UNDEFINED_FUNCTION => None,
            found => found?,
        };
        let type_ = self.catalog.type_name(subtype, -1);
        let shown = schema.map_or_else(|| called.clone(), |schema| format!("{schema}.{called}"));
        let Some((function, _, returns)) = found else {
            let message = format!("function {shown}({type_}, {type_}) does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message));
        };
        if returns != Type::FLOAT8 {
            let message = format!(
                "range subtype diff function {shown}({type_}, {type_}) must return type double precision"
            );
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        Ok(Distance { function, name: called })
    }

    /// Refuses to drop the type of several ranges, which goes with that of one.
    pub(super) fn require_range_to_drop(&self, type_: Oid) -> Result<()> {
        match self.catalog.user_type(Type(type_)).map(|known| &known.definition) {
            Some(TypeDefinition::Range { base, pair, .. }) if range::is_several(*base) => {
                let pair = self.catalog.type_name(*pair, -1);
                let name = self.catalog.type_name(Type(type_), -1);
                let message = format!("cannot drop type {name} because type {pair} requires it");
                Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                    .hint(format!("You can drop type {pair} instead.")))
            }
            _ => Ok(()),
        }
    }
}
