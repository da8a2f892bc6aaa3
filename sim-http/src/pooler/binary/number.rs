//! Numbers of any precision: groups of four digits.

use super::read::{Reader, Wrong};

/// The signs of numbers in their binary form.
const NEGATIVE: u16 = 0x4000;
const SPECIAL: [(u16, &str); 3] = [(0xC000, "NaN"), (0xD000, "Infinity"), (0xF000, "-Infinity")];

pub(super) fn numeric(text: &str) -> Option<Vec<u8>> {
    let head = |count: usize, weight: i16, sign: u16, scale: usize| {
        let (count, scale) = (u16::try_from(count).ok()?, u16::try_from(scale).ok()?);
        Some([count.to_be_bytes(), weight.to_be_bytes(), sign.to_be_bytes(), scale.to_be_bytes()].concat())
    };
    if let Some((sign, _)) = SPECIAL.iter().find(|(_, name)| *name == text) {
        return head(0, 0, *sign, 0);
    }
    let (sign, digits) = text.strip_prefix('-').map_or((0, text), |digits| (NEGATIVE, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = format!("{}{whole}", "0".repeat((4 - whole.len() % 4) % 4));
    let padded = format!("{fraction}{}", "0".repeat((4 - fraction.len() % 4) % 4));
    let all = [whole.as_str(), &padded].concat();
    let groups: Option<Vec<u16>> =
        (0..all.len() / 4).map(|at| all.get(4 * at..4 * at + 4)?.parse().ok()).collect();
    let groups = groups?;
    let weight = i16::try_from(whole.len() / 4).ok()? - 1;
    let leading = groups.iter().take_while(|group| **group == 0).count();
    let kept = groups.get(leading..)?;
    let kept = &kept[..kept.iter().rposition(|group| *group != 0).map_or(0, |last| last + 1)];
    let weight = if kept.is_empty() { 0 } else { weight - i16::try_from(leading).ok()? };
    let mut bytes = head(kept.len(), weight, sign, fraction.len())?;
    kept.iter().for_each(|group| bytes.extend(group.to_be_bytes()));
    Some(bytes)
}

/// The most digits after the point that the header can say.
const SCALE_MAX: u16 = 0x3FFF;

pub(super) fn read_numeric(from: &mut Reader<'_>) -> Result<String, Wrong> {
    let wrong = |what: &str| Wrong::new("22P03", format!("invalid {what} in external \"numeric\" value"));
    let (count, weight, sign, scale) = (from.word()?, from.word()?, from.word()?, from.word()?);
    let special = SPECIAL.iter().find(|(known, _)| *known == sign);
    if special.is_none() && ![0, NEGATIVE].contains(&sign) {
        return Err(wrong("sign"));
    }
    if scale > SCALE_MAX {
        return Err(wrong("scale"));
    }
    let mut groups = Vec::new();
    for _ in 0..count {
        let group = from.word()?;
        if group > 9999 {
            return Err(wrong("digit"));
        }
        groups.push(group);
    }
    Ok(match special {
        Some((_, name)) => (*name).to_owned(),
        None => shown(&groups, weight.cast_signed(), sign == NEGATIVE, usize::from(scale)),
    })
}

/// Digits beyond the scale are not shown, and not part of the number.
fn shown(groups: &[u16], weight: i16, is_negative: bool, scale: usize) -> String {
    let weight = i32::from(weight);
    let group = |place: i32| {
        let at = usize::try_from(weight - place).ok();
        at.and_then(|at| groups.get(at)).copied().unwrap_or(0)
    };
    let whole: String = (0..=weight.max(0)).rev().map(|place| format!("{:04}", group(place))).collect();
    let whole = whole.trim_start_matches('0');
    let needed = i32::try_from(scale.div_ceil(4)).unwrap_or(0);
    let fraction: String = (1..=needed).map(|place| format!("{:04}", group(-place))).collect();
    let sign = if is_negative { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction.get(..scale) {
        Some("") | None => format!("{sign}{whole}"),
        Some(fraction) => format!("{sign}{whole}.{fraction}"),
    }
}
