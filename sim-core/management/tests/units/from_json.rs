//! `#[derive(FromJson)]` reads as serde's `Deserialize` does, and refuses in the same words.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use sim_base::FromJson;

/// The same item twice, with the code of serde and of this project.
macro_rules! twice {
    ($($item:tt)*) => {
        mod by_serde {
            use super::*;
            #[derive(Debug, PartialEq, Deserialize)]
            $($item)*
        }
        mod by_us {
            use super::*;
            #[derive(Debug, PartialEq, FromJson)]
            $($item)*
        }
    };
}

fn seven() -> u8 {
    7
}

fn twice_as_much<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    Ok(2 * i64::deserialize(deserializer)?)
}

/// What becomes of a value, and of its text.
fn read<T: DeserializeOwned + Debug>(value: &Value) -> [Result<String, String>; 2] {
    let whole = |read: Result<T, serde_json::Error>| match read {
        Ok(read) => Ok(format!("{read:?}")),
        Err(error) => Err(error.to_string()),
    };
    let place = |text: String| text.split(" at line ").next().unwrap_or_default().to_owned();
    [whole(T::deserialize(value)), whole(serde_json::from_str(&value.to_string())).map_err(place)]
}

fn assert_same<S: DeserializeOwned + Debug, U: DeserializeOwned + Debug>(values: &[Value]) {
    for value in values {
        assert_eq!(read::<S>(value), read::<U>(value), "{value}");
    }
}

mod structs {
    use super::*;

    twice! {
        #[serde(rename_all = "camelCase")]
        pub(super) struct Record {
            r#type: String,
            two_words: u8,
            #[serde(rename = "an-other")]
            other: Option<f64>,
            #[serde(default)]
            listed: Vec<i16>,
            #[serde(default = "seven", skip_serializing_if = "Option::is_none")]
            days: u8,
            #[serde(deserialize_with = "twice_as_much")]
            given: i64,
            #[serde(default, deserialize_with = "twice_as_much")]
            doubled: i64,
            #[serde(skip)]
            skipped: bool,
        }
    }

    #[test]
    fn structs_read_their_fields() {
        let least = json!({ "type": "a", "twoWords": 2, "given": 3 });
        let with = |name: &str, value: Value| {
            let mut changed = least.clone();
            changed[name] = value;
            changed
        };
        let without = |name: &str| {
            let mut changed = least.clone();
            changed.as_object_mut().expect("it is an object").remove(name);
            changed
        };
        assert_same::<by_serde::Record, by_us::Record>(&[
            least.clone(),
            with("an-other", json!(1.5)),
            with("an-other", Value::Null),
            with("an-other", json!("x")),
            with("other", json!(1.5)),
            with("listed", json!([1, -2])),
            with("listed", Value::Null),
            with("listed", json!([1, 100_000])),
            with("days", json!(8)),
            with("days", json!(-8)),
            with("doubled", json!(8)),
            with("doubled", json!("8")),
            with("skipped", json!(true)),
            with("two_words", json!(3)),
            with("twoWords", json!(300)),
            with("twoWords", json!({ "a": [1] })),
            without("type"),
            without("twoWords"),
            without("given"),
            json!("text"),
            json!(5),
            Value::Null,
        ]);
        let again = r#"{ "type": "a", "type": "b" }"#;
        let serdes = serde_json::from_str::<by_serde::Record>(again).expect_err("it has a field twice");
        let ours = serde_json::from_str::<by_us::Record>(again).expect_err("it has a field twice");
        assert_eq!(ours.to_string(), serdes.to_string());
    }
}

mod closed {
    use super::*;

    twice! {
        #[serde(deny_unknown_fields)]
        pub(super) struct Closed {
            one: Option<u8>,
            two: Option<u8>,
        }
    }

    #[test]
    fn unknown_fields_are_refused_where_they_are_denied() {
        assert_same::<by_serde::Closed, by_us::Closed>(&[
            json!({}),
            json!({ "two": 2 }),
            json!({ "three": 3 }),
        ]);
    }
}

mod empty {
    use super::*;

    twice! {
        pub(super) struct Empty {}
    }

    #[test]
    fn a_struct_without_fields_is_an_object() {
        assert_same::<by_serde::Empty, by_us::Empty>(&[json!({}), json!({ "three": 3 }), json!(3)]);
    }
}

mod enums {
    use super::*;

    macro_rules! cases {
        ($($name:ident $case:literal),+) => {
            $(mod $name {
                use super::*;

                twice! {
                    #[serde(rename_all = $case)]
                    pub(super) enum Case {
                        OneTwo,
                        Three,
                        #[serde(rename = "fourth!")]
                        Four,
                    }
                }

                #[test]
                fn names_are_read() {
                    let texts = [
                        "oneTwo", "one_two", "ONE_TWO", "one-two", "onetwo", "ONETWO", "OneTwo", "Three",
                        "three", "THREE", "fourth!", "Four", "",
                    ];
                    let mut values: Vec<_> = texts.into_iter().map(Value::from).collect();
                    values.extend([json!(0), Value::Null, json!({ "three": null }), json!({ "three": 1 })]);
                    assert_same::<by_serde::Case, by_us::Case>(&values);
                }
            })+
        };
    }

    cases![
        lower "lowercase", upper "UPPERCASE", camel "camelCase", snake "snake_case",
        screaming "SCREAMING_SNAKE_CASE", kebab "kebab-case"
    ];
}
