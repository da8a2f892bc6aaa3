//! `/api/key-values`: values by key, which sources add to their events (`transform_key_values`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{Body, Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Resource, ToSchema};

use crate::account;
use crate::manner::{create, read, remove, require_text, unprocessable};

operations![CreateKeyValues, ListKeyValues, DeleteKeyValues];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE key_value (
        user INTEGER NOT NULL REFERENCES user,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (user, key)
    ) STRICT;
";

/// The most pairs of a user, and the most in a list.
const PAIRS_MAX: i64 = 10_000;
const LISTED_MAX: i64 = 500;

/// The most characters of a key. A lookup compares with other keys, however long these are.
const KEY_MAX: usize = 4096;

/// The most bytes of a user's values together.
const BYTES_MAX: i64 = 64 << 20;

/// A value and its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct KeyValue {
    /// The key, which the values of a field are compared with.
    pub key: String,
    /// The value: a text, or an object from which a source takes a part.
    pub value: KeptValue,
}

/// A text or an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum KeptValue {
    /// A text.
    Text(String),
    /// An object.
    Object(Map<String, Value>),
}

/// Set values by key. A key that exists gets the new value.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateKeyValues {
    /// The pairs; of several with the same key, the last one counts.
    pub pairs: Vec<KeyValue>,
}

/// The number of pairs that were set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct InsertedPairs {
    /// How many.
    pub inserted_count: usize,
}

const PATH: &str = "/api/key-values";

impl Operation for CreateKeyValues {
    type Output = InsertedPairs;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        body: Body::Field("pairs"),
        also: &[400, 401, 413, 415, 422],
        ..create("analytics-create-key-values", PATH)
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<InsertedPairs, Error> {
        let user = account::caller(cx)?;
        for pair in &self.pairs {
            require_text("key", &pair.key)?;
            if pair.key.chars().nth(KEY_MAX).is_some() {
                let problem = format!("should be at most {KEY_MAX} character(s)");
                return Err(unprocessable("key", &problem));
            }
            let sql = "INSERT INTO key_value (user, key, value) VALUES (?1, ?2, ?3)
                       ON CONFLICT DO UPDATE SET value = ?3";
            let value = serde_json::to_string(&pair.value).expect("a value is plain data");
            cx.db.run(sql, (user, &pair.key, value));
        }
        let sql = "SELECT count(*), ifnull(sum(octet_length(value)), 0) FROM key_value WHERE user = ?1";
        let (kept, bytes): (i64, i64) = cx.db.one(sql, (user,), |row| Ok((row.get(0)?, row.get(1)?)));
        if kept > PAIRS_MAX {
            let text = format!("Key-value limit of {PAIRS_MAX} exceeded");
            return Err(Error::new(Kind::Invalid, "too_many_key_values", text));
        }
        if bytes > BYTES_MAX {
            let text = format!("the values would take {bytes} bytes, a world keeps at most {BYTES_MAX}");
            return Err(Error::new(Kind::TooLarge, "world_keeps_too_much", text));
        }
        Ok(InsertedPairs { inserted_count: self.pairs.len() })
    }
}

/// List values by key, at most 500.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct ListKeyValues {
    /// Only this key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Only keys with this text as their value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Operation for ListKeyValues {
    type Output = Vec<KeyValue>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["key", "value"],
        ..read("analytics-list-key-values", PATH)
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<KeyValue>, Error> {
        let sql = "SELECT key, value FROM key_value WHERE user = ?1 AND (?2 IS NULL OR key = ?2)
                   AND (?3 IS NULL OR value = ?3) ORDER BY key LIMIT ?4";
        let value = self.value.map(|text| Value::String(text).to_string());
        let pairs = cx.db.all(sql, (account::caller(cx)?, self.key, value, LISTED_MAX), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        });
        let read = |(key, value): (String, String)| KeyValue {
            key,
            value: serde_json::from_str(&value).expect("values are stored as JSON"),
        };
        Ok(pairs.into_iter().map(read).collect())
    }
}

/// Delete values by their keys, or by the values themselves.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct DeleteKeyValues {
    /// The keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<Vec<String>>,
    /// Texts that are values, if there are no `keys`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
}

/// The number of pairs that were deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DeletedPairs {
    /// How many.
    pub deleted_count: usize,
}

impl Operation for DeleteKeyValues {
    type Output = DeletedPairs;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        status: 200,
        body: Body::Fields,
        also: &[400, 401, 413, 415, 422],
        ..remove("analytics-delete-key-values", PATH)
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedPairs, Error> {
        let user = account::caller(cx)?;
        let keys = match (self.keys, self.values) {
            (Some(_), Some(_)) => return Err(unprocessable("values", "can't stand beside keys")),
            (Some(keys), None) => keys,
            (None, Some(values)) => keys_of(cx, user, values),
            (None, None) => Vec::new(),
        };
        let sql = "DELETE FROM key_value WHERE user = ?1 AND key = ?2";
        let deleted_count = keys.iter().map(|key| cx.db.run(sql, (user, key))).sum();
        Ok(DeletedPairs { deleted_count })
    }
}

/// The user's keys with one of these texts as their value. The pairs are read once, however many texts there are.
fn keys_of(cx: &Cx<'_>, user: i64, values: Vec<String>) -> Vec<String> {
    let wanted: BTreeSet<String> = values.into_iter().map(|text| Value::String(text).to_string()).collect();
    let sql = "SELECT key, value FROM key_value WHERE user = ?1";
    let pairs: Vec<(String, String)> = cx.db.all(sql, (user,), |row| Ok((row.get(0)?, row.get(1)?)));
    pairs.into_iter().filter(|(_, value)| wanted.contains(value)).map(|(key, _)| key).collect()
}

/// The user's value with that key.
pub(crate) fn of_key(cx: &Cx<'_>, user: i64, key: &str) -> Option<Value> {
    let sql = "SELECT value FROM key_value WHERE user = ?1 AND key = ?2";
    let found = cx.db.maybe(sql, (user, key), |row| row.get::<_, String>(0))?;
    Some(serde_json::from_str(&found).expect("values are stored as JSON"))
}
