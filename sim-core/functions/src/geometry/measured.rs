//! Lengths, areas, distances and directions.

use rusqlite::types::Value;
use sim_values::value::geometry::{Coordinate, Shape};

use super::plane::{self, Parts};
use super::sphere::Earth;
use super::{B, F, G, L, T, function, geographic, invalid, number, pair, shape, truth};
use crate::{Arguments, Function};
use sim_values::error::Result;

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_distance", &[G, G], F, |a| number(distance(a, "ST_Distance")?)),
    function("st_distance", &[T, T], F, |a| number(distance(a, "ST_Distance")?)),
    function("st_distance", &[L, L, B], F, |a| number(distance_on_earth(a, is_spheroid(a, 2))?)).optional(1),
    function("st_distancesphere", &[G, G], F, |a| number(distance_on_earth(a, false)?)),
    function("st_distancespheroid", &[G, G], F, |a| number(distance_on_earth(a, true)?)),
    function("st_dwithin", &[G, G, F], B, |a| {
        refuse_negative(a)?;
        is_within(distance(a, "ST_DWithin")?, a)
    }),
    function("st_dwithin", &[T, T, F], B, |a| is_within(distance(a, "ST_DWithin")?, a)),
    function("st_dwithin", &[L, L, F, B], B, |a| is_within(distance_on_earth(a, is_spheroid(a, 3))?, a))
        .optional(1),
    function("<->", &[G, G], F, |a| number(distance(a, "distance")?)),
    function("<->", &[L, L], F, |a| number(distance_on_earth(a, false)?)),
    function("st_length", &[G], F, |a| number(Some(length(&shape(a, 0)?.shape)))),
    function("st_length2d", &[G], F, |a| number(Some(length(&shape(a, 0)?.shape)))),
    function("st_length", &[T], F, |a| number(Some(length(&shape(a, 0)?.shape)))),
    function("st_length", &[L, B], F, |a| {
        let read = geographic(a, 0)?;
        let earth = Earth::of(is_spheroid(a, 1));
        number(Some(Parts::of(&read.shape).lines.iter().map(|line| earth.length(line)).sum()))
    })
    .optional(1),
    function("st_perimeter", &[G], F, |a| {
        let read = shape(a, 0)?;
        number(Some(rings(&Parts::of(&read.shape)).map(|ring| plane::length(ring)).sum()))
    }),
    function("st_perimeter", &[L, B], F, |a| {
        let read = geographic(a, 0)?;
        let earth = Earth::of(is_spheroid(a, 1));
        number(Some(rings(&Parts::of(&read.shape)).map(|ring| earth.length(ring)).sum()))
    })
    .optional(1),
    function("st_area", &[G], F, |a| number(Some(plane::area(&Parts::of(&shape(a, 0)?.shape))))),
    function("st_area", &[T], F, |a| number(Some(plane::area(&Parts::of(&shape(a, 0)?.shape))))),
    function("st_area", &[L, B], F, |a| {
        let read = geographic(a, 0)?;
        number(Some(Earth::of(is_spheroid(a, 1)).area(&Parts::of(&read.shape))))
    })
    .optional(1),
    function("st_area2d", &[G], F, |a| number(Some(plane::area(&Parts::of(&shape(a, 0)?.shape))))),
    function("st_perimeter2d", &[G], F, |a| {
        let read = shape(a, 0)?;
        number(Some(rings(&Parts::of(&read.shape)).map(|ring| plane::length(ring)).sum()))
    }),
    function("st_maxdistance", &[G, G], F, |a| number(longest(a, "ST_MaxDistance")?)),
    function("st_dfullywithin", &[G, G, F], B, |a| {
        refuse_negative(a)?;
        is_within(longest(a, "ST_DFullyWithin")?, a)
    }),
    function("st_azimuth", &[G, G], F, |a| {
        let (from, to) = points(a)?;
        let (x, y) = (to.x - from.x, to.y - from.y);
        let angle = libm::atan2(x, y);
        number((x != 0.0 || y != 0.0).then_some(around(angle)))
    }),
    function("st_azimuth", &[L, L], F, |a| {
        let (from, to) = points(a)?;
        number((from != to).then(|| around(Earth::of(true).azimuth(&from, &to).to_radians())))
    }),
];

fn is_spheroid(a: &Arguments<'_, '_>, index: usize) -> bool {
    a.len() <= index || a.bool(index)
}

fn refuse_negative(a: &Arguments<'_, '_>) -> Result<()> {
    if a.real(2) < 0.0 { Err(invalid("Tolerance cannot be less than zero")) } else { Ok(()) }
}

fn distance(a: &Arguments<'_, '_>, name: &str) -> Result<Option<f64>> {
    let (left, right) = pair(a, name)?;
    let (left, right) = (Parts::of(&left.shape), Parts::of(&right.shape));
    plane::charge(&left, &right, 3, a.budget())?;
    Ok(plane::distance(&left, &right))
}

/// The distance of the points of two shapes that are farthest from each other.
fn longest(a: &Arguments<'_, '_>, name: &str) -> Result<Option<f64>> {
    let (left, right) = pair(a, name)?;
    plane::charge(&Parts::of(&left.shape), &Parts::of(&right.shape), 1, a.budget())?;
    let mut longest = None;
    left.shape.each(&mut |one| {
        right.shape.each(&mut |other| {
            let far = (one.x - other.x).hypot(one.y - other.y);
            longest = Some(longest.map_or(far, |known: f64| known.max(far)));
        });
    });
    Ok(longest)
}

fn distance_on_earth(a: &Arguments<'_, '_>, is_spheroid: bool) -> Result<Option<f64>> {
    let (left, right) = (geographic(a, 0)?, geographic(a, 1)?);
    plane::charge(&Parts::of(&left.shape), &Parts::of(&right.shape), 30, a.budget())?;
    Ok(Earth::of(is_spheroid).distance(&left.shape, &right.shape))
}

fn is_within(distance: Option<f64>, a: &Arguments<'_, '_>) -> Result<Value> {
    truth(distance.is_some_and(|distance| distance <= a.real(2)))
}

fn length(shape: &Shape) -> f64 {
    Parts::of(shape).lines.iter().map(|line| plane::length(line)).sum()
}

fn rings<'a>(parts: &Parts<'a>) -> impl Iterator<Item = &'a Vec<Coordinate>> {
    parts.areas.clone().into_iter().flatten()
}

/// The points that the azimuth is between.
fn points(a: &Arguments<'_, '_>) -> Result<(Coordinate, Coordinate)> {
    let (left, right) = pair(a, "ST_Azimuth")?;
    match (left.shape, right.shape) {
        (Shape::Point(Some(from)), Shape::Point(Some(to))) => Ok((from, to)),
        _ => Err(invalid("Argument must be POINT geometries")),
    }
}

/// The same angle between 0 and a full turn.
fn around(angle: f64) -> f64 {
    if angle < 0.0 { angle + std::f64::consts::TAU } else { angle }
}
