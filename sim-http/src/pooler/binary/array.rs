//! Arrays: their dimensions, each with its length and its first index, and the values of all of them in a row.

use super::read::{Reader, Wrong};
use super::{bytes, name_of, value};

/// The most dimensions, and the most values.
const DIMENSIONS_MAX: i32 = 6;
const VALUES_MAX: i64 = 134_217_727;

/// A dimension: its length and its first index.
type Dimension = (i32, i32);

/// An array from its text.
pub(super) fn array_bytes(element: u32, text: &str) -> Option<Vec<u8>> {
    let (dimensions, items) = parsed(text)?;
    let has_null = items.iter().any(Option::is_none);
    let count = i32::try_from(dimensions.len()).ok()?;
    let mut out = [count.to_be_bytes(), i32::from(has_null).to_be_bytes(), element.to_be_bytes()].concat();
    for (length, first) in dimensions {
        out.extend(length.to_be_bytes());
        out.extend(first.to_be_bytes());
    }
    for item in items {
        match item {
            None => out.extend((-1_i32).to_be_bytes()),
            Some(item) => {
                let value = bytes(element, &item)?;
                out.extend(i32::try_from(value.len()).ok()?.to_be_bytes());
                out.extend(value);
            }
        }
    }
    Some(out)
}

/// The dimensions of an array's text and its items.
fn parsed(text: &str) -> Option<(Vec<Dimension>, Vec<Option<String>>)> {
    let (firsts, text) = match text.starts_with('[') {
        true => text.split_once('=').map(|(bounds, text)| (firsts(bounds), text))?,
        false => (Some(Vec::new()), text),
    };
    let (lengths, items) = items(text)?;
    if items.is_empty() {
        return Some((Vec::new(), items));
    }
    let firsts = firsts?.into_iter().chain(std::iter::repeat(1));
    Some((lengths.into_iter().zip(firsts).collect(), items))
}

/// The first indexes of `[5:6][0:1]`.
fn firsts(bounds: &str) -> Option<Vec<i32>> {
    let inner = bounds.strip_prefix('[')?.strip_suffix(']')?;
    inner.split("][").map(|one| one.split_once(':')?.0.parse().ok()).collect()
}

/// How many items each level of braces has, and the items.
fn items(text: &str) -> Option<(Vec<i32>, Vec<Option<String>>)> {
    let (mut lengths, mut depth) = (Vec::new(), 0_usize);
    let mut items = Vec::new();
    let (mut item, mut quoted, mut inside) = (String::new(), false, false);
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => item.extend(rest.next()),
            '"' => (inside, quoted) = (!inside, true),
            '{' if !inside => {
                depth += 1;
                lengths.resize(lengths.len().max(depth), 0);
                lengths[depth - 1] = 0;
            }
            ',' | '}' if !inside => {
                if quoted || !item.is_empty() {
                    let is_null = !quoted && item == "NULL";
                    items.push((!is_null).then(|| std::mem::take(&mut item)));
                    (item, quoted) = (String::new(), false);
                    *lengths.get_mut(depth.checked_sub(1)?)? += 1;
                }
                if character == '}' {
                    depth = depth.checked_sub(1)?;
                    if let Some(outer) = depth.checked_sub(1) {
                        lengths[outer] += 1;
                    }
                }
            }
            other => item.push(other),
        }
    }
    (depth == 0 && !inside).then_some((lengths, items))
}

/// The text of an array.
pub(super) fn read_array(element: u32, from: &mut Reader<'_>) -> Result<String, Wrong> {
    let count = from.int()?;
    if count < 0 {
        return Err(Wrong::new("22P03", format!("invalid number of dimensions: {count}")));
    }
    if count > DIMENSIONS_MAX {
        let text =
            format!("number of array dimensions ({count}) exceeds the maximum allowed ({DIMENSIONS_MAX})");
        return Err(Wrong::new("54000", text));
    }
    if !(0..=1).contains(&from.int()?) {
        return Err(Wrong::new("22P03", "invalid array flags"));
    }
    let found = from.int()?.cast_unsigned();
    if found != element {
        let (found_name, name) = (name_of(found), name_of(element));
        let text = format!(
            "binary data has array element type {found} ({found_name}) instead of expected {element} ({name})"
        );
        return Err(Wrong::new("42804", text));
    }
    let dimensions =
        (0..count).map(|_| Ok((from.int()?, from.int()?))).collect::<Result<Vec<Dimension>, Wrong>>()?;
    let values = values(&dimensions)?;
    let mut texts = Vec::new();
    for at in 1..=values {
        texts.push(item(element, from, at)?);
    }
    if texts.is_empty() {
        return Ok("{}".to_owned());
    }
    let is_usual = dimensions.iter().all(|(_, first)| *first == 1);
    let bounds = dimensions.iter().map(|(length, first)| format!("[{first}:{}]", first + length - 1));
    let bounds = if is_usual { String::new() } else { bounds.collect::<String>() + "=" };
    let lengths: Vec<usize> =
        dimensions.iter().map(|(length, _)| usize::try_from(*length).unwrap_or(0)).collect();
    Ok(bounds + &nested(&lengths, &texts))
}

/// How many values there are in all dimensions.
fn values(dimensions: &[Dimension]) -> Result<i64, Wrong> {
    let too_many = || Wrong::new("54000", format!("array size exceeds the maximum allowed ({VALUES_MAX})"));
    let mut values = i64::from(!dimensions.is_empty());
    for (length, _) in dimensions {
        values = values.checked_mul(i64::from(*length)).ok_or_else(too_many)?;
        if *length < 0 || values > VALUES_MAX {
            return Err(too_many());
        }
    }
    match dimensions.iter().find(|(length, first)| first.checked_add(*length).is_none()) {
        Some((_, first)) => Err(Wrong::new("54000", format!("array lower bound is too large: {first}"))),
        None => Ok(values),
    }
}

fn item(element: u32, from: &mut Reader<'_>, at: i64) -> Result<String, Wrong> {
    let length = from.int()?;
    if length == -1 {
        return Ok("NULL".to_owned());
    }
    let bytes = usize::try_from(length).ok().and_then(|length| from.take(length).ok());
    let bytes = bytes.ok_or_else(|| Wrong::new("22P03", Wrong::short().message))?;
    let mut inner = Reader(bytes);
    let text = value(element, &mut inner)?;
    if !inner.0.is_empty() {
        return Err(Wrong::new("22P03", format!("improper binary format in array element {at}")));
    }
    Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

fn nested(lengths: &[usize], texts: &[String]) -> String {
    match lengths {
        [] | [_] => format!("{{{}}}", texts.join(",")),
        [_, inner @ ..] => {
            let size = inner.iter().product::<usize>().max(1);
            let parts: Vec<String> = texts.chunks(size).map(|part| nested(inner, part)).collect();
            format!("{{{}}}", parts.join(","))
        }
    }
}
