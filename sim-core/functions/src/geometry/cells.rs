//! Tiles of maps, and the cells that letters name.

use rusqlite::types::Value;
use sim_values::value::geometry::{Coordinate, Geometry, Shape, WEB_MAP};

use super::made::{HALF, box_text};
use super::plane::Bounds;
use super::read::LETTERS;
use super::{BOX, F, G, I, T, function, invalid, shape, stored};
use crate::text::own;
use crate::{Arguments, Function};
use sim_values::error::Result;

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_tileenvelope", &[I, I, I, G, F], G, tile)
        .named(&["zoom", "x", "y", "bounds", "margin"])
        .nullable()
        .optional(2),
    function("st_geomfromgeohash", &[T, I], G, |a| stored(&Geometry::of(0, cell(a)?.shape()))).optional(1),
    function("st_pointfromgeohash", &[T, I], G, |a| {
        let Bounds { least, most } = cell(a)?;
        let middle = |least: f64, most: f64| least + (most - least) / 2.0;
        let at = Coordinate::of(middle(least.x, most.x), middle(least.y, most.y));
        stored(&Geometry::of(0, Shape::Point(Some(at))))
    })
    .optional(1),
    function("st_box2dfromgeohash", &[T, I], BOX, |a| own(box_text(Some(cell(a)?), None))).optional(1),
];

/// The area of a tile of a map.
fn tile(a: &Arguments<'_, '_>) -> Result<Value> {
    const ZOOM_MAX: i64 = 31;
    if (0..3).any(|index| a.is_null(index)) {
        return Ok(Value::Null);
    }
    let (srid, bounds) = match a.is_null(3) {
        true => {
            let corner = |place: f64| Coordinate::of(place, place);
            (WEB_MAP, Some(Bounds { least: corner(-HALF), most: corner(HALF) }))
        }
        false => {
            let read = shape(a, 3)?;
            (read.srid, Bounds::of(&read.shape))
        }
    };
    let margin = a.real(4);
    let too_small = || invalid("ST_TileEnvelope: Geometric bounds are too small");
    let Bounds { least, most } = bounds.ok_or_else(too_small)?;
    let (width, height) = (most.x - least.x, most.y - least.y);
    if width <= 0.0 || height <= 0.0 {
        return Err(too_small());
    }
    if margin < -0.5 {
        return Err(invalid(format!("ST_TileEnvelope: Margin must not be less than -50%, {margin:.6}")));
    }
    let zoom = a.int(0);
    if !(0..=ZOOM_MAX).contains(&zoom) {
        return Err(invalid(format!("ST_TileEnvelope: Invalid tile zoom value, {zoom}")));
    }
    let tiles = 1_i64 << zoom;
    for (index, axis) in [(1, 'x'), (2, 'y')] {
        if !(0..tiles).contains(&a.int(index)) {
            return Err(invalid(format!("ST_TileEnvelope: Invalid tile {axis} value, {}", a.int(index))));
        }
    }
    let (x, y, tiles) = (a.real(1), a.real(2), tiles as f64);
    let (across, up) = (width / tiles, height / tiles);
    let mut found = Bounds {
        least: Coordinate::of(least.x + across * (x - margin), most.y - up * (y + 1.0 + margin)),
        most: Coordinate::of(least.x + across * (x + 1.0 + margin), most.y - up * (y - margin)),
    };
    // Tiles go around the Earth, but not over its poles.
    if 1.0 + margin * 2.0 > tiles {
        (found.least.x, found.most.x) = (least.x, most.x);
    }
    (found.least.y, found.most.y) = (found.least.y.max(least.y), found.most.y.min(most.y));
    stored(&Geometry::of(srid, found.area()))
}

/// The cell with these letters.
fn cell(a: &Arguments<'_, '_>) -> Result<Bounds> {
    let letters = a.text(0);
    a.budget().work(letters.len())?;
    let all = letters.chars().count();
    let count = usize::try_from(a.int(1)).ok().filter(|count| a.len() > 1 && *count <= all).unwrap_or(all);
    let (mut across, mut up) = ((-180.0, 180.0), (-90.0, 90.0));
    let mut is_across = true;
    for letter in letters.chars().take(count) {
        let found = LETTERS.iter().position(|known| char::from(*known) == letter.to_ascii_lowercase());
        let bits =
            found.ok_or_else(|| invalid(format!("decode_geohash_bbox: Invalid character '{letter}'")))?;
        for bit in (0..5).rev() {
            let range = if is_across { &mut across } else { &mut up };
            let middle = f64::midpoint(range.0, range.1);
            if bits >> bit & 1 == 1 {
                range.0 = middle;
            } else {
                range.1 = middle;
            }
            is_across = !is_across;
        }
    }
    Ok(Bounds { least: Coordinate::of(across.0, up.0), most: Coordinate::of(across.1, up.1) })
}
