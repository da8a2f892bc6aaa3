//! Other answers that a schema allows as well: fewer or more members, another order, other spellings of timestamps and numbers,
//! `null`, members of enums that the edition does not list.

use serde_json::{Map, Value, json};
use sim_base::policy::Answers;
use sim_base::time::Timestamp;

use super::contract::Shape;
use super::open;

/// The member that rich answers have although no edition knows it, and the unknown member of enums.
pub(crate) const UNKNOWN: &str = "unknown_to_the_edition";

/// Of how many places for `null` or an unknown member of an enum one gets it, so that most of an answer stays of use.
const RARE: u64 = 8;

/// Made-up members nest at most this deep.
const DEPTH: usize = 8;

/// Changes an answer within its schema. The same seed makes the same changes.
pub(crate) fn vary(shape: &Shape, how: Answers, seed: u64, value: &mut Value) {
    let mut vary = Vary { definitions: &shape.definitions, how, is_ordered: shape.is_ordered, dice: seed };
    vary.value(&shape.schema, value, false);
}

/// Reverses lists and the members of objects. The order of members means nothing; that of lists may.
pub(crate) fn reorder(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.reverse();
            items.iter_mut().for_each(reorder);
        }
        Value::Object(members) => {
            *members = std::mem::take(members).into_iter().rev().collect();
            members.values_mut().for_each(reorder);
        }
        _ => {}
    }
}

struct Vary<'s> {
    definitions: &'s Map<String, Value>,
    how: Answers,
    /// Whether lists have an order that the caller may count on.
    is_ordered: bool,
    /// The state of the random numbers.
    dice: u64,
}

impl<'s> Vary<'s> {
    /// `is_instant`: its name says that a text is a timestamp.
    fn value(&mut self, schema: &'s Value, value: &mut Value, is_instant: bool) {
        if self.how == Answers::Varied && value.is_string() && self.is_open(schema) && self.one_in(RARE) {
            *value = UNKNOWN.into();
            return;
        }
        let Some(schema) = self.fitting(schema, value) else { return };
        match value {
            Value::Object(members) => self.object(schema, members),
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.value(&schema["items"], item, false));
                if self.how == Answers::Varied && !self.is_ordered && self.are_things(schema, items) {
                    self.shuffle(items);
                }
            }
            Value::String(text) if is_instant || schema["format"] == "date-time" => self.instant(text),
            Value::Number(number) if may_have_type(schema, "number") => {
                let fraction = number.as_i64().and_then(|whole| i32::try_from(whole).ok()).map(f64::from);
                if let Some(fraction) = fraction.filter(|_| self.how == Answers::Varied && self.chance()) {
                    *value = json!(fraction);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, schema: &'s Value, members: &mut Map<String, Value>) {
        let Some(properties) = schema["properties"].as_object() else {
            let inner = &schema["additionalProperties"];
            members.values_mut().for_each(|member| self.value(inner, member, false));
            return;
        };
        let is_required = |name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
        };
        let optional = |name: &&String| !is_required(name);
        for name in properties.keys().filter(optional) {
            if self.leaves_out() {
                members.shift_remove(name);
            }
        }
        for (name, member) in members.iter_mut() {
            let Some(schema) = properties.get(name) else { continue };
            if self.how == Answers::Varied && self.may_be_null(schema) && self.one_in(RARE) {
                *member = Value::Null;
            }
            self.value(schema, member, name.ends_with("_at"));
        }
        for (name, schema) in properties.iter().filter(|(name, _)| !is_required(name)) {
            if !members.contains_key(name)
                && self.adds()
                && let Some(made) = self.made_up(schema, DEPTH)
            {
                members.insert(name.clone(), made);
            }
        }
        if schema["additionalProperties"] != false && self.adds() {
            members.insert(UNKNOWN.to_owned(), json!({ "since": "tomorrow" }));
        }
        if self.how == Answers::Varied {
            let mut all: Vec<_> = std::mem::take(members).into_iter().collect();
            self.shuffle(&mut all);
            members.extend(all);
        }
    }

    /// Whether a list has objects of known members. Rows of a statement and lists of texts keep their order.
    fn are_things(&self, schema: &'s Value, items: &[Value]) -> bool {
        let mut schemas = items.iter().map(|item| self.fitting(&schema["items"], item));
        schemas.all(|schema| schema.is_some_and(|schema| schema["properties"].is_object()))
    }

    /// The schema behind references, and of alternatives the first that the value may be of.
    fn fitting(&self, mut schema: &'s Value, value: &Value) -> Option<&'s Value> {
        for _ in 0..DEPTH {
            if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
                schema = self.definitions.get(name)?;
                continue;
            }
            let Some(all) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) else {
                return Some(schema);
            };
            schema = all.iter().find(|one| self.may_be(one, value))?;
        }
        None
    }

    /// Whether an alternative has the type of the value, and its required members with their constants.
    fn may_be(&self, schema: &'s Value, value: &Value) -> bool {
        let Some(schema) = self.fitting(schema, value) else { return false };
        let Some(members) = value.as_object() else {
            let names = |kind: &str| may_have_type(schema, kind);
            return match value {
                Value::Null => names("null"),
                Value::Bool(_) => names("boolean"),
                Value::Number(_) => names("integer") || names("number"),
                Value::String(_) => names("string"),
                _ => names("array"),
            };
        };
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let properties = &schema["properties"];
        let is_right = |(name, value): (&String, &Value)| {
            let wanted = properties.get(name).and_then(|property| property.get("const"));
            wanted.is_none_or(|wanted| wanted == value)
        };
        may_have_type(schema, "object")
            && required.into_iter().all(|name| members.contains_key(name))
            && members.iter().all(is_right)
    }

    /// Whether the schema is that of an open enum: one of its alternatives is any other text.
    fn is_open(&self, schema: &Value) -> bool {
        self.some_alternative(schema, DEPTH, &open::is_further)
    }

    fn may_be_null(&self, schema: &Value) -> bool {
        self.some_alternative(schema, DEPTH, &|one| may_have_type(one, "null"))
    }

    /// Whether something holds for the schema behind references, or for one of its alternatives.
    fn some_alternative(&self, schema: &Value, depth: usize, holds: &dyn Fn(&Value) -> bool) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let named = schema["$ref"].as_str().and_then(|place| self.definitions.get(place.rsplit('/').next()?));
        let all = ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
        holds(schema) || named.into_iter().chain(all).any(|one| self.some_alternative(one, depth, holds))
    }

    /// A value that the schema allows; `None` where it takes more than its type to make one.
    fn made_up(&self, schema: &'s Value, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
            return self.made_up(self.definitions.get(name)?, depth);
        }
        if let Some(all) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
            return all.iter().find_map(|one| self.made_up(one, depth));
        }
        if let Some(only) = schema.get("const").or(schema["enum"].get(0)) {
            return Some(only.clone());
        }
        let kind = schema["type"].as_str().or(schema["type"][0].as_str())?;
        let is_free = ["pattern", "minLength", "minItems", "exclusiveMinimum"]
            .iter()
            .all(|bound| schema.get(bound).is_none());
        Some(match kind {
            "object" => {
                let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let made = |name: &str| {
                    Some((name.to_owned(), self.made_up(schema["properties"].get(name)?, depth)?))
                };
                Value::Object(names.map(made).collect::<Option<_>>()?)
            }
            "array" if is_free => json!([]),
            "string" if is_free => match schema["format"].as_str().unwrap_or_default() {
                "" => json!("made up"),
                "date-time" => json!("2026-01-01T00:00:00+00:00"),
                "uuid" => json!("00000000-0000-4000-8000-000000000000"),
                "uri" => json!("https://example.com/"),
                _ => return None,
            },
            "integer" | "number" if is_free => schema.get("minimum").cloned().unwrap_or(json!(1)),
            "boolean" => json!(true),
            _ => return None,
        })
    }

    fn leaves_out(&mut self) -> bool {
        self.how == Answers::Lean || (self.how == Answers::Varied && self.chance())
    }

    fn adds(&mut self) -> bool {
        self.how == Answers::Rich || (self.how == Answers::Varied && self.chance())
    }

    /// Spells a timestamp in another way that RFC 3339 allows.
    fn instant(&mut self, text: &mut String) {
        let Some(instant) = text.parse::<Timestamp>().ok().filter(|_| text.ends_with('Z')) else { return };
        let way = match self.how {
            Answers::Rich | Answers::Offsets => 0,
            Answers::Varied => self.next() % 5,
            Answers::Plain | Answers::Lean => return,
        };
        *text = match way {
            0 => format!("{instant:.6}").replace('Z', "+00:00"),
            1 => text.replace('Z', "+00:00"),
            2 => format!("{instant:.3}"),
            3 => format!("{instant:.6}"),
            _ => return,
        };
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            all.swap(last, usize::try_from(other).unwrap_or_default());
        }
    }

    fn chance(&mut self) -> bool {
        self.one_in(2)
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.next().is_multiple_of(count)
    }

    /// The next number of the generator `SplitMix64`.
    fn next(&mut self) -> u64 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.dice ^ (self.dice >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

fn may_have_type(schema: &Value, kind: &str) -> bool {
    let types = &schema["type"];
    types == kind || types.as_array().is_some_and(|types| types.iter().any(|one| one == kind))
}
