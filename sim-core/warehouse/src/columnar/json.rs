//! Functions that read members of a text with JSON.

use sqlparser::ast::FunctionArg;

use super::call::{expr_of, text_of, unknown};
use super::expr::quoted;
use crate::refusal::Refusal;

/// `JSONExtractString(text, 'a', 'b')` and its like; what is not there is empty or 0.
pub(super) fn json_call(name: &str, of: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
    let mut steps = &arguments[1..];
    let mut name = name.to_owned();
    let mut nullable = false;
    if name == "jsonextract"
        && let Some((last, rest)) = steps.split_last()
    {
        steps = rest;
        let type_ = text_of(last).unwrap_or_default().to_lowercase();
        let bare = type_.strip_prefix("lowcardinality(").and_then(|type_| type_.strip_suffix(')'));
        let bare = bare.unwrap_or(&type_);
        let inner = bare.strip_prefix("nullable(").and_then(|type_| type_.strip_suffix(')'));
        let of_list = bare.strip_prefix("array(").and_then(|type_| type_.strip_suffix(')'));
        nullable = inner.is_some();
        let kind = |type_: &str| match type_ {
            "string" => Some("string"),
            "bool" => Some("bool"),
            number if number.starts_with("int") => Some("int"),
            number if number.starts_with("uint") => Some("uint"),
            number if number.starts_with("float") => Some("float"),
            _ => None,
        };
        let found = match of_list {
            Some(of) => kind(of).map(|kind| format!("{kind}s")),
            None => kind(inner.unwrap_or(bare)).map(str::to_owned),
        };
        name.push_str(&found.ok_or_else(|| Refusal::unsupported("JSONExtract of this type"))?);
    }
    let mut path = "$".to_owned();
    for step in steps {
        // The element of a list or the member of an object at that place, counted from 1, or from the end.
        if let Some(place) = expr_of(step).and_then(|step| step.to_string().parse::<i64>().ok()) {
            path.push_str(&format!("#{place}"));
            continue;
        }
        let key = text_of(step).filter(|key| !key.contains(['"', '\\']));
        let key = key.ok_or_else(|| Refusal::unsupported("a key of JSON that is no plain text"))?;
        path.push_str(&format!(".\"{key}\""));
    }
    let path = quoted(&path);
    let scalar = format!("json_value({of}, {path})");
    let or = |value: String, zero: &str| if nullable { value } else { format!("coalesce({value}, {zero})") };
    let list = |type_: &str, zero: &str| {
        format!(
            "array(select coalesce(safe_cast(e1 as {type_}), {zero}) from unnest(json_value_array({of}, {path})) as e1 with offset as o1 order by o1)"
        )
    };
    Ok(match name.as_str() {
        "jsonextractints" | "jsonextractuints" => list("int64", "0"),
        "jsonextractfloats" => list("float64", "0.0"),
        "jsonextractbools" => list("bool", "false"),
        "jsonextractkeys" if steps.is_empty() => format!("json_own_keys({of})"),
        "jsonextractkeys" => format!("json_own_keys(json_query({of}, {path}))"),
        "jsonextractarrayraw" => format!("json_query_array({of}, {path})"),
        "jsonextractstrings" => format!("json_value_array({of}, {path})"),
        "jsonlength" => format!(
            "coalesce(array_length(json_query_array({of}, {path})), array_length(json_own_keys(json_query({of}, {path}))), 0)"
        ),
        "jsonextractstring" => or(json_text(of, &path), "''"),
        "jsonextractint" | "jsonextractuint" => {
            let whole = format!(
                "coalesce(safe_cast({scalar} as int64), plain_whole(safe_cast({scalar} as float64)))"
            );
            match name.as_str() {
                "jsonextractuint" => or(format!("if({whole} < 0, null, {whole})"), "0"),
                _ => or(whole, "0"),
            }
        }
        "jsonextractfloat" => or(format!("safe_cast({scalar} as float64)"), "0.0"),
        "jsonextractbool" => {
            let own = format!("json_query({of}, {path})");
            or(format!("({own} = 'true' or coalesce(safe_cast({own} as float64) <> 0, false))"), "false")
        }
        "jsonextractraw" => format!("coalesce(json_query({of}, {path}), '')"),
        "jsonhas" => format!("(json_query({of}, {path}) is not null)"),
        "jsontype" => {
            let kind = format!("json_type(json_query(safe.parse_json({of}), {path}))");
            format!(
                "coalesce(case {kind} when 'number' then if(regexp_contains({scalar}, '[.eE]'), 'Double', 'Int64') when 'boolean' then 'Bool' else initcap({kind}) end, 'Null')"
            )
        }
        _ => return Err(unknown(&name)),
    })
}

/// The text at a path of JSON; of an object or list its JSON.
pub(super) fn json_text(of: &str, path: &str) -> String {
    format!("coalesce(json_value({of}, {path}), json_query({of}, {path}))")
}
