//! What shows shapes, and tells their parts.

use rusqlite::types::Value;
use serde_json::json;
use sim_values::value::array;
use sim_values::value::geometry::{self, Coordinate, DECIMALS_OF_GEOJSON, Dimensions, Geometry, Shape};

use super::plane::{self, Bounds, Parts};
use super::{B, F, G, I, L, T, function, invalid, number, shape, truth, whole, with};
use crate::text::own;
use crate::{Arguments, Function};
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;

/// The decimals of words, if none are asked for.
const DECIMALS: usize = 15;

const DUMPED: &[(&str, Type)] = &[("path", Type(1007)), ("geom", G)];

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_astext", &[G, I], T, |a| as_words(a, false)).optional(1),
    function("st_astext", &[L, I], T, |a| as_words(a, false)).optional(1),
    function("st_astext", &[T], T, |a| as_words(a, false)),
    function("st_asewkt", &[G, I], T, |a| as_words(a, true)).optional(1),
    function("st_asewkt", &[L, I], T, |a| as_words(a, true)).optional(1),
    function("st_asewkt", &[T], T, |a| as_words(a, true)),
    function("st_asgeojson", &[G, I, I], T, as_geojson).optional(2),
    function("st_asgeojson", &[L, I, I], T, |a| geojson_with(a, 0)).optional(2),
    function("st_asgeojson", &[T], T, |a| geojson_with(a, 0)),
    function(FEATURE, &[T, B, Type::AS_JSON], T, feature).nullable().variadic(),
    function("st_asbinary", &[G], Type::BYTEA, |a| Ok(Value::Blob(shape(a, 0)?.bytes(false)))),
    function("st_asbinary", &[L], Type::BYTEA, |a| Ok(Value::Blob(shape(a, 0)?.bytes(false)))),
    function("st_asewkb", &[G], Type::BYTEA, |a| Ok(Value::Blob(shape(a, 0)?.bytes(true)))),
    function("st_ashexewkb", &[G], T, |a| own(shape(a, 0)?.to_string())),
    function("st_geohash", &[G, I], T, geohash).optional(1),
    function("st_geohash", &[L, I], T, geohash).optional(1),
    function("st_x", &[G], F, |a| of_point(a, "ST_X", |_, at| Some(at.x))),
    function("st_y", &[G], F, |a| of_point(a, "ST_Y", |_, at| Some(at.y))),
    function("st_z", &[G], F, |a| of_point(a, "ST_Z", |read, at| read.dimensions.z.then_some(at.z))),
    function("st_m", &[G], F, |a| of_point(a, "ST_M", |read, at| read.dimensions.m.then_some(at.m))),
    function("st_xmin", &[G], F, |a| of_bounds(a, |bounds| bounds.least.x)),
    function("st_xmax", &[G], F, |a| of_bounds(a, |bounds| bounds.most.x)),
    function("st_ymin", &[G], F, |a| of_bounds(a, |bounds| bounds.least.y)),
    function("st_ymax", &[G], F, |a| of_bounds(a, |bounds| bounds.most.y)),
    function("st_zmin", &[G], F, |a| of_bounds(a, |bounds| bounds.least.z)),
    function("st_zmax", &[G], F, |a| of_bounds(a, |bounds| bounds.most.z)),
    function("st_srid", &[G], I, |a| Ok(Value::Integer(shape(a, 0)?.srid.into()))),
    function("st_srid", &[L], I, |a| Ok(Value::Integer(shape(a, 0)?.srid.into()))),
    function("geometrytype", &[G], T, kind_in_capitals),
    function("geometrytype", &[L], T, kind_in_capitals),
    function("st_geometrytype", &[G], T, |a| own(format!("ST_{}", shape(a, 0)?.shape.kind().name()))),
    function("st_dimension", &[G], I, |a| {
        let read = shape(a, 0)?;
        let parts = Parts::of(&read.shape);
        let lines = usize::from(!parts.lines.is_empty());
        whole(if parts.areas.is_empty() { lines } else { 2 })
    }),
    function("st_coorddim", &[G], Type::INT2, |a| whole(shape(a, 0)?.dimensions.count())),
    function("st_ndims", &[G], Type::INT2, |a| whole(shape(a, 0)?.dimensions.count())),
    function("st_npoints", &[G], I, |a| whole(points(&shape(a, 0)?.shape).len())),
    function("st_numpoints", &[G], I, |a| match shape(a, 0)?.shape {
        Shape::Line(line) => whole(line.len()),
        _ => Ok(Value::Null),
    }),
    function("st_pointn", &[G, I], G, |a| point_of_line(a, a.int(1))),
    function("st_startpoint", &[G], G, |a| point_of_line(a, 1)),
    function("st_endpoint", &[G], G, |a| point_of_line(a, -1)),
    function("st_numgeometries", &[G], I, |a| match shape(a, 0)?.shape {
        Shape::Collection(_, members) => whole(members.len()),
        single => whole(usize::from(!single.is_empty())),
    }),
    function("st_geometryn", &[G, I], G, |a| {
        let read = shape(a, 0)?;
        let index = usize::try_from(a.int(1) - 1).unwrap_or(usize::MAX);
        let found = match &read.shape {
            Shape::Collection(_, members) => members.get(index).cloned(),
            single => (index == 0).then(|| single.clone()),
        };
        found.map_or(Ok(Value::Null), |found| with(read, found))
    }),
    function("st_exteriorring", &[G], G, |a| ring(a, 0)),
    function("st_interiorringn", &[G, I], G, |a| ring(a, a.int(1).max(0))),
    function("st_numinteriorrings", &[G], I, holes),
    function("st_numinteriorring", &[G], I, holes),
    function("st_isempty", &[G], B, |a| truth(shape(a, 0)?.shape.is_empty())),
    function("st_isvalid", &[G], B, |a| truth(is_valid(a, &shape(a, 0)?)?)),
    function("st_isvalidreason", &[G], T, |a| {
        if !is_valid(a, &shape(a, 0)?)? {
            return Err(SqlError::unsupported("the reason why a shape is not valid"));
        }
        own("Valid Geometry".to_owned())
    }),
    function("st_iscollection", &[G], B, |a| truth(matches!(shape(a, 0)?.shape, Shape::Collection(..)))),
    function("st_zmflag", &[G], Type::INT2, |a| {
        let Dimensions { z, m } = shape(a, 0)?.dimensions;
        whole(2 * usize::from(z) + usize::from(m))
    }),
    function("st_nrings", &[G], I, |a| {
        whole(Parts::of(&shape(a, 0)?.shape).areas.iter().map(|rings| rings.len()).sum())
    }),
    function("st_isclosed", &[G], B, |a| {
        truth(match shape(a, 0)?.shape {
            Shape::Line(line) => line.first().zip(line.last()).is_some_and(|(first, last)| first == last),
            _ => true,
        })
    }),
    Function::set("st_dump", &[G], Type::RECORD, DUMPED, dump).of_extension("postgis"),
    Function::set("st_dumppoints", &[G], Type::RECORD, DUMPED, dump_points).of_extension("postgis"),
    function("postgis_version", &[], T, |_| own("3.3 USE_GEOS=0 USE_PROJ=0 USE_STATS=0".to_owned())),
    function("postgis_lib_version", &[], T, |_| own("3.3.7".to_owned())),
    function("postgis_full_version", &[], T, |_| {
        own("POSTGIS=\"3.3.7\" [EXTENSION] PGSQL=\"150\"".to_owned())
    }),
];

fn holes(a: &Arguments<'_, '_>) -> Result<Value> {
    match shape(a, 0)?.shape {
        Shape::Polygon(rings) => whole(rings.len().saturating_sub(1)),
        _ => Ok(Value::Null),
    }
}

fn decimals(a: &Arguments<'_, '_>, index: usize, default: usize) -> usize {
    if a.len() > index { usize::try_from(a.int(index)).unwrap_or(0).min(DECIMALS) } else { default }
}

fn as_words(a: &Arguments<'_, '_>, extended: bool) -> Result<Value> {
    own(geometry::words(&shape(a, 0)?, decimals(a, 1, DECIMALS), extended))
}

/// Names the reference system unless it is longitude and latitude.
const NAME_OF_OTHERS: i64 = 8;

fn as_geojson(a: &Arguments<'_, '_>) -> Result<Value> {
    geojson_with(a, NAME_OF_OTHERS)
}

fn geojson_with(a: &Arguments<'_, '_>, default: i64) -> Result<Value> {
    const SHORT_NAME: i64 = 2;
    const LONG_NAME: i64 = 4;
    let options = if a.len() > 2 { a.int(2) } else { default };
    let names_system = options & (SHORT_NAME | LONG_NAME | NAME_OF_OTHERS) != 0;
    own(geometry::geojson(&shape(a, 0)?, decimals(a, 1, DECIMALS_OF_GEOJSON), names_system))
}

/// `ST_AsGeoJSON` of a row. Its arguments are the shape as GeoJSON, whether it is for people, and the names and values of the other
/// columns.
pub const FEATURE: &str = "pg_feature";

fn feature(a: &Arguments<'_, '_>) -> Result<Value> {
    let shape = if a.is_null(0) { "{\"type\": null}" } else { a.text(0) };
    let item = |index: usize| if a.is_null(index) { "null" } else { a.text(index) };
    let pairs = (2..a.len()).step_by(2).map(|index| format!("{}: {}", item(index), item(index + 1)));
    let properties = pairs.collect::<Vec<_>>().join(if a.bool(1) { ",\n " } else { ", " });
    own(format!("{{\"type\": \"Feature\", \"geometry\": {shape}, \"properties\": {{{properties}}}}}"))
}

fn kind_in_capitals(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let measured = if read.dimensions.m && !read.dimensions.z { "M" } else { "" };
    own(format!("{}{measured}", read.shape.kind().name().to_uppercase()))
}

fn of_point(
    a: &Arguments<'_, '_>,
    name: &str,
    read: fn(&Geometry, &Coordinate) -> Option<f64>,
) -> Result<Value> {
    let geometry = shape(a, 0)?;
    match &geometry.shape {
        Shape::Point(at) => number(at.as_ref().and_then(|at| read(&geometry, at))),
        _ => Err(invalid(format!("Argument to {name}() must have type POINT"))),
    }
}

fn of_bounds(a: &Arguments<'_, '_>, read: fn(&Bounds) -> f64) -> Result<Value> {
    number(Bounds::of(&shape(a, 0)?.shape).as_ref().map(read))
}

fn points(shape: &Shape) -> Vec<Coordinate> {
    let mut points = Vec::new();
    shape.each(&mut |at| points.push(*at));
    points
}

/// The point of a line with this number; those of the end are negative.
fn point_of_line(a: &Arguments<'_, '_>, index: i64) -> Result<Value> {
    let read = shape(a, 0)?;
    let Shape::Line(line) = &read.shape else { return Ok(Value::Null) };
    let place = if index < 0 { line.len() as i64 + index } else { index - 1 };
    let found = usize::try_from(place).ok().and_then(|place| line.get(place)).copied();
    found.map_or(Ok(Value::Null), |at| with(read, Shape::Point(Some(at))))
}

fn ring(a: &Arguments<'_, '_>, index: i64) -> Result<Value> {
    let read = shape(a, 0)?;
    let Shape::Polygon(rings) = &read.shape else { return Ok(Value::Null) };
    let found = usize::try_from(index).ok().and_then(|index| rings.get(index)).cloned();
    found.map_or(Ok(Value::Null), |ring| with(read, Shape::Line(ring)))
}

/// Whether the rings of all areas have an area and do not cross themselves or each other.
pub(super) fn is_valid(a: &Arguments<'_, '_>, read: &Geometry) -> Result<bool> {
    let parts = Parts::of(&read.shape);
    plane::charge(&parts, &parts, 1, a.budget())?;
    Ok(parts.areas.iter().all(|rings| {
        rings.iter().all(|ring| plane::area_of_ring(ring) != 0.0) && !plane::has_crossing(rings)
    }))
}

fn dump(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let mut rows = Vec::new();
    let whole = read.shape.clone();
    parts_with_paths(&whole, &mut Vec::new(), &mut |path, part| {
        rows.push(json!([
            json!(path).to_string(),
            Geometry { shape: part.clone(), ..read.clone() }.to_string()
        ]));
    });
    Ok(array::of(rows))
}

fn parts_with_paths(shape: &Shape, path: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize], &Shape)) {
    let Shape::Collection(_, members) = shape else { return visit(path, shape) };
    for (index, member) in members.iter().enumerate() {
        path.push(index + 1);
        parts_with_paths(member, path, visit);
        path.pop();
    }
}

fn dump_points(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let mut rows = Vec::new();
    let mut add = |path: &[usize], at: &Coordinate| {
        let shape = Shape::Point(Some(*at));
        rows.push(json!([json!(path).to_string(), Geometry { shape, ..read.clone() }.to_string()]));
    };
    parts_with_paths(&read.shape, &mut Vec::new(), &mut |path, part| match part {
        Shape::Point(at) => at.iter().for_each(|at| add(path, at)),
        Shape::Line(line) => {
            line.iter().enumerate().for_each(|(index, at)| add(&[path, &[index + 1]].concat(), at));
        }
        Shape::Polygon(rings) => {
            for (number, ring) in rings.iter().enumerate() {
                let path = [path, &[number + 1]].concat();
                ring.iter().enumerate().for_each(|(index, at)| add(&[&path[..], &[index + 1]].concat(), at));
            }
        }
        Shape::Collection(..) => {}
    });
    Ok(array::of(rows))
}

/// The letters of cells.
pub(super) const LETTERS: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";

/// The letters of the cell that a point is in.
fn geohash(a: &Arguments<'_, '_>) -> Result<Value> {
    const LONGEST: usize = 20;
    let read = shape(a, 0)?;
    let Shape::Point(at) = read.shape else {
        return Err(SqlError::unsupported("ST_GeoHash of another shape than a point"));
    };
    let Some(at) = at else { return Ok(Value::Null) };
    if at.x.abs() > 180.0 || at.y.abs() > 90.0 {
        return Err(invalid(format!(
            "Geohash requires inputs in decimal degrees, got ({} {}, {} {}).",
            at.x, at.y, at.x, at.y
        )));
    }
    let length = if a.len() > 1 && a.int(1) > 0 { a.int(1) as usize } else { LONGEST };
    let (mut across, mut up) = ((-180.0, 180.0), (-90.0, 90.0));
    let mut halve = |is_across: bool| {
        let (range, value) = if is_across { (&mut across, at.x) } else { (&mut up, at.y) };
        let middle = f64::midpoint(range.0, range.1);
        let is_upper = value >= middle;
        if is_upper {
            range.0 = middle;
        } else {
            range.1 = middle;
        }
        usize::from(is_upper)
    };
    let letter = |number: usize| {
        let bits = (0..5).fold(0, |bits, bit| bits << 1 | halve((number * 5 + bit).is_multiple_of(2)));
        char::from(LETTERS[bits])
    };
    own((0..length.min(LONGEST)).map(letter).collect())
}
