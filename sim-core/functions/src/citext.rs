//! Functions of the extension citext: those of texts, where capital and small letters are the same.
//!
//! They are written as the extension writes them: with the functions of texts, by patterns that take no notice of case.

use rusqlite::types::Value;

use super::text::{own, translate};
use super::{Arguments, Function, Kind};
use sim_values::error::Result;
use sim_values::types::Type;

const C: Type = Type::CITEXT;
const TEXTS: Type = Type(1009);
const CC: &[Type] = &[C, C];
const CCT: &[Type] = &[C, C, Type::TEXT];
const CCTT: &[Type] = &[C, C, Type::TEXT, Type::TEXT];

/// The text in argument 1 as a pattern that matches it alone.
macro_rules! literally {
    () => {
        "pg_regexp_replace_text_text_text_text({1}, '([^a-zA-Z_0-9])', '\\\\\\1', 'g')"
    };
}

pub(super) static FUNCTIONS: &[Function] = &[
    scalar("regexp_match", CC, TEXTS, "pg_regexp_match_text_text_text({0}, {1}, 'i')"),
    scalar(
        "regexp_match",
        CCT,
        TEXTS,
        "pg_regexp_match_text_text_text({0}, {1}, \"pg_Citext_flags_text\"({2}))",
    ),
    set("regexp_matches", CC, TEXTS, "pg_regexp_matches_text_text_text({0}, {1}, 'i')"),
    set(
        "regexp_matches",
        CCT,
        TEXTS,
        "pg_regexp_matches_text_text_text({0}, {1}, \"pg_Citext_flags_text\"({2}))",
    ),
    scalar("regexp_replace", CCT, Type::TEXT, "pg_regexp_replace_text_text_text_text({0}, {1}, {2}, 'i')"),
    scalar(
        "regexp_replace",
        CCTT,
        Type::TEXT,
        "pg_regexp_replace_text_text_text_text({0}, {1}, {2}, \"pg_Citext_flags_text\"({3}))",
    ),
    scalar("regexp_split_to_array", CC, TEXTS, "pg_regexp_split_to_array_text_text_text({0}, {1}, 'i')"),
    scalar(
        "regexp_split_to_array",
        CCT,
        TEXTS,
        "pg_regexp_split_to_array_text_text_text({0}, {1}, \"pg_Citext_flags_text\"({2}))",
    ),
    set("regexp_split_to_table", CC, Type::TEXT, "pg_regexp_split_to_table_text_text_text({0}, {1}, 'i')"),
    set(
        "regexp_split_to_table",
        CCT,
        Type::TEXT,
        "pg_regexp_split_to_table_text_text_text({0}, {1}, \"pg_Citext_flags_text\"({2}))",
    ),
    scalar(
        "replace",
        &[C, C, C],
        Type::TEXT,
        concat!("pg_regexp_replace_text_text_text_text({0}, ", literally!(), ", {2}, 'gi')"),
    ),
    // A part that is not there is null, unlike that of a text.
    scalar(
        "split_part",
        &[C, C, Type::INT4],
        Type::TEXT,
        concat!(
            "json_extract(pg_regexp_split_to_array_text_text_text({0}, ",
            literally!(),
            ", 'i'), \"pg_Citext_part_int4\"({2}))"
        ),
    ),
    scalar("strpos", CC, Type::INT4, "pg_strpos_text_text(pg_lower_text({0}), pg_lower_text({1}))"),
    Function::aggregate_template("min", &[C], C, "min({0} COLLATE pg_citext)").of_extension("citext"),
    Function::aggregate_template("max", &[C], C, "max({0} COLLATE pg_citext)").of_extension("citext"),
    Function::rust("translate", CCT, Type::TEXT, translated).of_extension("citext"),
    // What the functions above use.
    Function::rust("Citext_flags", &[Type::TEXT], Type::TEXT, |a| {
        let flags = a.text(0);
        own(if flags.contains('c') { flags.to_owned() } else { format!("{flags}i") })
    }),
    Function::rust("Citext_part", &[Type::INT4], Type::TEXT, |a| match a.int(0) {
        number @ 1.. => own(format!("$[{}]", number - 1)),
        _ => own("$.none".to_owned()),
    }),
];

const fn scalar(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    template: &'static str,
) -> Function {
    Function::template(name, arguments, returns, template).of_extension("citext")
}

const fn set(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    template: &'static str,
) -> Function {
    Function { kind: Kind::Set { columns: &[] }, ..scalar(name, arguments, returns, template) }
}

/// `translate`, for the small and the capital form of each letter.
fn translated(a: &Arguments<'_, '_>) -> Result<Value> {
    let (from, to) = (a.text(1), a.text(2));
    own(translate(&translate(a.text(0), &from.to_lowercase(), to), &from.to_uppercase(), to))
}
