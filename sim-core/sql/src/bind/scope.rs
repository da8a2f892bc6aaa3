//! Resolves names at one place of a query.

use crate::catalog::{Oid, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Expr, Field, Node};
use crate::types::{Modified, Type};

/// The visible sources of a query, and the scope of the enclosing query.
#[derive(Clone, Default)]
pub(crate) struct Scope<'p> {
    pub(crate) parent: Option<&'p Scope<'p>>,
    pub(crate) level: Level,
    pub(crate) tables: Vec<Table>,
    /// The columns that need no qualification, in the order of `*`.
    pub(crate) visible: Vec<Visible>,
}

/// What a scope is of.
#[derive(Clone, Copy, Default)]
pub(crate) enum Level {
    /// A query's targets and conditions, whose aggregates a query inside of it can have.
    Select,
    /// A source that reads those before it.
    From,
    #[default]
    Other,
}

/// The most sources of one query. SQLite reads no more than 200, and each lateral source copies those before it.
const SOURCES_MAX: usize = 500;

/// A source of rows, with the name that qualifies its columns.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) alias: String,
    /// Its schema, if it has its own name and no alias.
    pub(crate) schema: Option<String>,
    pub(crate) source: usize,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) relation: Option<Oid>,
    /// The type of the rows of a function.
    pub(crate) returned: Option<Type>,
    /// Whether it is one value. Then its name alone is the value.
    pub(crate) scalar: bool,
    /// Whether names may refer to it here. A source before this place may not be allowed to.
    pub(crate) reachable: bool,
}

/// A column of a source.
#[derive(Clone)]
pub(crate) struct TableColumn {
    pub(crate) name: String,
    pub(crate) type_: Modified,
    pub(crate) field: Field,
    /// Whether `*` leaves out the column.
    pub(crate) hidden: bool,
    /// What a column is that its view computes.
    pub(crate) computed: Option<Box<Expr>>,
}

/// A column under its own name.
#[derive(Clone)]
pub(crate) struct Visible {
    pub(crate) name: String,
    pub(crate) expr: Expr,
    /// Whether `*` leaves out the column.
    pub(crate) hidden: bool,
}

impl Table {
    pub(crate) fn column(&self, column: &TableColumn) -> Expr {
        if let Some(computed) = &column.computed {
            return Expr::clone(computed);
        }
        let node = Node::Column { source: self.source, field: column.field };
        Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
    }

    /// One of its columns, in a form that a text can refer to.
    pub(crate) fn written(&self, column: &str) -> String {
        match self.alias.as_str() {
            "" => quote_identifier(column),
            alias => format!("{}.{}", quote_identifier(alias), quote_identifier(column)),
        }
    }

    /// Its columns, for unqualified names.
    pub(crate) fn visible(&self) -> Vec<Visible> {
        let columns = self.columns.iter();
        columns
            .map(|column| Visible {
                name: column.name.clone(),
                expr: self.column(column),
                hidden: column.hidden,
            })
            .collect()
    }
}

impl<'p> Scope<'p> {
    /// A scope of one source.
    pub(crate) fn of(table: Table) -> Scope<'p> {
        Scope { visible: table.visible(), tables: vec![table], ..Scope::default() }
    }

    /// Whether there is nothing around a query that it could read.
    pub(crate) fn is_outermost(&self) -> bool {
        self.parent.is_none_or(Scope::is_outermost) && self.tables.is_empty()
    }

    /// Adds everything in another scope of the same query.
    ///
    /// Fails when both have a source of the same name, or when there are too many.
    pub(crate) fn join(&mut self, other: Scope<'_>) -> Result<()> {
        if self.tables.len() + other.tables.len() > SOURCES_MAX {
            return Err(super::once::too_deep());
        }
        for table in &other.tables {
            let same = |known: &&Table| {
                known.alias == table.alias
                    && !known.alias.is_empty()
                    && (known.schema.is_none() || table.schema.is_none() || known.schema == table.schema)
            };
            if self.tables.iter().find(same).is_some() {
                return Err(SqlError::new(
                    SqlState::DUPLICATE_ALIAS,
                    format!("table name \"{}\" specified more than once", table.alias),
                ));
            }
        }
        self.tables.extend(other.tables);
        self.visible.extend(other.visible);
        Ok(())
    }

    /// The scopes around it, the nearest first.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = &Scope<'p>> {
        std::iter::successors(self.parent, |scope| scope.parent)
    }

    /// Whether a scope around it has sources.
    pub(crate) fn is_nested(&self) -> bool {
        self.ancestors().any(|scope| !scope.tables.is_empty())
    }

    /// Whether it has one of these sources.
    pub(crate) fn has_any(&self, sources: &[usize]) -> bool {
        self.tables.iter().any(|table| sources.contains(&table.source))
    }

    /// Resolves an unqualified name, here or in an enclosing scope.
    pub(crate) fn column(&self, name: &str) -> Result<Option<Expr>> {
        let mut found = self.visible.iter().filter(|visible| visible.name == name);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err(SqlError::new(
                SqlState::AMBIGUOUS_COLUMN,
                format!("column reference \"{name}\" is ambiguous"),
            )),
            (Some(only), None) => Ok(Some(only.expr.clone())),
            (None, _) => self.parent.map_or(Ok(None), |parent| parent.column(name)),
        }
    }

    /// A column that needs no qualification, written with one if possible.
    pub(crate) fn written(&self, visible: &Visible) -> String {
        let table = self
            .tables
            .iter()
            .find(|table| matches!(visible.expr.node, Node::Column { source, .. } if source == table.source));
        let column = table.and_then(|table| {
            let column = table.columns.iter().find(|column| table.column(column) == visible.expr)?;
            Some(table.written(&column.name))
        });
        column.unwrap_or_else(|| quote_identifier(&visible.name))
    }

    /// The source with this name, here or in an enclosing scope.
    pub(crate) fn table(&self, schema: Option<&str>, name: &str) -> Option<&Table> {
        let matches = |table: &&Table| {
            table.alias == name
                && table.reachable
                && schema.is_none_or(|schema| table.schema.as_deref() == Some(schema))
        };
        let found = self.tables.iter().find(matches);
        found.or_else(|| self.parent.and_then(|parent| parent.table(schema, name)))
    }
}
