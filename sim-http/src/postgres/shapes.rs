//! Modifiers of the types of shapes. The stand-in for the extension has no function that reads them: only their number counts
//! there. The extension itself reads the first two and leaves the others.

/// The types that have such modifiers.
pub(super) const TYPES: [&str; 2] = ["geography", "geometry"];

/// Kinds of shapes by their number in the stand-in.
const KINDS: [&str; 8] = [
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
];

/// What follows the name of a kind, by the flags of its dimensions.
const DIMENSIONS: [&str; 4] = ["", "z", "m", "zm"];

/// Reference systems by their number in the stand-in, from one on. Others are not checked.
const SYSTEMS: [&str; 2] = ["4326", "3857"];

/// Longer than any modifiers, in bytes.
const LONGEST: usize = 80;

/// Less than any number of modifiers that stands for something.
const BEFORE_CODES: usize = 3;

/// Where `rest`, which follows the name of a type, has the end of modifiers, and those to add there.
pub(super) fn added(name: &str, rest: &str) -> Option<(usize, String)> {
    let name = name.trim_matches('"').to_ascii_lowercase();
    if !TYPES.contains(&name.as_str()) {
        return None;
    }
    let open = rest.len() - rest.trim_start().len();
    let inside = rest[open..].strip_prefix('(')?;
    let inside = &inside[..inside.bytes().take(LONGEST).position(|byte| byte == b')')?];
    let (kind, system) = inside.split_once(',').map_or((inside, None), |(kind, rest)| (kind, Some(rest)));
    let kind = kind.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    let system = system.map(str::trim);
    if system.is_some_and(|system| system.is_empty() || system.contains(|c: char| !c.is_ascii_digit())) {
        return None;
    }
    let place = |all: &[&str], one: &str| all.iter().position(|known| *known == one);
    let (kind, flags) = (0..DIMENSIONS.len()).find_map(|flags| {
        let plain = kind.strip_suffix(DIMENSIONS[flags])?;
        Some((place(&KINDS, plain.trim_end())?, flags))
    })?;
    let system = match system {
        Some(system) => place(&SYSTEMS, system).map_or(0, |place| place + 1),
        None => usize::from(name == "geography"),
    };
    let given = 1 + usize::from(inside.contains(','));
    let wanted = BEFORE_CODES + kind + 8 * flags + 32 * system;
    Some((open + 1 + inside.len(), ",0".repeat(wanted - given)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_modifiers_says_what_they_are() {
        for (name, rest, number) in [
            ("geography", "(Point,4326) not null", Some(3 + 1 + 32)),
            ("GEOGRAPHY", " (POINT)", Some(3 + 1 + 32)),
            ("\"geometry\"", "(MultiPolygon, 3857)", Some(3 + 6 + 64)),
            ("geometry", "(PointZ,25832)", Some(3 + 1 + 8)),
            ("geometry", "(Geometry)", Some(3)),
            ("geometry", "(location)", None),
            ("geometry", "(point, srid)", None),
            ("geometry", " not null", None),
            ("point", "(1, 2)", None),
        ] {
            let found = added(name, rest).map(|(at, new)| {
                assert_eq!(rest.as_bytes()[at], b')');
                rest[..at].split(',').count() + new.len() / 2
            });
            assert_eq!(found, number, "{name}{rest}");
        }
    }
}
