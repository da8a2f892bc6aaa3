//! Functions, operators and aggregates of the extension `postgis`.
//!
//! Shapes are computed here in the plane (`plane`), or for `geography` in longitude and latitude (`sphere`). What would need a
//! geometry library (buffers, unions, intersections) is listed and refused by name.

mod cells;
mod lines;
mod made;
mod measured;
mod plane;
mod read;
mod related;
mod sphere;

use rusqlite::types::{Value, ValueRef};
use sim_values::value::geometry::{DECIMALS_OF_GEOJSON, Geometry, LONGITUDE_LATITUDE, Shape, geojson};

use super::text::own;
use super::{Arguments, Form, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

pub(super) use cells::FUNCTIONS as CELLS;
pub(super) use lines::FUNCTIONS as LINES;
pub(super) use made::FUNCTIONS as MADE;
pub(super) use measured::FUNCTIONS as MEASURED;
pub use read::FEATURE;
pub(super) use read::FUNCTIONS as READ;
pub(super) use related::FUNCTIONS as RELATED;

const B: Type = Type::BOOL;
const F: Type = Type::FLOAT8;
const G: Type = Type::GEOMETRY;
const I: Type = Type::INT4;
const L: Type = Type::GEOGRAPHY;
const T: Type = Type::TEXT;
const BOX: Type = Type::BOX2D;

/// A function of the extension.
const fn function(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("postgis")
}

const fn unsupported(name: &'static str, arguments: &'static [Type], returns: Type) -> Function {
    Function::of(name, arguments, returns, Form::Unsupported).of_extension("postgis")
}

/// The functions that need a geometry library.
pub(super) static UNSUPPORTED: &[Function] = &[
    unsupported("st_asgeojson", &[Type::RECORD, T, I, B], T)
        .named(&["r", "geom_column", "maxdecimaldigits", "pretty_bool"])
        .nullable(),
    unsupported("st_asmvt", &[Type::ANYELEMENT], Type::BYTEA),
    unsupported("st_asmvtgeom", &[G, BOX, I, I, B], G).optional(3),
    unsupported("<#>", &[G, G], F),
    unsupported("<<->>", &[G, G], F),
    unsupported("<<", &[G, G], B),
    unsupported(">>", &[G, G], B),
    unsupported("&<", &[G, G], B),
    unsupported("&>", &[G, G], B),
    unsupported("<<|", &[G, G], B),
    unsupported("|>>", &[G, G], B),
    unsupported("&&&", &[G, G], B),
    unsupported("st_affine", &[G, F, F, F, F, F, F], G),
    unsupported("st_buffer", &[G, F, T], G).optional(1),
    unsupported("st_buffer", &[G, F, I], G),
    unsupported("st_buffer", &[L, F, T], L).optional(1),
    unsupported("st_buffer", &[L, F, I], L),
    unsupported("st_concavehull", &[G, F, B], G).optional(1),
    unsupported("st_difference", &[G, G], G),
    unsupported("st_expand", &[BOX, F], BOX),
    unsupported("st_expand", &[G, F, F, F, F], G).optional(2),
    unsupported("st_force3d", &[G, F], G),
    unsupported("st_generatepoints", &[G, I], G),
    unsupported("st_intersection", &[G, G], G),
    unsupported("st_intersection", &[L, L], L),
    unsupported("st_linemerge", &[G], G),
    unsupported("st_pointonsurface", &[G], G),
    unsupported("st_relate", &[G, G, T], B),
    unsupported("st_scale", &[G, G, G], G).optional(1),
    unsupported("st_snaptogrid", &[G, F, F, F, F], G).optional(2),
    unsupported("st_subdivide", &[G, I], G).optional(1),
    unsupported("st_symdifference", &[G, G], G),
    unsupported("st_unaryunion", &[G], G),
    unsupported("st_union", &[G], G),
    unsupported("st_union", &[G, G], G),
    unsupported("st_union", &[Type::GEOMETRY_ARRAY], G),
];

/// Converts a shape to or from another type.
pub fn convert(from: Type, to: Type, value: ValueRef<'_>) -> Result<Value> {
    let text = value.as_str().unwrap_or_default();
    match (from, to, value) {
        (_, Type::GEOMETRY, ValueRef::Blob(bytes)) => stored(&Geometry::of_bytes(bytes)?),
        (_, Type::GEOGRAPHY, ValueRef::Blob(bytes)) => stored(&Geometry::of_bytes(bytes)?.geographic()?),
        (Type::POINT, Type::GEOMETRY, _) => {
            made::shape_of_point(text).map_or(Ok(Value::Null), |one| stored(&one))
        }
        (Type::GEOMETRY, Type::POINT, _) => match Geometry::stored(text).shape {
            Shape::Point(at) => {
                at.map_or(Ok(Value::Null), |at| sim_values::value::parse(to, &format!("({},{})", at.x, at.y)))
            }
            _ => Err(invalid("geometry_to_point only accepts Points")),
        },
        (Type::BOX2D, Type::GEOMETRY, _) => {
            made::shape_of_box(text).map_or(Ok(Value::Null), |one| stored(&one))
        }
        (_, Type::BOX2D, _) => Ok(made::box_of_shape(text).map_or(Value::Null, Value::Text)),
        (_, Type::GEOGRAPHY, _) => stored(&Geometry::stored(text).geographic()?),
        (Type::GEOMETRY, Type::JSON, _) => own(geojson(&Geometry::stored(text), DECIMALS_OF_GEOJSON, true)),
        (Type::GEOMETRY, Type::JSONB, _) => {
            sim_values::value::parse(to, &geojson(&Geometry::stored(text), DECIMALS_OF_GEOJSON, true))
        }
        (_, Type::BYTEA, _) => Ok(Value::Blob(Geometry::stored(text).bytes(true))),
        // The other types keep the text.
        _ => own(text.to_owned()),
    }
}

/// The shape in an argument. A text is read as one.
fn shape(a: &Arguments<'_, '_>, index: usize) -> Result<Geometry> {
    a.budget().work(a.text(index).len() / 4)?;
    Geometry::parse(a.text(index))
}

/// Two shapes with the same reference system.
fn pair(a: &Arguments<'_, '_>, name: &str) -> Result<(Geometry, Geometry)> {
    let (left, right) = (shape(a, 0)?, shape(a, 1)?);
    same_system(&left, &right, name)?;
    Ok((left, right))
}

fn same_system(left: &Geometry, right: &Geometry, name: &str) -> Result<()> {
    if left.srid == right.srid {
        return Ok(());
    }
    let (kind, other) = (left.shape.kind().name(), right.shape.kind().name());
    let (srid, other_srid) = (left.srid, right.srid);
    Err(invalid(format!(
        "{name}: Operation on mixed SRID geometries ({kind}, {srid}) != ({other}, {other_srid})"
    )))
}

fn invalid(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message.into())
}

fn stored(geometry: &Geometry) -> Result<Value> {
    own(geometry.to_string())
}

/// The same with other points.
fn with(geometry: Geometry, shape: Shape) -> Result<Value> {
    stored(&Geometry { shape, ..geometry })
}

fn number(value: Option<f64>) -> Result<Value> {
    Ok(value.map_or(Value::Null, Value::Real))
}

fn whole(value: usize) -> Result<Value> {
    Ok(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn truth(value: bool) -> Result<Value> {
    Ok(Value::Integer(i64::from(value)))
}

/// A shape of longitude and latitude.
fn geographic(a: &Arguments<'_, '_>, index: usize) -> Result<Geometry> {
    let read = shape(a, index)?;
    Ok(if read.srid == 0 { Geometry { srid: LONGITUDE_LATITUDE, ..read } } else { read })
}
