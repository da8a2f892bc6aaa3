//! Functions that read members of a text with JSON.

use sqlparser::ast::FunctionArg;

use super::call::{expr_of, text_of, unknown};
use super::expr::quoted;
use crate::refusal::Refusal;

/// `JSONExtractString(text, 'a', 'b')` and its like; what is not there is empty or 0.
pub(super) fn json_call(name: &str, of: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
    let mut steps = &arguments[1..];
    let type_ = match steps.split_last() {
        Some((last, rest)) if name == "jsonextract" => {
            steps = rest;
            Some(text_of(last).unwrap_or_default().trim())
        }
        _ => None,
    };
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
    if let Some(type_) = type_ {
        return of_type(of, &path, type_, 0);
    }
    member(name, of, &path, false)
}

/// The member at a path as a value of a type, lists, tuples and maps of others included.
fn of_type(of: &str, path: &str, type_: &str, depth: usize) -> Result<String, Refusal> {
    /// How deep types may nest.
    const DEEPEST: usize = 8;
    let refused = || Refusal::unsupported("JSONExtract of this type");
    if depth > DEEPEST {
        return Err(refused());
    }
    let lower = type_.to_lowercase();
    let inside = |name: &str| {
        let rest = lower.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
        type_.get(name.len() + 1..name.len() + 1 + rest.len()).map(str::trim)
    };
    if let Some(inner) = inside("lowcardinality") {
        return of_type(of, path, inner, depth + 1);
    }
    let (e, o) = (format!("j{depth}"), format!("k{depth}"));
    let own = format!("json_query({of}, {})", quoted(path));
    if let Some(inner) = inside("array") {
        let plain = kind_of(&inner.to_lowercase());
        if let Some(kind) = plain {
            return member(&format!("jsonextract{kind}s"), of, path, false);
        }
        let each = of_type(&e, "$", inner, depth + 1)?;
        return Ok(format!(
            "array(select {each} from unnest(json_query_array({of}, {})) as {e} with offset as {o} order by {o})",
            quoted(path)
        ));
    }
    if let Some(inner) = inside("map") {
        let parts = parts_of(inner);
        let [key, value] = parts.as_slice() else { return Err(refused()) };
        if key.to_lowercase() != "string" {
            return Err(refused());
        }
        let member = format!("json_query({own}, concat('$.\"', {e}, '\"'))");
        let value = of_type(&member, "$", value, depth + 1)?;
        return Ok(format!(
            "map_of(array(select struct(coalesce({e}), coalesce({value})) from unnest(json_own_keys({own})) as {e} with offset as {o} order by {o}))"
        ));
    }
    if let Some(inner) = inside("tuple") {
        let mut elements = Vec::new();
        for (place, part) in parts_of(inner).into_iter().enumerate() {
            let named = part.split_once(' ').filter(|(name, _)| !name.contains('('));
            elements.push(match named {
                Some((key, type_)) => {
                    let key = key.trim_matches('`');
                    let value = of_type(of, &format!("{path}.\"{key}\""), type_.trim(), depth + 1)?;
                    format!("coalesce({value}) as {}", super::name(key))
                }
                None => {
                    let value = of_type(of, &format!("{path}#{}", place + 1), part, depth + 1)?;
                    format!("coalesce({value})")
                }
            });
        }
        return Ok(format!("struct({})", elements.join(", ")));
    }
    let (inner, nullable) = match inside("nullable") {
        Some(inner) => (inner.to_lowercase(), true),
        None => (lower.clone(), false),
    };
    let scalar = format!("json_value({of}, {})", quoted(path));
    let instant = |type_: &str, zero: &str| {
        let read = format!("safe_cast({scalar} as {type_})");
        if nullable { read } else { format!("coalesce({read}, {zero})") }
    };
    match (inner.as_str(), kind_of(&inner)) {
        (_, Some(kind)) => member(&format!("jsonextract{kind}"), of, path, nullable),
        (name, _) if name.starts_with("datetime") => Ok(instant("timestamp", "timestamp_seconds(0)")),
        ("date" | "date32", _) => Ok(instant("date", "date '1970-01-01'")),
        ("uuid", _) => member("jsonextractstring", of, path, nullable),
        _ => Err(refused()),
    }
}

/// What the function is called that reads a member of a type.
fn kind_of(type_: &str) -> Option<&'static str> {
    match type_ {
        "string" => Some("string"),
        "bool" => Some("bool"),
        number if number.starts_with("int") => Some("int"),
        number if number.starts_with("uint") => Some("uint"),
        number if number.starts_with("float") || number.starts_with("decimal") => Some("float"),
        _ => None,
    }
}

/// The parts between the commas of a type.
fn parts_of(types: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in types.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(types[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(types[start..].trim());
    parts
}

fn member(name: &str, of: &str, path: &str, nullable: bool) -> Result<String, Refusal> {
    let whole = path == "$";
    let path = quoted(path);
    let scalar = format!("json_value({of}, {path})");
    let or = |value: String, zero: &str| if nullable { value } else { format!("coalesce({value}, {zero})") };
    let list = |type_: &str, zero: &str| {
        format!(
            "array(select coalesce(safe_cast(e1 as {type_}), {zero}) from unnest(json_value_array({of}, {path})) as e1 with offset as o1 order by o1)"
        )
    };
    Ok(match name {
        "jsonextractints" | "jsonextractuints" => list("int64", "0"),
        "jsonextractfloats" => list("float64", "0.0"),
        "jsonextractbools" => list("bool", "false"),
        "jsonextractkeys" if whole => format!("json_own_keys({of})"),
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
            match name {
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
        _ => return Err(unknown(name)),
    })
}

/// The text at a path of JSON; of an object or list its JSON.
pub(super) fn json_text(of: &str, path: &str) -> String {
    format!("coalesce(json_value({of}, {path}), json_query({of}, {path}))")
}
