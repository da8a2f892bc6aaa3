//! What the extension `postgis` does with rows.

use rusqlite::types::Value;

use super::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::geometry::FEATURE;
use crate::tree::{Expr, Node};
use crate::types::Type;

impl Binder<'_> {
    /// `ST_AsGeoJSON` of a row: a feature with the first shape of the row, and the other columns as its properties.
    pub(super) fn feature_of_row(&mut self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let [row, options @ ..] = arguments else { return Ok(None) };
        let is_row = row.type_ == Type::RECORD || self.catalog.attributes(row.type_).is_some();
        if called != "st_asgeojson" || !is_row || options.len() > 3 || !self.catalog.has_extension("postgis")
        {
            return Ok(None);
        }
        let wanted = match options.first().map(|name| &name.node) {
            None | Some(Node::Literal(Value::Null)) => String::new(),
            Some(Node::Literal(Value::Text(name)) | Node::Untyped(name)) => name.clone(),
            _ => return Err(SqlError::unsupported("ST_AsGeoJSON with a computed name of a column")),
        };
        let options = options.to_vec();
        self.once(row.clone(), |binder, row| binder.feature_with(row, &wanted, &options)).map(Some)
    }

    fn feature_with(&mut self, row: Expr, wanted: &str, options: &[Expr]) -> Result<Expr> {
        let fields = self.row_items(&row);
        let (names, items) = fields
            .ok_or_else(|| SqlError::unsupported("ST_AsGeoJSON of a row whose fields are not known"))?;
        let is_shape = |(name, item): (&String, &Expr)| match wanted {
            "" => matches!(item.type_, Type::GEOMETRY | Type::GEOGRAPHY),
            wanted => name == wanted,
        };
        let at = names
            .iter()
            .zip(&items)
            .position(is_shape)
            .ok_or_else(|| SqlError::new(SqlState::UNDEFINED_COLUMN, "geometry column is missing"))?;
        let (mut shape, mut properties) = (None, Vec::with_capacity(2 * items.len()));
        for (index, (name, item)) in names.into_iter().zip(items).enumerate() {
            self.once.charge(&item)?;
            let item = self.settle(item)?;
            if index == at {
                let decimals = options.get(1).filter(|option| !option.is_null_literal()).cloned();
                let given = std::iter::once(item).chain(decimals).collect();
                shape = Some(self.plain_call("st_asgeojson", given)?);
            } else {
                properties.extend([Expr::literal(name, Type::TEXT), item]);
            }
        }
        let for_people = options.get(2).filter(|option| !option.is_null_literal());
        let for_people = for_people.cloned().unwrap_or_else(|| Expr::literal(0, Type::BOOL));
        let given = shape.into_iter().chain([for_people]).chain(properties).collect();
        self.plain_call(FEATURE, given)
    }
}
