//! Measures and relations of shapes in longitude and latitude, on the spheroid of WGS 84.

use geographiclib_rs::{DirectGeodesic, Geodesic, InverseGeodesic, PolygonArea, Winding};
use sim_values::value::geometry::{Coordinate, Shape};

use super::plane::{self, Parts};

/// The mean radius of the Earth in metres.
pub(super) const RADIUS: f64 = 6_371_008.771_415_06;

/// The Earth as a measure sees it.
pub(super) struct Earth(Geodesic);

impl Earth {
    /// The spheroid, or the sphere of the mean radius.
    pub(super) fn of(is_spheroid: bool) -> Earth {
        Earth(if is_spheroid { Geodesic::wgs84() } else { Geodesic::new(RADIUS, 0.0) })
    }

    /// The distance of two points in metres.
    pub(super) fn between(&self, from: &Coordinate, to: &Coordinate) -> f64 {
        self.0.inverse(from.y, from.x, to.y, to.x)
    }

    /// The direction of the way to another point, in degrees from north.
    pub(super) fn azimuth(&self, from: &Coordinate, to: &Coordinate) -> f64 {
        let (azimuth, _, _): (f64, f64, f64) = self.0.inverse(from.y, from.x, to.y, to.x);
        azimuth
    }

    /// The point that is so many metres away in a direction.
    pub(super) fn away(&self, from: &Coordinate, metres: f64, azimuth: f64) -> Coordinate {
        let (y, x): (f64, f64) = self.0.direct(from.y, from.x, azimuth, metres);
        Coordinate { x, y, ..*from }
    }

    pub(super) fn length(&self, line: &[Coordinate]) -> f64 {
        line.windows(2).map(|pair| self.between(&pair[0], &pair[1])).sum()
    }

    /// The area in square metres.
    pub(super) fn area(&self, parts: &Parts<'_>) -> f64 {
        let of_ring = |ring: &Vec<Coordinate>| {
            let mut polygon = PolygonArea::new(&self.0, Winding::CounterClockwise);
            ring.iter().skip(1).for_each(|at| polygon.add_point(at.y, at.x));
            let (_, area, _) = polygon.compute(true);
            area.abs()
        };
        let of = |rings: &&[Vec<Coordinate>]| {
            let mut areas = rings.iter().map(of_ring);
            areas.next().unwrap_or_default() - areas.sum::<f64>()
        };
        parts.areas.iter().map(of).sum()
    }

    /// The shortest distance in metres; `None` if a shape is empty.
    pub(super) fn distance(&self, left: &Shape, right: &Shape) -> Option<f64> {
        if in_common_plane(left, right, plane::intersects) {
            return Some(0.0);
        }
        let (left, right) = (Parts::of(left), Parts::of(right));
        let (pieces, others) = (left.segments(), right.segments());
        let pairs = pieces.iter().flat_map(|piece| others.iter().map(move |other| nearest(*piece, *other)));
        let (_, from, to) = pairs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        // What is below a nanometre comes from rounding.
        const UNIT: f64 = 1e8;
        Some((self.between(&from, &to) * UNIT).round() / UNIT)
    }
}

/// Applies a relation of the plane to a projection of both shapes in which the shortest ways are straight.
pub(super) fn in_common_plane(
    left: &Shape,
    right: &Shape,
    relation: fn(&Parts<'_>, &Parts<'_>) -> bool,
) -> bool {
    let mut sum = [0.0; 3];
    for shape in [left, right] {
        shape.each(&mut |at| sum = add(sum, unit(at)));
    }
    let centre = scaled(sum);
    // Beyond that the projection has no use, and degrees are taken as they are.
    const LEAST: f64 = 0.1;
    let mut is_near = true;
    for shape in [left, right] {
        shape.each(&mut |at| is_near &= dot(centre, unit(at)) > LEAST);
    }
    if !is_near {
        return relation(&Parts::of(left), &Parts::of(right));
    }
    let pole = if centre[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let east = scaled(cross(pole, centre));
    let north = cross(centre, east);
    let projected = |at: &Coordinate| {
        let at = unit(at);
        let depth = dot(at, centre);
        Coordinate::of(dot(at, east) / depth, dot(at, north) / depth)
    };
    let (left, right) = (left.map(&projected), right.map(&projected));
    relation(&Parts::of(&left), &Parts::of(&right))
}

type Vector = [f64; 3];

fn unit(at: &Coordinate) -> Vector {
    let (longitude, latitude) = (at.x.to_radians(), at.y.to_radians());
    let around = libm::cos(latitude);
    [around * libm::cos(longitude), around * libm::sin(longitude), libm::sin(latitude)]
}

fn coordinate(vector: Vector) -> Coordinate {
    let [x, y, z] = vector;
    Coordinate::of(libm::atan2(y, x).to_degrees(), libm::atan2(z, x.hypot(y)).to_degrees())
}

fn add(left: Vector, right: Vector) -> Vector {
    [left[0] + right[0], left[1] + right[1], left[2] + right[2]]
}

fn dot(left: Vector, right: Vector) -> f64 {
    left[0] * right[0] + left[1] * right[1] + left[2] * right[2]
}

fn cross(left: Vector, right: Vector) -> Vector {
    [
        left[1] * right[2] - left[2] * right[1],
        left[2] * right[0] - left[0] * right[2],
        left[0] * right[1] - left[1] * right[0],
    ]
}

fn scaled(vector: Vector) -> Vector {
    let size = dot(vector, vector).sqrt();
    if size == 0.0 { [1.0, 0.0, 0.0] } else { vector.map(|part| part / size) }
}

fn angle(left: Vector, right: Vector) -> f64 {
    let across = cross(left, right);
    libm::atan2(dot(across, across).sqrt(), dot(left, right))
}

/// The nearest points of two pieces that do not meet, with the angle between them.
fn nearest(
    (a, b): (&Coordinate, &Coordinate),
    (c, d): (&Coordinate, &Coordinate),
) -> (f64, Coordinate, Coordinate) {
    let turned = |(angle, at, on): (f64, Coordinate, Coordinate)| (angle, on, at);
    let candidates =
        [to_piece(a, c, d), to_piece(b, c, d), turned(to_piece(c, a, b)), turned(to_piece(d, a, b))];
    let [first, rest @ ..] = candidates;
    rest.into_iter().fold(first, |best, other| if other.0 < best.0 { other } else { best })
}

/// The point of a piece that is nearest to `at`.
fn to_piece(at: &Coordinate, from: &Coordinate, to: &Coordinate) -> (f64, Coordinate, Coordinate) {
    let (point, start, end) = (unit(at), unit(from), unit(to));
    let normal = scaled(cross(start, end));
    let foot = scaled(add(point, normal.map(|part| -part * dot(point, normal))));
    let is_on = dot(cross(start, foot), normal) > 0.0 && dot(cross(foot, end), normal) > 0.0;
    if from != to && is_on {
        return (angle(point, foot), *at, coordinate(foot));
    }
    let (to_start, to_end) = (angle(point, start), angle(point, end));
    if to_start <= to_end { (to_start, *at, *from) } else { (to_end, *at, *to) }
}
