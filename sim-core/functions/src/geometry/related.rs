//! How shapes lie to each other.

use rusqlite::types::Value;

use super::plane::{self, Bounds, Parts};
use super::sphere::in_common_plane;
use super::{B, G, L, T, function, geographic, pair, shape, truth};
use crate::{Arguments, Function};
use sim_values::error::{Result, SqlError};

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_intersects", &[G, G], B, |a| in_plane(a, "ST_Intersects", plane::intersects)),
    function("st_intersects", &[T, T], B, |a| in_plane(a, "ST_Intersects", plane::intersects)),
    function("st_intersects", &[L, L], B, |a| on_earth(a, plane::intersects)),
    function("st_disjoint", &[G, G], B, |a| in_plane(a, "ST_Disjoint", |x, y| !plane::intersects(x, y))),
    function("st_contains", &[G, G], B, |a| in_plane(a, "ST_Contains", plane::contains)),
    function("st_within", &[G, G], B, |a| in_plane(a, "ST_Within", |x, y| plane::contains(y, x))),
    function("st_covers", &[G, G], B, |a| in_plane(a, "ST_Covers", plane::covers)),
    function("st_covers", &[T, T], B, |a| in_plane(a, "ST_Covers", plane::covers)),
    function("st_covers", &[L, L], B, |a| on_earth(a, plane::covers)),
    function("st_coveredby", &[G, G], B, |a| in_plane(a, "ST_CoveredBy", |x, y| plane::covers(y, x))),
    function("st_coveredby", &[T, T], B, |a| in_plane(a, "ST_CoveredBy", |x, y| plane::covers(y, x))),
    function("st_coveredby", &[L, L], B, |a| on_earth(a, |x, y| plane::covers(y, x))),
    function("st_equals", &[G, G], B, |a| {
        in_plane(a, "ST_Equals", |x, y| plane::covers(x, y) && plane::covers(y, x))
    }),
    function("st_touches", &[G, G], B, |a| in_plane(a, "ST_Touches", plane::touches)),
    function("st_overlaps", &[G, G], B, |a| in_plane(a, "ST_Overlaps", overlaps)),
    function("st_crosses", &[G, G], B, |a| in_plane(a, "ST_Crosses", crosses)),
    function("&&", &[G, G], B, |a| of_bounds(a, Bounds::meets)),
    function("&&", &[L, L], B, |a| of_bounds(a, Bounds::meets)),
    function("~", &[G, G], B, |a| of_bounds(a, Bounds::contains)),
    function("@", &[G, G], B, |a| of_bounds(a, |x, y| y.contains(x))),
    function("~=", &[G, G], B, |a| of_bounds(a, |x, y| x.contains(y) && y.contains(x))),
];

type Relation = fn(&Parts<'_>, &Parts<'_>) -> bool;

/// Whether shapes of one dimension have a part of it in common, and neither covers the other.
fn overlaps(left: &Parts<'_>, right: &Parts<'_>) -> bool {
    left.dimension() == right.dimension()
        && plane::intersects(left, right)
        && !plane::touches(left, right)
        && !plane::covers(left, right)
        && !plane::covers(right, left)
}

/// Whether a shape has parts both inside and outside of one of a higher dimension.
fn crosses(left: &Parts<'_>, right: &Parts<'_>) -> bool {
    let (lower, higher) = if left.dimension() < right.dimension() { (left, right) } else { (right, left) };
    lower.dimension() < higher.dimension()
        && plane::intersects(lower, higher)
        && !plane::touches(lower, higher)
        && !plane::covers(higher, lower)
}

/// Two lines can cross in points and in lines, which is not told apart here.
fn refuse_lines(left: &Parts<'_>, right: &Parts<'_>, name: &str) -> Result<()> {
    let told = !matches!(name, "ST_Overlaps" | "ST_Crosses");
    if told || (left.dimension(), right.dimension()) != (1, 1) || !plane::intersects(left, right) {
        return Ok(());
    }
    Err(SqlError::unsupported(format!("{name} of two lines that meet")))
}

fn in_plane(a: &Arguments<'_, '_>, name: &str, relation: Relation) -> Result<Value> {
    let (left, right) = pair(a, name)?;
    let (left, right) = (Parts::of(&left.shape), Parts::of(&right.shape));
    plane::charge_relation(&left, &right, a.budget())?;
    refuse_lines(&left, &right, name)?;
    truth(relation(&left, &right))
}

fn on_earth(a: &Arguments<'_, '_>, relation: Relation) -> Result<Value> {
    let (left, right) = (geographic(a, 0)?, geographic(a, 1)?);
    plane::charge_relation(&Parts::of(&left.shape), &Parts::of(&right.shape), a.budget())?;
    truth(in_common_plane(&left.shape, &right.shape, relation))
}

fn of_bounds(a: &Arguments<'_, '_>, relation: fn(&Bounds, &Bounds) -> bool) -> Result<Value> {
    let bounds = (Bounds::of(&shape(a, 0)?.shape), Bounds::of(&shape(a, 1)?.shape));
    truth(matches!(bounds, (Some(left), Some(right)) if relation(&left, &right)))
}
