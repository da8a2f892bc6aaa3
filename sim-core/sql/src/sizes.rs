//! Sizes of relations, as PostgreSQL would store their rows: in pages, with a header for each row.
//!
//! They are those of a table whose rows were never updated; equal keys of an index are counted each, and long values uncompressed.

use crate::catalog::{Column, Index, Oid, Relation, RelationKind};
use crate::error::Result;
use crate::run::Engine;
use crate::types::Type;

const PAGE: i64 = 8_192;

/// The bytes of a page for rows with their pointers, and for those of a leaf of an index, which is not filled.
const ROOM: i64 = 8_168;
const ROOM_OF_LEAF: i64 = 7_336;

/// The header of a row with its pointer, and that of an entry of an index.
const ROW: i64 = 28;
const ENTRY: i64 = 12;

/// A table of more pages than these has a map of its free space, of three pages.
const PAGES_WITHOUT_MAP: i64 = 4;

/// The longest row without a table for its long values.
const ROW_MAX: i32 = 2_032;

/// What a database without tables takes.
const DATABASE: i64 = 7_700_000;

impl Engine<'_> {
    /// The size of a relation: of its rows (`main`), with all that belongs to its table (`table`), of its indexes (`indexes`), or of
    /// all (`total`).
    pub(crate) fn size_of(&self, oid: Oid, what: &str) -> Result<Option<i64>> {
        let catalog = self.catalog.clone();
        let Some(relation) = catalog.relation(oid) else {
            let found = catalog.relations().find_map(|relation| {
                relation.indexes.iter().find(|index| index.oid == oid).map(|index| (relation, index))
            });
            return Ok(match (found, what) {
                (Some((relation, index)), "main" | "table" | "total") => {
                    Some(self.index_size(relation, index)?)
                }
                (Some(_), _) => Some(0),
                (None, _) => crate::system::ALL.iter().any(|system| system.oid() == oid).then_some(PAGE),
            });
        };
        let indexes = || -> Result<i64> {
            let sizes = relation.indexes.iter().map(|index| self.index_size(relation, index));
            Ok(sizes.collect::<Result<Vec<i64>>>()?.into_iter().sum())
        };
        Ok(Some(match what {
            "main" => self.main_size(relation)?,
            "table" => self.table_size(relation)?,
            "indexes" => indexes()?,
            "total" => self.table_size(relation)? + indexes()?,
            _ => 0,
        }))
    }

    /// The size of the database.
    pub(crate) fn size_of_database(&self) -> Result<i64> {
        let number =
            |name: &str| self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        Ok(DATABASE + number("page_count")? * number("page_size")?)
    }

    fn main_size(&self, relation: &Relation) -> Result<i64> {
        if relation.kind == RelationKind::Sequence {
            return Ok(PAGE);
        }
        let columns: Vec<&Column> = relation.columns.iter().collect();
        let (_, bytes) = self.rows_and_bytes(relation, &columns, ROW)?;
        Ok(pages(bytes, ROOM) * PAGE)
    }

    fn table_size(&self, relation: &Relation) -> Result<i64> {
        let main = self.main_size(relation)?;
        let map = if main > PAGES_WITHOUT_MAP * PAGE && is_table(relation) { 3 * PAGE } else { 0 };
        let long_values = if is_table(relation) && may_be_long(relation) { PAGE } else { 0 };
        Ok(main + map + long_values)
    }

    fn index_size(&self, relation: &Relation, index: &Index) -> Result<i64> {
        if relation.partitioning.is_some() {
            return Ok(0);
        }
        let keys = index.keys.iter().filter_map(|key| key.column).chain(index.include.iter().copied());
        let columns: Vec<&Column> = keys
            .filter_map(|number| relation.columns.iter().find(|column| column.number == number))
            .collect();
        let (rows, bytes) = self.rows_and_bytes(relation, &columns, ENTRY)?;
        let leaves = pages(bytes, ROOM_OF_LEAF);
        let root = i64::from(leaves > 1);
        Ok((1 + if rows == 0 { 0 } else { leaves + root }) * PAGE)
    }

    /// How many rows a table has, and the bytes of these columns, each row with a header.
    fn rows_and_bytes(&self, relation: &Relation, columns: &[&Column], header: i64) -> Result<(i64, i64)> {
        if !is_table(relation) || relation.dormant {
            return Ok((0, 0));
        }
        let sizes = columns.iter().filter(|column| column.generated.is_none()).map(|column| {
            let base = self.catalog.base_type(column.type_.base);
            let value = format!("c{}", column.number);
            match base.builtin().map(|builtin| builtin.length) {
                Some(length @ 1..) => format!("iif({value} IS NULL, 0, {length})"),
                None if self.catalog.labels(base).is_some() => format!("iif({value} IS NULL, 0, 4)"),
                _ => {
                    let bytes = format!("length(CAST({value} AS BLOB))");
                    format!("ifnull({bytes} + iif({bytes} < 127, 1, 4), 0)")
                }
            }
        });
        let data = sizes.chain(["0".to_owned()]).collect::<Vec<_>>().join(" + ");
        let sql = format!(
            "SELECT count(*), CAST(total({header} + (({data} + 7) / 8) * 8) AS INTEGER) FROM {}",
            relation.physical()
        );
        Ok(self.connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }
}

/// How many pages with this room take so many bytes.
const fn pages(bytes: i64, room: i64) -> i64 {
    (bytes + room - 1) / room
}

/// Whether it has rows of its own.
fn is_table(relation: &Relation) -> bool {
    relation.is_stored() && relation.partitioning.is_none()
}

/// Whether values of a row may be so long that PostgreSQL stores them in a table of their own.
fn may_be_long(relation: &Relation) -> bool {
    relation.columns.iter().any(|column| {
        let type_ = column.type_;
        match type_.base.builtin().map(|builtin| builtin.length) {
            Some(1..) => false,
            _ if matches!(type_.base, Type::VARCHAR | Type::BPCHAR) && type_.modifier > 0 => {
                4 * type_.modifier > ROW_MAX
            }
            _ if type_.base == Type::NUMERIC && type_.modifier > 0 => false,
            // A value of an enum has four bytes.
            None => type_.base.element().is_some(),
            _ => true,
        }
    })
}
