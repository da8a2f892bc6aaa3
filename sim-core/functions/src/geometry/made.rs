//! What makes shapes: of numbers, texts and other shapes.

use rusqlite::types::Value;
use sim_values::value::array;
use sim_values::value::geometry::{
    Coordinate, Dimensions, Geometry, Kind, LONGITUDE_LATITUDE, Shape, WEB_MAP,
};

use super::plane::{self, Bounds, Parts};
use super::read::is_valid;
use super::{B, BOX, F, G, I, L, T, function, geographic, invalid, pair, shape, stored, with};
use crate::text::own;
use crate::{Accumulator, Arguments, Function};
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;

const LIST: Type = Type::GEOMETRY_ARRAY;

const fn aggregate(name: &'static str, returns: Type, start: fn() -> Box<dyn Accumulator>) -> Function {
    Function::aggregate(name, &[G], returns, start).of_extension("postgis")
}

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_makepoint", &[F, F], G, point),
    function("st_makepoint", &[F, F, F], G, point),
    function("st_makepoint", &[F, F, F, F], G, point),
    function("st_point", &[F, F], G, point),
    function("st_point", &[F, F, I], G, |a| point_in(a, 2)),
    function("st_pointz", &[F, F, F, I], G, |a| point_in(a, 3)).optional(1),
    function("st_makepointm", &[F, F, F], G, point_with_measure),
    function("st_pointm", &[F, F, F, I], G, point_with_measure).optional(1),
    function("st_pointzm", &[F, F, F, F, I], G, |a| point_in(a, 4)).optional(1),
    function("st_geomfromtext", &[T, I], G, of_text).optional(1),
    function("st_geometryfromtext", &[T, I], G, of_text).optional(1),
    function("st_pointfromtext", &[T, I], G, |a| of_kind(a, Kind::Point)).optional(1),
    function("st_linefromtext", &[T, I], G, |a| of_kind(a, Kind::LineString)).optional(1),
    function("st_polygonfromtext", &[T, I], G, |a| of_kind(a, Kind::Polygon)).optional(1),
    function("st_polyfromtext", &[T, I], G, |a| of_kind(a, Kind::Polygon)).optional(1),
    function("st_mpointfromtext", &[T, I], G, |a| of_kind(a, Kind::MultiPoint)).optional(1),
    function("st_multipointfromtext", &[T], G, |a| of_kind(a, Kind::MultiPoint)),
    function("st_mlinefromtext", &[T, I], G, |a| of_kind(a, Kind::MultiLineString)).optional(1),
    function("st_multilinestringfromtext", &[T, I], G, |a| of_kind(a, Kind::MultiLineString)).optional(1),
    function("st_mpolyfromtext", &[T, I], G, |a| of_kind(a, Kind::MultiPolygon)).optional(1),
    function("st_multipolygonfromtext", &[T, I], G, |a| of_kind(a, Kind::MultiPolygon)).optional(1),
    function("st_geomcollfromtext", &[T, I], G, |a| of_kind(a, Kind::GeometryCollection)).optional(1),
    function("st_wkttosql", &[T], G, of_text),
    function("st_geomfromewkt", &[T], G, of_text),
    function("st_geogfromtext", &[T], L, |a| stored(&shape(a, 0)?.geographic()?)),
    function("st_geographyfromtext", &[T], L, |a| stored(&shape(a, 0)?.geographic()?)),
    function("st_geomfromwkb", &[Type::BYTEA, I], G, of_bytes).optional(1),
    function("st_geomfromewkb", &[Type::BYTEA], G, of_bytes),
    function("st_geogfromwkb", &[Type::BYTEA], L, |a| stored(&Geometry::of_bytes(a.bytes(0))?.geographic()?)),
    function("st_geomfromgeojson", &[T], G, of_geojson),
    function("st_geomfromgeojson", &[Type::JSON], G, of_geojson),
    function("st_geomfromgeojson", &[Type::JSONB], G, of_geojson),
    function("st_makeenvelope", &[F, F, F, F, I], G, envelope_of_numbers).optional(1),
    function("st_makebox2d", &[G, G], BOX, |a| {
        let (left, right) = pair(a, "ST_MakeBox2D")?;
        own(box_text(Bounds::of(&left.shape), Bounds::of(&right.shape)))
    }),
    function("st_makeline", &[G, G], G, |a| {
        let (left, right) = pair(a, "ST_MakeLine")?;
        stored(&line_of([left, right]))
    }),
    function("st_makeline", &[LIST], G, |a| stored(&line_of(members(a)?))),
    function("st_collect", &[G, G], G, |a| {
        let (left, right) = pair(a, "ST_Collect")?;
        stored(&collected([left, right]))
    }),
    function("st_collect", &[LIST], G, |a| stored(&collected(members(a)?))),
    aggregate("st_makeline", G, || Box::new(Gathered { kept: Vec::new(), make: |all| line_of(all) })),
    aggregate("st_collect", G, || Box::new(Gathered { kept: Vec::new(), make: |all| collected(all) })),
    aggregate("st_extent", BOX, || Box::new(Extent(None))),
    function("st_makepolygon", &[G], G, |a| polygon(shape(a, 0)?)),
    function("st_polygon", &[G, I], G, |a| polygon(Geometry { srid: srid(a, 1), ..shape(a, 0)? })),
    function("st_setsrid", &[G, I], G, |a| stored(&Geometry { srid: srid(a, 1), ..shape(a, 0)? })),
    function("st_setsrid", &[L, I], L, |a| {
        stored(&Geometry { srid: srid(a, 1), ..shape(a, 0)? }.geographic()?)
    }),
    function("st_multi", &[G], G, |a| {
        let read = shape(a, 0)?;
        let multi = match read.shape.clone() {
            Shape::Collection(kind, members) => Shape::Collection(kind, members),
            single if single.is_empty() => Shape::Collection(single.kind().collected(), Vec::new()),
            single => Shape::Collection(single.kind().collected(), vec![single]),
        };
        with(read, multi)
    }),
    function("st_envelope", &[G], G, |a| {
        let read = shape(a, 0)?;
        let bounds = Bounds::of(&read.shape);
        let shape = bounds.map_or_else(|| read.shape.clone(), |bounds| bounds.shape());
        stored(&Geometry::of(read.srid, shape))
    }),
    function("st_expand", &[G, F], G, |a| {
        let read = shape(a, 0)?;
        let Some(Bounds { least, most }) = Bounds::of(&read.shape) else { return stored(&read) };
        let by = a.real(1);
        let bounds = Bounds {
            least: Coordinate::of(least.x - by, least.y - by),
            most: Coordinate::of(most.x + by, most.y + by),
        };
        stored(&Geometry::of(read.srid, bounds.area()))
    }),
    function("st_centroid", &[G], G, centroid),
    function("st_centroid", &[T], G, centroid),
    function("st_convexhull", &[G], G, |a| {
        let read = shape(a, 0)?;
        stored(&Geometry::of(read.srid, plane::hull(&read.shape)))
    }),
    function("st_simplify", &[G, F, B], G, simplified).optional(1),
    function("st_makevalid", &[G], G, |a| {
        let read = shape(a, 0)?;
        if !is_valid(a, &read)? {
            return Err(SqlError::unsupported("ST_MakeValid of a shape that is not valid"));
        }
        stored(&read)
    }),
    function("st_collectionextract", &[G, I], G, extracted).optional(1),
    function("st_boundary", &[G], G, boundary),
    function("st_force2d", &[G], G, |a| {
        stored(&Geometry { dimensions: Dimensions::default(), ..shape(a, 0)? })
    }),
    function("st_force3d", &[G], G, |a| {
        stored(&Geometry { dimensions: Dimensions { z: true, m: false }, ..shape(a, 0)? })
    }),
    function("st_flipcoordinates", &[G], G, |a| changed(a, &|at| Coordinate { x: at.y, y: at.x, ..*at })),
    function("st_translate", &[G, F, F], G, |a| {
        let (x, y) = (a.real(1), a.real(2));
        changed(a, &|at| Coordinate { x: at.x + x, y: at.y + y, ..*at })
    }),
    function("st_scale", &[G, F, F], G, |a| {
        let (x, y) = (a.real(1), a.real(2));
        changed(a, &|at| Coordinate { x: at.x * x, y: at.y * y, ..*at })
    }),
    function("st_snaptogrid", &[G, F], G, |a| {
        let size = a.real(1);
        let snapped = |value: f64| if size > 0.0 { (value / size).round_ties_even() * size } else { value };
        changed(a, &|at| Coordinate { x: snapped(at.x), y: snapped(at.y), ..*at })
    }),
    function("st_reverse", &[G], G, |a| {
        let read = shape(a, 0)?;
        let reversed = reversed(&read.shape);
        with(read, reversed)
    }),
    function("st_transform", &[G, I], G, transformed),
    function("st_project", &[L, F, F], L, |a| {
        let read = geographic(a, 0)?;
        let Shape::Point(Some(from)) = read.shape else {
            return Err(invalid("ST_Project(geography) is only valid for point inputs"));
        };
        let to = super::sphere::Earth::of(true).away(&from, a.real(1), a.real(2).to_degrees());
        with(read, Shape::Point(Some(to)))
    }),
    function("st_closestpoint", &[G, G], G, closest),
];

pub(super) fn srid(a: &Arguments<'_, '_>, index: usize) -> i32 {
    i32::try_from(a.int(index)).unwrap_or_default().clamp(0, 999_999)
}

fn point(a: &Arguments<'_, '_>) -> Result<Value> {
    point_in(a, usize::MAX)
}

fn point_with_measure(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = Coordinate { m: a.real(2), ..Coordinate::of(a.real(0), a.real(1)) };
    let srid = if a.len() > 3 { srid(a, 3) } else { 0 };
    stored(&Geometry { srid, dimensions: Dimensions { z: false, m: true }, shape: Shape::Point(Some(at)) })
}

/// The point of the numbers before the argument `system`.
fn point_in(a: &Arguments<'_, '_>, system: usize) -> Result<Value> {
    let count = a.len().min(system);
    let number = |index: usize| if index < count { a.real(index) } else { 0.0 };
    let at = Coordinate { x: number(0), y: number(1), z: number(2), m: number(3) };
    let dimensions = Dimensions { z: count > 2, m: count > 3 };
    let srid = if a.len() > system { srid(a, system) } else { 0 };
    stored(&Geometry { srid, dimensions, shape: Shape::Point(Some(at)) })
}

fn of_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    stored(&if a.len() > 1 { Geometry { srid: srid(a, 1), ..read } } else { read })
}

/// The same, but nothing if the text is of another kind.
fn of_kind(a: &Arguments<'_, '_>, kind: Kind) -> Result<Value> {
    if shape(a, 0)?.shape.kind() == kind { of_text(a) } else { Ok(Value::Null) }
}

fn of_bytes(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget().work(a.bytes(0).len() / 2)?;
    let read = Geometry::of_bytes(a.bytes(0))?;
    stored(&if a.len() > 1 { Geometry { srid: srid(a, 1), ..read } } else { read })
}

fn of_geojson(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget().work(a.text(0).len() / 4)?;
    stored(&Geometry::of_geojson(a.text(0))?)
}

fn envelope_of_numbers(a: &Arguments<'_, '_>) -> Result<Value> {
    let bounds =
        Bounds { least: Coordinate::of(a.real(0), a.real(1)), most: Coordinate::of(a.real(2), a.real(3)) };
    let srid = if a.len() > 4 { srid(a, 4) } else { 0 };
    stored(&Geometry::of(srid, bounds.area()))
}

/// A box as its type prints it.
pub(super) fn box_text(first: Option<Bounds>, second: Option<Bounds>) -> String {
    let all = match (first, second) {
        (Some(first), Some(second)) => Some(first.with(&second.least).with(&second.most)),
        (first, second) => first.or(second),
    };
    all.map_or_else(String::new, |Bounds { least, most }| {
        sim_values::value::geometry::box_text((least.x, least.y), (most.x, most.y))
    })
}

fn members(a: &Arguments<'_, '_>) -> Result<Vec<Geometry>> {
    a.budget().work(a.text(0).len() / 4)?;
    let items = array::elements(a.text(0));
    items.iter().filter_map(|item| item.as_str()).map(Geometry::parse).collect()
}

/// The line through all points of the shapes.
fn line_of(shapes: impl IntoIterator<Item = Geometry>) -> Geometry {
    let (mut line, mut srid, mut dimensions) = (Vec::new(), 0, Dimensions::default());
    for (index, one) in shapes.into_iter().enumerate() {
        if index == 0 {
            (srid, dimensions) = (one.srid, one.dimensions);
        }
        one.shape.each(&mut |at| line.push(*at));
    }
    Geometry { srid, dimensions, shape: Shape::Line(line) }
}

fn collected(shapes: impl IntoIterator<Item = Geometry>) -> Geometry {
    let shapes: Vec<Geometry> = shapes.into_iter().collect();
    let (srid, dimensions) = shapes.first().map_or_else(Default::default, |one| (one.srid, one.dimensions));
    let kinds: Vec<Kind> = shapes.iter().map(|one| one.shape.kind()).collect();
    let kind = match kinds.first() {
        Some(first) if kinds.iter().all(|kind| kind == first) => first.collected(),
        _ => Kind::GeometryCollection,
    };
    let members = shapes.into_iter().map(|one| one.shape).collect();
    Geometry { srid, dimensions, shape: Shape::Collection(kind, members) }
}

/// An aggregate that makes one shape of all.
struct Gathered {
    kept: Vec<Geometry>,
    make: fn(Vec<Geometry>) -> Geometry,
}

impl Accumulator for Gathered {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        a.budget().hold(a.text(0).len())?;
        let read = shape(a, 0)?;
        if let Some(first) = self.kept.first() {
            super::same_system(first, &read, "ST_Collect")?;
        }
        self.kept.push(read);
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.kept.is_empty() {
            return Ok(Value::Null);
        }
        stored(&(self.make)(self.kept.clone()))
    }

    fn kept(&self) -> usize {
        self.kept.len()
    }
}

struct Extent(Option<Bounds>);

impl Accumulator for Extent {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let read = shape(a, 0)?;
        self.0 = match (self.0, Bounds::of(&read.shape)) {
            (Some(known), Some(Bounds { least, most })) => Some(known.with(&least).with(&most)),
            (known, bounds) => known.or(bounds),
        };
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.0.is_none() {
            return Ok(Value::Null);
        }
        own(box_text(self.0, None))
    }
}

fn polygon(read: Geometry) -> Result<Value> {
    let Shape::Line(ring) = &read.shape else {
        return Err(invalid("Shell is not a line"));
    };
    let ends = ring.first().zip(ring.last());
    if ring.len() < 4 || ends.is_some_and(|(first, last)| first != last) {
        return Err(invalid("lwpoly_from_lwlines: shell must be closed and have 4 points at least"));
    }
    let shape = Shape::Polygon(vec![ring.clone()]);
    with(read, shape)
}

fn centroid(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    stored(&Geometry::of(read.srid, Shape::Point(plane::centroid(&Parts::of(&read.shape)))))
}

fn simplified(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let line = |line: &[Coordinate]| plane::simplified(line, a.real(1), a.budget());
    let shape = match &read.shape {
        Shape::Line(points) => Shape::Line(line(points)?),
        Shape::Polygon(rings) => {
            let rings: Vec<_> = rings.iter().map(|ring| line(ring)).collect::<Result<_>>()?;
            // A ring that has become a line has no area.
            if rings.first().is_some_and(|outer| outer.len() < 4) {
                return Ok(Value::Null);
            }
            Shape::Polygon(rings.into_iter().filter(|ring| ring.len() >= 4).collect())
        }
        other => other.clone(),
    };
    with(read, shape)
}

/// The parts of one dimension: of the one that is asked for, or of the highest.
fn extracted(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let parts = Parts::of(&read.shape);
    let highest = if !parts.areas.is_empty() {
        Kind::Polygon
    } else if !parts.lines.is_empty() {
        Kind::LineString
    } else {
        Kind::Point
    };
    let wanted = match a.int(1) {
        _ if a.len() < 2 => highest,
        1 => Kind::Point,
        2 => Kind::LineString,
        3 => Kind::Polygon,
        _ => {
            return Err(invalid("ST_CollectionExtract: only point, linestring and polygon may be extracted"));
        }
    };
    let kind = read.shape.kind();
    let members: Vec<Shape> = match (wanted, kind) {
        (_, kind) if kind == wanted || kind == wanted.collected() => return stored(&read),
        (Kind::Point, Kind::LineString | Kind::Polygon) => return with(read, Shape::Point(None)),
        (Kind::LineString, Kind::Point | Kind::Polygon) => return with(read, Shape::Line(Vec::new())),
        (_, Kind::Point | Kind::LineString) => return with(read, Shape::Polygon(Vec::new())),
        (Kind::Point, _) => parts.points.iter().map(|at| Shape::Point(Some(**at))).collect(),
        (Kind::LineString, _) => parts.lines.iter().map(|line| Shape::Line(line.to_vec())).collect(),
        _ => parts.areas.iter().map(|rings| Shape::Polygon(rings.to_vec())).collect(),
    };
    with(read, Shape::Collection(wanted.collected(), members))
}

fn boundary(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let several = |rings: Vec<Shape>| Shape::Collection(Kind::MultiLineString, rings);
    let found = match &read.shape {
        Shape::Polygon(rings) if rings.len() == 1 => Shape::Line(rings[0].clone()),
        Shape::Polygon(rings) => several(rings.iter().cloned().map(Shape::Line).collect()),
        Shape::Line(line) => {
            let ends = line.first().zip(line.last()).filter(|(first, last)| first != last);
            let ends = ends.into_iter().flat_map(|(first, last)| [first, last]);
            let members = ends.map(|at| Shape::Point(Some(*at))).collect();
            Shape::Collection(Kind::MultiPoint, members)
        }
        Shape::Collection(Kind::MultiPolygon, _) => {
            let parts = Parts::of(&read.shape);
            several(parts.areas.iter().copied().flatten().cloned().map(Shape::Line).collect())
        }
        Shape::Point(_) | Shape::Collection(Kind::MultiPoint, _) => {
            Shape::Collection(Kind::GeometryCollection, Vec::new())
        }
        Shape::Collection(..) => {
            return Err(SqlError::unsupported("ST_Boundary of several lines or a collection"));
        }
    };
    with(read, found)
}

fn changed(a: &Arguments<'_, '_>, change: &dyn Fn(&Coordinate) -> Coordinate) -> Result<Value> {
    let read = shape(a, 0)?;
    let shape = read.shape.map(change);
    with(read, shape)
}

fn reversed(shape: &Shape) -> Shape {
    let turned = |line: &Vec<Coordinate>| line.iter().rev().copied().collect::<Vec<_>>();
    match shape {
        Shape::Point(at) => Shape::Point(*at),
        Shape::Line(line) => Shape::Line(turned(line)),
        Shape::Polygon(rings) => Shape::Polygon(rings.iter().map(turned).collect()),
        Shape::Collection(kind, members) => Shape::Collection(*kind, members.iter().map(reversed).collect()),
    }
}

/// Half of the way around the Earth at the equator, in metres of the web map.
pub(super) const HALF: f64 = 20_037_508.342_789_244;

fn transformed(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let to = srid(a, 1);
    if read.srid == 0 {
        return Err(invalid("ST_Transform: Input geometry has unknown (0) SRID"));
    }
    let shape = match (read.srid, to) {
        (from, to) if from == to => read.shape.clone(),
        (LONGITUDE_LATITUDE, WEB_MAP) => read.shape.map(&|at| {
            let angle = (90.0 + at.y).to_radians() / 2.0;
            let y = libm::log(libm::tan(angle)) / std::f64::consts::PI * HALF;
            Coordinate { x: at.x * HALF / 180.0, y, ..*at }
        }),
        (WEB_MAP, LONGITUDE_LATITUDE) => read.shape.map(&|at| {
            let angle = libm::atan(libm::exp(at.y / HALF * std::f64::consts::PI));
            Coordinate { x: at.x / HALF * 180.0, y: (2.0 * angle).to_degrees() - 90.0, ..*at }
        }),
        (from, to) => {
            return Err(SqlError::unsupported(format!("a transformation from SRID {from} to {to}")));
        }
    };
    stored(&Geometry { srid: to, shape, ..read })
}

/// The point of the first shape that is nearest to the second, which must be a point.
fn closest(a: &Arguments<'_, '_>) -> Result<Value> {
    let (left, right) = pair(a, "ST_ClosestPoint")?;
    let Shape::Point(Some(at)) = right.shape else {
        return Err(SqlError::unsupported("ST_ClosestPoint to another shape than a point"));
    };
    let parts = Parts::of(&left.shape);
    if plane::intersects(&parts, &Parts::of(&right.shape)) {
        return stored(&Geometry::of(left.srid, Shape::Point(Some(at))));
    }
    let far = |piece: &(&Coordinate, &Coordinate)| plane::from_piece(&at, *piece);
    let pieces = parts.segments();
    let nearest = pieces.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let Some((from, to)) = nearest else { return Ok(Value::Null) };
    let found = plane::between(from, to, plane::nearest_share(&at, (from, to)));
    stored(&Geometry::of(left.srid, Shape::Point(Some(found))))
}

/// A point of the plane as a shape.
pub(super) fn shape_of_point(text: &str) -> Option<Geometry> {
    let (x, y) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let at = Coordinate::of(x.parse().ok()?, y.parse().ok()?);
    Some(Geometry::of(0, Shape::Point(Some(at))))
}

/// A box as a shape.
pub(crate) fn shape_of_box(text: &str) -> Option<Geometry> {
    let (least, most) = sim_values::value::geometry::read_box(text)?;
    let bounds = Bounds { least: Coordinate::of(least.0, least.1), most: Coordinate::of(most.0, most.1) };
    Some(Geometry::of(0, bounds.shape()))
}

/// The box around a stored shape.
pub(crate) fn box_of_shape(text: &str) -> Option<String> {
    Bounds::of(&Geometry::stored(text).shape).map(|bounds| box_text(Some(bounds), None))
}
