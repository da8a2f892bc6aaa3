//! `#[derive(ToSchema)]` makes the schemas that schemars' own `JsonSchema` makes, byte for byte.

#![expect(dead_code, reason = "the types are there for their schemas")]

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};
use sim_base::ToSchema;

/// The same items twice, with the code of schemars and of this project.
macro_rules! twice {
    ($($item:item)*) => {
        mod by_schemars {
            use super::*;
            $(#[derive(Default, Serialize, JsonSchema)] $item)*
        }
        mod by_us {
            use super::*;
            $(#[derive(Default, Serialize, ToSchema)] $item)*
        }
    };
}

const LONGEST: u32 = 12;

fn seven() -> u8 {
    7
}

fn odd(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "not": { "multipleOf": 2 } })
}

fn mark(schema: &mut Schema) {
    schema.insert("x-marked".to_owned(), true.into());
}

/// The schemas of requests and of answers, as texts.
fn both<T: JsonSchema>() -> [String; 2] {
    let settings = [SchemaSettings::draft2020_12(), SchemaSettings::draft2020_12().for_serialize()];
    settings.map(|settings| format!("{:#}", settings.into_generator().into_root_schema_for::<T>().to_value()))
}

twice! {
    /// A word.
    #[serde(rename_all = "kebab-case")]
    pub(super) enum Plain { #[default] OneWord, TwoWords, #[serde(rename = "3")] Three }

    pub(super) enum Described {
        /// The first.
        #[default]
        First,
        Second,
        /// The third, which
        /// has two lines.
        #[schemars(extend("x-since" = "2026-11"))]
        Third,
    }

    /// An address.
    #[serde(transparent)]
    #[schemars(inline)]
    pub(super) struct Address(#[schemars(regex(pattern = r#"^"?[a-z]\d+$"#), length(max = 100), extend("x-rule" = "an address"))] String);

    /// A record.
    ///
    /// It has `quotes " and \ others`.
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[schemars(rename = "RecordOfAll", extend("x-of" = ["a", { "b": -1, "c": [1.5, null] }]), transform = mark)]
    pub(super) struct Record {
        /// A type.
        r#type: String,
        two_words: Option<Vec<Plain>>,
        #[serde(rename = "an-other")]
        other: Vec<Described>,
        #[serde(default)]
        listed: Vec<i16>,
        #[serde(default = "seven")]
        #[schemars(range(min = 1, max = 10_000_u32))]
        days: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(max = LONGEST), extend("x-longest" = LONGEST, "x-nullable" = true))]
        may: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schemars(length(min = 1, max = 20), inner(length(max = 4096)))]
        texts: Vec<String>,
        #[schemars(length(equal = 64))]
        digest: String,
        #[schemars(with = "Option<String>", extend("format" = "date-time"))]
        instant: i64,
        #[schemars(schema_with = "odd")]
        odd: i64,
        /// Old.
        #[deprecated]
        old: Map<String, Value>,
        by_name: BTreeMap<String, Plain>,
        address: Address,
        itself: Vec<Record>,
        #[serde(skip)]
        skipped: bool,
    }

    /// What is left out is taken of the default.
    #[serde(default)]
    pub(super) struct Settings {
        days: u8,
        #[schemars(range(max = 5), extend("x-unit" = "s"))]
        seconds: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        may: Option<Plain>,
        #[serde(default = "seven")]
        own: u8,
    }

    /// Has the fields of others.
    pub(super) struct Whole {
        /// Its own.
        own: bool,
        #[serde(flatten)]
        settings: Settings,
        #[serde(flatten)]
        more: Option<Part>,
        #[serde(flatten)]
        others: Map<String, Value>,
    }

    /// A part.
    #[serde(deny_unknown_fields)]
    pub(super) struct Part { part: u32, #[serde(default)] rest: Vec<u32> }

    /// A kind of thing.
    #[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
    pub(super) enum Tagged {
        /// Nothing.
        #[default]
        Nothing,
        /// A thing.
        #[serde(rename = "thing")]
        OneThing {
            /// Its size.
            size: u32,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            name: Option<String>,
        },
        Closed(Part),
        /// By reference.
        Open(Settings),
    }

    #[serde(untagged)]
    pub(super) enum Untagged {
        /// One.
        One(Part),
        Many(Vec<Part>),
        #[default]
        None,
    }

    pub(super) enum Around {
        #[default]
        Plain,
        /// Late by that many milliseconds.
        Late(u64),
        Named { name: String },
    }

    /// A page.
    #[schemars(rename = "{T}Page")]
    pub(super) struct Page<T> { items: Vec<T>, #[serde(default)] next: Option<String> }

    pub(super) struct Pair<A, B> { first: A, second: Page<B> }
}

macro_rules! same {
    ($($name:ident: $kind:ty),+ $(,)?) => {$(
        #[test]
        fn $name() {
            let theirs = {
                use by_schemars::*;
                both::<$kind>()
            };
            let ours = {
                use by_us::*;
                both::<$kind>()
            };
            assert_eq!(ours, theirs);
        }
    )+};
}

same! {
    plain_enums: Plain,
    described_enums: Described,
    wrappers: Address,
    records: Record,
    defaults_of_structs: Settings,
    flattened_fields: Whole,
    tagged_enums: Tagged,
    untagged_enums: Untagged,
    enums_with_values: Around,
    pages: Page<Record>,
    parameters: Pair<Plain, Vec<Address>>,
}
