//! Functions of lists, tuples and maps with which the columnar dialect is written.

use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn columnar_list_call(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        match (name, arguments) {
            ("plain_reverse", [value]) => match value.type_ {
                Type::Array(_) => self.function("array_reverse", arguments),
                _ => self.function("reverse", arguments),
            },
            // A map that the query makes keeps the types of its values.
            ("map_values", [map]) if map.sql.starts_with("wh_map_of(") => {
                let values = Type::Array(Box::new(Type::Dynamic));
                Ok(Expr::filled("wh_map_values({0})", arguments, values))
            }
            ("size_of", [value]) => match value.type_ {
                Type::Array(_) => self.function("array_length", arguments),
                // A map.
                Type::Dynamic => {
                    let keys = self.function("map_keys", arguments)?;
                    self.function("array_length", &[keys])
                }
                _ => self.function("byte_length", arguments),
            },
            ("list_top_items", [list, Expr { origin: Origin::Integer(_), .. }]) => {
                let Type::Array(of) = &list.type_ else { return Err(no_signature(name, arguments)) };
                let counts = ["count", "error"].map(|name| (name.to_owned(), Type::Int64));
                let fields = std::iter::once(("item".to_owned(), (**of).clone())).chain(counts).collect();
                let type_ = Type::Array(Box::new(Type::Struct(fields)));
                Ok(Expr::filled("wh_top_items({0}, {1})", arguments, type_))
            }
            ("lists_equal", [one, other]) => {
                let (type_, lists) = self.unified(&[one.clone(), other.clone()], "=")?;
                if !matches!(type_, Type::Array(_)) {
                    return self.comparable(one, other, "=").map(|(one, other)| self.equal(&one, &other));
                }
                Ok(self.equal(&lists[0], &lists[1]))
            }
            ("list_sequence", [_, _, _]) => {
                Ok(Expr::filled("wh_list_sequence({0}, {1}, {2})", arguments, Type::Int64))
            }
            ("list_histogram", [list, Expr { origin: Origin::Integer(_), .. }]) => {
                let bin = ["", "", ""].map(|name| (name.to_owned(), Type::Float64)).to_vec();
                let type_ = Type::Array(Box::new(Type::Struct(bin)));
                Ok(Expr::filled("wh_list_histogram({0}, {1})", &[list.clone(), arguments[1].clone()], type_))
            }
            ("list_merged", [list, distinct]) => {
                let Some(type_ @ Type::Array(_)) = first_field(&list.type_) else {
                    return Err(no_signature("groupArrayArray", arguments));
                };
                Ok(Expr::filled("wh_list_merged({0}, {1})", &[list.clone(), distinct.clone()], type_.clone()))
            }
            ("top_values", [list]) => {
                let of = first_field(&list.type_).ok_or_else(|| no_signature(name, arguments))?;
                let template = self
                    .target
                    .pick("wh_json_path({0}, '$[*].value')", "jsonb_path_query_array({0}, '$[*].value')");
                Ok(Expr::filled(template, arguments, Type::Array(Box::new(of.clone()))))
            }
            ("list_flat", [list]) => {
                let mut of = &list.type_;
                while let Type::Array(inside) = of {
                    of = inside;
                }
                let of = if matches!(list.type_, Type::Array(_)) { of.clone() } else { Type::Dynamic };
                let list = match list.type_ {
                    Type::Array(_) => list.clone(),
                    _ => self.coerced(list, &Type::Array(Box::new(Type::Dynamic)))?,
                };
                Ok(Expr::filled("wh_list_flat({0})", &[list], Type::Array(Box::new(of))))
            }
            ("tuple_element", [value, Expr { origin: Origin::Integer(place), .. }]) => {
                self.tuple_element(value, *place)
            }
            // A map is a list of pairs.
            ("list_or_entries", [value]) => match value.type_ {
                Type::Dynamic => {
                    let pair = vec![(String::new(), Type::String), (String::new(), Type::Dynamic)];
                    let pairs = Type::Array(Box::new(Type::Struct(pair)));
                    Ok(Expr::filled("wh_map_entries({0})", arguments, pairs))
                }
                _ => Ok(value.clone()),
            },
            // The pair with the greatest key, or the least.
            ("list_of_key", [list, Expr { origin: Origin::Integer(_), .. }]) => match &list.type_ {
                Type::Array(pair) if matches!(**pair, Type::Struct(_)) => {
                    Ok(Expr::filled("wh_list_of_key({0}, {1})", arguments, (**pair).clone()))
                }
                _ => Err(no_signature(name, arguments)),
            },
            ("map_entries", [map]) => {
                // A map that the query makes keeps the types of its values.
                let is_made = ["wh_map_of(", "wh_map_totals("].iter().any(|made| map.sql.starts_with(made));
                let value = if is_made { Type::Dynamic } else { Type::String };
                let pair = vec![(String::new(), Type::String), (String::new(), value)];
                let map = self.coerced(map, &Type::Dynamic)?;
                Ok(Expr::filled("wh_map_entries({0})", &[map], Type::Array(Box::new(Type::Struct(pair)))))
            }
            ("map_of", [pairs]) => match &pairs.type_ {
                Type::Array(of) if matches!(&**of, Type::Struct(pair) if pair.len() == 2) => {
                    Ok(Expr::filled("wh_map_of({0})", arguments, Type::Dynamic))
                }
                _ => Err(no_signature(name, arguments)),
            },
            _ => self.function(name, arguments),
        }
    }

    /// The element of a tuple, counted from 1.
    pub(in crate::bind) fn tuple_element(&self, value: &Expr, place: i64) -> Result<Expr, Refusal> {
        let Type::Struct(fields) = &value.type_ else {
            return Err(Refusal::invalid(format!("A value of type {} is no tuple", value.type_)));
        };
        let index = usize::try_from(place - 1).ok().filter(|index| *index < fields.len());
        let index = index.ok_or_else(|| Refusal::invalid(format!("The tuple has no element {place}")))?;
        let (name, type_) = &fields[index];
        let json = self.target.field(&value.sql, &crate::encode::field_key(name, index));
        Ok(value.with(self.target.unpacked(type_, &json), type_.clone()))
    }
}

/// The type of the first field in a list of structures.
fn first_field(list: &Type) -> Option<&Type> {
    let Type::Array(of) = list else { return None };
    let Type::Struct(fields) = &**of else { return None };
    fields.first().map(|(_, type_)| type_)
}
