//! Resolves names at one place of a query.

use super::expr::Expr;
use crate::Target;
use crate::encode::field_key;
use crate::refusal::{Refusal, RefusalKind};
use crate::shape::Shape;
use crate::types::Type;

/// The sources of rows of a query, and the scope of the enclosing query.
#[derive(Clone, Default)]
pub(super) struct Scope<'p> {
    pub(super) parent: Option<&'p Scope<'p>>,
    pub(super) ranges: Vec<Range>,
    /// Columns that `USING` has merged.
    pub(super) merged: Vec<(String, Expr)>,
    /// Items of the `SELECT` list. Where they are set, names refer to them first.
    pub(super) aliases: Vec<(String, Expr)>,
}

/// A source of rows under its name.
#[derive(Clone)]
pub(super) struct Range {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The content of a source's rows.
#[derive(Clone)]
pub(super) enum Kind {
    /// Columns, and the object with all other fields, if there can be any.
    Columns { columns: Vec<(String, Expr)>, body: Option<String> },
    /// A single value: the element of a list.
    Value(Expr),
}

impl<'p> Scope<'p> {
    pub(super) fn within(parent: Option<&'p Scope<'p>>) -> Scope<'p> {
        Scope { parent, ..Scope::default() }
    }

    /// Resolves a path of names. Also returns the remaining names, which are fields of the value.
    ///
    /// Fails when the path is unknown or ambiguous.
    pub(super) fn resolve<'n>(
        &self,
        target: Target,
        path: &'n [String],
    ) -> Result<(Expr, &'n [String]), Refusal> {
        if let Some(found) = self.known(target, path)? {
            return Ok(found);
        }
        let guess = |scope: &Scope<'_>| scope.guessed(target, &path[0]);
        let mut scope = Some(self);
        while let Some(at) = scope {
            if let Some(expr) = guess(at) {
                let expr = if std::ptr::eq(at, self) { expr } else { from_further_out(expr) };
                return Ok((expr, &path[1..]));
            }
            scope = at.parent;
        }
        Err(unknown(&path.join(".")))
    }

    /// Resolves a path to a declared column, here or in an enclosing scope.
    fn known<'n>(&self, target: Target, path: &'n [String]) -> Result<Option<(Expr, &'n [String])>, Refusal> {
        let first = &path[0];
        let alias = self.aliases.iter().find(|(name, _)| same(name, first));
        if let Some((_, expr)) = alias.filter(|(_, expr)| !self.is_column(path, expr)) {
            return Ok(Some((expr.clone(), &path[1..])));
        }
        if let Some((range, rest)) = self.range(path) {
            return range.start(target, rest).map(Some);
        }
        if let Some((_, expr)) = self.merged.iter().find(|(name, _)| same(name, first)) {
            return Ok(Some((expr.clone(), &path[1..])));
        }
        let mut found = self.ranges.iter().filter_map(|range| range.column(target, first));
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => {
                Err(Refusal::new(RefusalKind::UnknownField, format!("Column name {first} is ambiguous")))
            }
            (Some(expr), None) => Ok(Some((expr, &path[1..]))),
            // A table with unknown columns probably has this one; elements of lists are less likely to.
            (None, _) if self.ranges.iter().any(Range::is_open_table) && !self.starts_further_out(path) => {
                Ok(None)
            }
            (None, _) => {
                let Some(parent) = self.parent else { return Ok(None) };
                Ok(parent.known(target, path)?.map(|(expr, rest)| (from_further_out(expr), rest)))
            }
        }
    }

    /// Whether a path is a column of a source that has the name of an item too: `day.day`. A plain value has no fields.
    fn is_column(&self, path: &[String], item: &Expr) -> bool {
        let Some((range, [column, ..])) = self.range(path).filter(|_| path.len() > 1) else { return false };
        match (&item.type_, &range.kind) {
            (Type::Struct(_), _) => false,
            (Type::Dynamic, Kind::Columns { columns, .. }) => {
                columns.iter().any(|(name, _)| same(name, column))
            }
            (Type::Dynamic, Kind::Value(_)) => false,
            _ => true,
        }
    }

    /// The source that the first names refer to. Its name may have dots.
    pub(super) fn range<'n>(&self, path: &'n [String]) -> Option<(&Range, &'n [String])> {
        (1..=path.len()).rev().find_map(|length| {
            let name = path[..length].join(".");
            let range = self.ranges.iter().find(|range| same(&range.name, &name))?;
            Some((range, &path[length..]))
        })
    }

    /// Whether the path begins with the name of a source of an enclosing query.
    fn starts_further_out(&self, path: &[String]) -> bool {
        let parent = self.parent.filter(|_| path.len() > 1);
        parent.is_some_and(|parent| parent.range(path).is_some() || parent.starts_further_out(path))
    }

    /// A field of any source here that may have it, the last source first.
    fn guessed(&self, target: Target, name: &str) -> Option<Expr> {
        let open = self.ranges.iter().rev().filter_map(|range| range.open(name));
        let (fields, shapes): (Vec<_>, Vec<_>) =
            open.map(|(object, (name, shape))| (target.field(&object, &name), shape)).unzip();
        let shape = shapes.into_iter().reduce(|one, other| one.or(&other)).unwrap_or_default();
        let sql = match fields.as_slice() {
            [] => return None,
            [only] => only.clone(),
            several => format!("coalesce({})", several.join(", ")),
        };
        Some(Expr { loose: Some(name.to_owned()), shape, ..Expr::new(sql, Type::Dynamic) })
    }
}

impl Range {
    /// Resolves the part of a path after the name of this source.
    fn start<'n>(&self, target: Target, rest: &'n [String]) -> Result<(Expr, &'n [String]), Refusal> {
        match (&self.kind, rest) {
            (Kind::Value(value), _) => Ok((value.clone(), rest)),
            (Kind::Columns { columns, body }, []) => {
                let row = whole_row(target, columns, body.as_deref());
                Ok((Expr { loose: Some(self.name.clone()), ..row }, rest))
            }
            (Kind::Columns { body, .. }, [first, fields @ ..]) => {
                let guess = || {
                    let sql = target.field(body.as_ref()?, first);
                    Some(Expr { loose: Some(first.clone()), ..Expr::new(sql, Type::Dynamic) })
                };
                let expr = self.column(target, first).or_else(guess);
                Ok((expr.ok_or_else(|| unknown(&format!("{}.{first}", self.name)))?, fields))
            }
        }
    }

    /// A declared column.
    fn column(&self, target: Target, name: &str) -> Option<Expr> {
        match &self.kind {
            Kind::Columns { columns, .. } => {
                columns.iter().find(|(known, _)| same(known, name)).map(|(_, expr)| expr.clone())
            }
            Kind::Value(value) => {
                let Type::Struct(fields) = &value.type_ else { return None };
                let (key, type_) = fields.iter().find(|(known, _)| same(known, name))?;
                let shape = value.shape.field(name).unwrap_or_default();
                let sql = target.unpacked(type_, &target.field(&value.sql, key));
                Some(Expr { shape, ..value.with(sql, type_.clone()) })
            }
        }
    }

    fn is_open_table(&self) -> bool {
        matches!(self.kind, Kind::Columns { body: Some(_), .. })
    }

    /// The object with fields that are not declared and may have this one; the name and shape of the field.
    fn open(&self, name: &str) -> Option<(String, (String, Shape))> {
        match &self.kind {
            Kind::Columns { body, .. } => Some((body.clone()?, (name.to_owned(), Shape::Open))),
            Kind::Value(value) if value.type_ == Type::Dynamic => {
                Some((value.sql.clone(), value.shape.named(name)?))
            }
            Kind::Value(_) => None,
        }
    }
}

/// All columns of a row as one value: a whole event, or a structure.
fn whole_row(target: Target, columns: &[(String, Expr)], body: Option<&str>) -> Expr {
    if let Some(row) = body.and_then(|body| body.strip_suffix(".body")) {
        return Expr::new(target.whole_body(row), Type::Struct(Vec::new()));
    }
    let part = |(index, (name, expr)): (usize, &(String, Expr))| {
        format!("{}, {}", target.text(&field_key(name, index)), target.packed(&expr.type_, &expr.sql))
    };
    let parts: Vec<_> = columns.iter().enumerate().map(part).collect();
    let build = target.pick("json_object", "jsonb_build_object");
    let fields = columns.iter().map(|(name, expr)| (name.clone(), expr.type_.clone())).collect();
    let shape = columns.iter().map(|(name, expr)| (name.clone(), expr.shape.clone())).collect();
    Expr { shape, ..Expr::new(format!("{build}({})", parts.join(", ")), Type::Struct(fields)) }
}

fn from_further_out(expr: Expr) -> Expr {
    Expr { loose: None, outer: true, ..expr }
}

/// Whether two names of columns, aliases or functions are equal. Upper and lower case are the same.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

pub(super) fn unknown(name: &str) -> Refusal {
    Refusal::new(RefusalKind::UnknownField, format!("Field \"{name}\" does not exist."))
}

/// The refusal of a field that its record has not.
pub(super) fn unknown_inside(name: &str, record: &str) -> Refusal {
    Refusal::new(RefusalKind::UnknownField, format!("Name {name} not found inside {record}"))
}
