//! GeoJSON.

use serde_json::Value as Json;

use super::words::number;
use super::{Coordinate, DEPTH_MAX, Dimensions, Geometry, Kind, LONGITUDE_LATITUDE, Shape, malformed};
use crate::error::Result;

/// A shape as GeoJSON with at most so many decimals. A reference system other than longitude and latitude is named.
pub fn geojson(geometry: &Geometry, decimals: usize, names_system: bool) -> String {
    let system = match geometry.srid {
        srid if names_system && srid != 0 && srid != LONGITUDE_LATITUDE => {
            format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"EPSG:{srid}\"}}}},")
        }
        _ => String::new(),
    };
    // GeoJSON has no measures.
    let writer = Writer { dimensions: Dimensions { m: false, ..geometry.dimensions }, decimals };
    writer.shape(&geometry.shape, &system)
}

struct Writer {
    dimensions: Dimensions,
    decimals: usize,
}

impl Writer {
    fn shape(&self, shape: &Shape, system: &str) -> String {
        let kind = shape.kind().name();
        let (member, body) = match shape {
            Shape::Collection(Kind::GeometryCollection, members) => {
                ("geometries", list(members, |member| self.shape(member, "")))
            }
            _ => ("coordinates", self.body(shape)),
        };
        format!("{{\"type\":\"{kind}\",{system}\"{member}\":{body}}}")
    }

    fn body(&self, shape: &Shape) -> String {
        match shape {
            Shape::Point(at) => at.as_ref().map_or_else(|| "[]".to_owned(), |at| self.point(at)),
            Shape::Line(line) => list(line, |at| self.point(at)),
            Shape::Polygon(rings) => list(rings, |ring| list(ring, |at| self.point(at))),
            Shape::Collection(_, members) => list(members, |member| self.body(member)),
        }
    }

    fn point(&self, at: &Coordinate) -> String {
        let numbers = self.dimensions.numbers(at).map(|value| number(value, self.decimals));
        format!("[{}]", numbers.collect::<Vec<_>>().join(","))
    }
}

fn list<T>(items: &[T], write: impl FnMut(&T) -> String) -> String {
    format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(","))
}

pub(super) fn read(text: &str) -> Result<Geometry> {
    let json: Json =
        serde_json::from_str(text).map_err(|error| malformed(format!("invalid GeoJson: {error}")))?;
    let mut has_z = false;
    let shape = shape(&json, &mut has_z, 0)?;
    let named = json.pointer("/crs/properties/name").and_then(Json::as_str);
    let srid = named.and_then(|name| name.rsplit(':').next()?.parse().ok()).unwrap_or(LONGITUDE_LATITUDE);
    Ok(Geometry { srid, dimensions: Dimensions { z: has_z, m: false }, shape })
}

fn invalid() -> crate::error::SqlError {
    malformed("invalid GeoJson representation")
}

fn shape(json: &Json, has_z: &mut bool, depth: usize) -> Result<Shape> {
    if depth > DEPTH_MAX {
        return Err(malformed("Geometry has too many chained collections"));
    }
    let kind = json.get("type").and_then(Json::as_str).and_then(Kind::named).ok_or_else(invalid)?;
    let member = if kind == Kind::GeometryCollection { "geometries" } else { "coordinates" };
    let items = json.get(member).and_then(Json::as_array).ok_or_else(invalid)?;
    match kind {
        Kind::GeometryCollection => {
            let members = items.iter().map(|item| shape(item, has_z, depth + 1));
            Ok(Shape::Collection(kind, members.collect::<Result<_>>()?))
        }
        _ => body(kind, items, has_z),
    }
}

fn body(kind: Kind, items: &[Json], has_z: &mut bool) -> Result<Shape> {
    match kind {
        Kind::Point if items.is_empty() => Ok(Shape::Point(None)),
        Kind::Point => Ok(Shape::Point(Some(point(items, has_z)?))),
        Kind::LineString => Shape::Line(line(items, has_z)?).checked(),
        Kind::Polygon => {
            let rings = items.iter().map(|ring| line(ring.as_array().ok_or_else(invalid)?, has_z));
            Shape::Polygon(rings.collect::<Result<_>>()?).checked()
        }
        _ => {
            let member = kind.member().ok_or_else(invalid)?;
            let members = items.iter().map(|item| body(member, item.as_array().ok_or_else(invalid)?, has_z));
            Ok(Shape::Collection(kind, members.collect::<Result<_>>()?))
        }
    }
}

fn line(items: &[Json], has_z: &mut bool) -> Result<Vec<Coordinate>> {
    items.iter().map(|item| point(item.as_array().ok_or_else(invalid)?, has_z)).collect()
}

fn point(items: &[Json], has_z: &mut bool) -> Result<Coordinate> {
    let number = |index: usize| items.get(index).and_then(Json::as_f64);
    let (Some(x), Some(y)) = (number(0), number(1)) else { return Err(invalid()) };
    let z = number(2);
    *has_z |= z.is_some();
    Ok(Coordinate { z: z.unwrap_or_default(), ..Coordinate::of(x, y) })
}
