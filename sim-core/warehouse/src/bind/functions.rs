//! Functions of plain values: a table with the SQL of each function in both targets.

use Returns as R;
use Sort::{Bytes, Float, Integer, Json, List, Number, Text, Timestamp};

use super::Binder;
use super::expr::{Expr, Origin};
use super::scope::same;
use super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

/// The type that an argument must have.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Text,
    Integer,
    Float,
    /// A number of either kind, unchanged.
    Number,
    Bytes,
    Timestamp,
    /// JSON of any shape.
    Json,
    /// A list of anything.
    List,
}

/// The type of the result.
#[derive(Clone, Copy)]
enum Returns {
    Bool,
    Integer,
    Float,
    Text,
    Bytes,
    Timestamp,
    Datetime,
    Date,
    Time,
    Json,
    Texts,
    Jsons,
    Integers,
    /// The type of the first argument.
    Same,
}

/// A function for one list of argument types.
struct Function {
    name: &'static str,
    arguments: &'static [Sort],
    returns: Returns,
    sqlite: &'static str,
    postgres: &'static str,
}

const fn f(
    name: &'static str,
    arguments: &'static [Sort],
    returns: Returns,
    sqlite: &'static str,
    postgres: &'static str,
) -> Function {
    Function { name, arguments, returns, sqlite, postgres }
}

/// A function with the same SQL in both targets.
const fn b(name: &'static str, arguments: &'static [Sort], returns: Returns, both: &'static str) -> Function {
    f(name, arguments, returns, both, both)
}

#[rustfmt::skip]
static FUNCTIONS: &[Function] = &[
    b("length", &[Text], R::Integer, "length({0})"),
    b("length", &[Bytes], R::Integer, "length({0})"),
    b("char_length", &[Text], R::Integer, "length({0})"),
    b("character_length", &[Text], R::Integer, "length({0})"),
    f("byte_length", &[Text], R::Integer, "length(CAST({0} AS BLOB))", "octet_length({0})"),
    b("byte_length", &[Bytes], R::Integer, "length({0})"),
    f("octet_length", &[Text], R::Integer, "length(CAST({0} AS BLOB))", "octet_length({0})"),
    f("ascii_lower", &[Text], R::Text, "lower({0})", "wh_ascii_lower({0})"),
    f("ascii_upper", &[Text], R::Text, "upper({0})", "wh_ascii_upper({0})"),
    f("lower", &[Text], R::Text, "wh_lower({0})", "lower({0})"),
    f("upper", &[Text], R::Text, "wh_upper({0})", "upper({0})"),
    b("substr", &[Text, Integer], R::Text, "wh_substr({0}, {1})"),
    b("substr", &[Text, Integer, Integer], R::Text, "wh_substr({0}, {1}, {2})"),
    b("substring", &[Text, Integer], R::Text, "wh_substr({0}, {1})"),
    b("substring", &[Text, Integer, Integer], R::Text, "wh_substr({0}, {1}, {2})"),
    f("strpos", &[Text, Text], R::Integer, "wh_strpos({0}, {1})", "strpos({0}, {1})::bigint"),
    f("instr", &[Text, Text], R::Integer, "wh_strpos({0}, {1})", "strpos({0}, {1})::bigint"),
    f("starts_with", &[Text, Text], R::Bool, "wh_starts_with({0}, {1})", "starts_with({0}, {1})"),
    f("ends_with", &[Text, Text], R::Bool, "wh_ends_with({0}, {1})", "(right({0}, length({1})) = {1})"),
    f("contains_substr", &[Text, Text], R::Bool, "(wh_strpos(wh_lower({0}), wh_lower({1})) > 0)", "(strpos(lower({0}), lower({1})) > 0)"),
    f("like", &[Text, Text], R::Bool, "wh_like({0}, {1})", "({0} LIKE {1})"),
    f("trim", &[Text], R::Text, "wh_trim({0})", "btrim({0}, E' \\t\\n\\r\\f\\x0b')"),
    f("trim", &[Text, Text], R::Text, "wh_trim_of({0}, {1})", "btrim({0}, {1})"),
    f("ltrim", &[Text], R::Text, "wh_ltrim({0})", "ltrim({0}, E' \\t\\n\\r\\f\\x0b')"),
    f("ltrim", &[Text, Text], R::Text, "wh_ltrim_of({0}, {1})", "ltrim({0}, {1})"),
    f("rtrim", &[Text], R::Text, "wh_rtrim({0})", "rtrim({0}, E' \\t\\n\\r\\f\\x0b')"),
    f("rtrim", &[Text, Text], R::Text, "wh_rtrim_of({0}, {1})", "rtrim({0}, {1})"),
    f("replace", &[Text, Text, Text], R::Text, "wh_replace({0}, {1}, {2})", "replace({0}, {1}, {2})"),
    f("reverse", &[Text], R::Text, "wh_reverse({0})", "reverse({0})"),
    b("repeat", &[Text, Integer], R::Text, "wh_repeat({0}, {1})"),
    b("lpad", &[Text, Integer], R::Text, "wh_lpad({0}, {1}, ' ')"),
    b("lpad", &[Text, Integer, Text], R::Text, "wh_lpad({0}, {1}, {2})"),
    b("rpad", &[Text, Integer], R::Text, "wh_rpad({0}, {1}, ' ')"),
    b("rpad", &[Text, Integer, Text], R::Text, "wh_rpad({0}, {1}, {2})"),
    b("left", &[Text, Integer], R::Text, "wh_left({0}, {1})"),
    b("right", &[Text, Integer], R::Text, "wh_right({0}, {1})"),
    f("initcap", &[Text], R::Text, "wh_initcap({0})", "initcap({0})"),
    b("split", &[Text], R::Texts, "wh_split({0}, ',')"),
    b("split", &[Text, Text], R::Texts, "wh_split({0}, {1})"),
    b("regexp_contains", &[Text, Text], R::Bool, "wh_regexp_contains({0}, {1})"),
    b("regexp_extract", &[Text, Text], R::Text, "wh_regexp_extract({0}, {1})"),
    b("regexp_substr", &[Text, Text], R::Text, "wh_regexp_extract({0}, {1})"),
    b("regexp_extract_all", &[Text, Text], R::Texts, "wh_regexp_extract_all({0}, {1})"),
    b("regexp_replace", &[Text, Text, Text], R::Text, "wh_regexp_replace({0}, {1}, {2})"),
    f("to_hex", &[Bytes], R::Text, "lower(hex({0}))", "encode({0}, 'hex')"),
    f("to_base64", &[Bytes], R::Text, "wh_to_base64({0})", "translate(encode({0}, 'base64'), E'\\n', '')"),
    f("md5", &[Text], R::Bytes, "wh_md5({0})", "decode(md5({0}), 'hex')"),
    b("sha1", &[Text], R::Bytes, "wh_sha1({0})"),
    b("sha1", &[Bytes], R::Bytes, "wh_sha1({0})"),
    f("md5", &[Bytes], R::Bytes, "wh_md5({0})", "decode(md5({0}), 'hex')"),
    f("sha256", &[Bytes], R::Bytes, "wh_sha256({0})", "sha256({0})"),
    f("sha512", &[Bytes], R::Bytes, "wh_sha512({0})", "sha512({0})"),
    b("soundex", &[Text], R::Text, "wh_soundex({0})"),
    b("to_base32", &[Bytes], R::Text, "wh_to_base32({0})"),
    b("from_base32", &[Text], R::Bytes, "wh_from_base32({0})"),
    f("json_flatten", &[Json], R::Jsons, "wh_list_flat({0})", "wh_list_flat(CASE jsonb_typeof({0}) WHEN 'array' THEN {0} ELSE jsonb_build_array({0}) END)"),
    f("sha224", &[Text], R::Bytes, "wh_sha224({0})", "sha224(convert_to({0}, 'UTF8'))"),
    f("sha384", &[Text], R::Bytes, "wh_sha384({0})", "sha384(convert_to({0}, 'UTF8'))"),
    f("sha256", &[Text], R::Bytes, "wh_sha256({0})", "sha256(convert_to({0}, 'UTF8'))"),

    b("abs", &[Number], R::Same, "abs({0})"),
    f("sign", &[Number], R::Same, "sign({0})", "wh_sign({0})"),
    f("ceil", &[Float], R::Float, "wh_ceil({0})", "(ceil({0}) + 0)"),
    f("ceiling", &[Float], R::Float, "wh_ceil({0})", "(ceil({0}) + 0)"),
    f("floor", &[Float], R::Float, "wh_floor({0})", "floor({0})"),
    b("round", &[Float], R::Float, "wh_round({0}, 0)"),
    b("round", &[Float, Integer], R::Float, "wh_round({0}, {1})"),
    b("round_even", &[Float, Integer], R::Float, "wh_round_even({0}, {1})"),
    b("trunc", &[Float], R::Float, "wh_truncate({0}, 0)"),
    b("trunc", &[Float, Integer], R::Float, "wh_truncate({0}, {1})"),
    f("mod", &[Integer, Integer], R::Integer, "wh_mod({0}, {1})", "mod({0}, {1})"),
    f("div", &[Integer, Integer], R::Integer, "wh_div({0}, {1})", "({0} / {1})"),
    f("pow", &[Float, Float], R::Float, "wh_pow({0}, {1})", "power({0}, {1})"),
    f("power", &[Float, Float], R::Float, "wh_pow({0}, {1})", "power({0}, {1})"),
    f("sqrt", &[Float], R::Float, "wh_sqrt({0})", "sqrt({0})"),
    f("exp", &[Float], R::Float, "wh_exp({0})", "exp({0})"),
    f("ln", &[Float], R::Float, "wh_ln({0})", "ln({0})"),
    f("log", &[Float], R::Float, "wh_ln({0})", "ln({0})"),
    f("log", &[Float, Float], R::Float, "wh_divide(wh_ln({0}), wh_ln({1}))", "(ln({0}) / ln({1}))"),
    f("log10", &[Float], R::Float, "wh_log10({0})", "log({0})"),
    f("/", &[Float, Float], R::Float, "wh_divide({0}, {1})", "({0} / {1})"),
    f("bit_count", &[Integer], R::Integer, "wh_bit_count({0})", "bit_count(int8send({0}))"),
    f("safe_negate", &[Integer], R::Integer, "wh_safe_subtract(0, {0})", "wh_whole_or_null(-({0}::numeric))"),
    f("cbrt", &[Float], R::Float, "wh_cbrt({0})", "cbrt({0})"),
    b("&", &[Integer, Integer], R::Integer, "({0} & {1})"),
    f("^", &[Integer, Integer], R::Integer, "(({0} | {1}) - ({0} & {1}))", "({0} # {1})"),
    b("|", &[Integer, Integer], R::Integer, "({0} | {1})"),
    f("ieee_divide", &[Float, Float], R::Float, "wh_ieee_divide({0}, {1})", "wh_float_divide({0}, {1})"),
    f("sin", &[Float], R::Float, "wh_sin({0})", "sin({0})"),
    f("cos", &[Float], R::Float, "wh_cos({0})", "cos({0})"),
    f("tan", &[Float], R::Float, "wh_tan({0})", "tan({0})"),
    f("atan", &[Float], R::Float, "wh_atan({0})", "atan({0})"),
    f("sinh", &[Float], R::Float, "wh_sinh({0})", "wh_finite(sinh({0}))"),
    f("cosh", &[Float], R::Float, "wh_cosh({0})", "wh_finite(cosh({0}))"),
    f("tanh", &[Float], R::Float, "wh_tanh({0})", "tanh({0})"),
    f("asinh", &[Float], R::Float, "wh_asinh({0})", "asinh({0})"),
    f("acos", &[Float], R::Float, "wh_acos({0})", "acos({0})"),
    f("asin", &[Float], R::Float, "wh_asin({0})", "asin({0})"),
    f("acosh", &[Float], R::Float, "wh_acosh({0})", "acosh({0})"),
    f("atanh", &[Float], R::Float, "wh_atanh({0})", "atanh({0})"),
    f("atan2", &[Float, Float], R::Float, "wh_atan2({0}, {1})", "atan2({0}, {1})"),
    f("greatest_divisor", &[Integer, Integer], R::Integer, "wh_gcd({0}, {1})", "gcd({0}, {1})"),
    f("least_multiple", &[Integer, Integer], R::Integer, "wh_lcm({0}, {1})", "lcm({0}, {1})"),
    b("list_product", &[List], R::Float, "wh_list_product({0})"),
    f("error", &[Text], R::Json, "wh_error({0})", "wh_fail({0})::jsonb"),
    b("list_entropy", &[List], R::Float, "wh_list_entropy({0})"),
    b("list_funnel", &[List, Integer, Integer], R::Integer, "wh_list_funnel({0}, {1}, {2})"),
    b("time_words", &[Float], R::Text, "wh_time_words({0})"),
    b("best_effort", &[Text], R::Timestamp, "wh_best_effort({0})"),
    f("json_strip_nulls", &[Json], R::Json, "wh_json_stripped({0})", "jsonb_strip_nulls({0})"),
    b("safe_divide", &[Float, Float], R::Float, "({0} / nullif({1}, 0))"),

    f("json_value", &[Json, Text], R::Text, "wh_text(wh_json_scalar({0}, {1}))", "(wh_json_scalar({0}, {1}) #>> '{}')"),
    f("json_value", &[Text, Text], R::Text, "wh_text(wh_json_scalar({0}, {1}))", "(wh_json_scalar(wh_try_json({0}), {1}) #>> '{}')"),
    f("json_extract_scalar", &[Json, Text], R::Text, "wh_text(wh_json_scalar({0}, {1}))", "(wh_json_scalar({0}, {1}) #>> '{}')"),
    f("json_extract_scalar", &[Text, Text], R::Text, "wh_text(wh_json_scalar({0}, {1}))", "(wh_json_scalar(wh_try_json({0}), {1}) #>> '{}')"),
    b("json_query", &[Json, Text], R::Json, "wh_json_at({0}, {1})"),
    f("json_query", &[Text, Text], R::Text, "wh_json_text(wh_json_at({0}, {1}))", "wh_json_text(wh_json_at(wh_try_json({0}), {1}))"),
    b("json_extract", &[Json, Text], R::Json, "wh_json_at({0}, {1})"),
    f("json_extract", &[Text, Text], R::Text, "wh_json_text(wh_json_at({0}, {1}))", "wh_json_text(wh_json_at(wh_try_json({0}), {1}))"),
    b("json_query_array", &[Json], R::Jsons, "wh_only_list({0})"),
    b("json_query_array", &[Json, Text], R::Jsons, "wh_only_list(wh_json_at({0}, {1}))"),
    b("json_extract_array", &[Json], R::Jsons, "wh_only_list({0})"),
    b("json_extract_array", &[Json, Text], R::Jsons, "wh_only_list(wh_json_at({0}, {1}))"),
    b("to_json_string", &[Json], R::Text, "wh_json_text({0})"),
    b("parse_json", &[Text], R::Json, "wh_parse_json({0})"),
    b("json_type", &[Json], R::Text, "wh_json_type({0})"),

    f("array_length", &[List], R::Integer, "json_array_length({0})", "jsonb_array_length({0})::bigint"),
    b("array_reverse", &[List], R::Same, "wh_array_reverse({0})"),
    b("array_to_string", &[List, Text], R::Text, "wh_array_to_string({0}, {1})"),
    b("array_to_string", &[List, Text, Text], R::Text, "wh_array_to_string({0}, {1}, {2})"),
    b("generate_array", &[Integer, Integer], R::Integers, "wh_generate_array({0}, {1}, 1)"),
    b("generate_array", &[Integer, Integer, Integer], R::Integers, "wh_generate_array({0}, {1}, {2})"),

    f("parse_timestamp", &[Text, Text], R::Timestamp, "wh_strptime({0}, {1}, 0)", "wh_strptime({0}, {1}, false)"),
    f("parse_timestamp", &[Text, Text, Text], R::Timestamp, "wh_from_zone(wh_strptime({0}, {1}, 0), {2})", "wh_from_zone(wh_strptime({0}, {1}, false), {2})"),
    f("parse_datetime", &[Text, Text], R::Datetime, "wh_strptime({0}, {1}, 0)", "wh_strptime({0}, {1}, false)"),
    f("parse_date", &[Text, Text], R::Date, "wh_date_of(wh_strptime({0}, {1}, 0))", "wh_strptime({0}, {1}, false)::date"),
    f("parse_time", &[Text, Text], R::Time, "wh_time_of(wh_strptime({0}, {1}, 0))", "wh_strptime({0}, {1}, false)::time"),
    f("safe.parse_timestamp", &[Text, Text], R::Timestamp, "wh_strptime({0}, {1}, 1)", "wh_strptime({0}, {1}, true)"),
    f("safe.parse_datetime", &[Text, Text], R::Datetime, "wh_strptime({0}, {1}, 1)", "wh_strptime({0}, {1}, true)"),
    f("safe.parse_date", &[Text, Text], R::Date, "wh_date_of(wh_strptime({0}, {1}, 1))", "wh_strptime({0}, {1}, true)::date"),
    f("safe.parse_time", &[Text, Text], R::Time, "wh_time_of(wh_strptime({0}, {1}, 1))", "wh_strptime({0}, {1}, true)::time"),
    b("safe.parse_json", &[Text], R::Json, "wh_try_json({0})"),
    f("date_from_unix_date", &[Integer], R::Date, "{0}", "(date '1970-01-01' + {0}::integer)"),

    f("safe_add", &[Integer, Integer], R::Integer, "wh_safe_add({0}, {1})", "wh_whole_or_null({0}::numeric + {1})"),
    f("safe_subtract", &[Integer, Integer], R::Integer, "wh_safe_subtract({0}, {1})", "wh_whole_or_null({0}::numeric - {1})"),
    f("safe_multiply", &[Integer, Integer], R::Integer, "wh_safe_multiply({0}, {1})", "wh_whole_or_null({0}::numeric * {1})"),
    b("range_bucket", &[Float, List], R::Integer, "wh_range_bucket({0}, {1})"),

    f("ascii", &[Text], R::Integer, "wh_ascii({0})", "ascii({0})::bigint"),
    f("unicode", &[Text], R::Integer, "wh_ascii({0})", "ascii({0})::bigint"),
    b("chr", &[Integer], R::Text, "wh_chr({0})"),
    b("from_hex", &[Text], R::Bytes, "wh_from_hex({0})"),
    b("from_base64", &[Text], R::Bytes, "wh_from_base64({0})"),
    f("sha512", &[Text], R::Bytes, "wh_sha512({0})", "sha512(convert_to({0}, 'UTF8'))"),
    b("regexp_extract", &[Text, Text, Integer], R::Text, "wh_regexp_extract(wh_substr({0}, {2}), {1})"),
    f("regexp_extract", &[Text, Text, Integer, Integer], R::Text, "(wh_at(wh_regexp_extract_all(wh_substr({0}, {2}), {1}), {3} - 1, 1) ->> '$')", "(wh_at(wh_regexp_extract_all(wh_substr({0}, {2}), {1}), {3} - 1, true) #>> '{}')"),
    b("regexp_substr", &[Text, Text, Integer], R::Text, "wh_regexp_extract(wh_substr({0}, {2}), {1})"),
    f("regexp_substr", &[Text, Text, Integer, Integer], R::Text, "(wh_at(wh_regexp_extract_all(wh_substr({0}, {2}), {1}), {3} - 1, 1) ->> '$')", "(wh_at(wh_regexp_extract_all(wh_substr({0}, {2}), {1}), {3} - 1, true) #>> '{}')"),
    b("regexp_instr", &[Text, Text, Integer], R::Integer, "wh_regexp_place({0}, {1}, {2}, 1, 0)"),
    b("regexp_instr", &[Text, Text, Integer, Integer], R::Integer, "wh_regexp_place({0}, {1}, {2}, {3}, 0)"),
    b("regexp_instr", &[Text, Text, Integer, Integer, Integer], R::Integer, "wh_regexp_place({0}, {1}, {2}, {3}, {4})"),
    b("instr", &[Text, Text, Integer], R::Integer, "wh_instr({0}, {1}, {2}, 1)"),
    b("instr", &[Text, Text, Integer, Integer], R::Integer, "wh_instr({0}, {1}, {2}, {3})"),
    b("edit_distance", &[Text, Text], R::Integer, "wh_edit_distance({0}, {1})"),
    b("to_code_points", &[Text], R::Integers, "wh_code_points({0})"),
    b("code_points_to_string", &[List], R::Text, "wh_of_code_points({0})"),
    b("array_slice", &[List, Integer, Integer], R::Same, "wh_array_slice({0}, {1}, {2})"),
    b("safe_convert_bytes_to_string", &[Bytes], R::Text, "wh_checked_text({0})"),
    f("~", &[Integer], R::Integer, "(~{0})", "(~{0})"),
    b("regexp_instr", &[Text, Text], R::Integer, "wh_regexp_instr({0}, {1})"),
    b("net.host", &[Text], R::Text, "wh_net_host({0})"),
    f("net.ip_from_string", &[Text], R::Bytes, "wh_ip({0}, 0)", "wh_ip({0}, false)"),
    f("net.safe_ip_from_string", &[Text], R::Bytes, "wh_ip({0}, 1)", "wh_ip({0}, true)"),
    f("safe.net.ip_from_string", &[Text], R::Bytes, "wh_ip({0}, 1)", "wh_ip({0}, true)"),
    b("net.ip_to_string", &[Bytes], R::Text, "wh_ip_text({0})"),
    b("net.ip_trunc", &[Bytes, Integer], R::Bytes, "wh_ip_trunc({0}, {1})"),

    b("json_value_array", &[Json], R::Texts, "wh_json_texts({0}, '$')"),
    b("json_value_array", &[Json, Text], R::Texts, "wh_json_texts({0}, {1})"),
    f("json_value_array", &[Text], R::Texts, "wh_json_texts({0}, '$')", "wh_json_texts(wh_try_json({0}), '$')"),
    f("json_value_array", &[Text, Text], R::Texts, "wh_json_texts({0}, {1})", "wh_json_texts(wh_try_json({0}), {1})"),
    b("json_extract_string_array", &[Json], R::Texts, "wh_json_texts({0}, '$')"),
    b("json_extract_string_array", &[Json, Text], R::Texts, "wh_json_texts({0}, {1})"),
    f("json_extract_string_array", &[Text], R::Texts, "wh_json_texts({0}, '$')", "wh_json_texts(wh_try_json({0}), '$')"),
    f("json_extract_string_array", &[Text, Text], R::Texts, "wh_json_texts({0}, {1})", "wh_json_texts(wh_try_json({0}), {1})"),
    f("json_query_array", &[Text], R::Texts, "wh_json_parts({0}, '$')", "wh_json_parts(wh_try_json({0}), '$')"),
    f("json_query_array", &[Text, Text], R::Texts, "wh_json_parts({0}, {1})", "wh_json_parts(wh_try_json({0}), {1})"),
    f("json_extract_array", &[Text], R::Texts, "wh_json_parts({0}, '$')", "wh_json_parts(wh_try_json({0}), '$')"),
    f("json_extract_array", &[Text, Text], R::Texts, "wh_json_parts({0}, {1})", "wh_json_parts(wh_try_json({0}), {1})"),
    b("json_keys", &[Json], R::Texts, "wh_json_keys({0})"),

    // What the columnar dialect is written with; see `columnar`.
    f("plain_exp", &[Float], R::Float, "wh_plain_exp({0})", "(CASE WHEN {0} > 709.782712893384 THEN 'Infinity'::float8 WHEN {0} < -745.2 THEN '0'::float8 ELSE exp({0}) END)"),
    f("plain_pow", &[Float, Float], R::Float, "wh_plain_pow({0}, {1})", "power({0}, {1})"),
    b("float_divide", &[Float, Float], R::Float, "wh_float_divide({0}, {1})"),
    f("width_bucket", &[Float, Float, Float, Integer], R::Integer, "wh_width_bucket({0}, {1}, {2}, {3})", "width_bucket({0}, {1}, {2}, {3}::integer)::bigint"),
    b("float_mod", &[Float, Float], R::Float, "wh_float_mod({0}, {1})"),
    b("regexp_all_groups", &[Text, Text, Integer], R::Jsons, "wh_regexp_all_groups({0}, {1}, {2})"),
    b("key_values", &[Text, Text, Text], R::Json, "wh_key_values({0}, {1}, {2})"),
    b("url_encoded", &[Text], R::Text, "wh_url_encoded({0})"),
    b("signed_part", &[Text, Integer], R::Text, "wh_signed_part({0}, {1})"),
    b("signed_part", &[Text, Integer, Integer], R::Text, "wh_signed_part({0}, {1}, {2})"),
    b("unsigned_whole", &[Integer], R::Integer, "wh_within({0}, 0, 9223372036854775807, 'a negative number is, for an unsigned type,')"),
    b("loose_date", &[Text], R::Date, "wh_loose_date({0})"),
    b("map_totals", &[List, Text], R::Json, "wh_map_totals({0}, {1})"),
    b("flat_texts", &[Json], R::Json, "wh_flat_texts({0})"),
    b("map_text", &[Json, Text], R::Text, "wh_map_text({0}, {1})"),
    b("map_keys", &[Json], R::Texts, "wh_map_keys({0})"),
    b("map_values", &[Json], R::Texts, "wh_map_values({0})"),
    b("whole_in", &[Text, Integer, Integer], R::Integer, "wh_whole_in({0}, {1}, {2})"),
    b("url_decoded", &[Text], R::Text, "wh_url_decoded({0})"),
    f("translate", &[Text, Text, Text], R::Text, "wh_translate({0}, {1}, {2})", "translate({0}, {1}, {2})"),
    b("map_value", &[Json, Text], R::Json, "wh_map_value({0}, {1})"),
    b("list_top", &[List, Integer], R::Same, "wh_top({0}, {1})"),
    f("list_disc", &[List, Float], R::Float, "CAST(wh_percentile_disc({0}, {1}) AS REAL)", "(wh_percentile_disc({0}, {1}) #>> '{}')::float8"),
    b("regexp_groups", &[Text, Text], R::Texts, "wh_regexp_groups({0}, {1})"),
    b("regexp_replace_first", &[Text, Text, Text], R::Text, "wh_regexp_replace_first({0}, {1}, {2})"),
    b("json_own_keys", &[Text], R::Texts, "wh_json_own_keys({0})"),
    b("list_sorted", &[List, Integer], R::Same, "wh_sorted({0}, {1} < 0)"),
    f("list_quantile", &[List, Float], R::Json, "(wh_sorted({0}, 0) -> min(CAST({1} * json_array_length({0}) AS INTEGER), json_array_length({0}) - 1))", "(wh_sorted({0}, false) -> least(floor({1} * jsonb_array_length({0}))::integer, jsonb_array_length({0}) - 1))"),
    f("percentile_of", &[List, Float], R::Float, "CAST(wh_percentile_cont({0}, {1}) AS REAL)", "(wh_percentile_cont({0}, {1}) #>> '{}')::float8"),

    f("unix_micros", &[Timestamp], R::Integer, "{0}", "wh_micros({0})"),
    f("unix_millis", &[Timestamp], R::Integer, "wh_floor_div({0}, 1000)", "wh_floor_div(wh_micros({0}), 1000)"),
    f("unix_seconds", &[Timestamp], R::Integer, "wh_floor_div({0}, 1000000)", "wh_floor_div(wh_micros({0}), 1000000)"),
    f("timestamp_micros", &[Integer], R::Timestamp, "{0}", "wh_from_micros({0})"),
    f("timestamp_millis", &[Integer], R::Timestamp, "wh_multiply({0}, 1000)", "wh_from_micros({0} * 1000)"),
    f("timestamp_seconds", &[Integer], R::Timestamp, "wh_multiply({0}, 1000000)", "wh_from_micros({0} * 1000000)"),
];

/// Functions of PostgreSQL's dialect that the warehouse does not have, or that do something else there.
#[rustfmt::skip]
static RELATIONAL: &[Function] = &[
    f("left", &[Text, Integer], R::Text, "wh_first_signs({0}, {1})", "left({0}, {1}::integer)"),
    f("right", &[Text, Integer], R::Text, "wh_last_signs({0}, {1})", "right({0}, {1}::integer)"),
    f("lpad", &[Text, Integer], R::Text, "wh_filled_left({0}, {1}, ' ')", "lpad({0}, {1}::integer)"),
    f("lpad", &[Text, Integer, Text], R::Text, "wh_filled_left({0}, {1}, {2})", "lpad({0}, {1}::integer, {2})"),
    f("rpad", &[Text, Integer], R::Text, "wh_filled_right({0}, {1}, ' ')", "rpad({0}, {1}::integer)"),
    f("rpad", &[Text, Integer, Text], R::Text, "wh_filled_right({0}, {1}, {2})", "rpad({0}, {1}::integer, {2})"),
    f("repeat", &[Text, Integer], R::Text, "wh_repeated({0}, {1})", "repeat({0}, {1}::integer)"),
    f("btrim", &[Text], R::Text, "wh_trim_of({0}, ' ')", "btrim({0})"),
    f("btrim", &[Text, Text], R::Text, "wh_trim_of({0}, {1})", "btrim({0}, {1})"),
    f("ltrim", &[Text], R::Text, "wh_ltrim_of({0}, ' ')", "ltrim({0})"),
    f("rtrim", &[Text], R::Text, "wh_rtrim_of({0}, ' ')", "rtrim({0})"),
    f("split_part", &[Text, Text, Integer], R::Text, "wh_part_of_split({0}, {1}, {2})", "split_part({0}, {1}, {2}::integer)"),
    f("string_to_array", &[Text, Text], R::Texts, "wh_split_by({0}, {1})", "to_jsonb(string_to_array({0}, {1}))"),
    f("regexp_split_to_array", &[Text, Text], R::Texts, "wh_regexp_split({0}, {1})", "to_jsonb(regexp_split_to_array({0}, {1}))"),
    f("regexp_all_matches", &[Text, Text], R::Jsons, "wh_regexp_matches({0}, {1})", "(SELECT coalesce(jsonb_agg(to_jsonb(m) ORDER BY n), '[]') FROM regexp_matches({0}, {1}, 'g') WITH ORDINALITY AS r(m, n))"),
    f("regexp_first_matches", &[Text, Text], R::Jsons, "wh_regexp_first_matches({0}, {1})", "(SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM regexp_matches({0}, {1}) AS r(m))"),
    f("regexp_like", &[Text, Text], R::Bool, "wh_regexp_contains({0}, {1})", "({0} ~ {1})"),
    f("regexp_count", &[Text, Text], R::Integer, "json_array_length(wh_regexp_extract_all({0}, {1}))", "jsonb_array_length(wh_regexp_extract_all({0}, {1}))::bigint"),
    f("bit_length", &[Text], R::Integer, "(8 * length(CAST({0} AS BLOB)))", "bit_length({0})::bigint"),
    f("cardinality", &[List], R::Integer, "json_array_length({0})", "jsonb_array_length({0})::bigint"),

    f("power", &[Float, Float], R::Float, "wh_power({0}, {1})", "power({0}, {1})"),
    f("pow", &[Float, Float], R::Float, "wh_power({0}, {1})", "power({0}, {1})"),
    f("width_bucket", &[Float, Float, Float, Integer], R::Integer, "wh_width_bucket({0}, {1}, {2}, {3})", "width_bucket({0}, {1}, {2}, {3}::integer)::bigint"),
    f("integer", &[Integer], R::Integer, "wh_within({0}, -2147483648, 2147483647, 'integer')", "({0})::integer::bigint"),
    f("smallint", &[Integer], R::Integer, "wh_within({0}, -32768, 32767, 'smallint')", "({0})::smallint::bigint"),

    f("jsonb_pretty", &[Json], R::Text, "wh_json_pretty({0})", "jsonb_pretty({0})"),
    f("degrees", &[Float], R::Float, "wh_degrees({0})", "degrees({0})"),
    f("radians", &[Float], R::Float, "wh_radians({0})", "radians({0})"),
    f("factorial", &[Integer], R::Integer, "wh_factorial({0})", "wh_within_bigint(factorial({0}))"),
    f("quote_literal", &[Text], R::Text, "wh_quote_literal({0})", "quote_literal({0})"),
    f("quote_ident", &[Text], R::Text, "wh_quote_ident({0})", "quote_ident({0})"),
    f("jsonb_typeof", &[Json], R::Text, "wh_json_type({0})", "jsonb_typeof({0})"),
    f("jsonb_exists", &[Json, Text], R::Bool, "wh_json_has({0}, {1})", "jsonb_exists({0}, {1})"),
    f("jsonb_contains", &[Json, Json], R::Bool, "wh_json_contains({0}, {1})", "({0} @> {1})"),
    f("jsonb_contained", &[Json, Json], R::Bool, "wh_json_contains({1}, {0})", "({0} <@ {1})"),
    f("jsonb_delete", &[Json, Text], R::Json, "wh_json_without({0}, {1})", "({0} - {1})"),
    f("jsonb_concat", &[Json, Json], R::Json, "wh_json_merged({0}, {1})", "({0} || {1})"),
    f("jsonb_set", &[Json, Text, Json], R::Json, "wh_json_set({0}, {1}, {2}, 1)", "jsonb_set({0}, ({1})::text[], {2})"),
    f("jsonb_strip_nulls", &[Json], R::Json, "wh_json_stripped({0})", "jsonb_strip_nulls({0})"),
    f("jsonb_array_elements_text", &[Json], R::Texts, "wh_json_element_texts({0})", "(SELECT coalesce(jsonb_agg(e #>> '{}' ORDER BY n), '[]') FROM jsonb_array_elements({0}) WITH ORDINALITY AS e(e, n))"),
    f("jsonb_object_keys", &[Json], R::Texts, "wh_jsonb_keys({0})", "(SELECT coalesce(jsonb_agg(k), '[]') FROM jsonb_object_keys({0}) AS k)"),
    f("make_date", &[Integer, Integer, Integer], R::Date, "wh_make_date({0}, {1}, {2})", "make_date({0}::integer, {1}::integer, {2}::integer)"),
];

/// Whether the table has a function of that name.
pub(super) fn is_known(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| same(function.name, name))
}

/// Whether PostgreSQL's dialect has a function of that name, and with so many arguments, of its own.
pub(super) fn is_relational(name: &str, arguments: usize) -> bool {
    RELATIONAL.iter().any(|one| one.name == name && one.arguments.len() == arguments)
}

impl Binder<'_> {
    /// Binds a call of a function of the table.
    pub(super) fn function(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        self.function_of(FUNCTIONS, name, arguments)
    }

    /// Binds a call of a function that only PostgreSQL's dialect has.
    pub(super) fn relational(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let sorts = RELATIONAL.iter().find(|one| one.name == name && one.arguments.len() == arguments.len());
        let mut given = arguments.to_vec();
        // A written text is JSON where JSON is wanted.
        for (argument, sort) in given.iter_mut().zip(sorts.map_or(&[][..], |one| one.arguments)) {
            if matches!((&argument.origin, sort), (Origin::Text(_), Json)) {
                *argument = self.literal_json(argument)?;
            }
        }
        self.function_of(RELATIONAL, name, &given)
    }

    fn function_of(
        &mut self,
        table: &'static [Function],
        name: &str,
        arguments: &[Expr],
    ) -> Result<Expr, Refusal> {
        let overloads = table.iter().filter(|function| same(function.name, name));
        for function in overloads.clone().filter(|function| function.arguments.len() == arguments.len()) {
            let pairs = arguments.iter().zip(function.arguments);
            let bound: Result<Vec<Expr>, Refusal> =
                pairs.map(|(argument, sort)| self.argument(argument, *sort)).collect();
            if let Ok(bound) = bound {
                return Ok(self.filled(function, &bound));
            }
        }
        match overloads.clone().next() {
            Some(_) => Err(no_signature(name, arguments)),
            None => Err(Refusal::unsupported(&format!("the function {}", name.to_lowercase()))),
        }
    }

    fn filled(&self, function: &Function, arguments: &[Expr]) -> Expr {
        let returns = match function.returns {
            R::Bool => Type::Bool,
            R::Integer => Type::Int64,
            R::Float => Type::Float64,
            R::Text => Type::String,
            R::Bytes => Type::Bytes,
            R::Timestamp => Type::Timestamp,
            R::Datetime => Type::Datetime,
            R::Date => Type::Date,
            R::Time => Type::Time,
            R::Json => Type::Dynamic,
            R::Texts => Type::Array(Box::new(Type::String)),
            R::Jsons => Type::Array(Box::new(Type::Dynamic)),
            R::Integers => Type::Array(Box::new(Type::Int64)),
            R::Same => arguments.first().map_or(Type::Null, |first| first.type_.clone()),
        };
        let template = self.target.pick(function.sqlite, function.postgres);
        let cast = matches!(function.returns, R::Integer) && template.starts_with("length(");
        match (self.target, cast) {
            // PostgreSQL's lengths have a smaller type, whose sums overflow earlier.
            (crate::Target::Postgres, true) => {
                Expr::filled(&format!("{template}::bigint"), arguments, returns)
            }
            _ => Expr::filled(template, arguments, returns),
        }
    }

    fn argument(&mut self, argument: &Expr, sort: Sort) -> Result<Expr, Refusal> {
        let type_ = match sort {
            Text => Type::String,
            Integer => Type::Int64,
            Float => Type::Float64,
            Bytes => Type::Bytes,
            Timestamp => Type::Timestamp,
            Number => return self.numeric(argument, ""),
            Json => return self.json_argument(argument),
            List if matches!(argument.type_, Type::Array(_)) => return Ok(argument.clone()),
            List => Type::Array(Box::new(Type::Dynamic)),
        };
        self.coerced(argument, &type_)
    }

    fn json_argument(&mut self, argument: &Expr) -> Result<Expr, Refusal> {
        match &argument.type_ {
            Type::Dynamic | Type::Array(_) | Type::Struct(_) => {
                Ok(argument.with(&argument.sql, Type::Dynamic))
            }
            Type::Null => self.coerced(argument, &Type::Dynamic),
            _ => Err(no_signature("JSON", std::slice::from_ref(argument))),
        }
    }

    /// Converts any value to JSON; a null becomes JSON's null.
    pub(super) fn as_json(&self, expr: &Expr) -> Expr {
        let packed = match (&expr.type_, self.target) {
            (Type::Timestamp, _) => format!("wh_json_timestamp({})", expr.sql),
            (Type::Datetime | Type::Date | Type::Time, _) => {
                self.to_text(&expr.type_, &expr.sql).unwrap_or_default()
            }
            (type_, target) => target.packed(type_, &expr.sql),
        };
        let sql = self.target.pick(
            format!("(json_array({packed}) -> 0)"),
            format!("coalesce(to_jsonb({packed}), 'null'::jsonb)"),
        );
        Expr::of(sql, Type::Dynamic, [expr])
    }
}
